/* SPDX-License-Identifier: MIT
 *
 * weir/device.hpp: all of the device that nvcc knows without an include. */
#ifndef WEIR_CUDA_DEVICE_HPP
#define WEIR_CUDA_DEVICE_HPP

#include <weir/atomics.h>
#include <weir/convert.h>
#include <weir/ids.h>
#include <weir/integers.h>
#include <weir/loads.hpp>
#include <weir/math.hpp>
#include <weir/simd.hpp>
#include <weir/sync.h>
#include <weir/textures.hpp>
#include <weir/warp.h>

#endif
