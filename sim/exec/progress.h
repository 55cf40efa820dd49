/* SPDX-License-Identifier: MIT
 *
 * progress.h: what is said where a deterministic launch does not come to its end, or
 * not to the end of the schedule that it follows. */
#ifndef WEIRI_PROGRESS_H
#define WEIRI_PROGRESS_H

#include "exec/turns.h"

/** Nobody can go on: the finding of kind deadlock or livelock. */
void weiri_progress_stuck(struct weiri_turns *turns);

/** A limit ends the launch, that of time or that of steps. */
void weiri_progress_cut_short(struct weiri_turns *turns, bool by_time);

/** The script's @one does not fit @here, or the item that it names cannot run where
 *  @here is %NULL: an error of the launch. */
void weiri_progress_part(struct weiri_turns *turns, const struct weiri_switch *one,
                         const struct weiri_switch *here);

/** The launch is over: it counts its steps, and a script must be at its end. */
void weiri_progress_end(struct weiri_turns *turns);

#endif
