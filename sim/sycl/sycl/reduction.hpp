/* SPDX-License-Identifier: MIT
 *
 * reduction.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
