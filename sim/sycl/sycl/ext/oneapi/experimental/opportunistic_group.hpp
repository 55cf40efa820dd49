/* SPDX-License-Identifier: MIT
 *
 * opportunistic_group.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
