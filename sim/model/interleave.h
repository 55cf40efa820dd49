/* SPDX-License-Identifier: MIT
 *
 * interleave.h: the states of a program whose threads take turns. A step is one memory
 * operation, a read-modify-write is one step, and memory has one value for each
 * location. In this order of steps every state is a sequence of bytes, so that equal
 * states can be recognised. The program must keep in the state of a thread nothing but
 * what decides its later steps; otherwise equal states look different.
 *
 *     machine = weiri_interleave_new(program, &options);
 *     weiri_interleave_start(machine, state);
 *     while ((n = weiri_interleave_choices(machine, state, thread)) > 0)
 *         weiri_interleave_step(machine, state, thread, choice below n, &taken);
 *
 * A thread that arrives at a barrier waits until the barrier opens. The thread that
 * opens it takes all that wait there past it in the same step: leaving a barrier reads
 * and writes nothing that others see, so no behaviour is lost.
 *
 * Memory where writes are ordered in part, as in PTX: a location has all writes that no
 * other one comes after, and a read returns any of them. See last-writes.c. */
#ifndef WEIRI_INTERLEAVE_H
#define WEIRI_INTERLEAVE_H

#include "model/program.h"

#include <glib.h>

/* Threads are members of sets of 64. */
enum { WEIRI_INTERLEAVE_THREADS = 64 };

/**
 * weiri_write_order: which writes of a location are ordered
 * @WEIRI_WRITES_TOTAL: all, by the steps
 * @WEIRI_WRITES_CAUSAL: those of one thread, morally strong ones, and all that
 *                       causality may order
 * @WEIRI_WRITES_CERTAIN: of these only writes that are surely ordered
 */
enum weiri_write_order {
    WEIRI_WRITES_TOTAL,
    WEIRI_WRITES_CAUSAL,
    WEIRI_WRITES_CERTAIN,
};

/** @any_flags: barriers of one name meet with any flags, see struct weiri_model
 *  @sc_fences_order: a seq_cst fence surely orders writes as an acq_rel fence does */
struct weiri_interleave_options {
    enum weiri_write_order writes;
    bool any_flags, sc_fences_order;
};

/**
 * weiri_taken: a step
 * @step: of the program
 * @reads, @read: the value that was read
 * @writes, @written: the value that was written
 * @several: the location had several last writes to read from
 * @spurious: a compare-exchange that failed without a reason
 */
struct weiri_taken {
    struct weiri_step step;
    uint32_t thread;
    bool reads, writes, several, spurious;
    int64_t read, written;
};

/** Why a state has no meaning, or is not followed. */
enum weiri_interleave_stop {
    WEIRI_INTERLEAVE_GOES,
    WEIRI_INTERLEAVE_FAULT,  /* a thread has done something undefined */
    WEIRI_INTERLEAVE_BOUND,  /* a thread runs very long without an event */
    WEIRI_INTERLEAVE_ROUNDS, /* a thread is too far ahead of others at a barrier */
    WEIRI_INTERLEAVE_WRITES, /* too many writes are not ordered */
};

struct weiri_interleave;
struct weiri_interleave_state;

/** @program: borrowed; at most %WEIRI_INTERLEAVE_THREADS threads. Runs threads.
 *  Returns: (transfer full) */
struct weiri_interleave *weiri_interleave_new(
    const struct weiri_program *program,
    const struct weiri_interleave_options *options);
void weiri_interleave_free(struct weiri_interleave *machine);

/** Returns: (transfer full): a state in memory, to be set */
struct weiri_interleave_state *weiri_interleave_state_new(
    const struct weiri_interleave *machine);
void weiri_interleave_state_free(struct weiri_interleave_state *state);

/** Sets the first state. */
void weiri_interleave_start(struct weiri_interleave *machine,
                            struct weiri_interleave_state *state);

/** Returns: in how many ways the thread can take its next step; 0: it waits or has
 *  ended */
uint32_t weiri_interleave_choices(const struct weiri_interleave *machine,
                                  const struct weiri_interleave_state *state,
                                  uint32_t thread);

/** Takes it. @taken: (out): may be %NULL */
void weiri_interleave_step(struct weiri_interleave *machine,
                           struct weiri_interleave_state *state, uint32_t thread,
                           uint32_t choice, struct weiri_taken *taken);

/** Appends the state as bytes; equal states have equal bytes. */
void weiri_interleave_pack(const struct weiri_interleave *machine,
                           const struct weiri_interleave_state *state,
                           GByteArray *bytes);
void weiri_interleave_unpack(const struct weiri_interleave *machine,
                             const uint8_t *bytes,
                             struct weiri_interleave_state *state);

/** Returns: a hash of @n bytes */
uint32_t weiri_interleave_hash(const uint8_t *bytes, size_t n);

/** Sets of threads: those that have made a step, and those that have not ended. */
uint64_t weiri_interleave_stepped(const struct weiri_interleave_state *state);
uint64_t weiri_interleave_live(const struct weiri_interleave *machine,
                               const struct weiri_interleave_state *state);

/** Returns: the next step of the thread, or the one that it waits in */
const struct weiri_step *weiri_interleave_next(
    const struct weiri_interleave *machine, const struct weiri_interleave_state *state,
    uint32_t thread);

/** Returns: the threads that are missing at the barrier at which the thread waits, or
 *  with a quorum all that could come */
uint64_t weiri_interleave_missing(const struct weiri_interleave *machine,
                                  const struct weiri_interleave_state *state,
                                  uint32_t thread);

/** Why the state is not followed. @thread: (out): whose step it is; may be %NULL */
enum weiri_interleave_stop weiri_interleave_stopped(
    const struct weiri_interleave *machine, const struct weiri_interleave_state *state,
    uint32_t *thread);

#endif
