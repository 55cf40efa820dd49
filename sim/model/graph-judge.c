/* SPDX-License-Identifier: MIT
 *
 * graph-judge.c: properties of a whole graph: sequential consistency, races, and its
 * execution as a value. Coherence, atomicity and the absence of values out of thin air
 * hold by the way graphs grow.
 *
 * The axiom SC of RC11 ("Repairing Sequential Consistency in C/C++11", PLDI 2017) with
 * scopes: psc, a relation between sequentially consistent events, has no cycle of pairs
 * whose scopes include each other. Sets of events are arrays of words. */
#include "config.h"

#include "model/graph.h"

#include "base/assert.h"

#include <string.h>

enum { BITS = 64, MOST_ON_STACK = 4096 };

/* ---- Sets and relations ---------------------------------------------------------- */

/* A relation: for each event a set of @words words. */
struct rows {
    uint32_t n;
    uint32_t words;
    uint64_t *bits;
};

static inline uint64_t *row(const struct rows *rows, uint32_t event)
{
    return rows->bits + (size_t)event * rows->words;
}

static inline void set(uint64_t *bits, uint32_t event)
{
    bits[event / BITS] |= UINT64_C(1) << event % BITS;
}

static inline void add_all(uint64_t *bits, const uint64_t *others, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        bits[w] |= others[w];
    }
}

/* Adds the rows of all events in @of. */
static void add_rows(uint64_t *bits, const struct rows *rows, const uint64_t *of)
{
    for (uint32_t w = 0; w < rows->words; w++) {
        for (uint64_t left = of[w]; left != 0; left &= left - 1) {
            uint32_t event = w * BITS + (uint32_t)__builtin_ctzll(left);
            add_all(bits, row(rows, event), rows->words);
        }
    }
}

static bool meet(const uint64_t *one, const uint64_t *other, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        if ((one[w] & other[w]) != 0) {
            return true;
        }
    }
    return false;
}

/* Whether no way leads from an event back to itself. Repeatedly removes events without
 * a predecessor or successor; @left: the events that remain. */
static bool is_acyclic(const struct rows *rows, uint64_t *left)
{
    uint32_t words = rows->words;
    for (bool goes = true; goes;) {
        goes = false;
        for (uint32_t e = 0; e < rows->n; e++) {
            bool here = (left[e / BITS] >> e % BITS & 1) != 0;
            if (here && !meet(row(rows, e), left, words)) { /* no edge leads from it */
                left[e / BITS] &= ~(UINT64_C(1) << e % BITS);
                goes = true;
            }
        }
    }
    for (uint32_t w = 0; w < words; w++) {
        if (left[w] != 0) {
            return false;
        }
    }
    return true;
}

/* ---- Relations of a graph -------------------------------------------------------- */

static bool is_sc(const struct weiri_node *node)
{
    return node->order == memory_order_seq_cst
        && (node->kind == WEIRI_FENCES || (weiri_node_is_access(node) && node->atomic));
}

static bool same_location(const struct weiri_node *a, const struct weiri_node *b)
{
    return weiri_node_is_access(a) && weiri_node_is_access(b)
        && a->location == b->location;
}

/* The place of an access among the writes of its location, from 1. */
static uint32_t stand(const struct weiri_graph *graph, const struct weiri_node *node)
{
    if (node->kind == WEIRI_WRITES_MEMORY) {
        return node->position + 1u;
    }
    return node->from == WEIRI_NO_EVENT ? 0 : graph->nodes[node->from].position + 1u;
}

/* Two accesses to one location, in modification order. (mo | rb) ends at a write; with
 * reads-from it is eco. */
static bool is_eco(const struct weiri_graph *graph, const struct weiri_node *a,
                   const struct weiri_node *b)
{
    uint32_t one = stand(graph, a), other = stand(graph, b);
    return one < other
        || (one == other && a != b && a->kind == WEIRI_WRITES_MEMORY
            && b->kind == WEIRI_READS_MEMORY);
}

/* ---- Sequential consistency ------------------------------------------------------ */

/* For `sc`: program order, reads-from, modification order and reads-before together
 * have no cycle. */
static bool is_interleaved(const struct weiri_graph *graph, uint64_t *memory,
                           uint32_t words)
{
    const struct rows rows = { graph->n, words, memory };
    uint64_t *all = memory + (size_t)graph->n * words;
    for (uint32_t a = 0; a < graph->n; a++) {
        const struct weiri_node *one = &graph->nodes[a];
        set(all, a);
        for (uint32_t b = 0; b < graph->n; b++) {
            const struct weiri_node *other = &graph->nodes[b];
            bool program = one->thread == other->thread && one->index < other->index;
            bool meeting = one->kind == WEIRI_ENTERS && other->kind == WEIRI_EXITS
                && weiri_graph_causes(graph, a, b);
            if (a != b
                && (program || meeting
                    || (same_location(one, other) && is_eco(graph, one, other)))) {
                set(row(&rows, a), b);
            }
        }
    }
    return is_acyclic(&rows, all);
}

