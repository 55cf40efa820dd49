/* SPDX-License-Identifier: MIT
 *
 * access.c: the actions of instrumented kernels, as hooks.c reports them: plain
 * accesses are stops of the hub and events for the launch's observers (event.h);
 * blocks, calls and comparisons go to the hub. This is the hottest path of a watched
 * launch.
 *
 * Accesses to the item's own stack are neither stops nor events, except for variables
 * of private.h. The same holds for accesses of Weir's inline functions to Weir's own
 * memory. While the machine or an observer runs on an item's stack, worker->inside is
 * set, and its accesses are not the item's. */
#include "config.h"

#include "exec/hooks.h"

#include "exec/item-finding.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/private.h"

#include <inttypes.h>

/* Whether memory is Weir's own: the loop over the items of a group reads and writes the
 * group, and atomics look at the thread's word. */
static inline bool is_machines(const struct weiri_worker *worker, uintptr_t address)
{
    return address - (uintptr_t)&weiri_self < sizeof(weiri_self)
        || address - (uintptr_t)&worker->group->public < sizeof(worker->group->public);
}

/* Whether this reads the arguments, which are the launch's own copy; nothing but a
 * kernel writes them. */
static inline bool reads_arguments(const struct weiri_worker *worker, uintptr_t address,
                                   unsigned access)
{
    return address - worker->args < worker->args_bytes
        && (access & WEIRI_ACCESS_BIT_WRITE) == 0;
}

