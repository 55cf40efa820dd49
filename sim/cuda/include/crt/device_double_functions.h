/* SPDX-License-Identifier: MIT */
#ifdef __CUDA__
#include <weir/device.hpp>
#endif
