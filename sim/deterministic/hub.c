/* SPDX-License-Identifier: MIT
 *
 * hub.c: see hub.h.
 *
 * An item that stops asks the client for the next one on its own stack and switches to
 * that directly; the hub's stack is left out. It is needed where an item has ended,
 * since its stack may be the next item's, and for calls that need a larger stack.
 *
 * The effect of an operation on memory is settled at its item's next stop, before any
 * other item takes a step.
 *
 * Plain accesses to private memory, and the work of a kernel's loop around its body,
 * are not stops: no other item can observe them. */
#include "config.h"

#include "deterministic/hub.h"

#include "base/assert.h"
#include "base/backtrace.h"
#include "exec/failure.h"
#include "exec/finding.h"

#include <string.h>

/* ---- Switching to an item ------------------------------------------------ */

_Noreturn void weiri_hub_end_item(struct weiri_hub *hub, enum weiri_stop_kind kind)
{
    hub->item->stop.kind = (uint8_t)kind;
    weiri_co_jump(&hub->worker->host);
}

/* Every coroutine of a deterministic launch: one item, or several that do not stop for
 * each other. The loop over items asks before each of them; see weiri_hub_chain(). Once
 * the coroutine has given way, enter() makes it end with its item. */
static void item_main(void)
{
    weiri_co_entered();
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t item = (size_t)group->public.at;
    group->public.end = (void *)(worker->hub->chains ? group->items : item + 1);
    worker->launch->entry(&group->public, item);
    weiri_hub_end_item(worker->hub, WEIRI_STOP_RETURNED);
}

/* So many bytes at the top of a stack are cleared before an item begins anew: what an
 * earlier item has left there would be part of its private state, which fingerprints
 * compare. */
enum { CLEAN_BYTES = 16 * 1024 };

/* Makes a coroutine for the running item, which has not started. Returns: it, or NULL
 * without a free stack */
static __attribute__((noinline)) struct weiri_co *start(struct weiri_hub *hub)
{
    struct weiri_worker *worker = hub->worker;
    struct weiri_group *group = worker->group;
    uint32_t item = weiri_hub_running(hub);
    uint32_t stack = group->stack[item] != WEIRI_NO_STACK
        ? group->stack[item]
        : weiri_stacks_acquire(&worker->stacks);
    if (stack == WEIRI_NO_STACK) {
        weiri_failure_set(hub->launch, WEIR_ERROR_RESOURCE,
                          "cannot map a stack for item %u of a group: this worker has "
                          "%u: give smaller groups, or raise vm.max_map_count",
                          item, worker->stacks.n_mapped);
        hub->item->stop.kind = WEIRI_STOP_ABANDONED;
        return NULL;
    }
    group->stack[item] = stack;
    group->live++;
    hub->item->state = WEIRI_ITEM_RUNS;
    bool instrumented = hub->launch->entry == hub->launch->kernel->checked;
    hub->begun = hub->hierarchical || !instrumented;
    if (hub->calls != NULL) {
        hub->calls[hub->current] = instrumented ? WEIRI_CALLS_OUTSIDE : 0;
    }
    size_t bytes;
    char *low = weiri_stacks_bounds(&worker->stacks, stack, &bytes);
    worker->own_low = (uintptr_t)low;
    if (hub->client.apart) {
        weiri_stacks_clean(&worker->stacks, stack, CLEAN_BYTES);
        worker->fresh = (struct weiri_co){ 0 };
    }
    weiri_co_init(&worker->fresh, low, bytes, item_main);
    return &worker->fresh;
}

/* The lowest byte of a stack that the worker has. */
static inline uintptr_t low_of(const struct weiri_worker *worker, uint32_t stack)
{
    return (uintptr_t)worker->stacks.base + stack * worker->stacks.stride
        + worker->stacks.guard_bytes;
}

/* Makes @id the running item. Returns: its context, or NULL where it has not started */
static inline __attribute__((always_inline)) struct weiri_co *enter(
    struct weiri_hub *hub, uint32_t id)
{
    struct weiri_worker *worker = hub->worker;
    struct weiri_group *group = weiri_hub_group(hub, id);
    uint32_t index = weiri_hub_index(hub, id);
    struct weiri_hub_item *item = &group->hub_items[index];
    worker->group = group;
    group->public.at = hub->hierarchical ? item->at : (void *)(size_t)index;
    group->public.end = NULL;
    hub->stretch = id == hub->current ? hub->stretch : 0;
    hub->current = id;
    hub->item = item;
    hub->spin = &group->spins[index];
    if (__builtin_expect(item->state == WEIRI_ITEM_FRESH, 0)) {
        return NULL;
    }
    worker->own_low = low_of(worker, group->stack[index]);
    return &group->context[index];
}

