/* SPDX-License-Identifier: MIT
 *
 * fan-out.c: see fan-out.h. Each function of an observer is called by its name: a call
 * by a pointer for each of them would cost more than most of them do. */
#include "config.h"

#include "watch/fan-out.h"

#include "watch/bounds.h"
#include "watch/race.h"
#include "watch/shadow.h"
#include "watch/uninit.h"

enum weiri_verdict weiri_fan_out_access(void *self, const struct weiri_event *event)
{
    struct weiri_plain *plain = self;
    if (weiri_bounds_event(plain->bounds, event) != WEIRI_GOES_ON) {
        return WEIRI_ABANDON;
    }
    (void)weiri_race_access(plain->race, event);
    (void)weiri_uninit_access(plain->uninit, event);
    weiri_plain_learn(plain, event);
    return WEIRI_GOES_ON;
}

static __attribute__((noinline)) enum weiri_verdict pass_on(
    const struct weiri_plain *plain, const struct weiri_event *event)
{
    if (weiri_bounds_event(plain->bounds, event) != WEIRI_GOES_ON) {
        return WEIRI_ABANDON;
    }
    (void)weiri_race_prefetch(plain->race, event);
    return weiri_uninit_atomic(plain->uninit, event);
}

enum weiri_verdict weiri_fan_out_atomic(void *self, const struct weiri_event *event)
{
    const struct weiri_plain *plain = self;
    const struct weiri_object *object = event->object;
    unsigned access = weiri_plain_access_of(event->atomic->kind);
    if (object == NULL || access == 0
        || ((uintptr_t)event->address & (event->bytes - 1)) != 0) {
        return pass_on(plain, event);
    }
    size_t offset = (uintptr_t)event->address - (uintptr_t)object->start;
    if (!weiri_bounds_allows(plain->bounds, object, offset, event->bytes,
                             event->group->shape.group_linear, access)
        || !weiri_uninit_takes(object, offset, event->bytes, access)) {
        return pass_on(plain, event);
    }
    weiri_shadows_prefetch(object, offset);
    return WEIRI_GOES_ON;
}

enum weiri_verdict weiri_fan_out_atomic_done(void *self,
                                             const struct weiri_event *event)
{
    struct weiri_plain *plain = self;
    (void)weiri_race_atomic(plain->race, event);
    weiri_plain_learn(plain, event);
    return WEIRI_GOES_ON;
}
