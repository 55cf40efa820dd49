/* SPDX-License-Identifier: MIT
 *
 * run.c: `weir run`, and the measuring that `weir bench` shares with it.
 *
 * Kernels of one family and element type share an input and its sequential
 * answer, and rows stand together by family, so one input at a time suffices.
 * The clock runs around kernel_run() alone: neither making the input nor
 * judging the answer is in a time. Every run is judged, not only the last.
 *
 * `weir run` prints one JSON object for one named kernel and an array otherwise:
 *
 *   kernel, family, element, n, local, groups, workers
 *   result, expected   numbers: the sum; of a histogram the sum of all bins, or
 *                      the counts of the first bin that is wrong
 *   correct            whether every answer was right: of a histogram, in all bins
 *   wrong_bin          histograms only: that first bin, or null
 *   tolerance          float sums only: how far they may be apart
 *   ms, ms_median      best and median of the runs
 *   gb_per_s, reps, broken, published, findings */
#include "config.h"

#include "cli/cli.h"

#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Enough that launching does not count; all kernels take some seconds together. */
static const uint64_t REDUCTION_N = 1 << 22;
/* As in the histograms' source, so that times stand beside times. */
static const uint64_t HISTOGRAM_N = 10 * 1000 * 1000;

/* The first run pays for pages and threads; two more show what a run takes. */
enum { DEFAULT_REPS = 3, MOST_REPS = 10000, MOST_WORKERS = 256 };

static const char SUMMARY[]
    = "Runs kernels on generated or given data, and compares each answer with the\n"
      "sequential one. Without KERNEL it runs all of them; those that are broken on\n"
      "purpose do not count for the exit status then.";

static const char EPILOGUE[] = WEIRI_CLI_NUMBERS
    "\n\n"
    "A data file is little-endian int32, or text with one integer a line.\n"
    "'weir list' shows the kernels, and 'weir device' the profiles.";

/* What kernels of one family and element type have in common. */
struct data {
    const struct kernel_row *row; /* any of them; NULL before the first */
    size_t n;
    void *in;  /* owned; of the device */
    void *out; /* owned; of the device */
    struct kernel_expected expected;
};

/* ---- Data -------------------------------------------------------------------------- */

/* Bytes that the system can give without pushing anything out, or 0 where it
 * does not say. Linux grants more than it has, and kills who then uses it. */
static uint64_t available_bytes(void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/meminfo", &text, NULL, NULL)) {
        return 0;
    }
    const char *field = strstr(text, "MemAvailable:");
    return field != NULL ? g_ascii_strtoull(field + 13, NULL, 10) * 1024 : 0;
}

static bool fits_memory(uint64_t n)
{
    uint64_t available = available_bytes();
    double needed = (double)n * sizeof(int32_t);
    if (available == 0 || needed <= (double)available) {
        return true;
    }
    weiri_cli_complain("--n: %" PRIu64 " elements take %.1f GiB, but only %.1f GiB of "
                       "memory are available: give at most %" PRIu64,
                       n, needed / (1 << 30), (double)available / (1 << 30),
                       available / sizeof(int32_t));
    return false;
}

static void clear_data(struct data *data, struct weir_device *device)
{
    weir_free(device, data->in);
    weir_free(device, data->out);
    *data = (struct data){ 0 };
}

/* Makes @data fit for @row, if it is not. Complains where it cannot. */
static bool prepare(struct data *data, const struct kernel_row *row,
                    const struct weiri_cli_settings *settings)
{
    if (data->row != NULL && data->row->family == row->family
        && data->row->element == row->element) {
        return true;
    }
    struct weir_device *device = settings->device;
    clear_data(data, device);
    GError *error = NULL;
    if (settings->input != NULL) {
        data->in = kernel_input_read(row, device, settings->input, &data->n, &error);
    } else {
        data->n = settings->n[row->family];
        if (!fits_memory(data->n)) {
            return false;
        }
        data->in = kernel_input_new(row, device, data->n, &error);
    }
    if (data->in != NULL) {
        data->out = kernel_output_new(row, device, &error);
    }
    if (error != NULL) {
        weiri_cli_take_error(error);
        return false;
    }
    data->row = row;
    kernel_expect(row, data->in, data->n, &data->expected);
    return true;
}

