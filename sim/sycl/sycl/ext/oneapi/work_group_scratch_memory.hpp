/* SPDX-License-Identifier: MIT
 *
 * sycl/ext/oneapi/work_group_scratch_memory.hpp: a part of SYCL by its name in DPC++; here <sycl/sycl.hpp> has all. */
#include <sycl/sycl.hpp>
