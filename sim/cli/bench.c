/* SPDX-License-Identifier: MIT
 *
 * bench.c: `weir bench`: the table of variants beside what was published for
 * them, and the same as a chart.
 *
 * Published times are for other numbers of elements, so what is compared is
 * bytes of input a second. A kernel that is broken on purpose is measured only
 * where it is named, for the time of a wrong answer says nothing.
 *
 * `--json` prints an array of objects: what weiri_cli_json_measured() gives, and
 * ms_best, ms_median, bandwidth_share (of the machine's read bandwidth, which is
 * in machine_gb_per_s). */
#include "config.h"

#include "cli/cli.h"

#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 64 MiB: more than most caches hold. */
static const uint64_t REDUCTION_N = 1 << 24;
/* As in the histograms' source, so that times stand beside times. */
static const uint64_t HISTOGRAM_N = 10 * 1000 * 1000;

enum { DEFAULT_REPS = 5, WARM_UPS = 1, MOST_REPS = 10000, MOST_WORKERS = 256 };

static const char SUMMARY[]
    = "Times kernels, and shows the published figures beside. Without KERNEL it takes\n"
      "all but those that are broken on purpose. Each runs once untimed before.";

static const char EPILOGUE[] = WEIRI_CLI_NUMBERS
    "\n\n"
    "GB/s are 10^9 bytes of input a second, in the best run. The share is of what as\n"
    "many threads reach that only read; it passes 100 % where the input is in a cache.";

/* ---- Figures ----------------------------------------------------------------------- */

char *weiri_cli_count_text(uint64_t n)
{
    if (n >= 1 << 20 && n % (1 << 20) == 0) {
        return g_strdup_printf("%" PRIu64 " Mi", n >> 20);
    }
    if (n >= 1000000 && n % 1000000 == 0) {
        return g_strdup_printf("%" PRIu64 " M", n / 1000000);
    }
    return g_strdup_printf("%" PRIu64, n);
}

static double gb_per_s(size_t n, double ms)
{
    return ms > 0 ? (double)n * sizeof(int32_t) / ms * 1e-6 : 0;
}

/* Three digits or more of what is to be read. */
static char *rate_text(double rate)
{
    return g_strdup_printf(rate < 1 ? "%.3f" : "%.2f", rate);
}

static const struct kernel_figure *find_figure(const struct kernel_row *row,
                                               const char *device)
{
    const struct kernel_figure *figure = row->figures;
    while (figure != NULL && figure->device != NULL) {
        if (strcmp(figure->device, device) == 0) {
            return figure;
        }
        figure++;
    }
    return NULL;
}

/* The devices that figures of @measured[from..to) are for, in order of appearance.
 * Returns: (transfer container): of const struct kernel_figure, each device's first */
static GPtrArray *list_devices(GPtrArray *measured, guint from, guint to)
{
    GPtrArray *devices = g_ptr_array_new();
    for (guint i = from; i < to; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        const struct kernel_figure *figure = one->row->figures;
        for (; figure != NULL && figure->device != NULL; figure++) {
            bool known = false;
            for (guint j = 0; j < devices->len; j++) {
                const struct kernel_figure *other = g_ptr_array_index(devices, j);
                known |= strcmp(other->device, figure->device) == 0;
            }
            if (!known) {
                g_ptr_array_add(devices, (void *)figure);
            }
        }
    }
    return devices;
}

/* ---- Tables ------------------------------------------------------------------------ */

/* A name below its own beginning, as hierarchical forms stand below the plain
 * ones, is shown by its end. */
static void add_name(struct weiri_cli_table *table, const struct kernel_row *row,
                     const char *above)
{
    const char *broken = row->broken ? " (broken)" : "";
    size_t length = above != NULL ? strlen(above) : 0;
    if (length > 0 && row->hierarchical && strncmp(row->name, above, length) == 0) {
        weiri_cli_table_add(table, "  ...%s%s", row->name + length, broken);
    } else {
        weiri_cli_table_add(table, "%s%s", row->name, broken);
    }
}

/* The words of @text in lines no longer than the numbers below, where they can be. */
static char *wrap(const char *text)
{
    enum { WIDTH = 12 };
    char *wrapped = g_strdup(text), *start = wrapped;
    for (char *space = strchr(wrapped, ' '); space != NULL;) {
        char *next = strchr(space + 1, ' ');
        size_t length = next != NULL ? (size_t)(next - start) : strlen(start);
        if (length > WIDTH) {
            *space = '\n';
            start = space + 1;
        }
        space = next;
    }
    return wrapped;
}

