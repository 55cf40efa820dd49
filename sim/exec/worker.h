/* SPDX-License-Identifier: MIT
 *
 * worker.h: one thread's part of a launch: the groups that it runs, and its own pool of
 * stacks for their items. */
#ifndef WEIRI_WORKER_H
#define WEIRI_WORKER_H

#include "base/co.h"
#include "base/stack.h"
#include "exec/event.h"
#include "exec/fault.h"
#include "exec/group.h"
#include "exec/launch.h"
#include "exec/stop.h"

#define WEIRI_NONE_ALONE UINT32_MAX

struct weiri_worker {
    struct weiri_launch *launch; /* borrowed while it runs */
    struct weiri_group *group;   /* the running one, in the ring of resident groups;
                                    NULL: none is resident */
    struct weiri_co host;        /* the thread's own stack while coroutines run */
    struct weiri_co fresh;       /* for starting a coroutine */
    void (*main)(void);          /* fast mode: the entry of its coroutines */
    uint32_t starting;           /* fast mode: the stack of the coroutine that starts */
    uint32_t looping;            /* fast mode: the stack of the loop over items that
                                    have not started */
    uint32_t alone;              /* of a stackless launch: the item that has no stack
                                    and runs next, or WEIRI_NONE_ALONE */
    size_t chunk_next;           /* groups taken from the launch and not yet started: */
    size_t chunk_end;            /* from chunk_next to chunk_end - 1 */
    struct weiri_group *spare;   /* list of group objects for reuse */
    uint32_t spare_sub_group_size; /* what these were made for */
    struct weiri_stacks stacks;
    uint32_t n_counted;         /* of its stacks in the process's count; see worker.c */
    enum weiri_stop_kind left;  /* fast mode: how an item has ended early, until its
                                   stack starts afresh and this is reported */
    struct weiri_fault fault;   /* of an item that has faulted or overflowed */
    const void *interrupted_at; /* the code of an item that the time limit ended */
    int inside; /* not 0: the machine runs, not the kernel: it must not be interrupted,
                   and its accesses belong to no item */
    struct weiri_hub *hub;   /* of a deterministic launch; NULL in fast mode */
    GArray *grid;            /* items at the barrier of all groups; NULL until needed */
    GArray *clusters;        /* those that are resident: see cluster.c; or NULL */
    uint64_t grid_channel;   /* of the barrier, while it is complete */
    bool grid_broken;        /* a group of this launch was cancelled */
    uint64_t n_channels;     /* that it has numbered: see weiri_worker_new_channel() */
    bool restricted;         /* the device lacks some atomics or fences */
    bool fails;              /* the running item's next compare-exchange fails; it is
                                weak, and memory has the value that it expects */
    const void *gave_way_at; /* fast mode: where an item ran out of patience last, */
    size_t gave_way_item;    /* that item, */
    uint64_t n_gave_way;     /* and how often items did */
    struct weiri_combiner *combiner; /* NULL until a launch needs it; see combine.h */
    uintptr_t own_low; /* the running item's own memory: its stack; in fast mode the */
    size_t own_bytes;  /* stacks of all items */
    bool has_privates; /* the launch has variables of private.h */
    bool compares;     /* comparisons concern more than the place of the item */
    uintptr_t args;    /* the launch's arguments, and their */
    size_t args_bytes; /* size */
    struct weiri_event access; /* the event of a plain access, with the members set that
                                  all such events share */
    struct weiri_event atomic; /* the same of an atomic */
};

struct weiri_worker *weiri_worker_new(void);

/** Takes groups of the launch and runs them until none is left to take. */
void weiri_worker_run(struct weiri_worker *worker, struct weiri_launch *launch);

/** Whether memory is the running item's own stack; in fast mode, any item's. */
static inline bool weiri_worker_owns(const struct weiri_worker *worker,
                                     const volatile void *address)
{
    return (uintptr_t)address - worker->own_low < worker->own_bytes;
}

/** A number for a channel, by which items pass on what they know: GIVE and TAKE of
 *  event.h. */
static inline uint64_t weiri_worker_new_channel(struct weiri_worker *worker)
{
    return ++worker->n_channels;
}

/** An event of the running group, for the launch's observers, if any takes events of
 *  that kind. */
static inline void weiri_worker_emit(struct weiri_worker *worker,
                                     enum weiri_event_kind kind, size_t item,
                                     uint64_t op, const struct weir_site *site)
{
    if (__builtin_expect((worker->launch->audience.kinds >> kind & 1) != 0, 0)) {
        worker->inside++;
        weiri_emit(&worker->launch->audience,
                   &(struct weiri_event){ .kind = kind,
                                          .kernel = worker->launch->kernel,
                                          .group = &worker->group->public,
                                          .item = item,
                                          .site = site,
                                          .op = op });
        worker->inside--;
    }
}

#endif
