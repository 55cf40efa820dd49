/* SPDX-License-Identifier: MIT
 *
 * answer.c: answers of weir-model.h. The explorer decides the models without load
 * buffering, the enumerator the others. Both visit executions one after the other; this
 * file collects them into final states, each with a witness.
 *
 *     weir_litmus_parse()              test.c: the text becomes a test
 *     weir_litmus_ask()
 *         weiri_litmus_program()       the test becomes a program for sim/model
 *         decide()
 *             explore() or enumerate() pass each execution to note_graph() or
 *                                      note_candidate(), which count its final state
 *         conclude()                   what the counts say about the claim
 *         show() and its like          sort the states, and draw their witnesses
 *
 * The file is long because deciding, showing and explaining share one answer, whose
 * members no other file sees. nearest.c and table-fix.c do most of the work for it. */
#include "config.h"

#include "weir-model.h"

#include "answer/answer.h"
#include "answer/blocked.h"
#include "answer/nearest.h"
#include "answer/table-fix.h"
#include "base/values.h"
#include "litmus/code.h"
#include "litmus/program.h"
#include "model/enumerate.h"
#include "model/explore.h"

#include <string.h>

/* ---- States ---------------------------------------------------------------------- */

/* A final state while executions are collected. */
struct final_state {
    uint64_t executions;
    bool positive;
    bool race;
    struct weiri_execution *witness; /* owned */
    const int64_t *values;           /* of the observed terms, as the keys of
                                        @entries */
    char *text;                      /* owned */
    struct weir_litmus_execution drawn;
};

enum { N_ENDS = WEIR_LITMUS_FAULTED + 1 };

struct weir_litmus_answer {
    struct weir_litmus *test; /* a reference */
    struct weiri_program *program;
    struct weir_litmus_options options;
    struct weir_litmus_verdict verdict;
    GHashTable *entries;          /* by @values; owned */
    int64_t *values;              /* of the current execution */
    GPtrArray *states;            /* of struct final_state, borrowed, in order */
    GArray *shown;                /* of struct weir_litmus_state, in order */
    uint64_t n_noted;             /* executions, */
    uint64_t most;                /* of these, of an enumeration; 0: no limit */
    bool is_racy;                 /* the test is known to have a race */
    bool is_certain;              /* the observation, by searches for each side */
    gint64 ends;                  /* in microseconds; or 0: an enumeration's */
    gint64 reported;              /* when progress was last reported */
    gint64 took;                  /* how long the search took, in microseconds */
    enum weir_litmus_limit limit; /* that ended the search */
    struct weir_litmus_race race; /* or, under a model of PTX, accesses */
    char *why;                    /* without an order; owned */
    struct weiri_blocked blocked[N_ENDS]; /* by the reason why they are blocked */
    GArray *fixes;         /* of struct weir_litmus_fix; owned; NULL: not looked for, */
    GStringChunk *strings; /* and their texts */
    bool is_explained;
    struct weir_litmus_explanation explanation;
    struct weir_litmus_execution nearest; /* of it */
};

/* The end of one execution, from the explorer or the enumerator. */
struct ending {
    const struct weir_litmus_answer *answer;
    const struct weiri_graph *graph;         /* or NULL; then */
    const struct weiri_execution *execution; /* this */
};

static int64_t value_of(struct weiri_litmus_term term, const void *user)
{
    const struct ending *ending = user;
    if (term.thread == WEIRI_LITMUS_MEMORY) {
        return ending->graph != NULL ? weiri_graph_memory(ending->graph, term.index)
                                     : ending->execution->memory[term.index];
    }
    const void *state = ending->graph != NULL
        ? weiri_graph_state(ending->graph, term.thread)
        : ending->execution->states[term.thread];
    return weiri_litmus_program_register(ending->answer->program, state, term.index);
}

static uint32_t n_observed(const struct weir_litmus_answer *answer)
{
    return answer->test->test->n_observed;
}

