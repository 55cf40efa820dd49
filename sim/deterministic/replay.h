/* SPDX-License-Identifier: MIT
 *
 * replay.h: decisions of a deterministic launch: recording them, and a policy that
 * follows recorded ones.
 *
 * The place that a launch has reached, *here*, is a struct weiri_switch in which only
 * the last item's stop is set. */
#ifndef WEIRI_REPLAY_H
#define WEIRI_REPLAY_H

#include "deterministic/hub.h"
#include "deterministic/policy.h"

/** Sets in @here that the running item has reached @stop. */
void weiri_replay_note(struct weiri_switch *here, const struct weiri_hub *hub,
                       const struct weiri_stop *stop);

/** Records the decision for @chosen, if the launch is recorded and the in-order
 *  schedule would have gone on with @base. */
void weiri_replay_record(struct weiri_hub *hub, const struct weiri_switch *here,
                         uint32_t chosen, uint32_t base);

/** The policy that follows the launch's script. @here: borrowed for its life */
struct weiri_policy weiri_replay_policy(struct weiri_hub *hub,
                                        const struct weiri_switch *here);

/** The launch has ended: an error if the script of that policy has decisions left. */
void weiri_replay_end(const struct weiri_policy *policy);

#endif
