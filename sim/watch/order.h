/* SPDX-License-Identifier: MIT
 *
 * order.h: happens-before between the items of one launch, as established by the
 * execution so far: program order, barriers, and release and acquire with their scopes,
 * fences and release sequences. docs/race-detection.md states the rules, which follow
 * scoped RC11 ("A Formal Analysis of the NVIDIA PTX Memory Consistency Model", ASPLOS
 * 2019).
 *
 * Time. All accesses of an item between two of its releases have one time. An item
 * counts its own times, but a barrier gives all its items the same one, so that the
 * items of a group in step share one number and one clock. There are two times and two
 * clocks, since a barrier orders only the memories that its flags name.
 *
 * Besides the order as it is, it keeps the order that would exist if every scope were
 * as wide as the system: a race that is ordered there is a matter of scope. */
#ifndef WEIRI_ORDER_H
#define WEIRI_ORDER_H

#include "base/clock.h"
#include "exec/event.h"
#include "weir.h"

#include <glib.h>

/* Times from here on are later than those of items: an access that is recorded with
 * such a time happens before nothing. They stand for accesses that may still happen at
 * any moment: copies that a group has asked for and not waited for. */
#define WEIRI_ORDER_PENDING UINT32_C(0xffff0000)
enum {
    WEIRI_ORDER_N_PENDING = 0xff00
}; /* the number of such times; a multiple of
                                          * 64 */

/* The memories that are ordered separately; an index. */
enum weiri_memory_space { WEIRI_GLOBALLY, WEIRI_LOCALLY, WEIRI_N_SPACES };

/* The order as it is, and as it would be with the widest scopes; an index. */
enum weiri_reach { WEIRI_AS_IS, WEIRI_WIDENED, WEIRI_N_REACHES };

struct weiri_ends;

