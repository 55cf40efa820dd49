/* SPDX-License-Identifier: MIT
 *
 * shadow.h: the records of earlier accesses. Each word of 4 bytes has a cell with the
 * accesses that a later one may race with.
 *
 *   cell                          32 bytes
 *   +---------------------------+---------------------------+
 *   | write: the latest plain   | read: plain reads since,  |
 *   |        write              |       or the crowd        |
 *   +---------------------------+---------------------------+
 *
 *   record                        16 bytes
 *   +-------+------+-------+-------+-------+-------+
 *   | group | time | owner | place | flags | bytes |
 *   |  32   |  32  |  32   |  24   |   4   |   4   |
 *   +-------+------+-------+-------+-------+-------+
 *
 * A record belongs to one item, or to several items of one group at one time; then
 * @owner is a set of items and places. (A word that many items read is mostly read by
 * the same items in every group, so the sets are few and shared.) All other accesses,
 * and all atomics, are in the word's crowd: lists of records by class of access.
 * Records of groups that have ended, after which they published nothing, race with
 * every later access: one stands for all.
 *
 * Cells are in mappings of eight times the size of the object, whose pages exist where
 * they are touched. */
#ifndef WEIRI_SHADOW_H
#define WEIRI_SHADOW_H

#include "base/table.h"
#include "exec/object.h"
#include "watch/observed.h"
#include "watch/order.h"

enum {
    WEIRI_WORD_BYTES = 4,
    WEIRI_ALL_BYTES = 0xf, /* of a word, as a mask */
};

struct weiri_record {
    uint32_t group; /* linear */
    uint32_t time;  /* 0: the record is empty */
    uint32_t owner; /* an item, or a set */
    uint32_t rest;  /* place << 8 | flags | bytes */
};

enum {
    WEIRI_RECORD_SET = 0x10,     /* @owner is a set; the place is its first member's */
    WEIRI_RECORD_LOST = 0x20,    /* see weiri_order_is_lost() */
    WEIRI_RECORD_CROWD = 0x40,   /* of a cell: it has a crowd */
    WEIRI_RECORD_PENDING = 0x80, /* @time belongs to no item: see WEIRI_ORDER_PENDING */
    WEIRI_RECORD_FLAGS = 0xf0,
};

struct weiri_crowd;

struct weiri_cell {
    struct weiri_record write;
    union {
        struct weiri_record read; /* a @rest of 0: none */
        struct {
            struct weiri_crowd *crowd; /* if @rest has the flag */
            uint32_t unused;
            uint32_t rest;
        } many;
    };
};
_Static_assert(sizeof(struct weiri_cell) == 32, "two records");

/* The classes of accesses in a crowd. Atomics of two sizes are of two objects, and so
 * not atomic to each other; atomics of one size that overlap touch the same bytes. */
enum {
    WEIRI_N_SCOPES = memory_scope_system + 1,
    WEIRI_N_SIZES = 5, /* 1 to 16 bytes */
    WEIRI_CLASS_READ = 0,
    WEIRI_CLASS_WRITE,
    WEIRI_CLASS_ATOMIC, /* + 2 * (scope + WEIRI_N_SCOPES * size) + whether it writes */
    WEIRI_N_CLASSES = WEIRI_CLASS_ATOMIC + 2 * WEIRI_N_SCOPES * WEIRI_N_SIZES,
};

static inline unsigned weiri_class_of_atomic(memory_scope scope, size_t bytes,
                                             bool writes)
{
    unsigned size = (unsigned)__builtin_ctzll(bytes);
    return WEIRI_CLASS_ATOMIC + 2 * ((unsigned)scope + WEIRI_N_SCOPES * size) + writes;
}

static inline bool weiri_class_is_atomic(unsigned class)
{
    return class >= WEIRI_CLASS_ATOMIC;
}

static inline bool weiri_class_writes(unsigned class)
{
    return (class & 1) != 0;
}

