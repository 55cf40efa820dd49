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
DEFINE_TABLE_TEST(f32, float, float, FLOAT_VALUES, N_FLOAT_OPERATIONS,
                  EXPECT_NO_BITWISE)
DEFINE_TABLE_TEST(f64, double, double, FLOAT_VALUES, N_FLOAT_OPERATIONS,
                  EXPECT_NO_BITWISE)

/* ---- Constant orders and scopes ----------------------------------------------------------- */

/* What the compiler sees at nearly every call: constants. One word an
 * operation; each adds, takes away, sets and clears something that others do
 * not, so that one sum tells whether all have happened. */
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

START_TEST(constant_orders_and_scopes_do_the_same)
{
    struct weir_device *device = device_open("default");
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
            memset(args.sum, 0, N * sizeof(*args.sum));
            LAUNCH_SILENT(device, cases[k].kernel, weir_nd_range_1d(N, 4), &args,
                          WITH_WORKERS(workers));
            for (size_t i = 0; i < N; i++) {
                EXPECT(args.sum[i] == cases[k].sum, "%s: item %zu has %lld, not %d",
                       cases[k].kernel->name, i, (long long)args.sum[i], cases[k].sum);
                EXPECT_ELEMENT(args.i32, i, 0);
                EXPECT_ELEMENT(args.i64, i, 0);
            }
        }
    }
    weir_device_free(device);
}
END_TEST

/* ---- Other things one may refer to ---------------------------------------------------------- */

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
    weir_atomic_store_explicit(head, &nodes[0], memory_order_release,
                               memory_scope_device);
    struct node *seen
        = weir_atomic_load_explicit(head, memory_order_acquire, memory_scope_device);
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
    weir_atomic_store_explicit(args->untyped, &nodes[1], memory_order_relaxed,
                               memory_scope_device);
    args->out[8] = *args->untyped == (void *)&nodes[1];
    args->out[9] = *head == NULL;
}

START_TEST(pointers_are_loaded_stored_exchanged_and_compared)
{
    struct weir_device *device = device_open("default");
    pointer_args args = { weir_new(device, struct node *, 1, "head"),
                          weir_new(device, struct node, 3, "nodes"),
                          weir_new(device, void *, 1, "untyped"),
                          weir_new(device, int32_t, 10, "out") };
    memset(args.out, 0, 10 * sizeof(*args.out));
    *args.head = NULL;
    LAUNCH_SILENT(device, &pointers, weir_nd_range_1d(1, 1), &args, NULL);
    for (size_t i = 0; i < 10; i++) {
        EXPECT_ELEMENT(args.out, i, 1);
    }
    weir_device_free(device);
}
END_TEST

WEIR_KERNEL(push_nodes, pointer_args)
{
    struct node *mine = &args->nodes[weir_global_id(item, 0)];
    struct node *head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                                  memory_scope_device);
    do {
        mine->next = head;
    } while (!weir_atomic_compare_exchange_weak_explicit(
        args->head, &head, mine, memory_order_release, memory_order_relaxed,
        memory_scope_device));
}

START_TEST(a_lock_free_stack_loses_no_node)
{
    struct weir_device *device = device_open("default");
    size_t n = scaled(20000, 200) / 20 * 20;
    pointer_args args = { .head = weir_new(device, struct node *, 1, "head"),
                          .nodes = weir_new(device, struct node, n, "nodes") };
    FOR_EACH_WORKERS(workers)
    {
        *args.head = NULL;
        for (size_t i = 0; i < n; i++) {
            args.nodes[i].value = 0;
        }
        LAUNCH_SILENT(device, &push_nodes, weir_nd_range_1d(n, 20), &args,
                      WITH_WORKERS(workers));
        size_t length = 0;
        for (struct node *node = *args.head; node != NULL && length <= n;
             node = node->next) {
            node->value++;
            length++;
        }
        ck_assert_uint_eq(length, n);
        for (size_t i = 0; i < n; i++) {
            EXPECT(args.nodes[i].value == 1, "node %zu is there %d times", i,
                   args.nodes[i].value);
        }
    }
    weir_device_free(device);
}
END_TEST

typedef struct {
    const int32_t *i32;
    const volatile uint64_t *u64;
    const double *f64;
    double *out;
} const_args;