/* The relations that make up psc. */
struct relations {
    struct rows before;    /* hb */
    struct rows elsewhere; /* sb between accesses that are not of one location */
    struct rows basic;     /* scb */
    struct rows eco;
};

static void relate(const struct weiri_graph *graph, const struct relations *r)
{
    for (uint32_t a = 0; a < graph->n; a++) {
        const struct weiri_node *one = &graph->nodes[a];
        for (uint32_t b = 0; b < graph->n; b++) {
            const struct weiri_node *other = &graph->nodes[b];
            if (a == b) {
                continue;
            }
            bool program = one->thread == other->thread && one->index < other->index;
            bool same = same_location(one, other);
            bool before = weiri_graph_before(graph, a, b);
            bool eco = same && is_eco(graph, one, other);
            bool ordered = same
                && weiri_graph_is_in(
                               graph, a,
                               weiri_graph_view(graph, b,
                                                weiri_graph_kind(graph, one->location)),
                               weiri_graph_kind(graph, one->location));
            if (before) {
                set(row(&r->before, a), b);
            }
            if (program && !same) {
                set(row(&r->elsewhere, a), b);
            }
            if (eco) {
                set(row(&r->eco, a), b);
            }
            if (program || ordered
                || (eco && other->kind == WEIRI_WRITES_MEMORY)) { /* mo, rb */
                set(row(&r->basic, a), b);
            }
        }
    }
}

/* The last part of scb: sb to another location, hb, sb to another location. */
static void add_detours(const struct relations *r, uint64_t *one, uint64_t *two)
{
    size_t bytes = r->before.words * sizeof(uint64_t);
    for (uint32_t a = 0; a < r->before.n; a++) {
        memset(one, 0, bytes);
        memset(two, 0, bytes);
        add_rows(one, &r->before, row(&r->elsewhere, a));
        add_rows(two, &r->elsewhere, one);
        add_all(row(&r->basic, a), two, r->before.words);
    }
}

/* Computes the sets of events that psc leads to from the event, for leads_to(): @basic
 * by scb; @fences, from a fence, by the steps that end at a fence. @scratch: a set. */
static void follow(const struct weiri_graph *graph, const struct relations *r,
                   uint32_t event, uint64_t *basic, uint64_t *fences, uint64_t *scratch)
{
    uint32_t words = r->before.words;
    memset(basic, 0, words * sizeof(*basic));
    memset(fences, 0, words * sizeof(*fences));
    add_all(basic, row(&r->basic, event), words);
    if (graph->nodes[event].kind != WEIRI_FENCES) {
        return;
    }
    add_rows(basic, &r->basic, row(&r->before, event));
    memset(scratch, 0, words * sizeof(*scratch));
    add_rows(scratch, &r->eco, row(&r->before, event));
    add_all(fences, row(&r->before, event), words);
    add_rows(fences, &r->before, scratch);
}

/* Whether psc leads to @end; @basic and @fences are the sets that it leads to. */
static bool leads_to(const struct weiri_graph *graph, const struct relations *r,
                     uint32_t end, const uint64_t *basic, const uint64_t *fences)
{
    if ((basic[end / BITS] >> end % BITS & 1) != 0) {
        return true;
    }
    if (graph->nodes[end].kind != WEIRI_FENCES) {
        return false;
    }
    if ((fences[end / BITS] >> end % BITS & 1) != 0) {
        return true;
    }
    for (uint32_t e = 0; e < graph->n; e++) { /* [SC] scb ; hb ; [F & SC] */
        if ((basic[e / BITS] >> e % BITS & 1) != 0
            && (row(&r->before, e)[end / BITS] >> end % BITS & 1) != 0) {
            return true;
        }
    }
    return false;
}

