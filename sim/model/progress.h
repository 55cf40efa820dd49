/* SPDX-License-Identifier: MIT
 *
 * progress.h: whether every execution of a program ends that is fair under a model of
 * forward progress. See progress.c for the method, and why it is exact. */
#ifndef WEIRI_PROGRESS_H
#define WEIRI_PROGRESS_H

#include "model/interleave.h"
#include "weir-model.h"

/**
 * weiri_progress_options:
 * @writes, @any_flags, @sc_fences_order: see struct weiri_interleave_options
 * @by_group: a model obliges groups, and so all threads of one: the first, second and
 *            so on of the program's threads. Else it obliges threads
 * @most_states: the graph ends after this many states
 * @go_on: returns whether to continue; called some hundred times per second, or %NULL
 */
struct weiri_progress_options {
    enum weiri_write_order writes;
    bool any_flags, sc_fences_order, by_group;
    uint64_t most_states;
    bool (*go_on)(void *user, uint64_t states);
    void *user;
};

enum weiri_progress_limit {
    WEIRI_PROGRESS_NO_LIMIT,
    WEIRI_PROGRESS_STATES,  /* the option @most_states */
    WEIRI_PROGRESS_STOPPED, /* the option @go_on */
    WEIRI_PROGRESS_STATE,   /* a state is not followed: see @stop */
};

/**
 * weiri_progress: the answer
 * @ends: every fair execution ends
 * @fails: a fair execution does not end: @turns, which @n_before steps lead to, and
 *         whose others are repeated for ever. If neither holds, it is not known
 * @limit: why not all states were seen
 * @stop, @thread, @step: why a state was not followed, and whose next step it was
 * @last: by thread: the next step in the last state; a thread waits in an ENTER that is
 *        a member of @waiting
 * @missing: by thread that waits: see weiri_interleave_missing()
 * @spins: the threads that step in the loop
 */
struct weiri_progress {
    bool ends, fails;
    enum weiri_progress_limit limit;
    enum weiri_interleave_stop stop;
    uint32_t thread;
    struct weiri_step step;
    GArray *turns; /* of struct weiri_taken */
    uint32_t n_before;
    uint64_t spins, waiting;
    struct weiri_step last[WEIRI_INTERLEAVE_THREADS];
    uint64_t missing[WEIRI_INTERLEAVE_THREADS];
};

struct weiri_progress_graph;

/** Returns: (transfer full): the states that the program can reach. It is borrowed, and
 *  its threads are run */
struct weiri_progress_graph *weiri_progress_graph_new(
    const struct weiri_program *program, const struct weiri_progress_options *options);
void weiri_progress_graph_free(struct weiri_progress_graph *graph);

/** Returns: the number of states */
uint64_t weiri_progress_graph_states(const struct weiri_progress_graph *graph);

/** Returns: (transfer full): to be freed by weiri_progress_clear() */
struct weiri_progress weiri_progress_ask(struct weiri_progress_graph *graph,
                                         enum weir_forward forward);
void weiri_progress_clear(struct weiri_progress *progress);

/** Returns: the members of @live that the model obliges to run, if they can. @stepped:
 *  the threads that have made a step */
uint64_t weiri_progress_obliged(enum weir_forward forward, uint64_t live,
                                uint64_t stepped);

#endif
