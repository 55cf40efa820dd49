/* SPDX-License-Identifier: MIT
 *
 * launch.h: one launch as its workers share it, and the threads that run it.
 * host/launch.c fills in the members above @next_group, but for those marked (out), and
 * calls weiri_launch_run(). */
#ifndef WEIRI_LAUNCH_H
#define WEIRI_LAUNCH_H

#include "base/call-tree.h"
#include "exec/device.h"
#include "exec/event.h"
#include "exec/schedule.h"
#include "weir-kernel.h"

struct weiri_loops;
struct weiri_overrides;
struct weiri_stall_place;
struct weiri_symbols;
struct weiri_worker;

/* Why a launch ends early. */
enum weiri_stopped {
    WEIRI_RUNS_ON,
    WEIRI_STOPPED_BY_ERROR,
    WEIRI_STOPPED_BY_TIME,
};

struct weiri_launch {
    const struct weir_kernel *kernel;
    const struct weir_device *device;
    /* The kernel's fast, stackless or checked entry, which WEIR_KERNEL() has made: a
     * loop from item @first over the items of the group, with the kernel's body. */
    void (*entry)(struct weir_group *group, size_t first);
    const struct weiri_split *split; /* the kernel's stackless form, where @entry is its
                                        entry; or NULL */
    struct weiri_shape shape;        /* of all groups; the group index is unset */
    const void *args;                /* the launch's own copy */
    size_t n_groups;
    size_t chunk;       /* groups that a worker takes at a time */
    uint32_t n_workers; /* at most */
    uint32_t n_extra;   /* resident groups besides one a worker, at most */
    bool all_resident;  /* all groups are resident at once, with one worker */
    size_t stack_bytes;
    const struct weiri_observer *observers; /* NULL: none */
    struct weiri_shortcut shortcut;         /* of all that observe accesses; or NULLs */
    struct weiri_audience audience;         /* the observers by kind of event; set by
                                               weiri_launch_run() */
    struct weiri_objects *objects;          /* NULL: events have none */
    struct weiri_call_tree *call_tree;      /* NULL: events have no calls, as in
                                               fast launches */
    struct weir_report *report;
    uint64_t time_limit_ms; /* 0: none */

    /* Only in a deterministic launch; see deterministic/deterministic.c. */
    bool deterministic;
    /* Runs the groups in place of the scheduler, as native/machine.c does; or NULL. */
    void (*drive)(void *driver, struct weiri_worker *worker);
    void *driver;
    struct weiri_schedule_spec schedule;
    uint64_t seed;
    bool draws;          /* what the schedule leaves open is drawn by @seed */
    uint64_t step_limit; /* 0: none */
    enum weir_exited exited;
    enum weir_pairing pairing;
    enum weir_after after;
    struct weiri_overrides *overrides; /* owned; NULL: none */
    struct weiri_loops *loops; /* NULL: the items of a sub-group need not advance
                                  together; see deterministic/lockstep.h */
    bool in_step;              /* with @loops: they take each step together; see
                                  deterministic/in-step.h */
    const struct weiri_script *script; /* the decisions to follow, or NULL */
    size_t followed; /* the number of this launch, from 1, in the schedule that is
                        followed; 0: none is */
    GArray *record;  /* of struct weiri_switch, or NULL */
    const struct weiri_symbols *symbols; /* all of its functions are set */
    uint64_t n_steps;                    /* (out) */
    uint64_t n_decisions;                /* (out) */
    const uint64_t *now;                 /* while it runs: steps that have begun */

    /* No item can go on: whether they are to look at memory again, which others may
     * have changed meanwhile. NULL: nothing but the items changes it. */
    bool (*outside)(void *data);
    void *outside_data;
    bool was_outside; /* (out): it was asked */

    /* Called on another thread while a fast launch runs and makes no progress. */
    void (*stalled)(const struct weiri_launch *launch,
                    const struct weiri_stall_place *places, size_t n_places);

    _Atomic size_t next_group;  /* the first that no worker has taken */
    _Atomic int64_t extra_left; /* of n_extra */
    _Atomic int stopped;        /* of enum weiri_stopped: no more groups are taken */
    bool exits;                 /* (out): an item has called exit(): the launch ends */
    int exit_status;            /* (out): what it passed to exit() */
    _Atomic(GError *) error;    /* the first one; see failure.h */

    /* Only in a launch with a limit of time; guarded by the pool's lock. */
    bool over;            /* all groups have ended */
    GArray *threads;      /* of pthread_t: the threads that run its items */
    bool timer_waits;     /* the timer's thread has started to wait */
    pthread_t timer;      /* the thread that waits for the limit of time, */
    pthread_cond_t ended; /* or for the end of the launch */
};

/**
 * weiri_launch_run:
 *
 * Runs the groups on the calling thread and on up to n_workers - 1 others of the
 * process's pool, and returns when all have ended.
 *
 * Errors: %WEIR_ERROR_RESOURCE if the system refuses threads or stacks
 */
bool weiri_launch_run(struct weiri_launch *launch, GError **error);

/** In a child process, forked by the thread that drives the launch: the launch goes on
 *  there, on this thread. @time_limit_ms: from now on; 0: none. Returns: false if the
 *  system refuses */
bool weiri_launch_go_on(struct weiri_launch *launch, uint64_t time_limit_ms);

#endif
