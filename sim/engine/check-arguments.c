/* SPDX-License-Identifier: MIT
 *
 * check-arguments.c: the command line of `weir check`, read and written. The line is
 * either a user's or one that weiri_cli_again() wrote: a recorded schedule keeps such a
 * line at its head. */
#include "config.h"

#include "cli/clock.h"
#include "engine/check.h"

#include "cli/opencl-kernel.h"
#include "report/options.h"
#include "show/baseline.h"
#include "show/suppress.h"

#include <string.h>

/* Some thousand elements are several groups of any kernel, and take about a second
 * under all default schedules. */
static const uint64_t DEFAULT_ELEMENTS = 1024;

static const char DEFAULT_SCHEDULES[] = "in-order,reverse,random";
static const uint64_t DEFAULT_SEEDS[] = { 1, 2 };
static const uint64_t MOST_SEEDS = 1000 * 1000;

static const uint64_t MOST_JOBS = 256;

/* The longest that a search may take whose number of runs search.c chooses. */
static const double SEARCH_SECONDS = 10;

/* Changes of priority that pct makes in a run. */
enum { MOST_CHANGES = 1000 };

static const char SUMMARY[]
    = "Runs kernels, or a program that launches kernels, under many schedules, and\n"
      "reports races, divergence, wrong accesses, deadlock, faults and wrong answers.";

static const char EPILOGUE[]
    = "Without --schedule and --seeds it searches 160 to 400 runs, by the launch's\n"
      "items, fewer once findings stay the same. --runs and --for set the number.\n"
      "\n"
      "Schedules: in-order, reverse, round-robin, random, pct:D and pct:D:K, several\n"
      "separated by commas. Only random and pct use seeds. Compile a program with\n"
      "weir-cc; 'weir list' shows the kernels, and 'all' stands for them.\n"
      "\n" WEIRI_CLI_NUMBERS;

/* ---- Schedules and seeds --------------------------------------------------------- */

bool weiri_cli_is_seeded(const char *schedule)
{
    return strcmp(schedule, "random") == 0 || g_str_has_prefix(schedule, "pct:");
}

char *weiri_cli_schedule_text(const char *schedule, uint64_t seed)
{
    return weiri_cli_is_seeded(schedule)
        ? g_strdup_printf("schedule %s, seed %" PRIu64, schedule, seed)
        : g_strdup_printf("schedule %s", schedule);
}

/* "D" or "D:K" */
static bool is_pct(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    guint n = g_strv_length(parts);
    return (n == 1 || n == 2)
        && g_ascii_string_to_unsigned(parts[0], 10, 1, MOST_CHANGES, NULL, NULL)
        && (n == 1
            || g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXUINT64, NULL, NULL));
}

static bool check_schedule(const char *name)
{
    static const char *const names[]
        = { "in-order", "reverse", "round-robin", "random", NULL };
    if (g_strv_contains(names, name)
        || (g_str_has_prefix(name, "pct:") && is_pct(name + 4))) {
        return true;
    }
    weiri_cli_complain("--schedule: '%s' is not a schedule: give in-order, reverse, "
                       "round-robin, random, pct:D or pct:D:K",
                       name);
    return false;
}

/* --seed S or --seeds A..B. Returns: false after a complaint */
static bool read_seeds(const struct weiri_cli_check *check, uint64_t *first,
                       uint64_t *last)
{
    *first = DEFAULT_SEEDS[0];
    *last = DEFAULT_SEEDS[1];
    if (check->seed != NULL && check->seeds != NULL) {
        weiri_cli_complain("--seed and --seeds exclude each other");
        return false;
    }
    if (check->seed != NULL) {
        bool read
            = weiri_cli_number("--seed", "seeds", check->seed, 0, UINT64_MAX, first);
        *last = *first;
        return read;
    }
    if (check->seeds == NULL) {
        return true;
    }
    g_auto(GStrv) ends = g_strsplit(check->seeds, "..", 2);
    if (g_strv_length(ends) != 2) {
        weiri_cli_complain("--seeds: '%s' is not of the form A..B, such as 1..100",
                           check->seeds);
        return false;
    }
    if (!weiri_cli_number("--seeds", "seeds", ends[0], 0, UINT64_MAX, first)
        || !weiri_cli_number("--seeds", "seeds", ends[1], 0, UINT64_MAX, last)) {
        return false;
    }
    if (*last < *first || *last - *first >= MOST_SEEDS) {
        weiri_cli_complain("--seeds: '%s' holds %s: give 1 to %" PRIu64 " of them",
                           check->seeds, *last < *first ? "no seeds" : "too many seeds",
                           MOST_SEEDS);
        return false;
    }
    return true;
}

