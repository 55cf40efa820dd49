/* SPDX-License-Identifier: MIT
 *
 * bench.c: `weir bench`: the table of variants beside the published times and the times
 * of their twins in CUDA, and the same as a chart.
 *
 * With --sycl, bench-sycl.c has another table.
 *
 * A kernel that is broken on purpose is measured only if it is named, since the time of
 * a wrong answer has no meaning.
 *
 * `--json` prints an array of objects: what weiri_cli_json_measured() gives, and
 * ms_best, ms_median, bandwidth_share (of the machine's read bandwidth, which is
 * in machine_gb_per_s), twin: {device, n, ms}, or null where there is none. */
#include "config.h"

#include "bench/bench.h"

#include "cli/program.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 64 MiB: more than most caches hold. */
static const uint64_t REDUCTION_N = 1 << 24;
/* As in the histograms' source, so that times stand beside times. */
static const uint64_t HISTOGRAM_N = 10 * 1000 * 1000;

enum { DEFAULT_REPS = 5, WARM_UPS = 1 };

static const char SUMMARY[]
    = "Times kernels, and shows published figures next to the times. Without KERNEL\n"
      "it times all kernels except those that are broken on purpose. Each kernel\n"
      "first runs once untimed.";

static const char EPILOGUE[] = WEIRI_CLI_NUMBERS
    "\n\n"
    "GB/s are 10^9 bytes of input a second, in the best run. The share compares this\n"
    "with the rate of as many threads that only read memory; it exceeds 100 % if the\n"
    "input is in a cache.";

/* ---- Output ---------------------------------------------------------------------- */

static char *to_text(GPtrArray *measured, const struct weiri_cli_settings *settings,
                     double read_gb_per_s)
{
    GString *out = g_string_new(NULL);
    weiri_cli_add_variants(out, measured, settings, read_gb_per_s);
    weiri_cli_add_defects(out, measured);
    g_string_append_printf(out,
                           "A share of 100 %% is %.2f GB/s: as many threads that only "
                           "read memory here.\n",
                           read_gb_per_s);
    g_string_append(out,
                    "A share exceeds 100 % if a cache holds the input, or if the "
                    "machine was busier when memory was measured.\n");
    return g_string_free(out, FALSE);
}

static char *to_json(GPtrArray *measured, const struct weiri_cli_settings *settings,
                     double read_gb_per_s)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        json_builder_begin_object(builder);
        weiri_cli_json_measured(builder, one, settings);
        weiri_json_real(builder, "ms_best", one->ms);
        weiri_json_real(builder, "ms_median", one->ms_median);
        weiri_json_real(builder, "bandwidth_share", one->gb_per_s / read_gb_per_s);
        weiri_json_real(builder, "machine_gb_per_s", read_gb_per_s);
        if (one->row->twin.device != NULL) {
            weiri_json_object(builder, "twin");
            weiri_cli_json_figure(builder, &one->row->twin);
            json_builder_end_object(builder);
        } else {
            weiri_json_null(builder, "twin");
        }
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_json_take(builder);
}

/* Times of figures are in columns named after their devices. */
static char *to_csv(GPtrArray *measured, double read_gb_per_s)
{
    g_autoptr(GPtrArray) devices = weiri_cli_list_devices(measured, true);
    enum { N_COLUMNS = 11 };
    g_autofree char *columns = g_strnfill(N_COLUMNS + 2 * devices->len, 'l');
    struct weiri_cli_table *table = weiri_cli_table_new(columns);
    weiri_cli_table_add(table,
                        "kernel\tfamily\tn\tlocal\tms_best\tms_median\tgb_per_s\t"
                        "bandwidth_share\tcorrect\tfindings\tbroken");
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        weiri_cli_table_add(table, "%s n\t%s ms", first->device, first->device);
    }
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        weiri_cli_table_add(
            table, "%s\t%s\t%zu\t%zu\t%.6f\t%.6f\t%.6f\t%.6f\t%s\t%zu\t%s",
            one->row->name, weiri_cli_family_name(one->row->family), one->n, one->local,
            one->ms, one->ms_median, one->gb_per_s, one->gb_per_s / read_gb_per_s,
            one->verdict.correct ? "true" : "false", one->n_findings,
            one->row->broken ? "true" : "false");
        for (guint j = 0; j < devices->len; j++) {
            const struct kernel_figure *first = g_ptr_array_index(devices, j);
            const struct kernel_figure *figure
                = weiri_cli_find_figure(one->row, first->device);
            if (figure != NULL) {
                weiri_cli_table_add(table, "%zu\t%g", figure->n, figure->ms);
            } else {
                weiri_cli_table_add(table, "\t");
            }
        }
    }
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

