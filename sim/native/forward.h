/* SPDX-License-Identifier: MIT
 *
 * forward.h: whether every execution of a launch ends that is fair under a model of
 * forward progress. */
#ifndef WEIRI_NATIVE_FORWARD_H
#define WEIRI_NATIVE_FORWARD_H

#include "native/native.h"
#include "native/partial.h"

/**
 * weiri_native_forwards: asked after an exploration of the native program
 * @partial: the exploration, if it was one of struct weiri_partial; or %NULL
 * @found: its result: where it is not complete, or has a race that has no meaning,
 *         nothing is decided. Items run: the program may stop, and then has to begin
 *         anew
 *
 * Returns: (transfer full): of struct weir_explored_termination, one for each model
 *          that is asked for; to be freed by weiri_native_forwards_free()
 */
GArray *weiri_native_forwards(struct weiri_native *native,
                              const struct weiri_native_options *options,
                              const struct weiri_partial *partial,
                              const struct weir_exploration *found);

/** %NULL is allowed. */
void weiri_native_forwards_free(GArray *terminations);

#endif
