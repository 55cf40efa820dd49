/* SPDX-License-Identifier: MIT
 *
 * litmus_support.c: see litmus_support.h. Sequential consistency is brute force: a
 * state is where each thread is, its slots and memory, and every state that one event
 * leads to is visited, once. A barrier waits for all threads of its group, and goes on
 * when the last one is there. Nothing here is shared with what it tests but the code of
 * threads. */
#include "litmus_support.h"

#include <stdio.h>

/* ---- Reading --------------------------------------------------------------------- */

struct weiri_litmus *litmus_read(const char *text, const char *file)
{
    GError *error = NULL;
    struct weiri_litmus *test = weiri_litmus_parse(text, strlen(text), file, &error);
    if (test == NULL) {
        ck_abort_msg("%s\n%s", error->message, text);
    }
    ck_assert_ptr_null(error);
    return test;
}

struct weiri_litmus *litmus_read_file(const char *path)
{
    g_autofree char *text = NULL;
    GError *error = NULL;
    if (!g_file_get_contents(path, &text, NULL, &error)) {
        ck_abort_msg("%s", error->message);
    }
    return litmus_read(text, path);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *litmus_list(const char *folder)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    EXPECT(dir != NULL, "%s: there is no such folder", folder);
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        if (g_str_has_suffix(name, ".litmus")) {
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
        }
    }
    g_ptr_array_sort(paths, by_name);
    return paths;
}

GStrv litmus_file_says(const char *path, const char *key)
{
    g_autofree char *text = NULL, *opening = g_strdup_printf("\n(* %s: ", key);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    const char *from = strstr(text, opening);
    EXPECT(from != NULL, "%s: it has no comment %s", path, key);
    from += strlen(opening);
    const char *to = strstr(from, " *)\n");
    EXPECT(to != NULL, "%s: its comment %s does not end", path, key);
    g_autofree char *said = g_strndup(from, (gsize)(to - from));
    return g_strsplit(said, ", ", -1);
}

/* ---- Verdicts of another program ------------------------------------------------- */

enum { TEST, PATH, MODEL, OBSERVATION, POSITIVE, NEGATIVE, RACE, STATES, N_COLUMNS };

size_t litmus_each_verdict(const char *model, size_t step,
                           void (*check)(const struct weiri_litmus *test,
                                         const struct litmus_verdict *verdict,
                                         void *user),
                           void *user)
{
    const char *folder = getenv("WEIR_LITMUS_DIR");
    if (folder == NULL) {
        puts("WEIR_LITMUS_DIR is not set: the check of its verdicts.tsv is empty");
        return 0;
    }
    g_autofree char *table = g_build_filename(folder, "verdicts.tsv", NULL);
    g_autofree char *text = NULL;
    EXPECT(g_file_get_contents(table, &text, NULL, NULL), "%s: unreadable", table);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    size_t n = 0, n_lines = g_strv_length(lines);
    for (size_t i = 1; i < n_lines; i += step) {
        g_auto(GStrv) row = g_strsplit(lines[i], "\t", -1);
        EXPECT(g_strv_length(row) == N_COLUMNS, "%s:%zu: not %d columns", table, i + 1,
               N_COLUMNS);
        if (model != NULL && strcmp(row[MODEL], model) != 0) {
            continue;
        }
        g_autofree char *path = g_build_filename(folder, row[PATH], NULL);
        g_autofree char *counts = g_strjoin(" ", row[OBSERVATION], row[POSITIVE],
                                            row[NEGATIVE], row[RACE], NULL);
        g_auto(GStrv) states = g_strsplit(row[STATES], ";", -1);
        const struct litmus_verdict verdict = { .file = row[PATH],
                                                .model = row[MODEL],
                                                .observation = row[OBSERVATION],
                                                .counts = counts,
                                                .races = strcmp(row[RACE], "race") == 0,
                                                .states = (const char *const *)states };
        struct weiri_litmus *test = litmus_read_file(path);
        check(test, &verdict, user);
        weiri_litmus_free(test);
        n++;
    }
    EXPECT(n > 0, "%s: no row of model %s", table, model != NULL ? model : "any");
    return n;
}

void litmus_expect_states(const struct litmus_verdict *verdict, GHashTable *states)
{
    guint n = 0;
    for (; verdict->states[n] != NULL; n++) {
        EXPECT(g_hash_table_contains(states, verdict->states[n]),
               "%s under %s: no state %s", verdict->file, verdict->model,
               verdict->states[n]);
    }
    EXPECT(g_hash_table_size(states) == n, "%s under %s: %u states, not %u",
           verdict->file, verdict->model, g_hash_table_size(states), n);
}

