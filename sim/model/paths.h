/* SPDX-License-Identifier: MIT
 *
 * paths.h: the ways that control can take through a thread of a litmus test, whatever
 * it reads. A path has no branches left: it is a list of what is computed and done,
 * with the outcome of each step, and so a condition on the values that are read. It
 * can be followed with some of them known, and says which others come of them, or that
 * it is not taken. */
#ifndef WEIRI_PATHS_H
#define WEIRI_PATHS_H

#include "model/execution.h"
#include "model/path-step.h"

enum weiri_path_end {
    WEIRI_PATH_ENDS,
    WEIRI_PATH_WAITS,
    WEIRI_PATH_SPINS,
    WEIRI_PATH_BOUND,
    WEIRI_PATH_FAULTS,
};

/**
 * weiri_path:
 * @steps: what computes, decides, or is an event
 * @events: of the thread, as far as they do not depend on values: all but their value,
 *          from, position and dependencies
 * @n_round: SPINS: of those, the events of the round that has changed nothing, the last
 *           ones
 * @tells_spins: it was found with %WEIRI_LITMUS_STOP_SPINS
 * @is_followed: the dependencies are there, too
 */
struct weiri_path {
    enum weiri_path_end end;
    uint32_t n_steps, n_events, n_round;
    struct weiri_path_step *steps;
    struct weiri_happened *events;
    bool tells_spins;
    bool is_followed;
};

/**
 * weiri_paths:
 * @complete: those are all, but for ends where a round has changed nothing because a
 *            compare-exchange failed that need not have: nobody waits there for ever
 * @synchronises: a round that changes nothing may have ordered what is outside of it
 * @reassigns: one has given a slot that is live at the head the value that it had,
 *             which may depend on other reads now
 */
struct weiri_paths {
    uint32_t n;
    struct weiri_path *paths;
    bool complete;
    bool synchronises, reassigns;
};

/**
 * weiri_paths_find:
 * @rounds: as for weiri_litmus_next()
 * @may_wait: others must come to its barriers, too
 *
 * Returns: (transfer full)
 */
struct weiri_paths weiri_paths_find(const struct weiri_litmus_code *code,
                                    uint32_t rounds, bool may_wait);
void weiri_paths_clear(struct weiri_paths *paths);

/**
 * weiri_path_follow:
 * @slots: code->n_slots; scratch
 * @values: by event: (in) of reads, an unknown one with a number of its own below
 *          %WEIRI_PATH_NUMBERS; (out) of writes
 *
 * Returns: false if values that are known lead elsewhere
 */
bool weiri_path_follow(const struct weiri_path *path,
                       const struct weiri_litmus_code *code, struct weiri_unsure *slots,
                       struct weiri_unsure *values);

/** Adds dependencies to the path's events, where @values are all known. */
void weiri_path_add_dependencies(struct weiri_path *path,
                                 const struct weiri_litmus_code *code, uint32_t rounds,
                                 const struct weiri_unsure *values);

#endif
