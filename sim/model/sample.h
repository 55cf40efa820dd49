/* SPDX-License-Identifier: MIT
 *
 * sample.h: some executions of a program that a model allows, where there are too many
 * to visit all of them: random ones, or those with few deviations. */
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
 * Makes @n runs. A run depends on nothing but program, model and its seed.
 */
struct weiri_sampling weiri_sample(const struct weiri_program *program,
                                   const struct weiri_explore_options *options,
                                   uint64_t n, uint64_t seed, uint64_t *now);

/**
 * weiri_explore_bounded:
 * @options: its calls are made for each execution once
 * @deviations: the most deviations of a run
 *
 * Visits the executions that a run with at most @deviations deviations leads to. A run
 * without one is in order: the first thread takes steps until it ends or waits, then
 * the first of the others that can take a step; each read reads the latest write, each
 * write is the latest, and no weak compare-exchange fails that could succeed. A
 * deviation is one step of another thread, after which that thread goes on; or a read
 * of an older write; or an earlier place of a write; or a weak compare-exchange that
 * fails. Plain accesses are not steps if executions end at races. Memory grows with the
 * number of executions. Returns: never complete
 */
struct weiri_exploration weiri_explore_bounded(
    const struct weiri_program *program, const struct weiri_explore_options *options,
    uint32_t deviations);

#endif
