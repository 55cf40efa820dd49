/* SPDX-License-Identifier: MIT
 *
 * unseen.h: memory that changes while an item runs, at a place that no hook has
 * announced: a function of the C library wrote it, an asm statement, or a store that
 * the compiler does not instrument. An exploration in which that happens is not
 * exhaustive, since the order of such a write and other accesses was not explored. */
#ifndef WEIRI_UNSEEN_H
#define WEIRI_UNSEEN_H

#include "deterministic/hub.h"
#include "exec/launch.h"
#include "native/cells.h"

/* A stop of an item, after which it may write there. */
struct weiri_unseen_stop {
    const volatile char *address;
    uint32_t bytes;
    bool reads, writes; /* an atomic operation may do both */
    const struct weir_site *site;
    const void *pc;
};

struct weiri_unseen {
    const struct weiri_launch *launch;
    GArray *memory;       /* of the device; of struct known, see unseen.c */
    bool is_small;        /* it is compared at every stop while the explorer learns */
    uint64_t version;     /* of the cells, when an item last began to run */
    bool is_joined;       /* neighbours among them are compared as one */
    GArray *ranges;       /* of struct range, see unseen.c: the memory of all cells */
    GArray *places;       /* size_t: where @contents has each cell */
    GByteArray *contents; /* what the ranges held when the item began to run */
    GByteArray *local;    /* and its group's local memory; or nothing */
    uint32_t n_locals;    /* and how many arrays that had */
    const char *object; /* that was changed, by its name, interned; or NULL: none was */
    int64_t index;
    bool is_known; /* which item changed it: */
    uint32_t thread;
    struct weiri_unseen_stop after; /* its latest stop before that */
};

void weiri_unseen_init(struct weiri_unseen *unseen, const struct weiri_launch *launch);
void weiri_unseen_clear(struct weiri_unseen *unseen);

/** Whether kernels set local memory by writes without hooks on purpose, as those of
 *  litmus tests do, whose local locations have initial values. */
extern bool weiri_unseen_ignores_local;

/** An item is about to run. @group: its group: its local memory and device memory are
 *  compared, not only cells; or %NULL */
void weiri_unseen_begin(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                        const struct weiri_group *group);

/** It has run since the latest of its last two @stops. */
void weiri_unseen_look(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                       const struct weiri_group *group, uint32_t thread,
                       const struct weiri_unseen_stop stops[2]);

/** The item is at @stop. @op: that it is about to do where it stops before one */
void weiri_unseen_stop(struct weiri_unseen_stop stops[2], const struct weiri_stop *stop,
                       const struct weiri_atomic_op *op);

/** The cells have their initial contents, and device memory gets those from before the
 *  launch. A change without a hook is stated in the launch's report, as a reason
 *  why the launch is incomplete. @n_items: of a group. Returns: whether anything has */
bool weiri_unseen_report(struct weiri_unseen *unseen, uint32_t n_items);

#endif
