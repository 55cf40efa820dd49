/* SPDX-License-Identifier: MIT
 *
 * orbits.c: see orbits.h.
 *
 * The execution of an orbit that counts is the one in which the items of each class are
 * in order. Two items are compared by their first events that differ: their places in
 * modification order, see rank_of(). These do not depend on the names of items. Items
 * that do not differ have written nothing, and are the same.
 *
 * The executions that a graph leads to are left out if two items cannot come into order
 * any more. That rests on events that stay in all graphs that follow. A revisit removes
 * only events that were placed by their first choice, and changes no other read. So all
 * events that were placed by a later choice stay, with the events that they need. The
 * reads among them keep their sources, and the writes their order. */
#include "config.h"

#include "native/orbits.h"

#include "native/history.h"

#include <string.h>

/* ---- The order of items ---------------------------------------------------- */

static uint32_t place_of(const struct weiri_graph *graph, uint16_t write)
{
    return write == WEIRI_NO_EVENT ? 0 : graph->nodes[write].position + 1u;
}

/* Where an event sorts among the events of the same step. A read-modify-write that
 * writes is before one that does not. */
static uint32_t rank_of(const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    switch (node->kind) {
    case WEIRI_READS_MEMORY:
        return place_of(graph, node->from) + (node->update ? 0 : WEIRI_MOST_EVENTS);
    case WEIRI_WRITES_MEMORY:
        return place_of(graph, (uint16_t)event);
    default:
        return 0;
    }
}

/* The events of a thread, in order. Returns: their number */
static uint32_t events_of(const struct weiri_graph *graph, uint32_t thread,
                          uint16_t *events)
{
    uint16_t event = graph->last[thread];
    uint32_t n = event == WEIRI_NO_EVENT ? 0 : graph->nodes[event].index + 1u;
    for (; event != WEIRI_NO_EVENT; event = graph->nodes[event].before) {
        events[graph->nodes[event].index] = event;
    }
    return n;
}

/* The events of all threads that have others of their class. */
struct lanes {
    uint32_t *n; /* by thread */
    uint16_t *events, **of;
};

static void lanes_init(struct lanes *lanes, const struct weiri_graph *graph)
{
    uint32_t n_threads = graph->frame->n_threads;
    lanes->n = g_new(uint32_t, n_threads);
    lanes->of = g_new(uint16_t *, n_threads);
    lanes->events = g_new(uint16_t, graph->n + 1);
    uint16_t *next = lanes->events;
    for (uint32_t t = 0; t < n_threads; t++) {
        lanes->of[t] = next;
        lanes->n[t] = events_of(graph, t, next);
        next += lanes->n[t];
    }
}

static void lanes_clear(struct lanes *lanes)
{
    g_free(lanes->n);
    g_free(lanes->of);
    g_free(lanes->events);
}

/* ---- What is left out ------------------------------------------------------ */

/* The number of events of each thread that stay in all graphs that follow. */
static void find_fixed(const struct weiri_graph *graph, uint32_t *fixed)
{
    uint32_t n_threads = graph->frame->n_threads;
    memset(fixed, 0, n_threads * sizeof(*fixed));
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        if (!weiri_node_is_access(node) || node->usual) {
            continue;
        }
        const uint16_t *view = weiri_graph_view(graph, e, WEIRI_CAUSES);
        for (uint32_t t = 0; t < n_threads; t++) {
            fixed[t] = MAX(fixed[t], view[t]);
        }
        fixed[node->thread] = MAX(fixed[node->thread], node->index + 1u);
    }
}

/* Whether no read-modify-write that comes later can read the write that @read reads or
 * an older one, and write: each of them is read by one that stays, because @read stays
 * and needs it. */
static bool is_taken(const struct weiri_graph *graph, uint32_t read)
{
    const struct weiri_node *node = &graph->nodes[read];
    bool taken = node->update;
    for (uint32_t p = 0; p < place_of(graph, node->from) && taken; p++) {
        taken = graph->nodes[graph->writes[node->location].at[p]].update;
    }
    return taken;
}

/* Whether @other comes before @one in the order of items in all graphs that follow. */
static bool is_out_of_order(const struct weiri_graph *graph, const struct lanes *lanes,
                            const uint32_t *fixed, uint32_t one, uint32_t other)
{
    for (uint32_t i = 0; i < fixed[other]; i++) {
        uint16_t event = lanes->of[other][i];
        if (i >= fixed[one]) {
            /* The other one has yet to take this step. */
            return graph->nodes[event].kind == WEIRI_READS_MEMORY
                && is_taken(graph, event);
        }
        uint32_t a = rank_of(graph, lanes->of[one][i]), b = rank_of(graph, event);
        if (a != b) {
            return b < a;
        }
    }
    return false;
}

bool weiri_orbits_skips(const struct weiri_native *native,
                        const struct weiri_graph *graph)
{
    uint32_t n_threads = graph->frame->n_threads;
    if (native->alike == NULL || native->program.stopped) {
        return false;
    }
    struct lanes lanes;
    lanes_init(&lanes, graph);
    g_autofree uint32_t *fixed = g_new(uint32_t, n_threads);
    find_fixed(graph, fixed);
    bool skips = false;
    for (uint32_t other = 1; other < n_threads && !skips; other++) {
        for (uint32_t one = native->alike[other]; one < other && !skips; one++) {
            skips = native->alike[one] == native->alike[other]
                && is_out_of_order(graph, &lanes, fixed, one, other);
        }
    }
    lanes_clear(&lanes);
    return skips;
}

