/* SPDX-License-Identifier: MIT
 *
 * rewind.c: see rewind.h. The events that stay are added to the copy in the order in
 * which they were added to the graph. */
#include "config.h"

#include "model/rewind.h"

/* The write that the read reads from if some writes are missing: numbers of events at
 * @numbers, or WEIRI_NO_EVENT. The missing writes belong to read-modify-writes that
 * write the value they read. */
static uint16_t source_of(const struct weiri_graph *graph, uint16_t from,
                          const uint16_t *numbers)
{
    while (from != WEIRI_NO_EVENT && numbers[from] == WEIRI_NO_EVENT) {
        from = graph->nodes[graph->nodes[from].before].from;
    }
    return from == WEIRI_NO_EVENT ? from : numbers[from];
}

/* Adds the event of @graph to the copy. Returns: its number */
static uint32_t add_copy(struct weiri_graph *copy, const struct weiri_graph *graph,
                         uint32_t event, const uint16_t *numbers)
{
    const struct weiri_node *node = &graph->nodes[event];
    const uint16_t *at = graph->writes[node->location].at;
    uint32_t place = 0;
    switch (node->kind) {
    case WEIRI_READS_MEMORY:
        return weiri_graph_read(copy, node->thread,
                                source_of(graph, node->from, numbers), node->update);
    case WEIRI_WRITES_MEMORY:
        if (node->update) {
            return weiri_graph_update(copy, node->thread, node->value);
        }
        for (uint32_t i = 0; i < node->position; i++) {
            place += at[i] < event && numbers[at[i]] != WEIRI_NO_EVENT;
        }
        return weiri_graph_write(copy, node->thread, place);
    case WEIRI_FENCES:
        return weiri_graph_fence(copy, node->thread);
    case WEIRI_UPDATES_BLINDLY:
        return weiri_graph_blind(copy, node->thread);
    case WEIRI_ENTERS:
        return weiri_graph_enter(copy, node->thread);
    default:
        return weiri_graph_exit(copy, node->thread);
    }
}

void weiri_graph_rewind(struct weiri_graph *copy, const struct weiri_graph *graph,
                        uint32_t thread)
{
    int64_t n = weiri_graph_next(graph, thread)->value;
    uint32_t left = graph->nodes[graph->last[thread]].index + 1u - (uint32_t)n;
    g_autofree uint16_t *numbers = g_new(uint16_t, graph->n);
    weiri_graph_cut(copy, 0);
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        bool out = node->thread == thread && node->index >= left;
        numbers[e] = out ? WEIRI_NO_EVENT : (uint16_t)add_copy(copy, graph, e, numbers);
    }
}
