/* SPDX-License-Identifier: MIT
 *
 * explore-sample.h: the text of `weir explore` about how much it has visited. */
#ifndef WEIRI_CLI_EXPLORE_SAMPLE_H
#define WEIRI_CLI_EXPLORE_SAMPLE_H

#include "cli/cli.h"
#include "report/report.h"

/** "exhaustive: 7 executions", or incomplete; or "bounded to 1 deviation: 7
 *  executions", or "sampled: 7 different executions". */
void weiri_cli_add_completeness(GString *out, const struct weir_exploration *found);

/** A line about executions that are missing: an estimate, if a limit was reached; and
 *  of random runs, if there were any. */
void weiri_cli_add_missing(GString *out, const struct weir_exploration *found);

/** The members complete, estimate, deviations, symmetry and sampled. */
void weiri_cli_json_completeness(JsonBuilder *builder,
                                 const struct weir_exploration *found);

#endif
