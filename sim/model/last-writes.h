/* SPDX-License-Identifier: MIT
 *
 * last-writes.h: memory where writes are ordered in part, as in PTX: a location has all
 * writes that no other one is known to come after, and a read returns any of them. */
#ifndef WEIRI_LAST_WRITES_H
#define WEIRI_LAST_WRITES_H

#include "model/program.h"

enum {
    WEIRI_LAST_MOST = 64,      /* writes of all locations, members of sets of 64 */
    WEIRI_LAST_THREADS = 64,   /* likewise, and */
    WEIRI_LAST_NO_THREAD = 64, /* of the initial values */
};

enum weiri_last_kind { WEIRI_LAST_WEAK, WEIRI_LAST_STRONG, WEIRI_LAST_RELEASE };

/**
 * weiri_last_write: a write in the list of its location
 * @kind: a strong one is atomic, with that @scope
 * @knows: the set of writes that its thread knew
 *
 * It has no padding, since states are compared as bytes.
 */
struct weiri_last_write {
    uint32_t location, thread;
    uint32_t proxy, reference;
    uint32_t kind, scope;
    int64_t value;
    uint64_t knows;
};

/**
 * weiri_last_writes: the lists of all locations, sorted by location, thread, proxy and
 * reference
 * @fences: the set of writes that are known at seq_cst fences
 * @knows: by thread: the set of writes that it knows
 */
struct weiri_last_writes {
    uint32_t n;
    uint64_t fences;
    uint64_t knows[WEIRI_LAST_THREADS];
    struct weiri_last_write writes[WEIRI_LAST_MOST + 1];
};

/** @causal: writes that causality may order are ordered; see last-writes.c */
struct weiri_last_rules {
    const struct weiri_program *program;
    bool causal;
};

/** Sets initial values. Returns: false if there are too many locations */
bool weiri_last_start(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last);

/** Returns: how many writes the location has to read from */
uint32_t weiri_last_count(const struct weiri_last_writes *last, uint32_t location);

/** Returns: the value of one of them. @choice: below their number */
int64_t weiri_last_value(const struct weiri_last_writes *last, uint32_t location,
                         uint32_t choice);

/** A read of the thread. @choice: below the number of writes. Returns: the value */
int64_t weiri_last_read(const struct weiri_last_rules *rules,
                        struct weiri_last_writes *last, uint32_t thread,
                        const struct weiri_step *step, uint32_t choice);

/** A write of the thread. Returns: false if there are too many */
bool weiri_last_write(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last, uint32_t thread,
                      const struct weiri_step *step, int64_t value);

/** A fence of the thread. */
void weiri_last_fence(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last, uint32_t thread,
                      const struct weiri_step *step);

/** Threads leave barriers. @others: by thread: the set of those from which it learns */
void weiri_last_meet(const struct weiri_last_rules *rules,
                     struct weiri_last_writes *last, const uint64_t *others);

#endif