/* ---- Equality -------------------------------------------------------------------- */

static bool same_expression(const struct weiri_litmus_expression *a,
                            const struct weiri_litmus_expression *b);

static bool same_access(const struct weiri_litmus_access *a,
                        const struct weiri_litmus_access *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->kind == b->kind && a->location == b->location
        && same_expression(a->offset, b->offset)
        && same_expression(a->operand, b->operand) && a->function == b->function
        && a->atomic == b->atomic && a->order == b->order && a->failure == b->failure
        && a->scope == b->scope && a->weak == b->weak
        && a->expects_register == b->expects_register && a->expected == b->expected;
}

static bool same_expression(const struct weiri_litmus_expression *a,
                            const struct weiri_litmus_expression *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->kind == b->kind && a->type == b->type && a->function == b->function
        && a->reg == b->reg && a->value == b->value && a->depth == b->depth
        && same_expression(a->a, b->a) && same_expression(a->b, b->b)
        && same_expression(a->c, b->c) && same_access(a->access, b->access);
}

static bool same_statements(const struct weiri_litmus_statement *a,
                            const struct weiri_litmus_statement *b)
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        if (a->kind != b->kind || !same_expression(a->expression, b->expression)
            || !same_statements(a->first, b->first)
            || !same_statements(a->body, b->body)
            || !same_statements(a->other, b->other)
            || !same_expression(a->step, b->step) || a->reg != b->reg
            || a->label != b->label || a->spaces != b->spaces || a->order != b->order
            || a->scope != b->scope) {
            return false;
        }
    }
    return a == b;
}

static bool same_terms(const struct weiri_litmus_term *a,
                       const struct weiri_litmus_term *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].thread != b[i].thread || a[i].index != b[i].index) {
            return false;
        }
    }
    return true;
}

static bool same_conditions(const struct weiri_litmus_condition *a,
                            const struct weiri_litmus_condition *b)
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        if (a->kind != b->kind || a->value != b->value
            || !same_terms(&a->left, &b->left, 1)
            || !same_terms(&a->right, &b->right, 1)
            || !same_conditions(a->first, b->first)) {
            return false;
        }
    }
    return a == b;
}

static bool same_texts(const char *const *a, const char *const *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(a[i], b[i]) != 0) {
            return false;
        }
    }
    return true;
}

static bool same_locations(const struct weiri_litmus *a, const struct weiri_litmus *b)
{
    for (uint32_t i = 0; i < a->n_locations; i++) {
        const struct weiri_litmus_location *x = &a->locations[i], *y = &b->locations[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type
            || x->atomic != y->atomic || x->is_volatile != y->is_volatile
            || x->space != y->space || x->initial != y->initial) {
            return false;
        }
    }
    return true;
}

static bool same_lines(const struct weiri_litmus_thread *a,
                       const struct weiri_litmus_thread *b)
{
    for (uint32_t i = 0; i < a->n_lines; i++) {
        if (strcmp(a->lines[i].text, b->lines[i].text) != 0) {
            return false;
        }
    }
    return true;
}

static bool same_operand(struct weiri_litmus_operand a, struct weiri_litmus_operand b)
{
    return a.slot == b.slot && a.value == b.value;
}

static bool same_traits(const struct weiri_traits *a, const struct weiri_traits *b)
{
    return a->flags == b->flags && a->proxy == b->proxy && a->storage == b->storage
        && a->semantics == b->semantics && a->meets == b->meets
        && a->reference == b->reference;
}

/* The code of a table does not follow from a tree. */
static bool same_code(const struct weiri_litmus_code *a,
                      const struct weiri_litmus_code *b)
{
    bool same = a->n_instructions == b->n_instructions && a->n_slots == b->n_slots;
    for (uint32_t i = 0; same && i < a->n_instructions; i++) {
        const struct weiri_litmus_instruction *x = &a->instructions[i];
        const struct weiri_litmus_instruction *y = &b->instructions[i];
        same = x->op == y->op && x->function == y->function && x->atomic == y->atomic
            && x->compares == y->compares && x->when == y->when && x->order == y->order
            && x->failure == y->failure && x->scope == y->scope
            && x->location == y->location && x->label == y->label
            && x->result == y->result && x->old == y->old && x->target == y->target
            && same_operand(x->a, y->a) && same_operand(x->b, y->b)
            && same_traits(&x->traits, &y->traits);
    }
    return same;
}

