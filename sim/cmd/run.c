/* SPDX-License-Identifier: MIT
 *
 * run.c: `weir run`: one kernel in full, or a table of several.
 *
 * `--json` prints one object for one named kernel, and an array otherwise:
 *
 *   kernel, family, element, n, local, groups, workers
 *   result, expected   numbers: the sum; of a histogram the sum of all bins, or
 *                      the counts of the first bin that is wrong
 *   correct            whether every answer was right: of a histogram, in all bins
 *   incomplete         why a run was ended early, or null
 *   wrong_bin          histograms only: that first bin, or null
 *   tolerance          float sums only: how far they may be apart
 *   ms, ms_median      best and median of the runs
 *   gb_per_s, reps, broken, published, findings */
#include "config.h"

#include "cli/child.h"
#include "cli/cli.h"
#include "engine/measure.h"

#include "report/report.h"

/* Enough that launching does not count; all kernels take some seconds together. */
static const uint64_t REDUCTION_N = 1 << 22;
/* As in the histograms' source, so that times stand beside times. */
static const uint64_t HISTOGRAM_N = 10 * 1000 * 1000;

/* The first run pays for pages and threads; two more show what a run takes. */
enum { DEFAULT_REPS = 3 };

static const char SUMMARY[]
    = "Runs kernels on generated or given data, and compares each answer with the\n"
      "sequential one. Without KERNEL it runs all of them; kernels that are broken\n"
      "on purpose then do not affect the exit status.";

static const char EPILOGUE[] = WEIRI_CLI_NUMBERS
    "\n\n"
    "After -- a program of OpenCL runs as it is; it sees no platform but Weir's.\n\n"
    "A data file is little-endian int32, or text with one integer a line.\n"
    "'weir list' shows the kernels, and 'weir device' the profiles.";

/* ---- For people ------------------------------------------------------------------ */

/* One kernel, in full. */
static void add_details(GString *out, const struct weiri_cli_measured *measured,
                        const struct weiri_cli_settings *settings)
{
    const struct kernel_row *row = measured->row;
    const struct kernel_verdict *verdict = &measured->verdict;
    g_string_append_printf(out, "%s: %s\n", row->name, row->summary);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    weiri_cli_table_add(table, "\telements\t%zu %s", measured->n,
                        weiri_cli_element_name(row->element));
    uint32_t workers = weiri_cli_workers(settings);
    weiri_cli_table_add(table, "\trange\t%zu group%s of %zu items on %u worker%s",
                        measured->groups, measured->groups == 1 ? "" : "s",
                        measured->local, workers, workers == 1 ? "" : "s");
    bool bins = row->family == KERNEL_HISTOGRAM;
    g_autofree char *bin = !bins     ? g_strdup("")
        : verdict->bin < KERNEL_BINS ? g_strdup_printf(" in bin %zu", verdict->bin)
                                     : g_strdup_printf(" in %d bins", KERNEL_BINS);
    g_autofree char *result = kernel_number_to_text(row, verdict->result);
    weiri_cli_table_add(table, "\tresult\t%s%s", result, bin);
    g_autofree char *expected = kernel_number_to_text(row, verdict->expected);
    g_autofree char *within = row->element == KERNEL_FLOAT
        ? g_strdup_printf(", give or take %.3g", verdict->tolerance)
        : g_strdup("");
    weiri_cli_table_add(table, "\texpected\t%s%s%s%s", expected, bin, within,
                        measured->incomplete != NULL ? ""
                            : verdict->correct       ? ": right"
                                                     : ": WRONG");
    if (measured->incomplete != NULL) {
        weiri_cli_table_add(table, "\tincomplete\t%s", measured->incomplete);
    }
    weiri_cli_table_add(table, "\ttime\t%.3f ms (best; median %.3f), %.3f GB/s",
                        measured->ms, measured->ms_median, measured->gb_per_s);
    const struct kernel_figure *figure = row->figures;
    for (; figure != NULL && figure->device != NULL; figure++) {
        g_autofree char *n = weiri_cli_count_text(figure->n);
        weiri_cli_table_add(
            table, "\tpublished\t%g ms for %s elements on %s, %.3f GB/s", figure->ms, n,
            figure->device, weiri_cli_gb_per_s(figure->n, figure->ms));
    }
    if (row->broken) {
        weiri_cli_table_add(table, "\tbroken\ton purpose; a correct answer is luck");
    }
    weiri_cli_table_take_text(table, out);
    for (guint i = 0; i < measured->reports->len; i++) {
        g_autofree char *text
            = weir_report_to_text(g_ptr_array_index(measured->reports, i));
        g_string_append_printf(out, "%s%s", text[0] != '\0' ? "\n" : "", text);
    }
}

