/* SPDX-License-Identifier: MIT
 *
 * resident.h: the groups that a worker has started and not ended. They form a ring; one
 * of them is the running group. */
#ifndef WEIRI_RESIDENT_H
#define WEIRI_RESIDENT_H

#include "exec/worker.h"

/** Takes a group and makes it the running one. Returns: false where none is left, or
 *  the launch must end */
bool weiri_resident_start(struct weiri_worker *worker);

/** The running group is over. @cancelled: some of its items have not returned: their
 *  stacks are given back */
void weiri_resident_end(struct weiri_worker *worker, bool cancelled);

/** Whether there are groups that have not started; a hint. */
bool weiri_resident_are_left(const struct weiri_worker *worker);

/** Whether an error or a limit has ended the launch: resident groups are dropped, none
 *  is taken. */
static inline bool weiri_resident_must_end(const struct weiri_worker *worker)
{
    return atomic_load_explicit(&worker->launch->stopped, memory_order_relaxed)
        != WEIRI_RUNS_ON; /* a hint */
}

/** Whether it was the limit of time. */
static inline bool weiri_resident_is_timed_out(const struct weiri_worker *worker)
{
    return atomic_load_explicit(&worker->launch->stopped, memory_order_relaxed)
        == WEIRI_STOPPED_BY_TIME; /* a hint */
}

#endif
