/* SPDX-License-Identifier: MIT
 *
 * shadow.c: see shadow.h. Cells are mapped from the system and zero at first, which
 * means that nothing was recorded. A set is found by its parent and its newest member,
 * so that a word which many items read moves from set to set without comparing members.
 * A crowd is a list of bunches, one for each class of access; a bunch that has doubled
 * since it was last tidied is tidied again, which drops the records that a newer one
 * makes needless. */
#include "config.h"

#include "watch/shadow.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Sets are shared by all words and groups. A random schedule can make any number of
 * them; without sets, reads go into crowds. 2^17 sets of 256 items are 8 MiB. */
enum { MOST_SETS = 1 << 17 };
enum { FIRST_SETS = 1024 };
/* Entries whose bits of items are allocated together. */
enum { ITEMS_SLAB = 256 };
/* A bunch this small is never tidied. */
enum { SMALL = 8 };
/* Cells of up to this many bytes, less than a huge page, get their pages at once. A
 * page that is touched later takes two faults, since most cells are read before they
 * are written. */
enum { POPULATED_BYTES = 1 << 20 };
/* Up to this many records a bunch keeps every atomic that may race for its scope. */
enum { EXACT = 64 };
/* Records from the end of a bunch that a new access is compared with, to join one. */
enum { NEAR = 8 };

/* ---- Cells ----------------------------------------------------------------------- */

void weiri_shadows_init(struct weiri_shadows *shadows,
                        struct weiri_happens_before *order, uint32_t n_items)
{
    *shadows = (struct weiri_shadows){ .order = order, .n_items = n_items };
    shadows->mappings = g_array_new(FALSE, FALSE, sizeof(struct weiri_shadow));
    shadows->slabs = g_ptr_array_new_with_free_func(free);
    shadows->n_in_slab = WEIRI_SLAB;
    shadows->item_slabs = g_ptr_array_new_with_free_func(g_free);
    weiri_table_init(&shadows->sets, FIRST_SETS, sizeof(struct weiri_reader_set));
    if (order->ptx) {
        weiri_observed_init(&shadows->observed, order);
    }
}

struct weiri_cell *weiri_shadows_map(struct weiri_shadows *shadows,
                                     struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    struct weiri_shadow before = *shadow;
    shadow->n = (object->bytes + WEIRI_WORD_BYTES - 1) / WEIRI_WORD_BYTES;
    size_t bytes = shadow->n * sizeof(struct weiri_cell);
    int populate = bytes <= POPULATED_BYTES ? MAP_POPULATE : 0;
    shadow->cells = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | populate, -1, 0);
    if (shadow->cells == MAP_FAILED) {
        g_error("no memory for the records of accesses to %zu bytes: check a "
                "smaller launch",
                object->bytes);
    }
    if (before.n > 0) {
        memcpy(shadow->cells, before.cells, before.n * sizeof(struct weiri_cell));
    }
    (void)madvise(shadow->cells, bytes, MADV_HUGEPAGE);
    g_array_append_vals(shadows->mappings, shadow, 1);
    return shadow->cells;
}

/* ---- Sets ------------------------------------------------------------------------ */

static size_t n_words(uint32_t n_items)
{
    return (n_items + 63) / 64;
}

/* The set with one more member; 0 if there are too many sets. */
static uint32_t set_with(struct weiri_shadows *shadows, uint32_t parent, uint32_t item,
                         uint32_t place)
{
    enum { KEY_BYTES = 3 * sizeof(uint32_t) }; /* parent, item and place */
    struct weiri_reader_set set = { .parent = parent, .item = item, .place = place };
    uint32_t index = weiri_table_find(&shadows->sets, &set, sizeof(set), KEY_BYTES);
    if (index != 0 || shadows->sets.n == MOST_SETS) {
        return index;
    }
    set.items = g_new0(uint64_t, n_words(shadows->n_items));
    if (parent != 0) {
        memcpy(set.items, weiri_shadows_set(shadows, parent)->items,
               n_words(shadows->n_items) * sizeof(uint64_t));
    }
    set.items[item / 64] |= UINT64_C(1) << item % 64;
    return weiri_table_add(&shadows->sets, &set, sizeof(set), KEY_BYTES);
}

bool weiri_shadows_has(const struct weiri_shadows *shadows,
                       const struct weiri_record *record, uint32_t item)
{
    if ((record->rest & WEIRI_RECORD_SET) == 0) {
        return record->owner == item;
    }
    return (weiri_shadows_set(shadows, record->owner)->items[item / 64] >> item % 64
            & 1)
        != 0;
}

