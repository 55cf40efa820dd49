/* SPDX-License-Identifier: MIT
 *
 * litmus.c: `weir litmus`: which final states of a litmus test memory models allow.
 *
 *     answer_file()
 *         weiri_cli_litmus_read()     a file or an included test; see litmus-read.c
 *         answer_model()      for each model: ask() calls weir_litmus_ask(), judge()
 *                             compares the verdict with --expect
 *         weiri_cli_graphs_draw()     with --graphs: drawings; see graphs.c
 *         answer_progress()   with --progress, in place of these: whether it ends
 *     add_text(), add_json()  print the answers; see show/litmus.h
 *
 * Every file is answered, even if others fail. The exit status is the worst of all: an
 * error, then a claim that is false or an expectation that is not met, then a limit.
 * Results before a limit are certain if they state that something happens, or that a
 * claim about all executions is false. That something never happens is not certain
 * then.
 *
 * The file is long because its options exclude and need each other, and each question
 * has a status and a reason of its own. */
#include "config.h"

#include "engine/litmus.h"

#include <string.h>

static const char SUMMARY[]
    = "Prints which final states memory models allow a litmus test to have. A test is\n"
      "a few threads, and a claim about their final state. FILE is in herd's C format\n"
      "or in its scoped form, or a table of instructions of PTX or Vulkan, or it is\n"
      "the name of a test that 'weir litmus --list' shows.";

static const char EPILOGUE[]
    = "Models: sycl, the default; sycl-split; rc11; sc; opencl; gpu. For tests in the\n"
      "forms of PTX and Vulkan: ptx, the default; ptx-6.0; ptx-7.5; vulkan, the\n"
      "default; vulkan-nochains; vulkan-prose. all: those that take the test, side by\n"
      "side. 'man weir-litmus' describes them.\n\n"
      "Forward progress: fair, hsa, obe, hsa_obe, lobe; or all of them.\n\n"
      "Exit status: 0 answered; 1 a file's ~exists or forall is violated, or --expect\n"
      "is given and the observation differs, there is a data race, executions are\n"
      "blocked, or no execution counts, or with --progress the test need not end;\n"
      "2 an error; 3 a limit was reached, so that there may be more executions, or it\n"
      "is not known whether the test ends.\n\n" WEIRI_CLI_NUMBERS;

/* Limits of the additional question whether hardware shows what the model forbids: its
 * answer is only a remark. */
enum { MOST_HARDWARE_MS = 5000, MOST_HARDWARE_EXECUTIONS = 100000 };

/* The value of weiri_cli_left_ms() when the time is over. */
enum { LEAST_MS = 1 };

struct settings {
    enum weir_model model; /* unless: */
    bool all_models;       /* all that take a test, */
    bool no_model;         /* or the one for its form */
    enum weir_forward forwards[WEIR_N_FORWARDS];
    size_t n_forwards; /* 0: without --progress */
    int expected;      /* of enum weir_observation; -1: nothing is expected */
    uint64_t max_executions, rounds;
    struct weiri_cli_limit limit;
    bool json, explain, every_round;
    struct weiri_cli_graphs *graphs; /* or NULL */
};

/* The answers to one file. */
struct work {
    const struct settings *settings;
    bool has_others;       /* the command has several files */
    bool is_late;          /* earlier files have used up the time */
    const char *progress;  /* "[1/3] mp.litmus", borrowed */
    enum weir_model model; /* the model that is being asked, */
    int64_t asked_us;      /* and since when */
    char *file;            /* as messages name it; owned */
    struct weir_litmus *test;
    enum weir_model models[WEIR_N_MODELS];
    size_t n_models;
    struct weiri_litmus_result result[WEIR_N_MODELS];
    GError *errors[WEIR_N_MODELS]; /* by model: why it could not be asked */
    struct weir_litmus_termination *terminations; /* by the settings' @forwards, or
                                                     NULL; owned */
    int status;
};

