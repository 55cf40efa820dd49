/* SPDX-License-Identifier: MIT
 *
 * holds.h: the values that the final states of an exploration have in each cell of
 * memory, as a text that another process can compare with its own. */
#ifndef WEIRI_NATIVE_HOLDS_H
#define WEIRI_NATIVE_HOLDS_H

#include "weir.h"

/** Writes a text of @bytes at most: each cell that some of the states has changed, with
 *  a hash of the values that it has in them. */
void weiri_holds_write(const struct weir_explored_state *states, size_t n, char *text,
                       size_t bytes);

/** Returns: (transfer full): the name of the first cell, by object and index, that does
 *  not have the same values in both; or %NULL where each has, or where the texts are
 *  too short to show one that has not */
char *weiri_holds_changed(const char *before, const char *now);

#endif
