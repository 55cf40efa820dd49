/* SPDX-License-Identifier: MIT
 *
 * weir-atomic.h: scoped atomics and fences. Part of weir-kernel.h, which includes it;
 * not to be included alone.
 *
 * Atomics are operations on a reference, which names memory, a default order and a
 * scope: weir_atomic_OP(ref, …). weir_atomic_OP_explicit(ref or pointer, …, order,
 * scope) takes order and scope from the call. In this kernel each group publishes its
 * result, and the item that draws the last ticket adds up the results of all groups:
 *
 *     #include <weir-kernel.h>
 *
 *     typedef struct {
 *         const int32_t *in;
 *         int32_t *part, *sum;
 *         uint32_t *ticket;
 *     } last_args;
 *
 *     WEIR_KERNEL(last, last_args)
 *     {
 *         int32_t mine = args->in[weir_global_id(item, 0)];
 *         int32_t of_group = weir_group_reduce_add(item, mine);
 *         if (weir_local_id(item, 0) != 0) {
 *             return;
 *         }
 *         args->part[weir_group_id(item, 0)] = of_group;
 *         uint32_t before = weir_atomic_fetch_add_explicit(
 *             args->ticket, 1, memory_order_acq_rel, memory_scope_device);
 *         if (before + 1 == weir_num_groups(item, 0)) {
 *             for (size_t g = 0; g < weir_num_groups(item, 0); g++) {
 *                 *args->sum += args->part[g];
 *             }
 *         }
 *     }
 *
 * Types: int32_t, uint32_t, int64_t, uint64_t, float, double and pointers, volatile or
 * not. C11's _Atomic types are for C11's own atomics, which kernels may call as well:
 * they have system scope.
 *
 * For all of them:
 *
 * Orders:   as C11 says of memory_order_*, for items whose scopes include each other
 * Findings: unsupported, where the device has no such operation, order or scope, or
 *           where an order that is not a constant is illegal: the operation is seq_cst
 *           then. A constant illegal order does not compile
 * Source:   [SYCL20] 4.15.3 (atomic_ref); [CL30C] 6.15.12; [C11] 7.17.7
 *
 * weir-machinery-atomic.h has the expansion of the macros. */
#ifndef WEIR_ATOMIC_H
#define WEIR_ATOMIC_H

#ifndef WEIR_KERNEL_H
#error "include weir-kernel.h"
#endif

/* ---- References ---------------------------------------------------------- */

/**
 * weir_atomic_ref:
 * @ptr: a pointer to one of the types above; to a const one for loads only
 * @order: the default order of operations on the reference: memory_order_relaxed,
 *         memory_order_acq_rel or memory_order_seq_cst. A load of an acq_rel reference
 *         is an acquire, a store a release
 * @scope: a memory_scope
 *
 * Returns: a value of type `struct weir_atomic_i32`, _u32, _i64, _u64, _f32, _f64 or
 *          _ptr, or `struct weir_atomic_const_i32` and so on
 */
#define weir_atomic_ref(ptr, order, scope)                                             \
    weir_atomic_ref_space((ptr), order, (scope), 0)

/** The same with the memory stated that @ptr points to: %WEIR_LOCAL or %WEIR_GLOBAL. */
#define weir_atomic_ref_space(ptr, order_, scope, space)                               \
    (__extension__({                                                                   \
        WEIRI_REQUIRE_ATOMIC_TYPE(ptr);                                                \
        WEIRI_REFUSE_REF_ORDER(order_);                                                \
        WEIRI_AS_REF((ptr), (order_), (scope), (space));                               \
    }))

/* ---- Load and store ------------------------------------------------------ */

/**
 * weir_atomic_load:
 *
 * Returns: the value
 * Orders:  relaxed, acquire, consume (which acts as acquire) or seq_cst
 */
#define weir_atomic_load(ref) WEIRI_LOADABLE(load_default, ref)((ref), WEIRI_SITE())
#define weir_atomic_load_explicit(x, order, scope)                                     \
    (__extension__({                                                                   \
        WEIRI_REQUIRE_ATOMIC_TYPE(x);                                                  \
        WEIRI_REFUSE_LOAD_ORDER(order);                                                \
        WEIRI_LOADABLE(load, WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0))      \
        (WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0), (order), WEIRI_SITE());  \
    }))

/**
 * weir_atomic_store:
 *
 * Orders: relaxed, release or seq_cst
 */
#define weir_atomic_store(ref, value)                                                  \
    WEIRI_RMW(WEIRI_ANY_REF, store, ref, value)
#define weir_atomic_store_explicit(x, value, order, scope)                             \
    (__extension__({                                                                   \
        WEIRI_REFUSE_STORE_ORDER(order);                                               \
        WEIRI_EXPLICIT(WEIRI_ANY_REF, store, x, value, order, scope);                  \
    }))

/* ---- Exchange ------------------------------------------------------------ */

/** Writes @value. Returns: the value before. Orders: any */
#define weir_atomic_exchange(ref, value) WEIRI_RMW(WEIRI_ANY_REF, exchange, ref, value)
#define weir_atomic_exchange_explicit(x, value, order, scope)                          \
    WEIRI_EXPLICIT(WEIRI_ANY_REF, exchange, x, value, order, scope)