static inline size_t weiri_class_bytes(unsigned class)
{
    return (size_t)1 << (class - WEIRI_CLASS_ATOMIC) / 2 / WEIRI_N_SCOPES;
}

static inline memory_scope weiri_class_scope(unsigned class)
{
    return (memory_scope)((class - WEIRI_CLASS_ATOMIC) / 2 % WEIRI_N_SCOPES);
}

/** Whether both are atomics, and of one size. */
static inline bool weiri_classes_are_of_one_object(unsigned one, unsigned other)
{
    return weiri_class_is_atomic(one) && weiri_class_is_atomic(other)
        && (one - WEIRI_CLASS_ATOMIC) / (2 * WEIRI_N_SCOPES)
        == (other - WEIRI_CLASS_ATOMIC) / (2 * WEIRI_N_SCOPES);
}

/* Accesses of several items of one group, at one place and time. */
struct weiri_entry {
    struct weiri_record record;
    uint64_t *items; /* of several, a bit each; else NULL. From @item_slabs */
    uint32_t number; /* of the latest atomic write of these; see observed.h. Or 0 */
    uint32_t writer; /* which item did it */
};

/* Accesses of one class. */
struct weiri_bunch {
    struct weiri_bunch *next;
    unsigned class;
    uint32_t n;
    uint32_t capacity;
    uint32_t kept;               /* entries left after the latest tidy() */
    struct weiri_entry *entries; /* @first, until there are more */
    struct weiri_entry first;
};

/* An atomic location. */
struct weiri_spot {
    struct weiri_spot *next;
    uint32_t offset; /* in its word */
    uint32_t place;  /* of the latest atomic write */
    struct weiri_message message;
};

/* The first bunch and the first spot are the only ones of most words, and lie here. */
struct weiri_crowd {
    uint32_t group; /* of local memory; see weiri_shadows_renew() */
    bool has_spot;
    struct weiri_bunch bunch;
    struct weiri_spot spot;
    struct weiri_spot
        *owner; /* of the word before, whose atomics this word is half of */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct weiri_crowd) == 128, "two cache lines");

/* Crowds that are allocated together: 16 KiB. */
enum { WEIRI_SLAB = 128 };

/* The records of one launch. */
struct weiri_shadows {
    struct weiri_happens_before *order; /* borrowed */
    struct weiri_observed observed;     /* under PTX; else empty */
    uint32_t n_items;
    GArray *mappings;        /* of struct weiri_shadow: what was mapped */
    GPtrArray *slabs;        /* of WEIRI_SLAB crowds each; owned */
    uint32_t n_in_slab;      /* crowds in use in the last one */
    GPtrArray *item_slabs;   /* bits of items, of many entries each; owned */
    uint64_t *spare;         /* such bits that no entry has: the first of a list */
    struct weiri_table sets; /* of struct weiri_reader_set */
};

/* The items of a record of several, and the places where they did it: the set before
 * and one more member. */
struct weiri_reader_set {
    uint32_t parent; /* the set before this member was added; 0: none */
    uint32_t item;
    uint32_t place;
    uint64_t *items; /* of all members, a bit each; owned */
};

static inline const struct weiri_reader_set *weiri_shadows_set(
    const struct weiri_shadows *shadows, uint32_t index)
{
    return weiri_table_at(&shadows->sets, index, sizeof(struct weiri_reader_set));
}

void weiri_shadows_init(struct weiri_shadows *shadows,
                        struct weiri_happens_before *order, uint32_t n_items);
void weiri_shadows_clear(struct weiri_shadows *shadows);

/** Maps cells for an object that has none, or too few. Returns: them */
struct weiri_cell *weiri_shadows_map(struct weiri_shadows *shadows,
                                     struct weiri_object *object);