static void add_headings(struct weiri_cli_table *table, GPtrArray *devices, bool bench)
{
    weiri_cli_table_add(table, "kernel");
    weiri_cli_table_add(table, "local");
    weiri_cli_table_add(table, bench ? "best\nms" : "ms");
    if (bench) {
        weiri_cli_table_add(table, "median\nms");
    }
    weiri_cli_table_add(table, "GB/s");
    if (bench) {
        weiri_cli_table_add(table, "share");
    }
    weiri_cli_table_add(table, "answer");
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        g_autofree char *device = wrap(first->device);
        weiri_cli_table_add(table, "%s\nGB/s (ms)", device);
    }
}

static void add_variant(struct weiri_cli_table *table,
                        const struct weiri_cli_measured *one, GPtrArray *devices,
                        double read_gb_per_s)
{
    weiri_cli_table_add(table, "%zu", one->local);
    weiri_cli_table_add(table, "%.2f", one->ms);
    if (read_gb_per_s > 0) {
        weiri_cli_table_add(table, "%.2f", one->ms_median);
    }
    g_autofree char *rate = rate_text(one->gb_per_s);
    weiri_cli_table_add(table, "%s", rate);
    if (read_gb_per_s > 0) {
        weiri_cli_table_add(table, "%.1f %%", one->gb_per_s / read_gb_per_s * 100);
    }
    weiri_cli_table_add(table, "%s",
                        !one->verdict.correct     ? "WRONG"
                            : one->n_findings > 0 ? "finding"
                                                  : "right");
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        const struct kernel_figure *figure = find_figure(one->row, first->device);
        if (figure == NULL) {
            weiri_cli_table_add(table, "%s", "");
        } else {
            g_autofree char *published = rate_text(gb_per_s(figure->n, figure->ms));
            weiri_cli_table_add(table, "%s (%g)", published, figure->ms);
        }
    }
}

/* Rows @from to @to, which are of one family. */
static void add_family(GString *out, GPtrArray *measured, guint from, guint to,
                       const struct weiri_cli_settings *settings, double read_gb_per_s)
{
    const struct weiri_cli_measured *first = g_ptr_array_index(measured, from);
    g_autofree char *n = weiri_cli_count_text(first->n);
    uint32_t workers = weiri_cli_workers(settings);
    g_string_append_printf(
        out, "%s of %s elements, %u worker%s, device %s\n\n",
        first->row->family == KERNEL_HISTOGRAM ? "Histograms" : "Reductions", n,
        workers, workers == 1 ? "" : "s", weir_device_name(settings->device));
    g_autoptr(GPtrArray) devices = list_devices(measured, from, to);
    g_autofree char *published = g_strnfill(devices->len, 'r');
    g_autofree char *columns
        = g_strconcat(read_gb_per_s > 0 ? "lrrrrrl" : "lrrrl", published, NULL);
    struct weiri_cli_table *table = weiri_cli_table_new(columns);
    add_headings(table, devices, read_gb_per_s > 0);
    const char *plain = NULL;
    for (guint i = from; i < to; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        add_name(table, one->row, plain);
        add_variant(table, one, devices, read_gb_per_s);
        plain = one->row->hierarchical ? plain : one->row->name;
    }
    weiri_cli_table_take_text(table, out);
    if (devices->len > 0) {
        const struct kernel_figure *figure = g_ptr_array_index(devices, 0);
        g_autofree char *elements = weiri_cli_count_text(figure->n);
        g_string_append_printf(out, "\nOn the right: published, for %s elements.\n",
                               elements);
    }
}

void weiri_cli_add_variants(GString *out, GPtrArray *measured,
                            const struct weiri_cli_settings *settings,
                            double read_gb_per_s)
{
    bool broken = false;
    for (guint from = 0, to; from < measured->len; from = to) {
        const struct weiri_cli_measured *first = g_ptr_array_index(measured, from);
        for (to = from; to < measured->len; to++) {
            const struct weiri_cli_measured *one = g_ptr_array_index(measured, to);
            if (one->row->family != first->row->family) {
                break;
            }
            broken |= one->row->broken;
        }
        g_string_append(out, from > 0 ? "\n" : "");
        add_family(out, measured, from, to, settings, read_gb_per_s);
    }
    if (broken) {
        g_string_append(out,
                        "(broken) is on purpose: an answer of it that is right is "
                        "right by luck.\n");
    }
}

static char *to_text(GPtrArray *measured, const struct weiri_cli_settings *settings,
                     double read_gb_per_s)
{
    GString *out = g_string_new(NULL);
    weiri_cli_add_variants(out, measured, settings, read_gb_per_s);
    g_string_append_printf(out,
                           "Shares are of %.2f GB/s: as many threads that do "
                           "nothing but read memory here.\n",
                           read_gb_per_s);
    weiri_cli_add_defects(out, measured);
    return g_string_free(out, FALSE);
}

/* ---- For programs ------------------------------------------------------------------ */

