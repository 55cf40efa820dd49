/* SPDX-License-Identifier: MIT
 *
 * hub.h: one thread runs the items of all resident groups, each from one stop to its
 * next: before every atomic operation and fence, before every plain access of an
 * instrumented kernel, where it waits at a rendezvous or completes one, and at its end.
 * A *step* is the way from one stop to the next.
 *
 * The hub runs items and reports their stops. Which item takes the next step is up to
 * its client, a scheduler or an explorer:
 *
 *      client: admit, run, dismiss ------> hub: switch to the item
 *              next() <------------------- its stop, on the item's stack
 *              the next item's id -------> switch to that one
 *
 * next() returns WEIRI_NO_ITEM for what must not be done on an item's stack; then the
 * stop is what weiri_hub_run() returns. Ends of items are always returned there. Where
 * the client has granted the running item some steps, it takes them without next().
 *
 * The interface has three parts: for the client; for the machine, which reports the
 * running item's operations through exec/mode.h; and what both may ask. */
#ifndef WEIRI_HUB_H
#define WEIRI_HUB_H

#include "base/id-set.h"
#include "deterministic/history.h"
#include "deterministic/spin.h"
#include "deterministic/writers.h"
#include "exec/event.h"
#include "exec/group.h"
#include "exec/launch.h"
#include "exec/stop.h"
#include "exec/worker.h"

/* The effect of an item's latest operation on memory, as far as it is known. */
enum weiri_effect {
    WEIRI_EFFECT_NONE,      /* no operation, a fence, or a load not known to spin */
    WEIRI_EFFECT_FRUITLESS, /* memory is as before: perhaps an iteration of a spin */
    WEIRI_EFFECT_CHANGED,   /* it may have changed memory */
};

enum weiri_item_state {
    WEIRI_ITEM_FRESH, /* not started */
    WEIRI_ITEM_RUNS,  /* started, and in none of the other states */
    WEIRI_ITEM_SPINS, /* it repeats a fruitless operation; see spin.h */
    WEIRI_ITEM_RETURNED,
};

/* An item of a resident group. A cache line, since every stop writes it. */
struct weiri_hub_item {
    struct weiri_stop stop; /* the latest one */
    void *at;               /* group kernels: the item of the loop */
    uint32_t history;       /* what it did since its latest rendezvous; see history.h */
    uint8_t effect;         /* of the operation that it stopped before */
    uint8_t state;          /* of enum weiri_item_state */
    bool anchored;          /* its struct weiri_spin counts something */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct weiri_hub_item) == 64, "more than a cache line");

/* In the hub's @calls: the item has not reached its kernel's code. */
enum { WEIRI_CALLS_OUTSIDE = UINT32_MAX };

/**
 * weiri_hub_client:
 *
 * @next: the running item has reached @stop. Returns the id of the item that takes the
 *        next step, or %WEIRI_NO_ITEM. Called on the item's stack, which is small
 * @released: items of @group that waited at a rendezvous can go on: @n local linear ids
 *        at @items, or all of the group where that is %NULL; the running item may be
 *        among them
 * @changed: the item at @stop has changed memory whose address is in the hub's @watched
 * @in_order: items that can run, of which the first takes the next step where the
 *            running one waits. The hub may then do the same as next() without a call:
 *            it removes the running item, and counts the step. %NULL: it asks
 * @apart: items do not meet each other: an item that arrives at a rendezvous waits
 *         there, and when it runs again it takes the value that the client has put in
 *         its place in the group's @values
 * @place: the running item has reached the code at @pc, a block or a comparison, which
 *         is not a stop; on its stack. %NULL: the client does not ask
 * @stops_at_blocks: where it enters a block or compares is a stop, too
 * @follows: the running item has returned, and its coroutine could run the next item
 *           of the group, which has not started: whether that one takes the next step.
 *           Then the client has counted the step. On its stack. %NULL: it never does
 */
