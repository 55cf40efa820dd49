/* SPDX-License-Identifier: MIT
 *
 * CL/sycl.hpp: the header's name in SYCL 1.2.1, with its namespace cl::sycl, and with
 * other names that programs of those days used. */
#ifndef WEIR_CL_SYCL_HPP
#define WEIR_CL_SYCL_HPP

#pragma GCC system_header

#include <sycl/sycl.hpp>

#include <sycl/weir/program.hpp>

/* DPC++ had this name outside of its namespaces in those days. */
using half = sycl::half;

namespace cl
{
namespace sycl = ::sycl;
}

#endif
