/* SPDX-License-Identifier: MIT
 *
 * brute_draft.h: a program that is being drawn: statements that are added to its
 * threads one by one, by the habits that its author has. */
#ifndef WEIR_TESTS_BRUTE_DRAFT_H
#define WEIR_TESTS_BRUTE_DRAFT_H

#include "brute_program.h"
#include "support.h"

enum brute_orders { ORDERS_ANY, ORDERS_RELAXED, ORDERS_MESSAGE, ORDERS_STRONGEST };

/**
 * brute_draft:
 * @orders: how accesses and fences are ordered, most often
 * @scope: of accesses, and @fence_scope: of fences, but once in @scope_slips times
 * @fenced: there is a fence between most accesses, and these are relaxed
 * @updates, @branches, @loops: there are some
 * @plain: so are plain locations
 * @n_events: so far; there must not be more than @most_events
 * @homes: of local locations: a thread of the group
 */
struct brute_draft {
    struct brute_program *program;
    uint64_t random;
    enum brute_orders orders;
    memory_scope scope, fence_scope;
    unsigned scope_slips;
    bool fenced, updates, branches, loops, plain;
    unsigned n_locations;
    unsigned n_events, most_events;
    unsigned homes[BRUTE_LOCATIONS];
    unsigned n_statements[BRUTE_THREADS], n_registers[BRUTE_THREADS];
};

/* An access: where, and what it does there at least. */
enum brute_purpose { ANYHOW, TO_READ, TO_WRITE };
struct brute_touch {
    unsigned location;
    enum brute_purpose purpose;
};

TEST_HELPER unsigned below(struct brute_draft *draft, unsigned n)
{
    return (unsigned)random_between(&draft->random, 0, n - 1);
}

/* True once in @n times. */
TEST_HELPER bool once_in(struct brute_draft *draft, unsigned n)
{
    return below(draft, n) == 0;
}

/** Whether the thread may name the location. */
bool brute_may_touch(const struct brute_draft *draft, unsigned thread,
                     unsigned location);

/** Some access of that purpose, where the thread may have one. */
void brute_add_touch(struct brute_draft *draft, unsigned thread,
                     struct brute_touch touch);

void brute_add_fence(struct brute_draft *draft, unsigned thread);

/** A condition on a register, if there is one. Returns: whether a block was begun,
 * which is to be closed */
bool brute_add_if(struct brute_draft *draft, unsigned thread);
void brute_add_close(struct brute_draft *draft, unsigned thread);

/** One access after the other, and what may come in between: fences, branches, loops.
 */
void brute_add_touches(struct brute_draft *draft, unsigned thread,
                       const struct brute_touch *touches, unsigned n);

/** Puts it before statement @at of the thread, if there is room. */
void brute_insert(struct brute_draft *draft, unsigned thread, unsigned at,
                  struct brute_statement statement);

#endif
