/* SPDX-License-Identifier: MIT
 *
 * race.h: the race detector: an observer that keeps happens-before between the items of
 * one launch and judges each access to device and local memory against those before it.
 * docs/race-detection.md has the algorithm and why it is right. */
#ifndef WEIRI_RACE_H
#define WEIRI_RACE_H

#include "exec/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"

struct weiri_race_rules {
    enum weir_scope_rule scope_rule;
    enum weir_spaces spaces;
    enum weir_same_value same_value;
};

/* One of the two accesses of a race. */
struct weiri_race_access {
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    uint32_t calls;
    uint64_t group; /* linear */
    uint32_t item;  /* local linear id */
    bool writes;
    bool reads;
    bool atomic;
    enum weiri_atomic kind; /* where it is atomic, as what follows */
    memory_order order;
    memory_scope scope;
};

/* Accesses of two places in the code that race, once for all their races. */
struct weiri_race_pair {
    enum weir_finding_kind kind;            /* data-race, scope-race or mixed-atomic */
    struct weiri_race_access first, second; /* of the earliest race, in order of time */
    const struct weiri_object *object;      /* of the same */
    size_t offset;                          /* its first byte that both touch */
    bool same_value; /* all were writes of the value that was there */
    uint64_t count;  /* races: pairs of accesses */
};

struct weiri_race;

/** @shape: of the launch's groups; @n_groups of them */
struct weiri_race *weiri_race_new(const struct weiri_race_rules *rules,
                                  const struct weiri_shape *shape, size_t n_groups);
void weiri_race_free(struct weiri_race *race);

/** What it is told, as observers of a launch, one for each of the frequent events;
 *  @self is the struct weiri_race. */
enum weiri_verdict weiri_race_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_before(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_race_group(void *self, const struct weiri_event *event);

#define WEIRI_RACE_OBSERVERS(self)                                                     \
    { weiri_race_access, (self), WEIRI_TOLD(ACCESS) },                                 \
        { weiri_race_before, (self), WEIRI_TOLD(ATOMIC) },                             \
        { weiri_race_atomic, (self), WEIRI_TOLD(ATOMIC_DONE) },                        \
    {                                                                                  \
        weiri_race_group, (self),                                                      \
            WEIRI_TOLD(GROUP_BEGIN) | WEIRI_TOLD(GROUP_END) | WEIRI_TOLD(RELEASE)      \
    }

/** Pairs found so far, in the order in which they were found. */
size_t weiri_race_n_pairs(const struct weiri_race *race);
const struct weiri_race_pair *weiri_race_pair(const struct weiri_race *race,
                                              size_t index);

/** Adds a finding for each pair. After the last event. @place_of: a number for the
 *  place in the source of a return address; or %NULL */
void weiri_race_report(struct weiri_race *race, const struct weir_kernel *kernel,
                       const struct weiri_call_tree *callers,
                       uint32_t (*place_of)(const void *pc),
                       struct weir_report *report);

#endif
