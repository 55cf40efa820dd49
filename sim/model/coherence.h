/* SPDX-License-Identifier: MIT
 *
 * coherence.h: the possible orders of the writes of one location, given the reads and
 * writes of each thread. A thread moves through the values of the location in
 * modification order: each access is at the initial value or at a write, and the next
 * access is never at an earlier one. A read-modify-write writes directly after the
 * write that it reads.
 *
 * So some writes must come before others. The remaining orders are exactly those in
 * which sb, rf, mo and rb agree on the location and read-modify-writes are atomic. */
#ifndef WEIRI_COHERENCE_H
#define WEIRI_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* More writes have more orders than can be tried. A set of writes is a word. */
enum { WEIRI_COHERENCE_WRITES = 64 };

/* The place of an access: the initial value, or the number of a write plus 1. */
enum { WEIRI_AT_INITIAL };

/**
 * weiri_coherence:
 * @before: by write: the writes that must come before it
 * @next: by place: the write that must come directly after it, plus 1; or 0
 */
struct weiri_coherence {
    uint32_t n;
    uint64_t before[WEIRI_COHERENCE_WRITES];
    uint32_t next[WEIRI_COHERENCE_WRITES + 1];
};

/** Begins with @n writes in any order. */
void weiri_coherence_begin(struct weiri_coherence *coherence, uint32_t n);

/** A thread moves from the place @from to @to; @writes: by a write of its own. Returns:
 *  false if no order is left */
bool weiri_coherence_go(struct weiri_coherence *coherence, uint32_t from, uint32_t to,
                        bool writes);

/** A read-modify-write reads at @read and writes at @write. Returns: false if
 *  no order is left */
bool weiri_coherence_attach(struct weiri_coherence *coherence, uint32_t read,
                            uint32_t write);

/** Ends the constraints. @before is then closed: the orders that are left are those
 *  which agree with it and with @next. Returns: false if there are none */
bool weiri_coherence_end(struct weiri_coherence *coherence);

/** Whether @write, a number, may follow @place and precede all other writes
 *  in @left. */
bool weiri_coherence_may_follow(const struct weiri_coherence *coherence, uint32_t place,
                                uint32_t write, uint64_t left);

#endif
