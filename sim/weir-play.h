/* SPDX-License-Identifier: MIT
 *
 * weir-play.h: one execution of a litmus test or of a launch, grown step by step by
 * choices: which thread takes the next step, which write it reads, and where a write
 * stands in modification order. Each call takes all choices from the beginning, and
 * returns the execution that they lead to, with all choices that it then has: those
 * that the model refuses, too, with the axiom and the cycle that refuse them.
 *
 *     struct weir_play_options options = { .model = "sycl", .choices = "0,0" };
 *     struct weir_play *play
 *         = weir_litmus_play(text, strlen(text), "mp.litmus", &options, &error);
 *     for (size_t t = 0; play != NULL && t < play->n_threads; t++) {
 *         const struct weir_play_thread *thread = &play->threads[t];
 *         for (size_t i = 0; i < thread->n_options; i++) {
 *             const struct weir_play_option *option = &thread->options[i];
 *             printf("%s %s: %s\n", thread->name, option->text,
 *                    option->allowed ? option->choice : option->sentence);
 *         }
 *     }
 *     weir_play_free(play);
 *
 * A launch is played by its option play; weir_report_play() returns the result. */
#ifndef WEIR_PLAY_H
#define WEIR_PLAY_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * weir_play_options: all members may be %NULL
 * @model: the name of a memory model; %NULL: "sycl", or "ptx" or "vulkan" for a test in
 *         that form
 * @choices: "0,1:2,1:0!": a thread; and of an access, the number of writes before it in
 *           modification order, the last of which a read reads. `!`: a weak
 *           compare-exchange fails although it could succeed. Where writes are ordered
 *           in part, as in PTX, places are those of an order that agrees with the
 *           model's
 * @changes: "8:3=relaxed,9:3=acquire+device": LINE:COLUMN of an operation, and what it
 *           has in place of what the text says: an order, or two joined by a slash, of
 *           a compare-exchange that succeeds and of one that fails; a scope; the
 *           memories that a fence or barrier orders. Not for tests of PTX and Vulkan:
 *           their text can be changed
 */
struct weir_play_options {
    const char *model, *choices, *changes;
};

/**
 * weir_play_event: of the execution so far
 * @thread: an index of the play's threads
 * @step: its place in the order in which the events were added, from 0
 * @kind: "read", "write", "fence", "barrier" or "after barrier"
 * @text: "W x=1 release"
 * @update: half of a read-modify-write; the other half is next to it
 * @before: the numbers of the events that come before it in @order of the play, "0,3"
 * @file: of a launch; otherwise %NULL
 * @line: and @column: where it is; 0: that is not known
 */
struct weir_play_event {
    uint64_t thread, step;
    const char *kind;
    const char *text;
    bool update;
    const char *before;
    const char *file;
    uint32_t line, column;
};

/**
 * weir_play_edge: between two events; of an option's cycle, the number of events and
 * above are the option's own
 * @kind: one of %WEIR_LITMUS_EDGES, such as "rf"
 * @from: -1: an initial value
 * @how: of "sw": the read that synchronises, in words; otherwise %NULL
 */
struct weir_play_edge {
    const char *kind;
    int64_t from, to;
    const char *how;
};

/**
 * weir_play_option: a choice that a thread has
 * @choice: to be appended to the choices, if it is @allowed
 * @text: "reads x=0, the initial value"
 * @note: of a read in PTX or Vulkan: whether it and the write that it reads are morally
 *        strong, or whether the write is available and visible to it, and else why not;
 *        and why it may read an old value. %NULL if there is nothing to say
 * @axiom: that refuses it, such as "COH", and @sentence: what that requires; %NULL if
 *         it is allowed
 * @events: what it adds: none of a barrier
 * @cycle: that violates the axiom
 */
struct weir_play_option {
    const char *choice, *text, *note;
    bool allowed;
    const char *axiom, *sentence;
    size_t n_events;
    const struct weir_play_event *events;
    size_t n_cycle;
    const struct weir_play_edge *cycle;
};

