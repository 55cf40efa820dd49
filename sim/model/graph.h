/* SPDX-License-Identifier: MIT
 *
 * graph.h: an execution graph as the explorer grows it: events, where each read reads
 * from, the modification order of each location, and what happens before what.
 *
 * An event's number is its place in the order in which events were added, so that to go
 * back is to cut the end off. What an event knows of others is a view: for each thread,
 * how many of its first events. There is a view of each kind:
 *
 *     WEIRI_CAUSES   what it needs to exist: program order, reads-from, barriers
 *     1 and on       what happens before it, apart for each address space where the
 *                    model keeps them apart or a barrier orders one of them alone
 *
 * Views are strict: an event is in none of its own. An event's views never change,
 * since what they tell of is there as long as the event is.
 *
 * A graph keeps the state of every thread after each of its events, and the step that
 * it wants to take next. So nothing is ever run again. */
#ifndef WEIRI_GRAPH_H
#define WEIRI_GRAPH_H

#include "model/execution.h"

#include <glib.h>

/* The models that the explorer decides. */
enum weiri_explored {
    WEIRI_EXPLORED_SC,
    WEIRI_EXPLORED_RC11,
    WEIRI_EXPLORED_SYCL,
    WEIRI_EXPLORED_SYCL_SPLIT,
};

enum { WEIRI_CAUSES, WEIRI_MOST_VIEWS = 3 };

/* No event: before a thread's first one; or the initial value, as what a read reads. */
#define WEIRI_NO_EVENT UINT16_MAX
enum { WEIRI_MOST_EVENTS = UINT16_MAX - 1 };

struct weiri_node {
    uint8_t kind; /* of enum weiri_execution_event_kind */
    uint8_t order;
    uint8_t scope;
    uint8_t spaces;
    bool atomic;
    bool update;      /* half of a read-modify-write; the other half is next to it in
                         the thread */
    bool usual;       /* it was placed as the first choice: at the end, or reading it */
    bool revisitable; /* a read: later writes may be read instead */
    uint16_t thread;
    uint16_t index;    /* in its thread */
    uint16_t before;   /* the thread's event before, or WEIRI_NO_EVENT */
    uint16_t from;     /* READS: a write, or WEIRI_NO_EVENT */
    uint16_t position; /* WRITES: in the modification order, from 0 */
    uint32_t location;
    uint32_t label;
    uint32_t place;
    int64_t value;          /* read or written; of a barrier, which entry it is */
    struct weiri_step next; /* of the thread, after this */
};

/* What all graphs of one exploration share. */
struct weiri_frame {
    const struct weiri_program *program;
    enum weiri_explored model;
    uint32_t n_threads;
    uint32_t n_views;
    uint8_t *level;           /* by two threads: the narrowest scope that has both */
    struct weiri_step *first; /* by thread */
    char *states;             /* by thread: before it has done anything */
    uint16_t *scratch;        /* a view */
};

struct weiri_order_of_writes {
    uint16_t n;
    uint16_t capacity;
    uint16_t *at; /* events */
};

struct weiri_graph {
    const struct weiri_frame *frame;
    uint32_t n;
    uint32_t capacity;
    uint32_t n_sc;   /* events that are sequentially consistent */
    uint32_t n_calm; /* the first so many are known not to race with each other */
    struct weiri_node *nodes;
    uint16_t *views;  /* by event and kind, n_threads each */
    char *states;     /* by event: of its thread, after it */
    uint16_t *number; /* by event of the graph that this one was restricted from */
    uint16_t *last;   /* by thread: its latest event */
    struct weiri_order_of_writes *writes; /* by location */
};

void weiri_frame_init(struct weiri_frame *frame, const struct weiri_program *program,
                      enum weiri_explored model);
void weiri_frame_clear(struct weiri_frame *frame);

void weiri_graph_init(struct weiri_graph *graph, const struct weiri_frame *frame);
void weiri_graph_clear(struct weiri_graph *graph);

/* ---- Looking --------------------------------------------------------------------- */

/** What the thread wants to do next. */
static inline const struct weiri_step *weiri_graph_next(const struct weiri_graph *graph,
                                                        uint32_t thread)
{
    uint16_t last = graph->last[thread];
    return last == WEIRI_NO_EVENT ? &graph->frame->first[thread]
                                  : &graph->nodes[last].next;
}

/** The state of the thread now. */
const void *weiri_graph_state(const struct weiri_graph *graph, uint32_t thread);

static inline const uint16_t *weiri_graph_view(const struct weiri_graph *graph,
                                               uint32_t event, uint32_t kind)
{
    const struct weiri_frame *frame = graph->frame;
    return graph->views + ((size_t)event * frame->n_views + kind) * frame->n_threads;
}

