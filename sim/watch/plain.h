/* SPDX-License-Identifier: MIT
 *
 * plain.h: the shortcut of the accesses of a checked launch. Most accesses concern none
 * of the observers of bounds, races and unwritten memory: they are in bounds, to
 * written memory, and race with nothing that the records of their word hold. A short
 * test shows that before there is an event. Events of the other accesses: fan-out.h. */
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

/** The shortcuts, for struct weiri_shortcut; @self is the struct weiri_plain. */
bool weiri_plain_takes_atomic(const volatile void *address, uint64_t what,
                              const void *place, void *self,
                              const struct weir_group *group, uint32_t calls);
bool weiri_plain_takes(const volatile void *address, uint64_t what, const void *pc,
                       void *self, const struct weir_group *group, uint32_t calls);

/** After an ACCESS or ATOMIC_DONE: the next one from the same place in the code may
 *  take the shortcut. */
void weiri_plain_learn(struct weiri_plain *plain, const struct weiri_event *event);

/** The effect of an atomic operation on memory, of enum weiri_access_bit; 0: none, or
 *  it is not known before. */
static inline unsigned weiri_plain_access_of(enum weiri_atomic kind)
{
    switch (kind) {
    case WEIRI_ATOMIC_LOAD:
        return WEIRI_ACCESS_BIT_READ;
    case WEIRI_ATOMIC_STORE:
        return WEIRI_ACCESS_BIT_WRITE;
    case WEIRI_ATOMIC_COMPARE_EXCHANGE:
    case WEIRI_ATOMIC_FENCE:
    case WEIRI_ATOMIC_REF:
        return 0;
    default:
        return WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_WRITE;
    }
}

#endif