/* ---- Measuring one kernel ---------------------------------------------------------- */

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static size_t count_findings(GPtrArray *reports)
{
    size_t n = 0;
    for (guint i = 0; i < reports->len; i++) {
        n += weir_report_n_findings(g_ptr_array_index(reports, i));
    }
    return n;
}

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* @times is not empty, and is sorted here. */
static void summarise(struct weiri_cli_measured *measured, GArray *times)
{
    g_array_sort(times, compare_doubles);
    const double *ms = (const double *)(void *)times->data;
    measured->ms = ms[0];
    measured->ms_median = (ms[(times->len - 1) / 2] + ms[times->len / 2]) / 2;
    if (measured->ms > 0) {
        measured->gb_per_s
            = (double)measured->n * sizeof(int32_t) / measured->ms * 1e-6;
    }
}

static void free_measured(void *data)
{
    struct weiri_cli_measured *measured = data;
    if (measured->reports != NULL) {
        g_ptr_array_unref(measured->reports);
    }
    g_free(measured);
}

/* @progress says which kernel it is. Returns: NULL with @error set, where the
 * kernel cannot be launched */
static struct weiri_cli_measured *measure(const struct kernel_row *row,
                                          const struct data *data,
                                          const struct weiri_cli_settings *settings,
                                          const char *progress, GError **error)
{
    struct weiri_cli_measured *measured = g_new0(struct weiri_cli_measured, 1);
    measured->row = row;
    measured->n = data->n;
    measured->verdict.correct = true;
    struct kernel_job job = { .device = settings->device,
                              .in = data->in,
                              .out = data->out,
                              .n = data->n,
                              .local = settings->local,
                              .options = &settings->options };
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(double));
    uint64_t runs = settings->warm_ups + settings->reps;
    bool launched = true;
    for (uint64_t i = 0; launched && i < runs && measured->n_findings == 0; i++) {
        g_autofree char *line
            = g_strdup_printf("%s, run %" PRIu64 " of %" PRIu64, progress, i + 1, runs);
        weiri_cli_progress(line);
        double begin = now_ms();
        launched = kernel_run(row, &job, error);
        double elapsed = now_ms() - begin;
        if (!launched) {
            break;
        }
        measured->n_findings = count_findings(job.reports);
        if (i >= settings->warm_ups || measured->n_findings > 0) {
            g_array_append_val(times, elapsed);
        }
        if (measured->verdict.correct) {
            measured->verdict = kernel_judge(row, &data->expected, job.out);
        }
    }
    if (!launched) {
        kernel_job_clear(&job);
        free_measured(measured);
        return NULL;
    }
    measured->local = job.local;
    measured->groups = job.groups;
    measured->reports = g_ptr_array_ref(job.reports);
    kernel_job_clear(&job);
    summarise(measured, times);
    return measured;
}

/* ---- Measuring all of them --------------------------------------------------------- */

uint32_t weiri_cli_workers(const struct weiri_cli_settings *settings)
{
    return settings->options.workers > 0
        ? settings->options.workers
        : (uint32_t)weir_device_get(settings->device, WEIR_DEVICE_WORKERS);
}

/* Tells which kernels were left out, and why; or, where that is all of them, of
 * the first only. Returns: whether any kernel ran */
static bool report_left_out(const GPtrArray *left_out, const GPtrArray *measured)
{
    for (guint i = 0; i < left_out->len && (i == 0 || measured->len > 0); i++) {
        const char *reason = g_ptr_array_index(left_out, i);
        weiri_cli_complain(measured->len > 0 ? "left out: %s" : "%s", reason);
    }
    return measured->len > 0 || left_out->len == 0;
}

GPtrArray *weiri_cli_measure(GPtrArray *rows, const struct weiri_cli_settings *settings)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_measured);
    g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
    struct data data = { 0 };
    bool failed = false;
    for (guint i = 0; !failed && i < rows->len; i++) {
        const struct kernel_row *row = g_ptr_array_index(rows, i);
        g_autofree char *progress
            = g_strdup_printf("[%u/%u] %s", i + 1, rows->len, row->name);
        weiri_cli_progress(progress);
        if (!prepare(&data, row, settings)) {
            failed = true;
            break;
        }
        g_autoptr(GError) error = NULL;
        void *measured = measure(row, &data, settings, progress, &error);
        if (measured != NULL) {
            g_ptr_array_add(all, measured);
        } else if (!settings->named
                   && g_error_matches(error, WEIR_ERROR, WEIR_ERROR_RANGE)) {
            g_ptr_array_add(left_out, g_strdup(error->message));
        } else {
            weiri_cli_complain("%s", error->message);
            failed = true;
        }
    }
    clear_data(&data, settings->device);
    weiri_cli_progress(NULL);
    if (failed || !report_left_out(left_out, all)) {
        return NULL;
    }
    return g_steal_pointer(&all);
}

