/* SPDX-License-Identifier: MIT
 *
 * unseen.c: see unseen.h. The memory that an item may change from one stop to the next
 * follows from the stop before: the memory of a plain write or of an atomic operation.
 * A compiler that copies a struct announces the write, then the read, and then copies,
 * so a write before a read may come after it.
 *
 * All cells are compared at every stop, and neighbours at once. Device memory as a
 * whole and the local memory of the item's group are compared at every stop of the
 * items that are learned from, where they are small; device memory at the end, too. An
 * array that an item has asked for since its stop held poison then. */
#include "config.h"

#include "native/unseen.h"

#include "exec/device.h"
#include "exec/finding.h"
#include "exec/group.h"
#include "exec/memory.h"

#include <inttypes.h>
#include <string.h>

/* Cells that are neighbours. @at: where its contents are kept */
struct range {
    const volatile char *start;
    size_t bytes, at;
};

/* Larger device memory is compared at the end alone, and still larger not at all. */
enum { SMALL_BYTES = 16 * 1024, MOST_BYTES = 64 * 1024 * 1024 };

bool weiri_unseen_ignores_local;

struct known {
    char *start;
    size_t bytes;
    char *initial, *latest; /* owned; @latest: of small memory, or NULL */
};

static void clear_known(void *data)
{
    struct known *known = data;
    g_free(known->initial);
    g_free(known->latest);
}

static int by_start(const void *a, const void *b)
{
    const struct known *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

void weiri_unseen_init(struct weiri_unseen *unseen, const struct weiri_launch *launch)
{
    *unseen = (struct weiri_unseen){ .launch = launch };
    unseen->memory = g_array_new(FALSE, FALSE, sizeof(struct known));
    unseen->ranges = g_array_new(FALSE, FALSE, sizeof(struct range));
    unseen->places = g_array_new(FALSE, FALSE, sizeof(size_t));
    unseen->contents = g_byte_array_new();
    unseen->local = g_byte_array_new();
    unseen->version = UINT64_MAX;
    g_array_set_clear_func(unseen->memory, clear_known);
    GHashTableIter each;
    gpointer memory;
    size_t bytes = 0;
    g_hash_table_iter_init(&each, launch->device->memory);
    while (g_hash_table_iter_next(&each, NULL, &memory)) {
        const struct weiri_memory *one = memory;
        const struct known known = { .start = one->start, .bytes = one->bytes };
        bytes += one->bytes;
        g_array_append_val(unseen->memory, known);
    }
    if (bytes > MOST_BYTES) {
        g_array_set_size(unseen->memory, 0);
    }
    g_array_sort(unseen->memory, by_start); /* the first change is always the same */
    unseen->is_small = bytes <= SMALL_BYTES;
    for (guint i = 0; i < unseen->memory->len; i++) {
        struct known *known = &g_array_index(unseen->memory, struct known, i);
        known->initial = g_memdup2(known->start, known->bytes);
        known->latest = unseen->is_small ? g_malloc(known->bytes) : NULL;
    }
}

void weiri_unseen_clear(struct weiri_unseen *unseen)
{
    g_array_unref(unseen->memory);
    g_array_unref(unseen->ranges);
    g_array_unref(unseen->places);
    g_byte_array_unref(unseen->contents);
    g_byte_array_unref(unseen->local);
}

static gint by_address(gconstpointer a, gconstpointer b, gpointer all)
{
    const struct weiri_native_cell *cells = all;
    const volatile char *one = cells[*(const guint *)a].address;
    const volatile char *other = cells[*(const guint *)b].address;
    return one < other ? -1 : one > other;
}

/* Sets the ranges and places for these cells: one range for all that are neighbours if
 * they are @joined, else one each, which needs no order. */
static void lay_out(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                    bool joined)
{
    guint n = cells->all->len;
    size_t at = 0;
    struct range *last = NULL;
    g_autofree guint *order = g_new(guint, n + 1);
    for (guint i = 0; i < n; i++) {
        order[i] = i;
    }
    if (joined) {
        g_qsort_with_data(order, (gint)n, sizeof(*order), by_address, cells->all->data);
    }
    g_array_set_size(unseen->ranges, 0);
    g_array_set_size(unseen->places, n);
    for (guint i = 0; i < n; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, order[i]);
        g_array_index(unseen->places, size_t, order[i]) = at;
        if (joined && last != NULL && last->start + last->bytes == cell->address) {
            last->bytes += cell->bytes;
        } else {
            const struct range range = { cell->address, cell->bytes, at };
            g_array_append_val(unseen->ranges, range);
            last
                = &g_array_index(unseen->ranges, struct range, unseen->ranges->len - 1);
        }
        at += cell->bytes;
    }
    g_byte_array_set_size(unseen->contents, (guint)at);
    unseen->version = cells->version;
    unseen->is_joined = joined;
}

