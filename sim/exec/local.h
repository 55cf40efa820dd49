/* SPDX-License-Identifier: MIT
 *
 * local.h: local memory of groups. The operations that kernels call are
 * declared in weir-machinery.h. */
#ifndef WEIRI_LOCAL_H
#define WEIRI_LOCAL_H

#include "exec/group.h"

struct weiri_worker;

/** Ends the local arrays of a group. If some of its items did not ask for an array,
 *  that is a finding, unless the group was cancelled. */
void weiri_local_end_group(struct weiri_worker *worker, struct weiri_group *group,
                           bool cancelled);

/** The start of the group's array that corresponds to @like of another group of its
 *  cluster: made now, if no item has asked for it. */
char *weiri_local_of_site(struct weiri_group *group, const struct weiri_array *like,
                          size_t element_bytes);

#endif
