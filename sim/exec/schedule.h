/* SPDX-License-Identifier: MIT
 *
 * schedule.h: the schedule of a deterministic launch as its host gives it: by name, or
 * as a script of recorded decisions. */
#ifndef WEIRI_SCHEDULE_H
#define WEIRI_SCHEDULE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIRI_SCHEDULES(X)                                                             \
    X(IN_ORDER, "in-order")                                                            \
    X(REVERSE, "reverse")                                                              \
    X(ROUND_ROBIN, "round-robin")                                                      \
    X(RANDOM, "random")                                                                \
    X(PCT, "pct")

enum weiri_schedule_kind {
#define X(name, text) WEIRI_SCHEDULE_##name,
    WEIRI_SCHEDULES(X)
#undef X
};

/* A schedule as its name states it. */
struct weiri_schedule_spec {
    enum weiri_schedule_kind kind;
    uint32_t changes; /* pct: D, points at which the running item's priority falls */
    uint64_t steps;   /* pct: K, the steps among which these points are; 0: not given */
};

/**
 * weiri_schedule_parse:
 * @text: "in-order", …, "pct:D" or "pct:D:K"
 *
 * Errors: %WEIR_ERROR_SCHEDULE, with a list of all names
 */
bool weiri_schedule_parse(const char *text, struct weiri_schedule_spec *spec,
                          GError **error);

/* One decision that the in-order schedule would not have made: where an item stopped,
 * another one was chosen. Groups are given by their linear id, so that a switch means
 * the same in every build. */
struct weiri_switch {
    uint64_t step;    /* of the launch, from 0 */
    uint64_t group;   /* of the item that stopped; all 0 at step 0, before any item
                         runs */
    uint32_t item;    /* its local id */
    uint32_t to_item; /* the item that was chosen */
    uint64_t stop;    /* the number of the stop among the item's, from 1 */
    uint64_t to_group;
    const char *file; /* where it stopped, or NULL */
    uint32_t line;
    const void *pc; /* the same before it is looked up, or NULL */
};

/* The decisions that a launch follows. */
struct weiri_script {
    const struct weiri_switch *switches; /* by step */
    size_t n;
    bool loosely;     /* a decision is taken at that stop of its item, at any step; a
                         decision that is not possible is skipped */
    uint64_t n_steps; /* of the recorded launch; not used with @loosely */
};

#endif
