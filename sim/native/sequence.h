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
 * @newest: by event: of a read that does not get the newest value that the order has by
 *          then, the write of that value; else %WEIRI_INITIAL
 * @interleaved: all reads get the newest values, and writes follow modification order:
 *               items that take steps in this order do all this
 */
struct weiri_sequence {
    uint32_t *at, *step, *newest; /* owned */
    bool interleaved;
};

/** Chooses an order with few stale reads: without any where there is one. */
void weiri_sequence_init(struct weiri_sequence *sequence,
                         const struct weiri_execution *execution);
void weiri_sequence_clear(struct weiri_sequence *sequence);

#endif
