/* SPDX-License-Identifier: MIT
 *
 * mbarrier.c: barriers that are objects in local memory, as PTX has them: 64 bits of
 * the program, which count arrivals and bytes, and go from phase to phase.
 *
 * The state of a barrier is kept in a table of the group, by address. The program's
 * word holds a number that each operation other than a test changes, and each operation
 * is an atomic of that word to schedules and observers. So an item that tests a barrier
 * in a loop spins like one that polls memory: it sleeps until the word changes, and a
 * phase that never comes is a proven livelock (livelock.c). The initialisation is a
 * plain write: it races with a use that is not ordered after it.
 *
 * An arrival gives what its item knows to the channel of the phase. A test that
 * succeeds takes from the channel of the phase that is complete, and not from the
 * current one, which has arrivals, too.
 *
 * An item of another group of the cluster may arrive at a barrier, by an address in
 * that group's local memory.
 *
 * Follows mbarrier.* of [PTX]. */
#include "config.h"

#include "exec/cluster.h"
#include "exec/hooks.h"
#include "exec/item-copy.h"
#include "exec/item-finding.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "finding/names.h"

#include <inttypes.h>

/* The greatest count of arrivals, and of bytes, of a barrier. */
enum { MOST_COUNT = (1 << 20) - 1 };

/* A token: the phase, and below it the arrivals that were pending. */
enum { PENDING_BITS = 20 };

struct weiri_mbarrier {
    uint64_t *address; /* of the program's word */
    bool valid;        /* initialised and not invalidated */
    uint32_t expected; /* arrivals of the next phase */
    uint32_t pending;  /* arrivals that this phase waits for */
    int64_t bytes;     /* that it waits for; negative where they came first */
    uint64_t phase;
    uint64_t channel;   /* of this phase, */
    uint64_t completed; /* and of the one before, or 0 */
};

static uint64_t op_of_mbarrier(void)
{
    return WEIRI_OP(WEIRI_MBARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_LANES,
                    memory_scope_work_group, 0, 0);
}

/* A finding of the running item. Takes @why */
static void report(struct weiri_worker *worker, enum weir_finding_kind kind,
                   const struct weir_site *site, char *why)
{
    weiri_item_finding_of_op(worker, kind, op_of_mbarrier(), site, why);
}

static struct weiri_mbarrier *find(const struct weiri_group *group,
                                   const uint64_t *address)
{
    for (guint i = 0; group->mbarriers != NULL && i < group->mbarriers->len; i++) {
        struct weiri_mbarrier *one
            = &g_array_index(group->mbarriers, struct weiri_mbarrier, i);
        if (one->address == address) {
            return one;
        }
    }
    return NULL;
}

/* The running item does an operation of the barrier, which is one of its word. Returns
 * the barrier; does not return if there is none. @kind: FETCH_ADD or LOAD */