/**
 * weir_atomic_compare_exchange_strong:
 * @expected: pointer to the value that is expected, of the atomic's own width
 * @desired: the value to write
 *
 * Writes @desired where the atomic has the bits of *@expected; else copies the
 * bits that it has to *@expected.
 *
 * Returns: whether @desired was written
 * Orders:  the reference's order on success, its load half on failure; @success and
 *          @failure of the explicit form, where @failure is an order of a load
 */
#define weir_atomic_compare_exchange_strong(ref, expected, desired)                    \
    WEIRI_COMPARE_EXCHANGE(ref, expected, desired, false)
#define weir_atomic_compare_exchange_strong_explicit(x, expected, desired, success,    \
                                                     failure, scope)                   \
    WEIRI_COMPARE_EXCHANGE_EXPLICIT(x, expected, desired, success, failure, scope,     \
                                    false)

/** The same, but the weak form may fail although the atomic has the expected value, so
 *  it belongs into a loop. It does where a launch is explored, and nowhere else. */
#define weir_atomic_compare_exchange_weak(ref, expected, desired)                      \
    WEIRI_COMPARE_EXCHANGE(ref, expected, desired, true)
#define weir_atomic_compare_exchange_weak_explicit(x, expected, desired, success,      \
                                                     failure, scope)                   \
    WEIRI_COMPARE_EXCHANGE_EXPLICIT(x, expected, desired, success, failure, scope,     \
                                    true)

/* ---- Read-modify-writes --------------------------------------------------
 * Each takes any order; each weir_atomic_fetch_OP() returns the value before. */

/** Adds or subtracts @v: of integers, which wrap, and of float and double. */
#define weir_atomic_fetch_add(ref, v) WEIRI_RMW(WEIRI_NUMBER_REF, fetch_add, ref, v)
#define weir_atomic_fetch_sub(ref, v) WEIRI_RMW(WEIRI_NUMBER_REF, fetch_sub, ref, v)
#define weir_atomic_fetch_add_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_NUMBER_REF, fetch_add, x, v, order, scope)
#define weir_atomic_fetch_sub_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_NUMBER_REF, fetch_sub, x, v, order, scope)

/**
 * weir_atomic_add:
 *
 * Adds @v as weir_atomic_fetch_add() does, and returns nothing. In a launch without a
 * schedule, additions of relaxed order and device scope to an integer may be joined and
 * done late, but before an item can observe that, and before the launch ends.
 *
 * Orders: any; for the operations of this header and of weir-collective.h, as ever. A
 *         C11 atomic or fence does not order an addition before it in the same item:
 *         put a weir_atomic_fence() between them, or take weir_atomic_fetch_add()
 */
#define weir_atomic_add(ref, v) WEIRI_RMW(WEIRI_NUMBER_REF, add, ref, v)
#define weir_atomic_add_explicit(x, v, order, scope)                                   \
    WEIRI_EXPLICIT(WEIRI_NUMBER_REF, add, x, v, order, scope)

/** Writes the lesser or the greater of the two values: of the same types. */
#define weir_atomic_fetch_min(ref, v) WEIRI_RMW(WEIRI_NUMBER_REF, fetch_min, ref, v)
#define weir_atomic_fetch_max(ref, v) WEIRI_RMW(WEIRI_NUMBER_REF, fetch_max, ref, v)
#define weir_atomic_fetch_min_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_NUMBER_REF, fetch_min, x, v, order, scope)
#define weir_atomic_fetch_max_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_NUMBER_REF, fetch_max, x, v, order, scope)

/** Combines the bits of the two values: of integers only. */
#define weir_atomic_fetch_and(ref, v) WEIRI_RMW(WEIRI_INTEGER_REF, fetch_and, ref, v)
#define weir_atomic_fetch_or(ref, v) WEIRI_RMW(WEIRI_INTEGER_REF, fetch_or, ref, v)
#define weir_atomic_fetch_xor(ref, v) WEIRI_RMW(WEIRI_INTEGER_REF, fetch_xor, ref, v)
#define weir_atomic_fetch_and_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_INTEGER_REF, fetch_and, x, v, order, scope)
#define weir_atomic_fetch_or_explicit(x, v, order, scope)                              \
    WEIRI_EXPLICIT(WEIRI_INTEGER_REF, fetch_or, x, v, order, scope)
#define weir_atomic_fetch_xor_explicit(x, v, order, scope)                             \
    WEIRI_EXPLICIT(WEIRI_INTEGER_REF, fetch_xor, x, v, order, scope)

/* ---- Fences -------------------------------------------------------------- */

/** A fence for both memories, of any order. [SYCL20] 4.15.1 */
#define weir_atomic_fence(order, scope)                                                \
    weiri_fence(WEIR_LOCAL | WEIR_GLOBAL, (order), (scope), WEIRI_SITE())

/** OpenCL's: for the memories that @flags name: %WEIR_LOCAL, %WEIR_GLOBAL or both
 *  joined by |. [CL30C] 6.15.12.6 */
#define weir_work_item_fence(flags, order, scope)                                      \
    weiri_fence((flags), (order), (scope), WEIRI_SITE())

#endif