static void free_final_state(void *data)
{
    struct final_state *entry = data;
    weiri_execution_free(entry->witness);
    weiri_drawn_clear(&entry->drawn);
    g_free((void *)entry->values);
    g_free(entry->text);
    g_free(entry);
}

/* The final state of the execution, which may be new. */
static struct final_state *final_state_of(struct weir_litmus_answer *answer,
                                          const struct ending *ending)
{
    const struct weiri_litmus *test = answer->test->test;
    for (uint32_t i = 0; i < test->n_observed; i++) {
        answer->values[i + 1] = value_of(test->observed[i], ending);
    }
    struct final_state *entry = g_hash_table_lookup(answer->entries, answer->values);
    if (entry == NULL) {
        entry = g_new0(struct final_state, 1);
        entry->values = g_memdup2(answer->values,
                                  (test->n_observed + 1) * sizeof(*answer->values));
        entry->positive = weiri_litmus_holds(test->condition, value_of, ending);
        entry->text = weiri_litmus_state(test, value_of, ending);
        g_hash_table_insert(answer->entries, (void *)entry->values, entry);
    }
    return entry;
}

/* Collects a complete execution. */
static void note(struct weir_litmus_answer *answer, const struct ending *ending,
                 bool race)
{
    const struct weiri_litmus *test = answer->test->test;
    struct weir_litmus_verdict *verdict = &answer->verdict;
    if (test->filter != NULL && !weiri_litmus_holds(test->filter, value_of, ending)) {
        verdict->filtered++;
        return;
    }
    struct final_state *entry = final_state_of(answer, ending);
    *(entry->positive ? &verdict->positive : &verdict->negative) += 1;
    entry->executions++;
    if (entry->witness == NULL || (race && !entry->race)) {
        weiri_execution_free(entry->witness);
        entry->witness = ending->graph != NULL
            ? weiri_graph_execution(ending->graph)
            : weiri_execution_copy(ending->execution);
        entry->witness->program = answer->program;
    }
    entry->race |= race;
    verdict->race |= race;
}

static int by_values(const void *a, const void *b)
{
    const int64_t *one = (*(struct final_state *const *)a)->values;
    const int64_t *other = (*(struct final_state *const *)b)->values;
    for (int64_t i = 1; i <= one[0]; i++) {
        if (one[i] != other[i]) {
            return one[i] < other[i] ? -1 : 1;
        }
    }
    return 0;
}

/* ---- Deciding -------------------------------------------------------------------- */

/* The time limit; 0: none. Limits beyond 30 000 years are cut to that. */
static gint64 limit_us(const struct weir_litmus_answer *answer)
{
    return (gint64)MIN(answer->options.time_limit_ms, UINT64_C(1) << 50) * 1000;
}

/* The bound on iterations, as weiri_litmus_next() takes it. */
static uint32_t rounds_of(const struct weir_litmus_options *options)
{
    uint32_t rounds = options->rounds > 0 ? options->rounds : WEIRI_LITMUS_ROUNDS;
    return MIN(rounds, ~WEIRI_LITMUS_STOP_SPINS)
        | (options->every_round ? 0 : WEIRI_LITMUS_STOP_SPINS);
}

static bool note_graph(void *user, const struct weiri_graph *graph, bool race)
{
    struct weir_litmus_answer *answer = user;
    const struct ending ending = { answer, graph, NULL };
    note(answer, &ending, race);
    return true;
}

/* Executions that a bound ended count as cut, and are not shown. */
static void note_blocked(struct weir_litmus_answer *answer,
                         const struct weiri_graph *graph,
                         const struct weiri_execution *execution,
                         enum weiri_execution_end end)
{
    static const enum weir_litmus_end ends[]
        = { [WEIRI_END_BARRIER] = WEIR_LITMUS_AT_BARRIER,
            [WEIRI_END_SPIN] = WEIR_LITMUS_IN_LOOP,
            [WEIRI_END_FAULT] = WEIR_LITMUS_FAULTED };
    if (end != WEIRI_END_BOUND) {
        weiri_blocked_note(&answer->blocked[ends[end]], graph, execution);
    }
}