static void add_summary(GString *out, GPtrArray *measured)
{
    size_t right = 0, with_findings = 0, incomplete = 0;
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        right += one->verdict.correct && one->incomplete == NULL;
        incomplete += one->incomplete != NULL;
        with_findings += one->n_findings > 0;
    }
    g_string_append_printf(out, "%zu of %u answers are right", right, measured->len);
    if (with_findings > 0) {
        g_string_append_printf(out, "; %zu of the kernels made findings",
                               with_findings);
    }
    if (incomplete > 0) {
        g_string_append_printf(out, "; %zu of the kernels were ended early",
                               incomplete);
    }
    g_string_append(out, ".\n");
}

static char *to_text(GPtrArray *measured, const struct weiri_cli_settings *settings)
{
    GString *out = g_string_new(NULL);
    if (settings->named && measured->len == 1) {
        add_details(out, g_ptr_array_index(measured, 0), settings);
    } else {
        weiri_cli_add_variants(out, measured, settings, 0);
        weiri_cli_add_defects(out, measured);
        add_summary(out, measured);
    }
    return g_string_free(out, FALSE);
}

/* ---- For programs ---------------------------------------------------------------- */

static void json_answer(JsonBuilder *builder, const char *name,
                        const struct kernel_row *row, double number)
{
    if (row->element == KERNEL_FLOAT) {
        weiri_json_real(builder, name, number);
    } else {
        weiri_json_int(builder, name, (gint64)number);
    }
}

static char *to_json(GPtrArray *measured, const struct weiri_cli_settings *settings)
{
    bool array = !settings->named || measured->len != 1;
    JsonBuilder *builder = json_builder_new();
    if (array) {
        json_builder_begin_array(builder);
    }
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        const struct kernel_verdict *verdict = &one->verdict;
        json_builder_begin_object(builder);
        weiri_cli_json_measured(builder, one, settings);
        json_answer(builder, "result", one->row, verdict->result);
        json_answer(builder, "expected", one->row, verdict->expected);
        if (one->row->element == KERNEL_FLOAT) {
            weiri_json_real(builder, "tolerance", verdict->tolerance);
        }
        if (one->row->family == KERNEL_HISTOGRAM && verdict->bin < KERNEL_BINS) {
            weiri_json_int(builder, "wrong_bin", verdict->bin);
        } else if (one->row->family == KERNEL_HISTOGRAM) {
            weiri_json_text(builder, "wrong_bin", NULL);
        }
        weiri_json_real(builder, "ms", one->ms);
        weiri_json_real(builder, "ms_median", one->ms_median);
        json_builder_end_object(builder);
    }
    if (array) {
        json_builder_end_array(builder);
    }
    return weiri_json_take(builder);
}

static char *to_csv(GPtrArray *measured)
{
    struct weiri_cli_table *table = weiri_cli_table_new("lllllllllllll");
    weiri_cli_table_add(table,
                        "kernel\tfamily\tn\tlocal\tgroups\tresult\texpected\tcorrect\t"
                        "ms\tms_median\tgb_per_s\tfindings\tbroken");
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        g_autofree char *result = kernel_number_to_text(one->row, one->verdict.result);
        g_autofree char *expected
            = kernel_number_to_text(one->row, one->verdict.expected);
        bool correct = one->verdict.correct && one->incomplete == NULL;
        weiri_cli_table_add(
            table, "%s\t%s\t%zu\t%zu\t%zu\t%s\t%s\t%s\t%.6f\t%.6f\t%.6f\t%zu\t%s",
            one->row->name, weiri_cli_family_name(one->row->family), one->n, one->local,
            one->groups, result, expected, correct ? "true" : "false", one->ms,
            one->ms_median, one->gb_per_s, one->n_findings,
            one->row->broken ? "true" : "false");
    }
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

/* ---- The command ----------------------------------------------------------------- */

/* The values of the options, as text; all owned. */
struct texts {
    char *n, *local, *workers, *reps, *input, *device, *sub_group, *stack, *time_limit;
    gboolean stackful;
};

static void clear_texts(struct texts *texts)
{
    g_free(texts->n);
    g_free(texts->local);
    g_free(texts->workers);
    g_free(texts->reps);
    g_free(texts->input);
    g_free(texts->device);
    g_free(texts->sub_group);
    g_free(texts->stack);
    g_free(texts->time_limit);
}

