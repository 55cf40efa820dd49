/* SPDX-License-Identifier: MIT
 *
 * check_lanes.c: collectives of the lanes that a mask names: results of all operations
 * against plain loops, several meetings at a time, lanes that do not come, and the
 * order of memory. Doors for languages that have such collectives call the machine's
 * functions, as these kernels do. */
#include "schedules.h"

#include <inttypes.h>

enum { SIZE = 32, MOST = 2 * SIZE + 13 };

#define LANES(kind, type, mask, value, source, bounds)                                 \
    weiri_lanes_meet(WEIRI_##kind, WEIRI_TYPE_##type, (mask), (value), (source),       \
                     (bounds), WEIRI_SITE())
#define SYNC(mask) LANES(BARRIER, none, (mask), 0, 0, 0)

#define EVEN 0x55555555u
#define ALL 0xffffffffu

#define RANGE(n) weir_nd_range_1d((n), (n))
#define LANES_OF_32 .sub_group_size = SIZE

/* ---- Results --------------------------------------------------------------------- */

CASE("results");

enum { N_RESULTS = 11 };

typedef struct {
    uint64_t *out; /* N_RESULTS for each item */
} result_args;

static uint32_t value_of(size_t i)
{
    return (uint32_t)(i * 2654435761u) >> 28;
}

/* Even and odd lanes ask for everything at the same time, each among themselves. The
 * barrier makes a stackless build split the kernel. */
WEIR_KERNEL(all_results, result_args)
{
    weir_barrier(item, WEIR_LOCAL);
    size_t i = weir_local_id(item, 0);
    uint32_t mask = i % 2 == 0 ? EVEN : ~EVEN, own = value_of(i);
    uint64_t *out = args->out + i * N_RESULTS;
    out[0] = LANES(ANY, u32, mask, own > 12, 0, 0);
    out[1] = LANES(ALL, u32, mask, own > 1, 0, 0);
    out[2] = LANES(BALLOT, u32, mask, own & 4, 0, 0);
    out[3] = LANES(UNIFORM, u32, mask, own >= 1, 0, 0);
    out[4] = LANES(MATCH_ANY, u64, mask, (uint64_t)own << 40, 0, 0);
    out[5] = LANES(MATCH_ALL, u32, mask, i % 2, 0, 0);
    out[6] = LANES(REDUCE_ADD, i32, mask, own - 5, 0, 0);
    out[7] = LANES(REDUCE_MAX, u32, mask, own, 0, 0);
    out[8] = LANES(REDUCE_AND, u32, mask, own | 2, 0, 0);
    out[9] = LANES(REDUCE_OR, u32, mask, own, 0, 0);
    out[10] = LANES(REDUCE_XOR, u32, mask, own, 0, 0);
}

static void expect_results(const uint64_t *out, size_t n, size_t i)
{
    size_t first = i / SIZE * SIZE;
    uint32_t any = 0, all = 1, ballot = 0, ones = 0, members = 0, match = 0;
    uint32_t sum = 0, max = 0, and = UINT32_MAX, or = 0, xor = 0;
    for (size_t k = first; k < MIN(first + SIZE, n); k++) {
        if (k % 2 != i % 2) {
            continue;
        }
        uint32_t v = value_of(k), bit = 1u << (k - first);
        members |= bit;
        any |= v > 12;
        all &= v > 1;
        ballot |= (v & 4) != 0 ? bit : 0;
        ones |= v >= 1 ? bit : 0;
        match |= v == value_of(i) ? bit : 0;
        sum += v - 5;
        max = MAX(max, v);
        and &= v | 2;
        or |= v;
        xor ^= v;
    }
    const uint64_t expected[N_RESULTS]
        = { any, all, ballot, ones == 0 || ones == members, match, members, sum, max,
            and, or,  xor};
    for (size_t k = 0; k < N_RESULTS; k++) {
        EXPECT(out[i * N_RESULTS + k] == expected[k],
               "item %zu of %zu, result %zu: %#" PRIx64 ", not %#" PRIx64, i, n, k,
               out[i * N_RESULTS + k], expected[k]);
    }
}

static const size_t sizes[] = { 1, 2, SIZE, SIZE + 1, MOST };

