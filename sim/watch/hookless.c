/* SPDX-License-Identifier: MIT
 *
 * hookless.c: see hookless.h. Regions of memory have a copy, which has the values that
 * hooked writes have left there. At an access, and at a barrier for local memory, the
 * memory must equal its copy, but for what the items may have changed since: the memory
 * of the write that an item announced last. A compiler that copies a struct announces
 * the write, then the read, and then copies, so a write before a read may come after
 * it.
 *
 * Invariant: only the item of the latest event has run since that event. So what it may
 * have changed is copied anew at each event, and nothing else. */
#include "config.h"

#include "watch/hookless.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Limits for a run that is looked at closely, and for others. An event costs some
 * 0.1 us; the bytes are copied and compared once a launch. */
enum { MOST_EVENTS = 1 << 22, FEW_EVENTS = 1 << 12 };
enum { MOST_BYTES = 16 * 1024 * 1024, FEW_BYTES = 1024 * 1024 };

/* Memory that is looked at. */
struct region {
    struct weiri_object object; /* as it was then */
    char *latest;               /* a copy of its memory; owned */
    uint8_t *touched;           /* of statics: a byte a byte, 1 after an access; owned,
                                   or NULL */
};

/* An access that an item has announced. */
struct stop {
    struct region *region; /* NULL: nothing */
    size_t offset, bytes;
    bool reads, writes;
};

enum { KEPT = 2 };
struct item {
    struct stop stops[KEPT]; /* the latest first */
};

struct weiri_hookless {
    struct weiri_audience *audience; /* borrowed */
    struct weiri_shortcut shortcut;
    GHashTable *regions;       /* by their start: struct region; owned */
    GHashTable *items;         /* by group and item: struct item; owned */
    struct region *known;      /* of the latest access, or NULL */
    struct item *running;      /* of the latest event, or NULL */
    uint64_t left;             /* events to look at; 0: it has ended */
    size_t bytes;              /* of all regions of global memory */
    struct weiri_object found; /* that was changed; no bytes: none was */
    const char *at;
};

static void free_region(void *data)
{
    struct region *region = data;
    g_free(region->latest);
    g_free(region->touched);
    g_free(region);
}

/* Items announce nothing in a region that is about to be freed. */
static void forget(struct weiri_hookless *hookless, const struct region *region)
{
    GHashTableIter each;
    gpointer item;
    g_hash_table_iter_init(&each, hookless->items);
    while (region != NULL && g_hash_table_iter_next(&each, NULL, &item)) {
        for (int i = 0; i < KEPT; i++) {
            struct stop *stop = &((struct item *)item)->stops[i];
            stop->region = stop->region == region ? NULL : stop->region;
        }
    }
}

static struct region *open_region(struct weiri_hookless *hookless,
                                  const struct weiri_object *object)
{
    forget(hookless, g_hash_table_lookup(hookless->regions, object->start));
    struct region *region = g_new(struct region, 1);
    *region = (struct region){ .object = *object,
                               .latest = g_memdup2(object->start, object->bytes) };
    if (object->kind == WEIRI_OBJECT_STATICS) {
        region->touched = g_malloc0(object->bytes);
    }
    hookless->known = NULL;
    g_hash_table_replace(hookless->regions, (void *)(uintptr_t)object->start, region);
    return region;
}

static struct region *region_of(struct weiri_hookless *hookless,
                                const struct weiri_object *object)
{
    struct region *region = hookless->known;
    if (object == NULL) {
        return NULL;
    }
    if (region == NULL || region->object.start != object->start) {
        region = g_hash_table_lookup(hookless->regions, object->start);
        hookless->known = region;
    }
    return region;
}

/* No more is looked at. */
static void end(struct weiri_hookless *hookless)
{
    hookless->left = 0;
    hookless->audience->shortcut = hookless->shortcut;
}

/* The memory of a stop has the current contents. */
static void copy_anew(const struct stop *stop)
{
    memcpy(stop->region->latest + stop->offset,
           stop->region->object.start + stop->offset, stop->bytes);
}

