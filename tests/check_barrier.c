/* SPDX-License-Identifier: MIT
 *
 * check_barrier.c: barriers hold until all items have come, values cross them,
 * and a barrier may be at any place that all items of a group reach. The effects
 * where some do not is in check_divergence.c. */
#include "support.h"

typedef struct {
    int32_t *out;
    size_t n;
    size_t parameter;
} out_args;

static const size_t local_sizes[]
    = { 1,  2,   3,   4,   5,   7,   8,   13,  16,  17,  31,   32,   33,  64,
        65, 100, 127, 128, 255, 256, 257, 511, 512, 777, 1000, 1023, 1024 };

/* Returns: what @n items of a right kernel leave in memory of their own */
static int32_t *run(struct weir_device *device, const struct weir_kernel *kernel,
                    size_t n, size_t local, size_t parameter, size_t workers)
{
    int32_t *out = weir_new(device, int32_t, n, "out");
    LAUNCH_SILENT(device, kernel, weir_nd_range_1d(n, local),
                  (&(out_args){ out, n, parameter }), WITH_WORKERS(workers));
    return out;
}

/* ---- Values cross barriers ----------------------------------------------- */

CASE("values");

WEIR_KERNEL(read_neighbour, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)weir_global_id(item, 0) * 3 + 1;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % local];
}

WORKERS_TEST_EACH(after_a_barrier_every_neighbour_has_written,
                  G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i], n = local * 5;
    int32_t *out = weir_new(device, int32_t, n, "out");
    LAUNCH_SILENT(device, &read_neighbour, weir_nd_range_1d(n, local),
                  (&(out_args){ out, n, 0 }), WITH_WORKERS(workers));
    for (size_t i = 0; i < n; i++) {
        size_t source = i / local * local + (i % local + 1) % local;
        EXPECT_ELEMENT(out, i, source * 3 + 1);
    }
}

/* Two buffers: a value walks one place on in each round. */
WEIR_KERNEL(ping_pong, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *buffers = weir_local_array(item, int32_t, 2 * local);
    buffers[lid] = (int32_t)lid;
    weir_barrier(item, WEIR_LOCAL);
    for (size_t round = 0; round < args->parameter; round++) {
        int32_t *from = buffers + round % 2 * local,
                *to = buffers + (round + 1) % 2 * local;
        to[lid] = from[(lid + 1) % local] + 1000;
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = buffers[args->parameter % 2 * local + lid];
}

static void expect_ping_pong(struct weir_device *device, size_t local, size_t rounds,
                             size_t workers)
{
    size_t n = local * 3;
    int32_t *out = weir_new(device, int32_t, n, "out");
    LAUNCH_SILENT(device, &ping_pong, weir_nd_range_1d(n, local),
                  (&(out_args){ out, n, rounds }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, n, (i % local + rounds) % local + 1000 * rounds);
    weir_free(device, out);
}

WORKERS_TEST_EACH(values_walk_through_many_barriers, G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i];
    expect_ping_pong(device, local, 0, workers);
    expect_ping_pong(device, local, 1, workers);
    expect_ping_pong(device, local, scaled(37, 3), workers);
}

DEVICE_TEST(a_hundred_thousand_barriers_in_one_item_are_as_good_as_one)
{
    expect_ping_pong(device, 3, scaled(100000, 500), 1);
    expect_ping_pong(device, 64, scaled(5000, 100), 2);
}

/* Global memory is exchanged in the same way. */
WEIR_KERNEL(read_neighbour_in_global_memory, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t first = weir_group_id(item, 0) * local;
    args->out[first + lid] = (int32_t)(first + lid);
    weir_barrier(item, WEIR_GLOBAL);
    int32_t next = args->out[first + (lid + 1) % local];
    weir_barrier(item, WEIR_GLOBAL);
    args->out[first + lid] = next;
}

/* The forms of a barrier: all of them hold every item. */
WEIR_KERNEL(every_form, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    int32_t sum = 0;
#define ROUND(k, barrier)                                                              \
    scratch[lid] = (int32_t)(lid + (k)*10000);                                         \
    barrier;                                                                           \
    sum += scratch[(lid + (k)) % local];                                               \
    barrier
    ROUND(1, weir_barrier(item, 0));
    ROUND(2, weir_barrier(item, WEIR_LOCAL));
    ROUND(3, weir_barrier(item, WEIR_GLOBAL));
    ROUND(4, weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL));
    ROUND(5, weir_group_barrier(item));
    ROUND(6, weir_group_barrier_scope(item, memory_scope_work_group));
    ROUND(7, weir_group_barrier_scope(item, memory_scope_device));
    ROUND(8, weir_group_barrier_scope(item, memory_scope_system));
#undef ROUND
    args->out[weir_global_id(item, 0)] = sum;
}

