/* SPDX-License-Identifier: MIT
 *
 * slice.c: see slice.h. The test contains memory that several items access and one of
 * them writes, memory that atomic operations access, and memory in which final states
 * differ. */
#include "config.h"

#include "native/slice.h"

#include "exec/atomic.h"
#include "exec/group.h"
#include "native/slice-code.h"

#include <inttypes.h>
#include <string.h>

/* Final states that a claim lists. */
enum { MOST_CLAIMED = 16 };

/* ---- What matters ---------------------------------------------------------- */

static void add_value(struct weiri_slice_place *place, int64_t value)
{
    for (guint i = 0; i < place->values->len; i++) {
        if (g_array_index(place->values, int64_t, i) == value) {
            return;
        }
    }
    g_array_append_val(place->values, value);
}

static void look_at_access(struct weiri_slice *s, uint32_t thread, uint32_t node)
{
    const struct weiri_step *step = &weiri_history_node(s->native, node)->step;
    const struct weiri_request *request = weiri_history_request(s->native, node);
    struct weiri_slice_place *place = &s->places[step->location];
    place->shared |= place->thread != 0 && place->thread != thread + 1;
    place->thread = thread + 1;
    place->written |= step->kind != WEIRI_STEP_READ;
    place->atomic |= step->atomic;
    if (step->kind == WEIRI_STEP_WRITE) {
        add_value(place, step->value);
        return;
    }
    uint32_t type = request->atomic.type;
    bool compares = request->kind == WEIRI_REQUEST_ATOMIC
        && (request->atomic.kind == WEIRI_ATOMIC_FETCH_MIN
            || request->atomic.kind == WEIRI_ATOMIC_FETCH_MAX);
    place->unsigned_type |= compares && type == WEIRI_TYPE_u32;
    if (step->kind == WEIRI_STEP_UPDATE) {
        bool computes = request->atomic.kind != WEIRI_ATOMIC_EXCHANGE
            && request->atomic.kind != WEIRI_ATOMIC_COMPARE_EXCHANGE;
        if (computes && (type == WEIRI_TYPE_f32 || type == WEIRI_TYPE_f64)) {
            weiri_slice_refuse(s, "litmus tests have no floating point");
        } else if (weiri_slice_cell(s, step->location)->bytes < sizeof(uint32_t)) {
            weiri_slice_refuse(
                s, "litmus tests have no read-modify-writes of less than 4 bytes");
        } else if ((request->atomic.kind >= WEIRI_ATOMIC_FETCH_INC
                    && request->atomic.kind <= WEIRI_ATOMIC_FETCH_NAND)
                   || (compares && type == WEIRI_TYPE_u64)) {
            weiri_slice_refuse(s, "a read-modify-write that litmus tests do not have");
        }
        for (uint32_t c = weiri_history_node(s->native, node)->child;
             c != WEIRI_NO_HISTORY; c = weiri_history_node(s->native, c)->sibling) {
            if (weiri_slice_wrote(s, weiri_history_node(s->native, c))) {
                add_value(place,
                          (int64_t)weiri_atomic_result(
                              &request->atomic,
                              (uint64_t)weiri_history_node(s->native, c)->answer));
            }
        }
    }
}

static bool is_of_sub_group(const struct weiri_slice *s, const struct weiri_step *step)
{
    const struct weiri_machine *machine = &s->native->machine;
    return machine->hub.launch->shape.sub_group_size < machine->n_items
        && step->scope == memory_scope_sub_group
        && (step->atomic || step->kind == WEIRI_STEP_ENTER);
}

static void look_at(struct weiri_slice *s, uint32_t thread, uint32_t node)
{
    const struct weiri_native_node *at = weiri_history_node(s->native, node);
    if (is_of_sub_group(s, &at->step)) {
        weiri_slice_refuse(s, "litmus tests have no sub-groups");
    }
    switch (at->step.kind) {
    case WEIRI_STEP_READ:
    case WEIRI_STEP_WRITE:
    case WEIRI_STEP_UPDATE:
        look_at_access(s, thread, node);
        break;
    case WEIRI_STEP_SPIN:
        s->heads[at->step.place] = true;
        break;
    case WEIRI_STEP_ENTER:
        if (at->child != WEIRI_NO_HISTORY
            && weiri_history_node(s->native, at->child)->sibling != WEIRI_NO_HISTORY) {
            weiri_slice_refuse(
                s, "the result of a collective operation depends on what was read");
        }
        break;
    case WEIRI_STEP_BOUND:
        weiri_slice_refuse(s, "an item takes too many steps");
        break;
    case WEIRI_STEP_FENCE:
    case WEIRI_STEP_END:
    case WEIRI_STEP_FAULT:
        break;
    default:
        weiri_slice_refuse(s, "its executions stand for more than one each");
        break;
    }
    /* The nodes after a stop that only looks like another one are copies; see
     * program.c. */
    bool ends = at->step.kind == WEIRI_STEP_SPIN;
    for (uint32_t c = at->child; c != WEIRI_NO_HISTORY && s->why == NULL && !ends;
         c = weiri_history_node(s->native, c)->sibling) {
        look_at(s, thread, c);
    }
}

