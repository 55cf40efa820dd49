/* SPDX-License-Identifier: MIT
 *
 * group_local_memory.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
