/* SPDX-License-Identifier: MIT
 *
 * turns.h: the deterministic mode. One thread gives turns to the items of all resident
 * groups: a turn lasts from one stop of an item to its next.
 *
 * An item stops before every atomic operation and fence, before every plain access
 * where its kernel is instrumented, where it waits at a rendezvous, and where it
 * returns. At each stop it is decided who has the next turn: that is a step. The
 * decision is taken on the thread's own stack, the hub, between two switches, so items
 * need no room for it on theirs.
 *
 * The interface has three sides: the worker runs a launch in turns; operations of
 * kernels stop; the rendezvous and the reports look at who is where. */
#ifndef WEIRI_TURNS_H
#define WEIRI_TURNS_H

#include "deterministic/history.h"
#include "deterministic/policy.h"
#include "exec/group.h"

struct weiri_worker;
struct weiri_launch;

/* What an item's latest operation has done, as far as it is known. */
enum weiri_effect {
    WEIRI_EFFECT_NONE, /* no operation yet, a fence, or a read that nobody repeats */
    WEIRI_EFFECT_FRUITLESS, /* it left memory as it was: perhaps a turn of a spin */
    WEIRI_EFFECT_CHANGED,   /* it changed memory, as far as we know */
};

/* What an item does, beside the operations of enum weiri_atomic. */
enum {
    WEIRI_READS = 253, /* a plain access, */
    WEIRI_WRITES,      /* the same */
    WEIRI_MEETS,       /* it is at a rendezvous */
};

/* An item in a deterministic launch. Where it is: before the operation at @site, or
 * at @pc where that is NULL. A cache line, since every stop of an item writes it. */
struct weiri_turn {
    uint64_t n_stops;
    const struct weir_site *site; /* NULL: it has not stopped, or at a plain access */
    const void *pc;               /* the latest place that instrumentation told */
    uint64_t op;                  /* of a rendezvous; see WEIRI_OP() */
    const volatile void *address; /* of its operation; NULL for a fence */
    void *at;                     /* group kernels: the item of the loop */
    uint32_t bytes;               /* at @address */
    uint32_t history;  /* what it did since its latest rendezvous; see history.h */
    uint32_t path;     /* by which it came to its rendezvous; see history.h */
    uint8_t operation; /* of enum weiri_atomic, or one of these above */
    uint8_t effect;    /* of its operation: of enum weiri_effect */
    uint8_t state;     /* of enum weiri_item_state */
    bool anchored;     /* its struct weiri_spin counts something */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct weiri_turn) == 64, "more than a cache line");

enum weiri_item_state {
    WEIRI_ITEM_FRESH, /* not started */
    WEIRI_ITEM_RUNS,  /* started, and in none of the other states */
    WEIRI_ITEM_SPINS, /* and sleeps after each turn */
    WEIRI_ITEM_RETURNED,
};

/* What is known of an item's spinning; see livelock.h. */
struct weiri_spin {
    uint32_t hits;   /* fruitless operations like the anchor's, in a row */
    uint32_t misses; /* others since the latest of these */
    const volatile void *anchor_address;
    const void *anchor_site;
    uint64_t epoch; /* of @fingerprint; see struct weiri_turns */
    uint64_t fingerprint;
    uint64_t power; /* Brent: turns until the next fingerprint is kept */
    uint64_t lambda;
    bool proven; /* it was seen to repeat itself */
};

/* In the turns' @calls: the item has not come to its kernel's code. */
enum { WEIRI_CALLS_OUTSIDE = UINT32_MAX };

/* Who changed a word of memory last, and at which address in it. */
struct weiri_writer {
    const volatile void *address; /* NULL: nobody did */
    const void *place;            /* a struct weir_site, or a return address */
    uint64_t group;
    uint32_t item;
    uint8_t operation; /* of enum weiri_atomic */
    bool is_site;
};

/* The same of a piece of memory, word by word. */
enum { WEIRI_WRITERS_BYTES = 256, WEIRI_WRITERS_WORD = 4 };
struct weiri_writers {
    uintptr_t piece;         /* its address / WEIRI_WRITERS_BYTES */
    struct weiri_writer *of; /* owned; NULL: this entry is free */
};

/* How an item came back to the hub. */
enum weiri_came {
    WEIRI_CAME_STOPPED,   /* before an operation: it could go on */
    WEIRI_CAME_WAITS,     /* at a rendezvous that is not complete */
    WEIRI_CAME_RELEASED,  /* it completed a rendezvous */
    WEIRI_CAME_RETURNED,  /* its kernel is over */
    WEIRI_CAME_ABANDONED, /* it goes no further, and its group ends */
    WEIRI_CAME_OVERFLOWED,
    WEIRI_CAME_FAULTED,
    WEIRI_CAME_INTERRUPTED, /* a limit of time ended it */
    WEIRI_CAME_CALLS,       /* it wants @call done on the hub's stack */
};

