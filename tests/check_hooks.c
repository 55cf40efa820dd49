/* SPDX-License-Identifier: MIT
 *
 * check_hooks.c: what observers of a watched launch see of kernels that the compiler
 * has instrumented, and what observers can do about it. Kernels of tests/arch/hooks.sh
 * are for every compiler and level; these are for what the events say. */
#include "config.h"

#include "base/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/object.h"
#include "hooks_kernels.h"
#include "support.h"

enum { GROUPS = 2, ITEMS = 4, N = GROUPS * ITEMS, MOST_EVENTS = 4096 };

/* ---- Watching -------------------------------------------------------------- */

/* An event with what it points to. */
struct seen {
    struct weiri_event event;
    struct weiri_atomic_op atomic;
    size_t group;
};

static struct seen seen[MOST_EVENTS];
static size_t n_seen;
static struct weir_device *device;
static struct weiri_call_tree *callers;

static enum weiri_verdict keep(void *self, const struct weiri_event *event)
{
    (void)self;
    ck_assert_uint_lt(n_seen, MOST_EVENTS);
    struct seen *one = &seen[n_seen++];
    one->event = *event;
    one->atomic = event->atomic != NULL ? *event->atomic
                                        : (struct weiri_atomic_op){ .bytes = 0 };
    one->group = event->group != NULL ? event->group->shape.group_linear : 0;
    return WEIRI_GOES_ON;
}

static void begin(void)
{
    GError *error = NULL;
    device = weir_device_new("default", &error);
    ck_assert_ptr_nonnull(device);
    n_seen = 0;
}

static void end(void)
{
    weiri_call_tree_free(callers);
    callers = NULL;
    weir_device_free(device);
}

/* Runs a kernel as host/launch.c would. NULL for @schedule: in fast mode */
static struct weir_report *watch(struct weiri_launch *launch,
                                 const struct weir_kernel *kernel, size_t groups,
                                 size_t items, const void *args, const char *schedule,
                                 const struct weiri_observer *observers)
{
    GError *error = NULL;
    ck_assert_ptr_nonnull(kernel->checked);
    launch->kernel = kernel;
    launch->device = device;
    launch->entry = kernel->checked;
    launch->shape = (struct weiri_shape){ .dim = 1,
                                          .sub_group_size = 16,
                                          .sub_group_shift = 4,
                                          .items = items,
                                          .global = { groups * items, 1, 1 },
                                          .local = { items, 1, 1 },
                                          .groups = { groups, 1, 1 } };
    launch->args = args;
    launch->n_groups = launch->chunk = groups;
    launch->n_extra = (uint32_t)groups - 1;
    launch->n_workers = 1;
    launch->stack_bytes = 64 * 1024;
    launch->observers = observers;
    launch->report = weiri_report_new();
    launch->objects = weiri_objects_new(device, NULL);
    if (schedule != NULL) {
        launch->deterministic = true;
        launch->call_tree = callers = weiri_call_tree_new();
        ck_assert(weiri_schedule_parse(schedule, &launch->schedule, NULL));
    }
    ck_assert_msg(weiri_launch_run(launch, &error), "%s",
                  error != NULL ? error->message : "no error is set");
    weiri_objects_free(launch->objects);
    return launch->report;
}

static const struct weiri_observer keeper[] = { { keep, NULL, 0 }, { NULL, NULL, 0 } };

static void watch_all(const struct weir_kernel *kernel, size_t groups, size_t items,
                      const void *args, const char *schedule)
{
    struct weiri_launch launch = { 0 };
    struct weir_report *report
        = watch(&launch, kernel, groups, items, args, schedule, keeper);
    expect_silence(report, kernel->name);
}

static size_t count(enum weiri_event_kind kind, const volatile void *address,
                    size_t bytes, unsigned access)
{
    size_t n = 0;
    for (size_t i = 0; i < n_seen; i++) {
        const struct weiri_event *event = &seen[i].event;
        n += event->kind == kind && event->address == address && event->bytes == bytes
            && event->access == access;
    }
    return n;
}

