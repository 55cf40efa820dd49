/* SPDX-License-Identifier: MIT
 *
 * builtins-atomic.h: atomics. A part of builtins.c: [CL30C] 6.15.12.
 *
 * Atomics of OpenCL 1.x have relaxed order ([CL30C] 6.15.12.8): they are atomic, and
 * publish nothing. Their scope is the device. Atomics of OpenCL 2.0 are seq_cst without
 * an order, and have device scope without a scope. memory_order has the numbers of
 * C11. */

#define REF(s, p, scope) weiri_##s##_ref((p), memory_order_relaxed, (scope), space)
#define PLACE const void *site, uint32_t space

#define INTEGERS(X)                                                                    \
    X(i32, int32_t, uint32_t)                                                          \
    X(u32, uint32_t, uint32_t)                                                         \
    X(i64, int64_t, uint64_t)                                                          \
    X(u64, uint64_t, uint64_t)
#define NUMBERS(X) INTEGERS(X) X(f32, float, uint32_t) X(f64, double, uint64_t)

/* ---- Additions that may be put off: exec/combine.h -------------------------- */

/* Kernels of OpenCL have no other atomics than these, which all publish. To the
 * compiler the function is pure: it drops the call where nothing uses the result. */
__attribute__((pure)) uint64_t weiri_combine_old(void *word, uint64_t value,
                                                 uint32_t bytes);

HELPER bool may_put_off(uint32_t space, memory_order order, memory_scope scope)
{
    return WEIRI_FAT < 2 && space == WEIR_GLOBAL && order == memory_order_relaxed
        && scope == memory_scope_device && weiri_self.sums != NULL;
}

#define X(s, T, U)                                                                     \
    HELPER T add_##s(PLACE, void *p, T value, memory_order order, memory_scope scope)  \
    {                                                                                  \
        if (!may_put_off(space, order, scope)) {                                       \
            return weiri_##s##_fetch_add(REF(s, p, scope), value, order, site);        \
        }                                                                              \
        if (weiri_put_off(p, (U)value, sizeof(T))) {                                   \
            return (T)weiri_combine_old(p, (U)value, sizeof(T));                       \
        }                                                                              \
        weiri_tire(scope);                                                             \
        return (T)__atomic_fetch_add((U *)p, (U)value, __ATOMIC_RELAXED);              \
    }
INTEGERS(X)
#undef X
#define X(s, T)                                                                        \
    HELPER T add_##s(PLACE, void *p, T value, memory_order order, memory_scope scope)  \
    {                                                                                  \
        return weiri_##s##_fetch_add(REF(s, p, scope), value, order, site);            \
    }
X(f32, float)
X(f64, double)
#undef X

/* ---- OpenCL 1.x ------------------------------------------------------------- */

/* Where nothing is checked, no item of another group can be ordered with a relaxed
 * operation on local memory, and the items of a group take turns. */
#define OLD_SCOPE                                                                      \
    (WEIRI_FAT != 2 && space == WEIR_LOCAL ? memory_scope_work_group                   \
                                           : memory_scope_device)

#define OLD(s, T, name, CALL)                                                          \
    OWN T weiri_cl_atomic_##name##_##s(PLACE, void *p, T value)                        \
    {                                                                                  \
        return CALL(REF(s, p, OLD_SCOPE), value, memory_order_relaxed, site);          \
    }
#define ADD(s, T, name, parameters, value)                                             \
    OWN T weiri_cl_atomic_##name##_##s parameters                                      \
    {                                                                                  \
        return add_##s(site, space, p, (value), memory_order_relaxed, OLD_SCOPE);      \
    }