/* ---- Orbits ---------------------------------------------------------------- */

/* Compares two threads that have ended: below 0 if @one is first, 0 if they do not
 * differ. */
static int compare(const struct weiri_graph *graph, const struct lanes *lanes,
                   uint32_t one, uint32_t other)
{
    for (uint32_t i = 0; i < lanes->n[one] && i < lanes->n[other]; i++) {
        uint32_t a = rank_of(graph, lanes->of[one][i]),
                 b = rank_of(graph, lanes->of[other][i]);
        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return 0;
}

uint64_t weiri_orbits_size(const struct weiri_native *native,
                           const struct weiri_graph *graph)
{
    uint32_t n_threads = graph->frame->n_threads;
    struct lanes lanes;
    lanes_init(&lanes, graph);
    uint64_t orbit = 1;
    for (uint32_t first = 0; first < n_threads; first++) {
        uint32_t before = first, n = 1, like = 1; /* in a row that do not differ */
        for (uint32_t t = first + 1; t < n_threads; t++) {
            if (native->alike[t] != first) {
                continue;
            }
            int order = compare(graph, &lanes, before, t);
            like = order == 0 ? like + 1 : 1;
            orbit = order > 0 ? 0 : orbit * ++n / like;
            before = t;
        }
    }
    lanes_clear(&lanes);
    return orbit;
}

/* ---- Final states ---------------------------------------------------------- */

struct permuting {
    struct weiri_finals *finals;
    uint32_t *nodes; /* by thread: where it has ended */
    uint32_t *kind;  /* by thread: the first of its class that leaves the same, by
                        history and not by item */
    bool *used;      /* by thread: its history is given to an item */
    uint64_t n;      /* permutations, or 0: they are counted */
    uint64_t orbit;
    void (*found)(void *user, struct weiri_final *state, uint64_t executions);
    void *user;
};

/* The ending of the thread with the history of @node, which is of its class. */
static const struct weiri_native_ending *ending_of(const struct weiri_native *native,
                                                   uint32_t thread, uint32_t node)
{
    while (weiri_history_node(native, node)->thread != thread) {
        node = weiri_history_node(native, node)->like;
    }
    return weiri_native_ending(native, &node);
}

static bool leave_the_same(const struct weiri_native *native, uint32_t one,
                           uint32_t other)
{
    uint32_t n = one;
    bool same = true;
    do {
        uint32_t thread = weiri_history_node(native, n)->thread;
        same = ending_of(native, thread, one) == ending_of(native, thread, other);
        n = weiri_history_node(native, n)->like;
    } while (same && n != one);
    return same;
}

/* Gives the threads from @thread on their histories. Returns: the number of ways */
static uint64_t permute(struct permuting *at, uint32_t thread, bool counts)
{
    const struct weiri_native *native = at->finals->native;
    uint32_t n_threads = native->program.n_threads;
    uint64_t ways = 0;
    if (thread == n_threads) {
        if (!counts) {
            at->found(at->user, weiri_finals_known(at->finals), at->orbit / at->n);
        }
        return 1;
    }
    for (uint32_t t = native->alike[thread]; t < n_threads; t++) {
        bool first = !at->used[t] && native->alike[t] == native->alike[thread];
        for (uint32_t u = at->kind[t]; u < t && first; u++) {
            first
                = at->used[u] || at->kind[u] != at->kind[t]; /* the next of its kind */
        }
        if (first) {
            at->used[t] = true;
            if (!counts) {
                weiri_finals_leave(at->finals, thread,
                                   ending_of(native, thread, at->nodes[t]));
            }
            ways += permute(at, thread + 1, counts);
            at->used[t] = false;
        }
    }
    return ways;
}

void weiri_orbits_states(struct weiri_finals *finals, const struct weiri_graph *graph,
                         uint64_t orbit,
                         void (*found)(void *user, struct weiri_final *state,
                                       uint64_t executions),
                         void *user)
{
    const struct weiri_native *native = finals->native;
    uint32_t n_threads = native->program.n_threads;
    g_autofree uint32_t *nodes = g_new(uint32_t, n_threads);
    g_autofree uint32_t *kind = g_new(uint32_t, n_threads);
    g_autofree bool *used = g_new0(bool, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        memcpy(&nodes[t], weiri_graph_state(graph, t), sizeof(nodes[t]));
        kind[t] = native->alike[t];
        while (kind[t] < t
               && (native->alike[kind[t]] != native->alike[t]
                   || !leave_the_same(native, nodes[kind[t]], nodes[t]))) {
            kind[t]++;
        }
    }
    weiri_finals_look(finals, graph);
    struct permuting at = { .finals = finals,
                            .nodes = nodes,
                            .kind = kind,
                            .used = used,
                            .orbit = orbit,
                            .found = found,
                            .user = user };
    at.n = permute(&at, 0, true);
    permute(&at, 0, false);
}
