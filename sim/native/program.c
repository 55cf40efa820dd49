/* SPDX-License-Identifier: MIT
 *
 * program.c: see program.h. A step of the explorer is an answer to the item's request.
 * If the node has a child for that answer, the step is a look-up, and no item runs. If
 * not, the item is brought to the node (history.c), gets the answer, runs to its next
 * stop, and the stop becomes a new node. So the work of running items grows with the
 * number of different histories, not of executions. */
#include "config.h"

#include "native/program.h"

#include "base/assert.h"
#include "exec/algo.h"
#include "exec/atomic.h"
#include "native/blind.h"
#include "native/history.h"
#include "native/symmetry.h"
#include "native/unwritten.h"
#include "native/vulkan.h"

#include <string.h>

/* Events of a thread. A loop that takes more is not followed further. */
enum { MOST_STEPS = 1 << 14 };

/* For an exploration whose time is over: the explorer takes 0 for no limit. */
static const double LEAST_SECONDS = 1e-3;

/* Steps after which an item that is back in a loop is in the very state that it was in
 * before, at the latest: each may read a value that is in a register until then. */
enum { MOST_UNLIKE = 8 };

/* A rendezvous: threads meet where all of these are equal. */
struct label {
    const struct weir_site *site;
    uint64_t op;
};

static uint32_t node_of(const void *state)
{
    uint32_t node;
    memcpy(&node, state, sizeof(node));
    return node;
}

const struct weiri_request *weiri_native_request(const struct weiri_native *native,
                                                 const void *state)
{
    return weiri_history_request(native, node_of(state));
}

const struct weiri_native_ending *weiri_native_ending(const struct weiri_native *native,
                                                      const void *state)
{
    uint32_t ending = weiri_history_node(native, node_of(state))->ending;
    return ending == 0 ? NULL : g_ptr_array_index(native->endings, ending - 1);
}

uint64_t weiri_native_operation(const struct weiri_native *native, uint32_t label)
{
    return g_array_index(native->labels, struct label, label).op;
}

/* ---- Steps ----------------------------------------------------------------- */

static uint32_t label_of(struct weiri_native *native,
                         const struct weiri_request *request)
{
    for (guint i = 0; i < native->labels->len; i++) {
        const struct label *label = &g_array_index(native->labels, struct label, i);
        if (label->site == request->site && label->op == request->op) {
            return i;
        }
    }
    struct label label = { request->site, request->op };
    g_array_append_val(native->labels, label);
    return native->labels->len - 1;
}

static void describe_atomic(const struct weiri_atomic_op *op, struct weiri_step *step)
{
    step->kind = op->kind == WEIRI_ATOMIC_LOAD ? WEIRI_STEP_READ
        : op->kind == WEIRI_ATOMIC_STORE       ? WEIRI_STEP_WRITE
                                               : WEIRI_STEP_UPDATE;
    step->atomic = true;
    step->order = (uint8_t)op->order;
    step->failure = (uint8_t)op->failure;
    step->weak = op->weak;
    step->scope = (uint8_t)op->scope;
    step->value
        = (int64_t)(step->kind == WEIRI_STEP_WRITE ? weiri_atomic_result(op, 0) : 0);
}