struct weiri_hub_client {
    uint32_t (*next)(void *self, const struct weiri_stop *stop);
    void (*released)(void *self, struct weiri_group *group, const uint32_t *items,
                     uint32_t n);
    void (*changed)(void *self, const struct weiri_stop *stop);
    void (*place)(void *self, const void *pc);
    bool stops_at_blocks;
    bool (*follows)(void *self);
    struct weiri_id_set *in_order;
    bool apart;
    void *self;
};

/* A path that the calls which the hooks report determine, so that it need not be walked
 * again. */
struct weiri_hub_path {
    const void *caller; /* NULL: this entry is free */
    uint32_t calls;     /* a node of the launch's call tree */
    uint32_t path;
};
enum { WEIRI_HUB_PATHS = 64 }; /* a power of two */

struct weiri_hub {
    struct weiri_worker *worker;
    struct weiri_launch *launch;
    struct weiri_hub_client client;
    struct weiri_group **slots; /* the resident groups by slot, or NULL */
    uint32_t n_slots;
    uint32_t n_resident;
    uint32_t shift; /* of an id, to get its slot, */
    uint32_t mask;  /* and to get its item */

    /* The running item, or the one that ran last. */
    uint32_t current; /* its id, or WEIRI_NO_ITEM */
    struct weiri_hub_item *item;
    struct weiri_spin *spin;
    bool begun;  /* it has come from the loop around its kernel's body to the body */
    bool blocks; /* the kernel's code reports its blocks, too */
    bool hierarchical;
    bool chains; /* a coroutine may run several items, one after the other */

    /* Set by the client for the steps to come. */
    uint64_t granted;   /* steps in a row that the running item takes without next() */
    bool has_choice;    /* other items could take these steps, too */
    uint64_t watched;   /* weiri_hub_watch_bit() of each address for which the client's
                           @changed is called */
    uint64_t max_steps; /* the launch ends there */

    uint64_t n_steps;
    uint64_t stretch;   /* steps of the running item in a row */
    uint64_t n_choices; /* steps that more than one item could have taken */
    uint64_t n_changes; /* changes of memory and other progress: while it is constant,
                           all operations were fruitless */

    void (*call)(void *data); /* to be called on the hub's stack, or NULL */
    void *call_data;
    const void *caller; /* where the code of the item that stops goes on */
    uint32_t *calls;    /* by id: a node of the launch's call tree; or NULL */
    const struct weiri_atomic_op *atomic; /* at a stop before an atomic or a fence, on
                                             the item's stack */
    const struct weir_site *body_site; /* a site that lies in the kernel's own body */
    struct weiri_writers writers;
    struct weiri_histories histories;
    struct weiri_hub_path paths[WEIRI_HUB_PATHS]; /* by a hash of caller and calls */
};

/* ---- For the client ------------------------------------------------------ */

/** Called on the thread's own stack, as all functions of this part but next(). */
void weiri_hub_init(struct weiri_hub *hub, struct weiri_worker *worker,
                    const struct weiri_hub_client *client);
void weiri_hub_clear(struct weiri_hub *hub);

/** Makes a group that has just started resident, in a free slot. */
void weiri_hub_admit(struct weiri_hub *hub, struct weiri_group *group);

/** Forgets a group, whose items can no longer run. The worker still has it. */
void weiri_hub_dismiss(struct weiri_hub *hub, struct weiri_group *group);

/** Runs the item, and those that next() chooses after it, until an item ends or next()
 *  returns %WEIRI_NO_ITEM. Returns: that stop */
struct weiri_stop weiri_hub_run(struct weiri_hub *hub, uint32_t id);

/** Where items meet apart: forgets what the item has done. It will begin anew, on the
 *  same stack, with the same addresses. */
void weiri_hub_restart(struct weiri_hub *hub, uint32_t id);

/** In next(): a hash of the private state of the item that stops. */
uint64_t weiri_hub_fingerprint(const struct weiri_hub *hub);

/* ---- For both ------------------------------------------------------------ */

