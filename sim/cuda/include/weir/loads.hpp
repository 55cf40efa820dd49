/* SPDX-License-Identifier: MIT
 *
 * weir/loads.hpp: loads and stores that name a cache, which do not differ here; spaces
 * of addresses; time; and functions that end a kernel. */
#ifndef WEIR_CUDA_LOADS_HPP
#define WEIR_CUDA_LOADS_HPP

#include <stddef.h>
#include <time.h>

#include <weir/builtins.h>

#define X_(name)                                                                       \
    template <class T_> WEIRI_DEVICE T_ name(const T_ *address)                        \
    {                                                                                  \
        return *address;                                                               \
    }
X_(__ldg)
X_(__ldcg)
X_(__ldca)
X_(__ldcs)
X_(__ldlu)
X_(__ldcv)
#undef X_

#define X_(name)                                                                       \
    template <class T_> WEIRI_DEVICE void name(T_ *address, T_ value)                  \
    {                                                                                  \
        *address = value;                                                              \
    }
X_(__stwb)
X_(__stcg)
X_(__stcs)
X_(__stwt)
#undef X_

/* ---- Spaces ---------------------------------------------------------------- */

WEIRI_DEVICE unsigned int __isShared(const void *address)
{
    return weiri_cu_space(address) == 1;
}

WEIRI_DEVICE unsigned int __isGlobal(const void *address)
{
    return weiri_cu_space(address) == 2;
}

WEIRI_DEVICE unsigned int __isLocal(const void *address)
{
    return weiri_cu_space(address) == 0;
}

WEIRI_DEVICE unsigned int __isConstant(const void *)
{
    return 0;
}

WEIRI_DEVICE unsigned int __isGridConstant(const void *)
{
    return 0;
}

/* An address in a space is the generic one. */
#define WEIRI_TO_SPACE(space)                                                          \
    WEIRI_DEVICE size_t __cvta_generic_to_##space(const void *address)                 \
    {                                                                                  \
        return (size_t)address;                                                        \
    }                                                                                  \
    WEIRI_DEVICE void *__cvta_##space##_to_generic(size_t address)                     \
    {                                                                                  \
        return (void *)address;                                                        \
    }
WEIRI_TO_SPACE(shared)
WEIRI_TO_SPACE(global)
WEIRI_TO_SPACE(local)
WEIRI_TO_SPACE(constant)
#undef WEIRI_TO_SPACE

/* ---- Time ------------------------------------------------------------------ */

WEIRI_DEVICE long long int clock64()
{
    return (long long int)weiri_cu_clock();
}

/* The host has clock() of <time.h>. */
__device__ WEIRI_ALWAYS clock_t clock()
{
    return (clock_t)weiri_cu_clock();
}

WEIRI_DEVICE unsigned long long int __globaltimer()
{
    return weiri_cu_nanoseconds();
}

WEIRI_DEVICE void __nanosleep(unsigned int nanoseconds)
{
    weiri_cu_sleep(nanoseconds);
}

/* ---- Ends ------------------------------------------------------------------ */

WEIRI_DEVICE void __trap()
{
    weiri_cu_trap();
}

WEIRI_DEVICE void __brkpt()
{
}

WEIRI_DEVICE void __prof_trigger(int)
{
}

#endif