static void describe(struct weiri_native *native, const struct weiri_request *request,
                     struct weiri_step *step)
{
    *step = (struct weiri_step){ .order = memory_order_relaxed,
                                 .failure = memory_order_relaxed,
                                 .scope = memory_scope_work_item };
    switch (request->kind) {
    case WEIRI_REQUEST_READ:
        step->kind = WEIRI_STEP_READ;
        break;
    case WEIRI_REQUEST_WRITE:
        step->kind = WEIRI_STEP_WRITE;
        step->value = request->value;
        break;
    case WEIRI_REQUEST_ATOMIC:
        describe_atomic(&request->atomic, step);
        break;
    case WEIRI_REQUEST_FENCE:
        step->kind = WEIRI_STEP_FENCE;
        step->atomic = true;
        step->order = (uint8_t)request->atomic.order;
        step->scope = (uint8_t)request->atomic.scope;
        step->spaces = (uint8_t)(request->atomic.space != 0 ? request->atomic.space
                                                            : WEIR_LOCAL | WEIR_GLOBAL);
        return;
    case WEIRI_REQUEST_MEET:
        step->kind = WEIRI_STEP_ENTER;
        step->order = memory_order_acq_rel;
        step->scope = WEIRI_OP_LEVEL(request->op) == WEIRI_LEVEL_GROUP
            ? memory_scope_work_group
            : memory_scope_sub_group;
        step->spaces = WEIRI_OP_KIND(request->op) == WEIRI_BARRIER
            ? WEIRI_OP_FLAGS(request->op)
            : WEIR_LOCAL | WEIR_GLOBAL;
        step->label = label_of(native, request);
        return;
    case WEIRI_REQUEST_BOUND:
        step->kind = WEIRI_STEP_BOUND;
        return;
    case WEIRI_REQUEST_END:
        step->kind = WEIRI_STEP_END;
        return;
    case WEIRI_REQUEST_FAULT:
        step->kind = WEIRI_STEP_FAULT;
        return;
    }
    if (request->is_volatile && native->form == WEIRI_FORM_PTX) {
        step->atomic = true;
        step->scope = memory_scope_system;
    }
    step->location = weiri_cell_at(&native->machine.cells, request->cell)->location;
}

/* The step as an operation of the model's form. */
static void describe_in_form(struct weiri_native *native,
                             const struct weiri_request *request,
                             struct weiri_step *step)
{
    describe(native, request, step);
    if (native->form == WEIRI_FORM_VULKAN) {
        weiri_native_vulkan(native, request, step);
    }
}

/* ---- Loops ----------------------------------------------------------------- */

/* Whether the read-modify-write writes if it reads that, but for one that is weak. */
static bool may_write(const struct weiri_atomic_op *op, int64_t read)
{
    return op->kind != WEIRI_ATOMIC_COMPARE_EXCHANGE || (uint64_t)read == op->expected;
}

/* Whether the step to @node from its parent changed nothing; *@n: its events. */
static bool is_fruitless(const struct weiri_native *native,
                         const struct weiri_native_node *node, int64_t *n)
{
    const struct weiri_native_node *parent = weiri_history_node(native, node->parent);
    if (node->marked) {
        return false;
    }
    switch (parent->step.kind) {
    case WEIRI_STEP_READ:
    case WEIRI_STEP_FENCE:
        *n += 1;
        return true;
    case WEIRI_STEP_UPDATE: {
        const struct weiri_atomic_op *op
            = &weiri_history_request(native, node->parent)->atomic;
        bool writes = !node->fails && may_write(op, node->answer);
        *n += 1 + writes;
        return !writes
            || weiri_atomic_result(op, (uint64_t)node->answer)
            == (uint64_t)node->answer;
    }
    default:
        return false;
    }
}

/* The earlier stop to which the item has returned, having changed nothing in between: a
 * stop with the same private state, or else one that may have the same. Or
 * WEIRI_NO_HISTORY. *@n: the number of events since */
static uint32_t round_of(const struct weiri_native *native, uint32_t at, int64_t *n)
{
    const struct weiri_request *request = weiri_history_request(native, at);
    uint32_t like = WEIRI_NO_HISTORY;
    int64_t events = 0;
    bool reads = request->kind == WEIRI_REQUEST_READ
        || (request->kind == WEIRI_REQUEST_ATOMIC
            && request->atomic.kind != WEIRI_ATOMIC_STORE);
    for (uint32_t node = at; reads
         && weiri_history_node(native, node)->parent != WEIRI_NO_HISTORY
         && is_fruitless(native, weiri_history_node(native, node), &events);) {
        node = weiri_history_node(native, node)->parent;
        const struct weiri_request *before = weiri_history_request(native, node);
        if (!weiri_history_same_request(before, request) || before->print == 0) {
            continue;
        }
        if (before->print == request->print) {
            *n = events;
            return node;
        }
        if (like == WEIRI_NO_HISTORY) {
            like = node;
            *n = events;
        }
    }
    return like;
}

/* ---- Histories ------------------------------------------------------------- */

static bool same_ending(const struct weiri_native_ending *a,
                        const struct weiri_native_ending *b)
{
    return a->n == b->n && memcmp(a->values, b->values, a->n * sizeof(*a->values)) == 0;
}

