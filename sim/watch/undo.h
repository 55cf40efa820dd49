/* SPDX-License-Identifier: MIT
 *
 * undo.h: bytes of the process as they were before a kernel wrote them, so that they
 * can be put back: one by one, since other things lie near that are not to be. */
#ifndef WEIRI_UNDO_H
#define WEIRI_UNDO_H

#include <stddef.h>
#include <stdint.h>

struct weiri_undo_line;

/* Zeroed: nothing is kept. */
struct weiri_undo {
    struct weiri_undo_line *lines; /* open addressing; or NULL */
    size_t n;
    size_t mask;
};

/** @bytes from @address on are about to be written; they need not be there. May be
 *  called by an item. */
void weiri_undo_keep(struct weiri_undo *undo, const char *address, size_t bytes);

/** Writes all bytes that are kept. */
void weiri_undo_all(const struct weiri_undo *undo);

void weiri_undo_clear(struct weiri_undo *undo);

#endif
