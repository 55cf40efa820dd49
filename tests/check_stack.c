/* SPDX-License-Identifier: MIT
 *
 * check_stack.c: an item that uses up its stack is a finding with item, size
 * and remedy; its group ends and everything else goes on. The twin of each
 * wrong launch is the same kernel with a larger stack. */
#include "support.h"

#include <stdio.h>

enum { FRAME_BYTES = 1024 };

/* A compiler may keep two bytes of a volatile array whose address goes nowhere. */
#define KEEP_WHOLE(array) __asm__ volatile("" : : "r"(array) : "memory")

enum { FIRST_LINE = __LINE__ + 3 };

/* Uses at least FRAME_BYTES a level; returns depth times two. */
static __attribute__((noinline)) int recurse(int depth)
{
    volatile char frame[FRAME_BYTES];
    KEEP_WHOLE(frame);
    frame[0] = 1;
    frame[FRAME_BYTES - 1] = 1;
    if (depth == 0) {
        return 0;
    }
    return recurse(depth - 1) + frame[0] + frame[FRAME_BYTES - 1];
}

enum { LAST_LINE = __LINE__ - 2 };

typedef struct {
    int32_t *out;
    size_t group, item; /* the one that recurses deeply; SIZE_MAX: all */
    int depth;
} recursion_args;

static inline bool chosen(const struct weir_item *item, const recursion_args *args)
{
    return (args->group == SIZE_MAX || weir_group_linear_id(item) == args->group)
        && (args->item == SIZE_MAX || weir_local_linear_id(item) == args->item);
}

WEIR_KERNEL(recurse_at_once, recursion_args)
{
    int depth = chosen(item, args) ? args->depth : 3;
    args->out[weir_global_linear_id(item)] = recurse(depth) / 2;
}

/* The item has a stack of its own by then, and the others wait. */
WEIR_KERNEL(recurse_between_barriers, recursion_args)
{
    int depth = chosen(item, args) ? args->depth : 3;
    weir_barrier(item, WEIR_LOCAL);
    int32_t got = recurse(depth) / 2;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_linear_id(item)] = got;
}

WEIR_GROUP_KERNEL(recurse_in_a_loop, recursion_args)
{
    weir_for_each_item(item, group) {
        int depth = chosen(item, args) ? args->depth : 3;
        args->out[weir_global_linear_id(item)] = recurse(depth) / 2;
    }
}

static const struct weir_kernel *const kernels[]
    = { &recurse_at_once, &recurse_between_barriers, &recurse_in_a_loop };

/* 400 KiB at the least, and less than 800 KiB in any build. */
enum { TOO_DEEP = 400, ENOUGH_BYTES = 1024 * 1024, GROUPS = 4, LOCAL = 6 };

static const struct weir_finding *only_overflow(const struct weir_report *report,
                                                const struct weir_kernel *kernel,
                                                size_t stack_bytes)
{
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_STACK_OVERFLOW, kernel->name);
    char number[32];
    snprintf(number, sizeof(number), "%zu", stack_bytes);
    expect_contains(finding->message, "stack overflow");
    expect_contains(finding->message, number);
    expect_contains(finding->message, "--stack-bytes");
    expect_contains(finding->message, "stack_bytes");
    return finding;
}

WORKERS_TEST_EACH(an_item_that_recurses_too_deep_is_found_by_name,
                  G_N_ELEMENTS(kernels))
{
    const struct weir_kernel *kernel = kernels[_i];
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    const size_t items[] = { 0, 3, LOCAL - 1 };
    for (size_t k = 0; k < G_N_ELEMENTS(items); k++) {
        memset(out, 0xff, GROUPS * LOCAL * sizeof(*out));
        recursion_args args = { out, 2, items[k], TOO_DEEP };
        struct weir_report *report
            = LAUNCH(device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                     WITH_WORKERS(workers));
        const struct weir_finding *finding = only_overflow(report, kernel, 65536);
        const struct weir_party *party = &finding->parties[0];
        char number[32];
        snprintf(number, sizeof(number), "%zu", items[k]);
        ck_assert_uint_eq(finding->count, 1);
        ck_assert_str_eq(party->items, number);
        ck_assert_str_eq(party->function, "recurse");
        ck_assert_msg(party->line >= FIRST_LINE && party->line <= LAST_LINE, "line %u",
                      party->line);
        EXPECT_COORDINATES(party->item, items[k], 0, 0);
        EXPECT_COORDINATES(party->group, 2, 0, 0);
        weir_report_free(report);
        for (size_t i = 0; i < GROUPS * LOCAL; i++) {
            if (i / LOCAL != 2) { /* the other groups are right */
                EXPECT_ELEMENT(out, i, 3);
            }
        }
        EXPECT_ELEMENT(out, 2 * LOCAL + items[k], -1);
    }
}

