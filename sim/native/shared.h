/* SPDX-License-Identifier: MIT
 *
 * shared.h: the result of a process that explores a part of a program's executions, as
 * a value without addresses, so that another process can read it. */
#ifndef WEIRI_NATIVE_SHARED_H
#define WEIRI_NATIVE_SHARED_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Executions that are shown as one: how many there are, and the place of that one. */
struct weiri_shared_kept {
    uint32_t kind; /* the caller's */
    uint64_t executions;
    GArray *place; /* of uint32_t; see struct weiri_explore_place */
};

/* A final state, and how many executions end in it. */
struct weiri_shared_state {
    char *text; /* owned */
    uint64_t executions;
    bool holds;
};

enum weiri_shared_count {
    WEIRI_SHARED_EXECUTIONS,
    WEIRI_SHARED_RACY,
    WEIRI_SHARED_POSITIVE,
    WEIRI_SHARED_NEGATIVE,
    WEIRI_SHARED_BLOCKED,
    WEIRI_SHARED_FAULTED,
    WEIRI_SHARED_CUT,
    WEIRI_SHARED_LIMITED,
    WEIRI_SHARED_PAIRS, /* of events of one execution */
    WEIRI_N_SHARED_COUNTS,
};

/**
 * weiri_shared:
 *
 * The results of a process.
 * @complete: no execution of its pieces is missing
 * @too_large: an execution had too many events or choices
 * @anew: the exploration must begin anew
 * @failure, @refused: why the exploration has no meaning, as of the program; or %NULL
 * @stopped: the place of the execution at which it stopped
 * @histories: the tree of histories: by node, its parent, or WEIRI_NO_HISTORY
 * @answers: by node, the answer that leads to it
 * @prints: by node, a hash of the item's next step
 * @marks: of these histories, those that lead to a finding; not all that lead to the
 *         same one
 * @wrote: by node; 0: by this answer a weak compare-exchange fails that could succeed
 */
struct weiri_shared {
    bool complete, too_large, anew;
    char *failure, *refused;
    GArray *stopped; /* of uint32_t */
    uint64_t counts[WEIRI_N_SHARED_COUNTS];
    GArray *states;    /* of struct weiri_shared_state */
    GArray *kept;      /* of struct weiri_shared_kept */
    GArray *histories; /* of uint32_t */
    GArray *answers;   /* of int64_t */
    GArray *prints;    /* of uint64_t */
    GArray *wrote;     /* of uint8_t */
    GArray *marks;     /* of uint32_t */
};

struct weiri_shared *weiri_shared_new(void);
void weiri_shared_free(struct weiri_shared *shared);

/** Returns: (transfer full) */
GBytes *weiri_shared_to_bytes(const struct weiri_shared *shared);
struct weiri_shared *weiri_shared_of_bytes(GBytes *bytes);

/** Compares two places, in the order in which they are visited. */
int weiri_shared_compare(const GArray *place, const GArray *other);

#endif
