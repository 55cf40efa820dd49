/* SPDX-License-Identifier: MIT
 *
 * call-tree.h: the calls between the kernel and the running code of each item. The
 * compiler's hooks report each function that is entered and left. The calls that an
 * item is in are a node of a tree, whose parent is the call around it, so that a whole
 * path is one number. Node 0 is the kernel's own body.
 *
 * Threads: one, in a launch that is watched. */
#ifndef WEIRI_CALL_TREE_H
#define WEIRI_CALL_TREE_H

#include "base/backtrace.h"

struct weiri_call_tree;

struct weiri_call_tree *weiri_call_tree_new(void);
void weiri_call_tree_free(struct weiri_call_tree *tree);

/** The path @calls followed by the call that returns to @pc. */
uint32_t weiri_call_tree_enter(struct weiri_call_tree *tree, uint32_t calls,
                               const void *pc);

/** The path without its innermost call. */
uint32_t weiri_call_tree_leave(const struct weiri_call_tree *tree, uint32_t calls);

/** The return addresses of a path, innermost first, after @pc unless that is %NULL. */
void weiri_call_tree_list(const struct weiri_call_tree *tree, uint32_t calls,
                          const void *pc, struct weiri_backtrace *list);

#endif
