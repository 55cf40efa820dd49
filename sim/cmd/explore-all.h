/* SPDX-License-Identifier: MIT
 *
 * explore-all.h: --model all of `weir explore`. */
#ifndef WEIRI_CLI_EXPLORE_ALL_H
#define WEIRI_CLI_EXPLORE_ALL_H

#include "engine/explore-run.h"

/** The models that launches can be explored under; ends with %NULL. */
extern const char *const weiri_cli_explored_models[];

/** Explores under each of them, and prints a table of the final states of each launch.
 *  Returns: the status */
int weiri_cli_explore_all(struct weiri_cli_exploring *exploring);

#endif
