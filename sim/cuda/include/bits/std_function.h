/* SPDX-License-Identifier: MIT
 *
 * bits/std_function.h: libstdc++'s. Its exception is made in the library, where what()
 * overrides that of the base. Here it must not be another function: see weir/cuda.h. */
#include <typeinfo>
#pragma push_macro("what")
#define what weiri_what
#include_next <bits/std_function.h>
#pragma pop_macro("what")
