/* SPDX-License-Identifier: MIT
 *
 * finding.h: how the machine makes findings, and the report that keeps them.
 *
 * A draft is what one group has to say. The report joins drafts that differ in
 * their group only: same kind, same kernel, same sites and states. The group
 * with the least linear index speaks for all, so that a report does not depend
 * on which worker was first.
 *
 * Threads: a report may be added to from any thread. */
#ifndef WEIRI_FINDING_H
#define WEIRI_FINDING_H

#include "weir-kernel.h"
#include "weir.h"

struct weiri_draft {
    enum weir_finding_kind kind;
    const struct weir_kernel *kernel;
    size_t group_linear; /* who speaks */
    char *message;       /* owned */
    GArray *parties;     /* of struct weir_party; `items` of each is owned */
};

struct weir_report *weiri_report_new(void);

/** Frees the draft's parts. */
void weiri_report_add(struct weir_report *report, struct weiri_draft *draft);

/**
 * weiri_report_again:
 *
 * Counts one more where a finding of that kind whose first party is at @site is
 * there already for a group of no greater index.
 *
 * Returns: whether it was, so that nobody writes a message to throw it away
 */
bool weiri_report_again(struct weir_report *report, enum weir_finding_kind kind,
                        const struct weir_site *site, size_t group_linear);

/** Puts the findings into their fixed order; before the report is read. */
void weiri_report_close(struct weir_report *report);

/**
 * weiri_party_new:
 * @state: static
 * @site: %NULL where it is not known
 * @items: linear local ids, ascending
 */
struct weir_party weiri_party_new(const char *state, const struct weiri_shape *shape,
                                  const struct weir_site *site, const char *operation,
                                  uint64_t phase, const uint32_t *items, size_t n);

GArray *weiri_parties_new(void);

/** "(3,0,0)" */
char *weiri_coordinates(const size_t at[3]);

#endif
