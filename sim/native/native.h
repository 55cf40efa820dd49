/* SPDX-License-Identifier: MIT
 *
 * native.h: explores all executions of a kernel's launch that a memory model allows. */
#ifndef WEIRI_NATIVE_H
#define WEIRI_NATIVE_H

#include "base/state-server.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "model/explore.h"
#include "model/model.h"

/**
 * weiri_native_options:
 * @model: of struct weir_exploration; static
 * @partial: the model, if it orders only some writes (see partial.h); else %NULL, and
 *           the model is @explored
 * @racy_states: of @partial: final states of executions with a race count, which have
 *               no meaning under a model that defines races
 * @plain_events: and the others: of struct weir_launch_options
 * @limited: the number of groups that the device runs at once, if these are not all; 0:
 *           they are
 * @samples: the number of random runs in place of an exploration; 0: none
 * @seed: of the first random run
 * @bounded, @deviations: of struct weir_launch_options
 * @symmetry: of struct weir_launch_options. Not with @limited
 * @play: of struct weir_launch_options, or %NULL; @order: likewise, for the play
 * @jobs: the number of processes that explore; 0 and 1: only this one
 * @time_limit: in seconds; 0: none
 * @judge: whether a final state is correct, which differs from the start by @n
 *         @changes; or %NULL. Not with @post_condition. If no state is, it says nothing
 *         of states
 * @symbols: for executions that are shown, or %NULL
 * @text: Returns: the text of a source file, in @bytes bytes; or %NULL. For a play
 * @unhooked: what has no hooks, as weiri_unhooked() words it: then an exploration is
 *            never complete; or %NULL
 * @compared: the hash of weiri_native_compared(), which observes the launch
 * @observed: called when items have run for the last time: adds what observers of the
 *            launch have found to its report; or %NULL
 * @forget: of @partial: observers of the launch forget what they have found: items have
 *          also done what they do in no execution
 */
struct weiri_native_options {
    enum weiri_explored explored;
    const char *model;
    bool plain_events;
    bool racy_states;
    bool forwards_by_group;
    uint64_t max_executions;
    uint32_t resident, limited, forwards;
    uint64_t samples, seed;
    bool bounded;
    uint32_t deviations;
    bool symmetry;
    const char *play, *order;
    unsigned jobs;
    bool until_wrong;
    bool litmus;
    double time_limit;
    bool (*post_condition)(const void *args, void *user);
    void *post_condition_user;
    bool (*judge)(void *user, const struct weiri_state_change *changes, size_t n);
    void *judge_user;
    const struct weiri_symbols *symbols;
    const char *(*text)(const char *file, size_t *bytes);
    const char *unhooked;
    uint64_t *compared;
    void (*observed)(void *user, const struct weiri_launch *launch);
    void *observed_user;
    void (*forget)(void *user);
    const struct weiri_model *partial;
};

/** Observes comparisons: keeps a hash of their operands. @self: a uint64_t */
enum weiri_verdict weiri_native_compared(void *self, const struct weiri_event *event);

/** Whether choices of @play are well-formed. Errors: %WEIR_ERROR_ARGUMENT */
bool weiri_native_play_check(const char *play, GError **error);

/** Explores the launch in place of running it, and adds what it finds to the launch's
 *  report. Afterwards memory is as before. @launch: deterministic, with objects */
bool weiri_native_explore(struct weiri_launch *launch,
                          const struct weiri_native_options *options, GError **error);

#endif
