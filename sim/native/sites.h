/* SPDX-License-Identifier: MIT
 *
 * sites.h: the atomic operations, fences and barriers that an exploration has met. */
#ifndef WEIRI_NATIVE_SITES_H
#define WEIRI_NATIVE_SITES_H

#include "native/program.h"

#include "weir.h"

/** Returns: (transfer full): @n of them, by file and line; each once */
struct weir_explored_site *weiri_native_sites(const struct weiri_native *native,
                                              size_t *n);

#endif
