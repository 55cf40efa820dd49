/* SPDX-License-Identifier: MIT
 *
 * error.c: the domain of Weir's errors; see enum weir_error. */
#include "config.h"

#include "weir.h"

GQuark weir_error_quark(void)
{
    return g_quark_from_static_string("weir-error-quark");
}