WORKERS_TEST(every_form_of_barrier_holds_all_items)
{
    enum { LOCAL = 24, N = LOCAL * 4 };
    int32_t *out = run(device, &every_form, N, LOCAL, 0, workers);
    for (size_t i = 0; i < N; i++) {
        size_t expected = 0;
        for (size_t k = 1; k <= 8; k++) {
            expected += (i % LOCAL + k) % LOCAL + k * 10000;
        }
        EXPECT_ELEMENT(out, i, expected);
    }
    out = run(device, &read_neighbour_in_global_memory, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, i / LOCAL * LOCAL + (i + 1) % LOCAL);
}

/* Each group turns its tile by 90 degrees through local memory. */
WEIR_KERNEL(turn_tile, out_args)
{
    size_t rows = weir_local_size(item, 0), columns = weir_local_size(item, 1);
    size_t depth = weir_local_size(item, 2);
    size_t x = weir_local_id(item, 0), y = weir_local_id(item, 1);
    size_t z = weir_local_id(item, 2);
    int32_t *tile = weir_local_array(item, int32_t, rows * columns * depth);
    tile[(x * columns + y) * depth + z] = (int32_t)weir_global_linear_id(item);
    weir_barrier(item, WEIR_LOCAL);
    size_t from
        = ((rows - 1 - x) * columns + (columns - 1 - y)) * depth + (depth - 1 - z);
    args->out[weir_global_linear_id(item)] = tile[from];
}

WORKERS_TEST(barriers_work_in_two_and_three_dimensions)
{
    enum { N = 6 * 10 * 14 };
    int32_t *out = weir_new(device, int32_t, N, "out");
    LAUNCH_SILENT(device, &turn_tile, weir_nd_range_3d(6, 10, 14, 3, 5, 7),
                  (&(out_args){ out, N, 0 }), WITH_WORKERS(workers));
    for (size_t i = 0; i < N; i++) {
        size_t x = i / 140, y = i / 14 % 10, z = i % 14;
        size_t tx = x / 3 * 3 + 2 - x % 3, ty = y / 5 * 5 + 4 - y % 5;
        size_t tz = z / 7 * 7 + 6 - z % 7;
        EXPECT_ELEMENT(out, i, (tx * 10 + ty) * 14 + tz);
    }
    LAUNCH_SILENT(device, &turn_tile, weir_nd_range_2d(21, 40, 7, 8),
                  (&(out_args){ out, N, 0 }), WITH_WORKERS(workers));
    for (size_t i = 0; i < 21 * 40; i++) {
        size_t x = i / 40, y = i % 40;
        size_t tx = x / 7 * 7 + 6 - x % 7, ty = y / 8 * 8 + 7 - y % 8;
        EXPECT_ELEMENT(out, i, tx * 40 + ty);
    }
}