bool weiri_shadows_add(struct weiri_shadows *shadows, struct weiri_record *record,
                       uint32_t item, uint32_t place)
{
    uint32_t set = record->owner;
    if ((record->rest & WEIRI_RECORD_SET) == 0) {
        set = set_with(shadows, 0, record->owner, weiri_record_place(record));
    }
    set = set == 0 ? 0 : set_with(shadows, set, item, place);
    if (set == 0) {
        return false;
    }
    record->owner = set;
    record->rest |= WEIRI_RECORD_SET;
    return true;
}

/* ---- Crowds ---------------------------------------------------------------------- */

/* @items: or NULL */
static void give_items(struct weiri_shadows *shadows, uint64_t *items)
{
    if (items != NULL) {
        items[0] = (uintptr_t)shadows->spare;
        shadows->spare = items;
    }
}

/* Bits of the items of an entry, all zero. They come and go with the groups, so that
 * those which are free are kept in a list, by their first word. */
static uint64_t *take_items(struct weiri_shadows *shadows)
{
    size_t words = n_words(shadows->n_items);
    if (shadows->spare == NULL) {
        uint64_t *slab = g_new(uint64_t, ITEMS_SLAB * words);
        g_ptr_array_add(shadows->item_slabs, slab);
        for (size_t i = 0; i < ITEMS_SLAB; i++) {
            give_items(shadows, slab + i * words);
        }
    }
    uint64_t *items = shadows->spare;
    shadows->spare = (uint64_t *)(uintptr_t)items[0];
    for (size_t i = 0; i < words; i++) {
        items[i] = 0;
    }
    return items;
}

static void clear_entries(struct weiri_shadows *shadows, struct weiri_bunch *bunch)
{
    for (uint32_t i = 0; i < bunch->n; i++) {
        give_items(shadows, bunch->entries[i].items);
    }
    bunch->n = 0;
    bunch->kept = 0;
}

static struct weiri_bunch *bunch_of(struct weiri_crowd *crowd, unsigned class)
{
    struct weiri_bunch *bunch = &crowd->bunch;
    if (bunch->entries == NULL) {
        *bunch = (struct weiri_bunch){ .class = class,
                                       .capacity = 1,
                                       .entries = &bunch->first };
        return bunch;
    }
    while (bunch->class != class && bunch->next != NULL) {
        bunch = bunch->next;
    }
    if (bunch->class != class) {
        bunch->next = g_new0(struct weiri_bunch, 1);
        bunch = bunch->next;
        bunch->class = class;
        bunch->capacity = 1;
        bunch->entries = &bunch->first;
    }
    return bunch;
}

static struct weiri_entry *append(struct weiri_bunch *bunch)
{
    if (bunch->n == bunch->capacity) {
        bunch->capacity *= 2;
        if (bunch->entries == &bunch->first) {
            bunch->entries = g_new(struct weiri_entry, bunch->capacity);
            bunch->entries[0] = bunch->first;
        } else {
            bunch->entries
                = g_renew(struct weiri_entry, bunch->entries, bunch->capacity);
        }
    }
    struct weiri_entry *entry = &bunch->entries[bunch->n++];
    *entry = (struct weiri_entry){ 0 };
    return entry;
}

void weiri_entry_add(struct weiri_shadows *shadows, struct weiri_entry *entry,
                     uint32_t item)
{
    if (entry->items == NULL) {
        entry->items = take_items(shadows);
        entry->items[entry->record.owner / 64] |= UINT64_C(1)
            << entry->record.owner % 64;
    }
    entry->items[item / 64] |= UINT64_C(1) << item % 64;
}

/* Turns a cell's set of reads into one record for each place in the code. */
static void add_set(struct weiri_shadows *shadows, struct weiri_bunch *bunch,
                    const struct weiri_record *record)
{
    uint32_t first = bunch->n;
    for (uint32_t i = record->owner; i != 0;
         i = weiri_shadows_set(shadows, i)->parent) {
        const struct weiri_reader_set *set = weiri_shadows_set(shadows, i);
        struct weiri_entry *entry = NULL;
        for (uint32_t k = first; k < bunch->n && entry == NULL; k++) {
            if (weiri_record_place(&bunch->entries[k].record) == set->place) {
                entry = &bunch->entries[k];
            }
        }
        if (entry != NULL) {
            weiri_entry_add(shadows, entry, set->item);
            continue;
        }
        entry = append(bunch);
        entry->record = *record;
        entry->record.owner = set->item;
        entry->record.rest = set->place << 8 | (record->rest & WEIRI_RECORD_LOST)
            | weiri_record_bytes(record);
    }
}