/* Lists the models that are asked about the test. */
static void choose_models(struct work *work)
{
    const struct settings *settings = work->settings;
    work->n_models = 0;
    for (int m = 0; m < WEIR_N_MODELS && settings->all_models; m++) {
        if (weir_model_takes((enum weir_model)m, work->test)) {
            work->models[work->n_models++] = (enum weir_model)m;
        }
    }
    if (!settings->all_models) {
        work->models[work->n_models++]
            = settings->no_model ? weir_model_default(work->test) : settings->model;
    }
}

/* ---- Asking ---------------------------------------------------------------------- */

static bool show_progress(void *user, const struct weir_litmus_progress *progress)
{
    const struct work *work = user;
    /* A smaller part is too little for an estimate of the rest. */
    const double LEAST_PART = 0.005;
    double seconds = (double)(g_get_monotonic_time() - work->asked_us) / G_USEC_PER_SEC;
    double left = (double)weiri_cli_left_ms(&work->settings->limit) / 1000;
    g_autofree char *part = NULL;
    if (progress->part >= LEAST_PART) {
        double rest = seconds * (1 - progress->part) / progress->part;
        part = g_strdup_printf(", about %.0f %%, %.0f s left", 100 * progress->part,
                               CLAMP(rest, 0, left));
    } else {
        part = g_strdup_printf("%s, at most %.0f s left",
                               progress->part >= 0 ? ", less than 1 %" : "", left);
    }
    g_autofree char *line
        = g_strdup_printf("%s, model %s: %" PRIu64 " executions%s%s", work->progress,
                          weir_model_name(work->model), progress->executions,
                          progress->explains ? ", explaining" : "", part);
    weiri_cli_progress(line);
    return true;
}

/* @most_executions: and @most_ms: 0 for no limit.
 * Returns: (transfer full): or NULL */
static struct weir_litmus_answer *ask(struct work *work, enum weir_model model,
                                      uint64_t most_executions, uint64_t most_ms,
                                      GError **error)
{
    const struct settings *settings = work->settings;
    uint64_t left_ms = weiri_cli_left_ms(&settings->limit);
    const struct weir_litmus_options options = {
        .model = model,
        .max_executions = most_executions,
        .time_limit_ms = most_ms > 0 ? MIN(most_ms, left_ms) : left_ms,
        .rounds = (uint32_t)settings->rounds,
        .every_round = settings->every_round,
        .progress = show_progress,
        .user = work,
    };
    g_autofree char *line
        = g_strdup_printf("%s, model %s", work->progress, weir_model_name(model));
    weiri_cli_progress(line);
    work->model = model;
    work->asked_us = g_get_monotonic_time();
    return weir_litmus_ask(work->test, &options, error);
}

/* Returns: (transfer full): the limits that made the answer incomplete */
static char *why_incomplete(const struct work *work,
                            const struct weir_litmus_verdict *verdict)
{
    const struct settings *settings = work->settings;
    g_autoptr(GPtrArray) reasons = g_ptr_array_new_with_free_func(g_free);
    if (verdict->cut > 0) {
        g_ptr_array_add(
            reasons,
            g_strdup_printf("--rounds: a loop reached the limit of %" PRIu64,
                            settings->rounds));
    }
    if (verdict->lacking) {
        g_ptr_array_add(
            reasons, g_strdup("--every-round: rounds that change nothing may matter"));
    }
    switch (verdict->limit) {
    case WEIR_LITMUS_LIMIT_EXECUTIONS:
        g_ptr_array_add(reasons,
                        g_strdup_printf("--max-executions: %" PRIu64,
                                        settings->max_executions != 0
                                            ? settings->max_executions
                                            : (uint64_t)WEIR_LITMUS_MOST_EXECUTIONS));
        break;
    case WEIR_LITMUS_LIMIT_TIME:
        g_ptr_array_add(
            reasons,
            g_strdup_printf("--time-limit: %g seconds%s", settings->limit.seconds,
                            work->is_late ? ", which earlier files have used up"
                                : work->has_others ? " for all files"
                                                   : ""));
        break;
    case WEIR_LITMUS_LIMIT_SIZE:
        g_ptr_array_add(reasons,
                        g_strdup("the test has too many candidates to try, or one "
                                 "is too large: make the test smaller"));
        break;
    case WEIR_LITMUS_LIMIT_STOPPED:
    case WEIR_LITMUS_NO_LIMIT:
        break;
    }
    g_ptr_array_add(reasons, NULL);
    return g_strjoinv("; ", (char **)reasons->pdata);
}

