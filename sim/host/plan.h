/* SPDX-License-Identifier: MIT
 *
 * host/plan.h: what a deterministic launch records, what it follows, and what it does
 * in place of what the source says. */
#ifndef WEIRI_HOST_PLAN_H
#define WEIRI_HOST_PLAN_H

#include "weir.h"

#include "deterministic/trace.h"
#include "exec/launch.h"

struct weiri_host_plan {
    struct weir_schedule *record; /* the caller's, or NULL */
    struct weiri_traced *traced; /* this launch's part of it, owned until it is added */
    struct weiri_script script;
};

/** Takes the next launch of the schedule that is to be followed, makes room for what is
 *  recorded, and reads the option order. Sets the launch's entry to the one that was
 *  recorded. To be ended either way.
 *
 * Errors: %WEIR_ERROR_SCHEDULE where the launch is not the recorded one;
 *         %WEIR_ERROR_ARGUMENT for an order */
bool weiri_host_plan_make(struct weiri_launch *launch,
                          const struct weir_nd_range *range,
                          const struct weir_launch_options *options,
                          struct weiri_host_plan *plan, GError **error);

/** The launch has ended: adds what was recorded to the caller's schedule. @done:
 *  whether it has run */
void weiri_host_plan_end(struct weiri_launch *launch, struct weiri_host_plan *plan,
                         bool done);

#endif
