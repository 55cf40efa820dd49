/* SPDX-License-Identifier: MIT
 *
 * final.c: see final.h. A state is known by its values: the values of the locations in
 * global memory, and for each item its ending, that is, the memory that it alone has
 * written. Equal endings are one object (weiri_native_ending()), so the address of an
 * ending is a value like the others, and an execution whose state is known costs a
 * look-up. For a new state alone, memory itself is set: the post-condition reads it,
 * and the state's text is made of it. */
#include "config.h"

#include "native/final.h"

#include "base/values.h"
#include "exec/group.h"
#include "native/slice.h"

#include <inttypes.h>
#include <string.h>

/* The value for what the thread leaves. */
static int64_t *left_by(const struct weiri_finals *finals, uint32_t thread)
{
    return &g_array_index(finals->values, int64_t, 1 + finals->observed->len + thread);
}

/* Begins @values with the values of the locations, from @memory. */
static void look_at_memory(struct weiri_finals *finals)
{
    g_array_set_size(finals->values, 1);
    for (guint i = 0; i < finals->observed->len; i++) {
        int64_t value = g_array_index(finals->memory, int64_t,
                                      g_array_index(finals->observed, uint32_t, i));
        g_array_append_val(finals->values, value);
    }
}

/* Adds to @values what an item leaves whose thread ends in @state. */
static void look_at_end(struct weiri_finals *finals, const void *state)
{
    int64_t ending = (int64_t)(uintptr_t)weiri_native_ending(finals->native, state);
    g_array_append_val(finals->values, ending);
    g_array_index(finals->values, int64_t, 0) = finals->values->len - 1;
}

void weiri_finals_look(struct weiri_finals *finals, const struct weiri_graph *graph)
{
    const struct weiri_program *program = &finals->native->program;
    g_array_set_size(finals->memory, 0);
    for (uint32_t l = 0; l < program->n_locations; l++) {
        int64_t value = weiri_graph_memory(graph, l);
        g_array_append_val(finals->memory, value);
    }
    look_at_memory(finals);
    for (uint32_t t = 0; t < program->n_threads; t++) {
        look_at_end(finals, weiri_graph_state(graph, t));
    }
}

/* The same in memory itself. */
static void set_memory(struct weiri_finals *finals)
{
    const struct weiri_cells *cells = &finals->native->machine.cells;
    weiri_cells_restore(cells);
    for (guint i = 0; i < cells->locations->len; i++) {
        weiri_cell_write(
            weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, i)),
            g_array_index(finals->memory, int64_t, i));
    }
    for (uint32_t t = 0; t < finals->native->program.n_threads; t++) {
        const struct weiri_native_ending *ending
            = (const void *)(uintptr_t)*left_by(finals, t);
        for (uint32_t i = 0; ending != NULL && i < ending->n; i++) {
            weiri_cell_write(weiri_cell_at(cells, ending->values[i].cell),
                             ending->values[i].value);
        }
    }
}

/* A cell that has changed, by its name. */
struct named {
    const struct weiri_native_cell *cell;
    char *object; /* owned */
    int64_t index;
};

static void clear_named(void *data)
{
    g_free(((struct named *)data)->object);
}

static int by_name(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    int order = strcmp(one->object, other->object);
    return order != 0 ? order
                      : (one->index > other->index) - (one->index < other->index);
}

/* The value without the difference between a byte and its opposite. */
static int64_t but_copy(const struct weiri_native_cell *cell, int64_t value)
{
    unsigned char bytes[sizeof(value)];
    memcpy(bytes, &value, sizeof(bytes));
    for (size_t i = 0; i < cell->bytes; i++) {
        bytes[i] = MIN(bytes[i], (unsigned char)~bytes[i]);
    }
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static int64_t value_of(const struct weiri_native_cell *cell, int64_t value,
                        bool but_copies)
{
    return but_copies ? but_copy(cell, value) : value;
}

/* The contents of memory that differ from the start. */
static char *text_of_memory(const struct weiri_cells *cells, bool but_copies)
{
    g_autoptr(GArray) changed = g_array_new(FALSE, FALSE, sizeof(struct named));
    g_array_set_clear_func(changed, clear_named);
    for (guint i = 0; i < cells->all->len; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, i);
        if (cell->object->kind != WEIRI_OBJECT_LOCAL
            && value_of(cell, weiri_cell_read(cell), but_copies)
                != value_of(cell, cell->initial, but_copies)) {
            struct named one = { cell, weiri_object_name(cell->object, cell->address),
                                 weiri_object_index(cell->object, cell->address) };
            g_array_append_val(changed, one);
        }
    }
    g_array_sort(changed, by_name);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < changed->len; i++) {
        const struct named *one = &g_array_index(changed, struct named, i);
        g_string_append_printf(
            text, "%s%s[%" PRId64 "]=%" PRId64, i > 0 ? "," : "", one->object,
            one->index,
            weiri_cell_signed(
                one->cell,
                value_of(one->cell, weiri_cell_read(one->cell), but_copies)));
    }
    return g_string_free(text, FALSE);
}

