/* SPDX-License-Identifier: MIT
 *
 * CL/sycl.hpp: the header's name in SYCL 1.2.1, with its namespace cl::sycl. */
#ifndef WEIR_CL_SYCL_HPP
#define WEIR_CL_SYCL_HPP

#include <sycl/sycl.hpp>

namespace cl
{
namespace sycl = ::sycl;
}

#endif
