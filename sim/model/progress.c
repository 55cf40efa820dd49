/* SPDX-License-Identifier: MIT
 *
 * progress.c: whether every fair execution ends, from the graph of all states.
 *
 *     weiri_progress_graph_new()   all states, in the order of a breadth-first search,
 *                                  with their steps; then the strongly connected parts
 *     weiri_progress_ask()         looks for a part, or a hang, that a model allows
 *         find_failure()
 *         find_loop()              the loop, as steps
 *
 * A model of forward progress obliges some threads: each of them steps again and again,
 * unless from some time on it cannot. Which threads it obliges depends on the threads
 * that have ended and the threads that have made a step. Claim: an execution that is
 * fair and does not end exists if and only if one of these can be reached:
 *
 *   - a state in which no thread can step, and not all have ended: a hang, or
 *   - a strongly connected part with at least one step inside, such that each thread
 *     that is obliged there and can step has a step inside.
 *
 * Proof. An execution without an end, in a finite graph, stays in one part from some
 * time on. In that part the following is constant, since it cannot be undone: which
 * threads have ended, and which have made a step. So the obliged threads are the same
 * in all its states. A thread that can step still can after steps of others: a memory
 * operation is always possible, and a barrier that has opened stays open. So a thread
 * without a step inside the part either can step in all its states, or in none; this is
 * where weak and strong fairness agree. If such a thread is obliged and can step, no
 * execution that stays in the part is fair. Otherwise an execution that takes all steps
 * inside the part again and again is fair, because all threads with a step inside step
 * again and again. Whole parts are enough: a smaller loop has fewer threads, and never
 * fewer obligations. So one search decides for all sets of threads, and for any number
 * of threads.
 *
 * That a thread has made a step is a part of the state, because a thread can come back
 * to its first state. A compare-exchange that fails without a reason does so finitely
 * often: such steps lead to states, but are not inside a part. */
#include "config.h"

#include "model/progress.h"

#include "base/assert.h"

#include <string.h>

enum { NONE = UINT32_MAX };
/* States between two calls of @go_on: some milliseconds. */
enum { LOOK_EVERY = 1 << 12 };

/* @thread takes its step by that choice. */
struct edge {
    uint32_t to;
    uint16_t choice;
    uint8_t thread;
    bool spurious;
};

/* @parent: the edge by which the state was found first. @part: the number of its
 * strongly connected part. */
struct node {
    size_t bytes;      /* where the state begins */
    size_t first_edge; /* its edges end where those of the next state begin */
    size_t parent;
    uint32_t from; /* of that edge; NONE for the first state */
    uint32_t part, hash;
};

struct weiri_progress_graph {
    struct weiri_interleave *machine;
    struct weiri_interleave_state *state; /* room */
    const struct weiri_program *program;
    GByteArray *bytes;
    GArray *nodes; /* of struct node; one more at the end */
    GArray *edges; /* of struct edge */
    uint32_t n_nodes;
    uint32_t *table;  /* of states, by hash; NONE: free */
    size_t n_table;   /* a power of two */
    uint64_t *inside; /* by part: the threads with a step inside */
    uint32_t *first;  /* by part: its first state */
    uint32_t n_parts;
    bool by_group;
    enum weiri_progress_limit limit;
    enum weiri_interleave_stop stop;
    uint32_t thread;
    struct weiri_step step;
};

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static struct node *node_at(const struct weiri_progress_graph *graph, uint32_t i)
{
    return &g_array_index(graph->nodes, struct node, i);
}

static const struct edge *edge_at(const struct weiri_progress_graph *graph, size_t i)
{
    return &g_array_index(graph->edges, struct edge, i);
}

static struct weiri_interleave_state *state_of(const struct weiri_progress_graph *graph,
                                               uint32_t node)
{
    weiri_interleave_unpack(
        graph->machine, graph->bytes->data + node_at(graph, node)->bytes, graph->state);
    return graph->state;
}

/* ---- The states ------------------------------------------------------------------ */

static size_t length_of(const struct weiri_progress_graph *graph, uint32_t node)
{
    return node_at(graph, node + 1)->bytes - node_at(graph, node)->bytes;
}

