/* SPDX-License-Identifier: MIT
 *
 * exercise-rule.c: whether a launch keeps the rules of an exercise, by the line that
 * exercises/judge.h prints of it, or by its trace. */
#include "config.h"

#include "exercise/exercise.h"

#include <stdio.h>
#include <string.h>

/* The counts of one launch, as judge.h prints them. */
struct measure {
    double items, busy, accesses, most, atomics, most_barriers, unseen;
};

static bool read_measure(const char *line, struct measure *measure)
{
    return sscanf(line,
                  "measured items=%lf busy=%lf accesses=%lf most=%lf atomics=%lf "
                  "barriers=%*f most-barriers=%lf unseen=%lf",
                  &measure->items, &measure->busy, &measure->accesses, &measure->most,
                  &measure->atomics, &measure->most_barriers, &measure->unseen)
        == 7;
}

/* Returns: (transfer full): or NULL */
static char *broken_by(const struct weiri_exercise_rules *rules,
                       const struct measure *launch)
{
    double mean = launch->accesses / MAX(launch->items, 1);
    if (launch->unseen > 0) {
        return g_strdup_printf("%g words of the answer changed without an access that "
                               "the checker could see",
                               launch->unseen);
    }
    if (rules->busiest >= 0 && launch->most > rules->busiest * mean) {
        return g_strdup_printf(
            "the work is not shared: one item makes %g accesses, and "
            "the mean of all %g items is %.3g; at most %g times the "
            "mean is allowed",
            launch->most, launch->items, mean, rules->busiest);
    }
    if (rules->least_busy >= 0
        && launch->busy * 100 < rules->least_busy * launch->items) {
        return g_strdup_printf("only %g of %g items do any work; at least %g%% must",
                               launch->busy, launch->items, rules->least_busy);
    }
    if (rules->most_atomics >= 0
        && launch->atomics > rules->most_atomics * launch->items) {
        return g_strdup_printf(
            "%g items make %g atomic operations; at most %g an item are allowed",
            launch->atomics, launch->items, rules->most_atomics);
    }
    if (rules->most_barriers >= 0 && launch->most_barriers > rules->most_barriers) {
        return g_strdup_printf("an item executes %g barriers; at most %g are allowed",
                               launch->most_barriers, rules->most_barriers);
    }
    return NULL;
}

char *weiri_exercise_broken_rule(const struct weiri_exercise_rules *rules,
                                 const char *line, bool *measured)
{
    struct measure launch;
    if (!read_measure(line, &launch)) {
        return NULL;
    }
    *measured = true;
    return broken_by(rules, &launch);
}

/* ---- Traces ---------------------------------------------------------------------- */

static gint64 at(JsonObject *of, const char *name, guint i)
{
    return json_array_get_int_element(json_object_get_array_member(of, name), i);
}

/* Counts the events of a launch; docs/traces.md has the form. */
static struct measure measure_of(JsonObject *launch)
{
    JsonObject *events = json_object_get_object_member(launch, "events");
    JsonArray *kinds = json_object_get_array_member(launch, "kinds");
    JsonArray *sites = json_object_get_array_member(launch, "sites");
    guint n = json_array_get_length(json_object_get_array_member(events, "kind"));
    size_t items = (size_t)(json_object_get_int_member(launch, "n_groups")
                            * json_object_get_int_member(launch, "group_items"));
    struct measure measure = { .items = (double)items };
    g_autofree double *of_item = g_new0(double, items + 1),
                      *waits = g_new0(double, items + 1);
    for (guint i = 0; i < n; i++) {
        size_t item = MIN((size_t)at(events, "item", i), items);
        const char *kind
            = json_array_get_string_element(kinds, (guint)at(events, "kind", i));
        gint64 site = at(events, "site", i);
        bool accesses = at(events, "object", i) >= 0;
        of_item[item] += accesses;
        measure.accesses += accesses;
        measure.atomics += accesses && g_str_has_prefix(kind, "atomic");
        if (site >= 0 && strcmp(kind, "arrive") == 0) {
            const char *scope = weiri_exercise_member(
                json_array_get_object_element(sites, (guint)site), "scope");
            waits[item] += g_strcmp0(scope, "work_group") == 0;
        }
    }
    for (size_t i = 0; i < items; i++) {
        measure.busy += of_item[i] > 0;
        measure.most = MAX(measure.most, of_item[i]);
        measure.most_barriers = MAX(measure.most_barriers, waits[i]);
    }
    return measure;
}

char *weiri_exercise_rule_of_trace(const struct weiri_exercise_rules *rules,
                                   const char *file, bool *measured)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!json_parser_load_from_file(parser, file, NULL)) {
        return NULL;
    }
    JsonArray *launches = json_object_get_array_member(
        json_node_get_object(json_parser_get_root(parser)), "launches");
    char *broken = NULL;
    for (guint i = 0; broken == NULL && i < json_array_get_length(launches); i++) {
        struct measure launch = measure_of(json_array_get_object_element(launches, i));
        broken = broken_by(rules, &launch);
        *measured = true;
    }
    return broken;
}