static size_t count_kind(enum weiri_event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < n_seen; i++) {
        n += seen[i].event.kind == kind;
    }
    return n;
}

static const void *address_of(const struct weiri_event *event)
{
    return (const void *)(uintptr_t)event->address;
}

/* ---- Plain accesses -------------------------------------------------------- */

CASE("accesses");

static const char *const schedules[] = { "in-order", "reverse", "random" };

TEST_EACH(each_access_to_shared_memory_is_one_event, G_N_ELEMENTS(schedules))
{
    begin();
    int32_t *in = weir_new(device, int32_t, N + 1, "in");
    int32_t *out = weir_new(device, int32_t, N, "out");
    plain_args args = { in, out, N };
    watch_all(&plain_accesses, GROUPS, ITEMS, &args, schedules[_i]);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_ACCESS), 3 * N);
    for (size_t i = 0; i < N; i++) {
        ck_assert_uint_eq(count(WEIRI_EVENT_ACCESS, &out[i], 4, WEIRI_ACCESS_BIT_WRITE),
                          1);
        ck_assert_uint_eq(count(WEIRI_EVENT_ACCESS, &in[i], 4, WEIRI_ACCESS_BIT_READ),
                          i == 0 ? 1 : 2);
    }
    for (size_t i = 0; i < n_seen; i++) {
        const struct weiri_event *event = &seen[i].event;
        if (event->kind == WEIRI_EVENT_ACCESS) {
            ck_assert_ptr_nonnull(event->object);
            ck_assert_ptr_nonnull(event->pc);
            if (event->access == WEIRI_ACCESS_BIT_WRITE) {
                ck_assert_ptr_eq(address_of(event),
                                 &out[seen[i].group * ITEMS + event->item]);
            }
        }
    }
    end();
}

TEST_EACH(items_of_a_loop_begin_between_two_releases, G_N_ELEMENTS(schedules))
{
    begin();
    int32_t *in = weir_new(device, int32_t, N + 1, "in");
    int32_t *out = weir_new(device, int32_t, N + 1, "out");
    plain_args args = { in, out, N };
    watch_all(&group_accesses, GROUPS, ITEMS, &args, schedules[_i]);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_RELEASE), 2 * GROUPS);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_ITEM_BEGIN), N);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_ACCESS), 3 * N + 2 * GROUPS);
    for (size_t g = 0; g < GROUPS; g++) {
        int releases = 0;
        for (size_t i = 0; i < n_seen; i++) {
            const struct weiri_event *event = &seen[i].event;
            if (seen[i].group != g) {
                continue;
            }
            if (event->kind == WEIRI_EVENT_RELEASE) {
                releases++;
                ck_assert_int_eq(WEIRI_OP_KIND(event->op), WEIRI_BARRIER);
                ck_assert_int_eq(WEIRI_OP_LEVEL(event->op), WEIRI_LEVEL_GROUP);
                ck_assert_uint_eq(WEIRI_OP_FLAGS(event->op), WEIR_LOCAL | WEIR_GLOBAL);
            } else if (event->kind == WEIRI_EVENT_ACCESS && releases != 1) {
                ck_assert_uint_eq(event->item, 0); /* around the loop */
                ck_assert_ptr_eq(address_of(event),
                                 releases == 0 ? (const void *)in : &out[N]);
            } else if (event->kind == WEIRI_EVENT_ACCESS
                       && event->access == WEIRI_ACCESS_BIT_WRITE) {
                ck_assert_ptr_eq(address_of(event), &out[g * ITEMS + event->item]);
            }
        }
        ck_assert_int_eq(releases, 2);
    }
    end();
}

