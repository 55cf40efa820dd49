/* SPDX-License-Identifier: MIT
 *
 * native_litmus.c: two ways to explore a litmus test have the same result: as a program
 * made from its text (sim/litmus/program.c), and as a kernel that makes the same
 * accesses (sim/native/). Compared are the numbers of executions that end in each
 * state, that do not end, and that race; under each model, and in two ways:
 *
 *     plain   plain accesses are explored as others are: all numbers are equal
 *     race    an execution ends at a race: a test has a race or not. Without one all
 *             numbers are equal, and as in the other way
 *     back    the kernel is written as a litmus test again, which has as many
 *             executions that end, race, and do not end
 *
 * The turns of what is found are followed; see native_litmus_turns.c. With
 * NATIVE_LITMUS_RUNS in the environment, all that is compared are the states in which
 * so many launches in fast mode end; see native_litmus_fast.c.
 *
 * Where there is a race, the number of executions that end at one depends on the order
 * of threads. An execution that ends at a race may be part of some that never end: of
 * those the plain way does not say whether they race, but this test looks.
 *
 * The sentence that says why accesses of the text are not ordered is among those of the
 * kernel's findings, but for names and lines. */
#include "config.h"

#include "native_litmus.h"
#include "native_litmus_fast.h"
#include "native_litmus_turns.h"

#include "answer/drawn.h"
#include "finding/identity.h"
#include "litmus/program.h"
#include "model/explore.h"
#include "native/unseen.h"
#include "weir-model.h"
#include "weir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test with more executions is left out: the others take seconds. */
enum { MOST_EXECUTIONS = 20000 };
enum { SECONDS = 60 };
/* Reasons of so many executions of a text are looked for. */
enum { MOST_JUDGED = 1000 };
/* If a test has more, turns are not followed. */
enum { MOST_FOLLOWED = 200 };

/* What an exploration has found. */
struct outcome {
    GHashTable *states; /* text of each final state: to its executions; owned */
    uint64_t executions, racy, blocked, cut;
    uint64_t racy_blocked; /* blocked ones with a race; of the text */
    bool complete;
    GPtrArray *whys; /* of char *: of races, without names, each once */
    uint64_t n_judged;
    char *refused;            /* owned; or NULL */
    char *litmus, *no_litmus; /* of the kernel: the test that it is; owned, or NULL */
};

static struct outcome outcome_new(void)
{
    return (struct outcome){ .states = g_hash_table_new_full(g_str_hash, g_str_equal,
                                                             g_free, NULL),
                             .whys = g_ptr_array_new_with_free_func(g_free) };
}

static void outcome_clear(struct outcome *outcome)
{
    g_hash_table_unref(outcome->states);
    g_ptr_array_unref(outcome->whys);
    g_free(outcome->refused);
    g_free(outcome->litmus);
    g_free(outcome->no_litmus);
}

static void add_state(struct outcome *outcome, char *text, uint64_t executions)
{
    uint64_t n = (uint64_t)(uintptr_t)g_hash_table_lookup(outcome->states, text);
    g_hash_table_insert(outcome->states, text, (void *)(uintptr_t)(n + executions));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In one line: what is compared. */
static char *text_of(const struct outcome *outcome)
{
    GString *text = g_string_new(NULL);
    if (outcome->refused != NULL) {
        return g_string_free(g_string_append(text, outcome->refused), FALSE);
    }
    g_string_append_printf(text, "%" PRIu64 " (%" PRIu64 " racy), %" PRIu64 " blocked",
                           outcome->executions, outcome->racy, outcome->blocked);
    if (outcome->cut > 0) {
        g_string_append_printf(text, ", %" PRIu64 " cut", outcome->cut);
    }
    g_string_append(text, outcome->complete ? ":" : ", incomplete:");
    guint n = 0;
    g_autofree char **states
        = (char **)g_hash_table_get_keys_as_array(outcome->states, &n);
    qsort(states, n, sizeof(*states), by_text);
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(
            text, " %s *%" PRIu64, states[i],
            (uint64_t)(uintptr_t)g_hash_table_lookup(outcome->states, states[i]));
    }
    return g_string_free(text, FALSE);
}

