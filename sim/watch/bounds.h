/* SPDX-License-Identifier: MIT
 *
 * bounds.h: an observer that judges whether an item may make an access: whether all of
 * it lies in one object that exists and that the item may use, and whether the address
 * is aligned for its type. It is the first observer, so that those after it see only
 * accesses that are in bounds.
 *
 *   out-of-bounds    around an object; in memory that the host withholds from the
 *                    launch (weiri_memory_limit()), or in a way that it does not
 *                    allow, which goes on; in no memory, but within reach of an index
 *                    that is very wrong; through a null pointer; to another item's
 *                    stack or another group's local memory; a write to the arguments
 *   use-after-free   memory that weir_free() freed, or local memory of a group or of
 *                    a launch that has ended
 *   misaligned       a plain access of 2, 4 or 8 bytes, or any atomic, whose address
 *                    is not a multiple of its size, or of the alignment that the
 *                    compiler says its type asks for; it happens
 *
 * After the first two the item is abandoned. A kernel may read the constants of the
 * program and of libraries. Other memory of the host, that is its heap, its stack and
 * the data of libraries, makes one finding a launch, of kind out-of-bounds: a device
 * would not see it. The access happens.
 *
 * Not seen: an index so wrong that it hits another object, the boundaries between the
 * program's statics, and private memory of the item itself. An access to unmapped
 * memory far from every object is left to the fault that it makes. */
#ifndef WEIRI_BOUNDS_H
#define WEIRI_BOUNDS_H

#include "base/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"

struct weiri_bounds;

/* The data that weiri_bounds_allows() reads; the first member of struct
 * weiri_bounds. */
struct weiri_bounds_state {
    bool holds; /* an ALIGNMENT is kept until the access that it is about */
};

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

/** An observer function; @self is the struct weiri_bounds. */
enum weiri_verdict weiri_bounds_event(void *self, const struct weiri_event *event);

/* The same for all its kinds but ACCESS and ATOMIC. */
#define WEIRI_BOUNDS_OTHERS(self)                                                      \
    {                                                                                  \
        weiri_bounds_event, (self), WEIRI_EVENT_BIT(ALIGNMENT)                         \
    }

#define WEIRI_BOUNDS_OBSERVERS(self)                                                   \
    {                                                                                  \
        weiri_bounds_event, (self),                                                    \
            WEIRI_EVENT_BIT(ACCESS) | WEIRI_EVENT_BIT(ATOMIC)                          \
            | WEIRI_EVENT_BIT(ALIGNMENT)                                               \
    }

/** Whether weiri_bounds_event() would do nothing with a plain access of @group to
 *  @bytes, aligned, at @offset of the object: a quick test that holds for most.
 *  @access: of enum weiri_access_bit */
static inline bool weiri_bounds_allows(const struct weiri_bounds *bounds,
                                       const struct weiri_object *object, size_t offset,
                                       size_t bytes, size_t group, unsigned access)
{
    return offset < object->bytes && bytes <= object->bytes - offset
        && (object->denied & access) == 0
        && (object->kind == WEIRI_OBJECT_LOCAL ? object->group == group
                                               : object->kind == WEIRI_OBJECT_GLOBAL
                    || object->kind == WEIRI_OBJECT_SHARED)
        && !((const struct weiri_bounds_state *)bounds)->holds;
}

/** Forgets what it has found so far. */
void weiri_bounds_forget(struct weiri_bounds *bounds);

/** Adds the findings. Called after the last event, on the thread's own stack, before
 *  the objects are freed. */
void weiri_bounds_report(const struct weiri_bounds *bounds,
                         const struct weir_kernel *kernel,
                         const struct weiri_call_tree *call_tree,
                         struct weir_report *report);

#endif
