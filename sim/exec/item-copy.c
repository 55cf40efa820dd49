/* SPDX-License-Identifier: MIT
 *
 * item-copy.c: see item-copy.h.
 *
 * A copy may happen at any moment between the call that asks for it and the return of
 * the wait. Here it happens as late as it can, as a group's copy does (copy.c): in the
 * wait of its item, or when an item tests the barrier that the copy is bound to, or
 * when its group ends. So a program that reads the target too early reads its old
 * contents.
 *
 * The addresses are checked where the copy is asked for. Until the wait observers judge
 * an access to these bytes as one that the copy may come before or after: COPY and
 * COPIED of event.h. After a wait of its item the copy is an access of this item at the
 * wait: others need a barrier besides. A copy that is bound to a barrier in memory is
 * one of its item at the call, which the barrier orders before those that test it.
 *
 * Follows cp.async, cp.async.commit_group, cp.async.wait_group, cp.async.wait_all,
 * cp.async.mbarrier.arrive and cp.async.bulk of [PTX]. */
#include "config.h"

#include "exec/item-copy.h"

#include "exec/hooks.h"
#include "exec/mode.h"

#include <string.h>

/* A copy that is under way, in two lists in the order of the calls. */
struct node {
    struct weiri_item_copy copy;
    struct node *before, *next; /* all copies of the group */
    struct node *next_own;      /* those of one item */
};

/* An item's copies. */
struct own {
    struct node *first, *last;
    uint64_t n_batches; /* that it has committed */
};

struct weiri_item_copies {
    struct node *first, *last;
    struct node *spare; /* linked by @next */
    struct own *own;    /* by item */
    size_t n_items;
    uint64_t n_asked;
};

static void free_nodes(struct node *node)
{
    while (node != NULL) {
        struct node *next = node->next;
        g_free(node);
        node = next;
    }
}

static void free_copies(void *data)
{
    struct weiri_item_copies *copies = data;
    free_nodes(copies->spare);
    free_nodes(copies->first);
    g_free(copies->own);
    g_free(copies);
}

static struct node *first_copy(const struct weiri_group *group)
{
    return group->item_copies != NULL ? group->item_copies->first : NULL;
}

static struct node *first_of(const struct weiri_group *group, uint32_t item)
{
    return group->item_copies != NULL ? group->item_copies->own[item].first : NULL;
}

static void append(struct weiri_item_copies *copies, const struct weiri_item_copy *copy)
{
    struct node *node = copies->spare;
    if (node != NULL) {
        copies->spare = node->next;
    } else {
        node = g_new(struct node, 1);
    }
    struct own *own = &copies->own[copy->item];
    *node = (struct node){ .copy = *copy, .before = copies->last };
    *(copies->last != NULL ? &copies->last->next : &copies->first) = node;
    *(own->last != NULL ? &own->last->next_own : &own->first) = node;
    copies->last = own->last = node;
}

static struct weiri_item_copy take(struct weiri_item_copies *copies, struct node *node)
{
    struct own *own = &copies->own[node->copy.item];
    struct node *last = NULL, **to = &own->first;
    while (*to != node) {
        last = *to;
        to = &last->next_own;
    }
    *to = node->next_own;
    own->last = own->last == node ? last : own->last;
    *(node->before != NULL ? &node->before->next : &copies->first) = node->next;
    *(node->next != NULL ? &node->next->before : &copies->last) = node->before;
    node->next = copies->spare;
    copies->spare = node;
    return node->copy;
}

/* COPY or COPIED of one side. */
static void emit_side(struct weiri_worker *worker, enum weiri_event_kind kind,
                      const struct weiri_item_copy *copy, const char *address,
                      size_t bytes, unsigned access)
{
    const struct weiri_launch *launch = worker->launch;
    if ((launch->audience.kinds >> kind & 1) == 0 || bytes == 0) {
        return;
    }
    worker->inside++;
    struct weiri_event event = { .kind = kind,
                                 .kernel = launch->kernel,
                                 .group = &worker->group->public,
                                 .item = copy->item,
                                 .op = copy->number,
                                 .address = address,
                                 .bytes = bytes,
                                 .access = access | WEIRI_ACCESS_BIT_ITEM
                                     | (copy->bar != NULL ? WEIRI_ACCESS_BIT_BOUND : 0),
                                 .pc = copy->pc,
                                 .calls = copy->calls };
    if (launch->objects != NULL) {
        event.object = weiri_objects_find(launch->objects, address, copy->pc);
    }
    (void)weiri_emit(&launch->audience, &event);
    worker->inside--;
}

static void emit(struct weiri_worker *worker, enum weiri_event_kind kind,
                 const struct weiri_item_copy *copy)
{
    emit_side(worker, kind, copy, copy->from, copy->source_bytes,
              WEIRI_ACCESS_BIT_READ);
    emit_side(worker, kind, copy, copy->to, copy->bytes, WEIRI_ACCESS_BIT_WRITE);
}

static void move(struct weiri_worker *worker, const struct weiri_item_copy *copy)
{
    worker->inside++; /* the calls may have hooks */
    memcpy(copy->to, copy->from, copy->source_bytes);
    memset(copy->to + copy->source_bytes, 0, copy->bytes - copy->source_bytes);
    worker->inside--;
}

static void finish(struct weiri_worker *worker, const struct weiri_item_copy *copy)
{
    if (copy->bytes > 0) {
        emit(worker, WEIRI_EVENT_COPIED, copy);
        move(worker, copy);
    }
}

