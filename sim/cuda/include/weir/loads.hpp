/* SPDX-License-Identifier: MIT
 *
 * weir/loads.hpp: loads and stores that name a cache, which do not differ here; spaces
 * of addresses; time; and functions that end a kernel. */
#ifndef WEIR_CUDA_LOADS_HPP
#define WEIR_CUDA_LOADS_HPP

#include <stddef.h>
#include <time.h>

#include <weir/builtins.h>

#define X(name)                                                                        \
    template <class T> WEIRI_DEVICE T name(const T *address)                           \
    {                                                                                  \
        return *address;                                                               \
    }
X(__ldg)
X(__ldcg)
X(__ldca)
X(__ldcs)
X(__ldlu)
X(__ldcv)
#undef X

#define X(name)                                                                        \
    template <class T> WEIRI_DEVICE void name(T *address, T value)                     \
    {                                                                                  \
        *address = value;                                                              \
    }
X(__stwb)
X(__stcg)
X(__stcs)
X(__stwt)
#undef X

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
