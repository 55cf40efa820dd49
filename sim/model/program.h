/* SPDX-License-Identifier: MIT
 *
 * program.h: a program, as the explorer and the enumerator see it: a few threads that,
 * resumed with the value of their last read, return their next step. A litmus test is
 * such a program (litmus/program.c); others can be made from anything that can run in
 * steps. Its state is only seen through the interface below.
 *
 *     start:    next = start(thread)
 *     a step:   READ, UPDATE         next = resume(thread, value read, it wrote)
 *               WRITE, FENCE, BLIND, ENTER
 *                                    next = resume(thread, 0, false)
 *     the end:  END, or the reason why the thread stops
 *
 * A thread is a function of the values that it reads: with the same values it takes the
 * same steps. Its state is a sequence of bytes that the explorer keeps, copies and
 * passes back.
 *
 * BLIND: an atomic read-modify-write that always writes, whose result the thread does
 * not use, and which commutes with all others of its location. The order of such
 * updates makes no difference, so it is not explored. They acquire nothing. All other
 * accesses to the location must be reads and writes that happens-before orders with
 * each BLIND. Otherwise there is a race, at which the execution ends, or the program
 * must make these steps UPDATEs; see @ordered.
 *
 * SPIN: the thread is back at the head of a loop in an unchanged state; reading the
 * same values again would repeat the iteration. It stops there. Its steps after reading
 * other values are part of other executions, in which it reads those values at once.
 * The program must make sure that leaving out such an iteration hides no race; see
 * docs/exploration.md. */
#ifndef WEIRI_PROGRAM_H
#define WEIRI_PROGRAM_H

#include "weir-kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weiri_step_kind {
    WEIRI_STEP_READ,
    WEIRI_STEP_WRITE,
    WEIRI_STEP_UPDATE, /* a read-modify-write; writes if the value read permits it */
    WEIRI_STEP_BLIND,  /* one whose result is not used, see above */
    WEIRI_STEP_FENCE,
    WEIRI_STEP_ENTER, /* arrives at a barrier of its group; continues when all have
                         arrived */
    WEIRI_STEP_END,
    WEIRI_STEP_SPIN,  /* waits in a loop for another value, see above */
    WEIRI_STEP_BOUND, /* a loop has reached its bound of iterations */
    WEIRI_STEP_FAULT, /* has done something that has no meaning */
};

/**
 * weiri_step: the next step of a thread
 * @atomic: otherwise a plain access
 * @weak: UPDATE: may fail although the value permits it to write
 * @order: if it writes, @failure: of an UPDATE that does not write
 * @spaces: FENCE, ENTER: the address spaces that it orders, of enum weir_space
 * @scope: ENTER: sub_group: the threads of the sub-group meet; otherwise the group's
 * @location: an index of the program's locations
 * @label: ENTER: the name of the barrier
 * @value: WRITE: the value written; SPIN: the number of events of the iteration that
 *         changed nothing, the thread's latest ones: reads, fences, and
 *         read-modify-writes that write the value they read
 * @place: the program's reference to the operation
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

/* Whether an operation of that order acquires, if it reads or is a fence. */
static inline bool weiri_step_acquires(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

/* Whether it releases, if it writes or is a fence. */
static inline bool weiri_step_releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel
        || order == memory_order_seq_cst;
}

/* Where a thread runs. Threads with equal numbers share the instance of that scope. If
 * a scope has no instances, as sub-groups in litmus tests, each thread has its own
 * number. */
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

/* Where an operation is in the source. @file: %NULL if all are in one file */
struct weiri_source_place {
    const char *file;
    uint32_t line, column;
};

/**
 * weiri_words: what drawings and messages call the parts of a program
 * @scoped: the scopes of events are shown
 * @label: the name of a barrier, or ""; borrowed
 * @thread: Returns: (transfer full): "P1"
 * @place: of the operation that a step of the thread refers to by @place
 */
struct weiri_words {
    bool scoped;
    const char *(*label)(const void *self, uint32_t label);
    char *(*thread)(const void *self, uint32_t thread);
    struct weiri_source_place (*place)(const void *self, uint32_t thread,
                                       uint32_t place);
};

/**
 * weiri_program:
 * @partial_barriers: there may be barriers that order only one address space
 * @state_bytes: the size of a thread's state
 * @start: sets the initial state of a thread
 * @resume: the thread has performed its last step
 * @update: returns whether the thread's UPDATE or BLIND writes if it reads @read, and
 *          what
 * @ordered: the location has an access, other than a BLIND, whose order with its BLINDs
 *           must be explored: these must be UPDATEs. The exploration is to end. May be
 *           %NULL if the program has no BLIND
 * @meet: returns what the thread gets at the barrier that it leaves. @states: by
 *        thread, the state of each thread that has met there, before it entered; %NULL
 *        for the others. @meet may be %NULL: all threads get 0
 * @stopped: set by the program in @resume: the exploration is to end
 * @words: of its executions that are shown
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
    void (*ordered)(void *self, uint32_t location);
    int64_t (*meet)(void *self, uint32_t thread, const void *const *states);
    const struct weiri_path_interface *paths;
    bool stopped;
    const struct weiri_words *words;
};

#endif