static void clear_order(void *data)
{
    struct weiri_cli_schedule *order = data;
    g_free(order->schedule);
}

static bool read_schedules(struct weiri_cli_check *check)
{
    uint64_t first, last;
    if (!read_seeds(check, &first, &last)) {
        return false;
    }
    const char *schedules
        = check->schedule != NULL ? check->schedule : DEFAULT_SCHEDULES;
    g_auto(GStrv) names = g_strsplit(schedules, ",", -1);
    for (size_t i = 0; names[i] != NULL; i++) {
        if (!check_schedule(names[i])) {
            return false;
        }
        uint64_t n = weiri_cli_is_seeded(names[i]) ? last - first + 1 : 1;
        for (uint64_t k = 0; k < n; k++) {
            struct weiri_cli_schedule order = { g_strdup(names[i]), first + k };
            g_array_append_val(check->schedules, order);
        }
    }
    if (check->schedules->len == 0) {
        weiri_cli_complain("--schedule: name at least one");
    }
    return check->schedules->len > 0;
}

/* ---- Numbers and words ----------------------------------------------------------- */

/* --for and --runs. Returns: false after a complaint */
static bool read_search(struct weiri_cli_check *check)
{
    const char *asked = check->search_time != NULL ? "--for"
        : check->runs != NULL                      ? "--runs"
                                                   : NULL;
    check->search
        = check->schedule == NULL && check->seed == NULL && check->seeds == NULL;
    if (asked != NULL && !check->search) {
        weiri_cli_complain("%s sets the length of a search: it and --schedule, --seed "
                           "and --seeds exclude each other",
                           asked);
        return false;
    }
    if (check->search_time != NULL && check->runs != NULL) {
        weiri_cli_complain("--for and --runs exclude each other");
        return false;
    }
    double seconds = MIN(SEARCH_SECONDS, check->limit.seconds / 2);
    check->n_jobs = 1;
    if (!weiri_cli_number("--jobs", "processes", check->jobs, 1, MOST_JOBS,
                          &check->n_jobs)
        || !weiri_cli_number("--runs", "runs", check->runs, 1, MOST_SEEDS,
                             &check->n_runs)
        || !weiri_cli_seconds("--for", check->search_time, &seconds)) {
        return false;
    }
    /* A search that was asked to last an hour may take an hour. */
    if (check->search_time != NULL && check->time_limit == NULL) {
        check->limit.seconds += seconds;
        check->limit.deadline_us += (int64_t)(seconds * G_USEC_PER_SEC);
    }
    check->search_seconds = seconds;
    check->search_end_us = weiri_cli_clock_us() + (int64_t)(seconds * G_USEC_PER_SEC);
    return true;
}

static bool read_numbers(struct weiri_cli_check *check)
{
    uint64_t sub_group = 0, stack_bytes = 0, workers = 0;
    struct weir_launch_options *options = &check->options.launch;
    if (!weiri_cli_number("--sub-group", "items", check->sub_group, 1, 63, &sub_group)
        || !weiri_cli_number("--stack-bytes", "bytes", check->stack, 1, UINT32_MAX,
                             &stack_bytes)
        || !weiri_cli_number("--step-limit", "steps", check->step_limit, 1, UINT64_MAX,
                             &options->step_limit)
        || !weiri_cli_number("--workers", "workers", check->workers, 1, 256,
                             &workers)) {
        return false;
    }
    options->check = true;
    options->sub_group_size = (uint32_t)sub_group;
    options->stack_bytes = stack_bytes;
    if (check->workers != NULL) {
        weiri_cli_complain("note: --workers is ignored: a checked launch has one");
    }
    return true;
}