/* The sentence without what differs in a test and a kernel. Returns: (transfer full) */
static char *bare(const char *why)
{
    static const char *const parts[][2] = {
        { "\\. So .*", "" },
        { "item [0-9]+ of group \\([0-9,]+\\)|P[0-9]+", "T" },
        { "(lines?) [0-9]+( and [0-9]+)?", "\\1" },
        { "'[^']*'", "M" },
    };
    char *text = g_strdup(why);
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autoptr(GRegex) regex = g_regex_new(parts[i][0], 0, 0, NULL);
        char *next = g_regex_replace(regex, text, -1, 0, parts[i][1], 0, NULL);
        g_free(text);
        text = next;
    }
    return text;
}

/* ---- The test's text explored ---------------------------------------------------- */

struct of_text {
    const struct weiri_litmus *test;
    const struct weiri_program *program;
    const char *model;
    const struct weiri_graph *graph;
    struct outcome *outcome;
};

/* Local memory is gone when a launch has ended. */
static bool is_gone(const struct weiri_litmus *test, struct weiri_litmus_term term)
{
    return term.thread == WEIRI_LITMUS_MEMORY
        && test->locations[term.index].space == WEIR_LOCAL;
}

static int64_t value_in_graph(struct weiri_litmus_term term, const void *user)
{
    const struct of_text *x = user;
    if (is_gone(x->test, term)) {
        return 0;
    }
    return term.thread == WEIRI_LITMUS_MEMORY
        ? weiri_graph_memory(x->graph, term.index)
        : weiri_litmus_program_register(
            x->program, weiri_graph_state(x->graph, term.thread), term.index);
}

static void add_why(struct outcome *outcome, const char *why)
{
    char *text = bare(why);
    if (g_ptr_array_find_with_equal_func(outcome->whys, text, g_str_equal, NULL)) {
        g_free(text);
    } else {
        g_ptr_array_add(outcome->whys, text);
    }
}

/* Why the race of the execution that a kernel's exploration reports is one. */
static void judge(struct of_text *x, const struct weiri_graph *graph)
{
    uint32_t one, other;
    if (x->outcome->n_judged++ >= MOST_JUDGED
        || !weiri_graph_race((struct weiri_graph *)graph, &one, &other)) {
        return;
    }
    struct weiri_execution *execution = weiri_graph_execution(graph);
    const struct weiri_node *nodes = graph->nodes;
    g_autofree char *why = weiri_drawn_why(
        execution, weiri_model_find(x->model),
        execution->first[nodes[one].thread] + nodes[one].index,
        execution->first[nodes[other].thread] + nodes[other].index, true);
    add_why(x->outcome, why);
    weiri_execution_free(execution);
}

static bool note_execution(void *user, const struct weiri_graph *graph, bool race)
{
    struct of_text *x = user;
    if (race) {
        judge(x, graph);
    }
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        if (weiri_graph_next(graph, t)->kind != WEIRI_STEP_END) {
            return true; /* a race has ended it */
        }
    }
    x->graph = graph;
    add_state(x->outcome, weiri_litmus_state(x->test, value_in_graph, x), 1);
    return true;
}

/* Explorations say nothing of races in executions that never end, unless they end at
 * the race. */
static void note_stuck(void *user, const struct weiri_graph *graph,
                       enum weiri_execution_end why)
{
    struct of_text *x = user;
    uint32_t one, other;
    (void)why;
    /* It changes nothing but what is known of pairs that do not race. */
    x->outcome->racy_blocked
        += weiri_graph_race((struct weiri_graph *)graph, &one, &other);
}

