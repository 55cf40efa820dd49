/* SPDX-License-Identifier: MIT
 *
 * weir/aligned-size.h: cuda::aligned_size_t: a number of bytes of arrays that have an
 * alignment. */
#ifndef WEIR_CUDA_ALIGNED_SIZE_H
#define WEIR_CUDA_ALIGNED_SIZE_H

#include <stddef.h>

#include <host_defines.h>

namespace cuda
{

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit WEIRI_BOTH constexpr aligned_size_t(size_t size) : value(size)
    {
    }
    WEIRI_BOTH constexpr operator size_t() const
    {
        return value;
    }
};

} // namespace cuda

#endif
