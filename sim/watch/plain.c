/* SPDX-License-Identifier: MIT
 *
 * plain.c: see plain.h. The shortcut is taken where an item in step with its group
 * makes an aligned access of at most 8 bytes, and each record of the accessed words is
 * one that the access happens after by program order or by the time of the group alone.
 * Then it does what race.c would do: it puts the access in the place of these records.
 *
 * Invariant: the shortcut changes a word in the same way as race.c, or not at all. An
 * access of two words whose second one is not simple has changed the first one; race.c
 * does that again, to no effect. */
#include "config.h"

#include "watch/plain.h"

#include "watch/bounds.h"
#include "watch/order.h"
#include "watch/race-report.h"
#include "watch/race.h"
#include "watch/shadow.h"
#include "watch/uninit.h"

/* Longest access that takes the shortcut. */
enum { MOST_BYTES = 8 };

void weiri_plain_init(struct weiri_plain *plain, struct weiri_bounds *bounds,
                      struct weiri_race *race, struct weiri_uninit *uninit)
{
    *plain = (struct weiri_plain){ .bounds = bounds,
                                   .race = race,
                                   .uninit = uninit,
                                   .order = weiri_race_order(race),
                                   .found = weiri_race_found(race) };
}

static inline struct weiri_plain_place *place_at(struct weiri_plain *plain,
                                                 const void *pc, uint32_t calls)
{
    uintptr_t hash = (uintptr_t)pc ^ (uintptr_t)pc >> 10 ^ calls;
    return &plain->places[hash % WEIRI_PLAIN_PLACES];
}

void weiri_plain_learn(struct weiri_plain *plain, const struct weiri_event *event)
{
    const struct weiri_object *object = event->object;
    unsigned any = WEIRI_ACCESS_BIT_RANGE | WEIRI_ACCESS_BIT_UNALIGNED;
    if (object != NULL && event->bytes <= MOST_BYTES && (event->access & any) == 0) {
        *place_at(plain, event->pc, event->calls) = (struct weiri_plain_place){
            .pc = event->pc,
            .calls = event->calls,
            .number = weiri_race_place(plain->race, event),
            .object = event->object,
            .what = weiri_access_what(event->bytes, event->access),
        };
    }
}

enum weiri_verdict weiri_plain_access(void *self, const struct weiri_event *event)
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

/* ---- The shortcut ---------------------------------------------------------------- */

/* Whether there is no record, or @now, an access at the group's time, happens after it.
 * The records of a crowd are not looked at. */
static inline bool is_after(const struct weiri_record *now,
                            const struct weiri_record *record)
{
    return record->time == 0
        || (record->group == now->group
            && (record->time < now->time
                || (record->owner == now->owner
                    && (record->rest & WEIRI_RECORD_FLAGS) == 0)));
}

/* Whether the same item made the same access at the same time: it was judged then. */
static inline bool repeats(const struct weiri_record *now,
                           const struct weiri_record *record)
{
    return record->group == now->group && record->time == now->time
        && record->owner == now->owner && (record->rest & WEIRI_RECORD_FLAGS) == 0
        && (weiri_record_bytes(now) & ~weiri_record_bytes(record)) == 0;
}

static inline bool read_word(const struct weiri_record *now, struct weiri_cell *cell)
{
    if (repeats(now, &cell->read)) {
        return true;
    }
    bool simple = (cell->read.rest & WEIRI_RECORD_CROWD) == 0
        && is_after(now, &cell->write) && is_after(now, &cell->read)
        && (weiri_record_bytes(&cell->read) & ~now->rest) == 0;
    if (simple) {
        cell->read = *now;
    }
    return simple;
}

static inline bool write_word(const struct weiri_record *now, struct weiri_cell *cell)
{
    if (repeats(now, &cell->write) && cell->read.rest == 0) {
        return true;
    }
    unsigned others = cell->read.rest | cell->write.rest;
    bool simple = (others & WEIRI_RECORD_CROWD) == 0 && is_after(now, &cell->write)
        && is_after(now, &cell->read) && (others & WEIRI_ALL_BYTES & ~now->rest) == 0;
    if (simple) {
        cell->write = *now;
        cell->read = (struct weiri_record){ 0 };
    }
    return simple;
}

bool weiri_plain_takes(void *self, const volatile void *address, uint32_t what,
                       const void *pc, const struct weir_group *group, uint32_t calls)
{
    struct weiri_plain *plain = self;
    const struct weiri_plain_place *place = place_at(plain, pc, calls);
    if (place->pc != pc || ((place->calls ^ calls) | (place->what ^ what)) != 0) {
        return false;
    }
    const struct weiri_object *object = place->object;
    size_t offset = (uintptr_t)address - (uintptr_t)object->start;
    size_t bytes = what >> 8, word = offset / WEIRI_WORD_BYTES;
    size_t index = group->shape.group_linear, item = (size_t)group->at;
    bool two = bytes > WEIRI_WORD_BYTES;
    const struct weiri_order_group *ordered = plain->order->latest;
    const struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    if (((uintptr_t)address & (bytes - 1)) != 0
        || !weiri_bounds_allows(plain->bounds, object, offset, bytes, index)
        || !weiri_uninit_is_written(object, offset) || word + two >= shadow->n
        || ordered == NULL || ordered->index != index || ordered->items[item] != NULL
        || plain->found->writing != NULL) {
        return false;
    }
    unsigned mask = bytes >= WEIRI_WORD_BYTES
        ? WEIRI_ALL_BYTES
        : ((1u << bytes) - 1) << offset % WEIRI_WORD_BYTES;
    const struct weiri_record now
        = { (uint32_t)index, ordered->time[object->kind == WEIRI_OBJECT_LOCAL],
            (uint32_t)item, place->number << 8 | mask };
    struct weiri_cell *cell = (struct weiri_cell *)shadow->cells + word;
    return (what & WEIRI_ACCESS_BIT_WRITE) != 0
        ? write_word(&now, cell) && (!two || write_word(&now, cell + 1))
        : read_word(&now, cell) && (!two || read_word(&now, cell + 1));
}
