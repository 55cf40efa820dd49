/* SPDX-License-Identifier: MIT
 *
 * native_table.h: kernels explored under PTX or Vulkan against litmus tests in the same
 * form. A random program of a few items is run as a kernel that takes its steps, and
 * written as a table: `weir explore` and `weir litmus` must come to the same final
 * states, and to the same answer to whether there is a race, under a model that defines
 * races. The two share the model, and neither the program nor what its threads do, its
 * values and its dependencies.
 *
 * A file that includes this one defines CAMPAIGN before it. */
#ifndef WEIR_TESTS_NATIVE_TABLE_H
#define WEIR_TESTS_NATIVE_TABLE_H

#include "campaign.h"

#include <glib/gstdio.h>

#include <weir-model.h>

enum { MOST_ITEMS = 4, STEPS = 4, LOCATIONS = 2, REGISTERS = STEPS };
enum { MOST_EXECUTIONS = 300 }; /* of a program: others take seconds */

enum kind { END, LOAD, STORE, STORE_RESULT, ADD, EXCHANGE, FENCE, MEET };
enum plain { ATOMIC, PLAIN, VOLATILE };

/* @plain: of enum plain; @value: of a store, 1 or 2; @spaces: of a fence or a
 * meeting */
typedef struct {
    uint8_t kind, plain, order, scope, location, value, spaces;
} table_step;

typedef struct {
    const table_step *steps; /* STEPS of each item */
    int32_t *x, *out;        /* the locations, and REGISTERS of each item */
} table_args;

static int32_t load(int32_t *x, const table_step *step)
{
    switch ((enum plain)step->plain) {
    case PLAIN:
        return *x;
    case VOLATILE:
        return *(volatile int32_t *)x;
    case ATOMIC:
        break;
    }
    return weir_atomic_load_explicit(x, (memory_order)step->order,
                                     (memory_scope)step->scope);
}

static void store(int32_t *x, int32_t value, const table_step *step)
{
    switch ((enum plain)step->plain) {
    case PLAIN:
        *x = value;
        return;
    case VOLATILE:
        *(volatile int32_t *)x = value;
        return;
    case ATOMIC:
        weir_atomic_store_explicit(x, value, (memory_order)step->order,
                                   (memory_scope)step->scope);
    }
}

static inline bool loads(const table_step *step)
{
    return step->kind == LOAD || step->kind == ADD || step->kind == EXCHANGE;
}

WEIR_KERNEL(take_steps, table_args)
{
    size_t self = weir_global_id(item, 0);
    int32_t result = 0;
    for (int i = 0; i < STEPS; i++) {
        const table_step *step = &args->steps[self * STEPS + (size_t)i];
        int32_t *x = &args->x[step->location];
        memory_order order = (memory_order)step->order;
        memory_scope scope = (memory_scope)step->scope;
        switch (step->kind) {
        case LOAD:
            result = load(x, step);
            break;
        case STORE:
            store(x, step->value, step);
            break;
        case STORE_RESULT:
            store(x, result, step);
            break;
        case ADD:
            result = weir_atomic_fetch_add_explicit(x, step->value, order, scope);
            break;
        case EXCHANGE:
            result = weir_atomic_exchange_explicit(x, step->value, order, scope);
            break;
        case FENCE:
            weir_work_item_fence(step->spaces, order, scope);
            break;
        case MEET:
            weir_barrier(item, step->spaces);
            break;
        default:
            break;
        }
        if (loads(step)) {
            args->out[self * REGISTERS + (size_t)i] = result;
        }
    }
}

/* ---- Programs -------------------------------------------------------------------- */

/* @sub_group: the items of a sub-group: one, or all of a group */
struct program {
    unsigned n_groups, n_items, sub_group; /* of a group */
    table_step steps[MOST_ITEMS][STEPS];
};

static const memory_order load_orders[]
    = { memory_order_relaxed, memory_order_acquire };
static const memory_order store_orders[]
    = { memory_order_relaxed, memory_order_release };
static const memory_order update_orders[]
    = { memory_order_relaxed, memory_order_acquire, memory_order_release,
        memory_order_acq_rel };

#define ONE_OF(table) ((table)[random_between(random, 0, G_N_ELEMENTS(table) - 1)])

/* The order of an access of that kind. */
TEST_HELPER memory_order draw_order(enum kind kind, uint64_t *random)
{
    return kind == LOAD                   ? ONE_OF(load_orders)
        : kind == ADD || kind == EXCHANGE ? ONE_OF(update_orders)
                                          : ONE_OF(store_orders);
}

/* A few steps of each item, and perhaps a meeting of each group, @meeting. */
TEST_HELPER void draw_program(struct program *program, uint64_t *random,
                              void (*draw_step)(table_step *step, uint64_t *random,
                                                bool narrow),
                              table_step meeting)
{
    static const unsigned shapes[][2]
        = { { 2, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }, { 2, 2 }, { 1, 3 } };
    const unsigned *shape = shapes[random_between(random, 0, G_N_ELEMENTS(shapes) - 1)];
    *program = (struct program){ .n_groups = shape[0],
                                 .n_items = shape[1],
                                 .sub_group = shape[1] };
    unsigned n = shape[0] * shape[1];
    unsigned n_steps = n > 2 ? 2 : 3;
    bool narrow = random_between(random, 0, 1) == 0;
    size_t meets = random_between(random, 0, 2 * STEPS);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned s = 0; s < n_steps; s++) {
            draw_step(&program->steps[i][s], random, narrow);
            if (s == meets && shape[1] > 1) {
                program->steps[i][s] = meeting;
            }
        }
    }
}

