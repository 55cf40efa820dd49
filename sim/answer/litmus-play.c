/* SPDX-License-Identifier: MIT
 *
 * litmus-play.c: weir_litmus_play(). The test is parsed for this call alone, so that
 * changes are made in its own instructions. */
#include "config.h"

#include "answer/answer.h"
#include "answer/played.h"
#include "base/values.h"
#include "litmus/code.h"
#include "litmus/program.h"

#include <inttypes.h>
#include <string.h>

/* ---- Words ----------------------------------------------------------------------- */

/* A list of changes, as --order of weir explore has them. */
static const char *const orders[]
    = { [memory_order_relaxed] = "relaxed", [memory_order_consume] = "consume",
        [memory_order_acquire] = "acquire", [memory_order_release] = "release",
        [memory_order_acq_rel] = "acq_rel", [memory_order_seq_cst] = "seq_cst" };

static const char *const scopes[] = { [memory_scope_work_item] = "work_item",
                                      [memory_scope_sub_group] = "sub_group",
                                      [memory_scope_work_group] = "work_group",
                                      [memory_scope_device] = "device",
                                      [memory_scope_system] = "system" };

static const char *const spaces[] = { "none", "local", "global", "local+global" };

static int find(const char *const *words, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        if (words[i] != NULL && strcmp(words[i], word) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- Operations ------------------------------------------------------------------ */

static bool is_site(const struct weiri_litmus_instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_FENCE || at->op == WEIRI_LITMUS_OP_BARRIER
        || (at->op < WEIRI_LITMUS_OP_FENCE && at->atomic && !at->part);
}

static bool is_barrier(const struct weiri_litmus_instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_BARRIER;
}

static const char *operation_of(const struct weiri_litmus_instruction *at)
{
    static const char *const names[] = { [WEIRI_LITMUS_OP_READ] = "load",
                                         [WEIRI_LITMUS_OP_WRITE] = "store",
                                         [WEIRI_LITMUS_OP_UPDATE] = "read-modify-write",
                                         [WEIRI_LITMUS_OP_COMPARE] = "compare-exchange",
                                         [WEIRI_LITMUS_OP_FENCE] = "fence",
                                         [WEIRI_LITMUS_OP_BARRIER] = "barrier" };
    return names[at->op];
}

/* The orders that the operation can have; %NULL of a barrier. */
static const char *orders_of(const struct weiri_litmus_instruction *at)
{
    static const char *const lists[]
        = { [WEIRI_LITMUS_OP_READ] = "relaxed acquire seq_cst",
            [WEIRI_LITMUS_OP_WRITE] = "relaxed release seq_cst",
            [WEIRI_LITMUS_OP_UPDATE] = "relaxed acquire release acq_rel seq_cst",
            [WEIRI_LITMUS_OP_COMPARE] = "relaxed acquire release acq_rel seq_cst",
            [WEIRI_LITMUS_OP_FENCE] = "relaxed acquire release acq_rel seq_cst",
            [WEIRI_LITMUS_OP_BARRIER] = NULL };
    return lists[at->op];
}

static bool can_be(const struct weiri_litmus_instruction *at, const char *order)
{
    g_auto(GStrv) all = g_strsplit(orders_of(at), " ", -1);
    return g_strv_contains((const char *const *)all, order);
}

/* ---- Changes --------------------------------------------------------------------- */

/* One word of a change. Returns: NULL, or what is wrong with it */
static const char *change_word(struct weiri_litmus_instruction *at, const char *word,
                               bool scoped, int *space)
{
    int scope = find(scopes, G_N_ELEMENTS(scopes), word);
    int named = find(spaces, 3, word);
    if (scope >= 0) {
        at->scope = (memory_scope)scope;
        return scoped ? NULL : "the test has no scopes";
    }
    if (named >= 0) {
        *space = MAX(*space, 0) | named;
        return at->op == WEIRI_LITMUS_OP_BARRIER || at->op == WEIRI_LITMUS_OP_FENCE
            ? NULL
            : "the operation orders no memories";
    }
    g_auto(GStrv) halves = g_strsplit(word, "/", 3);
    int order = find(orders, G_N_ELEMENTS(orders), halves[0]);
    int failure
        = halves[1] == NULL ? -1 : find(orders, G_N_ELEMENTS(orders), halves[1]);
    bool well
        = order >= 0 && (halves[1] == NULL || (failure >= 0 && halves[2] == NULL));
    if (!well) {
        return "it is not an order, scope or memory";
    }
    if (is_barrier(at) || !can_be(at, halves[0])) {
        return "the operation cannot have that order";
    }
    at->order = (memory_order)order;
    if (failure >= 0) {
        at->failure = (memory_order)failure;
        return at->op == WEIRI_LITMUS_OP_COMPARE && failure != memory_order_release
                && failure != memory_order_acq_rel
            ? NULL
            : "the operation cannot fail with that order";
    }
    return NULL;
}

/* "8:3=acq_rel/acquire+device". Returns: NULL, or what is wrong with it */
static const char *change(struct weiri_litmus *test, const char *text)
{
    char *end;
    guint64 line = g_ascii_strtoull(text, &end, 10);
    guint64 column = *end == ':' ? g_ascii_strtoull(end + 1, &end, 10) : 0;
    if (*end != '=' || end[1] == '\0') {
        return "it is not of the form LINE:COLUMN=WORDS, such as 8:3=relaxed";
    }
    g_auto(GStrv) words = g_strsplit(end + 1, "+", -1);
    bool found = false;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            struct weiri_litmus_instruction *at
                = (struct weiri_litmus_instruction *)&code->instructions[i];
            int space = -1;
            const char *wrong = NULL;
            if (!is_site(at) || at->place.line != line || at->place.column != column) {
                continue;
            }
            for (size_t w = 0; words[w] != NULL && wrong == NULL; w++) {
                wrong = change_word(at, words[w], test->scoped, &space);
            }
            if (wrong != NULL) {
                return wrong;
            }
            found = true;
            at->spaces = space >= 0 ? (unsigned)space : at->spaces;
        }
    }
    return found ? NULL : "that place has no atomic operation, fence or barrier";
}

