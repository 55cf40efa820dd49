/* SPDX-License-Identifier: MIT
 *
 * explore-sample.c: see explore-sample.h. An exploration is exhaustive, sampled,
 * bounded, or ended by a limit, and the text must never let a part look like the whole.
 * So each kind has its own word, and an estimate is printed only with its spread and
 * with enough probes. */
#include "config.h"

#include "cmd/explore-sample.h"

#include <math.h>

void weiri_cli_add_completeness(GString *out, const struct weir_exploration *found)
{
    g_autofree char *bounded
        = g_strdup_printf("bounded to %" PRIu64 " deviation%s", found->deviations,
                          found->deviations == 1 ? "" : "s");
    const char *kind = found->bounded ? bounded
        : found->samples > 0          ? "sampled"
        : found->complete             ? "exhaustive"
                                      : "incomplete";
    bool is_part = found->bounded || found->samples > 0;
    g_string_append_printf(out, "%s%s: %" PRIu64 "%s execution%s", kind,
                           found->limited && is_part ? ", cut short by a limit" : "",
                           found->executions, found->samples > 0 ? " different" : "",
                           found->executions == 1 ? "" : "s");
}

/* "4.2e7", "360". */
static void add_about(GString *out, uint64_t n)
{
    if (n < 1000) {
        g_string_append_printf(out, "%" PRIu64, n);
        return;
    }
    int power = 0;
    double tenths = (double)n * 10;
    for (; round(tenths) >= 100; tenths /= 10) {
        power++;
    }
    g_string_append_printf(out, "%.1fe%d", round(tenths) / 10, power);
}

/* Fewer probes have not met the kinds of executions of which there are most: such an
 * estimate was seen to be wrong by a factor of thousands. */
enum { FEW_PROBES = 100 };

/* By which factor the estimate of a tenth of the probes is another one, at most. */
static uint64_t spread_of(const struct weir_exploration *found)
{
    double all = (double)MAX(found->estimate, 1);
    double low = all / (double)MAX(found->estimate_low, 1);
    double high = (double)found->estimate_high / all;
    return (uint64_t)ceil(MAX(low, high));
}

/* Whether there is one that can be used. */
static bool has_estimate(const struct weir_exploration *found)
{
    return found->probes >= FEW_PROBES && found->estimate > found->executions;
}

/* About how many there are. */
static void add_estimate(GString *out, const struct weir_exploration *found)
{
    if (found->probes == 0) {
        g_string_append(out,
                        "Their number is not estimated: there was no time for random "
                        "probes.\n");
        return;
    }
    if (!has_estimate(found)) {
        bool few = found->probes < FEW_PROBES;
        g_string_append_printf(
            out, "Their number is not estimated: %s%" PRIu64 " random probe%s%s.\n",
            few ? "there was time for only " : "", found->probes,
            found->probes == 1 ? "" : "s",
            few ? "" : " estimate fewer than were found");
        return;
    }
    uint64_t spread = spread_of(found);
    g_string_append(out, "There are about ");
    add_about(out, found->estimate);
    g_string_append_printf(
        out,
        " executions: the estimate of %" PRIu64
        " random probes. Each tenth of them alone estimates between ",
        found->probes);
    add_about(out, found->estimate_low);
    g_string_append(out, " and ");
    add_about(out, found->estimate_high);
    if (spread > 1) {
        g_string_append(out, ": it may be wrong by a factor of ");
        add_about(out, spread);
        g_string_append(out, " or more");
    }
    g_string_append(out, ".\n");
}

void weiri_cli_add_missing(GString *out, const struct weir_exploration *found)
{
    bool none = found->executions + found->blocked + found->cut == 0;
    if (found->limited && none) {
        g_string_append(out,
                        "The launch took longer than the limit: no execution of it "
                        "ended.\n");
    } else if (found->probes > 0
               || (found->limited && found->samples == 0 && !found->bounded)) {
        add_estimate(out, found);
    }
    if (found->orbits > 0) {
        g_string_append_printf(out,
                               "%" PRIu64 " items are interchangeable: if executions "
                               "that differ by an exchange of these count once, there "
                               "%s %" PRIu64 ".\n",
                               found->interchangeable,
                               found->orbits == 1 ? "is" : "are", found->orbits);
    }
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

static void json_estimate(JsonBuilder *builder, const struct weir_exploration *found)
{
    if (found->probes == 0) {
        weiri_json_null(builder, "estimate");
        return;
    }
    const struct {
        const char *name;
        uint64_t number;
    } members[] = { { "executions", found->estimate },
                    { "low", found->estimate_low },
                    { "high", found->estimate_high },
                    { "spread", spread_of(found) } };
    weiri_json_object(builder, "estimate");
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        if (has_estimate(found)) {
            weiri_json_int(builder, members[i].name, members[i].number);
        } else {
            weiri_json_null(builder, members[i].name);
        }
    }
    weiri_json_int(builder, "probes", found->probes);
    json_builder_end_object(builder);
}

void weiri_cli_json_completeness(JsonBuilder *builder,
                                 const struct weir_exploration *found)
{
    weiri_json_bool(builder, "complete", found->complete);
    weiri_json_bool(builder, "limited", found->limited);
    json_estimate(builder, found);
    if (found->bounded) {
        weiri_json_int(builder, "deviations", found->deviations);
    } else {
        weiri_json_null(builder, "deviations");
    }
    if (found->orbits == 0) {
        weiri_json_null(builder, "symmetry");
    } else {
        weiri_json_object(builder, "symmetry");
        weiri_json_int(builder, "items", found->interchangeable);
        weiri_json_int(builder, "orbits", found->orbits);
        json_builder_end_object(builder);
    }
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
