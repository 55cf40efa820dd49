/* SPDX-License-Identifier: MIT
 *
 * builtins-atomic.h: atomics. A part of builtins.c. Orders have C11's numbers, scopes
 * those of memory_scope. An address does not say which memory it is in. */

#define REF(s, p, scope)                                                               \
    weiri_##s##_ref((p), memory_order_relaxed, (memory_scope)(scope), 0)

#define INTEGERS(X)                                                                    \
    X(i32, int32_t)                                                                    \
    X(u32, uint32_t)                                                                   \
    X(i64, int64_t)                                                                    \
    X(u64, uint64_t)
#define NUMBERS(X) INTEGERS(X) X(f32, float) X(f64, double)

#define RMW(s, T, name, CALL)                                                          \
    OWN T weiri_cu_##name##_##s(CALLER, void *p, T value, int32_t order,               \
                                int32_t scope)                                         \
    {                                                                                  \
        return weiri_##s##_##CALL(REF(s, p, scope), value, (memory_order)order, site); \
    }
#define X(s, T)                                                                        \
    OWN T weiri_cu_load_##s(CALLER, void *p, int32_t order, int32_t scope)             \
    {                                                                                  \
        return weiri_##s##_load(REF(s, p, scope), (memory_order)order, site);          \
    }                                                                                  \
    OWN void weiri_cu_store_##s(CALLER, void *p, T value, int32_t order,               \
                                int32_t scope)                                         \
    {                                                                                  \
        weiri_##s##_store(REF(s, p, scope), value, (memory_order)order, site);         \
    }                                                                                  \
    /* The expected value has an address that the hooks ignore: it is the item's. */   \
    OWN T weiri_cu_cas_##s(CALLER, void *p, T expected, T desired, int32_t success,    \
                           int32_t failure, int32_t scope, int32_t weak)               \
    {                                                                                  \
        weiri_##s##_compare_exchange(REF(s, p, scope), &expected, desired,             \
                                     (memory_order)success, (memory_order)failure,     \
                                     weak != 0, site);                                 \
        return expected;                                                               \
    }                                                                                  \
    RMW(s, T, exchange, exchange)                                                      \
    RMW(s, T, add, fetch_add)                                                          \
    RMW(s, T, min, fetch_min)                                                          \
    RMW(s, T, max, fetch_max)
NUMBERS(X)
#undef X
#define X(s, T)                                                                        \
    RMW(s, T, and, fetch_and)                                                          \
    RMW(s, T, or, fetch_or)                                                            \
    RMW(s, T, xor, fetch_xor)
INTEGERS(X)
#undef X
RMW(u32, uint32_t, inc, fetch_inc)
RMW(u32, uint32_t, dec, fetch_dec)
#undef RMW
#undef INTEGERS
#undef NUMBERS
