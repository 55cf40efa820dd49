/* SPDX-License-Identifier: MIT
 *
 * weir/cuda.h: included before the first line of every .cu file, as nvcc includes
 * cuda_runtime.h, and with no more of the C++ library: a program may use other names of
 * it for its own globals under `using namespace std`.
 *
 * Programs call functions of the C and C++ libraries in device code, so the headers
 * below are read as if all that they declare were __host__ __device__, and so is each
 * later header of libstdc++, by the macros which its namespaces begin and end with: one
 * must not define for the host alone what another declares for both. clang's own <new>
 * defines the operators of device code: it comes before, and needs malloc() and CUDA's
 * qualifiers.
 *
 * Exceptions are for the host. For clang a function for the host does not override one
 * for both, so std::exception and the classes of <stdexcept> have theirs for the host
 * alone, as classes of the program do that are made from them. */
#ifndef WEIR_CUDA_H
#define WEIR_CUDA_H

/* weir-nvcc defines __CUDACC__ and __NVCC__, and weir-hipcc what hipcc does. */
#ifdef __CUDACC__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif

#include <host_defines.h>

#include <cstddef> /* declares std::terminate() */

#pragma clang force_cuda_host_device begin
#include <stdlib.h>
#include <string.h>
#pragma clang force_cuda_host_device end

#include <new>
#include <time.h> /* device code has its own clock() */

#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <float.h>
#include <initializer_list>
#include <limits.h>
#include <limits>
#include <math.h>
#include <stdio.h>
#include <type_traits>
#include <utility>
#pragma clang force_cuda_host_device end

#include <exception>

#ifdef __GLIBCXX__
#undef _GLIBCXX_BEGIN_NAMESPACE_VERSION
#undef _GLIBCXX_END_NAMESPACE_VERSION
#define _GLIBCXX_BEGIN_NAMESPACE_VERSION _Pragma("clang force_cuda_host_device begin")
#define _GLIBCXX_END_NAMESPACE_VERSION _Pragma("clang force_cuda_host_device end")
#endif

#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

#include <vector_functions.h>
#include <vector_types.h>

#include <cuda_runtime.h>
#include <weir/device.hpp>

/* clang takes alignas() for an attribute that must come first; CUDA's guide writes
 * `__shared__ alignas(16) int s[4]`. The alignment is that of a type, or a number. */
template <class T_> WEIRI_BOTH constexpr size_t weiri_alignment()
{
    return alignof(T_);
}
template <size_t bytes> WEIRI_BOTH constexpr size_t weiri_alignment()
{
    return bytes;
}
#define alignas(...) __attribute__((aligned(weiri_alignment<__VA_ARGS__>())))

#endif