static void note_blocked_graph(void *user, const struct weiri_graph *graph,
                               enum weiri_execution_end end)
{
    note_blocked(user, graph, NULL, end);
}

static bool is_late(const struct weir_litmus_answer *answer)
{
    return answer->ends != 0 && g_get_monotonic_time() >= answer->ends;
}

/* Ends the search. Returns: false */
static bool end_by(struct weir_litmus_answer *answer, enum weir_litmus_limit limit)
{
    answer->limit = limit;
    return false;
}

/* The limit that ended the search: an option, or else the size of the test. */
static enum weir_litmus_limit limit_of(const struct weir_litmus_answer *answer)
{
    return answer->limit != WEIR_LITMUS_NO_LIMIT ? answer->limit
                                                 : WEIR_LITMUS_LIMIT_SIZE;
}

/* Returns: whether to continue */
static bool report_progress(struct weir_litmus_answer *answer,
                            const struct weir_litmus_progress *progress)
{
    return answer->options.progress(answer->options.user, progress)
        || end_by(answer, WEIR_LITMUS_LIMIT_STOPPED);
}

static bool report_explored(void *user, const struct weiri_explore_progress *progress)
{
    const struct weir_litmus_progress shown
        = { progress->executions + progress->blocked, progress->part, false };
    return report_progress(user, &shown);
}

static bool explore(struct weir_litmus_answer *answer, enum weiri_explored model,
                    GError **error)
{
    const struct weir_litmus_options *options = &answer->options;
    struct weir_litmus_verdict *verdict = &answer->verdict;
    const struct weiri_explore_options how = {
        .model = model,
        .max_executions = options->max_executions,
        .time_limit = (double)limit_us(answer) / G_USEC_PER_SEC,
        .races = verdict->judges_races,
        .execution = note_graph,
        .stuck = note_blocked_graph,
        .progress = options->progress != NULL ? report_explored : NULL,
        .user = answer,
    };
    struct weiri_exploration done = weiri_explore(answer->program, &how);
    if (done.too_large) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "%s: too large to explore: an execution has more than 60000 events "
                    "or choices: make the test smaller, or give loops fewer rounds",
                    answer->test->test->name);
        return false;
    }
    verdict->executions = done.executions;
    verdict->blocked = done.blocked;
    verdict->cut = done.cut;
    verdict->complete = done.complete;
    if (options->max_executions != 0
        && done.executions + done.blocked >= options->max_executions) {
        answer->limit = WEIR_LITMUS_LIMIT_EXECUTIONS;
    } else if (!done.complete && answer->limit == WEIR_LITMUS_NO_LIMIT
               && is_late(answer)) {
        answer->limit = WEIR_LITMUS_LIMIT_TIME;
    }
    verdict->limit = done.complete ? WEIR_LITMUS_NO_LIMIT : answer->limit;
    return true;
}

static const struct weiri_model *model_of(const struct weir_litmus_answer *answer)
{
    return weiri_model_find(weir_model_name(answer->options.model));
}

static bool may_go_on(void *user)
{
    struct weir_litmus_answer *answer = user;
    const struct weir_litmus_options *options = &answer->options;
    if (answer->most != 0 && answer->n_noted >= answer->most) {
        return end_by(answer, WEIR_LITMUS_LIMIT_EXECUTIONS);
    }
    if (is_late(answer)) {
        return end_by(answer, WEIR_LITMUS_LIMIT_TIME);
    }
    gint64 now = g_get_monotonic_time();
    if (options->progress == NULL || now - answer->reported < G_USEC_PER_SEC / 4) {
        return true;
    }
    answer->reported = now;
    const struct weir_litmus_progress progress = { answer->n_noted, -1, false };
    return report_progress(answer, &progress);
}