/* Memory as the items have it that only they write. */
static int64_t *save_memory(const struct weiri_cells *cells)
{
    int64_t *saved = g_new(int64_t, MAX(cells->all->len, 1));
    for (guint i = 0; i < cells->all->len; i++) {
        saved[i] = weiri_cell_read(weiri_cell_at(cells, i));
    }
    return saved;
}

/* Whether the state that memory is in is correct. */
static bool holds(const struct weiri_finals *finals, const struct weiri_cells *cells)
{
    const struct weiri_native_options *options = finals->options;
    const struct weiri_worker *worker = finals->native->machine.hub.worker;
    if (options->post_condition != NULL) {
        return options->post_condition(worker->launch->args,
                                       options->post_condition_user);
    }
    if (options->judge == NULL) {
        return true;
    }
    g_autoptr(GArray) changes
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_state_change));
    for (guint i = 0; i < cells->all->len; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, i);
        int64_t value = weiri_cell_read(cell);
        if (cell->object->kind != WEIRI_OBJECT_LOCAL && value != cell->initial) {
            const struct weiri_state_change change
                = { (uintptr_t)cell->address, (uint64_t)value, cell->bytes };
            g_array_append_val(changes, change);
        }
    }
    return options->judge(options->judge_user,
                          (const struct weiri_state_change *)(void *)changes->data,
                          changes->len);
}

static struct weiri_final *add_state(struct weiri_finals *finals)
{
    struct weiri_worker *worker = finals->native->machine.hub.worker;
    const struct weiri_cells *cells = &finals->native->machine.cells;
    struct weiri_final *state = g_new0(struct weiri_final, 1);
    state->values
        = g_memdup2(finals->values->data, finals->values->len * sizeof(int64_t));
    g_hash_table_insert(finals->by_values, state->values, state);
    g_autofree int64_t *saved = save_memory(cells);
    set_memory(finals);
    worker->inside++; /* what the claim accesses, no item does */
    state->shown.text = text_of_memory(cells, false);
    if (finals->native->machine.reads == WEIRI_UNWRITTEN_REPLACED) {
        state->but_copies = text_of_memory(cells, true);
    }
    state->shown.holds = holds(finals, cells);
    worker->inside--;
    for (guint i = 0; i < cells->all->len; i++) {
        weiri_cell_write(weiri_cell_at(cells, i), saved[i]);
    }
    return state;
}

void weiri_finals_leave(struct weiri_finals *finals, uint32_t thread,
                        const struct weiri_native_ending *ending)
{
    *left_by(finals, thread) = (int64_t)(uintptr_t)ending;
}

struct weiri_final *weiri_finals_known(struct weiri_finals *finals)
{
    struct weiri_final *state
        = g_hash_table_lookup(finals->by_values, finals->values->data);
    return state != NULL ? state : add_state(finals);
}

struct weiri_final *weiri_finals_at(struct weiri_finals *finals,
                                    const struct weiri_graph *graph)
{
    weiri_finals_look(finals, graph);
    return weiri_finals_known(finals);
}

struct weiri_final *weiri_finals_of(struct weiri_finals *finals,
                                    const struct weiri_execution *execution)
{
    g_array_set_size(finals->memory, 0);
    g_array_append_vals(finals->memory, execution->memory,
                        execution->program->n_locations);
    look_at_memory(finals);
    for (uint32_t t = 0; t < execution->program->n_threads; t++) {
        look_at_end(finals, execution->states[t]);
    }
    return weiri_finals_known(finals);
}