/* ---- Load buffering -------------------------------------------------------------- */

/* Whether program order and reads-from have a cycle. */
static bool has_buffering(const struct weir_litmus_execution *execution)
{
    /* Removes events without a predecessor until the remaining ones are on a cycle, or
     * after one. */
    g_autofree bool *gone = g_new0(bool, execution->n_events);
    size_t left = execution->n_events;
    for (bool changed = true; changed;) {
        changed = false;
        g_autofree bool *reached = g_new0(bool, execution->n_events);
        for (size_t i = 0; i < execution->n_edges; i++) {
            const struct weir_litmus_edge *edge = &execution->edges[i];
            if ((edge->kind == WEIR_LITMUS_PO || edge->kind == WEIR_LITMUS_RF)
                && edge->from != WEIR_LITMUS_INITIAL && !gone[edge->from]) {
                reached[edge->to] = true;
            }
        }
        for (size_t event = 0; event < execution->n_events; event++) {
            if (!gone[event] && !reached[event]) {
                gone[event] = changed = true;
                left--;
            }
        }
    }
    return left > 0;
}

/* Whether the model of hardware allows what the claim asks for, and allows it only
 * because of load buffering. */
static bool buffers_on_hardware(struct work *work)
{
    g_autoptr(GError) error = NULL;
    struct weir_litmus_answer *answer
        = ask(work, WEIR_MODEL_GPU, MOST_HARDWARE_EXECUTIONS, MOST_HARDWARE_MS, &error);
    if (answer == NULL) {
        return false;
    }
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    bool buffers = false;
    for (size_t i = 0; i < verdict->n_states && !buffers; i++) {
        const struct weir_litmus_state *state = weir_litmus_answer_state(answer, i);
        buffers = weiri_litmus_is_asked_for(verdict, state)
            && has_buffering(state->witness);
    }
    weir_litmus_answer_free(answer);
    return buffers;
}

/* ---- Judging --------------------------------------------------------------------- */

/* The worse of two statuses. */
static int worse(int one, int other)
{
    static const int severity[] = { [WEIRI_CLI_CLEAN] = 0,
                                    [WEIRI_CLI_INCOMPLETE] = 1,
                                    [WEIRI_CLI_FINDINGS] = 2,
                                    [WEIRI_CLI_USAGE] = 3 };
    return severity[one] >= severity[other] ? one : other;
}

/* Whether the executions contradict the expectation or, if all were found, do not meet
 * it. */
static bool is_unexpected(const struct weir_litmus_verdict *verdict, int expected)
{
    switch (expected) {
    case WEIR_OBSERVED_NEVER:
        return verdict->positive > 0;
    case WEIR_OBSERVED_ALWAYS:
        return verdict->negative > 0
            || (verdict->complete && verdict->observation != WEIR_OBSERVED_ALWAYS);
    default:
        return verdict->complete && verdict->observation != WEIR_OBSERVED_SOMETIMES;
    }
}

static void complain_of_blocked(const struct work *work,
                                const struct weir_litmus_answer *answer)
{
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    const struct weir_litmus_blocked *blocked = weir_litmus_answer_blocked(answer, 0);
    uint64_t n = verdict->blocked;
    uint32_t who = 0;
    while (blocked->threads[who].end != blocked->why) {
        who++;
    }
    weiri_cli_complain("%s, model %s: %" PRIu64 " execution%s blocked: %sP%u %s",
                       work->file, weir_model_name(verdict->model), n,
                       n == 1 ? " is" : "s are", n == 1 ? "" : "in one of them ", who,
                       blocked->threads[who].text);
}