TEST(an_access_has_its_kind_address_and_size)
{
    begin();
    struct crooked *crooked = weir_new(device, struct crooked, 1, "crooked");
    int64_t *from = weir_new(device, int64_t, 100, "from");
    int64_t *to = weir_new(device, int64_t, 100, "to");
    int32_t *flag = weir_new(device, int32_t, 1, "flag");
    from[99] = 17;
    form_args args = { crooked, from, to, flag };
    watch_all(&access_forms, 1, 1, &args, "in-order");
    ck_assert_int_eq(to[99], 17);
    ck_assert_uint_eq(count(WEIRI_EVENT_ACCESS, &crooked->i, 4,
                            WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_UNALIGNED)
                          /* gcc */
                          + count(WEIRI_EVENT_ACCESS, &crooked->i, 4,
                                  WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE),
                      1);
    ck_assert_uint_ge(count(WEIRI_EVENT_ACCESS, flag, 4, WEIRI_ACCESS_BIT_READ)
                          + count(WEIRI_EVENT_ACCESS, flag, 4,
                                  WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_VOLATILE),
                      1);
    ck_assert_uint_eq(count(WEIRI_EVENT_ACCESS, from, 800,
                            WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE),
                      1);
    ck_assert_uint_eq(count(WEIRI_EVENT_ACCESS, to, 800,
                            WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE),
                      1);
    end();
}

/* ---- Calls ----------------------------------------------------------------- */

CASE("calls");

TEST_EACH(an_access_has_the_calls_that_it_is_in, G_N_ELEMENTS(schedules))
{
    begin();
    int32_t *out = weir_new(device, int32_t, 3, "out");
    call_args args = { out };
    watch_all(&make_calls, GROUPS, ITEMS, &args, schedules[_i]);
    uint32_t stores[2] = { 0 }, recursion = 0;
    for (size_t i = 0; i < n_seen; i++) {
        const struct weiri_event *event = &seen[i].event;
        if (event->kind != WEIRI_EVENT_ACCESS) {
            continue;
        }
        struct weiri_backtrace calls;
        weiri_call_tree_list(callers, event->calls, event->pc, &calls);
        ck_assert_ptr_eq(calls.pc[0], event->pc);
        if (event->address == &out[2]) {
            ck_assert_uint_eq(event->calls, 0);
        } else if (event->address == &out[1]) {
            ck_assert_uint_eq(calls.n, 1 + CALL_DEPTH);
            ck_assert_ptr_eq(calls.pc[1], calls.pc[CALL_DEPTH - 1]);
            ck_assert_ptr_ne(calls.pc[1], calls.pc[CALL_DEPTH]);
            recursion = recursion == 0 ? event->calls : recursion;
            ck_assert_uint_eq(event->calls, recursion); /* of all items the same */
        } else {
            ck_assert_uint_eq(calls.n, 2);
            int which = stores[0] == 0 || stores[0] == event->calls ? 0 : 1;
            ck_assert(stores[which] == 0 || stores[which] == event->calls);
            stores[which] = event->calls;
        }
    }
    ck_assert_uint_ne(recursion, 0);
    ck_assert_uint_ne(stores[0], 0);
    ck_assert_uint_ne(stores[1], 0);
    end();
}

TEST(calls_are_a_tree)
{
    const void *p = (const void *)1000, *q = (const void *)2000;
    callers = weiri_call_tree_new();
    uint32_t a = weiri_call_tree_enter(callers, 0, p);
    uint32_t b = weiri_call_tree_enter(callers, a, q);
    uint32_t c = weiri_call_tree_enter(callers, b, p);
    uint32_t other = weiri_call_tree_enter(callers, a, p);
    ck_assert_uint_ne(other, b);
    ck_assert_uint_ne(c, a);
    ck_assert_uint_eq(weiri_call_tree_enter(callers, a, q), b);
    ck_assert_uint_eq(weiri_call_tree_leave(callers, c), b);
    ck_assert_uint_eq(weiri_call_tree_leave(callers, b), a);
    ck_assert_uint_eq(weiri_call_tree_leave(callers, other), a);
    ck_assert_uint_eq(weiri_call_tree_leave(callers, a), 0);
    struct weiri_backtrace calls;
    weiri_call_tree_list(callers, c, NULL, &calls);
    ck_assert_uint_eq(calls.n, 3);
    ck_assert_ptr_eq(calls.pc[0], p);
    ck_assert_ptr_eq(calls.pc[1], q);
    ck_assert_ptr_eq(calls.pc[2], p);
    weiri_call_tree_free(callers);
    callers = NULL;
}

