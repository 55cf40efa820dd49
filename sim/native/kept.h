/* SPDX-License-Identifier: MIT
 *
 * kept.h: of the executions that lead to one finding, the one that is kept to be shown.
 * The choice does not depend on the order in which they are found, so that several
 * processes keep the same execution as one process. */
#ifndef WEIRI_NATIVE_KEPT_H
#define WEIRI_NATIVE_KEPT_H

#include "model/graph.h"

/**
 * weiri_kept: all zeros before the first execution
 * @execution: of the executions that were noted, one with the fewest events; of these,
 *             one with the fewest stale reads; of these, the first in the order of
 *             weiri_execution_compare()
 * @stale: the number of its stale reads
 * @one, @other: the events that race, if it is kept for a race
 */
struct weiri_kept {
    struct weiri_execution *execution; /* owned */
    uint32_t stale;
    uint32_t one, other;
};

/** Notes an execution. @one, @other: the events of the graph that race; 0 if it is not
 *  noted for a race. Returns: whether it is kept in place of the one before */
bool weiri_kept_note(struct weiri_kept *kept, const struct weiri_graph *graph,
                     uint32_t one, uint32_t other);
void weiri_kept_clear(struct weiri_kept *kept);

#endif
