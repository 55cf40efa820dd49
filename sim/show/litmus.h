/* SPDX-License-Identifier: MIT
 *
 * litmus.h: a memory model's answer to a litmus test, as text and as JSON. Only for the
 * command, because it needs json-glib. */
#ifndef WEIRI_REPORT_LITMUS_H
#define WEIRI_REPORT_LITMUS_H

#include "report/report.h"
#include "weir-model.h"

/**
 * weiri_litmus_result: an answer, and what is reported with it; all of it is borrowed
 * @file: the file of the test
 * @explanation: or %NULL
 * @incomplete: the limit that was reached, if the answer is not complete: "--rounds: 8"
 * @graphs: of char *: by state: the file of its drawing; or %NULL
 * @blocked_graphs: of char *: by reason for blocked executions: the file of the
 *                  drawing; or %NULL
 * @explanation_graph: the file of the explanation's drawing; or %NULL
 * @executions: the JSON document includes an execution for each state, which is most of
 *              it
 * @fixes, @n_fixes: changes that forbid what the claim asks for; %NULL: none
 * @buffering: hardware shows the state that the claim asks for, by load buffering,
 *             which this model forbids
 */
struct weiri_litmus_result {
    const char *file;
    const struct weir_litmus *test;
    struct weir_litmus_answer *answer;
    const struct weir_litmus_explanation *explanation;
    const char *incomplete;
    GPtrArray *graphs, *blocked_graphs;
    const char *explanation_graph;
    bool executions;
    const struct weir_litmus_fix *fixes;
    size_t n_fixes;
    bool buffering;
};

static inline const struct weir_litmus_verdict *weiri_litmus_verdict(
    const struct weiri_litmus_result *result)
{
    return weir_litmus_answer_verdict(result->answer);
}

/** Whether the claim is about the state: it shows that `exists` is true, or that
 *  `~exists` or `forall` is false. */
bool weiri_litmus_is_asked_for(const struct weir_litmus_verdict *verdict,
                               const struct weir_litmus_state *state);

/** Whether the answer has no such state. */
bool weiri_litmus_is_forbidden(const struct weir_litmus_answer *answer);

/** Returns: (transfer full): why no execution counts, "no execution ends: 2 are
 *  blocked"; %NULL if one does */
char *weiri_litmus_nothing_counts(const struct weir_litmus_verdict *verdict);

/** Returns: (transfer full): "P0 and P1 wait for ever" or "P1 faults" */
char *weiri_litmus_blocked_text(const struct weir_litmus *test,
                                const struct weir_litmus_blocked *blocked);

/** Appends the answer and a blank line. */
void weiri_litmus_add_text(GString *text, const struct weiri_litmus_result *result);

/** Appends a table of the answers of up to %WEIR_N_MODELS models to one test, what each
 *  has to add, and a blank line. */
void weiri_litmus_add_table(GString *text, const struct weiri_litmus_result *result,
                            size_t n);

/**
 * weiri_litmus_add_members:
 * @builder: inside an object
 *
 * Adds the members of an answer:
 *
 *   test, file, model, claim       text
 *   quantifier                     "exists", "~exists" or "forall"
 *   states                         an array of {state, executions, positive, race,
 *                                  graph, witness}: graph is a file, or null, and
 *                                  witness an execution, or null without @executions
 *   observation                    "Never", "Sometimes" or "Always"
 *   positive, negative             executions for which the proposition holds, and
 *                                  those for which it does not
 *   holds                          whether the claim is true
 *   race, races_judged             boolean; race is false where they are not judged
 *   races                          an array of {why, first, second}, of events; at
 *                                  most one
 *   executions, filtered           numbers: complete ones, and of those the ones that
 *                                  the filter leaves out
 *   blocked, cut                   numbers
 *   blocked_executions             an array of {why, executions, threads, graph,
 *                                  execution}: why is "barrier", "loop" or "fault",
 *                                  threads, of one of them, an array of {thread, end,
 *                                  text, line, column}, the last two null of a thread
 *                                  whose end is "ended", graph a file, or null, and
 *                                  execution null without @executions
 *   complete                       boolean
 *   incomplete                     which limit was hit, or null
 *   hardware                       "load-buffering" where hardware does by that what
 *                                  the model forbids, or null
 *   explanation                    or null; an object of candidates, coherent, capped,
 *                                  limit ("size", "time", "stopped" or null), state,
 *                                  graph, execution, or null, and violations: an array
 *                                  of {axiom, sentence, cycle}, the cycle an array of
 *                                  {edge, from, to, how}, from and to events or null
 *                                  for an initial value, how what carries a
 *                                  synchronisation, or null
 *
 * An event is {thread, kind, event, line, column}, and an execution {events, edges},
 * the edges {edge, from, to}, from and to indices of events, or null for an initial
 * value.
 * docs/weir-litmus.schema.json says it all once more.
 */
void weiri_litmus_add_members(JsonBuilder *builder,
                              const struct weiri_litmus_result *result);

/**
 * weiri_litmus_terminations: whether a test ends, under @n models of forward progress;
 * all of it is borrowed
 */
struct weiri_litmus_terminations {
    const char *file;
    const struct weir_litmus *test;
    enum weir_model model;
    const struct weir_litmus_termination *answers;
    size_t n;
};

/** Appends the answers and a blank line. @schedule: with the steps of an execution that
 *  does not end */
void weiri_litmus_add_termination(GString *text,
                                  const struct weiri_litmus_terminations *of,
                                  bool schedule);

/**
 * weiri_litmus_add_termination_members:
 * @builder: inside an object
 *
 * Adds the members of one of the answers:
 *
 *   test, file, model        text
 *   progress                 the model of forward progress
 *   terminates               boolean; null if it is not known
 *   undecided                why it is not known; otherwise null
 *   visited                  the number of states of the test that were visited
 *   weak                     boolean: an execution that does not end is not
 *                            sequentially consistent; there are no steps of it then
 *   waits                    an array of {thread, end, text, line, column}, by thread,
 *                            of an execution that does not end; end is "ended",
 *                            "spins", "hangs" or "rests", and the last two are null
 *                            of a thread that has ended. Empty without one
 *   before, loop             arrays of {thread, text, line, column}: the steps of that
 *                            execution, and those that it repeats for ever
 */
void weiri_litmus_add_termination_members(JsonBuilder *builder,
                                          const struct weiri_litmus_terminations *of,
                                          size_t index);

#endif