int weiri_cli_judge(GPtrArray *measured, const struct weiri_cli_settings *settings)
{
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        bool clean = one->verdict.correct && one->n_findings == 0;
        if (!clean && (settings->named || !one->row->broken)) {
            return WEIRI_CLI_FINDINGS;
        }
    }
    return WEIRI_CLI_CLEAN;
}

/* ---- For people -------------------------------------------------------------------- */

static void add_verdict(GString *out, const struct weiri_cli_measured *measured)
{
    const struct kernel_verdict *verdict = &measured->verdict;
    g_autofree char *result = kernel_number_to_text(measured->row, verdict->result);
    g_autofree char *expected = kernel_number_to_text(measured->row, verdict->expected);
    g_string_append(out, measured->row->name);
    if (verdict->bin < KERNEL_BINS) {
        g_string_append_printf(out, ", bin %zu", verdict->bin);
    }
    g_string_append_printf(out, ": %s, but the sequential answer is %s\n", result,
                           expected);
}

void weiri_cli_add_defects(GString *out, GPtrArray *measured)
{
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        if (!one->verdict.correct || one->n_findings > 0) {
            g_string_append_c(out, '\n');
        }
        if (!one->verdict.correct) {
            g_string_append(out, "wrong result of ");
            add_verdict(out, one);
        }
        for (guint j = 0; j < one->reports->len; j++) {
            g_autofree char *text
                = weir_report_to_text(g_ptr_array_index(one->reports, j));
            g_string_append(out, text);
        }
    }
}

static void add_pair(struct weiri_cli_table *table, const char *name, char *value)
{
    weiri_cli_table_add(table, "%s", "");
    weiri_cli_table_add(table, "%s", name);
    weiri_cli_table_add(table, "%s", value);
    g_free(value);
}

/* One kernel, in full. */
static void add_details(GString *out, const struct weiri_cli_measured *measured,
                        const struct weiri_cli_settings *settings)
{
    const struct kernel_row *row = measured->row;
    const struct kernel_verdict *verdict = &measured->verdict;
    g_string_append_printf(out, "%s: %s\n", row->name, row->summary);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    add_pair(
        table, "elements",
        g_strdup_printf("%zu %s", measured->n, weiri_cli_element_name(row->element)));
    add_pair(table, "range",
             g_strdup_printf("%zu group%s of %zu items on %u worker%s",
                             measured->groups, measured->groups == 1 ? "" : "s",
                             measured->local, weiri_cli_workers(settings),
                             weiri_cli_workers(settings) == 1 ? "" : "s"));
    bool bins = row->family == KERNEL_HISTOGRAM;
    g_autofree char *bin = !bins     ? g_strdup("")
        : verdict->bin < KERNEL_BINS ? g_strdup_printf(" in bin %zu", verdict->bin)
                                     : g_strdup_printf(" in %d bins", KERNEL_BINS);
    g_autofree char *result = kernel_number_to_text(row, verdict->result);
    add_pair(table, "result", g_strconcat(result, bin, NULL));
    g_autofree char *expected = kernel_number_to_text(row, verdict->expected);
    g_autofree char *within = row->element == KERNEL_FLOAT
        ? g_strdup_printf(", give or take %.3g", verdict->tolerance)
        : g_strdup("");
    add_pair(table, "expected",
             g_strconcat(expected, bin, within,
                         verdict->correct ? ": right" : ": WRONG", NULL));
    add_pair(table, "time",
             g_strdup_printf("%.3f ms (best; median %.3f), %.3f GB/s", measured->ms,
                             measured->ms_median, measured->gb_per_s));
    const struct kernel_figure *figure = row->figures;
    for (; figure != NULL && figure->device != NULL; figure++) {
        g_autofree char *n = weiri_cli_count_text(figure->n);
        add_pair(
            table, "published",
            g_strdup_printf("%g ms for %s elements on %s, %.3f GB/s", figure->ms, n,
                            figure->device,
                            (double)figure->n * sizeof(int32_t) / figure->ms * 1e-6));
    }
    if (row->broken) {
        add_pair(table, "broken",
                 g_strdup("on purpose; an answer that is right is "
                          "right by luck"));
    }
    weiri_cli_table_take_text(table, out);
}

