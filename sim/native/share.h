/* SPDX-License-Identifier: MIT
 *
 * share.h: an exploration that several processes share. Each explores some pieces of
 * the tree of choices; see model/explore.h. Together they find exactly what one process
 * would have found.
 *
 * Threads: only the thread of the launch. */
#ifndef WEIRI_NATIVE_SHARE_H
#define WEIRI_NATIVE_SHARE_H

#include "model/explore.h"
#include "native/program.h"
#include "native/shared.h"

struct weiri_exchange;

/**
 * weiri_sharing:
 * @how: as for one process, with @user for all calls
 * @n_processes: of this rank
 * @only_first: the exploration ends at the first execution that is kept
 * @exchange: with the other ranks, which share the exploration, too; or %NULL
 * @cut: (out): time was too short to learn all that was found
 * @collect: called in a process that has explored: sets the states, the kept
 *           executions, and the counts that weiri_exploration lacks
 * @again: called for each execution that was kept, in the order in which one process
 *         visits them, in place of @how's calls. @executions: that it stands for
 */
struct weiri_sharing {
    struct weiri_native *native;
    const struct weiri_explore_options *how;
    unsigned n_processes;
    bool only_first;
    const struct weiri_exchange *exchange;
    bool *cut;
    void (*collect)(void *user, struct weiri_shared *shared);
    void (*again)(void *user, const struct weiri_graph *graph, uint32_t kind,
                  uint64_t executions);
};

/**
 * weiri_share:
 *
 * Explores the program in several processes. Afterwards the program has all histories
 * that these have met, unless the time ends before. If the program of a process has
 * stopped, this one stops, for the same reason. The result is then %NULL, as it is if a
 * process ends early: native->failure states why.
 *
 * Returns: (transfer full) (element-type struct weiri_shared): the results of each
 *          process, or %NULL
 */
GPtrArray *weiri_share(const struct weiri_sharing *sharing);

/** Returns: (transfer full): the place of the execution that is visited; %NULL if only
 *  one process explores */
GArray *weiri_share_place(void);

#endif
