/* SPDX-License-Identifier: MIT
 *
 * stall.h: fast launches that make no progress: their items wait for something that
 * does not come. A thread that looks at the running launch a few times a second reports
 * them; a launch itself pays two stores. */
#ifndef WEIRI_STALL_H
#define WEIRI_STALL_H

#include "exec/launch.h"

#include <pthread.h>

/* The places that one report names, at most. */
enum { WEIRI_STALL_MOST_PLACES = 4 };

/**
 * weiri_stall_place:
 * @pc: a return address in the kernel, or %NULL where it is not known
 * @group: linear; the first that has an item there
 * @item: the first of that group, or %WEIRI_STALL_SOME_ITEM
 * @n_groups: that have items there
 */
struct weiri_stall_place {
    const void *pc;
    size_t group;
    size_t item;
    size_t n_groups;
};
#define WEIRI_STALL_SOME_ITEM ((size_t)-1)

/** A fast launch begins, on this thread, and ends. Launches never run at once. */
void weiri_stall_begin(const struct weiri_launch *launch);
void weiri_stall_end(const struct weiri_launch *launch);

/** A thread of the pool has started: it may run items of later launches. */
void weiri_stall_add_thread(pthread_t thread);

/** In a child process, which has only the thread that forked. */
void weiri_stall_forget(void);

#endif