static __attribute__((noinline)) void switch_to_fresh(struct weiri_hub *hub,
                                                      struct weiri_co *self)
{
    struct weiri_co *next = start(hub);
    if (next == NULL) {
        weiri_co_jump(&hub->worker->host);
    }
    weiri_co_start(self, next);
}

/* Switches from the running item to @id. Switches are in tail position, so that an item
 * which runs on returns to its kernel at once. */
static inline __attribute__((always_inline)) void switch_to(struct weiri_hub *hub,
                                                            uint32_t id)
{
    struct weiri_co *self = &hub->worker->group->context[weiri_hub_running(hub)];
    struct weiri_co *next = enter(hub, id);
    if (next == NULL) {
        switch_to_fresh(hub, self);
    } else if (next != self) {
        weiri_co_switch(self, next);
    }
}

static __attribute__((noinline)) void switch_to_hub(struct weiri_hub *hub)
{
    struct weiri_group *group = hub->worker->group;
    weiri_co_switch(&group->context[weiri_hub_running(hub)], &hub->worker->host);
}

/* No local variable but @hub is needed after next(), so that it finds little on the
 * item's stack: with many items, each cache line of their stacks counts. */
static inline __attribute__((always_inline)) void stop(struct weiri_hub *hub,
                                                       const void *caller)
{
    hub->item->at = hub->worker->group->public.at;
    hub->caller = caller;
    uint32_t id = hub->client.next(hub->client.self, &hub->item->stop);
    if (id == WEIRI_NO_ITEM) {
        switch_to_hub(hub);
    } else {
        switch_to(hub, id);
    }
}

void weiri_hub_stop(struct weiri_hub *hub, const void *caller)
{
    stop(hub, caller);
}

void weiri_hub_call(struct weiri_hub *hub, void (*call)(void *data), void *data)
{
    hub->call = call;
    hub->call_data = data;
    switch_to_hub(hub);
}

static __attribute__((noinline)) void settle(struct weiri_hub *hub)
{
    weiri_hub_settle(hub);
}

/* The item's latest operation in the block that it is in, or NULL. The history gets it
 * together with the next block: the latest operation is nearest to the place where
 * items part. */
static const void *pending(const struct weiri_hub *hub,
                           const struct weiri_hub_item *item, bool *is_site)
{
    const struct weiri_stop *stop = &item->stop;
    *is_site = stop->pc == NULL;
    if (*is_site) {
        return stop->site;
    }
    return stop->pc != hub->histories.nodes[item->history].place ? stop->pc : NULL;
}

/* weiri_hub_settle(), mostly without a call. */
static inline __attribute__((always_inline)) void settle_shortly(struct weiri_hub *hub)
{
    if (__builtin_expect(weiri_hub_settles_plainly(hub), 1)) {
        hub->item->effect = WEIRI_EFFECT_NONE;
    } else {
        settle(hub);
    }
}

/* The running item has returned: what it did last becomes known. Nothing is left to do
 * if this is called again. */
static inline void settle_returned(struct weiri_hub *hub)
{
    struct weiri_hub_item *item = hub->item;
    bool is_site;
    const void *last = pending(hub, item, &is_site);
    if (last != NULL && !is_site) {
        uint32_t again = weiri_history_again(&hub->histories, item->history, last);
        item->history = again != UINT32_MAX
            ? again
            : weiri_history_after(&hub->histories, item->history, last, false, NULL,
                                  false);
    }
    settle_shortly(hub);
}

static inline void note_returned(struct weiri_hub *hub, struct weiri_group *group,
                                 uint32_t index)
{
    weiri_hub_progress(hub);
    group->returns[index] = (struct weiri_return){ group->serial, group->gate.phase };
    hub->item->state = WEIRI_ITEM_RETURNED;
    weiri_worker_emit(hub->worker, WEIRI_EVENT_ITEM_END, index, 0, NULL);
}

