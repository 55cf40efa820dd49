/* SPDX-License-Identifier: MIT
 *
 * partial.c: see partial.h.
 *
 *     weiri_partial_grow()   histories of all items (partial-grow.h)
 *     list()                 each history as a path: a list of events with fixed
 *                            values
 *     weiri_enumerate()
 *
 * Under PTX a sequentially consistent access is a fence.sc and the access, as compilers
 * for PTX have it. Vulkan has none: a launch with one is refused (vulkan.h).
 *
 * **Dependencies.** The model forbids values out of thin air: a write must not depend
 * on a read that reads, by whatever way, from that write. Code that is compiled has no
 * syntax to follow, so dependencies are those of behaviour: an access depends on an
 * earlier read if the item, had it read some other value there, could not make this
 * access. Dependencies that a compiler removes, as in `x * 0`, are none. */
#include "config.h"

#include "native/partial.h"

#include "exec/finding.h"
#include "native/history.h"
#include "native/partial-grow.h"

#include <string.h>

/* Reads of a history that a dependency can name. */
enum { MOST_READS = 64 };

/* The state of a thread: see weiri_partial_execution. */
struct state {
    uint32_t node;
    uint32_t fenced; /* 1: the fence before the access of the node is done */
};

/* A history, from the root to its end. */
struct history {
    struct weiri_path path; /* whose steps are the values of its events */
    GArray *nodes;          /* of uint32_t: owned */
};

struct thread {
    GPtrArray *histories; /* of struct history, owned */
};

static const struct weiri_native_node *node_at(const struct weiri_partial *p,
                                               uint32_t node)
{
    return weiri_history_node(p->native, node);
}

/* ---- Steps ----------------------------------------------------------------- */

/* Whether a fence.sc comes before the step. */
static bool is_fenced(const struct weiri_partial *p, const struct weiri_step *step)
{
    bool access = step->kind == WEIRI_STEP_READ || step->kind == WEIRI_STEP_WRITE
        || step->kind == WEIRI_STEP_UPDATE;
    return access && step->atomic && p->model->form == WEIRI_FORM_PTX
        && (step->order == memory_order_seq_cst
            || (step->kind == WEIRI_STEP_UPDATE
                && step->failure == memory_order_seq_cst));
}

static void present(const struct weiri_partial *p, const struct state *state,
                    struct weiri_step *next)
{
    *next = node_at(p, state->node)->step;
    if (state->fenced == 0 && is_fenced(p, next)) {
        *next = (struct weiri_step){ .kind = WEIRI_STEP_FENCE,
                                     .atomic = true,
                                     .order = memory_order_seq_cst,
                                     .scope = next->scope,
                                     .spaces = WEIR_LOCAL | WEIR_GLOBAL,
                                     .place = state->node };
    }
}

void weiri_partial_stand_at(const struct weiri_partial *p, uint32_t node, void *state,
                            struct weiri_step *next)
{
    const struct state at = { node, 0 };
    memcpy(state, &at, sizeof(at));
    present(p, &at, next);
}

static void start(void *self, uint32_t thread, void *state, struct weiri_step *next)
{
    const struct weiri_partial *p = self;
    weiri_partial_stand_at(p, p->native->roots[thread], state, next);
}

/* The item runs only if its history is not known. */
static void resume(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    const struct weiri_partial *p = self;
    struct weiri_native *native = p->native;
    struct state at;
    memcpy(&at, state, sizeof(at));
    if (at.fenced == 0 && is_fenced(p, &node_at(p, at.node)->step)) {
        at.fenced = 1;
        memcpy(state, &at, sizeof(at));
        present(p, &at, next);
        return;
    }
    uint8_t kind = node_at(p, at.node)->step.kind;
    bool reads = kind == WEIRI_STEP_READ || kind == WEIRI_STEP_UPDATE;
    uint32_t node = at.node;
    native->program.resume(native, thread, &node, reads ? read : 0, reads && wrote,
                           next);
    if (node != at.node) { /* otherwise the program has stopped */
        weiri_partial_stand_at(p, node, state, next);
    }
}

