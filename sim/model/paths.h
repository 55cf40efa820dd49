/* SPDX-License-Identifier: MIT
 *
 * paths.h: the ways that control can take through a thread, for any values that it
 * reads: the interface that a program must offer, beyond struct weiri_program's steps,
 * to be enumerated by model/enumerate.c.
 *
 * A path has no branches left. It is a list of events and, in a form that only the
 * program knows, the outcomes that lead along it; so it is a condition on the values
 * that the thread reads. A path can be followed with some of these values known: that
 * shows which further values are known, or that the thread does not take this path. */
#ifndef WEIRI_PATHS_H
#define WEIRI_PATHS_H

#include "model/execution.h"

/**
 * weiri_symbolic: a value that may be unknown
 * @unknown: 0 if the value is known; two unknown values with the same number are equal
 * @type: of an unknown value, see struct weiri_program_location
 */
struct weiri_symbolic {
    int64_t value;
    uint32_t unknown;
    uint32_t type;
};

static inline struct weiri_symbolic weiri_symbolic_known(int64_t value)
{
    return (struct weiri_symbolic){ .value = value };
}

/* Unknown values with lower numbers are the enumerator's, others the program's. */
enum { WEIRI_PATH_NUMBERS = 1 << 20 };

/**
 * weiri_path:
 * @events: of the thread, complete but for what depends on the values that are read:
 *          value, from, position and dependencies
 * @n_round: %WEIRI_END_SPIN: how many events the last iteration has, the one that
 *           changed nothing; they are the path's last events
 * @has_dependencies: the events' dependencies are set, too
 * @steps: the program's own; freed with g_free()
 */
struct weiri_path {
    enum weiri_execution_end end;
    uint32_t n_events, n_round, n_steps;
    struct weiri_execution_event *events;
    bool has_dependencies;
    void *steps;
};

/**
 * weiri_paths: the paths of a thread
 * @complete: all paths are listed. A path that spins because a compare-exchange has
 *            failed, although it could have succeeded, is not listed: no thread waits
 *            there for ever
 * @synchronises: an iteration that changes nothing may have synchronised with another
 *                thread
 * @reassigns: such an iteration has assigned a variable the value that it had, and the
 *             variable is read later: its value may depend on other reads from then on
 * @releases: an event of the thread can release the events before it
 */
struct weiri_paths {
    uint32_t n;
    struct weiri_path *paths;
    bool complete;
    bool synchronises, reassigns, releases;
};

/**
 * weiri_path_interface: the interface of a program that can be enumerated
 * @find: @may_wait: other threads must reach the thread's barriers, too.
 *        Returns: (transfer full)
 * @follow: @values: by event: (in) for a read, the value read, or if it is unknown a
 *          number of its own below %WEIRI_PATH_NUMBERS; (out) for a write, the value
 *          written. Returns: false if values that are known lead along another path
 * @fits: whether there may be an execution in which the first @n threads take the
 *        @chosen paths; or %NULL
 * @depend: sets the dependencies of the path's events, where all @values are known
 */
struct weiri_path_interface {
    struct weiri_paths (*find)(void *self, uint32_t thread, bool may_wait);
    bool (*follow)(void *self, uint32_t thread, const struct weiri_path *path,
                   struct weiri_symbolic *values);
    bool (*fits)(void *self, struct weiri_path *const *chosen, uint32_t n);
    void (*depend)(void *self, uint32_t thread, struct weiri_path *path,
                   const struct weiri_symbolic *values);
};

#endif
