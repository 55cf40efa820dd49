/* SPDX-License-Identifier: MIT
 *
 * sycl/stream.hpp: a part of SYCL by its name in DPC++; here <sycl/sycl.hpp> has all. */
#include <sycl/sycl.hpp>
