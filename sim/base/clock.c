/* SPDX-License-Identifier: MIT
 *
 * clock.c: see clock.h. A node has 16 branches, or 16 times where it is a leaf; a key
 * is the group's number and below it the timeline's, four bits a level:
 *
 *     group bits                     item bits
 *   +------+------+ ... +------+   +------+ ... +------+
 *   | node | node |     | node |   | node |     | leaf |
 *   +------+------+ ... +------+   +------+ ... +------+
 *                                  ^ the group's own node, which has the floor
 *
 * Nodes are reference-counted. A node with one reference is changed in place; others
 * are copied first. */
#include "config.h"

#include "base/clock.h"

#include "base/assert.h"

#include <glib.h>

enum { BITS = 4, BRANCHES = 1 << BITS };

struct weiri_clock {
    uint32_t refs;
    uint32_t floor; /* in a group's own node; 0 in others */
    union {
        struct weiri_clock *branch[BRANCHES];
        uint32_t time[BRANCHES]; /* of a leaf, which is allocated with just these */
    };
};

#define LEAF_BYTES (offsetof(struct weiri_clock, time) + BRANCHES * sizeof(uint32_t))

static unsigned bits_for(uint64_t n)
{
    unsigned bits = BITS;
    while (bits < 64 && n > (uint64_t)1 << bits) {
        bits += BITS;
    }
    return bits;
}

void weiri_clocks_init(struct weiri_clocks *clocks, uint64_t n_groups, uint64_t n_items)
{
    *clocks = (struct weiri_clocks){ .item_bits = bits_for(n_items) };
    clocks->key_bits = clocks->item_bits + bits_for(n_groups);
    weiri_assert(clocks->key_bits <= 64);
}

static void free_list(void *list)
{
    while (list != NULL) {
        void *next = *(void **)list;
        g_free(list);
        list = next;
    }
}

void weiri_clocks_clear(struct weiri_clocks *clocks)
{
    weiri_assert(clocks->n_nodes == 0);
    free_list(clocks->spare_inner);
    free_list(clocks->spare_leaf);
}

/* ---- Nodes: @shift is the place of a node's bits in the key, 0 in a leaf --------- */

static struct weiri_clock *make(struct weiri_clocks *clocks, unsigned shift)
{
    void **spare = shift == 0 ? &clocks->spare_leaf : &clocks->spare_inner;
    size_t bytes = shift == 0 ? LEAF_BYTES : sizeof(struct weiri_clock);
    struct weiri_clock *node = *spare;
    if (node != NULL) {
        *spare = *(void **)node;
    } else {
        node = g_malloc(bytes);
    }
    clocks->n_nodes++;
    return node;
}

static struct weiri_clock *make_empty(struct weiri_clocks *clocks, unsigned shift)
{
    struct weiri_clock *node = make(clocks, shift);
    node->refs = 1;
    node->floor = 0;
    for (unsigned i = 0; i < BRANCHES; i++) {
        if (shift == 0) {
            node->time[i] = 0;
        } else {
            node->branch[i] = NULL;
        }
    }
    return node;
}

struct weiri_clock *weiri_clock_ref(struct weiri_clock *clock)
{
    if (clock != NULL) {
        weiri_assert_slow(clock->refs < UINT32_MAX);
        clock->refs++;
    }
    return clock;
}

static void unref(struct weiri_clocks *clocks, struct weiri_clock *node, unsigned shift)
{
    if (node == NULL || --node->refs > 0) {
        return;
    }
    for (unsigned i = 0; shift > 0 && i < BRANCHES; i++) {
        unref(clocks, node->branch[i], shift - BITS);
    }
    void **spare = shift == 0 ? &clocks->spare_leaf : &clocks->spare_inner;
    *(void **)node = *spare;
    *spare = node;
    clocks->n_nodes--;
}

static unsigned top(const struct weiri_clocks *clocks)
{
    return clocks->key_bits - BITS;
}

void weiri_clock_unref(struct weiri_clocks *clocks, struct weiri_clock *clock)
{
    unref(clocks, clock, top(clocks));
}

/* Takes @node. Returns: a node with the same content and one reference */
static struct weiri_clock *own(struct weiri_clocks *clocks, struct weiri_clock *node,
                               unsigned shift)
{
    if (node == NULL) {
        return make_empty(clocks, shift);
    }
    if (node->refs == 1) {
        return node;
    }
    struct weiri_clock *copy = make(clocks, shift);
    copy->refs = 1;
    copy->floor = node->floor;
    for (unsigned i = 0; i < BRANCHES; i++) {
        if (shift == 0) {
            copy->time[i] = node->time[i];
        } else {
            copy->branch[i] = weiri_clock_ref(node->branch[i]);
        }
    }
    node->refs--;
    return copy;
}

