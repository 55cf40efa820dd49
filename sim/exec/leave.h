/* SPDX-License-Identifier: MIT
 *
 * leave.h: the running item goes no further, and its group ends. */
#ifndef WEIRI_LEAVE_H
#define WEIRI_LEAVE_H

#include "exec/stop.h"

struct weiri_worker;

/** Called on the item's own stack. */
_Noreturn void weiri_leave(struct weiri_worker *worker, enum weiri_stop_kind kind);

/** Called in the handler of a signal: the item on @stack is over. */
_Noreturn void weiri_leave_from(struct weiri_worker *worker, uint32_t stack,
                                enum weiri_stop_kind kind);

#endif
