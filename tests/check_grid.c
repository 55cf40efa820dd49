/* SPDX-License-Identifier: MIT
 *
 * check_grid.c: the barrier of all groups: a launch whose groups are all resident, the
 * order that the barrier makes, items that do not come, and launches that are
 * refused. */
#include "schedules.h"

enum { LOCAL = 6, GROUPS = 5, ITEMS = LOCAL * GROUPS, ROUNDS = 3 };

#define AT_ONCE .all_resident = true
#define RANGE weir_nd_range_1d(ITEMS, LOCAL)

enum how {
    RIGHT,
    NO_BARRIER,
    ITEM_LEAVES,
    GROUP_LEAVES,
    GROUP_BARRIER, /* one item of a group waits at a barrier of its group */
    SPINS,         /* one item waits for a flag that is written after the barrier */
};

typedef struct {
    int32_t *data; /* 2 * ITEMS */
    int32_t *flag;
    enum how how;
} grid_args;

_Atomic uint32_t line_grid, line_group, line_spin;

/* Each item adds its neighbour's value, which may be another group's, in each round. */
WEIR_KERNEL(rounds, grid_args)
{
    size_t i = weir_global_id(item, 0);
    enum how how = args->how;
    int32_t *from = args->data, *to = args->data + ITEMS;
    if ((how == ITEM_LEAVES && i == 8) || (how == GROUP_LEAVES && i / LOCAL == 2)) {
        return;
    }
    if (how == GROUP_BARRIER && i == 8) {
        MARK(line_group, weir_barrier(item, WEIR_LOCAL));
    }
    while (how == SPINS && i == 8 && MARK(line_spin, LOAD_RELAXED(args->flag)) == 0) {}
    for (int round = 0; round < ROUNDS; round++) {
        to[i] = from[i] + from[(i + 1) % ITEMS];
        if (how != NO_BARRIER) {
            MARK(line_grid, weiri_grid_sync(WEIRI_SITE()));
        }
        int32_t *other = from;
        from = to;
        to = other;
    }
    if (i == 0) {
        STORE_RELAXED(args->flag, 1);
    }
}

static grid_args args_new(struct weir_device *device, enum how how)
{
    grid_args args = { weir_new(device, int32_t, 2 * ITEMS, "data"),
                       weir_new(device, int32_t, 1, "flag"), how };
    for (int32_t i = 0; i < 2 * ITEMS; i++) {
        args.data[i] = i;
    }
    *args.flag = 0;
    return args;
}

static void expect_sums(const grid_args *args)
{
    int64_t now[ITEMS], next[ITEMS];
    for (size_t i = 0; i < ITEMS; i++) {
        now[i] = (int64_t)i;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < ITEMS; i++) {
            next[i] = now[i] + now[(i + 1) % ITEMS];
        }
        memcpy(now, next, sizeof(now));
    }
    const int32_t *result = args->data + ROUNDS % 2 * ITEMS;
    EXPECT_ELEMENTS(result, i, ITEMS, now[i]);
}

WORKERS_TEST(all_groups_wait_for_each_other)
{
    grid_args args = args_new(device, RIGHT);
    LAUNCH_SILENT(
        device, &rounds, RANGE, &args,
        (&(struct weir_launch_options){ .workers = (uint32_t)workers, AT_ONCE }));
    expect_sums(&args);
}

DEVICE_TEST(the_barrier_orders_memory_of_all)
{
    for (size_t o = 0; o < N_ORDERS; o++) {
        grid_args args = args_new(device, RIGHT);
        expect_quiet(LAUNCH(device, &rounds, RANGE, &args,
                            UNDER(&orders[o], AT_ONCE, .check = true)),
                     &rounds, &orders[o], LOCAL);
        expect_sums(&args);
        args = args_new(device, NO_BARRIER);
        g_autoptr(weir_report) report = LAUNCH(
            device, &rounds, RANGE, &args, UNDER(&orders[o], AT_ONCE, .check = true));
        ck_assert_uint_ge(weir_report_n_findings(report), 1);
        ck_assert_int_eq(weir_report_finding(report, 0)->kind, WEIR_FINDING_DATA_RACE);
    }
}

