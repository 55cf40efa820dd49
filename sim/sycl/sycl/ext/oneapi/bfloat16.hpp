/* SPDX-License-Identifier: MIT
 *
 * bfloat16.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