/* Returns: where the state is in the table, or is to be. */
static size_t slot_of(const struct weiri_progress_graph *graph, const uint8_t *bytes,
                      size_t n, uint32_t hash)
{
    size_t slot = hash & (graph->n_table - 1);
    for (; graph->table[slot] != NONE; slot = (slot + 1) & (graph->n_table - 1)) {
        uint32_t node = graph->table[slot];
        if (node_at(graph, node)->hash == hash && length_of(graph, node) == n
            && memcmp(graph->bytes->data + node_at(graph, node)->bytes, bytes, n)
                == 0) {
            break;
        }
    }
    return slot;
}

static void grow_table(struct weiri_progress_graph *graph)
{
    graph->n_table = graph->n_table != 0 ? graph->n_table * 2 : 1 << 8;
    graph->table = g_renew(uint32_t, graph->table, graph->n_table);
    memset(graph->table, UINT8_MAX, graph->n_table * sizeof(*graph->table));
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        const uint8_t *bytes = graph->bytes->data + node_at(graph, node)->bytes;
        graph->table[slot_of(graph, bytes, length_of(graph, node),
                             node_at(graph, node)->hash)]
            = node;
    }
}

/* Returns: the node of the machine's state, which may be new */
static uint32_t find_node(struct weiri_progress_graph *graph,
                          const struct weiri_interleave_state *state, uint32_t from,
                          size_t edge)
{
    size_t begin = node_at(graph, graph->n_nodes)->bytes;
    weiri_interleave_pack(graph->machine, state, graph->bytes);
    const uint8_t *bytes = graph->bytes->data + begin;
    size_t n = graph->bytes->len - begin;
    uint32_t hash = weiri_interleave_hash(bytes, n);
    size_t slot = slot_of(graph, bytes, n, hash);
    if (graph->table[slot] != NONE) {
        g_byte_array_set_size(graph->bytes, (guint)begin);
        return graph->table[slot];
    }
    uint32_t node = graph->n_nodes++;
    const struct node end = { .bytes = graph->bytes->len };
    node_at(graph, node)->hash = hash;
    node_at(graph, node)->from = from;
    node_at(graph, node)->parent = edge;
    node_at(graph, node)->part = NONE;
    g_array_append_val(graph->nodes, end);
    graph->table[slot] = node;
    if (graph->n_nodes > graph->n_table / 2) {
        grow_table(graph);
    }
    return node;
}

/* Notes the first state that is not followed. Returns: whether this one is followed */
static bool is_followed(struct weiri_progress_graph *graph, uint32_t node)
{
    uint32_t thread = 0;
    const struct weiri_interleave_state *state = state_of(graph, node);
    enum weiri_interleave_stop stop
        = weiri_interleave_stopped(graph->machine, state, &thread);
    if (stop == WEIRI_INTERLEAVE_GOES) {
        return true;
    }
    if (graph->limit == WEIRI_PROGRESS_NO_LIMIT) {
        graph->limit = WEIRI_PROGRESS_STATE;
        graph->stop = stop;
        graph->thread = thread;
        graph->step = *weiri_interleave_next(graph->machine, state, thread);
    }
    return false;
}

static void add_steps(struct weiri_progress_graph *graph, uint32_t node,
                      uint32_t thread)
{
    uint32_t n
        = weiri_interleave_choices(graph->machine, state_of(graph, node), thread);
    for (uint32_t choice = 0; choice < n; choice++) {
        struct weiri_taken taken;
        struct weiri_interleave_state *state = state_of(graph, node);
        weiri_interleave_step(graph->machine, state, thread, choice, &taken);
        const struct edge edge
            = { .to = find_node(graph, state, node, graph->edges->len),
                .choice = (uint16_t)choice,
                .thread = (uint8_t)thread,
                .spurious = taken.spurious };
        g_array_append_val(graph->edges, edge);
    }
}

static bool may_go_on(struct weiri_progress_graph *graph,
                      const struct weiri_progress_options *options, uint32_t node)
{
    if (graph->n_nodes > options->most_states || graph->bytes->len > G_MAXUINT / 2) {
        graph->limit = WEIRI_PROGRESS_STATES;
        return false;
    }
    if (graph->program->stopped
        || (node % LOOK_EVERY == 0 && options->go_on != NULL
            && !options->go_on(options->user, graph->n_nodes))) {
        graph->limit = WEIRI_PROGRESS_STOPPED;
        return false;
    }
    return true;
}

