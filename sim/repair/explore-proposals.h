/* SPDX-License-Identifier: MIT
 *
 * explore-proposals.h: the results that explore-fixes.c finds and explore-fix-words.c
 * prints. */
#ifndef WEIRI_CLI_EXPLORE_PROPOSALS_H
#define WEIRI_CLI_EXPLORE_PROPOSALS_H

#include "repair/candidate.h"
#include "repair/explore-changes.h"

/* Changes that are enough together; or a weaker value with which a launch is wrong. */
struct weiri_cli_proposal {
    GArray *changes; /* of struct weiri_cli_change; or none, and there is @part */
    const struct weiri_fix_candidate *part;
    bool weakest; /* less than @part first was, which is enough, too */
    unsigned cost;
    uint64_t executions;
    char *breaks; /* what is wrong with a weaker value; owned. NULL: nothing */
};

struct weiri_cli_launch_proposals {
    GPtrArray *fixes;  /* of struct weiri_cli_proposal *, the cheapest first */
    GPtrArray *weaker; /* weaker values with which all launches are correct */
    GPtrArray *needed; /* those with which one is wrong; of each lever the strongest */
    guint n_needed;    /* levers of which each weaker value is wrong */
    guint n_alike;     /* scopes that were not tried: they make no difference */
    const char *none;  /* why no fixes were found; or NULL */
    char *unbuilt;     /* why no changed program could be built; owned, or NULL */
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
