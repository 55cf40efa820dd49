/* SPDX-License-Identifier: MIT
 *
 * explore-progress.h: --progress of `weir explore`. */
#ifndef WEIRI_CLI_EXPLORE_PROGRESS_H
#define WEIRI_CLI_EXPLORE_PROGRESS_H

#include "report/report.h"
#include "weir.h"

/** @text: a model of forward progress, "all", or NULL. @by: "item", "group", or NULL.
 *  Returns: false where they are none of these: it has complained */
bool weiri_cli_read_forwards(const char *text, const char *by,
                             struct weir_launch_options *options);

/** Whether the launch ends under each model that was asked for. */
void weiri_cli_add_terminations(GString *out, const struct weir_exploration *found);
void weiri_cli_json_terminations(JsonBuilder *builder,
                                 const struct weir_exploration *found);

/** Returns: the worst status of the answers */
int weiri_cli_status_of_terminations(const struct weir_exploration *found);

#endif