static bool note_candidate(const struct weiri_candidate *candidate, void *user)
{
    struct weir_litmus_answer *answer = user;
    const struct weiri_model *model = model_of(answer);
    uint32_t one, other;
    answer->n_noted++;
    if (candidate->end == WEIRI_END_COMPLETE) {
        const struct ending ending = { answer, NULL, candidate->execution };
        note(answer, &ending,
             model->race != NULL && model->race(candidate->facts, &one, &other));
    } else {
        note_blocked(answer, NULL, candidate->execution, candidate->end);
    }
    return may_go_on(answer);
}

/* Candidates and abandoned choices: more than can be tried within minutes. The answer
 * is then incomplete. */
static const uint64_t MOST_TRIED = UINT64_C(2000000000);

static bool is_partial(const struct weir_litmus_answer *answer)
{
    return model_of(answer)->n_choices > 0;
}

/* Looks for one execution for which the proposition holds, or does not. */
struct aim {
    struct weir_litmus_answer *answer;
    bool holds;
};

static bool may_be_aimed_at(void *user)
{
    const struct aim *aim = user;
    return weiri_litmus_program_may(aim->answer->program, aim->holds);
}

static bool is_found(const struct weir_litmus_verdict *verdict, bool holds)
{
    return (holds ? verdict->positive : verdict->negative) > 0;
}

static bool note_aimed(const struct weiri_candidate *candidate, void *user)
{
    struct aim *aim = user;
    struct weir_litmus_verdict *verdict = &aim->answer->verdict;
    if (candidate->end != WEIRI_END_COMPLETE) {
        return may_go_on(aim->answer);
    }
    verdict->executions++;
    return note_candidate(candidate, aim->answer) && !is_found(verdict, aim->holds);
}

static bool may_aim_on(void *user)
{
    const struct aim *aim = user;
    return may_go_on(aim->answer);
}

/* After a search that was not exhaustive: decides the observation, if one side is still
 * missing. It counts what it finds. */
static void aim_at(struct weir_litmus_answer *answer, bool holds)
{
    struct weir_litmus_verdict *verdict = &answer->verdict;
    struct aim aim = { answer, holds };
    const struct weiri_enumerate_options how = { .model = model_of(answer),
                                                 .racy = answer->is_racy,
                                                 .most = MOST_TRIED,
                                                 .may = may_be_aimed_at,
                                                 .visit = note_aimed,
                                                 .go_on = may_aim_on,
                                                 .user = &aim };
    if (!is_found(verdict, holds)) {
        struct weiri_enumeration done = weiri_enumerate(answer->program, &how);
        answer->is_certain
            = answer->is_certain && (done.exhaustive || is_found(verdict, holds));
    }
}

/* Decides the observation, as far as that is possible in the time that is left. */
static void aim_at_both(struct weir_litmus_answer *answer)
{
    enum weir_litmus_limit limit = answer->limit;
    answer->most = 0;
    answer->limit = WEIR_LITMUS_NO_LIMIT;
    answer->is_certain = true;
    aim_at(answer, true);
    aim_at(answer, false);
    answer->limit = limit;
}

/* Forgets what an enumeration has collected. */
static void forget(struct weir_litmus_answer *answer)
{
    struct weir_litmus_verdict *verdict = &answer->verdict;
    g_hash_table_remove_all(answer->entries);
    for (unsigned i = 0; i < N_ENDS; i++) {
        weiri_blocked_clear(&answer->blocked[i]);
    }
    answer->n_noted = 0;
    answer->limit = WEIR_LITMUS_NO_LIMIT;
    verdict->positive = verdict->negative = verdict->filtered = 0;
}

/* Whether the test asks for final values of locations. */
static bool observes_memory(const struct weiri_litmus *test)
{
    for (uint32_t i = 0; i < test->n_observed; i++) {
        if (test->observed[i].thread == WEIRI_LITMUS_MEMORY) {
            return true;
        }
    }
    return false;
}

