/* SPDX-License-Identifier: MIT
 *
 * memory.c: each allocation is a mapping of its own between two guards. Large arrays
 * can use huge pages, and an index that is slightly wrong does not reach another array:
 *
 *     low       start                         low + low_bytes
 *     | guard   | bytes ... rest of a page | guard |
 *
 * Freed memory keeps its addresses for a while, without its pages: a use of it faults,
 * or is a finding in a checked launch. Local memory of launches that have ended is kept
 * the same way, with a name for each array. Its sites cannot be kept: the program may
 * unload the part of itself that they lie in. */
#include "config.h"

#include "exec/memory.h"

#include "base/statics.h"
#include "exec/device.h"
#include "exec/group.h"
#include "finding/names.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_VALGRIND
#include <valgrind/memcheck.h>
#endif

/* Arrays of this size or larger ask for huge pages: 2 MiB on both processors. */
enum { HUGE_BYTES = 2 * 1024 * 1024 };
/* On each side: the largest page of Linux on these processors, and at least a row of
 * most matrices. */
enum { GUARD_BYTES = 64 * 1024 };
/* Freed memory that is kept besides the latest. Linux allows a process 65530 mappings
 * (vm.max_map_count), and stacks need many of them. */
enum { MOST_FREED_BYTES = 256 * 1024 * 1024 };
enum { MOST_FREED = 4096 };
/* Launches whose local memory is kept: a stale pointer is mostly used in the next. */
enum { MOST_RETIRED = 8 };

static void free_memory(void *data)
{
    struct weiri_memory *memory = data;
    if (!memory->adopted) {
        munmap(memory->low, memory->low_bytes);
    }
    g_free(memory->name);
    g_clear_pointer(&memory->windows, g_array_unref);
    g_free(memory);
}

/* @name with escapes for what a terminal would not print. Returns: (transfer full) */
static char *printable(const char *name)
{
    if (name == NULL || name[0] == '\0') {
        return g_strdup("unnamed");
    }
    GString *text = g_string_new(NULL);
    for (const char *at = name; *at != '\0';) {
        gunichar character = g_utf8_get_char_validated(at, -1);
        bool valid = character <= 0x10ffff; /* else it is an error of that function */
        size_t bytes = valid ? (size_t)(g_utf8_next_char(at) - at) : 1;
        if (!valid || g_ascii_iscntrl(*at)) {
            g_string_append_printf(text, "\\x%02x", (unsigned char)*at);
        } else if (!g_unichar_isprint(character)) {
            g_string_append_printf(text, "\\u%04x", character);
        } else {
            g_string_append_len(text, at, (gssize)bytes);
        }
        at += bytes;
    }
    return g_string_free(text, FALSE);
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

void weiri_memory_fill(void *start, size_t bytes)
{
    char *at = start;
    size_t n = bytes / sizeof(uint32_t);
    for (size_t i = 0; i < n; i++) {
        uint32_t word = weiri_memory_poison(i, WEIRI_POISON_PLAIN);
        memcpy(at + i * sizeof(word), &word, sizeof(word));
    }
    uint32_t word = weiri_memory_poison(n, WEIRI_POISON_PLAIN);
    memcpy(at + n * sizeof(word), &word, bytes % sizeof(word));
}

/* Maps @memory, whose sizes are set, and sets its addresses. */
static bool map(struct weiri_memory *memory)
{
    bool huge = memory->mapped_bytes >= HUGE_BYTES;
    memory->low_bytes = memory->mapped_bytes + 2 * (huge ? HUGE_BYTES : GUARD_BYTES);
    memory->low
        = mmap(NULL, memory->low_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory->low == MAP_FAILED) {
        return false;
    }
    uintptr_t start = (uintptr_t)memory->low + GUARD_BYTES;
    memory->start = (void *)(huge ? round_up(start, HUGE_BYTES) : start);
    if (mprotect(memory->start, memory->mapped_bytes, PROT_READ | PROT_WRITE) != 0) {
        int reason = errno;
        munmap(memory->low, memory->low_bytes);
        errno = reason;
        return false;
    }
    if (huge) {
        /* Without huge pages it is only slower. */
        madvise(memory->start, memory->mapped_bytes, MADV_HUGEPAGE);
    }
    return true;
}

void *weiri_memory_new(struct weir_device *device, size_t n, size_t element_bytes,
                       const char *name, GError **error)
{
    g_autofree char *shown = printable(name);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (n > (SIZE_MAX / 2 - 2 * HUGE_BYTES - page) / element_bytes) {
        g_set_error(
            error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
            "memory '%s' of %zu elements of %zu bytes is larger than the address "
            "space",
            shown, n, element_bytes);
        return NULL;
    }
    size_t bytes = n * element_bytes;
    struct weiri_memory made = { .bytes = bytes,
                                 .element_bytes = element_bytes,
                                 .mapped_bytes = round_up(MAX(bytes, 1), page) };
    if (!map(&made)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "memory '%s' of %zu bytes: %s", shown, bytes, g_strerror(errno));
        return NULL;
    }
    made.name = g_steal_pointer(&shown);
    pthread_mutex_lock(&device->lock);
    if (device->memory == NULL) {
        device->memory = g_hash_table_new_full(NULL, NULL, NULL, free_memory);
    }
    g_hash_table_insert(device->memory, made.start, g_memdup2(&made, sizeof(made)));
    bool poisons = device->poisons;
    pthread_mutex_unlock(&device->lock);
    if (poisons) {
        weiri_memory_fill(made.start, made.mapped_bytes);
    }
    return made.start;
}