static struct outcome explore_text(const struct weiri_litmus *test,
                                   enum weiri_explored model, const char *name,
                                   bool plain)
{
    struct outcome outcome = outcome_new();
    struct weiri_program *program
        = weiri_litmus_program(test, WEIRI_LITMUS_ROUNDS | WEIRI_LITMUS_STOP_SPINS);
    struct of_text x
        = { .test = test, .program = program, .model = name, .outcome = &outcome };
    const struct weiri_explore_options how
        = { .model = model,
            .max_executions = MOST_EXECUTIONS,
            .time_limit = SECONDS,
            .races = model != WEIRI_EXPLORED_SC,
            .stop_at_race = !plain && model != WEIRI_EXPLORED_SC,
            .execution = note_execution,
            .stuck = model != WEIRI_EXPLORED_SC ? note_stuck : NULL,
            .user = &x };
    struct weiri_exploration done = weiri_explore(program, &how);
    outcome.executions = done.executions;
    outcome.racy = done.racy;
    outcome.blocked = done.blocked;
    outcome.cut = done.cut;
    outcome.complete = done.complete;
    weiri_litmus_program_free(program);
    return outcome;
}

/* ---- The kernel explored --------------------------------------------------------- */

struct of_kernel {
    const struct weiri_litmus *test;
    int64_t *memory, *out; /* at the end of an execution */
};

static int64_t value_in_memory(struct weiri_litmus_term term, const void *user)
{
    const struct of_kernel *x = user;
    if (is_gone(x->test, term)) {
        return 0;
    }
    if (term.thread == WEIRI_LITMUS_MEMORY) {
        return weiri_litmus_convert(x->test->locations[term.index].type,
                                    x->memory[term.index]);
    }
    for (uint32_t i = 0; i < x->test->n_observed; i++) {
        struct weiri_litmus_term at = x->test->observed[i];
        if (at.thread == term.thread && at.index == term.index) {
            return x->out[i];
        }
    }
    return INT64_MIN;
}

void native_litmus_set_initial(const struct weiri_litmus *test, int64_t *memory,
                               int64_t *out)
{
    for (uint32_t i = 0; i < test->n_locations; i++) {
        memory[i]
            = weiri_litmus_convert(test->locations[i].type, test->locations[i].initial);
    }
    memset(out, 0, test->n_observed * sizeof(*out));
}

