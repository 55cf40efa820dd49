/* SPDX-License-Identifier: MIT
 *
 * sycl-text.h: facts about items that the text of a SYCL kernel shows, and the spelling
 * of changes to it: with the names, and the qualification of names, that it has
 * itself. */
#ifndef WEIRI_SYCL_TEXT_H
#define WEIRI_SYCL_TEXT_H

#include "repair/suggest.h"

/** The prefix of SYCL's names in the source: "sycl::", "cl::sycl::", "".
 *  Returns: (transfer full) */
char *weiri_sycl_prefix(const struct weiri_source *source);

/** The name of the kernel's nd_item in the function around @anchor.
 *  Returns: (transfer full): or %NULL */
char *weiri_sycl_item(const struct weiri_anchor *anchor);

/**
 * weiri_sycl_barrier:
 * @statement: where it is to stand: a variable for the group is used if it is visible
 * @space: "local", "global" or %NULL, for sources that know nd_item::barrier alone
 *
 * Returns: (transfer full): "sycl::group_barrier(it.get_group())"; or %NULL
 */
char *weiri_sycl_barrier(const struct weiri_anchor *anchor, uint32_t statement,
                         const char *space);

/** A call in @within at which all items of a group meet, or with @of_sub_groups all
 *  items of a sub-group. @call: (out): to be cleared; unchanged without one */
bool weiri_sycl_find_meeting(const struct weiri_source *source,
                             struct weiri_range within, bool of_sub_groups,
                             struct weiri_call *call);

/** The bytes of a call with what qualifies its name, "sycl::" or "it.". */
struct weiri_range weiri_sycl_whole_call(const struct weiri_source *source,
                                         const struct weiri_call *call);

/** Whether the call is of a sub-group. */
bool weiri_sycl_is_of_sub_group(const struct weiri_source *source,
                                const struct weiri_call *call);

/** Whether the statement is a barrier and nothing else. */
bool weiri_sycl_is_barrier(const struct weiri_source *source, uint32_t statement);

/** Whether the condition of a branch has only what is the same for all items of a
 *  group: ids of the group, what the kernel captures, and constants. */
bool weiri_sycl_is_of_group(const struct weiri_source *source, uint32_t branch);

#endif
