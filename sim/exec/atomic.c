/* SPDX-License-Identifier: MIT
 *
 * atomic.c: atomics and fences in a launch that is watched: check that the device
 * offers the operation, stop, emit the event, and do the operation. In other launches
 * the operation is inline, in weir-machinery-atomic.h. C11's atomics are done by
 * hooks.c between two calls of this file.
 *
 * An operation is done here at seq_cst, which no order is weaker than; a launch that is
 * watched only for what its device lacks may have many workers. */
#include "config.h"

#include "exec/atomic.h"
#include "exec/finding.h"
#include "exec/item-finding.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/override.h"
#include "finding/names.h"

#include <string.h>

static char *objection(const struct weiri_launch *launch,
                       const struct weiri_atomic_op *op)
{
    if (!op->legal) {
        enum weir_language language = launch->kernel->language;
        return g_strdup_printf(
            "the operation cannot have order %s%s%s; it acts as seq_cst",
            weiri_order_text(language, op->order),
            op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE ? ", or its failure order " : "",
            op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE
                ? weiri_order_text(language, op->failure)
                : "");
    }
    g_autofree char *lacking
        = weiri_device_objection(launch->device, launch->kernel->language, op);
    return lacking == NULL ? NULL
                           : g_strdup_printf("device '%s' does not offer %s",
                                             launch->device->name, lacking);
}

/* ---- Values -------------------------------------------------------------- */

#define ARITHMETIC(T, member, U)                                                       \
    static T compute_##member(enum weiri_atomic kind, T old, T value)                  \
    {                                                                                  \
        switch (kind) {                                                                \
        case WEIRI_ATOMIC_FETCH_ADD:                                                   \
            return (T)((U)old + (U)value);                                             \
        case WEIRI_ATOMIC_FETCH_SUB:                                                   \
            return (T)((U)old - (U)value);                                             \
        case WEIRI_ATOMIC_FETCH_MIN:                                                   \
            return value < old ? value : old;                                          \
        case WEIRI_ATOMIC_FETCH_MAX:                                                   \
            return value > old ? value : old;                                          \
        case WEIRI_ATOMIC_FETCH_INC:                                                   \
            return old >= value ? 0 : (T)((U)old + 1);                                 \
        case WEIRI_ATOMIC_FETCH_DEC:                                                   \
            return old == 0 || old > value ? value : (T)((U)old - 1);                  \
        default:                                                                       \
            return value;                                                              \
        }                                                                              \
    }
ARITHMETIC(int32_t, i32, uint32_t)
ARITHMETIC(uint32_t, u32, uint32_t)
ARITHMETIC(int64_t, i64, uint64_t)
ARITHMETIC(uint64_t, u64, uint64_t)
ARITHMETIC(float, f32, float)
ARITHMETIC(double, f64, double)

/* The contents of memory after the operation, if it held @old before. */
static inline uint64_t bits_after(const struct weiri_atomic_op *op, uint64_t old)
{
    if (op->kind == WEIRI_ATOMIC_FETCH_ADD && op->type <= WEIRI_TYPE_u64) {
        return old + op->operand; /* what most are; the lower half is right, too */
    }
    union weiri_value before = { .bits = old }, value = { .bits = op->operand };
    union weiri_value after = { .bits = 0 };
    switch (op->kind) {
    case WEIRI_ATOMIC_LOAD:
        return old;
    case WEIRI_ATOMIC_COMPARE_EXCHANGE:
        return old == op->expected ? op->operand : old;
    case WEIRI_ATOMIC_FETCH_AND:
        return old & op->operand;
    case WEIRI_ATOMIC_FETCH_OR:
        return old | op->operand;
    case WEIRI_ATOMIC_FETCH_XOR:
        return old ^ op->operand;
    default:
        break;
    }
    switch (op->type) {
#define X(s, T)                                                                        \
    case WEIRI_TYPE_##s:                                                               \
        after.s = compute_##s(op->kind, before.s, value.s);                            \
        break;
        WEIRI_VALUE_TYPES(X)
#undef X
    default:
        after = value;
    }
    return after.bits;
}

uint64_t weiri_atomic_result(const struct weiri_atomic_op *op, uint64_t old)
{
    uint64_t after = bits_after(op, old);
    return op->bytes == sizeof(uint32_t) ? (uint32_t)after : after;
}

