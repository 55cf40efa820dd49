/* SPDX-License-Identifier: MIT
 *
 * program.h: a kernel's launch as a program that can be explored: an item is a thread.
 *
 * A thread's state is a node of a tree of histories. A history is the answers that the
 * item has got, in order. Each node has the item's next step, so each history is run
 * once, however many executions contain it. To go on from another node than the one at
 * which it stands, an item begins anew and gets the answers of that history again. */
#ifndef WEIRI_NATIVE_PROGRAM_H
#define WEIRI_NATIVE_PROGRAM_H

#include "model/model.h"
#include "native/machine.h"

enum { WEIRI_NO_HISTORY = UINT32_MAX };

/**
 * weiri_native_node: a node of the tree; nodes are numbered
 * @answer: to the request of @parent
 * @fails: that request was a weak compare-exchange, which has failed although it read
 *         what it expects
 * @step: the item's next step, whose place is this node
 * @thread: the item
 * @like: the node of the same history of the next item of the same class, in a circle;
 *        see symmetry.h
 * @request: the request of that step: its place in @requests
 * @ending: what an item leaves that has ended: its place in @endings, from 1; 0: it
 *          leaves nothing
 * @marked: since @parent the item has written memory that it alone accesses
 */
struct weiri_native_node {
    uint32_t parent, child, sibling;
    uint32_t thread, like;
    uint32_t depth;
    int64_t answer;
    bool fails;
    bool marked;
    bool after_blind; /* the item has made a blind update */
    uint32_t n_known; /* the number of requests, this one included, that do not depend
                         on results of atomic operations that may be blind; 0: not
                         known. See blind.c */
    uint32_t guesses; /* the place in @guesses of the values that the reads among them
                         are taken to return */
    uint8_t unlike;   /* of a twin: steps until the states must be the same */
    struct weiri_step step;
    uint32_t request;
    uint32_t ending;
    uint32_t twin; /* another node that is taken for the same state, or
                      WEIRI_NO_HISTORY; see program.c */
};

/* The ending of an item that has returned: the cells that it alone has written and
 * their values, in the order of cells. */
struct weiri_native_ending {
    uint32_t n;
    struct {
        uint32_t cell;
        int64_t value;
    } * values;
};

/* Which read-modify-writes are blind updates (see model/program.h). An exploration
 * begins with none. If it is too large, it begins anew with the next choice; if that
 * would visit other executions, with the choice after it. */
enum weiri_blind {
    WEIRI_BLIND_NONE,
    WEIRI_BLIND_ALL,   /* whose operations commute and whose results are not used */
    WEIRI_BLIND_EXACT, /* and that do not acquire */
    WEIRI_BLIND_NEVER,
};

struct weiri_native {
    struct weiri_machine machine;
    struct weiri_program program;
    GArray *nodes;      /* of struct weiri_native_node */
    GArray *requests;   /* of struct weiri_request, each of a node */
    GPtrArray *endings; /* of struct weiri_native_ending, each different; owned */
    enum weiri_blind blind;
    enum weiri_model_form form; /* of the model, whose operations the steps are */
    bool may_be_blind;    /* there are operations that only @blind keeps from it */
    bool acquires;        /* a blind update would acquire; see native.c */
    GArray *guesses;      /* of int64_t */
    GHashTable *ordered;  /* objects on which no update is blind */
    GHashTable *unrolled; /* by site or pc: loops whose rounds are not alike */
    GArray *labels;       /* rendezvous by number; see program.c */
    uint32_t *roots;      /* by thread: its first node */
    uint32_t *alike;      /* by thread: the first thread of its class, or NULL: threads
                             are not interchangeable; see symmetry.h */
    uint32_t *live;       /* by thread: the node at which the item stands */
    int64_t ends_us;      /* when the exploration is to end, or 0 */
    uint64_t n_runs;      /* items that began anew */
    uint64_t course;      /* a hash of what items do in the histories that there are */
    bool again;           /* the exploration is to begin anew, as it also does if
                             locations have changed */
    char *failure;        /* why the exploration has no meaning, owned; or NULL */
};

/** Learns the launch's locations. @worker: whose launch it is. @compared: see
 *  weiri_native_compared(). Returns: false if it cannot be explored: @failure says
 *  why. It must be cleared either way */
bool weiri_native_init(struct weiri_native *native, struct weiri_worker *worker,
                       bool plain_events, bool ends_at_races, uint64_t *compared);
void weiri_native_clear(struct weiri_native *native);

/** Makes the program ready to be explored, from the beginning. */
void weiri_native_begin(struct weiri_native *native);

/** After an exploration: whether it has met a location that was not known, or a loop
 *  that must be unrolled. */
bool weiri_native_must_begin_anew(const struct weiri_native *native);

/** Returns: the seconds that are left to the exploration; 0: it has no time limit */
double weiri_native_time_left(const struct weiri_native *native);

/** The request of the thread that is in @state. */
const struct weiri_request *weiri_native_request(const struct weiri_native *native,
                                                 const void *state);

/** The operation of a rendezvous by its label: see WEIRI_OP(). */
uint64_t weiri_native_operation(const struct weiri_native *native, uint32_t label);

/** The ending of a thread that has ended, or %NULL if it leaves nothing. */
const struct weiri_native_ending *weiri_native_ending(const struct weiri_native *native,
                                                      const void *state);

#endif