/* ---- As a litmus test ------------------------------------------------------------ */

/**
 * table_form: a form of tables
 * @name: the word that a test begins with
 * @model: the model of `weir explore`, and @litmus_model the same
 * @place: Returns: (transfer full): where the item runs: "P0@cta 0,gpu 0"
 * @cell: Returns: (transfer full): the instruction. @s: the number of the step, and of
 *        its register; @latest: that of the latest load, or less than 0
 */
struct table_form {
    const char *name, *model;
    enum weir_model litmus_model;
    char *(*place)(const struct program *program, unsigned i);
    char *(*cell)(const table_step *step, unsigned s, int latest);
};

TEST_HELPER char *litmus_text(const struct table_form *form,
                              const struct program *program)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s random\n{ x=0; y=0; }\n", form->name);
    unsigned n = program->n_groups * program->n_items;
    int latest[MOST_ITEMS] = { -1, -1, -1, -1 };
    for (unsigned i = 0; i < n; i++) {
        g_autofree char *place = form->place(program, i);
        g_string_append_printf(text, "%s%s", i > 0 ? " | " : "", place);
    }
    g_string_append(text, " ;\n");
    for (unsigned s = 0; s < STEPS; s++) {
        for (unsigned i = 0; i < n; i++) {
            const table_step *step = &program->steps[i][s];
            g_autofree char *cell = form->cell(step, s, latest[i]);
            latest[i] = loads(step) ? (int)s : latest[i];
            g_string_append_printf(text, "%s%s", i > 0 ? " | " : "", cell);
        }
        g_string_append(text, " ;\n");
    }
    g_string_append(text, "exists (x == 0 /\\ y == 0");
    for (unsigned i = 0; i < n; i++) {
        for (unsigned s = 0; s < STEPS; s++) {
            if (loads(&program->steps[i][s])) {
                g_string_append_printf(text, " /\\ P%u:r%u == 0", i, s);
            }
        }
    }
    g_string_append(text, ")\n");
    return g_string_free(text, FALSE);
}

/* ---- Final states ---------------------------------------------------------------- */

TEST_HELPER int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words of a state, sorted, without those of value 0. Returns: (transfer full) */
TEST_HELPER char *canonical(char **words)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; words[i] != NULL; i++) {
        if (!g_str_has_suffix(words[i], "=0") && *words[i] != '\0') {
            g_ptr_array_add(all, words[i]);
        }
    }
    g_ptr_array_sort(all, by_text);
    g_ptr_array_add(all, NULL);
    return g_strjoinv(",", (char **)all->pdata);
}

/* The name that a litmus test has for "out[5]" or "x[1]". */
TEST_HELPER char *renamed(const char *word)
{
    unsigned index;
    int value;
    if (sscanf(word, "x[%u]=%d", &index, &value) == 2) {
        return g_strdup_printf("%c=%d", 'x' + (int)index, value);
    }
    int n = sscanf(word, "out[%u]=%d", &index, &value);
    g_assert(n == 2);
    return g_strdup_printf("%u:r%u=%d", index / REGISTERS, index % REGISTERS, value);
}

/* All states, each once, joined by lines. Takes @states */
TEST_HELPER char *joined(GPtrArray *states)
{
    g_ptr_array_sort(states, by_text);
    for (guint i = 1; i < states->len;) {
        if (strcmp(g_ptr_array_index(states, i - 1), g_ptr_array_index(states, i))
            == 0) {
            g_ptr_array_remove_index(states, i);
        } else {
            i++;
        }
    }
    g_ptr_array_add(states, NULL);
    char *text = g_strjoinv("\n", (char **)states->pdata);
    g_ptr_array_free(states, TRUE);
    return text;
}

/* The last line says whether there is a race. Takes @states */
TEST_HELPER char *answer_of(GPtrArray *states, bool race, bool complete)
{
    g_autofree char *all = joined(states);
    return complete ? g_strdup_printf("%s\n%s", all, race ? "a race" : "no race")
                    : NULL;
}

/* Returns: (transfer full): NULL if a limit was reached */
TEST_HELPER char *states_of_litmus(const struct table_form *form, const char *text)
{
    GError *error = NULL;
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), "random", &error);
    if (test == NULL) {
        printf("%s\n%s\n", text, error->message);
    }
    g_assert(test != NULL);
    const struct weir_litmus_options options
        = { .model = form->litmus_model, .max_executions = MOST_EXECUTIONS };
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
    g_assert(answer != NULL);
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    GPtrArray *states = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < verdict->n_states; i++) {
        g_auto(GStrv) words
            = g_strsplit(weir_litmus_answer_state(answer, i)->text, ",", -1);
        for (size_t w = 0; words[w] != NULL; w++) {
            if (words[w][0] == '[') { /* "[x]=1" */
                char *bare = g_strdup_printf("%c%s", words[w][1], words[w] + 3);
                g_free(words[w]);
                words[w] = bare;
            }
        }
        g_ptr_array_add(states, canonical(words));
    }
    bool complete = verdict->complete, race = verdict->race;
    weir_litmus_answer_free(answer);
    weir_litmus_free(test);
    return answer_of(states, race, complete);
}

