/* SPDX-License-Identifier: MIT
 *
 * policy.h: which item runs next in a deterministic launch. A policy is a function of
 * ids, its seed and its own earlier choices; it knows nothing of kernels. */
#ifndef WEIRI_POLICY_H
#define WEIRI_POLICY_H

#include "base/id-set.h"
#include "exec/schedule.h"

/**
 * weiri_policy:
 *
 * @pick:    chooses the item of @ready that runs next; @ready is not empty. @current is
 *           the item that ran last, if it can go on, or %WEIRI_NO_ITEM
 * @entered: a group became resident: its @n ids from @first; may be %NULL
 * @added, @removed: an item can or cannot run from here on; may be %NULL. The running
 *           item is ready until it is removed
 * @added_but: the same as @added for @n ids from @first, except @but; set if @added is
 * @free:    of @self
 * @preemptive: whether @pick may choose another item where @current can go on
 */
struct weiri_policy {
    uint32_t (*pick)(void *self, const struct weiri_id_set *ready, uint32_t current);
    void (*entered)(void *self, uint32_t first, uint32_t n);
    void (*added)(void *self, uint32_t id);
    void (*added_but)(void *self, uint32_t first, uint32_t n, uint32_t but);
    void (*removed)(void *self, uint32_t id);
    void (*free)(void *self);
    bool preemptive;
    void *self;
};

/** The policy of a schedule for ids below @n_ids. */
struct weiri_policy weiri_policy_new(const struct weiri_schedule_spec *spec,
                                     uint64_t seed, uint32_t n_ids);

#endif
