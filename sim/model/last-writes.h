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
 * @told_scope: of the last release fence of its thread before it
 * @knows: the set of writes that its thread knew, and
 * @told: at that fence; only where surely ordered writes are asked for
 *
 * It has no padding, since states are compared as bytes: so @unused is 0.
 */
struct weiri_last_write {
    uint32_t location, thread;
    uint32_t proxy, reference;
    uint32_t kind, scope;
    uint32_t told_scope, unused;
    int64_t value;
    uint64_t knows, told;
};

/* How far apart two threads are: in one CTA, cluster, device or system. */
enum { WEIRI_LAST_DISTANCES = 4 };

/**
 * weiri_last_messages: of a thread, by fences
 * @told_scope: of its last release fence, and
 * @told: the set of writes that it knew there
 * @heard: by the distance of the writer: the set of writes that messages have told it,
 *         which it knows from the next acquire fence on whose scope is that wide
 */
struct weiri_last_messages {
    uint64_t told_scope, told;
    uint64_t heard[WEIRI_LAST_DISTANCES];
};

/**
 * weiri_last_writes: the lists of all locations, sorted by location, thread, proxy and
 * reference
 * @fences: the set of writes that are known at seq_cst fences
 * @knows: by thread: the set of writes that it knows
 * @messages: by thread; only where surely ordered writes are asked for
 */
struct weiri_last_writes {
    uint32_t n;
    uint64_t fences;
    uint64_t knows[WEIRI_LAST_THREADS];
    struct weiri_last_messages messages[WEIRI_LAST_THREADS];
    struct weiri_last_write writes[WEIRI_LAST_MOST + 1];
};

/** @causal: writes that causality may order are ordered; see last-writes.c
 *  @sc_fences_order: a seq_cst fence is also a release and an acquire fence */
struct weiri_last_rules {
    const struct weiri_program *program;
    bool causal, sc_fences_order;
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
