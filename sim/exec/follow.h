/* SPDX-License-Identifier: MIT
 *
 * follow.h: decisions of a deterministic launch that are recorded, or that follow a
 * recorded schedule. */
#ifndef WEIRI_FOLLOW_H
#define WEIRI_FOLLOW_H

#include "exec/turns.h"

void weiri_follow_init(struct weiri_turns *turns);
void weiri_follow_clear(struct weiri_turns *turns);

/** Who has the next turn, where that is recorded or told by a script. @current: who ran
 *  last and can go on, or %WEIRI_NOBODY */
uint32_t weiri_follow_choose(struct weiri_turns *turns, uint32_t current);

/** The launch is over: it counts its steps, and a script must be at its end. */
void weiri_follow_end(struct weiri_turns *turns);

#endif