/* ---- Looking up ------------------------------------------------------------------ */

/* The group's own node, or NULL. */
static const struct weiri_clock *group_node(const struct weiri_clocks *clocks,
                                            const struct weiri_clock *clock,
                                            uint64_t group)
{
    unsigned last = clocks->item_bits - BITS;
    for (unsigned shift = top(clocks); clock != NULL && shift > last; shift -= BITS) {
        clock = clock->branch[group >> (shift - clocks->item_bits) & (BRANCHES - 1)];
    }
    return clock;
}

uint32_t weiri_clock_floor(const struct weiri_clocks *clocks,
                           const struct weiri_clock *clock, uint64_t group)
{
    const struct weiri_clock *node = group_node(clocks, clock, group);
    return node == NULL ? 0 : node->floor;
}

uint32_t weiri_clock_time(const struct weiri_clocks *clocks,
                          const struct weiri_clock *clock, uint64_t group,
                          uint32_t item)
{
    const struct weiri_clock *node = group_node(clocks, clock, group);
    if (node == NULL) {
        return 0;
    }
    uint32_t floor = node->floor;
    for (unsigned shift = clocks->item_bits - BITS; shift > 0; shift -= BITS) {
        node = node->branch[item >> shift & (BRANCHES - 1)];
        if (node == NULL) {
            return floor;
        }
    }
    return MAX(floor, node->time[item & (BRANCHES - 1)]);
}

/* ---- Raising and joining --------------------------------------------------------- */

struct weiri_clock *weiri_clock_raise(struct weiri_clocks *clocks,
                                      struct weiri_clock *clock, uint64_t group,
                                      uint32_t time)
{
    if (weiri_clock_floor(clocks, clock, group) >= time) {
        return clock;
    }
    struct weiri_clock **at = &clock;
    unsigned last = clocks->item_bits - BITS, shift = top(clocks);
    for (; shift > last; shift -= BITS) {
        *at = own(clocks, *at, shift);
        at = &(*at)->branch[group >> (shift - clocks->item_bits) & (BRANCHES - 1)];
    }
    *at = own(clocks, *at, last);
    (*at)->floor = time;
    return clock;
}

struct weiri_clock *weiri_clock_raise_item(struct weiri_clocks *clocks,
                                           struct weiri_clock *clock, uint64_t group,
                                           uint32_t item, uint32_t time)
{
    if (weiri_clock_time(clocks, clock, group, item) >= time) {
        return clock;
    }
    uint64_t key = group << clocks->item_bits | item;
    struct weiri_clock **at = &clock;
    for (unsigned shift = top(clocks); shift > 0; shift -= BITS) {
        *at = own(clocks, *at, shift);
        at = &(*at)->branch[key >> shift & (BRANCHES - 1)];
    }
    *at = own(clocks, *at, 0);
    (*at)->time[item & (BRANCHES - 1)] = time;
    return clock;
}

/* Whether @node is known to include @other, by a look at one level: each branch of
 * @other is NULL or the same. */
static bool covers(const struct weiri_clock *node, const struct weiri_clock *other,
                   unsigned shift)
{
    if (node->floor < other->floor) {
        return false;
    }
    for (unsigned i = 0; i < BRANCHES; i++) {
        if (shift == 0
                ? node->time[i] < other->time[i]
                : other->branch[i] != NULL && node->branch[i] != other->branch[i]) {
            return false;
        }
    }
    return true;
}

/* Takes @node, borrows @other. */
static struct weiri_clock *join(struct weiri_clocks *clocks, struct weiri_clock *node,
                                struct weiri_clock *other, unsigned shift)
{
    if (other == NULL || node == other) {
        return node;
    }
    if (node == NULL) {
        return weiri_clock_ref(other);
    }
    if (covers(node, other, shift)) {
        return node;
    }
    if (covers(other, node, shift)) {
        unref(clocks, node, shift);
        return weiri_clock_ref(other);
    }
    node = own(clocks, node, shift);
    node->floor = MAX(node->floor, other->floor);
    for (unsigned i = 0; i < BRANCHES; i++) {
        if (shift == 0) {
            node->time[i] = MAX(node->time[i], other->time[i]);
        } else {
            node->branch[i]
                = join(clocks, node->branch[i], other->branch[i], shift - BITS);
        }
    }
    return node;
}

struct weiri_clock *weiri_clock_join(struct weiri_clocks *clocks,
                                     struct weiri_clock *clock,
                                     struct weiri_clock *other)
{
    return join(clocks, clock, other, top(clocks));
}
