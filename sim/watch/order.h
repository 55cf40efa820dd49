/* SPDX-License-Identifier: MIT
 *
 * order.h: happens-before among the items of one launch, as far as the execution
 * observed has made it: program order, barriers, and release and acquire with their
 * scopes, fences and release sequences. docs/race-detection.md states the rules; they
 * are those of scoped RC11 ("A Formal Analysis of the NVIDIA PTX Memory Consistency
 * Model", ASPLOS 2019).
 *
 * Time. An item's accesses between two of its releases are at one time. Times are those
 * of the item, but a barrier gives all its items the same one, so that the items of a
 * group in step share one number and one clock. There are two times and two clocks,
 * since a barrier orders the memories that its flags name and no others.
 *
 * Beside what is, it keeps what would be if every scope were as wide as the system: a
 * race that is none there is a matter of scope. */
#ifndef WEIRI_ORDER_H
#define WEIRI_ORDER_H

#include "base/clock.h"
#include "exec/event.h"
#include "weir.h"

#include <glib.h>

/* The memories that are ordered apart; an index. */
enum weiri_memory_space { WEIRI_GLOBALLY, WEIRI_LOCALLY, WEIRI_N_SPACES };

/* What is, and what would be with all scopes as wide as can be; an index. */
enum weiri_reach { WEIRI_AS_IS, WEIRI_WIDENED, WEIRI_N_REACHES };

struct weiri_ends;

/* An item that is, or was, apart from its group. */
struct weiri_thread {
    bool apart[WEIRI_N_SPACES]; /* in these: */
    uint32_t time[WEIRI_N_SPACES];
    struct weiri_clock *view[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
    struct weiri_ends *pending[WEIRI_N_REACHES]; /* for a later acquire fence */
    GArray *releases; /* of struct release, see order.c; or NULL */
};

/* A group that is resident. */
struct weiri_order_group {
    uint64_t index;
    uint32_t time[WEIRI_N_SPACES];
    uint32_t told[WEIRI_N_SPACES]; /* the latest time that was published; or 0 */
    struct weiri_clock *view[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
    struct weiri_thread **threads; /* by item; NULL where never needed */
    GArray *apart;                 /* of uint32_t: items whose threads are */
};

struct weiri_happens_before {
    enum weir_scope_rule rule;
    enum weir_spaces spaces;
    uint32_t n_items;
    uint32_t sub_group_size;
    uint32_t sub_group_shift;
    struct weiri_clocks clocks;
    GPtrArray *resident;              /* of struct weiri_order_group, owned */
    uint64_t *is_resident;            /* a bit a group */
    struct weiri_order_group *latest; /* that was asked for */
    GPtrArray *spare;                 /* groups for reuse, owned */
    GHashTable *told; /* of groups that are over and told something: both times */
};

/* The running item as the order knows it; valid until it synchronises. */
struct weiri_actor {
    struct weiri_order_group *group;
    struct weiri_thread *thread; /* NULL: in step, and it never synchronised */
    uint32_t item;
};

/* What the atomics of one location hand on; all zero at first. */
struct weiri_message {
    struct weiri_ends *ends; /* release ends whose sequence the latest write is in */
    struct weiri_ends *wide; /* the same with all scopes widened */
    bool written;            /* by an atomic, which is the latest write; then: */
    uint64_t group;          /* who wrote */
    uint32_t item;
    memory_scope scope; /* of that write */
};

struct weiri_happens_before *weiri_order_new(enum weir_scope_rule rule,
                                             enum weir_spaces spaces,
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
    actor->thread = actor->group->threads[item];
    actor->item = item;
}

/** The actor's time now, in that memory. */
static inline uint32_t weiri_order_now(const struct weiri_actor *actor,
                                       enum weiri_memory_space space)
{
    return actor->thread != NULL && actor->thread->apart[space]
        ? actor->thread->time[space]
        : actor->group->time[space];
}

/** Whether what (group, item) did at @time happens before what the actor does now. */
bool weiri_order_before(const struct weiri_happens_before *order,
                        const struct weiri_actor *actor, enum weiri_memory_space space,
                        enum weiri_reach reach, uint64_t group, uint32_t item,
                        uint32_t time);

/* What the clocks say of the question below. */
bool weiri_order_clock_all_before(const struct weiri_happens_before *order,
                                  const struct weiri_actor *actor,
                                  enum weiri_memory_space space, uint64_t group,
                                  uint32_t time);

/** The same of all items of @group. */
static inline bool weiri_order_all_before(const struct weiri_happens_before *order,
                                          const struct weiri_actor *actor,
                                          enum weiri_memory_space space, uint64_t group,
                                          uint32_t time)
{
    return (group == actor->group->index && time < actor->group->time[space])
        || weiri_order_clock_all_before(order, actor, space, group, time);
}

/** Whether nobody outside @group can come to know what its items did at @time: the
 *  group is over, and has told nobody. */
bool weiri_order_is_lost(const struct weiri_happens_before *order,
                         enum weiri_memory_space space, uint64_t group, uint32_t time);

/** Whether the scopes of two items include each other. */
bool weiri_order_strong(const struct weiri_happens_before *order, uint64_t group_a,
                        uint32_t item_a, memory_scope scope_a, uint64_t group_b,
                        uint32_t item_b, memory_scope scope_b);

/* ---- What makes order ------------------------------------------------------------ */

/** The items of a group have met, or those of its sub-group that @item is of; the
 *  memories of @flags are ordered. */
void weiri_order_meet(struct weiri_happens_before *order, uint64_t group,
                      enum weiri_level level, uint32_t item, unsigned flags);

/** Returns: whether it would acquire something, were the scopes wide enough, and does
 *  not */
bool weiri_order_fence(struct weiri_happens_before *order, uint64_t group,
                       uint32_t item, memory_order memory_order, memory_scope scope,
                       unsigned flags);

/* Where the access below does more than to become the latest write. */
bool weiri_order_hand_on(struct weiri_happens_before *order,
                         const struct weiri_actor *actor, struct weiri_message *message,
                         enum weiri_memory_space space, memory_order memory_order,
                         memory_scope scope, bool reads, bool writes);

/**
 * weiri_order_atomic:
 * @actor: its thread may be another after the call
 * @message: of the location
 * @space: of the location
 * @reads: and @writes: both for a read-modify-write
 *
 * The atomic access itself. Its own time is that before the call.
 *
 * Returns: whether it read from a write whose release it would have acquired, were the
 *          scopes wide enough
 */
static inline bool weiri_order_atomic(struct weiri_happens_before *order,
                                      const struct weiri_actor *actor,
                                      struct weiri_message *message,
                                      enum weiri_memory_space space,
                                      memory_order memory_order, memory_scope scope,
                                      bool reads, bool writes)
{
    bool tells = memory_order != memory_order_relaxed
        || (actor->thread != NULL && actor->thread->releases != NULL);
    if ((tells && writes) || message->wide != NULL || message->ends != NULL) {
        return weiri_order_hand_on(order, actor, message, space, memory_order, scope,
                                   reads, writes);
    }
    if (writes) {
        message->written = true;
        message->group = actor->group->index;
        message->item = actor->item;
        message->scope = scope;
    }
    return false;
}

/** A plain write is the latest one of the location. */
void weiri_order_overwrite(struct weiri_happens_before *order,
                           struct weiri_message *message);

/** Gives up what the message holds. */
void weiri_order_forget(struct weiri_happens_before *order,
                        struct weiri_message *message);

#endif