/* Called with the lock held. */
static bool overlaps(const struct weir_device *device, const char *start, size_t bytes)
{
    GHashTableIter entries;
    void *value;
    g_hash_table_iter_init(&entries, device->memory);
    while (g_hash_table_iter_next(&entries, NULL, &value)) {
        const struct weiri_memory *memory = value;
        if (start < memory->low + memory->low_bytes && memory->low < start + bytes) {
            return true;
        }
    }
    return false;
}

bool weiri_memory_adopt(struct weir_device *device, void *start, size_t bytes,
                        size_t element_bytes, const char *name)
{
    pthread_mutex_lock(&device->lock);
    if (device->memory == NULL) {
        device->memory = g_hash_table_new_full(NULL, NULL, NULL, free_memory);
    }
    bool free = !overlaps(device, start, bytes);
    if (free) {
        const struct weiri_memory adopted = { .start = start,
                                              .bytes = bytes,
                                              .element_bytes = element_bytes,
                                              .low = start,
                                              .mapped_bytes = bytes,
                                              .low_bytes = bytes,
                                              .name = printable(name),
                                              .adopted = true };
        g_hash_table_insert(device->memory, start,
                            g_memdup2(&adopted, sizeof(adopted)));
    }
    pthread_mutex_unlock(&device->lock);
    return free;
}

void weiri_memory_release(struct weir_device *device, void *start)
{
    pthread_mutex_lock(&device->lock);
    if (device->memory != NULL) {
        g_hash_table_remove(device->memory, start);
    }
    pthread_mutex_unlock(&device->lock);
}

void weiri_memory_rename(struct weir_device *device, void *start, const char *name,
                         size_t element_bytes)
{
    pthread_mutex_lock(&device->lock);
    struct weiri_memory *memory
        = device->memory != NULL ? g_hash_table_lookup(device->memory, start) : NULL;
    if (memory != NULL) {
        g_free(memory->name);
        memory->name = printable(name);
        memory->element_bytes = MAX(element_bytes, 1);
    }
    pthread_mutex_unlock(&device->lock);
}