WORKERS_TEST_EACH(the_same_recursion_on_a_larger_stack_is_silent, G_N_ELEMENTS(kernels))
{
    const struct weir_kernel *kernel = kernels[_i];
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    recursion_args args = { out, 2, SIZE_MAX, TOO_DEEP };
    struct weir_launch_options options
        = { .workers = (uint32_t)workers, .stack_bytes = ENOUGH_BYTES };
    LAUNCH_SILENT(device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                  &options);
    EXPECT_ELEMENTS(out, i, GROUPS * LOCAL, i / LOCAL == 2 ? TOO_DEEP : 3);
}

/* The promised stack can be used: most of it, in every item. */
DEVICE_TEST(an_item_may_use_most_of_its_stack)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    /* Frames are larger than their arrays, by red zones most of all. */
    int depth_of_64_kib = UNDER_ASAN ? 25 : 50;
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        recursion_args args = { out, SIZE_MAX, SIZE_MAX, depth_of_64_kib };
        LAUNCH_SILENT(device, kernels[k], weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
                      &args, WITH_WORKERS(2));
        EXPECT_ELEMENTS(out, i, GROUPS * LOCAL, depth_of_64_kib);
        args.depth *= 4;
        LAUNCH_SILENT(
            device, kernels[k], weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
            (&(struct weir_launch_options){ .workers = 2, .stack_bytes = 256 * 1024 }));
        EXPECT_ELEMENTS(out, i, GROUPS * LOCAL, 4 * depth_of_64_kib);
    }
}

DEVICE_TEST(the_finding_names_the_stack_that_the_launch_gave)
{
    int32_t *out = weir_new(device, int32_t, LOCAL, "out");
    recursion_args args = { out, SIZE_MAX, 1, TOO_DEEP };
    const size_t sizes[] = { 16384, 32768, 131072 };
    for (size_t k = 0; k < G_N_ELEMENTS(sizes); k++) {
        struct weir_launch_options options = { .workers = 1, .stack_bytes = sizes[k] };
        g_autoptr(weir_report) report = LAUNCH(
            device, &recurse_at_once, weir_nd_range_1d(LOCAL, LOCAL), &args, &options);
        const struct weir_finding *finding
            = only_overflow(report, &recurse_at_once, sizes[k]);
        ck_assert_str_eq(finding->parties[0].items, "1");
    }
}

DEVICE_TEST(every_group_may_overflow_and_it_is_one_finding)
{
    enum { MANY = 60 };
    int32_t *out = weir_new(device, int32_t, MANY * LOCAL, "out");
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        FOR_EACH_WORKERS(workers)
        {
            recursion_args args = { out, SIZE_MAX, 4, TOO_DEEP };
            g_autoptr(weir_report) report
                = LAUNCH(device, kernels[k], weir_nd_range_1d(MANY * LOCAL, LOCAL),
                         &args, WITH_WORKERS(workers));
            const struct weir_finding *finding
                = only_overflow(report, kernels[k], 65536);
            ck_assert_uint_eq(finding->count, MANY);
            EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        }
    }
}

/* Stacks, handlers and signal masks must be as good as new each time. */
DEVICE_TEST(a_hundred_overflows_leave_the_process_sound)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    for (size_t round = 0; round < scaled(100, 10); round++) {
        const struct weir_kernel *kernel = kernels[round % G_N_ELEMENTS(kernels)];
        const struct weir_launch_options *options = WITH_WORKERS(1 + round / 3 % 2);
        recursion_args args = { out, round % GROUPS, round % LOCAL, TOO_DEEP };
        struct weir_report *report = LAUNCH(
            device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args, options);
        only_overflow(report, kernel, 65536);
        weir_report_free(report);
        args.depth = 10;
        LAUNCH_SILENT(device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                      options);
        for (size_t i = 0; i < GROUPS * LOCAL; i++) {
            bool deeper = i / LOCAL == round % GROUPS && i % LOCAL == round % LOCAL;
            EXPECT_ELEMENT(out, i, deeper ? 10 : 3);
        }
    }
}