static void add_summary(GString *out, GPtrArray *measured)
{
    size_t right = 0, with_findings = 0;
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        right += one->verdict.correct;
        with_findings += one->n_findings > 0;
    }
    g_string_append_printf(out, "\n%zu of %u answers are right", right, measured->len);
    if (with_findings > 0) {
        g_string_append_printf(out, "; %zu of the kernels made findings",
                               with_findings);
    }
    g_string_append(out, ".\n");
}

/* ---- For programs ------------------------------------------------------------------ */

void weiri_cli_json_measured(JsonBuilder *builder,
                             const struct weiri_cli_measured *measured,
                             const struct weiri_cli_settings *settings)
{
    const struct kernel_row *row = measured->row;
    weiri_cli_json_text(builder, "kernel", row->name);
    weiri_cli_json_text(builder, "family", weiri_cli_family_name(row->family));
    weiri_cli_json_text(builder, "element", weiri_cli_element_name(row->element));
    weiri_cli_json_int(builder, "n", measured->n);
    weiri_cli_json_int(builder, "local", measured->local);
    weiri_cli_json_int(builder, "groups", measured->groups);
    weiri_cli_json_int(builder, "workers", weiri_cli_workers(settings));
    weiri_cli_json_int(builder, "reps", settings->reps);
    weiri_cli_json_bool(builder, "correct", measured->verdict.correct);
    weiri_cli_json_real(builder, "gb_per_s", measured->gb_per_s);
    weiri_cli_json_bool(builder, "broken", row->broken);
    weiri_cli_json_published(builder, row);
    json_builder_set_member_name(builder, "findings");
    json_builder_begin_array(builder);
    for (guint i = 0; i < measured->reports->len; i++) {
        weiri_report_add_findings(builder, g_ptr_array_index(measured->reports, i));
    }
    json_builder_end_array(builder);
}

static void json_answer(JsonBuilder *builder, const char *name,
                        const struct kernel_row *row, double number)
{
    if (row->element == KERNEL_FLOAT) {
        weiri_cli_json_real(builder, name, number);
    } else {
        json_builder_set_member_name(builder, name);
        json_builder_add_int_value(builder, (gint64)number);
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
            weiri_cli_json_real(builder, "tolerance", verdict->tolerance);
        }
        if (one->row->family == KERNEL_HISTOGRAM && verdict->bin < KERNEL_BINS) {
            weiri_cli_json_int(builder, "wrong_bin", verdict->bin);
        } else if (one->row->family == KERNEL_HISTOGRAM) {
            weiri_cli_json_text(builder, "wrong_bin", NULL);
        }
        weiri_cli_json_real(builder, "ms", one->ms);
        weiri_cli_json_real(builder, "ms_median", one->ms_median);
        json_builder_end_object(builder);
    }
    if (array) {
        json_builder_end_array(builder);
    }
    return weiri_cli_json_take(builder);
}

static char *to_csv(GPtrArray *measured)
{
    static const char *const headings[]
        = { "kernel",   "family",   "n",       "local", "groups",
            "result",   "expected", "correct", "ms",    "ms_median",
            "gb_per_s", "findings", "broken" };
    struct weiri_cli_table *table = weiri_cli_table_new("lllllllllllll");
    for (size_t i = 0; i < G_N_ELEMENTS(headings); i++) {
        weiri_cli_table_add(table, "%s", headings[i]);
    }
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        g_autofree char *result = kernel_number_to_text(one->row, one->verdict.result);
        g_autofree char *expected
            = kernel_number_to_text(one->row, one->verdict.expected);
        weiri_cli_table_add(table, "%s", one->row->name);
        weiri_cli_table_add(table, "%s", weiri_cli_family_name(one->row->family));
        weiri_cli_table_add(table, "%zu", one->n);
        weiri_cli_table_add(table, "%zu", one->local);
        weiri_cli_table_add(table, "%zu", one->groups);
        weiri_cli_table_add(table, "%s", result);
        weiri_cli_table_add(table, "%s", expected);
        weiri_cli_table_add(table, "%s", one->verdict.correct ? "true" : "false");
        weiri_cli_table_add(table, "%.6f", one->ms);
        weiri_cli_table_add(table, "%.6f", one->ms_median);
        weiri_cli_table_add(table, "%.6f", one->gb_per_s);
        weiri_cli_table_add(table, "%zu", one->n_findings);
        weiri_cli_table_add(table, "%s", one->row->broken ? "true" : "false");
    }
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