static bool change_all(struct weiri_litmus *test, const char *changes, GError **error)
{
    g_auto(GStrv) all = g_strsplit(changes != NULL ? changes : "", ",", -1);
    for (size_t i = 0; all[i] != NULL; i++) {
        const char *wrong = change(test, all[i]);
        if (wrong != NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, "change '%s': %s",
                        all[i], wrong);
            return false;
        }
    }
    weiri_litmus_judge_accesses(test);
    return true;
}

/* For tables: their operations have more than orders and scopes. */
static bool change_none(const char *changes, GError **error)
{
    if (changes == NULL || changes[0] == '\0') {
        return true;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "change '%s': operations of PTX and Vulkan are changed in the text of "
                "the test",
                changes);
    return false;
}

/* ---- What only a litmus test has ------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct weir_play_site *one = a, *other = b;
    return one->line != other->line
        ? (one->line > other->line) * 2 - 1
        : (one->column > other->column) - (one->column < other->column);
}

static void add_sites(struct weiri_played *played, const struct weiri_litmus *test)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct weir_play_site));
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            const struct weiri_litmus_instruction *at = &code->instructions[i];
            const struct weiri_litmus_place *place = &at->place;
            if (!is_site(at)) {
                continue;
            }
            const struct weir_play_site site
                = { .place = weiri_played_take(
                        played, g_strdup_printf("%u:%u", place->line, place->column)),
                    .operation = operation_of(at),
                    .order = is_barrier(at) ? NULL : orders[at->order],
                    .failure
                    = at->op == WEIRI_LITMUS_OP_COMPARE ? orders[at->failure] : NULL,
                    .scope = test->scoped
                            && (!is_barrier(at) || at->scope > memory_scope_work_group)
                        ? scopes[at->scope]
                        : NULL,
                    .spaces = is_barrier(at) ? spaces[at->spaces & 3] : NULL,
                    .orders = orders_of(at),
                    .line = place->line,
                    .column = place->column };
            g_array_append_val(sites, site);
        }
    }
    g_array_sort(sites, by_place);
    played->play.sites = weiri_played_list(played, sites, &played->play.n_sites);
}

static void add_value(struct weiri_played *played, GArray *values, const char *name,
                      int64_t thread, int64_t value, int64_t initial)
{
    const struct weir_play_value one
        = { weiri_played_text(played, name), thread,
            weiri_played_take(played, g_strdup_printf("%" PRId64, value)),
            weiri_played_take(played, g_strdup_printf("%" PRId64, initial)) };
    g_array_append_val(values, one);
}

static void add_values(struct weiri_played *played, const struct weiri_litmus *test,
                       const struct weiri_execution *execution)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(struct weir_play_value));
    const struct weiri_program *program = execution->program;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_thread *thread = &test->threads[t];
        for (uint32_t r = 0; r < thread->n_registers; r++) {
            g_autofree char *name
                = g_strdup_printf("%u:%s", t, thread->registers[r].name);
            add_value(played, values, name, t,
                      weiri_litmus_program_register(program, execution->states[t], r),
                      thread->registers[r].initial);
        }
    }
    for (uint32_t l = 0; l < test->n_locations; l++) {
        add_value(played, values, program->locations[l].name, -1, execution->memory[l],
                  program->locations[l].initial);
    }
    played->play.values = weiri_played_list(played, values, &played->play.n_values);
}

static void add_result(struct weiri_played *played, const struct weiri_litmus *test,
                       const struct weiri_execution *execution, bool complete)
{
    struct weir_play *play = &played->play;
    play->claim = weiri_played_take(played, weiri_litmus_print_claim(test));
    if (complete) {
        play->state = weiri_played_take(
            played, weiri_litmus_state(test, weiri_litmus_program_value, execution));
        play->holds
            = weiri_litmus_holds(test->condition, weiri_litmus_program_value, execution)
            ? "yes"
            : "no";
    }
    if (complete && test->filter != NULL
        && !weiri_litmus_holds(test->filter, weiri_litmus_program_value, execution)) {
        play->text = "All threads have ended. The filter of the test leaves this "
                     "execution out.";
    }
}

/* In the words of the test's form. */
static char *group_of(void *self, uint32_t thread)
{
    const struct weiri_litmus *test = self;
    const struct weiri_litmus_thread *of = &test->threads[thread];
    switch (test->form) {
    case WEIRI_LITMUS_PTX:
        return of->cluster == of->group /* as without a stated one */
            ? g_strdup_printf("cta %u, gpu %u", of->group, of->device)
            : g_strdup_printf("cta %u, cluster %u, gpu %u", of->group, of->cluster,
                              of->device);
    case WEIRI_LITMUS_VULKAN:
        return g_strdup_printf("sg %u, wg %u, qf %u", of->sub_group, of->group,
                               of->cluster);
    default:
        return !test->placed
            ? NULL
            : g_strdup_printf("group %u, device %u", of->group, of->device);
    }
}

