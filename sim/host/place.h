/* SPDX-License-Identifier: MIT
 *
 * host/place.h: where the host's code is. A function of a library or of a header has no
 * place that the user knows: then its callers are looked at.
 *
 * Threads: any. */
#ifndef WEIRI_HOST_PLACE_H
#define WEIRI_HOST_PLACE_H

#include "exec/finding.h"

/** The place of @pc, which is in the function that runs, or which a function that runs
 *  returns to. */
struct weiri_trail weiri_host_place_trail(const void *pc);

/** The same as a site. Returns: interned; %NULL where it is not known, or where nothing
 *  is checked */
const struct weir_site *weiri_host_place_site(const void *pc);

#endif