/* An item that is, or was, out of step with its group. */
struct weiri_order_item {
    bool apart[WEIRI_N_SPACES]; /* out of step, in which case: */
    uint32_t time[WEIRI_N_SPACES];
    struct weiri_clock *view[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
    struct weiri_ends *pending[WEIRI_N_REACHES]; /* for a later acquire fence */
    GArray *releases; /* of struct release, see order.c; or NULL */
    GArray *readings; /* of struct awaited, see order.c; or NULL */
};

/* A group that is resident. */
struct weiri_order_group {
    uint64_t index;
    uint32_t time[WEIRI_N_SPACES];
    uint32_t published[WEIRI_N_SPACES]; /* the latest time of a release; or 0 */
    struct weiri_clock *view[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
    struct weiri_order_item **items; /* by item; NULL until needed */
    GArray *apart;                   /* of uint32_t: items that are out of step */
    /* Under PTX, the pending ends of all items: since the last barrier, and before. */
    struct weiri_ends *coming, *handed;
};

struct weiri_happens_before {
    enum weir_scope_rule rule;
    enum weir_spaces spaces;
    bool ptx; /* its acquire patterns; then the rule is "mutual", the spaces are one */
    bool hands_on; /* weiri_order_fenced_before() will be asked about what is to come */
    uint32_t n_items;
    uint32_t sub_group_size;
    uint32_t sub_group_shift;
    struct weiri_clocks clocks;
    GPtrArray *resident;              /* of struct weiri_order_group, owned */
    uint64_t *is_resident;            /* a bit a group */
    struct weiri_order_group *latest; /* of the latest call */
    GPtrArray *spare;                 /* groups for reuse, owned */
    GHashTable *channels;  /* number -> struct channel, see order.c; or NULL */
    GHashTable *published; /* ended group -> both its published times */
    uint32_t n_published;  /* its size */
};

/* The running item as the order knows it; valid until it synchronises. */
struct weiri_actor {
    struct weiri_order_group *group;
    struct weiri_order_item *state; /* NULL: in step, and has never synchronised */
    uint32_t item;
};

/* The clocks that a reader of one location may acquire; all zero at first. */
struct weiri_message {
    struct weiri_ends *ends; /* whose release sequences include the latest write */
    struct weiri_ends *wide; /* the same with all scopes widened */
    uint32_t group;          /* if @written, the writer */
    uint32_t item;
    uint8_t scope; /* of that write, of enum memory_scope */
    bool written;  /* the latest write is an atomic */
};

struct weiri_happens_before *weiri_order_new(enum weir_scope_rule rule,
                                             enum weir_spaces spaces, bool ptx,
                                             const struct weiri_shape *shape,
                                             size_t n_groups);
void weiri_order_free(struct weiri_happens_before *order);

/* ---- Groups and items ------------------------------------------------------------ */

void weiri_order_begin_group(struct weiri_happens_before *order, uint64_t group);
void weiri_order_end_group(struct weiri_happens_before *order, uint64_t group);

/** Whether @group has begun and not ended. */
static inline bool weiri_order_is_resident(const struct weiri_happens_before *order,
                                           uint64_t group)
{
    return (order->is_resident[group / 64] >> group % 64 & 1) != 0;
}

/** A group that is resident. */
struct weiri_order_group *weiri_order_group_at(struct weiri_happens_before *order,
                                               uint64_t group);

static inline void weiri_order_act(struct weiri_happens_before *order, uint64_t group,
                                   uint32_t item, struct weiri_actor *actor)
{
    struct weiri_order_group *latest = order->latest;
    actor->group = latest != NULL && latest->index == group
        ? latest
        : weiri_order_group_at(order, group);
    actor->state = actor->group->items[item];
    actor->item = item;
}

/** The actor's time now, in that memory. */
static inline uint32_t weiri_order_now(const struct weiri_actor *actor,
                                       enum weiri_memory_space space)
{
    return actor->state != NULL && actor->state->apart[space]
        ? actor->state->time[space]
        : actor->group->time[space];
}

/** Whether what (group, item) did at @time happens before what the actor does now. */
bool weiri_order_before(const struct weiri_happens_before *order,
                        const struct weiri_actor *actor, enum weiri_memory_space space,
                        enum weiri_reach reach, uint64_t group, uint32_t item,
                        uint32_t time);

/* weiri_order_all_before(), as far as only the clocks can decide it. */
/** Whether it would, if the actor's relaxed reads so far were followed by a fence, and
 *  those of its group's items before the latest barrier. */
bool weiri_order_fenced_before(const struct weiri_happens_before *order,
                               const struct weiri_actor *actor,
                               enum weiri_memory_space space, uint64_t group,
                               uint32_t item, uint32_t time);

bool weiri_order_clock_all_before(const struct weiri_happens_before *order,
                                  const struct weiri_actor *actor,
                                  enum weiri_memory_space space, uint64_t group,
                                  uint32_t time);

/** The same for all items of @group. */
static inline bool weiri_order_all_before(const struct weiri_happens_before *order,
                                          const struct weiri_actor *actor,
                                          enum weiri_memory_space space, uint64_t group,
                                          uint32_t time)
{
    return (group == actor->group->index && time < actor->group->time[space])
        || weiri_order_clock_all_before(order, actor, space, group, time);
}

/* The latest time that the group, which has ended, has published, or 0. */
uint32_t weiri_order_published(const struct weiri_happens_before *order,
                               enum weiri_memory_space space, uint64_t group);

/** Whether no later access is ordered after what @group's items did at @time: the group
 *  has ended, and no release has published that time. */
static inline bool weiri_order_is_lost(const struct weiri_happens_before *order,
                                       enum weiri_memory_space space, uint64_t group,
                                       uint32_t time)
{
    return !weiri_order_is_resident(order, group)
        && (order->n_published == 0
            || time > weiri_order_published(order, space, group));
}

/** Whether the scopes of two items include each other. */
bool weiri_order_strong(const struct weiri_happens_before *order, uint64_t group_a,
                        uint32_t item_a, memory_scope scope_a, uint64_t group_b,
                        uint32_t item_b, memory_scope scope_b);

/* ---- What makes order ------------------------------------------------------------ */

/** A rendezvous is complete: of the group, or of the sub-group that @item is in, or of
 *  lanes of that sub-group, which are those of @mask. It orders the memories of
 *  @flags. */
void weiri_order_meet(struct weiri_happens_before *order, uint64_t group,
                      enum weiri_level level, uint32_t item, uint32_t mask,
                      unsigned flags);

/** The item passes on what it knows and did to those that take from the channel, whose
 *  number is @channel. */
void weiri_order_give(struct weiri_happens_before *order, uint64_t group, uint32_t item,
                      uint64_t channel);
void weiri_order_take(struct weiri_happens_before *order, uint64_t group, uint32_t item,
                      uint64_t channel);
void weiri_order_forget(struct weiri_happens_before *order, uint64_t channel);

/** Returns: whether it acquires nothing, and would acquire something with wider
 *  scopes */
bool weiri_order_fence(struct weiri_happens_before *order, uint64_t group,
                       uint32_t item, memory_order memory_order, memory_scope scope,
                       unsigned flags);

/* weiri_order_atomic() for an access that does more than become the latest write. */
bool weiri_order_synchronise(struct weiri_happens_before *order,
                             const struct weiri_actor *actor,
                             struct weiri_message *message,
                             enum weiri_memory_space space, memory_order memory_order,
                             memory_scope scope, bool reads, bool writes);

/**
 * weiri_order_atomic:
 * @actor: its @state may change in the call
 * @message: of the location
 * @space: of the location
 * @reads: and @writes: both for a read-modify-write
 *
 * The atomic access itself, at the item's time before the call.
 *
 * Returns: whether it acquires nothing from the write that it reads, and would with
 *          wider scopes
 */
static inline bool weiri_order_atomic(struct weiri_happens_before *order,
                                      const struct weiri_actor *actor,
                                      struct weiri_message *message,
                                      enum weiri_memory_space space,
                                      memory_order memory_order, memory_scope scope,
                                      bool reads, bool writes)
{
    bool releases = memory_order != memory_order_relaxed
        || (actor->state != NULL && actor->state->releases != NULL);
    if ((releases && (writes || order->ptx)) || message->wide != NULL
        || message->ends != NULL) {
        return weiri_order_synchronise(order, actor, message, space, memory_order,
                                       scope, reads, writes);
    }
    if (writes) {
        message->written = true;
        message->group = (uint32_t)actor->group->index;
        message->item = actor->item;
        message->scope = (uint8_t)scope;
    }
    return false;
}

/** A plain write is the latest one of the location: frees what the message holds. */
void weiri_order_overwrite(struct weiri_happens_before *order,
                           struct weiri_message *message);

#endif
