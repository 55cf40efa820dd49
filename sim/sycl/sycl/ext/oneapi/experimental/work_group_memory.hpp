/* SPDX-License-Identifier: MIT
 *
 * sycl/ext/oneapi/experimental/work_group_memory.hpp: a part of SYCL by its name in DPC++; here <sycl/sycl.hpp> has all. */
#include <sycl/sycl.hpp>
