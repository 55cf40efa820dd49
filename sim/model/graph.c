/* SPDX-License-Identifier: MIT
 *
 * graph.c: see graph.h.
 *
 * Happens-before is computed when an event is added, and never again. A thread learns
 * about other threads at acquire reads, acquire fences and exits from barriers. Its new
 * knowledge is found by walking back from the write that is read, through the release
 * sequence, to the release ends. Whether an end counts depends on the scopes of both
 * sides.
 *
 * Under `sycl-split` an event is ordered in the address spaces that it belongs to, and
 * program order relates events of the same space. If synchronisation reaches an event
 * that does not belong to the space, it is in that event's view, but is not passed on
 * along the thread.
 *
 * The file is long because events are added and removed here: each way to add an event
 * keeps numbers, views, states and the order of writes consistent, and removing undoes
 * exactly that. Queries about a whole graph are in graph-judge.c. */
#include "config.h"

#include "model/graph.h"

#include "base/assert.h"

#include <string.h>

enum { FIRST_EVENTS = 32, FIRST_WRITES = 8 };

/* ---- The frame ------------------------------------------------------------------- */

static memory_scope level_of(const struct weiri_program_thread *one,
                             const struct weiri_program_thread *other)
{
    return one == other                      ? memory_scope_work_item
        : one->sub_group == other->sub_group ? memory_scope_sub_group
        : one->group == other->group         ? memory_scope_work_group
        : one->device == other->device       ? memory_scope_device
                                             : memory_scope_system;
}

void weiri_frame_init(struct weiri_frame *frame, const struct weiri_program *program,
                      enum weiri_explored model)
{
    uint32_t n = program->n_threads;
    bool apart = model == WEIRI_EXPLORED_SYCL_SPLIT
        || (model == WEIRI_EXPLORED_SYCL && program->partial_barriers);
    *frame = (struct weiri_frame){
        .program = program, .model = model, .n_threads = n, .n_views = apart ? 3 : 2
    };
    frame->level = g_new(uint8_t, (size_t)n * n);
    frame->first = g_new0(struct weiri_step, n);
    frame->states = g_malloc0(n * program->state_bytes);
    frame->scratch = g_new(uint16_t, n);
    frame->met = g_new(const void *, n);
    frame->absent = g_new0(uint32_t, n);
    frame->left = g_new0(uint32_t, 1);
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t u = 0; u < n; u++) {
            frame->level[t * n + u]
                = level_of(&program->threads[t], &program->threads[u]);
            frame->widest = MAX(frame->widest, frame->level[t * n + u]);
        }
        program->start(program->self, t, frame->states + t * program->state_bytes,
                       &frame->first[t]);
    }
}

void weiri_frame_clear(struct weiri_frame *frame)
{
    g_free(frame->level);
    g_free(frame->first);
    g_free(frame->states);
    g_free(frame->scratch);
    g_free(frame->met);
    g_free(frame->absent);
    g_free(frame->left);
}

/* ---- Graphs ---------------------------------------------------------------------- */

static void make_room(struct weiri_graph *graph, uint32_t n)
{
    const struct weiri_frame *frame = graph->frame;
    if (n <= graph->capacity) {
        return;
    }
    while (graph->capacity < n) {
        graph->capacity *= 2;
    }
    size_t room = graph->capacity;
    graph->nodes = g_renew(struct weiri_node, graph->nodes, room);
    graph->views
        = g_renew(uint16_t, graph->views, room * frame->n_views * frame->n_threads);
    graph->states = g_realloc(graph->states, room * frame->program->state_bytes);
    graph->number = g_renew(uint16_t, graph->number, room);
}

void weiri_graph_init(struct weiri_graph *graph, const struct weiri_frame *frame)
{
    const struct weiri_program *program = frame->program;
    *graph = (struct weiri_graph){ .frame = frame, .capacity = FIRST_EVENTS / 2 };
    make_room(graph, FIRST_EVENTS);
    graph->last = g_new(uint16_t, frame->n_threads);
    memset(graph->last, 0xff, frame->n_threads * sizeof(*graph->last));
    graph->writes = g_new0(struct weiri_order_of_writes, program->n_locations);
    for (uint32_t i = 0; i < program->n_locations; i++) {
        graph->writes[i].latest = WEIRI_NO_EVENT;
    }
}

void weiri_graph_clear(struct weiri_graph *graph)
{
    for (uint32_t i = 0; i < graph->frame->program->n_locations; i++) {
        g_free(graph->writes[i].at);
    }
    g_free(graph->writes);
    g_free(graph->last);
    g_free(graph->nodes);
    g_free(graph->views);
    g_free(graph->states);
    g_free(graph->number);
}

