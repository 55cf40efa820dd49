/* SPDX-License-Identifier: MIT
 *
 * item-finding.h: findings about one item of the running group, mostly about how it
 * ended. */
#ifndef WEIRI_ITEM_FINDING_H
#define WEIRI_ITEM_FINDING_H

#include "exec/finding.h"
#include "exec/worker.h"

/** Makes a finding of @kind with @item as its only party. @site: or %NULL, and @pc is
 *  where it is. Takes @message. */
void weiri_item_finding_add(struct weiri_worker *worker, enum weir_finding_kind kind,
                            const struct weir_site *site, const void *pc,
                            enum weir_state state, uint32_t item, const char *operation,
                            char *message);

/** The running item has overflowed its stack. */
void weiri_item_finding_overflow(struct weiri_worker *worker);

/** The running item has faulted: the worker's @fault says how. */
void weiri_item_finding_fault(struct weiri_worker *worker);

/** The limit of time ends the running group, or without one keeps others from starting:
 *  a remark in the report, not a finding. @at: the code in which the running item was
 *  interrupted, or %NULL where this is called on that item's stack */
void weiri_item_finding_limit(struct weiri_worker *worker, const void *at);

/** A finding of the running item about what it does in a collective, @op of a call at
 *  @site. @why: owned by the finding from here on */
void weiri_item_finding_of_op(struct weiri_worker *worker, enum weir_finding_kind kind,
                              uint64_t op, const struct weir_site *site, char *why);

#endif
