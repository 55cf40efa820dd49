/* SPDX-License-Identifier: MIT
 *
 * enqueue_functions.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