/* Emits the worker's event, whose @address, @bytes, @access and @pc are set. */
static __attribute__((noinline)) void emit(struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    struct weiri_event *event = &worker->access;
    if ((launch->audience.kinds & WEIRI_EVENT_BIT(ACCESS)) == 0) {
        return;
    }
    event->group = &worker->group->public;
    event->item = (size_t)worker->group->public.at;
    if (launch->objects != NULL) {
        event->object = weiri_objects_find(launch->objects, event->address, event->pc);
    }
    event->calls = weiri_mode_calls(worker);
    worker->inside = 1;
    enum weiri_verdict verdict = weiri_emit(&launch->audience, event);
    worker->inside = 0;
    if (__builtin_expect(verdict != WEIRI_GOES_ON, 0)) {
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
}

bool weiri_access_is_kernels(void)
{
    const struct weiri_worker *worker = weiri_self.watch;
    return weiri_mode_is_body(worker) && worker->inside == 0
        && weiri_worker_owns(worker, __builtin_frame_address(0));
}

/* Whether the access concerns no observer. */
static inline bool takes_shortcut(struct weiri_worker *worker,
                                  const volatile void *address, uint64_t what,
                                  const void *pc)
{
    const struct weiri_shortcut *shortcut = &worker->launch->audience.shortcut;
    worker->inside = 1; /* it must not be interrupted */
    bool taken = shortcut->takes(address, what, pc, shortcut->self,
                                 &worker->group->public, weiri_mode_calls(worker));
    /* read again, so that nothing need be kept over the call */
    ((struct weiri_worker *)weiri_self.watch)->inside = 0;
    return taken;
}

static inline void describe(struct weiri_event *event, const volatile void *address,
                            uint64_t what, const void *pc)
{
    event->address = address;
    event->bytes = what >> 8;
    event->access = what & 0xff;
    event->pc = pc;
}

/* An access to memory that other items may access, too, at which the item may have to
 * stop. */
static __attribute__((noinline)) void stop_and_emit(struct weiri_worker *worker,
                                                    const volatile void *address,
                                                    uint64_t what, const void *pc)
{
    weiri_mode_before_access(worker, address, what >> 8, what & 0xff, pc);
    describe(&worker->access, address, what, pc);
    if (worker->launch->audience.shortcut.takes == NULL
        || !takes_shortcut(worker, address, what, pc)) {
        emit(worker);
    }
}

/* The same, mostly without a stop and without an event. Apart, so that other accesses
 * need no stack frame; what is needed after the call is in the event. */
static __attribute__((noinline)) void pass(struct weiri_worker *worker,
                                           const volatile void *address, uint64_t what,
                                           const void *pc)
{
    if (__builtin_expect(worker->launch->audience.shortcut.takes == NULL
                             || !weiri_mode_passes_access(worker, address, what, pc),
                         0)) {
        stop_and_emit(worker, address, what, pc);
        return;
    }
    describe(&worker->access, address, what, pc);
    if (__builtin_expect(!takes_shortcut(worker, address, what, pc), 0)) {
        emit(weiri_self.watch);
    }
}

void weiri_access(const volatile void *address, uint64_t what, const void *pc)
{
    struct weiri_worker *worker = weiri_self.watch;
    if (worker->inside != 0 || !weiri_mode_may_be_body(worker)) {
        return; /* the loop around the body */
    }
    if (weiri_worker_owns(worker, address)
        || reads_arguments(worker, (uintptr_t)address, what & 0xff)) {
        weiri_mode_see(worker, pc); /* no other item can observe it */
        if (__builtin_expect(worker->has_privates, 0)) {
            weiri_private_access(worker, address, what, pc);
        }
    } else if (!is_machines(worker, (uintptr_t)address) && what >> 8 > 0) {
        pass(worker, address, what, pc);
    }
}

void weiri_access_alignment(const volatile void *address, size_t alignment,
                            size_t bytes, unsigned access, const char *type,
                            const void *pc)
{
    struct weiri_worker *worker = weiri_self.watch;
    const struct weiri_launch *launch = worker->launch;
    if ((launch->audience.kinds & WEIRI_EVENT_BIT(ALIGNMENT)) == 0
        || worker->inside != 0 || !weiri_mode_may_be_body(worker)) {
        return;
    }
    worker->inside = 1;
    struct weiri_event event = { .kind = WEIRI_EVENT_ALIGNMENT,
                                 .kernel = launch->kernel,
                                 .group = &worker->group->public,
                                 .item = (size_t)worker->group->public.at,
                                 .address = address,
                                 .bytes = bytes,
                                 .access = access,
                                 .pc = pc,
                                 .calls = weiri_mode_calls(worker),
                                 .alignment = alignment,
                                 .type = type };
    if (launch->objects != NULL) {
        event.object = weiri_objects_find(launch->objects, address, pc);
    }
    (void)weiri_emit(&launch->audience, &event);
    worker->inside = 0;
}

void weiri_access_index(const char *type, int64_t index, const void *pc)
{
    struct weiri_worker *worker = weiri_self.watch;
    const struct weiri_launch *launch = worker->launch;
    if ((launch->audience.kinds & WEIRI_EVENT_BIT(ALIGNMENT)) == 0
        || worker->inside != 0 || !weiri_mode_may_be_body(worker)) {
        return;
    }
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t item = (uint32_t)(size_t)worker->group->public.at;
    size_t local[3];
    weiri_seek(shape, item, local);
    worker->inside = 1;
    g_autofree char *group_text = weiri_place_text(shape, shape->group);
    g_autofree char *item_text = weiri_place_text(shape, local);
    char *message = g_strdup_printf(
        "out of bounds in kernel '%s', group %s, item %s: index %" PRId64
        " of an array %s",
        launch->kernel->name, group_text, item_text, index, type);
    worker->inside = 0;
    weiri_item_finding_add(worker, WEIR_FINDING_OUT_OF_BOUNDS, NULL, pc,
                           WEIR_STATE_RUNNING, item, NULL, message);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

void weiri_access_block(const void *pc)
{
    weiri_mode_block(weiri_self.watch, pc);
}

void weiri_access_enter(const void *pc)
{
    struct weiri_worker *worker = weiri_self.watch;
    uint32_t *calls = weiri_mode_call_node(worker);
    if (calls == NULL) {
        return;
    }
    worker->inside = 1;
    *calls = *calls == WEIRI_CALLS_OUTSIDE
        ? 0 /* the kernel's entry itself */
        : weiri_call_tree_enter(worker->launch->call_tree, *calls, pc);
    worker->inside = 0;
}

void weiri_access_leave(void)
{
    struct weiri_worker *worker = weiri_self.watch;
    uint32_t *calls = weiri_mode_call_node(worker);
    if (calls != NULL && *calls != WEIRI_CALLS_OUTSIDE) {
        *calls = weiri_call_tree_leave(worker->launch->call_tree, *calls);
    }
}

/* Apart, so that a comparison without observers needs no stack frame. */
static __attribute__((noinline)) void compare(struct weiri_worker *worker, uint64_t a,
                                              uint64_t b, const void *pc)
{
    weiri_mode_compare(worker, pc);
    if ((worker->launch->audience.kinds & WEIRI_EVENT_BIT(COMPARE)) == 0) {
        return;
    }
    worker->inside = 1;
    (void)weiri_emit(&worker->launch->audience,
                     &(struct weiri_event){ .kind = WEIRI_EVENT_COMPARE,
                                            .kernel = worker->launch->kernel,
                                            .pc = pc,
                                            .operands = { a, b } });
    worker->inside = 0;
}

/* A comparison is a place of its own, since optimised code may return from there by a
 * branch that has no line. */
void weiri_access_compare(uint64_t a, uint64_t b, const void *pc)
{
    struct weiri_worker *worker = weiri_self.watch;
    if (worker->inside != 0 || !weiri_mode_may_be_body(worker)) {
        return;
    }
    weiri_mode_see(worker, pc);
    if (__builtin_expect(worker->compares, 0)) {
        compare(worker, a, b, pc);
    }
}

void weiri_item_begin(size_t local_linear)
{
    struct weiri_worker *worker = weiri_self.worker;
    weiri_group_forget_copies(worker->group, local_linear);
    weiri_mode_begin_item(worker, local_linear);
    if (worker->has_privates) {
        weiri_private_begin_item(worker);
    }
    weiri_worker_emit(worker, WEIRI_EVENT_ITEM_BEGIN, local_linear, 0, NULL);
}