/** Whether @event is what @other needs to exist, or is it. */
static inline bool weiri_graph_causes(const struct weiri_graph *graph, uint32_t event,
                                      uint32_t other)
{
    const struct weiri_node *node = &graph->nodes[event];
    return event == other
        || weiri_graph_view(graph, other, WEIRI_CAUSES)[node->thread] > node->index;
}

/** Whether the event is in a view of that kind. */
bool weiri_graph_is_in(const struct weiri_graph *graph, uint32_t event,
                       const uint16_t *view, uint32_t kind);

/** The kind of view that orders accesses to the location. */
uint32_t weiri_graph_kind(const struct weiri_graph *graph, uint32_t location);

/** Whether @event happens before @other, by any view. */
bool weiri_graph_before(const struct weiri_graph *graph, uint32_t event,
                        uint32_t other);

/** Whether the scopes of two events take in each other's threads. */
bool weiri_graph_strong(const struct weiri_graph *graph, uint32_t one, uint32_t other);

/** The value of the write, or for WEIRI_NO_EVENT the initial one. */
int64_t weiri_graph_value(const struct weiri_graph *graph, uint32_t location,
                          uint16_t write);

/** The location's value in the end. */
int64_t weiri_graph_memory(const struct weiri_graph *graph, uint32_t location);

/** The first position at which the thread's next access to the location may see a
 * write, plus 1: 0 where it may see the initial value. */
uint32_t weiri_graph_floor(const struct weiri_graph *graph, uint32_t thread,
                           uint32_t location);

/** Whether the read, which is none of what @write needs, could read it instead: it
 * knows of nothing that is later in modification order. */
bool weiri_graph_may_read(const struct weiri_graph *graph, uint32_t read,
                          uint32_t write);

/** The step that the event is. */
const struct weiri_step *weiri_graph_step(const struct weiri_graph *graph,
                                          uint32_t event);

/** Whether the event, a read, is of an UPDATE that writes where it reads @from, and
 *  what. */
bool weiri_graph_writes(const struct weiri_graph *graph, uint32_t read, uint16_t from,
                        int64_t *value);

/* ---- Growing --------------------------------------------------------------------- */

/** The thread's READ, or the reading part of its UPDATE, reads from @from. @updates: it
 *  is of an UPDATE that writes, which weiri_graph_update() is to add at once.
 *  Returns: the event */
uint32_t weiri_graph_read(struct weiri_graph *graph, uint32_t thread, uint16_t from,
                          bool updates);

/** The thread's WRITE at a position of the modification order. */
uint32_t weiri_graph_write(struct weiri_graph *graph, uint32_t thread,
                           uint32_t position);

/** The writing part of an UPDATE, whose reading part is the thread's latest event:
 *  right behind what that read. */
uint32_t weiri_graph_update(struct weiri_graph *graph, uint32_t thread, int64_t value);

uint32_t weiri_graph_fence(struct weiri_graph *graph, uint32_t thread);

/** The thread comes to its barrier. */
uint32_t weiri_graph_enter(struct weiri_graph *graph, uint32_t thread);

/** Whether the thread's latest event is an entry, and all others have come, too. */
bool weiri_graph_may_exit(const struct weiri_graph *graph, uint32_t thread);
uint32_t weiri_graph_exit(struct weiri_graph *graph, uint32_t thread);

/** Cuts off all but the first @n events. */
void weiri_graph_cut(struct weiri_graph *graph, uint32_t n);

/**
 * weiri_graph_restrict:
 * @copy: becomes the part of @graph that stays where the read reads @write instead:
 *        what was added up to the read, and what the write needs to exist
 *
 * Reads that the write needs are not revisitable there. The read itself is still what
 * it was; see weiri_graph_reread(). Returns: the write in @copy; the read has its
 * number
 */
uint32_t weiri_graph_restrict(struct weiri_graph *copy, const struct weiri_graph *graph,
                              uint32_t read, uint32_t write);

/** The read, its thread's latest event, reads from @from. @updates: as above */
void weiri_graph_reread(struct weiri_graph *graph, uint32_t read, uint16_t from,
                        bool updates);

/* ---- Judging --------------------------------------------------------------------- */

/** Whether the model's axiom on sequential consistency holds: SC; under `sc` all. The
 *  other axioms hold by how graphs grow. */
bool weiri_graph_is_consistent(const struct weiri_graph *graph);

/** Whether two accesses race. @one, @other: (out): the first such pair */
bool weiri_graph_race(struct weiri_graph *graph, uint32_t *one, uint32_t *other);

/** The execution as a value. Returns: (transfer full) */
struct weiri_execution *weiri_graph_execution(const struct weiri_graph *graph);

/** A number that is the same for the same execution, in whatever order it grew. */
uint64_t weiri_graph_hash(const struct weiri_graph *graph);

#endif
