/* SPDX-License-Identifier: MIT
 *
 * event.h: the seam between the machine and its observers. host/check.c chooses the
 * observers of a launch; they are in watch/.
 *
 * The machine runs groups and emits events; it judges nothing that an observer could
 * judge. An observer is a function and its state. Observers do not know each other, so
 * that each can be off, wrong or replaced alone. A launch without observers pays one
 * predicted branch an event, or nothing: the fast paths of barriers and atomics are
 * closed while a launch is watched.
 *
 * Order: a watched launch runs on one thread, so its events are totally ordered. Events
 * of one item come in program order. ARRIVE comes before the rendezvous is complete,
 * and RELEASE once for all its items. ATOMIC comes before the operation, and
 * ATOMIC_DONE after it. ACCESS comes before the access, and nothing else happens
 * between the two. ALIGNMENT comes before the access that it is about, where the
 * compiler reports it: an address that lacks the alignment which its type asks for.
 * COPY and COPIED are of one side of an asynchronous copy: of one element, if a group
 * asks for it, or of all, if an item does. COPY comes when the copy has been asked for,
 * by all items of a group just before that RELEASE; COPIED comes after the ACCESS and
 * before the copying by @item, which is at the wait. In between the access may happen
 * at any moment. GIVE and TAKE are the two ends of an order between some items, which
 * is not that of a RELEASE: what an item did before it gives to a channel is ordered
 * before all that an item does after it takes from there. After FORGET neither comes
 * for that channel. ITEM_END comes where the item of a deterministic launch has
 * returned; of a group kernel it is the end of the whole body, and item 0's.
 * STEP comes in a launch whose sub-groups advance together, before some items of a
 * sub-group take their next step at one place: what each of them does then comes after
 * all that the others have done before.
 * The loops of a group kernel lie between two RELEASEs: the code around them belongs to
 * item 0.
 *
 * Accesses to the running item's own stack are not events, but for those to variables
 * that its code tells of: PRIVATE when one begins, and PRIVATE_ACCESS, which comes
 * before the access. No observer abandons an item there. */
#ifndef WEIRI_EVENT_H
#define WEIRI_EVENT_H

#include "exec/object.h"
#include "weir-kernel.h"

#define WEIRI_EVENTS(X)                                                                \
    X(GROUP_BEGIN)                                                                     \
    X(GROUP_END)                                                                       \
    X(ITEM_BEGIN)                                                                      \
    X(ITEM_END)                                                                        \
    X(ARRIVE)                                                                          \
    X(RELEASE)                                                                         \
    X(ATOMIC)                                                                          \
    X(ATOMIC_DONE)                                                                     \
    X(LOCAL_ARRAY)                                                                     \
    X(PRIVATE)                                                                         \
    X(PRIVATE_ACCESS)                                                                  \
    X(ACCESS)                                                                          \
    X(ALIGNMENT)                                                                       \
    X(COPY)                                                                            \
    X(COPIED)                                                                          \
    X(GIVE)                                                                            \
    X(TAKE)                                                                            \
    X(FORGET)                                                                          \
    X(STEP)                                                                            \
    X(COMPARE)

enum weiri_event_kind {
#define X(name) WEIRI_EVENT_##name,
    WEIRI_EVENTS(X)
#undef X
};

/* Members that an event does not have are NULL or 0. */
struct weiri_event {
    enum weiri_event_kind kind;
    const struct weir_kernel *kernel;
    const struct weir_group *group; /* all but COMPARE */
    size_t item; /* local linear id: ITEM_*, ARRIVE, GIVE, TAKE, ATOMIC,
                                       LOCAL_ARRAY, PRIVATE*, ACCESS, ALIGNMENT;
                                       COPY*: that does the copying; STEP: the
                                       first of the sub-group */
    const struct weir_site *site; /* ARRIVE, RELEASE, ATOMIC*, LOCAL_ARRAY, PRIVATE */
    uint64_t op;                  /* ARRIVE, RELEASE: see WEIRI_OP(); COPY*: the
                                       number of the copy in its group; GIVE, TAKE,
                                       FORGET: the channel; STEP: a mask of the items,
                                       by lane */
    const struct weiri_atomic_op *atomic; /* ATOMIC* */
    const volatile void *address;         /* LOCAL_ARRAY, PRIVATE*, ACCESS, ALIGNMENT,
                                             ATOMIC*, COPY* */
    size_t bytes;                /* LOCAL_ARRAY, PRIVATE*, ACCESS, ATOMIC*, COPY* */
    struct weiri_object *object; /* the same: the object of @address; NULL for
                                    memory of no object, and for a fence */
    unsigned access;             /* ACCESS, PRIVATE_ACCESS, COPY*, ALIGNMENT: of enum
                                    weiri_access_bit; ALIGNMENT: 0: of
                                    the whole whose member is accessed */
    const void *pc; /* ACCESS, PRIVATE_ACCESS, ALIGNMENT, COMPARE: where the hook
                       returns to; COPY*: the call that asks;
                       ATOMIC*: the same if @site is NULL */
    uint32_t calls; /* ACCESS, PRIVATE_ACCESS, ATOMIC*, COPY*: the calls between the
                       kernel and there; see call-tree.h */
    bool stored;    /* ATOMIC_DONE: it wrote, if only the value
                       that was there */
    uint64_t operands[2]; /* COMPARE */
    size_t alignment;     /* ALIGNMENT: a power of two */
    const char *type;     /* ALIGNMENT: its name, in quotes */
};

