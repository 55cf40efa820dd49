/* SPDX-License-Identifier: MIT
 *
 * race.c: see race.h. Two accesses by different items race if they touch a common byte,
 * at least one of them writes, neither happens before the other, and they are not both
 * atomic with scopes that include each other.
 *
 * An access is compared with the records of its words, and becomes a record itself. A
 * record may be dropped if every later access that races with it races with the new
 * one, too:
 *
 *   a plain write      makes all records of its bytes needless: a later access is
 *                      ordered after it and so after them, or it races with the write
 *   a plain read       makes reads that happen before it needless
 *   an atomic access   makes earlier ones of the same item and kind needless
 *
 * So the first race of every byte is found after any earlier accesses.
 *
 * Under the rules of PTX an access that has not happened before may be ordered by what
 * was observed (observed.h), and volatile accesses are atomic.
 *
 * A copy that a group asks for and waits for is an access of no item. From COPY on its
 * records are pending: they race with every access. COPIED makes them accesses of the
 * item that does the copying, at its time, which the wait orders as any other.
 *
 * The file is long because plain and atomic accesses are compared with the same records
 * and replace each other's: the quick ways of both inline the same functions, and the
 * rules for dropping a record are correct only together.
 *
 * Follows FastTrack (Flanagan and Freund, PLDI 2009) for the accesses that must be
 * remembered, and the rules of scoped RC11 for the definition of a race; see
 * docs/race-detection.md. */
#include "config.h"

#include "watch/race.h"

#include "base/assert.h"
#include "watch/race-report.h"
#include "watch/shadow.h"
#include "watch/step-order.h"

#include <string.h>

/* A cache of places in the code; a power of two. */
enum { PLACE_CACHE = 1024 };

static const struct weiri_numbered PLAIN = { 0, 0 };

/* The access that is being judged. */
struct now {
    struct weiri_actor actor;
    struct weiri_object *object;
    enum weiri_memory_space space;
    uint64_t group;
    uint32_t item;
    uint32_t time;  /* the item's, in @space; see order.h */
    uint32_t place; /* its number; see place_of() */
    unsigned class; /* a plain read or write, or an atomic of some scope: shadow.h */
    bool has_read;  /* it is a write of what the item has just read, both volatile */
};

struct cached {
    struct weiri_place place;
    uint32_t index; /* its number */
};

struct weiri_race {
    struct weiri_race_report races; /* first: the races found */
    struct weiri_happens_before *order;
    struct weiri_step_order *steps; /* NULL: no sub-group has advanced together */
    struct weiri_shadows shadows;
    uint32_t n_items;
    /* By two classes of accesses: these never race, by any items. */
    bool harmless[WEIRI_N_CLASSES][WEIRI_N_CLASSES];
    GHashTable *issued; /* issue_of() -> time, of copies of items; NULL until needed */
    bool volatiles;     /* there was a volatile access, where these can race */
    GHashTable *volatile_reads; /* an item, as a number from 1: the address that it has
                                   read last so; NULL: none has */
    uint64_t n_found;           /* races, each time */
    struct cached cached[PLACE_CACHE]; /* by a hash of the place */
};

/* ---- Places ---------------------------------------------------------------------- */

static uint32_t place_anew(struct weiri_race *race, struct cached *cached,
                           const struct weiri_place *place)
{
    cached->place = *place;
    cached->index = weiri_race_report_place_index(&race->races, place);
    return cached->index;
}

/* The number of a place, which is mostly in the cache. */
static inline uint32_t place_of(struct weiri_race *race, const void *pc,
                                const struct weir_site *site, uint32_t calls,
                                uint32_t act)
{
    uint64_t hash = ((uintptr_t)pc ^ (uintptr_t)site ^ calls) * 0x9e3779b97f4a7c15;
    struct cached *cached = &race->cached[hash >> 54];
    bool other = ((uintptr_t)cached->place.pc ^ (uintptr_t)pc)
        | ((uintptr_t)cached->place.site ^ (uintptr_t)site)
        | (cached->place.calls ^ calls) | (cached->place.act ^ act);
    if (__builtin_expect(!other, 1)) {
        return cached->index;
    }
    const struct weiri_place place = { pc, site, calls, act };
    return place_anew(race, cached, &place);
}

/* ---- Judging --------------------------------------------------------------------- */

/* An access of @item in @record races with the one that is judged. */
static void found(struct weiri_race *race, const struct now *now, size_t word,
                  unsigned bytes, const struct weiri_record *record, uint32_t item,
                  uint32_t place)
{
    bool wide = weiri_order_before(race->order, &now->actor, now->space, WEIRI_WIDENED,
                                   record->group, item, record->time);
    const char *address = now->object->start + word * WEIRI_WORD_BYTES;
    bool in_step = race->steps != NULL && record->group == now->group
        && (record->rest & WEIRI_RECORD_PENDING) == 0
        && weiri_step_order_before(race->steps, now->group, item, place, address,
                                   now->item);
    const struct weiri_race_instance instance
        = { .object = now->object,
            .offset = word * WEIRI_WORD_BYTES + (unsigned)__builtin_ctz(bytes),
            .space = now->space,
            .bytes = bytes,
            .word = address,
            .ordered_if_wide = wide,
            .in_step = in_step,
            .first = { record->group, item, place, record->time },
            .second = { now->group, now->item, now->place, now->time } };
    race->n_found++;
    weiri_race_report_add(&race->races, &instance);
}

/* Compares with one record of plain accesses. */
static inline void compare_with(struct weiri_race *race, const struct now *now,
                                size_t word, unsigned bytes,
                                const struct weiri_record *record)
{
    bytes &= weiri_record_bytes(record);
    if (record->time == 0 || bytes == 0
        || weiri_order_all_before(race->order, &now->actor, now->space, record->group,
                                  record->time)) {
        return;
    }
    if ((record->rest & WEIRI_RECORD_SET) == 0) {
        if (!weiri_order_before(race->order, &now->actor, now->space, WEIRI_AS_IS,
                                record->group, record->owner, record->time)) {
            found(race, now, word, bytes, record, record->owner,
                  weiri_record_place(record));
        }
        return;
    }
    for (uint32_t i = record->owner; i != 0;
         i = weiri_shadows_set(&race->shadows, i)->parent) {
        const struct weiri_reader_set *set = weiri_shadows_set(&race->shadows, i);
        if (!weiri_order_before(race->order, &now->actor, now->space, WEIRI_AS_IS,
                                record->group, set->item, record->time)) {
            found(race, now, word, bytes, record, set->item, set->place);
        }
    }
}

