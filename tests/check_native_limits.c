/* SPDX-License-Identifier: MIT
 *
 * check_native_limits.c: wherever the time limit ends an exploration, it is reported as
 * incomplete, and nothing else is reported of it. Wherever an item does something else
 * than before, the launch cannot be explored, which is not a finding. What a checked
 * launch reports is not silent in one that cannot be explored, or in some executions
 * only. */
#include "explored.h"

enum { LIMIT_MS = 50, ITEMS = 2 };

/* The limit is reached in each start of an item in turn. Most of these only repeat what
 * the item has done before, to bring it to a place of the tree of histories. The last
 * ones are those of the launch that follows the exploration. */
DEVICE_TEST(an_item_that_is_interrupted_has_done_nothing_else)
{
    struct weir_launch_options options = { .explore = "sycl", .time_limit_ms = 60000 };
    uint32_t n_explored = 0;
    native_may_begin = UINT32_MAX;
    for (uint32_t i = 0; i <= n_explored; i++) {
        words_args args = words_new(device);
        struct weir_report *report;
        native_n_begun = 0;
        ck_assert(weir_launch_sized_with(device, &increment_twice_or_stay,
                                         weir_nd_range_1d(ITEMS, 1), &args,
                                         sizeof(args), &options, &report, NULL));
        const struct weir_exploration *found = weir_report_exploration(report);
        ck_assert_msg(found->refused == NULL, "%u may begin: %s", native_may_begin,
                      found->refused);
        ck_assert_msg(weir_report_n_defects(report) == 0, "%u may begin: %s",
                      native_may_begin, weir_report_finding(report, 0)->message);
        if (i == 0) {
            ck_assert(found->complete);
            ck_assert_uint_eq(found->executions, 6);
            n_explored = native_n_begun - ITEMS;
            options.time_limit_ms = LIMIT_MS;
        } else {
            ck_assert_msg(!found->complete, "%u of %u may begin", native_may_begin,
                          n_explored);
        }
        native_may_begin = i;
        weir_report_free(report);
    }
    ck_assert_uint_gt(n_explored, 6);
}

/* From each operation of an item on in turn, items return where they had one. */
DEVICE_TEST(an_item_that_does_something_else_has_no_fault)
{
    struct weir_launch_options options = { .explore = "sycl" };
    uint32_t n_refused = 0, n_operations = UINT32_MAX;
    for (uint32_t i = 0; i < n_operations; i++) {
        words_args args = words_new(device);
        struct weir_report *report;
        native_n_begun = 0;
        native_may_begin = i == 0 ? UINT32_MAX : i;
        ck_assert(weir_launch_sized_with(device, &increment_or_return,
                                         weir_nd_range_1d(ITEMS, 1), &args,
                                         sizeof(args), &options, &report, NULL));
        n_operations = i == 0 ? native_n_begun : n_operations;
        n_refused += weir_report_exploration(report)->refused != NULL;
        ck_assert_msg(weir_report_n_findings(report) == 0, "%u may begin: %s", i,
                      weir_report_finding(report, 0)->message);
        weir_report_free(report);
    }
    ck_assert_uint_gt(n_refused, 0);
}

static struct weir_report *explore_with(struct weir_device *device,
                                        const struct weir_kernel *kernel,
                                        struct weir_nd_range range, const uint32_t y[2])
{
    words_args args = words_new(device);
    struct weir_launch_options options = { .explore = "sycl" };
    struct weir_report *report;
    memcpy(args.y, y, 2 * sizeof(*y));
    ck_assert(weir_launch_sized_with(device, kernel, range, &args, sizeof(args),
                                     &options, &report, NULL));
    return report;
}

DEVICE_TEST(a_launch_that_cannot_be_explored_is_checked)
{
    struct weir_nd_range range = weir_nd_range_1d(4, 4);
    struct weir_report *report = explore_with(device, &atomics_of_two_sizes, range,
                                              (const uint32_t[]){ 0, 0 });
    ck_assert_ptr_nonnull(weir_report_exploration(report)->refused);
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    ck_assert_int_eq(weir_report_finding(report, 0)->kind, WEIR_FINDING_DATA_RACE);
    weir_report_free(report);
    report = explore_with(device, &atomics_of_two_sizes, range,
                          (const uint32_t[]){ 1, 0 });
    ck_assert_ptr_nonnull(weir_report_exploration(report)->refused);
    ck_assert_uint_eq(weir_report_n_findings(report), 0);
    weir_report_free(report);
}

DEVICE_TEST(a_source_that_some_executions_lack_is_reported)
{
    struct weir_nd_range range = weir_nd_range_1d(8, 4);
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (uint32_t by = 3; by <= 4; by++) {
            struct weir_report *report = explore_with(
                device, &moves_of_the_second, range, (const uint32_t[]){ kind, by });
            ck_assert(weir_report_exploration(report)->complete);
            ck_assert_uint_eq(weir_report_exploration(report)->executions, 2);
            ck_assert_uint_eq(weir_report_n_findings(report), by - 3);
            if (by == 4) {
                ck_assert_int_eq(weir_report_finding(report, 0)->kind,
                                 WEIR_FINDING_UNSUPPORTED);
            }
            weir_report_free(report);
        }
    }
}

MAIN("native-limits")
