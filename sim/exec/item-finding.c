/* SPDX-License-Identifier: MIT
 *
 * item-finding.c: see item-finding.h. A finding is a draft with one party, the item,
 * and a trail of addresses from which its line is found later. After a signal the
 * item's number may be stale; is_item_known() decides whether the finding names an item
 * or only the group. */
#include "config.h"

#include "exec/item-finding.h"

#include "exec/launch.h"
#include "finding/names.h"

void weiri_item_finding_add(struct weiri_worker *worker, enum weir_finding_kind kind,
                            const struct weir_site *site, const void *pc,
                            enum weir_state state, uint32_t item, const char *operation,
                            char *message)
{
    const struct weiri_group *group = worker->group;
    struct weiri_draft draft = { .kind = kind,
                                 .kernel = worker->launch->kernel,
                                 .group_linear = group->public.shape.group_linear,
                                 .message = message };
    worker->inside++;
    weiri_finding_made(kind, &(struct weiri_maker){ draft.group_linear, item, 0 },
                       NULL);
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(state, &group->public.shape, site,
                                              operation, group->gate.phase, &item, 1);
    struct weiri_trail trail = { .at = { site == NULL ? pc : NULL } };
    weiri_draft_take(&draft, &party, &trail);
    weiri_report_add(worker->launch->report, &draft);
    worker->inside--;
}

/* The item that did what a signal reports. */
static uint32_t item_at_fault(const struct weiri_group *group)
{
    size_t at = (size_t)group->public.at;
    /* after the loop of a group kernel no item runs */
    return at < group->public.shape.items ? (uint32_t)at : 0;
}

/* Whether the group's number of the running item is right. A loop that calls nothing
 * may keep the number in a register, and the group then holds an earlier item's. The
 * number is right if the machine has switched to the item, and in checked loops, which
 * call the machine for each item. */
static bool is_item_known(const struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    bool switched = launch->deterministic || worker->group->public.end == NULL;
    return launch->entry == launch->kernel->checked
        || (launch->split != NULL && worker->group->public.together == NULL)
        || (switched && !launch->kernel->hierarchical);
}

/* Adds the finding of the worker's @fault. @party: the item, whose place is set */
static void add_fault(struct weiri_worker *worker, struct weiri_draft *draft,
                      const struct weir_party *party)
{
    const struct weiri_backtrace *calls = &worker->fault.calls;
    struct weiri_trail trail
        = { .calls = *calls, .at = { calls->n > 0 ? calls->pc[0] : NULL } };
    weiri_draft_take(draft, party, &trail);
    weiri_report_add(worker->launch->report, draft);
}

void weiri_item_finding_fault(struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t first = item_at_fault(worker->group);
    uint32_t n = is_item_known(worker) ? 1 : (uint32_t)shape->items - first;
    struct weiri_draft draft = { .kind = WEIR_FINDING_FAULT,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    worker->inside++;
    weiri_draft_init(&draft);
    g_autofree uint32_t *items = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        items[i] = first + i;
    }
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, shape, NULL, NULL,
                                              worker->group->gate.phase, items, n);
    g_autofree char *group = weiri_coordinates(party.group);
    g_autofree char *item = weiri_coordinates(party.item);
    draft.message = n == 1
        ? g_strdup_printf("fault in kernel '%s', group %s, item %s: the item %s",
                          launch->kernel->name, group, item, worker->fault.what)
        : g_strdup_printf("fault in kernel '%s', group %s: one of the items from %s on "
                          "%s; weir check reports which",
                          launch->kernel->name, group, item, worker->fault.what);
    add_fault(worker, &draft, &party);
    worker->inside--;
}

void weiri_item_finding_overflow(struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t first = item_at_fault(worker->group);
    struct weiri_draft draft = { .kind = WEIR_FINDING_STACK_OVERFLOW,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    worker->inside++;
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, shape, NULL, NULL,
                                              worker->group->gate.phase, &first, 1);
    g_autofree char *group = weiri_coordinates(party.group);
    g_autofree char *item = weiri_coordinates(party.item);
    draft.message = g_strdup_printf(
        "stack overflow in kernel '%s', group %s, item %s: the item's stack has %zu "
        "bytes: give --stack-bytes %zu%s",
        launch->kernel->name, group, item, launch->stack_bytes, 2 * launch->stack_bytes,
        weiri_name(launch->kernel->language, WEIRI_NAME_OR_STACK_BYTES));
    add_fault(worker, &draft, &party);
    worker->inside--;
}

void weiri_item_finding_limit(struct weiri_worker *worker, const void *at)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_group *group = worker->group;
    worker->inside++;
    char *why
        = g_strdup_printf("kernel '%s' was ended at the limit of %g seconds",
                          launch->kernel->name, (double)launch->time_limit_ms / 1000);
    if (group == NULL) {
        weiri_report_cut_short(launch->report, why, NULL, NULL);
    } else {
        uint32_t item = (uint32_t)(size_t)group->public.at;
        struct weir_party party
            = weiri_party_new(WEIR_STATE_RUNNING, &group->public.shape, NULL, NULL,
                              group->gate.phase, &item, 1);
        struct weiri_backtrace calls;
        if (at == NULL
            && weiri_backtrace_capture(&calls, NULL, (const void *)launch->entry)) {
            at = calls.pc[calls.n - 1];
        }
        /* The loop of a stackless entry over the items is not a place in the source: an
         * item between two passes is at the site where the items have stopped last. */
        struct weiri_trail trail
            = { .at = { at },
                .site = launch->split != NULL ? group->public.stop : NULL };
        weiri_report_cut_short(launch->report, why, &party, &trail);
    }
    worker->inside--;
}

void weiri_item_finding_of_op(struct weiri_worker *worker, enum weir_finding_kind kind,
                              uint64_t op, const struct weir_site *site, char *why)
{
    const struct weiri_group *group = worker->group;
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *operation
        = weiri_named(site, weiri_operation_name(kernel->language, op));
    worker->inside++;
    g_autofree char *at
        = weiri_place_text(&group->public.shape, group->public.shape.group);
    char *message = g_strdup_printf("%s in kernel '%s', group %s: %s", operation,
                                    kernel->name, at, why);
    g_free(why);
    weiri_item_finding_add(worker, kind, site, NULL, WEIR_STATE_RUNNING,
                           (uint32_t)(size_t)group->public.at, operation, message);
    worker->inside--;
}
