/* SPDX-License-Identifier: MIT
 *
 * write-log.h: the contents of memory before a kernel wrote to it, so that it can be
 * restored. Byte by byte: memory between the written bytes must stay as it is. */
#ifndef WEIRI_WRITE_LOG_H
#define WEIRI_WRITE_LOG_H

#include <stddef.h>
#include <stdint.h>

struct weiri_write_log_line;

/* Zeroed: nothing is kept. */
struct weiri_write_log {
    struct weiri_write_log_line *lines; /* open addressing; or NULL */
    size_t n;
    size_t mask;
};

/** @bytes from @address on are about to be written; they need not be there. May be
 *  called by an item. */
void weiri_write_log_keep(struct weiri_write_log *undo, const char *address,
                          size_t bytes);

/** Writes all bytes that are kept. */
void weiri_write_log_all(const struct weiri_write_log *undo);

void weiri_write_log_clear(struct weiri_write_log *undo);

#endif