/* Floating-point and integer values that the compiler may keep in any register. */
WEIR_KERNEL(many_live_values, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int64_t i0 = (int64_t)lid, i1 = i0 * 3, i2 = i0 * 5, i3 = i0 * 7, i4 = i0 * 11;
    double d0 = (double)lid, d1 = d0 * 2, d2 = d0 * 4, d3 = d0 * 8, d4 = d0 * 16;
    for (int round = 0; round < 10; round++) {
        weir_barrier(item, WEIR_LOCAL);
        i0 += i1, i1 += i2, i2 += i3, i3 += i4, i4 += 1;
        d0 += d1, d1 += d2, d2 += d3, d3 += d4, d4 += 1;
    }
    int64_t sum = i0 + i1 + i2 + i3 + i4 + (int64_t)(d0 + d1 + d2 + d3 + d4);
    args->out[weir_global_id(item, 0)] = (int32_t)sum;
}

static int32_t many_live_values_of(size_t lid)
{
    int64_t v[2][5];
    for (int k = 0; k < 5; k++) {
        static const int64_t factors[2][5] = { { 1, 3, 5, 7, 11 }, { 1, 2, 4, 8, 16 } };
        v[0][k] = (int64_t)lid * factors[0][k];
        v[1][k] = (int64_t)lid * factors[1][k];
    }
    int64_t sum = 0;
    for (int set = 0; set < 2; set++) {
        for (int round = 0; round < 10; round++) {
            for (int k = 0; k < 4; k++) {
                v[set][k] += v[set][k + 1];
            }
            v[set][4] += 1;
        }
        for (int k = 0; k < 5; k++) {
            sum += v[set][k];
        }
    }
    return (int32_t)sum;
}

DEVICE_TEST(an_item_keeps_all_its_values_across_barriers)
{
    enum { LOCAL = 70, N = LOCAL * 2 };
    int32_t *out = weir_new(device, int32_t, N, "out");
    LAUNCH_SILENT(device, &many_live_values, weir_nd_range_1d(N, LOCAL),
                  (&(out_args){ out, N, 0 }), NULL);
    EXPECT_ELEMENTS(out, i, N, many_live_values_of(i % LOCAL));
}

/* ---- Where the barrier is ------------------------------------------------ */

CASE("places");

WEIR_KERNEL(loop_by_group, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    int32_t value = (int32_t)lid;
    for (size_t round = 0; round < weir_group_id(item, 0); round++) {
        scratch[lid] = value;
        weir_barrier(item, WEIR_LOCAL);
        value = scratch[(lid + 1) % local];
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = value;
}

WORKERS_TEST(a_trip_count_that_depends_on_the_group_is_silent)
{
    enum { LOCAL = 9, N = LOCAL * 12 };
    int32_t *out = run(device, &loop_by_group, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, (i % LOCAL + i / LOCAL) % LOCAL);
}

WEIR_KERNEL(odd_groups_return, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    if (weir_group_id(item, 0) % 2 == 1) {
        args->out[weir_global_id(item, 0)] = -1;
        return;
    }
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)lid;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[local - 1 - lid];
}

WORKERS_TEST(a_whole_group_that_returns_early_is_silent)
{
    enum { LOCAL = 10, N = LOCAL * 21 };
    int32_t *out = run(device, &odd_groups_return, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, i / LOCAL % 2 == 1 ? -1 : (int)(LOCAL - 1 - i % LOCAL));
}

WEIR_KERNEL(behind_uniform_data, out_args)
{
    size_t lid = weir_local_id(item, 0), gid = weir_global_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    scratch[lid] = (int32_t)gid;
    if (args->out[weir_group_id(item, 0)] != 0) { /* written by the host */
        weir_barrier(item, WEIR_LOCAL);
        scratch[0] = scratch[0]; /* every item has come this far */
        weir_barrier(item, WEIR_LOCAL);
        args->out[args->n + gid] = scratch[lid ^ 1];
    } else {
        args->out[args->n + gid] = -7;
    }
}

DEVICE_TEST(a_barrier_behind_uniform_data_is_silent)
{
    enum { LOCAL = 8, GROUPS = 10, N = LOCAL * GROUPS };
    int32_t *out = weir_new(device, int32_t, GROUPS + N, "out");
    for (size_t g = 0; g < GROUPS; g++) {
        out[g] = g % 3 == 0;
    }
    LAUNCH_SILENT(device, &behind_uniform_data, weir_nd_range_1d(N, LOCAL),
                  (&(out_args){ out, GROUPS, 0 }), WITH_WORKERS(1));
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(out, GROUPS + i, i / LOCAL % 3 == 0 ? (int)(i ^ 1) : -7);
    }
}

