/* SPDX-License-Identifier: MIT
 *
 * termination.c: whether the fair executions of a litmus test end, in words.
 *
 *     weir_litmus_ask_termination()
 *         decide()                 one graph of states answers for all models of
 *                                  forward progress; in PTX there are two, see below
 *         describe()               an execution that does not end, step by step, and
 *                                  where its threads are
 *         look_at_weak()           executions of the memory model that block
 *
 * In PTX the last writes of a location need not be ordered, and a thread may read one
 * of them for ever. Which ones are ordered is bounded from two sides: see
 * model/last-writes.c. If executions end although few writes are taken to be ordered,
 * they end. If one does not end although many writes are, it does not. Otherwise the
 * question is not decided.
 *
 * Threads that take turns are sequentially consistent. A weaker memory model may allow
 * more executions that do not end. The model's search has them as blocked ones: all
 * threads have ended or wait for ever, so they are fair under each model of forward
 * progress. If that search is not complete, the end of all executions is not known. */
#include "config.h"

#include "weir-model.h"

#include "answer/answer.h"
#include "litmus/program.h"
#include "model/model.h"
#include "model/progress.h"
#include "model/stand.h"

#include <inttypes.h>
#include <string.h>

/* States, if the caller states no number: some hundred megabytes. */
enum { MOST_STATES = 1000000 };
/* Executions of the memory model, and rounds of loops there: some seconds. */
enum { MOST_EXECUTIONS = 100000, MOST_ROUNDS = 256 };

/* One question, about several models of forward progress. */
struct asked {
    const struct weiri_litmus *test;
    struct weiri_program *program;
    const struct weir_litmus_options *options;
    gint64 ends; /* the time limit in microseconds; 0: none */
    bool late;
    uint64_t most;
};

/* ---- An execution that does not end ---------------------------------------------- */

static struct weiri_source_place place_of(const struct asked *asked, uint32_t thread,
                                          const struct weiri_step *step)
{
    return asked->program->words->place(asked->program->self, thread, step->place);
}

static void describe(const struct asked *asked, const struct weiri_progress *progress,
                     struct weir_litmus_termination *answer)
{
    guint n = progress->turns->len;
    struct weir_litmus_turn *turns = g_new(struct weir_litmus_turn, MAX(n, 1));
    struct weir_litmus_stand *stands
        = g_new(struct weir_litmus_stand, asked->program->n_threads);
    for (guint i = 0; i < n; i++) {
        const struct weiri_taken *taken
            = &g_array_index(progress->turns, struct weiri_taken, i);
        struct weiri_source_place at = place_of(asked, taken->thread, &taken->step);
        turns[i] = (struct weir_litmus_turn){ taken->thread,
                                              weiri_stand_turn(asked->program, taken),
                                              at.line, at.column };
    }
    for (uint32_t t = 0; t < asked->program->n_threads; t++) {
        stands[t] = weiri_stand_of(asked->program, progress, t);
    }
    answer->turns = turns;
    answer->n_turns = n;
    answer->n_before = progress->n_before;
    answer->threads = stands;
    answer->n_threads = asked->program->n_threads;
}

/* ---- Why it is not known --------------------------------------------------------- */

static char *stop_text(const struct asked *asked, const struct weiri_progress *progress)
{
    uint32_t line = place_of(asked, progress->thread, &progress->step).line;
    switch (progress->stop) {
    case WEIRI_INTERLEAVE_FAULT:
        return g_strdup_printf(
            "P%u does something undefined at line %u, such as a division by 0",
            progress->thread, line);
    case WEIRI_INTERLEAVE_BOUND:
        return g_strdup_printf("P%u runs very long at line %u without touching memory",
                               progress->thread, line);
    case WEIRI_INTERLEAVE_ROUNDS:
        return g_strdup("a thread runs very far ahead of others at a barrier");
    default:
        return g_strdup("more than 64 writes are last writes of their locations");
    }
}

/* Returns: (transfer full) */
static char *limit_text(const struct asked *asked,
                        const struct weiri_progress *progress)
{
    switch (progress->limit) {
    case WEIRI_PROGRESS_STATES:
        return g_strdup_printf("there are more than %" PRIu64 " states", asked->most);
    case WEIRI_PROGRESS_STOPPED:
        return asked->late
            ? g_strdup_printf("the time limit of %g seconds was reached",
                              (double)asked->options->time_limit_ms / 1000)
            : g_strdup("the search was stopped");
    case WEIRI_PROGRESS_STATE:
        return stop_text(asked, progress);
    case WEIRI_PROGRESS_NO_LIMIT:
        break;
    }
    return g_strdup("it depends on whether causality orders writes that are not "
                    "morally strong");
}