#define X(s, T, U)                                                                     \
    ADD(s, T, add, (PLACE, void *p, T v), v)                                           \
    ADD(s, T, sub, (PLACE, void *p, T v), (T)(0 - (U)v))                               \
    ADD(s, T, inc, (PLACE, void *p), 1)                                                \
    ADD(s, T, dec, (PLACE, void *p), (T)(U)-1)                                         \
    OLD(s, T, min, weiri_##s##_fetch_min)                                              \
    OLD(s, T, max, weiri_##s##_fetch_max)                                              \
    OLD(s, T, and, weiri_##s##_fetch_and)                                              \
    OLD(s, T, or, weiri_##s##_fetch_or)                                                \
    OLD(s, T, xor, weiri_##s##_fetch_xor)                                              \
    OLD(s, T, xchg, weiri_##s##_exchange)                                              \
    /* The expected value has an address that the hooks ignore: it is the item's. */   \
    OWN T weiri_cl_atomic_cmpxchg_##s(PLACE, void *p, T expected, T desired)           \
    {                                                                                  \
        weiri_##s##_compare_exchange(REF(s, p, OLD_SCOPE), &expected, desired,         \
                                     memory_order_relaxed, memory_order_relaxed,       \
                                     false, site);                                     \
        return expected;                                                               \
    }
INTEGERS(X)
#undef X
OLD(f32, float, xchg, weiri_f32_exchange)
OLD(f64, double, xchg, weiri_f64_exchange)

/* ---- OpenCL 2.0 ------------------------------------------------------------- */

#define NEW_FORMS(s, T, name, CALL)                                                    \
    OWN T weiri_cl_atomic_##name##_explicit_4_##s(PLACE, void *p, T value, int order,  \
                                                  int scope)                           \
    {                                                                                  \
        return CALL(s, scope_of(scope), (memory_order)order);                          \
    }                                                                                  \
    OWN T weiri_cl_atomic_##name##_explicit_3_##s(PLACE, void *p, T value, int order)  \
    {                                                                                  \
        return CALL(s, memory_scope_device, (memory_order)order);                      \
    }                                                                                  \
    OWN T weiri_cl_atomic_##name##_##s(PLACE, void *p, T value)                        \
    {                                                                                  \
        return CALL(s, memory_scope_device, memory_order_seq_cst);                     \
    }
#define BY_ADD(s, scope, order) add_##s(site, space, p, value, order, scope)
#define BY_RMW(op, s, scope, order)                                                    \
    weiri_##s##_##op(REF(s, p, scope), value, order, site)
#define BY_EXCHANGE(s, scope, order) BY_RMW(exchange, s, scope, order)
#define BY_FETCH_SUB(s, scope, order) BY_RMW(fetch_sub, s, scope, order)
#define BY_AND(s, scope, order) BY_RMW(fetch_and, s, scope, order)
#define BY_OR(s, scope, order) BY_RMW(fetch_or, s, scope, order)
#define BY_XOR(s, scope, order) BY_RMW(fetch_xor, s, scope, order)
#define BY_MIN(s, scope, order) BY_RMW(fetch_min, s, scope, order)
#define BY_MAX(s, scope, order) BY_RMW(fetch_max, s, scope, order)

#define X(s, T, U)                                                                     \
    NEW_FORMS(s, T, exchange, BY_EXCHANGE)                                             \
    NEW_FORMS(s, T, fetch_add, BY_ADD)                                                 \
    NEW_FORMS(s, T, fetch_sub, BY_FETCH_SUB)                                           \
    NEW_FORMS(s, T, fetch_min, BY_MIN)                                                 \
    NEW_FORMS(s, T, fetch_max, BY_MAX)                                                 \
    /* It is not an atomic operation: [CL30C]
     * 6.15.12.1. */                                          \
    OWN void weiri_cl_atomic_init_##s(void *p, T value)                                \
    {                                                                                  \
        *(T *)p = value;                                                               \
    }                                                                                  \
    OWN T weiri_cl_atomic_load_explicit_3_##s(PLACE, void *p, int order, int scope)    \
    {                                                                                  \
        return weiri_##s##_load(REF(s, p, scope_of(scope)), (memory_order)order,       \
                                site);                                                 \
    }                                                                                  \
    OWN T weiri_cl_atomic_load_explicit_2_##s(PLACE, void *p, int order)               \
    {                                                                                  \
        return weiri_##s##_load(REF(s, p, memory_scope_device), (memory_order)order,   \
                                site);                                                 \
    }                                                                                  \
    OWN T weiri_cl_atomic_load_##s(PLACE, void *p)                                     \
    {                                                                                  \
        return weiri_##s##_load(REF(s, p, memory_scope_device), memory_order_seq_cst,  \
                                site);                                                 \
    }                                                                                  \
    OWN void weiri_cl_atomic_store_explicit_4_##s(PLACE, void *p, T value, int order,  \
                                                  int scope)                           \
    {                                                                                  \
        weiri_##s##_store(REF(s, p, scope_of(scope)), value, (memory_order)order,      \
                          site);                                                       \
    }                                                                                  \
    OWN void weiri_cl_atomic_store_explicit_3_##s(PLACE, void *p, T value, int order)  \
    {                                                                                  \
        weiri_##s##_store(REF(s, p, memory_scope_device), value, (memory_order)order,  \
                          site);                                                       \
    }                                                                                  \
    OWN void weiri_cl_atomic_store_##s(PLACE, void *p, T value)                        \
    {                                                                                  \
        weiri_##s##_store(REF(s, p, memory_scope_device), value, memory_order_seq_cst, \
                          site);                                                       \
    }
