/* SPDX-License-Identifier: MIT
 *
 * exercise-rule.c: whether a launch keeps the rules of an exercise, by the line that
 * exercises/judge.h prints of it. */
#include "config.h"

#include "exercise/exercise.h"

#include <stdio.h>

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
