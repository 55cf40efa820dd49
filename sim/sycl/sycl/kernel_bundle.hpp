/* SPDX-License-Identifier: MIT
 *
 * kernel_bundle.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
