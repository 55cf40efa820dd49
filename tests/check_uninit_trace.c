/* SPDX-License-Identifier: MIT
 *
 * check_uninit_trace.c: a checked launch is run again to know whether a read of what
 * is not written matters. That leaves no trace, in memory or in the report, and
 * ends at the launch's limits.
 *
 * This file is instrumented, so the kernels are. */
#include "uninit.h"

static int32_t static_counter;
static int32_t static_numbers[N];

/* expect: uninitialized-read of in[5] */
WEIR_KERNEL(leaves_traces, uninit_args)
{
    int32_t *host = args->more;
    size_t gid = weir_global_id(item, 0);
    static_numbers[gid]++;
    ADD_1(&static_counter, device);
    host[gid]++;
    args->to[gid].key++;
    if (args->in[gid] > 1000) {
        args->to[gid].hole++;
    }
    OUT(item, args) = args->to[gid].key;
}

/* Runs it with @check, and keeps what it has left. */
static struct weir_report *leave_traces(struct setting *setting, bool check,
                                        int32_t left[4 * N])
{
    static int32_t host[N];
    renew(setting, false);
    setting->args.more = host;
    memset(host, 0, sizeof(host));
    memset(static_numbers, 0, sizeof(static_numbers));
    static_counter = 0;
    memset(setting->args.to, 0, N * sizeof(*setting->args.to));
    struct weir_report *report
        = LAUNCH(setting->device, &leaves_traces, weir_nd_range_1d(N, LOCAL),
                 &setting->args, UNDER(&orders[3], .check = check));
    ck_assert_int_eq(static_counter, N);
    for (size_t i = 0; i < N; i++) {
        left[4 * i] = host[i];
        left[4 * i + 1] = static_numbers[i];
        left[4 * i + 2] = setting->args.to[i].key;
        left[4 * i + 3] = setting->args.out[i];
        ck_assert_int_eq(left[4 * i], 1);
    }
    setting->args.more = NULL;
    return report;
}

DEVICE_TEST(what_is_run_again_leaves_no_trace)
{
    struct setting setting = open_setting(device);
    int32_t unchecked[4 * N], checked[4 * N];
    g_autoptr(weir_report) without = leave_traces(&setting, false, unchecked);
    g_autoptr(weir_report) with = leave_traces(&setting, true, checked);
    size_t n;
    uninitialized(without, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_nonnull(uninitialized(with, &n));
    ck_assert_uint_eq(weir_report_n_steps(with), weir_report_n_steps(without));
    ck_assert(memcmp(unchecked, checked, sizeof(checked)) == 0);
}

/* expect: uninitialized-read of each element that is got to */
WEIR_KERNEL(reads_local_memory, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    OUT(item, args) = scratch[LID(item)];
}

DEVICE_TEST(a_limit_of_steps_ends_runs_again_too)
{
    struct setting setting = open_setting(device);
    for (uint64_t limit = 1; limit < 40; limit++) {
        renew(&setting, false);
        g_autoptr(weir_report) report
            = LAUNCH(setting.device, &reads_local_memory, weir_nd_range_1d(N, LOCAL),
                     &setting.args, CHECKED(&orders[3], .step_limit = limit));
        ck_assert_ptr_nonnull(weir_report_incomplete(report));
        expect_contains(weir_report_incomplete(report), "step");
    }
}

/* Ends in the process of the test only, whose number is in @zero. */
WEIR_KERNEL(ends_once, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    while (getpid() != args->zero) {
        __asm__ volatile("");
    }
    OUT(item, args) = 1;
}

DEVICE_TEST(a_limit_of_time_ends_runs_again_too)
{
    struct setting setting = open_setting(device);
    renew(&setting, false);
    setting.args.zero = getpid();
    g_autoptr(weir_report) report
        = LAUNCH(setting.device, &ends_once, weir_nd_range_1d(N, LOCAL), &setting.args,
                 CHECKED(&orders[0], .time_limit_ms = 2000));
    size_t n;
    uninitialized(report, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_nonnull(weir_report_incomplete(report));
    expect_contains(weir_report_incomplete(report), "run again");
    expect_contains(weir_report_incomplete(report), "limit");
    EXPECT_ELEMENT(setting.args.out, N - 1, 1);
}

MAIN("uninitialised reads: no trace")
