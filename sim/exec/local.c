/* SPDX-License-Identifier: MIT
 *
 * local.c: weir_local_array(). A group's arrays are laid out in its local memory in the
 * order of the calls. The k-th call of each item gets the same array, and the first
 * item to make that call decides its size.
 *
 * In a checked launch each group has local memory at addresses of its own, larger than
 * the device's: poison lies before, between and after the arrays. */
#include "config.h"

#include "exec/local.h"

#include "exec/event.h"
#include "exec/failure.h"
#include "exec/item-finding.h"
#include "exec/launch.h"
#include "exec/leave.h"
#include "exec/memory.h"
#include "exec/worker.h"
#include "finding/names.h"

/* A cache line, and the widest vector. */
enum { ALIGNMENT = 64 };
/* Around arrays in a checked launch, so that a slightly wrong index is found. */
enum { RED_ZONE = 64 };

static G_GNUC_PRINTF(4, 5) void find(struct weiri_worker *worker,
                                     const struct weir_site *site, uint32_t item,
                                     const char *format, ...)
{
    const struct weiri_shape *shape = &worker->group->public.shape;
    const struct weir_kernel *kernel = worker->launch->kernel;
    va_list values;
    va_start(values, format);
    g_autofree char *what = g_strdup_vprintf(format, values);
    va_end(values);
    g_autofree char *group = weiri_place_text(shape, shape->group);
    char *message = g_strdup_printf("local memory in kernel '%s', group %s: %s",
                                    kernel->name, group, what);
    weiri_item_finding_add(
        worker, WEIR_FINDING_LOCAL_MEMORY, site, NULL, WEIR_STATE_RUNNING, item,
        weiri_name(kernel->language, WEIRI_NAME_LOCAL_ARRAY), message);
}

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Local memory for the first array of a group of a checked launch. It has room for the
 * red zones: the device's local memory limits the number of arrays that are not
 * empty. */
