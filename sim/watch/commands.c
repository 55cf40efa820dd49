/* SPDX-License-Identifier: MIT
 *
 * commands.c: see commands.h. Memory is divided into words of 4 bytes and pages of 1024
 * words. A page has for each word a list of accesses that a later one may race with:
 *
 *   page    | 0 | 3 | 0 | ...        indices of entries; 0: there is none
 *   entries | - | . | . | command, group, item, place, bytes, next | ...
 *
 * An entry is dropped if every later access that races with it also races with a new
 * one: its bytes are among those of the new access, its command happens before the new
 * one's or is the same, and the new access is a plain write, or does the same. So the
 * first race of each byte is always found, as in race.c. Entries whose commands the
 * host has waited for race with nothing, and are dropped when a list is looked at. */
#include "config.h"

#include "watch/commands.h"

#include <string.h>

enum { WORD_BYTES = 4 };
enum { PAGE_WORDS = 1024 };
enum { PAGE_BYTES = PAGE_WORDS * WORD_BYTES };
enum { ALL_BYTES = 0xf };

/* The number of a place has what it does in its lowest bits. */
enum { WRITES = 1, ATOMIC = 2, PLACE_SHIFT = 2 };
/* So has an entry, above its bytes. */
enum { BYTES_SHIFT = 4 };

struct page {
    uintptr_t number; /* its address, divided by PAGE_BYTES */
    uint32_t first[PAGE_WORDS];
};

struct entry {
    uint32_t next;
    uint32_t command;
    uint32_t group;
    uint32_t item;
    uint32_t rest; /* place << BYTES_SHIFT | bytes */
};

struct weiri_commands {
    struct weiri_command_order *order;
    GPtrArray *commanders; /* of struct weiri_commander, from number @first on; owned */
    uint32_t first;
    GArray *places;          /* of struct weiri_command_place */
    GHashTable *place_index; /* a copy of a place: its number */
    GHashTable *pages;       /* by number; owned */
    struct page *latest;     /* or NULL */
    uintptr_t low, high;     /* numbers of pages, the last one excluded */
    GArray *entries;         /* of struct entry; the first is not used */
    uint32_t used;           /* how many are in use; the others have no contents yet */
    uint32_t spare;          /* the first free entry, or 0 */
    GArray *races;           /* of struct weiri_command_race; not taken yet */
    GHashTable *met;         /* pairs of commands; owned. See weiri_commands_met() */
    struct weiri_command_race unwaited;
};

/* ---- Places ---------------------------------------------------------------------- */

static guint hash_place(const void *data)
{
    const struct weiri_command_place *place = data;
    const struct weiri_trail *trail = &place->trail;
    return weiri_backtrace_hash(&trail->calls)
        ^ (guint)((uintptr_t)trail->at[0] ^ (uintptr_t)trail->site)
        ^ (guint)(place->reads + 2 * place->writes + 4 * place->atomic);
}

static gboolean same_place(const void *a, const void *b)
{
    const struct weiri_command_place *one = a, *other = b;
    return one->trail.at[0] == other->trail.at[0]
        && one->trail.site == other->trail.site && one->reads == other->reads
        && one->writes == other->writes && one->atomic == other->atomic
        && one->kind == other->kind && one->order == other->order
        && one->scope == other->scope
        && weiri_backtrace_equal(&one->trail.calls, &other->trail.calls);
}

uint32_t weiri_commands_place(struct weiri_commands *commands,
                              const struct weiri_command_place *place)
{
    uint32_t number
        = GPOINTER_TO_UINT(g_hash_table_lookup(commands->place_index, place));
    if (number == 0) {
        g_array_append_vals(commands->places, place, 1);
        number = commands->places->len << PLACE_SHIFT | (place->atomic ? ATOMIC : 0)
            | (place->writes ? WRITES : 0);
        g_hash_table_insert(commands->place_index, g_memdup2(place, sizeof(*place)),
                            GUINT_TO_POINTER(number));
    }
    return number;
}

const struct weiri_command_place *weiri_commands_place_at(
    const struct weiri_commands *commands, uint32_t number)
{
    return &g_array_index(commands->places, struct weiri_command_place,
                          (number >> PLACE_SHIFT) - 1);
}

/* ---- Commands -------------------------------------------------------------------- */

