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

#include "base/call-tree.h"

#include "base/table.h"

#include <stddef.h>

enum { NODE_BITS = 18 };
/* 4 MiB of nodes. A kernel with more paths than that recurses. */
enum { MOST_NODES = 1 << NODE_BITS };
enum { FIRST_CAPACITY = 64 };
static const uint32_t one_lost = 1u << NODE_BITS;
static const uint32_t most_lost = UINT32_MAX << NODE_BITS;

struct node {
    const void *pc;  /* where the call returns to, and */
    uint32_t parent; /* the call around it: the key */
    uint32_t latest; /* child, or 0 */
};
enum { KEY_BYTES = offsetof(struct node, latest) };

struct weiri_call_tree {
    struct weiri_table nodes;
};

static struct node *node_at(const struct weiri_call_tree *tree, uint32_t index)
{
    return weiri_table_at(&tree->nodes, index, sizeof(struct node));
}

struct weiri_call_tree *weiri_call_tree_new(void)
{
    struct weiri_call_tree *tree = g_new0(struct weiri_call_tree, 1);
    weiri_table_init(&tree->nodes, FIRST_CAPACITY, sizeof(struct node));
    return tree;
}

void weiri_call_tree_free(struct weiri_call_tree *tree)
{
    if (tree != NULL) {
        weiri_table_clear(&tree->nodes);
        g_free(tree);
    }
}

static __attribute__((noinline)) uint32_t find_or_add(struct weiri_call_tree *tree,
                                                      uint32_t parent, const void *pc)
{
    struct node node = { pc, parent, 0 };
    uint32_t index = weiri_table_find(&tree->nodes, &node, sizeof(node), KEY_BYTES);
    if (index == 0) {
        if (tree->nodes.n == MOST_NODES) {
            return parent + one_lost;
        }
        index = weiri_table_add(&tree->nodes, &node, sizeof(node), KEY_BYTES);
    }
    node_at(tree, parent)->latest = index;
    return index;
}

uint32_t weiri_call_tree_enter(struct weiri_call_tree *tree, uint32_t calls,
                               const void *pc)
{
    if (calls >= one_lost) {
        return calls < most_lost ? calls + one_lost : calls;
    }
    uint32_t latest = node_at(tree, calls)->latest;
    return node_at(tree, latest)->pc == pc ? latest : find_or_add(tree, calls, pc);
}

uint32_t weiri_call_tree_leave(const struct weiri_call_tree *tree, uint32_t calls)
{
    return calls >= one_lost ? calls - one_lost : node_at(tree, calls)->parent;
}

void weiri_call_tree_list(const struct weiri_call_tree *tree, uint32_t calls,
                          const void *pc, struct weiri_backtrace *list)
{
    list->n = 0;
    if (pc != NULL) {
        list->pc[list->n++] = pc;
    }
    for (uint32_t node = calls & (one_lost - 1);
         node != 0 && list->n < WEIRI_MOST_CALLS; node = node_at(tree, node)->parent) {
        list->pc[list->n++] = node_at(tree, node)->pc;
    }
}