/* Whether the model has races, which both sides count. */
TEST_HELPER bool has_races(const struct table_form *form)
{
    return form->litmus_model == WEIR_MODEL_VULKAN;
}

/* A device with sub-groups of one item, or the default one. */
TEST_HELPER struct weir_device *device_for(const struct program *program)
{
    if (program->sub_group > 1) {
        return weir_device_new("default", NULL);
    }
    g_autofree char *path = NULL;
    int fd = g_file_open_tmp("weir-XXXXXX.profile", &path, NULL);
    g_assert(fd >= 0);
    close(fd);
    g_assert(g_file_set_contents(
        path,
        "[device]\nsummary = single items\nmax_work_group_size = 64\n"
        "local_mem_size = 65536\ncompute_units = 16\nsub_group_sizes = 1\n"
        "sub_group_size = 1\natomic_orders = relaxed;acquire;release;acq_rel;seq_cst\n"
        "atomic_scopes = work_item;sub_group;work_group;device;system\n"
        "fence_orders = relaxed;acquire;release;acq_rel;seq_cst\n"
        "fence_scopes = work_item;sub_group;work_group;device;system\n"
        "atomic64 = true\n",
        -1, NULL));
    GError *error = NULL;
    struct weir_device *device = weir_device_new(path, &error);
    g_assert_no_error(error);
    g_remove(path);
    return device;
}

/* Returns: (transfer full): NULL if it is too large */
TEST_HELPER char *states_of_kernel(const struct table_form *form,
                                   const struct program *program)
{
    struct weir_device *device = device_for(program);
    unsigned n = program->n_groups * program->n_items;
    table_step *steps = weir_new(device, table_step, MOST_ITEMS * STEPS, "steps");
    memcpy(steps, program->steps, sizeof(program->steps));
    table_args args = { steps, weir_new(device, int32_t, LOCATIONS, "x"),
                        weir_new(device, int32_t, MOST_ITEMS * REGISTERS, "out") };
    memset(args.x, 0, LOCATIONS * sizeof(*args.x));
    memset(args.out, 0, MOST_ITEMS * REGISTERS * sizeof(*args.out));
    struct weir_report *report = NULL;
    GError *error = NULL;
    const struct weir_launch_options options
        = { .explore = form->model, .plain_events = true, .time_limit_ms = 20000 };
    bool done = weir_launch_sized_with(device, &take_steps,
                                       weir_nd_range_1d(n, program->n_items), &args,
                                       sizeof(args), &options, &report, &error);
    g_assert_no_error(error);
    g_assert(done);
    const struct weir_exploration *result = weir_report_exploration(report);
    g_assert(result->refused == NULL);
    GPtrArray *states = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < result->n_states; i++) {
        g_auto(GStrv) words = g_strsplit(result->states[i].text, ",", -1);
        for (size_t w = 0; words[w] != NULL; w++) {
            char *name = *words[w] != '\0' ? renamed(words[w]) : g_strdup("");
            g_free(words[w]);
            words[w] = name;
        }
        g_ptr_array_add(states, canonical(words));
    }
    bool complete = result->complete, race = has_races(form) && result->racy > 0;
    weir_report_free(report);
    weir_device_free(device);
    return answer_of(states, race, complete);
}

/* ---- Campaigns ------------------------------------------------------------------- */

struct statistics {
    uint64_t programs, states, racy, too_large;
};

TEST_HELPER char *judge_program(const struct table_form *form,
                                const struct program *program,
                                struct statistics *statistics)
{
    g_autofree char *text = litmus_text(form, program);
    g_autofree char *expected = states_of_litmus(form, text);
    g_autofree char *found = expected != NULL ? states_of_kernel(form, program) : NULL;
    statistics->programs++;
    if (expected == NULL || found == NULL) {
        statistics->too_large++;
        return NULL;
    }
    for (const char *at = strchr(expected, '\n'); at != NULL;
         at = strchr(at + 1, '\n')) {
        statistics->states++;
    }
    statistics->racy += g_str_has_suffix(expected, "a race");
    return strcmp(expected, found) == 0
        ? NULL
        : g_strdup_printf("%s\nas a litmus test:\n%s\n\nas a kernel:\n%s\n", text,
                          expected, found);
}

static void say(const struct statistics *statistics)
{
    printf("%" PRIu64 " programs, %" PRIu64 " of them too large; %" PRIu64
           " final states; %" PRIu64 " programs with a race\n",
           statistics->programs, statistics->too_large, statistics->states,
           statistics->racy);
}

#endif
