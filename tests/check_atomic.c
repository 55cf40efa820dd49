/* SPDX-License-Identifier: MIT
 *
 * check_atomic.c: what each atomic operation does: the value it leaves and the
 * value it returns, for every type, order and scope. Other types that a reference may
 * have, and illegal orders, are in check_reference.c; many items at one word in
 * check_contention.c; items that wait for each other in check_spin.c.
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
static const char *const operation_names[] = { "load",
                                               "store",
                                               "exchange",
                                               "compare_exchange_strong",
                                               "compare_exchange_weak",
                                               "fetch_add",
                                               "fetch_sub",
                                               "fetch_min",
                                               "fetch_max",
                                               "fetch_and",
                                               "fetch_or",
                                               "fetch_xor" };

/* Ways to write an operation. */
enum form {
    EXPLICIT,  /* weir_atomic_X_explicit(pointer, …) */
    REFERENCE, /* weir_atomic_X(reference, …) */
    N_FORMS,
};

static const memory_order orders[]
    = { memory_order_relaxed, memory_order_acquire, memory_order_release,
        memory_order_acq_rel, memory_order_seq_cst };
static const memory_scope scopes[]
    = { memory_scope_work_item, memory_scope_sub_group, memory_scope_work_group,
        memory_scope_device, memory_scope_system };

