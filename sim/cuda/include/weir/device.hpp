/* SPDX-License-Identifier: MIT
 *
 * weir/device.hpp: all of the device that nvcc knows without an include. */
#ifndef WEIR_CUDA_DEVICE_HPP
#define WEIR_CUDA_DEVICE_HPP

#include <weir/ids.h>
#include <weir/integers.h>
#include <weir/convert.h>
#include <weir/math.hpp>
#include <weir/sync.h>
#include <weir/warp.h>
#include <weir/atomics.h>
#include <weir/loads.hpp>
#include <weir/simd.hpp>

#endif
