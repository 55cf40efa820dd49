/* SPDX-License-Identifier: MIT
 *
 * residency.h: launches of which not all groups are resident at once. Groups start in
 * the order of their numbers: as many as may be resident at first, and then one
 * whenever one has ended. A group that has not started takes no step. Its start orders
 * nothing: no specification makes the end of a group happen before the start of another
 * one.
 *
 * So each execution of such a launch is one of two things. Either it is an execution of
 * the program in which all groups may take steps. Or the groups that have started wait
 * for one that has not: then it is an execution that never ends, of the program that
 * has no other groups than the started ones. */
#ifndef WEIRI_RESIDENCY_H
#define WEIRI_RESIDENCY_H

#include "model/explore.h"
#include "native/program.h"

/**
 * weiri_residency_permits:
 * @n_items: of a group
 * @resident: groups at a time
 *
 * Returns: whether the execution's events can be taken in some order: each after those
 * that it needs, and while its group is resident. Under `sc` that order is also one of
 * the values that are read.
 */
bool weiri_residency_permits(const struct weiri_graph *graph, uint32_t n_items,
                             uint32_t resident);

/** The number of groups with an item that has not returned. @groups: (out): these, in
 *  order; it has room for all */
uint32_t weiri_residency_unended(const struct weiri_graph *graph, uint32_t n_items,
                                 uint32_t *groups);

#endif