WEIR_KERNEL(load_constants, const_args)
{
    args->out[0] = weir_atomic_load_explicit(args->i32, memory_order_acquire,
                                             memory_scope_device);
    args->out[1] = (double)weir_atomic_load_explicit(args->u64, memory_order_seq_cst,
                                                     memory_scope_system);
    args->out[2] = weir_atomic_load_explicit(args->f64, memory_order_relaxed,
                                             memory_scope_work_group);
    args->out[3] = weir_atomic_load(
        weir_atomic_ref(args->i32, memory_order_acq_rel, memory_scope_device));
    args->out[4] = weir_atomic_load(weir_atomic_ref_space(
        args->f64, memory_order_relaxed, memory_scope_device, WEIR_GLOBAL));
}

START_TEST(what_is_const_can_be_loaded)
{
    struct weir_device *device = device_open("default");
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
    weir_device_free(device);
}
END_TEST

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

START_TEST(every_spelling_of_an_integer_type_is_taken)
{
    struct weir_device *device = device_open("default");
    spelling_args args = { weir_new(device, uint64_t, 8, "words"),
                           weir_new(device, int32_t, 8, "right") };
    memset(args.words, 0, 8 * sizeof(*args.words));
    LAUNCH_SILENT(device, &spell, weir_nd_range_1d(1, 1), &args, NULL);
    for (size_t i = 0; i < 8; i++) {
        EXPECT_ELEMENT(args.right, i, 1);
    }
    weir_device_free(device);
}
END_TEST

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
 * the nesting draws no warning either is for tests/compile.sh to see. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
WEIR_KERNEL(nested, nested_args)
{
    int32_t *a = args->a, *b = args->b;
    weir_atomic_store(
        weir_atomic_ref(a, memory_order_relaxed, memory_scope_device),
        weir_atomic_load(weir_atomic_ref(b, memory_order_relaxed, memory_scope_device))
            + weir_atomic_fetch_add_explicit(b, 5, memory_order_relaxed,
                                             memory_scope_device));
    weir_atomic_fetch_add_explicit(counted(a),
                                   weir_atomic_exchange_explicit(counted(b), 100,
                                                                 memory_order_relaxed,
                                                                 memory_scope_device),
                                   memory_order_relaxed, memory_scope_device);
    weir_atomic_store_explicit(counted(b), 7, memory_order_relaxed,
                               memory_scope_device);
    weir_atomic_load_explicit(counted(b), memory_order_relaxed, memory_scope_device);
    int32_t expected = 7;
    weir_atomic_compare_exchange_strong_explicit(
        counted(b), &expected, 8, memory_order_relaxed, memory_order_relaxed,
        memory_scope_device);
    weir_atomic_fetch_add(
        weir_atomic_ref(counted(a), memory_order_relaxed, memory_scope_device), 1000);
}
#pragma GCC diagnostic pop

START_TEST(operands_may_be_atomics_and_are_evaluated_once)
{
    struct weir_device *device = device_open("default");
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
    weir_device_free(device);
}
END_TEST

/* ---- Many at once ------------------------------------------------------------------------------ */

typedef struct {
    uint32_t *u32;
    int64_t *i64;
    float *f32;
    double *f64;
    uint32_t *of_group;
} contended_args;

enum { COUNTED = 100 };

WEIR_KERNEL(add_to_one_word, contended_args)
{
    for (int round = 0; round < COUNTED; round++) {
        weir_atomic_fetch_add_explicit(args->u32, 3u, memory_order_relaxed,
                                       memory_scope_device);
        weir_atomic_fetch_sub_explicit(args->i64, (int64_t)1 << 33,
                                       memory_order_acq_rel, memory_scope_device);
        weir_atomic_fetch_add_explicit(args->f32, 1.0f, memory_order_relaxed,
                                       memory_scope_device);
        weir_atomic_fetch_sub_explicit(args->f64, 0.5, memory_order_seq_cst,
                                       memory_scope_system);
        weir_atomic_fetch_add(weir_atomic_ref(&args->of_group[weir_group_id(item, 0)],
                                              memory_order_relaxed,
                                              memory_scope_work_group),
                              1u);
    }
}

