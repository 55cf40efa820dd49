/* SPDX-License-Identifier: MIT
 *
 * cub/cub.cuh: the functions of CUB for blocks and warps. Those for whole devices
 * (cub::DeviceReduce and its like) are not supported. */
#ifndef WEIR_CUB_CUH
#define WEIR_CUB_CUH

#include <cub/weir-block.hpp>
#include <cub/weir-warp.hpp>

#endif
