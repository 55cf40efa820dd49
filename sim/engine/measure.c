/* SPDX-License-Identifier: MIT
 *
 * measure.c: runs kernels some times each, on the clock, and judges every run.
 *
 * Kernels of one family and element type share an input and its sequential
 * answer, and rows stand together by family, so one input at a time suffices.
 * The clock runs around kernel_run() alone: neither making the input nor
 * judging the answer is in a time. Every run is judged, not only the last. */
#include "config.h"

#include "engine/measure.h"

#include "report/report.h"

#include <string.h>
#include <time.h>

/* More repetitions than a user waits for, and what weir_launch_options allows. */
enum { MOST_REPS = 10000, MOST_WORKERS = 256 };

/* Data that kernels of one family and element type share. */
struct data {
    const struct kernel_row *row; /* any of them; NULL before the first */
    size_t n;
    void *in;  /* owned; of the device */
    void *out; /* owned; of the device */
    struct kernel_expected expected;
};

/* ---- Settings -------------------------------------------------------------------- */

bool weiri_cli_read_settings(const char *n, const char *local, const char *workers,
                             const char *reps, struct weiri_cli_settings *settings)
{
    uint64_t threads = 0;
    if (!weiri_cli_number("--n", "elements", n, 0, UINT64_MAX, &settings->n[0])
        || !weiri_cli_number("--local", "items", local, 1, UINT32_MAX, &settings->local)
        || !weiri_cli_number("--workers", "workers", workers, 1, MOST_WORKERS, &threads)
        || !weiri_cli_number("--reps", "runs", reps, 1, MOST_REPS, &settings->reps)) {
        return false;
    }
    settings->n[1] = n != NULL ? settings->n[0] : settings->n[1];
    settings->options.workers = (uint32_t)threads;
    return true;
}

uint32_t weiri_cli_workers(const struct weiri_cli_settings *settings)
{
    return settings->options.workers > 0
        ? settings->options.workers
        : (uint32_t)weir_device_get(settings->device, WEIR_DEVICE_WORKERS);
}

/* ---- Data ------------------------------------------------------------------------ */

/* Bytes that the system can give without pushing anything out, or 0 where it
 * does not say. Linux grants more than it has, and kills a process that uses it. */
static uint64_t available_bytes(void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/meminfo", &text, NULL, NULL)) {
        return 0;
    }
    const char *field = strstr(text, "MemAvailable:");
    return field != NULL ? g_ascii_strtoull(field + 13, NULL, 10) * 1024 : 0;
}

bool weiri_cli_fits_memory(uint64_t n, GError **error)
{
    uint64_t available = available_bytes();
    double needed = (double)n * sizeof(int32_t);
    if (available == 0 || needed <= (double)available) {
        return true;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                "--n: %" PRIu64 " elements take %.1f GiB, but only %.1f GiB of "
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
        data->in = weiri_cli_fits_memory(data->n, &error)
            ? kernel_input_new(row, device, data->n, &error)
            : NULL;
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

/* ---- Measuring one kernel -------------------------------------------------------- */

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

/* Why the first launch that was ended early was, or NULL. */
static const char *why_incomplete(GPtrArray *reports)
{
    for (guint i = 0; i < reports->len; i++) {
        const char *reason = weir_report_incomplete(g_ptr_array_index(reports, i));
        if (reason != NULL) {
            return reason;
        }
    }
    return NULL;
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
    g_free(measured->incomplete);
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
    struct weir_launch_options options = settings->options;
    struct kernel_job job = { .device = settings->device,
                              .in = data->in,
                              .out = data->out,
                              .n = data->n,
                              .local = settings->local,
                              .options = &options };
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(double));
    uint64_t runs = settings->warm_ups + settings->reps;
    bool launched = true;
    for (uint64_t i = 0; launched && i < runs && measured->n_findings == 0
         && measured->incomplete == NULL;
         i++) {
        g_autofree char *line
            = g_strdup_printf("%s, run %" PRIu64 " of %" PRIu64, progress, i + 1, runs);
        weiri_cli_progress(line);
        options.time_limit_ms = weiri_cli_left_ms(&settings->limit);
        double begin = now_ms();
        launched = kernel_run(row, &job, error);
        double elapsed = now_ms() - begin;
        if (!launched) {
            break;
        }
        measured->n_findings = count_findings(job.reports);
        const char *reason = why_incomplete(job.reports);
        measured->incomplete
            = reason != NULL ? weiri_cli_why_ended(reason, &settings->limit) : NULL;
        bool last = measured->n_findings > 0 || measured->incomplete != NULL;
        if (i >= settings->warm_ups || last) {
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

/* ---- Measuring all of them ------------------------------------------------------- */

/* Prints which kernels were left out, and why; or, where that is all of them, of
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
    int status = WEIRI_CLI_CLEAN;
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        bool right = one->verdict.correct || one->incomplete != NULL;
        bool clean = right && one->n_findings == 0;
        if (!clean && (settings->named || !one->row->broken)) {
            return WEIRI_CLI_FINDINGS;
        }
        status = one->incomplete != NULL ? WEIRI_CLI_INCOMPLETE : status;
    }
    return status;
}

void weiri_cli_json_measured(JsonBuilder *builder,
                             const struct weiri_cli_measured *measured,
                             const struct weiri_cli_settings *settings)
{
    const struct kernel_row *row = measured->row;
    weiri_json_text(builder, "kernel", row->name);
    weiri_json_text(builder, "family", weiri_cli_family_name(row->family));
    weiri_json_text(builder, "element", weiri_cli_element_name(row->element));
    weiri_json_int(builder, "n", measured->n);
    weiri_json_int(builder, "local", measured->local);
    weiri_json_int(builder, "groups", measured->groups);
    weiri_json_int(builder, "workers", weiri_cli_workers(settings));
    weiri_json_int(builder, "reps", settings->reps);
    weiri_json_bool(builder, "correct",
                    measured->verdict.correct && measured->incomplete == NULL);
    weiri_json_text(builder, "incomplete", measured->incomplete);
    weiri_json_real(builder, "gb_per_s", measured->gb_per_s);
    weiri_json_bool(builder, "broken", row->broken);
    weiri_cli_json_published(builder, row);
    weiri_json_array(builder, "findings");
    for (guint i = 0; i < measured->reports->len; i++) {
        weiri_report_add_findings(builder, g_ptr_array_index(measured->reports, i));
    }
    json_builder_end_array(builder);
}
