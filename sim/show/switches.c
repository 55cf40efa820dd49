/* SPDX-License-Identifier: MIT
 *
 * switches.c: a schedule in words: where it differs from the in-order one.
 *
 *     launch 1, of kernel 'tree_sum', in order but for this:
 *       step 17: after item 5 of group 0 came to tree.c:41, item 2 of group 1 runs
 *
 * Groups and items have their linear ids, as in the file. */
#include "config.h"

#include "report/report.h"

#include "deterministic/trace.h"

static void add_switch(GString *text, const struct weiri_switch *one)
{
    g_string_append_printf(text, "  step %" G_GUINT64_FORMAT ": ", one->step);
    if (one->stop > 0) {
        g_string_append_printf(text, "after item %u of group %" G_GUINT64_FORMAT,
                               one->item, one->group);
        if (one->file != NULL) {
            g_string_append_printf(text, " reached %s:%u, ", one->file, one->line);
        } else {
            g_string_append_printf(text, " reached its stop %" G_GUINT64_FORMAT ", ",
                                   one->stop);
        }
    }
    g_string_append_printf(text, "item %u of group %" G_GUINT64_FORMAT " runs%s\n",
                           one->to_item, one->to_group, one->stop > 0 ? "" : " first");
}

void weiri_report_add_switches(GString *text, struct weir_schedule *schedule,
                               size_t most)
{
    const struct weiri_traced *launch;
    size_t n = 0, number = 0;
    while ((launch = weiri_trace_next(schedule)) != NULL) {
        number++;
        guint length = launch->switches->len;
        if (length > 0 && n < most) {
            g_string_append_printf(
                text, "launch %zu, of kernel '%s', in order but for this:\n", number,
                launch->kernel);
        }
        for (guint i = 0; i < length; i++, n++) {
            if (n < most) {
                add_switch(text,
                           &g_array_index(launch->switches, struct weiri_switch, i));
            }
        }
    }
    if (n > most) {
        g_string_append_printf(text, "  and %zu more\n", n - most);
    }
}
