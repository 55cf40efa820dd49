/* SPDX-License-Identifier: MIT
 *
 * causes.h: which events of a launch are causes of which: the write that a read reads,
 * the release that an acquire synchronises with, and the time of an event: the length
 * of the longest chain of events that leads to it. Events that could have happened at
 * the same time may have the same time; a later event of the same item, of a rendezvous
 * or of the same memory has a greater one.
 *
 * Events are numbered from 1; 0 means "no event". */
#ifndef WEIRI_CAUSES_H
#define WEIRI_CAUSES_H

#include "base/table.h"
#include "weir-kernel.h"
#include "weir.h"

/* A release, as those that acquire see it. */
struct weiri_release {
    uint32_t event;
    uint32_t item; /* local linear id */
    uint64_t group;
    memory_scope scope;
};

/* An item. All zero at first. */
struct weiri_cause_item {
    uint32_t time;              /* of its latest event */
    struct weiri_release fence; /* its latest release fence */
    GArray *pending; /* of struct weiri_release, that an acquire fence would see; or
                        NULL */
};

struct weiri_causes {
    enum weir_scope_rule rule;
    uint32_t sub_group_shift;
    struct weiri_table cells; /* of memory */
    GArray *edges;            /* of struct weiri_act_edge; borrowed */
};

/* The item that acts, and its event. */
struct weiri_causer {
    struct weiri_cause_item *state;
    uint64_t group;
    uint32_t item;
    uint32_t event;
};

/* An access. @order: of a plain one it is relaxed. */
struct weiri_cause_access {
    uintptr_t address;
    uint32_t bytes;
    bool local; /* memory of the causer's group */
    bool reads, writes, atomic;
    memory_order order;
    memory_scope scope;
};

void weiri_causes_init(struct weiri_causes *causes, enum weir_scope_rule rule,
                       uint32_t sub_group_shift, GArray *edges);
void weiri_causes_clear(struct weiri_causes *causes);

/** Advances the item's time past the access. Returns: the event whose write it reads,
 *  or 0 */
uint32_t weiri_causes_access(struct weiri_causes *causes,
                             const struct weiri_causer *causer,
                             const struct weiri_cause_access *access);

/** The same for a fence. */
void weiri_causes_fence(struct weiri_causes *causes, const struct weiri_causer *causer,
                        memory_order order, memory_scope scope);

#endif