/* ---- Looking --------------------------------------------------------------------- */

static inline uint16_t *view_of(struct weiri_graph *graph, uint32_t event,
                                uint32_t kind)
{
    const struct weiri_frame *frame = graph->frame;
    return graph->views + ((size_t)event * frame->n_views + kind) * frame->n_threads;
}

static inline void *state_of(const struct weiri_graph *graph, uint32_t event)
{
    return graph->states + event * graph->frame->program->state_bytes;
}

const void *weiri_graph_state(const struct weiri_graph *graph, uint32_t thread)
{
    size_t bytes = graph->frame->program->state_bytes;
    uint16_t last = graph->last[thread];
    return last == WEIRI_NO_EVENT ? graph->frame->states + thread * bytes
                                  : (const char *)state_of(graph, last);
}

const void *weiri_graph_state_before(const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    return node->before == WEIRI_NO_EVENT
        ? graph->frame->states + node->thread * graph->frame->program->state_bytes
        : (const char *)state_of(graph, node->before);
}

const struct weiri_step *weiri_graph_step(const struct weiri_graph *graph,
                                          uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    return node->before == WEIRI_NO_EVENT ? &graph->frame->first[node->thread]
                                          : &graph->nodes[node->before].next;
}

bool weiri_graph_writes(const struct weiri_graph *graph, uint32_t read, uint16_t from,
                        int64_t *value)
{
    const struct weiri_program *program = graph->frame->program;
    const struct weiri_node *node = &graph->nodes[read];
    return weiri_graph_step(graph, read)->kind == WEIRI_STEP_UPDATE
        && program->update(program->self, node->thread,
                           weiri_graph_state_before(graph, read),
                           weiri_graph_value(graph, node->location, from), value);
}

static inline bool is_split(const struct weiri_frame *frame)
{
    return frame->model == WEIRI_EXPLORED_SYCL_SPLIT;
}

static inline unsigned space_of_kind(uint32_t kind)
{
    return kind == 1 ? WEIR_GLOBAL : WEIR_LOCAL;
}

static unsigned space_of_location(const struct weiri_graph *graph, uint32_t location)
{
    return graph->frame->program->locations[location].space;
}

uint32_t weiri_graph_kind(const struct weiri_graph *graph, uint32_t location)
{
    return graph->frame->n_views > 2 && space_of_location(graph, location) == WEIR_LOCAL
        ? 2
        : 1;
}

/* Whether views of that kind order the event at all. */
static inline bool belongs(const struct weiri_graph *graph,
                           const struct weiri_node *node, uint32_t kind)
{
    if (kind == WEIRI_CAUSES || !is_split(graph->frame)) {
        return true;
    }
    unsigned spaces = weiri_node_has_location(node)
        ? space_of_location(graph, node->location)
        : node->spaces;
    return (spaces & space_of_kind(kind)) != 0;
}

bool weiri_graph_is_in(const struct weiri_graph *graph, uint32_t event,
                       const uint16_t *view, uint32_t kind)
{
    const struct weiri_node *node = &graph->nodes[event];
    return view[node->thread] > node->index && belongs(graph, node, kind);
}

bool weiri_graph_before(const struct weiri_graph *graph, uint32_t event, uint32_t other)
{
    for (uint32_t kind = 1; kind < graph->frame->n_views; kind++) {
        if (weiri_graph_is_in(graph, event, weiri_graph_view(graph, other, kind),
                              kind)) {
            return true;
        }
    }
    return false;
}

static inline bool scopes_meet(const struct weiri_frame *frame,
                               const struct weiri_node *a, const struct weiri_node *b)
{
    return frame->model <= WEIRI_EXPLORED_RC11
        || MIN(a->scope, b->scope)
        >= frame->level[a->thread * frame->n_threads + b->thread];
}

bool weiri_graph_strong(const struct weiri_graph *graph, uint32_t one, uint32_t other)
{
    return scopes_meet(graph->frame, &graph->nodes[one], &graph->nodes[other]);
}

int64_t weiri_graph_value(const struct weiri_graph *graph, uint32_t location,
                          uint16_t write)
{
    return write == WEIRI_NO_EVENT ? graph->frame->program->locations[location].initial
                                   : graph->nodes[write].value;
}

/* The value of @write with the blind updates after it. An update that does not happen
 * before an access that reads the value collides with it. */