static void open_checked(struct weiri_worker *worker, struct weiri_group *group)
{
    struct weiri_launch *launch = worker->launch;
    size_t bytes = 2 * round_up(group->local_bytes) + RED_ZONE;
    size_t resident = 1 + (size_t)launch->n_extra;
    char *memory = weiri_objects_open_local(launch->objects, bytes, resident,
                                            group->public.shape.group_linear);
    if (memory == NULL) {
        weiri_failure_set(launch, WEIR_ERROR_RESOURCE,
                          "cannot map local memory of %zu bytes for %zu groups: use a "
                          "device with fewer compute units",
                          bytes, resident);
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    group->local_memory = memory;
    group->local_bytes = bytes;
    group->local_bytes_used = RED_ZONE;
    weiri_memory_fill(memory, RED_ZONE);
}

static void place_checked(struct weiri_worker *worker, struct weiri_group *group,
                          struct weiri_array *array, struct weiri_local *local)
{
    if (group->n_locals == 0) {
        open_checked(worker, group);
    }
    array->start = group->local_memory + group->local_bytes_used;
    size_t bytes = array->bytes > 0 ? round_up(array->bytes) + RED_ZONE : 0;
    weiri_memory_fill(array->start, bytes);
    group->local_bytes_used += bytes;
    local->object = weiri_objects_add_local(
        worker->launch->objects, array->start, array->bytes, local->element_bytes,
        array->site, group->public.shape.group_linear,
        group->public.shape.cluster[0] == 0 ? WEIRI_OBJECT_LOCAL : WEIRI_OBJECT_SHARED);
}

/* Whether items may look the arrays up by themselves: nothing observes it. */
static bool may_look_up(const struct weiri_launch *launch)
{
    return launch->objects == NULL
        && (launch->audience.kinds & WEIRI_EVENT_BIT(LOCAL_ARRAY)) == 0;
}

/* Makes the group's next array, for the first item that asks for it. */
static void make_array(struct weiri_worker *worker, struct weiri_group *group,
                       uint32_t item, size_t count, size_t element_bytes,
                       const struct weir_site *site)
{
    size_t left = group->local_bytes_left;
    if (element_bytes > 0 && count > left / element_bytes) {
        find(worker, site, item,
             "%zu elements of %zu bytes do not fit: %zu of the device's %zu bytes are "
             "left: use a %s or group",
             count, element_bytes, left, (size_t)worker->launch->device->local_mem_size,
             weiri_name(worker->launch->kernel->language, WEIRI_NAME_SMALLER_ARRAY));
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    uint32_t k = group->n_locals;
    if (k == group->locals_capacity) {
        group->locals_capacity = 2 * k + 4;
        group->public.arrays
            = g_renew(struct weiri_array, group->public.arrays, group->locals_capacity);
        group->locals
            = g_renew(struct weiri_local, group->locals, group->locals_capacity);
    }
    struct weiri_array *array = &group->public.arrays[k];
    struct weiri_local *local = &group->locals[k];
    *array = (struct weiri_array){ .site = site,
                                   .bytes = count * element_bytes,
                                   .start
                                   = group->local_memory + group->local_bytes_used };
    *local = (struct weiri_local){ .element_bytes = element_bytes };
    group->local_bytes_left -= MIN(round_up(array->bytes), left);
    if (__builtin_expect(worker->launch->objects != NULL, 0)) {
        place_checked(worker, group, array, local);
    } else {
        group->local_bytes_used = group->local_bytes - group->local_bytes_left;
    }
    group->n_locals++;
    if (may_look_up(worker->launch)) {
        group->public.n_arrays = group->n_locals;
    }
}

static void *array(struct weiri_group *group, uint32_t k, uint32_t item, size_t count,
                   size_t element_bytes, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (k == group->n_locals) {
        make_array(worker, group, item, count, element_bytes, site);
    }
    struct weiri_array *known = &group->public.arrays[k];
    if (__builtin_expect(known->site != site || known->bytes != count * element_bytes,
                         0)) {
        find(worker, site, item,
             "array %u of item %u has %zu bytes at line %u, but other items asked for "
             "%zu bytes at line %u: all items of a group make the same calls in the "
             "same order",
             k, item, count * element_bytes, site->line, known->bytes,
             known->site->line);
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    known->n_callers++;
    if ((worker->launch->audience.kinds & WEIRI_EVENT_BIT(LOCAL_ARRAY)) != 0) {
        worker->inside++;
        weiri_emit(&worker->launch->audience,
                   &(struct weiri_event){ .kind = WEIRI_EVENT_LOCAL_ARRAY,
                                          .kernel = worker->launch->kernel,
                                          .group = &group->public,
                                          .item = item,
                                          .site = site,
                                          .address = known->start,
                                          .bytes = known->bytes,
                                          .object = group->locals[k].object });
        worker->inside--;
    }
    return known->start;
}

void *weiri_local_array(uint32_t k, size_t count, size_t element_bytes,
                        const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    if (worker->launch->kernel->hierarchical) {
        find(worker, site, (uint32_t)(size_t)group->public.at,
             "weir_local_array inside weir_for_each_item: call weir_group_local_array "
             "outside the loop");
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    return array(group, k, (uint32_t)(size_t)group->public.at, count, element_bytes,
                 site);
}

void *weiri_local_array_at(size_t count, size_t element_bytes,
                           const struct weir_site *site)
{
    const struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t k = 0;
    while (k < group->n_locals && group->public.arrays[k].site != site) {
        k++;
    }
    void *start = weiri_local_array(k, count, element_bytes, site);
    group->public.arrays[k].n_callers = group->items; /* a loop may ask again */
    return start;
}

void *weiri_split_arrays(struct weir_group *public, uint32_t k, size_t count,
                         size_t element_bytes, const struct weir_site *site)
{
    struct weiri_group *group = (struct weiri_group *)public;
    void *start = array(group, k, 0, count, element_bytes, site);
    public->arrays[k].n_callers += group->items - 1;
    return start;
}

void *weiri_group_local_array(struct weir_group *public, size_t count,
                              size_t element_bytes, const struct weir_site *site)
{
    struct weiri_group *group = (struct weiri_group *)public;
    return array(group, group->next_local++, 0, count, element_bytes, site);
}

char *weiri_local_of_site(struct weiri_group *group, const struct weiri_array *like,
                          size_t element_bytes)
{
    struct weiri_worker *worker = weiri_self.worker;
    uint32_t k = 0;
    while (k < group->n_locals && group->public.arrays[k].site != like->site) {
        k++;
    }
    if (k == group->n_locals) {
        worker->inside++;
        make_array(worker, group, (uint32_t)(size_t)worker->group->public.at,
                   like->bytes / element_bytes, element_bytes, like->site);
        worker->inside--;
        group->public.arrays[k].n_callers = group->items;
    }
    return group->public.arrays[k].start;
}

static void check_callers(struct weiri_worker *worker, const struct weiri_group *group)
{
    for (uint32_t k = 0; k < group->n_locals; k++) {
        const struct weiri_array *array = &group->public.arrays[k];
        if (array->n_callers != group->items) {
            find(worker, array->site, 0,
                 "only %zu of %u items asked for the array of line %u: all items of a "
                 "group make the same calls in the same order",
                 array->n_callers, group->items, array->site->line);
        }
    }
}

void weiri_local_end_group(struct weiri_worker *worker, struct weiri_group *group,
                           bool cancelled)
{
    if (!cancelled) {
        check_callers(worker, group);
    }
    if (group->local_memory != group->own_local_memory) {
        weiri_objects_end_local(worker->launch->objects,
                                group->public.shape.group_linear);
        group->local_memory = group->own_local_memory;
        group->local_bytes = worker->launch->device->local_mem_size;
    }
}
