/* SPDX-License-Identifier: MIT
 *
 * blocked.h: executions that do not end, because a thread waits for ever or does what
 * has no meaning: which one is told of many, and where its threads are. */
#ifndef WEIRI_BLOCKED_H
#define WEIRI_BLOCKED_H

#include "answer/answer.h"
#include "model/graph.h"

/**
 * weiri_stuck: blocked executions of one kind; all zeros before there is one
 * @kept: that which is told: of those with the fewest events the first one by the order
 *        of weiri_stuck_compare(), so that it does not depend on who has found them,
 *        and when
 * @drawn, @ends, @shown: of that, when it has been shown
 */
struct weiri_stuck {
    uint64_t executions;
    struct weiri_execution *kept;
    struct weir_litmus_execution drawn;
    struct weir_litmus_thread_end *ends; /* @n_ends of them */
    uint32_t n_ends;
    struct weir_litmus_blocked shown;
};

/** One more of them, as a graph, or, where that is %NULL, as an execution. */
void weiri_stuck_note(struct weiri_stuck *stuck, const struct weiri_graph *graph,
                      const struct weiri_execution *execution);

/**
 * weiri_stuck_show:
 * @program: of @test, with the rounds of loops that the executions had
 * @why: the kind
 */
void weiri_stuck_show(struct weiri_stuck *stuck, const struct weiri_litmus *test,
                      const struct weiri_program *program,
                      const struct weiri_model *model, enum weir_litmus_end why);
void weiri_stuck_clear(struct weiri_stuck *stuck);

/** Below 0 where the first one comes before the other. */
int weiri_stuck_compare(const struct weiri_execution *one,
                        const struct weiri_execution *other);

/** Where each thread is, in the end. @any_flags: see struct weiri_model.
 *  Returns: (transfer full): of each thread one */
struct weir_litmus_thread_end *weiri_stuck_ends(const struct weiri_litmus *test,
                                                const struct weiri_execution *execution,
                                                bool any_flags);
void weiri_stuck_ends_free(struct weir_litmus_thread_end *ends, uint32_t n);

#endif
