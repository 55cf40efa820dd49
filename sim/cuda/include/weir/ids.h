/* SPDX-License-Identifier: MIT
 *
 * weir/ids.h: threadIdx and its like. Their members are properties, which read through
 * the machine: the objects themselves do not exist. */
#ifndef WEIR_CUDA_IDS_H
#define WEIR_CUDA_IDS_H

#include <vector_types.h>
#include <weir/builtins.h>

#define WEIRI_PROPERTY(member, dim, BUILTIN)                                           \
    __declspec(property(get = get_##member)) unsigned int member;                      \
    static WEIRI_DEVICE unsigned int get_##member()                                    \
    {                                                                                  \
        return BUILTIN(dim);                                                           \
    }
#define WEIRI_PROPERTIES(name, BUILTIN)                                                \
    struct weiri_type_of_##name {                                                      \
        WEIRI_PROPERTY(x, 0, BUILTIN)                                                  \
        WEIRI_PROPERTY(y, 1, BUILTIN)                                                  \
        WEIRI_PROPERTY(z, 2, BUILTIN)                                                  \
        WEIRI_DEVICE operator uint3() const                                            \
        {                                                                              \
            return uint3{ get_x(), get_y(), get_z() };                                 \
        }                                                                              \
        WEIRI_DEVICE operator dim3() const                                             \
        {                                                                              \
            return dim3(get_x(), get_y(), get_z());                                    \
        }                                                                              \
    };                                                                                 \
    extern const __device__ __attribute__((weak)) weiri_type_of_##name name;

WEIRI_PROPERTIES(threadIdx, weiri_cu_thread)
WEIRI_PROPERTIES(blockIdx, weiri_cu_block)
WEIRI_PROPERTIES(blockDim, weiri_cu_block_dim)
WEIRI_PROPERTIES(gridDim, weiri_cu_grid_dim)
#undef WEIRI_PROPERTIES
#undef WEIRI_PROPERTY

/* It is a constant here, as it is in every GPU so far. */
constexpr int warpSize = 32;

#endif
