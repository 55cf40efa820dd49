/* SPDX-License-Identifier: MIT
 *
 * graph.hpp: graphs of commands, which <sycl/sycl.hpp> leaves out, as few programs have
 * any. */
#include <sycl/sycl.hpp>

#include <sycl/weir/graph.hpp>