void weiri_memory_limit(struct weir_device *device, void *start,
                        const struct weiri_window *windows, size_t n)
{
    pthread_mutex_lock(&device->lock);
    struct weiri_memory *memory
        = device->memory != NULL ? g_hash_table_lookup(device->memory, start) : NULL;
    if (memory != NULL) {
        g_clear_pointer(&memory->windows, g_array_unref);
        if (n > 0) {
            memory->windows = g_array_new(FALSE, FALSE, sizeof(*windows));
            g_array_append_vals(memory->windows, windows, (guint)n);
        }
    }
    pthread_mutex_unlock(&device->lock);
}

void weiri_memory_divide(struct weir_device *device, void *start, weiri_part_of part_of)
{
    pthread_mutex_lock(&device->lock);
    struct weiri_memory *memory
        = device->memory != NULL ? g_hash_table_lookup(device->memory, start) : NULL;
    if (memory != NULL) {
        memory->part_of = part_of;
    }
    pthread_mutex_unlock(&device->lock);
}

void weir_device_poison(struct weir_device *device, bool poisons)
{
    g_return_if_fail(device != NULL);
    pthread_mutex_lock(&device->lock);
    device->poisons = poisons;
    pthread_mutex_unlock(&device->lock);
}

/* Gives back the pages of freed memory and keeps its addresses. Called with the lock
 * held. */