/* The item of the latest event may have written. */
static void settle(struct weiri_hookless *hookless)
{
    const struct item *item = hookless->running;
    if (item == NULL) {
        return;
    }
    for (int i = 0; i < KEPT; i++) {
        const struct stop *stop = &item->stops[i];
        if (stop->region != NULL && stop->writes
            && (i == 0 || item->stops[i - 1].reads)) {
            copy_anew(stop);
        }
    }
}

static void compare(struct weiri_hookless *hookless, const struct region *region,
                    size_t offset, size_t bytes)
{
    const char *now = region->object.start + offset;
    const char *then = region->latest + offset;
    if (hookless->left == 0 || memcmp(now, then, bytes) == 0) {
        return;
    }
    while (*now == *then) {
        now++;
        then++;
    }
    hookless->found = region->object;
    hookless->at = now;
    end(hookless);
}

static struct item *item_of(struct weiri_hookless *hookless,
                            const struct weiri_event *event)
{
    const struct weiri_shape *shape = &event->group->shape;
    const void *key
        = GSIZE_TO_POINTER(shape->group_linear * shape->items + event->item);
    struct item *item = g_hash_table_lookup(hookless->items, key);
    if (item == NULL) {
        item = g_new0(struct item, 1);
        g_hash_table_insert(hookless->items, (void *)key, item);
    }
    return item;
}

/* An item of the event's is about to access memory. */
static void look_at_access(struct weiri_hookless *hookless,
                           const struct weiri_event *event, bool reads, bool writes)
{
    struct region *region = region_of(hookless, event->object);
    struct item *item = item_of(hookless, event);
    struct stop stop = { .reads = reads };
    size_t offset
        = region != NULL ? (const char *)event->address - region->object.start : 0;
    if (region != NULL && offset < region->object.bytes
        && event->bytes <= region->object.bytes - offset) {
        compare(hookless, region, offset, event->bytes);
        if (region->touched != NULL) {
            memset(region->touched + offset, 1, event->bytes);
        }
        stop = (struct stop){ region, offset, event->bytes, reads, writes };
    }
    memmove(&item->stops[1], &item->stops[0], (KEPT - 1) * sizeof(stop));
    item->stops[0] = stop;
    hookless->running = item;
}

static void look_at_atomic(struct weiri_hookless *hookless,
                           const struct weiri_event *event)
{
    enum weiri_atomic kind = event->atomic->kind;
    if (kind != WEIRI_ATOMIC_FENCE && kind != WEIRI_ATOMIC_REF) {
        look_at_access(hookless, event, false, kind != WEIRI_ATOMIC_LOAD);
    }
}

/* The first item of a group that asks for the array finds it as it is filled; its
 * address may equal the address of an earlier group's array. */
static void look_at_array(struct weiri_hookless *hookless,
                          const struct weiri_object *object)
{
    const struct region *region = region_of(hookless, object);
    if (object != NULL && object->bytes > 0
        && (region == NULL || region->object.group != object->group)) {
        (void)open_region(hookless, object);
    }
}

static void look_at_group(struct weiri_hookless *hookless, size_t group)
{
    GHashTableIter each;
    gpointer data;
    g_hash_table_iter_init(&each, hookless->regions);
    while (g_hash_table_iter_next(&each, NULL, &data)) {
        const struct region *region = data;
        if (weiri_object_is_local(&region->object) && region->object.group == group) {
            compare(hookless, region, 0, region->object.bytes);
        }
    }
}

static void forget_item(struct weiri_hookless *hookless,
                        const struct weiri_event *event)
{
    const struct weiri_shape *shape = &event->group->shape;
    g_hash_table_remove(
        hookless->items,
        GSIZE_TO_POINTER(shape->group_linear * shape->items + event->item));
    hookless->running = NULL;
}

