/* SPDX-License-Identifier: MIT
 *
 * race.h: the race detector: an observer that keeps happens-before between the items of
 * one launch, and compares each access to device and local memory with those before it.
 *
 *     hooks.c, access.c       an access of a kernel becomes an event
 *     plain.c                 where a short test shows that an access races with
 *                             nothing, it records the access, and there is no event
 *     fan-out.c               passes an event on to race.c
 *     race.c                  compares it with earlier accesses (shadow.c) by
 *                             happens-before (order.c)
 *     race-report.c           keeps a pair of places that race, with its first race
 *     race-finding.c          after the launch: makes a finding of each pair, with the
 *                             reason that race-reason.c finds
 *     exec/finding.c          keeps the findings; finding-close.c looks up their lines
 *                             in the source
 *
 * docs/race-detection.md has the algorithm and the argument that it is correct. */
#ifndef WEIRI_RACE_H
#define WEIRI_RACE_H

#include "base/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"
#include "watch/race-pair.h"

struct weiri_race;
struct weiri_shadows;

/** @shape: of the launch's groups; @n_groups of them */
struct weiri_race *weiri_race_new(const struct weiri_race_rules *rules,
                                  const struct weiri_shape *shape, size_t n_groups);
void weiri_race_free(struct weiri_race *race);

/** Observer functions, one for each frequent kind of event; @self is the struct
 *  weiri_race. */
enum weiri_verdict weiri_race_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_prefetch(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_group(void *self, const struct weiri_event *event);

/* The observer of all these kinds but ACCESS and ATOMIC*. */
#define WEIRI_RACE_OTHERS(self)                                                        \
    {                                                                                  \
        weiri_race_group, (self),                                                      \
            WEIRI_EVENT_BIT(GROUP_BEGIN) | WEIRI_EVENT_BIT(GROUP_END)                  \
            | WEIRI_EVENT_BIT(RELEASE) | WEIRI_EVENT_BIT(COPY)                         \
            | WEIRI_EVENT_BIT(COPIED) | WEIRI_EVENT_BIT(GIVE) | WEIRI_EVENT_BIT(TAKE)  \
            | WEIRI_EVENT_BIT(FORGET) | WEIRI_EVENT_BIT(STEP)                          \
    }

#define WEIRI_RACE_OBSERVERS(self)                                                     \
    { weiri_race_access, (self), WEIRI_EVENT_BIT(ACCESS) },                            \
        { weiri_race_prefetch, (self), WEIRI_EVENT_BIT(ATOMIC) },                      \
        { weiri_race_atomic, (self), WEIRI_EVENT_BIT(ATOMIC_DONE) },                   \
        WEIRI_RACE_OTHERS(self)

/** The records of accesses, for race-left.c. */
const struct weiri_shadows *weiri_race_shadows(const struct weiri_race *race);

/** Its parts, for plain.c; the races that it has found are asked for findings, too. */
const struct weiri_happens_before *weiri_race_order(const struct weiri_race *race);
struct weiri_race_report *weiri_race_found(struct weiri_race *race);

/* A relaxed atomic of some place in the code, which is not a compare-exchange. */
struct weiri_race_atomic {
    struct weiri_object *object;
    uint32_t place; /* its number */
    uint32_t bytes;
    memory_scope scope;
    unsigned access; /* of enum weiri_access_bit: what it does */
};

/** Does at once what its events would do where it touches aligned bytes at @offset of
 *  the object, if these are up to 4 and that is simple. Returns: false, and does
 *  nothing, for others */
bool weiri_race_takes_atomic(struct weiri_race *race,
                             const struct weiri_race_atomic *atomic, size_t offset,
                             uint64_t group, uint32_t item);

/** The number of the place of an ACCESS or ATOMIC_DONE, which is in a record of it. */
uint32_t weiri_race_place(struct weiri_race *race, const struct weiri_event *event);

/* An access that remains after a launch: a later launch may race with it. */
struct weiri_race_left {
    const struct weiri_object *object;
    const char *word;              /* the 4 bytes around it */
    unsigned bytes;                /* a mask: which of them */
    struct weiri_race_point point; /* of the first item, where several made it */
};

/** Calls @each with the accesses to global memory that the launch has left, after the
 *  last event: to each byte the last write, and what follows it. Where the launch
 *  itself has no race, a later access races with it only if it races with these. */
void weiri_race_each_left(const struct weiri_race *race,
                          const struct weiri_objects *objects,
                          void (*each)(void *data, const struct weiri_race_left *left),
                          void *data);

/** All that is known of such an access. */
struct weiri_race_access weiri_race_access_at(struct weiri_race *race,
                                              const struct weiri_race_point *point);

/** Pairs found so far, in the order in which they were found. */
size_t weiri_race_n_pairs(const struct weiri_race *race);
const struct weiri_race_pair *weiri_race_pair(const struct weiri_race *race,
                                              size_t index);

#endif
