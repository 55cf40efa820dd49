/* SPDX-License-Identifier: MIT
 *
 * table.h: an array of entries with a hash index over it, by open addressing. An entry
 * is a struct whose first members are its key; it keeps its index for ever, and its
 * address until the next entry is added. Entry 0 is not used: its index means "not
 * found".
 *
 *   slots    | 0 | 2 | 0 | 0 | 1 | 0 | 3 | 0 |    indices of entries; half of them 0
 *   entries  | - | key ... | key ... | key ... |
 *
 * A table is used through functions of one file that pass the sizes of its entries and
 * keys as constants, so that comparing and hashing become a few instructions. Keys are
 * compared as bytes: they have no padding, and a multiple of four bytes.
 *
 * Threads: none are known here. */
#ifndef WEIRI_TABLE_H
#define WEIRI_TABLE_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

#define WEIRI_TABLE_INLINE static inline __attribute__((always_inline))

struct weiri_table {
    void *entries;     /* owned */
    uint32_t n;        /* entries in use, entry 0 among them */
    uint32_t capacity; /* entries; a power of two */
    uint32_t *slots;   /* 2 * capacity; owned */
};

static inline void weiri_table_init(struct weiri_table *table, uint32_t capacity,
                                    size_t entry_bytes)
{
    *table = (struct weiri_table){ .entries = g_malloc0_n(capacity, entry_bytes),
                                   .n = 1,
                                   .capacity = capacity,
                                   .slots = g_new0(uint32_t, 2 * (size_t)capacity) };
}

static inline void weiri_table_clear(struct weiri_table *table)
{
    g_free(table->entries);
    g_free(table->slots);
}

WEIRI_TABLE_INLINE void *weiri_table_at(const struct weiri_table *table, uint32_t index,
                                        size_t entry_bytes)
{
    return (char *)table->entries + index * entry_bytes;
}

/* Mixes each word of the key: loops make many keys of one place or one parent. */
WEIRI_TABLE_INLINE uint32_t weiri_table_hash(const void *key, size_t key_bytes)
{
    uint64_t hash = 0;
    for (size_t at = 0; at < key_bytes; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        uint32_t half;
        if (key_bytes - at >= sizeof(word)) {
            memcpy(&word, (const char *)key + at, sizeof(word));
        } else {
            memcpy(&half, (const char *)key + at, sizeof(half));
            word = half;
        }
        hash = (hash ^ hash >> 32 ^ word) * 0x9e3779b97f4a7c15;
    }
    return (uint32_t)(hash >> 32);
}

/* The slot of the entry with that key, or the one where it would be. */
WEIRI_TABLE_INLINE uint32_t *weiri_table_slot(const struct weiri_table *table,
                                              const void *key, size_t entry_bytes,
                                              size_t key_bytes)
{
    uint32_t mask = 2 * table->capacity - 1;
    uint32_t at = weiri_table_hash(key, key_bytes) & mask;
    while (
        table->slots[at] != 0
        && memcmp(weiri_table_at(table, table->slots[at], entry_bytes), key, key_bytes)
            != 0) {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

/** The index of the entry with that key, or 0. */
WEIRI_TABLE_INLINE uint32_t weiri_table_find(const struct weiri_table *table,
                                             const void *key, size_t entry_bytes,
                                             size_t key_bytes)
{
    return *weiri_table_slot(table, key, entry_bytes, key_bytes);
}

/** Adds a copy of @entry, whose key is not in the table. Returns: its index */
WEIRI_TABLE_INLINE uint32_t weiri_table_add(struct weiri_table *table,
                                            const void *entry, size_t entry_bytes,
                                            size_t key_bytes)
{
    if (table->n == table->capacity) {
        table->capacity *= 2;
        table->entries = g_realloc_n(table->entries, table->capacity, entry_bytes);
        g_free(table->slots);
        table->slots = g_new0(uint32_t, 2 * (size_t)table->capacity);
        for (uint32_t i = 1; i < table->n; i++) {
            *weiri_table_slot(table, weiri_table_at(table, i, entry_bytes), entry_bytes,
                              key_bytes)
                = i;
        }
    }
    uint32_t index = table->n++;
    memcpy(weiri_table_at(table, index, entry_bytes), entry, entry_bytes);
    *weiri_table_slot(table, entry, entry_bytes, key_bytes) = index;
    return index;
}

#endif
