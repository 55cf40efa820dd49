/* SPDX-License-Identifier: MIT
 *
 * race-report.h: races as they are reported: which places in the code race, how often,
 * and what is known of why nothing orders them. Part of the race detector. */
#ifndef WEIRI_RACE_REPORT_H
#define WEIRI_RACE_REPORT_H

#include "watch/order.h"
#include "watch/race.h"

/* A place in the code and what is done there. */
struct weiri_place {
    const void *pc;
    const struct weir_site *site; /* or NULL, and @pc tells */
    uint32_t calls;
    uint32_t act; /* as below */
};
_Static_assert(sizeof(struct weiri_place) == 24, "places are compared as bytes");

/* What is done: kind of atomic, order, scope, and the bits of enum weiri_access; a byte
 * each, from the highest. */
enum { WEIRI_ACT_PLAIN = 0xff };

static inline uint32_t weiri_plain_act(unsigned access)
{
    return (uint32_t)WEIRI_ACT_PLAIN << 24 | access;
}

static inline uint32_t weiri_atomic_act(enum weiri_atomic kind, memory_order order,
                                        memory_scope scope, unsigned access)
{
    return (uint32_t)kind << 24 | (uint32_t)order << 16 | (uint32_t)scope << 8 | access;
}

static inline bool weiri_place_is_atomic(const struct weiri_place *place)
{
    return place->act >> 24 != WEIRI_ACT_PLAIN;
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
    return (memory_scope)(place->act >> 8 & 0xff);
}

static inline unsigned weiri_place_access(const struct weiri_place *place)
{
    return place->act & 0xff;
}

/* Who did something where and when. */
struct weiri_doing {
    uint64_t group;
    uint32_t item;
    uint32_t place;
    uint32_t time; /* in the order's time of that memory */
};

/* A race as it happens; the second access is about to. */
struct weiri_meeting {
    const struct weiri_object *object;
    size_t offset; /* first byte that both touch */
    enum weiri_memory_space space;
    unsigned bytes;       /* of @word that both touch, a mask */
    const char *word;     /* 4 bytes of memory */
    bool ordered_if_wide; /* were all scopes as wide as the system */
    struct weiri_doing first, second;
};

/* An atomic read of what another item wrote so. */
struct weiri_reading {
    uint32_t item; /* who read, in the group of the pair's second access */
    uint64_t writer_group;
    uint32_t writer_item;
    uint32_t writer_place;
    uint32_t place; /* of the read; 0: there is none */
    enum weiri_memory_space space;
    bool narrow;   /* it would have made order, were the scopes wider */
    bool by_fence; /* as did an acquire fence after it, of this scope: */
    memory_scope fence;
};

struct weiri_race_report_pair {
    struct weiri_race_pair public; /* first */
    uint64_t key;
    uint32_t places[2];
    uint64_t phases[2];
    enum weiri_memory_space space;
    char *object; /* the name; owned */
    int64_t index;
    struct weiri_reading reading; /* the second item's latest, or one of its group's of
                                     the first's group; its place is 0: none */
    bool of_first;                /* of what the first item wrote */
    const struct weir_site *unsuited; /* a barrier of other flags after the first */
};

struct weiri_race_report {
    struct weiri_race_rules rules;
    uint32_t (*place_of)(
        const void *pc); /* a number for a place in the source; or NULL */
    struct weiri_shape shape;
    GArray *places;    /* of struct weiri_place; index 0 is none */
    GHashTable *index; /* struct weiri_place -> its index */
    GPtrArray *pairs;  /* of struct weiri_race_report_pair, owned; in order of time */
    GHashTable *by_places; /* both places and the kind -> pair */
    GPtrArray *groups; /* of struct weiri_race_report_group: the resident ones; owned */
    struct weiri_race_report_group *latest; /* that was asked for */

    /* The latest race was between two writes: whether they write the same is told by
     * memory once the second has happened. */
    struct weiri_race_report_pair *writing;
    const char *word;
    unsigned bytes;
    uint32_t before;
};

void weiri_race_report_init(struct weiri_race_report *racing,
                            const struct weiri_race_rules *rules,
                            const struct weiri_shape *shape);
void weiri_race_report_clear(struct weiri_race_report *racing);

static inline const struct weiri_place *weiri_race_report_place(
    const struct weiri_race_report *racing, uint32_t index)
{
    return &g_array_index(racing->places, struct weiri_place, index);
}

/** The number of a place. */
uint32_t weiri_race_report_place_index(struct weiri_race_report *racing,
                                       const struct weiri_place *place);

void weiri_race_report_begin_group(struct weiri_race_report *racing, uint64_t group);
void weiri_race_report_end_group(struct weiri_race_report *racing, uint64_t group);

/** The items of a group or sub-group have met. @times: now, in each memory */
void weiri_race_report_meet(struct weiri_race_report *racing, uint64_t group,
                            const struct weiri_event *event,
                            const uint32_t times[WEIRI_N_SPACES]);

/** The latest reading of the item, to be filled in. */
struct weiri_reading *weiri_race_report_reading(struct weiri_race_report *racing,
                                                uint64_t group, uint32_t item);

/** An acquire fence of the item would have made order of its latest reading, were the
 *  scopes wider. */
void weiri_race_report_narrow_fence(struct weiri_race_report *racing, uint64_t group,
                                    uint32_t item, memory_scope scope);

void weiri_race_report_add(struct weiri_race_report *racing,
                           const struct weiri_meeting *meeting);

/** Before each event: the access of the one before it has happened. */
void weiri_race_report_settle_write(struct weiri_race_report *racing);

static inline void weiri_race_report_settle(struct weiri_race_report *racing)
{
    if (__builtin_expect(racing->writing != NULL, 0)) {
        weiri_race_report_settle_write(racing);
    }
}

size_t weiri_race_report_n_pairs(const struct weiri_race_report *racing);
const struct weiri_race_pair *weiri_race_report_pair(
    const struct weiri_race_report *racing, size_t index);

void weiri_race_report_report(const struct weiri_race_report *racing,
                              const struct weir_kernel *kernel,
                              const struct weiri_call_tree *callers,
                              struct weir_report *report);

#endif
