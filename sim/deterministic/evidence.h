/* SPDX-License-Identifier: MIT
 *
 * evidence.h: the hub's knowledge of the items of a group that diverge, for the report:
 * by which calls they came, and where their ways parted. */
#ifndef WEIRI_EVIDENCE_H
#define WEIRI_EVIDENCE_H

#include "deterministic/hub.h"
#include "exec/divergence.h"
#include "exec/finding.h"

/** Adds what the hub knows to @places, where the items of a group are, by item. Called
 *  on the hub's stack only, since symbols are looked up. */
void weiri_evidence_add(const struct weiri_hub *hub, const struct weiri_group *group,
                        struct weiri_whereabouts *places);

/** Sets in the draft the last place that all members of the gate passed. */
void weiri_evidence_set_parting(const struct weiri_hub *hub,
                                const struct weiri_group *group,
                                const struct weiri_gate *gate,
                                const struct weiri_whereabouts *places,
                                struct weiri_draft *draft);

#endif