WORKERS_TEST_EACH(disjoint_masks_meet_apart, G_N_ELEMENTS(sizes))
{
    size_t n = sizes[_i];
    uint64_t *out = weir_new(device, uint64_t, 4 * n * N_RESULTS, "out");
    LAUNCH_SILENT(
        device, &all_results, weir_nd_range_1d(4 * n, n), (&(result_args){ out }),
        (&(struct weir_launch_options){ .workers = (uint32_t)workers, LANES_OF_32 }));
    for (size_t i = 0; i < n; i++) {
        expect_results(out, n, i);
    }
}

TEST(schedules_do_not_change_results)
{
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_device) device = device_open("default");
        uint64_t *out = weir_new(device, uint64_t, MOST * N_RESULTS, "out");
        result_args args = { out };
        expect_quiet(LAUNCH(device, &all_results, RANGE(MOST), &args,
                            UNDER(&orders[o], LANES_OF_32, .check = true)),
                     &all_results, &orders[o], MOST);
        for (size_t i = 0; i < MOST; i++) {
            expect_results(out, MOST, i);
        }
    }
}

typedef struct {
    uint64_t *idx, *up, *down, *cross;
    uint32_t width, delta;
} shuffle_args;

#define VALUE(i) (UINT64_C(0x100000001) * (i) + 7)

/* Operands as compilers make them of __shfl_sync() and its sisters. */
WEIR_KERNEL(shuffle_all, shuffle_args)
{
    size_t i = weir_local_id(item, 0);
    uint32_t segments = (SIZE - args->width) << 8, delta = args->delta;
    args->idx[i] = LANES(SHUFFLE, u64, ALL, VALUE(i), delta + 3, segments | 31);
    args->up[i] = LANES(SHIFT_RIGHT, u64, ALL, VALUE(i), delta, segments);
    args->down[i] = LANES(SHIFT_LEFT, u64, ALL, VALUE(i), delta, segments | 31);
    args->cross[i] = LANES(SHUFFLE_XOR, u64, ALL, VALUE(i), delta, segments | 31);
}

DEVICE_TEST(shuffles_stay_in_their_segments)
{
    uint64_t *out = weir_new(device, uint64_t, 4 * SIZE, "out");
    for (uint32_t width = 1; width <= SIZE; width *= 2) {
        for (uint32_t delta = 0; delta < width; delta++) {
            LAUNCH_SILENT(device, &shuffle_all, RANGE(SIZE),
                          (&(shuffle_args){ out, out + SIZE, out + 2 * SIZE,
                                            out + 3 * SIZE, width, delta }),
                          (&(struct weir_launch_options){ LANES_OF_32 }));
            for (uint32_t i = 0; i < SIZE; i++) {
                uint32_t first = i / width * width, lane = i % width;
                EXPECT_ELEMENT(out, i, VALUE(first + (delta + 3) % width));
                EXPECT_ELEMENT(out + SIZE, i, VALUE(lane < delta ? i : i - delta));
                EXPECT_ELEMENT(out + 2 * SIZE, i,
                               VALUE(lane + delta < width ? i + delta : i));
                EXPECT_ELEMENT(out + 3 * SIZE, i, VALUE(first + (lane ^ delta)));
            }
        }
    }
}

typedef struct {
    int32_t *out;
    uint32_t how;
} how_args;

/* Not static: the kernels of a stackless build lie in another object. */
_Atomic uint32_t line_one, line_other;

/* A lane of an even mask asks for the value of lane @how. */
WEIR_KERNEL(shuffle_even, how_args)
{
    size_t i = weir_local_id(item, 0);
    if (i % 2 == 0) {
        args->out[i]
            = (int32_t)MARK(line_one, LANES(SHUFFLE, u32, EVEN, i, args->how, 31));
    }
}

DEVICE_TEST(a_value_of_a_lane_outside_the_mask_is_unsupported)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    struct weir_launch_options options = { LANES_OF_32 };
    LAUNCH_SILENT(device, &shuffle_even, RANGE(SIZE), (&(how_args){ out, 6 }),
                  &options);
    EXPECT_ELEMENT(out, 10, 6);
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_UNSUPPORTED, device, &shuffle_even, RANGE(SIZE),
                         (&(how_args){ out, 7 }), &options);
    ck_assert_uint_eq(finding->parties[0].line, line_of(&line_one));
    expect_contains(finding->message, "lane 7, which does not take part");
}

/* The upper lanes call it at another place. */
WEIR_KERNEL(two_sites, how_args)
{
    size_t i = weir_local_id(item, 0);
    uint64_t sum;
    if (i < 11) {
        sum = LANES(REDUCE_ADD, u32, ALL, i, 0, 0);
    } else {
        sum = LANES(REDUCE_ADD, u32, ALL, i, 0, 0);
    }
    args->out[i] = (int32_t)sum;
}

