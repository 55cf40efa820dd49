/* SPDX-License-Identifier: MIT
 *
 * model_adapter.c: the library's two ways of deciding a litmus test: the explorer,
 * which grows executions that a model allows, and the enumerator, which asks a model
 * about all that there could be. All that brute force and the library have to agree on
 * goes through here. */
#include "config.h"

#include "model_adapter.h"

#include "litmus/program.h"
#include "model/enumerate.h"
#include "model/explore.h"

#include <inttypes.h>
#include <string.h>

/* What executions add up to. */
struct tally {
    const struct weiri_litmus *test;
    const struct weiri_model *model;     /* the enumerator's */
    const struct weiri_program *program; /* the explorer's */
    const struct weiri_graph *graph;     /* the explorer's execution */
    GHashTable *counts;                  /* of states, by text; owned */
    struct decided *decided;
};

static void count(struct tally *tally, weiri_litmus_value_fn *value, const void *user,
                  bool race)
{
    bool holds = weiri_litmus_holds(tally->test->condition, value, user);
    *(holds ? &tally->decided->positive : &tally->decided->negative) += 1;
    tally->decided->race = tally->decided->race || race;
    char *state = weiri_litmus_state(tally->test, value, user);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(tally->counts, state));
    g_hash_table_replace(tally->counts, state, GUINT_TO_POINTER(n + 1));
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *states_text(GHashTable *counts)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iter;
    gpointer state, n;
    g_hash_table_iter_init(&iter, counts);
    while (g_hash_table_iter_next(&iter, &state, &n)) {
        g_ptr_array_add(
            lines,
            g_strdup_printf("%s  %u times\n", (char *)state, GPOINTER_TO_UINT(n)));
    }
    g_ptr_array_sort(lines, compare_lines);
    g_ptr_array_add(lines, NULL);
    return g_strjoinv("", (char **)lines->pdata);
}

/* ---- The explorer ---------------------------------------------------------------- */

static int64_t explored_value(struct weiri_litmus_term term, const void *user)
{
    const struct tally *tally = user;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? weiri_graph_memory(tally->graph, term.index)
        : weiri_litmus_program_register(
            tally->program, weiri_graph_state(tally->graph, term.thread), term.index);
}

static bool hear_explored(void *user, const struct weiri_graph *graph, bool race)
{
    struct tally *tally = user;
    tally->graph = graph;
    count(tally, explored_value, tally, race);
    return true;
}

/* In the order of enum weiri_explored. */
static const char *const explored[] = { "sc", "rc11", "sycl", "sycl-split", NULL };

static char *explore(struct tally *tally, const char *model, unsigned rounds)
{
    struct weiri_program *program = weiri_litmus_program(tally->test, rounds);
    struct weiri_explore_options options = { .races = strcmp(model, "sc") != 0,
                                             .execution = hear_explored,
                                             .user = tally };
    while (strcmp(explored[options.model], model) != 0) {
        options.model++;
    }
    tally->program = program;
    struct weiri_exploration done = weiri_explore(program, &options);
    tally->decided->blocked = done.blocked;
    tally->decided->cut = done.cut;
    weiri_litmus_program_free(program);
    return done.too_large ? g_strdup("it is too large") : NULL;
}

/* ---- The enumerator -------------------------------------------------------------- */

static bool hear_enumerated(const struct weiri_candidate *candidate, void *user)
{
    struct tally *tally = user;
    uint32_t one, other;
    if (candidate->end == WEIRI_END_COMPLETE) {
        count(tally, weiri_litmus_program_value, candidate->execution,
              tally->model->race != NULL
                  && tally->model->race(candidate->facts, &one, &other));
    }
    return true;
}

static const char *const enumerated[]
    = { "sc", "rc11", "sycl", "sycl-split", "opencl", "gpu", NULL };

static char *enumerate(struct tally *tally, const char *model, unsigned rounds)
{
    tally->model = weiri_model_find(model);
    struct weiri_enumerate_options options
        = { .model = tally->model, .visit = hear_enumerated, .user = tally };
    struct weiri_enumeration done
        = weiri_litmus_enumerate(tally->test, rounds, &options);
    tally->decided->blocked = done.blocked;
    tally->decided->cut = done.bounded;
    return done.exhaustive ? NULL : g_strdup("it has not enumerated everything");
}

/* ---- Both ------------------------------------------------------------------------ */

static char *decide(const char *text, const char *model, unsigned rounds,
                    char *(*by)(struct tally *, const char *, unsigned),
                    struct decided *decided)
{
    g_autoptr(GError) error = NULL;
    struct weiri_litmus *test
        = weiri_litmus_parse(text, strlen(text), "program", &error);
    *decided = (struct decided){ .states = NULL };
    if (test == NULL) {
        return g_strdup(error->message);
    }
    struct tally tally
        = { .test = test,
            .counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .decided = decided };
    char *wrong = by(&tally, model, rounds);
    decided->states = states_text(tally.counts);
    g_hash_table_unref(tally.counts);
    weiri_litmus_free(test);
    return wrong;
}

static char *decide_by_exploring(const char *text, const char *model, unsigned rounds,
                                 struct decided *decided)
{
    return decide(text, model, rounds, explore, decided);
}

static char *decide_by_enumerating(const char *text, const char *model, unsigned rounds,
                                   struct decided *decided)
{
    return decide(text, model, rounds, enumerate, decided);
}

void decided_describe(GString *text, const char *decider, const struct decided *decided)
{
    g_string_append_printf(text,
                           "%s: %" PRIu64 " positive, %" PRIu64
                           " negative, %s, %" PRIu64 " blocked, %" PRIu64 " cut\n%s",
                           decider, decided->positive, decided->negative,
                           decided->race ? "race" : "no race", decided->blocked,
                           decided->cut, decided->states);
}

const struct model_decider model_deciders[]
    = { { "explorer", explored, decide_by_exploring },
        { "enumerator", enumerated, decide_by_enumerating },
        { NULL, NULL, NULL } };