/* ---- Subjects -------------------------------------------------------------------- */

struct weiri_cli_subject weiri_cli_subject_of_program(char *const *program)
{
    return (struct weiri_cli_subject){ .kind = weiri_cli_is_opencl(program)
                                           ? WEIRI_CLI_OPENCL_KERNEL
                                           : WEIRI_CLI_PROGRAM,
                                       .program = program };
}

const char *weiri_cli_subject_name(const struct weiri_cli_subject *subject)
{
    return subject->kind == WEIRI_CLI_BUILT_IN ? subject->row->name
        : subject->kind == WEIRI_CLI_PROGRAM   ? subject->program[0]
                                               : subject->program[1];
}

bool weiri_cli_judges_answer(const struct weiri_cli_subject *subject)
{
    bool judges = subject->kind != WEIRI_CLI_OPENCL_KERNEL;
    for (size_t i = 1; !judges && subject->program[i] != NULL; i++) {
        judges = g_str_has_prefix(subject->program[i], "--expect");
    }
    return judges;
}

static bool read_program(struct weiri_cli_check *check)
{
    const char *alien = check->n != NULL ? "--n"
        : check->local != NULL           ? "--local"
        : check->input != NULL           ? "--input"
                                         : NULL;
    if (alien != NULL) {
        weiri_cli_complain("%s is for built-in kernels: a program chooses its own",
                           alien);
        return false;
    }
    if (check->program[0] == NULL) {
        weiri_cli_complain("name a program after --");
        return false;
    }
    if (!weiri_cli_has_device(check->options.device)) {
        return false;
    }
    struct weiri_cli_subject subject = weiri_cli_subject_of_program(check->program);
    g_array_append_val(check->subjects, subject);
    return true;
}

/* Whether @name is of a program rather than of a kernel: the word -- was forgotten. */
static bool is_program(const char *name)
{
    bool is_known = kernel_find(name) != NULL || strcmp(name, "all") == 0;
    return strchr(name, '/') != NULL
        || (!is_known && g_file_test(name, G_FILE_TEST_IS_REGULAR)
            && g_file_test(name, G_FILE_TEST_IS_EXECUTABLE));
}

static bool read_kernels(struct weiri_cli_check *check, char *const *names)
{
    if (names[0] != NULL && weiri_cli_is_source(names[0])) {
        weiri_cli_complain_of_source(names[0]);
        return false;
    }
    if (names[0] != NULL && is_program(names[0])) {
        weiri_cli_complain("'%s' is not a kernel: write a program after --: weir check "
                           "-- %s%s",
                           names[0], strchr(names[0], '/') != NULL ? "" : "./",
                           names[0]);
        return false;
    }
    check->n_elements = DEFAULT_ELEMENTS;
    if (!weiri_cli_number("--n", "elements", check->n, 0, UINT64_MAX,
                          &check->n_elements)
        || !weiri_cli_number("--local", "items", check->local, 1, UINT32_MAX,
                             &check->local_items)) {
        return false;
    }
    if (check->n != NULL && check->input != NULL) {
        weiri_cli_complain("--n and --input exclude each other");
        return false;
    }
    check->all = names[0] != NULL && strcmp(names[0], "all") == 0 && names[1] == NULL;
    if (check->all) {
        for (size_t i = 0; kernel_rows[i] != NULL; i++) {
            struct weiri_cli_subject subject
                = { WEIRI_CLI_BUILT_IN, kernel_rows[i], NULL };
            g_array_append_val(check->subjects, subject);
        }
        return true;
    }
    g_autoptr(GPtrArray) rows = weiri_cli_find_kernels(names);
    for (guint i = 0; rows != NULL && i < rows->len; i++) {
        struct weiri_cli_subject subject
            = { WEIRI_CLI_BUILT_IN, g_ptr_array_index(rows, i), NULL };
        g_array_append_val(check->subjects, subject);
    }
    if (rows != NULL && rows->len == 0) {
        weiri_cli_complain("name kernels, 'all', or a program after --: "
                           "'weir check --help' says more");
    }
    return rows != NULL && rows->len > 0;
}