static struct weiri_mbarrier *reach(struct weiri_worker *worker, uint64_t *address,
                                    enum weiri_atomic kind,
                                    const struct weir_site *site, const void *caller)
{
    const struct weiri_group *group = worker->group, *owner = NULL;
    bool clusters = worker->launch->shape.cluster[0] != 0;
    uint32_t array;
    if (clusters) {
        owner = weiri_cluster_owner(worker, (const char *)address, &array);
    }
    (void)weiri_mode_meet_apart(worker, op_of_mbarrier(), site, caller);
    if (weiri_self.watch != NULL || weiri_mode_is_alone(worker)) {
        memory_scope scope = clusters ? memory_scope_device : memory_scope_work_group;
        uint64_t what = WEIRI_ATOMIC_WHAT(kind, WEIRI_TYPE_u64, sizeof(*address),
                                          memory_order_relaxed, memory_order_relaxed,
                                          scope, WEIR_LOCAL, true);
        (void)weiri_atomic_do(address, what, kind != WEIRI_ATOMIC_LOAD, 0, site);
    } else if (kind != WEIRI_ATOMIC_LOAD) {
        ++*address;
    }
    struct weiri_mbarrier *bar = find(owner != NULL ? owner : group, address);
    if (bar == NULL) {
        report(worker, WEIR_FINDING_UNINITIALIZED_READ, site,
               g_strdup("the barrier has not been initialised"));
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    if (!bar->valid) {
        report(worker, WEIR_FINDING_USE_AFTER_FREE, site,
               g_strdup("the barrier has been invalidated"));
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    return bar;
}

/* After an arrival, or bytes that came. */
static void settle(struct weiri_worker *worker, struct weiri_mbarrier *bar)
{
    if (bar->pending > 0 || bar->bytes != 0) {
        return;
    }
    if (bar->completed != 0) {
        weiri_worker_emit(worker, WEIRI_EVENT_FORGET, 0, bar->completed, NULL);
    }
    bar->phase++;
    bar->pending = bar->expected;
    bar->completed = bar->channel;
    bar->channel = weiri_worker_new_channel(worker);
    worker->group->n_meetings++;
    worker->group->idle = 0;
}

static uint32_t running(const struct weiri_worker *worker)
{
    return (uint32_t)(size_t)worker->group->public.at;
}

static _Noreturn void report_too_many(struct weiri_worker *worker,
                                      const struct weiri_mbarrier *bar, uint32_t n,
                                      const struct weir_site *site)
{
    report(worker, WEIR_FINDING_UNSUPPORTED, site,
           g_strdup_printf("%u arrivals, and phase %" PRIu64
                           " of the barrier waits for %u more",
                           n, bar->phase, bar->pending));
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

static void give(struct weiri_worker *worker, const struct weiri_mbarrier *bar)
{
    weiri_worker_emit(worker, WEIRI_EVENT_GIVE, running(worker), bar->channel, NULL);
}

/* The copies that are bound to the barrier happen. */
static void land(struct weiri_worker *worker, struct weiri_mbarrier *bar,
                 const struct weir_site *site)
{
    uint32_t arrivals;
    uint64_t bytes;
    weiri_item_copy_land(worker, bar->address, &arrivals, &bytes);
    if (arrivals > bar->pending) {
        report_too_many(worker, bar, arrivals, site);
    }
    bar->pending -= arrivals;
    bar->bytes -= (int64_t)bytes;
    settle(worker, bar);
}

/* @n arrivals of the running item. */
static void arrive(struct weiri_worker *worker, struct weiri_mbarrier *bar, uint32_t n,
                   uint32_t flags, const struct weir_site *site)
{
    if (n > bar->pending && weiri_item_copy_are_bound(worker->group, bar->address)) {
        land(worker, bar, site); /* at the latest now: the next phase begins */
    }
    if (n > bar->pending) {
        report_too_many(worker, bar, n, site);
    }
    if ((flags & WEIRI_MBARRIER_RELAXED) == 0) {
        give(worker, bar);
    }
    bar->expected -= (flags & WEIRI_MBARRIER_DROP) != 0 ? n : 0;
    bar->pending -= n;
    settle(worker, bar);
}

static void expect(struct weiri_worker *worker, struct weiri_mbarrier *bar,
                   uint32_t bytes, const struct weir_site *site)
{
    bar->bytes += bytes;
    if (bar->bytes > MOST_COUNT) {
        report(worker, WEIR_FINDING_UNSUPPORTED, site,
               g_strdup_printf("the barrier waits for %" PRIi64
                               " bytes, and can wait for %d",
                               bar->bytes, MOST_COUNT));
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
}

/* ---- What kernels call ----------------------------------------------------------- */

void weiri_mbarrier_init(uint64_t *address, uint32_t count,
                         const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    const void *caller = __builtin_return_address(0);
    (void)weiri_mode_meet_apart(worker, op_of_mbarrier(), site, caller);
    if (weiri_self.watch != NULL) {
        weiri_access(address,
                     weiri_access_what(sizeof(*address), WEIRI_ACCESS_BIT_WRITE),
                     caller);
    }
    struct weiri_mbarrier *bar = find(group, address);
    if (count == 0 || count > MOST_COUNT) {
        report(worker, WEIR_FINDING_UNSUPPORTED, site,
               g_strdup_printf("a barrier cannot wait for %u arrivals: the number is 1 "
                               "to %d",
                               count, MOST_COUNT));
        weiri_leave(worker, WEIRI_STOP_ABANDONED);
    }
    if (bar != NULL && bar->valid
        && (bar->pending < bar->expected || bar->bytes != 0)) {
        report(worker, WEIR_FINDING_UNSUPPORTED, site,
               g_strdup_printf("the barrier is initialised anew, and its phase %" PRIu64
                               " waits for %u more arrivals",
                               bar->phase, bar->pending));
    }
    worker->inside++;
    if (group->mbarriers == NULL) {
        group->mbarriers = g_array_new(FALSE, TRUE, sizeof(struct weiri_mbarrier));
    }
    if (bar == NULL) {
        g_array_set_size(group->mbarriers, group->mbarriers->len + 1);
        bar = &g_array_index(group->mbarriers, struct weiri_mbarrier,
                             group->mbarriers->len - 1);
    }
    worker->inside--;
    *bar = (struct weiri_mbarrier){ .address = address,
                                    .valid = true,
                                    .expected = count,
                                    .pending = count,
                                    .channel = weiri_worker_new_channel(worker) };
    *address = 0;
}

void weiri_mbarrier_invalidate(uint64_t *address, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_mbarrier *bar = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site,
                                       __builtin_return_address(0));
    bar->valid = false;
}

uint64_t weiri_mbarrier_arrive(uint64_t *address, uint32_t count, uint32_t bytes,
                               uint32_t flags, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_mbarrier *bar = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site,
                                       __builtin_return_address(0));
    uint64_t token = bar->phase << PENDING_BITS | bar->pending;
    expect(worker, bar, bytes, site);
    arrive(worker, bar, count, flags, site);
    return token;
}

void weiri_mbarrier_expect(uint64_t *address, uint32_t bytes,
                           const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_mbarrier *bar = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site,
                                       __builtin_return_address(0));
    expect(worker, bar, bytes, site);
}

void weiri_mbarrier_complete(uint64_t *address, uint32_t bytes,
                             const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_mbarrier *bar = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site,
                                       __builtin_return_address(0));
    bar->bytes -= bytes;
    settle(worker, bar);
}