static int64_t value_after(const struct weiri_graph *graph, uint32_t location,
                           uint16_t write)
{
    int64_t value = weiri_graph_value(graph, location, write);
    if (graph->writes[location].n_blind == 0) {
        return value;
    }
    const struct weiri_program *program = graph->frame->program;
    uint32_t kind = weiri_graph_kind(graph, location);
    for (uint16_t e = graph->writes[location].latest; e != WEIRI_NO_EVENT;
         e = graph->nodes[e].like) {
        const struct weiri_node *node = &graph->nodes[e];
        if (node->kind == WEIRI_UPDATES_BLINDLY
            && (write == WEIRI_NO_EVENT
                || !weiri_graph_is_in(graph, e, weiri_graph_view(graph, write, kind),
                                      kind))) {
            program->update(program->self, node->thread,
                            weiri_graph_state_before(graph, e), value, &value);
        }
    }
    return value;
}

int64_t weiri_graph_memory(const struct weiri_graph *graph, uint32_t location)
{
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    return value_after(graph, location,
                       writes->n > 0 ? writes->at[writes->n - 1] : WEIRI_NO_EVENT);
}

/* ---- Views ----------------------------------------------------------------------- */

static inline void join(uint16_t *view, const uint16_t *other, uint32_t n)
{
    for (uint32_t t = 0; t < n; t++) {
        view[t] = MAX(view[t], other[t]);
    }
}

/* Adds what @event knows, and the event itself if that order includes it. */
static void join_with_event(const struct weiri_graph *graph, uint16_t *view,
                            uint32_t event, uint32_t kind)
{
    const struct weiri_node *node = &graph->nodes[event];
    join(view, weiri_graph_view(graph, event, kind), graph->frame->n_threads);
    if (belongs(graph, node, kind)) {
        view[node->thread] = MAX(view[node->thread], node->index + 1);
    }
}

/* Adds what program order alone passes on from @event to the next event of the
 * thread. */
static void inherit(const struct weiri_graph *graph, uint16_t event, uint32_t kind,
                    uint16_t *view)
{
    memset(view, 0, graph->frame->n_threads * sizeof(*view));
    for (uint16_t e = event; e != WEIRI_NO_EVENT; e = graph->nodes[e].before) {
        if (belongs(graph, &graph->nodes[e], kind)) {
            join_with_event(graph, view, e, kind);
            return;
        }
    }
}

/* The latest position, plus 1, among the writes of the location that @view contains or
 * contains a read of. */
static uint32_t known(const struct weiri_graph *graph, const uint16_t *view,
                      uint32_t location)
{
    uint32_t floor = 0;
    for (uint16_t e = graph->writes[location].latest; e != WEIRI_NO_EVENT;
         e = graph->nodes[e].like) {
        const struct weiri_node *node = &graph->nodes[e];
        if (view[node->thread] <= node->index) {
            continue;
        }
        uint16_t seen = node->kind == WEIRI_WRITES_MEMORY ? e : node->from;
        if (seen != WEIRI_NO_EVENT) {
            floor = MAX(floor, graph->nodes[seen].position + 1u);
        }
    }
    return floor;
}

uint32_t weiri_graph_floor(const struct weiri_graph *graph, uint32_t thread,
                           uint32_t location)
{
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    if (writes->n == 0) {
        return 0;
    }
    uint16_t last = writes->at[writes->n - 1];
    if (graph->nodes[last].thread == thread) {
        return writes->n;
    }
    uint16_t *view = graph->frame->scratch;
    inherit(graph, graph->last[thread], weiri_graph_kind(graph, location), view);
    return known(graph, view, location);
}

bool weiri_graph_may_read(const struct weiri_graph *graph, uint32_t read,
                          uint32_t write)
{
    const struct weiri_node *node = &graph->nodes[read];
    uint16_t *view = graph->frame->scratch;
    inherit(graph, node->before, weiri_graph_kind(graph, node->location), view);
    return known(graph, view, node->location) <= graph->nodes[write].position + 1u;
}

/* ---- Synchronisation ------------------------------------------------------------- */

/* Whether a synchronisation through one address space also orders the other one, under
 * `sycl-split`. */
static bool crosses(const struct weiri_node *end, const struct weiri_node *taker)
{
    const unsigned both = WEIR_LOCAL | WEIR_GLOBAL;
    return (end->order == memory_order_seq_cst && taker->order == memory_order_seq_cst)
        || (end->kind == WEIRI_FENCES && taker->kind == WEIRI_FENCES
            && end->spaces == both && taker->spaces == both);
}

