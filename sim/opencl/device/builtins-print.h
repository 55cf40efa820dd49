/* SPDX-License-Identifier: MIT
 *
 * builtins-print.h: printf(). A part of builtins.c. weir-opencl-cc calls it with the
 * arguments in one block; print.h has its form. */

#include "print.h"

OWN int weiri_cl_printf(void *item, const void *site, const void *format,
                        const void *block, const void *types)
{
    (void)item;
    return weiri_print_text(format, types, block, site);
}
