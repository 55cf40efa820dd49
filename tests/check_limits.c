/* SPDX-License-Identifier: MIT
 *
 * check_limits.c: what can neither go on nor be judged is ended by a limit of steps or
 * of time, which is not a finding, and says where items were; the process goes on. */
#include "waits.h"

WEIR_KERNEL(all_wait_for_nobody, wait_args)
{
    args->out[weir_global_id(item, 0)] = 1;
    while (LOAD(&args->flag[2]) == 0) {}
}

/* Takes and puts back for ever: the semaphore has nothing. */
WEIR_KERNEL(starve, wait_args)
{
    while ((int32_t)ADD(&args->flag[0], UINT32_MAX) <= 0) {
        ADD(&args->flag[0], 1u);
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* The report of a launch that did not end: no finding, but why and where. */
static void expect_incomplete(struct weir_report *report, const char *limit,
                              const char *kernel)
{
    const char *incomplete = weir_report_incomplete(report);
    ck_assert_msg(incomplete != NULL, "'%s' came to its end", kernel);
    expect_contains(incomplete, "limit");
    expect_contains(incomplete, limit);
    expect_contains(incomplete, "item ");
    expect_contains(incomplete, "group (0,0,0)");
    expect_contains(incomplete, "check_limits.c:");
    ck_assert_ptr_null(strchr(incomplete, '\n'));
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
}

DEVICE_TEST_EACH(a_step_limit_ends_a_wait_that_takes_and_puts_back, N_ORDERS)
{
    const struct order *order = &orders[_i];
    const uint64_t limit = scaled(20000, 500);
    g_autofree char *limit_text = g_strdup_printf("%" G_GUINT64_FORMAT, limit);
    for (size_t local = 1; local <= 3; local++) {
        wait_args args = wait_args_new(device, 8, 0);
        struct weir_report *report
            = LAUNCH(device, &starve, weir_nd_range_1d(local, local), &args,
                     UNDER(order, .step_limit = limit));
        expect_incomplete(report, limit_text, "starve");
        ck_assert_uint_ge(weir_report_n_steps(report) + 1, limit);
        ck_assert_uint_le(weir_report_n_steps(report), limit + 1);
        EXPECT_ELEMENTS(args.out, i, local, 0);
        weir_report_free(report);

        /* The same launch with something to take. */
        args.flag[0] = (uint32_t)local;
        expect_quiet(LAUNCH(device, &starve, weir_nd_range_1d(local, local), &args,
                            UNDER(order, .step_limit = limit)),
                     &starve, order, local);
        EXPECT_ELEMENTS(args.out, i, local, 1);
        weir_free(device, args.flag);
        weir_free(device, args.out);
    }
}

/* Says that an item is where it stays for ever. */
#define STAYS(args) (*(volatile uint32_t *)&(args)->flag[1] = 1)

/* Item 1 of group 0 never comes back, and touches no memory meanwhile. */
WEIR_KERNEL(loop_for_ever, wait_args)
{
    if (weir_global_id(item, 0) == args->rounds) {
        STAYS(args);
        for (;;) {
            __asm__("");
        }
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* A spin that the machine cannot see. */
WEIR_KERNEL(spin_on_plain_memory, wait_args)
{
    if (weir_global_id(item, 0) == args->rounds) {
        STAYS(args);
        while (*(volatile uint32_t *)&args->flag[0] == 0) {}
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* After a barrier, when the item is a coroutine. */
WEIR_KERNEL(loop_behind_a_barrier, wait_args)
{
    weir_barrier(item, WEIR_LOCAL);
    if (weir_global_id(item, 0) == args->rounds) {
        STAYS(args);
        for (;;) {
            __asm__("");
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = 1;
}

static const struct weir_kernel *const endless[]
    = { &loop_for_ever, &spin_on_plain_memory, &loop_behind_a_barrier };

/* The limit of time at first. If a busy machine has not advanced as far as a test wants
 * to see a launch, the limit is doubled, up to the last one. */
enum { LIMIT_MS = 100, LAST_LIMIT_MS = 64 * LIMIT_MS };

/* A launch that ends when its time is up, at any point of its work. The report
 * is the caller's. */
static struct weir_report *launch_until_limit(struct weir_device *device,
                                              const struct weir_kernel *kernel,
                                              struct weir_nd_range range,
                                              const wait_args *args,
                                              const struct weir_launch_options *options)
{
    const double limit = (double)options->time_limit_ms / 1000;
    int64_t start = g_get_monotonic_time();
    struct weir_report *report = LAUNCH(device, kernel, range, args, options);
    double seconds = seconds_since(start);
    ck_assert_msg(seconds > limit * 0.9, "ended after %.3f s already", seconds);
    ck_assert_msg(seconds < limit + allowed(0.5), "ended after %.3f s only", seconds);
    const char *incomplete = weir_report_incomplete(report);
    ck_assert_msg(incomplete != NULL, "'%s' came to its end", kernel->name);
    g_autofree char *limit_text = g_strdup_printf("limit of %g s", limit);
    expect_contains(incomplete, limit_text);
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
    return report;
}

/* Whether the endless item is where it stays, and no other could be named: where
 * groups run side by side, those of the other groups are done. */
static bool is_endless(const wait_args *args, const struct weir_launch_options *options)
{
    bool is_alone = options->schedule != NULL || options->workers == 1;
    bool others_are_done = true;
    for (size_t i = 4; i < 12; i++) {
        others_are_done = others_are_done && args->out[i] == 1;
    }
    return args->flag[1] == 1 && (is_alone || others_are_done);
}

static void expect_ended_in_time(const struct weir_kernel *kernel,
                                 struct weir_launch_options options)
{
    g_autoptr(weir_device) device = device_open("default");
    wait_args args = wait_args_new(device, 16, 1);
    const struct weir_nd_range range = weir_nd_range_1d(12, 4);
    options.time_limit_ms = LIMIT_MS;
    struct weir_report *report
        = launch_until_limit(device, kernel, range, &args, &options);
    while (!is_endless(&args, &options) && options.time_limit_ms < LAST_LIMIT_MS) {
        weir_report_free(report);
        options.time_limit_ms *= 2;
        memset(args.flag, 0, 16 * sizeof(*args.flag));
        memset(args.out, 0, 16 * sizeof(*args.out));
        report = launch_until_limit(device, kernel, range, &args, &options);
    }
    expect_incomplete(report, "seconds", kernel->name);
    EXPECT_ELEMENT(args.out, 1, 0);
    weir_report_free(report);

    /* The process goes on, and so does the device. */
    args.rounds = 99;
    options.time_limit_ms = 20000;
    for (int round = 0; round < 3; round++) {
        memset(args.out, 0, 16 * sizeof(*args.out));
        report = LAUNCH(device, kernel, weir_nd_range_1d(12, 4), &args, &options);
        ck_assert_ptr_null(weir_report_incomplete(report));
        expect_silence(report, kernel->name);
        EXPECT_ELEMENTS(args.out, i, 12, 1);
    }
}

TEST_EACH(a_time_limit_ends_an_endless_loop_of_a_deterministic_launch, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t k = 0; k < G_N_ELEMENTS(endless); k++) {
        expect_ended_in_time(endless[k], *UNDER(order));
    }
}

TEST(a_time_limit_ends_an_endless_loop_of_a_fast_launch)
{
    for (size_t k = 0; k < G_N_ELEMENTS(endless); k++) {
        FOR_EACH_WORKERS(workers)
        {
            expect_ended_in_time(endless[k], *WITH_WORKERS(workers));
        }
    }
}

static bool has_begun(const wait_args *args, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (args->out[i] != 0) {
            return true;
        }
    }
    return false;
}

WORKERS_TEST(a_time_limit_ends_a_fast_launch_whose_items_all_spin)
{
    wait_args args = wait_args_new(device, 64, 0);
    const struct weir_nd_range range = weir_nd_range_1d(64, 8);
    struct weir_launch_options options = *WITH_WORKERS(workers);
    options.time_limit_ms = LIMIT_MS;
    struct weir_report *report
        = launch_until_limit(device, &all_wait_for_nobody, range, &args, &options);
    while (!has_begun(&args, 64) && options.time_limit_ms < LAST_LIMIT_MS) {
        weir_report_free(report);
        options.time_limit_ms *= 2;
        report
            = launch_until_limit(device, &all_wait_for_nobody, range, &args, &options);
    }
    expect_contains(weir_report_incomplete(report), "check_limits.c:");
    weir_report_free(report);

    memset(args.flag, 1, 64 * sizeof(*args.flag));
    options.time_limit_ms = 20000;
    LAUNCH_SILENT(device, &all_wait_for_nobody, range, &args, &options);
    weir_free(device, args.flag);
    weir_free(device, args.out);
}

DEVICE_TEST_EACH(a_limit_that_is_not_reached_changes_nothing, N_ORDERS)
{
    const struct order *order = &orders[_i];
    wait_args args = wait_args_new(device, 64, 0);
    struct weir_report *report = LAUNCH(device, &lower_waits_for_higher,
                                        weir_nd_range_1d(24, 8), &args, UNDER(order));
    uint64_t steps = weir_report_n_steps(report);
    ck_assert_uint_ge(steps, 24); /* each item had a turn */
    weir_report_free(report);

    memset(args.flag, 0, 64 * sizeof(*args.flag));
    report = LAUNCH(device, &lower_waits_for_higher, weir_nd_range_1d(24, 8), &args,
                    UNDER(order, .step_limit = steps + 1, .time_limit_ms = 20000));
    ck_assert_uint_eq(weir_report_n_steps(report), steps);
    expect_quiet(report, &lower_waits_for_higher, order, 8);

    memset(args.flag, 0, 64 * sizeof(*args.flag));
    report = LAUNCH(device, &lower_waits_for_higher, weir_nd_range_1d(24, 8), &args,
                    UNDER(order, .step_limit = steps / 2));
    ck_assert_ptr_nonnull(weir_report_incomplete(report));
    weir_report_free(report);

    memset(args.flag, 0, 64 * sizeof(*args.flag)); /* fast mode counts no steps */
    report
        = LAUNCH(device, &lower_waits_for_higher, weir_nd_range_1d(24, 8), &args, NULL);
    ck_assert_uint_eq(weir_report_n_steps(report), 0);
    expect_silence(report, "lower_waits_for_higher");
}

MAIN("limits")
