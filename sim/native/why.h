/* SPDX-License-Identifier: MIT
 *
 * why.h: the execution that is shown for a finding of an exploration: which one of many
 * is kept, and what is said of it. */
#ifndef WEIRI_NATIVE_WHY_H
#define WEIRI_NATIVE_WHY_H

#include "exec/finding.h"
#include "model/graph.h"
#include "model/model.h"
#include "native/program.h"

/**
 * weiri_kept: all zeros before the first execution
 * @execution: of those that were noted one with the fewest events; of these, one with
 *             the fewest stale reads; of these, the first in the order of
 *             weiri_execution_compare(). So it does not depend on the order in which
 *             they are found
 * @stale: its stale reads
 * @one, @other: of a race: its events
 */
struct weiri_kept {
    struct weiri_execution *execution; /* owned */
    uint32_t stale;
    uint32_t one, other;
};

/** What an execution shows. */
enum weiri_shows {
    WEIRI_SHOWS_RACE,
    WEIRI_SHOWS_RESULT, /* a wrong one */
    WEIRI_SHOWS_BARRIER,
    WEIRI_SHOWS_LOOP, /* items that wait in loops, for ever */
    WEIRI_SHOWS_FAULT,
};

/** Notes an execution. @one, @other: of a race: events of the graph; else 0. Returns:
 *  whether it is the one that is kept now */
bool weiri_kept_note(struct weiri_kept *kept, const struct weiri_graph *graph,
                     uint32_t one, uint32_t other);
void weiri_kept_clear(struct weiri_kept *kept);

/**
 * weiri_why_show:
 * @native: what was explored; its tree of histories is that of @kept
 * @model: under which
 * @why: (out) (transfer full): in a sentence, how the items come to it; or %NULL
 *
 * Context: not on an item's stack, which is too small for looking up symbols
 *
 * Returns: (transfer full): the execution; %NULL if it is too large to be shown
 */
struct weir_explored_execution *weiri_why_show(const struct weiri_native *native,
                                               const struct weiri_symbols *symbols,
                                               const struct weiri_model *model,
                                               const struct weiri_kept *kept,
                                               enum weiri_shows shows, char **why);

#endif
