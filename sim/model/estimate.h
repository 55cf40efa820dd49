/* SPDX-License-Identifier: MIT
 *
 * estimate.h: about how many executions a program has, without visiting them. */
#ifndef WEIRI_ESTIMATE_H
#define WEIRI_ESTIMATE_H

#include "model/explore.h"

/**
 * weiri_estimate: a number of executions
 * @probes: random probes that were made; 0: the estimate is missing
 * @mean: of the probes; its expectation is the number of executions
 * @low, @high: the least and the greatest mean of a tenth of the probes
 */
struct weiri_estimate {
    uint32_t probes;
    double mean, low, high;
};

/**
 * weiri_estimate:
 * @options: of the exploration; its calls are not made
 * @most: probes, rounded up to tens, and as many that are not counted; fewer are made
 *        where executions are long
 *
 * Estimates the number that weiri_explore() returns as executions without a limit of
 * them. The probes depend on nothing but program, model, @most and @seed, unless the
 * time limit of @options ends them. They run the program: it may stop.
 */
struct weiri_estimate weiri_estimate(const struct weiri_program *program,
                                     const struct weiri_explore_options *options,
                                     uint32_t most, uint64_t seed);

#endif
