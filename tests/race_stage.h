/* SPDX-License-Identifier: MIT
 *
 * race_stage.h: a launch that never was. A program of race_program.h is fed to the
 * race detector as the machine would do it, event by event. */
#ifndef WEIR_TESTS_RACE_STAGE_H
#define WEIR_TESTS_RACE_STAGE_H

#include "race_program.h"

#include "watch/bounds.h"
#include "watch/fan-out.h"
#include "watch/plain.h"
#include "watch/race.h"
#include "watch/uninit.h"

/* What the machine would be. Places in the code are numbers: each step has its own, or
 * few are shared by many. */
struct stage {
    const struct program *program;
    bool shared;
    struct weiri_race *race;
    struct weiri_bounds *bounds; /* these two: for @plain */
    struct weiri_uninit *uninit;
    struct weiri_plain plain;
    bool cuts;              /* accesses take the shortcut where they can; */
    bool taken[MOST_STEPS]; /* the steps that have */
    unsigned at;            /* the step of the latest stage_emit() */
    struct weir_kernel kernel;
    struct weir_group groups[MOST_GROUPS];
    bool resident[MOST_GROUPS];
    bool begun[MOST_ITEMS];
    unsigned left[MOST_GROUPS];              /* steps of the group to come */
    bool fenced[MOST_ITEMS];                 /* a barrier's second fence is due, */
    unsigned barrier[MOST_ITEMS];            /* and of which meeting */
    struct weiri_object slots[MOST_OBJECTS]; /* a local one serves group after group */
    struct weiri_object *objects[MOST_OBJECTS];
    char memory[MOST_OBJECTS][MOST_OBJECT_BYTES];
    struct weir_site sites[MOST_STEPS + 1]; /* by place */
};

/** The launch begins. @shared: places are. Borrows the program */
struct stage *stage_new(const struct program *program, bool shared);

/** And ends. */
void stage_free(struct stage *stage);

/** Feeds it all events of a step; each step once, in order. */
void stage_emit(struct stage *stage, unsigned index);

/** Whether an access of the detector's is at the step's place and does what it does. */
bool stage_is_at(const struct stage *stage, const struct weiri_race_access *access,
                 unsigned index);

#endif