void native_litmus_read_state(const struct weiri_litmus *test, const char *text,
                              int64_t *memory, int64_t *out)
{
    native_litmus_set_initial(test, memory, out);
    for (const char *at = text; *at != 0;) {
        int64_t *array = *at == 'm' ? memory : out;
        char *end;
        unsigned long index = strtoul(strchr(at, '[') + 1, &end, 10);
        array[index] = strtoll(end + strlen("]="), &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
}

char *native_litmus_state(const struct weiri_litmus *test, int64_t *memory,
                          int64_t *out)
{
    const struct of_kernel x = { test, memory, out };
    return weiri_litmus_state(test, value_in_memory, &x);
}

static char *state_of(const struct weiri_litmus *test, const char *text)
{
    g_autofree int64_t *memory = g_new0(int64_t, MAX(test->n_locations, 1));
    g_autofree int64_t *out = g_new0(int64_t, MAX(test->n_observed, 1));
    native_litmus_read_state(test, text, memory, out);
    return native_litmus_state(test, memory, out);
}

static void take(struct outcome *outcome, const struct weiri_litmus *test,
                 const struct weir_report *report)
{
    const struct weir_exploration *found = weir_report_exploration(report);
    if (found == NULL || found->refused != NULL) {
        outcome->refused = g_strdup(found == NULL ? "not explored" : found->refused);
        return;
    }
    outcome->executions = found->executions;
    outcome->racy = found->racy;
    outcome->blocked = found->blocked;
    outcome->cut = found->cut;
    outcome->complete = found->complete;
    outcome->litmus = g_strdup(found->litmus);
    outcome->no_litmus = g_strdup(found->no_litmus);
    for (size_t i = 0; i < found->n_states; i++) {
        add_state(outcome, state_of(test, found->states[i].text),
                  found->states[i].executions);
    }
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        if (finding->kind == WEIR_FINDING_UNSUPPORTED && outcome->refused == NULL) {
            outcome->refused = g_strdup(finding->message);
        }
        if (weiri_finding_is_race(finding)) {
            add_why(outcome, finding->why);
        }
    }
}

static struct outcome explore_kernel(struct weir_device *device,
                                     const struct native_litmus_test *entry,
                                     const struct weiri_litmus *test, const char *model,
                                     bool plain)
{
    struct outcome outcome = outcome_new();
    native_litmus_args args
        = { weir_new(device, int64_t, MAX(test->n_locations, 1), "memory"),
            weir_new(device, int64_t, MAX(test->n_observed, 1), "out"), 1 };
    native_litmus_set_initial(test, args.memory, args.out);
    const struct weir_launch_options options = { .explore = model,
                                                 .plain_events = plain,
                                                 .litmus = plain,
                                                 .max_executions = 2 * MOST_EXECUTIONS,
                                                 .time_limit_ms = 2000 * SECONDS };
    struct weir_report *report = NULL;
    GError *error = NULL;
    if (weir_launch_sized_with(
            device, entry->kernel,
            weir_nd_range_1d(entry->n_items * entry->n_groups, entry->n_items), &args,
            sizeof(args), &options, &report, &error)) {
        take(&outcome, test, report);
        weir_report_free(report);
    } else {
        outcome.refused = g_strdup(error->message);
        g_clear_error(&error);
    }
    weir_free(device, args.memory);
    weir_free(device, args.out);
    return outcome;
}

/* ---- Comparing ------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum weiri_explored model;
    bool scopes; /* they matter */
} models[] = { { "rc11", WEIRI_EXPLORED_RC11, false },
               { "sycl", WEIRI_EXPLORED_SYCL, true },
               { "sycl-split", WEIRI_EXPLORED_SYCL_SPLIT, true },
               { "sc", WEIRI_EXPLORED_SC, false } };

struct tally {
    GHashTable *skipped; /* reasons: how often */
    unsigned compared, agreeing, back;
    struct native_litmus_followed followed;
};

static void skip(struct tally *tally, const char *reason)
{
    unsigned n = GPOINTER_TO_UINT(g_hash_table_lookup(tally->skipped, reason));
    g_hash_table_insert(tally->skipped, (char *)reason, GUINT_TO_POINTER(n + 1));
}

static bool has_race(const struct outcome *outcome)
{
    return outcome->racy + outcome->racy_blocked > 0;
}

/* @race: only whether there is a race, if there is one */
static bool agree(const struct outcome *one, const struct outcome *other, bool race)
{
    if (race && one->refused == NULL && other->refused == NULL
        && (has_race(one) || has_race(other))) {
        return has_race(one) && has_race(other);
    }
    g_autofree char *a = text_of(one), *b = text_of(other);
    return strcmp(a, b) == 0;
}

static bool compare(const char *path, const char *model, const char *way,
                    const struct outcome *text, const struct outcome *other, bool race)
{
    if (agree(text, other, race)) {
        return true;
    }
    g_autofree char *a = text_of(text), *b = text_of(other);
    printf("FAIL: %s: %s: %s\n  text   %s\n  %s %s\n", path, model, way, a,
           strcmp(way, "text, ending at races") == 0 ? "text  " : "kernel", b);
    return false;
}

static bool has_why(const struct outcome *outcome, const char *why)
{
    return g_ptr_array_find_with_equal_func(outcome->whys, why, g_str_equal, NULL);
}

static bool complain(const char *path, const char *model, const char *why,
                     const struct outcome *outcome)
{
    printf("FAIL: %s: %s: why it races: %s\n", path, model, why);
    for (guint i = 0; i < outcome->whys->len; i++) {
        printf("  other %s\n", (char *)g_ptr_array_index(outcome->whys, i));
    }
    return false;
}