/* ---- The line -------------------------------------------------------------------- */

/* An option with a value. */
static const struct option {
    const char *name;
    char letter; /* or 0 */
    bool kept;   /* a line that shows a run again has it, too */
    size_t text; /* offset of the field of struct weiri_cli_check */
    const char *help;
    const char *value;
    const char *const *words; /* the field is the number of one of these; or NULL */
    size_t given;             /* with @words: of the flag that the option was given */
} options[] = {
#define AT(field) offsetof(struct weiri_cli_check, field)
#define TEXT(field) .text = AT(field)
#define WORDS(name) .words = weiri_options_##name, .given = AT(options.name##_given)
    { "schedule", 0, false, TEXT(schedule), "Schedules (default: a search)", "S" },
    { "seed", 's', false, TEXT(seed), "One seed", "S" },
    { "seeds", 0, false, TEXT(seeds), "The first and the last seed (default: 1..2)",
      "A..B" },
    { "jobs", 'j', false, TEXT(jobs), "Processes that share the runs (default: 1)",
      "N" },
    { "for", 0, false, TEXT(search_time), "Search for SECONDS", "SECONDS" },
    { "runs", 0, false, TEXT(runs), "Search in N runs, without a limit of time", "N" },
    { "n", 'n', true, TEXT(n), "Elements of a kernel's input (default: 1024)", "N" },
    { "local", 'l', true, TEXT(local), "Items of a group (default: the kernel's own)",
      "L" },
    { "input", 'i', true, TEXT(input), "Read a kernel's input from a file", "FILE" },
    { "device", 'd', true, TEXT(options.device),
      "Device profile; of a program: its \"default\"", "PROFILE" },
    { "sub-group", 0, true, TEXT(sub_group),
      "Items of a sub-group (default: the device's)", "S" },
    { "stack-bytes", 0, true, TEXT(stack), "Stack of an item (default: 64Ki)", "B" },
    { "exited", 0, true, TEXT(options.launch.exited),
      "Returned items at a barrier: strict or alive-only", "RULE", WORDS(exited) },
    { "pairing", 0, true, TEXT(options.launch.pairing),
      "Which calls are one barrier: site or count", "RULE", WORDS(pairing) },
    { "after", 0, true, TEXT(options.launch.after),
      "What to do after divergence: stop or release", "RULE", WORDS(after) },
    { "model", 0, true, TEXT(options.launch.race_model),
      "Rules of races: language, sycl or ptx", "R", WORDS(race_model) },
    { "scope-rule", 0, true, TEXT(options.launch.scope_rule),
      "Which scopes synchronise: mutual or same", "RULE", WORDS(scope_rule) },
    { "spaces", 0, true, TEXT(options.launch.spaces),
      "Which address spaces are ordered: sycl or opencl", "RULE", WORDS(spaces) },
    { "order", 0, true, TEXT(options.order),
      "Change the order of the atomics in one line", "FILE:LINE=ORDER" },
    { "same-value", 0, true, TEXT(options.launch.same_value),
      "Unordered writes of one value: race or note", "WHAT", WORDS(same_value) },
    { "time-limit", 't', false, TEXT(time_limit), "End after SECONDS (default: 60)",
      "SECONDS" },
    { "step-limit", 0, true, TEXT(step_limit),
      "End a launch after N steps (default: none)", "N" },
    { "record", 0, false, TEXT(record),
      "Write the schedule of a run that fails to a file", "FILE" },
    { "workers", 'w', false, TEXT(workers), "Ignored: a checked launch has one worker",
      "W" },
    { "baseline", 0, false, TEXT(baseline),
      "Known findings: an earlier output of --json", "FILE" },
    { "sarif", 0, false, TEXT(sarif), "Write findings as SARIF 2.1.0", "FILE" },
    { "report", 0, false, TEXT(report), "Write findings as an HTML page", "FILE" },
    { "patch", 0, false, TEXT(patch), "Write fixes as a unified diff", "FILE" },
#undef WORDS
#undef TEXT
#undef AT
};