START_TEST(no_addition_is_lost_under_contention)
{
    struct weir_device *device = device_open("default");
    enum { LOCAL = 32 };
    size_t groups = scaled(40, 3);
    contended_args args
        = { weir_new(device, uint32_t, 1, "u32"), weir_new(device, int64_t, 1, "i64"),
            weir_new(device, float, 1, "f32"), weir_new(device, double, 1, "f64"),
            weir_new(device, uint32_t, groups, "of_group") };
    FOR_EACH_WORKERS(workers)
    {
        *args.u32 = 0;
        *args.i64 = 0;
        *args.f32 = 0;
        *args.f64 = 0;
        memset(args.of_group, 0, groups * sizeof(*args.of_group));
        LAUNCH_SILENT(device, &add_to_one_word, weir_nd_range_1d(groups * LOCAL, LOCAL),
                      &args, WITH_WORKERS(workers));
        size_t n = groups * LOCAL * COUNTED; /* below 2^24, so that floats are exact */
        ck_assert_uint_eq(*args.u32, 3 * n);
        ck_assert_int_eq(*args.i64, -(int64_t)(n << 33));
        ck_assert_double_eq(*args.f32, (double)n);
        ck_assert_double_eq(*args.f64, -0.5 * (double)n);
        for (size_t g = 0; g < groups; g++) {
            EXPECT_ELEMENT(args.of_group, g, LOCAL * COUNTED);
        }
    }
    weir_device_free(device);
}
END_TEST

typedef struct {
    uint64_t *bits;    /* one bit a group of 64 is set, another toggled, one cleared */
    int32_t *extremes; /* the least, the greatest */
    float *f_extremes;
    uint32_t *chain;   /* an exchange passes on who came before */
    uint32_t *seen;    /* [id]: how often it was passed on */
    uint64_t *counter; /* by compare-exchange */
} mixed_args;

