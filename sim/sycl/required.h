/* SPDX-License-Identifier: MIT
 *
 * required.h: the sub-group size that the source of a kernel requires by an attribute:
 * [SYCL20] 5.8.1. */
#ifndef WEIRI_SYCL_REQUIRED_H
#define WEIRI_SYCL_REQUIRED_H

#include <stdint.h>

/* Where a kernel is. */
struct weiri_required_place {
    const char *file; /* of its launch, as its compiler was given it */
    unsigned line;
    const char *type; /* of the function object, as the compiler spells it */
};

/**
 * weiri_required_sub_group:
 * @unknown: (out): where the size is not a number that the text has, what it is called;
 *           else %NULL. (transfer full)
 *
 * Returns: the size; 0 where none is required, or where the source is not there
 */
uint32_t weiri_required_sub_group(const struct weiri_required_place *place,
                                  char **unknown);

#endif
