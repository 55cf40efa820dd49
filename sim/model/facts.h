/* SPDX-License-Identifier: MIT
 *
 * facts.h: the sets of events and the relations between events of one execution that
 * axioms use. Some depend on the execution alone. Those that depend on the model
 * (strong events, synchronisation, happens-before) are added by the model.
 *
 * Initial values are not events. No edge ever leads to them, so that no cycle passes
 * through one. Reading an initial value means to read before all writes of the
 * location. */
#ifndef WEIRI_FACTS_H
#define WEIRI_FACTS_H

#include "model/execution.h"
#include "model/relation.h"

/**
 * weiri_model_order: a happens-before relation, and the steps that it consists of
 * @memory: the accesses that it orders
 * @sb, @sw, @bar: program order, synchronises-with and barriers, as far as they are
 *                 part of it
 * @hb: the transitive closure of these steps
 */
struct weiri_model_order {
    struct weiri_event_set memory;
    struct weiri_relation sb, sw, bar, hb;
};
enum { WEIRI_MOST_ORDERS = 2 };

/* Choices, sets and relations of a model. */
enum { WEIRI_MOST_CHOICES = 2, WEIRI_MOST_KINDS = 16, WEIRI_MOST_OWN = 20 };

/**
 * weiri_facts:
 * @reads, @writes, @fences, @atomics: fences are atomic, barriers are neither
 * @accesses: reads and writes
 * @release: writes and fences with a release order, @acquire: reads and fences with an
 *           acquire order, @sc: seq_cst events
 * @global, @local: accesses to that memory, and fences and barriers whose flags name it
 *
 * @same_thread, @loc: of one thread; accesses to one location. Both reflexive
 * @sb: program order; @rmw: from the read to the write of a read-modify-write
 * @address, @data, @control: dependencies within a thread
 * @bar: from the entry to a barrier to the exits of other threads
 *
 * @rf, @mo: reads-from, modification order
 * @rb: from a read to the writes that overwrite the value it reads
 * @eco: the transitive closure of rf, mo and rb
 *
 * @chosen: for a model that orders only some pairs of events: by choice of the model,
 *          the pairs that have an order so far, one way; see struct weiri_model
 * @prepared: the model for which @chosen, @kinds and @own are set; or %NULL
 * @settled: all reads have a source, and all those pairs an order
 * @kinds, @own: the model's own, which do not depend on what is read
 *
 * @last: such a model's order of writes of which any greatest one gives the final value
 *        of a location
 * @racy: the program has a race, which can leave final values open that are fixed else
 *
 * @strong: pairs of events whose scopes include each other, as the model compares them
 * @orders, @n_orders: the model's happens-before relations
 * @hb: their union
 * @hbm: the parts of them that order accesses of one memory, for coherence and races
 */
struct weiri_facts {
    const struct weiri_execution *execution;
    struct weiri_algebra *algebra; /* owns all sets and relations; borrowed */

    struct weiri_event_set reads, writes, accesses, fences, atomics;
    struct weiri_event_set release, acquire, sc;
    struct weiri_event_set global, local;

    struct weiri_relation same_thread, loc, sb, rmw, bar;
    struct weiri_relation address, data, control;

    struct weiri_relation rf, mo, rb, eco;

    const struct weiri_model *prepared;
    struct weiri_relation chosen[WEIRI_MOST_CHOICES];
    bool settled;
    struct weiri_relation last;
    bool racy;
    struct weiri_event_set kinds[WEIRI_MOST_KINDS];
    struct weiri_relation own[WEIRI_MOST_OWN];

    struct weiri_relation strong;
    struct weiri_model_order orders[WEIRI_MOST_ORDERS];
    uint32_t n_orders;
    struct weiri_relation hb, hbm;
};

/**
 * weiri_facts_begin:
 *
 * Computes what does not depend on rf and mo: it is the same for all executions that
 * differ in these alone. Empties the algebra first.
 */
void weiri_facts_begin(struct weiri_facts *facts, struct weiri_algebra *algebra,
                       const struct weiri_execution *execution);

/** Adds rf, mo and the relations derived from them. */
void weiri_facts_follow(struct weiri_facts *facts);

/** Adds rf, and to rb the reads of initial values, for a model that orders only some
 *  writes: it adds mo, and the rest of rb. */
void weiri_facts_follow_reads(struct weiri_facts *facts);

/** Returns: the events for which @is returns true */
struct weiri_event_set weiri_facts_where(
    const struct weiri_facts *facts,
    bool (*is)(const struct weiri_execution *execution,
               const struct weiri_execution_event *event));

/** Returns: the pairs of events for which @is returns true */
struct weiri_relation weiri_facts_pairs(
    const struct weiri_facts *facts,
    bool (*is)(const struct weiri_execution *execution,
               const struct weiri_execution_event *one,
               const struct weiri_execution_event *other));

/** How a model compares scopes to decide which events are strong. Each scope includes
 *  the event's own thread. */
enum weiri_scopes {
    WEIRI_SCOPES_IGNORED, /* all pairs of events are strong */
    WEIRI_SCOPES_MUTUAL,  /* each scope includes the other's thread */
    WEIRI_SCOPES_EQUAL,   /* the same, and both scopes are equal and include more
                             than one thread */
};
/** Whether the scope of one event includes the thread of the other. */
bool weiri_facts_takes_in(const struct weiri_execution *execution, uint32_t event,
                          uint32_t other);

struct weiri_relation weiri_facts_strong(const struct weiri_facts *facts,
                                         enum weiri_scopes scopes);

#endif
