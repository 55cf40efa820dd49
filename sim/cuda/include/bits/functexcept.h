/* SPDX-License-Identifier: MIT
 *
 * bits/functexcept.h: libstdc++'s. Its headers are read as host and device code, but a
 * class of <future> declares one of these functions as its friend in host code. Such a
 * declaration must not differ, so that function is declared in the header future. */
#pragma push_macro("__throw_future_error")
#define __throw_future_error weiri_throw_future_error
#include_next <bits/functexcept.h>
#pragma pop_macro("__throw_future_error")
