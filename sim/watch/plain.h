/* SPDX-License-Identifier: MIT
 *
 * plain.h: the observer of the plain accesses of a checked launch. It passes them to
 * the observers of bounds, races and unwritten memory, in this order. Most accesses
 * concern none of these: they are in bounds, to written memory, and happen after all
 * that the records of their word hold. A short test shows that before there is an
 * event. */
#ifndef WEIRI_PLAIN_H
#define WEIRI_PLAIN_H

#include "exec/event.h"

struct weiri_bounds;
struct weiri_happens_before;
struct weiri_race;
struct weiri_race_report;
struct weiri_uninit;

/* What the latest access from a place in the code has shown. */
struct weiri_plain_place {
    const void *pc;
    uint32_t calls;
    uint32_t number; /* of the place, in records */
    struct weiri_object *object;
    uint32_t what; /* see weiri_access_what() */
};
enum { WEIRI_PLAIN_PLACES = 1024 }; /* a power of two */

/* All pointers are borrowed. */
struct weiri_plain {
    struct weiri_bounds *bounds;
    struct weiri_race *race;
    struct weiri_uninit *uninit;
    const struct weiri_happens_before *order;            /* of @race */
    const struct weiri_race_report *found;               /* the same */
    struct weiri_plain_place places[WEIRI_PLAIN_PLACES]; /* by a hash */
};

void weiri_plain_init(struct weiri_plain *plain, struct weiri_bounds *bounds,
                      struct weiri_race *race, struct weiri_uninit *uninit);

/** An observer function and its shortcut; @self is the struct weiri_plain. */
enum weiri_verdict weiri_plain_access(void *self, const struct weiri_event *event);
bool weiri_plain_takes(void *self, const volatile void *address, uint32_t what,
                       const void *pc, const struct weir_group *group, uint32_t calls);

/** The next access from the same place in the code may take the shortcut. The observer
 *  calls this itself. */
void weiri_plain_learn(struct weiri_plain *plain, const struct weiri_event *event);

#define WEIRI_PLAIN_OBSERVER(self)                                                     \
    {                                                                                  \
        weiri_plain_access, (self), WEIRI_EVENT_BIT(ACCESS)                            \
    }

#endif
