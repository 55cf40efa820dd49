/* SPDX-License-Identifier: MIT
 *
 * residency.c: see residency.h. To take steps whenever possible is the best that can be
 * done: a step makes no other one impossible, and an end makes room. */
#include "config.h"

#include "native/residency.h"

/* The steps of an execution, some of which have been taken. */
struct taking {
    const struct weiri_graph *graph;
    uint32_t n_items, n_threads;
    uint32_t *first; /* by thread: of its events in @events; and the end */
    uint16_t *events;
    uint32_t *taken; /* by thread: the number of its first events */
};

static void taking_init(struct taking *taking, const struct weiri_graph *graph,
                        uint32_t n_items)
{
    uint32_t n_threads = graph->frame->n_threads;
    *taking = (struct taking){ .graph = graph,
                               .n_items = n_items,
                               .n_threads = n_threads,
                               .first = g_new0(uint32_t, n_threads + 1),
                               .events = g_new(uint16_t, graph->n),
                               .taken = g_new0(uint32_t, n_threads) };
    for (uint32_t t = 0; t < n_threads; t++) {
        uint16_t last = graph->last[t];
        taking->first[t + 1] = taking->first[t]
            + (last == WEIRI_NO_EVENT ? 0 : graph->nodes[last].index + 1u);
    }
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        taking->events[taking->first[node->thread] + node->index] = (uint16_t)e;
    }
}

static void taking_clear(struct taking *taking)
{
    g_free(taking->first);
    g_free(taking->events);
    g_free(taking->taken);
}

static uint32_t events_of(const struct taking *taking, uint32_t thread)
{
    return taking->first[thread + 1] - taking->first[thread];
}

/* The place among the writes of its location that the access has or reads from, from
 * 1. */
static uint32_t stand(const struct weiri_graph *graph, const struct weiri_node *node)
{
    uint16_t write = node->from;
    return node->kind == WEIRI_WRITES_MEMORY ? node->position + 1u
        : write == WEIRI_NO_EVENT            ? 0
                                             : graph->nodes[write].position + 1u;
}

/* Under `sc`: whether an access of the location that comes before is still to be
 * taken. */
static bool is_early(const struct taking *taking, const struct weiri_node *node)
{
    const struct weiri_graph *graph = taking->graph;
    if (graph->frame->model != WEIRI_EXPLORED_SC || !weiri_node_is_access(node)) {
        return false;
    }
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *other = &graph->nodes[e];
        if (weiri_node_is_access(other) && other->location == node->location
            && other->index >= taking->taken[other->thread]
            && (other->kind == WEIRI_WRITES_MEMORY || node->kind == WEIRI_WRITES_MEMORY)
            && stand(graph, other) < stand(graph, node)) {
            return true;
        }
    }
    return false;
}

/* Whether the thread's next event has all that it needs. */
static bool may_take(const struct taking *taking, uint32_t thread)
{
    const struct weiri_graph *graph = taking->graph;
    uint16_t event = taking->events[taking->first[thread] + taking->taken[thread]];
    const uint16_t *needed = weiri_graph_view(graph, event, WEIRI_CAUSES);
    for (uint32_t t = 0; t < taking->n_threads; t++) {
        if (t != thread && needed[t] > taking->taken[t]) {
            return false;
        }
    }
    return !is_early(taking, &graph->nodes[event]);
}

static bool has_ended(const struct taking *taking, uint32_t group)
{
    bool ended = true;
    for (uint32_t i = 0; i < taking->n_items; i++) {
        uint32_t t = group * taking->n_items + i;
        ended = ended && taking->taken[t] == events_of(taking, t)
            && weiri_graph_next(taking->graph, t)->kind == WEIRI_STEP_END;
    }
    return ended;
}

bool weiri_residency_permits(const struct weiri_graph *graph, uint32_t n_items,
                             uint32_t resident)
{
    struct taking taking;
    taking_init(&taking, graph, n_items);
    uint32_t n_taken = 0;
    for (bool goes = true; goes;) {
        goes = false;
        uint32_t n_groups = taking.n_threads / n_items, n_there = 0;
        for (uint32_t g = 0; g < n_groups && n_there < resident; g++) {
            n_there += !has_ended(&taking, g);
            for (uint32_t t = g * n_items; t < (g + 1) * n_items; t++) {
                while (taking.taken[t] < events_of(&taking, t)
                       && may_take(&taking, t)) {
                    taking.taken[t]++;
                    n_taken++;
                    goes = true;
                }
            }
        }
    }
    taking_clear(&taking);
    return n_taken == graph->n;
}

uint32_t weiri_residency_unended(const struct weiri_graph *graph, uint32_t n_items,
                                 uint32_t *groups)
{
    uint32_t n = 0, last = UINT32_MAX;
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        uint32_t g = t / n_items;
        if (weiri_graph_next(graph, t)->kind != WEIRI_STEP_END && g != last) {
            groups[n++] = g;
            last = g;
        }
    }
    return n;
}
