/* SPDX-License-Identifier: MIT
 *
 * graph.h: an execution graph as the explorer grows it: events, the write that each
 * read reads from, the modification order of each location, and happens-before.
 *
 * The number of an event is its place in the order in which events were added, so that
 * cutting off the end undoes the latest additions. A view is a set of events that an
 * event knows of: for each thread, the number of its first events. An event has a view
 * of each kind:
 *
 *     WEIRI_CAUSES   the events that it needs to exist: by program order, reads-from
 *                    and barriers
 *     1 and on       the events that happen before it; one kind for each address space
 *                    if the model or a barrier distinguishes address spaces
 *
 * A view does not contain its own event. It never changes, because all events in it
 * exist as long as the event does.
 *
 * A graph also keeps the state of its thread after each event, and the next step that
 * the thread wants to take. So no step is ever executed twice. */
#ifndef WEIRI_GRAPH_H
#define WEIRI_GRAPH_H

#include "model/execution.h"

#include <glib.h>

/* The models that the explorer supports. */
enum weiri_explored {
    WEIRI_EXPLORED_SC,
    WEIRI_EXPLORED_RC11,
    WEIRI_EXPLORED_SYCL,
    WEIRI_EXPLORED_SYCL_SPLIT,
};

enum { WEIRI_CAUSES, WEIRI_MOST_VIEWS = 3 };

/* No event: before the first event of a thread; or, as the source of a read, the
 * initial value. */
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
    bool usual;       /* placed by the first choice: last in modification order, or
                         reading from there */
    bool revisitable; /* a read that later writes may revisit */
    uint16_t thread;
    uint16_t index;    /* in its thread */
    uint16_t before;   /* the previous event of the thread, or WEIRI_NO_EVENT */
    uint16_t from;     /* READS: a write, or WEIRI_NO_EVENT */
    uint16_t position; /* WRITES: in the modification order, from 0 */
    uint16_t like;     /* an access or a blind update: the latest one before it of the
                          same location, or WEIRI_NO_EVENT */
    uint16_t read;     /* the latest read among those, or WEIRI_NO_EVENT */
    uint32_t location;
    uint32_t label;
    uint32_t place;
    int64_t value;          /* the value read or written; of a barrier, the number of
                               the entry */
    struct weiri_step next; /* the thread's next step after the event */
};

static inline bool weiri_node_is_access(const struct weiri_node *node)
{
    return node->kind == WEIRI_READS_MEMORY || node->kind == WEIRI_WRITES_MEMORY;
}

static inline bool weiri_node_has_location(const struct weiri_node *node)
{
    return weiri_node_is_access(node) || node->kind == WEIRI_UPDATES_BLINDLY;
}

/* Data that all graphs of an exploration share. */
struct weiri_frame {
    const struct weiri_program *program;
    enum weiri_explored model;
    uint32_t n_threads;
    uint32_t n_views;
    uint8_t *level;           /* by two threads: the narrowest scope that includes
                                 both */
    uint8_t widest;           /* of these scopes */
    struct weiri_step *first; /* by thread */
    char *states;             /* by thread: the initial state */
    uint16_t *scratch;        /* room for a view */
    const void **met;         /* room for a state by thread */
    uint32_t *absent;         /* by thread: the one that its meeting lacked when it
                                 was last asked: likely it still does */
    uint32_t *left;           /* the last event that left a meeting, in some graph */
};

/* Whether no two such accesses race, for any threads. */
static inline bool weiri_node_is_wide(const struct weiri_frame *frame,
                                      const struct weiri_node *node)
{
    return node->atomic
        && (frame->model <= WEIRI_EXPLORED_RC11 || node->scope >= frame->widest);
}

struct weiri_order_of_writes {
    uint32_t n;
    uint32_t capacity;
    uint16_t latest;   /* the access of the location that was added last, or
                         WEIRI_NO_EVENT */
    uint32_t n_blind;  /* blind updates, which are not in the order */
    uint32_t n_narrow; /* events of the location that are not wide */
    uint16_t *at;      /* events */
};

