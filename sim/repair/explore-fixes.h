/* SPDX-License-Identifier: MIT
 *
 * explore-fixes.h: changes of explored launches, each of which was tried by exploring
 * again: those that repair a launch, and those that a correct one would bear.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_EXPLORE_FIXES_H
#define WEIRI_CLI_EXPLORE_FIXES_H

#include "engine/check.h"

#include <json-glib/json-glib.h>

/**
 * weiri_cli_again: how launches are explored again
 * @explore: with the launch options @order and until_wrong, in @seconds at most.
 *           Returns: (transfer full): of struct weiri_launch_record *, or %NULL where
 *           that fails
 * @explore_changed: the same of the words @program, with changed sources; %NULL, too,
 *                   where that finds its own answer wrong
 * @subject: what is explored
 * @limit: of the command
 */
struct weiri_cli_again {
    GPtrArray *(*explore)(void *self, const char *order, double seconds);
    GPtrArray *(*explore_changed)(void *self, char *const *program, double seconds);
    const struct weiri_cli_subject *subject;
    void *self;
    const struct weiri_cli_limit *limit;
};

/** The results for each launch. */
struct weiri_cli_proposals;

/** Looks for changes that repair launches. @records: of struct weiri_launch_record *,
 *  what was explored; borrowed as long as what is returned.
 *  Returns: (transfer full) */
struct weiri_cli_proposals *weiri_cli_explore_fixes(const struct weiri_cli_again *again,
                                                    const GPtrArray *records);

/** Looks for what could be weaker where all launches are correct.
 *  Returns: (transfer full) */
struct weiri_cli_proposals *weiri_cli_explore_weaker(
    const struct weiri_cli_again *again, const GPtrArray *records);

void weiri_cli_proposals_free(struct weiri_cli_proposals *proposals);

/** The results for the launch of that index; nothing for %NULL. */
void weiri_cli_proposals_add_text(const struct weiri_cli_proposals *proposals,
                                  guint launch, GString *out);

/** The same as members of the launch's object. */
void weiri_cli_proposals_add_json(const struct weiri_cli_proposals *proposals,
                                  guint launch, JsonBuilder *builder);

/** Writes the diff of the fixes; nothing for %NULL. Returns: false after a complaint */
bool weiri_cli_explore_patch(const char *path,
                             const struct weiri_cli_proposals *proposals);

#endif
