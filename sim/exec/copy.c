/* SPDX-License-Identifier: MIT
 *
 * copy.c: see copy.h.
 *
 * A copy may happen at any moment between the call that asks for it and the return of
 * the call that waits for it. Here it happens as late as it can: each item does its
 * part when it reaches the wait, before it meets the others there. So a program that
 * reads the target before the wait reads its old contents. Observers are told when the
 * copy may begin, and judge it as the action of no item: event.h. Its place is the call
 * that asks.
 *
 * An item copies elements that its neighbour is most likely to use: of the elements 0,
 * 1, 2 … item 1 copies element 0. So an explorer that does not know of such copies
 * (native/) sees two items whose accesses may race.
 *
 * Items keep their copies apart, so that an item can be run alone (native/). Their
 * numbers are the same in all items of a group, which meet at each call. */
#include "config.h"

#include "exec/copy.h"

#include "exec/hooks.h"
#include "exec/item-finding.h"
#include "exec/mode.h"
#include "exec/worker.h"
#include "finding/names.h"

#include <string.h>

struct pending {
    uint64_t event;
    uint64_t number;              /* of the copy */
    const struct weir_site *site; /* of the call that asks for it */
    const void *pc;
    uint32_t calls; /* between the kernel and there */
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

/* The two sides of an element: where it is, and what the copy does there. */
struct side {
    const char *address;
    unsigned access; /* of enum weiri_access_bit */
};
enum { N_SIDES = 2 };

static struct side side_of(const struct pending *copy, size_t i, int side)
{
    return side == 0
        ? (struct side){ copy->from + i * copy->from_step, WEIRI_ACCESS_BIT_READ }
        : (struct side){ copy->to + i * copy->to_step, WEIRI_ACCESS_BIT_WRITE };
}

/* COPY or COPIED, of one element. */
static void emit(struct weiri_worker *worker, enum weiri_event_kind kind,
                 const struct pending *copy, size_t i, size_t item)
{
    const struct weiri_launch *launch = worker->launch;
    if ((launch->audience.kinds >> kind & 1) == 0) {
        return;
    }
    worker->inside++;
    for (int s = 0; s < N_SIDES; s++) {
        struct side side = side_of(copy, i, s);
        struct weiri_event event = { .kind = kind,
                                     .kernel = launch->kernel,
                                     .group = &worker->group->public,
                                     .item = item,
                                     .op = copy->number,
                                     .address = side.address,
                                     .bytes = copy->element_bytes,
                                     .access = side.access,
                                     .pc = copy->pc,
                                     .calls = copy->calls };
        if (launch->objects != NULL) {
            event.object = weiri_objects_find(launch->objects, side.address, copy->pc);
        }
        (void)weiri_emit(&launch->audience, &event);
    }
    worker->inside--;
}

/* Tells a watched launch that @item copies one element. Where it may not do that, it
 * does not return. */
static void report(const struct pending *copy, size_t i, size_t item)
{
    if (weiri_self.watch == NULL) {
        return;
    }
    for (int s = 0; s < N_SIDES; s++) {
        struct side side = side_of(copy, i, s);
        unsigned access = side.access | WEIRI_ACCESS_BIT_RANGE | WEIRI_ACCESS_BIT_COPY;
        weiri_access(side.address, weiri_access_what(copy->element_bytes, access),
                     copy->pc);
    }
    emit(weiri_self.worker, WEIRI_EVENT_COPIED, copy, i, item);
}

/* The part of one item of @n_items. @copy is the caller's own, since a finding of this
 * access may end the item. */
static void do_part(struct pending copy, size_t item, size_t n_items)
{
    size_t first = (item + n_items - 1) % n_items;
    for (size_t i = first; i < copy.n; i += n_items) {
        report(&copy, i, item);
        /* Reported already: the call may have a hook. */
        struct weiri_worker *worker = weiri_self.worker;
        worker->inside++;
        memcpy(copy.to + i * copy.to_step, copy.from + i * copy.from_step,
               copy.element_bytes);
        worker->inside--;
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
                            .number = copies->n_copies++,
                            .site = site,
                            .pc = __builtin_return_address(0),
                            .calls = weiri_mode_calls(worker),
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

void weiri_copy_asked(struct weiri_worker *worker, const struct weiri_group *group,
                      uint32_t item)
{
    const GArray *pending = group->copies[item].pending;
    const struct pending *copy
        = &g_array_index(pending, struct pending, pending->len - 1);
    for (size_t i = 0; i < copy->n; i++) {
        emit(worker, WEIRI_EVENT_COPY, copy, i, (i + 1) % group->items);
    }
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
        g_autofree char *at = weiri_place_text(shape, shape->group);
        weiri_item_finding_add(
            worker, WEIR_FINDING_UNSUPPORTED, site, NULL, WEIR_STATE_RUNNING,
            (uint32_t)item, operation,
            g_strdup_printf("%s in kernel '%s', group %s: an event that no "
                            "copy of this group has returned",
                            operation, kernel->name, at));
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
    g_autofree char *at = weiri_place_text(shape, shape->group);
    weiri_item_finding_add(
        worker, WEIR_FINDING_UNSUPPORTED, copy->site, NULL, WEIR_STATE_RETURNED, item,
        operation,
        g_strdup_printf("%s in kernel '%s', group %s: the group ended without waiting "
                        "for this copy, so the copy may not have happened",
                        operation, kernel->name, at));
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
