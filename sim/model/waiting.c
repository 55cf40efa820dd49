/* SPDX-License-Identifier: MIT
 *
 * waiting.c: threads that have stopped in a loop which changes nothing. They have been
 * through one iteration, whose reads could read the same values for ever. */
#include "config.h"

#include "model/waiting.h"

/* Goes backwards through the last iteration of a thread that has stopped in a loop;
 * @currents is the place of the latest write of each location. Returns: false if an
 * event of the iteration is not at the latest write, or is a compare-exchange that
 * failed although it could have succeeded */
static bool go_back(const struct weiri_graph *graph, uint32_t thread,
                    uint32_t *currents)
{
    const struct weiri_step *next = weiri_graph_next(graph, thread);
    int64_t n = next->kind == WEIRI_STEP_SPIN ? next->value : 0;
    uint16_t event = graph->last[thread];
    for (; n > 0; n--, event = graph->nodes[event].before) {
        const struct weiri_node *node = &graph->nodes[event];
        uint32_t *current = &currents[node->location];
        int64_t value;
        if (node->kind == WEIRI_WRITES_MEMORY) {
            if (node->position + 1u != (*current)--) {
                return false;
            }
        } else if (node->kind == WEIRI_READS_MEMORY) {
            uint32_t at = node->from == WEIRI_NO_EVENT
                ? 0
                : graph->nodes[node->from].position + 1u;
            if (at != *current
                || (!node->update
                    && weiri_graph_writes(graph, event, node->from, &value))) {
                return false;
            }
        }
    }
    return true;
}

bool weiri_graph_waits(const struct weiri_graph *graph, uint32_t *currents)
{
    for (uint32_t l = 0; l < graph->frame->program->n_locations; l++) {
        currents[l] = graph->writes[l].n;
    }
    for (uint32_t t = graph->frame->n_threads; t-- > 0;) {
        if (!go_back(graph, t, currents)) {
            return false;
        }
    }
    return true;
}

bool weiri_graph_may_wait(const struct weiri_graph *graph)
{
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        const struct weiri_step *next = weiri_graph_next(graph, t);
        int64_t n = next->kind == WEIRI_STEP_SPIN ? next->value : 0;
        uint16_t event = graph->last[t];
        for (; n > 0; n--, event = graph->nodes[event].before) {
            const struct weiri_node *node = &graph->nodes[event];
            if (node->kind == WEIRI_READS_MEMORY
                && node->value != weiri_graph_memory(graph, node->location)) {
                return false;
            }
        }
    }
    return true;
}
