/* SPDX-License-Identifier: MIT
 *
 * stuck.h: what is said where a deterministic launch does not come to its end. */
#ifndef WEIRI_STUCK_H
#define WEIRI_STUCK_H

#include "deterministic/turns.h"

/** Nobody can go on: the finding of kind deadlock or livelock. */
void weiri_stuck_find(struct weiri_turns *turns);

/** A limit ends the launch, that of time or that of steps. */
void weiri_stuck_cut_short(struct weiri_turns *turns, bool by_time);

#endif
