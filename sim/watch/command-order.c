/* SPDX-License-Identifier: MIT
 *
 * command-order.c: see command-order.h. The K-th command of a chain has the time K in
 * it, and a clock that knows a chain up to K + 1 knows that command. */
#include "config.h"

#include "watch/command-order.h"

#include "base/clock.h"

#include <glib.h>

/* Chains that clocks have room for. Further commands join the last one: they are taken
 * to come after it. */
enum { MOST_CHAINS = 1 << 20 };

struct command {
    struct weiri_clock *clock; /* what it comes after, and the command itself; owned */
    uint32_t queue;
    uint32_t chain;
    uint32_t time; /* in its chain */
    bool waited;   /* for, by the host */
};

struct chain {
    uint32_t last; /* the number of its last command */
    uint32_t time; /* of that */
};

struct queue {
    bool in_order;
    uint32_t last;             /* its last command, or 0 */
    struct weiri_clock *all;   /* its commands; owned, as what follows */
    struct weiri_clock *floor; /* what its next command comes after */
};

struct buffer {
    struct weiri_clocks *clocks;
    struct weiri_clock *writers; /* the last one, and what it came after; owned */
    struct weiri_clock *readers; /* since; owned */
};

struct weiri_command_order {
    struct weiri_clocks clocks;
    struct weiri_clock *host; /* what it has waited for */
    GArray *commands;         /* of struct command, from number @first on */
    uint32_t first;
    uint32_t n_before; /* how many, from the first, have been waited for */
    GArray *chains;    /* of struct chain */
    GArray *queues;    /* of struct queue, from number 1 on */
    GHashTable *buffers;
};

static void free_buffer(void *data)
{
    struct buffer *buffer = data;
    weiri_clock_unref(buffer->clocks, buffer->writers);
    weiri_clock_unref(buffer->clocks, buffer->readers);
    g_free(buffer);
}

struct weiri_command_order *weiri_command_order_new(void)
{
    struct weiri_command_order *order = g_new0(struct weiri_command_order, 1);
    weiri_clocks_init(&order->clocks, MOST_CHAINS, 1);
    order->commands = g_array_new(FALSE, FALSE, sizeof(struct command));
    order->first = 1;
    order->chains = g_array_new(FALSE, FALSE, sizeof(struct chain));
    order->queues = g_array_new(FALSE, FALSE, sizeof(struct queue));
    order->buffers = g_hash_table_new_full(NULL, NULL, NULL, free_buffer);
    return order;
}

static struct command *command_at(const struct weiri_command_order *order,
                                  uint32_t number)
{
    uint32_t index = number - order->first;
    return number >= order->first && index < order->commands->len
        ? &g_array_index(order->commands, struct command, index)
        : NULL;
}

static struct queue *queue_at(const struct weiri_command_order *order, uint32_t number)
{
    return &g_array_index(order->queues, struct queue, number - 1);
}

static bool knows(const struct weiri_command_order *order,
                  const struct weiri_clock *clock, const struct command *command)
{
    return weiri_clock_floor(&order->clocks, clock, command->chain) > command->time;
}

static void join(struct weiri_command_order *order, struct weiri_clock **clock,
                 struct weiri_clock *other)
{
    *clock = weiri_clock_join(&order->clocks, *clock, other);
}

static void drop(struct weiri_command_order *order, struct weiri_clock **clock)
{
    weiri_clock_unref(&order->clocks, *clock);
    *clock = NULL;
}

/* Forgets all commands. Their numbers are not given again. */
static void forget(struct weiri_command_order *order)
{
    for (guint i = 0; i < order->commands->len; i++) {
        drop(order, &g_array_index(order->commands, struct command, i).clock);
    }
    for (guint i = 0; i < order->queues->len; i++) {
        struct queue *queue = &g_array_index(order->queues, struct queue, i);
        drop(order, &queue->all);
        drop(order, &queue->floor);
        queue->last = 0;
    }
    drop(order, &order->host);
    g_hash_table_remove_all(order->buffers);
    order->first += order->commands->len;
    order->n_before = 0;
    g_array_set_size(order->commands, 0);
    g_array_set_size(order->chains, 0);
}

void weiri_command_order_free(struct weiri_command_order *order)
{
    forget(order);
    g_array_unref(order->commands);
    g_array_unref(order->chains);
    g_array_unref(order->queues);
    g_hash_table_unref(order->buffers);
    weiri_clocks_clear(&order->clocks);
    g_free(order);
}

uint32_t weiri_command_order_queue(struct weiri_command_order *order, bool in_order)
{
    const struct queue queue = { .in_order = in_order };
    g_array_append_val(order->queues, queue);
    return order->queues->len;
}

/* ---- Commands -------------------------------------------------------------------- */

static struct buffer *buffer_of(struct weiri_command_order *order, const void *address)
{
    struct buffer *buffer = g_hash_table_lookup(order->buffers, address);
    if (buffer == NULL) {
        buffer = g_new0(struct buffer, 1);
        buffer->clocks = &order->clocks;
        g_hash_table_insert(order->buffers, (void *)(uintptr_t)address, buffer);
    }
    return buffer;
}