/* ---- The whole ------------------------------------------------------------------- */

/* Those of the form of the model. */
static const char *all_models(struct weiri_played *played)
{
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned m = 0; m < WEIR_N_MODELS; m++) {
        const char *name = weir_model_name((enum weir_model)m);
        if (weiri_model_find(name)->form == played->model->form) {
            g_string_append_printf(all, "%s%s", all->len > 0 ? " " : "", name);
        }
    }
    return weiri_played_text(played, all->str);
}

static struct weir_play *play_test(struct weiri_litmus *test, const char *text,
                                   size_t bytes, const struct weiri_model *model,
                                   const struct weir_play_options *options)
{
    struct weiri_played *played = weiri_played_new();
    struct weir_play *play = &played->play;
    struct weiri_stepper stepper;
    struct weiri_program *program
        = weiri_litmus_program(test, WEIRI_LITMUS_ROUNDS | WEIRI_LITMUS_STOP_SPINS);
    played->program = program;
    played->model = model;
    played->group = group_of;
    played->self = test;
    struct weiri_execution *execution
        = weiri_played_follow(played, options->choices, &stepper);
    weiri_played_describe(played, &stepper, execution);
    play->name = weiri_played_text(played, test->name);
    play->models = all_models(played);
    play->text_of_test = weiri_played_take(played, g_strndup(text, bytes));
    play->changes = options->changes == NULL || options->changes[0] == '\0'
        ? NULL
        : weiri_played_text(played, options->changes);
    if (!weiri_litmus_is_table(test->form)) {
        add_sites(played, test);
    }
    add_values(played, test, execution);
    add_result(played, test, execution, strcmp(play->reached, "complete") == 0);
    GArray *sources = g_array_new(FALSE, FALSE, sizeof(struct weir_play_source));
    const struct weir_play_source source = { NULL, 1, play->text_of_test };
    g_array_append_val(sources, source);
    play->sources = weiri_played_list(played, sources, &play->n_sources);
    weiri_execution_free(execution);
    weiri_stepper_clear(&stepper);
    weiri_litmus_program_free(program);
    return play;
}

struct weir_play *weir_litmus_play(const char *text, size_t bytes, const char *file,
                                   const struct weir_play_options *options,
                                   GError **error)
{
    g_return_val_if_fail(text != NULL && file != NULL && options != NULL, NULL);
    g_autoptr(GError) wrong = NULL;
    enum weir_model model;
    if ((options->model != NULL && !weir_model_find(options->model, &model, error))
        || !weiri_played_check(options->choices, error)) {
        return NULL;
    }
    struct weiri_litmus *test = weiri_litmus_parse(text, bytes, file, &wrong);
    if (test == NULL) {
        g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_INPUT, wrong->message);
        return NULL;
    }
    struct weir_play *play = NULL;
    if (options->model == NULL) {
        const struct weir_litmus whole = { .test = test };
        model = weir_model_default(&whole);
    }
    if (weiri_answer_takes(test, model, error)
        && (weiri_litmus_is_table(test->form)
                ? change_none(options->changes, error)
                : change_all(test, options->changes, error))) {
        play = play_test(test, text, bytes, weiri_model_find(weir_model_name(model)),
                         options);
    }
    weiri_litmus_free(test);
    return play;
}