/* Adds to @event's view what the release end published. */
static void take(struct weiri_graph *graph, uint32_t event, uint32_t taker,
                 uint32_t location)
{
    const struct weiri_node *end = &graph->nodes[event], *by = &graph->nodes[taker];
    uint32_t own = weiri_graph_kind(graph, location);
    for (uint32_t kind = 1; kind < graph->frame->n_views; kind++) {
        if (is_split(graph->frame)
            && (!belongs(graph, end, own) || !belongs(graph, by, own)
                || (kind != own && !crosses(end, by)))) {
            continue;
        }
        join_with_event(graph, view_of(graph, taker, kind), event, kind);
    }
}

/* Adds the release ends of the write's thread that its place in a release sequence
 * passes on: release writes of that thread to the location, and its release fences, up
 * to the write. With a single space, the latest one knows all that the others know. */
static void take_ends(struct weiri_graph *graph, uint16_t write, uint32_t taker)
{
    uint32_t location = graph->nodes[write].location;
    for (uint16_t e = write; e != WEIRI_NO_EVENT; e = graph->nodes[e].before) {
        const struct weiri_node *node = &graph->nodes[e];
        bool is_end = weiri_step_releases(node->order)
            && (node->kind == WEIRI_FENCES
                || (node->kind == WEIRI_WRITES_MEMORY && node->atomic
                    && node->location == location));
        if (is_end && weiri_graph_strong(graph, e, taker)) {
            take(graph, e, taker, location);
            if (!is_split(graph->frame)) {
                return;
            }
        }
    }
}

/* Synchronises the event with the writes that the atomic @read has read; @read is the
 * event itself or, for a fence, an earlier read. */
static void synchronise(struct weiri_graph *graph, uint32_t read, uint32_t taker)
{
    uint32_t reader = read;
    for (;;) {
        uint16_t write = graph->nodes[reader].from;
        if (write == WEIRI_NO_EVENT || !graph->nodes[write].atomic
            || !weiri_graph_strong(graph, write, reader)) {
            return;
        }
        take_ends(graph, write, taker);
        if (!graph->nodes[write].update) {
            return;
        }
        reader = graph->nodes[write].before; /* the read of the same
                                                read-modify-write */
    }
}

/* ---- Growing --------------------------------------------------------------------- */

/* Computes what the event knows by program order. */
static void set_own_view(struct weiri_graph *graph, uint32_t event, uint32_t kind)
{
    const struct weiri_node *node = &graph->nodes[event];
    uint16_t *view = view_of(graph, event, kind);
    if (belongs(graph, node, kind)) {
        inherit(graph, node->before, kind, view);
    } else {
        memset(view, 0, graph->frame->n_threads * sizeof(*view));
    }
}

static inline void link_event(struct weiri_graph *graph, uint32_t event)
{
    struct weiri_node *node = &graph->nodes[event];
    struct weiri_order_of_writes *writes = &graph->writes[node->location];
    node->like = node->read = writes->latest;
    if (node->like != WEIRI_NO_EVENT
        && graph->nodes[node->like].kind != WEIRI_READS_MEMORY) {
        node->read = graph->nodes[node->like].read;
    }
    writes->latest = (uint16_t)event;
    writes->n_blind += node->kind == WEIRI_UPDATES_BLINDLY;
    writes->n_narrow += !weiri_node_is_wide(graph->frame, node);
}

/* Appends the thread's next step as an event; the caller sets its state. */
static uint32_t add(struct weiri_graph *graph, uint32_t thread, uint8_t kind)
{
    struct weiri_step step = *weiri_graph_next(graph, thread);
    uint32_t event = graph->n;
    make_room(graph, event + 1);
    uint16_t before = graph->last[thread];
    struct weiri_node *node = &graph->nodes[event];
    *node = (struct weiri_node){
        .kind = kind,
        .order = step.order,
        .scope = step.scope,
        .spaces = step.spaces,
        .atomic = step.atomic,
        .usual = true,
        .revisitable = true,
        .thread = (uint16_t)thread,
        .index
        = before == WEIRI_NO_EVENT ? 0 : (uint16_t)(graph->nodes[before].index + 1),
        .before = before,
        .from = WEIRI_NO_EVENT,
        .location = step.location,
        .label = step.label,
        .place = step.place,
        .value = step.value,
        .next = step,
    };
    if (weiri_node_has_location(node)) {
        link_event(graph, event);
    } else {
        node->location = 0;
    }
    for (uint32_t k = 0; k < graph->frame->n_views; k++) {
        set_own_view(graph, event, k);
    }
    graph->n++;
    graph->last[thread] = (uint16_t)event;
    return event;
}

