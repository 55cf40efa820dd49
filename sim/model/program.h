/* SPDX-License-Identifier: MIT
 *
 * program.h: what a program is to the explorer: a few threads that, resumed with the
 * value that they have read, say what they do next. A litmus test is one, and so is
 * whatever else can be asked like that; the explorer knows nothing more of it.
 *
 *     started:  next = start(thread)
 *     a step:   READ, UPDATE         next = resume(thread, value read, it wrote)
 *               WRITE, FENCE, ENTER  next = resume(thread, 0, false)
 *     the end:  END, or why it goes no further
 *
 * A thread is a function of what it has read: asked the same again it answers the same.
 * Its state is bytes, which the explorer keeps, copies, and gives back.
 *
 * Who waits in a loop may say so: SPIN is for a thread that would do just what it has
 * done since it was there, if it read the same again. It goes no further. What it would
 * do after other values, it does in other executions, where it reads them at once. To
 * leave such a round out of an execution must hide no race: that is for the program to
 * know, see docs/exploration.md. */
#ifndef WEIRI_PROGRAM_H
#define WEIRI_PROGRAM_H

#include "weir-kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weiri_step_kind {
    WEIRI_STEP_READ,
    WEIRI_STEP_WRITE,
    WEIRI_STEP_UPDATE, /* reads, and writes where the value read lets it */
    WEIRI_STEP_FENCE,
    WEIRI_STEP_ENTER, /* comes to a barrier of its group, and goes on when all have */
    WEIRI_STEP_END,
    WEIRI_STEP_SPIN,  /* it is back where it was, and nothing has changed: it waits for
                         another value to read */
    WEIRI_STEP_BOUND, /* a loop has had its rounds: nothing is said of more */
    WEIRI_STEP_FAULT, /* it did what has no meaning */
};

/**
 * weiri_step: what a thread does next
 * @atomic: or a plain access
 * @weak: UPDATE: it may fail though the value lets it write
 * @order: on success, @failure: of an UPDATE that does not write
 * @spaces: FENCE, ENTER: whose accesses it orders, of enum weir_space
 * @location: an index of the program's locations
 * @label: ENTER: which barrier
 * @value: WRITE: what is written; SPIN: how many events the thread has done since it
 *         was there, its latest ones: reads, fences, updates that write what they read
 * @place: the program's own name for the operation
 */
struct weiri_step {
    uint8_t kind;
    bool atomic;
    bool weak;
    uint8_t order;
    uint8_t failure;
    uint8_t scope;
    uint8_t spaces;
    uint32_t location;
    uint32_t label;
    int64_t value;
    uint32_t place;
};

/* Where a thread is: items whose numbers of some kind are equal share that. A scope
 * that has no instances, as sub-groups in litmus tests, has a number a thread. */
struct weiri_program_thread {
    uint32_t sub_group, group, device;
};

struct weiri_program_location {
    const char *name;
    enum weir_space space;
    int64_t initial;
    bool atomic;   /* it is declared so */
    uint32_t type; /* of its values, numbered by the program */
};

struct weiri_path_interface; /* see model/paths.h */

/**
 * weiri_program:
 * @partial_barriers: there may be barriers that order one address space and not the
 *               other one
 * @state_bytes: of a thread
 * @start: makes the state of a thread that has done nothing
 * @resume: the thread has done what it said last
 * @update: of the thread's UPDATE: whether it writes where it reads @read, and what
 * @paths: for weiri_enumerate(); %NULL if the program cannot be enumerated
 */
struct weiri_program {
    void *self;
    uint32_t n_threads;
    uint32_t n_locations;
    const struct weiri_program_thread *threads;
    const struct weiri_program_location *locations;
    bool partial_barriers;
    size_t state_bytes;
    void (*start)(void *self, uint32_t thread, void *state, struct weiri_step *next);
    void (*resume)(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next);
    bool (*update)(void *self, uint32_t thread, const void *state, int64_t read,
                   int64_t *written);
    const struct weiri_path_interface *paths;
};

#endif
