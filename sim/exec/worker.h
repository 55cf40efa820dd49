/* SPDX-License-Identifier: MIT
 *
 * worker.h: one thread's part of a launch: it takes groups, runs their items on
 * its own pool of stacks, and decides who runs next. */
#ifndef WEIRI_WORKER_H
#define WEIRI_WORKER_H

#include "base/co.h"
#include "base/stack.h"
#include "exec/event.h"
#include "exec/fault.h"
#include "exec/group.h"
#include "weir.h"

struct weiri_launch;

struct weiri_worker {
    struct weiri_launch *launch; /* borrowed while it runs */
    struct weiri_group *group;   /* whose item runs, one of the ring of resident
                                    groups; NULL: there is none, take one */
    struct weiri_co host;        /* the thread's own stack while coroutines run */
    struct weiri_co fresh;       /* for starting a coroutine */
    uint32_t starting;           /* the stack of the coroutine that starts */
    uint32_t looping;            /* the stack of the loop that starts items */
    size_t chunk_next;           /* groups taken from the launch and not yet started: */
    size_t chunk_end;            /* from chunk_next to chunk_end - 1 */
    struct weiri_group *spare;   /* groups without identity, for reuse */
    uint32_t spare_sub_group_size; /* what the spare ones were made for */
    struct weiri_stacks stacks;
    uint32_t n_counted; /* of its stacks in the process's count; see worker.c */
    bool overflowed;    /* set by the fault handler: the running item hit its guard, */
    bool faulted;       /* or did what @fault tells */
    struct weiri_fault fault;
    bool interrupted; /* set by the time limit's: the running item goes no further */
    int inside;       /* the running item is where it must not be interrupted */
    const void *interrupted_at; /* its code address, when it was */
    struct weiri_turns *turns;  /* of a deterministic launch; NULL in fast mode */
    bool restricted;            /* the device lacks some atomics or fences */
    uintptr_t own_low; /* the running item's stack, in turns: memory that is its own */
    size_t own_bytes;
    struct weiri_event access; /* of a plain access: what they have in common is set */
    struct weiri_event atomic; /* the same of an atomic */
};

struct weiri_worker *weiri_worker_new(void);

/** Whether memory is the running item's own stack; in fast mode, any item's. */
static inline bool weiri_worker_owns(const struct weiri_worker *worker,
                                     const volatile void *address)
{
    return (uintptr_t)address - worker->own_low < worker->own_bytes;
}

/** Takes groups of the launch and runs them until none is left to take. */
void weiri_worker_run(struct weiri_worker *worker, struct weiri_launch *launch);

/**
 * weiri_worker_park:
 * @self: the running item, which the caller has put where it waits
 *
 * Runs others; returns when somebody runs @self again.
 */
void weiri_worker_park(struct weiri_worker *worker, struct weiri_group *group,
                       uint32_t self);

/** The running item goes no further and its group ends. */
_Noreturn void weiri_worker_abandon(struct weiri_worker *worker);

/** From a signal's handler: the item on @stack is over, for the reason that the
 *  worker's flags tell. */
_Noreturn void weiri_worker_restart(struct weiri_worker *worker, uint32_t stack);

/** Takes a group and makes it the running one; false where none is left. */
bool weiri_worker_start_group(struct weiri_worker *worker);

/** The running group is over; stacks that its items still have are given back. */
void weiri_worker_end_group(struct weiri_worker *worker, bool cancelled);

bool weiri_worker_groups_are_left(const struct weiri_worker *worker);

/** The running item has overflowed its stack: the finding. */
void weiri_worker_report_overflow(struct weiri_worker *worker);

/** The running item has faulted, as the worker's @fault tells: the finding. */
void weiri_worker_report_fault(struct weiri_worker *worker);

/** Makes a finding with one party: an item of the running group. Takes @message. */
void weiri_worker_find(struct weiri_worker *worker, enum weir_finding_kind kind,
                       const struct weir_site *site, enum weir_state state,
                       uint32_t item, const char *operation, char *message);

#endif
