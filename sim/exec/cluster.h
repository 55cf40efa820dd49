/* SPDX-License-Identifier: MIT
 *
 * cluster.h: clusters: groups that are resident together, meet at a barrier and reach
 * each other's local memory. A launch with clusters has one worker, which starts and
 * numbers groups in the order of their clusters. The operations that kernels call are
 * declared in weir-machinery-shared.h. */
#ifndef WEIRI_CLUSTER_H
#define WEIRI_CLUSTER_H

#include "exec/group.h"

struct weiri_launch;
struct weiri_whereabouts;
struct weiri_worker;

/** How many groups a cluster has. A launch without clusters counts as having clusters
 *  of one group. */
static inline uint32_t weiri_cluster_size(const struct weiri_shape *shape)
{
    return shape->cluster[0] == 0
        ? 1
        : shape->cluster[0] * shape->cluster[1] * shape->cluster[2];
}

/** The linear number of the group that is started as number @k. */
size_t weiri_cluster_group(const struct weiri_shape *shape, size_t k);

/** The rank of a group in its cluster. */
uint32_t weiri_cluster_rank(const struct weiri_shape *shape);

/** The worker's running group of a launch with clusters has started, or is over. */
void weiri_cluster_begin_group(struct weiri_worker *worker);
void weiri_cluster_end_group(struct weiri_worker *worker, bool cancelled);

static inline uint64_t weiri_cluster_op(enum weiri_collective kind)
{
    return WEIRI_OP(kind, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, memory_scope_device,
                    WEIR_LOCAL | WEIR_GLOBAL, 0);
}

/** The running item arrives at the barrier. Returns: false if it has arrived before,
 *  and not waited since */
bool weiri_cluster_arrives(struct weiri_worker *worker, bool relaxed);
bool weiri_cluster_has_arrived(struct weiri_worker *worker);

/** It waits for the phase that it has arrived at. Returns: true if that is over, and it
 *  need not */
bool weiri_cluster_joins(struct weiri_worker *worker, const struct weir_site *site);

/** The phase is over for it. */
void weiri_cluster_goes_on(struct weiri_worker *worker);

/** The resident group of the running group's cluster that has @address in its local
 *  memory, and there in @array; or %NULL. */
struct weiri_group *weiri_cluster_owner(const struct weiri_worker *worker,
                                        const char *address, uint32_t *array);

/** Its resident group of that rank, or %NULL. */
struct weiri_group *weiri_cluster_member(const struct weiri_worker *worker,
                                         uint32_t rank);

/** Whether items of @group wait at the barrier of its cluster; if @group is %NULL, of
 *  any group. */
bool weiri_cluster_waits(const struct weiri_worker *worker,
                         const struct weiri_group *group);

/** Adds the places of items that wait there. */
void weiri_cluster_find_places(const struct weiri_worker *worker,
                               const struct weiri_group *group,
                               struct weiri_whereabouts *places);

/** No item can run: a barrier at which all wait that have not returned is complete.
 *  Returns: whether there was one */
bool weiri_cluster_forget_exited(struct weiri_worker *worker);

/** No item can run, and some wait at the barrier of a cluster: a finding. */
void weiri_cluster_find(struct weiri_worker *worker);

/** The launch begins. */
void weiri_cluster_reset(struct weiri_worker *worker);

#endif
