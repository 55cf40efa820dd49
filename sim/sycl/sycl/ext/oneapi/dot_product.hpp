/* SPDX-License-Identifier: MIT
 *
 * dot_product.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