/* Whether the scopes of an atomic in @record and of the one that is judged may fail to
 * include each other. For two items of the record the answer differs only if it depends
 * on their sub-groups. */
static bool may_be_weak(const struct weiri_race *race, const struct now *now,
                        unsigned class, const struct weiri_record *record)
{
    memory_scope one = weiri_class_scope(class), other = weiri_class_scope(now->class);
    bool one_group = record->group == now->group;
    bool one_for_all = !one_group || MIN(one, other) >= memory_scope_work_group;
    return !one_for_all
        || !weiri_order_strong(race->order, record->group, 0, one, now->group,
                               one_group, other);
}

/* The location of an atomic of @class in a record of that word. One of several words
 * belongs to the first. */
static const struct weiri_message *message_of(const struct now *now, size_t word,
                                              unsigned class, unsigned bytes,
                                              struct weiri_crowd *crowd)
{
    uintptr_t start = (uintptr_t)now->object->start + word * WEIRI_WORD_BYTES;
    uintptr_t at = (start + (unsigned)__builtin_ctz(bytes))
        & ~(uintptr_t)(weiri_class_bytes(class) - 1);
    if (at < start) {
        return crowd->owner != NULL ? &crowd->owner->message : NULL;
    }
    return &weiri_crowd_spot(crowd, (unsigned)(at - start))->message;
}

/* Under PTX: whether the item's atomic write of @entry was observed by a read that
 * happens before the access which is judged. If an entry is of several items, only the
 * number of the latest write is known; the others are then taken for observed, which
 * may miss a race of theirs. */
static bool is_observed(struct weiri_race *race, const struct now *now, size_t word,
                        unsigned class, const struct weiri_entry *entry, uint32_t item,
                        struct weiri_crowd *crowd)
{
    if (entry->number == 0 || item != entry->writer) {
        return entry->number != 0;
    }
    const struct weiri_message *message
        = message_of(now, word, class, weiri_record_bytes(&entry->record), crowd);
    return message != NULL
        && weiri_observed_before(&race->shadows.observed, message, &now->actor,
                                 now->space, entry->number);
}

/* In CUDA, under PTX: whether one of two strong accesses is volatile, and they race all
 * the same: a volatile write is for a location that others poll. It orders nothing, so
 * that its value is a matter of luck to others that read the location once, or change
 * it. One that reads it after a flag that was set after a fence needs no fence itself,
 * since the read is not weak; nor does a write that follows this read. */
static bool is_luck(const struct weiri_race *race, const struct now *now,
                    const struct weiri_record *record, uint32_t item)
{
    const struct weiri_pair_context *context = &race->races.context;
    const struct weiri_place *one
        = weiri_pair_place(context, weiri_record_place(record)),
        *other = weiri_pair_place(context, now->place);
    bool has_read
        = now->has_read || (weiri_place_access(other) & WEIRI_ACCESS_BIT_WRITE) == 0;
    if (!weiri_place_is_volatile(one)) {
        const struct weiri_place *atomic = one;
        one = other;
        other = atomic;
    }
    bool both = weiri_place_is_volatile(other);
    bool writes = (weiri_place_access(one) & WEIRI_ACCESS_BIT_WRITE) != 0,
         other_writes = (weiri_place_access(other) & WEIRI_ACCESS_BIT_WRITE) != 0;
    return weiri_place_is_volatile(one) && (both ? writes || other_writes : writes)
        && (both || weiri_place_kind(other) != WEIRI_ATOMIC_LOAD)
        && !(has_read
             && weiri_order_fenced_before(race->order, &now->actor, now->space,
                                          record->group, item, record->time));
}

static void compare_with_entry(struct weiri_race *race, const struct now *now,
                               size_t word, unsigned bytes, unsigned class,
                               const struct weiri_entry *entry,
                               struct weiri_crowd *crowd)
{
    const struct weiri_record *record = &entry->record;
    bool atomics = weiri_classes_are_of_one_object(class, now->class);
    bytes &= weiri_record_bytes(record);
    if (bytes == 0
        || (atomics && !race->volatiles && !may_be_weak(race, now, class, record))
        || weiri_order_all_before(race->order, &now->actor, now->space, record->group,
                                  record->time)) {
        return;
    }
    for (uint32_t item = weiri_entry_next(entry, UINT32_MAX, race->n_items);
         item != UINT32_MAX; item = weiri_entry_next(entry, item, race->n_items)) {
        if (weiri_order_before(race->order, &now->actor, now->space, WEIRI_AS_IS,
                               record->group, item, record->time)
            || (atomics && !(race->volatiles && is_luck(race, now, record, item))
                && weiri_order_strong(race->order, record->group, item,
                                      weiri_class_scope(class), now->group, now->item,
                                      weiri_class_scope(now->class)))
            || is_observed(race, now, word, class, entry, item, crowd)) {
            continue;
        }
        found(race, now, word, bytes, record, item, weiri_record_place(record));
    }
}

/* Two that never race by their classes do so where is_luck() says it: at least one of
 * them writes, and both are atomics of one size. */
static inline bool is_harmless(const struct weiri_race *race, unsigned one,
                               unsigned other)
{
    return race->harmless[one][other]
        && (!race->volatiles || !weiri_classes_are_of_one_object(one, other)
            || (!weiri_class_writes(one) && !weiri_class_writes(other)));
}

