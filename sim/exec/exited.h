/* SPDX-License-Identifier: MIT
 *
 * exited.h: in a fast launch where items that have returned need not come
 * (WEIR_EXITED_ALIVE_ONLY), the others meet without them. Which items have returned is
 * known when no item of the group can go on: those that wait nowhere. */
#ifndef WEIRI_EXITED_H
#define WEIRI_EXITED_H

#include "exec/group.h"
#include "exec/worker.h"

/** No item of the group can go on. Returns: whether some can now */
bool weiri_exited_forget(struct weiri_worker *worker, struct weiri_group *group);

#endif