DEVICE_TEST(lanes_at_different_calls_meet)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    LAUNCH_SILENT(device, &two_sites, RANGE(SIZE), (&(how_args){ out, 0 }),
                  (&(struct weir_launch_options){ LANES_OF_32 }));
    EXPECT_ELEMENTS(out, i, SIZE, SIZE * (SIZE - 1) / 2);
}

/* ---- Lanes that do not come ------------------------------------------------------ */

CASE("divergence");

enum how { RIGHT, RETURNS, OTHER_OPERATION, OTHER_MASK, GROUP_BARRIER, NOT_NAMED };

/* The mask names the even lanes, and lane 1 where it is not named by itself. */
WEIR_KERNEL(apart, how_args)
{
    size_t i = weir_local_id(item, 0);
    uint32_t how = args->how;
    if (i % 2 == 1 && how != NOT_NAMED) {
        return;
    }
    if (i == 4 && how == RETURNS) {
        return;
    }
    if (i == 4 && how == OTHER_OPERATION) {
        MARK(line_other, LANES(ANY, u32, EVEN, 1, 0, 0));
    }
    if (i == 4 && how == OTHER_MASK) {
        MARK(line_other, SYNC(EVEN & 0xffff));
    }
    if (i == 4 && how == GROUP_BARRIER) {
        MARK(line_other, weir_barrier(item, WEIR_LOCAL));
    }
    MARK(line_one, SYNC(EVEN));
    args->out[i] = 1;
}

static const struct {
    enum how how;
    const char *form, *words, *operation;
} wrongs[] = {
    { RETURNS, "exited item", "the others have returned", NULL },
    { OTHER_OPERATION, "different kind", "others are at a different operation",
      "weir_sub_group_any" },
    { OTHER_MASK, "different arguments", "others wait for different lanes",
      "weir_sub_group_barrier" },
};

static void expect_apart(const struct weir_finding *finding, int i)
{
    ck_assert_str_eq(finding->form, wrongs[i].form);
    expect_contains(finding->message, "15 of the 16 lanes that the mask 0x55555555");
    expect_contains(finding->message, wrongs[i].words);
    const struct weir_party *party
        = party_of(finding, "0,2,6,8,10,12,14,16,18,20,22,24,26,28,30");
    ck_assert_uint_eq(party->line, line_of(&line_one));
    ck_assert_int_eq(party->state, WEIR_STATE_WAITING);
    if (wrongs[i].operation != NULL) {
        const struct weir_party *other = party_of(finding, "4");
        ck_assert_uint_eq(other->line, line_of(&line_other));
        ck_assert_str_eq(other->operation, wrongs[i].operation);
        ck_assert_int_eq(other->state, WEIR_STATE_WAITING);
    }
}

DEVICE_TEST_EACH(a_lane_that_does_not_come_is_a_divergence, G_N_ELEMENTS(wrongs))
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    struct weir_launch_options options = { LANES_OF_32 };
    LAUNCH_SILENT(device, &apart, RANGE(SIZE), (&(how_args){ out, RIGHT }), &options);
    expect_apart(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &apart,
                                RANGE(SIZE), (&(how_args){ out, wrongs[_i].how }),
                                &options),
                 _i);
}

DEVICE_TEST_EACH(it_is_one_under_every_schedule, G_N_ELEMENTS(wrongs))
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, &apart, RANGE(SIZE), (&(how_args){ out, RIGHT }),
                            UNDER(&orders[o], LANES_OF_32)),
                     &apart, &orders[o], SIZE);
        expect_apart(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &apart,
                                    RANGE(SIZE), (&(how_args){ out, wrongs[_i].how }),
                                    UNDER(&orders[o], LANES_OF_32)),
                     _i);
    }
}

DEVICE_TEST(a_barrier_of_the_group_shows_the_lanes_that_wait)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &apart, RANGE(SIZE),
                         (&(how_args){ out, GROUP_BARRIER }),
                         (&(struct weir_launch_options){ LANES_OF_32 }));
    ck_assert_str_eq(finding->form, "different kind");
    ck_assert_uint_eq(party_of(finding, "4")->line, line_of(&line_other));
    ck_assert_uint_eq(
        party_of(finding, "0,2,6,8,10,12,14,16,18,20,22,24,26,28,30")->line,
        line_of(&line_one));
}

