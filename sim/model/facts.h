/* SPDX-License-Identifier: MIT
 *
 * facts.h: what holds between the events of one execution: the sets and relations that
 * axioms speak of. Some of it is of the execution alone; what depends on the model
 * (whose scopes count, what synchronises, what happens before what) the model adds.
 *
 * The initial values are no events. Nothing ever leads to them, so that no cycle passes
 * through one; reading one is to read before all writes of the location. */
#ifndef WEIRI_FACTS_H
#define WEIRI_FACTS_H

#include "model/execution.h"
#include "model/relation.h"

/**
 * weiri_order: a happens-before relation, and the steps that it is made of
 * @memory: the accesses that it orders
 * @sb, @sw, @bar: program order, synchronises-with, barriers, as far as they are of it
 * @hb: any number of these steps
 */
struct weiri_model_order {
    struct weiri_event_set memory;
    struct weiri_relation sb, sw, bar, hb;
};
enum { WEIRI_MOST_ORDERS = 2 };

/**
 * weiri_facts:
 * @reads, @writes, @fences, @atomics: fences are atomic, barriers are neither
 * @accesses: reads and writes
 * @release: writes and fences whose order makes them a release, @acquire: reads and
 *           fences, @sc: both
 * @global, @local: accesses to such memory; fences and barriers whose flags name it
 *
 * @same_thread, @loc: reflexive; the latter between accesses
 * @sb: program order; @rmw: between the parts of a read-modify-write
 * @address, @data, @control: dependencies of a thread
 * @bar: from the entry to a barrier to the exits of others
 *
 * @rf, @mo: reads-from, modification order
 * @rb: from a read to the writes that overwrite what it reads
 * @eco: any number of steps in rf, mo and rb
 *
 * @strong: events whose scopes take in each other, as the model has it
 * @orders, @n_orders: its happens-before relations
 * @hb: all of them
 * @hbm: what orders accesses of one memory, by which coherence and races are judged
 */
struct weiri_facts {
    const struct weiri_execution *execution;
    struct weiri_algebra *algebra; /* in which all this lies; borrowed */

    struct weiri_event_set reads, writes, accesses, fences, atomics;
    struct weiri_event_set release, acquire, sc;
    struct weiri_event_set global, local;

    struct weiri_relation same_thread, loc, sb, rmw, bar;
    struct weiri_relation address, data, control;

    struct weiri_relation rf, mo, rb, eco;

    struct weiri_relation strong;
    struct weiri_model_order orders[WEIRI_MOST_ORDERS];
    uint32_t n_orders;
    struct weiri_relation hb, hbm;
};

/**
 * weiri_facts_begin:
 *
 * What rf and mo have no part in: of executions that differ in these alone, it is the
 * same. Forgets what the algebra had.
 */
void weiri_facts_begin(struct weiri_facts *facts, struct weiri_algebra *algebra,
                       const struct weiri_execution *execution);

/** rf, mo and what is made of them. */
void weiri_facts_follow(struct weiri_facts *facts);

/** How scopes are compared, to say which events are strong. Each scope, seen from its
 *  own thread, has that thread. */
enum weiri_scopes {
    WEIRI_SCOPES_IGNORED, /* all events are */
    WEIRI_SCOPES_MUTUAL,  /* where the scope of each has the other's thread */
    WEIRI_SCOPES_EQUAL,   /* and where, besides, both scopes are equal, and of more than
                             one thread */
};
/** Whether the scope of one event has the thread of the other. */
bool weiri_facts_takes_in(const struct weiri_execution *execution, uint32_t event,
                          uint32_t other);

struct weiri_relation weiri_facts_strong(const struct weiri_facts *facts,
                                         enum weiri_scopes scopes);

#endif
