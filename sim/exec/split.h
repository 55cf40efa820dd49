/* SPDX-License-Identifier: MIT
 *
 * split.h: launches of stackless kernels, which weir-machinery.h describes under
 * "Kernels without stacks".
 *
 * While the items of a group are in step, the group is run in passes. A pass runs each
 * item, in order of id, from one rendezvous to the next; the entry K__stackless() is
 * that loop. The items are in no list, and the rendezvous is complete when the last
 * item has stopped at the site of the first.
 *
 * If an item stops elsewhere, returns before the others, or is parked with its stack,
 * the part of the pass before it is over. The items of that part scatter: each joins a
 * gate (gate.c) or has returned, as in launches with stacks, and the queue has those
 * that can run. A new part of the pass begins with the next item. When the last part is
 * over, no item is in step. An item from the queue that has no stack then runs alone to
 * its next stop, on the stack of the coroutine that takes it. When all items of the
 * group are in the queue and none has a stack, they are in step again.
 *
 * The members of a group that this uses are `next`, the first item of the part; `end`,
 * which is NULL between passes; and in struct weir_group those from `frames` on.
 *
 * Only fast launches use it: fast.c calls it if the launch has a @split, which
 * set_split() in host/launch.c decides. */
#ifndef WEIRI_SPLIT_H
#define WEIRI_SPLIT_H

#include "exec/group.h"
#include "exec/worker.h"

/** Gives a group that has just been started its frames, and begins its first pass. */
void weiri_split_start(const struct weiri_split *split, struct weiri_group *group);

/** Called when the entry has returned. Either a part of a pass is over, or, where `end`
 *  is NULL, the item `at`, which ran alone or was resumed on its own stack. */
void weiri_split_ended(struct weiri_worker *worker, struct weiri_group *group);

/** Item @self waits inside a function or spins: it keeps the stack that it runs on, and
 *  the rest of the pass needs another one. */
void weiri_split_park(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t self);

/** If all items of the group are in the queue and none has a stack, makes a pass of
 *  them. Returns: whether it does */
bool weiri_split_gather(struct weiri_group *group);

#endif
