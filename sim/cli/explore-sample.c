/* SPDX-License-Identifier: MIT
 *
 * explore-sample.c: see explore-sample.h. */
#include "config.h"

#include "cli/explore-sample.h"

void weiri_cli_add_completeness(GString *out, const struct weir_exploration *found)
{
    const char *kind = found->samples > 0 ? "sampled"
        : found->complete                 ? "exhaustive"
                                          : "incomplete";
    g_string_append_printf(out, "%s: %" PRIu64 "%s execution%s", kind,
                           found->executions, found->samples > 0 ? " different" : "",
                           found->executions == 1 ? "" : "s");
}

void weiri_cli_add_missing(GString *out, const struct weir_exploration *found)
{
    if (found->samples == 0) {
        return;
    }
    uint64_t last = MAX(found->samples / 10, 1);
    double percent = 100 * (double)found->once / (double)found->samples;
    g_string_append_printf(out,
                           "%" PRIu64 " run%s; the last %" PRIu64 " met %" PRIu64
                           " new execution%s. ",
                           found->samples, found->samples == 1 ? "" : "s", last,
                           found->late, found->late == 1 ? "" : "s");
    if (found->once > 0) {
        g_string_append_printf(out,
                               "About %.*f %% of further runs would meet a new one.\n",
                               percent < 1 ? 2 : 0, percent);
    } else {
        g_string_append(out, "Each execution was met more than once.\n");
    }
}

void weiri_cli_json_completeness(JsonBuilder *builder,
                                 const struct weir_exploration *found)
{
    weiri_json_bool(builder, "complete", found->complete);
    json_builder_set_member_name(builder, "sampled");
    if (found->samples == 0) {
        json_builder_add_null_value(builder);
        return;
    }
    json_builder_begin_object(builder);
    weiri_json_int(builder, "runs", found->samples);
    weiri_json_int(builder, "late", found->late);
    weiri_json_int(builder, "once", found->once);
    json_builder_end_object(builder);
}