/* 2^18 ways are kept; beyond them one still comes back to where one was. */
TEST(calls_are_left_as_they_were_entered_however_many_there_are)
{
    enum { WAYS = 300 * 1000, DEPTH = 40 };
    callers = weiri_call_tree_new();
    uint32_t way[DEPTH + 1] = { 0 };
    for (uintptr_t i = 1; i < WAYS; i++) {
        uint32_t one = weiri_call_tree_enter(callers, 0, (const void *)i);
        EXPECT(one != 0 && weiri_call_tree_leave(callers, one) == 0, "way %zu",
               (size_t)i);
    }
    for (int d = 0; d < DEPTH; d++) {
        way[d + 1]
            = weiri_call_tree_enter(callers, way[d], (const void *)(uintptr_t)(d + 7));
    }
    for (int d = DEPTH; d > 0; d--) {
        ck_assert_uint_eq(weiri_call_tree_leave(callers, way[d]), way[d - 1]);
    }
    struct weiri_backtrace calls;
    weiri_call_tree_list(callers, way[DEPTH], NULL, &calls);
    ck_assert_uint_eq(calls.n, 1); /* the call that was kept */
    ck_assert_ptr_eq(calls.pc[0], (const void *)7);
    ck_assert_uint_eq(weiri_call_tree_enter(callers, 0, (const void *)5),
                      weiri_call_tree_enter(callers, 0, (const void *)5));
    weiri_call_tree_free(callers);
    callers = NULL;
}

/* ---- Atomics --------------------------------------------------------------- */

CASE("atomics");

struct expected {
    enum weiri_atomic kind;
    bool stored;
};

static const struct expected of_c11[] = {
    { WEIRI_ATOMIC_LOAD, false },
    { WEIRI_ATOMIC_STORE, true },
    { WEIRI_ATOMIC_EXCHANGE, true },
    { WEIRI_ATOMIC_COMPARE_EXCHANGE, false },
    { WEIRI_ATOMIC_COMPARE_EXCHANGE, true },
    { WEIRI_ATOMIC_FETCH_ADD, true },
    { WEIRI_ATOMIC_FETCH_SUB, true },
    { WEIRI_ATOMIC_FETCH_AND, true },
    { WEIRI_ATOMIC_FETCH_OR, true },
    { WEIRI_ATOMIC_FETCH_XOR, true },
    { WEIRI_ATOMIC_FETCH_NAND, true },
};
static const struct expected of_weir[] = {
    { WEIRI_ATOMIC_LOAD, false },
    { WEIRI_ATOMIC_STORE, true },
    { WEIRI_ATOMIC_EXCHANGE, true },
    { WEIRI_ATOMIC_COMPARE_EXCHANGE, false },
    { WEIRI_ATOMIC_COMPARE_EXCHANGE, true },
    { WEIRI_ATOMIC_FETCH_MAX, true },
};

/* The next atomic event from *@at on. */
static const struct seen *next_atomic(size_t *at)
{
    while (*at < n_seen && seen[*at].event.kind != WEIRI_EVENT_ATOMIC
           && seen[*at].event.kind != WEIRI_EVENT_ATOMIC_DONE) {
        (*at)++;
    }
    ck_assert_uint_lt(*at, n_seen);
    return &seen[(*at)++];
}

