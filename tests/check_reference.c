/* SPDX-License-Identifier: MIT
 *
 * check_reference.c: what an atomic may refer to beside the plain numbers of
 * check_atomic.c: pointers, constants, every spelling of an integer type,
 * operands that are atomics themselves; and orders that an operation cannot
 * have, which only the run can show. */
#include "support.h"

/* ---- Other things one may refer to --------------------------------------- */

CASE("operands");

struct node {
    struct node *next;
    int32_t value;
};

typedef struct {
    struct node **head;
    struct node *nodes;
    void **untyped;
    int32_t *out;
} pointer_args;

WEIR_KERNEL(pointers, pointer_args)
{
    struct node *nodes = args->nodes;
    struct node **head = args->head;
    STORE_RELEASE(head, &nodes[0]);
    struct node *seen = LOAD_ACQUIRE(head);
    args->out[0] = seen == &nodes[0];
    seen = weir_atomic_exchange_explicit(head, &nodes[1], memory_order_acq_rel,
                                         memory_scope_system);
    args->out[1] = seen == &nodes[0];
    struct node *expected = &nodes[0];
    args->out[2] = !weir_atomic_compare_exchange_strong_explicit(
        head, &expected, &nodes[2], memory_order_seq_cst, memory_order_seq_cst,
        memory_scope_device);
    args->out[3] = expected == &nodes[1];
    args->out[4] = weir_atomic_compare_exchange_strong_explicit(
        head, &expected, &nodes[2], memory_order_seq_cst, memory_order_seq_cst,
        memory_scope_device);
    __auto_type ref
        = weir_atomic_ref(head, memory_order_acq_rel, memory_scope_work_group);
    args->out[5] = weir_atomic_load(ref) == (void *)&nodes[2];
    weir_atomic_store(ref, NULL);
    args->out[6] = weir_atomic_exchange(ref, &nodes[0]) == NULL;
    void *void_expected = &nodes[0];
    args->out[7] = weir_atomic_compare_exchange_strong(ref, &void_expected, NULL);
    STORE_RELAXED(args->untyped, &nodes[1]);
    args->out[8] = *args->untyped == (void *)&nodes[1];
    args->out[9] = *head == NULL;
}

DEVICE_TEST(pointers_are_loaded_stored_exchanged_and_compared)
{
    pointer_args args = { weir_new(device, struct node *, 1, "head"),
                          weir_new(device, struct node, 3, "nodes"),
                          weir_new(device, void *, 1, "untyped"),
                          weir_new(device, int32_t, 10, "out") };
    *args.head = NULL;
    LAUNCH_SILENT(device, &pointers, weir_nd_range_1d(1, 1), &args, NULL);
    EXPECT_ELEMENTS(args.out, i, 10, 1);
}

typedef struct {
    const int32_t *i32;
    const volatile uint64_t *u64;
    const double *f64;
    double *out;
} const_args;

WEIR_KERNEL(load_constants, const_args)
{
    args->out[0] = LOAD_ACQUIRE(args->i32);
    args->out[1] = (double)weir_atomic_load_explicit(args->u64, memory_order_seq_cst,
                                                     memory_scope_system);
    args->out[2] = weir_atomic_load_explicit(args->f64, memory_order_relaxed,
                                             memory_scope_work_group);
    args->out[3] = weir_atomic_load(
        weir_atomic_ref(args->i32, memory_order_acq_rel, memory_scope_device));
    args->out[4] = weir_atomic_load(weir_atomic_ref_space(
        args->f64, memory_order_relaxed, memory_scope_device, WEIR_GLOBAL));
}

