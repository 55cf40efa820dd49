/* SPDX-License-Identifier: MIT
 *
 * step-table.h: a part of step.h: tables of PTX and Vulkan. Their models order writes
 * and fences in part, and their threads meet at barriers by rules of their own. */
#ifndef WEIRI_STEP_TABLE_H
#define WEIRI_STEP_TABLE_H

#include "model/facts.h"
#include "model/graph.h"
#include "model/meeting.h"

/** Returns: (transfer full): the execution. Its fences are in the order in which they
 *  were added; the first entries of a barrier with a quorum are those that complete
 *  it */
struct weiri_execution *weiri_step_table_execution(const struct weiri_graph *graph);

/** Lets all threads leave the barriers that are complete. */
void weiri_step_table_leave(struct weiri_graph *graph,
                            const struct weiri_meeting_rules *rules);

/** Whether the thread comes after another one, by Vulkan's ssw, that has not ended. */
bool weiri_step_table_follows(const struct weiri_graph *graph, uint32_t thread);

/** Whether the positions of writes agree with the order of the facts' model, of which
 *  any greatest write gives the final value. */
bool weiri_step_table_agrees(const struct weiri_facts *facts);

#endif
