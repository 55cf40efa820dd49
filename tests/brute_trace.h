/* SPDX-License-Identifier: MIT
 *
 * brute_trace.h: the actions of one thread of a program: every run of it, for any
 * values that it reads, as the list of events that it leaves. Which of these runs fit
 * together, and what a memory model says of them, others ask. */
#ifndef WEIR_TESTS_BRUTE_TRACE_H
#define WEIR_TESTS_BRUTE_TRACE_H

#include "brute_program.h"

#include <stdint.h>

enum {
    BRUTE_TRACE_EVENTS = 28, /* of a run; a longer one is given up */
    BRUTE_VALUES = 24,       /* that a location may hold */
};

enum brute_event_kind { READS, WRITES, FENCES, ENTERS, EXITS };

/**
 * brute_event: one event of a thread
 * @thread: whose; %BRUTE_THREADS for the write of an initial value
 * @ordered: it is an atomic or a fence; else it is plain or of a barrier, and has
 *           neither order nor scope
 * @order: that it had: of a failed compare-exchange that of failure
 * @spaces: of fences and barriers: their flags
 * @pairs: WRITES: of a read-modify-write, whose read is the event before
 * @occurrence: of a barrier: how often the thread reached that label before
 * @address, @data, @control: earlier reads of the thread, a bit each by their number
 *           among its events, that its address, what it writes, and its being reached
 *           depend on by the program's text
 * @flow: those without whose values what it writes is not known: what it depends on,
 *        less what cancels out, such as r0 in `r0 & 0`
 */
struct brute_event {
    enum brute_event_kind kind;
    unsigned thread;
    bool ordered;
    memory_order order;
    memory_scope scope;
    unsigned spaces;
    unsigned location;
    int value;
    bool pairs;
    unsigned label, occurrence;
    uint32_t address, data, control, flow;
};

enum brute_end {
    BRUTE_ENDS,
    BRUTE_WAITS,    /* its last event enters a barrier, which it does not leave */
    BRUTE_TOO_LONG, /* a loop had its rounds and wants another one */
};

/**
 * brute_trace:
 * @reads, @writes: values of locations, a bit each: see brute_value_bit()
 */
struct brute_trace {
    enum brute_end end;
    unsigned n_events;
    struct brute_event events[BRUTE_TRACE_EVENTS];
    int registers[BRUTE_REGISTERS];
    uint64_t reads[BRUTE_LOCATIONS], writes[BRUTE_LOCATIONS];
};

/* The values that each location might hold at some time, the initial one first. */
struct brute_domains {
    unsigned n[BRUTE_LOCATIONS];
    int values[BRUTE_LOCATIONS][BRUTE_VALUES];
};

/* A bit for a value that tests use. */
static inline uint64_t brute_value_bit(int value)
{
    return UINT64_C(1) << ((unsigned)value & 63);
}

/**
 * brute_find_domains:
 * @rounds: that each loop may have each time that it is entered
 *
 * Finds every value that a location can hold in any execution, and perhaps more: for
 * this once conditions may hold or not as they like, since under some models a value
 * may come out of a cycle that it closes itself.
 *
 * Returns: whether there are few enough
 */
bool brute_find_domains(const struct brute_program *program, unsigned rounds,
                        struct brute_domains *domains);

/**
 * brute_find_traces:
 * @most: traces, and no more
 *
 * Finds the runs of a thread in which each read reads one of @domains.
 *
 * Returns: (transfer full) (nullable): of struct brute_trace; or %NULL where there are
 *          more, or longer ones than a trace holds
 */
GArray *brute_find_traces(const struct brute_program *program, unsigned thread,
                          const struct brute_domains *domains, unsigned rounds,
                          unsigned most);

#endif