/* States that were found and not followed have no edges. */
static void search(struct weiri_progress_graph *graph,
                   const struct weiri_progress_options *options)
{
    const struct node first = { 0 };
    g_array_append_val(graph->nodes, first);
    grow_table(graph);
    weiri_interleave_start(graph->machine, graph->state);
    find_node(graph, graph->state, NONE, 0);
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        node_at(graph, node)->first_edge = graph->edges->len;
        if (graph->limit != WEIRI_PROGRESS_STATES
            && graph->limit != WEIRI_PROGRESS_STOPPED && may_go_on(graph, options, node)
            && is_followed(graph, node)) {
            for (uint32_t t = 0; t < graph->program->n_threads; t++) {
                add_steps(graph, node, t);
            }
        }
    }
    node_at(graph, graph->n_nodes)->first_edge = graph->edges->len;
}

/* ---- Strongly connected parts ---------------------------------------------------- */

/* Tarjan's algorithm, with its own stack of calls. */
struct tarjan {
    uint32_t *index, *low; /* by node; NONE: not seen yet */
    size_t *at;            /* by node: the edge that is next */
    GArray *calls, *stack; /* of nodes */
    uint32_t n;
};

static void push(GArray *stack, uint32_t node)
{
    g_array_append_val(stack, node);
}

static uint32_t top(const GArray *stack)
{
    return g_array_index(stack, uint32_t, stack->len - 1);
}

static void call(struct weiri_progress_graph *graph, struct tarjan *tarjan,
                 uint32_t node)
{
    tarjan->index[node] = tarjan->low[node] = tarjan->n++;
    tarjan->at[node] = node_at(graph, node)->first_edge;
    push(tarjan->calls, node);
    push(tarjan->stack, node);
}

/* All parts that it reaches are complete. */
static void leave(struct weiri_progress_graph *graph, struct tarjan *tarjan,
                  uint32_t node)
{
    g_array_set_size(tarjan->calls, tarjan->calls->len - 1);
    if (tarjan->calls->len > 0) {
        uint32_t caller = top(tarjan->calls);
        tarjan->low[caller] = MIN(tarjan->low[caller], tarjan->low[node]);
    }
    if (tarjan->low[node] == tarjan->index[node]) {
        uint32_t member;
        do {
            member = top(tarjan->stack);
            g_array_set_size(tarjan->stack, tarjan->stack->len - 1);
            node_at(graph, member)->part = graph->n_parts;
        } while (member != node);
        graph->n_parts++;
    }
}

static void connect(struct weiri_progress_graph *graph, struct tarjan *tarjan)
{
    while (tarjan->calls->len > 0) {
        uint32_t node = top(tarjan->calls);
        if (tarjan->at[node] == node_at(graph, node + 1)->first_edge) {
            leave(graph, tarjan, node);
            continue;
        }
        const struct edge *edge = edge_at(graph, tarjan->at[node]++);
        if (edge->spurious) {
            continue;
        }
        if (tarjan->index[edge->to] == NONE) {
            call(graph, tarjan, edge->to);
        } else if (node_at(graph, edge->to)->part == NONE) {
            tarjan->low[node] = MIN(tarjan->low[node], tarjan->index[edge->to]);
        }
    }
}

static bool is_inside(const struct weiri_progress_graph *graph, uint32_t from,
                      const struct edge *edge)
{
    return !edge->spurious
        && node_at(graph, from)->part == node_at(graph, edge->to)->part;
}