static inline struct weiri_cell *weiri_shadows_cells(struct weiri_shadows *shadows,
                                                     struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    size_t n = (object->bytes + WEIRI_WORD_BYTES - 1) / WEIRI_WORD_BYTES;
    return __builtin_expect(shadow->n >= n, 1) ? shadow->cells
                                               : weiri_shadows_map(shadows, object);
}

/** Prefetches what an atomic at @offset of the object will look at. */
static inline void weiri_shadows_prefetch(const struct weiri_object *object,
                                          size_t offset)
{
    const struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    const struct weiri_cell *cells = shadow->cells;
    size_t word = offset / WEIRI_WORD_BYTES;
    if (word < shadow->n && (cells[word].many.rest & WEIRI_RECORD_CROWD) != 0) {
        const struct weiri_crowd *crowd = cells[word].many.crowd;
        __builtin_prefetch(&crowd->spot);
        if (crowd->bunch.n > 0) {
            __builtin_prefetch(&crowd->bunch.entries[crowd->bunch.n - 1]);
        }
    }
}

/* ---- Records --------------------------------------------------------------------- */

static inline unsigned weiri_record_bytes(const struct weiri_record *record)
{
    return record->rest & WEIRI_ALL_BYTES;
}

static inline uint32_t weiri_record_place(const struct weiri_record *record)
{
    return record->rest >> 8;
}

/** Whether the record is of @item. */
bool weiri_shadows_has(const struct weiri_shadows *shadows,
                       const struct weiri_record *record, uint32_t item);

/** Adds an item, which is not in the record, at the same time.
 *  Returns: false if there are too many sets */
bool weiri_shadows_add(struct weiri_shadows *shadows, struct weiri_record *record,
                       uint32_t item, uint32_t place);

/* ---- Crowds ---------------------------------------------------------------------- */

/** The crowd of the cell, or %NULL. */
static inline struct weiri_crowd *weiri_cell_crowd(const struct weiri_cell *cell)
{
    return (cell->many.rest & WEIRI_RECORD_CROWD) != 0 ? cell->many.crowd : NULL;
}

/** The cell's crowd. A new one gets the cell's reads.
 *  @group: of local memory; else any */
struct weiri_crowd *weiri_shadows_need_crowd(struct weiri_shadows *shadows,
                                             struct weiri_cell *cell, uint32_t group);

/** Drops the records of a cell of local memory, which becomes another group's. */
void weiri_shadows_renew(struct weiri_shadows *shadows, struct weiri_cell *cell,
                         uint32_t group);

/** Adds an access of one item to memory of @space. */
void weiri_crowd_add(struct weiri_shadows *shadows, struct weiri_crowd *crowd,
                     unsigned class, const struct weiri_record *record,
                     enum weiri_memory_space space, const struct weiri_actor *actor,
                     struct weiri_numbered numbered);

/** A plain write becomes the latest one of the word's atomic locations. */
void weiri_crowd_overwrite(struct weiri_shadows *shadows, struct weiri_crowd *crowd);

/** Drops all accesses to @bytes, which a write makes needless. */
void weiri_crowd_drop(struct weiri_shadows *shadows, struct weiri_crowd *crowd,
                      unsigned bytes);

/** The atomic location at @offset of the word. */
struct weiri_spot *weiri_crowd_spot(struct weiri_crowd *crowd, unsigned offset);

/** Whether the entry is of @item. */
static inline bool weiri_entry_has(const struct weiri_entry *entry, uint32_t item)
{
    return entry->items == NULL ? entry->record.owner == item
                                : (entry->items[item / 64] >> item % 64 & 1) != 0;
}

void weiri_entry_add(struct weiri_shadows *shadows, struct weiri_entry *entry,
                     uint32_t item);

/** The entry's item after @item, or its first for %UINT32_MAX; %UINT32_MAX after the
 *  last. @n_items: of a group */
uint32_t weiri_entry_next(const struct weiri_entry *entry, uint32_t item,
                          uint32_t n_items);

#endif