/* ---- The chart ------------------------------------------------------------------- */

/* The texts that a chart borrows until it is drawn; all owned. */
struct drawing {
    GStringChunk *texts;
    GPtrArray *devices;           /* as weiri_cli_list_devices() has them */
    size_t n_series;              /* what was measured, and a series a device */
    const char **series;          /* names */
    struct weiri_chart_row *rows; /* one a kernel */
    double *values;               /* GB/s, n_series a row; 0 for none */
    const char **ends;            /* what is said of them */
};

/* Whether @path can take a chart at the end: a regular file is made in its folder, and
 * a device or a pipe is written to. Returns: false after a complaint */
static bool check_path(const char *path)
{
    struct stat status;
    bool through = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    g_autofree char *place = through ? g_strdup(path) : g_path_get_dirname(path);
    bool fine = access(place, through ? W_OK : W_OK | X_OK) == 0;
    if (!fine || (through && S_ISDIR(status.st_mode))) {
        weiri_cli_complain("--svg: %s: %s", place, g_strerror(fine ? EISDIR : errno));
        return false;
    }
    return true;
}

static const char *keep(struct drawing *drawing, char *text)
{
    const char *kept = g_string_chunk_insert(drawing->texts, text);
    g_free(text);
    return kept;
}

static void name_series(struct drawing *drawing, GPtrArray *measured,
                        const struct weiri_cli_settings *settings)
{
    uint32_t workers = weiri_cli_workers(settings);
    drawing->series[0]
        = keep(drawing,
               g_strdup_printf("Weir, %u worker%s", workers, workers == 1 ? "" : "s"));
    for (guint i = 0; i < drawing->devices->len; i++) {
        const struct kernel_figure *figure = g_ptr_array_index(drawing->devices, i);
        g_autofree char *n = weiri_cli_count_text(figure->n);
        drawing->series[i + 1]
            = keep(drawing,
                   g_strdup_printf("%s, %s (%s)", figure->device, n,
                                   weiri_cli_is_twin(measured, figure) ? "CUDA twin"
                                                                       : "published"));
    }
}

static void draw_bar(struct drawing *drawing, size_t index, double rate, double ms)
{
    g_autofree char *text = weiri_cli_rate_text(rate);
    drawing->values[index] = rate;
    drawing->ends[index] = keep(drawing, g_strdup_printf("%s (%.4g ms)", text, ms));
}

static void draw_row(struct drawing *drawing, size_t row,
                     const struct weiri_cli_measured *one)
{
    size_t first = row * drawing->n_series;
    drawing->rows[row] = (struct weiri_chart_row){
        .label = one->row->name,
        .values = drawing->values + first,
        .texts = drawing->ends + first,
    };
    if (!one->verdict.correct) {
        drawing->rows[row].note = "wrong answer";
    } else if (one->n_findings > 0) {
        drawing->rows[row].note = "with findings";
    } else if (one->row->broken) {
        drawing->rows[row].note = "broken on purpose";
    }
    draw_bar(drawing, first, one->gb_per_s, one->ms);
    for (guint i = 0; i < drawing->devices->len; i++) {
        const struct kernel_figure *device = g_ptr_array_index(drawing->devices, i);
        const struct kernel_figure *figure
            = weiri_cli_find_figure(one->row, device->device);
        if (figure != NULL) {
            draw_bar(drawing, first + i + 1, weiri_cli_gb_per_s(figure->n, figure->ms),
                     figure->ms);
        }
    }
}