/* Where the parser puts the value of an option that is not one of some words. */
static char **text_of(struct weiri_cli_check *check, const struct option *option)
{
    return G_STRUCT_MEMBER_P(check, option->text);
}

/* Returns: (nullable): borrowed */
static const char *value_of(const struct weiri_cli_check *check,
                            const struct option *option)
{
    if (option->words == NULL) {
        return G_STRUCT_MEMBER(const char *, check, option->text);
    }
    return G_STRUCT_MEMBER(bool, check, option->given)
        ? option->words[G_STRUCT_MEMBER(unsigned, check, option->text)]
        : NULL;
}

/* Takes what was given for options that are one of some words. @given: by the index of
 * the option. Returns: false after a complaint */
static bool read_words(struct weiri_cli_check *check, char *const *given)
{
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        const struct option *option = &options[i];
        if (option->words == NULL || given[i] == NULL) {
            continue;
        }
        int found = weiri_options_find(option->words, given[i]);
        if (found < 0 && option->words == weiri_options_race_model
            && strcmp(given[i], "vulkan") == 0) {
            weiri_cli_complain("--model: weir check has no rules of Vulkan: 'weir "
                               "explore --model vulkan' has them");
            return false;
        }
        if (found < 0) {
            g_autofree char *all = weiri_options_words(option->words);
            weiri_cli_complain("--%s: '%s' is not known: give %s", option->name,
                               given[i], all);
            return false;
        }
        G_STRUCT_MEMBER(unsigned, check, option->text) = (unsigned)found;
        G_STRUCT_MEMBER(bool, check, option->given) = true;
    }
    return true;
}

/* Everything but a program. Returns: whether to go on */
static bool read_line(int argc, char **argv, struct weiri_cli_check *check, int *status)
{
    enum { N = G_N_ELEMENTS(options) };
    gboolean lockstep = FALSE;
    char *given[N] = { NULL };
    GOptionEntry entries[N + 5] = {
        [N] = { "suppress", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &check->suppress,
                "Findings to ignore; may be repeated", "FILE" },
        [N + 1] = WEIRI_CLI_JSON(&check->json),
        [N + 2] = { "no-fixes", 0, 0, G_OPTION_ARG_NONE, &check->no_fixes,
                    "Do not look for fixes", NULL },
        [N + 3] = { "lockstep", 0, 0, G_OPTION_ARG_NONE, &lockstep,
                    "Items of a sub-group advance together", NULL },
    };
    for (size_t i = 0; i < N; i++) {
        const struct option *option = &options[i];
        char **to = option->words != NULL ? &given[i] : text_of(check, option);
        entries[i] = (GOptionEntry){
            option->name, option->letter, 0, G_OPTION_ARG_FILENAME, to,
            option->help, option->value
        };
    }
    g_autofree char **words = g_new0(char *, argc + 1);
    memcpy(words, argv, (size_t)argc * sizeof(*words));
    char **left = words;
    bool parsed = weiri_cli_parse(entries, "KERNEL… | all | -- PROGRAM [ARGUMENT…]",
                                  SUMMARY, EPILOGUE, &argc, &left, status);
    *status = parsed ? WEIRI_CLI_USAGE : *status;
    parsed = parsed && read_schedules(check) && read_words(check, given);
    for (size_t i = 0; i < N; i++) {
        g_free(given[i]);
    }
    check->options.launch.lockstep = lockstep != 0;
    if (!parsed || !read_numbers(check)
        || !weiri_cli_read_time_limit(check->time_limit, &check->limit)
        || !weiri_cli_can_write("--record", check->record)
        || !weiri_cli_can_write("--sarif", check->sarif)
        || !weiri_cli_can_write("--report", check->report)
        || !weiri_cli_can_write("--patch", check->patch) || !read_search(check)) {
        return false;
    }
    if (check->program != NULL && argc > 1) {
        weiri_cli_complain("'%s': kernels and a program exclude each other", left[1]);
        return false;
    }
    return check->program != NULL ? read_program(check) : read_kernels(check, left + 1);
}

