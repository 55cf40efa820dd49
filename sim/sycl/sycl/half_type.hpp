/* SPDX-License-Identifier: MIT
 *
 * half_type.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
