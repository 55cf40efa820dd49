/* SPDX-License-Identifier: MIT
 *
 * write-log.h: the contents of memory before a kernel wrote to it, so that it can be
 * restored. Byte by byte: memory between the written bytes must stay as it is. */
#ifndef WEIRI_WRITE_LOG_H
#define WEIRI_WRITE_LOG_H

#include "base/table.h"

/* Zeroed: nothing is kept. */
struct weiri_write_log {
    struct weiri_table lines;
};

/** Keeps the @bytes from @address on, which are about to be written; they may be
 *  unmapped. May be called by an item. */
void weiri_write_log_keep(struct weiri_write_log *log, const char *address,
                          size_t bytes);

/** Restores all bytes that are kept. */
void weiri_write_log_restore(const struct weiri_write_log *log);

void weiri_write_log_clear(struct weiri_write_log *log);

#endif
