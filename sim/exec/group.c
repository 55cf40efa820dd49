/* SPDX-License-Identifier: MIT
 *
 * group.c: makes and starts groups. A group object is used for one group after another,
 * and keeps its arrays; a start sets only the members that differ between groups. */
#include "config.h"

#include "exec/group.h"

#include "base/assert.h"
#include "exec/event.h"
#include "exec/named.h"

#include <stdlib.h>
#include <string.h>

/* The byte that fills fresh local memory: recognisable, and odd as a count or an
 * index. */
enum { GARBAGE = 0xa5 };
/* Contexts fill cache lines; vectors in local memory want as much. */
enum { ALIGNMENT = 64 };

static void *alloc_aligned(size_t bytes)
{
    void *memory
        = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    if (memory == NULL) {
        g_error("cannot allocate %zu bytes", bytes);
    }
    return memory;
}

static void *aligned_alloc0(size_t bytes)
{
    return memset(alloc_aligned(bytes), 0, bytes);
}

static uint32_t power_of_two_from(uint32_t n)
{
    uint32_t power = 1;
    while (power < n) {
        power *= 2;
    }
    return power;
}

/* Sets the number of items of the group, which may be less than its capacity. */
static void set_members(struct weiri_group *group, uint32_t items)
{
    group->gate.n_members = items;
    for (uint32_t i = 0; i < group->n_sub_gates; i++) {
        struct weiri_gate *gate = &group->sub_gates[i];
        uint32_t from = MIN(gate->first, items);
        gate->n_members = MIN(group->sub_group_size, items - from);
    }
}

struct weiri_group *weiri_group_new(uint32_t items, uint32_t sub_group_size,
                                    size_t local_bytes)
{
    struct weiri_group *group = g_new0(struct weiri_group, 1);
    uint32_t ring = power_of_two_from(items);
    group->capacity = items;
    group->context = aligned_alloc0(items * sizeof(struct weiri_co));
    group->queue.items = g_new(uint32_t, ring);
    group->queue.mask = ring - 1;
    group->gate.waiting = g_new(uint32_t, ring);
    group->sub_group_size = sub_group_size;
    group->n_sub_gates = (items + sub_group_size - 1) / sub_group_size;
    group->sub_gates = g_new0(struct weiri_gate, group->n_sub_gates);
    group->sub_waiting = g_new(uint32_t, items);
    for (uint32_t i = 0; i < group->n_sub_gates; i++) {
        struct weiri_gate *gate = &group->sub_gates[i];
        gate->first = i * sub_group_size;
        gate->waiting = group->sub_waiting + gate->first;
    }
    set_members(group, items);
    group->stack = g_new(uint32_t, items);
    for (uint32_t i = 0; i < items; i++) {
        group->stack[i] = WEIRI_NO_STACK;
    }
    group->public.values = g_new0(union weiri_value, items);
    group->public.sources = g_new0(size_t, items);
    group->returns = g_new0(struct weiri_return, items);
    group->strays = g_array_new(FALSE, FALSE, sizeof(struct weiri_stray));
    group->met = g_array_new(FALSE, FALSE, sizeof(struct weiri_met));
    group->local_bytes = local_bytes;
    group->own_local_memory = group->local_memory = alloc_aligned(local_bytes);
    return group;
}

void weiri_group_fill_local(struct weiri_group *group)
{
    if (!group->local_is_filled) {
        group->local_is_filled = true;
        memset(group->own_local_memory, GARBAGE, group->local_bytes);
    }
}

void weiri_group_make_hub_items(struct weiri_group *group, size_t item_bytes,
                                size_t spin_bytes)
{
    if (group->hub_items == NULL) {
        group->hub_items = alloc_aligned(group->capacity * item_bytes);
        group->spins = g_malloc(group->capacity * spin_bytes);
    }
    memset(group->hub_items, 0, group->items * item_bytes);
    memset(group->spins, 0, group->items * spin_bytes);
}