/* The time of a command: which commands it comes after. */
static struct weiri_clock *clock_of(struct weiri_command_order *order,
                                    const struct weiri_command_start *start)
{
    const struct queue *queue = queue_at(order, start->queue);
    struct weiri_clock *clock = weiri_clock_ref(order->host);
    bool after_all = queue->in_order || (start->barrier && start->n_after == 0);
    join(order, &clock, after_all ? queue->all : queue->floor);
    for (size_t i = 0; i < start->n_after; i++) {
        const struct command *earlier = command_at(order, start->after[i]);
        if (earlier != NULL) {
            join(order, &clock, earlier->clock);
        }
    }
    for (size_t i = 0; i < start->n_uses; i++) {
        const struct buffer *buffer = buffer_of(order, start->uses[i].buffer);
        join(order, &clock, buffer->writers);
        if (start->uses[i].writes) {
            join(order, &clock, buffer->readers);
        }
    }
    return clock;
}

/* Whether the command can be the next one of a chain: it comes after the last one. */
static bool continues(const struct weiri_command_order *order, uint32_t last)
{
    const struct command *command = command_at(order, last);
    return command != NULL
        && g_array_index(order->chains, struct chain, command->chain).last == last;
}

/* The chain in which a command is the next one; a new chain if no other fits. */
static uint32_t chain_for(struct weiri_command_order *order,
                          const struct weiri_command_start *start)
{
    const struct queue *queue = queue_at(order, start->queue);
    if (queue->in_order && continues(order, queue->last)) {
        return command_at(order, queue->last)->chain;
    }
    for (size_t i = 0; i < start->n_after; i++) {
        if (continues(order, start->after[i])) {
            return command_at(order, start->after[i])->chain;
        }
    }
    if (order->chains->len < MOST_CHAINS) {
        g_array_append_val(order->chains, (struct chain){ 0 });
    }
    return order->chains->len - 1;
}

uint32_t weiri_command_order_begin(struct weiri_command_order *order,
                                   const struct weiri_command_start *start)
{
    uint32_t number = order->first + order->commands->len;
    struct queue *queue = queue_at(order, start->queue);
    struct command command = { .clock = clock_of(order, start), .queue = start->queue };
    command.chain = chain_for(order, start);
    struct chain *chain = &g_array_index(order->chains, struct chain, command.chain);
    if (chain->last != 0) { /* no new one: only that which has to take the rest */
        join(order, &command.clock, command_at(order, chain->last)->clock);
    }
    command.time = ++chain->time;
    chain->last = number;
    command.clock = weiri_clock_raise(&order->clocks, command.clock, command.chain,
                                      command.time + 1);
    for (size_t i = 0; i < start->n_uses; i++) {
        struct buffer *buffer = buffer_of(order, start->uses[i].buffer);
        if (start->uses[i].writes) {
            drop(order, &buffer->readers);
            join(order, &buffer->writers, command.clock);
        } else {
            join(order, &buffer->readers, command.clock);
        }
    }
    join(order, &queue->all, command.clock);
    if (start->barrier) {
        join(order, &queue->floor, command.clock);
    }
    queue->last = number;
    g_array_append_val(order->commands, command);
    return number;
}

bool weiri_command_order_before(const struct weiri_command_order *order,
                                uint32_t earlier, uint32_t later)
{
    const struct command *first = command_at(order, earlier);
    const struct command *second = later != 0 ? command_at(order, later) : NULL;
    return first == NULL
        || knows(order, second != NULL ? second->clock : order->host, first);
}

uint32_t weiri_command_order_queue_of(const struct weiri_command_order *order,
                                      uint32_t command)
{
    const struct command *at = command_at(order, command);
    return at != NULL ? at->queue : 0;
}

uint32_t weiri_command_order_first(const struct weiri_command_order *order)
{
    return order->first;
}

/* ---- The host -------------------------------------------------------------------- */

/* The host has waited. Returns: whether for all commands */
static bool settle(struct weiri_command_order *order)
{
    bool all = true;
    for (guint i = order->n_before; i < order->commands->len; i++) {
        struct command *command = &g_array_index(order->commands, struct command, i);
        command->waited = command->waited || knows(order, order->host, command);
        order->n_before += all && command->waited;
        all = all && command->waited;
    }
    if (all) {
        forget(order);
    }
    return all;
}

bool weiri_command_order_wait(struct weiri_command_order *order, uint32_t command)
{
    const struct command *at = command_at(order, command);
    if (at != NULL && !at->waited) {
        join(order, &order->host, at->clock);
        return settle(order);
    }
    return order->commands->len == 0;
}

bool weiri_command_order_wait_queue(struct weiri_command_order *order, uint32_t queue)
{
    join(order, &order->host, queue_at(order, queue)->all);
    return settle(order);
}

bool weiri_command_order_wait_buffer(struct weiri_command_order *order,
                                     const void *buffer, bool writes)
{
    const struct buffer *used = g_hash_table_lookup(order->buffers, buffer);
    if (used != NULL) {
        join(order, &order->host, used->writers);
        if (writes) {
            join(order, &order->host, used->readers);
        }
        return settle(order);
    }
    return order->commands->len == 0;
}
