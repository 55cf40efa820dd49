/* SPDX-License-Identifier: MIT
 *
 * ring.h: the floor for a barrier of coroutines: a ring of stacks where each
 * turn adds to one number in memory and switches to the next. Registers lie in
 * a dense array, tops of stacks are staggered, and nothing decides anything. */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include <stddef.h>

/** Median-free: one measurement, in ns a switch, of @items stacks of 16 KiB. */
double ring_ns_a_switch(size_t items, int rounds);

#endif
