/* SPDX-License-Identifier: MIT
 *
 * sched.c: applying a policy to the queue. Slow and simple: a launch with a
 * policy is one that is being studied. */
#include "config.h"

#include "exec/sched.h"

#include "base/assert.h"

#include <glib.h>

uint32_t weiri_queue_pick(struct weiri_queue *queue, const struct weiri_policy *policy)
{
    uint32_t n = weiri_queue_count(queue);
    weiri_assert(n > 0);
    if (policy == NULL) {
        return weiri_queue_pop(queue);
    }
    g_autofree uint32_t *items = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        items[i] = queue->items[(queue->head + i) & queue->mask];
    }
    uint32_t chosen = policy->pick(policy->self, items, n);
    weiri_assert(chosen < n);
    for (uint32_t i = chosen; i > 0; i--) {
        queue->items[(queue->head + i) & queue->mask] = items[i - 1];
    }
    queue->head++;
    return items[chosen];
}