WEIR_KERNEL(mix, mixed_args)
{
    uint32_t id = (uint32_t)weir_global_id(item, 0);
    uint64_t bit = (uint64_t)1 << (id % 64);
    weir_atomic_fetch_or_explicit(&args->bits[0], bit, memory_order_relaxed,
                                  memory_scope_device);
    weir_atomic_fetch_xor_explicit(&args->bits[1], bit, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_and_explicit(&args->bits[2], ~bit, memory_order_relaxed,
                                   memory_scope_device);
    int32_t value = (int32_t)(id * 2654435761u) >> 1;
    weir_atomic_fetch_min_explicit(&args->extremes[0], value, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_max_explicit(&args->extremes[1], value, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_min_explicit(&args->f_extremes[0], (float)value,
                                   memory_order_relaxed, memory_scope_device);
    weir_atomic_fetch_max_explicit(&args->f_extremes[1], (float)value,
                                   memory_order_relaxed, memory_scope_device);
    uint32_t before = weir_atomic_exchange_explicit(
        args->chain, id + 1, memory_order_acq_rel, memory_scope_device);
    weir_atomic_fetch_add_explicit(&args->seen[before], 1u, memory_order_relaxed,
                                   memory_scope_device);
    uint64_t count = weir_atomic_load_explicit(args->counter, memory_order_relaxed,
                                               memory_scope_device);
    while (!weir_atomic_compare_exchange_strong_explicit(
        args->counter, &count, count + 3, memory_order_acq_rel, memory_order_relaxed,
        memory_scope_device)) {}
}

START_TEST(every_kind_of_update_is_whole_under_contention)
{
    struct weir_device *device = device_open("default");
    uint32_t n = (uint32_t)scaled(20000, 320) / 64 * 64;
    mixed_args args = { weir_new(device, uint64_t, 3, "bits"),
                        weir_new(device, int32_t, 2, "extremes"),
                        weir_new(device, float, 2, "f_extremes"),
                        weir_new(device, uint32_t, 1, "chain"),
                        weir_new(device, uint32_t, n + 1, "seen"),
                        weir_new(device, uint64_t, 1, "counter") };
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (uint32_t id = 0; id < n; id++) {
        int32_t value = (int32_t)(id * 2654435761u) >> 1;
        least = MIN(least, value);
        greatest = MAX(greatest, value);
    }
    FOR_EACH_WORKERS(workers)
    {
        args.bits[0] = args.bits[1] = 0;
        args.bits[2] = UINT64_MAX;
        args.extremes[0] = INT32_MAX;
        args.extremes[1] = INT32_MIN;
        args.f_extremes[0] = INFINITY;
        args.f_extremes[1] = -INFINITY;
        *args.chain = 0;
        *args.counter = 0;
        memset(args.seen, 0, (n + 1) * sizeof(*args.seen));
        LAUNCH_SILENT(device, &mix, weir_nd_range_1d(n, 32), &args,
                      WITH_WORKERS(workers));
        ck_assert(args.bits[0] == UINT64_MAX);
        ck_assert(args.bits[1] == (n / 64 % 2 == 1 ? UINT64_MAX : 0));
        ck_assert(args.bits[2] == 0);
        ck_assert_int_eq(args.extremes[0], least);
        ck_assert_int_eq(args.extremes[1], greatest);
        ck_assert_double_eq(args.f_extremes[0], (float)least);
        ck_assert_double_eq(args.f_extremes[1], (float)greatest);
        ck_assert_uint_eq(*args.counter, 3 * (uint64_t)n);
        for (uint32_t id = 0; id <= n; id++) {
            EXPECT_ELEMENT(args.seen, id, id != *args.chain);
        }
    }
    weir_device_free(device);
}
END_TEST

/* ---- Illegal orders at run time ----------------------------------------------------------------- */

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
        MARK(line_illegal,
             CAS_EXPLICIT(p, &expected, 9, memory_order_seq_cst, order, scope));
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
    struct weir_report *report = LAUNCH(
        device, &use_an_order, weir_nd_range_1d(1, 1),
        (&(illegal_args){ &words[0], &words[1], illegal->call, &order }), NULL);
    bool writes = illegal->call != LOAD_EXPLICIT && illegal->call != LOAD_EXPLICIT_REF
        && illegal->call != REF_LOAD && illegal->call != FENCE;
    ck_assert_int_eq(words[0], writes ? 9 : 5); /* the operation happens */
    ck_assert_int_eq(words[1], 5);
    if (make_legal) {
        expect_silence(report, "use_an_order");
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
    weir_report_free(report);
}

START_TEST(an_order_that_an_operation_cannot_have_is_unsupported)
{
    struct weir_device *device = device_open("default");
    run_illegal(device, &illegal_orders[_i], false);
    weir_device_free(device);
}
END_TEST

START_TEST(the_same_call_with_an_order_that_it_can_have_is_silent)
{
    struct weir_device *device = device_open("default");
    run_illegal(device, &illegal_orders[_i], true);
    weir_device_free(device);
}
END_TEST

typedef struct {
    int32_t *word;
    const volatile int *order;
} many_args;

WEIR_KERNEL(illegal_everywhere, many_args)
{
    weir_atomic_store_explicit(args->word, 1, (memory_order)*args->order,
                               memory_scope_device);
}

START_TEST(an_illegal_order_of_many_items_is_one_finding)
{
    struct weir_device *device = device_open("default");
    int32_t *word = weir_new(device, int32_t, 1, "word");
    volatile int order = memory_order_acquire;
    FOR_EACH_WORKERS(workers)
    {
        struct weir_report *report
            = LAUNCH(device, &illegal_everywhere, weir_nd_range_1d(320, 16),
                     (&(many_args){ word, &order }), WITH_WORKERS(workers));
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_UNSUPPORTED, "illegal_everywhere");
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        weir_report_free(report);
    }
    weir_device_free(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("atomic");

    TCase *tables = add_case(suite, "tables");
#define X(s)                                                                           \
    tcase_add_test(tables, every_operation_on_##s##_leaves_and_returns_what_it_should);
    X(i32)
    X(u32) X(i64) X(u64) X(f32) X(f64)
#undef X
        tcase_add_test(tables, constant_orders_and_scopes_do_the_same);

    TCase *operands = add_case(suite, "operands");
    tcase_add_test(operands, pointers_are_loaded_stored_exchanged_and_compared);
    tcase_add_test(operands, every_spelling_of_an_integer_type_is_taken);
    tcase_add_test(operands, what_is_const_can_be_loaded);
    tcase_add_test(operands, operands_may_be_atomics_and_are_evaluated_once);

    TCase *contention = add_case(suite, "contention");
    tcase_add_test(contention, no_addition_is_lost_under_contention);
    tcase_add_test(contention, every_kind_of_update_is_whole_under_contention);
    tcase_add_test(contention, a_lock_free_stack_loses_no_node);

    TCase *illegal = add_case(suite, "illegal");
    tcase_add_loop_test(illegal, an_order_that_an_operation_cannot_have_is_unsupported,
                        0, G_N_ELEMENTS(illegal_orders));
    tcase_add_loop_test(illegal, the_same_call_with_an_order_that_it_can_have_is_silent,
                        0, G_N_ELEMENTS(illegal_orders));
    tcase_add_test(illegal, an_illegal_order_of_many_items_is_one_finding);

    return run_suite(suite);
}