static bool legal(enum operation operation, enum form form, memory_order order)
{
    if (form == REFERENCE) {
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

/* ---- One item, one operation --------------------------------------------- */

/* By suffix: a kernel that does what its item's case says, with orders and
 * scopes that the compiler does not know, and a table of cases. `integer` are
 * the operations of integers only. */
#define DEFINE_CASES(s, T, INTEGER_OPERATIONS)                                         \
    struct case_##s {                                                                  \
        enum operation operation;                                                      \
        enum form form;                                                                \
        memory_order order;                                                            \
        memory_scope scope;                                                            \
        T word;               /* before and after */                                   \
        T operand, comparand; /* the latter of a compare-exchange */                   \
        T returned;           /* or what a compare-exchange saw */                     \
        bool done;            /* what a compare-exchange answered */                   \
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
        volatile T *p = &c->word;                                                      \
        if (c->form == EXPLICIT) {                                                     \
            EXPLICIT_OPERATIONS(p, T, INTEGER_OPERATIONS);                             \
        } else {                                                                       \
            DEFAULT_OPERATIONS(weir_atomic_ref(p, order, scope), T,                    \
                               INTEGER_OPERATIONS);                                    \
        }                                                                              \
    }                                                                                  \
    static void run_cases_##s(struct weir_device *device, struct case_##s *cases,      \
                              size_t n, size_t workers)                                \
    {                                                                                  \
        LAUNCH_SILENT(device, &operate_##s, weir_nd_range_1d((n + 63) / 64 * 64, 64),  \
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
        INTEGER_OPERATIONS(x, _explicit)                                               \
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
        INTEGER_OPERATIONS(ref, )                                                      \
    default:                                                                           \
        break;                                                                         \
    }

/* The bitwise ones, in either way of writing. */
#define BITWISE(x, suffix)                                                             \
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
#define NO_BITWISE(x, suffix)

DEFINE_CASES(i32, int32_t, BITWISE)
DEFINE_CASES(u32, uint32_t, BITWISE)
DEFINE_CASES(i64, int64_t, BITWISE)
DEFINE_CASES(u64, uint64_t, BITWISE)
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
                                .operand = values[(v + shift) % G_N_ELEMENTS(values)], \
                                .comparand = values[v % 2 == 0 ? v : v - 1],           \
                            };                                                         \
                            double sum = (double)c->word + (double)c->operand;         \
                            double difference = (double)c->word - (double)c->operand;  \
                            if (isnan(sum) || isnan(difference)) {                     \
                                c->operand = 1; /* not to compare NaNs */              \
                            }                                                          \
                            expect_case_##s(c);                                        \
                        }                                                              \
                    }                                                                  \
                }                                                                      \
            }                                                                          \
        }                                                                              \
        return n;                                                                      \
    }                                                                                  \
    DEVICE_TEST(every_operation_on_##s##_leaves_and_returns_what_it_should)            \
    {                                                                                  \
        size_t n = fill_cases_##s(NULL);                                               \
        struct case_##s *cases = weir_new(device, struct case_##s, n, "cases");        \
        for (size_t workers = 1; workers <= 2; workers++) {                            \
            fill_cases_##s(cases);                                                     \
            run_cases_##s(device, cases, n, workers);                                  \
        }                                                                              \
    }

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
DEFINE_TABLE_TEST(f32, float, float, FLOAT_VALUES, N_FLOAT_OPERATIONS,
                  EXPECT_NO_BITWISE)
DEFINE_TABLE_TEST(f64, double, double, FLOAT_VALUES, N_FLOAT_OPERATIONS,
                  EXPECT_NO_BITWISE)

/* ---- Constant orders and scopes ------------------------------------------ */

/* The arguments of nearly every call are constants. One word an
 * operation; each adds, takes away, sets and clears something that others do
 * not, so that one sum shows whether all have happened. */
typedef struct {
    int32_t *i32;
    int64_t *i64;
    double *f64;
    int64_t *sum;
} constant_args;

#define RMW_AT(order, scope)                                                           \
    sum += weir_atomic_exchange_explicit(i32, 7, order, scope);               /* 0 */  \
    sum += weir_atomic_fetch_add_explicit(i32, 5, order, scope);              /* 7 */  \
    sum += weir_atomic_fetch_sub_explicit(i32, 2, order, scope);              /* 12 */ \
    sum += weir_atomic_fetch_and_explicit(i32, 6, order, scope);              /* 10 */ \
    sum += weir_atomic_fetch_or_explicit(i32, 9, order, scope);               /* 2 */  \
    sum += weir_atomic_fetch_xor_explicit(i32, 3, order, scope);              /* 11 */ \
    sum += weir_atomic_fetch_min_explicit(i32, 4, order, scope);              /* 8 */  \
    sum += weir_atomic_fetch_max_explicit(i32, 6, order, scope);              /* 4 */  \
    sum += weir_atomic_exchange_explicit(i32, 0, order, scope);               /* 6 */  \
    sum += weir_atomic_fetch_add_explicit(i64, 1ll << 40, order, scope);      /* 0 */  \
    sum += weir_atomic_exchange_explicit(i64, 0, order, scope) >> 40;         /* 1 */  \
    sum += (int64_t)weir_atomic_fetch_add_explicit(f64, 1.5, order, scope);   /* 0 */  \
    sum += (int64_t)(2 * weir_atomic_exchange_explicit(f64, 0, order, scope)) /* 3 */
enum { SUM_OF_RMW = 0 + 7 + 12 + 10 + 2 + 11 + 8 + 4 + 6 + 0 + 1 + 0 + 3 };

#define CAS_AT(success, failure, scope)                                                \
    expected = 1;                                                                      \
    sum += weir_atomic_compare_exchange_strong_explicit(i32, &expected, 5, success,    \
                                                        failure, scope); /* 0 */       \
    sum += expected;                                                     /* 0 */       \
    sum += weir_atomic_compare_exchange_strong_explicit(i32, &expected, 5, success,    \
                                                        failure, scope); /* 1 */       \
    sum += expected;                                                     /* 0 */       \
    while (expected = 5,                                                               \
           !weir_atomic_compare_exchange_weak_explicit(i32, &expected, 0, success,     \
                                                       failure, scope)) {}             \
    sum += expected /* 5 */
enum { SUM_OF_CAS = 6 };

#define LOADS_AND_STORES_AT(scope)                                                     \
    weir_atomic_store_explicit(i32, 1, memory_order_relaxed, scope);                   \
    sum += weir_atomic_load_explicit(i32, memory_order_relaxed, scope); /* 1 */        \
    weir_atomic_store_explicit(i32, 2, memory_order_release, scope);                   \
    sum += weir_atomic_load_explicit(i32, memory_order_acquire, scope); /* 2 */        \
    weir_atomic_store_explicit(i32, 3, memory_order_seq_cst, scope);                   \
    sum += weir_atomic_load_explicit(i32, memory_order_seq_cst, scope); /* 3 */        \
    sum += weir_atomic_load_explicit(i32, memory_order_consume, scope); /* 3 */        \
    weir_atomic_store_explicit(i32, 0, memory_order_relaxed, scope)
enum { SUM_OF_LOADS = 9 };

#define REF_AT(order, scope)                                                           \
    do {                                                                               \
        __auto_type ref = weir_atomic_ref(i32, order, scope);                          \
        weir_atomic_store(ref, 4);                                                     \
        sum += weir_atomic_load(ref);         /* 4 */                                  \
        sum += weir_atomic_fetch_add(ref, 1); /* 4 */                                  \
        sum += weir_atomic_fetch_sub(ref, 2); /* 5 */                                  \
        sum += weir_atomic_fetch_and(ref, 2); /* 3 */                                  \
        sum += weir_atomic_fetch_or(ref, 5);  /* 2 */                                  \
        sum += weir_atomic_fetch_xor(ref, 1); /* 7 */                                  \
        sum += weir_atomic_fetch_min(ref, 3); /* 6 */                                  \
        sum += weir_atomic_fetch_max(ref, 9); /* 3 */                                  \
        expected = 9;                                                                  \
        sum += weir_atomic_compare_exchange_strong(ref, &expected, 1); /* 1 */         \
        sum += weir_atomic_exchange(ref, 0);                           /* 1 */         \
    } while (0)
enum { SUM_OF_REF = 4 + 4 + 5 + 3 + 2 + 7 + 6 + 3 + 1 + 1 };

#define SOME_AT(scope)                                                                 \
    LOADS_AND_STORES_AT(scope);                                                        \
    RMW_AT(memory_order_relaxed, scope);                                               \
    CAS_AT(memory_order_acq_rel, memory_order_acquire, scope);                         \
    REF_AT(memory_order_seq_cst, scope)
#define ALL_AT(scope)                                                                  \
    SOME_AT(scope);                                                                    \
    RMW_AT(memory_order_acquire, scope);                                               \
    RMW_AT(memory_order_release, scope);                                               \
    RMW_AT(memory_order_acq_rel, scope);                                               \
    RMW_AT(memory_order_seq_cst, scope);                                               \
    CAS_AT(memory_order_relaxed, memory_order_relaxed, scope);                         \
    CAS_AT(memory_order_acquire, memory_order_acquire, scope);                         \
    CAS_AT(memory_order_release, memory_order_relaxed, scope);                         \
    CAS_AT(memory_order_seq_cst, memory_order_seq_cst, scope);                         \
    CAS_AT(memory_order_seq_cst, memory_order_relaxed, scope);                         \
    REF_AT(memory_order_relaxed, scope);                                               \
    REF_AT(memory_order_acq_rel, scope)
enum {
    SUM_OF_SOME = SUM_OF_LOADS + SUM_OF_RMW + SUM_OF_CAS + SUM_OF_REF,
    SUM_OF_ALL = SUM_OF_SOME + 4 * SUM_OF_RMW + 5 * SUM_OF_CAS + 2 * SUM_OF_REF,
};

#define DEFINE_CONSTANTS(scope, OPERATIONS)                                            \
    WEIR_KERNEL(constants_##scope, constant_args)                                      \
    {                                                                                  \
        size_t i = weir_global_id(item, 0);                                            \
        int32_t *i32 = &args->i32[i], expected;                                        \
        int64_t *i64 = &args->i64[i], sum = 0;                                         \
        double *f64 = &args->f64[i];                                                   \
        OPERATIONS(memory_scope_##scope);                                              \
        args->sum[i] = sum;                                                            \
    }
DEFINE_CONSTANTS(work_item, SOME_AT)
DEFINE_CONSTANTS(sub_group, SOME_AT)
DEFINE_CONSTANTS(work_group, SOME_AT)
DEFINE_CONSTANTS(device, ALL_AT)
DEFINE_CONSTANTS(system, SOME_AT)

DEVICE_TEST(constant_orders_and_scopes_do_the_same)
{
    enum { N = 16 };
    constant_args args
        = { weir_new(device, int32_t, N, "i32"), weir_new(device, int64_t, N, "i64"),
            weir_new(device, double, N, "f64"), weir_new(device, int64_t, N, "sum") };
    static const struct {
        const struct weir_kernel *kernel;
        int sum;
    } cases[] = {
        { &constants_work_item, SUM_OF_SOME },  { &constants_sub_group, SUM_OF_SOME },
        { &constants_work_group, SUM_OF_SOME }, { &constants_device, SUM_OF_ALL },
        { &constants_system, SUM_OF_SOME },
    };
    memset(args.i32, 0, N * sizeof(*args.i32));
    memset(args.i64, 0, N * sizeof(*args.i64));
    memset(args.f64, 0, N * sizeof(*args.f64));
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        for (size_t workers = 1; workers <= 2; workers++) {
            /* So many operations make a large frame at -O0. */
            const struct weir_launch_options options
                = { .workers = workers, .stack_bytes = 1024 * 1024 };
            memset(args.sum, 0, N * sizeof(*args.sum));
            LAUNCH_SILENT(device, cases[k].kernel, weir_nd_range_1d(N, 4), &args,
                          &options);
            for (size_t i = 0; i < N; i++) {
                EXPECT(args.sum[i] == cases[k].sum, "%s: item %zu has %lld, not %d",
                       cases[k].kernel->name, i, (long long)args.sum[i], cases[k].sum);
                EXPECT_ELEMENT(args.i32, i, 0);
                EXPECT_ELEMENT(args.i64, i, 0);
            }
        }
    }
}

MAIN("atomic")