static void find_parts(struct weiri_progress_graph *graph)
{
    uint32_t n = graph->n_nodes;
    struct tarjan tarjan = { .index = g_new(uint32_t, n),
                             .low = g_new(uint32_t, n),
                             .at = g_new(size_t, n),
                             .calls = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                             .stack = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    memset(tarjan.index, UINT8_MAX, n * sizeof(*tarjan.index));
    for (uint32_t node = 0; node < n; node++) {
        if (tarjan.index[node] == NONE) {
            call(graph, &tarjan, node);
            connect(graph, &tarjan);
        }
    }
    g_free(tarjan.index);
    g_free(tarjan.low);
    g_free(tarjan.at);
    g_array_unref(tarjan.calls);
    g_array_unref(tarjan.stack);
    graph->inside = g_new0(uint64_t, graph->n_parts);
    graph->first = g_new(uint32_t, graph->n_parts);
    for (uint32_t node = n; node-- > 0;) {
        uint32_t part = node_at(graph, node)->part;
        graph->first[part] = node;
        for (size_t e = node_at(graph, node)->first_edge;
             e < node_at(graph, node + 1)->first_edge; e++) {
            const struct edge *edge = edge_at(graph, e);
            graph->inside[part] |= is_inside(graph, node, edge) ? bit(edge->thread) : 0;
        }
    }
}

struct weiri_progress_graph *weiri_progress_graph_new(
    const struct weiri_program *program, const struct weiri_progress_options *options)
{
    const struct weiri_interleave_options how
        = { .writes = options->writes,
            .any_flags = options->any_flags,
            .sc_fences_order = options->sc_fences_order };
    struct weiri_progress_graph *graph = g_new0(struct weiri_progress_graph, 1);
    graph->program = program;
    graph->by_group = options->by_group;
    graph->machine = weiri_interleave_new(program, &how);
    graph->state = weiri_interleave_state_new(graph->machine);
    graph->bytes = g_byte_array_new();
    graph->nodes = g_array_new(FALSE, TRUE, sizeof(struct node));
    graph->edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
    search(graph, options);
    find_parts(graph);
    return graph;
}

void weiri_progress_graph_free(struct weiri_progress_graph *graph)
{
    if (graph != NULL) {
        weiri_interleave_state_free(graph->state);
        weiri_interleave_free(graph->machine);
        g_byte_array_unref(graph->bytes);
        g_array_unref(graph->nodes);
        g_array_unref(graph->edges);
        g_free(graph->table);
        g_free(graph->inside);
        g_free(graph->first);
        g_free(graph);
    }
}

uint64_t weiri_progress_graph_states(const struct weiri_progress_graph *graph)
{
    return graph->n_nodes;
}

/* ---- The models ------------------------------------------------------------------ */

/* The members of a set up to its highest one, and all below. */
static uint64_t up_to_highest(uint64_t set)
{
    return set == 0 ? 0 : UINT64_MAX >> __builtin_clzll(set);
}

uint64_t weiri_progress_obliged(enum weir_forward forward, uint64_t live,
                                uint64_t stepped)
{
    uint64_t lowest = live & (~live + 1);
    switch (forward) {
    case WEIR_FORWARD_FAIR:
        return live;
    case WEIR_FORWARD_HSA:
        return lowest;
    case WEIR_FORWARD_OBE:
        return live & stepped;
    case WEIR_FORWARD_HSA_OBE:
        return lowest | (live & stepped);
    case WEIR_FORWARD_LOBE:
        return live & up_to_highest(stepped);
    }
    return live;
}

/* The threads that can step. */
static uint64_t able_in(const struct weiri_progress_graph *graph, uint32_t node)
{
    const struct weiri_interleave_state *state = state_of(graph, node);
    uint64_t able = 0;
    for (uint32_t t = 0; t < graph->program->n_threads; t++) {
        able |= weiri_interleave_choices(graph->machine, state, t) > 0 ? bit(t) : 0;
    }
    return able;
}

/* The groups of which a thread is a member of the set. */
static uint64_t groups_of(const struct weiri_progress_graph *graph, uint64_t threads)
{
    uint64_t groups = 0;
    for (uint32_t t = 0; t < graph->program->n_threads; t++) {
        groups |= (threads & bit(t)) != 0 ? bit(graph->program->threads[t].group) : 0;
    }
    return groups;
}

/* The threads of these groups. */
static uint64_t threads_of(const struct weiri_progress_graph *graph, uint64_t groups)
{
    uint64_t threads = 0;
    for (uint32_t t = 0; t < graph->program->n_threads; t++) {
        threads |= (groups & bit(graph->program->threads[t].group)) != 0 ? bit(t) : 0;
    }
    return threads;
}

/* The threads that have to step in a loop through the state. */
static uint64_t needed_in(const struct weiri_progress_graph *graph, uint32_t node,
                          enum weir_forward forward)
{
    const struct weiri_interleave_state *state = state_of(graph, node);
    uint64_t live = weiri_interleave_live(graph->machine, state);
    uint64_t stepped = weiri_interleave_stepped(state);
    uint64_t obliged = graph->by_group
        ? threads_of(graph,
                     weiri_progress_obliged(forward, groups_of(graph, live),
                                            groups_of(graph, stepped)))
        : weiri_progress_obliged(forward, live, stepped);
    return obliged & live & able_in(graph, node);
}

static bool hangs(const struct weiri_progress_graph *graph, uint32_t node)
{
    return able_in(graph, node) == 0
        && weiri_interleave_stopped(graph->machine, state_of(graph, node), NULL)
        == WEIRI_INTERLEAVE_GOES
        && weiri_interleave_live(graph->machine, state_of(graph, node)) != 0;
}

/* ---- An execution that does not end ---------------------------------------------- */

/* Takes an edge, from the state in @turns' end. */
static void take(const struct weiri_progress_graph *graph, GArray *turns, uint32_t from,
                 const struct edge *edge)
{
    struct weiri_taken taken;
    weiri_interleave_step(graph->machine, state_of(graph, from), edge->thread,
                          edge->choice, &taken);
    g_array_append_val(turns, taken);
}

/* The shortest way from the first state. */
static void find_way(const struct weiri_progress_graph *graph, uint32_t to,
                     GArray *turns)
{
    g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t node = to; node_at(graph, node)->from != NONE;
         node = node_at(graph, node)->from) {
        push(way, node);
    }
    while (way->len > 0) {
        const struct node *node = node_at(graph, top(way));
        take(graph, turns, node->from, edge_at(graph, node->parent));
        g_array_set_size(way, way->len - 1);
    }
}

