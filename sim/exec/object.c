/* SPDX-License-Identifier: MIT
 *
 * object.c: see object.h.
 *
 * Objects that do not change while a launch runs (live and freed memory of the device,
 * statics) are a table sorted by address. Local memory is a region of its own, divided
 * into blocks of one size:
 *
 *     base           stride
 *     | array . array ... | array . array ... | ...
 *
 * A division finds the block of an address, and a search its array. Each group has a
 * block. When the group ends, its block goes to the end of a queue, and is reused only
 * when many blocks are queued.
 *
 * Invariants: objects of the table do not overlap. The arrays of a block are sorted by
 * address. An object never moves. */
#include "config.h"

#include "exec/object.h"

#include "base/assert.h"
#include "base/stack.h"
#include "base/statics.h"
#include "exec/device.h"
#include "exec/event.h"
#include "exec/memory.h"
#include "exec/private.h"
#include "finding/names.h"
#include "weir-kernel.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* A null pointer plus an index or a member's offset is mostly below this, the least
 * address that Linux maps by default (vm.mmap_min_addr). */
enum { NULL_BYTES = 64 * 1024 };
/* Ended blocks in the queue before the first is reused. */
enum { MOST_ENDED = 32 };
/* Cached pages of host memory. */
enum { PAGES_CACHED = 256 };

enum { NO_BLOCK = UINT32_MAX };

/* Local memory of one group. */
struct block {
    struct weiri_object **arrays; /* owned; kept for the next group */
    uint32_t n;                   /* arrays of this group, */
    uint32_t n_made;              /* and allocated ones */
    bool lives;
    size_t group;
    uint32_t next; /* in the queue of ended ones */
};

/* A part of the image of the program or of a library. */
struct part {
    const char *start, *end;
};

struct weiri_object_tables {
    struct weiri_object *fixed; /* sorted by address */
    size_t n_fixed;
    GStringChunk *names; /* of @fixed */
    GArray *parts;       /* of struct part */
    GArray *of_host;     /* the same: data of the program that kernels may not use */
    const struct weiri_stacks *stacks;
    struct weir_device *device; /* gets the local memory in the end */

    char *base; /* of local memory; NULL until a group has some */
    size_t stride;
    size_t capacity; /* blocks that fit */
    struct block *blocks;
    uint32_t n_blocks;
    uint32_t first_ended, last_ended; /* the queue; or NO_BLOCK */
    uint32_t n_ended;
    GPtrArray *replaced; /* arrays of blocks that are reused, owned; see add_local() */

    uintptr_t page_bytes;
    uintptr_t pages[PAGES_CACHED]; /* numbers of pages that are mapped */
};

/* ---- The table ----------------------------------------------------------- */

static int compare_starts(const void *a, const void *b)
{
    const struct weiri_object *first = a, *second = b;
    return first->start < second->start ? -1 : first->start > second->start;
}

/* Accesses that some window or block, or the lack of one, may deny. */
static unsigned denied_by(const struct weiri_memory *memory)
{
    unsigned denied = 0;
    size_t covered = 0;
    for (guint i = 0; memory->windows != NULL && i < memory->windows->len; i++) {
        const struct weiri_window *window
            = &g_array_index(memory->windows, struct weiri_window, i);
        denied |= (window->read_only ? WEIRI_ACCESS_BIT_WRITE : 0)
            | (window->write_only ? WEIRI_ACCESS_BIT_READ : 0);
        covered = MAX(covered, window->bytes);
    }
    return memory->part_of != NULL
            || (memory->windows != NULL && covered < memory->bytes)
        ? WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_WRITE
        : denied;
}

static void add_memory(struct weiri_object_tables *tables, GArray *objects,
                       const struct weiri_memory *memory, enum weiri_object_kind kind)
{
    struct weiri_object object
        = { .start = memory->start,
            .bytes = kind == WEIRI_OBJECT_RETIRED ? 0 : memory->bytes,
            .element_bytes = memory->element_bytes,
            .kind = kind,
            .name = g_string_chunk_insert_const(tables->names, memory->name),
            .low = memory->low,
            .high = memory->low + memory->low_bytes,
            .whole_bytes = memory->bytes,
            .windows = memory->windows,
            .part_of = memory->part_of,
            .denied = denied_by(memory) };
    g_array_append_val(objects, object);
}

