/* SPDX-License-Identifier: MIT
 *
 * leave.c: see leave.h. The way out of the item's frames is a switch of stacks, which
 * weiri_mode_end_item() makes: nothing unwinds. An item that faulted was interrupted in
 * the kernel's own code, so the finding is noted here, before its stack is given up. */
#include "config.h"

#include "exec/leave.h"

#include "exec/finding.h"
#include "exec/mode.h"

_Noreturn void weiri_leave_from(struct weiri_worker *worker, uint32_t stack,
                                enum weiri_stop_kind kind)
{
    if (kind == WEIRI_STOP_FAULTED || kind == WEIRI_STOP_OVERFLOWED) {
        const struct weiri_group *group = worker->group;
        const struct weiri_maker item = { group->public.shape.group_linear,
                                          (uint32_t)(size_t)group->public.at, 0 };
        weiri_finding_made(kind == WEIRI_STOP_FAULTED ? WEIR_FINDING_FAULT
                                                      : WEIR_FINDING_STACK_OVERFLOW,
                           &item, NULL);
    }
    worker->inside = 0;
    weiri_mode_end_item(worker, stack, kind);
}

_Noreturn void weiri_leave(struct weiri_worker *worker, enum weiri_stop_kind kind)
{
    weiri_leave_from(
        worker, weiri_stacks_find(&worker->stacks, __builtin_frame_address(0), NULL),
        kind);
}