/* Walks inside a part, by the fewest steps, until a step of a thread of @wanted has
 * been taken or, if that is empty, to the state @home, with at least one step.
 * Returns: the state at the end */
static uint32_t walk(const struct weiri_progress_graph *graph, uint32_t from,
                     uint64_t wanted, uint32_t home, GArray *turns)
{
    g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL); /* by node: its edge */
    g_autoptr(GHashTable) before = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(size_t));
    uint32_t node = from, end = from;
    size_t last = SIZE_MAX;
    push(queue, from);
    for (guint i = 0; last == SIZE_MAX; i++) {
        weiri_assert(i < queue->len);
        node = g_array_index(queue, uint32_t, i);
        for (size_t e = node_at(graph, node)->first_edge;
             e < node_at(graph, node + 1)->first_edge && last == SIZE_MAX; e++) {
            const struct edge *edge = edge_at(graph, e);
            if (!is_inside(graph, node, edge)) {
                continue;
            }
            bool there
                = wanted != 0 ? (wanted & bit(edge->thread)) != 0 : edge->to == home;
            if (there) {
                last = e;
                end = edge->to;
            } else if (edge->to != from
                       && !g_hash_table_contains(found,
                                                 GUINT_TO_POINTER(edge->to + 1))) {
                g_hash_table_insert(found, GUINT_TO_POINTER(edge->to + 1),
                                    GSIZE_TO_POINTER(e));
                g_hash_table_insert(before, GUINT_TO_POINTER(edge->to + 1),
                                    GUINT_TO_POINTER(node));
                push(queue, edge->to);
            }
        }
    }
    g_array_append_val(way, last);
    for (uint32_t at = node; at != from;
         at = GPOINTER_TO_UINT(g_hash_table_lookup(before, GUINT_TO_POINTER(at + 1)))) {
        size_t e
            = GPOINTER_TO_SIZE(g_hash_table_lookup(found, GUINT_TO_POINTER(at + 1)));
        g_array_append_val(way, e);
    }
    for (node = from; way->len > 0; g_array_set_size(way, way->len - 1)) {
        const struct edge *edge
            = edge_at(graph, g_array_index(way, size_t, way->len - 1));
        take(graph, turns, node, edge);
        node = edge->to;
    }
    return end;
}