static void add_device(struct weiri_object_tables *tables, GArray *objects,
                       const struct weir_device *device)
{
    /* Other threads of the host may allocate memory of the device. */
    pthread_mutex_t *lock = (pthread_mutex_t *)&device->lock;
    GHashTableIter entries;
    void *value;
    pthread_mutex_lock(lock);
    if (device->memory != NULL) {
        g_hash_table_iter_init(&entries, device->memory);
        while (g_hash_table_iter_next(&entries, NULL, &value)) {
            add_memory(tables, objects, value, WEIRI_OBJECT_GLOBAL);
        }
    }
    for (const GList *freed = device->freed.head; freed != NULL; freed = freed->next) {
        add_memory(tables, objects, freed->data, WEIRI_OBJECT_FREED);
    }
    for (const GList *one = device->retired.head; one != NULL; one = one->next) {
        const GArray *arrays = ((const struct weiri_retired *)one->data)->arrays;
        for (guint i = 0; i < arrays->len; i++) {
            add_memory(tables, objects, &g_array_index(arrays, struct weiri_memory, i),
                       WEIRI_OBJECT_RETIRED);
        }
    }
    pthread_mutex_unlock(lock);
}

struct statics {
    GArray *objects;
    weiri_symbol_of symbol_of;
};

static void add_statics(const char *start, const char *end, void *data)
{
    const struct statics *statics = data;
    struct weiri_object object = { .start = start,
                                   .bytes = (size_t)(end - start),
                                   .element_bytes = 1,
                                   .kind = WEIRI_OBJECT_STATICS,
                                   .low = start,
                                   .high = end,
                                   .whole_bytes = (size_t)(end - start),
                                   .symbol_of = statics->symbol_of };
    if (end > start) {
        g_array_append_val(statics->objects, object);
    }
}

static int add_image(struct dl_phdr_info *image, size_t bytes, void *data)
{
    (void)bytes;
    GArray *parts = data;
    for (unsigned i = 0; i < image->dlpi_phnum; i++) {
        const ElfW(Phdr) *phdr = &image->dlpi_phdr[i];
        const char *start = (const char *)(image->dlpi_addr + phdr->p_vaddr);
        struct part part = { start, start + phdr->p_memsz };
        if (phdr->p_type == PT_LOAD) {
            g_array_append_val(parts, part);
        }
    }
    return 0;
}

static void add_part(const char *start, const char *end, void *data)
{
    const struct part part = { start, end };
    g_array_append_val((GArray *)data, part);
}

struct weiri_objects *weiri_objects_new(const struct weir_device *device,
                                        weiri_symbol_of symbol_of)
{
    struct weiri_objects *objects = g_new0(struct weiri_objects, 1);
    struct weiri_object_tables *tables = g_new0(struct weiri_object_tables, 1);
    GArray *fixed = g_array_new(FALSE, FALSE, sizeof(struct weiri_object));
    tables->names = g_string_chunk_new(1024);
    tables->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
    tables->first_ended = tables->last_ended = NO_BLOCK;
    tables->page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    tables->device = (struct weir_device *)device;
    add_device(tables, fixed, device);
    dl_iterate_phdr(add_image, tables->parts);
    weiri_statics_each_allowed(add_statics, &(struct statics){ fixed, symbol_of });
    tables->of_host = g_array_new(FALSE, FALSE, sizeof(struct part));
    tables->replaced = g_ptr_array_new_with_free_func(g_free);
    weiri_statics_each_of_host(add_part, tables->of_host);
    g_array_sort(fixed, compare_starts);
    tables->n_fixed = fixed->len;
    tables->fixed = (struct weiri_object *)(void *)g_array_free(fixed, FALSE);
    objects->tables = tables;
    for (size_t i = 0; i < WEIRI_OBJECTS_CACHED; i++) {
        objects->cached[i] = &objects->none;
    }
    return objects;
}

