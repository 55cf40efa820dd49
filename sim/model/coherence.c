/* SPDX-License-Identifier: MIT
 *
 * coherence.c: see coherence.h. A set of writes is a word of 64 bits, and the writes
 * that must come before each one are closed under transitivity once, at the end. A
 * place in an order is then tested by one mask: all writes that must come before are
 * placed already. */
#include "config.h"

#include "model/coherence.h"

#include <string.h>

void weiri_coherence_begin(struct weiri_coherence *coherence, uint32_t n)
{
    coherence->n = n;
    memset(coherence->before, 0, n * sizeof(coherence->before[0]));
    memset(coherence->behind, 0, (n + 1) * sizeof(coherence->behind[0]));
}

bool weiri_coherence_go(struct weiri_coherence *coherence, uint32_t from, uint32_t to,
                        bool writes)
{
    if (from == to) {
        return !writes; /* the thread cannot have read a value before it writes it */
    }
    if (to == WEIRI_AT_INITIAL) {
        return false;
    }
    if (from != WEIRI_AT_INITIAL) {
        coherence->before[to - 1] |= UINT64_C(1) << (from - 1);
    }
    return true;
}

bool weiri_coherence_attach(struct weiri_coherence *coherence, uint32_t read,
                            uint32_t write)
{
    if (coherence->behind[read] != 0) {
        return false; /* two read-modify-writes have read the same value */
    }
    coherence->behind[read] = write;
    return true;
}

/* Warshall's algorithm. A write that must come before itself has no place. */
bool weiri_coherence_end(struct weiri_coherence *coherence)
{
    uint64_t *before = coherence->before;
    for (uint32_t middle = 0; middle < coherence->n; middle++) {
        for (uint32_t w = 0; w < coherence->n; w++) {
            if ((before[w] >> middle & 1) != 0) {
                before[w] |= before[middle];
            }
        }
    }
    for (uint32_t w = 0; w < coherence->n; w++) {
        if ((before[w] >> w & 1) != 0) {
            return false;
        }
    }
    return true;
}

bool weiri_coherence_may_follow(const struct weiri_coherence *coherence,
                                uint32_t behind, uint32_t write, uint64_t left)
{
    uint32_t next = coherence->behind[behind];
    return (coherence->before[write] & left) == 0 && (next == 0 || next == write + 1);
}
