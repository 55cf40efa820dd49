/* SPDX-License-Identifier: MIT
 *
 * kernel-text.h: facts about a kernel's items that its text shows: at which statements
 * they meet, and which statements all items of a group reach. */
#ifndef WEIRI_KERNEL_TEXT_H
#define WEIRI_KERNEL_TEXT_H

#include "repair/suggest.h"

/**
 * weiri_barrier_text:
 * @statement: beside which it is to stand
 * @space: the memory that it is to order: "local", "global", or %NULL for both
 *
 * Returns: (transfer full): the call of a barrier of the group in the words of the
 *          source, "weir_barrier(item, WEIR_LOCAL)"; %NULL where the function around
 *          @anchor does not know its item
 */
char *weiri_barrier_text(const struct weiri_anchor *anchor, uint32_t statement,
                         const char *space);

/** A call in @within at which all items of a group or sub-group meet.
 *
 * @call: (out): to be cleared; unchanged without one
 * Returns: whether there is one */
bool weiri_find_meeting(const struct weiri_source *source, struct weiri_range within,
                        struct weiri_call *call);

/** Whether there is one of a whole group. */
bool weiri_meets(const struct weiri_source *source, struct weiri_range within);

/** Whether such a call is of a sub-group. */
bool weiri_is_of_sub_group(const struct weiri_source *source,
                           const struct weiri_call *call);

/** Whether the statement is a barrier and nothing else. */
bool weiri_is_barrier(const struct weiri_source *source, uint32_t statement);

/** Whether all items of a group reach the statement, as far as the text shows. */
bool weiri_is_uniform(const struct weiri_source *source, uint32_t statement);

/** Whether a statement is a return, break, continue or goto. */
bool weiri_jumps(const struct weiri_source *source, uint32_t statement);

#endif
