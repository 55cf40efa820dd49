/* SPDX-License-Identifier: MIT
 *
 * trace.c: `weir trace`: one checked run, of which all events are kept. It is a run of
 * `weir check` with one schedule; each launch appends its timeline to a file of the
 * temporary folder, and the lines of that file become one document.
 *
 * The document is written as a whole, and only after the run. */
#include "config.h"

#include "cli/child.h"
#include "engine/check.h"

#include <inttypes.h>
#include <string.h>

static const char SUMMARY[]
    = "Runs a kernel, or a program that launches kernels, once under the checker,\n"
      "and writes every action of its items to a file: see weir report.";

static const char EPILOGUE[]
    = "Schedules: in-order, reverse, round-robin, random, pct:D and pct:D:K. Compile\n"
      "programs with weir-cc; 'weir list' has the kernels.\n\n" WEIRI_CLI_NUMBERS;

/* Two groups of eight items can be read on one screen. */
static const char DEFAULT_ELEMENTS[] = "16", DEFAULT_LOCAL[] = "8";
static const uint64_t DEFAULT_EVENTS = 4 * 1000 * 1000;

struct texts {
    char *schedule, *seed, *n, *local, *input, *device, *sub_group, *exited, *pairing;
    char *after, *model, *scope_rule, *order, *step_limit, *time_limit, *output,
        *events, *replay;
    gboolean lockstep;
};

/* ---- The command line ------------------------------------------------------------ */

static void add(GPtrArray *line, const char *option, const char *value)
{
    if (value != NULL) {
        g_ptr_array_add(line, g_strdup_printf("--%s", option));
        g_ptr_array_add(line, g_strdup(value));
    }
}

/* The command line of `weir check` that makes the same run. @subject: what is left of
 * the command's own line. Returns: (transfer full) */
static GPtrArray *check_line(const struct texts *texts, char **words, char **program)
{
    GPtrArray *line = g_ptr_array_new_with_free_func(g_free);
    bool is_kernel = program == NULL;
    g_ptr_array_add(line, g_strdup("weir trace"));
    add(line, "schedule", texts->schedule != NULL ? texts->schedule : "in-order");
    add(line, "seed", texts->seed != NULL ? texts->seed : "1");
    const char *n
        = texts->n == NULL && texts->input == NULL ? DEFAULT_ELEMENTS : texts->n;
    const char *local = texts->local == NULL ? DEFAULT_LOCAL : texts->local;
    add(line, "n", is_kernel ? n : texts->n);
    add(line, "local", is_kernel ? local : texts->local);
    add(line, "input", texts->input);
    add(line, "device", texts->device);
    add(line, "sub-group", texts->sub_group);
    add(line, "exited", texts->exited);
    add(line, "pairing", texts->pairing);
    add(line, "after", texts->after);
    add(line, "model", texts->model);
    add(line, "scope-rule", texts->scope_rule);
    add(line, "order", texts->order);
    add(line, "step-limit", texts->step_limit);
    add(line, "time-limit", texts->time_limit);
    if (texts->lockstep) {
        g_ptr_array_add(line, g_strdup("--lockstep"));
    }
    for (size_t i = 0; words[i] != NULL; i++) {
        g_ptr_array_add(line, g_strdup(words[i]));
    }
    if (program != NULL) {
        g_ptr_array_add(line, g_strdup("--"));
    }
    for (size_t i = 0; program != NULL && program[i] != NULL; i++) {
        g_ptr_array_add(line, g_strdup(program[i]));
    }
    g_ptr_array_add(line, NULL);
    return line;
}

/* "tree.trace.json" of the kernel tree or of the program ./tree. */
static char *default_output(const struct weiri_cli_subject *subject)
{
    g_autofree char *name = g_path_get_basename(weiri_cli_subject_name(subject));
    return g_strconcat(name, ".trace.json", NULL);
}

/* ---- The document ---------------------------------------------------------------- */

