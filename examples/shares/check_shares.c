/* SPDX-License-Identifier: MIT: a unit test; see docs/tutorial/more-tests.md. */
#include "shares.h"

#include <check.h>
#include <stdlib.h>

enum { N = 32, SEEDS = 20 };

/* No item reads the sum before it is complete. */
START_TEST(shares_are_right_and_do_not_race)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *in = weir_new(device, int32_t, N, "in");
    int32_t *out = weir_new(device, int32_t, N, "out");
    for (int i = 0; i < N; i++) {
        in[i] = 1;
    }
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = _i == 0 ? "in-order" : _i == 1 ? "reverse" : "random";
    options.seed = (uint64_t)_i;
    options.check = true;
    struct weir_report *report = NULL;
    ck_assert(weir_launch_with(device, &shares, weir_nd_range_1d(N, GROUP),
                               (&(shares_args){ in, out }), &options, &report, NULL));
    char *text = weir_report_to_text(report);
    ck_assert_msg(weir_report_n_defects(report) == 0, "seed %d:\n%s", _i, text);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(out[i], 1000 / GROUP);
    }
    g_free(text);
    weir_report_free(report);
    weir_device_free(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shares");
    TCase *tcase = tcase_create("schedules");
    tcase_add_loop_test(tcase, shares_are_right_and_do_not_race, 0, SEEDS);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
