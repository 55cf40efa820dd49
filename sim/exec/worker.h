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

struct weiri_worker {
    struct weiri_launch *launch; /* borrowed while it runs */
    struct weiri_group *group;   /* the running one, of the ring of resident groups;
                                    NULL: there is none, take one */
    struct weiri_co host;        /* the thread's own stack while coroutines run */
    struct weiri_co fresh;       /* for starting a coroutine */
    void (*fiber)(void);         /* fast mode: the entry of its coroutines */
    uint32_t starting;           /* the stack of the coroutine that starts */
    uint32_t looping;            /* the stack of the loop that starts items */
    size_t chunk_next;           /* groups taken from the launch and not yet started: */
    size_t chunk_end;            /* from chunk_next to chunk_end - 1 */
    struct weiri_group *spare;   /* groups without identity, for reuse */
    uint32_t spare_sub_group_size; /* what the spare ones were made for */
    struct weiri_stacks stacks;
    uint32_t n_counted;         /* of its stacks in the process's count; see worker.c */
    enum weiri_stop_kind left;  /* fast mode: why an item's stack starts afresh */
    struct weiri_fault fault;   /* of an item that has faulted or overflowed */
    const void *interrupted_at; /* the code of an item that the time limit ended */
    int inside; /* not 0: the machine is at work and must not be interrupted */
    struct weiri_hub *hub;   /* of a deterministic launch; NULL in fast mode */
    bool restricted;         /* the device lacks some atomics or fences */
    const void *gave_way_at; /* fast mode: where an item last gave way, */
    size_t gave_way_item;    /* which it was, */
    uint64_t n_gave_way;     /* and how often one did */
    uintptr_t own_low; /* memory that is the running item's own: its stack, or in */
    size_t own_bytes;  /* fast mode that of all items */
    struct weiri_event access; /* of a plain access: what they have in common is set */
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
