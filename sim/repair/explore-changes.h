/* SPDX-License-Identifier: MIT
 *
 * explore-changes.h: the parts of an explored launch that may be stronger or weaker:
 * the orders, scopes and memories of its atomic operations, fences and barriers.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_EXPLORE_CHANGES_H
#define WEIRI_CLI_EXPLORE_CHANGES_H

#include "weir.h"

#include <glib.h>

enum weiri_cli_aspect {
    WEIRI_CLI_ORDER,
    WEIRI_CLI_FAILURE, /* the order of a compare-exchange that fails */
    WEIRI_CLI_SCOPE,
    WEIRI_CLI_SPACES,
};

/**
 * weiri_cli_lever: one aspect of one operation
 * @site: borrowed from the exploration
 * @from: what it has: a number that only this file reads
 */
struct weiri_cli_lever {
    const struct weir_explored_site *site;
    enum weiri_cli_aspect aspect;
    unsigned from;
};

/* The lever has @to in place of what it has. */
struct weiri_cli_change {
    struct weiri_cli_lever lever;
    unsigned to;
};

/** Returns: (transfer full): of struct weiri_cli_lever, in the order of the sites */
GArray *weiri_cli_levers_of(const struct weir_exploration *found);

/**
 * weiri_cli_lever_values:
 * @stronger: than what the lever has; else weaker
 * @alike: (out): values left out, or %NULL: scopes between which a launch of that size
 *         makes no difference
 *
 * Returns: (transfer full): of unsigned, the weakest first; the last of stronger ones
 *          is as strong as any
 */
GArray *weiri_cli_lever_values(const struct weir_exploration *found,
                               const struct weiri_cli_lever *lever, bool stronger,
                               guint *alike);

/** Whether @one is at least as strong as @other. */
bool weiri_cli_is_as_strong(enum weiri_cli_aspect aspect, unsigned one, unsigned other);

/** A change with a smaller one is tried, and listed, before another. */
unsigned weiri_cli_change_cost(const struct weiri_cli_change *change);

/** The changes, of struct weiri_cli_change, as the launch option order has them.
 *  Returns: (transfer full) */
char *weiri_cli_changes_option(const GArray *changes);

/** A value of the lever as its source has it: "memory_order_acq_rel"; static */
const char *weiri_cli_value_name(const struct weiri_cli_lever *lever, unsigned value);

/** The change in words, to be followed by " FILE:LINE": "memory_order_acq_rel for
 *  memory_order_relaxed in the fetch_add at". Returns: (transfer full) */
char *weiri_cli_change_title(const struct weiri_cli_change *change);

#endif
