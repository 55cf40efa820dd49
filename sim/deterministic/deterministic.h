/* SPDX-License-Identifier: MIT
 *
 * deterministic.h: launches whose items take steps in an order that a schedule decides,
 * on one thread. */
#ifndef WEIRI_DETERMINISTIC_H
#define WEIRI_DETERMINISTIC_H

struct weiri_worker;

/** Runs the worker's launch; called on the thread's own stack. */
void weiri_deterministic_run(struct weiri_worker *worker);

#endif