/* ---- What fits ----------------------------------------------------------------
 *
 * Histories are left out early that cannot be together in an execution: a value that is
 * read must be written; and where all updates of a location are morally strong, two of
 * them do not read one write. */

static void count_written(const struct weiri_partial *p, const struct weiri_path *path,
                          uint8_t *written)
{
    for (uint32_t e = 0; e < path->n_events; e++) {
        const struct weiri_execution_event *event = &path->events[e];
        if (event->kind == WEIRI_WRITES_MEMORY) {
            written[weiri_partial_number(p, event->location, event->value)]++;
        }
    }
}

static void number_values(struct weiri_partial *p)
{
    p->first_value = g_new0(uint32_t, p->program.n_locations + 1);
    p->distinct = g_new0(bool, p->program.n_locations + 1);
    p->n_values = 0;
    for (uint32_t l = 0; l < p->program.n_locations; l++) {
        p->first_value[l] = p->n_values;
        p->n_values += weiri_partial_n_values(p, l);
        p->distinct[l] = true;
    }
    for (guint i = 0; i < p->native->nodes->len; i++) {
        const struct weiri_step *step = &node_at(p, i)->step;
        if ((step->kind == WEIRI_STEP_WRITE || step->kind == WEIRI_STEP_UPDATE)
            && (!step->atomic || step->scope < memory_scope_device)) {
            p->distinct[step->location] = false;
        }
    }
    p->most_written = g_new0(uint8_t, p->n_values * p->program.n_threads + 1);
}

/* Notes the most that one of the thread's histories writes. */
static void note_written(const struct weiri_partial *p, uint32_t thread,
                         const struct weiri_paths *paths)
{
    uint8_t *most = p->most_written + (size_t)thread * p->n_values;
    g_autofree uint8_t *written = g_new(uint8_t, p->n_values + 1);
    for (uint32_t i = 0; i < paths->n; i++) {
        memset(written, 0, p->n_values);
        count_written(p, &paths->paths[i], written);
        for (uint32_t v = 0; v < p->n_values; v++) {
            most[v] = MAX(most[v], written[v]);
        }
    }
}

