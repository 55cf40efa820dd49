/* SPDX-License-Identifier: MIT
 *
 * search.h: the schedules that `weir check` tries unless the user names some, and the
 * guarantee of runs under them.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_SEARCH_H
#define WEIRI_CLI_SEARCH_H

#include "engine/verdict.h"

/**
 * weiri_cli_search_order:
 * @index: of the run, from 0, after the runs of the schedules that begin a search
 * @steps: that pct spreads its changes over
 *
 * Returns: its schedule and seed; the schedule is to be freed
 */
struct weiri_cli_schedule weiri_cli_search_order(uint64_t index, uint64_t steps);

/** Whether another schedule can show something else: not where nothing was launched. */
bool weiri_cli_search_helps(const struct weiri_cli_verdict *verdict);

/**
 * weiri_cli_search_runs:
 * @n_subjects: that share the runs
 *
 * Returns: how many runs a search makes after those that begin it, by the items and the
 * steps of its launches alone, so that it is the same everywhere
 */
uint64_t weiri_cli_search_runs(const struct weiri_cli_verdict *verdict,
                               size_t n_subjects);

/** Whether a search has found something, and for long nothing else. By the runs that
 *  were made alone. */
bool weiri_cli_search_is_over(const struct weiri_cli_verdict *verdict);

/** How much was tried, and what that guarantees: lines. Returns: (transfer full) */
char *weiri_cli_searched_text(GPtrArray *verdicts);

/** The same as the member "searched" of a verdict. */
void weiri_cli_searched_json(JsonBuilder *builder,
                             const struct weiri_cli_verdict *verdict);

#endif
