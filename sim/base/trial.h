/* SPDX-License-Identifier: MIT
 *
 * trial.h: a program that `weir check` has built with several changes of its
 * source, each of which takes effect where WEIR_TRIAL is its number: see fix/choice.h.
 *
 * Threads: any. */
#ifndef WEIRI_BASE_TRIAL_H
#define WEIRI_BASE_TRIAL_H

/** Whether the process tries that change. A kernel that calls it makes no step. */
int weiri_trial(int number);

#endif