struct weiri_commands *weiri_commands_new(void)
{
    struct weiri_commands *commands = g_new0(struct weiri_commands, 1);
    commands->order = weiri_command_order_new();
    commands->commanders = g_ptr_array_new_with_free_func(g_free);
    commands->first = 1;
    commands->places = g_array_new(FALSE, FALSE, sizeof(struct weiri_command_place));
    commands->place_index = g_hash_table_new_full(hash_place, same_place, g_free, NULL);
    commands->pages = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    commands->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
    commands->races = g_array_new(FALSE, FALSE, sizeof(struct weiri_command_race));
    commands->met = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    weiri_commands_forget_all(commands);
    return commands;
}

void weiri_commands_free(struct weiri_commands *commands)
{
    weiri_command_order_free(commands->order);
    g_ptr_array_unref(commands->commanders);
    g_array_unref(commands->places);
    g_hash_table_unref(commands->place_index);
    g_hash_table_unref(commands->pages);
    g_array_unref(commands->entries);
    g_array_unref(commands->races);
    g_hash_table_unref(commands->met);
    g_free(commands);
}

struct weiri_command_order *weiri_commands_order(const struct weiri_commands *commands)
{
    return commands->order;
}

void weiri_commands_add(struct weiri_commands *commands,
                        const struct weiri_commander *commander)
{
    if (commands->commanders->len == 0) {
        commands->first = commander->number;
    }
    g_ptr_array_add(commands->commanders, g_memdup2(commander, sizeof(*commander)));
}

/* The host for 0. */
const struct weiri_commander *weiri_commands_commander(
    const struct weiri_commands *commands, uint32_t number)
{
    static const struct weiri_commander host;
    uint32_t index = number - commands->first;
    return number != 0 && index < commands->commanders->len
        ? g_ptr_array_index(commands->commanders, index)
        : &host;
}

void weiri_commands_set_kernel(struct weiri_commands *commands, uint32_t number,
                               const struct weir_kernel *kernel,
                               const struct weiri_shape *shape, bool talks)
{
    struct weiri_commander *commander
        = (struct weiri_commander *)weiri_commands_commander(commands, number);
    if (commander->number != 0) {
        commander->kernel = kernel;
        commander->shape = *shape;
        commander->talks = talks;
    }
}

static uint64_t pair_of(uint32_t one, uint32_t other)
{
    return (uint64_t)MIN(one, other) << 32 | MAX(one, other);
}

static void meet(struct weiri_commands *commands, uint32_t one, uint32_t other)
{
    uint64_t pair = pair_of(one, other);
    if (!g_hash_table_contains(commands->met, &pair)) {
        g_hash_table_add(commands->met, g_memdup2(&pair, sizeof(pair)));
    }
}

bool weiri_commands_met(const struct weiri_commands *commands, uint32_t one,
                        uint32_t other)
{
    uint64_t pair = pair_of(one, other);
    return g_hash_table_contains(commands->met, &pair);
}

/* ---- Pages ----------------------------------------------------------------------- */

static struct page *find_page(struct weiri_commands *commands, uintptr_t number)
{
    if (commands->latest == NULL || commands->latest->number != number) {
        if (number < commands->low || number >= commands->high) {
            return NULL;
        }
        struct page *found = g_hash_table_lookup(commands->pages, (void *)number);
        commands->latest = found != NULL ? found : commands->latest;
        return found;
    }
    return commands->latest;
}

static struct page *need_page(struct weiri_commands *commands, uintptr_t number)
{
    struct page *page = find_page(commands, number);
    if (page == NULL) {
        page = g_new0(struct page, 1);
        page->number = number;
        g_hash_table_insert(commands->pages, (void *)number, page);
        commands->latest = page;
        commands->low = MIN(commands->low, number);
        commands->high = MAX(commands->high, number + 1);
    }
    return page;
}

static struct entry *entry_at(const struct weiri_commands *commands, uint32_t index)
{
    return &g_array_index(commands->entries, struct entry, index);
}

static uint32_t new_entry(struct weiri_commands *commands)
{
    uint32_t index = commands->spare;
    if (index != 0) {
        commands->spare = entry_at(commands, index)->next;
        return index;
    }
    if (commands->used >= commands->entries->len) {
        g_array_set_size(commands->entries, 2 * commands->used + 1024);
    }
    return commands->used++;
}

static void free_entry(struct weiri_commands *commands, uint32_t index)
{
    entry_at(commands, index)->next = commands->spare;
    commands->spare = index;
}

/* ---- Accesses -------------------------------------------------------------------- */

