/* SPDX-License-Identifier: MIT
 *
 * head.h: the head of the block of arguments of each launch. The runtime shares it with
 * code that is compiled with kernels, so it is plain C11. */
#ifndef WEIR_CUDA_HEAD_H
#define WEIR_CUDA_HEAD_H

#include <stddef.h>
#include <stdint.h>

/**
 * weiri_cuda_head: in CUDA's order, x first
 * @grid: blocks of the grid
 * @block: threads of a block
 * @cluster: blocks of a cluster; 1 where there are none
 * @reserved: 0
 * @dynamic_bytes: of dynamic shared memory
 * @launch: its number
 * @cooperative: 1: barriers of the grid are allowed
 */
struct weiri_cuda_head {
    uint32_t grid[3], block[3], cluster[3], reserved;
    size_t dynamic_bytes;
    uint64_t launch;
    uint64_t cooperative;
};

#endif