DEVICE_TEST(a_mask_without_its_caller_is_a_divergence)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &apart, RANGE(SIZE),
                         (&(how_args){ out, NOT_NAMED }),
                         (&(struct weir_launch_options){ LANES_OF_32 }));
    expect_contains(finding->message, "which does not name that lane");
    ck_assert_str_eq(finding->parties[0].items, "1");
    ck_assert_uint_eq(finding->parties[0].line, line_of(&line_one));
}

DEVICE_TEST(living_lanes_suffice_if_the_option_says_so)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        memset(out, 0, SIZE * sizeof(*out));
        g_autoptr(weir_report) report
            = LAUNCH(device, &apart, RANGE(SIZE), (&(how_args){ out, RETURNS }),
                     UNDER(&orders[o], LANES_OF_32, .exited = WEIR_EXITED_ALIVE_ONLY));
        ck_assert_uint_eq(weir_report_n_defects(report), 0);
        EXPECT_ELEMENTS(out, i, SIZE, i % 2 == 0 && i != 4);
    }
}

DEVICE_TEST(lanes_that_wait_can_be_released)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    (void)LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &apart, RANGE(SIZE),
                         (&(how_args){ out, RETURNS }),
                         UNDER(&orders[0], LANES_OF_32, .after = WEIR_AFTER_RELEASE));
    EXPECT_ELEMENTS(out, i, SIZE, i % 2 == 0 && i != 4);
}

typedef struct {
    uint32_t *lock;
    int32_t *count;
    bool meets;
} lock_args;

/* The lanes that wait for the lock must not wait for its holder besides. */
WEIR_KERNEL(lock_in_turn, lock_args)
{
    for (bool done = false; !done;) {
        uint32_t expected = 0;
        if (weir_atomic_compare_exchange_strong_explicit(
                args->lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                memory_scope_device)) {
            *args->count += 1;
            if (args->meets) {
                MARK(line_one, SYNC(ALL));
            }
            weir_atomic_store_explicit(args->lock, 0, memory_order_release,
                                       memory_scope_device);
            done = true;
        }
    }
}

DEVICE_TEST(lanes_in_a_lock_wait_for_those_before_it)
{
    uint32_t *lock = weir_new(device, uint32_t, 1, "lock");
    int32_t *count = weir_new(device, int32_t, 1, "count");
    *lock = 0;
    *count = 0;
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, &lock_in_turn, RANGE(SIZE),
                            (&(lock_args){ lock, count, false }),
                            UNDER(&orders[o], LANES_OF_32)),
                     &lock_in_turn, &orders[o], SIZE);
        const struct weir_finding *finding = LAUNCH_FINDING(
            WEIR_FINDING_DEADLOCK, device, &lock_in_turn, RANGE(SIZE),
            (&(lock_args){ lock, count, true }), UNDER(&orders[o], LANES_OF_32));
        const struct weir_party *waits = party_in_state(finding, "waiting");
        ck_assert_uint_eq(waits->line, line_of(&line_one));
        ck_assert_str_eq(waits->operation, "weir_sub_group_barrier");
        ck_assert_uint_eq(count_ranges(party_in_state(finding, "spinning")->items),
                          SIZE - 1);
        *lock = 0;
    }
}

/* ---- Order ----------------------------------------------------------------------- */

CASE("order");

/* Each lane reads what its neighbour has written. @how: the mask */
WEIR_KERNEL(neighbours, how_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, SIZE);
    shared[i] = (int32_t)i;
    uint32_t mask = args->how;
    if ((mask >> i & 1) == 0) {
        mask = ~mask;
    }
    SYNC(mask);
    args->out[i] = shared[i ^ 1];
}

DEVICE_TEST(a_meeting_orders_memory_of_its_lanes_alone)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, &neighbours, RANGE(SIZE), (&(how_args){ out, ALL }),
                            UNDER(&orders[o], LANES_OF_32, .check = true)),
                     &neighbours, &orders[o], SIZE);
        expect_quiet(LAUNCH(device, &neighbours, RANGE(SIZE),
                            (&(how_args){ out, 0xf00ffc03 }),
                            UNDER(&orders[o], LANES_OF_32, .check = true)),
                     &neighbours, &orders[o], SIZE);
        (void)LAUNCH_FINDING(WEIR_FINDING_DATA_RACE, device, &neighbours, RANGE(SIZE),
                             (&(how_args){ out, EVEN }),
                             UNDER(&orders[o], LANES_OF_32, .check = true));
    }
}