struct weiri_graph {
    const struct weiri_frame *frame;
    uint32_t n;
    uint32_t capacity;
    uint32_t n_sc;   /* the number of seq_cst events */
    uint32_t n_calm; /* no two of the first n_calm events race */
    struct weiri_node *nodes;
    uint16_t *views;  /* by event and kind; n_threads numbers each */
    char *states;     /* by event: the state of its thread after it */
    uint16_t *number; /* by event of the graph from which this one was restricted */
    uint16_t *last;   /* by thread: its latest event */
    struct weiri_order_of_writes *writes; /* by location */
};

void weiri_frame_init(struct weiri_frame *frame, const struct weiri_program *program,
                      enum weiri_explored model);
void weiri_frame_clear(struct weiri_frame *frame);

void weiri_graph_init(struct weiri_graph *graph, const struct weiri_frame *frame);
void weiri_graph_clear(struct weiri_graph *graph);

/* ---- Looking --------------------------------------------------------------------- */

/** The next step of the thread. */
static inline const struct weiri_step *weiri_graph_next(const struct weiri_graph *graph,
                                                        uint32_t thread)
{
    uint16_t last = graph->last[thread];
    return last == WEIRI_NO_EVENT ? &graph->frame->first[thread]
                                  : &graph->nodes[last].next;
}

/** The current state of the thread. */
const void *weiri_graph_state(const struct weiri_graph *graph, uint32_t thread);

static inline const uint16_t *weiri_graph_view(const struct weiri_graph *graph,
                                               uint32_t event, uint32_t kind)
{
    const struct weiri_frame *frame = graph->frame;
    return graph->views + ((size_t)event * frame->n_views + kind) * frame->n_threads;
}

/** Whether @event is @other, or @other needs it to exist. */
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

/** The state of the event's thread before it. */
const void *weiri_graph_state_before(const struct weiri_graph *graph, uint32_t event);

/** The kind of view that orders accesses to the location. */
uint32_t weiri_graph_kind(const struct weiri_graph *graph, uint32_t location);

/** Whether @event happens before @other, by any view. */
bool weiri_graph_before(const struct weiri_graph *graph, uint32_t event,
                        uint32_t other);

/** Whether the scopes of the two events include each other's threads. */
bool weiri_graph_strong(const struct weiri_graph *graph, uint32_t one, uint32_t other);

/** The value that the write wrote; for WEIRI_NO_EVENT the initial value. Without the
 *  blind updates after it. */
int64_t weiri_graph_value(const struct weiri_graph *graph, uint32_t location,
                          uint16_t write);

/** The value of the location in the graph as it is now. */
int64_t weiri_graph_memory(const struct weiri_graph *graph, uint32_t location);

/** The first position, plus 1, of a write that the thread's next access to the location
 *  can read; 0 if it can read the initial value. */
uint32_t weiri_graph_floor(const struct weiri_graph *graph, uint32_t thread,
                           uint32_t location);

/** Whether the read could read from @write instead: it knows of no later write in
 *  modification order. @write does not need the read. */
bool weiri_graph_may_read(const struct weiri_graph *graph, uint32_t read,
                          uint32_t write);

/** The step that the event performed. */
const struct weiri_step *weiri_graph_step(const struct weiri_graph *graph,
                                          uint32_t event);

/** Whether the read belongs to an UPDATE that writes if it reads from @from; *@value is
 *  what it writes. */
bool weiri_graph_writes(const struct weiri_graph *graph, uint32_t read, uint16_t from,
                        int64_t *value);

/* ---- Growing --------------------------------------------------------------------- */

/** Adds the thread's READ, or the read of its UPDATE, which reads from @from. @updates:
 *  the UPDATE writes, and weiri_graph_update() is called next. Returns: the event */
uint32_t weiri_graph_read(struct weiri_graph *graph, uint32_t thread, uint16_t from,
                          bool updates);

