/* SPDX-License-Identifier: MIT
 *
 * list.c: `weir list`: the built-in kernels, a row each, in reading order. The kernels
 * of a file in OpenCL C are listed by opencl-kernel.c. */
#include "config.h"

#include "cli/cli.h"
#include "cli/opencl-kernel.h"
#include "engine/measure.h"

#include "report/report.h"

#include <string.h>

static const char SUMMARY[]
    = "Lists the built-in kernels: what one item does, and which source document\n"
      "describes it. With FILE.cl, the kernels of that file: their parameters, and\n"
      "the --arg that each takes.";

static const char NOTES[]
    = "A file in OpenCL C also takes --cl-options, as for 'weir check'.";

/* The meaning of the letters of a row's source, in the order of letters. */
static const struct {
    const char *letter;
    const char *title;
} documents[] = {
    { "A", "developer guide, local barriers against global atomics" },
    { "B", "advisory board's deck on atomics, July 2020" },
    { "C", "tutorial on memory and synchronisation" },
    { "D", "article on OpenMP atomics (histogram)" },
    { "E", "article on the analysis of reductions" },
};

static char *to_text(void)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    weiri_cli_table_add(table, "kernel\tsource\twhat one item does");
    for (size_t i = 0; kernel_rows[i] != NULL; i++) {
        const struct kernel_row *row = kernel_rows[i];
        weiri_cli_table_add(table, "%s\t%s\t%s", row->name,
                            row->source[0] != '\0' ? row->source : "-", row->summary);
    }
    weiri_cli_table_take_text(table, out);
    g_string_append(out, "\nSources:\n");
    for (size_t i = 0; i < G_N_ELEMENTS(documents); i++) {
        g_string_append_printf(out, "  %s  %s\n", documents[i].letter,
                               documents[i].title);
    }
    return g_string_free(out, FALSE);
}

static char *to_csv(void)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("llllrll");
    weiri_cli_table_add(table, "name\tfamily\telement\tsource\tlocal\tbroken\tsummary");
    for (size_t i = 0; kernel_rows[i] != NULL; i++) {
        const struct kernel_row *row = kernel_rows[i];
        weiri_cli_table_add(table, "%s\t%s\t%s\t%s\t%zu\t%s\t%s", row->name,
                            weiri_cli_family_name(row->family),
                            weiri_cli_element_name(row->element), row->source,
                            row->local, row->broken ? "true" : "false", row->summary);
    }
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

/* An array of {name, family, element, source, summary, local, broken,
 * power_of_two, even, published}; local is 0 for the device's maximum. */
static char *to_json(void)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    for (size_t i = 0; kernel_rows[i] != NULL; i++) {
        const struct kernel_row *row = kernel_rows[i];
        json_builder_begin_object(builder);
        weiri_json_text(builder, "name", row->name);
        weiri_json_text(builder, "family", weiri_cli_family_name(row->family));
        weiri_json_text(builder, "element", weiri_cli_element_name(row->element));
        weiri_json_text(builder, "source", row->source);
        weiri_json_text(builder, "summary", row->summary);
        weiri_json_int(builder, "local", row->local);
        weiri_json_bool(builder, "broken", row->broken);
        weiri_json_bool(builder, "power_of_two", row->power_of_two);
        weiri_json_bool(builder, "even", row->even);
        weiri_cli_json_published(builder, row);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_json_take(builder);
}

int weiri_cli_list(int argc, char **argv)
{
    gboolean json = FALSE, csv = FALSE, opencl = FALSE;
    const GOptionEntry entries[] = {
        WEIRI_CLI_JSON(&json),
        WEIRI_CLI_CSV(&csv),
        { "opencl", 0, 0, G_OPTION_ARG_NONE, &opencl,
          "What compiles kernels of OpenCL, and what they may use", NULL },
        { 0 },
    };
    int status;
    if (!weiri_cli_parse(entries, "[FILE.cl[:KERNEL]]", SUMMARY, NOTES, &argc, &argv,
                         &status)) {
        return status;
    }
    if (argc > 1) {
        return weiri_cli_complain("the only argument is FILE.cl, and '%s' is given",
                                  argv[1]);
    }
    if (opencl && csv) {
        return weiri_cli_complain("--csv and --opencl exclude each other");
    }
    if (opencl) {
        return weiri_cli_opencl_about(json);
    }
    if (json && csv) {
        return weiri_cli_complain("--json and --csv exclude each other");
    }
    return weiri_cli_finish(json      ? to_json()
                                : csv ? to_csv()
                                      : to_text(),
                            WEIRI_CLI_CLEAN);
}
