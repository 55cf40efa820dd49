/* SPDX-License-Identifier: MIT
 *
 * check_paths.c: the ways on which items reach a barrier. One barrier in a helper
 * that is called at two places is two, under every schedule and in groups of any size;
 * and control flow that only looks as if items parted draws nothing. */
#include "found.h"

/* What follows differs from other code in the compiler's eyes: it merges the ends of
 * two arms that are alike, and a call there would have one place for both. */
#define APART(text) __asm__ volatile("# " text)

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* ---- Forms: one barrier in a helper, reached on two paths ---------------- */

static __attribute__((noinline)) void helper_out_of_line(struct weir_item *item)
{
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    APART("after the barrier: not a tail call");
}

static inline __attribute__((always_inline)) void helper_in_line(struct weir_item *item)
{
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    APART("after the barrier");
}

static __attribute__((noinline)) void helper_of_helper(struct weir_item *item)
{
    MARK(middle_a, helper_out_of_line(item));
    APART("after the helper");
}

/* expect: different path: a helper called in each arm */
WEIR_KERNEL(helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) == 0) {
        MARK(call_a, helper_out_of_line(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_out_of_line(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

CASE("paths");

TEST_EACH(a_helper_called_in_each_arm_is_two_paths, N_ORDERS)
{
    FOUND(helper_in_both_arms, "different path",
          PARTIES(WAIT(first, "weir_barrier", &line_a, .call = &call_a),
                  WAIT(all_but_first, "weir_barrier", &line_a, .call = &call_b)));
}

/* expect: different path: a helper that compilers put into each arm */
WEIR_KERNEL(inline_helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) == 0) {
        MARK(call_a, helper_in_line(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_in_line(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

TEST_EACH(an_inlined_helper_in_each_arm_is_two_paths, N_ORDERS)
{
    FOUND(inline_helper_in_both_arms, "different path",
          PARTIES(WAIT(first, "weir_barrier", &line_a, .call = &call_a),
                  WAIT(all_but_first, "weir_barrier", &line_a, .call = &call_b)));
}

/* expect: different path: the two part two calls above the barrier */
WEIR_KERNEL(deep_helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) % 2 == 0) {
        MARK(call_a, helper_of_helper(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_of_helper(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

TEST_EACH(paths_may_part_more_than_one_call_above_the_barrier, N_ORDERS)
{
    FOUND(deep_helper_in_both_arms, "different path",
          PARTIES(WAIT(even, "weir_barrier", &line_a, .call = &middle_a,
                       .next_call = &call_a),
                  WAIT(odd, "weir_barrier", &line_a, .call = &middle_a,
                       .next_call = &call_b)));
}

/* ---- What must stay silent ----------------------------------------------- */

WEIR_KERNEL(a_whole_group_returns_early, found_args)
{
    THROUGH(item, args);
    if (weir_group_id(item, 0) % 2 == 1) {
        return;
    }
    weir_barrier(item, WEIR_LOCAL);
}

WEIR_KERNEL(trip_count_by_group, found_args)
{
    for (size_t turn = 0; turn <= weir_group_id(item, 0); turn++) {
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

WEIR_KERNEL(barrier_behind_uniform_data, found_args)
{
    for (size_t i = 0; i < 4; i++) {
        if (args->data[i] != 0) {
            weir_barrier(item, WEIR_LOCAL);
        } else {
            weir_barrier(item, WEIR_GLOBAL);
        }
    }
    THROUGH(item, args);
}

/* Each item leaves in a round of its own; no item ever reaches the barrier. */
WEIR_KERNEL(leave_before_the_barrier, found_args)
{
    for (size_t turn = 0;; turn++) {
        if (turn == weir_local_id(item, 0) % 5) {
            break;
        }
        if (args->data[1] != 0) {
            weir_barrier(item, WEIR_LOCAL);
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    THROUGH(item, args);
}

/* Rounds have other numbers in each item, but there are as many of them. */
WEIR_KERNEL(leave_in_rounds_of_other_numbers, found_args)
{
    size_t lid = weir_local_id(item, 0);
    for (size_t turn = lid;; turn++) {
        if (turn == lid + 4) {
            break;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

WEIR_KERNEL(a_helper_from_four_places_in_turn, found_args)
{
    helper_out_of_line(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_of_helper(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_in_line(item);
    THROUGH(item, args);
}

/* Work that items skip one by one, around a barrier that none does. */
WEIR_KERNEL(continue_inside_a_round, found_args)
{
    int32_t sum = 0;
    for (int32_t round = 0; round < 4; round++) {
        for (int32_t k = 0; k < 6; k++) {
            if (k % 3 == (int32_t)weir_local_id(item, 0) % 3) {
                continue;
            }
            sum += k;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = sum > 0;
}

/* One barrier in the source, which each item skips in every other round. */
WEIR_KERNEL(continue_around_one_barrier, found_args)
{
    for (size_t round = 0; round < 8; round++) {
        if (round % 2 == weir_local_id(item, 0) % 2) {
            continue;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

/* The compiler has a copy of the barrier for each round, and items of odd and even
 * ids are at different ones. */
WEIR_KERNEL(an_unrolled_loop, found_args)
{
    UNROLLED
    for (size_t round = 0; round < 8; round++) {
        if (round % 2 == weir_local_id(item, 0) % 2) {
            continue;
        }
        helper_out_of_line(item);
        helper_in_line(item);
    }
    THROUGH(item, args);
}

/* One call in the source, of which a compiler may make two: the second branch is
 * decided by the first. */
WEIR_KERNEL(a_call_between_two_branches, found_args)
{
    bool odd_item = weir_local_id(item, 0) % 2 == 1;
    int32_t through;
    if (odd_item) {
        APART("before, odd");
        through = 3;
    } else {
        APART("before, even");
        through = 2;
    }
    helper_out_of_line(item);
    helper_in_line(item);
    weir_barrier(item, WEIR_LOCAL);
    if (odd_item) {
        APART("after, odd");
        through -= 2;
    } else {
        APART("after, even");
        through -= 1;
    }
    args->out[weir_global_id(item, 0)] = through;
}

static const struct weir_kernel *const silent[] = {
    &a_whole_group_returns_early,
    &trip_count_by_group,
    &barrier_behind_uniform_data,
    &leave_before_the_barrier,
    &leave_in_rounds_of_other_numbers,
    &a_helper_from_four_places_in_turn,
    &continue_inside_a_round,
    &continue_around_one_barrier,
    &an_unrolled_loop,
    &a_call_between_two_branches,
};

/* All kernels that have a silent twin by their arguments. */
static const struct weir_kernel *const twins[] = {
    &helper_in_both_arms,
    &inline_helper_in_both_arms,
    &deep_helper_in_both_arms,
};

CASE("silence");

TEST_EACH(a_kernel_that_only_looks_divergent_is_silent, G_N_ELEMENTS(silent))
{
    g_autoptr(weir_device) device = device_open("default");
    found_args args = found_args_new(device, GROUPS * 1024);
    for (size_t s = 0; s < n_sizes(); s++) {
        for (size_t o = 0; o < N_ORDERS; o++) {
            expect_right(device, silent[_i], &orders[o], &args, sizes[s], GROUPS);
        }
    }
}

TEST_EACH(a_kernel_that_only_looks_divergent_is_silent_under_any_seed,
          G_N_ELEMENTS(silent))
{
    expect_right_under_seeds(silent[_i]);
}

TEST_EACH(a_wrong_kernel_s_right_twin_is_silent_under_any_seed, G_N_ELEMENTS(twins))
{
    expect_right_under_seeds(twins[_i]);
}

/* A helper whose name begins with the kernel's. */
static __attribute__((noinline)) void shared_name_helper(struct weir_item *item)
{
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    APART("after the barrier of the namesake");
}

/* expect: different path: the helper is not the kernel's body */
WEIR_KERNEL(shared_name, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) == 0) {
        MARK(call_a, shared_name_helper(item));
        APART("arm a of the namesake");
    } else {
        MARK(call_b, shared_name_helper(item));
        APART("arm b of the namesake");
    }
    THROUGH(item, args);
}

CASE("paths");

TEST_EACH(a_helper_may_share_the_beginning_of_the_kernels_name, N_ORDERS)
{
    FOUND(shared_name, "different path",
          PARTIES(WAIT(first, "weir_barrier", &line_a, .call = &call_a),
                  WAIT(all_but_first, "weir_barrier", &line_a, .call = &call_b)));
}

MAIN("paths")
