/* SPDX-License-Identifier: MIT
 *
 * copy.h: copies that a group asks for and waits for later: async_work_group_copy() of
 * OpenCL. The functions that kernels call are in weir-machinery-shared.h. */
#ifndef WEIRI_COPY_H
#define WEIRI_COPY_H

#include "exec/group.h"

struct weiri_worker;

/** All items of the running group have asked for the copy that @item asked for last. */
void weiri_copy_asked(struct weiri_worker *worker, const struct weiri_group *group,
                      uint32_t item);

/** The running group ends: copies that were not waited for are a finding, unless it was
 *  @cancelled. */
void weiri_copy_end_group(struct weiri_worker *worker, struct weiri_group *group,
                          bool cancelled);

#endif
