/* SPDX-License-Identifier: MIT
 *
 * steps.c: the steps of a launch, as text and as JSON.
 *
 *     launch 1, of kernel 'count_up':
 *       step  item  place      what
 *          0  0.5   lost.c:13  read  count[0] = 0
 *          1  0.5   lost.c:15  write  count[0] = 1
 *          9  0.3   lost.c:20  atomic fetch_add, relaxed, device  sum[0] = 3 -> 4
 *         12  0.1   lost.c:25  weir_barrier
 *
 * Groups and items have their linear ids, as in the file of a schedule. */
#include "config.h"

#include "report/report.h"

#include "finding/kinds.h"
#include "report/record.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Returns: (transfer full) */
static char *what_text(const struct weir_step *step)
{
    GString *text
        = g_string_new(step->access != WEIR_ACCESS_NONE ? weir_access_name(step->access)
                                                        : step->operation);
    if (step->order != NULL) {
        g_string_append_printf(text, ", %s, %s", step->order, step->scope);
    }
    if (step->object != NULL) {
        g_string_append_printf(text, "  %s[%" G_GINT64_FORMAT "]", step->object,
                               step->index);
    }
    if (step->before != NULL || step->after != NULL) {
        g_string_append_printf(
            text, " = %s%s%s", step->before != NULL ? step->before : "",
            step->before != NULL && step->after != NULL ? " -> " : "",
            step->after != NULL ? step->after : "");
    } else if (step->object != NULL) {
        g_string_append_printf(text, ", %" G_GUINT64_FORMAT " bytes", step->bytes);
    }
    return g_string_free(text, FALSE);
}

/* Returns: (transfer full): "lost.c:13" */
static char *place_text(const struct weir_step *step)
{
    g_autofree char *base
        = step->file != NULL ? g_path_get_basename(step->file) : g_strdup("-");
    return weiri_report_place_text(base, step->line);
}

void weiri_report_add_steps(GString *text, size_t launch, const char *kernel,
                            const struct weir_step *steps, size_t n, uint64_t n_more)
{
    int width = 0, item_width = 4;
    for (size_t i = 0; i < n; i++) {
        g_autofree char *place = place_text(&steps[i]);
        g_autofree char *item = g_strdup_printf(
            "%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT, steps[i].group, steps[i].item);
        width = MAX(width, (int)strlen(place));
        item_width = MAX(item_width, (int)strlen(item));
    }
    g_string_append_printf(text, "launch %zu, of kernel '%s':\n", launch, kernel);
    if (n > 0) {
        g_string_append_printf(text, "      step  %-*s  %-*s  what\n", item_width,
                               "item", width, "place");
    }
    for (size_t i = 0; i < n; i++) {
        g_autofree char *place = place_text(&steps[i]);
        g_autofree char *what = what_text(&steps[i]);
        g_autofree char *item = g_strdup_printf(
            "%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT, steps[i].group, steps[i].item);
        g_string_append_printf(text, "  %8" G_GUINT64_FORMAT "  %-*s  %-*s  %s\n",
                               steps[i].step, item_width, item, width, place, what);
    }
    if (n_more > 0) {
        g_string_append_printf(text, "  and %" G_GUINT64_FORMAT " more\n", n_more);
    }
    g_string_append_c(text, '\n');
}

void weiri_report_add_steps_json(JsonBuilder *builder, size_t launch,
                                 const struct weir_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_autoptr(GString) line = weiri_fields_to_line(weiri_step_fields, &steps[i]);
        g_autoptr(JsonNode) node = json_from_string(line->str, NULL);
        g_return_if_fail(node != NULL);
        json_object_set_int_member(json_node_get_object(node), "launch",
                                   (gint64)launch);
        json_builder_add_value(builder, g_steal_pointer(&node));
    }
}