static inline void compare_with_crowd(struct weiri_race *race, const struct now *now,
                                      size_t word, unsigned bytes,
                                      struct weiri_crowd *crowd)
{
    for (const struct weiri_bunch *bunch = &crowd->bunch; bunch != NULL;
         bunch = bunch->next) {
        if (is_harmless(race, bunch->class, now->class)) {
            continue;
        }
        for (uint32_t i = 0; i < bunch->n; i++) {
            compare_with_entry(race, now, word, bytes, bunch->class, &bunch->entries[i],
                               crowd);
        }
    }
}

/* ---- Remembering ----------------------------------------------------------------- */

static inline struct weiri_record record_of(const struct now *now, unsigned bytes)
{
    return (struct weiri_record){ (uint32_t)now->group, now->time, now->item,
                                  now->place << 8 | bytes };
}

static inline bool is_same_moment(const struct weiri_record *record,
                                  const struct now *now)
{
    return record->group == now->group && record->time == now->time;
}

/* Whether every later write races with @read: its group has ended, and no release has
 * published its time. */
static bool is_lost(const struct weiri_race *race, const struct now *now,
                    struct weiri_record *read)
{
    if ((read->rest & WEIRI_RECORD_LOST) == 0 && read->group != now->group
        && weiri_order_is_lost(race->order, now->space, read->group, read->time)) {
        read->rest |= WEIRI_RECORD_LOST;
    }
    return (read->rest & WEIRI_RECORD_LOST) != 0;
}

/* Records a plain read. */
static void remember_read(struct weiri_race *race, const struct now *now,
                          struct weiri_cell *cell, unsigned bytes)
{
    struct weiri_record *read = &cell->read;
    struct weiri_record fresh = record_of(now, bytes);
    if ((read->rest & WEIRI_RECORD_CROWD) == 0) {
        bool covers = (weiri_record_bytes(read) & ~bytes) == 0;
        if (read->rest == 0
            || (covers
                && weiri_order_all_before(race->order, &now->actor, now->space,
                                          read->group, read->time))
            || (covers && (read->rest & WEIRI_RECORD_SET) == 0
                && read->group == now->group && read->owner == now->item)) {
            *read = fresh;
            return;
        }
        if (is_lost(race, now, read) && (bytes & ~weiri_record_bytes(read)) == 0) {
            return;
        }
        if (is_same_moment(read, now) && weiri_record_bytes(read) == bytes) {
            if (weiri_shadows_has(&race->shadows, read, now->item)
                || weiri_shadows_add(&race->shadows, read, now->item, now->place)) {
                return;
            }
        }
    }
    struct weiri_crowd *crowd
        = weiri_shadows_need_crowd(&race->shadows, cell, (uint32_t)now->group);
    weiri_crowd_add(&race->shadows, crowd, WEIRI_CLASS_READ, &fresh, now->space,
                    &now->actor, PLAIN);
}

/* Records a plain write in the place of all earlier accesses to its bytes. */
static void remember_write(struct weiri_race *race, const struct now *now,
                           struct weiri_cell *cell, unsigned bytes)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    struct weiri_record *write = &cell->write;
    if (crowd != NULL) {
        weiri_crowd_drop(&race->shadows, crowd, bytes);
        weiri_crowd_overwrite(&race->shadows, crowd);
    } else if (cell->read.rest != 0) {
        cell->read.rest &= ~bytes;
        if (weiri_record_bytes(&cell->read) == 0) {
            cell->read = (struct weiri_record){ 0 };
        }
    }
    unsigned left = write->time == 0 ? 0 : weiri_record_bytes(write) & ~bytes;
    if (left != 0) {
        struct weiri_record old = *write;
        old.rest = (old.rest & ~(uint32_t)WEIRI_ALL_BYTES) | left;
        crowd = weiri_shadows_need_crowd(&race->shadows, cell, (uint32_t)now->group);
        weiri_crowd_add(&race->shadows, crowd, WEIRI_CLASS_WRITE, &old, now->space,
                        &now->actor, PLAIN);
    }
    *write = record_of(now, bytes);
}

/* ---- Plain accesses -------------------------------------------------------------- */

/* Whether the same item made the same access at the same time: it was judged then. */
static inline bool is_repeated(const struct weiri_cell *cell, const struct now *now,
                               unsigned bytes, bool writes)
{
    const struct weiri_record *record = writes ? &cell->write : &cell->read;
    return is_same_moment(record, now) && record->owner == now->item
        && (record->rest & WEIRI_RECORD_FLAGS) == 0
        && (bytes & ~weiri_record_bytes(record)) == 0
        && (!writes || cell->read.rest == 0);
}

/* Whether a cell of local memory has records of an earlier group. */
static inline bool is_stale(const struct now *now, const struct weiri_cell *cell)
{
    if (now->space != WEIRI_LOCALLY) {
        return false;
    }
    const struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    bool write = cell->write.time != 0 && cell->write.group != now->group;
    bool read = cell->read.rest != 0 && cell->read.group != now->group;
    return write || (crowd != NULL ? crowd->group != now->group : read);
}

/* Whether the record is empty, or belongs to the judged item's group and is older than
 * the time of all its items. Most records are. */
static inline bool is_behind(const struct weiri_record *record, const struct now *now)
{
    return record->time == 0
        || (record->group == now->group
            && record->time < now->actor.group->time[now->space]);
}

/* The quick way for most accesses: no record of the cell races with them, and none must
 * be kept. Returns: false if the access is not one of these */
static inline bool touch_quickly(const struct now *now, struct weiri_cell *cell,
                                 unsigned bytes, bool writes)
{
    if (is_repeated(cell, now, bytes, writes)) {
        return true;
    }
    if (!is_behind(&cell->write, now)
        || (cell->read.rest != 0
            && ((cell->read.rest & WEIRI_RECORD_CROWD) != 0
                || !is_behind(&cell->read, now)))) {
        return false;
    }
    unsigned others
        = weiri_record_bytes(&cell->read) | (writes ? cell->write.rest : 0u);
    if ((others & WEIRI_ALL_BYTES & ~bytes) != 0) {
        return false;
    }
    if (writes) {
        cell->write = record_of(now, bytes);
        cell->read = (struct weiri_record){ 0 };
    } else {
        cell->read = record_of(now, bytes);
    }
    return true;
}