static bool is_psc_acyclic(const struct weiri_graph *graph, uint64_t *memory,
                           uint32_t words)
{
    uint32_t n = graph->n;
    size_t matrix = (size_t)n * words;
    const struct relations r = { { n, words, memory },
                                 { n, words, memory + matrix },
                                 { n, words, memory + 2 * matrix },
                                 { n, words, memory + 3 * matrix } };
    const struct rows psc = { n, words, memory + 4 * matrix };
    uint64_t *sc = memory + 5 * matrix, *one = sc + words, *two = one + words,
             *three = two + words;
    relate(graph, &r);
    add_detours(&r, one, two);
    for (uint32_t a = 0; a < n; a++) {
        if (!is_sc(&graph->nodes[a])) {
            continue;
        }
        set(sc, a);
        follow(graph, &r, a, one, two, three);
        bool fence = graph->nodes[a].kind == WEIRI_FENCES;
        for (uint32_t b = 0; b < n; b++) {
            bool both = fence && graph->nodes[b].kind == WEIRI_FENCES;
            if (is_sc(&graph->nodes[b]) && weiri_graph_strong(graph, a, b)
                && leads_to(graph, &r, b, one, both ? two : one)) {
                set(row(&psc, a), b);
            }
        }
    }
    return is_acyclic(&psc, sc);
}

bool weiri_graph_is_consistent(const struct weiri_graph *graph)
{
    bool all = graph->frame->model == WEIRI_EXPLORED_SC;
    /* A single event is a cycle only if it knows through one address space what
     * coherence in the other space does not imply. */
    uint32_t fewest = graph->frame->n_views > 2 ? 1 : 2;
    if (!all && graph->n_sc < fewest) {
        return true;
    }
    uint32_t words = (graph->n + BITS - 1) / BITS;
    size_t n_words = (all ? (size_t)graph->n + 1 : 5 * (size_t)graph->n + 4) * words;
    uint64_t near[MOST_ON_STACK];
    uint64_t *memory = n_words <= MOST_ON_STACK ? near : g_new(uint64_t, n_words);
    memset(memory, 0, n_words * sizeof(*memory));
    bool holds = all ? is_interleaved(graph, memory, words)
                     : is_psc_acyclic(graph, memory, words);
    if (memory != near) {
        g_free(memory);
    }
    return holds;
}

/* ---- Races ----------------------------------------------------------------------- */

/* Whether happens-before, for the memory of the location, orders the two accesses. */
static bool is_ordered(const struct weiri_graph *graph, uint32_t a, uint32_t b)
{
    uint32_t kind = weiri_graph_kind(graph, graph->nodes[a].location);
    return weiri_graph_is_in(graph, a, weiri_graph_view(graph, b, kind), kind)
        || weiri_graph_is_in(graph, b, weiri_graph_view(graph, a, kind), kind);
}

/* Whether two events of one location race. */
static bool races(const struct weiri_graph *graph, uint32_t a, uint32_t b)
{
    const struct weiri_node *one = &graph->nodes[a], *other = &graph->nodes[b];
    return one->thread != other->thread
        && (one->kind != WEIRI_READS_MEMORY || other->kind != WEIRI_READS_MEMORY)
        && !(one->atomic && other->atomic && weiri_graph_strong(graph, a, b))
        && !is_ordered(graph, a, b);
}

/* Whether the event may race with an access before it. */
static bool may_race(const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    return weiri_node_has_location(node)
        && (graph->writes[node->location].n_narrow > 0
            || !weiri_node_is_wide(graph->frame, node));
}

bool weiri_graph_race(struct weiri_graph *graph, uint32_t *one, uint32_t *other)
{
    for (uint32_t b = graph->n_calm; b < graph->n; b++) {
        bool race = false;
        if (may_race(graph, b)) {
            for (uint16_t a = graph->nodes[b].like; a != WEIRI_NO_EVENT;
                 a = graph->nodes[a].like) {
                if (races(graph, a, b)) {
                    *one = a;
                    *other = b;
                    race = true;
                }
            }
        }
        if (race) {
            return true;
        }
        graph->n_calm = b + 1;
    }
    return false;
}

/* ---- Telling executions apart ---------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/* An identification of the event that does not depend on when it was added. */
static uint64_t name_of(const struct weiri_graph *graph, uint16_t event)
{
    return event == WEIRI_NO_EVENT
        ? 0
        : ((uint64_t)graph->nodes[event].thread + 1) << 32 | graph->nodes[event].index;
}

uint64_t weiri_graph_hash(const struct weiri_graph *graph)
{
    uint64_t sum = 0;
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        uint64_t hash = mix(name_of(graph, (uint16_t)e), node->kind);
        hash = mix(hash, (uint64_t)node->place << 32 | node->location);
        hash = mix(hash, (uint64_t)node->update << 1 | node->atomic);
        hash = mix(hash,
                   node->kind == WEIRI_READS_MEMORY ? name_of(graph, node->from)
                                                    : node->position);
        sum += mix(hash, (uint64_t)node->value);
    }
    return sum;
}

