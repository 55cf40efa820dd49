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
    const volatile void *address; /* NULL: there was none */
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
};

void weiri_writers_init(struct weiri_writers *writers);
void weiri_writers_clear(struct weiri_writers *writers);

/** Keeps @writer as the latest one of its address. */
void weiri_writers_note(struct weiri_writers *writers,
                        const struct weiri_writer *writer);

/** The latest writer of @address, or %NULL. */
const struct weiri_writer *weiri_writers_find(const struct weiri_writers *writers,
                                              const volatile void *address);

#endif