static bool fits(void *self, struct weiri_path *const *chosen, uint32_t n)
{
    const struct weiri_partial *p = self;
    g_autofree uint8_t *left = g_new0(uint8_t, p->n_values + 1);
    for (uint32_t l = 0; l < p->program.n_locations; l++) {
        left[p->first_value[l]] = 1; /* the initial value */
    }
    for (uint32_t t = 0; t < n; t++) {
        count_written(p, chosen[t], left);
    }
    for (uint32_t t = n; t < p->program.n_threads; t++) {
        for (uint32_t v = 0; v < p->n_values; v++) {
            left[v] += p->most_written[(size_t)t * p->n_values + v];
        }
    }
    g_autofree uint8_t *taken = g_new0(uint8_t, p->n_values + 1);
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t e = 0; e < chosen[t]->n_events; e++) {
            const struct weiri_execution_event *event = &chosen[t]->events[e];
            if (event->kind != WEIRI_READS_MEMORY) {
                continue;
            }
            uint32_t v = weiri_partial_number(p, event->location, event->value);
            taken[v] += event->update && p->distinct[event->location];
            if (left[v] == 0 || taken[v] > left[v]) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Paths ----------------------------------------------------------------- */

/* A history while it is made. */
struct making {
    struct weiri_partial *p;
    uint32_t thread;
    bool may_wait;
    GArray *nodes;  /* of uint32_t */
    GArray *events; /* of struct weiri_execution_event */
};

static struct weiri_execution_event *add_event(struct making *making, uint8_t kind,
                                               const struct weiri_step *step)
{
    const struct weiri_execution_event event
        = { .kind = kind,
            .atomic = step->atomic,
            .order = step->order,
            .scope = step->scope,
            .spaces = step->spaces,
            .thread = making->thread,
            .index = making->events->len,
            .location = step->location,
            .label = step->label,
            .value = step->value,
            .from = WEIRI_INITIAL,
            .place = g_array_index(making->nodes, uint32_t, making->nodes->len - 1),
            .traits = step->traits };
    g_array_append_val(making->events, event);
    return &g_array_index(making->events, struct weiri_execution_event,
                          making->events->len - 1);
}

/* Which entry of the thread at that label is the next, from 0. */
static int64_t count_entries(const struct making *making, uint32_t label)
{
    int64_t n = 0;
    for (guint i = 0; i < making->events->len; i++) {
        const struct weiri_execution_event *event
            = &g_array_index(making->events, struct weiri_execution_event, i);
        n += event->kind == WEIRI_ENTERS && event->label == label;
    }
    return n;
}

static void add_fence(struct making *making, const struct weiri_step *step)
{
    const struct weiri_step fence = { .atomic = true,
                                      .order = memory_order_seq_cst,
                                      .scope = step->scope,
                                      .spaces = WEIR_LOCAL | WEIR_GLOBAL };
    add_event(making, WEIRI_FENCES, &fence);
}

static void keep(struct making *making, enum weiri_execution_end end, uint32_t head)
{
    struct weiri_partial *p = making->p;
    struct thread *thread = g_ptr_array_index(p->threads, making->thread);
    struct history *history = g_new0(struct history, 1);
    guint n = making->events->len;
    history->nodes = g_array_copy(making->nodes);
    history->path.end = end;
    history->path.n_events = n;
    history->path.events
        = g_memdup2(making->events->data, n * sizeof(struct weiri_execution_event));
    bool in_round = false;
    uint32_t n_reads = 0;
    for (guint i = 0; i < n; i++) {
        const struct weiri_execution_event *event = &history->path.events[i];
        in_round |= end == WEIRI_END_SPIN && event->place == head;
        history->path.n_round += in_round;
        n_reads += event->kind == WEIRI_READS_MEMORY;
    }
    p->too_large |= n_reads > MOST_READS;
    g_ptr_array_add(thread->histories, history);
}

static void list_from(struct making *making, uint32_t node);

/* Continues with each answer to a read. */
static void list_read(struct making *making, const struct weiri_step *step,
                      uint32_t node)
{
    struct weiri_partial *p = making->p;
    for (uint32_t child = node_at(p, node)->child;
         child != WEIRI_NO_HISTORY && !weiri_partial_is_over(p);
         child = node_at(p, child)->sibling) {
        int64_t read = node_at(p, child)->answer, written = 0;
        guint n = making->events->len;
        bool writes = step->kind == WEIRI_STEP_UPDATE && !node_at(p, child)->fails
            && p->native->program.update(p->native, making->thread, &node, read,
                                         &written);
        struct weiri_execution_event *event
            = add_event(making, WEIRI_READS_MEMORY, step);
        event->value = read;
        event->update = writes;
        if (step->kind == WEIRI_STEP_UPDATE && !writes) {
            event->order = step->failure;
        }
        if (writes) {
            event = add_event(making, WEIRI_WRITES_MEMORY, step);
            event->value = written;
            event->update = true;
        }
        list_from(making, child);
        g_array_set_size(making->events, n);
    }
}

/* Adds the histories from the node on, after what is made so far. */
static void list_from(struct making *making, uint32_t node)
{
    struct weiri_partial *p = making->p;
    const struct weiri_step step = node_at(p, node)->step;
    guint n = making->events->len;
    if (weiri_partial_is_over(p)) {
        return;
    }
    g_array_append_val(making->nodes, node);
    if (is_fenced(p, &step)) {
        add_fence(making, &step);
    }
    bool goes_on = false;
    switch (step.kind) {
    case WEIRI_STEP_READ:
    case WEIRI_STEP_UPDATE:
        list_read(making, &step, node);
        break;
    case WEIRI_STEP_WRITE:
        add_event(making, WEIRI_WRITES_MEMORY, &step);
        goes_on = true;
        break;
    case WEIRI_STEP_FENCE:
        add_event(making, WEIRI_FENCES, &step);
        goes_on = true;
        break;
    case WEIRI_STEP_ENTER: {
        int64_t entry = count_entries(making, step.label);
        struct weiri_execution_event *event = add_event(making, WEIRI_ENTERS, &step);
        event->value = entry;
        if (making->may_wait) {
            keep(making, WEIRI_END_BARRIER, 0);
        }
        event = add_event(making, WEIRI_EXITS, &step);
        event->value = entry;
        goes_on = true;
        break;
    }
    case WEIRI_STEP_END:
        keep(making, WEIRI_END_COMPLETE, 0);
        break;
    case WEIRI_STEP_SPIN:
        keep(making, WEIRI_END_SPIN, step.place);
        break;
    case WEIRI_STEP_BOUND:
        keep(making, WEIRI_END_BOUND, 0);
        break;
    default:
        keep(making, WEIRI_END_FAULT, 0);
        break;
    }
    if (goes_on && node_at(p, node)->child != WEIRI_NO_HISTORY) {
        list_from(making, node_at(p, node)->child);
    }
    g_array_set_size(making->events, n);
    g_array_set_size(making->nodes, making->nodes->len - 1);
}

static void list(struct weiri_partial *p, uint32_t thread, bool may_wait)
{
    struct making making
        = { .p = p,
            .thread = thread,
            .may_wait = may_wait,
            .nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
            .events = g_array_new(FALSE, FALSE, sizeof(struct weiri_execution_event)) };
    list_from(&making, p->native->roots[thread]);
    g_array_unref(making.nodes);
    g_array_unref(making.events);
}

/* ---- Dependencies ---------------------------------------------------------- */

/* Whether the item can make that request at the node or after it. */
static bool reaches(const struct weiri_partial *p, uint32_t node,
                    const struct weiri_request *request)
{
    if (weiri_history_same_request(weiri_history_request(p->native, node), request)) {
        return true;
    }
    for (uint32_t child = node_at(p, node)->child; child != WEIRI_NO_HISTORY;
         child = node_at(p, child)->sibling) {
        if (reaches(p, child, request)) {
            return true;
        }
    }
    return false;
}

/* Whether what is requested after @next, a child of @read, depends on that answer. */
static bool depends(const struct weiri_partial *p, uint32_t read, uint32_t next,
                    const struct weiri_request *request)
{
    for (uint32_t child = node_at(p, read)->child; child != WEIRI_NO_HISTORY;
         child = node_at(p, child)->sibling) {
        if (child != next && !reaches(p, child, request)) {
            return true;
        }
    }
    return false;
}

/* Whether another value read would let the read-modify-write write something else. */
static bool uses_its_value(const struct weiri_partial *p, uint32_t thread,
                           uint32_t node, int64_t written)
{
    for (uint32_t child = node_at(p, node)->child; child != WEIRI_NO_HISTORY;
         child = node_at(p, child)->sibling) {
        int64_t other = 0;
        if (node_at(p, child)->fails
            || !p->native->program.update(p->native, thread, &node,
                                          node_at(p, child)->answer, &other)
            || other != written) {
            return true;
        }
    }
    return false;
}

static void depend(void *self, uint32_t thread, struct weiri_path *path,
                   const struct weiri_symbolic *values)
{
    const struct weiri_partial *p = self;
    const struct thread *of = g_ptr_array_index(p->threads, thread);
    const struct history *history
        = g_ptr_array_index(of->histories, *(const uint32_t *)path->steps);
    const uint32_t *nodes = (const uint32_t *)(void *)history->nodes->data;
    (void)values;
    for (uint32_t e = 0; e < path->n_events; e++) {
        struct weiri_execution_event *event = &path->events[e];
        uint32_t n = 0, at = 0;
        for (uint32_t r = 0; r < e && weiri_event_is_access(event); r++) {
            const struct weiri_execution_event *read = &path->events[r];
            if (read->kind != WEIRI_READS_MEMORY) {
                continue;
            }
            while (nodes[at] != read->place) {
                at++;
            }
            bool own = read->place == event->place;
            bool is = own ? uses_its_value(p, thread, event->place, event->value)
                          : depends(p, read->place, nodes[at + 1],
                                    weiri_history_request(p->native, event->place));
            event->data |= is ? UINT64_C(1) << n : 0;
            n++;
        }
    }
    path->has_dependencies = true;
}

/* ---- The interface of paths ------------------------------------------------ */

static struct weiri_paths find(void *self, uint32_t thread, bool may_wait)
{
    struct weiri_partial *p = self;
    list(p, thread, may_wait);
    const struct thread *of = g_ptr_array_index(p->threads, thread);
    struct weiri_paths paths = { .n = of->histories->len,
                                 .paths = g_new0(struct weiri_path, of->histories->len),
                                 .complete = !weiri_partial_is_over(p) };
    for (uint32_t i = 0; i < paths.n; i++) {
        struct history *history = g_ptr_array_index(of->histories, i);
        paths.paths[i] = history->path; /* its events belong to the paths now */
        paths.paths[i].n_steps = 1;
        paths.paths[i].steps = g_memdup2(&i, sizeof(i));
        history->path.events = NULL;
    }
    note_written(p, thread, &paths);
    return paths;
}

/* The values of a history are fixed. */
static bool follow(void *self, uint32_t thread, const struct weiri_path *path,
                   struct weiri_symbolic *values)
{
    (void)self;
    (void)thread;
    for (uint32_t e = 0; e < path->n_events; e++) {
        const struct weiri_execution_event *event = &path->events[e];
        if (event->kind == WEIRI_WRITES_MEMORY) {
            values[e] = weiri_symbolic_known(event->value);
        } else if (event->kind == WEIRI_READS_MEMORY && values[e].unknown == 0
                   && values[e].value != event->value) {
            return false;
        }
    }
    return true;
}

static const struct weiri_path_interface interface = { find, follow, fits, depend };

/* ---- The exploration ------------------------------------------------------- */

static void find_races(struct weiri_partial *p, const struct weiri_candidate *candidate)
{
    const struct weiri_facts *f = candidate->facts;
    struct weiri_algebra_mark mark = weiri_algebra_mark(f->algebra);
    struct weiri_relation racing = p->model->racing(f);
    g_array_set_size(p->races, 0);
    for (uint32_t a = 0; a < f->algebra->n; a++) {
        for (uint32_t b = a + 1; b < f->algebra->n; b++) {
            if (weiri_relation_has(f->algebra, racing, a, b)) {
                const uint32_t pair[] = { a, b };
                g_array_append_vals(p->races, pair, 2);
            }
        }
    }
    weiri_algebra_return(f->algebra, mark);
}

static void count(struct weiri_partial *p, enum weiri_execution_end end)
{
    uint64_t *const counts[] = { [WEIRI_END_COMPLETE] = &p->executions,
                                 [WEIRI_END_BARRIER] = &p->blocked,
                                 [WEIRI_END_SPIN] = &p->blocked,
                                 [WEIRI_END_BOUND] = &p->cut,
                                 [WEIRI_END_FAULT] = &p->faulted };
    ++*counts[end];
    p->racy += p->races->len > 0 && end == WEIRI_END_COMPLETE;
}

static bool visit(const struct weiri_candidate *candidate, void *user)
{
    struct weiri_partial *p = user;
    find_races(p, candidate);
    count(p, candidate->end);
    for (uint32_t t = 0; t < p->program.n_threads; t++) {
        struct state state;
        memcpy(&state, candidate->execution->states[t], sizeof(state));
        g_hash_table_add(p->real, GUINT_TO_POINTER(state.node + 1));
    }
    const struct weiri_partial_execution execution
        = { candidate->execution, candidate->end, p->races->len / 2,
            (const uint32_t *)(void *)p->races->data };
    uint64_t n = p->executions + p->blocked + p->cut + p->faulted;
    bool more = p->visit(p->user, &execution);
    p->limited |= p->max_executions != 0 && n >= p->max_executions;
    return more && !weiri_partial_is_over(p);
}

static bool go_on(void *user)
{
    struct weiri_partial *p = user;
    p->limited
        |= p->native->ends_us != 0 && g_get_monotonic_time() >= p->native->ends_us;
    return !weiri_partial_is_over(p);
}

static void free_history(void *data)
{
    struct history *history = data;
    g_array_unref(history->nodes);
    g_free(history->path.events);
    g_free(history);
}

static void free_thread(void *data)
{
    struct thread *thread = data;
    g_ptr_array_unref(thread->histories);
    g_free(thread);
}

static void begin(struct weiri_partial *p, struct weiri_native *native)
{
    weiri_partial_clear(p);
    p->native = native;
    p->program = native->program;
    p->program.self = p;
    p->program.state_bytes = sizeof(struct state);
    p->program.start = start;
    p->program.resume = resume;
    p->program.paths = &interface;
    p->threads = g_ptr_array_new_with_free_func(free_thread);
    for (uint32_t t = 0; t < p->program.n_threads; t++) {
        struct thread *thread = g_new0(struct thread, 1);
        thread->histories = g_ptr_array_new_with_free_func(free_history);
        g_ptr_array_add(p->threads, thread);
    }
    weiri_partial_grow_begin(p);
    p->races = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    p->real = g_hash_table_new(NULL, NULL);
    p->executions = p->racy = p->blocked = p->cut = p->faulted = 0;
    p->limited = p->too_large = p->complete = false;
}

void weiri_partial_explore(struct weiri_partial *p, struct weiri_native *native)
{
    begin(p, native);
    struct weir_report *report = native->machine.hub.launch->report;
    native->machine.hub.launch->report = weiri_report_new();
    weiri_partial_grow(p);
    weir_report_free(native->machine.hub.launch->report);
    native->machine.hub.launch->report = report;
    if (weiri_partial_is_over(p)) {
        return;
    }
    number_values(p);
    const struct weiri_enumerate_options how = {
        .model = p->model, .racy = p->is_racy, .visit = visit, .go_on = go_on, .user = p
    };
    struct weiri_enumeration done = weiri_enumerate(&p->program, &how);
    p->complete = done.exhaustive && !done.lacking && !weiri_partial_is_over(p);
}

void weiri_partial_run_again(struct weiri_partial *p)
{
    struct weiri_native *native = p->native;
    GHashTableIter each;
    gpointer key;
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_hash_table_iter_init(&each, p->real);
    while (g_hash_table_iter_next(&each, &key, NULL)) {
        uint32_t node = GPOINTER_TO_UINT(key) - 1;
        g_array_append_val(nodes, node);
    }
    for (guint i = 0; i < nodes->len && !native->program.stopped; i++) {
        uint32_t node = g_array_index(nodes, uint32_t, i);
        weiri_history_go_to(native, node_at(p, node)->thread, node);
    }
}

void weiri_partial_clear(struct weiri_partial *p)
{
    g_clear_pointer(&p->threads, g_ptr_array_unref);
    weiri_partial_grow_clear(p);
    g_clear_pointer(&p->first_value, g_free);
    g_clear_pointer(&p->distinct, g_free);
    g_clear_pointer(&p->most_written, g_free);
    g_clear_pointer(&p->races, g_array_unref);
    g_clear_pointer(&p->real, g_hash_table_unref);
}
