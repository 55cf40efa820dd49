/* SPDX-License-Identifier: MIT
 *
 * blocked.h: executions that do not end, because a thread waits for ever or faults:
 * which one of many is shown, and where its threads are. */
#ifndef WEIRI_BLOCKED_H
#define WEIRI_BLOCKED_H

#include "answer/answer.h"
#include "answer/drawn.h"
#include "model/graph.h"

/**
 * weiri_blocked: the executions that block for one reason; all zeros without any
 * @kept: the one that is shown: of those with the fewest events, the first in the order
 *        of weiri_execution_compare(), so that it does not depend on the order in which
 *        they are found
 * @drawn, @ends, @shown: of @kept, after weiri_blocked_show()
 */
struct weiri_blocked {
    uint64_t executions;
    struct weiri_execution *kept;
    struct weir_litmus_execution drawn;
    struct weir_litmus_thread_end *ends; /* @n_ends of them */
    uint32_t n_ends;
    struct weir_litmus_blocked shown;
};

/** Adds an execution: a graph or, if that is %NULL, an execution. */
void weiri_blocked_note(struct weiri_blocked *blocked, const struct weiri_graph *graph,
                        const struct weiri_execution *execution);

/**
 * weiri_blocked_show:
 * @program: of @test, with the bound on iterations that the executions had
 * @why: the reason
 */
void weiri_blocked_show(struct weiri_blocked *blocked, const struct weiri_litmus *test,
                        const struct weiri_program *program,
                        const struct weiri_model *model, enum weir_litmus_end why);
void weiri_blocked_clear(struct weiri_blocked *blocked);

/** Returns: (transfer full): by thread: where it is at the end. @any_flags: see struct
 *  weiri_model */
struct weir_litmus_thread_end *weiri_blocked_ends(
    const struct weiri_litmus *test, const struct weiri_execution *execution,
    bool any_flags);
void weiri_blocked_ends_free(struct weir_litmus_thread_end *ends, uint32_t n);

#endif
