/* SPDX-License-Identifier: MIT
 *
 * group.h: a resident group: its items' contexts, where they wait, and its
 * local memory. A group lives on one worker from its start to its end, so
 * nothing here needs a lock.
 *
 * In fast mode the state of an item follows from where its id is found; a deterministic
 * launch keeps it (enum weiri_item_state in hub.h):
 *
 *   not started   id >= next (stackless: not yet run in this pass)
 *   running       id == at, on its own coroutine or in the starting loop
 *   runnable      in the queue
 *   waiting       in a gate, or among the strays
 *   returned      none of these
 *
 * Items that returned without ever having blocked never had a context. In a stackless
 * launch, items in step that have run in this pass are in none of these: split.h. */
#ifndef WEIRI_GROUP_H
#define WEIRI_GROUP_H

#include "base/co.h"
#include "base/stack.h"
#include "exec/queue.h"
#include "weir-kernel.h"

/* A rendezvous of the items of a group or sub-group. The first to arrive says
 * what it is; @site and @op stay as they were when it is over. */
struct weiri_gate {
    const struct weir_site *site;
    uint64_t op;
    uint32_t *waiting; /* items in order of arrival */
    uint32_t n_waiting;
    uint32_t n_members; /* items that must arrive, */
    uint32_t n_exited;  /* less those that have returned, with WEIR_EXITED_ALIVE_ONLY */
    uint32_t first;     /* least id of the members */
    uint32_t path;      /* by which it is reached; see history.h */
    bool mixed;         /* its items met at different sites; see weir_pairing */
    uint64_t phase;     /* rendezvous completed before */
};

/* An item that arrived at a rendezvous while others were at a different one. */
struct weiri_stray {
    uint32_t item;
    uint32_t path;
    const struct weir_site *site;
    uint64_t op;
    uint64_t phase;
};

/* A site that the group has met at, and the phase of the first time. */
struct weiri_met {
    const struct weir_site *site;
    uint64_t phase;
};

/* When an item that had blocked returned; of an earlier group where @serial is not
 * the group's own. */
struct weiri_return {
    uint64_t serial;
    uint64_t phase; /* rendezvous of the group that it had passed */
};

/* Members of an array of local memory that only the machine needs; see struct
 * weiri_array. */
struct weiri_local {
    struct weiri_object *object; /* in a checked launch */
    size_t element_bytes;
};

/* Copies that an item has asked for: see copy.c. */
struct weiri_copies {
    uint64_t n_events; /* numbers of events that were given, from 1 */
    uint64_t n_copies; /* copies that were asked for */
    GArray *pending;   /* copies that it has not waited for; or NULL */
};

struct weiri_group {
    struct weir_group public; /* first: kernels hold a pointer to it */

    /* Members that a barrier touches when nothing is special. The fast site is the
     * gate's while every item has started and no observer listens, else NULL, so that
     * one comparison opens the fast path. */
    const struct weir_site *fast_site;
    uint64_t fast_op;
    struct weiri_co *context; /* by item */
    struct weiri_queue queue;
    struct weiri_gate gate; /* the whole group's */

    struct weiri_group *next_group; /* in the ring, or the list of spare groups */
    uint32_t items;                 /* n, as the machine counts: 1 for a group kernel */
    uint32_t next;                  /* first item that has not started; of a stackless
                                       launch: that begins this part of the pass */
    uint32_t live;  /* items that have a context, or in a stackless launch are not in
                      step with the others, and have not returned */
    uint32_t idle;  /* fruitless turns in a row; see weiri_give_way() */
    uint32_t waits; /* turns that were given away since it has been this group's turn */
    bool tired;     /* it has run for long enough: another group's turn */
    size_t frames_bytes; /* of its @frames */
    uint32_t n_sub_gates;
    uint32_t sub_group_size; /* of all of them but the last */
    uint32_t capacity;       /* items that the arrays below can hold */
    struct weiri_gate *sub_gates;
    uint32_t *sub_waiting;             /* the sub-gates' lists, end to end */
    uint32_t *stack;                   /* by item: its stack, or WEIRI_NO_STACK */
    struct weiri_return *returns;      /* by item */
    uint64_t serial;                   /* how often this object was started */
    GArray *strays;                    /* of struct weiri_stray */
    GArray *lanes;                     /* of struct weiri_lanes; NULL until needed */
    struct weiri_named_barrier *named; /* barriers by id; NULL until needed */
    GArray *mbarriers;                 /* of struct weiri_mbarrier; NULL until needed */
    uint64_t *arrived; /* by item: 1 + the phase of the cluster's barrier that it has
                          arrived at and not waited for, or 0; NULL until needed */
    struct weiri_item_copies *item_copies; /* under way; NULL until needed */
    GDestroyNotify free_item_copies;       /* then set */
    uint64_t n_meetings;                   /* complete ones of all of these */
    GArray *met;                           /* of struct weiri_met */
    const struct weir_site *last_met;
    struct weiri_hub_item *hub_items; /* by item, deterministic; see hub.h */
    struct weiri_spin *spins;         /* by item, deterministic; see spin.h */
    uint32_t slot;                    /* deterministic: the index in the hub's @slots */
    struct weiri_local *locals;       /* one for each of the group's @arrays */
    uint32_t n_locals; /* of both, from the first; the rest are of an earlier
                                 group */
    uint32_t locals_capacity;
    struct weiri_copies *copies; /* by item; NULL until needed. See copy.c */
    uint32_t next_local;         /* of a group kernel: the next call's array */
    char *local_memory;          /* where the group's arrays are, */
    size_t local_bytes_used;     /* from there to the end of the last one, */
    size_t local_bytes;          /* and the room that there is */
    size_t local_bytes_left;     /* of the device's local memory */
    char *own_local_memory; /* of this object: a checked launch uses other memory */
    bool local_is_filled;   /* that has been written */
};

/** A group object for @items items, to be made a group by weiri_group_start(). */
struct weiri_group *weiri_group_new(uint32_t items, uint32_t sub_group_size,
                                    size_t local_bytes);

/** The item starts, or its group ends: it has asked for no copies. */
static inline void weiri_group_forget_copies(struct weiri_group *group, size_t item)
{
    if (group->copies != NULL && group->copies[item].pending != NULL) {
        group->copies[item].n_events = group->copies[item].n_copies = 0;
        g_array_set_size(group->copies[item].pending, 0);
    }
}

/** Puts garbage into the group's own local memory, where that has not been done. A
 *  checked launch, which does not use it, has no pages of it. */
void weiri_group_fill_local(struct weiri_group *group);
void weiri_group_free(struct weiri_group *group);

/** Makes it group @linear of a range; @shape holds what all groups share. */
void weiri_group_start(struct weiri_group *group, const struct weiri_shape *shape,
                       const void *args, size_t linear, bool hierarchical);

/** Room for @hub_items and @spins, zeroed; sizes are per item. */
void weiri_group_make_hub_items(struct weiri_group *group, size_t item_bytes,
                                size_t spin_bytes);

/** The gate that an operation of @item meets at. */
static inline struct weiri_gate *weiri_group_gate(struct weiri_group *group,
                                                  uint64_t op, uint32_t item)
{
    return WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
        ? &group->gate
        : &group->sub_gates[item >> group->public.shape.sub_group_shift];
}

#endif