#define OPERATE(T)                                                                     \
    static uint64_t operate_##T(const struct weiri_atomic_op *op, uint64_t *after)     \
    {                                                                                  \
        T *p = (T *)(uintptr_t)op->address;                                            \
        T old = __atomic_load_n(p, __ATOMIC_SEQ_CST), new;                             \
        do {                                                                           \
            new = (T)bits_after(op, old);                                              \
        } while (new != old                                                            \
                 && !__atomic_compare_exchange_n(p, &old, new, false,                  \
                                                 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        *after = new;                                                                  \
        return old;                                                                    \
    }
OPERATE(uint32_t)
OPERATE(uint64_t)

/* The same where no other item runs: items take turns on this thread. At any address:
 * a misaligned one is reported as the kernel's mistake. */
#define OPERATE_ALONE(T)                                                               \
    static uint64_t operate_alone_##T(const struct weiri_atomic_op *op,                \
                                      uint64_t *after)                                 \
    {                                                                                  \
        typedef T __attribute__((may_alias, aligned(1))) anywhere;                     \
        anywhere *p = (anywhere *)(uintptr_t)op->address;                              \
        T old = *p;                                                                    \
        T new = (T)bits_after(op, old);                                                \
        if (new != old) {                                                              \
            *p = new;                                                                  \
        }                                                                              \
        *after = new;                                                                  \
        return old;                                                                    \
    }
OPERATE_ALONE(uint32_t)
OPERATE_ALONE(uint64_t)

/* ---- Operations ---------------------------------------------------------- */

/* An order or scope that the device does not offer is a finding. */
static __attribute__((noinline)) void judge(struct weiri_worker *worker,
                                            const struct weiri_atomic_op *op,
                                            const void *caller)
{
    struct weiri_launch *launch = worker->launch;
    g_autofree char *why = objection(launch, op);
    if (__builtin_expect(why == NULL, 1)) {
        return;
    }
    const struct weiri_shape *shape = &worker->group->public.shape;
    const struct weir_kernel *kernel = launch->kernel;
    const char *name
        = weiri_named(op->site, weiri_atomic_name(kernel->language, op->kind));
    if (!weiri_report_again(launch->report, WEIR_FINDING_UNSUPPORTED, op->site, caller,
                            shape->group_linear)) {
        g_autofree char *group = weiri_place_text(shape, shape->group);
        weiri_item_finding_add(
            worker, WEIR_FINDING_UNSUPPORTED, op->site, caller, WEIR_STATE_RUNNING,
            (uint32_t)(size_t)worker->group->public.at, name,
            g_strdup_printf("unsupported %s in kernel '%s', group %s: %s", name,
                            kernel->name, group, why));
    }
}

/* Whether memory is the item's own: accesses to it are not events. */
static inline bool is_private(const struct weiri_worker *worker,
                              const struct weiri_atomic_op *op)
{
    return op->address != NULL && weiri_worker_owns(worker, op->address);
}

/* Emits the worker's event, which is not used otherwise between an operation and its
 * end. */
static inline void emit(struct weiri_worker *worker, enum weiri_event_kind kind)
{
    struct weiri_event *event = &worker->atomic;
    event->kind = kind;
    worker->inside++;
    enum weiri_verdict verdict = weiri_emit(&worker->launch->audience, event);
    worker->inside--;
    if (__builtin_expect(verdict != WEIRI_GOES_ON, 0)) {
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
}

static inline void emit_begin(struct weiri_worker *worker,
                              const struct weiri_atomic_op *op)
{
    const struct weiri_launch *launch = worker->launch;
    if (launch->audience.kinds == 0 || is_private(worker, op)) {
        return;
    }
    struct weiri_event *event = &worker->atomic;
    /* After a loop of a group kernel without hooks it is beyond the last item. Code
     * around loops belongs to item 0. */
    size_t item = (size_t)worker->group->public.at;
    event->group = &worker->group->public;
    event->item = item < launch->shape.items ? item : 0;
    event->site = op->site;
    event->atomic = op;
    event->address = op->address;
    event->bytes = op->bytes;
    event->pc = op->site == NULL ? op->pc : NULL;
    event->stored = false;
    const void *place = op->site != NULL ? (const void *)op->site : op->pc;
    event->object = launch->objects != NULL && op->address != NULL
        ? weiri_objects_find(launch->objects, op->address, place)
        : NULL;
    event->calls = weiri_mode_calls(worker);
    emit(worker, WEIRI_EVENT_ATOMIC);
}

/* The operation of the latest emit_begin() has been done. */
static inline void emit_done(struct weiri_worker *worker,
                             const struct weiri_atomic_op *op, bool stored)
{
    if (worker->launch->audience.kinds != 0 && !is_private(worker, op)) {
        worker->atomic.stored = stored;
        emit(worker, WEIRI_EVENT_ATOMIC_DONE);
    }
}

/* The running item is before an operation. @caller: where its kernel's code goes on */
static inline void come_to(struct weiri_worker *worker,
                           const struct weiri_atomic_op *op, const void *caller)
{
    if (worker->restricted || !op->legal || op->scope > memory_scope_system) {
        judge(worker, op, caller);
    }
    weiri_mode_before_atomic(worker, op, caller);
}

/* Whether the operation concerns no observer. */
static inline bool takes_shortcut(struct weiri_worker *worker,
                                  const volatile void *address, uint64_t what,
                                  const void *place)
{
    const struct weiri_shortcut *shortcut = &worker->launch->audience.shortcut;
    if (shortcut->takes_atomic == NULL) {
        return false;
    }
    worker->inside++; /* it must not be interrupted */
    bool taken
        = shortcut->takes_atomic(address, what, place, shortcut->self,
                                 &worker->group->public, weiri_mode_calls(worker));
    worker->inside--;
    return taken;
}

/* Before an operation of the running item, which has events. */
static inline void begin(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                         const void *caller)
{
    come_to(worker, op, caller);
    emit_begin(worker, op);
    if (op->kind == WEIRI_ATOMIC_FENCE) { /* it has no effect to add */
        emit_done(worker, op, false);
    }
}

/* After it. */
static void done(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                 bool stored, bool changed)
{
    weiri_mode_after_atomic(worker, op->kind == WEIRI_ATOMIC_STORE, changed);
    emit_done(worker, op, stored);
}

/* Whether an operation on memory that held @old has written there. */
static bool has_stored(const struct weiri_atomic_op *op, uint64_t old)
{
    return op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE ? old == op->expected
                                                     : op->kind != WEIRI_ATOMIC_LOAD;
}

void weiri_atomic_begin(const struct weiri_atomic_op *op)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL) { /* the host's own atomics are its own business */
        const void *caller = op->pc != NULL ? op->pc : __builtin_return_address(0);
        struct weiri_atomic_op changed;
        if (__builtin_expect(worker->launch->overrides != NULL, 0)) {
            changed = *op;
            weiri_override_atomic(worker, &changed);
            op = &changed;
        }
        begin(worker, op, caller);
    }
}

