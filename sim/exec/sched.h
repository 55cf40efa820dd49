/* SPDX-License-Identifier: MIT
 *
 * sched.h: who runs next in a group. The queue of items that could run, in the
 * order in which they became able to, and a policy that picks one of them.
 *
 * A policy is pure: it sees ids and returns an index among them. Without one
 * the first goes first, which is the in-order schedule of fast mode. Items that
 * have not started come before any that waited, in order of their ids. */
#ifndef WEIRI_SCHED_H
#define WEIRI_SCHED_H

#include <stddef.h>
#include <stdint.h>

struct weiri_policy {
    uint32_t (*pick)(void *self, const uint32_t *items,
                     uint32_t n); /* an index below n */
    void *self;
};

/* A ring: entries head to tail - 1, modulo mask + 1, which no group exceeds. */
struct weiri_queue {
    uint32_t *items;
    uint32_t mask;
    uint32_t head;
    uint32_t tail;
};

static inline uint32_t weiri_queue_count(const struct weiri_queue *queue)
{
    return queue->tail - queue->head;
}

static inline void weiri_queue_push(struct weiri_queue *queue, uint32_t item)
{
    queue->items[queue->tail++ & queue->mask] = item;
}

static inline uint32_t weiri_queue_pop(struct weiri_queue *queue)
{
    return queue->items[queue->head++ & queue->mask];
}

/* Takes the entry that the policy picks. A policy sees a contiguous array: the
 * ring is turned until its head is at the start. */
uint32_t weiri_queue_pick(struct weiri_queue *queue, const struct weiri_policy *policy);

#endif