static inline void count_sc(struct weiri_graph *graph, uint32_t event, int by)
{
    const struct weiri_node *node = &graph->nodes[event];
    if (node->order == memory_order_seq_cst
        && (node->kind == WEIRI_FENCES
            || (weiri_node_is_access(node) && node->atomic))) {
        graph->n_sc += (uint32_t)by;
    }
}

/* Resumes the thread: sets the state after @event and the next step. */
static void go_on(struct weiri_graph *graph, uint32_t event, int64_t read, bool wrote)
{
    const struct weiri_program *program = graph->frame->program;
    struct weiri_node *node = &graph->nodes[event];
    memcpy(state_of(graph, event), weiri_graph_state_before(graph, event),
           program->state_bytes);
    program->resume(program->self, node->thread, state_of(graph, event), read, wrote,
                    &node->next);
}

/* Keeps the state from before @event, which is the first half of an operation. */
static void stay(struct weiri_graph *graph, uint32_t event)
{
    memcpy(state_of(graph, event), weiri_graph_state_before(graph, event),
           graph->frame->program->state_bytes);
}

/* Whether two accesses of one location, of which one is a blind update, must not be as
 * they are. A race ends the execution, except under `sc`, which knows none. */
static bool collide(const struct weiri_graph *graph, uint32_t one, uint32_t other)
{
    const struct weiri_node *a = &graph->nodes[one], *b = &graph->nodes[other];
    if ((a->kind == WEIRI_UPDATES_BLINDLY) == (b->kind == WEIRI_UPDATES_BLINDLY)) {
        return false;
    }
    const uint32_t of = a->kind == WEIRI_UPDATES_BLINDLY ? other : one;
    if (weiri_graph_step(graph, of)->kind == WEIRI_STEP_UPDATE) {
        return true;
    }
    uint32_t kind = weiri_graph_kind(graph, a->location);
    bool ordered
        = weiri_graph_is_in(graph, one, weiri_graph_view(graph, other, kind), kind)
        || weiri_graph_is_in(graph, other, weiri_graph_view(graph, one, kind), kind);
    return !ordered
        && (graph->frame->model == WEIRI_EXPLORED_SC
            || (a->atomic && b->atomic && weiri_graph_strong(graph, one, other)));
}

/* For a new event of a location, whose views are complete. */
static void check_blind(const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_program *program = graph->frame->program;
    const struct weiri_order_of_writes *writes
        = &graph->writes[graph->nodes[event].location];
    for (uint16_t e = writes->n_blind > 0 ? writes->latest : WEIRI_NO_EVENT;
         e != WEIRI_NO_EVENT; e = graph->nodes[e].like) {
        if (e != event && collide(graph, e, event)) {
            program->ordered(program->self, graph->nodes[event].location);
            return;
        }
    }
}

static void read_from(struct weiri_graph *graph, uint32_t event, uint16_t from,
                      const struct weiri_step *step, bool updates)
{
    struct weiri_node *node = &graph->nodes[event];
    node->from = from;
    node->update = updates;
    node->order
        = step->kind == WEIRI_STEP_UPDATE && !updates ? step->failure : step->order;
    count_sc(graph, event, 1);
    if (from != WEIRI_NO_EVENT) {
        join_with_event(graph, view_of(graph, event, WEIRI_CAUSES), from, WEIRI_CAUSES);
    }
    if (node->atomic && weiri_step_acquires(node->order)) {
        synchronise(graph, event, event);
    }
    node->value = value_after(graph, node->location, from);
    check_blind(graph, event);
    if (updates) {
        stay(graph, event);
    } else {
        go_on(graph, event, node->value, false);
    }
}

uint32_t weiri_graph_read(struct weiri_graph *graph, uint32_t thread, uint16_t from,
                          bool updates)
{
    struct weiri_step step = *weiri_graph_next(graph, thread);
    uint32_t event = add(graph, thread, WEIRI_READS_MEMORY);
    read_from(graph, event, from, &step, updates);
    return event;
}

void weiri_graph_reread(struct weiri_graph *graph, uint32_t read, uint16_t from,
                        bool updates)
{
    struct weiri_node *node = &graph->nodes[read];
    weiri_assert(graph->last[node->thread] == read);
    count_sc(graph, read, -1);
    graph->n_calm = MIN(graph->n_calm, read);
    struct weiri_step step = *weiri_graph_step(graph, read);
    for (uint32_t k = 0; k < graph->frame->n_views; k++) {
        set_own_view(graph, read, k);
    }
    node->next = step;
    read_from(graph, read, from, &step, updates);
}

