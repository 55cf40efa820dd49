/* SPDX-License-Identifier: MIT
 *
 * write-log.c: see write-log.h. A table of lines of memory by address, each with the
 * bytes of it that were written. A byte is kept once, as it was before its first
 * write. */
#include "config.h"

#include "watch/write-log.h"

#include <glib.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

/* Bytes of a line: a bit of a word tells of each. */
enum { LINE = 64 };
/* A power of two. */
enum { LEAST_LINES = 64 };

struct weiri_write_log_line {
    uintptr_t at;  /* a multiple of LINE; 0: this entry is free */
    uint64_t kept; /* a bit a byte */
    char before[LINE];
};

/* Memory that a kernel is about to write may not be there: the system looks. Where it
 * does not let itself be asked, nothing is kept. */
static bool is_readable(uintptr_t at)
{
    char byte;
    const struct iovec here = { &byte, 1 }, there = { (void *)at, 1 };
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static struct weiri_write_log_line *line_at(const struct weiri_write_log *undo,
                                            uintptr_t at)
{
    size_t i = (at / LINE * 0x9e3779b97f4a7c15) >> 20 & undo->mask;
    while (undo->lines[i].at != 0 && undo->lines[i].at != at) {
        i = (i + 1) & undo->mask;
    }
    return &undo->lines[i];
}

static void grow(struct weiri_write_log *undo)
{
    struct weiri_write_log_line *old = undo->lines;
    size_t n = old != NULL ? undo->mask + 1 : 0;
    undo->mask = MAX(2 * n, LEAST_LINES) - 1;
    undo->lines = g_new0(struct weiri_write_log_line, undo->mask + 1);
    for (size_t i = 0; i < n; i++) {
        if (old[i].at != 0) {
            *line_at(undo, old[i].at) = old[i];
        }
    }
    g_free(old);
}

void weiri_write_log_keep(struct weiri_write_log *undo, const char *address,
                          size_t bytes)
{
    uintptr_t end = (uintptr_t)address + bytes;
    for (uintptr_t at = (uintptr_t)address; at < end; at = at / LINE * LINE + LINE) {
        if (2 * (undo->n + 1) > undo->mask) {
            grow(undo);
        }
        struct weiri_write_log_line *line = line_at(undo, at / LINE * LINE);
        if (line->at == 0) {
            if (!is_readable(at)) {
                return; /* the access faults */
            }
            line->at = at / LINE * LINE;
            undo->n++;
        }
        for (uintptr_t i = at % LINE; i < LINE && line->at + i < end; i++) {
            if ((line->kept >> i & 1) == 0) {
                line->kept |= (uint64_t)1 << i;
                line->before[i] = *(const char *)(line->at + i);
            }
        }
    }
}

static void put_back(const struct weiri_write_log_line *line)
{
    for (size_t i = 0; i < LINE; i++) {
        if ((line->kept >> i & 1) != 0) {
            *(char *)(line->at + i) = line->before[i];
        }
    }
}

void weiri_write_log_all(const struct weiri_write_log *undo)
{
    for (size_t i = 0; undo->lines != NULL && i <= undo->mask; i++) {
        put_back(&undo->lines[i]);
    }
}

void weiri_write_log_clear(struct weiri_write_log *undo)
{
    g_clear_pointer(&undo->lines, g_free);
    undo->n = undo->mask = 0;
}
