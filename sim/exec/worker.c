/* SPDX-License-Identifier: MIT
 *
 * worker.c: the resources that a worker sets up and gives back around its part of a
 * launch. exec/mode.h chooses how the groups are run: by fast.c, or by
 * deterministic/deterministic.c. */
#include "config.h"

#include "exec/worker.h"

#include "base/assert.h"
#include "exec/cluster.h"
#include "exec/combine.h"
#include "exec/failure.h"
#include "exec/grid.h"
#include "exec/hooks.h"
#include "exec/mode.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Stacks that the process keeps between launches: half of what one launch may
 * have, so that both together stay under Linux's limit with room for others. */
enum { MOST_STACKS_KEPT = WEIRI_MAX_RESIDENT_ITEMS / 2 };
static _Atomic uint32_t n_stacks_kept;

static void print_what_runs(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL && worker->group != NULL) {
        fprintf(stderr, "weir: in kernel '%s', group %zu, item %zu\n",
                worker->launch->kernel->name, worker->group->public.shape.group_linear,
                (size_t)worker->group->public.at);
    }
}

struct weiri_worker *weiri_worker_new(void)
{
    size_t unit = _Alignof(struct weiri_worker);
    size_t bytes = (sizeof(struct weiri_worker) + unit - 1) / unit * unit;
    struct weiri_worker *worker = aligned_alloc(unit, bytes);
    weiri_assert(worker != NULL);
    *worker = (struct weiri_worker){ 0 };
    return worker;
}

/* Makes what the worker kept from earlier launches fit this one. */
static bool fit(struct weiri_worker *worker, struct weiri_launch *launch)
{
    weiri_assert_context = print_what_runs;
    if (worker->spare != NULL
        && (worker->spare->capacity != launch->shape.items
            || worker->spare->local_bytes != launch->device->local_mem_size
            || worker->spare_sub_group_size != launch->shape.sub_group_size)) {
        while (worker->spare != NULL) {
            struct weiri_group *next = worker->spare->next_group;
            weiri_group_free(worker->spare);
            worker->spare = next;
        }
    }
    worker->spare_sub_group_size = launch->shape.sub_group_size;
    uint64_t groups = MIN(launch->n_groups, 1 + (uint64_t)launch->n_extra);
    uint64_t wanted = MIN(groups * launch->shape.items, WEIRI_MAX_RESIDENT_ITEMS) + 1;
    if (worker->stacks.base != NULL
        && (worker->stacks.stack_bytes != launch->stack_bytes
            || worker->stacks.capacity < wanted)) {
        weiri_stacks_clear(&worker->stacks);
    }
    const char *reason;
    if (worker->stacks.base == NULL
        && !weiri_stacks_init(&worker->stacks, launch->stack_bytes, (uint32_t)wanted,
                              &reason)) {
        weiri_failure_set(launch, WEIR_ERROR_RESOURCE,
                          "cannot reserve %" G_GUINT64_FORMAT
                          " stacks of %zu bytes: %s",
                          wanted, launch->stack_bytes, reason);
        return false;
    }
    return true;
}

/* Workers keep their stacks for the next launch, but not all of them: a later launch,
 * on other workers, needs room for its stacks in the process. */
static void give_back_stacks(struct weiri_worker *worker)
{
    /* relaxed: an estimate; nothing is published by it */
    uint32_t n_here = worker->stacks.n_mapped;
    uint32_t n_before = worker->n_counted;
    uint32_t n_in_all = atomic_fetch_add_explicit(&n_stacks_kept, n_here - n_before,
                                                  memory_order_relaxed)
        + n_here - n_before;
    worker->n_counted = n_here;
    if (n_in_all > MOST_STACKS_KEPT) {
        weiri_stacks_clear(&worker->stacks);
        atomic_fetch_sub_explicit(&n_stacks_kept, n_here, memory_order_relaxed);
        worker->n_counted = 0;
    }
}

