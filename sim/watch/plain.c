/* SPDX-License-Identifier: MIT
 *
 * plain.c: see plain.h. The shortcut is taken where an item in step with its group
 * makes an aligned access of at most 8 bytes, and each record of the accessed words
 * happens before the access by program order or by the time of the group alone. Then it
 * does the work of race.c: it puts the access in the place of these records.
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

static inline struct weiri_plain_atomic *atomic_at(struct weiri_plain *plain,
                                                   const void *place, uint32_t calls)
{
    uintptr_t key = (uintptr_t)place ^ calls;
    return &plain->atomics[(key >> 3 ^ key >> 11) % WEIRI_PLAIN_ATOMICS];
}

/* ---- Places ---------------------------------------------------------------------- */

static void learn_access(struct weiri_plain *plain, const struct weiri_event *event)
{
    unsigned any = WEIRI_ACCESS_BIT_RANGE | WEIRI_ACCESS_BIT_UNALIGNED
        | (plain->order->ptx ? WEIRI_ACCESS_BIT_VOLATILE : 0);
    if (event->bytes <= MOST_BYTES && (event->access & any) == 0) {
        *place_at(plain, event->pc, event->calls) = (struct weiri_plain_place){
            .pc = event->pc,
            .calls = event->calls,
            .number = weiri_race_place(plain->race, event),
            .object = event->object,
            .what = weiri_access_what(event->bytes, event->access),
        };
    }
}

static void learn_atomic(struct weiri_plain *plain, const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    unsigned access = weiri_plain_access_of(op->kind);
    const void *place = event->site != NULL ? (const void *)event->site : event->pc;
    if (place == NULL || access == 0 || !op->legal
        || op->order != memory_order_relaxed) {
        return;
    }
    *atomic_at(plain, place, event->calls) = (struct weiri_plain_atomic){
        .place = place,
        .what = WEIRI_ATOMIC_WHAT(op->kind, op->type, op->bytes, op->order, op->failure,
                                  op->scope, op->space, op->legal),
        .atomic = { .object = event->object,
                    .place = weiri_race_place(plain->race, event),
                    .bytes = op->bytes,
                    .scope = op->scope,
                    .access = access },
        .calls = event->calls,
    };
}

void weiri_plain_learn(struct weiri_plain *plain, const struct weiri_event *event)
{
    if (event->object == NULL) {
        return;
    }
    if (event->atomic == NULL) {
        learn_access(plain, event);
    } else {
        learn_atomic(plain, event);
    }
}

/* ---- The shortcut of relaxed atomics --------------------------------------------- */

/* Its work on unwritten memory is done even if the shortcut is not taken after all; to
 * repeat it has no effect. */
bool weiri_plain_takes_atomic(const volatile void *address, uint64_t what,
                              const void *place, void *self,
                              const struct weir_group *group, uint32_t calls)
{
    struct weiri_plain *plain = self;
    const struct weiri_plain_atomic *known = atomic_at(plain, place, calls);
    if (known->place != place || known->what != what || known->calls != calls) {
        return false;
    }
    const struct weiri_race_atomic *atomic = &known->atomic;
    size_t offset = (uintptr_t)address - (uintptr_t)atomic->object->start;
    size_t index = group->shape.group_linear, item = (size_t)group->at;
    return ((uintptr_t)address & (atomic->bytes - 1)) == 0 && item < group->shape.items
        && weiri_bounds_allows(plain->bounds, atomic->object, offset, atomic->bytes,
                               index, atomic->access)
        && weiri_uninit_takes(atomic->object, offset, atomic->bytes, atomic->access)
        && weiri_race_takes_atomic(plain->race, atomic, offset, index, (uint32_t)item);
}

/* ---- The shortcut of plain accesses ---------------------------------------------- */

/* Whether the record is empty, or @now, an access at the group's time, happens after
 * it. The records of a crowd are not looked at. @stale: records of other groups do not
 * count */
