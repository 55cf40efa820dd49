/* SPDX-License-Identifier: MIT
 *
 * grid.h: the barrier of all groups of a launch, which are resident at once. Such a
 * launch has one worker. */
#ifndef WEIRI_GRID_H
#define WEIRI_GRID_H

#include "exec/group.h"

struct weiri_whereabouts;
struct weiri_worker;

static inline uint64_t weiri_grid_op(void)
{
    return WEIRI_OP(WEIRI_GRID, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, memory_scope_device,
                    WEIR_LOCAL | WEIR_GLOBAL, 0);
}

/** @item arrives at the barrier, and waits. If it is the last one of the launch, all
 *  can run. Returns: whether it is */
bool weiri_grid_join(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t item, const struct weir_site *site);

/** Whether items of @group wait at the barrier; if @group is %NULL, of any group. */
bool weiri_grid_waits(const struct weiri_worker *worker,
                      const struct weiri_group *group);

/** Adds the places of items that wait there. */
void weiri_grid_find_places(const struct weiri_worker *worker,
                            const struct weiri_group *group,
                            struct weiri_whereabouts *places);

/** No item can run, and some wait at the barrier: a finding. */
void weiri_grid_find(struct weiri_worker *worker);

/** The group was cancelled, so that the barrier will not be complete. */
void weiri_grid_cancel(struct weiri_worker *worker, const struct weiri_group *group);

/** The launch begins. */
void weiri_grid_reset(struct weiri_worker *worker);

#endif