static void expect_atomics(size_t *at, const struct expected *expected, size_t n,
                           const volatile void *address, size_t bytes,
                           memory_scope scope)
{
    for (size_t k = 0; k < n; k++) {
        const struct seen *before = next_atomic(at), *after = next_atomic(at);
        ck_assert_int_eq(before->event.kind, WEIRI_EVENT_ATOMIC);
        ck_assert_int_eq(after->event.kind, WEIRI_EVENT_ATOMIC_DONE);
        ck_assert_int_eq(before->atomic.kind, expected[k].kind);
        ck_assert_int_eq(after->atomic.kind, expected[k].kind);
        ck_assert_int_eq(after->event.stored, expected[k].stored);
        ck_assert(!before->event.stored);
        for (int i = 0; i < 2; i++) {
            const struct seen *one = i == 0 ? before : after;
            ck_assert(one->event.address == address);
            ck_assert_uint_eq(one->event.bytes, bytes);
            ck_assert_ptr_nonnull(one->event.object);
            ck_assert_int_eq(one->atomic.scope, scope);
            ck_assert((one->event.site == NULL) == (one->event.pc != NULL));
        }
    }
}

TEST_EACH(each_atomic_is_an_event_before_and_after, 2)
{
    begin();
    _Atomic uint64_t *words = weir_new(device, _Atomic uint64_t, 4, "words");
    int32_t *weir = weir_new(device, int32_t, 1, "weir");
    atomic_args args = { (_Atomic uint8_t *)&words[0], (_Atomic uint16_t *)&words[1],
                         (_Atomic uint32_t *)&words[2], &words[3], weir };
    watch_all(&atomic_forms, 1, 1, &args, _i == 0 ? "in-order" : NULL);
    size_t at = 0;
    for (size_t w = 0; w < 4; w++) {
        expect_atomics(&at, of_c11, G_N_ELEMENTS(of_c11), &words[w], (size_t)1 << w,
                       memory_scope_system);
        /* 1 - 1 - 1 & 6 | 1 ^ 2, nand 4 */
        uint64_t mask = w == 3 ? UINT64_MAX : ((uint64_t)1 << (8 << w)) - 1;
        uint64_t value = ((((mask & 6) | 1) ^ 2) & 4) ^ mask;
        ck_assert_uint_eq(words[w], value);
    }
    expect_atomics(&at, of_weir, G_N_ELEMENTS(of_weir), weir, 4, memory_scope_device);
    ck_assert_int_eq(*weir, 5);
    end();
}

TEST_EACH(a_fence_is_an_event_and_a_wide_barrier_two, G_N_ELEMENTS(schedules))
{
    begin();
    plain_args args = { NULL, NULL, 0 };
    watch_all(&fences, 1, ITEMS, &args, schedules[_i]);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_ATOMIC), 4 * ITEMS);
    ck_assert_uint_eq(count_kind(WEIRI_EVENT_ATOMIC_DONE), 4 * ITEMS);
    size_t n_arrived = 0, n_before = 0, n_after = 0;
    bool released = false;
    for (size_t i = 0; i < n_seen; i++) {
        const struct weiri_event *event = &seen[i].event;
        n_arrived += event->kind == WEIRI_EVENT_ARRIVE;
        released |= event->kind == WEIRI_EVENT_RELEASE;
        if (event->kind == WEIRI_EVENT_ATOMIC) {
            ck_assert_int_eq(seen[i].atomic.kind, WEIRI_ATOMIC_FENCE);
            ck_assert_ptr_null(address_of(event));
            ck_assert_ptr_null(event->object);
            (*(released ? &n_after : &n_before))++;
        }
    }
    ck_assert_uint_eq(n_arrived, ITEMS);
    ck_assert_uint_eq(n_before, 3 * ITEMS);
    ck_assert_uint_eq(n_after, ITEMS);
    end();
}

/* ---- Verdicts --------------------------------------------------------------- */

CASE("verdicts");

struct censor {
    const int32_t *address; /* the access that must not be */
    int32_t before;
    int n_told;
    int n_ended;
};

static enum weiri_verdict forbid(void *self, const struct weiri_event *event)
{
    struct censor *censor = self;
    censor->n_ended += event->kind == WEIRI_EVENT_GROUP_END;
    bool mine = event->kind == WEIRI_EVENT_ACCESS && event->address == censor->address;
    censor->n_told += mine;
    return mine ? WEIRI_ABANDON : WEIRI_GOES_ON;
}

