/* SPDX-License-Identifier: MIT
 *
 * writers.h: which item wrote a word of memory last by an atomic operation: for reports
 * of items that wait for the word to change. */
#ifndef WEIRI_WRITERS_H
#define WEIRI_WRITERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The latest write to a word, and at which address in it. */
struct weiri_writer {
    const volatile void *address; /* NULL: nothing was written */
    const void *place;            /* a struct weir_site, or a return address */
    uint64_t group;
    uint32_t item;
    uint8_t operation; /* of enum weiri_atomic */
    bool is_site;
};

/* A piece of memory, word by word. */
enum { WEIRI_WRITERS_PIECE_BYTES = 256, WEIRI_WRITERS_WORD_BYTES = 4 };
struct weiri_writers_piece {
    uintptr_t number;        /* its address / WEIRI_WRITERS_PIECE_BYTES */
    struct weiri_writer *of; /* by word; owned; NULL: this entry is free */
};

struct weiri_writers {
    struct weiri_writers_piece *pieces; /* open addressing */
    size_t n;
    size_t mask;
    struct weiri_writers_piece latest; /* a copy of the entry of the latest write */
};

void weiri_writers_init(struct weiri_writers *writers);
void weiri_writers_clear(struct weiri_writers *writers);

/* The words of a piece that is not the latest one, which it becomes. */
struct weiri_writer *weiri_writers_other_piece(struct weiri_writers *writers,
                                               uintptr_t number);

/* The index of a word in its piece. */
static inline size_t weiri_writers_word(const volatile void *address)
{
    return (uintptr_t)address % WEIRI_WRITERS_PIECE_BYTES / WEIRI_WRITERS_WORD_BYTES;
}

/** The record of the latest writer of @address, which the caller sets whole. */
static inline struct weiri_writer *weiri_writers_at(struct weiri_writers *writers,
                                                    const volatile void *address)
{
    uintptr_t number = (uintptr_t)address / WEIRI_WRITERS_PIECE_BYTES;
    struct weiri_writer *words = __builtin_expect(number == writers->latest.number, 1)
        ? writers->latest.of
        : weiri_writers_other_piece(writers, number);
    return &words[weiri_writers_word(address)];
}

/** The latest writer of @address, or %NULL. */
const struct weiri_writer *weiri_writers_find(const struct weiri_writers *writers,
                                              const volatile void *address);

#endif
