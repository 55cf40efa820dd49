/* SPDX-License-Identifier: MIT
 *
 * explore-proposals.h: what explore-fixes.c finds and explore-fix-words.c prints. */
#ifndef WEIRI_CLI_EXPLORE_PROPOSALS_H
#define WEIRI_CLI_EXPLORE_PROPOSALS_H

#include "cli/explore-changes.h"
#include "fix/candidate.h"

/* Changes that are enough together; or one that is too much. */
struct weiri_cli_proposal {
    GArray *changes; /* of struct weiri_cli_change; or none, and there is @part */
    const struct weiri_fix_candidate *part;
    unsigned cost;
    uint64_t executions;
    char *breaks; /* owned; of one that is too much, else NULL */
};

struct weiri_cli_launch_proposals {
    GPtrArray *fixes;  /* of struct weiri_cli_proposal *, the cheapest first */
    GPtrArray *weaker; /* that hold */
    GPtrArray *needed; /* that do not; of each lever the strongest ones */
    guint n_needed;    /* levers */
    guint n_alike;     /* scopes that were not tried */
    const char *none;  /* why there are no fixes; or NULL */
};

struct weiri_cli_proposals {
    bool weakens;
    const char *refused; /* why nothing was tried; or NULL */
    bool late;
    GArray *launches;      /* of struct weiri_cli_launch_proposals */
    char *diff;            /* of the cheapest fixes; owned */
    char *missing;         /* why a fix is not in the diff; owned, or NULL */
    GPtrArray *candidates; /* GPtrArray of struct weiri_fix_candidate *, for @part */
};

struct weiri_cli_rebuild;

/** Sets the diff, and why a fix is not in it. @rebuild: %NULL where the program cannot
 *  be built again, for the reason @why */
void weiri_cli_proposals_make_diff(struct weiri_cli_proposals *proposals,
                                   const struct weiri_cli_rebuild *rebuild,
                                   const char *why);

#endif