DEVICE_TEST(an_exploration_refuses_them)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    struct weir_launch_options options
        = { LANES_OF_32, .explore = "sycl", .time_limit_ms = 5000 };
    g_autoptr(weir_report) report
        = LAUNCH(device, &two_sites, RANGE(2), (&(how_args){ out, 0 }), &options);
    const char *refused = weir_report_exploration(report)->refused;
    ck_assert_ptr_nonnull(refused);
    expect_contains(refused, "does not know weir_sub_group_reduce_add");
}

/* ---- Active lanes ---------------------------------------------------------------- */

CASE("active");

typedef struct {
    uint32_t *masks;
    int32_t *count;
    bool waits;
} active_args;

/* The lanes of each mask count together; others spin until all have counted. */
WEIR_KERNEL(count_active, active_args)
{
    size_t i = weir_local_id(item, 0);
    if (i % 3 == 0) {
        uint32_t mask = weiri_lanes_active(WEIRI_SITE());
        args->masks[i] = mask;
        if ((mask & ((1u << i % SIZE) - 1)) == 0) {
            (void)ADD_RELAXED(args->count, __builtin_popcount(mask));
        }
        SYNC(mask);
    } else if (args->waits) {
        while (LOAD_RELAXED(args->count) < SIZE / 3 + 1) {}
    }
}

/* Each lane is in its mask, and all of a mask have it. */
static bool expect_partition(const uint32_t *masks)
{
    bool whole = true;
    for (uint32_t i = 0; i < SIZE; i += 3) {
        EXPECT((masks[i] >> i & 1) != 0, "lane %u is not in its mask %#x", i, masks[i]);
        for (uint32_t k = 0; k < SIZE; k += 3) {
            EXPECT((masks[i] >> k & 1) == 0 || masks[k] == masks[i],
                   "lanes %u and %u have %#x and %#x", i, k, masks[i], masks[k]);
        }
        EXPECT((masks[i] & ~0x49249249u) == 0, "lanes that never came: %#x", masks[i]);
        whole &= masks[i] == 0x49249249u;
    }
    return whole;
}

DEVICE_TEST_EACH(active_lanes_are_a_partition, 2)
{
    uint32_t *masks = weir_new(device, uint32_t, SIZE, "masks");
    int32_t *count = weir_new(device, int32_t, 1, "count");
    active_args args = { masks, count, _i != 0 };
    *count = 0;
    LAUNCH_SILENT(device, &count_active, RANGE(SIZE), &args,
                  (&(struct weir_launch_options){ LANES_OF_32 }));
    ck_assert_int_eq(*count, SIZE / 3 + 1);
    ck_assert(expect_partition(masks));
    unsigned n_parted = 0;
    for (size_t o = 0; o < N_ORDERS; o++) {
        *count = 0;
        expect_quiet(LAUNCH(device, &count_active, RANGE(SIZE), &args,
                            UNDER(&orders[o], LANES_OF_32)),
                     &count_active, &orders[o], SIZE);
        ck_assert_int_eq(*count, SIZE / 3 + 1);
        bool whole = expect_partition(masks);
        ck_assert(whole || orders[o].seed != 0);
        n_parted += !whole;
    }
    ck_assert_uint_ge(n_parted, 2);
}

DEVICE_TEST(a_replay_draws_the_same_masks)
{
    uint32_t *masks = weir_new(device, uint32_t, 2 * SIZE, "masks");
    int32_t *count = weir_new(device, int32_t, 1, "count");
    const struct order random = { "random", 20 }, other = { "in-order", 3 };
    struct weir_schedule *schedule = weir_schedule_new();
    *count = 0;
    LAUNCH_SILENT(device, &count_active, RANGE(SIZE),
                  (&(active_args){ masks, count, true }),
                  UNDER(&random, LANES_OF_32, .record = schedule));
    ck_assert(!expect_partition(masks));
    *count = 0;
    LAUNCH_SILENT(device, &count_active, RANGE(SIZE),
                  (&(active_args){ masks + SIZE, count, true }),
                  UNDER(&other, LANES_OF_32, .replay = schedule));
    for (size_t i = 0; i < SIZE; i += 3) {
        EXPECT_ELEMENT(masks + SIZE, i, masks[i]);
    }
    weir_schedule_free(schedule);
}

MAIN("lanes")
