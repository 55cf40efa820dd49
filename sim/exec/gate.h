/* SPDX-License-Identifier: MIT
 *
 * gate.h: the one rendezvous under barriers, group algorithms and the end of items.
 * Items meet by site and arguments, never by counting arrivals; returning from the
 * kernel counts as never arriving. */
#ifndef WEIRI_GATE_H
#define WEIRI_GATE_H

#include "exec/group.h"

struct weiri_worker;

/**
 * weiri_gate_join:
 * @path: the path of @item to this place; see history.h
 *
 * @item arrives at the rendezvous of @op at @site, and waits at its gate. If it is the
 * last one, the result is computed, and all that wait there can run.
 *
 * Returns: whether it is the last one
 */
bool weiri_gate_join(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t item, uint64_t op, const struct weir_site *site,
                     uint32_t path);

/** All items of the group arrive at @op at @site, and none is parked. Does the work of
 *  weiri_gate_join() for all, but does not put them into the queue. */
void weiri_gate_meet_all(struct weiri_worker *worker, struct weiri_group *group,
                         uint64_t op, const struct weir_site *site);

/** For a machine whose items do not join gates: @item, which the worker has run last,
 *  arrives at a rendezvous @op at @site. Reports a source that does not exist, as the
 *  gate does when all have arrived. */
void weiri_gate_judge_source(struct weiri_worker *worker, struct weiri_group *group,
                             uint32_t item, uint64_t op, const struct weir_site *site);

/** In a deterministic launch: releases all items that wait, as if the others had
 *  come. */
void weiri_gate_release_all(struct weiri_worker *worker, struct weiri_group *group);

/** In a fast launch where returned items need not come: members that do not wait
 *  anywhere have returned. @waits: by item */
void weiri_gate_set_exited(struct weiri_worker *worker, struct weiri_group *group,
                           struct weiri_gate *gate, const bool *waits);

/** In a deterministic launch where returned items need not come: @item has returned. */
void weiri_gate_leave(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item);

#endif
