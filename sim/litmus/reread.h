/* SPDX-License-Identifier: MIT
 *
 * reread.h: plain reads of a location before and after an acquiring read, of which a
 * compiler may drop the second: seen with CUDA 13.0 on an H200, also if the acquiring
 * read is of another location. */
#ifndef WEIRI_LITMUS_REREAD_H
#define WEIRI_LITMUS_REREAD_H

#include "litmus/code.h"

/* The lines of the three reads. */
struct weiri_litmus_reread {
    uint32_t thread, location;
    uint32_t first, acquire, again;
};

/** Returns: whether the test has such reads; the first ones in @found (out) */
bool weiri_litmus_find_reread(const struct weiri_litmus *test,
                              struct weiri_litmus_reread *found);

#endif
