/* SPDX-License-Identifier: MIT
 *
 * explore.c: visits every consistent execution exactly once, in memory that does not
 * grow with their number: optimal stateless exploration of execution graphs ("Truly
 * stateless, optimal dynamic partial order reduction", POPL 2022).
 *
 * A graph grows event by event. There are two kinds of choices: the write that a new
 * read reads from, and the place of a new write in modification order. All choices are
 * tried one after the other; in between, the graph is cut back. A read cannot choose a
 * write that does not exist yet. So a new write revisits the existing reads: everything
 * that was added after such a read and that the write does not need is removed, and the
 * read reads from the new write. Many graphs could lead to the same graph by a revisit.
 * Only one of them does: the one in which every removed event had been placed by its
 * first choice, see is_usual_extension().
 *
 * The first choice is the place that is last in modification order. It never violates
 * an axiom, because no edge leads from a new event there. All other choices are checked
 * by weiri_graph_is_consistent().
 *
 * Barriers, fences and the end of a thread involve no choice. A read is added only when
 * nothing else can be, so that few reads exist that need revisits. */
#include "config.h"

#include "model/explore.h"

#include "base/assert.h"
#include "base/co.h"
#include "base/stack.h"
#include "model/waiting.h"

#include <glib.h>

/* Work between two looks at the clock, in pairs of events examined: about a
 * millisecond. */
enum { LOOK_EVERY = 1 << 18 };
/* Nested revisits; each needs a graph of its own. */
enum { MOST_NESTED = 1 << 14 };
/* Nested choices; each needs some frames of the stack. */
enum { MOST_CHOICES = 1 << 16, STACK_BYTES = 256 << 20 };
/* Events of a graph. Events without a choice may exceed it a little. */
enum { MOST_EVENTS = 60000 };

struct explorer {
    struct weiri_frame frame;
    const struct weiri_explore_options *options;
    struct weiri_exploration result;
    GPtrArray *graphs;  /* owned; by the depth of nested revisits */
    uint32_t depth;     /* the number of graphs in use */
    double part;        /* the part of the exploration that is done */
    gint64 ends;        /* the time limit in microseconds; or 0 */
    gint64 reported;    /* when progress was last reported */
    uint32_t choices;   /* nested choices now */
    uint64_t work;      /* since the last look at the clock */
    uint32_t *currents; /* by location: room for weiri_graph_waits() */
    uint32_t *at;       /* by depth: which choice it is, from 1; those below are 0 */
    uint64_t pieces;    /* that were met */
    bool inside;        /* one that is explored here */
    bool narrow;        /* not all choices are visited */
    uint32_t wanted;    /* of a probe: the choice that is visited; 0: not yet known */
    bool stopped;
    struct weiri_co caller; /* of weiri_explore(), and */
    struct weiri_co co;     /* the coroutine that visits, on a large stack */
};

static void visit(struct explorer *x, struct weiri_graph *graph, double part);

static inline struct weiri_node *node_of(struct weiri_graph *graph, uint32_t event)
{
    return &graph->nodes[event];
}

/* Whether the write is last in modification order. */
static bool is_last(const struct weiri_graph *graph, uint32_t write)
{
    const struct weiri_node *node = &graph->nodes[write];
    return node->position + 1u == graph->writes[node->location].n;
}

/* ---- The end of an execution ----------------------------------------------------- */

static void look_at_the_clock(struct explorer *x)
{
    gint64 now = g_get_monotonic_time();
    if (x->ends != 0 && now >= x->ends) {
        x->result.limited = x->stopped = true;
    }
    if (x->options->progress != NULL && now - x->reported > G_USEC_PER_SEC / 4) {
        x->reported = now;
        const struct weiri_explore_progress progress
            = { x->result.executions, x->result.blocked + x->result.cut, x->part };
        x->stopped |= !x->options->progress(x->options->user, &progress);
    }
}

/* Accounts for work on all pairs of events. */
static void work(struct explorer *x, const struct weiri_graph *graph)
{
    x->work += (uint64_t)graph->n * graph->n + 1;
    if (x->work > LOOK_EVERY) {
        x->work = 0;
        look_at_the_clock(x);
    }
}