/* Gives local memory to the device. The gap between two arrays belongs to the first. */
static void retire_local(const struct weiri_object_tables *tables)
{
    size_t used = tables->n_blocks * tables->stride;
    GArray *arrays = g_array_new(FALSE, FALSE, sizeof(struct weiri_memory));
    for (uint32_t i = 0; i < tables->n_blocks; i++) {
        const struct block *block = &tables->blocks[i];
        char *low = tables->base + i * tables->stride, *end = low + tables->stride;
        for (uint32_t k = 0; k < block->n; k++) {
            const struct weiri_object *array = block->arrays[k];
            char *next = k + 1 == block->n ? end : (char *)block->arrays[k + 1]->start;
            struct weiri_memory retired = { .start = (char *)array->start,
                                            .bytes = array->whole_bytes,
                                            .element_bytes = array->element_bytes,
                                            .low = low,
                                            .low_bytes = (size_t)(next - low),
                                            .name = weiri_object_name(array, NULL) };
            g_array_append_val(arrays, retired);
            low = next;
        }
    }
    munmap(tables->base + used, tables->capacity * tables->stride - used);
    weiri_memory_retire(tables->device,
                        &(struct weiri_retired){ tables->base, used, arrays });
}

void weiri_objects_free(struct weiri_objects *objects)
{
    if (objects == NULL) {
        return;
    }
    struct weiri_object_tables *tables = objects->tables;
    if (tables->base != NULL) {
        retire_local(tables);
    }
    for (uint32_t i = 0; i < tables->n_blocks; i++) {
        struct block *block = &tables->blocks[i];
        for (uint32_t k = 0; k < block->n_made; k++) {
            g_free(block->arrays[k]);
        }
        g_free(block->arrays);
    }
    g_ptr_array_unref(tables->replaced);
    g_free(tables->blocks);
    g_free(tables->fixed);
    g_string_chunk_free(tables->names);
    g_array_unref(tables->parts);
    g_array_unref(tables->of_host);
    g_free(tables);
    weiri_privates_free(objects->privates);
    g_free(objects);
}

void weiri_objects_set_stacks(struct weiri_objects *objects,
                              const struct weiri_stacks *stacks)
{
    objects->tables->stacks = stacks;
}

void weiri_objects_each_global(const struct weiri_objects *objects,
                               void (*each)(void *data,
                                            const struct weiri_object *object),
                               void *data)
{
    for (size_t i = 0; i < objects->tables->n_fixed; i++) {
        const struct weiri_object *object = &objects->tables->fixed[i];
        if (object->kind == WEIRI_OBJECT_GLOBAL
            || object->kind == WEIRI_OBJECT_STATICS) {
            each(data, object);
        }
    }
}

