/* SPDX-License-Identifier: MIT
 *
 * hip/hip_cooperative_groups.h: CUDA's cooperative groups. */
#ifndef WEIR_HIP_COOPERATIVE_GROUPS_H
#define WEIR_HIP_COOPERATIVE_GROUPS_H

#include <cooperative_groups.h>

#endif