/* ---- Frames that are large themselves ------------------------------------ */

/* Half the guard's 64 KiB, and only its far end is touched: a frame that skips
 * whole pages must not land beyond the guard. */
enum { LARGE_FRAME_BYTES = 32 * 1024 };

static __attribute__((noinline)) int recurse_in_leaps(int depth)
{
    volatile char frame[LARGE_FRAME_BYTES];
    KEEP_WHOLE(frame);
    frame[0] = 1;
    if (depth == 0) {
        return 0;
    }
    return recurse_in_leaps(depth - 1) + frame[0];
}

WEIR_KERNEL(leap, recursion_args)
{
    int depth = chosen(item, args) ? args->depth : 0;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_linear_id(item)] = recurse_in_leaps(depth);
}

DEVICE_TEST(a_frame_that_skips_pages_still_hits_the_guard)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    recursion_args args = { out, 1, 2, 20 };
    g_autoptr(weir_report) report = LAUNCH(
        device, &leap, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args, WITH_WORKERS(1));
    const struct weir_finding *finding = only_overflow(report, &leap, 65536);
    ck_assert_str_eq(finding->parties[0].items, "2");
    ck_assert_str_eq(finding->parties[0].function, "recurse_in_leaps");
    for (size_t i = 0; i < GROUPS * LOCAL; i++) {
        if (i / LOCAL != 1) {
            EXPECT_ELEMENT(out, i, 0);
        }
    }
    LAUNCH_SILENT(device, &leap, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                  (&(struct weir_launch_options){ .workers = 1,
                                                  .stack_bytes = 2 * ENOUGH_BYTES }));
    EXPECT_ELEMENT(out, LOCAL + 2, 20);
}

/* Larger than stack and guard together. It is filled from its near end, as an
 * initialiser under -fstack-clash-protection would reach it. */
enum { HUGE_FRAME_BYTES = 300 * 1024 };

static __attribute__((noinline)) int use_huge_frame(int value)
{
    volatile char frame[HUGE_FRAME_BYTES];
    for (size_t i = HUGE_FRAME_BYTES; i-- > 0;) {
        frame[i] = (char)value;
    }
    return frame[0] + frame[HUGE_FRAME_BYTES - 1];
}

WEIR_KERNEL(have_a_huge_frame, recursion_args)
{
    int32_t got = 0;
    if (chosen(item, args)) {
        got = use_huge_frame(args->depth);
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_linear_id(item)] = got;
}

WORKERS_TEST(a_frame_larger_than_the_guard_is_found)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * LOCAL, "out");
    recursion_args args = { out, 3, 0, 7 };
    g_autoptr(weir_report) report
        = LAUNCH(device, &have_a_huge_frame, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
                 &args, WITH_WORKERS(workers));
    only_overflow(report, &have_a_huge_frame, 65536);
    struct weir_launch_options options
        = { .workers = (uint32_t)workers, .stack_bytes = ENOUGH_BYTES };
    LAUNCH_SILENT(device, &have_a_huge_frame, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
                  &args, &options);
    EXPECT_ELEMENT(out, 3 * LOCAL, 14);
}

/* ---- Coordinates --------------------------------------------------------- */

DEVICE_TEST(the_item_is_named_in_three_dimensions)
{
    int32_t *out = weir_new(device, int32_t, 2 * 3 * 4 * 8, "out");
    /* In a group of 2 x 3 x 4 item (1,1,2) is 18; group (1,0,1) of 2 x 2 x 2 is 5. */
    recursion_args args = { out, 5, 18, TOO_DEEP };
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        g_autoptr(weir_report) report
            = LAUNCH(device, kernels[k], weir_nd_range_3d(4, 6, 8, 2, 3, 4), &args,
                     WITH_WORKERS(1));
        const struct weir_finding *finding = only_overflow(report, kernels[k], 65536);
        ck_assert_str_eq(finding->parties[0].items, "18");
        EXPECT_COORDINATES(finding->parties[0].item, 1, 1, 2);
        EXPECT_COORDINATES(finding->parties[0].group, 1, 0, 1);
        expect_contains(finding->message, "(1,1,2)");
        expect_contains(finding->message, "(1,0,1)");
    }
}

MAIN("stack")