static char *to_json(GPtrArray *measured, const struct weiri_cli_settings *settings,
                     double read_gb_per_s)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        json_builder_begin_object(builder);
        weiri_cli_json_measured(builder, one, settings);
        weiri_cli_json_real(builder, "ms_best", one->ms);
        weiri_cli_json_real(builder, "ms_median", one->ms_median);
        weiri_cli_json_real(builder, "bandwidth_share", one->gb_per_s / read_gb_per_s);
        weiri_cli_json_real(builder, "machine_gb_per_s", read_gb_per_s);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_cli_json_take(builder);
}

/* Times of published figures are in columns named after their devices. */
static char *to_csv(GPtrArray *measured, double read_gb_per_s)
{
    static const char *const headings[]
        = { "kernel",  "family",    "n",        "local",
            "ms_best", "ms_median", "gb_per_s", "bandwidth_share",
            "correct", "findings",  "broken" };
    g_autoptr(GPtrArray) devices = list_devices(measured, 0, measured->len);
    g_autofree char *columns
        = g_strnfill(G_N_ELEMENTS(headings) + 2 * devices->len, 'l');
    struct weiri_cli_table *table = weiri_cli_table_new(columns);
    for (size_t i = 0; i < G_N_ELEMENTS(headings); i++) {
        weiri_cli_table_add(table, "%s", headings[i]);
    }
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        weiri_cli_table_add(table, "%s n", first->device);
        weiri_cli_table_add(table, "%s ms", first->device);
    }
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        weiri_cli_table_add(table, "%s", one->row->name);
        weiri_cli_table_add(table, "%s", weiri_cli_family_name(one->row->family));
        weiri_cli_table_add(table, "%zu", one->n);
        weiri_cli_table_add(table, "%zu", one->local);
        weiri_cli_table_add(table, "%.6f", one->ms);
        weiri_cli_table_add(table, "%.6f", one->ms_median);
        weiri_cli_table_add(table, "%.6f", one->gb_per_s);
        weiri_cli_table_add(table, "%.6f", one->gb_per_s / read_gb_per_s);
        weiri_cli_table_add(table, "%s", one->verdict.correct ? "true" : "false");
        weiri_cli_table_add(table, "%zu", one->n_findings);
        weiri_cli_table_add(table, "%s", one->row->broken ? "true" : "false");
        for (guint j = 0; j < devices->len; j++) {
            const struct kernel_figure *first = g_ptr_array_index(devices, j);
            const struct kernel_figure *figure = find_figure(one->row, first->device);
            g_autofree char *n
                = figure != NULL ? g_strdup_printf("%zu", figure->n) : g_strdup("");
            g_autofree char *ms
                = figure != NULL ? g_strdup_printf("%g", figure->ms) : g_strdup("");
            weiri_cli_table_add(table, "%s", n);
            weiri_cli_table_add(table, "%s", ms);
        }
    }
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

/* ---- The chart --------------------------------------------------------------------- */

/* Whether @path can take a chart at the end. A device or pipe cannot: the file
 * that takes its place by rename would remove it. */
static bool check_path(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        weiri_cli_complain("--svg: %s is not a regular file", path);
        return false;
    }
    g_autofree char *folder = g_path_get_dirname(path);
    if (access(folder, W_OK | X_OK) != 0) {
        weiri_cli_complain("--svg: folder %s: %s", folder, g_strerror(errno));
        return false;
    }
    return true;
}

