/* SPDX-License-Identifier: MIT
 *
 * explore.h: every execution of a program that a model allows, each once. */
#ifndef WEIRI_EXPLORE_H
#define WEIRI_EXPLORE_H

#include "model/graph.h"

/* How far an exploration has come. */
struct weiri_explore_progress {
    uint64_t executions;
    uint64_t blocked;
    double part; /* of all, as an estimate: 0 to 1 */
};

/**
 * weiri_explore_options:
 * @max_executions: complete and blocked ones; 0: no limit
 * @time_limit: seconds; 0: none
 * @races: judge them
 * @execution: told of each complete execution, and whether it has a race; false ends
 *             the exploration
 * @stuck: told of each other one; may be %NULL
 * @progress: told now and then, some times a second; false ends it; may be %NULL
 */
struct weiri_explore_options {
    enum weiri_explored model;
    uint64_t max_executions;
    double time_limit;
    bool races;
    bool (*execution)(void *user, const struct weiri_graph *graph, bool race);
    void (*stuck)(void *user, const struct weiri_graph *graph,
                  enum weiri_execution_end why);
    bool (*progress)(void *user, const struct weiri_explore_progress *so_far);
    void *user;
};

/**
 * weiri_exploration:
 * @executions: complete ones
 * @blocked: those where somebody waits for ever, or faults
 * @cut: those that a loop's bound ended
 * @racy: complete ones with a race
 * @too_large: it has too many events, or too many choices one upon the other
 * @complete: nothing was left out
 */
struct weiri_exploration {
    uint64_t executions;
    uint64_t blocked;
    uint64_t cut;
    uint64_t racy;
    bool too_large;
    bool complete;
};

/**
 * weiri_explore:
 *
 * Explores the program. Each consistent execution is visited once, in an order that
 * depends on nothing but program and model; memory does not grow with their number.
 */
struct weiri_exploration weiri_explore(const struct weiri_program *program,
                                       const struct weiri_explore_options *options);

#endif