static struct weiri_crowd *new_crowd(struct weiri_shadows *shadows)
{
    if (shadows->n_in_slab == WEIRI_SLAB) {
        struct weiri_crowd *slab = aligned_alloc(64, WEIRI_SLAB * sizeof(*slab));
        weiri_assert(slab != NULL);
        memset(slab, 0, WEIRI_SLAB * sizeof(*slab));
        g_ptr_array_add(shadows->slabs, slab);
        shadows->n_in_slab = 0;
    }
    struct weiri_crowd *last
        = g_ptr_array_index(shadows->slabs, shadows->slabs->len - 1);
    return &last[shadows->n_in_slab++];
}

struct weiri_crowd *weiri_shadows_need_crowd(struct weiri_shadows *shadows,
                                             struct weiri_cell *cell, uint32_t group)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    if (crowd != NULL) {
        return crowd;
    }
    crowd = new_crowd(shadows);
    crowd->group = group;
    if (cell->read.rest != 0) {
        struct weiri_bunch *bunch = bunch_of(crowd, WEIRI_CLASS_READ);
        if ((cell->read.rest & WEIRI_RECORD_SET) != 0) {
            add_set(shadows, bunch, &cell->read);
        } else {
            append(bunch)->record = cell->read;
        }
    }
    cell->many.crowd = crowd;
    cell->many.unused = 0;
    cell->many.rest = WEIRI_RECORD_CROWD;
    return crowd;
}

/* Drops all records, and keeps the memory for new ones. */
static void clear_crowd(struct weiri_shadows *shadows, struct weiri_crowd *crowd)
{
    for (struct weiri_bunch *bunch = &crowd->bunch; bunch != NULL;
         bunch = bunch->next) {
        clear_entries(shadows, bunch);
    }
    for (struct weiri_spot *spot = crowd->has_spot ? &crowd->spot : NULL; spot != NULL;
         spot = spot->next) {
        weiri_observed_forget(&shadows->observed, &spot->message);
    }
    crowd->owner = NULL; /* the word before is cleared by itself */
    weiri_crowd_overwrite(shadows, crowd);
}

void weiri_shadows_renew(struct weiri_shadows *shadows, struct weiri_cell *cell,
                         uint32_t group)
{
    struct weiri_crowd *crowd = weiri_cell_crowd(cell);
    cell->write.time = 0;
    if (crowd != NULL) {
        clear_crowd(shadows, crowd);
        crowd->group = group;
    } else {
        cell->read = (struct weiri_record){ 0 };
    }
}

void weiri_crowd_overwrite(struct weiri_shadows *shadows, struct weiri_crowd *crowd)
{
    for (struct weiri_spot *spot = crowd->has_spot ? &crowd->spot : NULL; spot != NULL;
         spot = spot->next) {
        weiri_order_overwrite(shadows->order, &spot->message);
    }
    if (crowd->owner != NULL) {
        weiri_order_overwrite(shadows->order, &crowd->owner->message);
    }
}

/* Whether later accesses may be ordered after records that are lost, since they were
 * observed. */
static bool may_be_observed(const struct weiri_shadows *shadows, unsigned class)
{
    return shadows->order->ptx && weiri_class_is_atomic(class)
        && weiri_class_writes(class);
}

/* Whether @latest, a new record of the same class, makes a record needless. */
static bool is_needless(const struct weiri_shadows *shadows,
                        const struct weiri_bunch *in, const struct weiri_entry *entry,
                        const struct weiri_record *latest,
                        enum weiri_memory_space space, const struct weiri_actor *actor)
{
    const struct weiri_record *record = &entry->record;
    bool narrow = in->n < EXACT
        && (may_be_observed(shadows, in->class)
            || (weiri_class_is_atomic(in->class) && record->group != latest->group));
    return !narrow && (record->rest & WEIRI_RECORD_LOST) == 0
        && (weiri_record_bytes(record) & ~weiri_record_bytes(latest)) == 0
        && weiri_order_all_before(shadows->order, actor, space, record->group,
                                  record->time);
}

/* The latest write of those that are lost: a later access that observes it observes
 * those before it in its chain. NULL: there are none, or all are kept */