enum weiri_execution_end weiri_graph_end(const struct weiri_graph *graph)
{
    enum weiri_execution_end why = WEIRI_END_BARRIER;
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        switch (weiri_graph_next(graph, t)->kind) {
        case WEIRI_STEP_FAULT:
            why = WEIRI_END_FAULT;
            break;
        case WEIRI_STEP_BOUND:
            why = MAX(why, WEIRI_END_BOUND);
            break;
        case WEIRI_STEP_SPIN:
            why = MAX(why, WEIRI_END_SPIN);
            break;
        default:
            break;
        }
    }
    return why;
}

/* The accesses of a location that write, in an order that its blind updates may have:
 * as early as the writes that happen before them allow. Updates at one place are in the
 * order in which they were added, which is compatible with all other orders. Returns:
 * (transfer full): events */
static GArray *sort_writes(const struct weiri_graph *graph, uint32_t location)
{
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    uint32_t kind = weiri_graph_kind(graph, location);
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    for (uint32_t p = writes->n + 1; p-- > 0;) { /* from the end, as @like goes */
        for (uint16_t e = writes->latest; e != WEIRI_NO_EVENT;
             e = graph->nodes[e].like) {
            uint32_t after = writes->n;
            while (after > 0
                   && !weiri_graph_is_in(graph, writes->at[after - 1],
                                         weiri_graph_view(graph, e, kind), kind)) {
                after--;
            }
            if (graph->nodes[e].kind == WEIRI_UPDATES_BLINDLY && after == p) {
                g_array_prepend_val(sorted, e);
            }
        }
        if (p > 0) {
            g_array_prepend_val(sorted, writes->at[p - 1]);
        }
    }
    return sorted;
}

/* An execution has the two halves of each blind update: @events are the events of a
 * graph, at @number, in which such an update is at the first half and has its
 * operand. */
static void split_blind(const struct weiri_graph *graph, uint32_t location,
                        const uint32_t *number, struct weiri_execution_event *events)
{
    const struct weiri_program *program = graph->frame->program;
    uint32_t kind = weiri_graph_kind(graph, location), from = WEIRI_INITIAL;
    g_autoptr(GArray) sorted = sort_writes(graph, location);
    int64_t value = program->locations[location].initial;
    for (guint i = 0; i < sorted->len; i++) {
        uint16_t e = g_array_index(sorted, uint16_t, i);
        struct weiri_execution_event *event = &events[number[e]];
        if (graph->nodes[e].kind == WEIRI_UPDATES_BLINDLY) {
            event->kind = WEIRI_READS_MEMORY;
            event->update = true;
            event->from = from;
            event->value = value;
            event[1] = event[0];
            event++;
            event->kind = WEIRI_WRITES_MEMORY;
            event->index++;
            event->from = WEIRI_INITIAL;
            program->update(program->self, graph->nodes[e].thread,
                            weiri_graph_state_before(graph, e), value, &event->value);
        }
        value = event->value;
        event->position = i;
        from = (uint32_t)(event - events);
    }
    for (uint16_t r = graph->writes[location].latest; r != WEIRI_NO_EVENT;
         r = graph->nodes[r].like) {
        const uint16_t *view = weiri_graph_view(graph, r, kind);
        for (guint i = 0; graph->nodes[r].kind == WEIRI_READS_MEMORY && i < sorted->len;
             i++) {
            uint16_t e = g_array_index(sorted, uint16_t, i);
            bool blind = graph->nodes[e].kind == WEIRI_UPDATES_BLINDLY;
            uint16_t source = graph->nodes[r].from;
            bool later
                = source == WEIRI_NO_EVENT || events[number[source]].position < i;
            if (blind && later && weiri_graph_is_in(graph, e, view, kind)) {
                events[number[r]].from = number[e] + 1;
            }
        }
    }
}