static int by_cell(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

/* The number of the item's ending, from 1; 0: it leaves nothing. */
static uint32_t ending_of(struct weiri_native *native, uint32_t thread)
{
    GArray *written = native->machine.items[thread].written;
    struct weiri_native_ending *ending = g_new0(struct weiri_native_ending, 1);
    if (written->len == 0) {
        g_free(ending);
        return 0;
    }
    qsort(written->data, written->len, sizeof(uint32_t), by_cell);
    ending->n = written->len;
    ending->values = g_malloc0(written->len * sizeof(*ending->values));
    for (guint i = 0; i < written->len; i++) {
        uint32_t cell = g_array_index(written, uint32_t, i);
        ending->values[i].cell = cell;
        ending->values[i].value
            = weiri_cell_read(weiri_cell_at(&native->machine.cells, cell));
    }
    for (guint i = 0; i < native->endings->len; i++) {
        if (same_ending(ending, g_ptr_array_index(native->endings, i))) {
            g_free(ending->values);
            g_free(ending);
            return i + 1;
        }
    }
    g_ptr_array_add(native->endings, ending);
    return native->endings->len;
}

/* Adds the node at which the item stands now. */
static uint32_t add_node(struct weiri_native *native, uint32_t thread, uint32_t parent,
                         int64_t answer, bool fails)
{
    const struct weiri_request *request
        = weiri_machine_request(&native->machine, thread);
    uint32_t at = native->nodes->len;
    struct weiri_native_node node = {
        .parent = parent,
        .thread = thread,
        .like = at,
        .child = WEIRI_NO_HISTORY,
        .sibling = WEIRI_NO_HISTORY,
        .twin = WEIRI_NO_HISTORY,
        .depth = parent == WEIRI_NO_HISTORY
            ? 0
            : weiri_history_node(native, parent)->depth + 1,
        .answer = answer,
        .fails = fails,
        .marked = native->machine.items[thread].marked,
        .request = native->requests->len,
    };
    if (parent != WEIRI_NO_HISTORY) {
        node.sibling = weiri_history_node(native, parent)->child;
        weiri_history_node(native, parent)->child = at;
    }
    describe_in_form(native, request, &node.step);
    node.step.place = at;
    if (request->kind == WEIRI_REQUEST_END) {
        node.ending = ending_of(native, thread);
    } else if (node.depth >= MOST_STEPS) {
        node.step.kind = WEIRI_STEP_BOUND;
    }
    if (parent != WEIRI_NO_HISTORY) {
        const struct weiri_native_node *before = weiri_history_node(native, parent);
        bool known = before->n_known > 1
            && (before->step.kind != WEIRI_STEP_READ
                || answer == g_array_index(native->guesses, int64_t, before->guesses));
        node.n_known = known ? before->n_known - 1 : 0;
        node.guesses = before->guesses + 1;
        node.after_blind = before->after_blind || before->step.kind == WEIRI_STEP_BLIND;
    }
    g_array_append_val(native->requests, *request);
    g_array_append_val(native->nodes, node);
    native->live[thread] = at;
    native->course += weiri_machine_course(&native->machine, thread, node.depth);
    weiri_blind_look(native, thread, at);
    return at;
}

/* ---- Loops that wait ----------------------------------------------------------
 *
 * An item that is back at an earlier stop in the same state waits in a loop. States are
 * compared by a hash of registers and stack, which may hold values that the item will
 * never read: the value that it has read last, for example. So a stop that only looks
 * like an earlier one is taken for the same, its twin, as long as both lead to the same
 * state, or again to twins, with every answer that the earlier one gets. Where one does
 * not, the loop is unrolled, and the exploration begins anew. */

static const void *place_key(const struct weiri_request *request)
{
    return request->site != NULL ? (const void *)request->site : request->pc;
}

static uint32_t child_of(const struct weiri_native *native, uint32_t node,
                         int64_t answer, bool fails)
{
    uint32_t c = weiri_history_node(native, node)->child;
    while (c != WEIRI_NO_HISTORY
           && (weiri_history_node(native, c)->answer != answer
               || weiri_history_node(native, c)->fails != fails)) {
        c = weiri_history_node(native, c)->sibling;
    }
    return c;
}

/* Whether the item at @twin comes with the answer of @child to the same state, or to
 * one that only may be the same: then that is a twin of @child. */
static bool is_like(struct weiri_native *native, uint32_t thread, uint32_t twin,
                    uint32_t child)
{
    int64_t answer = weiri_history_node(native, child)->answer;
    bool fails = weiri_history_node(native, child)->fails;
    if (child_of(native, twin, answer, fails) != WEIRI_NO_HISTORY) {
        return true; /* it is a twin already */
    }
    weiri_history_go_to(native, thread, twin);
    if (native->program.stopped) {
        return true;
    }
    weiri_machine_answer(&native->machine, thread, answer, fails);
    const struct weiri_request *is = weiri_machine_request(&native->machine, thread);
    const struct weiri_request *was = weiri_history_request(native, child);
    bool same = weiri_history_same_request(was, is)
        && native->machine.items[thread].marked
            == weiri_history_node(native, child)->marked
        && (was->kind != WEIRI_REQUEST_END
            || ending_of(native, thread) == weiri_history_node(native, child)->ending);
    uint8_t left = weiri_history_node(native, twin)->unlike;
    if (!same || was->print == is->print || left == 0) {
        native->live[thread] = WEIRI_NO_HISTORY;
        return same && was->print == is->print;
    }
    uint32_t after = add_node(native, thread, twin, answer, fails);
    weiri_history_node(native, after)->unlike = left - 1;
    weiri_history_node(native, after)->twin = weiri_history_node(native, child)->twin;
    weiri_history_node(native, child)->twin = after;
    for (uint32_t c = weiri_history_node(native, child)->child;
         same && c != WEIRI_NO_HISTORY && !native->program.stopped;
         c = weiri_history_node(native, c)->sibling) {
        same = is_like(native, thread, after, c);
    }
    return same;
}

static void unroll(struct weiri_native *native, uint32_t node)
{
    g_hash_table_add(native->unrolled,
                     (void *)place_key(weiri_history_request(native, node)));
    native->again = native->program.stopped = true;
}

/* The thread has reached a new node: perhaps it waits in a loop. */
static void look_for_loop(struct weiri_native *native, uint32_t thread, uint32_t at)
{
    int64_t n = 0;
    uint32_t head = round_of(native, at, &n);
    if (head == WEIRI_NO_HISTORY) {
        return;
    }
    const struct weiri_request *request = weiri_history_request(native, at);
    if (weiri_history_request(native, head)->print != request->print) {
        if (g_hash_table_contains(native->unrolled, place_key(request))) {
            return;
        }
        weiri_history_node(native, at)->unlike = MOST_UNLIKE;
        weiri_history_node(native, at)->twin = weiri_history_node(native, head)->twin;
        weiri_history_node(native, head)->twin = at;
        for (uint32_t c = weiri_history_node(native, head)->child;
             c != WEIRI_NO_HISTORY && !native->program.stopped;
             c = weiri_history_node(native, c)->sibling) {
            if (!is_like(native, thread, at, c)) {
                unroll(native, at);
                return;
            }
        }
    }
    weiri_history_node(native, at)->step
        = (struct weiri_step){ .kind = WEIRI_STEP_SPIN, .value = n, .place = head };
}

/* @node is a new child of a node that may have twins. */
static void compare_with_twins(struct weiri_native *native, uint32_t thread,
                               uint32_t node)
{
    for (uint32_t twin
         = weiri_history_node(native, weiri_history_node(native, node)->parent)->twin;
         twin != WEIRI_NO_HISTORY && !native->program.stopped;
         twin = weiri_history_node(native, twin)->twin) {
        if (!is_like(native, thread, twin, node)) {
            unroll(native, twin);
        }
    }
}

/* ---- The program ----------------------------------------------------------- */

static void set(const struct weiri_native *native, uint32_t node, void *state,
                struct weiri_step *next)
{
    memcpy(state, &node, sizeof(node));
    *next = weiri_history_node(native, node)->step;
}

static void start(void *self, uint32_t thread, void *state, struct weiri_step *next)
{
    struct weiri_native *native = self;
    set(native, native->roots[thread], state, next);
}

/* The item at @at gets an answer that it has not got there before. Returns: its new
 * node; or WEIRI_NO_HISTORY, and the exploration is to end */
static uint32_t extend(struct weiri_native *native, uint32_t thread, uint32_t at,
                       int64_t read, bool fails)
{
    if (native->live[thread] != at) {
        weiri_history_go_to(native, thread, at);
    }
    if (!native->program.stopped) {
        weiri_machine_answer(&native->machine, thread, read, fails);
    }
    if (weiri_machine_is_over(&native->machine) || native->program.stopped) {
        native->program.stopped = true;
        return WEIRI_NO_HISTORY;
    }
    uint32_t node = add_node(native, thread, at, read, fails);
    look_for_loop(native, thread, node);
    compare_with_twins(native, thread, node);
    return node;
}

/* The other items of the class get the same answer. */
static void extend_the_others(struct weiri_native *native, uint32_t at, uint32_t node)
{
    const struct weiri_native_node answered = *weiri_history_node(native, node);
    uint32_t last = node;
    for (uint32_t other = weiri_history_node(native, at)->like;
         other != at && !native->program.stopped;
         other = weiri_history_node(native, other)->like) {
        uint32_t thread = weiri_history_node(native, other)->thread;
        uint32_t like = extend(native, thread, other, answered.answer, answered.fails);
        if (like != WEIRI_NO_HISTORY) {
            weiri_history_node(native, last)->like = like;
            weiri_history_node(native, like)->like = node;
            last = like;
        }
    }
    if (!native->program.stopped && !weiri_symmetry_holds(native, node)) {
        native->again = native->program.stopped = true;
    }
}

static void resume(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    struct weiri_native *native = self;
    uint32_t at = node_of(state);
    bool fails = weiri_history_node(native, at)->step.weak && !wrote
        && may_write(&weiri_history_request(native, at)->atomic, read);
    uint32_t node = child_of(native, at, read, fails);
    if (node == WEIRI_NO_HISTORY && !native->program.stopped) {
        node = extend(native, thread, at, read, fails);
        if (node != WEIRI_NO_HISTORY) {
            extend_the_others(native, at, node);
        }
    }
    if (node == WEIRI_NO_HISTORY) {
        next->kind = WEIRI_STEP_FAULT;
        return;
    }
    set(native, node, state, next);
}

static void ordered(void *self, uint32_t location)
{
    struct weiri_native *native = self;
    weiri_blind_order(native,
                      g_array_index(native->machine.cells.cell_of, uint32_t, location));
}

static bool update(void *self, uint32_t thread, const void *state, int64_t read,
                   int64_t *written)
{
    const struct weiri_native *native = self;
    const struct weiri_atomic_op *op = &weiri_native_request(native, state)->atomic;
    (void)thread;
    *written = (int64_t)weiri_atomic_result(op, (uint64_t)read);
    return may_write(op, read);
}

static int64_t meet(void *self, uint32_t thread, const void *const *states)
{
    const struct weiri_native *native = self;
    uint64_t op = weiri_native_request(native, states[thread])->op;
    if (WEIRI_OP_TYPE(op) == WEIRI_TYPE_none || WEIRI_OP_KIND(op) == WEIRI_LOAD) {
        return 0;
    }
    uint32_t n = native->program.n_threads, n_met = 0, own = 0;
    g_autofree union weiri_value *values = g_new0(union weiri_value, n);
    g_autofree size_t *sources = g_new0(size_t, n);
    for (uint32_t t = 0; t < n; t++) {
        if (states[t] != NULL) {
            const struct weiri_request *request
                = weiri_native_request(native, states[t]);
            own = t == thread ? n_met : own;
            values[n_met].bits = request->argument;
            sources[n_met++] = request->source;
        }
    }
    weiri_algo(op, values, sources, n_met);
    return (int64_t)weiri_value_bits(op, values[own]);
}

static void free_ending(void *data)
{
    struct weiri_native_ending *ending = data;
    g_free(ending->values);
    g_free(ending);
}

static struct weiri_program_thread *threads_of(const struct weiri_native *native)
{
    const struct weiri_machine *machine = &native->machine;
    const struct weiri_shape *shape = &machine->hub.launch->shape;
    uint32_t n_sub_groups
        = (machine->n_items + shape->sub_group_size - 1) / shape->sub_group_size;
    struct weiri_program_thread *threads
        = g_new(struct weiri_program_thread, machine->n_threads);
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        uint32_t group = t / machine->n_items, item = t % machine->n_items;
        threads[t] = (struct weiri_program_thread){
            .sub_group = group * n_sub_groups + item / shape->sub_group_size,
            .group = group,
        };
    }
    return threads;
}