/* "out_0" of out[0]; @taken: names that there are. */
static char *name_of(const struct weiri_native_cell *cell, uint32_t group,
                     GHashTable *taken)
{
    g_autofree char *object = weiri_object_name(cell->object, cell->address);
    GString *name = g_string_new(NULL);
    for (const char *at = object; *at != '\0'; at++) {
        g_string_append_c(name, g_ascii_isalnum(*at) ? *at : '_');
    }
    if (name->len == 0 || g_ascii_isdigit(name->str[0])) {
        g_string_prepend_c(name, 'm');
    }
    if (cell->object->kind == WEIRI_OBJECT_LOCAL) {
        g_string_append_printf(name, "_of_%u", group);
    }
    g_string_append_printf(name, "_%" PRId64,
                           weiri_object_index(cell->object, cell->address));
    while (!g_hash_table_add(taken, g_strdup(name->str))) {
        g_string_append_c(name, '_');
    }
    return g_string_free(name, FALSE);
}

static void find_places(struct weiri_slice *s, const struct weiri_slice_state *states,
                        size_t n_states)
{
    const struct weiri_program *program = &s->native->program;
    g_autoptr(GHashTable) taken
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t l = 0; l < program->n_locations; l++) {
        s->places[l].values = g_array_new(FALSE, FALSE, sizeof(int64_t));
        add_value(&s->places[l], program->locations[l].initial);
    }
    for (uint32_t t = 0; t < program->n_threads && s->why == NULL; t++) {
        look_at(s, t, s->native->roots[t]);
    }
    for (uint32_t l = 0; l < program->n_locations; l++) {
        struct weiri_slice_place *place = &s->places[l];
        place->kept = (place->shared && place->written) || place->atomic;
        for (size_t i = 1; i < n_states; i++) {
            place->kept |= states[i].values[l] != states[0].values[l];
        }
        if (place->kept) {
            uint32_t group = (place->thread - 1) / s->native->machine.n_items;
            place->name = name_of(weiri_slice_cell(s, l), group, taken);
        }
    }
}

/* ---- The test -------------------------------------------------------------- */

static void add_parameters(const struct weiri_slice *s, GString *out)
{
    const char *before = "";
    for (uint32_t l = 0; l < s->native->program.n_locations; l++) {
        if (s->used[l]) {
            const struct weiri_slice_place *place = &s->places[l];
            g_string_append_printf(
                out, "%s%s %s%s* %s", before,
                s->native->program.locations[l].space == WEIR_LOCAL ? "local"
                                                                    : "global",
                place->atomic ? "atomic_" : "",
                strcmp(weiri_slice_type(s, l), "unsigned") == 0 && place->atomic
                    ? "uint"
                    : weiri_slice_type(s, l),
                place->name);
            before = ", ";
        }
    }
}

/* Adds the thread; and registers that the final state is to show to @shown. */
static void add_thread(struct weiri_slice *s, uint32_t thread, GString *out,
                       GString *terms, GString *failures)
{
    weiri_slice_code(s, thread);
    g_string_append_printf(out, "\nP%u@wg %u, dev 0 (", thread,
                           s->native->program.threads[thread].group);
    add_parameters(s, out);
    g_string_append(out, ") {\n");
    for (uint32_t i = 0; i < s->n_loops; i++) {
        g_string_append_printf(out, "  int again%u = 0;\n", i);
    }
    if (s->has_unseen) {
        g_string_append(out, "  int unseen = 0;\n");
        g_string_append_printf(terms, " %u:unseen;", thread);
    }
    if (s->fails) {
        g_string_append(out, "  int failed = 0;\n");
        g_string_append_printf(terms, " %u:failed;", thread);
        g_string_append_printf(failures, "%s%u:failed=1",
                               failures->len > 0 ? " \\/ " : "", thread);
    }
    g_string_append_printf(out, "%s}\n", s->out->str);
}

static bool varies(const struct weiri_slice *s, uint32_t location,
                   const struct weiri_slice_state *states, size_t n_states)
{
    bool varies = false;
    for (size_t i = 1; i < n_states; i++) {
        varies |= states[i].values[location] != states[0].values[location];
    }
    return varies && s->places[location].kept;
}

