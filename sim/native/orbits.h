/* SPDX-License-Identifier: MIT
 *
 * orbits.h: executions that differ only by interchangeable items (symmetry.h): which of
 * them is visited, how many it counts for, and in which states they end. */
#ifndef WEIRI_NATIVE_ORBITS_H
#define WEIRI_NATIVE_ORBITS_H

#include "native/final.h"
#include "native/program.h"

/** Whether all executions that the graph leads to are left out: the option @skips of
 *  weiri_explore(). */
bool weiri_orbits_skips(const struct weiri_native *native,
                        const struct weiri_graph *graph);

/** For a complete execution, the number of executions of its orbit; or 0: another one
 *  of the orbit counts for it. */
uint64_t weiri_orbits_size(const struct weiri_native *native,
                           const struct weiri_graph *graph);

/** Calls @found with each final state of the execution's orbit. @executions: of the
 *  orbit, that end in it */
void weiri_orbits_states(struct weiri_finals *finals, const struct weiri_graph *graph,
                         uint64_t orbit,
                         void (*found)(void *user, struct weiri_final *state,
                                       uint64_t executions),
                         void *user);

#endif