static inline struct weiri_group *weiri_hub_group(const struct weiri_hub *hub,
                                                  uint32_t id)
{
    return hub->slots[id >> hub->shift];
}

static inline uint32_t weiri_hub_index(const struct weiri_hub *hub, uint32_t id)
{
    return id & hub->mask;
}

static inline uint32_t weiri_hub_id(const struct weiri_hub *hub,
                                    const struct weiri_group *group, uint32_t item)
{
    return group->slot << hub->shift | item;
}

/** The running item's local linear id. The group's `at` is not that where an item ends,
 *  since the loop of the kernel has moved it on. */
static inline uint32_t weiri_hub_running(const struct weiri_hub *hub)
{
    return weiri_hub_index(hub, hub->current);
}

/* The items of a sub-group: ids from @first to before @end. */
struct weiri_members {
    uint32_t first, end;
};

/** Those of the item's sub-group. */
static inline struct weiri_members weiri_hub_members(const struct weiri_hub *hub,
                                                     uint32_t id)
{
    const struct weiri_group *group = weiri_hub_group(hub, id);
    uint32_t size = group->public.shape.sub_group_size;
    uint32_t index = weiri_hub_index(hub, id);
    uint32_t first = index - index % size;
    return (struct weiri_members){ id - index + first,
                                   id - index + MIN(first + size, group->items) };
}

/** Whether the launch has reached a limit, or an error. */
static inline bool weiri_hub_must_end(const struct weiri_hub *hub)
{
    return atomic_load_explicit(&hub->launch->stopped,
                                memory_order_relaxed) /* a hint */
        != WEIRI_RUNS_ON
        || hub->n_steps >= hub->max_steps;
}

/** The bit of an address in @watched. */
static inline uint64_t weiri_hub_watch_bit(const volatile void *address)
{
    /* by words of 8 bytes: what overlaps an aligned access is in its word */
    return 1ull << (((uintptr_t)address / 8 * 0x9e3779b97f4a7c15) >> 58);
}

/** The calls that the running item is in; see call-tree.h. */
static inline uint32_t weiri_hub_calls(const struct weiri_hub *hub)
{
    uint32_t calls = hub->calls != NULL ? hub->calls[hub->current] : 0;
    return calls != WEIRI_CALLS_OUTSIDE ? calls : 0;
}

/** The running item goes on after a spin: notes whether that was a wait for an item of
 *  its own sub-group. */
void weiri_hub_end_spin(struct weiri_hub *hub);

/** The running item makes progress: it does not spin. */
static inline void weiri_hub_progress(struct weiri_hub *hub)
{
    struct weiri_hub_item *item = hub->item;
    hub->n_changes++;
    if (item->state == WEIRI_ITEM_SPINS) {
        item->state = WEIRI_ITEM_RUNS;
    }
    if (item->anchored) {
        item->anchored = false;
        if (hub->spin->hits > 1) {
            weiri_hub_end_spin(hub);
        }
        hub->spin->hits = 0;
    }
}

/* ---- For the machine: the running item's operations ---------------------- */

/** The running item is at a stop: asks the client for the next item, and switches to
 *  that. Returns when the running item has its next step. */
void weiri_hub_stop(struct weiri_hub *hub, const void *caller);

/** The running item's latest operation was fruitless, and may be one of a spin. */
void weiri_hub_count_fruitless(struct weiri_hub *hub);

/** The running item's latest operation was atomic and changed memory. */
void weiri_hub_note_writer(struct weiri_hub *hub);

/* The same in line. */
static inline void weiri_hub_keep_writer(struct weiri_hub *hub)
{
    const struct weiri_stop *stop = &hub->item->stop;
    struct weiri_writer *writer = weiri_writers_at(&hub->writers, stop->address);
    writer->address = stop->address;
    writer->place = stop->site != NULL ? (const void *)stop->site : stop->pc;
    writer->group = hub->worker->group->public.shape.group_linear;
    writer->item = weiri_hub_running(hub);
    writer->operation = stop->operation;
    writer->is_site = stop->site != NULL;
}

