/* SPDX-License-Identifier: MIT
 *
 * algo.h: computes the group algorithms, once all items have arrived. */
#ifndef WEIRI_ALGO_H
#define WEIRI_ALGO_H

#include "weir-kernel.h"

/* The bits that an item gets if its source does not exist. */
#define WEIRI_ALGO_POISON 0xa5a5a5a5a5a5a5a5

/**
 * weiri_algo:
 * @op: kind, type and argument; see WEIRI_OP()
 * @values: (inout): by id: the argument of each item, then its result
 * @sources: for a shuffle, the source of each item; else unused
 * @n: items
 *
 * Floats are added in order of id. An item whose source does not exist gets the poison
 * value.
 *
 * Returns: the first item whose source does not exist, or @n
 */
size_t weiri_algo(uint64_t op, union weiri_value *values, const size_t *sources,
                  size_t n);

/** Where values are moved, the source of item @i of n. It does not exist if it is n or
 *  more. */
size_t weiri_algo_source(uint64_t op, const size_t *sources, size_t i);

#endif