void weiri_atomic_done(const struct weiri_atomic_op *op, bool stored, bool changed)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL) {
        done(worker, op, stored, changed);
    }
    if (!changed && op->kind != WEIRI_ATOMIC_STORE) {
        weiri_fruitless();
    }
}

bool weiri_atomic_fails(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    bool fails = worker != NULL && worker->fails;
    if (fails) {
        worker->fails = false;
    }
    return fails;
}

void weiri_atomic_fenced(const struct weiri_atomic_op *op)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (weiri_mode_is_apart(worker)) {
        weiri_mode_before_atomic(worker, op, __builtin_return_address(0));
    }
    emit_begin(worker, op);
    emit_done(worker, op, false);
}

/* The members of an operation that WEIRI_ATOMIC_WHAT() has made a word. */
static inline struct weiri_atomic_op unpack(uint64_t what, const struct weir_site *site)
{
    return (struct weiri_atomic_op){
        .site = site,
        .kind = (enum weiri_atomic)(what & 0xff),
        .type = what >> 8 & 0xff,
        .bytes = what >> 16 & 0xff,
        .order = (memory_order)(what >> 24 & 0xff),
        .failure = (memory_order)(what >> 32 & 0xff),
        .scope = (memory_scope)(what >> 40 & 0xff),
        .space = what >> 48 & 0xff,
        .legal = (what >> 56 & 1) != 0,
        .weak = (what & WEIRI_ATOMIC_WEAK) != 0,
    };
}

void weiri_fence_begin(uint64_t what, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_atomic_op op = unpack(what, site);
    if (worker != NULL) { /* the host's own fences are its own business */
        weiri_combine_publish();
        if (worker->launch->overrides != NULL) {
            weiri_override_atomic(worker, &op);
        }
        begin(worker, &op, __builtin_return_address(0));
    }
}

/* Whether the operation is an addition to a word of 4 bytes that is neither restricted
 * nor of the system's scope, in a launch that has shortcuts. */
static inline bool is_plain_addition(const struct weiri_worker *worker, uint64_t what)
{
    const struct weiri_launch *launch = worker->launch;
    return (what & 0xff) == WEIRI_ATOMIC_FETCH_ADD
        && (what >> 8 & 0xff) <= WEIRI_TYPE_u32
        && (what >> 40 & 0xff) < memory_scope_system && (what >> 56 & 1) != 0
        && launch->audience.shortcut.takes_atomic != NULL && launch->overrides == NULL
        && !worker->restricted;
}

