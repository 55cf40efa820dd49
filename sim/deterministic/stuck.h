/* SPDX-License-Identifier: MIT
 *
 * stuck.h: the report where a deterministic launch does not come to its end. */
#ifndef WEIRI_STUCK_H
#define WEIRI_STUCK_H

#include "deterministic/hub.h"
#include "deterministic/id-set.h"

/** No item can go on, and some spin: the finding of kind deadlock or livelock.
 *  @residents: a set that has the resident groups in order */
void weiri_stuck_find(const struct weiri_hub *hub,
                      const struct weiri_id_set *residents);

/** A limit ends the launch, that of time or that of steps. */
void weiri_stuck_cut_short(const struct weiri_hub *hub, bool by_time);

#endif