/* Compares a plain access of a word with all records. */
static inline void compare(struct weiri_race *race, const struct now *now,
                           const struct weiri_cell *cell, size_t word, unsigned bytes)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    compare_with(race, now, word, bytes, &cell->write);
    if (crowd != NULL) {
        compare_with_crowd(race, now, word, bytes, crowd);
    } else if (now->class == WEIRI_CLASS_WRITE) {
        compare_with(race, now, word, bytes, &cell->read);
    }
}

static __attribute__((noinline)) void touch(struct weiri_race *race,
                                            const struct now *now,
                                            struct weiri_cell *cell, size_t word,
                                            unsigned bytes)
{
    if (is_stale(now, cell)) {
        weiri_shadows_renew(&race->shadows, cell, (uint32_t)now->group);
    }
    compare(race, now, cell, word, bytes);
    if (now->class == WEIRI_CLASS_WRITE) {
        remember_write(race, now, cell, bytes);
    } else {
        remember_read(race, now, cell, bytes);
    }
}

/* Sets all of @now but its place and its class. */
static inline void begin(struct weiri_race *race, const struct weiri_event *event,
                         struct now *now)
{
    now->object = event->object;
    now->space
        = event->object->kind == WEIRI_OBJECT_LOCAL ? WEIRI_LOCALLY : WEIRI_GLOBALLY;
    now->group = event->group->shape.group_linear;
    now->item = (uint32_t)event->item;
    weiri_order_act(race->order, now->group, now->item, &now->actor);
    now->has_read = false;
    now->time = weiri_order_now(&now->actor, now->space);
}

/* Whether the access lies in an object; sets its offset there. */
static inline bool is_inside(const struct weiri_event *event, size_t *offset)
{
    const struct weiri_object *object = event->object;
    if (object == NULL || object->kind == WEIRI_OBJECT_FREED) {
        return false;
    }
    *offset = (size_t)((const char *)event->address - object->start);
    return *offset < object->bytes && event->bytes <= object->bytes - *offset;
}

/* The bytes of a word between @offset and @end, as a mask. */
static inline unsigned bytes_of(size_t word, size_t offset, size_t end)
{
    size_t start = word * WEIRI_WORD_BYTES;
    unsigned bytes = WEIRI_ALL_BYTES;
    if (offset > start) {
        bytes &= WEIRI_ALL_BYTES << (offset - start);
    }
    if (end < start + WEIRI_WORD_BYTES) {
        bytes &= WEIRI_ALL_BYTES >> (start + WEIRI_WORD_BYTES - end);
    }
    return bytes;
}

static inline uint32_t place_of_plain(struct weiri_race *race,
                                      const struct weiri_event *event)
{
    unsigned access = event->access
        & (WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_VOLATILE);
    return place_of(race, event->pc, NULL, event->calls, weiri_plain_act(access));
}

/* ---- Copies of a group ----------------------------------------------------------- */

/* The copy may be done by any item. So it happens after an access that happens before
 * what each item does: compares on behalf of one item after the other. Two are as good
 * as all while these are in step, as an item knows only its own accesses then. */
static void compare_for_all(struct weiri_race *race, struct now now, uint32_t n,
                            const struct weiri_cell *cell, size_t word, unsigned bytes)
{
    uint32_t first = now.item;
    uint64_t n_found = race->n_found;
    uint32_t n_asked = now.actor.group->apart->len > 0 ? n : MIN(n, 2);
    for (uint32_t i = 0; i < n_asked && race->n_found == n_found; i++) {
        now.item = (first + i) % n;
        weiri_order_act(race->order, now.group, now.item, &now.actor);
        compare(race, &now, cell, word, bytes);
    }
}

/* @n_items: of the group that asks; 0: the item alone does */
static void begin_copy(struct weiri_race *race, const struct now *now, uint32_t n_items,
                       struct weiri_cell *cell, size_t word, unsigned bytes)
{
    if (is_stale(now, cell)) {
        weiri_shadows_renew(&race->shadows, cell, (uint32_t)now->group);
    }
    if (n_items == 0) {
        compare(race, now, cell, word, bytes);
    } else {
        compare_for_all(race, *now, n_items, cell, word, bytes);
    }
    if (now->class == WEIRI_CLASS_WRITE) {
        remember_write(race, now, cell, bytes);
        cell->write.rest |= WEIRI_RECORD_PENDING;
        return;
    }
    struct weiri_record fresh = record_of(now, bytes | WEIRI_RECORD_PENDING);
    struct weiri_crowd *crowd
        = weiri_shadows_need_crowd(&race->shadows, cell, (uint32_t)now->group);
    weiri_crowd_add(&race->shadows, crowd, WEIRI_CLASS_READ, &fresh, now->space,
                    &now->actor, PLAIN);
}

/* Makes a record of the copy at the time @pending one of the item that has done it. */
static void settle(const struct now *now, struct weiri_record *record, uint32_t pending)
{
    if (record->group == now->group && record->time == pending
        && record->owner == now->item) {
        record->time = now->time;
        record->rest &= ~(uint32_t)WEIRI_RECORD_PENDING;
    }
}

static void end_copy(const struct now *now, struct weiri_cell *cell, uint32_t pending)
{
    settle(now, &cell->write, pending);
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    for (struct weiri_bunch *bunch = crowd != NULL ? &crowd->bunch : NULL;
         bunch != NULL; bunch = bunch->next) {
        for (uint32_t i = 0; i < bunch->n && !weiri_class_is_atomic(bunch->class);
             i++) {
            settle(now, &bunch->entries[i].record, pending);
        }
    }
}

/* Where the time is kept at which an item has asked for a copy: for either side. */
static gpointer issue_of(const struct now *now, const struct weiri_event *event)
{
    uint64_t number = event->op % WEIRI_ORDER_N_PENDING;
    bool writes = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0;
    return (gpointer)(uintptr_t)(now->group << 17 | number << 1 | writes);
}

/* A copy of one item counts as done when the item waits for it, or when it asked for it
 * where others wait for it, too. */
