/* SPDX-License-Identifier: MIT
 *
 * fixed_size_group.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
