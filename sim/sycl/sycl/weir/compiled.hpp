// SPDX-License-Identifier: MIT
//
// compiled.hpp: the whole of SYCL. weir-c++ compiles it once for all sources that begin
// with it.
#include <sycl/sycl.hpp>
