/* SPDX-License-Identifier: MIT
 *
 * trial.h: a program that `weir check` has built with several changes of its source. A
 * change takes effect if its number is WEIR_TRIAL. Memory whose size a run chooses
 * takes the size from WEIR_TRIAL_MORE: see repair/choice.h.
 *
 * Threads: any. */
#ifndef WEIRI_BASE_TRIAL_H
#define WEIRI_BASE_TRIAL_H

#include <stddef.h>

/** Sizes that a run chooses, at most. */
enum { WEIRI_TRIAL_SIZES = 4 };

/** Whether the process tries that change. A kernel that calls it makes no step. */
int weiri_trial(int number);

/** The number of elements that the process adds to memory number @size, from 1: in
 *  WEIR_TRIAL_MORE, "4,12", the one at that place. Like weiri_trial(). */
size_t weiri_trial_more(int size);

#endif
