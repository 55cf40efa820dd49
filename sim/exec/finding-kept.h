/* SPDX-License-Identifier: MIT
 *
 * finding-kept.h: a report from within: for finding.c, which adds to it and reads it,
 * and finding-close.c. */
#ifndef WEIRI_FINDING_KEPT_H
#define WEIRI_FINDING_KEPT_H

#include "exec/finding.h"

#include <pthread.h>

/* A finding of a report: the public value, and what it is joined by. */
struct weiri_kept_finding {
    struct weir_finding public; /* strings and parties owned by the report */
    size_t group_linear;
    GHashTable *groups; /* a set of the linear indices + 1 of its groups */
    GArray *parties;
    GArray *trails;
    const struct weir_site *parted_site;
    const void *parted_pc;
    bool counted; /* its count is the sum of the counts of its drafts */
};

struct weir_report {
    pthread_mutex_t lock; /* guards the following until the report is closed */
    GPtrArray *kept;      /* of struct weiri_kept_finding, owned */
    bool muted;
    char *incomplete;                 /* or NULL */
    struct weir_party *stopped_party; /* for @incomplete, or NULL */
    struct weiri_trail stopped_trail;
    uint64_t n_steps;
    size_t items;  /* of a group */
    bool accesses; /* plain accesses were seen */
    GArray *steps; /* of struct weir_step, or NULL */
    uint64_t n_more_steps;
    bool sub_group_wait;
    struct weir_exploration *exploration; /* or NULL */
    struct weir_play *play;               /* or NULL; freed by @free_play */
    void (*free_play)(struct weir_play *play);
};

#endif