static void keep_issue(struct weiri_race *race, const struct weiri_event *event,
                       struct now *now, bool begins)
{
    gpointer issue = issue_of(now, event);
    if (race->issued == NULL) {
        race->issued = g_hash_table_new(NULL, NULL);
    }
    if (begins) {
        g_hash_table_insert(race->issued, issue, GUINT_TO_POINTER(now->time));
        return;
    }
    if ((event->access & WEIRI_ACCESS_BIT_BOUND) != 0) {
        now->time = GPOINTER_TO_UINT(g_hash_table_lookup(race->issued, issue));
    }
    g_hash_table_remove(race->issued, issue);
}

static void copy(struct weiri_race *race, const struct weiri_event *event)
{
    size_t offset;
    if (!is_inside(event, &offset)) {
        return;
    }
    uint32_t pending
        = WEIRI_ORDER_PENDING + (uint32_t)(event->op % WEIRI_ORDER_N_PENDING);
    bool begins = event->kind == WEIRI_EVENT_COPY;
    struct now now;
    now.class = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0 ? WEIRI_CLASS_WRITE
                                                              : WEIRI_CLASS_READ;
    now.place = place_of_plain(race, event);
    begin(race, event, &now);
    bool of_item = (event->access & WEIRI_ACCESS_BIT_ITEM) != 0;
    if (of_item) {
        keep_issue(race, event, &now, begins);
    }
    if (begins) {
        now.time = pending;
        weiri_race_report_copy(&race->races, now.group, pending);
    }
    struct weiri_cell *cells = weiri_shadows_cells(&race->shadows, event->object);
    uint32_t n_items = (uint32_t)event->group->shape.items;
    size_t end = offset + event->bytes;
    for (size_t word = offset / WEIRI_WORD_BYTES; word * WEIRI_WORD_BYTES < end;
         word++) {
        if (begins) {
            begin_copy(race, &now, of_item ? 0 : n_items, &cells[word], word,
                       bytes_of(word, offset, end));
        } else {
            end_copy(&now, &cells[word], pending);
        }
    }
}

/* ---- Atomics --------------------------------------------------------------------- */

/* One word of an atomic access. */
static void touch_atomically(struct weiri_race *race, const struct now *now,
                             struct weiri_cell *cell, size_t word, unsigned bytes,
                             struct weiri_numbered numbered)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    compare_with(race, now, word, bytes, &cell->write);
    compare_with_crowd(race, now, word, bytes, crowd);
    struct weiri_record fresh = record_of(now, bytes);
    weiri_crowd_add(&race->shadows, crowd, now->class, &fresh, now->space, &now->actor,
                    numbered);
}

/* The crowd of a word that an atomic access touches. */
static struct weiri_crowd *crowd_of(struct weiri_race *race, const struct now *now,
                                    struct weiri_cell *cell)
{
    if (is_stale(now, cell)) {
        weiri_shadows_renew(&race->shadows, cell, (uint32_t)now->group);
    }
    return weiri_shadows_need_crowd(&race->shadows, cell, (uint32_t)now->group);
}

static memory_order order_of(const struct weiri_event *event, bool reads_only)
{
    const struct weiri_atomic_op *op = event->atomic;
    memory_order order = reads_only && op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE
        ? op->failure
        : op->order;
    return op->legal ? order : memory_order_seq_cst;
}

/* The effect of the atomic access on its location. If the item reads what another item
 * wrote, that is kept: a report names it where it makes no order. */
static inline void happen(struct weiri_race *race, const struct now *now,
                          memory_scope scope, bool reads, bool writes,
                          struct weiri_spot *spot, memory_order order)
{
    struct weiri_message *message = &spot->message;
    struct weiri_reading *reading = NULL;
    if (reads && message->written
        && (message->group != now->group || message->item != now->item)) {
        reading = weiri_race_report_reading(&race->races, now->group, now->item);
        reading->item = now->item;
        reading->writer_group = message->group;
        reading->writer_item = message->item;
        reading->writer_place = spot->place;
        reading->place = now->place;
        reading->space = now->space;
        reading->narrow = reading->by_fence = reading->acquired = false;
        reading->released = message->ends != NULL;
    }
    bool narrow = weiri_order_atomic(race->order, &now->actor, message, now->space,
                                     order, scope, reads, writes);
    if (reading != NULL) {
        reading->narrow = narrow;
    }
    spot->place = writes ? now->place : spot->place;
}

/* Joins the access to the latest record of its word, if they differ only in the item
 * and the access races with no other record. Returns: whether it does */
static inline bool joins(struct weiri_race *race, const struct now *now,
                         const struct weiri_cell *cell, struct weiri_crowd *crowd,
                         unsigned bytes)
{
    struct weiri_bunch *bunch = &crowd->bunch;
    if (bunch->class != now->class || bunch->n == 0) {
        return false;
    }
    struct weiri_entry *entry = &bunch->entries[bunch->n - 1];
    const struct weiri_record *record = &entry->record;
    if (!is_same_moment(record, now) || record->rest != (now->place << 8 | bytes)) {
        return false;
    }
    if (weiri_entry_has(entry, now->item)) {
        return true; /* it was judged then */
    }
    bool strong = (race->harmless[now->class][now->class] && !race->volatiles)
        || (bunch->n == 1 && weiri_class_scope(now->class) >= memory_scope_work_group);
    if (!strong || bunch->next != NULL || !is_behind(&cell->write, now)) {
        return false;
    }
    weiri_entry_add(&race->shadows, entry, now->item);
    return true;
}

/* Whether the access races with no record of its word, acquires nothing, and need only
 * be added to a bunch that exists. Most relaxed atomics of a counter are such. */
static inline bool is_simple(const struct weiri_race *race, const struct now *now,
                             const struct weiri_cell *cell,
                             const struct weiri_crowd *crowd)
{
    const struct weiri_bunch *bunch = &crowd->bunch;
    const struct weiri_message *message = &crowd->spot.message;
    return bunch->class == now->class && bunch->n > 0 && bunch->next == NULL
        && !race->volatiles && race->harmless[now->class][now->class]
        && is_behind(&cell->write, now)
        && (now->actor.state == NULL || now->actor.state->releases == NULL)
        && message->ends == NULL && message->wide == NULL
        && (now->space != WEIRI_LOCALLY || crowd->group == now->group);
}