/* What the kernel's findings say is among what the text's executions say. */
static bool compare_whys(const char *path, const char *model,
                         const struct outcome *text, const struct outcome *kernel)
{
    bool same = text->n_judged >= MOST_JUDGED
        || (text->whys->len == 0) == (kernel->whys->len == 0)
        || complain(path, model, "one of both has no reason", text);
    for (guint i = 0; same && i < kernel->whys->len; i++) {
        const char *why = g_ptr_array_index(kernel->whys, i);
        same = text->n_judged >= MOST_JUDGED || has_why(text, why)
            || complain(path, model, why, text);
    }
    return same;
}

/* For messages, of which each test has one race: `weir litmus` says the same. */
static bool compare_answer(const char *path, const char *text, const char *model,
                           const struct outcome *kernel)
{
    g_autofree char *name = g_path_get_basename(path);
    if (!g_str_has_prefix(name, "mp-")) {
        return true;
    }
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), path, NULL);
    struct weir_litmus_options options = { .model = WEIR_MODEL_SYCL };
    if (test == NULL || !weir_model_find(model, &options.model, NULL)) {
        exit(99);
    }
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, NULL);
    const struct weir_litmus_race *race = weir_litmus_answer_race(answer);
    g_autofree char *why = race != NULL ? bare(race->why) : NULL;
    bool same
        = why == NULL || has_why(kernel, why) || complain(path, model, why, kernel);
    weir_litmus_answer_free(answer);
    weir_litmus_free(test);
    return same;
}

/* Whether the litmus test that the kernel was written as has the same executions. */
static bool compare_back(struct tally *tally, const char *path, size_t m,
                         const struct outcome *kernel)
{
    g_autoptr(GError) error = NULL;
    if (kernel->litmus == NULL) {
        skip(tally,
             g_intern_string(kernel->no_litmus != NULL ? kernel->no_litmus
                                                       : "no litmus test"));
        return true;
    }
    struct weiri_litmus *test = weiri_litmus_parse(
        kernel->litmus, strlen(kernel->litmus), "<litmus>", &error);
    if (test == NULL) {
        printf("FAIL: %s: %s: back: %s\n%s", path, models[m].name, error->message,
               kernel->litmus);
        return false;
    }
    struct outcome back = explore_text(test, models[m].model, models[m].name, true);
    bool same = back.executions == kernel->executions && back.racy == kernel->racy
        && back.blocked == kernel->blocked && back.complete == kernel->complete;
    if (!same) {
        g_autofree char *a = text_of(kernel), *b = text_of(&back);
        printf("FAIL: %s: %s: back\n  kernel %s\n  text   %s\n%s", path, models[m].name,
               a, b, kernel->litmus);
    }
    tally->back++;
    outcome_clear(&back);
    weiri_litmus_free(test);
    return same;
}

static void compare_under(struct tally *tally, struct weir_device *device, size_t m,
                          const struct native_litmus_test *entry,
                          const struct weiri_litmus *test, const char *source)
{
    const char *model = models[m].name;
    struct outcome plain = explore_text(test, models[m].model, model, true);
    if (plain.cut > 0 || !plain.complete) {
        skip(tally, plain.cut > 0 ? "a loop that its bound ends" : "many executions");
        outcome_clear(&plain);
        return;
    }
    struct outcome others[] = { explore_text(test, models[m].model, model, false),
                                explore_kernel(device, entry, test, model, true),
                                explore_kernel(device, entry, test, model, false) };
    tally->compared++;
    bool same = compare(entry->path, model, "text, ending at races", &plain, &others[0],
                        true);
    same &= compare(entry->path, model, "plain", &plain, &others[1], false);
    same &= compare(entry->path, model, "ending at races", &plain, &others[2], true);
    same &= compare_whys(entry->path, model, &plain, &others[1]);
    same &= compare_answer(entry->path, source, model, &others[1]);
    same &= compare_back(tally, entry->path, m, &others[1]);
    const struct native_litmus_follow follow
        = { device, entry, test, model, 2 * MOST_EXECUTIONS };
    same &= plain.executions > MOST_FOLLOWED
        || native_litmus_turns(&follow, &tally->followed);
    tally->agreeing += same;
    outcome_clear(&plain);
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        outcome_clear(&others[i]);
    }
}

