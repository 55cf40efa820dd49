/* SPDX-License-Identifier: MIT
 *
 * sycl/detail/core.hpp: a part of SYCL by its name in DPC++; here <sycl/sycl.hpp> has all. */
#include <sycl/sycl.hpp>