static int judge(const struct work *work, const struct weir_litmus_answer *answer)
{
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    const char *model = weir_model_name(verdict->model);
    int expected = work->settings->expected;
    int status = verdict->complete ? WEIRI_CLI_CLEAN : WEIRI_CLI_INCOMPLETE;
    if (verdict->quantifier != WEIR_LITMUS_EXISTS && !verdict->holds) {
        status = WEIRI_CLI_FINDINGS;
    }
    const char *wanted
        = expected >= 0 ? weir_observation_name((enum weir_observation)expected) : NULL;
    g_autofree char *nothing = weiri_litmus_nothing_counts(verdict);
    bool vacuous = nothing != NULL && (verdict->complete || verdict->blocked > 0);
    if (wanted != NULL && vacuous) {
        weiri_cli_complain("%s, model %s: expected %s, but no execution counts: %s",
                           work->file, model, wanted, nothing);
        status = WEIRI_CLI_FINDINGS;
    } else if (wanted != NULL && is_unexpected(verdict, expected)) {
        weiri_cli_complain("%s, model %s: expected %s, but it is %s", work->file, model,
                           wanted, weir_observation_name(verdict->observation));
        status = WEIRI_CLI_FINDINGS;
    }
    if (wanted != NULL && !vacuous && verdict->blocked > 0) {
        complain_of_blocked(work, answer);
        status = WEIRI_CLI_FINDINGS;
    }
    if (expected >= 0 && verdict->judges_races && verdict->race) {
        weiri_cli_complain("%s, model %s: there is a data race", work->file, model);
        status = WEIRI_CLI_FINDINGS;
    }
    return status;
}

/* ---- One file -------------------------------------------------------------------- */

static void answer_model(struct work *work, size_t index, const char *stem,
                         int *buffering)
{
    const struct settings *settings = work->settings;
    enum weir_model model = work->models[index];
    struct weiri_litmus_result *result = &work->result[index];
    GError **error = &work->errors[index];
    result->file = work->file;
    result->test = work->test;
    result->executions = settings->explain;
    result->answer = ask(work, model, settings->max_executions, 0, error);
    if (result->answer == NULL) {
        return;
    }
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    if (!verdict->complete) {
        result->incomplete = why_incomplete(work, verdict);
    }
    bool forbidden = weiri_litmus_is_forbidden(result->answer);
    if (settings->explain) {
        result->fixes = weir_litmus_answer_fixes(result->answer, &result->n_fixes);
    }
    if (forbidden && settings->explain) {
        result->explanation = weir_litmus_answer_explain(result->answer);
    }
    if (forbidden && model != WEIR_MODEL_GPU && model != WEIR_MODEL_OPENCL
        && weir_model_takes(WEIR_MODEL_GPU, work->test)) {
        if (*buffering < 0) {
            *buffering = buffers_on_hardware(work);
        }
        result->buffering = *buffering;
    }
    work->status = worse(work->status, judge(work, result->answer));
    if (settings->graphs != NULL
        && !weiri_cli_graphs_draw(settings->graphs, stem, result)) {
        work->status = WEIRI_CLI_USAGE;
    }
}

/* Whether the test ends, under each of the models of forward progress. */
static void answer_progress(struct work *work)
{
    const struct settings *settings = work->settings;
    const struct weir_litmus_options options
        = { .model = work->models[0],
            .max_executions = settings->max_executions,
            .time_limit_ms = weiri_cli_left_ms(&settings->limit),
            .progress = show_progress,
            .user = work };
    work->model = work->models[0];
    work->asked_us = g_get_monotonic_time();
    work->terminations
        = weir_litmus_ask_termination(work->test, settings->forwards,
                                      settings->n_forwards, &options, &work->errors[0]);
    for (size_t i = 0; i < settings->n_forwards && work->terminations != NULL; i++) {
        const struct weir_litmus_termination *answer = &work->terminations[i];
        work->status = worse(work->status,
                             !answer->decided         ? WEIRI_CLI_INCOMPLETE
                                 : answer->terminates ? WEIRI_CLI_CLEAN
                                                      : WEIRI_CLI_FINDINGS);
    }
}