bool weiri_cli_check_read(int argc, char **argv, struct weiri_cli_check *check,
                          int *status)
{
    *check = (struct weiri_cli_check){
        .options.launch = WEIR_LAUNCH_OPTIONS,
        .why_ended = "the time limit was reached",
        .subjects = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_subject)),
        .schedules = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_schedule)),
    };
    g_array_set_clear_func(check->schedules, clear_order);
    int own = 1;
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    if (own < argc) {
        check->program = g_new0(char *, argc - own);
        memcpy(check->program, argv + own + 1,
               (size_t)(argc - own - 1) * sizeof(char *));
    }
    return read_line(own, argv, check, status);
}

void weiri_cli_check_clear(struct weiri_cli_check *check)
{
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        if (options[i].words == NULL) {
            g_clear_pointer(text_of(check, &options[i]), g_free);
        }
    }
    g_strfreev(check->suppress);
    weiri_suppress_free(check->suppressions);
    weiri_baseline_free(check->known);
    g_free(check->program);
    g_clear_pointer(&check->subjects, g_array_unref);
    g_clear_pointer(&check->schedules, g_array_unref);
}

/* ---- Again ----------------------------------------------------------------------- */

/* Appends a word as a shell reads it back. */
static void add_word(GString *line, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_./=,:+@%-";
    bool bare = word[0] != '\0' && word[strspn(word, plain)] == '\0';
    g_autofree char *quoted = bare ? g_strdup(word) : g_shell_quote(word);
    g_string_append_printf(line, " %s", quoted);
}

static void add_option(GString *line, const char *option, const char *value)
{
    if (value != NULL) {
        g_string_append_printf(line, " --%s", option);
        add_word(line, value);
    }
}

/* @shown: as the user types it; else with all that a reader of such lines needs */
static char *write_line(const struct weiri_cli_check *check,
                        const struct weiri_cli_subject *subject, const char *schedule,
                        uint64_t seed, bool shown)
{
    GString *line = g_string_new("weir check");
    bool opencl = shown && subject->kind == WEIRI_CLI_OPENCL_KERNEL;
    add_option(line, "schedule", schedule);
    /* --json prints a seed that decides nothing, too. */
    if (weiri_cli_is_seeded(schedule) || seed != DEFAULT_SEEDS[0]) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, seed);
        add_option(line, "seed", number);
    }
    if (subject->row != NULL) {
        add_word(line, subject->row->name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        /* The command adds this to a kernel of OpenCL. */
        bool implied = opencl && options[i].words == weiri_options_spaces
            && check->options.launch.spaces == WEIR_SPACES_OPENCL;
        if (options[i].kept && !implied) {
            add_option(line, options[i].name, value_of(check, &options[i]));
        }
    }
    if (check->options.launch.lockstep) {
        add_word(line, "--lockstep");
    }
    if (subject->program != NULL) {
        if (!opencl) {
            add_word(line, "--");
        }
        for (size_t i = opencl ? 1 : 0; subject->program[i] != NULL; i++) {
            add_word(line, subject->program[i]);
        }
    }
    return g_string_free(line, FALSE);
}

char *weiri_cli_shown_again(const struct weiri_cli_check *check,
                            const struct weiri_cli_subject *subject,
                            const char *schedule, uint64_t seed)
{
    if (check->shrunk == NULL) {
        return write_line(check, subject, schedule, seed, true);
    }
    GString *line = g_string_new("weir replay");
    add_word(line, check->shrunk);
    return g_string_free(line, FALSE);
}

char *weiri_cli_again(const struct weiri_cli_check *check,
                      const struct weiri_cli_subject *subject, const char *schedule,
                      uint64_t seed)
{
    return write_line(check, subject, schedule, seed, false);
}