uint32_t weiri_mbarrier_test(uint64_t *address, uint64_t token, uint32_t flags,
                             const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    if (weiri_item_copy_are_bound(worker->group, address)) {
        /* a change of the word: other items that test it wake */
        land(worker, reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site, caller),
             site);
    }
    const struct weiri_mbarrier *bar
        = reach(worker, address, WEIRI_ATOMIC_LOAD, site, caller);
    bool complete = (flags & WEIRI_MBARRIER_PARITY) != 0
        ? (bar->phase & 1) != (token & 1)
        : bar->phase > token >> PENDING_BITS;
    if (!complete) {
        if (!weiri_mode_is_alone(worker)) {
            weiri_self.patience = 0;
            weiri_give_way();
        }
        return 0;
    }
    if ((flags & WEIRI_MBARRIER_RELAXED) == 0 && bar->completed != 0) {
        weiri_worker_emit(worker, WEIRI_EVENT_TAKE, running(worker), bar->completed,
                          NULL);
    }
    return 1;
}

uint32_t weiri_mbarrier_pending(uint64_t token)
{
    return (uint32_t)token & MOST_COUNT;
}

/* ---- Copies that a barrier learns of --------------------------------------------- */

void weiri_item_copy_arrive(uint64_t *address, uint32_t counts,
                            const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_mbarrier *bar = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site,
                                       __builtin_return_address(0));
    if (!weiri_item_copy_bind(worker, address)) {
        if (counts != 0) {
            arrive(worker, bar, 1, 0, site);
        }
        return;
    }
    give(worker, bar);
    bar->pending += counts == 0;
    weiri_item_copy_ask(worker,
                        (struct weiri_item_copy){ .bar = address, .arrivals = 1 });
}

/* The function comes to the barrier last, and the item does not stop after that. So
 * items that sleep on the barrier wake after the copy has been asked for. */
void weiri_bulk_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint64_t *address, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    const struct weiri_item_copy copy = { .bar = address,
                                          .counted_bytes = bytes,
                                          .pc = caller,
                                          .to = to,
                                          .from = from,
                                          .bytes = bytes,
                                          .source_bytes = bytes };
    (void)weiri_mode_meet_apart(worker, op_of_mbarrier(), site, caller);
    weiri_item_copy_check(&copy);
    const struct weiri_mbarrier *bar
        = reach(worker, address, WEIRI_ATOMIC_FETCH_ADD, site, caller);
    weiri_item_copy_ask(worker, copy);
    give(worker, bar);
}
