/* SPDX-License-Identifier: MIT
 *
 * atomic.h: atomics that are done elsewhere, between two calls of the machine;
 * weir-machinery-atomic.h declares the others. */
#ifndef WEIRI_ATOMIC_H
#define WEIRI_ATOMIC_H

#include "weir-kernel.h"

/** The running item is before an operation that the caller then does itself. */
void weiri_atomic_begin(const struct weiri_atomic_op *op);

/** The operation of weiri_atomic_begin() has been done: whether it wrote, and whether
 *  memory has changed. */
void weiri_atomic_done(const struct weiri_atomic_op *op, bool stored, bool changed);

/** A fence that is part of an operation, and no stop of its own. In a launch that is
 *  watched. */
void weiri_atomic_fenced(const struct weiri_atomic_op *op);

#endif
