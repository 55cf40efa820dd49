/* SPDX-License-Identifier: MIT
 *
 * work_group_memory.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