static void answer_file(struct work *work, const char *name)
{
    work->test = weiri_cli_litmus_read(name, &work->file, &work->errors[0]);
    if (work->test == NULL) {
        work->n_models = 1;
        return;
    }
    choose_models(work);
    if (work->settings->n_forwards > 0) {
        answer_progress(work);
        return;
    }
    g_autofree char *stem = work->settings->graphs != NULL
        ? weiri_cli_graphs_stem(work->settings->graphs, weir_litmus_name(work->test))
        : NULL;
    int buffering = -1; /* not asked yet */
    for (size_t i = 0; i < work->n_models; i++) {
        answer_model(work, i, stem, &buffering);
    }
}

static void clear_work(struct work *work)
{
    for (size_t i = 0; i < WEIR_N_MODELS; i++) {
        struct weiri_litmus_result *result = &work->result[i];
        g_clear_pointer(&result->graphs, g_ptr_array_unref);
        g_clear_pointer(&result->blocked_graphs, g_ptr_array_unref);
        g_free((char *)result->explanation_graph);
        g_free((char *)result->incomplete);
        weir_litmus_answer_free(result->answer);
        g_clear_error(&work->errors[i]);
    }
    weir_litmus_termination_free(work->terminations, work->settings->n_forwards);
    weir_litmus_free(work->test);
    g_free(work->file);
}

/* ---- Printing -------------------------------------------------------------------- */

/* {file, error}, and the model if only one model failed. */
static void add_error(JsonBuilder *builder, const struct work *work, size_t index)
{
    json_builder_begin_object(builder);
    weiri_json_text(builder, "file", work->file);
    if (work->test != NULL) {
        weiri_json_text(builder, "model", weir_model_name(work->models[index]));
    }
    weiri_json_text(builder, "error", work->errors[index]->message);
    json_builder_end_object(builder);
}

static struct weiri_litmus_terminations terminations_of(const struct work *work)
{
    return (struct weiri_litmus_terminations){ work->file, work->test, work->models[0],
                                               work->terminations,
                                               work->settings->n_forwards };
}

static void add_json(JsonBuilder *builder, const struct work *work)
{
    const struct weiri_litmus_terminations terminations = terminations_of(work);
    for (size_t i = 0; i < terminations.n && work->terminations != NULL; i++) {
        json_builder_begin_object(builder);
        weiri_litmus_add_termination_members(builder, &terminations, i);
        json_builder_end_object(builder);
    }
    for (size_t i = 0; i < work->n_models; i++) {
        if (work->errors[i] != NULL) {
            add_error(builder, work, i);
        } else if (work->result[i].answer != NULL) {
            json_builder_begin_object(builder);
            weiri_litmus_add_members(builder, &work->result[i]);
            json_builder_end_object(builder);
        }
    }
}

static void add_text(GString *text, const struct work *work)
{
    struct weiri_litmus_result result[WEIR_N_MODELS];
    size_t n = 0;
    if (work->terminations != NULL) {
        const struct weiri_litmus_terminations terminations = terminations_of(work);
        weiri_litmus_add_termination(text, &terminations, work->settings->explain);
    }
    for (size_t i = 0; i < work->n_models; i++) {
        if (work->result[i].answer != NULL) {
            result[n++] = work->result[i];
        }
    }
    if (n > 1) {
        weiri_litmus_add_table(text, result, n);
    } else if (n == 1) {
        weiri_litmus_add_text(text, result);
    }
}

static void complain_of_errors(struct work *work)
{
    for (size_t i = 0; i < work->n_models; i++) {
        if (work->errors[i] != NULL) {
            if (work->test != NULL) {
                weiri_cli_complain("%s, model %s: %s", work->file,
                                   weir_model_name(work->models[i]),
                                   work->errors[i]->message);
            } else {
                weiri_cli_complain("%s", work->errors[i]->message);
            }
            work->status = WEIRI_CLI_USAGE;
        }
    }
}

