/* SPDX-License-Identifier: MIT
 *
 * combine.h: additions of weir_atomic_add() that a worker puts off, so that a word
 * which items of many groups add to need not go from core to core for each of them.
 *
 * An addition is put off only where nothing but an operation of the same worker's items
 * could show it. It has relaxed order, device scope and no result, so that only the
 * item's next operations order it:
 *
 *   - Atomics, fences and rendezvous publish the additions that were put off, before
 *     they begin. Those of C11 cannot: they are inline, and weir_atomic_add() says so.
 *   - A plain access of that word cannot be seen. So the first addition to a word is
 *     done at once, and those after it are put off only if they are another item's.
 *     Since the first one nothing has been published, so no item has synchronised, and
 *     the additions of these two items are not ordered. A plain access of any
 *     item, until the next synchronisation, is not ordered with one of them: it is a
 *     data race, of which the language says nothing. As long as one item alone adds to
 *     a word, it may read it, and nothing is put off.
 *
 * Another worker's items see the addition later. How much later is bounded by a number
 * of additions and of groups, and by the end of the launch, so that an item that waits
 * for the word goes on.
 *
 * The machine gives this up for the rest of a launch on a worker
 *
 *   - where an item parks: other items then run between two of its operations, and a
 *     barrier that all meet at takes paths that publish nothing;
 *   - where more additions are done than put off: then it costs more than it saves.
 *
 * Additions are not put off in stackless entries, whose atomics do not ask; in group
 * kernels, in which the end of a loop over items orders them and calls nothing; with
 * one worker, whose additions have no lock prefix; and in launches that are watched. */
#ifndef WEIRI_COMBINE_H
#define WEIRI_COMBINE_H

#include "exec/worker.h"

/** Sets weiri_self for a launch that begins on this thread. */
void weiri_combine_start(struct weiri_worker *worker, bool watched);

/** The running group has ended. @cancelled: by force */
void weiri_combine_end_group(bool cancelled);

/** The latest addition that was put off is to be done now, for its result is used after
 *  all. Publishes. Returns: what was in @word before it */
uint64_t weiri_combine_old(void *word, uint64_t value, uint32_t bytes);

/** Publishes, and puts nothing off for the rest of the launch. */
void weiri_combine_stop(void);

#endif