static void quarantine(struct weir_device *device, struct weiri_memory *memory)
{
    if (mmap(memory->low, memory->low_bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
        == MAP_FAILED) {
        free_memory(memory);
        return;
    }
    g_queue_push_tail(&device->freed, memory);
    device->freed_bytes += memory->mapped_bytes;
    while (device->freed.length > 1
           && (device->freed_bytes > MOST_FREED_BYTES
               || device->freed.length > MOST_FREED)) {
        struct weiri_memory *oldest = g_queue_pop_head(&device->freed);
        device->freed_bytes -= oldest->mapped_bytes;
        free_memory(oldest);
    }
}

bool weiri_memory_free(struct weir_device *device, void *memory)
{
    void *known = NULL;
    pthread_mutex_lock(&device->lock);
    if (device->memory != NULL
        && g_hash_table_steal_extended(device->memory, memory, NULL, &known)) {
        quarantine(device, known);
    }
    pthread_mutex_unlock(&device->lock);
    return known != NULL;
}

static void clear_array(void *data)
{
    g_free(((struct weiri_memory *)data)->name);
}

static void free_retired(void *data)
{
    struct weiri_retired *retired = data;
    munmap(retired->base, retired->bytes);
    g_array_unref(retired->arrays);
    g_free(retired);
}

void weiri_memory_retire(struct weir_device *device,
                         const struct weiri_retired *retired)
{
    struct weiri_retired *kept = g_memdup2(retired, sizeof(*retired)), *oldest = NULL;
    g_array_set_clear_func(kept->arrays, clear_array);
    if (mmap(kept->base, kept->bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
        == MAP_FAILED) {
        free_retired(kept);
        return;
    }
    pthread_mutex_lock(&device->lock);
    g_queue_push_tail(&device->retired, kept);
    if (device->retired.length > MOST_RETIRED) {
        oldest = g_queue_pop_head(&device->retired);
    }
    pthread_mutex_unlock(&device->lock);
    if (oldest != NULL) {
        free_retired(oldest);
    }
}

/* ---- What an address is -------------------------------------------------- */

/* How far @at is from @memory and its guards. */
static size_t distance(const struct weiri_memory *memory, const char *at)
{
    const char *high = memory->low + memory->low_bytes;
    return at < memory->low ? (size_t)(memory->low - at)
        : at >= high        ? (size_t)(at - high) + 1
                            : 0;
}

/* Sets @nearest to @memory if that is nearer, or as near and lower. A 32-bit index that
 * went below 0 addresses memory 2^32 elements above the element that is meant. */
static void compare(const struct weiri_memory *memory, const char *at,
                    const struct weiri_memory **nearest, size_t *least)
{
    uintptr_t unwrapped = (uintptr_t)at - ((uint64_t)memory->element_bytes << 32);
    bool wraps = distance(memory, (const char *)unwrapped) == 0;
    size_t apart = wraps ? 0 : distance(memory, at);
    bool lower = *nearest != NULL && memory->low < (*nearest)->low;
    if (apart < *least || (apart == *least && lower)) {
        *least = apart;
        *nearest = memory;
    }
}

/* @freed_by: the function that has freed it; NULL: it is not freed */
static bool describe_near(const struct weiri_memory *memory, const char *at,
                          size_t apart, const char *freed_by, char *text, size_t room)
{
    const char *start = memory->start, *end = start + memory->bytes;
    if (apart > weiri_memory_far(memory->bytes)) {
        return false;
    }
    if (apart > WEIRI_NEAR_BYTES) {
        g_snprintf(text, room,
                   "memory that is not mapped, %zu bytes %s '%s', the nearest of the "
                   "device",
                   (size_t)(at < start ? start - at : at - end),
                   at < start ? "before the start of" : "after the end of",
                   memory->name);
        return true;
    }
    g_snprintf(text, room, "%s[%" G_GINT64_FORMAT "] of %zu element%s%s%s%s",
               memory->name, weiri_memory_index(start, memory->element_bytes, at),
               memory->bytes / memory->element_bytes,
               memory->bytes == memory->element_bytes ? "" : "s",
               freed_by != NULL ? ", which " : "", freed_by != NULL ? freed_by : "",
               freed_by != NULL ? " has freed" : "");
    return true;
}

static bool describe_retired(const struct weir_device *device, const char *at,
                             char *text, size_t room)
{
    for (const GList *one = device->retired.head; one != NULL; one = one->next) {
        const GArray *arrays = ((const struct weiri_retired *)one->data)->arrays;
        for (guint i = 0; i < arrays->len; i++) {
            const struct weiri_memory *array
                = &g_array_index(arrays, struct weiri_memory, i);
            if (distance(array, at) == 0) {
                g_snprintf(text, room,
                           "%s[%" G_GINT64_FORMAT
                           "], local memory of an earlier launch",
                           array->name,
                           weiri_memory_index(array->start, array->element_bytes, at));
                return true;
            }
        }
    }
    return false;
}

bool weiri_memory_describe(const struct weir_device *device,
                           enum weir_language language, const void *address,
                           bool is_mapped, char *text, size_t room)
{
    const char *at = address;
    const struct weiri_memory *nearest = NULL;
    size_t least = SIZE_MAX; /* farther than any memory */
    pthread_mutex_t *lock = (pthread_mutex_t *)&device->lock;
    if (pthread_mutex_trylock(lock) != 0) {
        return false;
    }
    GHashTableIter entries;
    void *value;
    if (device->memory != NULL) {
        g_hash_table_iter_init(&entries, device->memory);
        while (g_hash_table_iter_next(&entries, NULL, &value)) {
            compare(value, at, &nearest, &least);
        }
    }
    const struct weiri_memory *live = nearest;
    for (const GList *freed = device->freed.head; freed != NULL; freed = freed->next) {
        compare(freed->data, at, &nearest, &least);
    }
    bool described = describe_retired(device, at, text, room)
        || (nearest != NULL && (least == 0 || !is_mapped)
            && describe_near(nearest, at, least,
                             nearest != live ? weiri_name(language, WEIRI_NAME_FREE)
                                             : NULL,
                             text, room));
    pthread_mutex_unlock(lock);
    return described;
}

static char *local_name(const struct weiri_group *group, const volatile char *address,
                        uint64_t *index)
{
    for (uint32_t k = 0; k < group->n_locals; k++) {
        const struct weiri_array *array = &group->public.arrays[k];
        const char *start = array->start;
        if (address >= start && address < start + array->bytes) {
            *index = (uint64_t)(address - start) / group->locals[k].element_bytes;
            return weiri_array_name(array->site);
        }
    }
    return NULL;
}

char *weiri_memory_name(const struct weir_device *device,
                        const struct weiri_group *group, const volatile void *address,
                        uint64_t *index, const char **space)
{
    const volatile char *at = address;
    GHashTableIter entries;
    void *value;
    *index = 0;
    *space = "global";
    if (device->memory != NULL) {
        g_hash_table_iter_init(&entries, device->memory);
        while (g_hash_table_iter_next(&entries, NULL, &value)) {
            const struct weiri_memory *memory = value;
            const char *start = memory->start;
            if (at >= start && at < start + memory->bytes) {
                *index = (uint64_t)(at - start) / memory->element_bytes;
                return g_strdup(memory->name);
            }
        }
    }
    char *name = local_name(group, at, index);
    *space = name != NULL ? "local" : NULL;
    return name;
}

/* The red zones that sanitizers place between statics are read, too. */
#if defined(__clang__)
#define UNSANITIZED __attribute__((no_sanitize("address", "undefined")))
#else
#define UNSANITIZED __attribute__((no_sanitize_address, no_sanitize_undefined))
#endif

static inline uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/* Hashes side by side: a processor multiplies the next word before the product of the
 * last one is complete. */
enum { LANES = 4 };

UNSANITIZED uint64_t weiri_fingerprint(uint64_t hash, const void *data, size_t bytes)
{
    typedef uint64_t __attribute__((may_alias, aligned(1))) word;
    const char *at = data;
    if (bytes >= LANES * sizeof(word)) {
        uint64_t lanes[LANES];
        for (unsigned i = 0; i < LANES; i++) {
            lanes[i] = hash + i;
        }
        for (; bytes >= sizeof(lanes); bytes -= sizeof(lanes)) {
            for (unsigned i = 0; i < LANES; i++, at += sizeof(word)) {
                lanes[i] = mix(lanes[i], *(const word *)at);
            }
        }
        for (unsigned i = 0; i < LANES; i++) {
            hash = mix(hash, lanes[i]);
        }
    }
    for (; bytes >= sizeof(word); at += sizeof(word), bytes -= sizeof(word)) {
        hash = mix(hash, *(const word *)at);
    }
    for (; bytes > 0; at++, bytes--) {
        hash = (hash ^ (unsigned char)*at) * 0x9e3779b97f4a7c15;
    }
#ifdef HAVE_VALGRIND
    /* Memory that was never written is read, too; it does not change. */
    VALGRIND_MAKE_MEM_DEFINED(&hash, sizeof(hash));
#endif
    return hash;
}

static void hash_statics(const char *start, const char *end, void *data)
{
    uint64_t *hash = data;
    *hash = weiri_fingerprint(*hash, start, (size_t)(end - start));
}

/* The sum of the hashes, since the order of a hash table is not fixed. Static data
 * comes last: the loader writes there when it binds a library's function at the first
 * call, as for the hash tables here. */
uint64_t weiri_memory_fingerprint(const struct weir_device *device)
{
    uint64_t hash = 0;
    GHashTableIter entries;
    void *value;
    if (device->memory != NULL) {
        g_hash_table_iter_init(&entries, device->memory);
        while (g_hash_table_iter_next(&entries, NULL, &value)) {
            const struct weiri_memory *memory = value;
            hash += weiri_fingerprint((uintptr_t)memory->start, memory->start,
                                      memory->bytes);
        }
    }
    weiri_statics_each(hash_statics, &hash);
    return hash;
}

void weiri_memory_free_all(struct weir_device *device)
{
    g_clear_pointer(&device->memory, g_hash_table_destroy);
    g_queue_clear_full(&device->freed, free_memory);
    g_queue_clear_full(&device->retired, free_retired);
}
