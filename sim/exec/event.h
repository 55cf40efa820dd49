/* SPDX-License-Identifier: MIT
 *
 * event.h: the seam between the machine and everything that watches it.
 *
 * The machine runs groups and emits events; it judges nothing that an observer
 * could judge. An observer is a function and its state; observers know nothing
 * of each other, so each can be off, wrong or replaced alone. A launch without
 * observers pays one predicted branch an event, or nothing: the fast paths of
 * barriers and atomics are closed while a launch is watched.
 *
 * Order: a launch that is watched runs on one thread, so events are totally
 * ordered. Events of one item come in program order. ARRIVE comes before the
 * rendezvous is complete, RELEASE once for all its items. ATOMIC comes before
 * the operation. */
#ifndef WEIRI_EVENT_H
#define WEIRI_EVENT_H

#include "weir-kernel.h"

#define WEIRI_EVENTS(X)                                                                \
    X(LAUNCH_BEGIN)                                                                    \
    X(LAUNCH_END)                                                                      \
    X(GROUP_BEGIN)                                                                     \
    X(GROUP_END)                                                                       \
    X(ITEM_BEGIN)                                                                      \
    X(ARRIVE)                                                                          \
    X(RELEASE)                                                                         \
    X(ATOMIC)                                                                          \
    X(LOCAL_ARRAY)                                                                     \
    X(ACCESS)

enum weiri_event_kind {
#define X(name) WEIRI_EVENT_##name,
    WEIRI_EVENTS(X)
#undef X
};

/* What is not said of a kind of event is NULL or 0. */
struct weiri_event {
    enum weiri_event_kind kind;
    const struct weir_kernel *kernel;
    const struct weir_group *group; /* all but LAUNCH_* */
    size_t item;                    /* local linear id: ITEM_BEGIN, ARRIVE, ATOMIC,
                                             LOCAL_ARRAY, ACCESS */
    const struct weir_site *site;   /* ARRIVE, RELEASE, ATOMIC, LOCAL_ARRAY */
    uint64_t op;                    /* ARRIVE, RELEASE: see WEIRI_OP() */
    const struct weiri_atomic_op *atomic; /* ATOMIC */
    const volatile void *address;         /* LOCAL_ARRAY, ACCESS */
    size_t bytes;                         /* LOCAL_ARRAY, ACCESS */
    unsigned access;                      /* ACCESS: of enum weiri_access */
    const void *pc;                       /* ACCESS: where the hook returns to */
};

/* A plain access of an instrumented kernel, told before it happens. Both bits
 * are set for one that reads and then writes. */
enum weiri_access {
    WEIRI_ACCESS_READ = 1,
    WEIRI_ACCESS_WRITE = 2,
    WEIRI_ACCESS_VOLATILE = 4,
};

struct weiri_observer {
    void (*event)(void *self, const struct weiri_event *event);
    void *self;
};

/* The observers of a launch: an array that ends at a NULL function. */
static inline void weiri_emit(const struct weiri_observer *observers,
                              const struct weiri_event *event)
{
    for (; observers->event != NULL; observers++) {
        observers->event(observers->self, event);
    }
}

#endif