bool weiri_native_init(struct weiri_native *native, struct weiri_worker *worker,
                       bool plain_events, bool ends_at_races, uint64_t *compared)
{
    *native = (struct weiri_native){ .failure = NULL };
    struct weiri_machine *machine = &native->machine;
    native->nodes = g_array_new(FALSE, FALSE, sizeof(struct weiri_native_node));
    native->requests = g_array_new(FALSE, FALSE, sizeof(struct weiri_request));
    native->endings = g_ptr_array_new_with_free_func(free_ending);
    native->labels = g_array_new(FALSE, FALSE, sizeof(struct label));
    native->unrolled = g_hash_table_new(NULL, NULL);
    native->ordered = g_hash_table_new(NULL, NULL);
    native->guesses = g_array_new(FALSE, FALSE, sizeof(int64_t));
    if (!weiri_machine_init(machine, worker, plain_events, ends_at_races, compared)) {
        native->failure = g_strdup_printf(
            "the launch has %zu groups, of which %u can be resident: launch fewer "
            "groups",
            worker->launch->n_groups, machine->hub.n_slots);
        return false;
    }
    native->roots = g_new(uint32_t, machine->n_threads);
    native->live = g_new(uint32_t, machine->n_threads);
    native->program = (struct weiri_program){ .self = native,
                                              .n_threads = machine->n_threads,
                                              .threads = threads_of(native),
                                              .partial_barriers = true,
                                              .state_bytes = sizeof(uint32_t),
                                              .start = start,
                                              .resume = resume,
                                              .update = update,
                                              .ordered = ordered,
                                              .meet = meet };
    weiri_machine_learn(machine);
    return true;
}

