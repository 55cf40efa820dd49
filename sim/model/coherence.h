/* SPDX-License-Identifier: MIT
 *
 * coherence.h: in which orders the writes of one location may come, by what each thread
 * does with it. A thread goes through the location's values in modification order: its
 * accesses stand at the initial value or at a write, and from one access to the next it
 * never goes back. An update, besides, writes directly behind what it reads.
 *
 * So some writes must come before others. Orders that are left are exactly those in
 * which sb, rf, mo and rb agree on the location, and updates are atomic. */
#ifndef WEIRI_COHERENCE_H
#define WEIRI_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* More have more orders than there is time for; sets of writes are words. */
enum { WEIRI_COHERENCE_WRITES = 64 };

/* Where an access stands: at the initial value, or at a write, its number plus 1. */
enum { WEIRI_AT_INITIAL };

/**
 * weiri_coherence:
 * @before: by write: those that must come before it
 * @behind: by place: the write that must come directly behind it, plus 1; or 0
 */
struct weiri_coherence {
    uint32_t n;
    uint64_t before[WEIRI_COHERENCE_WRITES];
    uint32_t behind[WEIRI_COHERENCE_WRITES + 1];
};

/** Of @n writes, in any order. */
void weiri_coherence_begin(struct weiri_coherence *coherence, uint32_t n);

/** A thread goes on from the place @from to @to. @writes: that is a write of its own.
 *  Returns: false if there is no such order */
bool weiri_coherence_go(struct weiri_coherence *coherence, uint32_t from, uint32_t to,
                        bool writes);

/** An update that reads at @read writes at @write. Returns: likewise */
bool weiri_coherence_attach(struct weiri_coherence *coherence, uint32_t read,
                            uint32_t write);

/** That was all. Returns: likewise; true does not say that there is one */
bool weiri_coherence_end(struct weiri_coherence *coherence);

/** Whether @write, a number, may come behind the place @behind, before all others that
 *  are @left. */
bool weiri_coherence_may_follow(const struct weiri_coherence *coherence,
                                uint32_t behind, uint32_t write, uint64_t left);

#endif