/** Adds the thread's WRITE at a position of the modification order. */
uint32_t weiri_graph_write(struct weiri_graph *graph, uint32_t thread,
                           uint32_t position);

/** Adds the write of an UPDATE, whose read is the thread's latest event, directly after
 *  the write that was read. */
uint32_t weiri_graph_update(struct weiri_graph *graph, uint32_t thread, int64_t value);

/** Adds the thread's BLIND. Calls @ordered of the program where that may not be one. */
uint32_t weiri_graph_blind(struct weiri_graph *graph, uint32_t thread);

uint32_t weiri_graph_fence(struct weiri_graph *graph, uint32_t thread);

/** Adds the thread's entry to its barrier. */
uint32_t weiri_graph_enter(struct weiri_graph *graph, uint32_t thread);

/** Whether the thread's latest event is an entry to a barrier that all others of its
 *  group or sub-group have entered, too. Not for barriers of tables: see
 *  step-table.h */
bool weiri_graph_may_exit(const struct weiri_graph *graph, uint32_t thread);
uint32_t weiri_graph_exit(struct weiri_graph *graph, uint32_t thread);

/** Adds all events that involve no choice, of fences and barriers, while there are less
 *  than @most. */
void weiri_graph_add_free(struct weiri_graph *graph, uint32_t most);

/** Removes all but the first @n events. */
void weiri_graph_cut(struct weiri_graph *graph, uint32_t n);

/**
 * weiri_graph_restrict:
 * @copy: set to the part of @graph that stays when @write revisits @read: the events up
 *        to the read, and those that the write needs
 *
 * Reads that the write needs are not revisitable in @copy. The read still reads its old
 * source; see weiri_graph_reread(). It keeps its number.
 *
 * Returns: the number of the write in @copy
 */
uint32_t weiri_graph_restrict(struct weiri_graph *copy, const struct weiri_graph *graph,
                              uint32_t read, uint32_t write);

/** Makes the read, its thread's latest event, read from @from. @updates: as above. */
void weiri_graph_reread(struct weiri_graph *graph, uint32_t read, uint16_t from,
                        bool updates);

/* ---- Judging --------------------------------------------------------------------- */

/** Whether the model's axiom about sequential consistency holds: SC; under `sc` the
 *  only axiom. The other axioms hold by the way graphs grow. */
bool weiri_graph_is_consistent(const struct weiri_graph *graph);

/** Whether two accesses race. @one, @other: (out): the first such pair. */
bool weiri_graph_race(struct weiri_graph *graph, uint32_t *one, uint32_t *other);

/** The number of events of the execution. */
uint32_t weiri_graph_n_events(const struct weiri_graph *graph);

/** The event of the graph's execution that is @event; of a blind update its write. */
uint32_t weiri_graph_event(const struct weiri_graph *graph,
                           const struct weiri_execution *execution, uint32_t event);

/** Why an execution does not end in which no thread can continue. */
enum weiri_execution_end weiri_graph_end(const struct weiri_graph *graph);

/** Returns: (transfer full): the execution as a value */
struct weiri_execution *weiri_graph_execution(const struct weiri_graph *graph);

/** The number of stale reads: a later write of the location, in modification order, is
 *  among the events that the read needs to exist. Any number above @most stands for all
 *  that are. */
uint32_t weiri_graph_stale(const struct weiri_graph *graph, uint32_t most);

/** As weiri_execution_compare(), without a copy of the graph. */
int weiri_graph_compare(const struct weiri_graph *graph,
                        const struct weiri_execution *other);

/** Keeps the execution in place of *@kept, or of %NULL, where it sorts before it; see
 *  weiri_execution_compare(). Returns: whether it does */
bool weiri_graph_keep(const struct weiri_graph *graph, struct weiri_execution **kept);

/** Returns: a number that is equal for equal executions, however their graphs grew */
uint64_t weiri_graph_hash(const struct weiri_graph *graph);

#endif
