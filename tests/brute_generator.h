/* SPDX-License-Identifier: MIT
 *
 * brute_generator.h: random programs that brute force can decide. */
#ifndef WEIR_TESTS_BRUTE_GENERATOR_H
#define WEIR_TESTS_BRUTE_GENERATOR_H

#include "brute_decide.h"

enum {
    /* Rounds of loops, candidates: of programs that are drawn. */
    BRUTE_DRAWN_ROUNDS = 3,
    BRUTE_DRAWN_CANDIDATES = 20000,
};

/**
 * brute_draw:
 * @seed: gives the same program everywhere
 *
 * Draws a program of two to four threads and ten events at most, whose clauses are a
 * part of one of its final states under some model.
 *
 * Returns: (transfer full): what brute force says of it
 */
struct brute_result *brute_draw(uint64_t seed, struct brute_program *program);

#endif
