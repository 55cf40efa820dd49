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

/** The contents of memory after the operation, if it held @old before. Both are bits;
 *  @old's upper half is 0 where the operation is of 4 bytes. */
uint64_t weiri_atomic_result(const struct weiri_atomic_op *op, uint64_t old);

/** A fence that is part of an operation. It is a stop of its own only where items meet
 *  apart. In a launch that is watched. */
void weiri_atomic_fenced(const struct weiri_atomic_op *op);

#endif
