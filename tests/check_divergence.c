/* SPDX-License-Identifier: MIT
 *
 * check_divergence.c: a barrier or collective that a part of the items reaches
 * is found and never hangs, the finding says who is where, and other groups go
 * on. Every wrong kernel here has a neighbour that differs as little as
 * possible, is right, and draws nothing. */
#include "support.h"

typedef struct {
    int32_t *out;
    size_t n;
    size_t parameter;
} out_args;

/* Lines of the calls, as the kernels mark them. */
static _Atomic uint32_t line_a, line_b;

/* What a party waiting at one of our lines must look like. */
static void expect_waiting(const struct weir_finding *finding, const char *items,
                           uint32_t line, const char *operation)
{
    const struct weir_party *party = party_of(finding, items);
    ck_assert_int_eq(party->state, WEIR_STATE_WAITING);
    ck_assert_ptr_nonnull(party->file);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line);
    ck_assert_ptr_nonnull(party->operation);
    ck_assert_str_eq(party->operation, operation);
}

static void expect_returned(const struct weir_finding *finding, const char *items)
{
    const struct weir_party *party = party_of(finding, items);
    ck_assert_int_eq(party->state, WEIR_STATE_RETURNED);
}

static const struct weir_finding *only_divergence(const struct weir_report *report,
                                                  const struct weir_kernel *kernel)
{
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, kernel->name);
    expect_contains(finding->message, "barrier divergence");
    return finding;
}

/* The tail of the last group returns before the barrier. */
WEIR_KERNEL(guarded_barrier, out_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid >= args->n) {
        return;
    }
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    scratch[weir_local_id(item, 0)] = (int32_t)gid;
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[gid] = scratch[weir_local_id(item, 0) ^ 1];
}

CASE("divergence");

