/* SPDX-License-Identifier: MIT
 *
 * explore-litmus.h: --litmus and --model of `weir explore`. */
#ifndef WEIRI_CLI_EXPLORE_LITMUS_H
#define WEIRI_CLI_EXPLORE_LITMUS_H

#include "show/record-read.h"

/** Whether launches can be explored under the model. Returns: false where they cannot:
 *  it has complained */
bool weiri_cli_check_explored(const char *model);

/** Writes the litmus test of each launch, as struct weiri_launch_record: the first one
 *  to @file, others to files with a number before the extension. Returns: false where
 *  one cannot be written: it has complained */
bool weiri_cli_write_litmus(const GPtrArray *records, const char *file);

#endif
