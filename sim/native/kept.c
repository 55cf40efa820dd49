/* SPDX-License-Identifier: MIT
 *
 * kept.c: see kept.h. Executions are compared by the cheapest property first: their
 * numbers of events, then their stale reads, then all of their events. */
#include "config.h"

#include "native/kept.h"

bool weiri_kept_note(struct weiri_kept *kept, const struct weiri_graph *graph,
                     uint32_t one, uint32_t other)
{
    const struct weiri_execution *best = kept->execution;
    uint32_t n_events = weiri_graph_n_events(graph);
    bool smaller = best == NULL || n_events < best->n_events;
    /* Without stale reads only the order of executions is left to be less by. */
    if (!smaller
        && (n_events > best->n_events
            || (kept->stale == 0 && weiri_graph_compare(graph, best) >= 0))) {
        return false;
    }
    uint32_t stale = weiri_graph_stale(graph, smaller ? UINT32_MAX - 1 : kept->stale);
    if (!smaller && stale > kept->stale) {
        return false;
    }
    if (smaller || stale < kept->stale) {
        g_clear_pointer(&kept->execution, weiri_execution_free);
        kept->stale = stale;
    }
    if (!weiri_graph_keep(graph, &kept->execution)) {
        return false;
    }
    if (graph->n > 0) {
        kept->one = weiri_graph_event(graph, kept->execution, one);
        kept->other = weiri_graph_event(graph, kept->execution, other);
    }
    return true;
}

void weiri_kept_clear(struct weiri_kept *kept)
{
    weiri_execution_free(kept->execution);
    *kept = (struct weiri_kept){ .execution = NULL };
}
