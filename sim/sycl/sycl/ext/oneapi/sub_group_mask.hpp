/* SPDX-License-Identifier: MIT
 *
 * sub_group_mask.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