static void enumerate_all(struct weir_litmus_answer *answer)
{
    struct weir_litmus_verdict *verdict = &answer->verdict;
    answer->most = answer->options.max_executions;
    if (answer->most == 0 && is_partial(answer)) {
        answer->most = WEIR_LITMUS_MOST_EXECUTIONS;
    }
    const struct weiri_enumerate_options how = { .model = model_of(answer),
                                                 .racy = answer->is_racy,
                                                 .most = MOST_TRIED,
                                                 .visit = note_candidate,
                                                 .go_on = may_go_on,
                                                 .user = answer };
    struct weiri_enumeration done = weiri_enumerate(answer->program, &how);
    verdict->executions = done.executions;
    verdict->blocked = done.blocked + done.faulted;
    verdict->cut = done.bounded;
    verdict->complete = done.exhaustive && done.bounded == 0 && !done.lacking;
    verdict->limit = done.exhaustive ? WEIR_LITMUS_NO_LIMIT : limit_of(answer);
    verdict->lacking = done.lacking;
    if (!done.exhaustive && is_partial(answer)
        && answer->limit == WEIR_LITMUS_LIMIT_EXECUTIONS) {
        aim_at_both(answer);
    }
}

/* A race is one whatever the final values are; these can depend on whether there is
 * one. */
static void enumerate(struct weir_litmus_answer *answer)
{
    answer->reported = g_get_monotonic_time();
    enumerate_all(answer);
    if (answer->verdict.race && model_of(answer)->open_if_racy
        && observes_memory(answer->test->test)) {
        forget(answer);
        answer->is_racy = true;
        enumerate_all(answer);
    }
}

static bool decide(struct weir_litmus_answer *answer, GError **error)
{
    switch (answer->options.model) {
    case WEIR_MODEL_SC:
        return explore(answer, WEIRI_EXPLORED_SC, error);
    case WEIR_MODEL_RC11:
        return explore(answer, WEIRI_EXPLORED_RC11, error);
    case WEIR_MODEL_SYCL:
        return explore(answer, WEIRI_EXPLORED_SYCL, error);
    case WEIR_MODEL_SYCL_SPLIT:
        return explore(answer, WEIRI_EXPLORED_SYCL_SPLIT, error);
    default:
        break;
    }
    enumerate(answer);
    return true;
}

/* Sorts the states and draws their witnesses. */
static void show(struct weir_litmus_answer *answer)
{
    GHashTableIter all;
    gpointer entry;
    g_hash_table_iter_init(&all, answer->entries);
    while (g_hash_table_iter_next(&all, NULL, &entry)) {
        g_ptr_array_add(answer->states, entry);
    }
    g_ptr_array_sort(answer->states, by_values);
    for (guint i = 0; i < answer->states->len; i++) {
        struct final_state *one = g_ptr_array_index(answer->states, i);
        weiri_drawn_fill(&one->drawn, one->witness, model_of(answer));
        const struct weir_litmus_state state = { .text = one->text,
                                                 .executions = one->executions,
                                                 .positive = one->positive,
                                                 .race = one->race,
                                                 .witness = &one->drawn };
        g_array_append_val(answer->shown, state);
    }
    answer->verdict.n_states = answer->shown->len;
}

/* Shows the race of that state, if it has one. Returns: whether it has */
static bool show_race_of(struct weir_litmus_answer *answer,
                         const struct final_state *entry)
{
    for (size_t e = 0; e < entry->drawn.n_edges && entry->race; e++) {
        const struct weir_litmus_edge *edge = &entry->drawn.edges[e];
        if (edge->kind == WEIR_LITMUS_RACE) {
            answer->why = weiri_drawn_why(entry->witness, model_of(answer), edge->from,
                                          edge->to, true);
            answer->race = (struct weir_litmus_race){ &entry->drawn, edge->from,
                                                      edge->to, answer->why };
            return true;
        }
    }
    return false;
}

/* Shows the race of the first state that has one; of tables, if possible, one that the
 * claim asks for. */
