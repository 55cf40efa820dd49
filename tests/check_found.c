/* SPDX-License-Identifier: MIT
 *
 * check_found.c: barrier divergence is found under every schedule, in groups of any
 * size, and reported with its form, its parties and their lines; the same kernels are
 * silent where no item parts. Divergence by the way to a barrier is check_paths.c's. */
#include "found.h"

/* ---- Forms: items that have returned ------------------------------------- */

CASE("forms");

/* expect: exited item: the upper half never reaches the barrier of the lower */
WEIR_KERNEL(barrier_in_the_guard, found_args)
{
    size_t lid = weir_local_id(item, 0), half = weir_local_size(item, 0) / 2;
    if (!PARTS(item, args) || lid < half) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

/* expect: exited item: the tree's last rounds, whose barrier is in its guard */
WEIR_KERNEL(tree_with_its_barrier_in_the_guard, found_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    for (size_t stride = local / 2; stride > 0; stride /= 2) {
        bool works = lid < stride;
        if (works || !PARTS(item, args)) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
    }
    THROUGH(item, args);
}

TEST_EACH(a_barrier_behind_a_guard_waits_for_items_that_exited, N_ORDERS)
{
    FOUND(barrier_in_the_guard, "exited item",
          PARTIES(WAIT(lower_half, "weir_barrier", &line_a), RETURNED(upper_half)));
    FOUND(tree_with_its_barrier_in_the_guard, "exited item",
          PARTIES(WAIT(lower_half, "weir_barrier", &line_a), RETURNED(upper_half)));
}

/* expect: exited item: the last one, which has no work, after two common barriers */
WEIR_KERNEL(return_before_the_third_barrier, found_args)
{
    weir_barrier(item, WEIR_LOCAL);
    MARK(line_b, weir_barrier(item, WEIR_GLOBAL));
    if (PARTS(item, args) && weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
        return;
    }
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    THROUGH(item, args);
}

TEST_EACH(an_early_return_names_where_the_items_parted, N_ORDERS)
{
    FOUND(return_before_the_third_barrier, "exited item",
          PARTIES(WAIT(all_but_last, "weir_barrier", &line_a, .phase = 2),
                  RETURNED(last, .phase = 2)),
          .parted = &line_b);
}

/* expect: exited item: the tail of a range that the group size does not divide */
WEIR_KERNEL(return_past_the_end, found_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid >= args->n) {
        return;
    }
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    scratch[weir_local_id(item, 0)] = (int32_t)gid;
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[gid] = scratch[0] == (int32_t)(gid - weir_local_id(item, 0));
}

DEVICE_TEST_EACH(a_guard_by_the_range_is_found_where_the_size_does_not_divide, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t s = 0; s < n_sizes(); s++) {
        size_t local = sizes[s], n = GROUPS * local;
        found_args args = found_args_new(device, n);
        args.n = n - 1;
        struct weir_report *report
            = LAUNCH(device, &return_past_the_end, weir_nd_range_1d(n, local), &args,
                     UNDER(order));
        const struct weir_finding *finding = only_finding(
            report, WEIR_FINDING_BARRIER_DIVERGENCE, "return_past_the_end");
        ck_assert_str_eq(finding->form, "exited item");
        expect_contains(finding->message, "group (2,0,0)");
        char *waiting = ranges_of(all_but_last, local), *gone = ranges_of(last, local);
        ck_assert_int_eq(party_of(finding, waiting)->state, WEIR_STATE_WAITING);
        ck_assert_uint_eq(party_of(finding, waiting)->line, line_of(&line_a));
        ck_assert_int_eq(party_of(finding, gone)->state, WEIR_STATE_RETURNED);
        EXPECT_COORDINATES(party_of(finding, gone)->group, 2, 0, 0);
        g_free(waiting);
        g_free(gone);
        weir_report_free(report);

        for (size_t groups = 2; groups <= GROUPS; groups++) { /* it divides */
            args.n = groups * local;
            memset(args.out, 0, n * sizeof(*args.out));
            expect_quiet(LAUNCH(device, &return_past_the_end,
                                weir_nd_range_1d(n, local), &args, UNDER(order)),
                         &return_past_the_end, order, local);
            EXPECT_ELEMENTS(args.out, i, n, i < args.n);
        }
        weir_free(device, args.out);
        weir_free(device, (void *)args.data);
    }
}

