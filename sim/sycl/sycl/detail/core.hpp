/* SPDX-License-Identifier: MIT
 *
 * core.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
