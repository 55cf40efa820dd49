/* SPDX-License-Identifier: MIT
 *
 * bits/shared_ptr_base.h: libstdc++'s, without CUDA's macro __noinline__, which would
 * break its attribute. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
