/* SPDX-License-Identifier: MIT
 *
 * copy.c: see copy.h.
 *
 * A copy may happen at any moment between the call that asks for it and the return of
 * the call that waits for it. Here it happens as late as it can: each item does its
 * part when it comes to the wait, before it meets the others there. So what the program
 * reads of the target before that is what was there before, and an access by another
 * item that no barrier orders before the wait is a data race with the copy. Its place
 * is that of the call that asks.
 *
 * An item would not race with its own part. So an item copies what its neighbour is
 * most likely to use: of the elements 0, 1, 2 … item 1 copies element 0.
 *
 * Items keep their copies apart, so that an item can be run alone (native/). Their
 * numbers are the same in all items of a group, which meet at each call. */
#include "config.h"

#include "exec/copy.h"

#include "exec/hooks.h"
#include "exec/item-finding.h"
#include "exec/names.h"
#include "exec/worker.h"

#include <string.h>

struct pending {
    uint64_t event;
    const struct weir_site *site; /* of the call that asks for it */
    const void *pc;
    char *to;
    const char *from;
    size_t n; /* elements */
    size_t to_step, from_step, element_bytes;
};

static struct weiri_copies *own_copies(struct weiri_worker *worker)
{
    struct weiri_group *group = worker->group;
    if (group->copies == NULL) {
        group->copies = g_new0(struct weiri_copies, group->capacity);
    }
    return &group->copies[(size_t)group->public.at];
}

/* Tells a watched launch of one element. Where the item may not do that, it does not
 * return. */
static void report(const struct pending *copy, size_t i)
{
    if (weiri_self.watch == NULL) {
        return;
    }
    weiri_access(copy->from + i * copy->from_step,
                 weiri_access_what(copy->element_bytes,
                                   WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE),
                 copy->pc);
    weiri_access(copy->to + i * copy->to_step,
                 weiri_access_what(copy->element_bytes,
                                   WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE),
                 copy->pc);
}

/* The part of one item of @n_items. The copy is that of the caller, since what it
 * reports may end the item. */
static void do_part(struct pending copy, size_t item, size_t n_items)
{
    size_t first = (item + n_items - 1) % n_items;
    for (size_t i = first; i < copy.n; i += n_items) {
        report(&copy, i);
        memcpy(copy.to + i * copy.to_step, copy.from + i * copy.from_step,
               copy.element_bytes);
    }
}

/* ---- What kernels call --------------------------------------------------- */

uint64_t weiri_copy_begin(void *to, const void *from, size_t n, size_t to_step,
                          size_t from_step, size_t element_bytes, uint64_t event,
                          const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    worker->inside++;
    struct weiri_copies *copies = own_copies(worker);
    struct pending copy = { .event = event,
                            .site = site,
                            .pc = __builtin_return_address(0),
                            .to = to,
                            .from = from,
                            .n = n,
                            .to_step = to_step,
                            .from_step = from_step,
                            .element_bytes = element_bytes };
    if (event == 0 || event > copies->n_events) {
        copy.event = ++copies->n_events;
    }
    if (copies->pending == NULL) {
        copies->pending = g_array_new(FALSE, FALSE, sizeof(copy));
    }
    g_array_append_val(copies->pending, copy);
    worker->inside--;
    return copy.event;
}

void weiri_copy_finish(uint64_t event, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t item = (size_t)group->public.at, n_items = group->items;
    const struct weiri_copies *copies
        = group->copies != NULL ? &group->copies[item] : NULL;
    if (event == 0 || copies == NULL || event > copies->n_events) {
        const struct weiri_shape *shape = &group->public.shape;
        const struct weir_kernel *kernel = worker->launch->kernel;
        const char *operation = weiri_operation_name(
            kernel->language,
            WEIRI_OP(WEIRI_WAIT, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, 0, 0, 0));
        worker->inside++;
        weiri_item_finding_add(
            worker, WEIR_FINDING_UNSUPPORTED, site, NULL, WEIR_STATE_RUNNING,
            (uint32_t)item, operation,
            g_strdup_printf("%s in kernel '%s', group (%zu,%zu,%zu): an event that no "
                            "copy of this group has returned",
                            operation, kernel->name, shape->group[0], shape->group[1],
                            shape->group[2]));
        worker->inside--;
        return;
    }
    guint i = 0;
    while (i < copies->pending->len) {
        const struct pending *copy = &g_array_index(copies->pending, struct pending, i);
        if (copy->event != event) {
            i++;
            continue;
        }
        struct pending own = *copy;
        worker->inside++;
        g_array_remove_index(copies->pending, i);
        worker->inside--;
        do_part(own, item, n_items);
    }
}

/* ---- The end of a group ----------------------------------------------------- */

static void report_unfinished(struct weiri_worker *worker, struct weiri_group *group,
                              const struct pending *copy, uint32_t item)
{
    const struct weir_kernel *kernel = worker->launch->kernel;
    const struct weiri_shape *shape = &group->public.shape;
    const char *operation = weiri_operation_name(
        kernel->language,
        WEIRI_OP(WEIRI_COPY, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, 0, 0, 0));
    weiri_item_finding_add(
        worker, WEIR_FINDING_UNSUPPORTED, copy->site, NULL, WEIR_STATE_RETURNED, item,
        operation,
        g_strdup_printf("%s in kernel '%s', group (%zu,%zu,%zu): the group ended "
                        "without a wait for this copy, which may not have happened",
                        operation, kernel->name, shape->group[0], shape->group[1],
                        shape->group[2]));
}

void weiri_copy_end_group(struct weiri_worker *worker, struct weiri_group *group,
                          bool cancelled)
{
    bool reported = cancelled;
    for (uint32_t i = 0; i < group->items; i++) {
        const GArray *pending = group->copies[i].pending;
        if (!reported && pending != NULL && pending->len > 0) {
            report_unfinished(worker, group, &g_array_index(pending, struct pending, 0),
                              i);
            reported = true;
        }
        weiri_group_forget_copies(group, i);
    }
}
