/* SPDX-License-Identifier: MIT
 *
 * divergence.h: the report of a rendezvous that not all of its items reach. */
#ifndef WEIRI_DIVERGENCE_H
#define WEIRI_DIVERGENCE_H

#include "exec/group.h"

struct weiri_backtrace;
struct weiri_worker;

/* Where one item of a group is; @site is NULL where it has returned. Members that only
 * a deterministic launch knows are 0 or NULL in others. */
struct weiri_whereabouts {
    const struct weir_site *site;
    uint64_t op;
    uint64_t phase;
    uint32_t path;                       /* see history.h, and for @history */
    uint32_t history;                    /* how it came there */
    const struct weiri_backtrace *calls; /* to @site; NULL: none, or not known */
    const void *pc;                      /* returned: where it was last seen, */
    const struct weir_site *last;        /* or its last operation */
};

/**
 * weiri_divergence_find:
 *
 * No item of the group can run, and some wait: makes the finding of kind
 * barrier-divergence, with the place of every item. The caller ends the group, or
 * releases the items that wait.
 */
void weiri_divergence_find(struct weiri_worker *worker, struct weiri_group *group);

/** No item of the group can run, and some wait: whether all that wait do so for other
 *  groups, which may come yet. */
bool weiri_divergence_is_of_groups(const struct weiri_worker *worker,
                                   const struct weiri_group *group);

/** A rendezvous is complete only because the launch's options are lenient: a note. */
void weiri_divergence_note(struct weiri_worker *worker, struct weiri_group *group,
                           const struct weiri_gate *gate);

#endif