static void insert(struct weiri_graph *graph, uint32_t event, uint32_t position)
{
    struct weiri_order_of_writes *writes = &graph->writes[graph->nodes[event].location];
    if (writes->n == writes->capacity) {
        writes->capacity = writes->capacity == 0 ? FIRST_WRITES : 2 * writes->capacity;
        writes->at = g_renew(uint16_t, writes->at, writes->capacity);
    }
    for (uint32_t i = writes->n++; i > position; i--) {
        writes->at[i] = writes->at[i - 1];
        graph->nodes[writes->at[i]].position = (uint16_t)i;
    }
    writes->at[position] = (uint16_t)event;
    graph->nodes[event].position = (uint16_t)position;
}

uint32_t weiri_graph_write(struct weiri_graph *graph, uint32_t thread,
                           uint32_t position)
{
    uint32_t event = add(graph, thread, WEIRI_WRITES_MEMORY);
    count_sc(graph, event, 1);
    insert(graph, event, position);
    check_blind(graph, event);
    go_on(graph, event, 0, false);
    return event;
}

uint32_t weiri_graph_update(struct weiri_graph *graph, uint32_t thread, int64_t value)
{
    uint16_t read = graph->last[thread], from = graph->nodes[read].from;
    uint32_t event = add(graph, thread, WEIRI_WRITES_MEMORY);
    struct weiri_node *node = &graph->nodes[event];
    node->update = true;
    node->value = value;
    count_sc(graph, event, 1);
    insert(graph, event, from == WEIRI_NO_EVENT ? 0 : graph->nodes[from].position + 1u);
    go_on(graph, event, graph->nodes[read].value, true);
    return event;
}

uint32_t weiri_graph_blind(struct weiri_graph *graph, uint32_t thread)
{
    uint32_t event = add(graph, thread, WEIRI_UPDATES_BLINDLY);
    check_blind(graph, event);
    go_on(graph, event, 0, true);
    return event;
}

uint32_t weiri_graph_fence(struct weiri_graph *graph, uint32_t thread)
{
    uint32_t event = add(graph, thread, WEIRI_FENCES);
    struct weiri_node *node = &graph->nodes[event];
    node->atomic = true;
    count_sc(graph, event, 1);
    for (uint16_t e = node->before;
         weiri_step_acquires(node->order) && e != WEIRI_NO_EVENT;
         e = graph->nodes[e].before) {
        if (graph->nodes[e].kind == WEIRI_READS_MEMORY && graph->nodes[e].atomic) {
            synchronise(graph, e, event);
        }
    }
    go_on(graph, event, 0, false);
    return event;
}

/* ---- Barriers -------------------------------------------------------------------- */

/* The number of the thread's entries at that label, so far. */
static int64_t entries(const struct weiri_graph *graph, uint32_t thread, uint32_t label)
{
    int64_t n = 0;
    for (uint16_t e = graph->last[thread]; e != WEIRI_NO_EVENT;
         e = graph->nodes[e].before) {
        n += graph->nodes[e].kind == WEIRI_ENTERS && graph->nodes[e].label == label;
    }
    return n;
}

/* The thread's entry that meets @to, or WEIRI_NO_EVENT. */
static uint16_t entry_like(const struct weiri_graph *graph, uint32_t thread,
                           const struct weiri_node *to)
{
    bool any_spaces = graph->frame->model <= WEIRI_EXPLORED_RC11;
    for (uint16_t e = graph->last[thread]; e != WEIRI_NO_EVENT;
         e = graph->nodes[e].before) {
        const struct weiri_node *node = &graph->nodes[e];
        if (node->kind == WEIRI_ENTERS && node->label == to->label
            && node->value == to->value && (any_spaces || node->spaces == to->spaces)) {
            return e;
        }
    }
    return WEIRI_NO_EVENT;
}

/* Whether @thread is one of those that meet where the entry's thread does. */
static bool is_member(const struct weiri_graph *graph, const struct weiri_node *entry,
                      uint32_t thread)
{
    const struct weiri_program_thread *threads = graph->frame->program->threads;
    const struct weiri_program_thread *one = &threads[entry->thread];
    return entry->scope == memory_scope_sub_group
        ? one->sub_group == threads[thread].sub_group
        : one->group == threads[thread].group;
}

/* Whether @thread is to meet where the entry's thread is, and has not come yet. */
static bool lacks(const struct weiri_graph *graph, const struct weiri_node *entry,
                  uint32_t thread)
{
    return is_member(graph, entry, thread)
        && entry_like(graph, thread, entry) == WEIRI_NO_EVENT;
}