static bool same_references(const struct weiri_litmus *a, const struct weiri_litmus *b)
{
    for (uint32_t i = 0; i < a->n_references; i++) {
        const struct weiri_litmus_reference_name *x = &a->references[i];
        const struct weiri_litmus_reference_name *y = &b->references[i];
        if (strcmp(x->name, y->name) != 0 || x->location != y->location
            || x->address != y->address || x->proxy != y->proxy) {
            return false;
        }
    }
    for (uint32_t i = 0; i < a->n_thens; i++) {
        if (a->first_threads[i] != b->first_threads[i]
            || a->then_threads[i] != b->then_threads[i]) {
            return false;
        }
    }
    return true;
}

static bool same_thread(const struct weiri_litmus_thread *a,
                        const struct weiri_litmus_thread *b)
{
    if (a->group != b->group || a->device != b->device
        || a->n_parameters != b->n_parameters || a->n_registers != b->n_registers
        || a->cluster != b->cluster || a->sub_group != b->sub_group
        || a->n_lines != b->n_lines || !same_lines(a, b) || !same_code(a->code, b->code)
        || !same_statements(a->body, b->body)) {
        return false;
    }
    for (uint32_t i = 0; i < a->n_parameters; i++) {
        const struct weiri_litmus_parameter *x = &a->parameters[i];
        const struct weiri_litmus_parameter *y = &b->parameters[i];
        if (x->location != y->location || x->atomic != y->atomic
            || x->is_volatile != y->is_volatile) {
            return false;
        }
    }
    for (uint32_t i = 0; i < a->n_registers; i++) {
        const struct weiri_litmus_register *x = &a->registers[i], *y = &b->registers[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type
            || x->initial != y->initial || x->is_initial != y->is_initial
            || x->is_declared != y->is_declared) {
            return false;
        }
    }
    return true;
}

char *litmus_threads(unsigned n, const char *initials, const char *parameters,
                     const char *body)
{
    GString *text = g_string_new("C threads\n{ ");
    g_string_append_printf(text, "%s }\n", initials);
    for (unsigned i = 0; i < n; i++) {
        g_autofree char *number = g_strdup_printf("%u", i);
        g_auto(GStrv) parts = g_strsplit(parameters, "#", -1);
        g_auto(GStrv) lines = g_strsplit(body, "#", -1);
        g_autofree char *of = g_strjoinv(number, parts);
        g_autofree char *code = g_strjoinv(number, lines);
        g_string_append_printf(text, "P%u (%s) {\n  %s\n}\n", i, of, code);
    }
    g_string_append(text, "forall (true)\n");
    return g_string_free(text, FALSE);
}

bool litmus_same(const struct weiri_litmus *a, const struct weiri_litmus *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->scoped == b->scoped
        && a->placed == b->placed && a->n_notes == b->n_notes
        && a->n_locations == b->n_locations && a->n_threads == b->n_threads
        && a->n_labels == b->n_labels && a->n_listed == b->n_listed
        && a->n_observed == b->n_observed && a->quantifier == b->quantifier
        && a->form == b->form && a->n_references == b->n_references
        && a->n_thens == b->n_thens && same_references(a, b)
        && same_texts(a->notes, b->notes, a->n_notes)
        && same_texts(a->labels, b->labels, a->n_labels) && same_locations(a, b)
        && same_terms(a->listed, b->listed, a->n_listed)
        && same_terms(a->observed, b->observed, a->n_observed)
        && same_conditions(a->filter, b->filter)
        && same_conditions(a->condition, b->condition);
    for (uint32_t i = 0; same && i < a->n_threads; i++) {
        same = same_thread(&a->threads[i], &b->threads[i]);
    }
    return same;
}

void litmus_expect_round_trip(const struct weiri_litmus *test, const char *file)
{
    g_autofree char *text = weiri_litmus_print(test);
    g_autoptr(weiri_litmus) again = litmus_read(text, file);
    if (!litmus_same(test, again)) {
        ck_abort_msg("%s: printed, it is another test:\n%s", file, text);
    }
}

/* ---- Sequential consistency ------------------------------------------------------ */

enum status { RUNS, WAITS, ENDED };

/* A state is an array of int64_t: for each thread where it is, its status, its slots;
 * then memory. */
