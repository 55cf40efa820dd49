/* SPDX-License-Identifier: MIT
 *
 * race-reason.h: the words that explain why nothing orders two accesses. They propose
 * no change of the source: that is done by repair/fixes.c, after it has tried one. */
#ifndef WEIRI_RACE_REASON_H
#define WEIRI_RACE_REASON_H

#include "watch/race-pair.h"

/** Why nothing orders the two accesses, a sentence. @loses: the two change one element
 *  by one statement. Returns: (transfer full) */
char *weiri_race_reason(const struct weiri_pair_context *context,
                        const struct weiri_explained_pair *pair,
                        const struct weir_kernel *kernel, bool loses);

/** Names the orders or scopes that are too weak to order the two, as struct
 *  weir_finding has them: of an atomic read by the second item, and of the write that
 *  it read.
 *  Returns: (transfer full) (nullable): %NULL if the second item made no such read */
char *weiri_race_cause(const struct weiri_pair_context *context,
                       const struct weiri_explained_pair *pair);

#endif