NUMBERS(X)
#undef X
#define X(s, T, U)                                                                     \
    NEW_FORMS(s, T, fetch_and, BY_AND)                                                 \
    NEW_FORMS(s, T, fetch_or, BY_OR)                                                   \
    NEW_FORMS(s, T, fetch_xor, BY_XOR)
INTEGERS(X)
#undef X

#define COMPARE_EXCHANGE(s, T, name, weak)                                             \
    OWN bool weiri_cl_atomic_##name##_explicit_6_##s(PLACE, void *p, void *expected,   \
                                                     T desired, int success,           \
                                                     int failure, int scope)           \
    {                                                                                  \
        return weiri_##s##_compare_exchange(REF(s, p, scope_of(scope)), expected,      \
                                            desired, (memory_order)success,            \
                                            (memory_order)failure, weak, site);        \
    }                                                                                  \
    OWN bool weiri_cl_atomic_##name##_explicit_5_##s(                                  \
        PLACE, void *p, void *expected, T desired, int success, int failure)           \
    {                                                                                  \
        return weiri_##s##_compare_exchange(REF(s, p, memory_scope_device), expected,  \
                                            desired, (memory_order)success,            \
                                            (memory_order)failure, weak, site);        \
    }                                                                                  \
    OWN bool weiri_cl_atomic_##name##_##s(PLACE, void *p, void *expected, T desired)   \
    {                                                                                  \
        return weiri_##s##_compare_exchange(REF(s, p, memory_scope_device), expected,  \
                                            desired, memory_order_seq_cst,             \
                                            memory_order_seq_cst, weak, site);         \
    }
#define X(s, T, U)                                                                     \
    COMPARE_EXCHANGE(s, T, strong, false)                                              \
    COMPARE_EXCHANGE(s, T, weak, true)
NUMBERS(X)
#undef X

/* ---- Flags: atomic_flag is an atomic_int, 0 where it is clear --------------- */

OWN bool weiri_cl_atomic_flag_set_explicit_3(PLACE, void *p, int order, int scope)
{
    return weiri_i32_exchange(REF(i32, p, scope_of(scope)), 1, (memory_order)order,
                              site)
        != 0;
}

OWN bool weiri_cl_atomic_flag_set_explicit_2(PLACE, void *p, int order)
{
    return weiri_cl_atomic_flag_set_explicit_3(site, space, p, order, CL_DEVICE);
}

OWN bool weiri_cl_atomic_flag_set(PLACE, void *p)
{
    return weiri_cl_atomic_flag_set_explicit_3(site, space, p, memory_order_seq_cst,
                                               CL_DEVICE);
}

OWN void weiri_cl_atomic_flag_clear_explicit_3(PLACE, void *p, int order, int scope)
{
    weiri_i32_store(REF(i32, p, scope_of(scope)), 0, (memory_order)order, site);
}

OWN void weiri_cl_atomic_flag_clear_explicit_2(PLACE, void *p, int order)
{
    weiri_cl_atomic_flag_clear_explicit_3(site, space, p, order, CL_DEVICE);
}

OWN void weiri_cl_atomic_flag_clear(PLACE, void *p)
{
    weiri_cl_atomic_flag_clear_explicit_3(site, space, p, memory_order_seq_cst,
                                          CL_DEVICE);
}
