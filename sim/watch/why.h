/* SPDX-License-Identifier: MIT
 *
 * why.h: why nothing orders two accesses, and what would, in words. Part of the race
 * detector. */
#ifndef WEIRI_WHY_H
#define WEIRI_WHY_H

#include "watch/racing.h"

/** Sets both to sentences, which are the caller's. @kernel: where the pair was found */
void weiri_why(const struct weiri_racing *racing, const struct weiri_racing_pair *pair,
               const struct weir_kernel *kernel, char **why, char **remedy);

#endif
