/* SPDX-License-Identifier: MIT
 *
 * hip/hip_version.h: see hip/hip_runtime_api.h. */
#ifndef WEIR_HIP_VERSION_H
#define WEIR_HIP_VERSION_H

#include <hip/hip_runtime_api.h>

#endif