/* ---- Deciding -------------------------------------------------------------------- */

static bool may_go_on(void *user, uint64_t states)
{
    struct asked *asked = user;
    const struct weir_litmus_options *options = asked->options;
    asked->late = asked->ends != 0 && g_get_monotonic_time() >= asked->ends;
    const struct weir_litmus_progress progress = { states, -1, false };
    return !asked->late
        && (options->progress == NULL || options->progress(options->user, &progress));
}

static struct weiri_progress_graph *graph_of(struct asked *asked,
                                             enum weiri_write_order writes)
{
    const char *name = weir_model_name(asked->options->model);
    const struct weiri_model *model = weiri_model_find(name);
    const struct weiri_progress_options how
        = { .writes = writes,
            .any_flags = model != NULL && model->any_flags,
            .sc_fences_order = asked->options->model != WEIR_MODEL_PTX_6_0
                && asked->options->model != WEIR_MODEL_PTX_7_5,
            .most_states = asked->most,
            .go_on = may_go_on,
            .user = asked };
    return weiri_progress_graph_new(asked->program, &how);
}

/* @graph: of few executions, where a failure is certain, and @other of many, where an
 * end is; they can be the same. */
static void answer_one(const struct asked *asked, struct weiri_progress_graph *graph,
                       struct weiri_progress_graph *other,
                       struct weir_litmus_termination *answer)
{
    struct weiri_progress progress = weiri_progress_ask(graph, answer->forward);
    answer->states = weiri_progress_graph_states(graph);
    if (!progress.fails && other != graph) {
        weiri_progress_clear(&progress);
        progress = weiri_progress_ask(other, answer->forward);
        answer->states += weiri_progress_graph_states(other);
        progress.fails = false;
    }
    answer->decided = progress.fails || progress.ends;
    answer->terminates = progress.ends;
    if (progress.fails) {
        describe(asked, &progress, answer);
    } else if (!progress.ends) {
        answer->undecided = limit_text(asked, &progress);
    }
    weiri_progress_clear(&progress);
}

static void decide(struct asked *asked, struct weir_litmus_termination *answers,
                   size_t n)
{
    bool in_part = asked->test->form == WEIRI_LITMUS_PTX;
    struct weiri_progress_graph *graph
        = graph_of(asked, in_part ? WEIRI_WRITES_CAUSAL : WEIRI_WRITES_TOTAL);
    struct weiri_progress_graph *other
        = in_part ? graph_of(asked, WEIRI_WRITES_CERTAIN) : graph;
    for (size_t i = 0; i < n; i++) {
        answer_one(asked, graph, other, &answers[i]);
    }
    if (other != graph) {
        weiri_progress_graph_free(other);
    }
    weiri_progress_graph_free(graph);
}

/* ---- Weak memory ----------------------------------------------------------------- */

static void show_blocked(const struct asked *asked,
                         const struct weir_litmus_blocked *blocked,
                         struct weir_litmus_termination *answer)
{
    static const enum weir_litmus_standing standings[]
        = { [WEIR_LITMUS_ENDED] = WEIR_LITMUS_FINISHED,
            [WEIR_LITMUS_AT_BARRIER] = WEIR_LITMUS_HANGS,
            [WEIR_LITMUS_IN_LOOP] = WEIR_LITMUS_SPINS,
            [WEIR_LITMUS_FAULTED] = WEIR_LITMUS_FINISHED };
    uint32_t n = asked->program->n_threads;
    struct weir_litmus_stand *stands = g_new(struct weir_litmus_stand, n);
    for (uint32_t t = 0; t < n; t++) {
        const struct weir_litmus_thread_end *end = &blocked->threads[t];
        stands[t]
            = (struct weir_litmus_stand){ standings[end->end], g_strdup(end->text),
                                          end->line, end->column };
    }
    answer->terminates = false;
    answer->weak = true;
    answer->threads = stands;
    answer->n_threads = n;
}

static void take_back(struct weir_litmus_termination *answer, const char *why)
{
    answer->terminates = answer->decided = false;
    answer->undecided = g_strdup(why);
}

/* What the blocked executions of the memory model say about an answer. @answer_of: of
 * the model; NULL: it could not be asked */
