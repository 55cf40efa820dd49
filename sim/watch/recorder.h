/* SPDX-License-Identifier: MIT
 *
 * recorder.h: an observer that keeps all events of a launch, as a timeline. It judges
 * nothing. */
#ifndef WEIRI_RECORDER_H
#define WEIRI_RECORDER_H

#include "exec/event.h"
#include "exec/finding.h"
#include "watch/timeline.h"

struct weiri_recorder;

/** @now: steps that the launch has begun, where that number is kept; borrowed.
 *  @most: events to keep; 0: no limit */
struct weiri_recorder *weiri_recorder_new(const struct weir_kernel *kernel,
                                          const struct weiri_shape *shape,
                                          size_t n_groups, enum weir_scope_rule rule,
                                          const uint64_t *const *now, uint64_t most);

/** The record, with its names and lines; call it while the launch's objects exist.
 *  Frees the recorder. Returns: (transfer full) */
struct weiri_timeline *weiri_recorder_end(struct weiri_recorder *recorder,
                                          const struct weiri_symbols *symbols);

enum weiri_verdict weiri_recorder_event(void *self, const struct weiri_event *event);

/** It is the first observer: an access that another one forbids is recorded, too. */
#define WEIRI_RECORDER_OBSERVER(self)                                                  \
    {                                                                                  \
        weiri_recorder_event, (self),                                                  \
            WEIRI_EVENT_BIT(GROUP_BEGIN) | WEIRI_EVENT_BIT(GROUP_END)                  \
            | WEIRI_EVENT_BIT(ITEM_BEGIN) | WEIRI_EVENT_BIT(ITEM_END)                  \
            | WEIRI_EVENT_BIT(ARRIVE) | WEIRI_EVENT_BIT(RELEASE)                       \
            | WEIRI_EVENT_BIT(ATOMIC) | WEIRI_EVENT_BIT(ATOMIC_DONE)                   \
            | WEIRI_EVENT_BIT(LOCAL_ARRAY) | WEIRI_EVENT_BIT(ACCESS)                   \
    }

#endif
