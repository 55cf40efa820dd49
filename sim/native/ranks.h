/* SPDX-License-Identifier: MIT
 *
 * ranks.h: an exploration that the ranks of an exchange make together: each runs the
 * same launch in a process of its own, and takes its part of each round. */
#ifndef WEIRI_NATIVE_RANKS_H
#define WEIRI_NATIVE_RANKS_H

#include "base/exchange.h"
#include "native/program.h"

/**
 * weiri_ranks_gather:
 * @own: (transfer full) (element-type GBytes): what the processes of this rank have
 *       found; anything if native->failure says that one of them has none
 *
 * All ranks get what all have found. If that fails in one of them, it fails in all, and
 * native->failure says why.
 *
 * Returns: (transfer full) (element-type GBytes): in the order of ranks; or %NULL
 */
GPtrArray *weiri_ranks_gather(const struct weiri_exchange *exchange,
                              struct weiri_native *native, GPtrArray *own);

/**
 * weiri_ranks_agree:
 * @late: the time of this rank is over
 *
 * At the end of a round of the exploration: the ranks have to go on in the same way.
 * If they have not learned the same, or one has failed, native->failure states this.
 *
 * Returns: whether the time of one of them is over
 */
bool weiri_ranks_agree(const struct weiri_exchange *exchange,
                       struct weiri_native *native, bool late);

#endif
