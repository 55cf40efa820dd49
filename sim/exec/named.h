/* SPDX-License-Identifier: MIT
 *
 * named.h: the named barriers of a group, at which whole sub-groups wait, or arrive
 * without waiting. Each is for a number of items that the calls state. */
#ifndef WEIRI_NAMED_H
#define WEIRI_NAMED_H

#include "exec/group.h"

struct weiri_lanes;
struct weiri_whereabouts;
struct weiri_worker;

enum { WEIRI_NAMED_BARRIERS = 16 };

/* An item that waits. */
struct weiri_named_arrival {
    uint32_t item;
    uint64_t op;
    const struct weir_site *site;
};

/* A barrier. Between two phases nothing has arrived. */
struct weiri_named_barrier {
    uint32_t expected; /* items, in full sub-groups; set by the first arrival */
    uint32_t arrived;  /* the same, of sub-groups that have arrived */
    enum weiri_collective kind; /* of those that wait: a reduction, or BARRIER */
    uint64_t channel;           /* of this phase; see weiri_worker_new_channel() */
    GArray *waiting;            /* of struct weiri_named_arrival */
};

/* In which barrier and for how many items lanes meet: the detail of struct
 * weiri_lanes. */
#define WEIRI_NAMED_DETAIL(id, expected, kind)                                         \
    ((uint64_t)(expected) << 32 | (uint64_t)(kind) << 8 | (uint64_t)(id))

static inline bool weiri_named_is(uint64_t op)
{
    return WEIRI_OP_KIND(op) == WEIRI_NAMED_SYNC
        || WEIRI_OP_KIND(op) == WEIRI_NAMED_ARRIVE;
}

/** The barrier, or %NULL where the group has not used any. */
static inline const struct weiri_named_barrier *weiri_named_at(
    const struct weiri_group *group, uint32_t id)
{
    return group->named != NULL ? &group->named[id] : NULL;
}

/** All lanes of a sub-group have reached the barrier. Returns: whether they can go
 *  on */
bool weiri_named_join(struct weiri_worker *worker, struct weiri_group *group,
                      const struct weiri_lanes *lanes);

/** The first barrier at which items wait, or %NULL. */
const struct weiri_named_barrier *weiri_named_waiting(const struct weiri_group *group,
                                                      uint32_t *id);

/** Adds the places of items that wait at named barriers. */
void weiri_named_find_places(const struct weiri_group *group,
                             struct weiri_whereabouts *places);

/** In a deterministic launch: releases all items that wait. */
void weiri_named_release_all(struct weiri_worker *worker, struct weiri_group *group);

/* The group object starts anew, or is freed. In line: group.c does not depend on the
 * scheduler. */
static inline void weiri_named_reset(struct weiri_group *group)
{
    for (uint32_t id = 0; group->named != NULL && id < WEIRI_NAMED_BARRIERS; id++) {
        struct weiri_named_barrier *named = &group->named[id];
        named->arrived = 0;
        if (named->waiting != NULL) {
            g_array_set_size(named->waiting, 0);
        }
    }
}

static inline void weiri_named_free(struct weiri_group *group)
{
    for (uint32_t id = 0; group->named != NULL && id < WEIRI_NAMED_BARRIERS; id++) {
        g_clear_pointer(&group->named[id].waiting, g_array_unref);
    }
    g_clear_pointer(&group->named, g_free);
}

#endif