struct machine {
    const struct weiri_litmus *test;
    size_t thread_at[65]; /* of each thread, then of memory */
    size_t n_words;
    uint32_t rounds;
    GHashTable *visited; /* of GBytes */
    GQueue *pending;     /* of GBytes, borrowed from @visited */
    struct litmus_sc *sc;
};

static int64_t *thread_state(const struct machine *machine, int64_t *state, size_t i)
{
    return state + machine->thread_at[i];
}

static int64_t *memory_of(const struct machine *machine, int64_t *state)
{
    return state + machine->thread_at[machine->test->n_threads];
}

/* To the next event of that thread. Returns: false if the run is over for all */
static bool advance(struct machine *machine, int64_t *state, size_t i)
{
    int64_t *own = thread_state(machine, state, i);
    struct weiri_litmus_run run = { .at = (uint32_t)own[0], .slots = own + 2 };
    enum weiri_litmus_stop stop = weiri_litmus_next(machine->test->threads[i].code,
                                                    &run, machine->rounds, NULL);
    own[0] = run.at;
    own[1] = stop == WEIRI_LITMUS_DONE ? ENDED : RUNS;
    machine->sc->n_bounded += stop == WEIRI_LITMUS_BOUND;
    bool fault = stop != WEIRI_LITMUS_DONE && stop != WEIRI_LITMUS_BOUND
        && stop != WEIRI_LITMUS_EVENT;
    machine->sc->n_faults += fault;
    return stop == WEIRI_LITMUS_DONE || stop == WEIRI_LITMUS_EVENT;
}

static void visit(struct machine *machine, const int64_t *state)
{
    GBytes *bytes = g_bytes_new(state, machine->n_words * sizeof(*state));
    if (g_hash_table_contains(machine->visited, bytes)) {
        g_bytes_unref(bytes); /* adding it would free the one that may be pending */
        return;
    }
    g_hash_table_add(machine->visited, bytes);
    g_queue_push_tail(machine->pending, bytes);
}

/* What thread @i has done in @state, a copy, is done: on to its next event. */
static void visit_after(struct machine *machine, int64_t *state, size_t i)
{
    if (advance(machine, state, i)) {
        visit(machine, state);
    }
}

static bool same_group(const struct weiri_litmus *test, size_t a, size_t b)
{
    return a == b
        || (test->placed && test->threads[a].group == test->threads[b].group
            && test->threads[a].device == test->threads[b].device);
}

static const struct weiri_litmus_instruction *event_of(const struct machine *machine,
                                                       const int64_t *state, size_t i)
{
    const struct weiri_litmus_code *code = machine->test->threads[i].code;
    return &code->instructions[state[machine->thread_at[i]]];
}

/* Thread @i has come to a barrier. */
static void meet(struct machine *machine, int64_t *state, size_t i)
{
    const struct weiri_litmus *test = machine->test;
    uint32_t label = event_of(machine, state, i)->label;
    thread_state(machine, state, i)[1] = WAITS;
    for (size_t k = 0; k < test->n_threads; k++) {
        if (same_group(test, i, k)
            && (thread_state(machine, state, k)[1] != WAITS
                || event_of(machine, state, k)->label != label)) {
            visit(machine, state);
            return;
        }
    }
    for (size_t k = 0; k < test->n_threads; k++) {
        if (same_group(test, i, k)) {
            int64_t *own = thread_state(machine, state, k);
            struct weiri_litmus_run run = { .at = (uint32_t)own[0], .slots = own + 2 };
            weiri_litmus_resume(test->threads[k].code, &run, 0, NULL);
            own[0] = run.at;
            if (!advance(machine, state, k)) {
                return;
            }
        }
    }
    visit(machine, state);
}