/* "(out_0=3 /\ sum_0=1)": what tells the state from others. */
static void add_state(const struct weiri_slice *s, GString *out,
                      const struct weiri_slice_state *states, size_t n_states,
                      size_t at)
{
    const char *before = "(";
    for (uint32_t l = 0; l < s->native->program.n_locations; l++) {
        if (varies(s, l, states, n_states)) {
            g_string_append_printf(out, "%s%s=%" PRId64, before, s->places[l].name,
                                   weiri_slice_value(s, l, states[at].values[l]));
            before = " /\\ ";
        }
    }
    g_string_append(out, strcmp(before, "(") == 0 ? "(true)" : ")");
}

/* A wrong state, or else the claim that no other states occur. */
static void add_claim(const struct weiri_slice *s, GString *out,
                      const GString *failures, const struct weiri_slice_state *states,
                      size_t n_states)
{
    size_t wrong = 0;
    while (wrong < n_states && states[wrong].holds) {
        wrong++;
    }
    if (failures->len > 0) {
        g_string_append_printf(out, "exists (%s)\n", failures->str);
    } else if (wrong < n_states) {
        g_string_append(out, "exists ");
        add_state(s, out, states, n_states, wrong);
        g_string_append_c(out, '\n');
    } else if (n_states > 1 && n_states <= MOST_CLAIMED) {
        g_string_append(out, "forall (");
        for (size_t i = 0; i < n_states; i++) {
            g_string_append(out, i > 0 ? "\n        \\/ " : "");
            add_state(s, out, states, n_states, i);
        }
        g_string_append(out, ")\n");
    }
}

static void add_head(const struct weiri_slice *s, GString *out, const char *model)
{
    const struct weiri_launch *launch = s->native->machine.hub.launch;
    g_string_append_printf(
        out,
        "OPENCL %s\n\"%zu group%s of %u, as explored under %s; P%u is the last item\"\n"
        "{",
        launch->kernel->name, launch->n_groups, launch->n_groups == 1 ? "" : "s",
        s->native->machine.n_items, model, s->native->program.n_threads - 1);
    for (uint32_t l = 0; l < s->native->program.n_locations; l++) {
        if (s->places[l].kept) {
            g_string_append_printf(
                out, " [%s] = %" PRId64 ";", s->places[l].name,
                weiri_slice_value(s, l, s->native->program.locations[l].initial));
        }
    }
    g_string_append(out, " }\n");
}

static char *text_of(struct weiri_slice *s, const char *model,
                     const struct weiri_slice_state *states, size_t n_states)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GString) terms = g_string_new(NULL);
    g_autoptr(GString) failures = g_string_new(NULL);
    add_head(s, out, model);
    for (uint32_t t = 0; t < s->native->program.n_threads && s->why == NULL; t++) {
        add_thread(s, t, out, terms, failures);
    }
    for (uint32_t l = 0; l < s->native->program.n_locations; l++) {
        if (varies(s, l, states, n_states)) {
            g_string_append_printf(terms, " %s;", s->places[l].name);
        }
    }
    g_string_append_c(out, '\n');
    if (terms->len > 0) {
        g_string_append_printf(out, "locations [%s]\n", terms->str + 1);
    }
    add_claim(s, out, failures, states, n_states);
    return g_string_free(out, FALSE);
}

char *weiri_slice_litmus(const struct weiri_native *native, const char *model,
                         const struct weiri_slice_state *states, size_t n_states,
                         char **why)
{
    uint32_t n_locations = native->program.n_locations;
    struct weiri_slice s
        = { .native = native,
            .places = g_new0(struct weiri_slice_place, n_locations + 1),
            .out = g_string_new(NULL),
            .unseen = g_ptr_array_new(),
            .memory = g_ptr_array_new_with_free_func(g_free),
            .loops = g_array_new(FALSE, FALSE, sizeof(struct weiri_slice_loop)),
            .types = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
            .origins = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
            .heads = g_new0(bool, native->nodes->len + 1),
            .used = g_new0(bool, n_locations + 1) };
    find_places(&s, states, n_states);
    char *text = s.why == NULL ? text_of(&s, model, states, n_states) : NULL;
    if (s.why != NULL) {
        g_clear_pointer(&text, g_free);
    }
    *why = s.why;
    for (uint32_t l = 0; l < n_locations; l++) {
        g_clear_pointer(&s.places[l].values, g_array_unref);
        g_free(s.places[l].name);
    }
    g_free(s.places);
    g_string_free(s.out, TRUE);
    g_ptr_array_unref(s.unseen);
    g_ptr_array_unref(s.memory);
    g_array_unref(s.loops);
    g_array_unref(s.types);
    g_array_unref(s.origins);
    g_free(s.heads);
    g_free(s.used);
    return text;
}
