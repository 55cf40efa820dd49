/* SPDX-License-Identifier: MIT
 *
 * stuck.h: the report of a deterministic launch that does not end. */
#ifndef WEIRI_STUCK_H
#define WEIRI_STUCK_H

#include "base/id-set.h"
#include "deterministic/hub.h"
#include "exec/finding.h"

/** No item can go on, and some spin: reports a deadlock or a livelock. @residents: any
 *  set of items, for the order of the resident groups */
void weiri_stuck_find(const struct weiri_hub *hub,
                      const struct weiri_id_set *residents);

/**
 * weiri_stuck_begin_lockstep:
 * @spinning: of struct weiri_stop: items of one sub-group
 * @draft: (out): of the finding that they spin for ever, since others of their
 *         sub-group have left the loop and go on only after them
 */
void weiri_stuck_begin_lockstep(const struct weiri_hub *hub, const GArray *spinning,
                                struct weiri_draft *draft);

/** Completes and reports the finding. @masked: of struct weiri_stop, where those others
 *  are; @write: what the items wait for, or %NULL if that is not known */
void weiri_stuck_end_lockstep(const struct weiri_hub *hub, struct weiri_draft *draft,
                              const GArray *masked, const struct weiri_stop *write);

/** The limit of time or of steps ends the launch. */
void weiri_stuck_cut_short(const struct weiri_hub *hub, bool by_time);

#endif