void weiri_group_free(struct weiri_group *group)
{
    if (group == NULL) {
        return;
    }
    free(group->context);
    g_free(group->queue.items);
    g_free(group->gate.waiting);
    g_free(group->sub_gates);
    g_free(group->sub_waiting);
    g_free(group->stack);
    g_free(group->public.values);
    g_free(group->public.sources);
    g_free(group->returns);
    g_array_unref(group->strays);
    g_array_unref(group->met);
    g_free(group->arrived);
    g_clear_pointer(&group->lanes, g_array_unref);
    weiri_named_free(group);
    g_clear_pointer(&group->mbarriers, g_array_unref);
    if (group->item_copies != NULL) {
        group->free_item_copies(group->item_copies);
    }
    free(group->hub_items);
    g_free(group->spins);
    g_free(group->public.arrays);
    g_free(group->locals);
    free(group->public.frames);
    free(group->own_local_memory);
    for (uint32_t i = 0; group->copies != NULL && i < group->capacity; i++) {
        if (group->copies[i].pending != NULL) {
            g_array_unref(group->copies[i].pending);
        }
    }
    g_free(group->copies);
    g_free(group);
}

void weiri_group_place(struct weiri_shape *shape, size_t linear)
{
    shape->group_linear = linear;
    if (shape->dim == 1) {
        shape->group[0] = linear;
        shape->first[0] = linear * shape->nominal[0];
    } else {
        for (uint32_t dim = shape->dim; dim-- > 0;) {
            shape->group[dim] = linear % shape->groups[dim];
            shape->first[dim] = shape->group[dim] * shape->nominal[dim];
            linear /= shape->groups[dim];
        }
    }
    if (shape->uneven != 0) {
        shape->items = 1;
        for (uint32_t dim = 0; dim < 3; dim++) {
            size_t rest = shape->global[dim] - shape->first[dim];
            shape->local[dim] = MIN(shape->nominal[dim], rest);
            shape->items *= shape->local[dim];
        }
    }
}

void weiri_group_start(struct weiri_group *group, const struct weiri_shape *shape,
                       const void *args, size_t linear, bool hierarchical)
{
    weiri_assert_slow(shape->items == group->capacity);
    group->public.shape = *shape;
    weiri_group_place(&group->public.shape, linear);
    group->public.args = args;
    uint32_t items = (uint32_t)group->public.shape.items;
    group->items = hierarchical ? 1 : items;
    if (group->gate.n_members != items) {
        set_members(group, items);
    }
    group->public.at = NULL;
    group->public.end = (void *)(size_t)group->items;
    group->serial++;
    group->fast_site = NULL;
    group->next = 0;
    group->live = 0;
    group->idle = 0;
    group->waits = 0;
    group->tired = false;
    group->n_meetings = 0;
    if (group->arrived != NULL) {
        memset(group->arrived, 0, group->capacity * sizeof(*group->arrived));
    }
    group->queue.head = group->queue.tail = 0;
    group->gate.n_waiting = group->gate.n_exited = 0;
    group->gate.phase = 0;
    for (uint32_t i = 0; i < group->n_sub_gates; i++) {
        group->sub_gates[i].n_waiting = group->sub_gates[i].n_exited = 0;
        group->sub_gates[i].phase = 0;
    }
    group->public.n_arrays = 0;
    group->n_locals = group->next_local = 0;
    group->local_bytes_used = 0;
    group->local_bytes_left = group->local_bytes;
    if (group->strays->len > 0) {
        g_array_set_size(group->strays, 0);
    }
    if (group->lanes != NULL) {
        g_array_set_size(group->lanes, 0);
    }
    if (group->named != NULL) {
        weiri_named_reset(group);
    }
    if (group->mbarriers != NULL) {
        g_array_set_size(group->mbarriers, 0);
    }
    if (group->last_met != NULL) {
        group->last_met = NULL;
        g_array_set_size(group->met, 0);
    }
}

void weiri_seek(const struct weiri_shape *shape, size_t linear, size_t local[3])
{
    local[0] = local[1] = local[2] = 0;
    for (uint32_t dim = shape->dim; dim-- > 0;) {
        local[dim] = linear % shape->local[dim];
        linear /= shape->local[dim];
    }
}
