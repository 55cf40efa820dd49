/* SPDX-License-Identifier: MIT
 *
 * bounds.h: an observer that says of each access to memory whether the item may make
 * it at all: whether all of it lies in one object that is there and is the item's to
 * use, and whether its address fits its type. It comes first among observers, so that
 * those after it see only accesses that are in bounds.
 *
 * out-of-bounds    around an object; where no memory is, within reach of an index that
 *                  is very wrong; through a null pointer; to another item's stack or
 *                  another group's local memory; a write to the arguments of the launch
 * use-after-free   memory that weir_free() had, or local memory of a group or of a
 *                  launch that is over
 * misaligned       a plain access of 2, 4 or 8 bytes, or any atomic, whose address is
 *                  no multiple of them; it happens
 *
 * After the first two the item is abandoned. A kernel may read the constants of the
 * program and of libraries. What else is the host's, its heap and stack and what
 * libraries write, draws one note a launch, of kind out-of-bounds: a device would not
 * see it.
 *
 * Not seen: an index so wrong that it hits another object, the boundaries between the
 * program's statics, and private memory of the item itself. Memory that is not there,
 * and that is far from every object, is left to the fault that it makes. */
#ifndef WEIRI_BOUNDS_H
#define WEIRI_BOUNDS_H

#include "exec/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"

struct weiri_bounds;

/**
 * weiri_bounds_new:
 * @objects: borrowed until weiri_bounds_free()
 * @shape: of the launch's groups
 * @args: the launch's own copy of its arguments
 */
struct weiri_bounds *weiri_bounds_new(struct weiri_objects *objects,
                                      const struct weiri_shape *shape, const void *args,
                                      size_t args_bytes);
void weiri_bounds_free(struct weiri_bounds *bounds);

/** What it is told, as observers of a launch; @self is the struct weiri_bounds. */
enum weiri_verdict weiri_bounds_event(void *self, const struct weiri_event *event);

#define WEIRI_BOUNDS_OBSERVERS(self)                                                   \
    {                                                                                  \
        weiri_bounds_event, (self), WEIRI_TOLD(ACCESS) | WEIRI_TOLD(ATOMIC)            \
    }

/** Adds the findings. After the last event, on the thread's own stack; objects are
 *  still there. */
void weiri_bounds_report(const struct weiri_bounds *bounds,
                         const struct weir_kernel *kernel,
                         const struct weiri_call_tree *callers,
                         struct weir_report *report);

#endif
