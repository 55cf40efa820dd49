/* SPDX-License-Identifier: MIT
 *
 * device_global.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
