/* SPDX-License-Identifier: MIT
 *
 * collective.h: the one rendezvous under barriers, group algorithms and the
 * end of items. Items meet by site and arguments, never by counting arrivals;
 * returning from the kernel counts as never arriving. The operations that
 * kernels call are declared in weir-collective.h. */
#ifndef WEIRI_COLLECTIVE_H
#define WEIRI_COLLECTIVE_H

#include "exec/group.h"

struct weiri_worker;

/** In a deterministic launch: releases all items that wait, as if the others had
 *  come. */
void weiri_collective_release(struct weiri_worker *worker, struct weiri_group *group);

/** In a deterministic launch where returned items need not come: @item has returned. */
void weiri_collective_left(struct weiri_worker *worker, struct weiri_group *group,
                           uint32_t item);

#endif