static int answer_all(char **names, size_t n, const struct settings *settings)
{
    bool array = n > 1 || settings->all_models || settings->n_forwards > 1;
    int status = WEIRI_CLI_CLEAN;
    GString *text = g_string_new(NULL);
    JsonBuilder *builder = json_builder_new();
    if (array) {
        json_builder_begin_array(builder);
    }
    for (size_t i = 0; i < n; i++) {
        g_autofree char *progress = g_strdup_printf("[%zu/%zu] %s", i + 1, n, names[i]);
        struct work work = {
            .settings = settings,
            .has_others = n > 1,
            .is_late = i > 0 && weiri_cli_left_ms(&settings->limit) <= LEAST_MS,
            .progress = progress,
        };
        answer_file(&work, names[i]);
        complain_of_errors(&work);
        if (settings->json) {
            add_json(builder, &work);
        } else {
            add_text(text, &work);
        }
        status = worse(status, work.status);
        clear_work(&work);
    }
    if (array) {
        json_builder_end_array(builder);
    }
    if (!settings->json) {
        g_object_unref(builder);
        /* No blank line follows the last answer. */
        if (text->len > 0) {
            g_string_truncate(text, text->len - 1);
        }
        return weiri_cli_finish(g_string_free(text, FALSE), status);
    }
    g_string_free(text, TRUE);
    return weiri_cli_finish(weiri_json_take(builder), status);
}

/* ---- The command ----------------------------------------------------------------- */

/* The values of options, as text; all owned. */
struct texts {
    char *model, *graphs, *max_executions, *time_limit, *rounds, *expect, *show;
    char *progress;
};

static void clear_texts(struct texts *texts)
{
    g_free(texts->model);
    g_free(texts->graphs);
    g_free(texts->max_executions);
    g_free(texts->time_limit);
    g_free(texts->rounds);
    g_free(texts->expect);
    g_free(texts->show);
    g_free(texts->progress);
}

/* Returns: false after a complaint */
static bool read_models(const char *text, struct settings *settings)
{
    settings->all_models = text != NULL && strcmp(text, "all") == 0;
    settings->no_model = text == NULL;
    if (settings->all_models || settings->no_model) {
        return true;
    }
    GError *error = NULL;
    if (!weir_model_find(text, &settings->model, &error)) {
        weiri_cli_complain("--model: %s, or all", error->message);
        g_error_free(error);
        return false;
    }
    return true;
}

/* Returns: false after a complaint */
static bool read_expected(const char *text, int *expected)
{
    *expected = -1;
    for (int which = WEIR_OBSERVED_NEVER; which <= WEIR_OBSERVED_ALWAYS; which++) {
        const char *name = weir_observation_name((enum weir_observation)which);
        if (text != NULL && g_ascii_strcasecmp(text, name) == 0) {
            *expected = which;
        }
    }
    if (text != NULL && *expected < 0) {
        weiri_cli_complain("--expect: '%s': give never, sometimes or always", text);
        return false;
    }
    return true;
}

/* Returns: false after a complaint */
static bool read_progress(const struct texts *texts, struct settings *settings)
{
    if (texts->progress == NULL) {
        return true;
    }
    if (settings->all_models || texts->graphs != NULL || texts->expect != NULL
        || texts->rounds != NULL || settings->every_round) {
        weiri_cli_complain("--progress asks another question, and %s",
                           settings->all_models
                               ? "takes one --model"
                               : "excludes --graphs, --expect, --rounds and "
                                 "--every-round");
        return false;
    }
    g_autoptr(GError) error = NULL;
    settings->n_forwards = strcmp(texts->progress, "all") == 0 ? WEIR_N_FORWARDS : 1;
    for (unsigned f = 0; f < settings->n_forwards; f++) {
        settings->forwards[f] = (enum weir_forward)f;
    }
    if (settings->n_forwards == 1
        && !weir_forward_find(texts->progress, &settings->forwards[0], &error)) {
        weiri_cli_complain("--progress: %s, or all", error->message);
        return false;
    }
    return true;
}