struct weiri_turns {
    struct weiri_worker *worker;
    struct weiri_launch *launch;
    const _Atomic int *stopped; /* the launch's */
    struct weiri_policy policy;
    struct weiri_id_set ready; /* items that can run, those that have not started too */
    struct weiri_id_set
        asleep; /* items that spin, and wait for somebody else's change */
    struct weiri_group **slots; /* by slot; NULL: free */
    uint32_t n_slots;
    uint32_t n_resident;
    uint32_t current;        /* id of who runs or ran last */
    struct weiri_turn *turn; /* of the same, */
    struct weiri_spin *spin; /* and this */
    uint32_t
        *calls;   /* by id: the calls that the item is in, see call-tree.h; or NULL */
    bool goes_on; /* @current could */
    bool asks;    /* whoever stops before an operation asks who is next */
    bool traces;  /* it matters who stopped last */
    bool begun;   /* the item that started last has come to its body */
    bool starts;  /* @current has not run before */
    bool blocks;  /* the kernel's code tells its blocks, too */
    bool hierarchical;
    enum weiri_came came;
    void (*call)(void *data);
    void *call_data;

    uint64_t last_group; /* who stopped last, where it did; the stop is 0 at first */
    uint32_t last_item;
    uint64_t last_stop;
    const struct weir_site *last_site; /* or NULL, and */
    const void *last_pc;

    uint64_t step;         /* turns given */
    uint64_t stretch;      /* those that @current took one after the other, */
    uint64_t longest;      /* and so many without more ado: 0 where all @asks */
    uint64_t last_step;    /* the limit of steps */
    uint64_t n_tired;      /* times that somebody had run for too long */
    uint64_t n_decisions;  /* steps at which more than one item could be chosen */
    uint64_t epoch;        /* changes of memory and other progress: while it stands
                             still, there was nothing but fruitless turns */
    uint64_t sleep_filter; /* a bit for each address that somebody sleeps on */
    uint32_t n_proven;     /* of @asleep */
    bool confirming;       /* all are proven, and memory's fingerprint is kept */
    uint64_t fingerprint;  /* of the item that stops to sleep */
    uint64_t memory_fingerprint;
    struct weiri_writers *writers; /* by piece, open addressing */
    size_t n_writers;
    size_t writers_mask;

    const struct weir_site *body_site; /* a site that lies in the kernel's own body */
    size_t next_switch;                /* of the script */
    GHashTable *switches; /* of a script that is followed loosely: by who stops */
    struct weiri_trails trails;
};

/* ---- For the worker ------------------------------------------------------ */

/** Runs the whole launch; called on the thread's own stack. */
void weiri_turns_run(struct weiri_worker *worker);

/** Back to the hub for good: this item's stack is over. */
_Noreturn void weiri_turns_leave(struct weiri_worker *worker, enum weiri_came came);

/* ---- For stops ----------------------------------------------------------- */

/** The running item: not the group's `at`, which the loop of a kernel has moved on when
 *  an item ends. */
static inline uint32_t weiri_turns_item(const struct weiri_turns *turns)
{
    return weiri_id_set_item(&turns->ready, turns->current);
}

/** Whether the launch has reached a limit, or an error. */
static inline bool weiri_turns_must_end(const struct weiri_turns *turns)
{
    return atomic_load_explicit(turns->stopped, memory_order_relaxed) /* a hint */
        != 0
        || turns->step >= turns->last_step;
}

/** The calls that the running item is in; see call-tree.h. */
static inline uint32_t weiri_turns_calls(const struct weiri_turns *turns)
{
    uint32_t calls = turns->calls != NULL ? turns->calls[turns->current] : 0;
    return calls != WEIRI_CALLS_OUTSIDE ? calls : 0;
}

/** The running item has come to a stop; returns when it has a turn again. */
void weiri_turns_stop(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item, enum weiri_came came);

/* ---- For the rendezvous -------------------------------------------------- */

/**
 * weiri_turns_meet:
 *
 * The short way for the running item that comes to the rendezvous of the whole group
 * which others wait at, in the kernel's body, and is not the last: it waits. Where
 * weiri_turns_may_meet() says that there is nothing else to be seen to.
 */
void weiri_turns_meet(struct weiri_turns *turns, struct weiri_group *group);

static inline bool weiri_turns_may_meet(const struct weiri_turns *turns,
                                        const struct weiri_group *group)
{
    const struct weiri_turn *turn = &group->turn[(size_t)group->public.at];
    const struct weiri_gate *gate = &group->gate;
    return turn->effect == WEIRI_EFFECT_NONE && turn->state == WEIRI_ITEM_RUNS
        && !turn->anchored && !turns->traces && gate->n_waiting > 0
        && gate->n_waiting + 1 < gate->n_members - gate->n_exited
        && turns->ready.count[group->slot] > 1 && turns->step < turns->last_step;
}

/** The running item waits; returns when it has a turn again. */
void weiri_turns_wait(struct weiri_worker *worker, bool released);

/** An item of @group that waited can run. */
void weiri_turns_free(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item);

/** All items of @group waited and can run, the running one too. */
void weiri_turns_free_all(struct weiri_turns *turns, struct weiri_group *group);

/** Calls @call on the hub's stack, and comes back. */
void weiri_turns_on_hub(struct weiri_worker *worker, void (*call)(void *data),
                        void *data);

#endif