static const struct weiri_entry *last_lost(const struct weiri_shadows *shadows,
                                           const struct weiri_bunch *bunch,
                                           enum weiri_memory_space space)
{
    const struct weiri_entry *last = NULL;
    for (uint32_t i = 0; bunch->n >= EXACT && i < bunch->n; i++) {
        const struct weiri_entry *entry = &bunch->entries[i];
        if (weiri_order_is_lost(shadows->order, space, entry->record.group,
                                entry->record.time)
            && (last == NULL || entry->number >= last->number)) {
            last = entry;
        }
    }
    return last;
}

/* tidy() of atomic writes under PTX. */
static void tidy_observed(struct weiri_shadows *shadows, struct weiri_bunch *bunch,
                          const struct weiri_record *latest,
                          enum weiri_memory_space space,
                          const struct weiri_actor *actor)
{
    uint32_t n = 0;
    const struct weiri_entry *lost = last_lost(shadows, bunch, space);
    const struct weiri_record last
        = lost != NULL ? lost->record : (struct weiri_record){ 0 };
    const uint32_t number = lost != NULL ? lost->number : 0;
    for (uint32_t i = 0; i < bunch->n; i++) {
        struct weiri_entry *entry = &bunch->entries[i];
        const struct weiri_record *record = &entry->record;
        bool covered = entry->number < number
            && (weiri_record_bytes(record) & ~weiri_record_bytes(&last)) == 0
            && weiri_order_is_lost(shadows->order, space, record->group, record->time);
        if (covered || is_needless(shadows, bunch, entry, latest, space, actor)) {
            give_items(shadows, entry->items);
        } else {
            bunch->entries[n++] = *entry;
        }
    }
    bunch->n = bunch->kept = n;
}

/* Drops records that @latest makes needless, and all but one of those that are lost. */
static void tidy(struct weiri_shadows *shadows, struct weiri_bunch *bunch,
                 const struct weiri_record *latest, enum weiri_memory_space space,
                 const struct weiri_actor *actor)
{
    uint32_t n = 0;
    unsigned lost_bytes = 0;
    for (uint32_t i = 0; i < bunch->n; i++) {
        struct weiri_entry *entry = &bunch->entries[i];
        struct weiri_record *record = &entry->record;
        if (weiri_order_is_lost(shadows->order, space, record->group, record->time)) {
            record->rest |= WEIRI_RECORD_LOST;
        }
        unsigned bytes = weiri_record_bytes(record);
        bool lost = (record->rest & WEIRI_RECORD_LOST) != 0;
        if ((lost && (bytes & ~lost_bytes) == 0)
            || is_needless(shadows, bunch, entry, latest, space, actor)) {
            give_items(shadows, entry->items);
            continue;
        }
        lost_bytes |= lost ? bytes : 0;
        bunch->entries[n++] = *entry;
    }
    bunch->n = bunch->kept = n;
}

/* Whether the latest entry of a bunch adds nothing to its first: both are lost, and the
 * first covers its bytes. */
static bool is_one_lost_too_many(const struct weiri_shadows *shadows,
                                 struct weiri_bunch *bunch,
                                 enum weiri_memory_space space)
{
    struct weiri_record *first = &bunch->entries[0].record;
    struct weiri_record *last = &bunch->entries[bunch->n - 1].record;
    if ((first->rest & WEIRI_RECORD_LOST) == 0) {
        if (weiri_order_is_lost(shadows->order, space, first->group, first->time)) {
            first->rest |= WEIRI_RECORD_LOST;
        }
        return false;
    }
    return bunch->n > 1 && (weiri_record_bytes(last) & ~weiri_record_bytes(first)) == 0
        && weiri_order_is_lost(shadows->order, space, last->group, last->time);
}

