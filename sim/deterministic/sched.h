/* SPDX-License-Identifier: MIT
 *
 * sched.h: who runs next.
 *
 * Fast mode needs only a queue a group: items in the order in which they became able
 * to run. A deterministic launch has one set of all items of all resident groups that
 * could run, and a policy that picks one of them. A policy is pure: it sees ids, its
 * seed and its own past, and returns an id; it knows nothing of kernels.
 *
 * Ids: an item of a resident group is slot << shift | local linear id, where the slot
 * is the group's place among the resident. */
#ifndef WEIRI_SCHED_H
#define WEIRI_SCHED_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- The queue of fast mode ---------------------------------------------- */

/* A ring: entries head to tail - 1, modulo mask + 1, which no group exceeds. */
struct weiri_queue {
    uint32_t *items;
    uint32_t mask;
    uint32_t head;
    uint32_t tail;
};

static inline uint32_t weiri_queue_count(const struct weiri_queue *queue)
{
    return queue->tail - queue->head;
}

static inline void weiri_queue_push(struct weiri_queue *queue, uint32_t item)
{
    queue->items[queue->tail++ & queue->mask] = item;
}

static inline uint32_t weiri_queue_pop(struct weiri_queue *queue)
{
    return queue->items[queue->head++ & queue->mask];
}

/* ---- Sets of ids --------------------------------------------------------- */

enum { WEIRI_NOBODY = UINT32_MAX };

/* Items of resident groups, a bit each. Groups are ordered by when they became
 * resident, which is by linear id, and items in a group by local linear id. */
struct weiri_set {
    uint32_t shift;   /* of an id, to get its slot */
    uint32_t words;   /* of bits, a slot */
    uint32_t n;       /* members */
    uint32_t n_slots; /* that there are */
    uint32_t *count;  /* by slot: members */
    uint64_t *bits;   /* by slot, @words each */
    uint32_t *low;    /* by slot: in the words before this one there are no members */
    uint32_t *order;  /* the slots in use, the oldest group first */
    uint32_t n_order;
};

void weiri_set_init(struct weiri_set *set, uint32_t n_slots, uint32_t items);
void weiri_set_clear(struct weiri_set *set);

/** A group comes to @slot, as the youngest; or the one that was there is gone, and
 *  what was left of its items in the set with it. */
void weiri_set_admit(struct weiri_set *set, uint32_t slot);
void weiri_set_dismiss(struct weiri_set *set, uint32_t slot);

static inline uint32_t weiri_set_item(const struct weiri_set *set, uint32_t id)
{
    return id & ((1u << set->shift) - 1);
}

static inline uint64_t *weiri_set_word(const struct weiri_set *set, uint32_t id)
{
    return &set->bits[(size_t)(id >> set->shift) * set->words
                      + weiri_set_item(set, id) / 64];
}

static inline bool weiri_set_has(const struct weiri_set *set, uint32_t id)
{
    return (*weiri_set_word(set, id) >> (weiri_set_item(set, id) % 64) & 1) != 0;
}

/** Adds @id, which was no member. */
static inline void weiri_set_add(struct weiri_set *set, uint32_t id)
{
    uint32_t slot = id >> set->shift, word = weiri_set_item(set, id) / 64;
    *weiri_set_word(set, id) |= 1ull << (weiri_set_item(set, id) % 64);
    set->low[slot] = word < set->low[slot] ? word : set->low[slot];
    set->count[slot]++;
    set->n++;
}

/** Removes @id, which was one. */
static inline void weiri_set_remove(struct weiri_set *set, uint32_t id)
{
    *weiri_set_word(set, id) &= ~(1ull << (weiri_set_item(set, id) % 64));
    set->count[id >> set->shift]--;
    set->n--;
}

/** All of the first @n items of a slot are members from here on. */
void weiri_set_add_all(struct weiri_set *set, uint32_t slot, uint32_t n);

/** The first, the last, and number @k of a set that has more than @k members. */
uint32_t weiri_set_first(const struct weiri_set *set);
uint32_t weiri_set_last(const struct weiri_set *set);
uint32_t weiri_set_nth(const struct weiri_set *set, uint32_t k);

/** The next after @id, which need not be a member; after the last the first. */
uint32_t weiri_set_after(const struct weiri_set *set, uint32_t id);

/* ---- Policies ------------------------------------------------------------ */

#define WEIRI_SCHEDULES(X)                                                             \
    X(IN_ORDER, "in-order")                                                            \
    X(REVERSE, "reverse")                                                              \
    X(ROUND_ROBIN, "round-robin")                                                      \
    X(RANDOM, "random")                                                                \
    X(PCT, "pct")

enum weiri_schedule_kind {
#define X(name, text) WEIRI_SCHEDULE_##name,
    WEIRI_SCHEDULES(X)
#undef X
};

/* A schedule as its name says it. */
struct weiri_schedule_spec {
    enum weiri_schedule_kind kind;
    uint32_t changes; /* pct: D, points at which the running item's priority falls */
    uint64_t steps;   /* pct: K, among how many steps these are; 0: it is not told */
};

/**
 * weiri_schedule_parse:
 * @text: "in-order", …, "pct:D" or "pct:D:K"
 *
 * Errors: %WEIR_ERROR_SCHEDULE with the names that there are
 */
bool weiri_schedule_parse(const char *text, struct weiri_schedule_spec *spec,
                          GError **error);

/**
 * weiri_policy:
 *
 * @pick:    who of @ready, which is not empty, runs next; @current ran last and can go
 *           on, or is %WEIRI_NOBODY
 * @entered: items that were not there before: @n ids from @first; may be %NULL
 * @added, @removed: an item can or cannot run from here on; may be %NULL. The one that
 *           runs stays where it is
 * @added_but: the same for @n ids from @first, all but @but; where @added is
 * @free:    of @self
 * @preemptive: whether @pick may choose another one than a @current that can go on
 */
struct weiri_policy {
    uint32_t (*pick)(void *self, const struct weiri_set *ready, uint32_t current);
    void (*entered)(void *self, uint32_t first, uint32_t n);
    void (*added)(void *self, uint32_t id);
    void (*added_but)(void *self, uint32_t first, uint32_t n, uint32_t but);
    void (*removed)(void *self, uint32_t id);
    void (*free)(void *self);
    bool preemptive;
    void *self;
};

/** The policy of a schedule for ids below @n_ids. */
struct weiri_policy weiri_policy_new(const struct weiri_schedule_spec *spec,
                                     uint64_t seed, uint32_t n_ids);

/* ---- Switches ------------------------------------------------------------ */

/* One decision that the in-order schedule would not have made: where an item stopped,
 * another one was chosen. Items are told by their group's linear id, so that a switch
 * means the same in every build. */
struct weiri_switch {
    uint64_t step;    /* of the launch, from 0 */
    uint64_t group;   /* who stopped: its group, local id, and which of its stops it */
    uint32_t item;    /* was, from 1; at step 0, where nobody has run, all are 0 */
    uint32_t to_item; /* who was chosen */
    uint64_t stop;
    uint64_t to_group;
    const char *file; /* where it stopped, or NULL */
    uint32_t line;
    const void *pc; /* the same where that is still to be looked up, or NULL */
};

/* What a launch follows. */
struct weiri_script {
    const struct weiri_switch *switches; /* by step */
    size_t n;
    bool loosely;     /* by who stops and not by step; what is not possible is passed
                         over */
    uint64_t n_steps; /* of the launch that was recorded; not if loosely */
};

#endif
