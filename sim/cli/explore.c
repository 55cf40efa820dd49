/* SPDX-License-Identifier: MIT
 *
 * explore.c: `weir explore`: all executions of a kernel that a memory model allows.
 *
 * `--json` prints an object a launch, in an array:
 *
 *   test, model
 *   states        [{state, executions, holds}]: what memory differs in from the start
 *   observation   whether the answer is right in the complete executions: "Always",
 *                 "Sometimes" or "Never"
 *   positive, negative, race, races, executions, blocked, cut, complete
 *   histories, locations, seconds
 *   findings      as of weir check */
#include "config.h"

#include "cli/cli.h"
#include "cli/measure.h"

#include "report/report.h"

#include <string.h>

static const char SUMMARY[]
    = "Explores every execution of a kernel that a memory model allows, at a small\n"
      "size. Prints final states of memory, races, wrong answers, and executions\n"
      "that never end.";

static const char EPILOGUE[]
    = "Models: sycl, the default; sycl-split; rc11; sc. 'man weir-litmus' describes\n"
      "them.\n"
      "\n"
      "Exit status: 0 every execution is right; 1 one of them has a race or a wrong\n"
      "answer, fails an assertion, or does not end; 2 an error; 3 a limit was\n"
      "reached, so that there may be more executions.\n"
      "\n" WEIRI_CLI_NUMBERS;

/* The sizes of the default: two groups of two items. */
enum { DEFAULT_LOCAL = 2, DEFAULT_GROUPS = 2 };

/* What the options say, as text; all owned. */
struct texts {
    char *n, *input, *local, *model, *executions, *time_limit, *device, *sub_group;
};

struct exploring {
    const struct kernel_row *row;
    struct kernel_expected expected;
    const struct kernel_job *job;
    guint n_launches; /* of the row */
    struct weir_launch_options options;
    struct weiri_cli_limit limit;
    double seconds;
};

/* The post-condition of built-in kernels: after the last launch the answer in memory is
 * right. */
static bool is_right(const void *args, void *user)
{
    const struct exploring *exploring = user;
    const struct kernel_job *job = exploring->job;
    (void)args;
    return job->reports->len + 1 < exploring->n_launches
        || kernel_judge(exploring->row, &exploring->expected, job->out).correct;
}

/* ---- For people ------------------------------------------------------------------ */

static const char *observation_of(const struct weir_exploration *found)
{
    return found->positive == 0 ? "Never"
        : found->negative == 0  ? "Always"
                                : "Sometimes";
}

static void add_states(GString *out, const struct weir_exploration *found)
{
    struct weiri_cli_table *table = weiri_cli_table_new("rl");
    weiri_cli_table_add(table, "executions\tfinal state");
    for (size_t i = 0; i < found->n_states; i++) {
        const struct weir_explored_state *state = &found->states[i];
        weiri_cli_table_add(table, "%" PRIu64 "\t%s%s", state->executions,
                            state->text[0] != '\0' ? state->text : "as at the start",
                            state->holds ? "" : "  !");
    }
    weiri_cli_table_take_text(table, out);
}

/* "17 executions, 2 of them with a race, and 1 that never ends" */
static void add_counts(GString *out, const struct weir_exploration *found)
{
    g_string_append_printf(out, "%s: %" PRIu64 " execution%s",
                           found->complete ? "exhaustive" : "incomplete",
                           found->executions, found->executions == 1 ? "" : "s");
    if (found->racy > 0) {
        g_string_append_printf(out, ", %" PRIu64 " of them with a race", found->racy);
    }
    if (found->negative > 0) {
        g_string_append_printf(out, ", %" PRIu64 " with a wrong result (!)",
                               found->negative);
    }
    if (found->blocked > 0) {
        g_string_append_printf(out, "; %" PRIu64 " more that never end%s",
                               found->blocked, found->blocked == 1 ? "s" : "");
    }
    if (found->cut > 0) {
        g_string_append_printf(out, "; %" PRIu64 " more that took too many steps",
                               found->cut);
    }
    g_string_append_printf(out, "; %" PRIu64 " histories of items, %u location%s\n",
                           found->histories, found->locations,
                           found->locations == 1 ? "" : "s");
    if (found->racy > 0 && found->positive + found->negative == 0) {
        g_string_append(out,
                        "An execution ends at its first race; --plain-events shows "
                        "what it leads to.\n");
    }
}