static void end_returned(struct weiri_hub *hub)
{
    struct weiri_group *group = hub->worker->group;
    uint32_t index = weiri_hub_running(hub);
    settle_returned(hub);
    if (!hub->client.apart) {
        weiri_stacks_release(&hub->worker->stacks, group->stack[index]);
        group->stack[index] = WEIRI_NO_STACK;
    }
    group->live--;
    note_returned(hub, group, index);
}

/* The same steps as end_returned(), enter() and start() take; the stack stays. */
void weiri_hub_chain(struct weiri_hub *hub)
{
    struct weiri_worker *worker = hub->worker;
    struct weiri_group *group = worker->group;
    uint32_t index = weiri_hub_running(hub);
    worker->inside = 1;
    settle_returned(hub);
    hub->item->stop.kind = WEIRI_STOP_RETURNED;
    if (!hub->client.follows(hub->client.self)) {
        worker->inside = 0;
        weiri_hub_end_item(hub, WEIRI_STOP_RETURNED);
    }
    note_returned(hub, group, index);
    hub->item->stop.ordinal++; /* to end is a stop of its own */
    group->stack[index + 1] = group->stack[index];
    group->stack[index] = WEIRI_NO_STACK;
    hub->stretch = 0;
    hub->current++;
    hub->item++;
    hub->spin++;
    hub->item->state = WEIRI_ITEM_RUNS;
    if (hub->calls != NULL) {
        hub->calls[hub->current] = WEIRI_CALLS_OUTSIDE;
    }
    worker->inside = 0;
}

struct weiri_stop weiri_hub_run(struct weiri_hub *hub, uint32_t id)
{
    struct weiri_worker *worker = hub->worker;
    struct weiri_co *next = enter(hub, id);
    if (next != NULL) {
        weiri_co_switch(&worker->host, next);
    } else if ((next = start(hub)) != NULL && hub->client.apart) {
        weiri_co_switch(&worker->host, next); /* all registers are set */
    } else if (next != NULL) {
        weiri_co_start(&worker->host, next);
    }
    while (hub->call != NULL) {
        hub->call(hub->call_data);
        hub->call = NULL;
        weiri_co_switch(&worker->host, &worker->group->context[weiri_hub_running(hub)]);
    }
    struct weiri_stop *stop = &hub->item->stop;
    if (stop->kind == WEIRI_STOP_RETURNED) {
        end_returned(hub);
    }
    if (weiri_stop_is_end(stop) && stop->kind != WEIRI_STOP_INTERRUPTED) {
        stop->ordinal++; /* to end is a stop of its own */
    }
    return *stop;
}

void weiri_hub_restart(struct weiri_hub *hub, uint32_t id)
{
    struct weiri_group *group = weiri_hub_group(hub, id);
    uint32_t index = weiri_hub_index(hub, id);
    struct weiri_hub_item *item = &group->hub_items[index];
    group->live -= item->state == WEIRI_ITEM_RUNS || item->state == WEIRI_ITEM_SPINS;
    *item = (struct weiri_hub_item){ .stop = { .id = id } };
    group->spins[index] = (struct weiri_spin){ 0 };
    group->returns[index] = (struct weiri_return){ 0 };
    group->next_local = 0;
}

/* ---- Operations ---------------------------------------------------------- */

void weiri_hub_count_fruitless(struct weiri_hub *hub)
{
    weiri_spin_count(hub->spin, hub->item);
}

/* Reports a wait that ended since another item of the same sub-group wrote: where a
 * sub-group has one program counter, it would not end. */
void weiri_hub_end_spin(struct weiri_hub *hub)
{
    const struct weiri_shape *shape = &hub->worker->group->public.shape;
    const struct weiri_writer *writer
        = weiri_writers_find(&hub->writers, hub->spin->anchor_address);
    uint32_t item = weiri_hub_running(hub);
    if (writer != NULL && writer->group == shape->group_linear && writer->item != item
        && writer->item >> shape->sub_group_shift == item >> shape->sub_group_shift) {
        weiri_report_sub_group_wait(hub->launch->report);
    }
}

/* The place of an operation without a site is known only until the next block. */
void weiri_hub_note_writer(struct weiri_hub *hub)
{
    const struct weiri_stop *stop = &hub->item->stop;
    const struct weiri_writer *writer
        = stop->site == NULL ? weiri_writers_find(&hub->writers, stop->address) : NULL;
    bool known = writer != NULL && writer->address == stop->address
        && writer->group == hub->worker->group->public.shape.group_linear
        && writer->item == weiri_hub_running(hub)
        && writer->operation == stop->operation && !writer->is_site;
    if (!known) {
        weiri_hub_keep_writer(hub);
    }
}