DEVICE_TEST(what_is_const_can_be_loaded)
{
    int32_t *i32 = weir_new(device, int32_t, 1, "i32");
    uint64_t *u64 = weir_new(device, uint64_t, 1, "u64");
    double *f64 = weir_new(device, double, 1, "f64");
    double *out = weir_new(device, double, 5, "out");
    *i32 = -12;
    *u64 = (uint64_t)1 << 50;
    *f64 = 0.375;
    LAUNCH_SILENT(device, &load_constants, weir_nd_range_1d(1, 1),
                  (&(const_args){ i32, u64, f64, out }), NULL);
    const double expected[] = { -12, 0x1p50, 0.375, -12, 0.375 };
    for (size_t i = 0; i < 5; i++) {
        ck_assert_double_eq(out[i], expected[i]);
    }
}

/* int64_t is one of long and long long; both are taken, in every way to write. */
#define SPELLINGS(X)                                                                   \
    X(0, long)                                                                         \
    X(1, unsigned long)                                                                \
    X(2, long long)                                                                    \
    X(3, unsigned long long)                                                           \
    X(4, int64_t)                                                                      \
    X(5, uint64_t)                                                                     \
    X(6, int)                                                                          \
    X(7, unsigned)

typedef struct {
    uint64_t *words; /* one a spelling */
    int32_t *right;  /* the same: 1 where all went well */
} spelling_args;

#define SPELLED(k, T)                                                                  \
    do {                                                                               \
        T *p = (T *)&args->words[k];                                                   \
        volatile T *v = p;                                                             \
        const T *c = p;                                                                \
        T expected = 40;                                                               \
        weir_atomic_store_explicit(p, 10, memory_order_relaxed, scope);                \
        weir_atomic_fetch_add_explicit(v, 10, memory_order_relaxed, scope);            \
        weir_atomic_fetch_add(weir_atomic_ref(p, memory_order_acq_rel, scope), 10);    \
        weir_atomic_fetch_add(                                                         \
            weir_atomic_ref_space(v, memory_order_seq_cst, scope, WEIR_GLOBAL), 10);   \
        args->right[k]                                                                 \
            = weir_atomic_load_explicit(c, memory_order_acquire, scope) == 40          \
            && weir_atomic_compare_exchange_strong(                                    \
                  weir_atomic_ref(v, memory_order_relaxed, scope), &expected, 50)      \
            && weir_atomic_exchange_explicit(                                          \
                   weir_atomic_ref(p, memory_order_relaxed, scope), (T)-1,             \
                   memory_order_release, scope)                                        \
                == 50                                                                  \
            && *p == (T)-1;                                                            \
    } while (0);

WEIR_KERNEL(spell, spelling_args)
{
    const memory_scope scope = memory_scope_device;
    SPELLINGS(SPELLED)
}

DEVICE_TEST(every_spelling_of_an_integer_type_is_taken)
{
    spelling_args args = { weir_new(device, uint64_t, 8, "words"),
                           weir_new(device, int32_t, 8, "right") };
    LAUNCH_SILENT(device, &spell, weir_nd_range_1d(1, 1), &args, NULL);
    EXPECT_ELEMENTS(args.right, i, 8, 1);
}

typedef struct {
    int32_t *a, *b;
    int64_t *n_evaluated;
} nested_args;

static int64_t n_evaluated;

static int32_t *counted(int32_t *p)
{
    n_evaluated++;
    return p;
}

