/* SPDX-License-Identifier: MIT
 *
 * stop.h: what an item of a deterministic launch does, as the machine is told before
 * and after; all for the running item. */
#ifndef WEIRI_STOP_H
#define WEIRI_STOP_H

#include "exec/turns.h"

/** The running item is before @op. @caller: where its kernel's code goes on */
void weiri_stop_atomic(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                       const void *caller);

/** The running item is before a plain access; of enum weiri_access. */
void weiri_stop_access(struct weiri_worker *worker, const volatile void *address,
                       size_t bytes, unsigned access, const void *pc);

/** The running item comes to the block of code at @pc, which is no stop. */
void weiri_stop_block(struct weiri_worker *worker, const void *pc);

/** The running item has done its operation: whether that was a store, and whether it
 *  changed memory. */
void weiri_stop_did(struct weiri_worker *worker, bool stored, bool changed);

/** The running item's latest operation, which the compiler's code did, has left memory
 *  as it was. */
void weiri_stop_fruitless(struct weiri_worker *worker);

/** The running item has come to a rendezvous. @caller: where the call of it returns to
 *  in the kernel. Returns: by which path; see trail.h */
uint32_t weiri_stop_arrive(struct weiri_worker *worker, uint64_t op,
                           const struct weir_site *site, const void *caller);

#endif