static void add_json_text(GString *out, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(out, '"');
    for (const char *at = valid; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            g_string_append_c(out, '\\');
        }
        g_string_append_c(out, g_ascii_iscntrl(*at) ? ' ' : *at);
    }
    g_string_append_c(out, '"');
}

/* @lines: of the launches, in the order of their ends. Returns: (transfer full) */
static char *document(const char *command, const char *lines)
{
    GString *out = g_string_new("{\"weir_trace\":1,\n\"weir\":\"" PACKAGE_VERSION
                                "\",\n\"command\":");
    add_json_text(out, command);
    g_string_append(out, ",\n\"launches\":[");
    bool first = true;
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        g_string_append(out, first ? "\n" : ",\n");
        g_string_append_len(out, lines, end - lines);
        first = false;
    }
    g_string_append(out, "\n]}\n");
    return g_string_free(out, FALSE);
}

/* The sum of a member of all launches. The launches' lines have it once each. */
static uint64_t sum_of(const char *lines, const char *member)
{
    uint64_t sum = 0;
    g_autofree char *key = g_strdup_printf(",\"%s\":", member);
    for (const char *at = lines; (at = strstr(at, key)) != NULL;) {
        at += strlen(key);
        sum += g_ascii_strtoull(at, NULL, 10);
    }
    return sum;
}

/* Writes the trace, and prints what is in it. Returns: the exit status, at least
 * @status */
static int write_trace(const char *command, const char *output, const char *from,
                       const struct weiri_cli_run_result *run, int status)
{
    g_autofree char *lines = NULL;
    if (!g_file_get_contents(from, &lines, NULL, NULL) || lines[0] == '\0') {
        return weiri_cli_complain("%s: no launch has ended: nothing is written",
                                  output);
    }
    g_autofree char *text = document(command, lines);
    if (!weiri_cli_write_file("--output", output, text)) {
        return WEIRI_CLI_USAGE;
    }
    uint64_t n_more = sum_of(lines, "left_out");
    if (n_more > 0) {
        weiri_cli_complain("%s: %" PRIu64 " later events are left out: give a smaller "
                           "--n, or more --events",
                           output, n_more);
    }
    size_t n = weiri_cli_run_n_launches(run);
    weiri_cli_complain("%s: %zu launch%s, %" PRIu64 " events; to see them: "
                       "weir report %s",
                       output, n, n == 1 ? "" : "es", sum_of(lines, "n_events"),
                       output);
    return status == WEIRI_CLI_CLEAN && n_more > 0 ? WEIRI_CLI_INCOMPLETE : status;
}

/* ---- The command ----------------------------------------------------------------- */

/* The subject of the trace. */
struct traced {
    struct weiri_cli_check *check;  /* of one subject and one schedule */
    struct weir_schedule *followed; /* the decisions of a recorded run, or NULL */
    const char *path;               /* of these */
    const char *command;            /* that makes the same run */
    const char *output;
    uint64_t most; /* events */
};

/* Whether the run can be shown. Returns: false after a complaint */
static bool is_made(const struct traced *traced, struct weiri_cli_run_result *run)
{
    if (run->error != NULL) {
        weiri_cli_take_error(g_steal_pointer(&run->error));
        return false;
    }
    size_t made = weiri_cli_run_n_launches(run);
    size_t wanted
        = traced->followed != NULL ? weir_schedule_n_launches(traced->followed) : made;
    if (made != wanted && run->incomplete == NULL) {
        weiri_cli_complain("%s: it has %zu launch%s, but %zu %s made", traced->path,
                           wanted, wanted == 1 ? "" : "es", made,
                           made == 1 ? "was" : "were");
        return false;
    }
    return true;
}