/* @flags: the options without a value */
static int answer(char **names, size_t n, const struct texts *texts,
                  struct settings flags)
{
    enum { ROUNDS = 8 };
    struct settings settings = flags;
    settings.rounds = ROUNDS;
    if (n == 0) {
        return weiri_cli_complain("name a file, or a test of 'weir litmus --list'");
    }
    if (!read_models(texts->model, &settings) || !read_progress(texts, &settings)
        || !read_expected(texts->expect, &settings.expected)
        || !weiri_cli_number("--max-executions", "executions", texts->max_executions, 1,
                             UINT64_MAX - 1, &settings.max_executions)
        || !weiri_cli_number("--rounds", "rounds", texts->rounds, 1, 1000000,
                             &settings.rounds)
        || !weiri_cli_read_time_limit(texts->time_limit, &settings.limit)) {
        return WEIRI_CLI_USAGE;
    }
    if (texts->graphs != NULL) {
        settings.graphs = weiri_cli_graphs_new(texts->graphs);
        if (settings.graphs == NULL) {
            return WEIRI_CLI_USAGE;
        }
    }
    int status = answer_all(names, n, &settings);
    weiri_cli_graphs_free(settings.graphs);
    return status;
}

int weiri_cli_litmus(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, explain = FALSE, list = FALSE, every_round = FALSE;
    const GOptionEntry entries[] = {
        { "model", 'm', 0, G_OPTION_ARG_FILENAME, &texts.model,
          "The memory model, or all (default: sycl)", "MODEL" },
        { "explain", 'e', 0, G_OPTION_ARG_NONE, &explain,
          "Explain why a forbidden state cannot happen", NULL },
        { "graphs", 'g', 0, G_OPTION_ARG_FILENAME, &texts.graphs,
          "Draw each final state into a file of DIR", "DIR" },
        { "expect", 0, 0, G_OPTION_ARG_FILENAME, &texts.expect,
          "Fail unless it is never, sometimes or always", "OBSERVATION" },
        { "progress", 'p', 0, G_OPTION_ARG_FILENAME, &texts.progress,
          "Print whether all end, if fair in that sense", "PROGRESS" },
        { "max-executions", 0, 0, G_OPTION_ARG_FILENAME, &texts.max_executions,
          "End a test after N executions", "N" },
        { "rounds", 0, 0, G_OPTION_ARG_FILENAME, &texts.rounds,
          "Rounds that a loop may have (default: 8)", "N" },
        { "every-round", 0, 0, G_OPTION_ARG_NONE, &every_round,
          "Count each number of rounds as an execution", NULL },
        { "time-limit", 't', 0, G_OPTION_ARG_FILENAME, &texts.time_limit,
          "End after SECONDS in all (default: 60)", "SECONDS" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        { "list", 0, 0, G_OPTION_ARG_NONE, &list, "List the tests that are included",
          NULL },
        { "show", 0, 0, G_OPTION_ARG_FILENAME, &texts.show,
          "Print the text of one of them", "NAME" },
        { 0 },
    };
    int status;
    if (!weiri_cli_parse(entries, "FILE…", SUMMARY, EPILOGUE, &argc, &argv, &status)) {
        clear_texts(&texts);
        return status;
    }
    size_t n = argc > 1 ? (size_t)argc - 1 : 0;
    if (list && texts.show != NULL) {
        status = weiri_cli_complain("--list and --show exclude each other");
    } else if ((list || texts.show != NULL) && n > 0) {
        status = weiri_cli_complain("%s takes no file, but '%s' is given",
                                    list ? "--list" : "--show", argv[1]);
    } else if (list) {
        status = weiri_cli_litmus_list(json);
    } else if (texts.show != NULL) {
        status = weiri_cli_litmus_show(texts.show);
    } else {
        const struct settings flags
            = { .json = json, .explain = explain, .every_round = every_round };
        status = answer(argv + 1, n, &texts, flags);
    }
    clear_texts(&texts);
    return status;
}
