/* SPDX-License-Identifier: MIT
 *
 * writers.c: see writers.h. A hash table maps pieces of memory to arrays with an entry
 * for each word; entries are written in place, so that a write to a piece seen before
 * allocates nothing. A copy of the latest piece's entry spares most searches, as an
 * item writes near its last write. */
#include "config.h"

#include "deterministic/writers.h"

#include <glib.h>

enum { FIRST_PIECES = 64 };

void weiri_writers_init(struct weiri_writers *writers)
{
    *writers = (struct weiri_writers){ .mask = FIRST_PIECES - 1 };
    writers->pieces = g_new0(struct weiri_writers_piece, FIRST_PIECES);
}

void weiri_writers_clear(struct weiri_writers *writers)
{
    for (size_t i = 0; i <= writers->mask; i++) {
        g_free(writers->pieces[i].of);
    }
    g_free(writers->pieces);
}

/* The entry of a piece, or where it would be. */
static struct weiri_writers_piece *find_piece(const struct weiri_writers *writers,
                                              uintptr_t number)
{
    size_t at = (number * 0x9e3779b97f4a7c15 >> 32) & writers->mask;
    while (writers->pieces[at].number != number && writers->pieces[at].of != NULL) {
        at = (at + 1) & writers->mask;
    }
    return &writers->pieces[at];
}

static void grow(struct weiri_writers *writers)
{
    struct weiri_writers_piece *old = writers->pieces;
    size_t n_old = writers->mask + 1;
    writers->mask = 2 * n_old - 1;
    writers->pieces = g_new0(struct weiri_writers_piece, 2 * n_old);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].of != NULL) {
            *find_piece(writers, old[i].number) = old[i];
        }
    }
    g_free(old);
}

/* The entry of a piece that had none. */
static __attribute__((noinline)) struct weiri_writers_piece *add_piece(
    struct weiri_writers *writers, uintptr_t number)
{
    if (2 * ++writers->n > writers->mask) {
        grow(writers);
    }
    struct weiri_writers_piece *piece = find_piece(writers, number);
    piece->number = number;
    /* not memset(), whose calls by kernels are seen: this runs on an item's stack */
    piece->of = g_new0(struct weiri_writer,
                       WEIRI_WRITERS_PIECE_BYTES / WEIRI_WRITERS_WORD_BYTES);
    return piece;
}

struct weiri_writer *weiri_writers_other_piece(struct weiri_writers *writers,
                                               uintptr_t number)
{
    struct weiri_writers_piece *piece = find_piece(writers, number);
    if (piece->of == NULL) {
        piece = add_piece(writers, number);
    }
    writers->latest = *piece;
    return piece->of;
}

const struct weiri_writer *weiri_writers_find(const struct weiri_writers *writers,
                                              const volatile void *address)
{
    const struct weiri_writers_piece *piece
        = find_piece(writers, (uintptr_t)address / WEIRI_WRITERS_PIECE_BYTES);
    const struct weiri_writer *writer
        = piece->of != NULL ? &piece->of[weiri_writers_word(address)] : NULL;
    return writer != NULL && writer->address == address ? writer : NULL;
}
