/* SPDX-License-Identifier: MIT
 *
 * algo.h: what the group algorithms compute, once everybody has arrived. */
#ifndef WEIRI_ALGO_H
#define WEIRI_ALGO_H

#include "weir-kernel.h"

/* The bits that an item gets whose source is none. */
#define WEIRI_ALGO_POISON 0xa5a5a5a5a5a5a5a5

/**
 * weiri_algo:
 * @op: kind, type and argument; see WEIRI_OP()
 * @values: (inout): in order of id: what each item gave, then what it gets
 * @sources: for a shuffle, the id that each item asked for; else unused
 * @n: items
 *
 * Floats are added in order of id. An item whose source lies outside gets the
 * poison value.
 *
 * Returns: the least item whose source lies outside, or @n
 */
size_t weiri_algo(uint64_t op, union weiri_value *values, const size_t *sources,
                  size_t n);

#endif
