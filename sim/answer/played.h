/* SPDX-License-Identifier: MIT
 *
 * played.h: a stepped execution (model/step.h) in words, as a struct weir_play. Litmus
 * tests (litmus-play.c) and launches (native/play.c) add what only they know. */
#ifndef WEIRI_PLAYED_H
#define WEIRI_PLAYED_H

#include "answer/drawn.h"
#include "model/step.h"
#include "weir-play.h"

/* Executions of more events are not played on. */
enum { WEIRI_PLAYED_MOST = 256 };

/**
 * weiri_played: all members but @play and @blocks are the caller's
 * @play: (out): its texts and lists are in @blocks
 * @blocks: owned
 * @program: what the stepper steps
 * @show: changes an execution of the program that is shown: its program has the names,
 *        and its values are those that are printed. May be %NULL
 * @group: Returns: (transfer full): of a thread; may be %NULL
 * @self: passed to both
 */
struct weiri_played {
    struct weir_play play;
    GPtrArray *blocks;
    const struct weiri_program *program;
    const struct weiri_model *model;
    bool stop_at_race;
    void (*show)(void *self, struct weiri_execution *execution);
    char *(*group)(void *self, uint32_t thread);
    void *self;
};

/**
 * weiri_played_follow:
 * @stepper: (out): where the choices lead; to be cleared by the caller
 *
 * Takes choices, up to the first that cannot be taken. Sets @refused and the steps.
 *
 * Returns: (transfer full): the execution
 */
struct weiri_execution *weiri_played_follow(struct weiri_played *played,
                                            const char *choices,
                                            struct weiri_stepper *stepper);

/** Adds all that is known of the execution, which is shown from now on. */
void weiri_played_describe(struct weiri_played *played, struct weiri_stepper *stepper,
                           struct weiri_execution *execution);

/** Whether choices are well-formed. Errors: %WEIR_ERROR_ARGUMENT */
bool weiri_played_check(const char *choices, GError **error);

/** The play owns the copy. Returns: borrowed; %NULL for %NULL */
const char *weiri_played_text(struct weiri_played *played, const char *text);
const char *weiri_played_take(struct weiri_played *played, char *text);

/** The play owns the array. Returns: its elements; sets @n */
void *weiri_played_list(struct weiri_played *played, GArray *list, size_t *n);

/** Returns: (transfer full): to be freed by weir_play_free(), as the whole is */
struct weiri_played *weiri_played_new(void);

#endif
