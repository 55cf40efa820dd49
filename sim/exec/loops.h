/* SPDX-License-Identifier: MIT
 *
 * loops.h: which loops of the source an address is in: the statements `for`, `while`
 * and `do` around its line, and around the lines of the calls that led there, inlined
 * calls too.
 *
 * A loop is a number, which stands for its statement on one path of calls: a function
 * that is called at two lines has each of its loops twice. Numbers are in the order of
 * asking.
 *
 * Threads: one. Stack: looks up symbols, so never the stack of an item. */
#ifndef WEIRI_LOOPS_H
#define WEIRI_LOOPS_H

#include "base/backtrace.h"
#include "weir.h"

enum {
    WEIRI_LOOP_NONE = 0,            /* no loop */
    WEIRI_LOOP_UNKNOWN = UINT32_MAX /* the line, or the source, is not known */
};

struct weiri_loops;

/**
 * weiri_loops_new:
 * @frames: the calls that a return address lies in, as weiri_symbol_frames()
 * @text: the text of a file, or %NULL, as weiri_symbol_text()
 */
struct weiri_loops *weiri_loops_new(
    size_t (*frames)(const void *pc, struct weir_frame *frames, size_t most),
    const char *(*text)(const char *file, size_t *bytes));

/** %NULL is allowed. */
void weiri_loops_free(struct weiri_loops *loops);

/** The innermost loop around the innermost of @calls, or one of the constants. */
uint32_t weiri_loops_at(struct weiri_loops *loops, const struct weiri_backtrace *calls);

/** Whether lines were looked for and none was found: the program has no debug
 *  information. */
bool weiri_loops_are_lost(const struct weiri_loops *loops);

/** The next loop around a loop, or %WEIRI_LOOP_NONE. */
uint32_t weiri_loops_around(const struct weiri_loops *loops, uint32_t loop);

#endif