/* A plain access of an instrumented kernel. A read-modify-write has both bits. */
enum weiri_access_bit {
    WEIRI_ACCESS_BIT_READ = 1,
    WEIRI_ACCESS_BIT_WRITE = 2,
    WEIRI_ACCESS_BIT_VOLATILE = 4,
    WEIRI_ACCESS_BIT_UNALIGNED = 8, /* the type has no alignment of its own */
    WEIRI_ACCESS_BIT_RANGE = 16,    /* a copy or a fill of any size */
    WEIRI_ACCESS_BIT_COPY = 32,     /* of an asynchronous copy: see COPY */
    WEIRI_ACCESS_BIT_ITEM = 64,     /* COPY*: the copy is of the item alone; */
    WEIRI_ACCESS_BIT_BOUND = 128,   /* COPIED: that happened when it was asked for */
};

/* An observer's decision at an event. */
enum weiri_verdict {
    WEIRI_GOES_ON,
    WEIRI_ABANDON, /* at ACCESS and ATOMIC: it must not happen. The item is abandoned,
                      and its group ends */
};

struct weiri_observer {
    enum weiri_verdict (*event)(void *self, const struct weiri_event *event);
    void *self;
    uint32_t kinds; /* that it observes: WEIRI_EVENT_BIT()s; 0: all */
};

/* The bytes of a plain access, fewer than 2^56, and its enum weiri_access_bit. */
static inline uint64_t weiri_access_what(size_t bytes, unsigned access)
{
    return (uint64_t)bytes << 8 | access;
}

/* Most accesses concern no observer. A launch may have functions that recognise them
 * before there is an event, and do what the observers would do. The arguments are those
 * members of the event that are not looked up; @group->at is the item. Returns: whether
 * there need be no event; of an atomic, neither of its two. @what: see
 * weiri_access_what() and WEIRI_ATOMIC_WHAT(). @place: its site, or where it has none
 * its pc */
struct weiri_shortcut {
    bool (*takes)(const volatile void *address, uint64_t what, const void *pc,
                  void *self, const struct weir_group *group, uint32_t calls);
    bool (*takes_atomic)(const volatile void *address, uint64_t what, const void *place,
                         void *self, const struct weir_group *group, uint32_t calls);
    void *self;
};

#define WEIRI_EVENT_BIT(name) (1u << WEIRI_EVENT_##name)

/* The observers of a launch by kind of event, each list in the observers' order and up
 * to a NULL function. */
enum { WEIRI_N_EVENTS = WEIRI_EVENT_COMPARE + 1 };
/* No fewer than a checked launch has, as host/check.c asserts. */
enum { WEIRI_MOST_OBSERVERS = 12 };
struct weiri_audience {
    uint32_t kinds;                 /* that have observers: WEIRI_EVENT_BIT()s */
    struct weiri_shortcut shortcut; /* its functions may be NULL */
    struct weiri_observer of[WEIRI_N_EVENTS][WEIRI_MOST_OBSERVERS + 1];
};

/** Makes @shape the shape of group @linear: sets its index, and its sizes where these
 *  differ among groups. Defined in group.c, and declared here for observers, which do
 *  not see groups. */
void weiri_group_place(struct weiri_shape *shape, size_t linear);

/** Whether two groups, by their linear numbers, are of one cluster. Defined in
 *  cluster.c. */
bool weiri_cluster_has_both(const struct weiri_shape *shape, size_t one, size_t other);

/* Passes the event to its observers. If one abandons the item, those after it do not
 * see the event. */
static inline __attribute__((always_inline)) enum weiri_verdict weiri_emit(
    const struct weiri_audience *audience, const struct weiri_event *event)
{
    const struct weiri_observer *one = audience->of[event->kind];
    for (; one->event != NULL; one++) {
        if (__builtin_expect(one->event(one->self, event) != WEIRI_GOES_ON, 0)) {
            return WEIRI_ABANDON;
        }
    }
    return WEIRI_GOES_ON;
}

#endif
