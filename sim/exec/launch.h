/* SPDX-License-Identifier: MIT
 *
 * launch.h: one launch as its workers share it, and the threads that run it. */
#ifndef WEIRI_LAUNCH_H
#define WEIRI_LAUNCH_H

#include "exec/device.h"
#include "exec/event.h"
#include "exec/sched.h"
#include "weir-kernel.h"

struct weiri_launch {
    const struct weir_kernel *kernel;
    const struct weir_device *device;
    void (*entry)(struct weir_group *group, size_t first);
    struct weiri_shape shape; /* what all groups share; group index unset */
    const void *args;         /* the launch's own copy */
    size_t n_groups;
    size_t chunk;       /* groups that a worker takes at once */
    uint32_t n_workers; /* that may take part */
    uint32_t n_extra;   /* groups that may be resident beyond one a worker */
    size_t stack_bytes;
    const struct weiri_observer *observers; /* NULL: nobody watches */
    const struct weiri_policy *policy;      /* NULL: in order */
    struct weir_report *report;

    _Atomic size_t next_group;  /* first that nobody has taken */
    _Atomic int64_t extra_left; /* of n_extra */
    _Atomic int stopped;        /* an error: no more groups are taken */
    GError *error;              /* guarded by the pool's lock; the first one */
};

/**
 * weiri_launch_run:
 *
 * Runs the groups on the calling thread and on up to n_workers - 1 others of
 * the process's pool, and returns when all have ended.
 *
 * Errors: %WEIR_ERROR_RESOURCE where threads or stacks are refused
 */
bool weiri_launch_run(struct weiri_launch *launch, GError **error);

/** Ends the launch early for the reason that the format gives. */
void weiri_launch_fail(struct weiri_launch *launch, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif
