/* SPDX-License-Identifier: MIT
 *
 * lockstep.h: sub-groups whose items advance together, as on hardware that gives the
 * items of a sub-group one program counter.
 *
 * Such hardware runs a loop until the last item has left it: an item that has left it
 * waits there, and is *masked* as long as any item of its sub-group goes round. So an
 * item that goes round until a masked one has written does so for ever. A hang for that
 * reason is a finding: a deadlock of the form "lockstep".
 *
 * The sides of an `if` are run in the order that lets the kernel go on. */
#ifndef WEIRI_LOCKSTEP_H
#define WEIRI_LOCKSTEP_H

#include "base/id-set.h"
#include "deterministic/hub.h"
#include "exec/finding.h"

struct weiri_lockstep_track;

struct weiri_lockstep {
    struct weiri_hub *hub;
    const struct weiri_id_set *ready;  /* the scheduler's */
    const struct weiri_id_set *asleep; /* the scheduler's */
    const struct weiri_id_set *paused; /* of in-step.h: they can run, too; or NULL */
    void (*wake)(void *self, uint32_t id);
    void *self;
    struct weiri_id_set masked;
    struct weiri_lockstep_track **tracks; /* by id; NULL: it has been in no loop */
    GHashTable *loops;                    /* by place: what weiri_loops_at() returns */
    GHashTable *functions; /* by node of the call tree + 1: the function called there */
    uint64_t patience;     /* the step at which masked items are tried in any case */
    GArray *held; /* during a trial: items that spin while others are masked; or NULL */
    GArray *freed;            /* those others: the stops at which they were masked */
    struct weiri_stop write;  /* the latest by any of these; @kind NONE: nothing was
                             written */
    bool write_is_polled;     /* by one of @held */
    struct weiri_draft draft; /* what will be the finding, */
    bool found;               /* if the trial shows that it is one */
};

/** The sets are borrowed. @wake: an item can run that was masked */
void weiri_lockstep_init(struct weiri_lockstep *lockstep, struct weiri_hub *hub,
                         const struct weiri_id_set *ready,
                         const struct weiri_id_set *asleep,
                         const struct weiri_id_set *paused,
                         void (*wake)(void *self, uint32_t id), void *self);
void weiri_lockstep_clear(struct weiri_lockstep *lockstep);

/** Whether items of the launch's sub-groups are to advance together. Sub-groups of one
 *  item always do. */
bool weiri_lockstep_wanted(const struct weiri_launch *launch);

/** A group has become resident, or is about to end. */
void weiri_lockstep_admit(struct weiri_lockstep *lockstep,
                          const struct weiri_group *group);
void weiri_lockstep_dismiss(struct weiri_lockstep *lockstep,
                            const struct weiri_group *group);

/** The running item reaches the code at @pc, which is not a stop. On its stack. */
void weiri_lockstep_place(struct weiri_lockstep *lockstep, const void *pc);

/** The running item is before an operation; called on its stack. Returns: whether it is
 *  masked there: then the caller removes it from the ready items */
bool weiri_lockstep_before(struct weiri_lockstep *lockstep,
                           const struct weiri_stop *stop);

/** After the item at @stop has come there, and the scheduler's sets are up to date:
 *  wakes the items that are masked no longer. Called on either stack. */
void weiri_lockstep_settle(struct weiri_lockstep *lockstep,
                           const struct weiri_stop *stop);

/** The item at @stop has changed memory. */
void weiri_lockstep_changed(struct weiri_lockstep *lockstep,
                            const struct weiri_stop *stop);

/**
 * weiri_lockstep_try:
 *
 * No item can run, and those that spin do so for ever as long as others are masked.
 * These are freed: if one of those that spin then ends its loop, that was a hang of
 * lockstep.
 *
 * Returns: false where no item is masked
 */
bool weiri_lockstep_try(struct weiri_lockstep *lockstep);

/** Reports the hang that was found. */
void weiri_lockstep_report(struct weiri_lockstep *lockstep);

#endif
