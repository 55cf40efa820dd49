/* SPDX-License-Identifier: MIT
 *
 * write-log.c: see write-log.h. A table of lines of memory by address, each with the
 * bytes of it that were written. A byte is kept once, as it was before its first
 * write. */
#include "config.h"

#include "watch/write-log.h"

#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

/* Bytes of a line: a bit a byte fits a word. */
enum { LINE = 64 };
enum { FIRST_LINES = 64 };

struct line {
    uintptr_t at;  /* a multiple of LINE; the key */
    uint64_t kept; /* a bit a byte */
    char before[LINE];
};

/* The memory may be unmapped, so the system is asked. Where it does not allow that,
 * nothing is kept. */
static bool is_readable(uintptr_t at)
{
    char byte;
    const struct iovec here = { &byte, 1 }, there = { (void *)at, 1 };
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

/* The line of @at, which is added if it is missing; NULL if it is unmapped. */
static struct line *line_of(struct weiri_table *lines, uintptr_t at)
{
    uintptr_t start = at / LINE * LINE;
    uint32_t index
        = weiri_table_find(lines, &start, sizeof(struct line), sizeof(start));
    if (index == 0) {
        if (!is_readable(at)) {
            return NULL;
        }
        struct line line = { .at = start };
        index = weiri_table_add(lines, &line, sizeof(line), sizeof(start));
    }
    return weiri_table_at(lines, index, sizeof(struct line));
}

void weiri_write_log_keep(struct weiri_write_log *log, const char *address,
                          size_t bytes)
{
    uintptr_t end = (uintptr_t)address + bytes;
    if (log->lines.entries == NULL) {
        weiri_table_init(&log->lines, FIRST_LINES, sizeof(struct line));
    }
    for (uintptr_t at = (uintptr_t)address; at < end; at = at / LINE * LINE + LINE) {
        struct line *line = line_of(&log->lines, at);
        if (line == NULL) {
            return; /* the access faults */
        }
        for (uintptr_t i = at % LINE; i < LINE && line->at + i < end; i++) {
            if ((line->kept >> i & 1) == 0) {
                line->kept |= (uint64_t)1 << i;
                line->before[i] = *(const char *)(line->at + i);
            }
        }
    }
}

void weiri_write_log_restore(const struct weiri_write_log *log)
{
    for (uint32_t index = 1; index < log->lines.n; index++) {
        const struct line *line
            = weiri_table_at(&log->lines, index, sizeof(struct line));
        for (size_t i = 0; i < LINE; i++) {
            if ((line->kept >> i & 1) != 0) {
                *(char *)(line->at + i) = line->before[i];
            }
        }
    }
}

void weiri_write_log_clear(struct weiri_write_log *log)
{
    weiri_table_clear(&log->lines);
    *log = (struct weiri_write_log){ 0 };
}
