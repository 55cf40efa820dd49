/* SPDX-License-Identifier: MIT
 *
 * atomic.h: what the machine is told of an atomic that others do; weir-atomic.h
 * declares the rest. */
#ifndef WEIRI_ATOMIC_H
#define WEIRI_ATOMIC_H

#include "weir-kernel.h"

/** The running item is before an operation that the caller then does itself. */
void weiri_atomic_begin(const struct weiri_atomic_op *op);

/** An operation that weiri_atomic_begin() told of has been done: whether it wrote, and
 *  whether memory is another than before. */
void weiri_atomic_done(const struct weiri_atomic_op *op, bool stored, bool changed);

/** A fence that is part of an operation, and no stop of its own. In a launch that is
 *  watched. */
void weiri_atomic_fenced(const struct weiri_atomic_op *op);

#endif
