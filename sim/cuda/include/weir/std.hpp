/* SPDX-License-Identifier: MIT
 *
 * weir/std.hpp: cuda::std is the standard library, whose headers weir/cuda.h makes
 * usable in device code; but its atomics are cuda's. */
#ifndef WEIR_CUDA_STD_HPP
#define WEIR_CUDA_STD_HPP

#include <cstddef>

namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda

#endif
