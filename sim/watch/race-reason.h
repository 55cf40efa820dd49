/* SPDX-License-Identifier: MIT
 *
 * race-reason.h: the words that explain why nothing orders two accesses, and what
 * would. Part of the race detector. */
#ifndef WEIRI_RACE_REASON_H
#define WEIRI_RACE_REASON_H

#include "watch/race-pair.h"

/** Sets @why and @fix to sentences, which the caller frees. @loses: the two change one
 *  element by one statement */
void weiri_race_reason(const struct weiri_pair_context *context,
                       const struct weiri_explained_pair *pair,
                       const struct weir_kernel *kernel, bool loses, char **why,
                       char **fix);

#endif
