/* SPDX-License-Identifier: MIT
 *
 * lanes.h: the rendezvous under collectives of lanes, which are items of a sub-group
 * that a mask names. */
#ifndef WEIRI_LANES_H
#define WEIRI_LANES_H

#include "exec/group.h"

struct weiri_whereabouts;
struct weiri_worker;

enum { WEIRI_MOST_LANES = 32 };

/* A lane that waits, and where. */
struct weiri_lane_arrival {
    uint32_t item;
    const struct weir_site *site;
};

/* Lanes of one sub-group that wait for others. */
struct weiri_lanes {
    uint64_t op;      /* with the mask that all gave as its argument; of ACTIVE: 0 */
    uint64_t detail;  /* in which they agree besides, as @op has no room for it */
    uint32_t first;   /* item of the sub-group */
    uint32_t members; /* lanes of the mask that exist: these must come */
    uint32_t arrived; /* lanes that have */
    uint32_t n;       /* the same; they are in @waiting, in order of arrival */
    struct weiri_lane_arrival waiting[WEIRI_MOST_LANES];
};

/** @item arrives at @op, which names lanes, and waits. The last one computes the
 *  result, and all that wait there can run. An item that asks which lanes are active
 *  may be the last one by the schedule's choice; one that reaches a named barrier may
 *  have to wait for other sub-groups.
 *
 *  Returns: whether it can go on */
bool weiri_lanes_join(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item, uint64_t op, uint64_t detail,
                      const struct weir_site *site);

/** All items of the group, none of which is parked, arrive at @op at once, each with a
 *  mask that names it: all rendezvous of sub-groups are complete. */
void weiri_lanes_meet_all(struct weiri_worker *worker, struct weiri_group *group,
                          uint64_t op, const struct weir_site *site);

/** The running item waits at @op with its stack. Its value and source are in the
 *  group. */
void weiri_lanes_stop(uint64_t op, const struct weir_site *site);

/** No item of the running group can go on: lets lanes that have asked which of them are
 *  active go on, with those that are there. Returns: whether there were any */
bool weiri_lanes_settle(struct weiri_worker *worker, struct weiri_group *group);

/** The first meeting of the group that waits, or %NULL. */
const struct weiri_lanes *weiri_lanes_waiting(const struct weiri_group *group);

/** Adds the places of items that wait for other lanes. */
void weiri_lanes_find_places(const struct weiri_group *group,
                             struct weiri_whereabouts *places);

/** Sets the items among @waits that wait for other lanes. */
void weiri_lanes_mark(const struct weiri_group *group, bool *waits);

/** In a deterministic launch where returned items need not come: @item has returned. */
void weiri_lanes_leave(struct weiri_worker *worker, struct weiri_group *group,
                       uint32_t item);

/** In a deterministic launch: releases all lanes that wait, as if the others had
 *  come. */
void weiri_lanes_release_all(struct weiri_worker *worker, struct weiri_group *group);

#endif
