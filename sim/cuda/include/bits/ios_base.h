/* SPDX-License-Identifier: MIT
 *
 * bits/ios_base.h: libstdc++'s. Its exception is made in the library, where what()
 * overrides that of the base. Here it must not be another function: see weir/cuda.h. */
#include <stdexcept>
#include <system_error>
#pragma push_macro("what")
#define what weiri_what
#include_next <bits/ios_base.h>
#pragma pop_macro("what")