static int trace(const struct traced *traced)
{
    GError *error = NULL;
    const char *folder = weiri_cli_folder(&error);
    if (folder == NULL) {
        return weiri_cli_take_error(error);
    }
    g_autofree char *lines = g_build_filename(folder, "trace", NULL);
    struct weiri_cli_check *check = traced->check;
    const struct weiri_cli_subject *subject
        = &g_array_index(check->subjects, struct weiri_cli_subject, 0);
    const struct weiri_cli_schedule *order
        = &g_array_index(check->schedules, struct weiri_cli_schedule, 0);
    const struct weiri_cli_run_options run_options = { .schedule = order->schedule,
                                                       .seed = order->seed,
                                                       .replay = traced->followed,
                                                       .trace = lines,
                                                       .trace_events = traced->most,
                                                       .shown = true,
                                                       .error_shown = true };
    weiri_cli_catch_interrupts();
    struct weiri_cli_run_result *run = weiri_cli_run_once(check, subject, &run_options);
    int status = WEIRI_CLI_USAGE;
    if (is_made(traced, run)) {
        g_autoptr(GPtrArray) verdicts = g_ptr_array_new();
        struct weiri_cli_verdict *verdict = weiri_cli_verdict_new(check, subject);
        weiri_cli_verdict_add(verdict, run);
        g_ptr_array_add(verdicts, verdict);
        status = weiri_cli_verdicts_finish(check, verdicts, 0);
        status = write_trace(traced->command, traced->output, lines, run, status);
        weiri_cli_verdict_free(verdict);
    }
    weiri_cli_run_unref(run);
    weiri_cli_folder_remove();
    return status;
}

/* One kernel or program, and one schedule. Returns: whether to go on */
static bool is_one(const struct weiri_cli_check *check)
{
    if (check->subjects->len != 1) {
        weiri_cli_complain("name one kernel: a trace records one");
        return false;
    }
    if (check->schedules->len != 1) {
        weiri_cli_complain("--schedule: name one: a trace records one run");
        return false;
    }
    return true;
}

/* Traces what @traced->check states. */
static int trace_check(const struct texts *texts, struct traced *traced)
{
    const struct weiri_cli_subject *subject
        = &g_array_index(traced->check->subjects, struct weiri_cli_subject, 0);
    const struct weiri_cli_schedule *order
        = &g_array_index(traced->check->schedules, struct weiri_cli_schedule, 0);
    g_autofree char *output
        = texts->output != NULL ? g_strdup(texts->output) : default_output(subject);
    g_autofree char *command
        = weiri_cli_shown_again(traced->check, subject, order->schedule, order->seed);
    traced->output = output;
    traced->command = command;
    return trace(traced);
}

/* A recorded run again. @others: other words are on the command line */
static int trace_recorded(const struct texts *texts, bool others, uint64_t most)
{
    struct weiri_cli_limit limit;
    struct weiri_cli_recorded recorded = { 0 };
    const char *path = texts->replay;
    int status = WEIRI_CLI_USAGE;
    if (others) {
        weiri_cli_complain("--replay: %s states the run: give only --output, --events "
                           "and --time-limit with it",
                           path);
    } else if (weiri_cli_read_time_limit(texts->time_limit, &limit)
               && weiri_cli_recorded_load(&recorded, path)) {
        recorded.check.limit = limit;
        if (weir_schedule_get(recorded.schedule, "shrunk") != NULL
            || weir_schedule_get(recorded.schedule, "finding") != NULL) {
            recorded.check.shrunk = path;
        }
        struct traced traced = { .check = &recorded.check,
                                 .followed = recorded.schedule,
                                 .path = path,
                                 .most = most };
        status = trace_check(texts, &traced);
    }
    weiri_cli_recorded_clear(&recorded);
    return status;
}

