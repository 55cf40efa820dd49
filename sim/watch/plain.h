/* SPDX-License-Identifier: MIT
 *
 * plain.h: the observer of the accesses of a checked launch. It passes them to the
 * observers of bounds, races and unwritten memory. Most accesses concern none of these:
 * they are in bounds, to written memory, and race with nothing that the records of
 * their word hold. A short test shows that before there is an event. */
#ifndef WEIRI_PLAIN_H
#define WEIRI_PLAIN_H

#include "exec/event.h"
#include "watch/race.h"

struct weiri_bounds;
struct weiri_happens_before;
struct weiri_race_report;
struct weiri_uninit;

/* The object and the number that the latest access from a place in the code has found,
 * for the next access from there. */
struct weiri_plain_place {
    const void *pc;
    uint32_t calls;
    uint32_t number; /* of the place, in records */
    struct weiri_object *object;
    uint64_t what; /* see weiri_access_what() */
};
enum { WEIRI_PLAIN_PLACES = 1024 }; /* a power of two */

/* The same of a relaxed atomic. */
struct weiri_plain_atomic {
    const void *place; /* its site, or without one the pc */
    uint64_t what;     /* see WEIRI_ATOMIC_WHAT() */
    struct weiri_race_atomic atomic;
    uint32_t calls;
};
enum { WEIRI_PLAIN_ATOMICS = 256 }; /* a power of two */

/* All pointers are borrowed. */
struct weiri_plain {
    struct weiri_bounds *bounds;
    struct weiri_race *race;
    struct weiri_uninit *uninit;
    const struct weiri_happens_before *order;               /* of @race */
    const struct weiri_race_report *found;                  /* the same */
    struct weiri_plain_place places[WEIRI_PLAIN_PLACES];    /* by a hash */
    struct weiri_plain_atomic atomics[WEIRI_PLAIN_ATOMICS]; /* the same */
};

void weiri_plain_init(struct weiri_plain *plain, struct weiri_bounds *bounds,
                      struct weiri_race *race, struct weiri_uninit *uninit);

/** Observer functions, and the shortcuts; @self is the struct
 *  weiri_plain. */
enum weiri_verdict weiri_plain_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_plain_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_plain_atomic_done(void *self, const struct weiri_event *event);
bool weiri_plain_takes_atomic(const volatile void *address, uint64_t what,
                              const void *place, void *self,
                              const struct weir_group *group, uint32_t calls);
bool weiri_plain_takes(const volatile void *address, uint64_t what, const void *pc,
                       void *self, const struct weir_group *group, uint32_t calls);

/** After an ACCESS or ATOMIC_DONE: the next one from the same place in the code may
 *  take the shortcut. The observers call this themselves. */
void weiri_plain_learn(struct weiri_plain *plain, const struct weiri_event *event);

#define WEIRI_PLAIN_OBSERVERS(self)                                                    \
    { weiri_plain_access, (self), WEIRI_EVENT_BIT(ACCESS) },                           \
        { weiri_plain_atomic, (self), WEIRI_EVENT_BIT(ATOMIC) },                       \
    {                                                                                  \
        weiri_plain_atomic_done, (self), WEIRI_EVENT_BIT(ATOMIC_DONE)                  \
    }

#endif