/* Items leave in different iterations, and none reaches the barrier inside. */
WEIR_KERNEL(leave_before_the_barrier, out_args)
{
    size_t lid = weir_local_id(item, 0), turns = 0;
    for (;;) {
        if (turns++ == lid) {
            break;
        }
        if (turns > weir_local_size(item, 0)) {
            weir_barrier(item, WEIR_LOCAL);
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = (int32_t)turns;
}

/* All leave in the same iteration, between two barriers of the loop. */
WEIR_KERNEL(leave_together, out_args)
{
    size_t turns = 0;
    for (;;) {
        weir_barrier(item, WEIR_LOCAL);
        if (turns++ == args->parameter) {
            break;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = (int32_t)turns;
}

/* Some items skip work by `continue`; the barrier is common to all. */
WEIR_KERNEL(continue_around, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t worked = 0;
    for (size_t round = 0; round < 6; round++) {
        weir_barrier(item, WEIR_LOCAL);
        if ((lid + round) % 3 == 0) {
            continue;
        }
        worked++;
    }
    args->out[weir_global_id(item, 0)] = worked;
}

WORKERS_TEST(loops_that_are_left_without_parting_the_group_are_silent)
{
    enum { LOCAL = 15, N = LOCAL * 4 };
    int32_t *out = run(device, &leave_before_the_barrier, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, i % LOCAL + 1);
    out = run(device, &leave_together, N, LOCAL, 5, workers);
    EXPECT_ELEMENTS(out, i, N, 6);
    out = run(device, &continue_around, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, 4);
}

/* A helper that waits at the bottom of a recursion, with live locals above. */
static __attribute__((noinline)) int32_t descend(struct weir_item *item,
                                                 int32_t *scratch, int depth)
{
    volatile int32_t here[4] = { depth, depth + 1, depth + 2, depth + 3 };
    size_t lid = weir_local_id(item, 0);
    if (depth == 0) {
        scratch[lid] = (int32_t)lid;
        weir_barrier(item, WEIR_LOCAL);
        return scratch[(lid + 1) % weir_local_size(item, 0)] + here[0];
    }
    return descend(item, scratch, depth - 1) + here[3] - here[2];
}

WEIR_KERNEL(wait_deep_down, out_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    int32_t sum = 0;
    for (int depth = 0; depth < 60; depth += 20) {
        sum += descend(item, scratch, depth);
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = sum;
}

WORKERS_TEST(a_helper_may_wait_deep_down_in_a_call_stack)
{
    enum { LOCAL = 33, N = LOCAL * 3 };
    int32_t *out = run(device, &wait_deep_down, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, 3 * ((i % LOCAL + 1) % LOCAL) + 0 + 20 + 40);
}

static __attribute__((noinline)) int32_t exchange(struct weir_item *item,
                                                  int32_t *scratch, int32_t value)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    scratch[lid] = value;
    weir_barrier(item, WEIR_LOCAL);
    int32_t next = scratch[(lid + 1) % local];
    weir_barrier(item, WEIR_LOCAL);
    return next;
}

WEIR_KERNEL(helper_from_four_places, out_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    int32_t a = exchange(item, scratch, (int32_t)weir_local_id(item, 0));
    int32_t b = exchange(item, scratch, a);
    int32_t c = exchange(item, scratch, b);
    args->out[weir_global_id(item, 0)] = exchange(item, scratch, c);
}

WORKERS_TEST(a_helper_that_all_call_from_four_places_in_turn_is_silent)
{
    enum { LOCAL = 21, N = LOCAL * 3 };
    int32_t *out = run(device, &helper_from_four_places, N, LOCAL, 0, workers);
    EXPECT_ELEMENTS(out, i, N, (i % LOCAL + 4) % LOCAL);
}

MAIN("barrier")
