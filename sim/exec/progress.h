/* SPDX-License-Identifier: MIT
 *
 * progress.h: what is said where a deterministic launch does not come to its end. */
#ifndef WEIRI_PROGRESS_H
#define WEIRI_PROGRESS_H

#include "exec/turns.h"

/** Nobody can go on: the finding of kind deadlock or livelock. */
void weiri_progress_stuck(struct weiri_turns *turns);

/** A limit ends the launch, that of time or that of steps. */
void weiri_progress_cut_short(struct weiri_turns *turns, bool by_time);

#endif