static int run_line(const struct texts *texts, char **words, char **program)
{
    uint64_t most = DEFAULT_EVENTS;
    if (!weiri_cli_number("--events", "events", texts->events, 1, G_MAXINT32, &most)
        || !weiri_cli_can_write("--output", texts->output)) {
        return WEIRI_CLI_USAGE;
    }
    if (texts->replay != NULL) {
        const char *const own[]
            = { texts->schedule,   texts->seed,   texts->n,          texts->local,
                texts->input,      texts->device, texts->sub_group,  texts->exited,
                texts->pairing,    texts->after,  texts->scope_rule, texts->order,
                texts->step_limit, texts->model };
        bool others = words[0] != NULL || program != NULL || texts->lockstep;
        for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
            others |= own[i] != NULL;
        }
        return trace_recorded(texts, others, most);
    }
    g_autoptr(GPtrArray) line = check_line(texts, words, program);
    struct weiri_cli_check check;
    int status;
    if (weiri_cli_check_read((int)line->len - 1, (char **)line->pdata, &check,
                             &status)) {
        struct traced traced = { .check = &check, .most = most };
        status = is_one(&check) ? trace_check(texts, &traced) : WEIRI_CLI_USAGE;
    }
    weiri_cli_check_clear(&check);
    return status;
}

static void clear(struct texts *texts)
{
    char **const all[]
        = { &texts->schedule,   &texts->seed,       &texts->n,          &texts->local,
            &texts->input,      &texts->device,     &texts->sub_group,  &texts->exited,
            &texts->pairing,    &texts->after,      &texts->scope_rule, &texts->order,
            &texts->step_limit, &texts->time_limit, &texts->output,     &texts->events,
            &texts->replay,     &texts->model };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        g_free(*all[i]);
    }
}

int weiri_cli_trace(int argc, char **argv)
{
    struct texts texts = { 0 };
#define OPTION(name, letter, member, help, value)                                      \
    {                                                                                  \
        (name), (letter), 0, G_OPTION_ARG_FILENAME, &texts.member, (help), (value)     \
    }
    const GOptionEntry entries[] = {
        OPTION("output", 'o', output, "The file (default: NAME.trace.json)", "FILE"),
        OPTION("schedule", 0, schedule, "The schedule (default: in-order)", "S"),
        OPTION("seed", 's', seed, "Its seed (default: 1)", "S"),
        OPTION("n", 'n', n, "Elements of a kernel's input (default: 16)", "N"),
        OPTION("local", 'l', local, "Items of a group (default: 8)", "L"),
        OPTION("input", 'i', input, "Read a kernel's input from a file", "FILE"),
        OPTION("events", 0, events, "The most events (default: 4M)", "N"),
        OPTION("device", 'd', device, "Device profile; of a program: its \"default\"",
               "PROFILE"),
        WEIRI_CLI_SUB_GROUP(&texts.sub_group),
        OPTION("exited", 0, exited, "Returned items at a barrier: strict or alive-only",
               "RULE"),
        OPTION("pairing", 0, pairing, "Which calls are one barrier: site or count",
               "RULE"),
        OPTION("after", 0, after, "What to do after divergence: stop or release",
               "RULE"),
        OPTION("model", 0, model, "Rules of races: language, sycl or ptx", "R"),
        OPTION("scope-rule", 0, scope_rule, "Which scopes synchronise: mutual or same",
               "RULE"),
        OPTION("order", 0, order, "Change the order of the atomics in one line",
               "FILE:LINE=ORDER"),
        OPTION("step-limit", 0, step_limit,
               "End a launch after N steps (default: none)", "N"),
        OPTION("replay", 0, replay, "Trace what --record has written", "FILE"),
        { "lockstep", 0, 0, G_OPTION_ARG_NONE, &texts.lockstep,
          "Items of a sub-group advance together", NULL },
        WEIRI_CLI_TIME_LIMIT(&texts.time_limit),
        { 0 },
    };
#undef OPTION
    int own = 1, status;
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    char **program = own < argc ? argv + own + 1 : NULL;
    g_autofree char **words = g_new0(char *, own + 1);
    memcpy(words, argv, (size_t)own * sizeof(*words));
    char **left = words;
    g_unsetenv("WEIR_OPTIONS"); /* this command may be checked itself */
    if (weiri_cli_parse(entries, "KERNEL | -- PROGRAM [ARGUMENT…] | --replay FILE",
                        SUMMARY, EPILOGUE, &own, &left, &status)) {
        left[own] = NULL;
        status = run_line(&texts, left + 1, program);
    }
    clear(&texts);
    return status;
}