/**
 * weir_play_thread: a thread of a litmus test, or an item of a launch
 * @name: "P1", "item 3 of group 0"
 * @group: "group 0" or "work-group 0 of device 1"; %NULL if the test states none
 * @standing: "ready", "spinning", "waiting", "later" (it comes after another thread, by
 *            ssw), "ended" or "stopped"
 * @text: the same as a sentence without its subject, "waits at the barrier"
 * @next: its next step, "R x acquire"; %NULL if it has none
 * @file: and @line, @column: of the next step, as of an event
 */
struct weir_play_thread {
    const char *name, *group;
    const char *standing, *text, *next;
    const char *file;
    uint32_t line, column;
    size_t n_options;
    const struct weir_play_option *options;
};

/**
 * weir_play_value: a register or a location
 * @name: "0:r1", "x" or "sum[0]"
 * @thread: of a register; -1: it is a location
 * @value: as a number, as @initial
 */
struct weir_play_value {
    const char *name;
    int64_t thread;
    const char *value, *initial;
};

/**
 * weir_play_site: an operation whose order, scope or memories can be changed
 * @place: for changes: "8:3", or "FILE:LINE" of a launch
 * @operation: "load", "weir_atomic_fetch_add"
 * @order: what it has, changes included, in the words of changes; %NULL: it has none.
 *         Likewise @failure, @scope and @spaces
 * @orders: those that it can have, "relaxed acquire seq_cst"
 */
struct weir_play_site {
    const char *place;
    const char *operation;
    const char *order, *failure, *scope, *spaces;
    const char *orders;
    const char *file;
    uint32_t line, column;
};

/** weir_play_source: lines of a file that can be read, from @first on. @file: as of an
 *  event */
struct weir_play_source {
    const char *file;
    uint32_t first;
    const char *text;
};

/** weir_play_step: a choice that was taken. @text: as of an option */
struct weir_play_step {
    const char *choice;
    uint64_t thread;
    const char *text;
};

/**
 * weir_play:
 * @name: of the test or the kernel
 * @model: the memory model
 * @models: the models that it can be played under, "sycl rc11"
 * @order: what the model calls the order of events that it derives: "happens-before",
 *         or "base causality order" of PTX
 * @refused: why it cannot be played, or why some choices could not be taken; %NULL: all
 *           were. In the latter case the play follows the choices before them
 * @reached: "part", "complete", "race" or "blocked"
 * @text: the same as a sentence
 * @race: why two accesses race, a sentence; or %NULL
 * @missing: which executions of the model cannot be played, a sentence; or %NULL
 * @claim: the claim about the final state, or %NULL
 * @state: the final state, if it is complete; or %NULL
 * @holds: "yes" or "no": for a test, whether its proposition holds in @state; for a
 *         launch, its post-condition; or %NULL
 * @text_of_test: the test, or %NULL for a launch
 * @changes: the changes that are made, or %NULL
 */
struct weir_play {
    const char *name, *model, *models, *order, *refused;
    const char *reached, *text, *race, *missing;
    const char *claim, *state, *holds;
    const char *text_of_test, *changes;
    size_t n_steps;
    const struct weir_play_step *steps;
    size_t n_threads;
    const struct weir_play_thread *threads;
    size_t n_events;
    const struct weir_play_event *events;
    size_t n_edges;
    const struct weir_play_edge *edges;
    size_t n_values;
    const struct weir_play_value *values;
    size_t n_sites;
    const struct weir_play_site *sites;
    size_t n_sources;
    const struct weir_play_source *sources;
};

/**
 * weir_litmus_play:
 * @text: a litmus test in @bytes bytes, which may be any
 * @file: the name of the text in errors
 *
 * Returns: (transfer full): the execution that the choices lead to, or %NULL on failure
 * Errors:  %WEIR_ERROR_INPUT for the text; %WEIR_ERROR_ARGUMENT for an option. A choice
 *          that does not exist, or that the model refuses, is not an error: see
 *          @refused
 */
struct weir_play *weir_litmus_play(const char *text, size_t bytes, const char *file,
                                   const struct weir_play_options *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Frees what weir_litmus_play() returned. %NULL is allowed. */
void weir_play_free(struct weir_play *play);

#ifdef __cplusplus
}
#endif

#endif
