/* SPDX-License-Identifier: MIT
 *
 * call-tree.c: see call-tree.h. The next item mostly makes the same calls again, so
 * each node keeps the child that was entered last; a table has the others.
 *
 * When the tree is full, a path is its last node and the number of calls below it that
 * are lost; returning from those leads back to the node.
 *
 *   31          18 17              0
 *  +--------------+----------------+
 *  |  calls lost  |      node      |
 *  +--------------+----------------+ */
#include "config.h"

#include "exec/call-tree.h"

#include <glib.h>

enum { NODE_BITS = 18 };
/* 4 MiB of nodes. A kernel that has more ways than that recurses. */
enum { MOST_NODES = 1 << NODE_BITS };
enum { FIRST_CAPACITY = 64 };
static const uint32_t one_lost = 1u << NODE_BITS;
static const uint32_t most_lost = UINT32_MAX << NODE_BITS;

struct node {
    const void *pc; /* where the call returns to */
    uint32_t parent;
    uint32_t latest; /* child, or 0 */
};

struct weiri_call_tree {
    struct node *nodes;
    uint32_t n_nodes;
    uint32_t capacity;
    uint32_t *index; /* of @nodes, by parent and pc; open addressing */
    uint32_t index_mask;
};

struct weiri_call_tree *weiri_call_tree_new(void)
{
    struct weiri_call_tree *callers = g_new0(struct weiri_call_tree, 1);
    callers->capacity = FIRST_CAPACITY;
    callers->nodes = g_new0(struct node, callers->capacity);
    callers->n_nodes = 1;
    callers->index_mask = 2 * callers->capacity - 1;
    callers->index = g_new0(uint32_t, callers->index_mask + 1);
    return callers;
}

void weiri_call_tree_free(struct weiri_call_tree *callers)
{
    if (callers != NULL) {
        g_free(callers->nodes);
        g_free(callers->index);
        g_free(callers);
    }
}

/* Where the node of that parent and place is in the index, or would be. */
static uint32_t *find(const struct weiri_call_tree *callers, uint32_t parent,
                      const void *pc)
{
    uint64_t hash = ((uintptr_t)pc * 0x9e3779b97f4a7c15) ^ parent;
    hash *= 0xff51afd7ed558ccd;
    uint32_t at = (uint32_t)(hash >> 32) & callers->index_mask;
    while (callers->index[at] != 0) {
        const struct node *node = &callers->nodes[callers->index[at]];
        if (node->parent == parent && node->pc == pc) {
            break;
        }
        at = (at + 1) & callers->index_mask;
    }
    return &callers->index[at];
}

static void grow(struct weiri_call_tree *callers)
{
    callers->capacity *= 2;
    callers->nodes = g_renew(struct node, callers->nodes, callers->capacity);
    callers->index_mask = 2 * callers->capacity - 1;
    g_free(callers->index);
    callers->index = g_new0(uint32_t, callers->index_mask + 1);
    for (uint32_t i = 1; i < callers->n_nodes; i++) {
        *find(callers, callers->nodes[i].parent, callers->nodes[i].pc) = i;
    }
}

static __attribute__((noinline)) uint32_t find_or_add(struct weiri_call_tree *callers,
                                                      uint32_t parent, const void *pc)
{
    uint32_t *at = find(callers, parent, pc);
    if (*at == 0) {
        if (callers->n_nodes == MOST_NODES) {
            return parent + one_lost;
        }
        if (callers->n_nodes == callers->capacity) {
            grow(callers);
            at = find(callers, parent, pc);
        }
        *at = callers->n_nodes++;
        callers->nodes[*at] = (struct node){ pc, parent, 0 };
    }
    callers->nodes[parent].latest = *at;
    return *at;
}

uint32_t weiri_call_tree_enter(struct weiri_call_tree *callers, uint32_t calls,
                               const void *pc)
{
    if (calls >= one_lost) {
        return calls < most_lost ? calls + one_lost : calls;
    }
    uint32_t latest = callers->nodes[calls].latest;
    return callers->nodes[latest].pc == pc ? latest : find_or_add(callers, calls, pc);
}

uint32_t weiri_call_tree_leave(const struct weiri_call_tree *callers, uint32_t calls)
{
    return calls >= one_lost ? calls - one_lost : callers->nodes[calls].parent;
}

void weiri_call_tree_list(const struct weiri_call_tree *callers, uint32_t calls,
                          const void *pc, struct weiri_backtrace *list)
{
    list->n = 0;
    if (pc != NULL) {
        list->pc[list->n++] = pc;
    }
    uint32_t node = calls & (one_lost - 1);
    for (; node != 0 && list->n < WEIRI_MOST_CALLS;
         node = callers->nodes[node].parent) {
        list->pc[list->n++] = callers->nodes[node].pc;
    }
}
