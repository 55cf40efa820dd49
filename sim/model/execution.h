/* SPDX-License-Identifier: MIT
 *
 * execution.h: one execution of a program as a value: its events, the write that each
 * read reads from, and the order of the writes to each location. Models judge it, and
 * drawings and explanations are made from it.
 *
 * A read-modify-write that writes is two consecutive events, its read and its write. A
 * barrier is two: entry and exit. Initial values are not events. */
#ifndef WEIRI_EXECUTION_H
#define WEIRI_EXECUTION_H

#include "model/program.h"

enum weiri_execution_event_kind {
    WEIRI_READS_MEMORY,
    WEIRI_WRITES_MEMORY,
    WEIRI_FENCES,
    WEIRI_ENTERS, /* a barrier */
    WEIRI_EXITS,
    WEIRI_UPDATES_BLINDLY, /* of graphs only: an execution has a read and a write */
};

/* How an execution ends: the last of these that holds of one of its threads. */
enum weiri_execution_end {
    WEIRI_END_COMPLETE, /* all threads have ended */
    WEIRI_END_BARRIER,  /* a thread waits at a barrier to which others never come */
    WEIRI_END_SPIN,     /* a thread waits in a loop for a value that is never written */
    WEIRI_END_BOUND,    /* a loop has had as many iterations as it may have */
    WEIRI_END_FAULT,    /* a thread has done something that has no meaning */
};

/* In place of a write: the initial value, which is before all writes of its
 * location. */
#define WEIRI_INITIAL UINT32_MAX

/* A read of a candidate that is not complete: nothing yet. */
#define WEIRI_UNREAD (UINT32_MAX - 1)

/**
 * weiri_execution_event:
 * @thread: and @index: its place in program order, from 0
 * @order: of a failed compare-exchange that for failure; of a plain access relaxed
 * @scope: of a plain access work_item
 * @update: one half of a read-modify-write that writes; the other half is next to it
 * @value: the value read or written; of a barrier, the number of the thread's entry at
 *         that label, from 0, or with traits the number of the barrier
 * @from: READS_MEMORY: the event that wrote the value, or %WEIRI_INITIAL
 * @position: WRITES_MEMORY: in the modification order of its location, from 0. Where a
 *            model orders only some writes, or orders fences, too: in one of the orders
 *            that agree with it. A barrier with traits: how often the thread has been
 *            at the same instruction before
 * @address: the earlier reads of the thread on which its address depends, bit n for the
 *           n-th, if dependencies are followed;
 * @data: those on which the value written depends;
 * @control: those on which it depends that the event happens
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
    uint32_t place; /* the program's reference to the operation */
    uint64_t address, data, control;
    struct weiri_traits traits;
};

static inline bool weiri_event_is_access(const struct weiri_execution_event *event)
{
    return event->kind == WEIRI_READS_MEMORY || event->kind == WEIRI_WRITES_MEMORY;
}

/** Returns: the place of a write among the writes of its location, which are numbered
 *  from 1; of a read the place of the write that it reads, 0 for the initial value */
static inline uint32_t weiri_event_mo_place(const struct weiri_execution_event *events,
                                            const struct weiri_execution_event *access)
{
    if (access->kind == WEIRI_WRITES_MEMORY) {
        return access->position + 1;
    }
    return access->from == WEIRI_INITIAL ? 0 : events[access->from].position + 1;
}

/** Whether the barrier is one of @thread, too: it is in the scope that the barrier
 *  states, or else in its group. */
bool weiri_event_gathers(const struct weiri_program_thread *threads,
                         const struct weiri_execution_event *entry, uint32_t thread);

/** Whether @exit leaves the barrier that the other thread's @entry has entered. */
bool weiri_event_meets(const struct weiri_program_thread *threads,
                       const struct weiri_execution_event *entry,
                       const struct weiri_execution_event *exit);

struct weiri_execution;

/** Returns: an earlier plain read of the thread, whose value a compiler may keep for
 *  the plain read @event: both read one location from one write, an acquiring read is
 *  between them, and neither a fence, a barrier nor a write to the location.
 *  %WEIRI_INITIAL if there is none. See litmus/reread.h */
uint32_t weiri_execution_kept(const struct weiri_execution *execution, uint32_t event);

/* Events are sorted by thread, and by program order within a thread. */
struct weiri_execution {
    const struct weiri_program *program;
    uint32_t n_events;
    const struct weiri_execution_event *events;
    const uint32_t *first;     /* by thread: its first event; n_threads + 1 of them */
    const void *const *states; /* by thread: the final state, see struct
                                  weiri_program */
    const int64_t *memory;     /* by location: the final value */
};

/** Returns: (transfer full): a copy; its program is borrowed */
struct weiri_execution *weiri_execution_copy(const struct weiri_execution *execution);

/** The order of two events of executions of one program. Places are not compared: where
 *  all values that threads read are equal, so are their operations. */
int weiri_event_compare(const struct weiri_execution_event *one,
                        const struct weiri_execution_event *other);

/** Returns: a negative number if the first execution sorts before the other: executions
 *  with fewer events do, and the order of others depends on nothing but them. 0: they
 *  are the same execution of one program */
int weiri_execution_compare(const struct weiri_execution *one,
                            const struct weiri_execution *other);

/** Frees a copy. %NULL is allowed. */
void weiri_execution_free(struct weiri_execution *execution);

#endif
