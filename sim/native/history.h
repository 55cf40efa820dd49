/* SPDX-License-Identifier: MIT
 *
 * history.h: the tree of histories of a launch's items, and how an item is brought to a
 * node of it: for the files that make the tree. */
#ifndef WEIRI_NATIVE_HISTORY_H
#define WEIRI_NATIVE_HISTORY_H

#include "native/program.h"

static inline struct weiri_native_node *weiri_history_node(
    const struct weiri_native *native, uint32_t node)
{
    return &g_array_index(native->nodes, struct weiri_native_node, node);
}

static inline const struct weiri_request *weiri_history_request(
    const struct weiri_native *native, uint32_t node)
{
    return &g_array_index(native->requests, struct weiri_request,
                          weiri_history_node(native, node)->request);
}

/** Whether an item that makes one of them may be at the node of the other. */
bool weiri_history_same_request(const struct weiri_request *a,
                                const struct weiri_request *b);

/** Brings the item to where it was at @node: it begins anew and is given the answers of
 *  its history. Stops the program where time is over, so that the item may have been
 *  interrupted before it was there, or where it does something else than before. */
void weiri_history_go_to(struct weiri_native *native, uint32_t thread, uint32_t node);

#endif