static bool read_settings(const struct texts *texts,
                          struct weiri_cli_settings *settings)
{
    uint64_t sub_group = 0, stack_bytes = 0;
    if (!weiri_cli_read_settings(texts->n, texts->local, texts->workers, texts->reps,
                                 settings)
        || !weiri_cli_number("--sub-group", "items", texts->sub_group, 1, 63,
                             &sub_group)
        || !weiri_cli_number("--stack-bytes", "bytes", texts->stack, 1, UINT32_MAX,
                             &stack_bytes)
        || (texts->time_limit != NULL
            && !weiri_cli_read_time_limit(texts->time_limit, &settings->limit))) {
        return false;
    }
    settings->options.sub_group_size = (uint32_t)sub_group;
    settings->options.stack_bytes = stack_bytes;
    settings->options.stackful = texts->stackful;
    settings->input = texts->input;
    if (settings->input != NULL && texts->n != NULL) {
        weiri_cli_complain("--n and --input exclude each other");
        return false;
    }
    if (settings->input != NULL && !settings->named) {
        weiri_cli_complain("--input: name the kernels to run on it");
        return false;
    }
    return true;
}

static GPtrArray *all_rows(void)
{
    GPtrArray *rows = g_ptr_array_new();
    for (const struct kernel_row *const *row = kernel_rows; *row != NULL; row++) {
        g_ptr_array_add(rows, (void *)*row);
    }
    return rows;
}

/* Returns: the exit status */
static int run(char *const *names, const struct texts *texts, bool json, bool csv)
{
    if (json && csv) {
        return weiri_cli_complain("--json and --csv exclude each other");
    }
    struct weiri_cli_settings settings = { .n = { REDUCTION_N, HISTOGRAM_N },
                                           .reps = DEFAULT_REPS,
                                           .named = names[0] != NULL };
    if (!read_settings(texts, &settings)) {
        return WEIRI_CLI_USAGE;
    }
    g_autoptr(GPtrArray) rows
        = settings.named ? weiri_cli_find_kernels(names) : all_rows();
    if (rows == NULL) {
        return WEIRI_CLI_USAGE;
    }
    GError *error = NULL;
    const char *profile = texts->device != NULL ? texts->device : "default";
    settings.device = weir_device_new(profile, &error);
    if (settings.device == NULL) {
        return weiri_cli_take_error(error);
    }
    int status = WEIRI_CLI_USAGE;
    g_autoptr(GPtrArray) measured = weiri_cli_measure(rows, &settings);
    if (measured != NULL) {
        char *text = json ? to_json(measured, &settings)
            : csv         ? to_csv(measured)
                          : to_text(measured, &settings);
        status = weiri_cli_finish(text, weiri_cli_judge(measured, &settings));
    }
    weir_device_free(settings.device);
    return status;
}

int weiri_cli_run(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, csv = FALSE;
    const GOptionEntry entries[] = {
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements (default: 2^22; for histograms 10M)", "N" },
        WEIRI_CLI_LOCAL(&texts.local),
        WEIRI_CLI_WORKERS(&texts.workers),
        { "reps", 'r', 0, G_OPTION_ARG_FILENAME, &texts.reps,
          "Runs of a kernel; the fastest counts (default: 3)", "R" },
        WEIRI_CLI_INPUT(&texts.input),
        WEIRI_CLI_DEVICE(&texts.device),
        WEIRI_CLI_SUB_GROUP(&texts.sub_group),
        { "stack-bytes", 0, 0, G_OPTION_ARG_FILENAME, &texts.stack,
          "Stack of an item (default: 64Ki)", "B" },
        WEIRI_CLI_STACKFUL(&texts.stackful),
        { "time-limit", 't', 0, G_OPTION_ARG_FILENAME, &texts.time_limit,
          "End after SECONDS (default: none)", "SECONDS" },
        WEIRI_CLI_JSON(&json),
        WEIRI_CLI_CSV(&csv),
        { 0 },
    };
    int status;
    if (argc > 1 && strcmp(argv[1], "--") == 0) {
        return argc > 2 ? weiri_cli_platform_run(argv + 2)
                        : weiri_cli_complain("name a program after --");
    }
    if (weiri_cli_parse(entries, "[KERNEL…] | -- PROGRAM [ARGUMENT…]", SUMMARY,
                        EPILOGUE, &argc, &argv, &status)) {
        status = run(argv + 1, &texts, json, csv);
    }
    clear_texts(&texts);
    return status;
}
