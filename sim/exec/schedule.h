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

/* A schedule as its name says it. */
struct weiri_schedule_spec {
    enum weiri_schedule_kind kind;
    uint32_t changes; /* pct: D, points at which the running item's priority falls */
    uint64_t steps;   /* pct: K, among how many steps these are; 0: it is not told */
};

/**
 * weiri_schedule_parse:
 * @text: "in-order", …, "pct:D" or "pct:D:K"
 *
 * Errors: %WEIR_ERROR_SCHEDULE with the names that there are
 */
bool weiri_schedule_parse(const char *text, struct weiri_schedule_spec *spec,
                          GError **error);

/* One decision that the in-order schedule would not have made: where an item stopped,
 * another one was chosen. Items are told by their group's linear id, so that a switch
 * means the same in every build. */
struct weiri_switch {
    uint64_t step;    /* of the launch, from 0 */
    uint64_t group;   /* who stopped: its group, local id, and which of its stops it */
    uint32_t item;    /* was, from 1; at step 0, where nobody has run, all are 0 */
    uint32_t to_item; /* who was chosen */
    uint64_t stop;
    uint64_t to_group;
    const char *file; /* where it stopped, or NULL */
    uint32_t line;
    const void *pc; /* the same where that is still to be looked up, or NULL */
};

/* What a launch follows. */
struct weiri_script {
    const struct weiri_switch *switches; /* by step */
    size_t n;
    bool loosely;     /* by who stops and not by step; what is not possible is passed
                         over */
    uint64_t n_steps; /* of the launch that was recorded; not if loosely */
};

#endif