static void show_race(struct weir_litmus_answer *answer)
{
    bool wanted = answer->verdict.quantifier != WEIR_LITMUS_FORALL;
    bool first = weiri_litmus_is_table(answer->test->test->form);
    for (int pass = first ? 0 : 1; pass < 2; pass++) {
        for (guint i = 0; i < answer->states->len; i++) {
            const struct final_state *entry = g_ptr_array_index(answer->states, i);
            if ((pass == 1 || entry->positive == wanted)
                && show_race_of(answer, entry)) {
                return;
            }
        }
    }
}

/* Under a model without races: shows accesses that are not ordered, in the first state
 * that the claim asks about. */
static void show_unordered(struct weir_litmus_answer *answer)
{
    bool wanted = answer->verdict.quantifier != WEIR_LITMUS_FORALL;
    uint32_t one, other;
    for (guint i = 0; i < answer->states->len; i++) {
        const struct final_state *entry = g_ptr_array_index(answer->states, i);
        if (entry->positive == wanted && entry->drawn.n_events > 0
            && weiri_drawn_unordered(entry->witness, model_of(answer), &one, &other)) {
            answer->why
                = weiri_drawn_why(entry->witness, model_of(answer), one, other, true);
            answer->race
                = (struct weir_litmus_race){ &entry->drawn, one, other, answer->why };
            return;
        }
    }
}

static void show_blocked(struct weir_litmus_answer *answer)
{
    for (unsigned i = 0; i < N_ENDS; i++) {
        struct weiri_blocked *blocked = &answer->blocked[i];
        if (blocked->executions > 0) {
            weiri_blocked_show(blocked, answer->test->test, answer->program,
                               model_of(answer), (enum weir_litmus_end)i);
        }
    }
}

/* The verdict: a state is positive if the condition is true of it. */
static void conclude(struct weir_litmus_verdict *verdict, bool is_certain)
{
    verdict->decided = verdict->complete || is_certain
        || (verdict->positive > 0 && verdict->negative > 0);
    verdict->observation = verdict->positive == 0 ? WEIR_OBSERVED_NEVER
        : verdict->negative == 0                  ? WEIR_OBSERVED_ALWAYS
                                                  : WEIR_OBSERVED_SOMETIMES;
    verdict->holds = verdict->quantifier == WEIR_LITMUS_EXISTS ? verdict->positive > 0
        : verdict->quantifier == WEIR_LITMUS_FORALL            ? verdict->negative == 0
                                                               : verdict->positive == 0;
}

struct weir_litmus_answer *weir_litmus_ask(const struct weir_litmus *test,
                                           const struct weir_litmus_options *options,
                                           GError **error)
{
    g_return_val_if_fail(test != NULL && options != NULL, NULL);
    if ((unsigned)options->model >= WEIR_N_MODELS) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option model is %u, which is not a constant of its "
                    "enumeration",
                    (unsigned)options->model);
        return NULL;
    }
    if (!weiri_answer_takes(test->test, options->model, error)) {
        return NULL;
    }
    struct weir_litmus_answer *answer = g_new0(struct weir_litmus_answer, 1);
    answer->test = (struct weir_litmus *)test;
    g_atomic_ref_count_inc(&answer->test->references);
    answer->options = *options;
    answer->program = weiri_litmus_program(test->test, rounds_of(options));
    answer->entries = g_hash_table_new_full(weiri_values_hash, weiri_values_equal, NULL,
                                            free_final_state);
    answer->values = g_new0(int64_t, n_observed(answer) + 1);
    answer->values[0] = n_observed(answer);
    answer->states = g_ptr_array_new();
    answer->shown = g_array_new(FALSE, FALSE, sizeof(struct weir_litmus_state));
    answer->verdict.model = options->model;
    answer->verdict.quantifier = (enum weir_litmus_quantifier)test->test->quantifier;
    answer->verdict.judges_races
        = options->model == WEIR_MODEL_SYCL || model_of(answer)->race != NULL;
    gint64 began = g_get_monotonic_time();
    answer->ends = options->time_limit_ms != 0 ? began + limit_us(answer) : 0;
    if (!decide(answer, error)) {
        weir_litmus_answer_free(answer);
        return NULL;
    }
    answer->took = g_get_monotonic_time() - began;
    conclude(&answer->verdict, answer->is_certain);
    show(answer);
    show_race(answer);
    show_unordered(answer);
    show_blocked(answer);
    return answer;
}

