/* SPDX-License-Identifier: MIT
 *
 * split.h: launches of stackless kernels, which weir-machinery.h describes under
 * "Kernels without stacks".
 *
 * As long as the items of a group are in step, the group is run in passes: all items
 * from one rendezvous to the next, one after the other. They are in no list, and the
 * rendezvous is complete when the pass is over. Where an item stops elsewhere, returns
 * before the others, or is parked with its stack in the middle of a pass, the items
 * scatter: each is in a gate, in the queue or has returned, as in launches with stacks.
 * One that is taken from the queue and has no stack runs alone, on the stack of the
 * coroutine that takes it. When all items are in the queue, they are in step again.
 *
 * Fast mode alone uses it: fast.c says when. */
#ifndef WEIRI_SPLIT_H
#define WEIRI_SPLIT_H

#include "exec/group.h"
#include "exec/worker.h"

/** A group is to be run: its first pass. */
void weiri_split_start(const struct weiri_split *split, struct weiri_group *group);

/** The entry has returned: a pass, or a part of one, or one item is over. */
void weiri_split_ended(struct weiri_worker *worker, struct weiri_group *group);

/** Item @self keeps the stack that it runs on, since it waits there. */
void weiri_split_park(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t self);

/** If all items of the group are in the queue and none has a stack, makes a pass of
 *  them. Returns: whether it does */
bool weiri_split_gather(struct weiri_group *group);

#endif
