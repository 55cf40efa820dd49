/* SPDX-License-Identifier: MIT
 *
 * race-pair.h: two places in the code that race: the detector's record of them, and the
 * facts that explain them. */
#ifndef WEIRI_RACE_PAIR_H
#define WEIRI_RACE_PAIR_H

#include "base/table.h"
#include "exec/event.h"
#include "watch/order.h"
#include "weir.h"

struct weiri_race_rules {
    enum weir_scope_rule scope_rule;
    enum weir_spaces spaces;
    enum weir_same_value same_value;
    bool ptx;   /* races are those of PTX; then the two rules above do not count */
    bool polls; /* with @ptx: volatile accesses that do not poll can race: race.c */
};

/* One of the two accesses of a race. */
struct weiri_race_access {
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    uint32_t calls;
    uint64_t group; /* linear */
    uint32_t item;  /* local linear id */
    bool writes;
    bool reads;
    bool atomic;
    bool is_volatile;       /* an atomic by the rules of PTX */
    enum weiri_atomic kind; /* where it is atomic, as what follows */
    memory_order order;
    memory_scope scope;
    unsigned bytes;
};

/* An access: by which item, where and when. */
struct weiri_race_point {
    uint64_t group;
    uint32_t item;
    uint32_t place;
    uint32_t time; /* in the order's time of that memory */
};

/* Accesses of two places in the code that race, once for all their races. */
struct weiri_race_pair {
    enum weir_finding_kind kind;            /* data-race, scope-race or mixed-atomic */
    struct weiri_race_access first, second; /* of the earliest race, in order of time */
    const struct weiri_object *object;      /* of the same */
    size_t offset;                          /* its first byte that both touch */
    bool same_value; /* all were writes of the value that was there */
    uint64_t count;  /* races: pairs of accesses */
};

/* A place in the code and what is done there. */
struct weiri_place {
    const void *pc;
    const struct weir_site *site; /* or NULL, and @pc is set */
    uint32_t calls;
    uint32_t act; /* see weiri_plain_act() */
};
_Static_assert(sizeof(struct weiri_place) == 24, "places are compared as bytes");

/* An act is four bytes, from the highest: kind of atomic, order, scope and 16 times the
 * binary logarithm of the size, and the bits of enum weiri_access_bit. */
enum { WEIRI_ACT_PLAIN = 0xff };

static inline uint32_t weiri_plain_act(unsigned access)
{
    return (uint32_t)WEIRI_ACT_PLAIN << 24 | access;
}

static inline uint32_t weiri_atomic_act(enum weiri_atomic kind, memory_order order,
                                        memory_scope scope, size_t bytes,
                                        unsigned access)
{
    uint32_t size = (uint32_t)__builtin_ctzll(bytes);
    return (uint32_t)kind << 24 | (uint32_t)order << 16 | size << 12
        | (uint32_t)scope << 8 | access;
}

static inline bool weiri_place_is_atomic(const struct weiri_place *place)
{
    return place->act >> 24 != WEIRI_ACT_PLAIN;
}

/* Whether it is an access to a volatile object, which is atomic under PTX. */
static inline bool weiri_place_is_volatile(const struct weiri_place *place)
{
    return weiri_place_is_atomic(place)
        && (place->act & WEIRI_ACCESS_BIT_VOLATILE) != 0;
}

static inline enum weiri_atomic weiri_place_kind(const struct weiri_place *place)
{
    return (enum weiri_atomic)(place->act >> 24);
}

static inline memory_order weiri_place_order(const struct weiri_place *place)
{
    return (memory_order)(place->act >> 16 & 0xff);
}

static inline memory_scope weiri_place_scope(const struct weiri_place *place)
{
    return (memory_scope)(place->act >> 8 & 0xf);
}

/* These two are only for places of atomics. */
static inline unsigned weiri_place_bytes(const struct weiri_place *place)
{
    return 1u << (place->act >> 12 & 0xf);
}

static inline unsigned weiri_place_access(const struct weiri_place *place)
{
    return place->act & 0xff;
}

/* An atomic read, by an item of the second access's group, of a value that another
 * item's atomic wrote. */
struct weiri_reading {
    uint32_t item; /* the reader */
    uint64_t writer_group;
    uint32_t writer_item;
    uint32_t writer_place;
    uint32_t place; /* of the read; 0: none */
    enum weiri_memory_space space;
    bool released;      /* a release, or a fence, lies before the write, */
    bool acquired;      /* and an acquire fence after the read */
    bool narrow;        /* with wider scopes the two items would have synchronised, */
    bool by_fence;      /* by an acquire fence after the read, */
    memory_scope fence; /* which has this scope */
};

/* A pair, and what is known of why nothing orders it. */
struct weiri_explained_pair {
    struct weiri_race_pair public; /* first */
    uint64_t key;                  /* both places, the kind and @in_step */
    uint32_t places[2];            /* their numbers; see weiri_pair_place() */
    uint64_t phases[2];            /* rendezvous that each access's item had passed */
    enum weiri_memory_space space;
    char *object;                 /* the name; owned */
    int64_t index;                /* of the element in it */
    struct weiri_reading reading; /* the latest read by the second item of data that the
                                     first group wrote; or, if it has none and the
                                     groups differ, by another item of its group */
    bool of_first;                /* @reading is of what the first item wrote */
    bool in_step; /* they would be ordered where sub-groups advance together, as they
                     did in this launch */
    bool pending; /* the first access is a group's copy, not yet waited for */
    const struct weir_site *unsuited; /* a barrier after the first access that does not
                                         order this memory; or NULL */
};

/* Data that all pairs of a launch have in common. */
struct weiri_pair_context {
    struct weiri_race_rules rules;
    const struct weiri_symbols *symbols; /* or NULL; all of its functions are set */
    enum weir_language language;
    struct weiri_shape shape;
    struct weiri_table places; /* of struct weiri_place */
};

static inline const struct weiri_place *weiri_pair_place(
    const struct weiri_pair_context *context, uint32_t index)
{
    return weiri_table_at(&context->places, index, sizeof(struct weiri_place));
}

#endif
