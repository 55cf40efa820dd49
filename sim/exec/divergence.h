/* SPDX-License-Identifier: MIT
 *
 * divergence.h: what is said of a rendezvous that not all of its items reach. */
#ifndef WEIRI_DIVERGENCE_H
#define WEIRI_DIVERGENCE_H

#include "exec/group.h"

struct weiri_worker;

/**
 * weiri_divergence_find:
 *
 * Nobody of the group can run and somebody waits: makes the finding of kind
 * barrier-divergence that says who is where. The caller ends the group, or lets those
 * go that wait.
 */
void weiri_divergence_find(struct weiri_worker *worker, struct weiri_group *group);

/** A rendezvous is complete only since the launch's options are lenient: a note. */
void weiri_divergence_note(struct weiri_worker *worker, struct weiri_group *group,
                           const struct weiri_gate *gate);

#endif
