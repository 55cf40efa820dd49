/* SPDX-License-Identifier: MIT
 *
 * variants.c: measurements as tables for people: a table a family, a row a kernel, with
 * the figures of each GPU in a column: the published ones, and in a bench the twins'
 * figures.
 *
 * These times are for other numbers of elements, so the comparison is of bytes of input
 * a second; the times follow in parentheses. */
#include "config.h"

#include "engine/measure.h"

#include <string.h>

/* ---- Figures --------------------------------------------------------------------- */

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

double weiri_cli_gb_per_s(size_t n, double ms)
{
    return ms > 0 ? (double)n * sizeof(int32_t) / ms * 1e-6 : 0;
}

char *weiri_cli_rate_text(double rate)
{
    return g_strdup_printf(rate < 1 ? "%.3f" : "%.2f", rate);
}

const struct kernel_figure *weiri_cli_find_figure(const struct kernel_row *row,
                                                  const char *device)
{
    const struct kernel_figure *figure = row->figures;
    while (figure != NULL && figure->device != NULL) {
        if (strcmp(figure->device, device) == 0) {
            return figure;
        }
        figure++;
    }
    bool twin = row->twin.device != NULL && strcmp(row->twin.device, device) == 0;
    return twin ? &row->twin : NULL;
}

GPtrArray *weiri_cli_of_family(GPtrArray *measured, enum kernel_family family)
{
    GPtrArray *of_family = g_ptr_array_new();
    for (guint i = 0; i < measured->len; i++) {
        struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        if (one->row->family == family) {
            g_ptr_array_add(of_family, one);
        }
    }
    return of_family;
}

static void add_device(GPtrArray *devices, const struct kernel_figure *figure)
{
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *other = g_ptr_array_index(devices, i);
        if (strcmp(other->device, figure->device) == 0) {
            return;
        }
    }
    g_ptr_array_add(devices, (void *)figure);
}

GPtrArray *weiri_cli_list_devices(GPtrArray *measured, bool twins)
{
    GPtrArray *devices = g_ptr_array_new();
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        const struct kernel_figure *figure = one->row->figures;
        for (; figure != NULL && figure->device != NULL; figure++) {
            add_device(devices, figure);
        }
    }
    for (guint i = 0; twins && i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        if (one->row->twin.device != NULL) {
            add_device(devices, &one->row->twin);
        }
    }
    return devices;
}

bool weiri_cli_is_twin(GPtrArray *measured, const struct kernel_figure *device)
{
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        if (device == &one->row->twin) {
            return true;
        }
    }
    return false;
}

/* ---- Tables ---------------------------------------------------------------------- */

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
    weiri_cli_table_add(table,
                        bench
                            ? "kernel\tlocal\tbest\nms\tmedian\nms\tGB/s\tshare\tanswer"
                            : "kernel\tlocal\tms\tGB/s\tanswer");
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
    g_autofree char *rate = weiri_cli_rate_text(one->gb_per_s);
    weiri_cli_table_add(table, "%s", rate);
    if (read_gb_per_s > 0) {
        weiri_cli_table_add(table, "%.1f %%", one->gb_per_s / read_gb_per_s * 100);
    }
    weiri_cli_table_add(table, "%s",
                        one->incomplete != NULL     ? "INCOMPLETE"
                            : !one->verdict.correct ? "WRONG"
                            : one->n_findings > 0   ? "finding"
                                                    : "right");
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *first = g_ptr_array_index(devices, i);
        const struct kernel_figure *figure
            = weiri_cli_find_figure(one->row, first->device);
        if (figure == NULL) {
            weiri_cli_table_add(table, "%s", "");
        } else {
            g_autofree char *published
                = weiri_cli_rate_text(weiri_cli_gb_per_s(figure->n, figure->ms));
            weiri_cli_table_add(table, "%s (%g)", published, figure->ms);
        }
    }
}

/* Where the columns on the right come from. The published figures are of one number of
 * elements, and so are the twins'. */
static void add_origins(GString *out, GPtrArray *measured, GPtrArray *devices)
{
    bool named = false;
    for (guint i = 0; i < devices->len; i++) {
        const struct kernel_figure *device = g_ptr_array_index(devices, i);
        g_autofree char *elements = weiri_cli_count_text(device->n);
        if (weiri_cli_is_twin(measured, device)) {
            g_string_append_printf(out,
                                   "%s%s: measured with twins in CUDA, for %s "
                                   "elements.\n",
                                   i == 0 ? "\n" : "", device->device, elements);
        } else if (!named) {
            g_string_append_printf(out, "\nOn the right: published, for %s elements.\n",
                                   elements);
            named = true;
        }
    }
}

/* @measured is not empty, and of one family. */
static void add_family(GString *out, GPtrArray *measured,
                       const struct weiri_cli_settings *settings, double read_gb_per_s)
{
    const struct weiri_cli_measured *first = g_ptr_array_index(measured, 0);
    g_autofree char *n = weiri_cli_count_text(first->n);
    uint32_t workers = weiri_cli_workers(settings);
    g_string_append_printf(
        out, "%s of %s elements, %u worker%s, device %s\n\n",
        first->row->family == KERNEL_HISTOGRAM ? "Histograms" : "Reductions", n,
        workers, workers == 1 ? "" : "s", weir_device_name(settings->device));
    g_autoptr(GPtrArray) devices = weiri_cli_list_devices(measured, read_gb_per_s > 0);
    g_autofree char *published = g_strnfill(devices->len, 'r');
    g_autofree char *columns
        = g_strconcat(read_gb_per_s > 0 ? "lrrrrrl" : "lrrrl", published, NULL);
    struct weiri_cli_table *table = weiri_cli_table_new(columns);
    add_headings(table, devices, read_gb_per_s > 0);
    const char *plain = NULL;
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        add_name(table, one->row, plain);
        add_variant(table, one, devices, read_gb_per_s);
        plain = one->row->hierarchical ? plain : one->row->name;
    }
    weiri_cli_table_take_text(table, out);
    add_origins(out, measured, devices);
    g_string_append_c(out, '\n');
}

void weiri_cli_add_variants(GString *out, GPtrArray *measured,
                            const struct weiri_cli_settings *settings,
                            double read_gb_per_s)
{
    for (int family = KERNEL_REDUCTION; family <= KERNEL_HISTOGRAM; family++) {
        g_autoptr(GPtrArray) of_family
            = weiri_cli_of_family(measured, (enum kernel_family)family);
        if (of_family->len > 0) {
            add_family(out, of_family, settings, read_gb_per_s);
        }
    }
    bool broken = false;
    for (guint i = 0; i < measured->len; i++) {
        const struct weiri_cli_measured *one = g_ptr_array_index(measured, i);
        broken |= one->row->broken;
    }
    if (broken) {
        g_string_append(out,
                        "(broken): wrong on purpose; a correct answer of such a kernel "
                        "is luck.\n\n");
    }
}

/* ---- Defects --------------------------------------------------------------------- */

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
        bool wrong = !one->verdict.correct && one->incomplete == NULL;
        if (one->incomplete != NULL) {
            g_string_append_printf(out, "incomplete: %s: %s\n", one->row->name,
                                   one->incomplete);
        } else if (wrong) {
            g_string_append(out, "wrong result of ");
            add_verdict(out, one);
        }
        for (guint j = 0; j < one->reports->len; j++) {
            g_autofree char *text
                = weir_report_to_text(g_ptr_array_index(one->reports, j));
            g_string_append(out, text);
        }
        if (wrong || one->incomplete != NULL || one->n_findings > 0) {
            g_string_append_c(out, '\n');
        }
    }
}
