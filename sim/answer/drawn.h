/* SPDX-License-Identifier: MIT
 *
 * drawn.h: drawn executions: the public form of an execution, in which each event has a
 * text and relations are edges. The program's words name its parts, so that litmus
 * tests and kernels are drawn alike. */
#ifndef WEIRI_DRAWN_H
#define WEIRI_DRAWN_H

#include "model/model.h"
#include "weir-model.h"

/* Relations of more events take seconds, and such a drawing cannot be read. */
enum { WEIRI_DRAWN_MOST = 512 };

/**
 * weiri_drawn_fill:
 * @drawn: (out): owns its texts and arrays
 *
 * Draws the events; the edges of the execution itself: program order, reads-from,
 * modification order, reads-before and barriers; and the edges that the model derives:
 * synchronisation and, if the model allows the execution, a race if there is one. Draws
 * nothing if there are more than %WEIRI_DRAWN_MOST events.
 */
void weiri_drawn_fill(struct weir_litmus_execution *drawn,
                      const struct weiri_execution *execution,
                      const struct weiri_model *model);

/** Adds an edge between two events that race. */
void weiri_drawn_add_race(struct weir_litmus_execution *drawn, uint32_t one,
                          uint32_t other);

/** Removes the edge of a race. */
void weiri_drawn_drop_race(struct weir_litmus_execution *drawn);

/** Whether a model without races leaves two accesses of the execution unordered. @one,
 *  @other: (out): these */
bool weiri_drawn_unordered(const struct weiri_execution *execution,
                           const struct weiri_model *model, uint32_t *one,
                           uint32_t *other);

/** Returns: (transfer full): why the model does not order two accesses, a sentence.
 *  @race: they race, perhaps for their scopes alone */
char *weiri_drawn_why(const struct weiri_execution *execution,
                      const struct weiri_model *model, uint32_t one, uint32_t other,
                      bool race);

/** Returns: a step of a cycle, as the drawing's edge if it has one; borrows from the
 *  drawing */
struct weir_litmus_edge weiri_drawn_edge(const struct weir_litmus_execution *drawn,
                                         const struct weiri_edge *edge);

/** Returns: (transfer full): the text of an event that a step of the program will make,
 *  without its values, "R x acquire"; %NULL if the thread has stopped */
char *weiri_drawn_step(const struct weiri_program *program,
                       const struct weiri_step *step);

/** Frees what it owns. All zeros is an empty drawing. */
void weiri_drawn_clear(struct weir_litmus_execution *drawn);

#endif
