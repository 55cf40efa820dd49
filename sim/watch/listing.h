/* SPDX-License-Identifier: MIT
 *
 * listing.h: an observer that keeps the act of each step of a launch: the access or the
 * atomic with the memory and its values, or the arrival at a rendezvous. It judges
 * nothing. */
#ifndef WEIRI_LISTING_H
#define WEIRI_LISTING_H

#include "exec/event.h"
#include "exec/finding.h"

struct weiri_listing;

/** @now: steps that the launch has begun, where that number is kept; borrowed.
 *  @most: steps to keep */
struct weiri_listing *weiri_listing_new(const struct weir_kernel *kernel,
                                        const uint64_t *const *now, uint64_t most);
void weiri_listing_free(struct weiri_listing *listing);

enum weiri_verdict weiri_listing_event(void *self, const struct weiri_event *event);

/** It is the last observer: an access that it sees is going to happen. */
#define WEIRI_LISTING_OBSERVER(self)                                                   \
    {                                                                                  \
        weiri_listing_event, (self),                                                   \
            WEIRI_EVENT_BIT(GROUP_END) | WEIRI_EVENT_BIT(ARRIVE)                       \
            | WEIRI_EVENT_BIT(ATOMIC) | WEIRI_EVENT_BIT(ATOMIC_DONE)                   \
            | WEIRI_EVENT_BIT(LOCAL_ARRAY) | WEIRI_EVENT_BIT(ACCESS)                   \
    }

/** Hands the steps to the report, while the launch's objects are there. */
void weiri_listing_report(struct weiri_listing *listing,
                          const struct weiri_symbols *symbols,
                          struct weir_report *report);

#endif
