/* SPDX-License-Identifier: MIT
 *
 * enumerator.h: the state of an enumeration, shared by enumerate.c, which chooses paths
 * and what is read, enumerate-total.c, which then orders all writes of each location,
 * and enumerate-partial.c, which orders the pairs of events that a model names. */
#ifndef WEIRI_ENUMERATOR_H
#define WEIRI_ENUMERATOR_H

#include "model/coherence.h"
#include "model/enumerate.h"

/* The writes of a location, numbered. */
struct weiri_enumerated_location {
    uint32_t n;
    uint32_t writes[WEIRI_COHERENCE_WRITES]; /* events */
    bool is_kept;                            /* coherent during the search */
    struct weiri_coherence coherence;        /* if @is_kept, for the sources so far;
                                                otherwise any order is tried */
};

struct weiri_enumerator {
    const struct weiri_enumerate_options *options;
    const struct weiri_program *program;
    bool any_flags;  /* barriers meet with any flags */
    bool is_partial; /* the model names the pairs that have an order */
    struct weiri_enumeration result;
    uint64_t n_tried;
    bool stopped;

    /* By thread: */
    struct weiri_paths *paths;
    struct weiri_path **chosen;
    uint32_t *first; /* the thread's first event; n_threads + 1 of them */
    void **states;
    uint8_t *ends; /* of enum weiri_execution_end */

    /* By event of the chosen paths: */
    struct weiri_execution_event *events;
    struct weiri_symbolic *values;
    struct weiri_symbolic *guesses; /* of a read whose value justifies itself */
    bool *late;                     /* of an entry to a barrier */
    uint32_t n_events;
    uint32_t *reads; /* the events that are reads, in the order of their choices */
    uint32_t n_reads;
    uint32_t *number; /* of a write: its number among the writes of its location */

    struct weiri_enumerated_location *locations;
    int64_t *memory;

    enum weiri_execution_end end;
    struct weiri_execution execution;
    struct weiri_algebra algebra;
    struct weiri_facts facts;
    struct weiri_algebra_mark begun; /* after the facts that all candidates with these
                                        paths share */
    bool has_begun;                  /* those facts have been computed, */
    bool has_dependencies;           /* with dependencies, */
    bool has_met;                    /* and with the barriers that are completed */
    bool is_one; /* all accesses are to one location, which is kept coherent: it is
                    the last choice that shows what else the model forbids */
    struct weiri_relation pairs[WEIRI_MOST_CHOICES]; /* see struct weiri_model */

    /* About iterations that change nothing, see struct weiri_model: */
    weiri_lacking_fn *lacks_order, *lacks_dependency; /* to be called for forbidden
                                                         candidates; or NULL */
    bool lacks_values; /* values that a cycle leaves undetermined may be determined
                          by such an iteration */
    uint32_t *current; /* by location: the place of the latest write, from 1 */
};

/** Counts a candidate or an abandoned choice, and stops where a limit is reached. */
void weiri_enumerator_try(struct weiri_enumerator *x);

/** Ends the search early. */
void weiri_enumerator_stop(struct weiri_enumerator *x);

/** Computes the facts that all candidates with the chosen paths share. */
void weiri_enumerator_begin(struct weiri_enumerator *x);

/** Counts a candidate that the model allows, and visits it. */
void weiri_enumerator_visit(struct weiri_enumerator *x, struct weiri_facts *facts);

/* ---- A total order of the writes of each location -------------------------------- */

/** Whether the location can still be coherent. */
bool weiri_enumerator_is_coherent(struct weiri_enumerator *x, uint32_t location);

/** Visits the candidates with the chosen sources, all values of which are known. */
void weiri_enumerator_order(struct weiri_enumerator *x);

/* ---- An order of the pairs that the model names ---------------------------------- */

/** Computes which locations are coherent in all candidates that the model allows. */
void weiri_enumerator_keep(struct weiri_enumerator *x);

/** Whether the model can still allow a candidate with the sources chosen so far. */
bool weiri_enumerator_may_hold(struct weiri_enumerator *x);

/** As weiri_enumerator_order(). */
void weiri_enumerator_orient(struct weiri_enumerator *x);

#endif