static bool is_same_turn(const struct weiri_taken *one, const struct weiri_taken *other)
{
    return one->thread == other->thread && one->step.place == other->step.place
        && one->step.kind == other->step.kind && one->read == other->read
        && one->written == other->written && one->writes == other->writes
        && one->spurious == other->spurious && one->several == other->several;
}

/* The loop begins as early as it can: a step that leads to it and is also its last step
 * becomes its first one. The execution is the same. */
static void begin_early(struct weiri_progress *progress)
{
    GArray *turns = progress->turns;
    while (progress->n_before > 0
           && is_same_turn(
               &g_array_index(turns, struct weiri_taken, progress->n_before - 1),
               &g_array_index(turns, struct weiri_taken, turns->len - 1))) {
        progress->n_before--;
        g_array_set_size(turns, turns->len - 1);
    }
}

/* A loop through the state that has a step of each thread that is needed. */
static void find_loop(const struct weiri_progress_graph *graph, uint32_t home,
                      uint64_t needed, struct weiri_progress *progress)
{
    uint32_t node = home;
    while (needed != 0) {
        guint done = progress->turns->len;
        node = walk(graph, node, needed, home, progress->turns);
        for (; done < progress->turns->len; done++) {
            needed &= ~bit(
                g_array_index(progress->turns, struct weiri_taken, done).thread);
        }
    }
    if (node != home || progress->turns->len == progress->n_before) {
        walk(graph, node, 0, home, progress->turns);
    }
    for (guint i = progress->n_before; i < progress->turns->len; i++) {
        progress->spins
            |= bit(g_array_index(progress->turns, struct weiri_taken, i).thread);
    }
    begin_early(progress);
}

/* Returns: the first state of all loops and hangs that the model allows, or NONE. */
static uint32_t find_failure(const struct weiri_progress_graph *graph,
                             enum weir_forward forward)
{
    uint32_t best = NONE;
    for (uint32_t part = 0; part < graph->n_parts; part++) {
        uint32_t node = graph->first[part];
        if (node >= best) {
            continue;
        }
        if (graph->inside[part] != 0
                ? (needed_in(graph, node, forward) & ~graph->inside[part]) == 0
                : hangs(graph, node)) {
            best = node;
        }
    }
    return best;
}

static void note_last(const struct weiri_progress_graph *graph, uint32_t node,
                      struct weiri_progress *progress)
{
    const struct weiri_interleave_state *state = state_of(graph, node);
    for (uint32_t t = 0; t < graph->program->n_threads; t++) {
        progress->last[t] = *weiri_interleave_next(graph->machine, state, t);
        if (progress->last[t].kind == WEIRI_STEP_ENTER
            && weiri_interleave_choices(graph->machine, state, t) == 0) {
            progress->waiting |= bit(t);
            progress->missing[t] = weiri_interleave_missing(graph->machine, state, t);
        }
    }
}

/* States that a limit has left without edges look like parts without a step, and do not
 * hang: threads can step there. So a failure that is found is certain. */
struct weiri_progress weiri_progress_ask(struct weiri_progress_graph *graph,
                                         enum weir_forward forward)
{
    uint32_t node = find_failure(graph, forward);
    struct weiri_progress progress
        = { .fails = node != NONE,
            .ends = node == NONE && graph->limit == WEIRI_PROGRESS_NO_LIMIT,
            .limit = graph->limit,
            .stop = graph->stop,
            .thread = graph->thread,
            .step = graph->step,
            .turns = g_array_new(FALSE, FALSE, sizeof(struct weiri_taken)) };
    if (progress.fails) {
        find_way(graph, node, progress.turns);
        progress.n_before = progress.turns->len;
        if (graph->inside[node_at(graph, node)->part] != 0) {
            find_loop(graph, node, needed_in(graph, node, forward), &progress);
        }
        note_last(graph, node, &progress);
    }
    return progress;
}

void weiri_progress_clear(struct weiri_progress *progress)
{
    g_array_unref(progress->turns);
}