static inline bool is_after(const struct weiri_record *now,
                            const struct weiri_record *record, bool stale)
{
    return record->time == 0
        || (record->group == now->group ? record->time < now->time
                    || (record->owner == now->owner
                        && (record->rest & WEIRI_RECORD_FLAGS) == 0)
                                        : stale);
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
        && is_after(now, &cell->write, false) && is_after(now, &cell->read, false)
        && (weiri_record_bytes(&cell->read) & ~now->rest) == 0;
    if (simple) {
        cell->read = *now;
    }
    return simple;
}

/* @local: local memory may have records of an earlier group, which a write replaces */
static inline bool write_word(const struct weiri_record *now, struct weiri_cell *cell,
                              bool local)
{
    if (repeats(now, &cell->write) && cell->read.rest == 0) {
        return true;
    }
    unsigned others = cell->read.rest | cell->write.rest;
    bool simple = (others & WEIRI_RECORD_CROWD) == 0
        && is_after(now, &cell->write, local) && is_after(now, &cell->read, local)
        && (others & WEIRI_ALL_BYTES & ~now->rest) == 0;
    if (simple) {
        cell->write = *now;
        cell->read = (struct weiri_record){ 0 };
    }
    return simple;
}

/* The end of the shortcut for an access of two words, or to memory that is not all
 * written. */
static __attribute__((noinline)) bool takes_rare(const struct weiri_object *object,
                                                 size_t offset, uint64_t what,
                                                 struct weiri_record now)
{
    const struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    size_t bytes = what >> 8, word = offset / WEIRI_WORD_BYTES;
    bool two = bytes > WEIRI_WORD_BYTES, local = object->kind == WEIRI_OBJECT_LOCAL;
    if (word + two >= shadow->n
        || !weiri_uninit_takes(object, offset, bytes, what & 0xff)) {
        return false;
    }
    struct weiri_cell *cell = (struct weiri_cell *)shadow->cells + word;
    return (what & WEIRI_ACCESS_BIT_WRITE) != 0
        ? write_word(&now, cell, local) && (!two || write_word(&now, cell + 1, local))
        : read_word(&now, cell) && (!two || read_word(&now, cell + 1));
}

bool weiri_plain_takes(const volatile void *address, uint64_t what, const void *pc,
                       void *self, const struct weir_group *group, uint32_t calls)
{
    struct weiri_plain *plain = self;
    const struct weiri_plain_place *place = place_at(plain, pc, calls);
    if (place->pc != pc || place->calls != calls || place->what != what) {
        return false;
    }
    const struct weiri_object *object = place->object;
    size_t offset = (uintptr_t)address - (uintptr_t)object->start;
    size_t bytes = what >> 8, word = offset / WEIRI_WORD_BYTES;
    size_t index = group->shape.group_linear, item = (size_t)group->at;
    const struct weiri_order_group *ordered = plain->order->latest;
    const struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    if (((uintptr_t)address & (bytes - 1)) != 0
        || !weiri_bounds_allows(plain->bounds, object, offset, bytes, index,
                                (unsigned)what & 0xff)
        || ordered == NULL || ordered->index != index || ordered->items[item] != NULL
        || plain->found->writing) { /* race.c is to look at what was written */
        return false;
    }
    unsigned mask = bytes >= WEIRI_WORD_BYTES
        ? WEIRI_ALL_BYTES
        : ((1u << bytes) - 1) << offset % WEIRI_WORD_BYTES;
    const struct weiri_record now
        = { (uint32_t)index, ordered->time[object->kind == WEIRI_OBJECT_LOCAL],
            (uint32_t)item, place->number << 8 | mask };
    if (__builtin_expect(bytes > WEIRI_WORD_BYTES || word >= shadow->n
                             || !weiri_uninit_is_written(object, offset),
                         0)) {
        return takes_rare(object, offset, what, now);
    }
    struct weiri_cell *cell = (struct weiri_cell *)shadow->cells + word;
    return (what & WEIRI_ACCESS_BIT_WRITE) != 0
        ? write_word(&now, cell, object->kind == WEIRI_OBJECT_LOCAL)
        : read_word(&now, cell);
}