void weiri_crowd_add(struct weiri_shadows *shadows, struct weiri_crowd *crowd,
                     unsigned class, const struct weiri_record *record,
                     enum weiri_memory_space space, const struct weiri_actor *actor,
                     struct weiri_numbered numbered)
{
    struct weiri_bunch *bunch = bunch_of(crowd, class);
    bool observed = may_be_observed(shadows, class);
    const struct weiri_entry fresh
        = { .record = *record, .number = numbered.number, .writer = record->owner };
    uint32_t near = bunch->n > NEAR ? bunch->n - NEAR : 0;
    for (uint32_t i = bunch->n; i-- > near;) {
        struct weiri_entry *entry = &bunch->entries[i];
        bool apart = observed && bunch->n < EXACT
            && (entry->number < numbered.chain || !weiri_entry_has(entry, fresh.writer)
                || entry->items != NULL);
        if (entry->record.group != record->group || apart) {
            continue;
        }
        if (entry->record.time == record->time && entry->record.rest == record->rest) {
            if (!weiri_entry_has(entry, record->owner)) {
                weiri_entry_add(shadows, entry, record->owner);
            }
            entry->number = fresh.number;
            entry->writer = fresh.writer;
            return;
        }
        if (entry->items == NULL && entry->record.owner == record->owner
            && (entry->record.rest & WEIRI_RECORD_PENDING) == 0
            && (weiri_record_bytes(&entry->record) & ~weiri_record_bytes(record))
                == 0) {
            *entry = fresh;
            return;
        }
    }
    if (!observed && bunch->n > 0 && is_one_lost_too_many(shadows, bunch, space)) {
        struct weiri_entry *last = &bunch->entries[bunch->n - 1];
        give_items(shadows, last->items);
        *last = fresh;
        return;
    }
    if (bunch->n >= SMALL && bunch->n >= 2 * bunch->kept) {
        (observed ? tidy_observed : tidy)(shadows, bunch, record, space, actor);
    }
    *append(bunch) = fresh;
}

void weiri_crowd_drop(struct weiri_shadows *shadows, struct weiri_crowd *crowd,
                      unsigned bytes)
{
    for (struct weiri_bunch *bunch = &crowd->bunch; bunch != NULL;
         bunch = bunch->next) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < bunch->n; i++) {
            struct weiri_entry *entry = &bunch->entries[i];
            entry->record.rest &= ~bytes;
            if (weiri_record_bytes(&entry->record) == 0) {
                give_items(shadows, entry->items);
            } else {
                bunch->entries[n++] = *entry;
            }
        }
        bunch->n = n;
        bunch->kept = MIN(bunch->kept, n);
    }
}

struct weiri_spot *weiri_crowd_spot(struct weiri_crowd *crowd, unsigned offset)
{
    struct weiri_spot *spot = &crowd->spot;
    if (!crowd->has_spot) {
        crowd->has_spot = true;
        spot->offset = offset;
    }
    while (spot->offset != offset && spot->next != NULL) {
        spot = spot->next;
    }
    if (spot->offset != offset) {
        spot->next = g_new0(struct weiri_spot, 1);
        spot = spot->next;
        spot->offset = offset;
    }
    return spot;
}

uint32_t weiri_entry_next(const struct weiri_entry *entry, uint32_t item,
                          uint32_t n_items)
{
    if (entry->items == NULL) {
        return item == UINT32_MAX ? entry->record.owner : UINT32_MAX;
    }
    for (uint32_t next = item + 1; next < n_items; next++) {
        uint64_t rest = entry->items[next / 64] >> next % 64;
        if (rest != 0) {
            return next + (uint32_t)__builtin_ctzll(rest);
        }
        next |= 63;
    }
    return UINT32_MAX;
}

static void empty_crowd(struct weiri_shadows *shadows, struct weiri_crowd *crowd)
{
    clear_crowd(shadows, crowd);
    for (struct weiri_bunch *bunch = &crowd->bunch, *next; bunch != NULL;
         bunch = next) {
        next = bunch->next;
        if (bunch->entries != &bunch->first) {
            g_free(bunch->entries);
        }
        if (bunch != &crowd->bunch) {
            g_free(bunch);
        }
    }
    for (struct weiri_spot *spot = crowd->spot.next, *next; spot != NULL; spot = next) {
        next = spot->next;
        g_free(spot);
    }
}

void weiri_shadows_clear(struct weiri_shadows *shadows)
{
    for (guint i = 0; i < shadows->slabs->len; i++) {
        struct weiri_crowd *slab = g_ptr_array_index(shadows->slabs, i);
        bool last = i + 1 == shadows->slabs->len;
        for (uint32_t k = 0; k < (last ? shadows->n_in_slab : WEIRI_SLAB); k++) {
            empty_crowd(shadows, &slab[k]);
        }
    }
    weiri_observed_clear(&shadows->observed);
    g_ptr_array_unref(shadows->slabs);
    g_ptr_array_unref(shadows->item_slabs);
    for (guint i = 0; i < shadows->mappings->len; i++) {
        const struct weiri_shadow *mapping
            = &g_array_index(shadows->mappings, struct weiri_shadow, i);
        munmap(mapping->cells, mapping->n * sizeof(struct weiri_cell));
    }
    g_array_unref(shadows->mappings);
    for (uint32_t i = 1; i < shadows->sets.n; i++) {
        g_free(weiri_shadows_set(shadows, i)->items);
    }
    weiri_table_clear(&shadows->sets);
}