static bool write_chart(const char *path, GPtrArray *measured,
                        const struct weiri_cli_settings *settings, double read_gb_per_s)
{
    g_autoptr(GPtrArray) devices = list_devices(measured, 0, measured->len);
    size_t n_series = devices->len + 1;
    uint32_t workers = weiri_cli_workers(settings);
    g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
    g_autofree const char **series = g_new(const char *, n_series);
    g_autofree char *here
        = g_strdup_printf("Weir, %u worker%s", workers, workers == 1 ? "" : "s");
    series[0] = here;
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        g_autofree char *n = weiri_cli_count_text(first->n);
        g_autofree char *name = g_strdup_printf("%s, %s (published)", first->device, n);
        series[i + 1] = g_string_chunk_insert(texts, name);
    }
    g_autofree struct weiri_chart_row *rows
        = g_new0(struct weiri_chart_row, measured->len);
    g_autofree double *values = g_new0(double, measured->len *n_series);
    g_autofree const char **ends = g_new0(const char *, measured->len *n_series);
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        double *value = values + i * n_series;
        const char **end = ends + i * n_series;
        rows[i] = (struct weiri_chart_row){
            .label = one->row->name,
            .note = !one->verdict.correct ? "wrong answer"
                : one->n_findings > 0     ? "with findings"
                : one->row->broken        ? "broken on purpose"
                                          : NULL,
            .values = value,
            .texts = end,
        };
        for (size_t j = 0; j < n_series; j++) {
            double ms = one->ms;
            value[j] = one->gb_per_s;
            if (j > 0) {
                const struct kernel_figure *first = g_ptr_array_index(devices, j - 1);
                const struct kernel_figure *figure
                    = find_figure(one->row, first->device);
                ms = figure != NULL ? figure->ms : 0;
                value[j] = figure != NULL ? gb_per_s(figure->n, figure->ms) : 0;
            }
            g_autofree char *rate = rate_text(value[j]);
            g_autofree char *text = g_strdup_printf("%s (%.4g ms)", rate, ms);
            end[j] = g_string_chunk_insert(texts, text);
        }
    }
    const struct weiri_cli_measured *first = g_ptr_array_index(measured, 0);
    const struct weiri_cli_measured *last
        = g_ptr_array_index(measured, measured->len - 1);
    g_autofree char *first_n = weiri_cli_count_text(first->n);
    g_autofree char *last_n = weiri_cli_count_text(last->n);
    g_autofree char *subtitle = first->n == last->n
        ? g_strdup_printf("%s elements, best of %" PRIu64 " runs", first_n,
                          settings->reps)
        : g_strdup_printf("reductions of %s and histograms of %s elements, best of "
                          "%" PRIu64 " runs",
                          first_n, last_n, settings->reps);
    g_autofree char *mark
        = g_strdup_printf("this machine reads %.1f GB/s", read_gb_per_s);
    struct weiri_chart chart = {
        .title = "Variants on Weir, beside published figures",
        .subtitle = subtitle,
        .axis = "GB/s of input",
        .series = series,
        .n_series = n_series,
        .rows = rows,
        .n_rows = measured->len,
        .mark = read_gb_per_s,
        .mark_label = mark,
    };
    g_autoptr(GString) svg = g_string_new(NULL);
    weiri_report_add_chart(svg, &chart);
    g_autoptr(GError) error = NULL;
    if (!g_file_set_contents_full(path, svg->str, (gssize)svg->len,
                                  G_FILE_SET_CONTENTS_CONSISTENT, 0666, &error)) {
        weiri_cli_complain("--svg: %s", error->message);
        return false;
    }
    return true;
}

/* ---- The command ------------------------------------------------------------------- */

/* What the options say, as text; all owned. */
struct texts {
    char *family, *n, *local, *workers, *reps, *svg;
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

static bool read_settings(const struct texts *texts,
                          struct weiri_cli_settings *settings)
{
    uint64_t workers = 0;
    if (!weiri_cli_number("--n", "elements", texts->n, 1, UINT64_MAX, &settings->n[0])
        || !weiri_cli_number("--local", "items", texts->local, 1, UINT32_MAX,
                             &settings->local)
        || !weiri_cli_number("--workers", "workers", texts->workers, 1, MOST_WORKERS,
                             &workers)
        || !weiri_cli_number("--reps", "runs", texts->reps, 1, MOST_REPS,
                             &settings->reps)) {
        return false;
    }
    settings->n[1] = texts->n != NULL ? settings->n[0] : settings->n[1];
    settings->options.workers = (uint32_t)workers;
    return true;
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
        weiri_cli_complain("--family: '%s' is no family: give reduction or histogram",
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
    struct weiri_cli_settings settings = { .n = { REDUCTION_N, HISTOGRAM_N },
                                           .warm_ups = WARM_UPS,
                                           .reps = DEFAULT_REPS,
                                           .named = names[0] != NULL };
    if (settings.named && texts->family != NULL) {
        return weiri_cli_complain("--family and KERNEL exclude each other");
    }
    if (!read_settings(texts, &settings)
        || (texts->svg != NULL && !check_path(texts->svg))) {
        return WEIRI_CLI_USAGE;
    }
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
    int status = bench_on_device(rows, &settings, texts->svg, json, csv);
    weir_device_free(settings.device);
    return status;
}

int weiri_cli_bench(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, csv = FALSE;
    const GOptionEntry entries[] = {
        { "family", 'f', 0, G_OPTION_ARG_FILENAME, &texts.family,
          "Only the reductions or only the histograms", "reduction|histogram" },
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements (default: 2^24; for histograms 10M)", "N" },
        { "local", 'l', 0, G_OPTION_ARG_FILENAME, &texts.local,
          "Items of a group (default: the kernel's own)", "L" },
        { "workers", 'w', 0, G_OPTION_ARG_FILENAME, &texts.workers,
          "Threads (default: one a processor)", "W" },
        { "reps", 'r', 0, G_OPTION_ARG_FILENAME, &texts.reps,
          "Timed runs of each kernel (default: 5)", "R" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        { "csv", 0, 0, G_OPTION_ARG_NONE, &csv, "Print CSV", NULL },
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
