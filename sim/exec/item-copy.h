/* SPDX-License-Identifier: MIT
 *
 * item-copy.h: copies that one item asks for and waits for later: cp.async of PTX.
 * Those of a group are in copy.h. */
#ifndef WEIRI_ITEM_COPY_H
#define WEIRI_ITEM_COPY_H

#include "exec/group.h"

struct weiri_worker;

/* A copy that has not happened, or with @bytes 0 a mark after an item's copies. */
struct weiri_item_copy {
    uint32_t item;
    uint64_t batch;         /* of the item's, or WEIRI_ITEM_COPY_OPEN */
    const uint64_t *bar;    /* the barrier that learns of it, or NULL */
    uint32_t arrivals;      /* that it makes there, */
    uint32_t counted_bytes; /* and bytes that come there */
    uint64_t number;        /* of the copy in its group */
    const void *pc;         /* of the call that asks for it */
    uint32_t calls;         /* between the kernel and there */
    char *to;
    const char *from;
    uint32_t bytes;        /* that are written, */
    uint32_t source_bytes; /* of which the first come from @from; the others are 0 */
};
#define WEIRI_ITEM_COPY_OPEN UINT64_MAX

/** Checks the addresses of a copy as accesses of the running item, which are stops of a
 *  schedule. Where one is a mistake, this does not return. */
void weiri_item_copy_check(const struct weiri_item_copy *copy);

/** The running item asks for a copy. This is not a stop. @copy: without its item,
 *  number and calls */
void weiri_item_copy_ask(struct weiri_worker *worker, struct weiri_item_copy copy);

/** Binds the copies that the running item has asked for, and that no barrier knows yet,
 *  to one. Returns: whether there are any */
bool weiri_item_copy_bind(struct weiri_worker *worker, const uint64_t *bar);

/** Whether copies or marks are bound to the barrier. */
bool weiri_item_copy_are_bound(const struct weiri_group *group, const uint64_t *bar);

/** Does the copies that are bound to the barrier: adds up the arrivals and bytes that
 *  come there. */
void weiri_item_copy_land(struct weiri_worker *worker, const uint64_t *bar,
                          uint32_t *arrivals, uint64_t *bytes);

/** The running group ends: does the copies that no item has waited for, unless it was
 *  @cancelled. */
void weiri_item_copy_end_group(struct weiri_worker *worker, struct weiri_group *group,
                               bool cancelled);

#endif
