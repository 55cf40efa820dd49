/* SPDX-License-Identifier: MIT
 *
 * hookless.h: an observer that notices memory which a kernel changes without a hook: by
 * an asm statement, by a function of the C library that is not wrapped, by a store that
 * the compiler does not instrument. No check sees such a write, so a launch that makes
 * one is not checked as a whole.
 *
 * It knows the memory of the device, the local arrays and the program's statics as the
 * latest hooks left them. A write is missed where it changes nothing, or where hooked
 * accesses surround it: of a static variable one before the first of them, of a local
 * array one after the last barrier. */
#ifndef WEIRI_HOOKLESS_H
#define WEIRI_HOOKLESS_H

#include "exec/event.h"

struct weiri_hookless;

/**
 * weiri_hookless_new:
 * @audience: of the launch. Its accesses must have no shortcut before @shortcut is put
 *            there, which happens when looking at more events would cost too much
 * @whole: it is the run to look at closely; in others it looks only at the first
 *         accesses, and only at little memory
 *
 * Returns: (nullable): %NULL where there is too much memory, or where other threads of
 *          the process could write it
 */
struct weiri_hookless *weiri_hookless_new(const struct weiri_objects *objects,
                                          struct weiri_audience *audience,
                                          const struct weiri_shortcut *shortcut,
                                          bool whole);
void weiri_hookless_free(struct weiri_hookless *hookless);

/** Observer function; @self is the struct weiri_hookless. */
enum weiri_verdict weiri_hookless_event(void *self, const struct weiri_event *event);

#define WEIRI_HOOKLESS_OBSERVER(self)                                                  \
    {                                                                                  \
        weiri_hookless_event, (self),                                                  \
            WEIRI_EVENT_BIT(ACCESS) | WEIRI_EVENT_BIT(ATOMIC)                          \
            | WEIRI_EVENT_BIT(LOCAL_ARRAY) | WEIRI_EVENT_BIT(RELEASE)                  \
            | WEIRI_EVENT_BIT(ITEM_END)                                                \
    }

/** After the launch. @hookless: may be %NULL. Returns: (transfer full): what is
 *  not seen, as weiri_unhooked() words it; or %NULL */
char *weiri_hookless_report(struct weiri_hookless *hookless,
                            const struct weiri_objects *objects);

#endif