uint64_t weiri_hub_fingerprint(const struct weiri_hub *hub)
{
    struct weiri_worker *worker = hub->worker;
    size_t bytes;
    const char *low = weiri_stacks_bounds(
        &worker->stacks, worker->group->stack[weiri_hub_running(hub)], &bytes);
    return weiri_backtrace_fingerprint(hub->caller, low + bytes);
}

void weiri_hub_before_atomic(struct weiri_hub *hub, const struct weiri_atomic_op *op,
                             const void *caller)
{
    struct weiri_hub_item *item = hub->item;
    bool is_fence = op->kind == WEIRI_ATOMIC_FENCE;
    if (!weiri_hub_settles_plainly(hub)) {
        weiri_hub_settle(hub);
    }
    hub->atomic = op;
    item->stop.kind = is_fence ? WEIRI_STOP_BEFORE_FENCE : WEIRI_STOP_BEFORE_ATOMIC;
    item->stop.site = op->site;
    item->stop.pc = op->site == NULL ? op->pc : NULL;
    item->stop.address = op->address;
    item->stop.bytes = op->bytes;
    item->stop.operation = (uint8_t)op->kind;
    if (!hub->blocks) {
        item->history
            = weiri_history_after(&hub->histories, item->history,
                                  op->site != NULL ? (const void *)op->site : op->pc,
                                  op->site != NULL, NULL, false);
    }
    /* weiri_hub_after_atomic() refines this before the item's next stop. */
    item->effect = is_fence || op->kind == WEIRI_ATOMIC_LOAD ? WEIRI_EFFECT_NONE
                                                             : WEIRI_EFFECT_CHANGED;
    weiri_hub_before(hub, caller);
}

void weiri_hub_new_block(struct weiri_hub *hub, const void *pc)
{
    struct weiri_hub_item *item = hub->item;
    hub->blocks = true;
    if (hub->begun && !hub->client.apart) {
        bool is_site;
        const void *last = pending(hub, item, &is_site);
        item->history = weiri_history_after(&hub->histories, item->history, pc, false,
                                            last, is_site);
        item->stop.pc = pc;
        if (hub->client.place != NULL) {
            hub->client.place(hub->client.self, pc);
        }
    }
}

/* Other members of the stop are the item's latest operation, which is to be settled. */
void weiri_hub_at_block(struct weiri_hub *hub, const void *pc)
{
    if (!hub->client.stops_at_blocks || !hub->begun) {
        return;
    }
    struct weiri_stop *own = &hub->item->stop;
    uint8_t before = own->kind;
    own->kind = WEIRI_STOP_AT_BLOCK;
    own->ordinal++;
    stop(hub, pc);
    own->kind = before;
}

/* ---- Rendezvous ---------------------------------------------------------- */

struct path_call {
    struct weiri_hub *hub;
    const struct weiri_backtrace *calls;
    uint32_t path;
};

static void find_path(void *data)
{
    struct path_call *call = data;
    call->path = weiri_history_path(&call->hub->histories, call->calls,
                                    call->hub->launch->symbols->place);
}

/* Whether the hooks have reported all of @calls but the one in the kernel's loop. Then
 * each of these functions is instrumented, its return address is in the call tree, and
 * the same node and caller always stand for the same calls. */
static bool are_reported(const struct weiri_hub *hub,
                         const struct weiri_backtrace *calls)
{
    struct weiri_backtrace reported;
    weiri_call_tree_list(hub->launch->call_tree, weiri_hub_calls(hub), calls->pc[0],
                         &reported);
    return reported.n + 1 == calls->n
        && memcmp(reported.pc, calls->pc, reported.n * sizeof(*reported.pc)) == 0;
}

/* The path to a site that is not in the kernel's own body: the calls that led there. */
static __attribute__((noinline)) uint32_t walk_path_to(struct weiri_hub *hub,
                                                       const void *caller,
                                                       struct weiri_hub_path *known)
{
    struct weiri_backtrace calls;
    bool found = weiri_backtrace_capture(&calls, caller,
                                         (const void *)(uintptr_t)hub->launch->entry);
    struct path_call call
        = { hub, &calls, weiri_history_known_path(&hub->histories, &calls) };
    if (call.path == UINT32_MAX) {
        weiri_hub_call(hub, find_path, &call);
    }
    if (hub->calls != NULL && found && are_reported(hub, &calls)) {
        *known = (struct weiri_hub_path){ caller, weiri_hub_calls(hub), call.path };
    }
    return call.path;
}