static void add_launch(GString *out, const struct weir_report *report, guint launch,
                       guint n_launches)
{
    const struct weir_exploration *found = weir_report_exploration(report);
    if (found == NULL) {
        return;
    }
    if (n_launches > 1) {
        g_string_append_printf(out, "%slaunch %u of %u\n", launch > 1 ? "\n" : "",
                               launch, n_launches);
    }
    if (found->refused != NULL) {
        g_string_append_printf(out, "cannot be explored: %s\n", found->refused);
        return;
    }
    if (found->n_states > 0) {
        add_states(out, found);
        g_string_append_c(out, '\n');
    }
    g_autofree char *text = weir_report_to_text(report);
    g_string_append_printf(out, "%s%s", text, text[0] != '\0' ? "\n" : "");
    add_counts(out, found);
}

/* ---- For programs ---------------------------------------------------------------- */

static void json_launch(JsonBuilder *builder, const struct exploring *exploring,
                        const struct weir_report *report)
{
    const struct weir_exploration *found = weir_report_exploration(report);
    json_builder_begin_object(builder);
    weiri_json_text(builder, "test", exploring->row->name);
    weiri_json_text(builder, "model", found->model);
    weiri_json_text(builder, "refused", found->refused);
    json_builder_set_member_name(builder, "states");
    json_builder_begin_array(builder);
    for (size_t i = 0; i < found->n_states; i++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "state", found->states[i].text);
        weiri_json_int(builder, "executions", found->states[i].executions);
        weiri_json_bool(builder, "holds", found->states[i].holds);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    weiri_json_text(builder, "observation", observation_of(found));
    weiri_json_int(builder, "positive", found->positive);
    weiri_json_int(builder, "negative", found->negative);
    weiri_json_bool(builder, "race", found->racy > 0);
    weiri_json_int(builder, "executions", found->executions);
    weiri_json_int(builder, "racy", found->racy);
    weiri_json_int(builder, "blocked", found->blocked);
    weiri_json_int(builder, "cut", found->cut);
    weiri_json_bool(builder, "complete", found->complete);
    weiri_json_int(builder, "histories", found->histories);
    weiri_json_int(builder, "locations", found->locations);
    weiri_json_array(builder, "findings");
    weiri_report_add_findings(builder, report);
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

/* ---- The command ----------------------------------------------------------------- */

static int status_of(const GPtrArray *reports)
{
    int status = WEIRI_CLI_CLEAN;
    for (guint i = 0; i < reports->len; i++) {
        const struct weir_report *report = g_ptr_array_index((GPtrArray *)reports, i);
        const struct weir_exploration *found = weir_report_exploration(report);
        bool refused = found != NULL && found->refused != NULL;
        bool wrong = weir_report_n_defects(report) > 0
            || (found != NULL && (found->blocked > 0 || found->racy > 0));
        int one = refused                            ? WEIRI_CLI_USAGE
            : wrong                                  ? WEIRI_CLI_FINDINGS
            : found != NULL && !found->complete      ? WEIRI_CLI_INCOMPLETE
            : weir_report_incomplete(report) != NULL ? WEIRI_CLI_INCOMPLETE
                                                     : WEIRI_CLI_CLEAN;
        status = status == WEIRI_CLI_FINDINGS ? status : MAX(status, one);
        status = one == WEIRI_CLI_FINDINGS ? one : status;
    }
    return status;
}

/* How many launches a run of the row makes. */
static bool count_launches(struct exploring *exploring, struct kernel_job job,
                           GError **error)
{
    struct weir_launch_options options
        = { .schedule = "in-order",
            .sub_group_size = exploring->options.sub_group_size };
    job.options = &options;
    bool done = kernel_run(exploring->row, &job, error);
    exploring->n_launches = done ? job.reports->len : 0;
    kernel_job_clear(&job);
    return done;
}

/* Runs the row once with everything explored. Returns: the exit status */
static int explore_row(struct exploring *exploring, struct weir_device *device,
                       const char *input, size_t n, size_t local, bool json)
{
    GError *error = NULL;
    const struct kernel_row *row = exploring->row;
    struct kernel_job job
        = { .device = device, .local = local, .options = &exploring->options };
    job.in = input != NULL ? kernel_input_read(row, device, input, &n, &error)
                           : kernel_input_new(row, device, n, &error);
    job.n = n;
    job.out = job.in != NULL ? kernel_output_new(row, device, &error) : NULL;
    if (job.out == NULL) {
        return weiri_cli_take_error(error);
    }
    exploring->job = &job;
    kernel_expect(row, job.in, n, &exploring->expected);
    if (!count_launches(exploring, job, &error) || !kernel_run(row, &job, &error)) {
        kernel_job_clear(&job);
        return weiri_cli_take_error(error);
    }
    int status = status_of(job.reports);
    char *text;
    if (json) {
        JsonBuilder *builder = json_builder_new();
        json_builder_begin_array(builder);
        for (guint i = 0; i < job.reports->len; i++) {
            json_launch(builder, exploring, g_ptr_array_index(job.reports, i));
        }
        json_builder_end_array(builder);
        text = weiri_json_take(builder);
    } else {
        GString *out = g_string_new(NULL);
        g_string_append_printf(out, "%s, %zu elements, groups of %zu, model %s\n\n",
                               row->name, n, job.local, exploring->options.explore);
        for (guint i = 0; i < job.reports->len; i++) {
            add_launch(out, g_ptr_array_index(job.reports, i), i + 1, job.reports->len);
        }
        text = g_string_free(out, FALSE);
    }
    kernel_job_clear(&job);
    return weiri_cli_finish(text, status);
}

static bool read_options(const struct texts *texts, struct exploring *exploring,
                         uint64_t *n, uint64_t *local)
{
    uint64_t sub_group = 0;
    *local = DEFAULT_LOCAL;
    if (!weiri_cli_number("--local", "items", texts->local, 1, UINT32_MAX, local)) {
        return false;
    }
    *n = *local * DEFAULT_GROUPS;
    if (!weiri_cli_number("--n", "elements", texts->n, 0, UINT32_MAX, n)
        || !weiri_cli_number("--max-executions", "executions", texts->executions, 1,
                             UINT64_MAX, &exploring->options.max_executions)
        || !weiri_cli_number("--sub-group", "items", texts->sub_group, 1, 63,
                             &sub_group)
        || !weiri_cli_read_time_limit(texts->time_limit, &exploring->limit)) {
        return false;
    }
    exploring->options.sub_group_size = (uint32_t)sub_group;
    exploring->options.explore = texts->model != NULL ? texts->model : "sycl";
    exploring->options.time_limit_ms = weiri_cli_left_ms(&exploring->limit);
    exploring->options.post_condition = is_right;
    exploring->options.post_condition_user = exploring;
    return true;
}

static int explore(char *const *names, const struct texts *texts, bool plain_events,
                   bool json)
{
    if (names[0] == NULL || names[1] != NULL) {
        return weiri_cli_complain("give one kernel; 'weir list' shows them");
    }
    if (texts->n != NULL && texts->input != NULL) {
        return weiri_cli_complain("--n and --input exclude each other");
    }
    struct exploring exploring = { .options = { .plain_events = plain_events } };
    uint64_t n, local;
    if (!read_options(texts, &exploring, &n, &local)) {
        return WEIRI_CLI_USAGE;
    }
    g_autoptr(GPtrArray) rows = weiri_cli_find_kernels(names);
    if (rows == NULL) {
        return WEIRI_CLI_USAGE;
    }
    GError *error = NULL;
    struct weir_device *device
        = weir_device_new(texts->device != NULL ? texts->device : "default", &error);
    if (device == NULL) {
        return weiri_cli_take_error(error);
    }
    exploring.row = g_ptr_array_index(rows, 0);
    int status = explore_row(&exploring, device, texts->input, n, local, json);
    weir_device_free(device);
    return status;
}

int weiri_cli_explore(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, plain_events = FALSE;
    const GOptionEntry entries[] = {
        { "model", 'm', 0, G_OPTION_ARG_FILENAME, &texts.model,
          "The memory model (default: sycl)", "MODEL" },
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements (default: two groups of one each)", "N" },
        { "input", 'i', 0, G_OPTION_ARG_FILENAME, &texts.input,
          "Read the elements from a file", "FILE" },
        { "local", 'l', 0, G_OPTION_ARG_FILENAME, &texts.local,
          "Items of a group (default: 2)", "L" },
        { "device", 'd', 0, G_OPTION_ARG_FILENAME, &texts.device,
          "Device profile (default: default)", "PROFILE" },
        { "sub-group", 0, 0, G_OPTION_ARG_FILENAME, &texts.sub_group,
          "Items of a sub-group (default: the device's)", "S" },
        { "plain-events", 0, 0, G_OPTION_ARG_NONE, &plain_events,
          "Explore what follows a race, too", NULL },
        { "max-executions", 0, 0, G_OPTION_ARG_FILENAME, &texts.executions,
          "End after so many executions", "N" },
        WEIRI_CLI_TIME_LIMIT(&texts.time_limit),
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        { 0 },
    };
    int status;
    if (weiri_cli_parse(entries, "KERNEL", SUMMARY, EPILOGUE, &argc, &argv, &status)) {
        status = explore(argv + 1, &texts, plain_events, json);
    }
    g_free(texts.n);
    g_free(texts.input);
    g_free(texts.local);
    g_free(texts.model);
    g_free(texts.executions);
    g_free(texts.time_limit);
    g_free(texts.device);
    g_free(texts.sub_group);
    return status;
}