static bool is_consistent(struct explorer *x, struct weiri_graph *graph)
{
    work(x, graph);
    return weiri_graph_is_consistent(graph);
}

static void count(struct explorer *x)
{
    uint64_t n = x->result.executions + x->result.blocked + x->result.cut;
    if (x->options->max_executions != 0 && n >= x->options->max_executions) {
        x->result.limited = x->stopped = true;
    }
}

static void report_place(const struct explorer *x)
{
    if (x->options->place != NULL) {
        const struct weiri_explore_place place = { x->choices, x->at };
        x->options->place(x->options->user, &place);
    }
}

static void finish_blocked(struct explorer *x, const struct weiri_graph *graph)
{
    enum weiri_execution_end why = weiri_graph_end(graph);
    *(why == WEIRI_END_BOUND ? &x->result.cut : &x->result.blocked) += 1;
    if (x->options->stuck != NULL) {
        report_place(x);
        x->options->stuck(x->options->user, graph, why);
    }
}

/* A complete execution, or one that ends at its race. */
static void note(struct explorer *x, struct weiri_graph *graph, bool race)
{
    x->result.executions++;
    x->result.racy += race;
    report_place(x);
    if (!x->options->execution(x->options->user, graph, race)) {
        x->stopped = true;
    }
    count(x);
}

/* No thread can continue. */
static void finish(struct explorer *x, struct weiri_graph *graph)
{
    bool complete = true;
    for (uint32_t t = 0; t < x->frame.n_threads && complete; t++) {
        complete = weiri_graph_next(graph, t)->kind == WEIRI_STEP_END;
    }
    if (!complete) {
        if (x->options->skips != NULL ? weiri_graph_may_wait(graph)
                                      : weiri_graph_waits(graph, x->currents)) {
            finish_blocked(x, graph);
        }
        count(x);
        return;
    }
    uint32_t one, other;
    note(x, graph, x->options->races && weiri_graph_race(graph, &one, &other));
}

/* ---- Revisits -------------------------------------------------------------------- */

/* Whether an event stays when @write revisits @read. */
static inline bool stays(const struct weiri_graph *graph, uint32_t event, uint32_t read,
                         uint32_t write)
{
    return event <= read || weiri_graph_causes(graph, event, write);
}

/* Whether the event, which is removed or is the read itself, is where the first choice
 * would have placed it among the events that stay. */
static bool is_usual(const struct weiri_graph *graph, uint32_t event, uint32_t read,
                     uint32_t write)
{
    const struct weiri_node *node = &graph->nodes[event];
    bool reads = node->kind == WEIRI_READS_MEMORY;
    if (!reads && node->kind != WEIRI_WRITES_MEMORY) {
        return true;
    }
    if (!node->usual) {
        return false;
    }
    uint16_t at = reads ? node->from : (uint16_t)event;
    const struct weiri_order_of_writes *writes = &graph->writes[node->location];
    uint32_t next = at == WEIRI_NO_EVENT ? 0 : graph->nodes[at].position + 1u;
    for (; next < writes->n; next++) {
        if (writes->at[next] != write && stays(graph, writes->at[next], read, write)) {
            return false;
        }
    }
    return !(reads && at != WEIRI_NO_EVENT && at > event
             && !stays(graph, at, read, write));
}

/* Whether the events that are removed when @write revisits @read are exactly those that
 * first choices would add again. Among all graphs that lead to the revisited one, only
 * the one with this property does the revisit. */
static bool is_usual_extension(const struct weiri_graph *graph, uint32_t read,
                               uint32_t write)
{
    const struct weiri_node *node = &graph->nodes[write];
    const struct weiri_order_of_writes *writes = &graph->writes[node->location];
    if (!node->update && node->position + 1u < writes->n
        && !stays(graph, writes->at[node->position + 1], read, write)) {
        return false;
    }
    if (!is_usual(graph, read, read, write)) {
        return false;
    }
    for (uint32_t e = read + 1; e < graph->n; e++) {
        if (!weiri_graph_causes(graph, e, write) && !is_usual(graph, e, read, write)) {
            return false;
        }
    }
    return true;
}