/* How many elements, which is a number a family, and how many runs. */
static char *describe(GPtrArray *measured, const struct weiri_cli_settings *settings)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int family = KERNEL_REDUCTION; family <= KERNEL_HISTOGRAM; family++) {
        g_autoptr(GPtrArray) of_family
            = weiri_cli_of_family(measured, (enum kernel_family)family);
        if (of_family->len > 0) {
            const struct weiri_cli_measured *one = g_ptr_array_index(of_family, 0);
            g_autofree char *n = weiri_cli_count_text(one->n);
            g_string_append_printf(text, "%ss of %s elements, ",
                                   weiri_cli_family_name(one->row->family), n);
        }
    }
    g_string_append_printf(text, "best of %" PRIu64 " run%s", settings->reps,
                           settings->reps == 1 ? "" : "s");
    return g_strdup(text->str);
}

static char *draw(GPtrArray *measured, const struct weiri_cli_settings *settings,
                  double read_gb_per_s)
{
    g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
    g_autoptr(GPtrArray) devices = weiri_cli_list_devices(measured, true);
    size_t n_series = devices->len + 1, n_bars = measured->len * n_series;
    g_autofree const char **series = g_new0(const char *, n_series);
    g_autofree struct weiri_chart_row *rows
        = g_new0(struct weiri_chart_row, measured->len);
    g_autofree double *values = g_new0(double, n_bars);
    g_autofree const char **ends = g_new0(const char *, n_bars);
    struct drawing drawing = { texts, devices, n_series, series, rows, values, ends };
    name_series(&drawing, measured, settings);
    for (guint i = 0; i < measured->len; i++) {
        draw_row(&drawing, i, g_ptr_array_index(measured, i));
    }
    g_autofree char *subtitle = describe(measured, settings);
    g_autofree char *mark
        = g_strdup_printf("this machine reads %.1f GB/s", read_gb_per_s);
    struct weiri_chart chart = {
        .title = "Variants on Weir, beside figures of GPUs",
        .subtitle = subtitle,
        .axis = "GB/s of input",
        .series = series,
        .n_series = n_series,
        .rows = rows,
        .n_rows = measured->len,
        .mark = read_gb_per_s,
        .mark_label = mark,
    };
    GString *svg = g_string_new(NULL);
    weiri_report_add_chart(svg, &chart);
    return g_string_free(svg, FALSE);
}

static bool write_chart(const char *path, GPtrArray *measured,
                        const struct weiri_cli_settings *settings, double read_gb_per_s)
{
    g_autofree char *svg = draw(measured, settings, read_gb_per_s);
    return weiri_cli_write_file("--svg", path, svg);
}

/* ---- The command ----------------------------------------------------------------- */

/* The values of the options, as text; all owned. */
struct texts {
    char *family, *n, *local, *workers, *reps, *svg;
    gboolean stackful, sycl;
};

static void clear_texts(struct texts *texts)
{
    g_free(texts->family);
    g_free(texts->n);
    g_free(texts->local);
    g_free(texts->workers);
    g_free(texts->reps);
    g_free(texts->svg);
}

/* The kernels of a family, or of all where @family is NULL; no broken one.
 * Returns: (transfer full): or NULL after a complaint */
static GPtrArray *rows_of_family(const char *family)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    for (const struct kernel_row *const *row = kernel_rows; *row != NULL; row++) {
        if (!(*row)->broken
            && (family == NULL
                || strcmp(family, weiri_cli_family_name((*row)->family)) == 0)) {
            g_ptr_array_add(rows, (void *)*row);
        }
    }
    if (rows->len == 0) {
        weiri_cli_complain("--family: '%s' is not a family: give reduction or "
                           "histogram",
                           family);
        return NULL;
    }
    return g_steal_pointer(&rows);
}

/* Complains where it cannot measure. @best grows to what is measured. */
static bool measure_bandwidth(const struct weiri_cli_settings *settings, double *best)
{
    weiri_cli_progress("measuring the read bandwidth");
    GError *error = NULL;
    double gb = weiri_cli_read_bandwidth(weiri_cli_workers(settings), &error);
    if (error != NULL) {
        weiri_cli_take_error(error);
        return false;
    }
    *best = MAX(*best, gb);
    return true;
}