void weiri_native_begin(struct weiri_native *native)
{
    struct weiri_machine *machine = &native->machine;
    if (machine->cells.changed) {
        weiri_machine_learn(machine);
    }
    g_array_set_size(native->nodes, 0);
    g_array_set_size(native->requests, 0);
    g_ptr_array_set_size(native->endings, 0);
    g_array_set_size(native->guesses, 0);
    weiri_unwritten_begin(machine);
    native->course = 0;
    native->program.stopped = native->again = native->acquires = false;
    for (guint i = 0; i < machine->cells.all->len; i++) {
        weiri_cell_at(&machine->cells, i)->blind = 0;
    }
    machine->prints = true;
    for (uint32_t t = 0; t < machine->n_threads && !native->program.stopped; t++) {
        weiri_machine_start(machine, t);
        native->roots[t] = add_node(native, t, WEIRI_NO_HISTORY, 0, false);
        native->program.stopped = weiri_machine_is_over(machine);
    }
    if (!native->program.stopped) {
        weiri_symmetry_begin(native);
    }
    /* A copy: a location that is met later ends the exploration, which then still uses
     * those that it began with. */
    const GArray *locations = machine->cells.locations;
    g_free((void *)native->program.locations);
    native->program.n_locations = locations->len;
    native->program.locations = g_memdup2(
        locations->data, locations->len * sizeof(struct weiri_program_location));
}

bool weiri_native_must_begin_anew(const struct weiri_native *native)
{
    const struct weiri_machine *machine = &native->machine;
    return native->failure == NULL && machine->cells.refused == NULL
        && !machine->interrupted && (machine->cells.changed || native->again);
}

double weiri_native_time_left(const struct weiri_native *native)
{
    int64_t ends = native->ends_us;
    double left = (double)(ends - g_get_monotonic_time()) / G_USEC_PER_SEC;
    return ends == 0 ? 0 : MAX(left, LEAST_SECONDS);
}

void weiri_native_clear(struct weiri_native *native)
{
    weiri_machine_clear(&native->machine);
    g_array_unref(native->nodes);
    g_array_unref(native->requests);
    g_ptr_array_unref(native->endings);
    g_array_unref(native->labels);
    g_hash_table_unref(native->unrolled);
    g_hash_table_unref(native->ordered);
    g_array_unref(native->guesses);
    g_free((void *)native->program.threads);
    g_free((void *)native->program.locations);
    g_free(native->roots);
    g_free(native->alike);
    g_free(native->live);
    g_free(native->failure);
}