/* A relaxed atomic on @bytes of one word, from @in_word on. Returns: false, and does
 * nothing, if it is not certain that it races with nothing and acquires nothing */
static inline __attribute__((always_inline)) bool touch_simply(
    struct weiri_race *race, const struct now *now, const struct weiri_cell *cell,
    unsigned in_word, unsigned bytes, memory_scope scope, bool reads)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    if (crowd == NULL || !crowd->has_spot || crowd->spot.offset != in_word
        || race->order->ptx) {
        return false;
    }
    bool joined = joins(race, now, cell, crowd, bytes);
    if (!joined && !is_simple(race, now, cell, crowd)) {
        return false;
    }
    happen(race, now, scope, reads, weiri_class_writes(now->class), &crowd->spot,
           memory_order_relaxed);
    if (!joined) {
        struct weiri_record fresh = record_of(now, bytes);
        weiri_crowd_add(&race->shadows, crowd, now->class, &fresh, now->space,
                        &now->actor, PLAIN);
    }
    return true;
}

bool weiri_race_takes_atomic(struct weiri_race *race,
                             const struct weiri_race_atomic *atomic, size_t offset,
                             uint64_t group, uint32_t item)
{
    const struct weiri_shadow *shadow = &atomic->object->shadow[WEIRI_SHADOW_RACE];
    size_t word = offset / WEIRI_WORD_BYTES;
    unsigned in_word = offset % WEIRI_WORD_BYTES;
    if (race->races.writing || word >= shadow->n
        || in_word + atomic->bytes > WEIRI_WORD_BYTES) {
        return false;
    }
    bool writes = (atomic->access & WEIRI_ACCESS_BIT_WRITE) != 0;
    bool reads = (atomic->access & WEIRI_ACCESS_BIT_READ) != 0;
    struct now now;
    now.class = weiri_class_of_atomic(atomic->scope, atomic->bytes, writes);
    now.place = atomic->place;
    now.object = atomic->object;
    now.space
        = atomic->object->kind == WEIRI_OBJECT_LOCAL ? WEIRI_LOCALLY : WEIRI_GLOBALLY;
    now.group = group;
    now.item = item;
    now.has_read = false;
    weiri_order_act(race->order, group, item, &now.actor);
    now.time = weiri_order_now(&now.actor, now.space);
    const struct weiri_cell *cells = shadow->cells;
    return touch_simply(race, &now, &cells[word], in_word,
                        ((1u << atomic->bytes) - 1) << in_word, atomic->scope, reads);
}

static inline uint32_t place_of_atomic(struct weiri_race *race,
                                       const struct weiri_event *event,
                                       memory_order order)
{
    const struct weiri_atomic_op *op = event->atomic;
    unsigned access = (op->kind != WEIRI_ATOMIC_STORE ? WEIRI_ACCESS_BIT_READ : 0)
        | (event->stored ? WEIRI_ACCESS_BIT_WRITE : 0);
    return place_of(race, event->pc, event->site, event->calls,
                    weiri_atomic_act(op->kind, order, op->scope, event->bytes, access));
}

/* Keeps in which step of its item the access is. */
static inline void note_step(struct weiri_race *race, const struct now *now,
                             size_t word)
{
    if (__builtin_expect(race->steps != NULL, 0)) {
        weiri_step_order_access(race->steps, now->group, now->item, now->place,
                                now->object->start + word * WEIRI_WORD_BYTES);
    }
}

/* An atomic access at @offset of the object, of one word or several. */
static void access_all(struct weiri_race *race, struct now *now, size_t offset,
                       size_t bytes, memory_order order, bool reads)
{
    struct weiri_cell *cells = weiri_shadows_cells(&race->shadows, now->object);
    size_t first = offset / WEIRI_WORD_BYTES, end = offset + bytes;
    memory_scope scope = weiri_class_scope(now->class);
    bool writes = weiri_class_writes(now->class);
    struct weiri_spot *spot = weiri_crowd_spot(crowd_of(race, now, &cells[first]),
                                               offset % WEIRI_WORD_BYTES);
    struct weiri_observed *observed = &race->shadows.observed;
    struct weiri_observation sees = { 0, 0 };
    struct weiri_numbered numbered = PLAIN;
    if (race->order->ptx && reads) {
        sees = weiri_observed_by(observed, &spot->message, &now->actor, scope,
                                 (uint32_t)bytes);
    }
    if (race->order->ptx && writes) {
        numbered = weiri_observed_write(observed, &spot->message, (uint32_t)bytes,
                                        sees.last != 0);
    }
    happen(race, now, scope, reads, writes, spot, order);
    /* The access happens after what it acquires. */
    weiri_order_act(race->order, now->group, now->item, &now->actor);
    for (size_t word = first; word * WEIRI_WORD_BYTES < end; word++) {
        struct weiri_crowd *crowd = crowd_of(race, now, &cells[word]);
        crowd->owner = word > first ? spot : crowd->owner;
        touch_atomically(race, now, &cells[word], word, bytes_of(word, offset, end),
                         numbered);
        note_step(race, now, word);
    }
    if (sees.last != 0) { /* it orders later accesses, not this one */
        weiri_observed_add(observed, &spot->message, &now->actor, now->space, now->time,
                           sees);
    }
}

/* Remembers what each item has read last by a volatile access. */
static void note_volatile(struct weiri_race *race, const struct weiri_event *event,
                          bool writes, struct now *now)
{
    gpointer item = GSIZE_TO_POINTER(now->group * race->n_items + now->item + 1);
    if (race->volatile_reads == NULL) {
        race->volatile_reads = g_hash_table_new(NULL, NULL);
    }
    if (writes) {
        now->has_read = g_hash_table_lookup(race->volatile_reads, item)
            == (gpointer)(uintptr_t)event->address;
    } else {
        g_hash_table_insert(race->volatile_reads, item,
                            (gpointer)(uintptr_t)event->address);
    }
    race->volatiles = race->order->hands_on = true;
}