/* Measures and prints, on a device. Returns: the exit status */
static int bench_on_device(GPtrArray *rows, const struct weiri_cli_settings *settings,
                           const char *svg, bool json, bool csv)
{
    /* Before and after, and the better counts: other programs may be in the way. */
    double read_gb_per_s = 0;
    if (!measure_bandwidth(settings, &read_gb_per_s)) {
        return WEIRI_CLI_USAGE;
    }
    g_autoptr(GPtrArray) measured = weiri_cli_measure(rows, settings);
    if (measured == NULL || !measure_bandwidth(settings, &read_gb_per_s)) {
        return WEIRI_CLI_USAGE;
    }
    int status = weiri_cli_judge(measured, settings);
    if (svg != NULL && !write_chart(svg, measured, settings, read_gb_per_s)) {
        status = WEIRI_CLI_USAGE;
    }
    char *text = json ? to_json(measured, settings, read_gb_per_s)
        : csv         ? to_csv(measured, read_gb_per_s)
                      : to_text(measured, settings, read_gb_per_s);
    return weiri_cli_finish(text, status);
}

/* Returns: the exit status */
static int bench(char *const *names, const struct texts *texts, bool json, bool csv)
{
    if (json && csv) {
        return weiri_cli_complain("--json and --csv exclude each other");
    }
    if (texts->sycl
        && (texts->svg != NULL || texts->workers != NULL || texts->stackful)) {
        return weiri_cli_complain("--sycl and %s exclude each other",
                                  texts->svg != NULL           ? "--svg"
                                      : texts->workers != NULL ? "--workers"
                                                               : "--stackful");
    }
    struct weiri_cli_settings settings = { .n = { REDUCTION_N, HISTOGRAM_N },
                                           .warm_ups = WARM_UPS,
                                           .reps = DEFAULT_REPS,
                                           .named = names[0] != NULL };
    if (settings.named && texts->family != NULL) {
        return weiri_cli_complain("--family and KERNEL exclude each other");
    }
    if (!weiri_cli_read_settings(texts->n, texts->local, texts->workers, texts->reps,
                                 &settings)
        || (texts->svg != NULL && !check_path(texts->svg))) {
        return WEIRI_CLI_USAGE;
    }
    settings.options.stackful = texts->stackful;
    g_autoptr(GPtrArray) rows = settings.named ? weiri_cli_find_kernels(names)
                                               : rows_of_family(texts->family);
    if (rows == NULL) {
        return WEIRI_CLI_USAGE;
    }
    GError *error = NULL;
    settings.device = weir_device_new("default", &error);
    if (settings.device == NULL) {
        return weiri_cli_take_error(error);
    }
    int status = texts->sycl ? weiri_bench_sycl(rows, &settings, json, csv)
                             : bench_on_device(rows, &settings, texts->svg, json, csv);
    weir_device_free(settings.device);
    return status;
}

static int bench_command(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, csv = FALSE;
    const GOptionEntry entries[] = {
        { "family", 'f', 0, G_OPTION_ARG_FILENAME, &texts.family,
          "Only this family: reduction or histogram", "FAMILY" },
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements (default: 2^24; for histograms 10M)", "N" },
        WEIRI_CLI_LOCAL(&texts.local),
        WEIRI_CLI_WORKERS(&texts.workers),
        { "reps", 'r', 0, G_OPTION_ARG_FILENAME, &texts.reps,
          "Timed runs of each kernel (default: 5)", "R" },
        WEIRI_CLI_STACKFUL(&texts.stackful),
        { "sycl", 0, 0, G_OPTION_ARG_NONE, &texts.sycl,
          "Compare with the kernels in SYCL; needs a C++ compiler", NULL },
        WEIRI_CLI_JSON(&json),
        WEIRI_CLI_CSV(&csv),
        { "svg", 0, 0, G_OPTION_ARG_FILENAME, &texts.svg, "Write a bar chart, too",
          "FILE" },
        { 0 },
    };
    int status;
    if (weiri_cli_parse(entries, "[KERNEL…]", SUMMARY, EPILOGUE, &argc, &argv,
                        &status)) {
        status = bench(argv + 1, &texts, json, csv);
    }
    clear_texts(&texts);
    return status;
}

int main(int argc, char **argv)
{
    return weiri_cli_program("bench", bench_command, argc, argv);
}