static void compare_with_weak(const struct asked *asked,
                              struct weir_litmus_answer *answer_of,
                              struct weir_litmus_termination *answer)
{
    const struct weir_litmus_blocked *blocked
        = answer_of != NULL ? weir_litmus_answer_blocked(answer_of, 0) : NULL;
    if (blocked != NULL && blocked->why != WEIR_LITMUS_FAULTED) {
        show_blocked(asked, blocked, answer);
    } else if (blocked != NULL) {
        take_back(answer,
                  "a thread does something undefined, such as a division by 0, "
                  "in an execution of the memory model");
    } else if (answer_of == NULL || !weir_litmus_answer_verdict(answer_of)->complete) {
        take_back(answer,
                  "all end if the threads take turns, as --model sc states, "
                  "but the search of the memory model is not complete");
    }
}

/* Looks for blocked executions of the memory model, if @answers say that all end. */
static void look_at_weak(const struct asked *asked, const struct weir_litmus *test,
                         struct weir_litmus_termination *answers, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        any = any || answers[i].terminates;
    }
    if (!any || asked->options->model == WEIR_MODEL_SC
        || weiri_litmus_is_table(asked->test->form)) {
        return;
    }
    struct weir_litmus_options options = *asked->options;
    if (asked->ends != 0) {
        gint64 left = (asked->ends - g_get_monotonic_time()) / 1000;
        options.time_limit_ms = (uint64_t)MAX(left, 1);
    }
    options.max_executions = MIN(asked->most, MOST_EXECUTIONS);
    options.rounds = MOST_ROUNDS;
    options.every_round = false;
    struct weir_litmus_answer *answer_of = weir_litmus_ask(test, &options, NULL);
    for (size_t i = 0; i < n; i++) {
        if (answers[i].terminates) {
            compare_with_weak(asked, answer_of, &answers[i]);
        }
    }
    weir_litmus_answer_free(answer_of);
}

/* ---- The question ---------------------------------------------------------------- */

static bool check(const struct weir_litmus *test, const enum weir_forward *forwards,
                  size_t n, const struct weir_litmus_options *options, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (weir_forward_name(forwards[i]) == NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "model %zu of forward progress is %u, which is not a constant "
                        "of its enumeration",
                        i, (unsigned)forwards[i]);
            return false;
        }
    }
    if ((unsigned)options->model >= WEIR_N_MODELS) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option model is %u, which is not a constant of its "
                    "enumeration",
                    (unsigned)options->model);
        return false;
    }
    if (test->test->n_threads > WEIRI_INTERLEAVE_THREADS) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "%s: %u threads: forward progress is decided for up to %d",
                    test->test->name, test->test->n_threads, WEIRI_INTERLEAVE_THREADS);
        return false;
    }
    return true;
}

struct weir_litmus_termination *weir_litmus_ask_termination(
    const struct weir_litmus *test, const enum weir_forward *forwards, size_t n,
    const struct weir_litmus_options *options, GError **error)
{
    g_return_val_if_fail(test != NULL && forwards != NULL && n > 0 && options != NULL,
                         NULL);
    if (!check(test, forwards, n, options, error)) {
        return NULL;
    }
    struct weir_litmus_termination *answers = g_new0(struct weir_litmus_termination, n);
    for (size_t i = 0; i < n; i++) {
        answers[i].forward = forwards[i];
    }
    gint64 limit = (gint64)MIN(options->time_limit_ms, UINT64_C(1) << 50) * 1000;
    struct asked asked
        = { .test = test->test,
            .program = weiri_litmus_program_endless(test->test),
            .options = options,
            .ends = limit != 0 ? g_get_monotonic_time() + limit : 0,
            .most
            = options->max_executions != 0 ? options->max_executions : MOST_STATES };
    decide(&asked, answers, n);
    look_at_weak(&asked, test, answers, n);
    weiri_litmus_program_free(asked.program);
    return answers;
}

void weir_litmus_termination_free(struct weir_litmus_termination *answers, size_t n)
{
    for (size_t i = 0; answers != NULL && i < n; i++) {
        for (size_t t = 0; t < answers[i].n_threads; t++) {
            g_free((char *)answers[i].threads[t].text);
        }
        for (size_t k = 0; k < answers[i].n_turns; k++) {
            g_free((char *)answers[i].turns[k].text);
        }
        g_free((void *)answers[i].threads);
        g_free((void *)answers[i].turns);
        g_free((char *)answers[i].undecided);
    }
    g_free(answers);
}
