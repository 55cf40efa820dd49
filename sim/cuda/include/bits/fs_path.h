/* SPDX-License-Identifier: MIT
 *
 * bits/fs_path.h: libstdc++'s. Its exception is made in the library, where what()
 * overrides that of the base. Here it must not be another function: see weir/cuda.h. */
#include <stdexcept>
#include <system_error>
#pragma push_macro("what")
#define what weiri_what
#include_next <bits/fs_path.h>
#pragma pop_macro("what")
