/* SPDX-License-Identifier: MIT
 *
 * replay.h: decisions of a deterministic launch that are recorded, or that follow a
 * recorded schedule. */
#ifndef WEIRI_REPLAY_H
#define WEIRI_REPLAY_H

#include "deterministic/turns.h"

void weiri_replay_init(struct weiri_turns *turns);
void weiri_replay_clear(struct weiri_turns *turns);

/** Who has the next turn, where that is recorded or told by a script. @current: who ran
 *  last and can go on, or %WEIRI_NO_ITEM */
uint32_t weiri_replay_choose(struct weiri_turns *turns, uint32_t current);

/** The launch is over: it counts its steps, and a script must be at its end. */
void weiri_replay_end(struct weiri_turns *turns);

#endif
