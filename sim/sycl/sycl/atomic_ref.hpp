/* SPDX-License-Identifier: MIT
 *
 * atomic_ref.hpp: DPC++'s name for a part of <sycl/sycl.hpp>. */
#include <sycl/sycl.hpp>
