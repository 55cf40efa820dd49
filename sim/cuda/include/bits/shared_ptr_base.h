/* SPDX-License-Identifier: MIT
 *
 * bits/shared_ptr_base.h: libstdc++'s, without CUDA's macro __noinline__, which would
 * break its attribute. Its exception is made in the library, where what() overrides
 * that of the base. Here it must not be another function: see weir/cuda.h. */
#include <typeinfo>
#pragma push_macro("__noinline__")
#pragma push_macro("what")
#undef __noinline__
#define what weiri_what
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("what")
#pragma pop_macro("__noinline__")
