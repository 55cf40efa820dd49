/* SPDX-License-Identifier: MIT
 *
 * sample.h: random executions of a program that a model allows, where there are too
 * many to visit all of them. */
#ifndef WEIRI_SAMPLE_H
#define WEIRI_SAMPLE_H

#include "model/explore.h"

/**
 * weiri_sampling:
 * @done: the numbers of different executions that were met; never complete
 * @runs: that were made
 * @once: executions that one run alone has met. Divided by @runs, it estimates the
 *        probability that another run meets a new one (Good and Turing)
 * @late: of the last tenth of the runs, those that met a new one
 */
struct weiri_sampling {
    struct weiri_exploration done;
    uint64_t runs, once, late;
};

/**
 * weiri_sample:
 * @options: its calls are made for each execution when it is first met. Limits of
 *           executions are not regarded
 * @seed: of the first run; each later run has the next one
 * @now: (out): the seed of the run, while calls are made
 *
 * Makes @n runs. What a run does depends on nothing but program, model and its seed.
 */
struct weiri_sampling weiri_sample(const struct weiri_program *program,
                                   const struct weiri_explore_options *options,
                                   uint64_t n, uint64_t seed, uint64_t *now);

#endif