/** Takes note of what the running item's latest operation did to memory: whether the
 *  item spins, which item wrote last, and whether sleeping items wake. In line for the
 *  common cases: an operation that no item waits for, and no iteration of a spin. */
static inline __attribute__((always_inline)) void weiri_hub_settle(
    struct weiri_hub *hub)
{
    struct weiri_hub_item *item = hub->item;
    enum weiri_effect effect = item->effect;
    item->effect = WEIRI_EFFECT_NONE;
    if (effect == WEIRI_EFFECT_FRUITLESS) {
        if (!weiri_spin_misses(hub->spin, item->stop.address)) {
            weiri_hub_count_fruitless(hub);
        }
    } else if (effect == WEIRI_EFFECT_CHANGED) {
        weiri_hub_progress(hub);
        if (item->stop.operation < WEIRI_OPERATION_READ) {
            weiri_hub_note_writer(hub); /* again, if need be, to no effect */
        }
        if (hub->watched != 0
            && (item->stop.bytes > sizeof(uint64_t)
                || (hub->watched & weiri_hub_watch_bit(item->stop.address)) != 0)) {
            hub->client.changed(hub->client.self, &item->stop);
        }
    }
}

/** The running item is at a stop at which it could go on, and does so if it has been
 *  granted the step. @caller: where its code goes on */
static inline __attribute__((always_inline)) void weiri_hub_before(
    struct weiri_hub *hub, const void *caller)
{
    struct weiri_hub_item *item = hub->item;
    item->stop.ordinal++;
    if (__builtin_expect(++hub->stretch <= hub->granted
                             && item->state != WEIRI_ITEM_SPINS
                             && !weiri_hub_must_end(hub),
                         1)) {
        hub->n_choices += hub->has_choice;
        hub->n_steps++;
    } else {
        weiri_hub_stop(hub, caller);
    }
}

/** The running item is before a plain access. @access: of enum weiri_access_bit */
static inline __attribute__((always_inline)) void weiri_hub_before_access(
    struct weiri_hub *hub, const volatile void *address, size_t bytes, unsigned access,
    const void *pc)
{
    struct weiri_hub_item *item = hub->item;
    weiri_hub_settle(hub);
    if (__builtin_expect(!hub->blocks, 0)) {
        item->history = weiri_history_after(&hub->histories, item->history, pc, false,
                                            NULL, false);
    }
    bool writes = (access & WEIRI_ACCESS_BIT_WRITE) != 0;
    item->stop.kind = WEIRI_STOP_BEFORE_ACCESS;
    item->stop.pc = pc;
    item->stop.site = NULL;
    item->stop.address = address;
    item->stop.bytes = (uint32_t)bytes;
    item->stop.operation = writes ? WEIRI_OPERATION_WRITE : WEIRI_OPERATION_READ;
    item->stop.aggregate = (access & WEIRI_ACCESS_BIT_RANGE) != 0 || bytes > 8;
    item->stop.is_volatile = (access & WEIRI_ACCESS_BIT_VOLATILE) != 0;
    item->effect = writes ? WEIRI_EFFECT_CHANGED : WEIRI_EFFECT_FRUITLESS;
    weiri_hub_before(hub, pc);
}

/** Whether the running item has nothing to settle but an operation that no item waits
 *  for and that is not a later iteration of a spin. Then that operation is settled. */
