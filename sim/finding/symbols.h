/* SPDX-License-Identifier: MIT
 *
 * symbols.h: which questions about the source of the program the machine and its
 * observers ask. Those that ask do not look anything up: report/symbol.c has the
 * answers. */
#ifndef WEIRI_SYMBOLS_H
#define WEIRI_SYMBOLS_H

#include "weir.h"

/* Functions that look up places in the source; each may be %NULL. @pc: a return
 * address */
struct weiri_symbols {
    size_t (*frames)(const void *pc, struct weir_frame *frames, size_t most);
    const char *(*source)(const char *file, uint32_t line); /* interned, or NULL */
    /* A number for the place of a call; 0: it has no line. */
    uint32_t (*place)(const void *pc);
    /* Returns: the line, and the file of it; 0 where it is not known */
    uint32_t (*line)(const void *pc, const char **file);
    bool (*same_line)(const void *a, const void *b); /* and one chain of calls */
    bool (*in_kernel)(const void *pc); /* not in the loop around its body */
};

#endif