WORKERS_TEST(barrier_names_the_items_that_returned_early)
{
    int32_t *out = weir_new(device, int32_t, 40, "out");
    memset(out, 0xff, 40 * sizeof(*out));
    struct weir_report *report
        = LAUNCH(device, &guarded_barrier, weir_nd_range_1d(40, 8),
                 (&(out_args){ out, 37, 0 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_divergence(report, &guarded_barrier);
    ck_assert_uint_eq(finding->count, 1);
    ck_assert_uint_eq(finding->n_parties, 2);
    expect_waiting(finding, "0-4", line_of(&line_a), "weir_barrier");
    expect_returned(finding, "5-7");
    EXPECT_COORDINATES(finding->parties[0].group, 4, 0, 0);
    EXPECT_COORDINATES(party_of(finding, "0-4")->item, 0, 0, 0);
    EXPECT_COORDINATES(party_of(finding, "5-7")->item, 5, 0, 0);
    expect_contains(finding->message, "group (4,0,0)");
    expect_contains(finding->message, "5 of 8 items");
    weir_report_free(report);
    for (size_t i = 0; i < 32; i++) { /* the other groups are right */
        EXPECT_ELEMENT(out, i, i ^ 1);
    }
    for (size_t i = 32; i < 40; i++) { /* nobody got past that barrier */
        EXPECT_ELEMENT(out, i, -1);
    }
}

WORKERS_TEST(an_early_return_that_no_item_takes_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 40, "out");
    LAUNCH_SILENT(device, &guarded_barrier, weir_nd_range_1d(40, 8),
                  (&(out_args){ out, 40, 0 }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 40, i ^ 1);
    LAUNCH_SILENT(device, &guarded_barrier, weir_nd_range_1d(40, 8),
                  (&(out_args){ out, 32, 0 }), WITH_WORKERS(workers));
}

/* The parameter is the group where items part; elsewhere all take one arm. */
WEIR_KERNEL(barrier_in_both_arms, out_args)
{
    bool here = weir_group_id(item, 0) == args->parameter;
    if (here && weir_local_id(item, 0) % 2 == 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

WORKERS_TEST(a_barrier_in_each_arm_of_a_branch_is_two_barriers)
{
    int32_t *out = weir_new(device, int32_t, 48, "out");
    memset(out, 0, 48 * sizeof(*out));
    struct weir_report *report
        = LAUNCH(device, &barrier_in_both_arms, weir_nd_range_1d(48, 8),
                 (&(out_args){ out, 48, 2 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_divergence(report, &barrier_in_both_arms);
    ck_assert_uint_eq(finding->n_parties, 2);
    expect_waiting(finding, "0,2,4,6", line_of(&line_b), "weir_barrier");
    expect_waiting(finding, "1,3,5,7", line_of(&line_a), "weir_barrier");
    ck_assert_uint_ne(line_of(&line_a), line_of(&line_b));
    EXPECT_COORDINATES(finding->parties[0].group, 2, 0, 0);
    EXPECT_COORDINATES(finding->parties[1].group, 2, 0, 0);
    weir_report_free(report);
    EXPECT_ELEMENTS(out, i, 48, i / 8 != 2);
}

WORKERS_TEST(a_barrier_in_each_arm_of_a_uniform_branch_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 48, "out");
    LAUNCH_SILENT(device, &barrier_in_both_arms, weir_nd_range_1d(48, 8),
                  (&(out_args){ out, 48, SIZE_MAX }), WITH_WORKERS(workers));
    LAUNCH_SILENT(device, &barrier_in_both_arms, weir_nd_range_1d(48, 1),
                  (&(out_args){ out, 48, 2 }), WITH_WORKERS(workers));
}

/* A tree whose barrier slipped into the guard. */
WEIR_KERNEL(barrier_inside_the_guard, out_args)
{
    size_t lid = weir_local_id(item, 0);
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        if (lid < stride) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
    }
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(barrier_beside_the_guard, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t worked = 0;
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            worked = 1;
        }
    }
    args->out[weir_global_id(item, 0)] = worked;
}

WORKERS_TEST(a_barrier_inside_the_guard_of_a_tree_is_found)
{
    int32_t *out = weir_new(device, int32_t, 32, "out");
    struct weir_report *report
        = LAUNCH(device, &barrier_inside_the_guard, weir_nd_range_1d(32, 16),
                 (&(out_args){ out, 32, 0 }), WITH_WORKERS(workers));
    const struct weir_finding *finding
        = only_divergence(report, &barrier_inside_the_guard);
    ck_assert_uint_eq(finding->count, 2); /* both groups */
    expect_waiting(finding, "0-7", line_of(&line_a), "weir_barrier");
    expect_returned(finding, "8-15");
    EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
    weir_report_free(report);
    LAUNCH_SILENT(device, &barrier_beside_the_guard, weir_nd_range_1d(32, 16),
                  (&(out_args){ out, 32, 0 }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 32, i % 16 < 8);
}

/* Each item waits once more than the one before it. */
WEIR_KERNEL(trip_count_by_item, out_args)
{
    size_t turns
        = weir_group_id(item, 0) == args->parameter ? weir_local_id(item, 0) : 3;
    for (size_t round = 0; round <= turns; round++) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = (int32_t)turns;
}

WORKERS_TEST(a_trip_count_that_depends_on_the_item_is_found)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    memset(out, 0xff, 24 * sizeof(*out));
    struct weir_report *report
        = LAUNCH(device, &trip_count_by_item, weir_nd_range_1d(24, 6),
                 (&(out_args){ out, 24, 1 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_divergence(report, &trip_count_by_item);
    /* All met once; then item 0 was through and the others came again. */
    expect_waiting(finding, "1-5", line_of(&line_a), "weir_barrier");
    expect_returned(finding, "0");
    ck_assert_uint_eq(party_of(finding, "1-5")->phase, 1);
    expect_contains(finding->message, "phase 1");
    weir_report_free(report);
    for (size_t i = 0; i < 24; i++) {
        if (i / 6 != 1) {
            EXPECT_ELEMENT(out, i, 3);
        }
    }
    LAUNCH_SILENT(device, &trip_count_by_item, weir_nd_range_1d(24, 6),
                  (&(out_args){ out, 24, SIZE_MAX }), WITH_WORKERS(workers));
}

WEIR_KERNEL(return_after_two_barriers, out_args)
{
    weir_barrier(item, WEIR_LOCAL);
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 3) {
        return;
    }
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[weir_global_id(item, 0)] = 1;
}

CASE("findings");

DEVICE_TEST(a_party_tells_how_many_rendezvous_it_has_passed)
{
    int32_t *out = weir_new(device, int32_t, 8, "out");
    struct weir_report *report
        = LAUNCH(device, &return_after_two_barriers, weir_nd_range_1d(8, 8),
                 (&(out_args){ out, 8, 0 }), NULL);
    const struct weir_finding *finding
        = only_divergence(report, &return_after_two_barriers);
    expect_waiting(finding, "0-2,4-7", line_of(&line_a), "weir_barrier");
    expect_returned(finding, "3");
    ck_assert_uint_eq(party_of(finding, "0-2,4-7")->phase, 2);
    ck_assert_uint_eq(party_of(finding, "3")->phase, 2);
    weir_report_free(report);
}

WEIR_KERNEL(flags_by_item, out_args)
{
    bool other = args->parameter != 0 && weir_local_id(item, 0) >= 6;
    MARK(line_a, weir_barrier(item, other ? WEIR_GLOBAL : WEIR_LOCAL));
    args->out[weir_global_id(item, 0)] = 1;
}

CASE("divergence");

DEVICE_TEST(flags_that_differ_between_items_are_found)
{
    int32_t *out = weir_new(device, int32_t, 8, "out");
    struct weir_report *report = LAUNCH(device, &flags_by_item, weir_nd_range_1d(8, 8),
                                        (&(out_args){ out, 8, 1 }), NULL);
    const struct weir_finding *finding = only_divergence(report, &flags_by_item);
    expect_waiting(finding, "0-5", line_of(&line_a), "weir_barrier");
    expect_waiting(finding, "6-7", line_of(&line_a), "weir_barrier");
    expect_contains(finding->message, "arguments differ");
    weir_report_free(report);
    LAUNCH_SILENT(device, &flags_by_item, weir_nd_range_1d(8, 8),
                  (&(out_args){ out, 8, 0 }), NULL);
}

WEIR_KERNEL(scope_by_item, out_args)
{
    bool wide = args->parameter != 0 && weir_local_id(item, 0) == 0;
    memory_scope scope = wide ? memory_scope_device : memory_scope_work_group;
    MARK(line_a, weir_group_barrier_scope(item, scope));
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(scopes_that_differ_between_items_are_found)
{
    int32_t *out = weir_new(device, int32_t, 8, "out");
    struct weir_report *report = LAUNCH(device, &scope_by_item, weir_nd_range_1d(8, 8),
                                        (&(out_args){ out, 8, 1 }), NULL);
    const struct weir_finding *finding = only_divergence(report, &scope_by_item);
    ck_assert_int_eq(party_of(finding, "0")->state, WEIR_STATE_WAITING);
    ck_assert_int_eq(party_of(finding, "1-7")->state, WEIR_STATE_WAITING);
    ck_assert_uint_eq(party_of(finding, "1-7")->line, line_of(&line_a));
    weir_report_free(report);
    LAUNCH_SILENT(device, &scope_by_item, weir_nd_range_1d(8, 8),
                  (&(out_args){ out, 8, 0 }), NULL);
}

WEIR_KERNEL(barrier_or_reduce, out_args)
{
    int32_t sum = 0;
    if (weir_local_id(item, 0) < args->parameter) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL));
    } else {
        sum = MARK(line_b, weir_group_reduce_add(item, 1));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

WORKERS_TEST(a_barrier_does_not_meet_a_reduction)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    struct weir_report *report
        = LAUNCH(device, &barrier_or_reduce, weir_nd_range_1d(24, 8),
                 (&(out_args){ out, 24, 3 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_divergence(report, &barrier_or_reduce);
    ck_assert_uint_eq(finding->count, 3);
    expect_waiting(finding, "0-2", line_of(&line_a), "weir_barrier");
    expect_waiting(finding, "3-7", line_of(&line_b), "weir_group_reduce_add");
    weir_report_free(report);
    LAUNCH_SILENT(device, &barrier_or_reduce, weir_nd_range_1d(24, 8),
                  (&(out_args){ out, 24, 0 }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 24, 8);
    LAUNCH_SILENT(device, &barrier_or_reduce, weir_nd_range_1d(24, 8),
                  (&(out_args){ out, 24, 8 }), WITH_WORKERS(workers));
}

/* Sub-groups of 8: the second one is where only some take part. */
WEIR_KERNEL(part_of_a_sub_group, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t sum = -1;
    if (lid < 8 || lid >= 8 + args->parameter) {
        sum = MARK(line_a, weir_sub_group_reduce_add(item, (int32_t)lid));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

static const struct weir_launch_options sub_groups_of_8
    = { .workers = 1, .sub_group_size = 8 };

DEVICE_TEST(a_sub_group_operation_that_a_part_reaches_is_found)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    struct weir_report *report
        = LAUNCH(device, &part_of_a_sub_group, weir_nd_range_1d(24, 24),
                 (&(out_args){ out, 24, 3 }), &sub_groups_of_8);
    const struct weir_finding *finding = only_divergence(report, &part_of_a_sub_group);
    const struct weir_party *waiting = party_of(finding, "11-15");
    ck_assert_int_eq(waiting->state, WEIR_STATE_WAITING);
    ck_assert_uint_eq(waiting->line, line_of(&line_a));
    ck_assert_str_eq(waiting->operation, "weir_sub_group_reduce_add");
    expect_contains(finding->message, "sub-group 1");
    expect_contains(finding->message, "5 of 8");
    weir_report_free(report);
}

DEVICE_TEST(a_sub_group_operation_that_whole_sub_groups_skip_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    LAUNCH_SILENT(device, &part_of_a_sub_group, weir_nd_range_1d(24, 24),
                  (&(out_args){ out, 24, 8 }), &sub_groups_of_8);
    for (size_t i = 0; i < 24; i++) {
        int expected = i < 8 ? 28 : i < 16 ? -1 : 156;
        EXPECT_ELEMENT(out, i, expected);
    }
    LAUNCH_SILENT(device, &part_of_a_sub_group, weir_nd_range_1d(24, 24),
                  (&(out_args){ out, 24, 0 }), &sub_groups_of_8);
    EXPECT_ELEMENT(out, 8, 92);
}

/* Half of each sub-group waits for the sub-group, half for the group. */
WEIR_KERNEL(sub_group_against_group, out_args)
{
    if (weir_local_id(item, 0) % 8 < args->parameter) {
        MARK(line_a, weir_sub_group_barrier(item));
    } else {
        MARK(line_b, weir_group_barrier(item));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(a_sub_group_barrier_does_not_meet_a_group_barrier)
{
    int32_t *out = weir_new(device, int32_t, 16, "out");
    struct weir_report *report
        = LAUNCH(device, &sub_group_against_group, weir_nd_range_1d(16, 16),
                 (&(out_args){ out, 16, 5 }), &sub_groups_of_8);
    const struct weir_finding *finding
        = only_divergence(report, &sub_group_against_group);
    expect_waiting(finding, "0-4,8-12", line_of(&line_a), "weir_sub_group_barrier");
    expect_waiting(finding, "5-7,13-15", line_of(&line_b), "weir_barrier");
    weir_report_free(report);
    LAUNCH_SILENT(device, &sub_group_against_group, weir_nd_range_1d(16, 16),
                  (&(out_args){ out, 16, 8 }), &sub_groups_of_8);
    LAUNCH_SILENT(device, &sub_group_against_group, weir_nd_range_1d(16, 16),
                  (&(out_args){ out, 16, 0 }), &sub_groups_of_8);
}

WEIR_GROUP_KERNEL(barrier_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        if (args->parameter != 0 && weir_local_id(item, 0) == 2) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
        args->out[weir_global_id(item, 0)] = 1;
    }
}

WEIR_GROUP_KERNEL(collective_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        int32_t sum = 0;
        if (args->parameter != 0) {
            sum = MARK(line_b, weir_group_reduce_add(item, 1));
        }
        args->out[weir_global_id(item, 0)] = sum;
    }
}

WEIR_GROUP_KERNEL(sub_group_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        int32_t sum = 0;
        if (args->parameter != 0) {
            sum = MARK(line_b, weir_sub_group_shuffle(item, 1, 0));
        }
        args->out[weir_global_id(item, 0)] = sum;
    }
}

WORKERS_TEST(a_barrier_or_collective_inside_the_items_loop_is_found)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    struct weir_report *report
        = LAUNCH(device, &barrier_inside_the_loop, weir_nd_range_1d(24, 8),
                 (&(out_args){ out, 24, 1 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_finding(
        report, WEIR_FINDING_BARRIER_DIVERGENCE, "barrier_inside_the_loop");
    ck_assert_uint_eq(finding->count, 3);
    expect_contains(finding->message, "weir_for_each_item");
    const struct weir_party *party = party_of(finding, "2");
    ck_assert_uint_eq(party->line, line_of(&line_a));
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_str_eq(party->operation, "weir_barrier");
    EXPECT_COORDINATES(party->item, 2, 0, 0);
    weir_report_free(report);

    report = LAUNCH(device, &collective_inside_the_loop, weir_nd_range_1d(24, 8),
                    (&(out_args){ out, 24, 1 }), WITH_WORKERS(workers));
    finding = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE,
                           "collective_inside_the_loop");
    ck_assert_uint_eq(party_of(finding, "0")->line, line_of(&line_b));
    weir_report_free(report);

    report = LAUNCH(device, &sub_group_inside_the_loop, weir_nd_range_1d(24, 8),
                    (&(out_args){ out, 24, 1 }), WITH_WORKERS(workers));
    only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "sub_group_inside_the_loop");
    weir_report_free(report);

    LAUNCH_SILENT(device, &barrier_inside_the_loop, weir_nd_range_1d(24, 8),
                  (&(out_args){ out, 24, 0 }), WITH_WORKERS(workers));
    LAUNCH_SILENT(device, &collective_inside_the_loop, weir_nd_range_1d(24, 8),
                  (&(out_args){ out, 24, 0 }), WITH_WORKERS(workers));
    LAUNCH_SILENT(device, &sub_group_inside_the_loop, weir_nd_range_1d(24, 8),
                  (&(out_args){ out, 24, 0 }), WITH_WORKERS(workers));
}

/* ---- What a finding counts and how it names places ----------------------- */

CASE("findings");

DEVICE_TEST(a_divergence_of_many_groups_is_one_finding_of_the_first)
{
    int32_t *out = weir_new(device, int32_t, 8 * 200, "out");
    char *first_text = NULL;
    for (size_t round = 0; round < scaled(20, 3); round++) {
        struct weir_report *report
            = LAUNCH(device, &barrier_inside_the_guard, weir_nd_range_1d(8 * 200, 8),
                     (&(out_args){ out, 0, 0 }), WITH_WORKERS(1 + round % 5));
        const struct weir_finding *finding
            = only_divergence(report, &barrier_inside_the_guard);
        ck_assert_uint_eq(finding->count, 200);
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        char *text = weir_report_to_text(report);
        if (first_text == NULL) {
            first_text = g_strdup(text);
        }
        ck_assert_str_eq(text, first_text);
        g_free(text);
        weir_report_free(report);
    }
    g_free(first_text);
}

WEIR_KERNEL(one_row_waits, out_args)
{
    if (weir_local_id(item, 1) == 2) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_linear_id(item)] = 1;
}

DEVICE_TEST(parties_have_coordinates_in_three_dimensions)
{
    int32_t *out = weir_new(device, int32_t, 2 * 3 * 2 * 2, "out");
    struct weir_report *report
        = LAUNCH(device, &one_row_waits, weir_nd_range_3d(4, 3, 2, 2, 3, 2),
                 (&(out_args){ out, 0, 0 }), NULL);
    const struct weir_finding *finding = only_divergence(report, &one_row_waits);
    ck_assert_uint_eq(finding->count, 2);
    /* linear ids (x * 3 + y) * 2 + z with y = 2 */
    expect_waiting(finding, "4-5,10-11", line_of(&line_a), "weir_barrier");
    expect_returned(finding, "0-3,6-9");
    EXPECT_COORDINATES(party_of(finding, "4-5,10-11")->item, 0, 2, 0);
    weir_report_free(report);
}

WEIR_KERNEL(three_places, out_args)
{
    switch (weir_local_id(item, 0) % 4) {
    case 0:
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        break;
    case 1:
        MARK(line_b, weir_barrier(item, WEIR_GLOBAL));
        break;
    case 2:
        (void)weir_group_any(item, true);
        break;
    default:
        break;
    }
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(every_place_where_items_are_is_a_party)
{
    int32_t *out = weir_new(device, int32_t, 12, "out");
    struct weir_report *report = LAUNCH(device, &three_places, weir_nd_range_1d(12, 12),
                                        (&(out_args){ out, 0, 0 }), NULL);
    const struct weir_finding *finding = only_divergence(report, &three_places);
    ck_assert_uint_eq(finding->n_parties, 4);
    expect_waiting(finding, "0,4,8", line_of(&line_a), "weir_barrier");
    expect_waiting(finding, "1,5,9", line_of(&line_b), "weir_barrier");
    ck_assert_str_eq(party_of(finding, "2,6,10")->operation, "weir_group_any");
    expect_returned(finding, "3,7,11");
    weir_report_free(report);
}

WEIR_KERNEL(read_neighbour, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)weir_global_id(item, 0);
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % local];
}

/* Stacks and gates of a group that was ended serve the groups that follow. */
DEVICE_TEST(after_many_divergences_the_next_launch_is_right)
{
    int32_t *out = weir_new(device, int32_t, 1024 * 4, "out");
    const size_t local_sizes[] = { 2, 3, 8, 17, 64, 100, 256, 511, 1024 };
    for (size_t round = 0; round < scaled(100, 4); round++) {
        size_t local = local_sizes[round % G_N_ELEMENTS(local_sizes)];
        const struct weir_launch_options *options = WITH_WORKERS(1 + round % 2);
        struct weir_report *report
            = LAUNCH(device, &trip_count_by_item, weir_nd_range_1d(local * 4, local),
                     (&(out_args){ out, 0, round % 4 }), options);
        only_divergence(report, &trip_count_by_item);
        weir_report_free(report);
        LAUNCH_SILENT(device, &read_neighbour, weir_nd_range_1d(local * 4, local),
                      (&(out_args){ out, 0, 0 }), options);
        for (size_t i = 0; i < local * 4; i++) {
            EXPECT_ELEMENT(out, i, i / local * local + (i % local + 1) % local);
        }
    }
}

MAIN("divergence")
