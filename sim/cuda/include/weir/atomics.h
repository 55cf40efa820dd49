/* SPDX-License-Identifier: MIT
 *
 * weir/atomics.h: atomicAdd() and its like: relaxed, of device scope; with _block and
 * _system of the scope that they name. */
#ifndef WEIR_CUDA_ATOMICS_H
#define WEIR_CUDA_ATOMICS_H

#include <weir/atomic-objects.h>
#include <weir/builtins.h>

/* X(suffix of the function, scope) */
#define WEIRI_SCOPES(X_)                                                               \
    X_(, DEVICE)                                                                       \
    X_(_block, BLOCK)                                                                  \
    X_(_system, SYSTEM)

/* An operation @name on @T, in which the machine calls it @builtin on @s. */
#define WEIRI_ATOMIC(name, suffix, SCOPE, T_, builtin, s)                              \
    WEIRI_DEVICE T_ name##suffix(T_ *address, T_ value)                                \
    {                                                                                  \
        return (T_)weiri_cu_##builtin##_##s(address, value, WEIRI_RELAXED,             \
                                            WEIRI_SCOPE_##SCOPE);                      \
    }
#define WEIRI_ATOMIC_CAS(suffix, SCOPE, T_, s)                                         \
    WEIRI_DEVICE T_ atomicCAS##suffix(T_ *address, T_ compare, T_ value)               \
    {                                                                                  \
        return (T_)weiri_cu_cas_##s(address, compare, value, WEIRI_RELAXED,            \
                                    WEIRI_RELAXED, WEIRI_SCOPE_##SCOPE, 0);            \
    }
/* Integers wrap, so a difference is a sum. */
#define WEIRI_ATOMIC_SUB(suffix, SCOPE, T_, s)                                         \
    WEIRI_DEVICE T_ atomicSub##suffix(T_ *address, T_ value)                           \
    {                                                                                  \
        return (T_)weiri_cu_add_##s(address, (T_)(0u - (unsigned)value),               \
                                    WEIRI_RELAXED, WEIRI_SCOPE_##SCOPE);               \
    }

#define WEIRI_ATOMIC_INTEGER(suffix, SCOPE, T_, s)                                     \
    WEIRI_ATOMIC(atomicExch, suffix, SCOPE, T_, exchange, s)                           \
    WEIRI_ATOMIC(atomicMin, suffix, SCOPE, T_, min, s)                                 \
    WEIRI_ATOMIC(atomicMax, suffix, SCOPE, T_, max, s)                                 \
    WEIRI_ATOMIC(atomicAnd, suffix, SCOPE, T_, and, s)                                 \
    WEIRI_ATOMIC(atomicOr, suffix, SCOPE, T_, or, s)                                   \
    WEIRI_ATOMIC(atomicXor, suffix, SCOPE, T_, xor, s)                                 \
    WEIRI_ATOMIC_CAS(suffix, SCOPE, T_, s)
#define X_(suffix, SCOPE)                                                              \
    WEIRI_ATOMIC_INTEGER(suffix, SCOPE, int, i32)                                      \
    WEIRI_ATOMIC_INTEGER(suffix, SCOPE, unsigned int, u32)                             \
    WEIRI_ATOMIC_INTEGER(suffix, SCOPE, long long int, i64)                            \
    WEIRI_ATOMIC_INTEGER(suffix, SCOPE, unsigned long long int, u64)                   \
    WEIRI_ATOMIC(atomicAdd, suffix, SCOPE, int, add, i32)                              \
    WEIRI_ATOMIC(atomicAdd, suffix, SCOPE, unsigned int, add, u32)                     \
    WEIRI_ATOMIC(atomicAdd, suffix, SCOPE, unsigned long long int, add, u64)           \
    WEIRI_ATOMIC(atomicAdd, suffix, SCOPE, float, add, f32)                            \
    WEIRI_ATOMIC(atomicAdd, suffix, SCOPE, double, add, f64)                           \
    WEIRI_ATOMIC_SUB(suffix, SCOPE, int, i32)                                          \
    WEIRI_ATOMIC_SUB(suffix, SCOPE, unsigned int, u32)                                 \
    WEIRI_ATOMIC(atomicInc, suffix, SCOPE, unsigned int, inc, u32)                     \
    WEIRI_ATOMIC(atomicDec, suffix, SCOPE, unsigned int, dec, u32)                     \
    WEIRI_ATOMIC(atomicExch, suffix, SCOPE, float, exchange, f32)
WEIRI_SCOPES(X_)
#undef X_

/* Of 16 bits: by the word that holds them. */
#define X_(suffix, SCOPE)                                                              \
    WEIRI_DEVICE unsigned short atomicCAS##suffix(                                     \
        unsigned short *address, unsigned short compare, unsigned short value)         \
    {                                                                                  \
        typedef weiri::atomic_memory<unsigned short, WEIRI_SCOPE_##SCOPE> memory;      \
        memory::compare_exchange(address, compare, value, WEIRI_RELAXED,               \
                                 WEIRI_RELAXED, false);                                \
        return compare;                                                                \
    }
WEIRI_SCOPES(X_)
#undef X_
#undef WEIRI_ATOMIC
#undef WEIRI_ATOMIC_CAS
#undef WEIRI_ATOMIC_SUB
#undef WEIRI_ATOMIC_INTEGER

#endif
