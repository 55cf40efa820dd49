/* SPDX-License-Identifier: MIT
 *
 * explore-record.h: --record of `weir explore`: a schedule for each finding that turns
 * of items lead to. `weir replay` runs it natively. */
#ifndef WEIRI_CLI_EXPLORE_RECORD_H
#define WEIRI_CLI_EXPLORE_RECORD_H

#include "cli/cli.h"

#include <json-glib/json-glib.h>

/**
 * weiri_cli_native: how the explored kernel or program runs natively; all of it is
 * borrowed
 * @kernel: a built-in kernel, or %NULL
 * @input: its file; %NULL: @n elements
 * @local: items of a group of it
 * @program: with its arguments, if @kernel is %NULL
 * @device: and @sub_group, @order, @model: as given, or %NULL
 */
struct weiri_cli_native {
    const char *kernel, *input;
    size_t n, local;
    char *const *program;
    const char *device, *sub_group, *order, *model;
    const struct weiri_cli_limit *limit;
};

/** The result for each finding. */
struct weiri_cli_replays;

/** Writes the schedules: the first one to @file, others to files with a number before
 *  the extension. Each is followed once before. @records: of struct
 *  weiri_launch_record *, what was explored; borrowed as long as what is returned.
 *  Returns: (transfer full): %NULL where a file cannot be written: it has complained */
struct weiri_cli_replays *weiri_cli_record_explored(
    const struct weiri_cli_native *native, const GPtrArray *records, const char *file);

void weiri_cli_replays_free(struct weiri_cli_replays *replays);

/** The command that runs the finding, borrowed; or %NULL. */
const char *weiri_cli_replays_command(const struct weiri_cli_replays *replays,
                                      const struct weir_finding *finding);

/** A line for the finding: the command that runs it, or why it cannot be run; nothing
 *  for %NULL. @finding: one of @records */
void weiri_cli_replays_add_text(const struct weiri_cli_replays *replays,
                                const struct weir_finding *finding, GString *out);

/** The same as members of the finding's object. */
void weiri_cli_replays_add_json(const struct weiri_cli_replays *replays,
                                const struct weir_finding *finding,
                                JsonBuilder *builder);

#endif
