/* SPDX-License-Identifier: MIT
 *
 * weir/bits.h: the bits of a value as another type. */
#ifndef WEIR_CUDA_BITS_H
#define WEIR_CUDA_BITS_H

#include <host_defines.h>

template <class To, class From> WEIRI_BOTH To weiri_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "bits of one size");
    To to;
    __builtin_memcpy(&to, &from, sizeof(to));
    return to;
}

#endif