static void clear_explanation(struct weir_litmus_answer *answer)
{
    struct weir_litmus_explanation *explanation = &answer->explanation;
    for (size_t i = 0; i < explanation->n_violations; i++) {
        g_free((void *)explanation->violations[i].edges);
    }
    g_free((void *)explanation->violations);
    g_free((char *)explanation->state);
    weiri_drawn_clear(&answer->nearest);
}

void weir_litmus_answer_free(struct weir_litmus_answer *answer)
{
    if (answer == NULL) {
        return;
    }
    g_array_unref(answer->shown);
    g_ptr_array_unref(answer->states);
    g_hash_table_unref(answer->entries);
    for (unsigned i = 0; i < N_ENDS; i++) {
        weiri_blocked_clear(&answer->blocked[i]);
    }
    weiri_litmus_program_free(answer->program);
    g_free(answer->values);
    g_free(answer->why);
    clear_explanation(answer);
    if (answer->fixes != NULL) {
        g_array_unref(answer->fixes);
        g_string_chunk_free(answer->strings);
    }
    weir_litmus_free(answer->test);
    g_free(answer);
}

const struct weir_litmus_verdict *weir_litmus_answer_verdict(
    const struct weir_litmus_answer *answer)
{
    g_return_val_if_fail(answer != NULL, NULL);
    return &answer->verdict;
}

const struct weir_litmus_state *weir_litmus_answer_state(
    const struct weir_litmus_answer *answer, size_t index)
{
    g_return_val_if_fail(answer != NULL && index < answer->shown->len, NULL);
    return &g_array_index(answer->shown, struct weir_litmus_state, index);
}

const struct weir_litmus_race *weir_litmus_answer_race(
    const struct weir_litmus_answer *answer)
{
    g_return_val_if_fail(answer != NULL, NULL);
    return answer->race.execution != NULL && answer->verdict.judges_races
        ? &answer->race
        : NULL;
}

const struct weir_litmus_race *weir_litmus_answer_unordered(
    const struct weir_litmus_answer *answer)
{
    g_return_val_if_fail(answer != NULL, NULL);
    return answer->race.execution != NULL && !answer->verdict.judges_races
        ? &answer->race
        : NULL;
}

const struct weir_litmus_blocked *weir_litmus_answer_blocked(
    const struct weir_litmus_answer *answer, size_t index)
{
    g_return_val_if_fail(answer != NULL, NULL);
    for (unsigned i = 0; i < N_ENDS; i++) {
        const struct weiri_blocked *blocked = &answer->blocked[i];
        if (blocked->executions > 0 && index-- == 0) {
            return &blocked->shown;
        }
    }
    return NULL;
}

/* ---- Why not --------------------------------------------------------------------- */

/* Candidates that are examined to find the nearest one. */
enum { MOST_CANDIDATES = 2000000 };

static struct weir_litmus_violation violation_of(
    const struct weir_litmus_execution *drawn, const struct weiri_axiom *axiom,
    const struct weiri_cycle *cycle)
{
    struct weir_litmus_edge *edges = g_new(struct weir_litmus_edge, MAX(cycle->n, 1));
    for (uint32_t i = 0; i < cycle->n; i++) {
        edges[i] = weiri_drawn_edge(drawn, &cycle->edges[i]);
    }
    return (struct weir_litmus_violation){ axiom->name, axiom->sentence, cycle->n,
                                           edges };
}

