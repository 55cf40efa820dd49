/* SPDX-License-Identifier: MIT
 *
 * sequence.h: the events of an execution one after the other, so that it can be read
 * from top to bottom. */
#ifndef WEIRI_NATIVE_SEQUENCE_H
#define WEIRI_NATIVE_SEQUENCE_H

#include "model/execution.h"

/**
 * weiri_sequence: an order that extends program order, reads-from and barriers
 * @at: events, in order
 * @step: by event: its place in @at
 * @newest: by event: for a stale read, the write of the newest value that precedes it
 *          in the order; otherwise %WEIRI_INITIAL
 * @interleaved: no read is stale, and writes follow modification order: items that take
 *               steps in this order have this execution
 */
struct weiri_sequence {
    uint32_t *at, *step, *newest; /* owned */
    bool interleaved;
};

/** Chooses an order with few stale reads: one with none, if there is such an order. */
void weiri_sequence_init(struct weiri_sequence *sequence,
                         const struct weiri_execution *execution);
void weiri_sequence_clear(struct weiri_sequence *sequence);

#endif
