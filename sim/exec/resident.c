/* SPDX-License-Identifier: MIT
 *
 * resident.c: see resident.h. A worker takes numbers of groups from the launch a chunk
 * at a time, and keeps group objects for reuse. */
#include "config.h"

#include "exec/resident.h"

#include "base/assert.h"
#include "exec/cluster.h"
#include "exec/combine.h"
#include "exec/copy.h"
#include "exec/grid.h"
#include "exec/item-copy.h"
#include "exec/item-finding.h"
#include "exec/local.h"

/* Takes a number of groups at once; false where none is left. */
static bool take_chunk(struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    if (weiri_resident_must_end(worker)) {
        return false;
    }
    /* relaxed: hands out numbers and nothing else */
    size_t first = atomic_fetch_add_explicit(&launch->next_group, launch->chunk,
                                             memory_order_relaxed);
    if (first >= launch->n_groups) {
        return false;
    }
    worker->chunk_next = first;
    worker->chunk_end = MIN(first + launch->chunk, launch->n_groups);
    return true;
}

bool weiri_resident_are_left(const struct weiri_worker *worker)
{
    /* relaxed: a hint; take_chunk() decides */
    return worker->chunk_next < worker->chunk_end
        || atomic_load_explicit(&worker->launch->next_group, memory_order_relaxed)
        < worker->launch->n_groups;
}

bool weiri_resident_start(struct weiri_worker *worker)
{
    if (weiri_resident_must_end(worker)) {
        if (weiri_resident_is_timed_out(worker) && weiri_resident_are_left(worker)) {
            weiri_item_finding_limit(worker, NULL);
        }
        return false;
    }
    if (worker->chunk_next == worker->chunk_end && !take_chunk(worker)) {
        return false;
    }
    struct weiri_launch *launch = worker->launch;
    struct weiri_group *group = worker->spare;
    if (group != NULL) {
        worker->spare = group->next_group;
    } else {
        group = weiri_group_new((uint32_t)launch->shape.items,
                                launch->shape.sub_group_size,
                                launch->device->local_mem_size);
    }
    if (launch->objects == NULL) {
        weiri_group_fill_local(group);
    }
    weiri_group_start(group, &launch->shape, launch->args,
                      weiri_cluster_group(&launch->shape, worker->chunk_next++),
                      launch->kernel->hierarchical);
    if (worker->group == NULL) {
        group->next_group = group;
    } else {
        group->next_group = worker->group->next_group;
        worker->group->next_group = group;
    }
    worker->group = group;
    if (launch->shape.cluster[0] != 0) {
        weiri_cluster_begin_group(worker);
    }
    weiri_worker_emit(worker, WEIRI_EVENT_GROUP_BEGIN, 0, 0, NULL);
    return true;
}

void weiri_resident_end(struct weiri_worker *worker, bool cancelled)
{
    struct weiri_group *group = worker->group;
    if (cancelled && worker->launch->all_resident) {
        weiri_grid_cancel(worker, group);
    }
    if (worker->launch->shape.cluster[0] != 0) {
        weiri_cluster_end_group(worker, cancelled);
    }
    if (cancelled) {
        for (uint32_t i = 0; group->live > 0 && i < group->items; i++) {
            if (group->stack[i] != WEIRI_NO_STACK) {
                weiri_stacks_release(&worker->stacks, group->stack[i]);
                group->stack[i] = WEIRI_NO_STACK;
                group->live--;
            }
        }
        group->live = 0; /* the others have no stacks */
    }
    if (group->item_copies != NULL) {
        weiri_item_copy_end_group(worker, group, cancelled);
    }
    if (group->n_locals > 0) {
        weiri_local_end_group(worker, group, cancelled);
    }
    if (group->copies != NULL) {
        weiri_copy_end_group(worker, group, cancelled);
    }
    weiri_combine_end_group(cancelled);
    weiri_assert_slow(group->live == 0);
    weiri_worker_emit(worker, WEIRI_EVENT_GROUP_END, 0, 0, NULL);
    if (group->next_group == group) {
        worker->group = NULL;
    } else {
        /* relaxed: a count of what is allowed, nothing is published by it */
        atomic_fetch_add_explicit(&worker->launch->extra_left, 1, memory_order_relaxed);
        struct weiri_group *before = group->next_group;
        while (before->next_group != group) {
            before = before->next_group;
        }
        before->next_group = group->next_group;
        worker->group = group->next_group;
    }
    group->next_group = worker->spare;
    worker->spare = group;
}
