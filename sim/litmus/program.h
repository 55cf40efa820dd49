/* SPDX-License-Identifier: MIT
 *
 * program.h: a litmus test as a program (model/program.h), which can be explored and
 * enumerated. */
#ifndef WEIRI_LITMUS_PROGRAM_H
#define WEIRI_LITMUS_PROGRAM_H

#include "litmus/code.h"
#include "model/enumerate.h"

/** @rounds: as for weiri_litmus_next(). @test is borrowed.
 *  Returns: (transfer full) */
struct weiri_program *weiri_litmus_program(const struct weiri_litmus *test,
                                           uint32_t rounds);

/** The same for loops without a bound. A thread's state
 *  has only what decides its later steps: the values of other registers are lost, also
 *  at the end. A loop that goes on for ever without an event is a SPIN.
 *  @test is borrowed. Returns: (transfer full) */
struct weiri_program *weiri_litmus_program_endless(const struct weiri_litmus *test);
void weiri_litmus_program_free(struct weiri_program *program);

/** Returns: the value of a register in the state of a thread */
int64_t weiri_litmus_program_register(const struct weiri_program *program,
                                      const void *state, uint32_t reg);

/** The final value of a term: a weiri_litmus_value_fn of a struct weiri_execution. */
int64_t weiri_litmus_program_value(struct weiri_litmus_term term,
                                   const void *execution);

/** Returns: whether the executions that an enumeration of the program is about to
 *  choose from can include one that the filter keeps, and in which the condition holds,
 *  or does not; for struct weiri_enumerate_options */
bool weiri_litmus_program_may(const struct weiri_program *program, bool holds);

/** weiri_enumerate() on the test's program, which exists during the call only.
 *  @rounds: as for weiri_litmus_next() */
struct weiri_enumeration weiri_litmus_enumerate(
    const struct weiri_litmus *test, uint32_t rounds,
    const struct weiri_enumerate_options *options);

/**
 * weiri_litmus_program_stop:
 * @state: of a thread that has stopped
 * @run: (inout): its slots are the caller's, as many as the thread's code has; set to
 *       the place and slots of @state
 *
 * Returns: why the thread has stopped; %WEIRI_LITMUS_EVENT if it waits at a barrier
 */
enum weiri_litmus_stop weiri_litmus_program_stop(const struct weiri_program *program,
                                                 uint32_t thread, const void *state,
                                                 struct weiri_litmus_run *run);

#endif