/* The number of objects of the table that begin at or before @at. */
static size_t rank_of(const struct weiri_object_tables *tables, const char *at)
{
    size_t low = 0, high = tables->n_fixed;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tables->fixed[middle].start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- Local memory -------------------------------------------------------- */

static struct block *block_of(const struct weiri_object_tables *tables, const char *at)
{
    size_t offset = (uintptr_t)at - (uintptr_t)tables->base;
    if (tables->base == NULL || offset >= tables->n_blocks * tables->stride) {
        return NULL;
    }
    return &tables->blocks[offset / tables->stride];
}

/* The last array of a block that begins at or before @at, or else its first; NULL if it
 * has none. */
static struct weiri_object *array_at(const struct block *block, const char *at)
{
    size_t low = 0, high = block->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block->arrays[middle]->start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return block->n == 0 ? NULL : block->arrays[low > 0 ? low - 1 : 0];
}

/* The first block of a queue that is long enough, or a fresh one. */
static uint32_t take_block(struct weiri_object_tables *tables)
{
    if (tables->n_ended > MOST_ENDED || tables->n_blocks == tables->capacity) {
        uint32_t taken = tables->first_ended;
        weiri_assert(taken != NO_BLOCK);
        tables->first_ended = tables->blocks[taken].next;
        if (tables->first_ended == NO_BLOCK) {
            tables->last_ended = NO_BLOCK;
        }
        tables->n_ended--;
        return taken;
    }
    return tables->n_blocks++;
}

char *weiri_objects_open_local(struct weiri_objects *objects, size_t bytes,
                               size_t n_resident, size_t group)
{
    struct weiri_object_tables *tables = objects->tables;
    if (tables->base == NULL) {
        tables->stride = (bytes + tables->page_bytes - 1) / tables->page_bytes
            * tables->page_bytes;
        tables->capacity = n_resident + MOST_ENDED + 1;
        tables->base
            = mmap(NULL, tables->capacity * tables->stride, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (tables->base == MAP_FAILED) {
            tables->base = NULL;
            return NULL;
        }
        tables->blocks = g_new0(struct block, tables->capacity);
    }
    uint32_t taken = take_block(tables);
    struct block *block = &tables->blocks[taken];
    block->group = group;
    block->lives = true;
    block->n = 0;
    return tables->base + taken * tables->stride;
}

struct weiri_object *weiri_objects_add_local(struct weiri_objects *objects,
                                             const void *start, size_t bytes,
                                             size_t element_bytes,
                                             const struct weir_site *site, size_t group,
                                             enum weiri_object_kind kind)
{
    struct block *block = block_of(objects->tables, start);
    weiri_assert(block != NULL && block->lives && block->group == group);
    if (kind == WEIRI_OBJECT_SHARED && block->n < block->n_made) {
        /* Observers must not take accesses by an earlier cluster for ones by this. */
        g_ptr_array_add(objects->tables->replaced, block->arrays[block->n]);
        block->arrays[block->n] = g_new0(struct weiri_object, 1);
    }
    if (block->n == block->n_made) {
        block->arrays = g_renew(struct weiri_object *, block->arrays, ++block->n_made);
        block->arrays[block->n] = g_new0(struct weiri_object, 1);
    }
    struct weiri_object *object = block->arrays[block->n++];
    object->start = object->low = start;
    object->high = object->low + bytes;
    object->bytes = object->whole_bytes = bytes;
    object->element_bytes = element_bytes;
    object->kind = kind;
    object->site = site;
    object->group = group;
    return object;
}

void weiri_objects_end_local(struct weiri_objects *objects, size_t group)
{
    struct weiri_object_tables *tables = objects->tables;
    for (uint32_t i = 0; i < tables->n_blocks; i++) {
        struct block *block = &tables->blocks[i];
        if (!block->lives || block->group != group) {
            continue;
        }
        for (uint32_t k = 0; k < block->n; k++) {
            block->arrays[k]->bytes = 0;
            block->arrays[k]->kind = WEIRI_OBJECT_ENDED;
        }
        block->lives = false;
        block->next = NO_BLOCK;
        if (tables->last_ended == NO_BLOCK) {
            tables->first_ended = i;
        } else {
            tables->blocks[tables->last_ended].next = i;
        }
        tables->last_ended = i;
        tables->n_ended++;
    }
}

/* ---- Addresses ----------------------------------------------------------- */

struct weiri_object *weiri_objects_look_up(struct weiri_objects *objects,
                                           const volatile void *address,
                                           struct weiri_object **slot)
{
    const struct weiri_object_tables *tables = objects->tables;
    const char *at = (const char *)address;
    const struct block *block = block_of(tables, at);
    struct weiri_object *object = NULL;
    if (block != NULL) {
        object = array_at(block, at);
    } else {
        size_t rank = rank_of(tables, at);
        object = rank > 0 ? &tables->fixed[rank - 1] : NULL;
    }
    if (object == NULL || (uintptr_t)at - (uintptr_t)object->start >= object->bytes) {
        return NULL;
    }
    *slot = object;
    return object;
}

/* The array of a block that @at is nearest to. */
static struct weiri_object *nearest_array(const struct block *block, const char *at)
{
    struct weiri_object *before = array_at(block, at);
    if (before == NULL || before == block->arrays[block->n - 1] || at < before->start) {
        return before;
    }
    struct weiri_object *after = before;
    for (uint32_t k = 0; k + 1 < block->n; k++) {
        if (block->arrays[k] == before) {
            after = block->arrays[k + 1];
        }
    }
    return after->start - at < at - (before->start + before->whole_bytes) ? after
                                                                          : before;
}

static bool is_mapped(struct weiri_object_tables *tables, const char *at)
{
    unsigned char resident;
    uintptr_t page = (uintptr_t)at / tables->page_bytes;
    uintptr_t *known = &tables->pages[page % PAGES_CACHED];
    if (*known == page) {
        return true;
    }
    if (mincore((void *)(page * tables->page_bytes), tables->page_bytes, &resident)
        != 0) {
        return false;
    }
    *known = page;
    return true;
}

static bool is_within(const GArray *parts, const char *at)
{
    for (guint i = 0; i < parts->len; i++) {
        const struct part *part = &g_array_index(parts, struct part, i);
        if (at >= part->start && at < part->end) {
            return true;
        }
    }
    return false;
}

static bool is_of_stacks(const struct weiri_stacks *stacks, const char *at)
{
    return stacks != NULL && stacks->base != NULL && at >= stacks->base
        && (size_t)(at - stacks->base) < stacks->stride * stacks->capacity;
}

static bool is_of_local(const struct weiri_object_tables *tables, const char *at)
{
    return tables->base != NULL && at >= tables->base
        && (size_t)(at - tables->base) < tables->capacity * tables->stride;
}

/* How far @at is from the range from @low to @high. */
static size_t apart(const char *at, const char *low, const char *high)
{
    return at < low ? (size_t)(low - at) : at >= high ? (size_t)(at - high) : 0;
}

/* The object of the table that is nearest to @at, and its distance. */
static struct weiri_object *nearest_fixed(struct weiri_object_tables *tables,
                                          const char *at, size_t *distance)
{
    size_t rank = rank_of(tables, at);
    struct weiri_object *before = rank > 0 ? &tables->fixed[rank - 1] : NULL;
    struct weiri_object *after = rank < tables->n_fixed ? &tables->fixed[rank] : NULL;
    size_t behind = before != NULL ? apart(at, before->low, before->high) : SIZE_MAX;
    size_t ahead = after != NULL ? apart(at, after->low, after->high) : SIZE_MAX;
    *distance = MIN(behind, ahead);
    return behind <= ahead ? before : after;
}

/* The block of a resident group, or NULL. */
static const struct block *block_of_group(const struct weiri_object_tables *tables,
                                          size_t group)
{
    for (uint32_t i = 0; i < tables->n_blocks; i++) {
        const struct block *block = &tables->blocks[i];
        if (block->lives && block->n > 0 && block->group == group) {
            return block;
        }
    }
    return NULL;
}

/* The nearest object, if @at may be a very wrong index into it: memory of the device,
 * or a local array of the group if local memory is nearer. */
static struct weiri_object *within_reach(struct weiri_object_tables *tables,
                                         const char *at, size_t group)
{
    size_t distance, local = SIZE_MAX;
    struct weiri_object *object = nearest_fixed(tables, at, &distance);
    const struct block *block = block_of_group(tables, group);
    if (block != NULL) {
        local
            = apart(at, tables->base, tables->base + tables->capacity * tables->stride);
    }
    if (local < distance) {
        object = nearest_array(block, at);
        distance = local;
    }
    bool device = object != NULL && object->kind != WEIRI_OBJECT_STATICS
        && object->kind != WEIRI_OBJECT_RETIRED;
    return device && distance <= weiri_memory_far(object->whole_bytes) ? object : NULL;
}

static bool is_around(const struct weiri_object *object, const char *at)
{
    /* As numbers, since @at points to no object. */
    return (uintptr_t)at - (uintptr_t)object->low
        < (uintptr_t)object->high - (uintptr_t)object->low;
}

/* The object whose 32-bit index went below 0 and so led to @at. */
static struct weiri_object *wrapped(const struct weiri_object_tables *tables,
                                    const char *at, size_t group)
{
    const uint64_t turn = (uint64_t)1 << 32;
    const struct block *block = block_of_group(tables, group);
    for (uint32_t k = 0; block != NULL && k < block->n; k++) {
        struct weiri_object *array = block->arrays[k];
        const char *meant = (const char *)((uintptr_t)at - turn * array->element_bytes);
        if (meant >= array->start - array->whole_bytes && meant < array->start) {
            return array;
        }
    }
    for (size_t i = 0; i < tables->n_fixed; i++) {
        struct weiri_object *object = &tables->fixed[i];
        uintptr_t meant = (uintptr_t)at - turn * object->element_bytes;
        if (object->kind == WEIRI_OBJECT_GLOBAL
            && is_around(object, (const char *)meant)) {
            return object;
        }
    }
    return NULL;
}

/* The object whose reserved range, with its guards, holds @at. */
static struct weiri_object *surrounded(struct weiri_object_tables *tables,
                                       const char *at)
{
    size_t rank = rank_of(tables, at);
    for (size_t i = rank > 0 ? rank - 1 : 0; i <= rank && i < tables->n_fixed; i++) {
        if (is_around(&tables->fixed[i], at)) {
            return &tables->fixed[i];
        }
    }
    return NULL;
}

enum weiri_where weiri_objects_locate(struct weiri_objects *objects,
                                      const volatile void *address, size_t group,
                                      struct weiri_object **object)
{
    struct weiri_object_tables *tables = objects->tables;
    const char *at = (const char *)address;
    size_t distance;
    *object = NULL;
    if ((uintptr_t)at < NULL_BYTES) {
        return WEIRI_WHERE_NULL;
    }
    const struct block *block = block_of(tables, at);
    if (block == NULL && is_of_local(tables, at)) { /* in a block not yet used */
        block = block_of_group(tables, group);
    }
    if (block != NULL && (*object = nearest_array(block, at)) != NULL) {
        return block->lives ? WEIRI_WHERE_NEAR : WEIRI_WHERE_ENDED;
    }
    if (is_of_stacks(tables->stacks, at)) {
        return WEIRI_WHERE_STACK;
    }
    if ((*object = surrounded(tables, at)) != NULL) {
        return (*object)->kind == WEIRI_OBJECT_RETIRED ? WEIRI_WHERE_ENDED
                                                       : WEIRI_WHERE_NEAR;
    }
    if (is_within(tables->of_host, at)) {
        return WEIRI_WHERE_HOST;
    }
    if (is_within(tables->parts, at)) {
        return WEIRI_WHERE_MODULE;
    }
    if (is_mapped(tables, at)) {
        return WEIRI_WHERE_HOST;
    }
    *object = nearest_fixed(tables, at, &distance);
    if (*object != NULL && distance <= WEIRI_NEAR_BYTES
        && (*object)->kind != WEIRI_OBJECT_RETIRED) {
        return WEIRI_WHERE_NEAR;
    }
    if ((*object = wrapped(tables, at, group)) != NULL) {
        return WEIRI_WHERE_NEAR;
    }
    *object = within_reach(tables, at, group);
    return *object != NULL ? WEIRI_WHERE_FAR : WEIRI_WHERE_NOTHING;
}

/* ---- Names --------------------------------------------------------------- */

const char *weiri_object_space(const struct weiri_object *object)
{
    return weiri_object_is_local(object) || object->kind == WEIRI_OBJECT_ENDED
            || object->kind == WEIRI_OBJECT_RETIRED
        ? "local"
        : object->kind == WEIRI_OBJECT_PRIVATE ? "private"
                                               : "global";
}

char *weiri_object_name(const struct weiri_object *object, const volatile void *address)
{
    if (object->site != NULL) {
        return weiri_array_name(object->site);
    }
    size_t offset, element_bytes;
    const char *name = object->name;
    if (object->symbol_of != NULL) {
        name = object->symbol_of(address, &offset, &element_bytes);
    }
    return g_strdup(name != NULL ? name : "static data");
}

int64_t weiri_object_index(const struct weiri_object *object,
                           const volatile void *address)
{
    size_t offset, element_bytes;
    if (object->symbol_of != NULL
        && object->symbol_of(address, &offset, &element_bytes) != NULL) {
        return (int64_t)(offset / element_bytes);
    }
    return weiri_memory_index(object->start, object->element_bytes, address);
}