/* Adds the writing half of an UPDATE whose read is the thread's latest event, and
 * explores the rest. @rival: another read-modify-write that reads the same write, or
 * WEIRI_NO_EVENT: then this one is only needed for its revisits. */
static void update(struct explorer *x, struct weiri_graph *graph, uint32_t thread,
                   int64_t value, uint16_t rival, bool judged, double part);

static struct weiri_graph *deeper(struct explorer *x)
{
    if (x->depth == MOST_NESTED) {
        return NULL;
    }
    if (x->depth == x->graphs->len) {
        struct weiri_graph *graph = g_new(struct weiri_graph, 1);
        weiri_graph_init(graph, &x->frame);
        g_ptr_array_add(x->graphs, graph);
    }
    return g_ptr_array_index(x->graphs, x->depth++);
}

/* Makes @read, of an older graph, read from @write. */
static void revisit(struct explorer *x, const struct weiri_graph *graph, uint32_t read,
                    uint32_t write, double part)
{
    struct weiri_graph *copy = deeper(x);
    if (copy == NULL) {
        x->result.too_large = x->stopped = true;
        return;
    }
    uint16_t from = (uint16_t)weiri_graph_restrict(copy, graph, read, write);
    uint32_t n = copy->n, thread = node_of(copy, read)->thread;
    bool weak = weiri_graph_step(copy, read)->weak;
    bool usual = is_last(copy, from);
    int64_t value = 0;
    bool updates = weiri_graph_writes(copy, read, from, &value);
    double share = updates && weak ? part / 2 : part;
    weiri_graph_reread(copy, read, from, updates);
    node_of(copy, read)->usual = usual;
    if (updates) {
        update(x, copy, thread, value, WEIRI_NO_EVENT, false, share);
        weiri_graph_cut(copy, n);
    } else if (is_consistent(x, copy)) {
        visit(x, copy, share);
    }
    if (updates && weak && !x->stopped) { /* it fails although it could succeed */
        weiri_graph_reread(copy, read, from, false);
        node_of(copy, read)->usual = false;
        if (is_consistent(x, copy)) {
            visit(x, copy, share);
        }
    }
    x->depth--;
}

/* Whether the two accesses to one location, of which neither needs the other, race, and
 * that ends the execution. */
static bool is_race(const struct explorer *x, const struct weiri_graph *graph,
                    uint32_t one, uint32_t other)
{
    return x->options->stop_at_race
        && !(graph->nodes[one].atomic && graph->nodes[other].atomic
             && weiri_graph_strong(graph, one, other));
}

/* Revisits all reads that could read from the new write. @part: of the exploration, for
 * the write and everything after it. Returns: the part left for the graph without a
 * revisit */
static double revisit_all(struct explorer *x, struct weiri_graph *graph, uint32_t write,
                          uint16_t rival, double part)
{
    uint32_t n = 0;
    for (int pass = 0; pass < 2; pass++) { /* the first pass counts them */
        double share = part / (n + 1);
        for (uint16_t r = node_of(graph, write)->read;
             r != WEIRI_NO_EVENT && !x->stopped; r = node_of(graph, r)->read) {
            const struct weiri_node *node = node_of(graph, r);
            if (!node->revisitable || is_race(x, graph, r, write)
                || weiri_graph_causes(graph, r, write)
                || (rival != WEIRI_NO_EVENT && r > rival)
                || !weiri_graph_may_read(graph, r, write)) {
                continue;
            }
            if (!is_usual_extension(graph, r, write)) {
                break; /* revisits of older reads would remove more */
            }
            if (pass == 0) {
                n++;
            } else {
                revisit(x, graph, r, write, share);
            }
        }
        if (n == 0) {
            return part;
        }
    }
    return part / (n + 1);
}

/* ---- Choices --------------------------------------------------------------------- */

