/* SPDX-License-Identifier: MIT
 *
 * check_native_limits.c: wherever the time limit ends an exploration, it is reported as
 * incomplete, and nothing else is reported of it. Wherever an item does something else
 * than before, the launch cannot be explored, and that is no finding. */
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

MAIN("native-limits")