static void found(struct weiri_commands *commands, const struct entry *entry,
                  uint32_t command, const char *address,
                  const struct weiri_command_access *access)
{
    const uint64_t key = (uint64_t)(entry->rest >> BYTES_SHIFT) << 32 | access->place;
    for (guint i = 0; i < commands->races->len; i++) {
        struct weiri_command_race *race
            = &g_array_index(commands->races, struct weiri_command_race, i);
        if (race->key == key && race->first.number == entry->command
            && race->second.number == command) {
            race->count++;
            return;
        }
    }
    const struct weiri_command_race race
        = { .key = key,
            .first = *weiri_commands_commander(commands, entry->command),
            .second = *weiri_commands_commander(commands, command),
            .at_first = { entry->group, entry->item, entry->rest >> BYTES_SHIFT },
            .at_second = *access,
            .address = address,
            .count = 1 };
    g_array_append_val(commands->races, race);
}

/* Whether a later access that races with one at the place @old also races with one at
 * @now, of a later command or of the same. */
static inline bool replaces(uint32_t now, uint32_t old)
{
    return (now & (WRITES | ATOMIC)) == WRITES
        || (((now ^ old) & ATOMIC) == 0 && (now & WRITES) >= (old & WRITES));
}

static void relate(const struct weiri_commands *commands, uint32_t earlier,
                   uint32_t command, struct weiri_command_relation *relation)
{
    if (relation->command != earlier) {
        relation->command = earlier;
        relation->waited = weiri_command_order_before(commands->order, earlier, 0);
        relation->before = relation->waited || earlier == command
            || weiri_command_order_before(commands->order, earlier, command);
    }
}

/* Compares with the entries of a word, and drops those that are not needed any more.
 * @relation: kept for the next word */
static void compare(struct weiri_commands *commands, uint32_t *first, uint32_t command,
                    const char *word, unsigned bytes,
                    const struct weiri_command_access *access,
                    struct weiri_command_relation *relation)
{
    uint32_t now = access->place;
    for (uint32_t *link = first, index; (index = *link) != 0;) {
        struct entry *entry = entry_at(commands, index);
        unsigned both = entry->rest & bytes & ALL_BYTES;
        uint32_t old = entry->rest >> BYTES_SHIFT;
        relate(commands, entry->command, command, relation);
        if (!relation->before && both != 0 && ((old | now) & WRITES) != 0) {
            if ((old & now & ATOMIC) == 0) {
                found(commands, entry, command, word + __builtin_ctz(both), access);
            } else {
                meet(commands, entry->command, command);
            }
        }
        if (relation->waited
            || (command != 0 && relation->before && replaces(now, old)
                && both == (entry->rest & ALL_BYTES))) {
            *link = entry->next;
            free_entry(commands, index);
        } else {
            link = &entry_at(commands, index)->next;
        }
    }
}

/* The quick way for most words: the only entry belongs to a command like the one of the
 * word before, and the new access takes its place. Returns: false, having done nothing,
 * for others */
static inline bool takes_place(struct weiri_commands *commands, uint32_t index,
                               const struct entry *now,
                               const struct weiri_command_relation *relation)
{
    struct entry *only = entry_at(commands, index);
    if (only->next != 0 || relation->command != only->command || !relation->before
        || (only->rest & ~now->rest & ALL_BYTES) != 0
        || !replaces(now->rest >> BYTES_SHIFT, only->rest >> BYTES_SHIFT)) {
        return false;
    }
    *only = *now;
    return true;
}

static void touch(struct weiri_commands *commands, uint32_t command, uintptr_t word,
                  unsigned bytes, const struct weiri_command_access *access,
                  struct weiri_command_relation *relation)
{
    uintptr_t number = word / PAGE_BYTES;
    struct page *page
        = command != 0 ? need_page(commands, number) : find_page(commands, number);
    if (page == NULL) {
        return;
    }
    uint32_t *first = &page->first[word % PAGE_BYTES / WORD_BYTES];
    struct entry now = { 0, command, (uint32_t)access->group, access->item,
                         access->place << BYTES_SHIFT | bytes };
    if (*first != 0) {
        if (command != 0 && takes_place(commands, *first, &now, relation)) {
            return;
        }
        compare(commands, first, command, (const char *)word, bytes, access, relation);
    }
    if (command != 0) {
        uint32_t index = new_entry(commands);
        now.next = *first;
        *entry_at(commands, index) = now;
        *first = index;
    }
}

