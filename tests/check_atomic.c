/* SPDX-License-Identifier: MIT
 *
 * check_atomic.c: what each atomic operation does: the value it leaves and the
 * value it returns, for every type, order, scope and way to write it, alone
 * and when many items do it at once; and what becomes of an illegal order.
 * Items that wait for each other by atomics are in check_spin.c.
 *
 * One item is one case: it has a word of its own, so that thousands of cases
 * are one launch. With one worker, device scope needs no locked operation;
 * with two it does; so each table runs with both. */
#include "support.h"

#include <math.h>

enum operation {
    LOAD,
    STORE,
    EXCHANGE,
    CAS_STRONG,
    CAS_WEAK,
    FETCH_ADD,
    FETCH_SUB,
    FETCH_MIN,
    FETCH_MAX,
    FETCH_AND,
    FETCH_OR,
    FETCH_XOR,
};
enum { N_FLOAT_OPERATIONS = FETCH_MAX + 1, N_OPERATIONS = FETCH_XOR + 1 };
static const char *const operation_names[]
    = { "load",      "store",     "exchange",  "compare_exchange_strong",
        "compare_exchange_weak",  "fetch_add", "fetch_sub", "fetch_min",
        "fetch_max", "fetch_and", "fetch_or",  "fetch_xor" };

/* Ways to write an operation. */
enum form {
    PLAIN_POINTER,    /* weir_atomic_X_explicit(pointer, …) */
    VOLATILE_POINTER, /* the same on a volatile type */
    EXPLICIT_REF,     /* weir_atomic_X_explicit(reference, …) */
    DEFAULT_REF,      /* weir_atomic_X(reference, …) */
    SPACE_REF,        /* the same on a reference that states its address space */
    N_FORMS,
};

static const memory_order orders[] = { memory_order_relaxed, memory_order_acquire,
                                       memory_order_release, memory_order_acq_rel,
                                       memory_order_seq_cst };
static const memory_scope scopes[] = { memory_scope_work_item, memory_scope_sub_group,
                                       memory_scope_work_group, memory_scope_device,
                                       memory_scope_system };

static bool legal(enum operation operation, enum form form, memory_order order)
{
    if (form == DEFAULT_REF || form == SPACE_REF) {
        return order == memory_order_relaxed || order == memory_order_acq_rel
            || order == memory_order_seq_cst;
    }
    switch (operation) {
    case LOAD:
        return order != memory_order_release && order != memory_order_acq_rel;
    case STORE:
        return order != memory_order_acquire && order != memory_order_acq_rel;
    default:
        return true;
    }
}

/* The strongest failure order that goes with a success order. */
static memory_order failure_order(memory_order success)
{
    switch (success) {
    case memory_order_acq_rel:
    case memory_order_acquire:
        return memory_order_acquire;
    case memory_order_seq_cst:
        return memory_order_seq_cst;
    default:
        return memory_order_relaxed;
    }
}

/* ---- One item, one operation ---------------------------------------------------------- */

/* By suffix: a kernel that does what its item's case says, with orders and
 * scopes that the compiler does not know, and a table of cases. `integer` are
 * the operations of integers only. */