static bool looks_at_local(const struct weiri_group *group)
{
    return !weiri_unseen_ignores_local && group->n_locals > 0
        && group->local_bytes_used <= SMALL_BYTES;
}

static void keep_local(struct weiri_unseen *unseen, const struct weiri_group *group)
{
    unseen->n_locals = group->n_locals;
    g_byte_array_set_size(unseen->local, 0);
    if (looks_at_local(group)) {
        g_byte_array_append(unseen->local, (const guint8 *)group->local_memory,
                            (guint)group->local_bytes_used);
    }
}

void weiri_unseen_begin(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                        const struct weiri_group *group)
{
    if (unseen->object != NULL) {
        return; /* one is enough */
    }
    /* The first runs of items find new cells at each stop, and later ones none. */
    if (unseen->version != cells->version) {
        lay_out(unseen, cells, false);
    } else if (!unseen->is_joined) {
        lay_out(unseen, cells, true);
    }
    for (guint i = 0; i < unseen->ranges->len; i++) {
        const struct range *range = &g_array_index(unseen->ranges, struct range, i);
        memcpy(unseen->contents->data + range->at, (const void *)range->start,
               range->bytes);
    }
    if (group == NULL) {
        return;
    }
    keep_local(unseen, group);
    for (guint i = 0; unseen->is_small && i < unseen->memory->len; i++) {
        const struct known *known = &g_array_index(unseen->memory, struct known, i);
        memcpy(known->latest, known->start, known->bytes);
    }
}

static void note(struct weiri_unseen *unseen, const volatile char *address)
{
    const struct weiri_object *object
        = weiri_objects_find(unseen->launch->objects, address, NULL);
    if (object != NULL && unseen->object == NULL) {
        g_autofree char *name = weiri_object_name(object, address);
        unseen->object = g_intern_string(name);
        unseen->index = weiri_object_index(object, address);
    }
}

/* Whether the item may have written there since the latest of its last two stops. */
static bool may_write(const struct weiri_unseen_stop stops[2],
                      const volatile char *from, size_t bytes)
{
    bool may = false;
    for (size_t i = 0; i < (stops[0].reads ? 2 : 1); i++) {
        may |= stops[i].writes && from < stops[i].address + stops[i].bytes
            && stops[i].address < from + bytes;
    }
    return may;
}

static bool has_changed(const struct weiri_unseen *unseen)
{
    bool changed = false;
    for (guint i = 0; i < unseen->ranges->len && !changed; i++) {
        const struct range *range = &g_array_index(unseen->ranges, struct range, i);
        changed = memcmp(unseen->contents->data + range->at, (const void *)range->start,
                         range->bytes)
            != 0;
    }
    return changed;
}

static void look_at_cells(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                          const struct weiri_unseen_stop stops[2])
{
    for (guint i = 0; i < unseen->places->len; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, i);
        const guint8 *old
            = unseen->contents->data + g_array_index(unseen->places, size_t, i);
        if (memcmp(old, (const void *)cell->address, cell->bytes) != 0
            && !may_write(stops, cell->address, cell->bytes)) {
            note(unseen, cell->address);
        }
    }
}