void weiri_commands_touch(struct weiri_commands *commands, uint32_t command,
                          const char *word, unsigned bytes,
                          const struct weiri_command_access *access,
                          struct weiri_command_relation *relation)
{
    touch(commands, command, (uintptr_t)word & ~(uintptr_t)(WORD_BYTES - 1), bytes,
          access, relation);
}

/* The bytes of the word between two addresses, as a mask. */
static unsigned bytes_between(uintptr_t word, uintptr_t start, uintptr_t end)
{
    unsigned bytes = ALL_BYTES;
    if (start > word) {
        bytes &= (unsigned)ALL_BYTES << (start - word);
    }
    if (end < word + WORD_BYTES) {
        bytes &= (unsigned)ALL_BYTES >> (word + WORD_BYTES - end);
    }
    return bytes;
}

void weiri_commands_touch_range(struct weiri_commands *commands, uint32_t command,
                                const volatile void *start, size_t bytes,
                                const struct weiri_command_access *access)
{
    struct weiri_command_relation relation = { 0 };
    uintptr_t from = (uintptr_t)start, end = from + bytes;
    for (uintptr_t word = from & ~(uintptr_t)(WORD_BYTES - 1); word < end;
         word += WORD_BYTES) {
        touch(commands, command, word, bytes_between(word, from, end), access,
              &relation);
    }
}

bool weiri_commands_hold(struct weiri_commands *commands, const volatile void *start,
                         size_t bytes)
{
    uintptr_t from = (uintptr_t)start & ~(uintptr_t)(WORD_BYTES - 1);
    uintptr_t end = (uintptr_t)start + bytes;
    for (uintptr_t word = from; word < end; word += WORD_BYTES) {
        const struct page *page = find_page(commands, word / PAGE_BYTES);
        if (page == NULL) {
            word = word / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES - WORD_BYTES;
        } else if (page->first[word % PAGE_BYTES / WORD_BYTES] != 0) {
            return true;
        }
    }
    return false;
}

/* ---- The end of memory, and of all ----------------------------------------------- */

const struct weiri_command_race *weiri_commands_unwaited(
    struct weiri_commands *commands, const void *start, size_t bytes)
{
    struct weiri_command_relation relation = { 0 };
    uintptr_t from = (uintptr_t)start, end = from + bytes;
    for (uintptr_t word = from & ~(uintptr_t)(WORD_BYTES - 1); word < end;
         word += WORD_BYTES) {
        const struct page *page = find_page(commands, word / PAGE_BYTES);
        uint32_t index = page != NULL ? page->first[word % PAGE_BYTES / WORD_BYTES] : 0;
        for (; index != 0; index = entry_at(commands, index)->next) {
            const struct entry *entry = entry_at(commands, index);
            relate(commands, entry->command, 0, &relation);
            if (!relation.waited) {
                commands->unwaited = (struct weiri_command_race){
                    .first = *weiri_commands_commander(commands, entry->command),
                    .at_first
                    = { entry->group, entry->item, entry->rest >> BYTES_SHIFT },
                    .address = (const char *)word,
                    .count = 1
                };
                return &commands->unwaited;
            }
        }
    }
    return NULL;
}

void weiri_commands_forget(struct weiri_commands *commands, const void *start,
                           size_t bytes)
{
    uintptr_t from = (uintptr_t)start, end = from + bytes;
    for (uintptr_t word = from & ~(uintptr_t)(WORD_BYTES - 1); word < end;
         word += WORD_BYTES) {
        struct page *page = find_page(commands, word / PAGE_BYTES);
        uint32_t *first
            = page != NULL ? &page->first[word % PAGE_BYTES / WORD_BYTES] : NULL;
        while (first != NULL && *first != 0) {
            uint32_t index = *first;
            *first = entry_at(commands, index)->next;
            free_entry(commands, index);
        }
    }
}

void weiri_commands_forget_all(struct weiri_commands *commands)
{
    g_hash_table_remove_all(commands->pages);
    g_hash_table_remove_all(commands->met);
    commands->latest = NULL;
    commands->low = UINTPTR_MAX;
    commands->high = 0;
    commands->used = 1;
    commands->spare = 0;
    g_ptr_array_set_size(commands->commanders, 0);
}

GArray *weiri_commands_take_races(struct weiri_commands *commands)
{
    GArray *races = commands->races;
    commands->races = g_array_new(FALSE, FALSE, sizeof(struct weiri_command_race));
    return races;
}