static inline __attribute__((always_inline)) bool weiri_hub_settles_plainly(
    struct weiri_hub *hub)
{
    struct weiri_hub_item *item = hub->item;
    struct weiri_spin *spin = hub->spin;
    if (item->effect == WEIRI_EFFECT_FRUITLESS) {
        if (spin->hits == 0) {
            weiri_spin_anchor(spin, item->stop.address,
                              item->stop.site != NULL ? (const void *)item->stop.site
                                                      : item->stop.pc);
            item->anchored = true;
        } else if (!weiri_spin_misses(spin, item->stop.address)) {
            return false;
        }
    } else if (item->effect == WEIRI_EFFECT_CHANGED) {
        if ((item->stop.operation < WEIRI_OPERATION_READ && item->stop.site == NULL)
            || hub->watched != 0 || item->state == WEIRI_ITEM_SPINS
            || (item->anchored && spin->hits > 1)) {
            return false;
        }
        hub->n_changes++;
        if (item->anchored) {
            item->anchored = false;
            spin->hits = 0;
        }
    }
    return true;
}

/* Whether the running item certainly goes on at its next stop, and has nothing rare to
 * settle before it. */
static inline __attribute__((always_inline)) bool weiri_hub_passes(
    struct weiri_hub *hub)
{
    return hub->stretch < hub->granted && hub->item->state != WEIRI_ITEM_SPINS
        && !weiri_hub_must_end(hub) && hub->blocks && weiri_hub_settles_plainly(hub);
}

/* Such a stop. */
static inline __attribute__((always_inline)) void weiri_hub_pass(
    struct weiri_hub *hub, enum weiri_stop_kind kind, const volatile void *address,
    uint32_t bytes, unsigned operation)
{
    struct weiri_stop *stop = &hub->item->stop;
    hub->stretch++;
    hub->n_choices += hub->has_choice;
    hub->n_steps++;
    stop->ordinal++;
    stop->address = address;
    stop->bytes = bytes;
    stop->kind = (uint8_t)kind;
    stop->operation = (uint8_t)operation;
}

/** The same as weiri_hub_before_access() for an access of at most 8 bytes, if the item
 *  has been granted the step and has nothing rare to settle. Returns: false for others,
 *  having done nothing that weiri_hub_before_access() does again */
static inline __attribute__((always_inline)) bool weiri_hub_passes_access(
    struct weiri_hub *hub, const volatile void *address, uint64_t what, const void *pc)
{
    struct weiri_hub_item *item = hub->item;
    if (what >> 8 > sizeof(uint64_t) || (what & WEIRI_ACCESS_BIT_RANGE) != 0
        || !weiri_hub_passes(hub)) {
        return false;
    }
    unsigned writes = (what & WEIRI_ACCESS_BIT_WRITE) != 0;
    weiri_hub_pass(hub, WEIRI_STOP_BEFORE_ACCESS, address, (uint32_t)(what >> 8),
                   WEIRI_OPERATION_READ + writes);
    item->stop.site = NULL;
    item->stop.pc = pc;
    item->stop.aggregate = item->stop.is_volatile = false;
    item->effect = (uint8_t)(WEIRI_EFFECT_FRUITLESS + writes);
    return true;
}

/** The running item is before @op. @caller: where its kernel's code goes on */
void weiri_hub_before_atomic(struct weiri_hub *hub, const struct weiri_atomic_op *op,
                             const void *caller);

/** The same for an atomic operation that has a site, or else a pc, if the item has been
 *  granted the step and has nothing rare to settle. Returns: false for others, having
 *  done nothing that weiri_hub_before_atomic() does again */
static inline __attribute__((always_inline)) bool weiri_hub_passes_atomic(
    struct weiri_hub *hub, const volatile void *address, uint32_t bytes,
    enum weiri_atomic kind, const struct weir_site *site, const void *pc)
{
    if (!weiri_hub_passes(hub)) {
        return false;
    }
    weiri_hub_pass(hub, WEIRI_STOP_BEFORE_ATOMIC, address, bytes, kind);
    hub->item->stop.site = site;
    hub->item->stop.pc = site == NULL ? pc : NULL;
    hub->item->effect = WEIRI_EFFECT_CHANGED;
    return true;
}

/** The running item has done its operation: whether that was a store, and whether it
 *  changed memory. */