/* In fast mode. A race makes the states of the text mean nothing, and a kernel that may
 * never end is not run. */
static void run_fast(struct tally *tally, struct weir_device *device,
                     const struct native_litmus_test *entry,
                     const struct weiri_litmus *test, unsigned runs)
{
    struct outcome plain = explore_text(test, WEIRI_EXPLORED_SYCL, "sycl", true);
    const char *reason = entry->kernel == NULL ? entry->reason
        : entry->devices                       ? "several devices, and scopes matter"
        : plain.cut > 0                        ? "a loop that its bound ends"
        : !plain.complete                      ? "many executions"
        : has_race(&plain)                     ? "a race"
        : plain.blocked > 0                    ? "it may never end"
                                               : NULL;
    if (reason != NULL) {
        skip(tally, reason);
    } else {
        tally->compared++;
        tally->agreeing += native_litmus_fast(device, entry, test, plain.states, runs);
    }
    outcome_clear(&plain);
}

static void compare_test(struct tally *tally, struct weir_device *device,
                         const struct native_litmus_test *entry)
{
    g_autofree char *text = NULL;
    gsize bytes = 0;
    g_autoptr(GError) error = NULL;
    struct weiri_litmus *test = g_file_get_contents(entry->path, &text, &bytes, &error)
        ? weiri_litmus_parse(text, bytes, entry->path, &error)
        : NULL;
    if (test == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(99);
    }
    const char *runs = getenv("NATIVE_LITMUS_RUNS");
    if (runs != NULL) {
        run_fast(tally, device, entry, test, (unsigned)atoi(runs));
    }
    for (size_t m = 0; runs == NULL && m < G_N_ELEMENTS(models); m++) {
        if (entry->kernel == NULL) {
            skip(tally, entry->reason);
        } else if (entry->devices && models[m].scopes) {
            skip(tally, "several devices, and scopes matter");
        } else {
            compare_under(tally, device, m, entry, test, text);
        }
    }
    weiri_litmus_free(test);
}

/* Arguments: parts of paths of the tests that are compared; none: all. */
static bool is_chosen(const char *path, int n_arguments, char **arguments)
{
    bool chosen = n_arguments < 2;
    for (int i = 1; i < n_arguments; i++) {
        chosen |= strstr(path, arguments[i]) != NULL;
    }
    return chosen;
}

int main(int n_arguments, char **arguments)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 99;
    }
    weiri_unseen_ignores_local = true; /* see write_local() of native_litmus_write.c */
    struct tally tally = { .skipped = g_hash_table_new(g_str_hash, g_str_equal) };
    for (const struct native_litmus_test *t = native_litmus_tests; t->path != NULL;
         t++) {
        if (is_chosen(t->path, n_arguments, arguments)) {
            compare_test(&tally, device, t);
            fflush(stdout);
        }
    }
    printf("compared %u\nagree %u\nback %u\n", tally.compared, tally.agreeing,
           tally.back);
    printf("followed %u\nunfollowed %u\n", tally.followed.led, tally.followed.none);
    GHashTableIter all;
    gpointer reason, n;
    g_hash_table_iter_init(&all, tally.skipped);
    while (g_hash_table_iter_next(&all, &reason, &n)) {
        printf("skipped %u: %s\n", GPOINTER_TO_UINT(n), (char *)reason);
    }
    g_hash_table_unref(tally.skipped);
    weir_device_free(device);
    return tally.agreeing == tally.compared ? 0 : 1;
}