#define DEFINE_CASES(s, T, INTEGER_OPERATIONS)                                         \
    struct case_##s {                                                                  \
        enum operation operation;                                                      \
        enum form form;                                                                \
        memory_order order;                                                            \
        memory_scope scope;                                                            \
        T word;                 /* before and after */                                 \
        T operand, comparand;   /* the latter of a compare-exchange */                 \
        T returned;             /* or what a compare-exchange saw */                   \
        bool done;              /* what a compare-exchange answered */                 \
        T expected_word, expected_return;                                              \
        bool expected_done;                                                            \
    };                                                                                 \
    typedef struct {                                                                   \
        struct case_##s *cases;                                                        \
        size_t n;                                                                      \
    } args_##s;                                                                        \
    WEIR_KERNEL(operate_##s, args_##s)                                                 \
    {                                                                                  \
        size_t i = weir_global_id(item, 0);                                            \
        if (i >= args->n) {                                                            \
            return;                                                                    \
        }                                                                              \
        struct case_##s *c = &args->cases[i];                                          \
        memory_order order = c->order;                                                 \
        memory_scope scope = c->scope;                                                 \
        T *p = &c->word;                                                               \
        volatile T *v = &c->word;                                                      \
        switch (c->form) {                                                             \
        case PLAIN_POINTER:                                                            \
            EXPLICIT_OPERATIONS(p, T, INTEGER_OPERATIONS);                             \
            break;                                                                     \
        case VOLATILE_POINTER:                                                         \
            EXPLICIT_OPERATIONS(v, T, INTEGER_OPERATIONS);                             \
            break;                                                                     \
        case EXPLICIT_REF:                                                             \
            /* The reference's own order and scope must not matter. */                 \
            EXPLICIT_OPERATIONS(weir_atomic_ref(p, memory_order_relaxed,               \
                                                memory_scope_work_item),               \
                                T, INTEGER_OPERATIONS);                                \
            break;                                                                     \
        case DEFAULT_REF:                                                              \
            DEFAULT_OPERATIONS(weir_atomic_ref(p, order, scope), T,                    \
                               INTEGER_OPERATIONS);                                    \
            break;                                                                     \
        default:                                                                       \
            DEFAULT_OPERATIONS(weir_atomic_ref_space(v, order, scope, WEIR_GLOBAL), T, \
                               INTEGER_OPERATIONS);                                    \
            break;                                                                     \
        }                                                                              \
    }                                                                                  \
    static void run_cases_##s(struct weir_device *device, struct case_##s *cases,      \
                              size_t n, size_t workers)                                \
    {                                                                                  \
        LAUNCH_SILENT(device, &operate_##s,                                            \
                      weir_nd_range_1d((n + 63) / 64 * 64, 64),                        \
                      (&(args_##s){ cases, n }), WITH_WORKERS(workers));               \
        for (size_t i = 0; i < n; i++) {                                               \
            const struct case_##s *c = &cases[i];                                      \
            EXPECT(c->word == c->expected_word,                                        \
                   #s " %s, form %d, order %d, scope %d leaves another value",         \
                   operation_names[c->operation], c->form, (int)c->order,              \
                   (int)c->scope);                                                     \
            EXPECT(c->returned == c->expected_return,                                  \
                   #s " %s, form %d, order %d, scope %d returns another value",        \
                   operation_names[c->operation], c->form, (int)c->order,              \
                   (int)c->scope);                                                     \
            EXPECT(c->done == c->expected_done,                                        \
                   #s " %s, form %d, order %d, scope %d answers otherwise",            \
                   operation_names[c->operation], c->form, (int)c->order,              \
                   (int)c->scope);                                                     \
        }                                                                              \
    }

#define EXPLICIT_OPERATIONS(x, T, INTEGER_OPERATIONS)                                  \
    switch (c->operation) {                                                            \
    case LOAD:                                                                         \
        c->returned = weir_atomic_load_explicit(x, order, scope);                      \
        break;                                                                         \
    case STORE:                                                                        \
        weir_atomic_store_explicit(x, c->operand, order, scope);                       \
        break;                                                                         \
    case EXCHANGE:                                                                     \
        c->returned = weir_atomic_exchange_explicit(x, c->operand, order, scope);      \
        break;                                                                         \
    case CAS_STRONG: {                                                                 \
        T comparand = c->comparand;                                                    \
        c->done = weir_atomic_compare_exchange_strong_explicit(                        \
            x, &comparand, c->operand, order, failure_order(order), scope);            \
        c->returned = comparand;                                                       \
        break;                                                                         \
    }                                                                                  \
    case CAS_WEAK: {                                                                   \
        T comparand = c->comparand;                                                    \
        do { /* it may fail though the values are equal */                             \
            c->done = weir_atomic_compare_exchange_weak_explicit(                      \
                x, &comparand, c->operand, order, failure_order(order), scope);        \
        } while (!c->done && comparand == c->comparand);                               \
        c->returned = comparand;                                                       \
        break;                                                                         \
    }                                                                                  \
    case FETCH_ADD:                                                                    \
        c->returned = weir_atomic_fetch_add_explicit(x, c->operand, order, scope);     \
        break;                                                                         \
    case FETCH_SUB:                                                                    \
        c->returned = weir_atomic_fetch_sub_explicit(x, c->operand, order, scope);     \
        break;                                                                         \
    case FETCH_MIN:                                                                    \
        c->returned = weir_atomic_fetch_min_explicit(x, c->operand, order, scope);     \
        break;                                                                         \
    case FETCH_MAX:                                                                    \
        c->returned = weir_atomic_fetch_max_explicit(x, c->operand, order, scope);     \
        break;                                                                         \
        INTEGER_OPERATIONS(x, _explicit, order, scope)                                 \
    default:                                                                           \
        break;                                                                         \
    }

#define DEFAULT_OPERATIONS(ref, T, INTEGER_OPERATIONS)                                 \
    switch (c->operation) {                                                            \
    case LOAD:                                                                         \
        c->returned = weir_atomic_load(ref);                                           \
        break;                                                                         \
    case STORE:                                                                        \
        weir_atomic_store(ref, c->operand);                                            \
        break;                                                                         \
    case EXCHANGE:                                                                     \
        c->returned = weir_atomic_exchange(ref, c->operand);                           \
        break;                                                                         \
    case CAS_STRONG: {                                                                 \
        T comparand = c->comparand;                                                    \
        c->done = weir_atomic_compare_exchange_strong(ref, &comparand, c->operand);    \
        c->returned = comparand;                                                       \
        break;                                                                         \
    }                                                                                  \
    case CAS_WEAK: {                                                                   \
        T comparand = c->comparand;                                                    \
        do {                                                                           \
            c->done = weir_atomic_compare_exchange_weak(ref, &comparand, c->operand);  \
        } while (!c->done && comparand == c->comparand);                               \
        c->returned = comparand;                                                       \
        break;                                                                         \
    }                                                                                  \
    case FETCH_ADD:                                                                    \
        c->returned = weir_atomic_fetch_add(ref, c->operand);                          \
        break;                                                                         \
    case FETCH_SUB:                                                                    \
        c->returned = weir_atomic_fetch_sub(ref, c->operand);                          \
        break;                                                                         \
    case FETCH_MIN:                                                                    \
        c->returned = weir_atomic_fetch_min(ref, c->operand);                          \
        break;                                                                         \
    case FETCH_MAX:                                                                    \
        c->returned = weir_atomic_fetch_max(ref, c->operand);                          \
        break;                                                                         \
        INTEGER_OPERATIONS(ref, , DROP, DROP)                                          \
    default:                                                                           \
        break;                                                                         \
    }

/* The bitwise ones, in either way of writing. */
#define BITWISE(x, suffix, order, scope)                                               \
    case FETCH_AND:                                                                    \
        c->returned = BITWISE_CALL##suffix(and, x);                                    \
        break;                                                                         \
    case FETCH_OR:                                                                     \
        c->returned = BITWISE_CALL##suffix(or, x);                                     \
        break;                                                                         \
    case FETCH_XOR:                                                                    \
        c->returned = BITWISE_CALL##suffix(xor, x);                                    \
        break;
#define BITWISE_CALL_explicit(op, x)                                                   \
    weir_atomic_fetch_##op##_explicit(x, c->operand, order, scope)
#define BITWISE_CALL(op, x) weir_atomic_fetch_##op(x, c->operand)
#define NO_BITWISE(x, suffix, order, scope)

DEFINE_CASES(i32, int32_t, BITWISE)
DEFINE_CASES(u32, uint32_t, BITWISE)
DEFINE_CASES(i64, int64_t, BITWISE)
DEFINE_CASES(u64, uint64_t, BITWISE)
DEFINE_CASES(long, long, BITWISE)
DEFINE_CASES(ulong, unsigned long, BITWISE)
DEFINE_CASES(llong, long long, BITWISE)
DEFINE_CASES(ullong, unsigned long long, BITWISE)
DEFINE_CASES(f32, float, NO_BITWISE)
DEFINE_CASES(f64, double, NO_BITWISE)

/* Values where wrapping, signs and bits show. */
#define INTEGER_VALUES(T)                                                              \
    {                                                                                  \
        0, 1, 2, (T)-1, (T)0x55555555, (T)0x80000000, (T)0x7fffffff,                   \
            (T)0xffffffff00000000, (T)0x8000000000000000, (T)0x7fffffffffffffff, 1000  \
    }
#define FLOAT_VALUES(T)                                                                \
    {                                                                                  \
        0, 1, -1, (T)0.1, (T)-2.5, (T)1e30, (T)-1e30, (T)1e-40, 16777216, 3,           \
            (T)INFINITY                                                                \
    }

/* All operations, forms, legal orders and scopes on all pairs of values; U is
 * the type in which sums are taken. */
#define DEFINE_TABLE_TEST(s, T, U, VALUES, N_OPS, EXPECT_BITWISE)                      \
    static void expect_case_##s(struct case_##s *c)                                    \
    {                                                                                  \
        T old = c->word, operand = c->operand;                                         \
        c->expected_word = c->expected_return = old;                                   \
        switch (c->operation) {                                                        \
        case LOAD:                                                                     \
            break;                                                                     \
        case STORE:                                                                    \
            c->expected_word = operand;                                                \
            c->returned = c->expected_return = 0;                                      \
            break;                                                                     \
        case EXCHANGE:                                                                 \
            c->expected_word = operand;                                                \
            break;                                                                     \
        case CAS_STRONG:                                                               \
        case CAS_WEAK:                                                                 \
            c->expected_done = old == c->comparand;                                    \
            c->expected_word = c->expected_done ? operand : old;                       \
            break;                                                                     \
        case FETCH_ADD:                                                                \
            c->expected_word = (T)((U)old + (U)operand);                               \
            break;                                                                     \
        case FETCH_SUB:                                                                \
            c->expected_word = (T)((U)old - (U)operand);                               \
            break;                                                                     \
        case FETCH_MIN:                                                                \
            c->expected_word = operand < old ? operand : old;                          \
            break;                                                                     \
        case FETCH_MAX:                                                                \
            c->expected_word = operand > old ? operand : old;                          \
            break;                                                                     \
            EXPECT_BITWISE(T)                                                          \
        default:                                                                       \
            break;                                                                     \
        }                                                                              \
    }                                                                                  \
    static size_t fill_cases_##s(struct case_##s *cases)                               \
    {                                                                                  \
        static const T values[] = VALUES(T);                                           \
        size_t n = 0, shift = 0;                                                       \
        for (int operation = 0; operation < (N_OPS); operation++) {                    \
            for (int form = 0; form < N_FORMS; form++) {                               \
                for (size_t o = 0; o < G_N_ELEMENTS(orders); o++) {                    \
                    if (!legal((enum operation)operation, (enum form)form,             \
                               orders[o])) {                                           \
                        continue;                                                      \
                    }                                                                  \
                    for (size_t k = 0; k < G_N_ELEMENTS(scopes); k++) {                \
                        for (size_t v = 0; v < G_N_ELEMENTS(values); v++, n++) {       \
                            if (cases == NULL) {                                       \
                                continue;                                              \
                            }                                                          \
                            /* Another partner for each value in each round. */        \
                            shift += v == 0;                                           \
                            struct case_##s *c = &cases[n];                            \
                            *c = (struct case_##s){                                    \
                                .operation = (enum operation)operation,                \
                                .form = (enum form)form,                               \
                                .order = orders[o],                                    \
                                .scope = scopes[k],                                    \
                                .word = values[v],                                     \
                                .operand                                               \
                                = values[(v + shift) % G_N_ELEMENTS(values)],          \
                                .comparand = values[v % 2 == 0 ? v : v - 1],           \
                            };                                                         \
                            if (isnan((double)(c->word + c->operand))                  \
                                || isnan((double)(c->word - c->operand))) {            \
                                c->operand = 1;                                        \
                            }                                                          \
                            expect_case_##s(c);                                        \
                        }                                                              \
                    }                                                                  \
                }                                                                      \
            }                                                                          \
        }                                                                              \
        return n;                                                                      \
    }                                                                                  \
    START_TEST(every_operation_on_##s##_leaves_and_returns_what_it_should)             \
    {                                                                                  \
        struct weir_device *device = device_open("default");                           \
        size_t n = fill_cases_##s(NULL);                                               \
        struct case_##s *cases = weir_new(device, struct case_##s, n, "cases");        \
        for (size_t workers = 1; workers <= 2; workers++) {                            \
            fill_cases_##s(cases);                                                     \
            run_cases_##s(device, cases, n, workers);                                  \
        }                                                                              \
        weir_device_free(device);                                                      \
    }                                                                                  \
    END_TEST

#define EXPECT_BITWISE(T)                                                              \
    case FETCH_AND:                                                                    \
        c->expected_word = (T)(old & operand);                                         \
        break;                                                                         \
    case FETCH_OR:                                                                     \
        c->expected_word = (T)(old | operand);                                         \
        break;                                                                         \
    case FETCH_XOR:                                                                    \
        c->expected_word = (T)(old ^ operand);                                         \
        break;
#define EXPECT_NO_BITWISE(T)

DEFINE_TABLE_TEST(i32, int32_t, uint32_t, INTEGER_VALUES, N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(u32, uint32_t, uint32_t, INTEGER_VALUES, N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(i64, int64_t, uint64_t, INTEGER_VALUES, N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(u64, uint64_t, uint64_t, INTEGER_VALUES, N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(long, long, unsigned long, INTEGER_VALUES, N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(ulong, unsigned long, unsigned long, INTEGER_VALUES, N_OPERATIONS,
                  EXPECT_BITWISE)
DEFINE_TABLE_TEST(llong, long long, unsigned long long, INTEGER_VALUES, N_OPERATIONS,
                  EXPECT_BITWISE)
DEFINE_TABLE_TEST(ullong, unsigned long long, unsigned long long, INTEGER_VALUES,
                  N_OPERATIONS, EXPECT_BITWISE)
DEFINE_TABLE_TEST(f32, float, float, FLOAT_VALUES, N_FLOAT_OPERATIONS, EXPECT_NO_BITWISE)
DEFINE_TABLE_TEST(f64, double, double, FLOAT_VALUES, N_FLOAT_OPERATIONS, EXPECT_NO_BITWISE)
