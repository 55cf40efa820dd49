/* SPDX-License-Identifier: MIT
 *
 * leave.c: see leave.h. */
#include "config.h"

#include "exec/leave.h"

#include "exec/mode.h"

_Noreturn void weiri_leave_from(struct weiri_worker *worker, uint32_t stack,
                                enum weiri_stop_kind kind)
{
    worker->inside = 0;
    weiri_mode_end_item(worker, stack, kind);
}

_Noreturn void weiri_leave(struct weiri_worker *worker, enum weiri_stop_kind kind)
{
    weiri_leave_from(
        worker, weiri_stacks_find(&worker->stacks, __builtin_frame_address(0), NULL),
        kind);
}