/* expect: exited item: the first item is not at the sum of its sub-group */
WEIR_KERNEL(part_of_a_sub_group, found_args)
{
    if (!PARTS(item, args) || weir_local_id(item, 0) != 0) {
        (void)MARK(line_a, weir_sub_group_reduce_add(item, 1));
    }
    THROUGH(item, args);
}

/* The first sub-group alone is concerned: where there are others, their items have
 * returned too, but no item waits for them. */
TEST_EACH(a_part_of_a_sub_group_waits_for_the_rest_of_it, N_ORDERS)
{
    FOUND(part_of_a_sub_group, "exited item",
          PARTIES(WAIT(first_eight_but_first, "weir_sub_group_reduce_add", &line_a),
                  RETURNED(first)),
          .sub_group_size = 8);
}

/* ---- Forms: the same site, other phases ---------------------------------- */

/* expect: different phase: all meet once, then the first is through */
WEIR_KERNEL(trip_count_by_item, found_args)
{
    size_t turns = PARTS(item, args) ? weir_local_id(item, 0) : 3;
    for (size_t turn = 0; turn <= turns; turn++) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

/* expect: different phase: the last item breaks out in its third round */
WEIR_KERNEL(break_by_item, found_args)
{
    for (size_t turn = 0; turn < 5; turn++) {
        if (PARTS(item, args) && turn == 2
            && weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
            break;
        }
        (void)MARK(line_a, weir_group_any(item, true));
    }
    THROUGH(item, args);
}

TEST_EACH(a_trip_count_by_item_is_a_difference_of_phases, N_ORDERS)
{
    FOUND(trip_count_by_item, "different phase",
          PARTIES(WAIT(all_but_first, "weir_barrier", &line_a, .phase = 1),
                  RETURNED(first, .phase = 1)),
          .parted = &line_a);
    FOUND(break_by_item, "different phase",
          PARTIES(WAIT(all_but_last, "weir_group_any", &line_a, .phase = 2),
                  RETURNED(last, .phase = 2)),
          .parted = &line_a);
}

/* ---- Forms: other barriers ----------------------------------------------- */

/* expect: different barrier: one in each arm of a branch */
WEIR_KERNEL(barrier_in_both_arms, found_args)
{
    size_t half = PARTS(item, args) ? weir_local_size(item, 0) / 2 : 0;
    if (weir_local_id(item, 0) < half) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

/* expect: different barrier: the guard's, and the one after it */
WEIR_KERNEL(guarded_barrier_before_another, found_args)
{
    weir_barrier(item, WEIR_LOCAL);
    if (!PARTS(item, args) || weir_local_id(item, 0) % 2 == 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    THROUGH(item, args);
}

TEST_EACH(a_barrier_in_each_arm_is_two_different_barriers, N_ORDERS)
{
    FOUND(barrier_in_both_arms, "different barrier",
          PARTIES(WAIT(lower_half, "weir_barrier", &line_a),
                  WAIT(upper_half, "weir_barrier", &line_b)));
    FOUND(guarded_barrier_before_another, "different barrier",
          PARTIES(WAIT(odd, "weir_barrier", &line_a, .phase = 1),
                  WAIT(even, "weir_barrier", &line_b, .phase = 1)));
}

/* expect: different kind: a barrier against a sum */
WEIR_KERNEL(barrier_against_reduce, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) % 2 == 0) {
        MARK(line_a, weir_group_barrier(item));
    } else {
        (void)MARK(line_b, weir_group_reduce_add(item, 1));
    }
    THROUGH(item, args);
}

TEST_EACH(a_barrier_against_a_reduction_is_a_difference_of_kinds, N_ORDERS)
{
    FOUND(barrier_against_reduce, "different kind",
          PARTIES(WAIT(even, "weir_barrier", &line_a),
                  WAIT(odd, "weir_group_reduce_add", &line_b)));
}

/* expect: different arguments: the memories that one barrier orders */
WEIR_KERNEL(flags_by_item, found_args)
{
    bool other = PARTS(item, args) && weir_local_id(item, 0) == 0;
    MARK(line_a, weir_barrier(item, other ? WEIR_GLOBAL : WEIR_LOCAL));
    THROUGH(item, args);
}

/* expect: different arguments: the scope of one barrier */
WEIR_KERNEL(scope_by_item, found_args)
{
    bool wide = PARTS(item, args) && weir_local_id(item, 0) % 2 == 1;
    memory_scope scope = wide ? memory_scope_device : memory_scope_work_group;
    MARK(line_a, weir_group_barrier_scope(item, scope));
    THROUGH(item, args);
}

/* expect: different arguments: the item whose value is handed to all */
WEIR_KERNEL(source_by_item, found_args)
{
    size_t source = PARTS(item, args) && weir_local_id(item, 0) == 0;
    (void)MARK(line_a, weir_group_broadcast(item, 7, source));
    THROUGH(item, args);
}

TEST_EACH(flags_scopes_and_sources_by_item_are_different_arguments, N_ORDERS)
{
    FOUND(flags_by_item, "different arguments",
          PARTIES(WAIT(first, "weir_barrier", &line_a),
                  WAIT(all_but_first, "weir_barrier", &line_a)));
    FOUND(scope_by_item, "different arguments",
          PARTIES(WAIT(even, "weir_barrier", &line_a),
                  WAIT(odd, "weir_barrier", &line_a)));
    FOUND(source_by_item, "different arguments",
          PARTIES(WAIT(first, "weir_group_broadcast", &line_a),
                  WAIT(all_but_first, "weir_group_broadcast", &line_a)));
}

/* ---- Many groups --------------------------------------------------------- */

CASE("groups");

/* All groups but the first two are wrong. */
WEIR_KERNEL(most_groups_part, found_args)
{
    if (weir_group_id(item, 0) < 2 || weir_local_id(item, 0) != 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(a_divergence_of_many_groups_is_reported_once, N_ORDERS)
{
    const struct order *order = &orders[_i];
    enum { N_GROUPS = 50 };
    found_args args = found_args_new(device, N_GROUPS * 4);
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &most_groups_part,
                         weir_nd_range_1d(N_GROUPS * 4, 4), &args, UNDER(order));
    ck_assert_str_eq(finding->form, "exited item");
    ck_assert_uint_eq(finding->count, N_GROUPS - 2);
    expect_contains(finding->message, "group (2,0,0)");
    ck_assert_int_eq(party_of(finding, "0,2-3")->state, WEIR_STATE_WAITING);
    ck_assert_int_eq(party_of(finding, "1")->state, WEIR_STATE_RETURNED);
    EXPECT_COORDINATES(finding->parties[0].group, 2, 0, 0);
}

/* ---- The branch barrier of the books ------------------------------------- */

/* expect: different barrier: items 0-4 at the first, 5 and above at the second */
WEIR_KERNEL(branch_barrier, found_args)
{
    if (weir_local_id(item, 0) < 5) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(the_branch_barrier_stalls_where_a_group_has_more_than_five_items,
                 N_ORDERS)
{
    const struct order *order = &orders[_i];
    found_args args = found_args_new(device, 16);
    g_autoptr(weir_report) report = LAUNCH(
        device, &branch_barrier, weir_nd_range_1d(16, 16), &args, UNDER(order));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "branch_barrier");
    ck_assert_str_eq(finding->form, "different barrier");
    ck_assert_uint_eq(party_of(finding, "0-4")->line, line_of(&line_a));
    ck_assert_uint_eq(party_of(finding, "5-15")->line, line_of(&line_b));
    if (g_file_test(__FILE__, G_FILE_TEST_EXISTS)) {
        const char *source = party_of(finding, "5-15")->source;
        ck_assert_ptr_nonnull(source);
        ck_assert_str_eq(source, "MARK(line_b, weir_barrier(item, WEIR_LOCAL));");
    }
    g_autofree char *text = weir_report_to_text(report);
    expect_contains(text, "branch_barrier");
    expect_contains(text, "0-4");
    expect_contains(text, "5-15");
    expect_names_line(text, __FILE__, line_of(&line_a));
    expect_names_line(text, __FILE__, line_of(&line_b));
    for (size_t local = 1; local <= 5; local++) {
        expect_right(device, &branch_barrier, order, &args, local, 3);
    }
}

/* ---- The right twins ----------------------------------------------------- */

CASE("silence");

/* All kernels that have a silent twin by their arguments. */
static const struct weir_kernel *const twins[] = {
    &barrier_in_the_guard,
    &tree_with_its_barrier_in_the_guard,
    &return_before_the_third_barrier,
    &part_of_a_sub_group,
    &trip_count_by_item,
    &break_by_item,
    &barrier_in_both_arms,
    &guarded_barrier_before_another,
    &barrier_against_reduce,
    &flags_by_item,
    &scope_by_item,
    &source_by_item,
};

TEST_EACH(a_wrong_kernel_s_right_twin_is_silent_under_any_seed, G_N_ELEMENTS(twins))
{
    expect_right_under_seeds(twins[_i]);
}

MAIN("found")