/* Under PTX: an access to a volatile object is a relaxed atomic one of system scope.
 * (PTX ISA, "Volatile operations".) Returns: false if it is not one, as an access of
 * many bytes is not */
static bool access_volatile(struct weiri_race *race, const struct weiri_event *event,
                            size_t offset)
{
    unsigned any = WEIRI_ACCESS_BIT_RANGE | WEIRI_ACCESS_BIT_UNALIGNED;
    if (!race->order->ptx || (event->access & WEIRI_ACCESS_BIT_VOLATILE) == 0
        || (event->access & any) != 0
        || ((uintptr_t)event->address & (event->bytes - 1)) != 0) {
        return false;
    }
    bool writes = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0;
    struct now now;
    now.class = weiri_class_of_atomic(memory_scope_system, event->bytes, writes);
    now.place = place_of(
        race, event->pc, NULL, event->calls,
        weiri_atomic_act(writes ? WEIRI_ATOMIC_STORE : WEIRI_ATOMIC_LOAD,
                         memory_order_relaxed, memory_scope_system, event->bytes,
                         event->access
                             & (WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_WRITE
                                | WEIRI_ACCESS_BIT_VOLATILE)));
    begin(race, event, &now);
    if (race->races.context.rules.polls) {
        note_volatile(race, event, writes, &now);
    }
    access_all(race, &now, offset, event->bytes, memory_order_relaxed, !writes);
    return true;
}

static void access_plain(struct weiri_race *race, const struct weiri_event *event)
{
    size_t offset;
    if (!is_inside(event, &offset) || (event->access & WEIRI_ACCESS_BIT_COPY) != 0
        || access_volatile(race, event, offset)) {
        return;
    }
    struct now now;
    now.class = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0 ? WEIRI_CLASS_WRITE
                                                              : WEIRI_CLASS_READ;
    now.place = place_of_plain(race, event);
    begin(race, event, &now);
    struct weiri_cell *cells = weiri_shadows_cells(&race->shadows, event->object);
    size_t end = offset + event->bytes;
    for (size_t word = offset / WEIRI_WORD_BYTES; word * WEIRI_WORD_BYTES < end;
         word++) {
        unsigned bytes = bytes_of(word, offset, end);
        if (!touch_quickly(&now, &cells[word], bytes, now.class == WEIRI_CLASS_WRITE)) {
            touch(race, &now, &cells[word], word, bytes);
        }
        note_step(race, &now, word);
    }
}

/* Under PTX a sequentially consistent access is compiled to fence.sc and the access. */
static void fence_before(struct weiri_race *race, const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    if (race->order->ptx
        && (order_of(event, false) == memory_order_seq_cst
            || order_of(event, true) == memory_order_seq_cst)) {
        (void)weiri_order_fence(race->order, event->group->shape.group_linear,
                                (uint32_t)event->item, memory_order_seq_cst, op->scope,
                                WEIR_LOCAL | WEIR_GLOBAL);
    }
}

static void access_atomically(struct weiri_race *race, const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    size_t offset;
    if (!is_inside(event, &offset) || op->kind == WEIRI_ATOMIC_REF) {
        return;
    }
    bool writes = event->stored;
    memory_order order = order_of(event, !writes);
    fence_before(race, event);
    struct now now;
    now.class = weiri_class_of_atomic(op->scope, event->bytes, writes);
    now.place = place_of_atomic(race, event, order);
    begin(race, event, &now);
    const struct weiri_cell *cells = weiri_shadows_cells(&race->shadows, event->object);
    size_t first = offset / WEIRI_WORD_BYTES, end = offset + event->bytes;
    bool reads = op->kind != WEIRI_ATOMIC_STORE;
    if (order != memory_order_relaxed || race->steps != NULL
        || end > (first + 1) * WEIRI_WORD_BYTES
        || !touch_simply(race, &now, &cells[first], offset % WEIRI_WORD_BYTES,
                         bytes_of(first, offset, end), op->scope, reads)) {
        access_all(race, &now, offset, event->bytes, order, reads);
    }
}

/* ---- Events ---------------------------------------------------------------------- */

static void fence(struct weiri_race *race, const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    uint64_t group = event->group->shape.group_linear;
    uint32_t item = (uint32_t)event->item;
    memory_order order = order_of(event, false);
    bool narrow
        = weiri_order_fence(race->order, group, item, order, op->scope, op->space);
    if (order != memory_order_relaxed && order != memory_order_release) {
        weiri_race_report_fence(&race->races, group, item, op->scope, narrow);
    }
}

/* Under PTX a barrier orders all memory, as bar.sync has no flags; and the other
 * operations of a sub-group or of its lanes, such as shfl.sync, order none. */
static uint64_t op_under_ptx(uint64_t op)
{
    unsigned flags = WEIRI_OP_FLAGS(op), kind = WEIRI_OP_KIND(op);
    if (kind == WEIRI_BARRIER || kind == WEIRI_NAMED_SYNC
        || kind == WEIRI_NAMED_ARRIVE) {
        flags = WEIR_LOCAL | WEIR_GLOBAL;
    } else if (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_SUB_GROUP
               || WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_LANES) {
        flags = 0;
    }
    return (op & ~(UINT64_C(0xff) << 24)) | (uint64_t)flags << 24;
}

static void meet(struct weiri_race *race, uint64_t group, struct weiri_event *event)
{
    uint32_t item = (uint32_t)event->item, times[WEIRI_N_SPACES];
    event->op = race->order->ptx ? op_under_ptx(event->op) : event->op;
    weiri_order_meet(race->order, group, WEIRI_OP_LEVEL(event->op), item,
                     WEIRI_OP_ARGUMENT(event->op), WEIRI_OP_FLAGS(event->op));
    if (race->steps != NULL && WEIRI_OP_LEVEL(event->op) != WEIRI_LEVEL_GROUP) {
        weiri_step_order_step(race->steps, group, item,
                              WEIRI_OP_LEVEL(event->op) == WEIRI_LEVEL_LANES
                                  ? WEIRI_OP_ARGUMENT(event->op)
                                  : UINT64_MAX);
    }
    struct weiri_actor actor;
    weiri_order_act(race->order, group, item, &actor);
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        times[s] = weiri_order_now(&actor, s);
    }
    weiri_race_report_meet(&race->races, group, event, times);
}