/* Operands may be atomics themselves, and each operand is evaluated once. That
 * the nesting draws no warning either is for tests/quiet.sh to see. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
WEIR_KERNEL(nested, nested_args)
{
    int32_t *a = args->a, *b = args->b;
    weir_atomic_store(
        weir_atomic_ref(a, memory_order_relaxed, memory_scope_device),
        weir_atomic_load(weir_atomic_ref(b, memory_order_relaxed, memory_scope_device))
            + ADD_RELAXED(b, 5));
    weir_atomic_fetch_add_explicit(counted(a),
                                   weir_atomic_exchange_explicit(counted(b), 100,
                                                                 memory_order_relaxed,
                                                                 memory_scope_device),
                                   memory_order_relaxed, memory_scope_device);
    STORE_RELAXED(counted(b), 7);
    LOAD_RELAXED(counted(b));
    int32_t expected = 7;
    weir_atomic_compare_exchange_strong_explicit(
        counted(b), &expected, 8, memory_order_relaxed, memory_order_relaxed,
        memory_scope_device);
    weir_atomic_fetch_add(
        weir_atomic_ref(counted(a), memory_order_relaxed, memory_scope_device), 1000);
}
#pragma GCC diagnostic pop

DEVICE_TEST(operands_may_be_atomics_and_are_evaluated_once)
{
    int32_t *words = weir_new(device, int32_t, 2, "words");
    words[0] = 1;
    words[1] = 10;
    n_evaluated = 0;
    LAUNCH_SILENT(device, &nested, weir_nd_range_1d(1, 1),
                  (&(nested_args){ &words[0], &words[1], NULL }), NULL);
    /* b is 10, then 15; the sum is 20, or 25 where the addition came first */
    ck_assert_msg(words[0] == 20 + 15 + 1000 || words[0] == 25 + 15 + 1000, "%d",
                  words[0]);
    ck_assert_int_eq(words[1], 8);
    ck_assert_int_eq(n_evaluated, 6);
}

/* ---- Illegal orders at run time ------------------------------------------ */

CASE("illegal");

enum illegal_call {
    LOAD_EXPLICIT,
    LOAD_EXPLICIT_REF,
    STORE_EXPLICIT,
    CAS_FAILURE,
    REF_LOAD,
    REF_STORE,
    REF_EXCHANGE,
    REF_ADD,
    REF_CAS,
    FENCE,
};

static const struct illegal {
    enum illegal_call call;
    int order;
    const char *operation; /* of the party */
    const char *order_name;
} illegal_orders[] = {
    { LOAD_EXPLICIT, memory_order_release, "weir_atomic_load", "release" },
    { LOAD_EXPLICIT, memory_order_acq_rel, "weir_atomic_load", "acq_rel" },
    { LOAD_EXPLICIT_REF, memory_order_release, "weir_atomic_load", "release" },
    { STORE_EXPLICIT, memory_order_acquire, "weir_atomic_store", "acquire" },
    { STORE_EXPLICIT, memory_order_consume, "weir_atomic_store", "consume" },
    { STORE_EXPLICIT, memory_order_acq_rel, "weir_atomic_store", "acq_rel" },
    { CAS_FAILURE, memory_order_release, "weir_atomic_compare_exchange", "release" },
    { CAS_FAILURE, memory_order_acq_rel, "weir_atomic_compare_exchange", "acq_rel" },
    { REF_LOAD, memory_order_release, NULL, "release" },
    { REF_LOAD, memory_order_acquire, NULL, "acquire" },
    { REF_LOAD, memory_order_consume, NULL, "consume" },
    { REF_STORE, memory_order_release, NULL, "release" },
    { REF_STORE, memory_order_acquire, NULL, "acquire" },
    { REF_EXCHANGE, memory_order_acquire, NULL, "acquire" },
    { REF_ADD, memory_order_acquire, NULL, "acquire" },
    { REF_ADD, memory_order_release, NULL, "release" },
    { REF_CAS, memory_order_release, NULL, "release" },
    { LOAD_EXPLICIT, 42, "weir_atomic_load", "" },
    { STORE_EXPLICIT, 42, "weir_atomic_store", "" },
    { REF_ADD, 42, NULL, "" },
    { FENCE, 42, "weir_atomic_fence", "" },
};

typedef struct {
    int32_t *word;
    int32_t *returned;
    enum illegal_call call;
    const volatile int *order; /* volatile: the compiler must not know it */
} illegal_args;

static _Atomic uint32_t line_illegal;

/* A name short enough for a line. */
#define CAS_EXPLICIT weir_atomic_compare_exchange_strong_explicit