/* An exit of the same meeting: all threads have come, and it knows what they knew. Not
 * every one is found. Returns: or WEIRI_NO_EVENT */
static uint16_t exit_like(const struct weiri_graph *graph,
                          const struct weiri_node *entry)
{
    uint32_t e = *graph->frame->left;
    if (e >= graph->n || graph->nodes[e].kind != WEIRI_EXITS) {
        return WEIRI_NO_EVENT;
    }
    const struct weiri_node *other = &graph->nodes[graph->nodes[e].before];
    bool same = other->label == entry->label && other->value == entry->value
        && other->spaces == entry->spaces && other->scope == entry->scope
        && is_member(graph, other, entry->thread);
    return same ? (uint16_t)e : WEIRI_NO_EVENT;
}

uint32_t weiri_graph_enter(struct weiri_graph *graph, uint32_t thread)
{
    int64_t n = entries(graph, thread, weiri_graph_next(graph, thread)->label);
    uint32_t event = add(graph, thread, WEIRI_ENTERS);
    graph->nodes[event].value = n;
    stay(graph, event);
    return event;
}

bool weiri_graph_may_exit(const struct weiri_graph *graph, uint32_t thread)
{
    uint16_t last = graph->last[thread];
    if (last == WEIRI_NO_EVENT || graph->nodes[last].kind != WEIRI_ENTERS) {
        return false;
    }
    if (exit_like(graph, &graph->nodes[last]) != WEIRI_NO_EVENT) {
        return true;
    }
    uint32_t n = graph->frame->n_threads, *absent = &graph->frame->absent[thread];
    for (uint32_t i = 0, t = *absent; i < n; i++, t = t + 1 < n ? t + 1 : 0) {
        if (lacks(graph, &graph->nodes[last], t)) {
            *absent = t;
            return false;
        }
    }
    return true;
}

/* From a barrier of a table. Views mean nothing there. */
static uint32_t exit_stated(struct weiri_graph *graph, uint32_t thread)
{
    uint32_t event = add(graph, thread, WEIRI_EXITS);
    go_on(graph, event, 0, false);
    return event;
}

uint32_t weiri_graph_exit(struct weiri_graph *graph, uint32_t thread)
{
    if ((weiri_graph_next(graph, thread)->traits.flags & WEIRI_TRAIT_STATED) != 0) {
        return exit_stated(graph, thread);
    }
    const struct weiri_program *program = graph->frame->program;
    const void **met = graph->frame->met;
    uint32_t n_threads = graph->frame->n_threads, n_views = graph->frame->n_views;
    uint16_t entry = graph->last[thread];
    uint16_t earlier = exit_like(graph, &graph->nodes[entry]);
    uint32_t event = add(graph, thread, WEIRI_EXITS);
    graph->nodes[event].value = graph->nodes[entry].value;
    uint32_t kinds = 0;
    for (uint32_t k = 0; k < n_views; k++) {
        if (k == WEIRI_CAUSES || n_views == 2
            || (graph->nodes[entry].spaces & space_of_kind(k)) != 0) {
            kinds |= 1u << k;
        }
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        met[t] = NULL;
        if (!is_member(graph, &graph->nodes[entry], t)) {
            continue;
        }
        uint16_t other = entry_like(graph, t, &graph->nodes[entry]);
        met[t] = weiri_graph_state_before(graph, other);
        for (uint32_t k = 0; earlier == WEIRI_NO_EVENT && k < n_views; k++) {
            if ((kinds & 1u << k) != 0) {
                join_with_event(graph, view_of(graph, event, k), other, k);
            }
        }
    }
    for (uint32_t k = 0; earlier != WEIRI_NO_EVENT && k < n_views; k++) {
        if ((kinds & 1u << k) != 0) {
            join(view_of(graph, event, k), weiri_graph_view(graph, earlier, k),
                 n_threads);
        }
    }
    *graph->frame->left = event;
    go_on(graph, event,
          program->meet != NULL ? program->meet(program->self, thread, met) : 0, false);
    return event;
}

/* ---- Going back ------------------------------------------------------------------ */