/* The same, mostly without a walk. */
static uint32_t path_to(struct weiri_hub *hub, const void *caller)
{
    struct weiri_hub_path *known = &hub->paths[weiri_hub_path_at(hub, caller)];
    return known->caller == caller && known->calls == weiri_hub_calls(hub)
        ? known->path
        : walk_path_to(hub, caller, known);
}

/* Whether @site lies in the kernel's own body, called K__body for kernel K. */
static bool in_body(struct weiri_hub *hub, const struct weir_site *site)
{
    if (site == hub->body_site) {
        return true;
    }
    const char *kernel = hub->launch->kernel->name;
    size_t length = strlen(kernel);
    if (strncmp(site->function, kernel, length) != 0
        || strcmp(site->function + length, "__body") != 0) {
        return false;
    }
    hub->body_site = site;
    return true;
}

static inline __attribute__((always_inline)) void arrive(struct weiri_hub *hub,
                                                         uint64_t op,
                                                         const struct weir_site *site)
{
    struct weiri_stop *stop = &hub->item->stop;
    weiri_hub_progress(hub);
    stop->ordinal++;
    stop->site = site;
    stop->pc = NULL;
    stop->op = op;
    stop->operation = WEIRI_OPERATION_MEET;
    stop->path = 0;
}

uint32_t weiri_hub_arrive(struct weiri_hub *hub, uint64_t op,
                          const struct weir_site *site, const void *caller)
{
    weiri_hub_settle(hub);
    arrive(hub, op, site);
    if (!in_body(hub, site)) {
        hub->item->stop.path = path_to(hub, caller);
    }
    return hub->item->stop.path;
}

void weiri_hub_wait(struct weiri_hub *hub, bool completed)
{
    hub->item->stop.kind = completed ? WEIRI_STOP_COMPLETES : WEIRI_STOP_WAITS;
    weiri_hub_stop(hub, NULL);
}

void weiri_hub_meet_apart(struct weiri_hub *hub, uint64_t op,
                          const struct weir_site *site, const void *caller)
{
    weiri_hub_settle(hub);
    arrive(hub, op, site);
    hub->item->stop.kind = WEIRI_STOP_WAITS;
    stop(hub, caller);
}

static inline __attribute__((always_inline)) void join_gate(struct weiri_hub *hub,
                                                            struct weiri_group *group)
{
    struct weiri_gate *gate = &group->gate;
    arrive(hub, gate->op, gate->site);
    hub->item->stop.path = gate->path;
    hub->item->stop.kind = WEIRI_STOP_WAITS;
    gate->waiting[gate->n_waiting++] = weiri_hub_running(hub);
}

static __attribute__((noinline)) void join_and_ask(struct weiri_hub *hub,
                                                   struct weiri_group *group)
{
    join_gate(hub, group);
    stop(hub, NULL);
}

/* Whether the next item of the group has the next step, if the running one waits, and
 * has started. */
static inline bool is_followed(const struct weiri_hub *hub)
{
    const struct weiri_id_set *ready = hub->client.in_order;
    return ready != NULL && weiri_id_set_is_first_but_one(ready, hub->current)
        && hub->item[1].state != WEIRI_ITEM_FRESH && !weiri_hub_must_end(hub);
}

/* In order, most items that arrive at a barrier are followed by the next item. The same
 * steps as next() and enter() take, where nothing but the item changes. */
void weiri_hub_join(struct weiri_hub *hub, struct weiri_group *group)
{
    settle_shortly(hub);
    if (__builtin_expect(!is_followed(hub), 0)) {
        join_and_ask(hub, group);
        return;
    }
    join_gate(hub, group);
    struct weiri_worker *worker = hub->worker;
    struct weiri_id_set *ready = hub->client.in_order;
    weiri_id_set_remove(ready, hub->current);
    hub->has_choice = ready->n > 1;
    hub->n_choices += hub->has_choice;
    hub->n_steps++;
    hub->stretch = 0;
    hub->current++;
    hub->item++;
    hub->spin++;
    uint32_t index = weiri_hub_running(hub);
    group->public.at = (void *)(size_t)index;
    group->public.end = NULL;
    worker->own_low = low_of(worker, group->stack[index]);
    weiri_co_switch(&group->context[index - 1], &group->context[index]);
}

