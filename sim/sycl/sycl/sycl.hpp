/* SPDX-License-Identifier: MIT
 *
 * sycl.hpp: SYCL 2020 on Weir, for C++17. weir-c++ finds it. docs/sycl.md lists the
 * parts of SYCL that it has. It holds templates and forwarding alone: the machine does
 * the work (sycl/weir/machine.hpp), and its reports leave this header out. */
#ifndef WEIR_SYCL_HPP
#define WEIR_SYCL_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "SYCL needs C++17: give -std=c++17 or later"
#endif

#pragma GCC system_header

/* Programs take these from here. */
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_EXTERNAL /* a function of another file is called as any other */
#define __SYCL_SINGLE_SOURCE__ 1

#include "weir/algorithm.hpp"
#include "weir/async.hpp"
#include "weir/atomic.hpp"
#include "weir/bfloat16.hpp"
#include "weir/bundle.hpp"
#include "weir/device.hpp"
#include "weir/exception.hpp"
#include "weir/extension.hpp"
#include "weir/hash.hpp"
#include "weir/hierarchical.hpp"
#include "weir/index.hpp"
#include "weir/item.hpp"
#include "weir/launch.hpp"
#include "weir/math.hpp"
#include "weir/memory.hpp"
#include "weir/missing.hpp"
#include "weir/older.hpp"
#include "weir/queue.hpp"
#include "weir/span.hpp"
#include "weir/stream.hpp"
#include "weir/vec.hpp"

#endif