/* The word is 5; every call that writes, writes 9. */
WEIR_KERNEL(use_an_order, illegal_args)
{
    int32_t *p = args->word, expected = 5, got = 5;
    memory_order order = (memory_order)*args->order;
    const memory_order success = memory_order_seq_cst;
    const memory_scope scope = memory_scope_device;
    struct weir_atomic_i32 fine = weir_atomic_ref(p, memory_order_relaxed, scope);
#define REF weir_atomic_ref(p, order, scope)
    switch (args->call) {
    case LOAD_EXPLICIT:
        got = MARK(line_illegal, weir_atomic_load_explicit(p, order, scope));
        break;
    case LOAD_EXPLICIT_REF:
        got = MARK(line_illegal, weir_atomic_load_explicit(fine, order, scope));
        break;
    case STORE_EXPLICIT:
        MARK(line_illegal, weir_atomic_store_explicit(p, 9, order, scope));
        break;
    case CAS_FAILURE:
        MARK(line_illegal, CAS_EXPLICIT(p, &expected, 9, success, order, scope));
        got = expected;
        break;
    case REF_LOAD:
        got = MARK(line_illegal, weir_atomic_load(REF));
        break;
    case REF_STORE:
        MARK(line_illegal, weir_atomic_store(REF, 9));
        break;
    case REF_EXCHANGE:
        got = MARK(line_illegal, weir_atomic_exchange(REF, 9));
        break;
    case REF_ADD:
        got = MARK(line_illegal, weir_atomic_fetch_add(REF, 4));
        break;
    case REF_CAS:
        MARK(line_illegal, weir_atomic_compare_exchange_strong(REF, &expected, 9));
        got = expected;
        break;
    case FENCE:
        MARK(line_illegal, weir_atomic_fence(order, scope));
        break;
    }
#undef REF
    *args->returned = got;
}

static void run_illegal(struct weir_device *device, const struct illegal *illegal,
                        bool make_legal)
{
    int32_t *words = weir_new(device, int32_t, 2, "words");
    volatile int order = make_legal ? memory_order_seq_cst : illegal->order;
    words[0] = 5;
    words[1] = 0;
    g_autoptr(weir_report) report = LAUNCH(
        device, &use_an_order, weir_nd_range_1d(1, 1),
        (&(illegal_args){ &words[0], &words[1], illegal->call, &order }), NULL);
    bool writes = illegal->call != LOAD_EXPLICIT && illegal->call != LOAD_EXPLICIT_REF
        && illegal->call != REF_LOAD && illegal->call != FENCE;
    ck_assert_int_eq(words[0], writes ? 9 : 5); /* the operation happens */
    ck_assert_int_eq(words[1], 5);
    if (make_legal) {
        expect_silence(g_steal_pointer(&report), "use_an_order");
        return;
    }
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_UNSUPPORTED, "use_an_order");
    expect_contains(finding->message, illegal->order_name);
    const struct weir_party *party = &finding->parties[0];
    ck_assert_str_eq(party->items, "0");
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line_of(&line_illegal));
    if (illegal->operation != NULL) {
        ck_assert_str_eq(party->operation, illegal->operation);
    }
}

DEVICE_TEST_EACH(an_order_that_an_operation_cannot_have_is_unsupported,
                 G_N_ELEMENTS(illegal_orders))
{
    run_illegal(device, &illegal_orders[_i], false);
}

DEVICE_TEST_EACH(the_same_call_with_an_order_that_it_can_have_is_silent,
                 G_N_ELEMENTS(illegal_orders))
{
    run_illegal(device, &illegal_orders[_i], true);
}

typedef struct {
    int32_t *word;
    const volatile int *order;
} many_args;

WEIR_KERNEL(illegal_everywhere, many_args)
{
    weir_atomic_store_explicit(args->word, 1, (memory_order)*args->order,
                               memory_scope_device);
}

WORKERS_TEST(an_illegal_order_of_many_items_is_one_finding)
{
    int32_t *word = weir_new(device, int32_t, 1, "word");
    volatile int order = memory_order_acquire;
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_UNSUPPORTED, device, &illegal_everywhere,
                         weir_nd_range_1d(320, 16), (&(many_args){ word, &order }),
                         WITH_WORKERS(workers));
    EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
}

MAIN("reference")