void weiri_hub_release(struct weiri_hub *hub, struct weiri_group *group,
                       const uint32_t *items, uint32_t n)
{
    struct weiri_hub_item *all = group->hub_items;
    if (items == NULL) {
        for (uint32_t i = 0; i < n; i++) {
            all[i].history = WEIRI_HISTORY_START;
        }
    }
    for (uint32_t i = 0; items != NULL && i < n; i++) {
        all[items[i]].history = WEIRI_HISTORY_START;
    }
    hub->client.released(hub->client.self, group, items, n);
}

void weiri_hub_release_some(struct weiri_hub *hub, struct weiri_group *group,
                            const uint32_t *items, uint32_t n)
{
    hub->client.released(hub->client.self, group, items, n);
}

/* ---- Launches and groups ------------------------------------------------- */

void weiri_hub_admit(struct weiri_hub *hub, struct weiri_group *group)
{
    uint32_t slot = 0;
    while (hub->slots[slot] != NULL) {
        slot++;
    }
    hub->slots[slot] = group;
    hub->n_resident++;
    hub->n_changes++;
    group->slot = slot;
    group->next = group->items; /* the hub knows which items have started */
    group->public.end = NULL;
    weiri_group_make_hub_items(group, sizeof(*group->hub_items), sizeof(*group->spins));
    for (uint32_t i = 0; i < group->items; i++) {
        group->hub_items[i].stop.id = weiri_hub_id(hub, group, i);
    }
}

void weiri_hub_dismiss(struct weiri_hub *hub, struct weiri_group *group)
{
    group->gate.n_exited = 0; /* a fast launch may have the object next */
    for (uint32_t i = 0; i < group->n_sub_gates; i++) {
        group->sub_gates[i].n_exited = 0;
    }
    for (uint32_t i = 0; hub->client.apart && i < group->items; i++) {
        weiri_hub_restart(hub, weiri_hub_id(hub, group, i));
        if (group->stack[i] != WEIRI_NO_STACK) {
            weiri_stacks_release(&hub->worker->stacks, group->stack[i]);
            group->stack[i] = WEIRI_NO_STACK;
        }
    }
    hub->slots[group->slot] = NULL;
    hub->n_resident--;
    hub->n_changes++;
    hub->worker->group = group;
}

void weiri_hub_init(struct weiri_hub *hub, struct weiri_worker *worker,
                    const struct weiri_hub_client *client)
{
    struct weiri_launch *launch = worker->launch;
    bool hierarchical = launch->kernel->hierarchical != 0;
    uint32_t items = hierarchical ? 1 : (uint32_t)launch->shape.items;
    *hub = (struct weiri_hub){
        .worker = worker,
        .launch = launch,
        .client = *client,
        .n_slots = (uint32_t)MIN(1 + (uint64_t)launch->n_extra, launch->n_groups),
        .current = WEIRI_NO_ITEM,
        .hierarchical = hierarchical,
        .chains = client->follows != NULL && !hierarchical
            && launch->entry == launch->kernel->checked,
        /* Items that begin anew have no histories: what is done for those leaves traces
         * on the item's stack, which fingerprints cover, the first time only. */
        .blocks = client->apart,
        .max_steps = launch->step_limit == 0 ? UINT64_MAX : launch->step_limit,
    };
    while (1u << hub->shift < items) {
        hub->shift++;
    }
    hub->mask = (1u << hub->shift) - 1;
    hub->slots = g_new0(struct weiri_group *, hub->n_slots);
    if (launch->call_tree != NULL) {
        hub->calls = g_new0(uint32_t, hub->n_slots << hub->shift);
    }
    weiri_writers_init(&hub->writers);
    weiri_history_init(&hub->histories, client->place == NULL);
    worker->own_bytes = worker->stacks.stride - worker->stacks.guard_bytes;
    worker->hub = hub;
    worker->compares |= client->place != NULL;
    launch->now = &hub->n_steps;
}

void weiri_hub_clear(struct weiri_hub *hub)
{
    hub->worker->hub = NULL;
    hub->launch->now = NULL;
    hub->worker->own_bytes = 0;
    weiri_writers_clear(&hub->writers);
    weiri_history_clear(&hub->histories);
    g_free(hub->slots);
    g_free(hub->calls);
}
