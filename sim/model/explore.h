/* SPDX-License-Identifier: MIT
 *
 * explore.h: visits every execution of a program that a model allows, each exactly
 * once. */
#ifndef WEIRI_EXPLORE_H
#define WEIRI_EXPLORE_H

#include "model/graph.h"

/* The progress of an exploration. */
struct weiri_explore_progress {
    uint64_t executions;
    uint64_t blocked;
    double part; /* an estimate of the part that is done, 0 to 1 */
};

/* The place of an execution in the tree of choices. Executions are visited in the
 * lexicographic order of their places. */
struct weiri_explore_place {
    uint32_t n;
    const uint32_t *at; /* of each nested choice, which one; from 1 */
};

/**
 * weiri_explore_probe: visits a single way down the tree of choices, again and again
 * @met: called for each of the choices after a visit, with the graph that it leads to
 * @chosen: called after them, if a choice exists; returns the one to be visited, from 1
 * @ended: the way is at its end, an execution or not; returns whether to go another
 *         one. It is not called if the program or a limit has ended the probe
 */
struct weiri_explore_probe {
    void (*met)(void *user, const struct weiri_graph *graph);
    uint32_t (*chosen)(void *user);
    bool (*ended)(void *user);
};

/**
 * weiri_explore_options:
 * @max_executions: end after this many executions, including blocked ones; 0: no limit
 * @time_limit: in seconds; 0: no limit
 * @races: look for races
 * @stop_at_race: of @races: an execution ends at its first race; later steps of its
 *                threads are not taken. So plain accesses involve no choice, and fewer
 *                executions have races
 * @execution: called for each complete execution and each that ended at a race, with
 *             whether it has one; returns whether to continue
 * @stuck: called for each other execution; may be %NULL
 * @progress: called a few times per second; returns whether to continue; may be %NULL
 * @skips: whether the executions that a graph leads to are left out, by symmetry; asked
 *         at each visit that does not end at a race; may be %NULL. An execution that is
 *         left out must equal another one but for the names of threads. As any one of
 *         such executions may be visited, @stuck is then called for each that may wait
 *         for ever
 * @piece: the exploration is divided into subtrees that are at most about this part of
 *         it; 0: it is not divided
 * @takes: whether that piece is explored; pieces are numbered from 0, in order
 * @only: the only execution that is visited, or %NULL
 * @probe: of the choices after each visit only one is visited, or %NULL. Not with @only
 * @place: called with the place of an execution before @execution and @stuck are, and
 *         with the place where the program has stopped; may be %NULL
 */
struct weiri_explore_options {
    enum weiri_explored model;
    uint64_t max_executions;
    double time_limit;
    bool races;
    bool stop_at_race;
    bool (*execution)(void *user, const struct weiri_graph *graph, bool race);
    void (*stuck)(void *user, const struct weiri_graph *graph,
                  enum weiri_execution_end why);
    bool (*progress)(void *user, const struct weiri_explore_progress *progress);
    bool (*skips)(void *user, const struct weiri_graph *graph);
    double piece;
    bool (*takes)(void *user, uint64_t piece);
    const struct weiri_explore_place *only;
    const struct weiri_explore_probe *probe;
    void (*place)(void *user, const struct weiri_explore_place *place);
    void *user;
};

/**
 * weiri_exploration:
 * @executions: the number of complete executions, and of those that ended at a race
 * @blocked: the number of executions in which a thread waits for ever, or faults
 * @cut: the number of executions that ended at the bound of a loop
 * @racy: the number of complete executions with a race
 * @too_large: an execution had too many events, or too many nested choices
 * @limited: a limit of executions or of time has ended it
 * @complete: no execution is missing
 */
struct weiri_exploration {
    uint64_t executions;
    uint64_t blocked;
    uint64_t cut;
    uint64_t racy;
    bool too_large;
    bool limited;
    bool complete;
};

/**
 * weiri_explore:
 *
 * Explores the program, which is called on this thread. The order of the visits depends
 * on nothing but program and model; memory does not grow with the number of executions.
 */
struct weiri_exploration weiri_explore(const struct weiri_program *program,
                                       const struct weiri_explore_options *options);

#endif
