/* SPDX-License-Identifier: MIT
 *
 * stack.h: a pool of stacks for coroutines, one pool a worker thread.
 *
 * All are in one reservation of address space. A stack is made accessible when it is
 * first acquired, and its pages are allocated when they are touched, so that a pool
 * costs only the memory that was used:
 *
 *   base                stride                 2 * stride
 *   | guard, 64 KiB+ | stack ........ colour | guard | stack ...
 *
 * The stack grows down towards its guard. Two measures keep the live ends of
 * neighbours out of each other's cache sets: tops are staggered by 128 bytes
 * (colour), and the stride is an odd number of pages.
 *
 * Threads: a pool belongs to one thread at a time. */
#ifndef WEIRI_STACK_H
#define WEIRI_STACK_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEIRI_NO_STACK = UINT32_MAX };

struct weiri_stacks {
    char *base;         /* the reservation, or NULL */
    size_t stride;      /* bytes from one guard to the next */
    size_t guard_bytes; /* inaccessible bytes under each stack */
    size_t stack_bytes; /* what an item may use, at least */
    uint32_t capacity;  /* stacks that fit */
    uint32_t n_mapped;  /* stacks acquired at least once: 0 to n_mapped - 1 */
    uint32_t n_free;    /* entries of @free */
    uint32_t *free;     /* mapped stacks not in use, the last released last */
    unsigned *valgrind; /* valgrind's id of each mapped stack */
};

/**
 * weiri_stacks_init:
 * @stack_bytes: of each, rounded up to pages
 * @capacity: stacks, at most
 * @reason: (out): why the system refused, static or from strerror()
 */
bool weiri_stacks_init(struct weiri_stacks *stacks, size_t stack_bytes,
                       uint32_t capacity, const char **reason);
void weiri_stacks_clear(struct weiri_stacks *stacks);

/** A stack not in use; %WEIRI_NO_STACK at capacity or if mapping fails. */
uint32_t weiri_stacks_acquire(struct weiri_stacks *stacks);

/** Gives back a stack. The caller may still run on it until the next acquire. */
void weiri_stacks_release(struct weiri_stacks *stacks, uint32_t id);

/** The lowest byte and the length of a stack, for a coroutine that starts on it. */
void *weiri_stacks_bounds(const struct weiri_stacks *stacks, uint32_t id,
                          size_t *bytes);

/** Zeroes at most @most_bytes bytes at the top of a stack that is not in use. */
void weiri_stacks_clean(const struct weiri_stacks *stacks, uint32_t id,
                        size_t most_bytes);

/**
 * weiri_stacks_find:
 * @in_guard: (out) (nullable): whether the address lies in that stack's guard
 *
 * Returns: the stack whose memory or guard holds @address, or %WEIRI_NO_STACK
 */
uint32_t weiri_stacks_find(const struct weiri_stacks *stacks, const void *address,
                           bool *in_guard);

#endif
