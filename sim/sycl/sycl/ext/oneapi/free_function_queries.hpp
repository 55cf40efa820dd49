/* SPDX-License-Identifier: MIT
 *
 * free_function_queries.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