enum weiri_verdict weiri_hookless_event(void *self, const struct weiri_event *event)
{
    struct weiri_hookless *hookless = self;
    if (hookless->left == 0) {
        return WEIRI_GOES_ON;
    }
    settle(hookless);
    switch (event->kind) {
    case WEIRI_EVENT_ACCESS:
        look_at_access(hookless, event, (event->access & WEIRI_ACCESS_BIT_READ) != 0,
                       (event->access & WEIRI_ACCESS_BIT_WRITE) != 0);
        break;
    case WEIRI_EVENT_ATOMIC:
        look_at_atomic(hookless, event);
        break;
    case WEIRI_EVENT_LOCAL_ARRAY:
        look_at_array(hookless, event->object);
        break;
    case WEIRI_EVENT_RELEASE:
        look_at_group(hookless, event->group->shape.group_linear);
        break;
    default:
        forget_item(hookless, event);
        break;
    }
    hookless->left -= hookless->left > 0;
    if (hookless->left == 0) {
        end(hookless);
    }
    return WEIRI_GOES_ON;
}

/* ---- A launch -------------------------------------------------------------------- */

static void count_bytes(void *data, const struct weiri_object *object)
{
    ((struct weiri_hookless *)data)->bytes += object->bytes;
}

static void add_region(void *data, const struct weiri_object *object)
{
    if (object->bytes > 0) {
        (void)open_region(data, object);
    }
}

/* Whether the process has one thread: a host may write memory while a kernel runs. */
static bool is_alone(void)
{
    enum { FOLDERS = 2 }; /* "." and "..", which are links, too */
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == FOLDERS + 1;
}

struct weiri_hookless *weiri_hookless_new(const struct weiri_objects *objects,
                                          struct weiri_audience *audience,
                                          const struct weiri_shortcut *shortcut,
                                          bool whole)
{
    struct weiri_hookless *hookless = g_new0(struct weiri_hookless, 1);
    hookless->audience = audience;
    hookless->shortcut = *shortcut;
    hookless->left = whole ? MOST_EVENTS : FEW_EVENTS;
    hookless->regions = g_hash_table_new_full(NULL, NULL, NULL, free_region);
    hookless->items = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    weiri_objects_each_global(objects, count_bytes, hookless);
    if (hookless->bytes > (whole ? MOST_BYTES : FEW_BYTES) || !is_alone()) {
        g_clear_pointer(&hookless, weiri_hookless_free);
    } else {
        weiri_objects_each_global(objects, add_region, hookless);
    }
    return hookless;
}

void weiri_hookless_free(struct weiri_hookless *hookless)
{
    if (hookless != NULL) {
        g_hash_table_unref(hookless->regions);
        g_hash_table_unref(hookless->items);
        g_free(hookless);
    }
}

/* Compares an object of global memory; of static variables, the bytes that items have
 * accessed. */
static void compare_last(void *data, const struct weiri_object *object)
{
    struct weiri_hookless *hookless = data;
    const struct region *region = region_of(hookless, object);
    if (region == NULL) {
        return;
    }
    if (region->touched == NULL) {
        compare(hookless, region, 0, region->object.bytes);
    }
    for (size_t i = 0; region->touched != NULL && i < region->object.bytes; i++) {
        if (region->touched[i] != 0) {
            compare(hookless, region, i, 1);
        }
    }
}

char *weiri_hookless_report(struct weiri_hookless *hookless,
                            const struct weiri_objects *objects)
{
    if (hookless == NULL) {
        return NULL;
    }
    settle(hookless);
    weiri_objects_each_global(objects, compare_last, hookless);
    if (hookless->found.bytes == 0) {
        return NULL;
    }
    g_autofree char *name = weiri_object_name(&hookless->found, hookless->at);
    return g_strdup_printf(
        "memory accesses are not seen in a write that changes %s[%" PRId64
        "]: it has no hook, as of an asm statement or of the C library",
        name, weiri_object_index(&hookless->found, hookless->at));
}
