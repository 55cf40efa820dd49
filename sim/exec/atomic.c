/* SPDX-License-Identifier: MIT
 *
 * atomic.c: accesses to memory in a launch that is watched. Atomics and fences: judge
 * what the device offers, take turns, tell the observers, and do the operation, which
 * is inline in weir-atomic.h where nobody watches. Plain accesses: take turns and tell
 * the observers.
 *
 * An operation is done here at seq_cst, which no order is weaker than; a launch that is
 * watched only for what its device lacks may have many workers. */
#include "config.h"

#include "exec/event.h"
#include "exec/finding.h"
#include "exec/hooks.h"
#include "exec/launch.h"
#include "exec/stop.h"
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

/* What memory that holds @old holds after the operation. */
static uint64_t bits_after(const struct weiri_atomic_op *op, uint64_t old)
{
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

/* ---- Operations ---------------------------------------------------------- */

/* Before an operation of the running item. @caller: where its kernel's code goes on */
static void begin(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                  const void *caller)
{
    struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t item = (uint32_t)(size_t)worker->group->public.at;
    /* Of an operation that the compiler's hooks told of. */
    static const struct weir_site unknown = { "<atomic>", "<atomic>", 0 };
    const struct weir_site *site = op->site != NULL ? op->site : &unknown;
    g_autofree char *why = objection(launch, op);
    if (why != NULL
        && !weiri_report_again(launch->report, WEIR_FINDING_UNSUPPORTED, site,
                               shape->group_linear)) {
        weiri_worker_find(
            worker, WEIR_FINDING_UNSUPPORTED, site, "running", item, name_of(op),
            g_strdup_printf("unsupported %s in kernel '%s', group (%zu,%zu,%zu): %s",
                            name_of(op), launch->kernel->name, shape->group[0],
                            shape->group[1], shape->group[2], why));
    }
    if (worker->turns != NULL) {
        weiri_stop_atomic(worker, op, caller);
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

/* Whether memory is Weir's own: the loop over the items of a group reads and writes the
 * group, and atomics look at the thread's word. */
static bool is_own(const struct weiri_worker *worker, const volatile char *address)
{
    const volatile char *group = (const volatile char *)&worker->group->public;
    const volatile char *self = (const volatile char *)&weiri_self;
    return (address >= group && address < group + sizeof(worker->group->public))
        || (address >= self && address < self + sizeof(weiri_self));
}

void weiri_access(const volatile void *address, size_t bytes, unsigned access,
                  const void *pc)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL || is_own(worker, address)) {
        return;
    }
    if (worker->turns != NULL) {
        weiri_stop_access(worker, address, bytes, access, pc);
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

void weiri_atomic_begin(const struct weiri_atomic_op *op)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL) { /* the host's own atomics are its own business */
        begin(worker, op, op->pc != NULL ? op->pc : __builtin_return_address(0));
    }
}

uint64_t weiri_atomic_do(const struct weiri_atomic_op *op)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL) {
        begin(worker, op, __builtin_return_address(0));
    }
    uint64_t after;
    uint64_t old = op->bytes == sizeof(uint32_t) ? operate_uint32_t(op, &after)
                                                 : operate_uint64_t(op, &after);
    if (worker != NULL && worker->turns != NULL) {
        weiri_stop_did(worker, op->kind == WEIRI_ATOMIC_STORE, old != after);
    } else if (op->kind == WEIRI_ATOMIC_STORE) {
        ; /* no turn of a spin */
    } else if (old == after) {
        weiri_fruitless();
    } else {
        weiri_tire(op->scope);
    }
    return old;
}

void weiri_block(const void *pc)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL && worker->turns != NULL) {
        weiri_stop_block(worker, pc);
    }
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