static void update(struct explorer *x, struct weiri_graph *graph, uint32_t thread,
                   int64_t value, uint16_t rival, bool judged, double part)
{
    uint32_t n = graph->n;
    uint32_t write = weiri_graph_update(graph, thread, value);
    node_of(graph, write)->usual = is_last(graph, write);
    double left = revisit_all(x, graph, write, rival, part);
    if (rival == WEIRI_NO_EVENT && !x->stopped && (judged || is_consistent(x, graph))) {
        visit(x, graph, left);
    }
    weiri_graph_cut(graph, n);
}

/* Whether the thread's access can be at another place than the last one without a
 * race. */
static bool has_choice(const struct explorer *x, const struct weiri_graph *graph,
                       uint32_t thread)
{
    return !x->options->stop_at_race || weiri_graph_next(graph, thread)->atomic;
}

static void choose_place(struct explorer *x, struct weiri_graph *graph, uint32_t thread,
                         double part)
{
    uint32_t location = weiri_graph_next(graph, thread)->location;
    uint32_t floor = weiri_graph_floor(graph, thread, location);
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    uint32_t end = writes->n, n_places = 0;
    floor = has_choice(x, graph, thread) ? floor : end;
    for (uint32_t p = floor; p <= end; p++) {
        n_places += p == end || !node_of(graph, writes->at[p])->update;
    }
    for (uint32_t p = end + 1; p-- > floor && !x->stopped;) {
        if (p < end && node_of(graph, writes->at[p])->update) {
            continue; /* its place is directly after the write that it read */
        }
        uint32_t n = graph->n;
        uint32_t write = weiri_graph_write(graph, thread, p);
        node_of(graph, write)->usual = p == end;
        double left = revisit_all(x, graph, write, WEIRI_NO_EVENT, part / n_places);
        if (!x->stopped && (p == end || is_consistent(x, graph))) {
            visit(x, graph, left);
        }
        weiri_graph_cut(graph, n);
    }
}

/* The read-modify-write that reads from @from, or WEIRI_NO_EVENT. */
static uint16_t updater_of(const struct weiri_graph *graph, uint32_t location,
                           uint16_t from)
{
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    uint32_t next = from == WEIRI_NO_EVENT ? 0 : graph->nodes[from].position + 1u;
    return next < writes->n && graph->nodes[writes->at[next]].update ? writes->at[next]
                                                                     : WEIRI_NO_EVENT;
}

/* The thread's READ or UPDATE reads from @from. */
static void choose_write(struct explorer *x, struct weiri_graph *graph, uint32_t thread,
                         uint16_t from, bool usual, double part)
{
    struct weiri_step step = *weiri_graph_next(graph, thread);
    const struct weiri_program *program = x->frame.program;
    uint32_t n = graph->n;
    int64_t value = 0;
    bool updates = step.kind == WEIRI_STEP_UPDATE
        && program->update(program->self, thread, weiri_graph_state(graph, thread),
                           weiri_graph_value(graph, step.location, from), &value);
    double share = updates && step.weak ? part / 2 : part;
    uint16_t rival = updates ? updater_of(graph, step.location, from) : WEIRI_NO_EVENT;
    uint32_t read = weiri_graph_read(graph, thread, from, updates);
    node_of(graph, read)->usual = usual;
    if (!updates) {
        if (usual || is_consistent(x, graph)) {
            visit(x, graph, share);
        }
    } else if (rival == WEIRI_NO_EVENT
               || (node_of(graph, node_of(graph, rival)->before)->revisitable
                   && !weiri_graph_causes(graph, rival, read))) {
        update(x, graph, thread, value, rival, usual, share);
    }
    weiri_graph_cut(graph, n);
    if (updates && step.weak && !x->stopped) { /* it fails although it could succeed */
        read = weiri_graph_read(graph, thread, from, false);
        node_of(graph, read)->usual = false;
        if (is_consistent(x, graph)) {
            visit(x, graph, share);
        }
        weiri_graph_cut(graph, n);
    }
}

