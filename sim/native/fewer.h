/* SPDX-License-Identifier: MIT
 *
 * fewer.h: the executions of a launch when fewer than all of its groups are resident at
 * a time; see residency.h. */
#ifndef WEIRI_NATIVE_FEWER_H
#define WEIRI_NATIVE_FEWER_H

#include "model/explore.h"
#include "native/findings.h"

/**
 * weiri_fewer:
 * @native: the program that is explored; borrowed, as @options is
 * @residencies: of struct weir_residency: the numbers of groups that are asked for
 * @starved: executions that do not end, of the largest number of groups that has any
 * @starved_why: why they do not end
 * @starved_groups: that number of groups; 0: none does
 * @starved_threads: the number of items that have started in @starved
 */
struct weiri_fewer {
    struct weiri_native *native;
    const struct weiri_native_options *options;
    GArray *residencies;
    struct weiri_noted starved;
    enum weiri_execution_end starved_why;
    uint32_t starved_groups, starved_threads;
};

void weiri_fewer_init(struct weiri_fewer *fewer, struct weiri_native *native,
                      const struct weiri_native_options *options);
void weiri_fewer_clear(struct weiri_fewer *fewer);

/** Forgets all that was found. */
void weiri_fewer_forget(struct weiri_fewer *fewer);

/** Adds the numbers of groups that are asked for, of which nothing is known. */
void weiri_fewer_begin(struct weiri_fewer *fewer);

/** Counts an execution of all groups that ends. */
void weiri_fewer_count(struct weiri_fewer *fewer, const struct weiri_graph *graph);

/** Notes an execution that does not end, of all groups or of the first ones alone. */
void weiri_fewer_note(struct weiri_fewer *fewer, const struct weiri_graph *graph,
                      enum weiri_execution_end why);

/** Explores the first group alone, the first two, and so on. All groups have been
 *  explored with @how. @complete: no execution of them is missing. Returns: whether
 *  none is missing at all */
bool weiri_fewer_explore(struct weiri_fewer *fewer, struct weiri_explore_options how,
                         bool complete);

/** Adds the finding, if there are executions that do not end. */
void weiri_fewer_report(const struct weiri_fewer *fewer,
                        const struct weiri_findings *findings);

/** Gives the result the residencies. */
void weiri_fewer_give(struct weiri_fewer *fewer, struct weir_exploration *result);

#endif
