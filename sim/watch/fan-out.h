/* SPDX-License-Identifier: MIT
 *
 * fan-out.h: the observer of the accesses of a checked launch. It passes each of them
 * to the observers of bounds, races and unwritten memory, and makes its place known to
 * the shortcut (plain.h), which the next access from there may take. */
#ifndef WEIRI_FAN_OUT_H
#define WEIRI_FAN_OUT_H

#include "exec/event.h"
#include "watch/plain.h"

/** Observer functions; @self is the struct weiri_plain, which has the observers. */
enum weiri_verdict weiri_fan_out_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_fan_out_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_fan_out_atomic_done(void *self,
                                             const struct weiri_event *event);

#define WEIRI_FAN_OUT_OBSERVERS(self)                                                  \
    { weiri_fan_out_access, (self), WEIRI_EVENT_BIT(ACCESS) },                         \
        { weiri_fan_out_atomic, (self), WEIRI_EVENT_BIT(ATOMIC) },                     \
    {                                                                                  \
        weiri_fan_out_atomic_done, (self), WEIRI_EVENT_BIT(ATOMIC_DONE)                \
    }

#endif
