/* SPDX-License-Identifier: MIT
 *
 * execution.h: one execution of a program as a value: its events, where each read reads
 * from, and the order of the writes to each location. Who decides whether a model
 * allows it, who draws it and who explains it all look at this.
 *
 * A read-modify-write that writes is two events, one after the other: its read and its
 * write. A barrier is two: entry and exit. The initial values are no events. */
#ifndef WEIRI_EXECUTION_H
#define WEIRI_EXECUTION_H

#include "model/program.h"

enum weiri_execution_event_kind {
    WEIRI_READS_MEMORY,
    WEIRI_WRITES_MEMORY,
    WEIRI_FENCES,
    WEIRI_ENTERS, /* a barrier */
    WEIRI_EXITS,
};

/* How an execution ends: the last of these that holds of one of its threads. */
enum weiri_execution_end {
    WEIRI_END_COMPLETE, /* all threads have ended */
    WEIRI_END_BARRIER,  /* a thread waits at a barrier to which others never come */
    WEIRI_END_SPIN,     /* a thread waits in a loop for a value that is never written */
    WEIRI_END_BOUND,    /* a loop has had as many iterations as it may have */
    WEIRI_END_FAULT,    /* a thread has done something that has no meaning */
};

/* A read of the initial value, or one before all writes of its location. */
#define WEIRI_INITIAL UINT32_MAX

/**
 * weiri_execution_event: one event
 * @thread: and @index: its place in the program order, from 0
 * @order: its own: of a failed compare-exchange that for failure. Of a plain access
 *         relaxed
 * @scope: of a plain access work_item
 * @update: part of a read-modify-write that writes; the other part is next to it
 * @value: read or written; of a barrier, which of the thread's entries at that label it
 *         is, from 0
 * @from: READS_MEMORY: the write that it reads, an index of the events, or
 *        %WEIRI_INITIAL
 * @position: WRITES_MEMORY: in the modification order of its location, from 0
 * @address, @data, @control: of threads whose dependencies are followed: earlier reads
 * of the thread, bit n its n-th, that its address, what is written, and its being
 * reached depend on
 */
struct weiri_execution_event {
    uint8_t kind; /* of enum weiri_execution_event_kind */
    bool atomic;
    bool update;
    uint8_t order;
    uint8_t scope;
    uint8_t spaces; /* of fences and barriers */
    uint32_t thread, index;
    uint32_t location;
    uint32_t label;
    int64_t value;
    uint32_t from;
    uint32_t position;
    uint32_t place; /* the program's name for the operation */
    uint64_t address, data, control;
};

/* Events are in the order of threads, and of each thread in program order. */
struct weiri_execution {
    const struct weiri_program *program;
    uint32_t n_events;
    const struct weiri_execution_event *events;
    const uint32_t *first;     /* by thread: of its events; n_threads + 1 of them */
    const void *const *states; /* by thread: in the end, see struct weiri_program */
    const int64_t *memory;     /* by location: in the end */
};

/** Returns: (transfer full): of the same program, which is borrowed */
struct weiri_execution *weiri_execution_copy(const struct weiri_execution *execution);

/** Of a copy; %NULL is allowed. */
void weiri_execution_free(struct weiri_execution *execution);

#endif