/* All that the next event of thread @i leads to. @state may be written to. */
static void perform(struct machine *machine, int64_t *state, size_t i)
{
    const struct weiri_litmus_instruction *event = event_of(machine, state, i);
    const struct weiri_litmus_code *code = machine->test->threads[i].code;
    int64_t *own = thread_state(machine, state, i);
    int64_t *cell = &memory_of(machine, state)[event->location];
    struct weiri_litmus_run run = { .at = (uint32_t)own[0], .slots = own + 2 };
    int64_t value = weiri_litmus_value(&run, &event->a), was = *cell;
    switch (event->op) {
    case WEIRI_LITMUS_OP_BARRIER:
        meet(machine, state, i);
        return;
    case WEIRI_LITMUS_OP_COMPARE: {
        bool equal = was == weiri_litmus_value(&run, &event->b);
        g_autofree int64_t *spurious
            = g_memdup2(state, machine->n_words * sizeof(*state));
        *cell = equal ? value : was;
        weiri_litmus_resume_compare(code, &run, was, equal, NULL);
        own[0] = run.at;
        visit_after(machine, state, i);
        if (equal && event->weak) {
            own = thread_state(machine, spurious, i);
            run = (struct weiri_litmus_run){ .at = (uint32_t)own[0], .slots = own + 2 };
            weiri_litmus_resume_compare(code, &run, was, false, NULL);
            own[0] = run.at;
            visit_after(machine, spurious, i);
        }
        return;
    }
    case WEIRI_LITMUS_OP_WRITE:
        *cell = value;
        break;
    case WEIRI_LITMUS_OP_UPDATE:
        ck_assert(weiri_litmus_apply(event->function, event->type, was, value, cell)
                  == WEIRI_LITMUS_EVENT);
        break;
    default:
        break;
    }
    weiri_litmus_resume(code, &run, was, NULL);
    own[0] = run.at;
    visit_after(machine, state, i);
}

struct final {
    struct machine *machine;
    int64_t *state;
};

static int64_t final_value(struct weiri_litmus_term term, const void *user)
{
    const struct final *final = user;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? memory_of(final->machine, final->state)[term.index]
        : thread_state(final->machine, final->state, term.thread)[2 + term.index];
}

static void note_final(struct machine *machine, int64_t *state)
{
    const struct weiri_litmus *test = machine->test;
    const struct final final = { machine, state };
    for (size_t i = 0; i < test->n_threads; i++) {
        if (thread_state(machine, state, i)[1] != ENDED) {
            return;
        }
    }
    if (test->filter != NULL
        && !weiri_litmus_holds(test->filter, final_value, &final)) {
        return;
    }
    char *text = weiri_litmus_state(test, final_value, &final);
    if (g_hash_table_add(machine->sc->states, text)) {
        machine->sc->n_holding
            += weiri_litmus_holds(test->condition, final_value, &final);
    }
}

static void free_bytes(void *bytes)
{
    g_bytes_unref(bytes);
}

struct litmus_sc litmus_sc_run(const struct weiri_litmus *test, uint32_t rounds)
{
    struct litmus_sc sc
        = { .states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
    struct machine machine = { .test = test,
                               .rounds = rounds,
                               .visited = g_hash_table_new_full(
                                   g_bytes_hash, g_bytes_equal, free_bytes, NULL),
                               .pending = g_queue_new(),
                               .sc = &sc };
    for (size_t i = 0; i < test->n_threads; i++) {
        machine.thread_at[i] = machine.n_words;
        machine.n_words += 2 + test->threads[i].code->n_slots;
    }
    machine.thread_at[test->n_threads] = machine.n_words;
    machine.n_words += test->n_locations;

    g_autofree int64_t *state = g_new0(int64_t, machine.n_words);
    bool sound = true;
    for (size_t i = 0; i < test->n_threads; i++) {
        struct weiri_litmus_run run = { .slots = thread_state(&machine, state, i) + 2 };
        weiri_litmus_start(test->threads[i].code, &run, NULL);
    }
    for (uint32_t i = 0; i < test->n_locations; i++) {
        memory_of(&machine, state)[i] = test->locations[i].initial;
    }
    for (size_t i = 0; sound && i < test->n_threads; i++) {
        sound = advance(&machine, state, i);
    }
    if (sound) {
        visit(&machine, state);
    }
    const size_t bytes = machine.n_words * sizeof(*state);
    GBytes *next;
    while ((next = g_queue_pop_head(machine.pending)) != NULL) {
        memcpy(state, g_bytes_get_data(next, NULL), bytes);
        note_final(&machine, state);
        for (size_t i = 0; i < test->n_threads; i++) {
            memcpy(state, g_bytes_get_data(next, NULL), bytes);
            if (thread_state(&machine, state, i)[1] == RUNS) {
                perform(&machine, state, i);
            }
        }
    }
    sc.n_visited = g_hash_table_size(machine.visited);
    g_queue_free(machine.pending);
    g_hash_table_unref(machine.visited);
    return sc;
}

void litmus_sc_clear(struct litmus_sc *sc)
{
    g_hash_table_unref(sc->states);
}

const char *litmus_sc_observation(const struct litmus_sc *sc)
{
    return sc->n_holding == 0                            ? "Never"
        : sc->n_holding == g_hash_table_size(sc->states) ? "Always"
                                                         : "Sometimes";
}
