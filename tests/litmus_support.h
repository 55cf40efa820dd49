/* SPDX-License-Identifier: MIT
 *
 * litmus_support.h: what the tests of litmus tests share: reading them, comparing them
 * as values, and running them under sequential consistency. */
#ifndef WEIR_TESTS_LITMUS_SUPPORT_H
#define WEIR_TESTS_LITMUS_SUPPORT_H

#include "support.h"

#include "model/litmus-code.h"

/** Parses what must be sound. Returns: (transfer full) */
struct weiri_litmus *litmus_read(const char *text, const char *file);

/** Parses a file that must be sound. Returns: (transfer full) */
struct weiri_litmus *litmus_read_file(const char *path);

/** Whether two tests are equal, places aside. */
bool litmus_same(const struct weiri_litmus *a, const struct weiri_litmus *b);

/** Fails unless @test, printed, is parsed to an equal one. */
void litmus_expect_round_trip(const struct weiri_litmus *test, const char *file);

/**
 * litmus_sc:
 * @states: text of each final state that passes the filter, as a set; owned
 * @n_holding: states in which the condition holds
 * @n_bounded: runs that a loop's bound has ended
 * @n_faults: and those that a fault has
 * @n_visited: all states, those on the way too
 */
struct litmus_sc {
    GHashTable *states;
    size_t n_holding, n_bounded, n_faults, n_visited;
};

/** Runs every interleaving, each state once. Returns: (transfer full) */
struct litmus_sc litmus_sc_run(const struct weiri_litmus *test, uint32_t rounds);
void litmus_sc_clear(struct litmus_sc *sc);

/** "Never", "Sometimes" or "Always", by the states. */
const char *litmus_sc_observation(const struct litmus_sc *sc);

#endif