static char *to_text(GPtrArray *measured, const struct weiri_cli_settings *settings)
{
    GString *out = g_string_new(NULL);
    if (settings->named && measured->len == 1) {
        add_details(out, g_ptr_array_index(measured, 0), settings);
        weiri_cli_add_defects(out, measured);
    } else {
        weiri_cli_add_variants(out, measured, settings, 0);
        weiri_cli_add_defects(out, measured);
        add_summary(out, measured);
    }
    return g_string_free(out, FALSE);
}

/* ---- The command ------------------------------------------------------------------- */

/* What the options say, as text; all owned. */
struct texts {
    char *n, *local, *workers, *reps, *input, *device, *sub_group, *stack;
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
}

static bool read_settings(const struct texts *texts,
                          struct weiri_cli_settings *settings)
{
    uint64_t workers = 0, sub_group = 0, stack_bytes = 0;
    if (!weiri_cli_number("--n", "elements", texts->n, 0, UINT64_MAX, &settings->n[0])
        || !weiri_cli_number("--local", "items", texts->local, 1, UINT32_MAX,
                             &settings->local)
        || !weiri_cli_number("--workers", "workers", texts->workers, 1, MOST_WORKERS,
                             &workers)
        || !weiri_cli_number("--reps", "runs", texts->reps, 1, MOST_REPS,
                             &settings->reps)
        || !weiri_cli_number("--sub-group", "items", texts->sub_group, 1, 63,
                             &sub_group)
        || !weiri_cli_number("--stack-bytes", "bytes", texts->stack, 1, UINT32_MAX,
                             &stack_bytes)) {
        return false;
    }
    settings->n[1] = texts->n != NULL ? settings->n[0] : settings->n[1];
    settings->options.workers = (uint32_t)workers;
    settings->options.sub_group_size = (uint32_t)sub_group;
    settings->options.stack_bytes = stack_bytes;
    settings->input = texts->input;
    if (settings->input != NULL && texts->n != NULL) {
        weiri_cli_complain("--n and --input exclude each other");
        return false;
    }
    if (settings->input != NULL && !settings->named) {
        weiri_cli_complain("--input: name the kernels that are to run on it");
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
        { "local", 'l', 0, G_OPTION_ARG_FILENAME, &texts.local,
          "Items of a group (default: the kernel's own)", "L" },
        { "workers", 'w', 0, G_OPTION_ARG_FILENAME, &texts.workers,
          "Threads (default: one a processor)", "W" },
        { "reps", 'r', 0, G_OPTION_ARG_FILENAME, &texts.reps,
          "Runs of each kernel; the best one's time is shown (default: 3)", "R" },
        { "input", 'i', 0, G_OPTION_ARG_FILENAME, &texts.input,
          "Read the elements from a file", "FILE" },
        { "device", 'd', 0, G_OPTION_ARG_FILENAME, &texts.device,
          "Device profile (default: default)", "PROFILE" },
        { "sub-group", 0, 0, G_OPTION_ARG_FILENAME, &texts.sub_group,
          "Items of a sub-group (default: the device's)", "S" },
        { "stack-bytes", 0, 0, G_OPTION_ARG_FILENAME, &texts.stack,
          "Stack of an item (default: 64Ki)", "B" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        { "csv", 0, 0, G_OPTION_ARG_NONE, &csv, "Print CSV", NULL },
        { 0 },
    };
    int status;
    if (weiri_cli_parse(entries, "[KERNEL…]", SUMMARY, EPILOGUE, &argc, &argv,
                        &status)) {
        status = run(argv + 1, &texts, json, csv);
    }
    clear_texts(&texts);
    return status;
}