static enum weiri_verdict come_later(void *self, const struct weiri_event *event)
{
    struct censor *censor = self;
    censor->n_told
        += event->kind == WEIRI_EVENT_ACCESS && event->address == censor->address;
    return WEIRI_GOES_ON;
}

/* Both kernels, under each schedule and in fast mode. */
TEST_EACH(an_access_that_is_forbidden_ends_the_item_and_its_group, 8)
{
    static const struct weir_kernel *const kernels[]
        = { &three_stores, &three_stores_of_groups };
    enum { LOOPS = 3 };
    begin();
    int32_t *out = weir_new(device, int32_t, 2 * LOOPS * N, "out");
    size_t n = LOOPS * N, groups = LOOPS * GROUPS;
    end_args args = { out, n };
    size_t item = 2 * ITEMS + 1; /* of group 2 */
    struct censor censor = { .address = &out[n + item] };
    struct censor later = { .address = &out[n + item] };
    struct weiri_observer observers[]
        = { { forbid, &censor, 0 }, { come_later, &later, 0 }, { NULL, NULL, 0 } };
    struct weiri_launch launch = { 0 };
    struct weir_report *report
        = watch(&launch, kernels[_i % 2], groups, ITEMS, &args,
                _i / 2 == 3 ? NULL : schedules[_i / 2], observers);
    expect_silence(report, kernels[_i % 2]->name);
    ck_assert_int_eq(censor.n_told, 1);
    ck_assert_int_eq(later.n_told, 0);
    ck_assert_int_eq(censor.n_ended, (int)groups);
    ck_assert_int_eq(out[n + item], 0);
    EXPECT_ELEMENTS(out, i, n, i / ITEMS == 2 ? 1 : 3);
    end();
}

/* ---- Comparisons ------------------------------------------------------------ */

CASE("comparisons");

struct operands {
    bool of_int, of_long, of_float;
    size_t n;
};

static bool are(uint64_t a, uint64_t b, uint64_t first, uint64_t second)
{
    return (a == first && b == second) || (a == second && b == first);
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static enum weiri_verdict compared(void *self, const struct weiri_event *event)
{
    struct operands *operands = self;
    uint64_t a = event->operands[0], b = event->operands[1];
    ck_assert_int_eq(event->kind, WEIRI_EVENT_COMPARE);
    ck_assert_ptr_nonnull(event->pc);
    operands->of_int |= are(a, b, 1001, 7);
    operands->of_long |= are(a, b, 1002, 8);
    operands->of_float |= are(a, b, float_bits(2.5f), float_bits(9));
    operands->n++;
    return WEIRI_GOES_ON;
}

TEST(operands_of_comparisons_are_handed_over)
{
    begin();
    int32_t *out = weir_new(device, int32_t, 4, "out");
    out[0] = 7, out[1] = 8, out[2] = 9;
    compare_args args = { 1001, 1002, 2.5f, out };
    struct operands operands = { 0 };
    const struct weiri_observer observers[]
        = { { compared, &operands, WEIRI_EVENT_BIT(COMPARE) }, { NULL, NULL, 0 } };
    struct weiri_launch launch = { 0 };
    expect_silence(watch(&launch, &comparisons, 1, 1, &args, "in-order", observers),
                   "comparisons");
    ck_assert(operands.of_int);
    ck_assert(operands.of_long);
#ifndef __clang__ /* it traces integers only */
    ck_assert(operands.of_float);
#endif
    size_t n = operands.n;
    launch = (struct weiri_launch){ 0 };
    weiri_call_tree_free(callers);
    expect_silence(watch(&launch, &comparisons, 1, 1, &args, "in-order", NULL),
                   "comparisons");
    ck_assert_uint_eq(operands.n, n);
    end();
}

MAIN("hooks")