static void look_at_bytes(struct weiri_unseen *unseen, const char *start, size_t bytes,
                          const void *latest, const struct weiri_unseen_stop stops[2])
{
    const char *was = latest;
    for (size_t k = 0; k < bytes && memcmp(start, was, bytes) != 0; k++) {
        if (start[k] != was[k] && !may_write(stops, start + k, 1)) {
            note(unseen, start + k);
        }
    }
}

static void look_at_local(struct weiri_unseen *unseen, const struct weiri_group *group,
                          const struct weiri_unseen_stop stops[2])
{
    if (unseen->local->len > 0) {
        look_at_bytes(unseen, group->local_memory, unseen->local->len,
                      unseen->local->data, stops);
    }
    for (uint32_t i = unseen->n_locals; i < group->n_locals && looks_at_local(group);
         i++) {
        const struct weiri_array *array = &group->public.arrays[i];
        g_autofree char *poison = g_malloc(array->bytes);
        weiri_memory_fill(poison, array->bytes);
        look_at_bytes(unseen, array->start, array->bytes, poison, stops);
    }
}

void weiri_unseen_look(struct weiri_unseen *unseen, const struct weiri_cells *cells,
                       const struct weiri_group *group, uint32_t thread,
                       const struct weiri_unseen_stop stops[2])
{
    if (unseen->object != NULL) {
        return;
    }
    if (has_changed(unseen)) {
        look_at_cells(unseen, cells, stops);
    }
    if (group != NULL) {
        look_at_local(unseen, group, stops);
    }
    for (guint i = 0; group != NULL && unseen->is_small && i < unseen->memory->len;
         i++) {
        const struct known *known = &g_array_index(unseen->memory, struct known, i);
        look_at_bytes(unseen, known->start, known->bytes, known->latest, stops);
    }
    unseen->is_known = unseen->object != NULL;
    unseen->thread = thread;
    unseen->after = stops[0];
}

void weiri_unseen_stop(struct weiri_unseen_stop stops[2], const struct weiri_stop *stop,
                       const struct weiri_atomic_op *op)
{
    stops[1] = stops[0];
    stops[0] = (struct weiri_unseen_stop){ .site = stop->site, .pc = stop->pc };
    if (stop->kind == WEIRI_STOP_BEFORE_ACCESS) {
        stops[0].address = stop->address;
        stops[0].bytes = stop->bytes;
        stops[0].writes = stop->operation == WEIRI_OPERATION_WRITE;
        stops[0].reads = !stops[0].writes;
    } else if (stop->kind == WEIRI_STOP_BEFORE_ATOMIC) {
        stops[0].address = op->address;
        stops[0].bytes = op->bytes;
        stops[0].writes = true;
    }
}

static void compare_and_restore(struct weiri_unseen *unseen)
{
    for (guint i = 0; i < unseen->memory->len; i++) {
        const struct known *known = &g_array_index(unseen->memory, struct known, i);
        if (memcmp(known->start, known->initial, known->bytes) != 0) {
            size_t k = 0;
            while (known->start[k] == known->initial[k]) {
                k++;
            }
            note(unseen, known->start + k);
            memcpy(known->start, known->initial, known->bytes);
        }
    }
}

bool weiri_unseen_report(struct weiri_unseen *unseen, uint32_t n_items)
{
    const struct weiri_launch *launch = unseen->launch;
    compare_and_restore(unseen);
    if (unseen->object == NULL) {
        return false;
    }
    char *why = g_strdup_printf(
        "%s[%" PRId64
        "] was changed by a write that has no hook, as of the C library or "
        "of an asm statement: its order with other accesses was not explored",
        unseen->object, unseen->index);
    if (!unseen->is_known || unseen->after.pc == NULL) {
        weiri_report_cut_short(launch->report, why, NULL, NULL);
        return true;
    }
    struct weiri_shape shape = launch->shape;
    uint32_t item = unseen->thread % n_items;
    weiri_group_place(&shape, unseen->thread / n_items);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, &shape,
                                              unseen->after.site, NULL, 0, &item, 1);
    const struct weiri_trail trail
        = weiri_trail_of(launch->call_tree, unseen->after.site, unseen->after.pc, 0);
    weiri_report_cut_short(launch->report, why, &party, &trail);
    return true;
}
