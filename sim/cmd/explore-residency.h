/* SPDX-License-Identifier: MIT
 *
 * explore-residency.h: --resident of `weir explore`. */
#ifndef WEIRI_CLI_EXPLORE_RESIDENCY_H
#define WEIRI_CLI_EXPLORE_RESIDENCY_H

#include "report/report.h"
#include "weir.h"

/** @text: a number, "all", or NULL. @resident: for struct weir_launch_options. Returns:
 *  false where it is neither: it has complained */
bool weiri_cli_read_resident(const char *text, uint32_t *resident);

/** How the launch ends with each number of resident groups. */
void weiri_cli_add_residencies(GString *out, const struct weir_exploration *found);
void weiri_cli_json_residencies(JsonBuilder *builder,
                                const struct weir_exploration *found);

#endif
