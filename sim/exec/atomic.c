/* SPDX-License-Identifier: MIT
 *
 * atomic.c: what the machine does before an access to memory in a launch that
 * is watched. Atomics and fences: judge what the device offers, and tell the
 * observers; the operation itself is inline in weir-atomic.h and follows
 * whatever is found. Plain accesses: tell the observers. */
#include "config.h"

#include "exec/event.h"
#include "exec/finding.h"
#include "exec/hooks.h"
#include "exec/launch.h"
#include "exec/turns.h"
#include "exec/worker.h"

static const char *name_of(const struct weiri_atomic_op *op)
{
    static const char *const names[] = {
#define X(name, text) "weir_atomic_" text,
        WEIRI_ATOMICS(X)
#undef X
    };
    return names[op->kind];
}

static char *objection(const struct weiri_launch *launch,
                       const struct weiri_atomic_op *op)
{
    if (!op->legal) {
        return g_strdup_printf(
            "order %s is none that the operation may have%s%s; it acts "
            "as seq_cst",
            weiri_order_name(op->order),
            op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE ? ", or its failure order " : "",
            op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE ? weiri_order_name(op->failure)
                                                      : "");
    }
    g_autofree char *lacking = weiri_device_objection(launch->device, op);
    return lacking == NULL ? NULL
                           : g_strdup_printf("device '%s' does not offer %s",
                                             launch->device->name, lacking);
}

void weiri_atomic_begin(const struct weiri_atomic_op *op)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL) {
        return; /* the host's own atomics are its own business */
    }
    struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t item = (uint32_t)(size_t)worker->group->public.at;
    g_autofree char *why = objection(launch, op);
    if (why != NULL
        && !weiri_report_again(launch->report, WEIR_FINDING_UNSUPPORTED, op->site,
                               shape->group_linear)) {
        weiri_worker_find(
            worker, WEIR_FINDING_UNSUPPORTED, op->site, "running", item, name_of(op),
            g_strdup_printf("unsupported %s in kernel '%s', group (%zu,%zu,%zu): %s",
                            name_of(op), launch->kernel->name, shape->group[0],
                            shape->group[1], shape->group[2], why));
    }
    if (worker->turns != NULL) {
        weiri_turns_atomic(worker, op);
    }
    if (launch->observers != NULL) {
        weiri_emit(launch->observers,
                   &(struct weiri_event){ .kind = WEIRI_EVENT_ATOMIC,
                                          .kernel = launch->kernel,
                                          .group = &worker->group->public,
                                          .item = item,
                                          .site = op->site,
                                          .atomic = op });
    }
}

void weiri_access(const volatile void *address, size_t bytes, unsigned access,
                  const void *pc)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL) {
        return;
    }
    if (worker->turns != NULL) {
        weiri_turns_access(worker, address, bytes, access, pc);
    }
    if (worker->launch->observers == NULL) {
        return;
    }
    weiri_emit(worker->launch->observers,
               &(struct weiri_event){ .kind = WEIRI_EVENT_ACCESS,
                                      .kernel = worker->launch->kernel,
                                      .group = &worker->group->public,
                                      .item = (size_t)worker->group->public.at,
                                      .address = address,
                                      .bytes = bytes,
                                      .access = access,
                                      .pc = pc });
}

void weiri_assert_failed(const char *text, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL) {
        g_error("weir_assert outside a kernel: %s, %s:%u", text, site->file,
                site->line);
    }
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t item = (uint32_t)(size_t)worker->group->public.at;
    size_t local[3];
    weiri_seek(shape, item, local);
    weiri_worker_find(
        worker, WEIR_FINDING_ASSERTION, site, "running", item, "weir_assert",
        g_strdup_printf("assertion failed in kernel '%s', group (%zu,%zu,%zu), item "
                        "(%zu,%zu,%zu): %s",
                        worker->launch->kernel->name, shape->group[0], shape->group[1],
                        shape->group[2], local[0], local[1], local[2], text));
    weiri_worker_abandon(worker);
}
