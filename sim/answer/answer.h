/* SPDX-License-Identifier: MIT
 *
 * answer.h: what those share who answer litmus tests: the test as its owner has it, and
 * executions as they are shown: each event a text, and what leads from one to
 * another. */
#ifndef WEIRI_ANSWER_H
#define WEIRI_ANSWER_H

#include "litmus/litmus.h"
#include "model/model.h"
#include "weir-model.h"

/* @threads, @locations: as the public header has them; owned, as @test is. An answer
 * holds a reference. */
struct weir_litmus {
    gatomicrefcount references;
    struct weiri_litmus *test;
    struct weir_litmus_thread *threads;
    struct weir_litmus_location *locations;
};

/**
 * weiri_drawn_read:
 * @drawn: its texts and arrays are its own
 *
 * The events; what is in the execution itself: program order, reads-from, modification
 * order, reads-before, barriers; and what the model says: synchronisation, and, where
 * the model allows the execution, a race if there is one. Nothing of more than 512
 * events.
 */
void weiri_drawn_read(struct weir_litmus_execution *drawn,
                      const struct weiri_litmus *test,
                      const struct weiri_execution *execution,
                      const struct weiri_model *model);

/** Why nothing orders two events that race, a sentence. Returns: (transfer full) */
char *weiri_drawn_why(const struct weir_litmus_execution *drawn,
                      const struct weiri_litmus *test,
                      const struct weiri_execution *execution,
                      const struct weiri_model *model, uint32_t one, uint32_t other);

/** An edge by the name that a model gives it. */
enum weir_litmus_edge_kind weiri_drawn_kind(const char *name);

/** A step of a cycle: the edge of the drawing where that has it. It borrows from it. */
struct weir_litmus_edge weiri_drawn_edge(const struct weir_litmus_execution *drawn,
                                         const struct weiri_edge *edge);

void weiri_drawn_add(struct weir_litmus_execution *drawn,
                     enum weir_litmus_edge_kind kind, uint32_t from, uint32_t to);

/** All zeros is a drawn execution, too. */
void weiri_drawn_clear(struct weir_litmus_execution *drawn);

#endif