void weiri_graph_add_free(struct weiri_graph *graph, uint32_t most)
{
    for (bool goes = true; goes && graph->n < most;) {
        goes = false;
        for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
            uint8_t kind = weiri_graph_next(graph, t)->kind;
            uint16_t last = graph->last[t];
            bool inside
                = last != WEIRI_NO_EVENT && graph->nodes[last].kind == WEIRI_ENTERS;
            if (kind == WEIRI_STEP_FENCE) {
                weiri_graph_fence(graph, t);
            } else if (kind == WEIRI_STEP_BLIND) {
                weiri_graph_blind(graph, t);
            } else if (kind == WEIRI_STEP_ENTER && !inside) {
                weiri_graph_enter(graph, t);
            } else if (inside && weiri_graph_may_exit(graph, t)) {
                weiri_graph_exit(graph, t);
            } else {
                continue;
            }
            goes = true;
        }
    }
}

void weiri_graph_cut(struct weiri_graph *graph, uint32_t n)
{
    while (graph->n > n) {
        uint32_t event = graph->n - 1;
        const struct weiri_node *node = &graph->nodes[event];
        count_sc(graph, event, -1);
        if (weiri_node_has_location(node)) {
            struct weiri_order_of_writes *of = &graph->writes[node->location];
            of->latest = node->like;
            of->n_blind -= node->kind == WEIRI_UPDATES_BLINDLY;
            of->n_narrow -= !weiri_node_is_wide(graph->frame, node);
        }
        if (node->kind == WEIRI_WRITES_MEMORY) {
            struct weiri_order_of_writes *writes = &graph->writes[node->location];
            writes->n--;
            for (uint32_t i = node->position; i < writes->n; i++) {
                writes->at[i] = writes->at[i + 1];
                graph->nodes[writes->at[i]].position = (uint16_t)i;
            }
        }
        graph->last[node->thread] = node->before;
        graph->n--;
    }
    graph->n_calm = MIN(graph->n_calm, n);
}

/* Copies the order of the writes that stay. */
static void restrict_writes(struct weiri_graph *copy, const struct weiri_graph *graph,
                            const uint16_t *number)
{
    for (uint32_t i = 0; i < graph->frame->program->n_locations; i++) {
        const struct weiri_order_of_writes *from = &graph->writes[i];
        struct weiri_order_of_writes *to = &copy->writes[i];
        if (to->capacity < from->n) {
            to->capacity = from->capacity;
            to->at = g_renew(uint16_t, to->at, to->capacity);
        }
        to->n = to->n_blind = to->n_narrow = 0;
        to->latest = WEIRI_NO_EVENT;
        for (uint32_t p = 0; p < from->n; p++) {
            uint16_t event = number[from->at[p]];
            if (event != WEIRI_NO_EVENT) {
                copy->nodes[event].position = to->n;
                to->at[to->n++] = event;
            }
        }
    }
}

uint32_t weiri_graph_restrict(struct weiri_graph *copy, const struct weiri_graph *graph,
                              uint32_t read, uint32_t write)
{
    const struct weiri_frame *frame = graph->frame;
    size_t view_bytes = (size_t)frame->n_views * frame->n_threads * sizeof(uint16_t);
    make_room(copy, graph->n);
    uint16_t *number = copy->number;
    copy->n = copy->n_sc = copy->n_calm = 0;
    memset(copy->last, 0xff, frame->n_threads * sizeof(*copy->last));
    for (uint32_t e = 0; e < graph->n; e++) {
        bool needed = weiri_graph_causes(graph, e, write);
        if (e > read && !needed) {
            number[e] = WEIRI_NO_EVENT;
            continue;
        }
        uint32_t to = copy->n++;
        number[e] = (uint16_t)to;
        struct weiri_node *node = &copy->nodes[to];
        *node = graph->nodes[e];
        node->revisitable &= !needed;
        node->before
            = node->before == WEIRI_NO_EVENT ? WEIRI_NO_EVENT : number[node->before];
        memcpy(copy->views + to * view_bytes / sizeof(uint16_t),
               graph->views + e * view_bytes / sizeof(uint16_t), view_bytes);
        memcpy(state_of(copy, to), state_of(graph, e), frame->program->state_bytes);
        copy->last[node->thread] = (uint16_t)to;
        count_sc(copy, to, 1);
    }
    for (uint32_t e = 0; e < copy->n; e++) { /* a read may be older than the write
                                                that it reads */
        struct weiri_node *node = &copy->nodes[e];
        if (node->kind == WEIRI_READS_MEMORY && node->from != WEIRI_NO_EVENT
            && e != read) {
            node->from = number[node->from];
        }
    }
    restrict_writes(copy, graph, number);
    for (uint32_t e = 0; e < copy->n; e++) {
        if (weiri_node_has_location(&copy->nodes[e])) {
            link_event(copy, e);
        }
    }
    return number[write];
}
