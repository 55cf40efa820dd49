/* SPDX-License-Identifier: MIT
 *
 * native_litmus_fast.h: the kernel of a litmus test in fast mode ends in a state that
 * the model allows; and what that needs of native_litmus.c. */
#ifndef WEIR_TESTS_NATIVE_LITMUS_FAST_H
#define WEIR_TESTS_NATIVE_LITMUS_FAST_H

#include "native_litmus_turns.h"

/**
 * native_litmus_fast:
 * @allowed: by text: final states
 * @runs: so often it is launched
 *
 * Returns: false where it ends in another state or has a finding: it has printed that
 */
bool native_litmus_fast(struct weir_device *device,
                        const struct native_litmus_test *entry,
                        const struct weiri_litmus *test, GHashTable *allowed,
                        unsigned runs);

/* native_litmus.c: the text of a final state. Returns: (transfer full) */
char *native_litmus_state(const struct weiri_litmus *test, int64_t *memory,
                          int64_t *out);

#endif