/* Where an access of the copy is a mistake, this does not return. */
static void check_access(const char *address, size_t bytes, unsigned access,
                         const void *pc)
{
    if (weiri_self.watch != NULL && bytes > 0) {
        access |= WEIRI_ACCESS_BIT_RANGE | WEIRI_ACCESS_BIT_COPY;
        weiri_access(address, weiri_access_what(bytes, access), pc);
    }
}

void weiri_item_copy_check(const struct weiri_item_copy *copy)
{
    check_access(copy->from, copy->source_bytes, WEIRI_ACCESS_BIT_READ, copy->pc);
    check_access(copy->to, copy->bytes, WEIRI_ACCESS_BIT_WRITE, copy->pc);
}

void weiri_item_copy_ask(struct weiri_worker *worker, struct weiri_item_copy copy)
{
    struct weiri_group *group = worker->group;
    copy.item = (uint32_t)(size_t)group->public.at;
    copy.calls = weiri_mode_calls(worker);
    copy.batch = WEIRI_ITEM_COPY_OPEN;
    worker->inside++;
    if (group->item_copies == NULL) {
        group->item_copies = g_new0(struct weiri_item_copies, 1);
        group->free_item_copies = free_copies;
        group->item_copies->n_items = group->capacity;
        group->item_copies->own = g_new0(struct own, group->capacity);
    }
    copy.number = group->item_copies->n_asked++;
    append(group->item_copies, &copy);
    worker->inside--;
    emit(worker, WEIRI_EVENT_COPY, &copy);
}

bool weiri_item_copy_bind(struct weiri_worker *worker, const uint64_t *bar)
{
    const struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    bool any = false;
    for (struct node *node = first_of(group, self); node != NULL;
         node = node->next_own) {
        if (node->copy.bar == NULL) {
            node->copy.bar = bar;
            any = true;
        }
    }
    return any;
}

bool weiri_item_copy_are_bound(const struct weiri_group *group, const uint64_t *bar)
{
    for (const struct node *node = first_copy(group); node != NULL; node = node->next) {
        if (node->copy.bar == bar) {
            return true;
        }
    }
    return false;
}

void weiri_item_copy_land(struct weiri_worker *worker, const uint64_t *bar,
                          uint32_t *arrivals, uint64_t *bytes)
{
    struct weiri_group *group = worker->group;
    *arrivals = 0;
    *bytes = 0;
    struct node *next;
    for (struct node *node = first_copy(group); node != NULL; node = next) {
        next = node->next;
        if (node->copy.bar == bar) {
            struct weiri_item_copy copy = take(group->item_copies, node);
            *arrivals += copy.arrivals;
            *bytes += copy.counted_bytes;
            finish(worker, &copy);
        }
    }
}

void weiri_item_copy_end_group(struct weiri_worker *worker, struct weiri_group *group,
                               bool cancelled)
{
    struct weiri_item_copies *copies = group->item_copies;
    while (copies->first != NULL) {
        struct weiri_item_copy copy = take(copies, copies->first);
        if (!cancelled) {
            move(worker, &copy);
        }
    }
    memset(copies->own, 0, copies->n_items * sizeof(*copies->own));
    copies->n_asked = 0;
}

/* ---- What kernels call ----------------------------------------------------------- */

static void refuse_apart(struct weiri_worker *worker, const struct weir_site *site,
                         const void *caller)
{
    (void)weiri_mode_meet_apart(worker,
                                WEIRI_OP(WEIRI_ITEM_COPY, WEIRI_TYPE_none,
                                         WEIRI_LEVEL_LANES, memory_scope_work_item, 0,
                                         0),
                                site, caller);
}

void weiri_item_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint32_t source_bytes, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    refuse_apart(worker, site, caller);
    const struct weiri_item_copy copy = { .pc = caller,
                                          .to = to,
                                          .from = from,
                                          .bytes = bytes,
                                          .source_bytes = MIN(source_bytes, bytes) };
    weiri_item_copy_check(&copy);
    weiri_item_copy_ask(worker, copy);
}

void weiri_item_copy_commit(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    refuse_apart(worker, site, __builtin_return_address(0));
    if (group->item_copies == NULL) {
        return; /* an empty batch, and all before it were */
    }
    struct own *own = &group->item_copies->own[self];
    for (struct node *node = own->first; node != NULL; node = node->next_own) {
        if (node->copy.batch == WEIRI_ITEM_COPY_OPEN) {
            node->copy.batch = own->n_batches;
        }
    }
    own->n_batches++;
}

void weiri_item_copy_wait(uint32_t n_left, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    refuse_apart(worker, site, __builtin_return_address(0));
    if (group->item_copies == NULL) {
        return;
    }
    bool all = n_left == UINT32_MAX;
    struct own *own = &group->item_copies->own[self];
    uint64_t end = n_left < own->n_batches ? own->n_batches - n_left : 0;
    struct node *next;
    for (struct node *node = own->first; node != NULL; node = next) {
        const struct weiri_item_copy *copy = &node->copy;
        next = node->next_own;
        if (copy->bytes > 0 && copy->counted_bytes == 0 && (all || copy->batch < end)) {
            struct weiri_item_copy done = take(group->item_copies, node);
            done.bar = NULL; /* it is of this wait */
            finish(worker, &done);
        }
    }
}