struct weiri_execution *weiri_graph_execution(const struct weiri_graph *graph)
{
    const struct weiri_program *program = graph->frame->program;
    uint32_t n_threads = program->n_threads, n = 0;
    g_autofree uint32_t *first = g_new0(uint32_t, n_threads + 1);
    g_autofree uint32_t *number = g_new(uint32_t, MAX(graph->n, 1));
    g_autofree struct weiri_execution_event *events
        = g_new0(struct weiri_execution_event, 2 * (size_t)graph->n);
    g_autofree const void **states = g_new(const void *, n_threads);
    g_autofree int64_t *memory = g_new(int64_t, program->n_locations);
    for (uint32_t e = 0; e < graph->n; e++) {
        bool blind = graph->nodes[e].kind == WEIRI_UPDATES_BLINDLY;
        number[e] = first[graph->nodes[e].thread + 1]; /* in its thread */
        first[graph->nodes[e].thread + 1] += 1 + blind;
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        first[t + 1] += first[t];
        states[t] = weiri_graph_state(graph, t);
    }
    n = first[n_threads];
    for (uint32_t e = 0; e < graph->n; e++) {
        number[e] += first[graph->nodes[e].thread];
    }
    for (uint32_t i = 0; i < program->n_locations; i++) {
        memory[i] = weiri_graph_memory(graph, i);
    }
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        events[number[e]] = (struct weiri_execution_event){
            .kind = node->kind,
            .atomic = node->atomic && weiri_node_has_location(node),
            .update = node->update,
            .order = node->order,
            .scope = node->scope,
            .spaces = node->spaces,
            .thread = node->thread,
            .index = number[e] - first[node->thread],
            .location = node->location,
            .label = node->label,
            .value = node->value,
            .from = node->from == WEIRI_NO_EVENT ? WEIRI_INITIAL : number[node->from],
            .position = node->position,
            .place = node->place,
            .traits = weiri_graph_step(graph, e)->traits,
        };
    }
    for (uint32_t i = 0; i < program->n_locations; i++) {
        if (graph->writes[i].n_blind > 0) {
            split_blind(graph, i, number, events);
        }
    }
    const struct weiri_execution execution
        = { program, n, events, first, states, memory };
    return weiri_execution_copy(&execution);
}

uint32_t weiri_graph_stale(const struct weiri_graph *graph, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < graph->n && n <= most; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        if (node->kind != WEIRI_READS_MEMORY) {
            continue;
        }
        const struct weiri_order_of_writes *writes = &graph->writes[node->location];
        uint32_t after
            = node->from == WEIRI_NO_EVENT ? 0 : graph->nodes[node->from].position + 1u;
        bool stale = false;
        for (uint32_t i = after; i < writes->n && !stale; i++) {
            stale = weiri_graph_causes(graph, writes->at[i], e);
        }
        n += stale;
    }
    return n;
}

uint32_t weiri_graph_n_events(const struct weiri_graph *graph)
{
    uint32_t n = graph->n;
    for (uint32_t i = 0; i < graph->frame->program->n_locations; i++) {
        n += graph->writes[i].n_blind;
    }
    return n;
}

uint32_t weiri_graph_event(const struct weiri_graph *graph,
                           const struct weiri_execution *execution, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    uint32_t at = execution->first[node->thread] + node->index;
    for (uint16_t e = (uint16_t)event; e != WEIRI_NO_EVENT;
         e = graph->nodes[e].before) {
        at += graph->nodes[e].kind == WEIRI_UPDATES_BLINDLY;
    }
    return at;
}

int weiri_graph_compare(const struct weiri_graph *graph,
                        const struct weiri_execution *other)
{
    uint32_t n_events = weiri_graph_n_events(graph);
    if (n_events != other->n_events) {
        return n_events < other->n_events ? -1 : 1;
    }
    if (n_events > graph->n) { /* blind updates have no order before there is one */
        struct weiri_execution *made = weiri_graph_execution(graph);
        int result = weiri_execution_compare(made, other);
        weiri_execution_free(made);
        return result;
    }
    uint16_t *first = graph->frame->scratch, *sorted = graph->number;
    uint32_t n = 0;
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        uint16_t e = graph->last[t];
        first[t] = (uint16_t)n;
        n += e == WEIRI_NO_EVENT ? 0 : graph->nodes[e].index + 1u;
        for (; e != WEIRI_NO_EVENT; e = graph->nodes[e].before) {
            sorted[first[t] + graph->nodes[e].index] = e;
        }
    }
    int order = 0;
    for (uint32_t i = 0; order == 0 && i < n; i++) {
        const struct weiri_node *node = &graph->nodes[sorted[i]];
        const struct weiri_node *from
            = node->from == WEIRI_NO_EVENT ? NULL : &graph->nodes[node->from];
        const struct weiri_execution_event event = {
            .kind = node->kind,
            .thread = node->thread,
            .value = node->value,
            .from = from == NULL ? WEIRI_INITIAL
                                 : (uint32_t)first[from->thread] + from->index,
            .position = node->position,
            .place = node->place,
        };
        order = weiri_event_compare(&event, &other->events[i]);
    }
    return order;
}

bool weiri_graph_keep(const struct weiri_graph *graph, struct weiri_execution **kept)
{
    if (*kept != NULL && weiri_graph_compare(graph, *kept) >= 0) {
        return false;
    }
    weiri_execution_free(*kept);
    *kept = weiri_graph_execution(graph);
    return true;
}
