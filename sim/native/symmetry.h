/* SPDX-License-Identifier: MIT
 *
 * symmetry.h: items that are interchangeable: with the same values read, they take the
 * same steps. Executions that differ only in which of these items takes which steps are
 * an orbit: one of them is visited, and counts for all.
 *
 * Which items these are is recognised. Items form a class if they may change places
 * among groups and sub-groups. Each history of one is run with all others of its class.
 * As soon as one of them takes another step, the class is divided, and the exploration
 * begins anew. That finds each difference that matters. For let items stop where the
 * items of their class differ. All items of a class then do the same, and one execution
 * of each orbit is visited. So one that reaches the first such place is visited, if any
 * execution does; and up to there it is an execution of the launch, too. */
#ifndef WEIRI_NATIVE_SYMMETRY_H
#define WEIRI_NATIVE_SYMMETRY_H

#include "native/program.h"

/** Items may be interchangeable from now on, as their places allow. */
void weiri_symmetry_allow(struct weiri_native *native);

/** All items are different from now on, and the exploration begins anew. */
void weiri_symmetry_drop(struct weiri_native *native);

/** The program's first nodes are there: divides classes, and joins nodes of each. */
void weiri_symmetry_begin(struct weiri_native *native);

/** Whether the items of the node's class take the same step after that history. If not,
 *  their class is divided. */
bool weiri_symmetry_holds(struct weiri_native *native, uint32_t node);

/** The number of items that can change places with another one. */
uint32_t weiri_symmetry_items(const struct weiri_native *native);

#endif
