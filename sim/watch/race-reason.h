/* SPDX-License-Identifier: MIT
 *
 * race-reason.h: the words that explain why nothing orders two accesses, and what
 * would. Part of the race detector. */
#ifndef WEIRI_RACE_REASON_H
#define WEIRI_RACE_REASON_H

#include "watch/race-report.h"

/** Sets both to sentences, which are the caller's. @kernel: where the pair was found */
void weiri_why(const struct weiri_race_report *racing,
               const struct weiri_race_report_pair *pair,
               const struct weir_kernel *kernel, char **why, char **remedy);

#endif
