/* SPDX-License-Identifier: MIT
 *
 * queue.h: the items of a group that can run in fast mode, in the order in which they
 * became able to. */
#ifndef WEIRI_QUEUE_H
#define WEIRI_QUEUE_H

#include <stdint.h>

/* A ring of mask + 1 entries, at least as many as a group has items. The members are
 * those from head to tail - 1. */
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

#endif
