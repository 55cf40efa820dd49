/* SPDX-License-Identifier: MIT
 *
 * sycl/ext/oneapi/experimental/fixed_size_group.hpp: a part of SYCL by its name in DPC++; here <sycl/sycl.hpp> has all. */
#include <sycl/sycl.hpp>
