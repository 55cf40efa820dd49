/* SPDX-License-Identifier: MIT
 *
 * final.h: the final states of an exploration: the contents of memory after the
 * executions that end, each state once, as a text and with the launch's
 * post-condition. */
#ifndef WEIRI_NATIVE_FINAL_H
#define WEIRI_NATIVE_FINAL_H

#include "exec/finding.h"
#include "model/graph.h"
#include "native/native.h"
#include "native/program.h"

/**
 * weiri_final: a final state
 * @shown: its text is owned; the caller counts the executions
 * @values: the number of values, and then these; owned
 * @but_copies: where reads of unwritten memory get other garbage, the text without the
 *              difference between a byte and its opposite; owned, or %NULL
 */
struct weiri_final {
    struct weir_explored_state shown;
    int64_t *values;
    char *but_copies;
};

/**
 * weiri_finals:
 * @native: the program that is explored; borrowed, as @options is
 * @by_values: struct weiri_final by its values; owns them
 * @memory: of int64_t, by location: the memory that the current execution leaves; owned
 * @values: of int64_t: the values of the current execution; owned
 * @observed: of uint32_t: the locations in global memory; owned
 * @states: of struct weir_explored_state: those that were taken; owned
 */
struct weiri_finals {
    const struct weiri_native *native;
    const struct weiri_native_options *options;
    GHashTable *by_values;
    GArray *memory;
    GArray *values;
    GArray *observed;
    GArray *states;
};

void weiri_finals_init(struct weiri_finals *finals, const struct weiri_native *native,
                       const struct weiri_native_options *options);
void weiri_finals_clear(struct weiri_finals *finals);

/** Forgets all states, and observes the locations that the program has. */
void weiri_finals_begin(struct weiri_finals *finals);

/** Returns: the state in which the execution ends; new states have no executions.
 *  Memory is as before. Borrowed until weiri_finals_begin() */
struct weiri_final *weiri_finals_at(struct weiri_finals *finals,
                                    const struct weiri_graph *graph);

/** The same of an execution whose states begin with those of @native. */
struct weiri_final *weiri_finals_of(struct weiri_finals *finals,
                                    const struct weiri_execution *execution);

/** The same in steps: looks at what the execution leaves; has a thread leave something
 *  else; and returns the state of that. */
void weiri_finals_look(struct weiri_finals *finals, const struct weiri_graph *graph);
void weiri_finals_leave(struct weiri_finals *finals, uint32_t thread,
                        const struct weiri_native_ending *ending);
struct weiri_final *weiri_finals_known(struct weiri_finals *finals);

/** Returns: (transfer container) (element-type struct weiri_final): all, by text */
GPtrArray *weiri_finals_all(const struct weiri_finals *finals);

/** Takes a state, with its text, that another process has found. */
void weiri_finals_take(struct weiri_finals *finals,
                       const struct weir_explored_state *state);

/** Gives the result all states, by text. Items may leave equal memory in several ways:
 *  states of one text become one. */
void weiri_finals_give(struct weiri_finals *finals, struct weir_exploration *result);

/** Takes every state for correct. */
void weiri_finals_forgive(struct weiri_finals *finals);

/** Returns: (transfer full) (element-type struct weir_explored_state): all states, by
 *  their texts @but_copies: garbage that was only copied makes no difference */
GArray *weiri_finals_but_copies(const struct weiri_finals *finals);

/** The launch as a litmus test, after a complete exploration; see
 *  weiri_slice_litmus(). */
char *weiri_finals_litmus(const struct weiri_finals *finals, char **why);

#endif