/* The item synchronises by other means than the atomics that it has read. */
static void pass_on(struct weiri_race *race, uint64_t group,
                    const struct weiri_event *event)
{
    uint32_t item = (uint32_t)event->item;
    weiri_race_report_reading(&race->races, group, item)->place = 0;
    if (event->kind == WEIRI_EVENT_GIVE) {
        weiri_order_give(race->order, group, item, event->op);
    } else {
        weiri_order_take(race->order, group, item, event->op);
    }
}

enum weiri_verdict weiri_race_access(void *self, const struct weiri_event *event)
{
    struct weiri_race *race = self;
    weiri_race_report_settle(&race->races);
    access_plain(race, event);
    return WEIRI_GOES_ON;
}

/* An atomic is judged after it has happened, and that follows a chain of pointers. They
 * are prefetched here, while the atomic happens. */
enum weiri_verdict weiri_race_prefetch(void *self, const struct weiri_event *event)
{
    (void)self;
    size_t offset;
    if (event->object != NULL && is_inside(event, &offset)) {
        weiri_shadows_prefetch(event->object, offset);
    }
    return WEIRI_GOES_ON;
}

enum weiri_verdict weiri_race_atomic(void *self, const struct weiri_event *event)
{
    struct weiri_race *race = self;
    weiri_race_report_settle(&race->races);
    if (event->atomic->kind != WEIRI_ATOMIC_FENCE) {
        access_atomically(race, event);
    } else {
        fence(race, event);
    }
    return WEIRI_GOES_ON;
}

/* Some items of a sub-group advance together. */
static void step(struct weiri_race *race, const struct weiri_event *event)
{
    if (race->steps == NULL) {
        race->steps = weiri_step_order_new(&event->group->shape);
    }
    weiri_step_order_step(race->steps, event->group->shape.group_linear,
                          (uint32_t)event->item, event->op);
}

enum weiri_verdict weiri_race_group(void *self, const struct weiri_event *event)
{
    struct weiri_race *race = self;
    uint64_t group = event->group->shape.group_linear;
    weiri_race_report_settle(&race->races);
    if (event->kind == WEIRI_EVENT_STEP) {
        step(race, event);
    } else if (event->kind == WEIRI_EVENT_RELEASE) {
        struct weiri_event met = *event;
        meet(race, group, &met);
    } else if (event->kind == WEIRI_EVENT_COPY || event->kind == WEIRI_EVENT_COPIED) {
        copy(race, event);
    } else if (event->kind == WEIRI_EVENT_GIVE || event->kind == WEIRI_EVENT_TAKE) {
        pass_on(race, group, event);
    } else if (event->kind == WEIRI_EVENT_FORGET) {
        weiri_order_forget(race->order, event->op);
    } else if (event->kind == WEIRI_EVENT_GROUP_BEGIN) {
        weiri_order_begin_group(race->order, group);
        weiri_race_report_begin_group(&race->races, group);
    } else {
        weiri_order_end_group(race->order, group);
        weiri_race_report_end_group(&race->races, group);
        if (race->steps != NULL) {
            weiri_step_order_end_group(race->steps, group);
        }
    }
    return WEIRI_GOES_ON;
}

/* ---- The detector ---------------------------------------------------------------- */

/* Two reads never race; nor do atomics of one size, with scopes that include other
 * groups. */
static bool never_race(const struct weiri_happens_before *order, unsigned one,
                       unsigned other)
{
    if (!weiri_class_writes(one) && !weiri_class_writes(other)) {
        return true;
    }
    return weiri_classes_are_of_one_object(one, other)
        && weiri_order_strong(order, 0, 0, weiri_class_scope(one), 1, 0,
                              weiri_class_scope(other));
}

struct weiri_race *weiri_race_new(const struct weiri_race_rules *rules,
                                  const struct weiri_shape *shape, size_t n_groups)
{
    weiri_assert(n_groups <= UINT32_MAX);
    struct weiri_race *race = g_new0(struct weiri_race, 1);
    race->n_items = (uint32_t)shape->items;
    race->order = weiri_order_new(rules->scope_rule, rules->spaces, rules->ptx, shape,
                                  n_groups);
    for (unsigned i = 0; i < WEIRI_N_CLASSES * WEIRI_N_CLASSES; i++) {
        unsigned one = i / WEIRI_N_CLASSES, other = i % WEIRI_N_CLASSES;
        race->harmless[one][other] = never_race(race->order, one, other);
    }
    weiri_shadows_init(&race->shadows, race->order, race->n_items);
    weiri_race_report_init(&race->races, rules, shape);
    return race;
}

void weiri_race_free(struct weiri_race *race)
{
    if (race == NULL) {
        return;
    }
    weiri_shadows_clear(&race->shadows);
    weiri_order_free(race->order);
    weiri_step_order_free(race->steps);
    g_clear_pointer(&race->issued, g_hash_table_unref);
    g_clear_pointer(&race->volatile_reads, g_hash_table_unref);
    weiri_race_report_clear(&race->races);
    g_free(race);
}

const struct weiri_happens_before *weiri_race_order(const struct weiri_race *race)
{
    return race->order;
}

const struct weiri_shadows *weiri_race_shadows(const struct weiri_race *race)
{
    return &race->shadows;
}

struct weiri_race_report *weiri_race_found(struct weiri_race *race)
{
    return &race->races;
}

uint32_t weiri_race_place(struct weiri_race *race, const struct weiri_event *event)
{
    return event->atomic == NULL
        ? place_of_plain(race, event)
        : place_of_atomic(race, event, order_of(event, !event->stored));
}

size_t weiri_race_n_pairs(const struct weiri_race *race)
{
    return weiri_race_report_n_pairs(&race->races);
}

const struct weiri_race_pair *weiri_race_pair(const struct weiri_race *race,
                                              size_t index)
{
    return weiri_race_report_pair(&race->races, index);
}
