/* SPDX-License-Identifier: MIT
 *
 * brute_execution.h: runs of threads put together: the events of an execution, and what
 * follows from these before it is asked which write a read reads from. */
#ifndef WEIR_TESTS_BRUTE_EXECUTION_H
#define WEIR_TESTS_BRUTE_EXECUTION_H

#include "brute_relation.h"
#include "brute_trace.h"

/**
 * brute_execution:
 * @events: first the initial write of each location, then those of each thread in
 *          program order, a thread after the other
 * @start: of thread t's events; the last one is @n
 *
 * Sets, as definitions call them. @Rel, @Acq and @SC are orders of at least that:
 * @IW: initial writes, which are in @W, too
 * @M: accesses to memory, @At: those with an order, and fences
 * @barriers: entries and exits
 * @updates: writes of read-modify-writes
 * @declared: accesses to locations that are declared atomic
 * @space: by address space: accesses to it; fences and barriers that name it
 *
 * Relations that are the same for all choices; none has initial writes but @loc, and
 * @different:
 * @sb: program order, @rmw: the two events of a read-modify-write
 * @loc: accesses to the same location
 * @bar: from the entry of each to the exit of every other at one barrier
 * @address, @data, @control: dependencies
 * @different: events of different threads
 * @strong: either one's scope covers the other's thread; @equal: and is the same scope
 *
 * What is chosen, and empty before:
 * @rf: reads-from, @mo: modification order
 * @rb: (rf^-1 ; mo) \ id, @eco: (rf | mo | rb)+; brute_judge() makes them of the two
 */
struct brute_execution {
    const struct brute_program *program;
    unsigned n;
    unsigned start[BRUTE_THREADS + 1];
    struct brute_event events[BRUTE_EVENTS];
    brute_set IW, R, W, F, M, At, Rel, Acq, SC;
    brute_set barriers, updates, declared, space[3];
    struct relation sb, rmw, loc, bar, address, data, control;
    struct relation different, strong, equal;
    struct relation rf, mo, rb, eco;
};

/**
 * brute_place:
 * @traces: one a thread
 *
 * Makes an execution of them. Returns: whether there is room
 */
bool brute_place(struct brute_execution *execution, const struct brute_program *program,
                 const struct brute_trace *const *traces);

#endif
