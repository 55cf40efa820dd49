/* SPDX-License-Identifier: MIT
 *
 * race-report.h: races as they are reported: which places in the code race, how often,
 * and the known reasons why nothing orders them. Part of the race detector. */
#ifndef WEIRI_RACE_REPORT_H
#define WEIRI_RACE_REPORT_H

#include "base/call-tree.h"
#include "exec/finding.h"
#include "watch/race-pair.h"

/* A race, just before its second access. */
struct weiri_race_instance {
    const struct weiri_object *object;
    size_t offset; /* first byte that both touch */
    enum weiri_memory_space space;
    unsigned bytes;       /* a mask: the bytes of @word that both touch */
    const char *word;     /* the 4 bytes of memory around them */
    bool ordered_if_wide; /* if all scopes were as wide as the system */
    bool in_step;         /* common steps of the sub-group order it: step-order.h */
    struct weiri_race_point first, second;
};

struct weiri_race_report {
    struct weiri_pair_context context; /* first */
    GPtrArray *pairs;      /* of struct weiri_explained_pair, owned; in order of time */
    GHashTable *by_places; /* both places and the kind -> pair */
    GPtrArray *groups; /* of struct weiri_race_report_group: the resident ones; owned */
    struct weiri_race_report_group *latest; /* the group of the latest call */

    /* While the second of two racing writes has yet to happen. Both have written the
     * same value if all words of both are the same after it:
     * weiri_race_report_settle(). */
    bool writing;
    GArray *written; /* of struct written: the words of these; owned */
};

void weiri_race_report_init(struct weiri_race_report *races,
                            const struct weiri_race_rules *rules,
                            const struct weiri_shape *shape);
void weiri_race_report_clear(struct weiri_race_report *races);

/** The number of a place. */
uint32_t weiri_race_report_place_index(struct weiri_race_report *races,
                                       const struct weiri_place *place);

void weiri_race_report_begin_group(struct weiri_race_report *races, uint64_t group);
void weiri_race_report_end_group(struct weiri_race_report *races, uint64_t group);

/** A rendezvous of a group or sub-group is complete. @times: after it, by memory */
void weiri_race_report_meet(struct weiri_race_report *races, uint64_t group,
                            const struct weiri_event *event,
                            const uint32_t times[WEIRI_N_SPACES]);

/** All items of the group have asked for the copy that is recorded with the time @time
 *  of those that are pending. */
void weiri_race_report_copy(struct weiri_race_report *races, uint64_t group,
                            uint32_t time);

/** The item's latest reading, for the caller to fill in. */
struct weiri_reading *weiri_race_report_reading(struct weiri_race_report *races,
                                                uint64_t group, uint32_t item);

/** An acquire fence of the item. @narrow: with wider scopes it would have synchronised
 *  with the write that the item's latest reading has read */
void weiri_race_report_fence(struct weiri_race_report *races, uint64_t group,
                             uint32_t item, memory_scope scope, bool narrow);

void weiri_race_report_add(struct weiri_race_report *races,
                           const struct weiri_race_instance *instance);

/** To be called before each event: the access of the event before it has happened. */
void weiri_race_report_settle_write(struct weiri_race_report *races);

static inline void weiri_race_report_settle(struct weiri_race_report *races)
{
    if (__builtin_expect(races->writing, 0)) {
        weiri_race_report_settle_write(races);
    }
}

/** All that is known of the access at a point. */
struct weiri_race_access weiri_race_report_access(const struct weiri_race_report *races,
                                                  const struct weiri_race_point *point);

size_t weiri_race_report_n_pairs(const struct weiri_race_report *races);
const struct weiri_race_pair *weiri_race_report_pair(
    const struct weiri_race_report *races, size_t index);

/** Adds a finding for each pair to @report, after the last event. In race-finding.c. */
void weiri_race_report_findings(struct weiri_race_report *races,
                                const struct weir_kernel *kernel,
                                const struct weiri_call_tree *call_tree,
                                const struct weiri_symbols *symbols,
                                struct weir_report *report);

#endif