void weiri_worker_run(struct weiri_worker *worker, struct weiri_launch *launch)
{
    if (!fit(worker, launch)) {
        return;
    }
    uint32_t stack = weiri_stacks_acquire(&worker->stacks);
    if (stack == WEIRI_NO_STACK) {
        weiri_failure_set(launch, WEIR_ERROR_RESOURCE,
                          "cannot map the first stack of a worker");
        return;
    }
    worker->launch = launch;
    worker->group = NULL;
    worker->chunk_next = worker->chunk_end = 0;
    worker->n_gave_way = 0;
    weiri_grid_reset(worker);
    weiri_cluster_reset(worker);
    worker->restricted = !weiri_device_unrestricted(launch->device);
    bool watched
        = launch->deterministic || launch->observers != NULL || worker->restricted;
    weiri_assert(!watched || launch->split == NULL); /* such entries do not ask */
    weiri_self = (struct weiri_self){
        .watch = watched ? worker : NULL,
        .sees = watched ? worker : NULL,
        .solo = launch->n_workers == 1 ? worker : NULL,
        .worker = worker,
        .patience = launch->deterministic ? 1 : WEIRI_FAST_PATIENCE,
        .stamina = launch->deterministic ? LONG_MAX : WEIRI_FAST_STAMINA
    };
    weiri_combine_start(worker, watched);
    if (launch->objects != NULL) {
        weiri_objects_set_stacks(launch->objects, &worker->stacks);
    }
    worker->has_privates = false;
    worker->compares = (launch->audience.kinds & WEIRI_EVENT_BIT(COMPARE)) != 0;
    worker->args = (uintptr_t)launch->args;
    worker->args_bytes = launch->kernel->args_bytes;
    worker->access
        = (struct weiri_event){ .kind = WEIRI_EVENT_ACCESS, .kernel = launch->kernel };
    worker->atomic
        = (struct weiri_event){ .kind = WEIRI_EVENT_ATOMIC, .kernel = launch->kernel };
    weiri_mode_run(worker, stack);
    weiri_combine_stop();
    weiri_self = (struct weiri_self){ .sees = (void *)weiri_access_of_host,
                                      .patience = WEIRI_FAST_PATIENCE,
                                      .stamina = WEIRI_FAST_STAMINA };
    worker->launch = NULL;
    weiri_assert(worker->group == NULL);
    give_back_stacks(worker);
}

struct weir_group *weiri_running_group(void)
{
    const struct weiri_worker *worker = weiri_self.worker;
    return worker != NULL && worker->group != NULL ? &worker->group->public : NULL;
}

const char *weiri_running_kernel(void)
{
    const struct weiri_worker *worker = weiri_self.worker;
    return worker != NULL ? worker->launch->kernel->name : NULL;
}

uint64_t weiri_running_gives(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    uint64_t channel = weiri_worker_new_channel(worker);
    weiri_worker_emit(worker, WEIRI_EVENT_GIVE, (size_t)worker->group->public.at,
                      channel, NULL);
    return channel;
}

void weiri_running_takes(uint64_t channel)
{
    struct weiri_worker *worker = weiri_self.worker;
    weiri_worker_emit(worker, WEIRI_EVENT_TAKE, (size_t)worker->group->public.at,
                      channel, NULL);
}

bool weiri_running_checked(void)
{
    const struct weiri_worker *worker = weiri_self.worker;
    return worker != NULL && worker->launch->entry == worker->launch->kernel->checked;
}

/* Variables of items are on their stacks, or in frames where items wait without. */
uint32_t weiri_space_of(const void *address)
{
    const struct weiri_worker *worker = weiri_self.worker;
    const struct weiri_group *group = worker->group;
    uintptr_t local = (uintptr_t)group->local_memory;
    uintptr_t frames = (uintptr_t)group->public.frames;
    bool own = weiri_worker_owns(worker, address)
        || (uintptr_t)address - frames < group->frames_bytes;
    return own                                            ? 0
        : (uintptr_t)address - local < group->local_bytes ? WEIR_LOCAL
                                                          : WEIR_GLOBAL;
}
