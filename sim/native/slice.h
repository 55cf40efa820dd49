/* SPDX-License-Identifier: MIT
 *
 * slice.h: an explored launch as a litmus test: the acts of its items on the memory
 * that they share. */
#ifndef WEIRI_NATIVE_SLICE_H
#define WEIRI_NATIVE_SLICE_H

#include "native/program.h"

/**
 * weiri_slice_state: a final state
 * @values: by location of the program
 * @holds: whether the launch's result is correct in it
 */
struct weiri_slice_state {
    const int64_t *values;
    bool holds;
};

/**
 * weiri_slice_litmus:
 * @native: explored to the end, even where there are races; each cell is a location
 * @states: @n_states of them, of complete executions
 * @why: (out) (transfer full): why the test cannot be made, a sentence
 *
 * Memory that one item alone accesses is part of the test only if final states differ
 * in it.
 *
 * Returns: (transfer full): the text of the test, or %NULL
 */
char *weiri_slice_litmus(const struct weiri_native *native, const char *model,
                         const struct weiri_slice_state *states, size_t n_states,
                         char **why);

#endif