static void choose_writes(struct explorer *x, struct weiri_graph *graph,
                          uint32_t thread, double part)
{
    uint32_t location = weiri_graph_next(graph, thread)->location;
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    uint32_t end = writes->n;
    uint32_t floor = has_choice(x, graph, thread)
        ? weiri_graph_floor(graph, thread, location)
        : end;
    uint32_t first = floor > 0 ? floor - 1 : 0;
    uint32_t n = end - first + (floor == 0);
    for (uint32_t p = end; p-- > first && !x->stopped;) {
        choose_write(x, graph, thread, writes->at[p], p + 1 == end, part / n);
    }
    if (floor == 0 && !x->stopped) {
        choose_write(x, graph, thread, WEIRI_NO_EVENT, end == 0, part / n);
    }
}

/* ---- Growing --------------------------------------------------------------------- */

/* Adds all events that involve no choice. Returns: a thread whose next step is a write,
 * or else one whose next step is a read, or else UINT32_MAX */
static uint32_t add_the_rest(struct weiri_graph *graph, uint32_t most)
{
    uint32_t n_threads = graph->frame->n_threads;
    weiri_graph_add_free(graph, most);
    uint32_t reader = UINT32_MAX;
    for (uint32_t t = n_threads; t-- > 0;) {
        uint8_t kind = weiri_graph_next(graph, t)->kind;
        if (kind == WEIRI_STEP_READ || kind == WEIRI_STEP_UPDATE) {
            reader = t;
        }
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        if (weiri_graph_next(graph, t)->kind == WEIRI_STEP_WRITE) {
            return t;
        }
    }
    return reader;
}

/* ---- Pieces ----------------------------------------------------------------------
 *
 * The visits are a tree. A piece is the subtree of the first visit, on the way from the
 * root, whose part of the exploration is small, or an execution above all such visits.
 * The visits above pieces are always made: they lead to the pieces. */

/* Whether the next piece is explored here. */
static bool takes(struct explorer *x)
{
    return x->options->takes(x->options->user, x->pieces++);
}

/* Whether a visit is one of those that are made, where not all are. */
static bool is_wanted(const struct explorer *x, const struct weiri_graph *graph,
                      uint32_t depth, uint32_t at)
{
    const struct weiri_explore_place *only = x->options->only;
    if (only != NULL) {
        return depth < only->n && at == only->at[depth];
    }
    if (depth > 0 && x->wanted == 0) {
        x->options->probe->met(x->options->user, graph);
    }
    return depth == 0 || at == x->wanted;
}

/* Begins a visit. *@inside: it is a piece. Returns: whether it is made */
static bool enter(struct explorer *x, const struct weiri_graph *graph, double part,
                  bool *inside)
{
    uint32_t depth = x->choices, at = ++x->at[depth];
    x->at[depth + 1] = 0;
    if (x->narrow && !is_wanted(x, graph, depth, at)) {
        return false;
    }
    *inside = !x->inside && part < x->options->piece;
    if (*inside && !x->frame.program->stopped && !takes(x)) {
        return false;
    }
    x->inside |= *inside;
    x->choices++;
    return true;
}

static void leave(struct explorer *x, bool inside)
{
    x->choices--;
    x->inside &= !inside;
    x->stopped |= x->options->probe != NULL; /* a probe is a single way down */
}

/* Whether the execution, at which the visit ends, is counted here. */
static bool is_own(struct explorer *x, double part)
{
    bool own = x->inside || x->options->piece == 0 || takes(x);
    x->part += own ? part : 0;
    return own;
}

/* Visits all choices of the thread's next step. */
static void choose(struct explorer *x, struct weiri_graph *graph, uint32_t thread,
                   double part)
{
    if (weiri_graph_next(graph, thread)->kind == WEIRI_STEP_WRITE) {
        choose_place(x, graph, thread, part);
    } else {
        choose_writes(x, graph, thread, part);
    }
}

/* Visits one of them. */
static void choose_one(struct explorer *x, struct weiri_graph *graph, uint32_t thread)
{
    uint32_t depth = x->choices;
    x->wanted = 0;
    choose(x, graph, thread, 0);
    if (x->at[depth] > 0 && !x->stopped) {
        x->wanted = x->options->probe->chosen(x->options->user);
        x->at[depth] = 0;
        choose(x, graph, thread, 0);
    }
}

