/* SPDX-License-Identifier: MIT
 *
 * race_generator.h: random programs for the race detector. */
#ifndef WEIR_TESTS_RACE_GENERATOR_H
#define WEIR_TESTS_RACE_GENERATOR_H

#include "race_program.h"

/** The program of that seed. About half of them have no race. @ptx: it is judged by the
 *  rules of PTX, and has what is peculiar to them */
void program_draw(struct program *program, uint64_t seed, bool ptx);

#endif