static const struct {
    enum how how;
    uint32_t n_there;
} missing[] = { { ITEM_LEAVES, ITEMS - 1 }, { GROUP_LEAVES, ITEMS - LOCAL } };

static void expect_missing(const struct weir_finding *finding, int i)
{
    g_autofree char *part
        = g_strdup_printf("%u of %d items of the launch", missing[i].n_there, ITEMS);
    expect_contains(finding->message, part);
    size_t n = 0;
    for (size_t k = 0; k < finding->n_parties; k++) {
        ck_assert_uint_eq(finding->parties[k].line, line_of(&line_grid));
        ck_assert_int_eq(finding->parties[k].state, WEIR_STATE_WAITING);
        n += count_ranges(finding->parties[k].items);
    }
    ck_assert_uint_eq(n, missing[i].n_there);
}

DEVICE_TEST_EACH(an_item_that_does_not_come_is_a_divergence, G_N_ELEMENTS(missing))
{
    grid_args args = args_new(device, missing[_i].how);
    expect_missing(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &rounds,
                                  RANGE, &args,
                                  (&(struct weir_launch_options){ AT_ONCE })),
                   _i);
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_missing(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &rounds,
                                      RANGE, &args, UNDER(&orders[o], AT_ONCE)),
                       _i);
    }
}

DEVICE_TEST(an_item_at_another_barrier_is_a_divergence)
{
    grid_args args = args_new(device, GROUP_BARRIER);
    for (size_t o = 0; o <= N_ORDERS; o++) {
        struct weir_launch_options fast = { AT_ONCE };
        const struct weir_finding *finding
            = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &rounds, RANGE,
                             &args, o == N_ORDERS ? &fast : UNDER(&orders[o], AT_ONCE));
        ck_assert_uint_eq(party_of(finding, "2")->line, line_of(&line_group));
        ck_assert_uint_eq(party_of(finding, "0-1,3-5")->line, line_of(&line_grid));
    }
}

DEVICE_TEST(an_item_that_waits_for_what_comes_after_it_is_a_deadlock)
{
    grid_args args = args_new(device, SPINS);
    for (size_t o = 0; o < N_ORDERS; o++) {
        *args.flag = 0;
        const struct weir_finding *finding
            = LAUNCH_FINDING(WEIR_FINDING_DEADLOCK, device, &rounds, RANGE, &args,
                             UNDER(&orders[o], AT_ONCE));
        ck_assert_uint_eq(party_in_state(finding, "spinning")->line,
                          line_of(&line_spin));
        ck_assert_uint_eq(party_in_state(finding, "waiting")->line,
                          line_of(&line_grid));
    }
}

DEVICE_TEST(a_launch_that_does_not_fit_is_refused)
{
    grid_args args = args_new(device, RIGHT);
    size_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS);
    struct weir_launch_options options = { AT_ONCE };
    EXPECT_REFUSED(device, &rounds, weir_nd_range_1d(units + 1, 1), &args, &options,
                   WEIR_ERROR_RANGE,
                   "all groups are to be resident at once: there are");
}

DEVICE_TEST(groups_that_need_not_be_resident_cannot_wait)
{
    grid_args args = args_new(device, RIGHT);
    for (size_t o = 0; o <= N_ORDERS; o++) {
        struct weir_launch_options fast = { .workers = 1 };
        g_autoptr(weir_report) report = LAUNCH(
            device, &rounds, RANGE, &args, o == N_ORDERS ? &fast : UNDER(&orders[o]));
        ck_assert_uint_ge(weir_report_n_findings(report), 1);
        const struct weir_finding *finding = weir_report_finding(report, 0);
        ck_assert_int_eq(finding->kind, WEIR_FINDING_UNSUPPORTED);
        ck_assert_uint_eq(finding->parties[0].line, line_of(&line_grid));
    }
}

MAIN("grid")