static void visit(struct explorer *x, struct weiri_graph *graph, double part)
{
    bool inside;
    if (x->stopped) {
        return;
    }
    if (x->choices == MOST_CHOICES || graph->n >= MOST_EVENTS) {
        x->result.too_large = x->stopped = true;
        return;
    }
    if (!enter(x, graph, part, &inside)) {
        return;
    }
    uint32_t one, other;
    if (x->options->stop_at_race && weiri_graph_race(graph, &one, &other)) {
        if (is_own(x, part)) {
            note(x, graph, true);
        }
        leave(x, inside);
        return;
    }
    if (x->options->skips != NULL && x->options->skips(x->options->user, graph)) {
        x->part += part;
        leave(x, inside);
        return;
    }
    work(x, graph);
    uint32_t n = graph->n, thread = add_the_rest(graph, MOST_EVENTS);
    if (x->frame.program->stopped) {
        report_place(x);
        x->stopped = true;
    } else if (thread == UINT32_MAX) {
        if (is_own(x, part)) {
            finish(x, graph);
        }
    } else if (x->options->probe != NULL) {
        choose_one(x, graph, thread);
    } else {
        choose(x, graph, thread, part);
    }
    weiri_graph_cut(graph, n);
    leave(x, inside);
}

static void free_graph(void *data)
{
    weiri_graph_clear(data);
    g_free(data);
}

/* A probe has ended, by itself or because there is a reason to stop. */
static bool may_probe_again(struct explorer *x)
{
    bool ended = x->frame.program->stopped || x->result.too_large || x->result.limited;
    x->stopped = ended || !x->options->probe->ended(x->options->user);
    return !x->stopped;
}

/* The explorer whose coroutine starts. */
static _Thread_local struct explorer *starting;

static void run(void)
{
    weiri_co_entered();
    struct explorer *x = starting;
    uint32_t at[MOST_CHOICES + 2]; /* of a large stack */
    x->at = at;
    struct weiri_graph *graph = deeper(x);
    do {
        at[0] = 0;
        visit(x, graph, 1);
    } while (x->options->probe != NULL && may_probe_again(x));
    weiri_co_jump(&x->caller);
}

/* Visits all executions, on a stack that is large enough. Returns: whether there is
 * one */
static bool run_on_a_large_stack(struct explorer *x)
{
    struct weiri_stacks stacks;
    const char *reason;
    if (!weiri_stacks_init(&stacks, STACK_BYTES, 1, &reason)) {
        return false;
    }
    uint32_t stack = weiri_stacks_acquire(&stacks);
    if (stack != WEIRI_NO_STACK) {
        size_t bytes;
        void *low = weiri_stacks_bounds(&stacks, stack, &bytes);
        weiri_co_init(&x->co, low, bytes, run);
        starting = x;
        weiri_co_start(&x->caller, &x->co);
        weiri_stacks_release(&stacks, stack);
    }
    weiri_stacks_clear(&stacks);
    return stack != WEIRI_NO_STACK;
}

struct weiri_exploration weiri_explore(const struct weiri_program *program,
                                       const struct weiri_explore_options *options)
{
    struct explorer x = { .options = options,
                          .narrow = options->only != NULL || options->probe != NULL,
                          .reported = g_get_monotonic_time() };
    if (options->time_limit > 0) {
        x.ends = x.reported + (gint64)(options->time_limit * G_USEC_PER_SEC);
    }
    weiri_frame_init(&x.frame, program, options->model);
    x.graphs = g_ptr_array_new_with_free_func(free_graph);
    x.currents = g_new0(uint32_t, MAX(program->n_locations, 1));
    if (!run_on_a_large_stack(&x)) {
        x.result.too_large = x.stopped = true;
    }
    x.result.complete = !x.stopped && x.result.cut == 0;
    g_ptr_array_unref(x.graphs);
    g_free(x.currents);
    weiri_frame_clear(&x.frame);
    return x.result;
}