static inline void weiri_hub_after_atomic(struct weiri_hub *hub, bool stored,
                                          bool changed)
{
    hub->item->effect = changed ? WEIRI_EFFECT_CHANGED
        : stored                ? WEIRI_EFFECT_NONE
                                : WEIRI_EFFECT_FRUITLESS;
    /* Where that ends a spin, the latest writer is needed first: see
     * weiri_hub_settle(). */
    if (changed && !(hub->item->anchored && hub->spin->hits > 1)) {
        weiri_hub_keep_writer(hub);
    }
}

/** The running item enters the block of code at @pc, which is not a stop. For blocks
 *  that weiri_hub_same_block() does not know. */
void weiri_hub_new_block(struct weiri_hub *hub, const void *pc);

/** The same, in line, for the block that came next when the item's history was met the
 *  last time. The item before this one has mostly taken that way. Returns: false for
 *  other blocks */
static inline bool weiri_hub_same_block(struct weiri_hub *hub, const void *pc)
{
    struct weiri_hub_item *item = hub->item;
    uint32_t history = weiri_history_again(&hub->histories, item->history, pc);
    if (history == UINT32_MAX || !hub->begun) {
        return false;
    }
    item->history = history;
    item->stop.pc = pc;
    return true;
}

/** The running item has entered the block at @pc, or is before a comparison there, and
 *  stops if the client asks for that. Not called where the worker is inside. */
void weiri_hub_at_block(struct weiri_hub *hub, const void *pc);

/** The running item has arrived at a rendezvous. @caller: the return address of that
 *  call in the kernel. Returns: the path by which it arrived; see history.h */
uint32_t weiri_hub_arrive(struct weiri_hub *hub, uint64_t op,
                          const struct weir_site *site, const void *caller);

/** The running item has joined its rendezvous, and @completed it or waits. */
void weiri_hub_wait(struct weiri_hub *hub, bool completed);

/* Where @paths keeps what the calls and the caller determine. */
static inline uint32_t weiri_hub_path_at(const struct weiri_hub *hub,
                                         const void *caller)
{
    uint64_t hash
        = ((uintptr_t)caller ^ weiri_hub_calls(hub)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32) % WEIRI_HUB_PATHS;
}

/** Whether the running item is known to have reached @caller by @path. */
static inline bool weiri_hub_comes_by(const struct weiri_hub *hub, const void *caller,
                                      uint32_t path)
{
    const struct weiri_hub_path *known = &hub->paths[weiri_hub_path_at(hub, caller)];
    return known->caller == caller && known->path == path
        && known->calls == weiri_hub_calls(hub);
}

/** weiri_hub_arrive() and weiri_hub_wait() in one, if other items of the group wait at
 *  the same site, by the same path, and the running item is not the last. */
void weiri_hub_join(struct weiri_hub *hub, struct weiri_group *group);

/** The running item has arrived at a rendezvous, where it waits for the client
 *  alone. */
void weiri_hub_meet_apart(struct weiri_hub *hub, uint64_t op,
                          const struct weir_site *site, const void *caller);

/** Items of @group that waited can go on; see struct weiri_hub_client. */
void weiri_hub_release(struct weiri_hub *hub, struct weiri_group *group,
                       const uint32_t *items, uint32_t n);

/** The same for items that have met others of their group, but not all: their histories
 *  go on, so that they can be compared with those of the others. */
void weiri_hub_release_some(struct weiri_hub *hub, struct weiri_group *group,
                            const uint32_t *items, uint32_t n);

/** Calls @call on the hub's stack, and returns to the running item. */
void weiri_hub_call(struct weiri_hub *hub, void (*call)(void *data), void *data);

/** The loop of the running item's coroutine has reached the next item: the running one
 *  has returned. Returns if that item takes the next step; else the coroutine ends. */
void weiri_hub_chain(struct weiri_hub *hub);

/** The running item goes no further: leaves its stack for the hub's. */
_Noreturn void weiri_hub_end_item(struct weiri_hub *hub, enum weiri_stop_kind kind);

#endif