void weiri_finals_begin(struct weiri_finals *finals)
{
    g_hash_table_remove_all(finals->by_values);
    g_array_set_size(finals->states, 0);
    const struct weiri_cells *cells = &finals->native->machine.cells;
    g_array_set_size(finals->observed, 0);
    for (uint32_t i = 0; i < cells->cell_of->len; i++) {
        uint32_t cell = g_array_index(cells->cell_of, uint32_t, i);
        if (weiri_cell_at(cells, cell)->object->kind != WEIRI_OBJECT_LOCAL) {
            g_array_append_val(finals->observed, i);
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp((*(struct weiri_final *const *)a)->shown.text,
                  (*(struct weiri_final *const *)b)->shown.text);
}

GPtrArray *weiri_finals_all(const struct weiri_finals *finals)
{
    GPtrArray *all = g_ptr_array_new();
    GHashTableIter each;
    gpointer state;
    g_hash_table_iter_init(&each, finals->by_values);
    while (g_hash_table_iter_next(&each, NULL, &state)) {
        g_ptr_array_add(all, state);
    }
    g_ptr_array_sort(all, by_text);
    return all;
}

static void clear_state(void *data)
{
    g_free((char *)((struct weir_explored_state *)data)->text);
}

static int by_shown_text(const void *a, const void *b)
{
    const struct weir_explored_state *one = a, *other = b;
    return strcmp(one->text, other->text);
}

void weiri_finals_take(struct weiri_finals *finals,
                       const struct weir_explored_state *state)
{
    g_array_append_vals(finals->states, state, 1);
}

/* Sorts the states. Items may leave equal memory in several ways: states of one text
 * become one. */
static void sort_and_merge(GArray *states)
{
    g_array_sort(states, by_shown_text);
    for (guint i = 1; i < states->len;) {
        struct weir_explored_state *at
            = &g_array_index(states, struct weir_explored_state, i);
        if (strcmp(at[-1].text, at->text) == 0) {
            at[-1].executions += at->executions;
            g_array_remove_index(states, i);
        } else {
            i++;
        }
    }
}

void weiri_finals_give(struct weiri_finals *finals, struct weir_exploration *result)
{
    GArray *states = finals->states;
    GHashTableIter each;
    gpointer entry;
    g_hash_table_iter_init(&each, finals->by_values);
    while (g_hash_table_iter_next(&each, NULL, &entry)) {
        struct weir_explored_state shown = ((struct weiri_final *)entry)->shown;
        shown.text = g_strdup(shown.text);
        weiri_finals_take(finals, &shown);
    }
    sort_and_merge(states);
    result->n_states = states->len;
    result->states
        = (const struct weir_explored_state *)(void *)g_array_steal(states, NULL);
}

void weiri_finals_forgive(struct weiri_finals *finals)
{
    GHashTableIter each;
    gpointer entry;
    g_hash_table_iter_init(&each, finals->by_values);
    while (g_hash_table_iter_next(&each, NULL, &entry)) {
        ((struct weiri_final *)entry)->shown.holds = true;
    }
    for (guint i = 0; i < finals->states->len; i++) {
        g_array_index(finals->states, struct weir_explored_state, i).holds = true;
    }
}

GArray *weiri_finals_but_copies(const struct weiri_finals *finals)
{
    GArray *states = g_array_new(FALSE, FALSE, sizeof(struct weir_explored_state));
    GHashTableIter each;
    gpointer entry;
    g_array_set_clear_func(states, clear_state);
    g_hash_table_iter_init(&each, finals->by_values);
    while (g_hash_table_iter_next(&each, NULL, &entry)) {
        const struct weiri_final *final = entry;
        const struct weir_explored_state state
            = { g_strdup(final->but_copies), final->shown.executions,
                final->shown.holds };
        g_array_append_val(states, state);
    }
    sort_and_merge(states);
    return states;
}

char *weiri_finals_litmus(const struct weiri_finals *finals, char **why)
{
    g_autoptr(GPtrArray) all = weiri_finals_all(finals);
    g_autofree struct weiri_slice_state *states
        = g_new(struct weiri_slice_state, all->len + 1);
    for (guint i = 0; i < all->len; i++) {
        const struct weiri_final *one = g_ptr_array_index(all, i);
        int64_t *values = g_new0(int64_t, finals->native->program.n_locations + 1);
        for (guint k = 0; k < finals->observed->len; k++) {
            values[g_array_index(finals->observed, uint32_t, k)] = one->values[k + 1];
        }
        states[i] = (struct weiri_slice_state){ values, one->shown.holds };
    }
    char *test = weiri_slice_litmus(finals->native, finals->options->model, states,
                                    all->len, why);
    for (guint i = 0; i < all->len; i++) {
        g_free((int64_t *)states[i].values);
    }
    return test;
}

static void free_final(void *data)
{
    struct weiri_final *state = data;
    g_free((char *)state->shown.text);
    g_free(state->but_copies);
    g_free(state->values);
    g_free(state);
}

void weiri_finals_init(struct weiri_finals *finals, const struct weiri_native *native,
                       const struct weiri_native_options *options)
{
    *finals = (struct weiri_finals){
        .native = native,
        .options = options,
        .by_values = g_hash_table_new_full(weiri_values_hash, weiri_values_equal, NULL,
                                           free_final),
        .memory = g_array_new(FALSE, FALSE, sizeof(int64_t)),
        .values = g_array_new(FALSE, FALSE, sizeof(int64_t)),
        .observed = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .states = g_array_new(FALSE, FALSE, sizeof(struct weir_explored_state)),
    };
    g_array_set_clear_func(finals->states, clear_state);
}

void weiri_finals_clear(struct weiri_finals *finals)
{
    g_hash_table_unref(finals->by_values);
    g_array_unref(finals->memory);
    g_array_unref(finals->values);
    g_array_unref(finals->observed);
    g_array_unref(finals->states);
}