static bool may_look_on(void *user)
{
    struct weir_litmus_answer *answer = user;
    const struct weir_litmus_options *options = &answer->options;
    const struct weir_litmus_verdict *verdict = &answer->verdict;
    gint64 now = g_get_monotonic_time();
    if (is_late(answer)) {
        return end_by(answer, WEIR_LITMUS_LIMIT_TIME);
    }
    if (options->progress == NULL || now - answer->reported < G_USEC_PER_SEC / 4) {
        return true;
    }
    answer->reported = now;
    const struct weir_litmus_progress progress
        = { verdict->executions + verdict->blocked, -1, true };
    return report_progress(answer, &progress);
}

static void explain(struct weir_litmus_answer *answer)
{
    const struct weiri_litmus *test = answer->test->test;
    answer->reported = g_get_monotonic_time();
    answer->limit = WEIR_LITMUS_NO_LIMIT;
    if (answer->options.time_limit_ms != 0) {
        answer->ends = answer->reported + MAX(limit_us(answer) - answer->took, 0);
    }
    const struct weiri_nearest_options how
        = { .model = model_of(answer),
            .holds = test->quantifier != WEIRI_LITMUS_FORALL,
            .most = MOST_CANDIDATES,
            .rounds = rounds_of(&answer->options),
            .go_on = may_look_on,
            .user = answer };
    struct weiri_nearest nearest = weiri_nearest_find(test, &how);
    struct weir_litmus_explanation *explanation = &answer->explanation;
    explanation->candidates = nearest.candidates;
    explanation->coherent = nearest.coherent;
    explanation->limit = nearest.exhaustive ? WEIR_LITMUS_NO_LIMIT : limit_of(answer);
    if (nearest.is_found) {
        struct weiri_execution *execution = weiri_execution_copy(&nearest.execution);
        execution->program = answer->program;
        const struct ending ending = { answer, NULL, execution };
        weiri_drawn_fill(&answer->nearest, execution, how.model);
        explanation->execution = &answer->nearest;
        explanation->state = weiri_litmus_state(test, value_of, &ending);
        explanation->n_violations = nearest.n_violated;
        struct weir_litmus_violation *violations
            = g_new(struct weir_litmus_violation, MAX(nearest.n_violated, 1));
        for (uint32_t i = 0; i < nearest.n_violated; i++) {
            violations[i] = violation_of(&answer->nearest, nearest.violated[i],
                                         &nearest.cycles[i]);
        }
        explanation->violations = violations;
        weiri_execution_free(execution);
    }
    weiri_nearest_clear(&nearest);
}

const struct weir_litmus_explanation *weir_litmus_answer_explain(
    struct weir_litmus_answer *answer)
{
    g_return_val_if_fail(answer != NULL, NULL);
    const struct weir_litmus_verdict *verdict = &answer->verdict;
    bool forall = verdict->quantifier == WEIR_LITMUS_FORALL;
    if ((forall ? verdict->negative : verdict->positive) > 0) {
        return NULL;
    }
    if (!answer->is_explained) {
        explain(answer);
        answer->is_explained = true;
    }
    return &answer->explanation;
}

/* ---- How it can be forbidden ----------------------------------------------------- */

const struct weir_litmus_fix *weir_litmus_answer_fixes(
    struct weir_litmus_answer *answer, size_t *n)
{
    g_return_val_if_fail(answer != NULL && n != NULL, NULL);
    const struct weiri_litmus *test = answer->test->test;
    *n = 0;
    bool forall = test->quantifier == WEIRI_LITMUS_FORALL;
    if (!weiri_litmus_is_table(test->form)
        || (forall ? answer->verdict.negative : answer->verdict.positive) == 0) {
        return NULL;
    }
    if (answer->fixes == NULL) {
        gint64 left = MAX(limit_us(answer) - answer->took, 0);
        gint64 ends
            = answer->options.time_limit_ms != 0 ? g_get_monotonic_time() + left : 0;
        answer->strings = g_string_chunk_new(256);
        answer->fixes = weiri_table_fixes(
            test, model_of(answer), rounds_of(&answer->options), ends, answer->strings);
    }
    *n = answer->fixes->len;
    return *n > 0 ? (const struct weir_litmus_fix *)answer->fixes->data : NULL;
}