/* Such an addition where no other item runs, and no observer is concerned. Returns:
 * what was there */
static inline uint64_t add_alone(struct weiri_worker *worker,
                                 const volatile void *address, uint32_t operand)
{
    typedef uint32_t __attribute__((may_alias)) any_word;
    any_word *word = (any_word *)(uintptr_t)address;
    uint32_t old = *word;
    *word = old + operand;
    weiri_mode_after_atomic(worker, false, operand != 0);
    return old;
}

/* @passed: the running item is past the stop before the operation, so this call is not
 * a shortcut
 */
static __attribute__((noinline)) uint64_t do_any(const volatile void *address,
                                                 uint64_t what, uint64_t operand,
                                                 uint64_t expected,
                                                 const struct weir_site *site,
                                                 const void *caller, bool passed)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_atomic_op one = unpack(what, site);
    const struct weiri_atomic_op *op = &one;
    bool taken = false;
    one.address = address;
    one.pc = site == NULL ? caller : NULL;
    one.operand = operand;
    one.expected = expected;
    if (worker != NULL) {
        weiri_combine_publish();
        if (__builtin_expect(worker->launch->overrides != NULL, 0)) {
            weiri_override_atomic(worker, &one);
        }
        if (!passed) {
            come_to(worker, op, caller);
            taken = worker->launch->overrides == NULL
                && takes_shortcut(worker, address, what,
                                  site != NULL ? (const void *)site : caller);
        }
        if (!taken) {
            emit_begin(worker, op);
        }
        if (__builtin_expect(one.weak && worker->fails, 0)) {
            one.expected = ~expected;
        }
    }
    uint64_t old, after;
    bool narrow = op->bytes == sizeof(uint32_t);
    bool alone = worker != NULL && weiri_mode_is_alone(worker);
    if (alone && op->scope != memory_scope_system) {
        old = narrow ? operate_alone_uint32_t(op, &after)
                     : operate_alone_uint64_t(op, &after);
    } else {
        old = narrow ? operate_uint32_t(op, &after) : operate_uint64_t(op, &after);
    }
    if (taken) {
        weiri_mode_after_atomic(worker, op->kind == WEIRI_ATOMIC_STORE, old != after);
    } else if (worker != NULL) {
        done(worker, op, has_stored(op, old), old != after);
    }
    if (alone) {
        ; /* the hub knows of spins by what was done */
    } else if (op->kind == WEIRI_ATOMIC_STORE) {
        ; /* no turn of a spin */
    } else if (old == after) {
        weiri_fruitless();
    } else {
        weiri_tire(op->scope);
    }
    return old;
}

uint64_t weiri_atomic_do(const volatile void *address, uint64_t what, uint64_t operand,
                         uint64_t expected, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    const void *place = site != NULL ? (const void *)site : caller;
    bool passed = worker != NULL && is_plain_addition(worker, what)
        && weiri_mode_passes_atomic(worker, address, sizeof(uint32_t),
                                    WEIRI_ATOMIC_FETCH_ADD, site, caller);
    if (__builtin_expect(passed && takes_shortcut(worker, address, what, place), 1)) {
        return add_alone(worker, address, (uint32_t)operand);
    }
    return do_any(address, what, operand, expected, site, caller, passed);
}

static _Noreturn void fail(const char *text, const struct weir_site *site,
                           const void *pc)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL) {
        g_error("weir_assert outside a kernel: %s, %s:%u", text,
                site != NULL ? site->file : "-", site != NULL ? site->line : 0);
    }
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t item = (uint32_t)(size_t)worker->group->public.at;
    size_t local[3];
    weiri_seek(shape, item, local);
    char *group = weiri_place_text(shape, shape->group),
         *place = weiri_place_text(shape, local);
    weiri_item_finding_add(
        worker, WEIR_FINDING_ASSERTION, site, pc, WEIR_STATE_RUNNING, item,
        site != NULL ? "weir_assert" : text,
        g_strdup_printf("assertion failed in kernel '%s', group %s, item %s: %s",
                        worker->launch->kernel->name, group, place, text));
    g_free(group);
    g_free(place);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

void weiri_assert_failed(const char *text, const struct weir_site *site)
{
    fail(text, site, NULL);
}

void weiri_assert_failed_at(const char *text, const void *pc)
{
    fail(text, NULL, pc);
}
