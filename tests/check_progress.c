/* SPDX-License-Identifier: MIT
 *
 * check_progress.c: waits by atomics that end. A wait that can end does end, in every
 * deterministic schedule, and a long wait is not a finding; check_deadlock.c has waits
 * that cannot end.
 *
 * A failure here may be a hang, which the test's time limit ends. */
#include "waits.h"

/* ---- Waits that end ------------------------------------------------------ */

WEIR_KERNEL(higher_waits_for_lower, wait_args)
{
    size_t lid = weir_local_id(item, 0), i = weir_global_id(item, 0);
    if (lid > 0) {
        while (LOAD(&args->flag[i - 1]) == 0) {}
        args->out[i] = args->out[i - 1] + 1;
    }
    STORE(&args->flag[i], 1u);
}

DEVICE_TEST_EACH(an_item_may_wait_for_any_other_of_its_group, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t s = 0; s < G_N_ELEMENTS(few); s++) {
        size_t local = few[s], n = 3 * local;
        wait_args args = wait_args_new(device, n, 0);
        expect_quiet(LAUNCH(device, &lower_waits_for_higher, weir_nd_range_1d(n, local),
                            &args, UNDER(order)),
                     &lower_waits_for_higher, order, local);
        EXPECT_ELEMENTS(args.out, i, n, local - 1 - i % local);
        memset(args.flag, 0, n * sizeof(*args.flag));
        memset(args.out, 0, n * sizeof(*args.out));
        expect_quiet(LAUNCH(device, &higher_waits_for_lower, weir_nd_range_1d(n, local),
                            &args, UNDER(order)),
                     &higher_waits_for_lower, order, local);
        EXPECT_ELEMENTS(args.out, i, n, i % local);
        weir_free(device, args.flag);
        weir_free(device, args.out);
    }
}

/* flag[0] is the lock, or the next ticket, or what a semaphore has; flag[1] is the
 * ticket that is served; out[0] is plain, and guarded. Between its read and its write
 * lies an atomic, where schedules may switch. */
#define GUARDED_UPDATE(args)                                                           \
    do {                                                                               \
        uint32_t before_ = (args)->out[0];                                             \
        (void)LOAD(&(args)->flag[2]);                                                  \
        (args)->out[0] = before_ + 1;                                                  \
    } while (0)

WEIR_KERNEL(spin_lock, wait_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t expected = 0;
        while (!weir_atomic_compare_exchange_strong_explicit(
            &args->flag[0], &expected, 1u, memory_order_acquire, memory_order_relaxed,
            memory_scope_device)) {
            expected = 0;
        }
        GUARDED_UPDATE(args);
        STORE(&args->flag[0], 0u);
    }
}

WEIR_KERNEL(ticket_lock, wait_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t mine = ADD(&args->flag[0], 1u);
        while (LOAD(&args->flag[1]) != mine) {}
        GUARDED_UPDATE(args);
        STORE(&args->flag[1], mine + 1);
    }
}

/* No turn of this wait leaves memory as it was. */
WEIR_KERNEL(take_and_put_back, wait_args)
{
    if (weir_local_id(item, 0) == weir_local_size(item, 0) - 1
        && weir_group_id(item, 0) == weir_num_groups(item, 0) - 1) {
        ADD(&args->flag[0], 1u);
    }
    for (uint32_t round = 0; round < args->rounds; round++) {
        while ((int32_t)ADD(&args->flag[0], UINT32_MAX) <= 0) {
            ADD(&args->flag[0], 1u);
        }
        GUARDED_UPDATE(args);
        ADD(&args->flag[0], 1u);
    }
}

/* Item 0 waits; item 1 lets it go, and has much to do before and after. */
WEIR_KERNEL(let_go_early, wait_args)
{
    if (weir_local_id(item, 0) == 0) {
        while (LOAD(&args->flag[0]) == 0) {}
        STORE(&args->out[0], 1u);
    } else {
        for (uint32_t i = 0; i < args->rounds; i++) {
            ADD(&args->flag[1], 1u);
        }
        STORE(&args->flag[0], 1u);
        for (uint32_t i = 0; i < args->rounds; i++) {
            ADD(&args->flag[1], 1u);
        }
        args->out[1] = LOAD(&args->out[0]);
    }
}

DEVICE_TEST(a_change_wakes_the_items_that_spin_on_it)
{
    static const struct order order = { "round-robin", 0 };
    wait_args args = wait_args_new(device, 4, 500);
    expect_quiet(
        LAUNCH(device, &let_go_early, weir_nd_range_1d(2, 2), &args, UNDER(&order)),
        &let_go_early, &order, 2);
    ck_assert_uint_eq(args.out[1], 1); /* it had its turns, and did not sleep on */
}

static void expect_lock(struct weir_device *device, const struct weir_kernel *kernel,
                        const struct order *order, size_t groups, size_t local)
{
    wait_args args = wait_args_new(device, 4, 3);
    expect_quiet(LAUNCH(device, kernel, weir_nd_range_1d(groups * local, local), &args,
                        UNDER(order)),
                 kernel, order, local);
    ck_assert_uint_eq(args.out[0], groups * local * 3);
    weir_free(device, args.flag);
    weir_free(device, args.out);
}

DEVICE_TEST_EACH(a_lock_excludes_and_is_handed_on, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t s = 0; s < scaled(G_N_ELEMENTS(few), 2); s++) {
        for (size_t groups = 1; groups <= 3; groups += 2) {
            expect_lock(device, &spin_lock, order, groups, few[s]);
            expect_lock(device, &ticket_lock, order, groups, few[s]);
        }
    }
}

/* Few items: one succeeds only while no other holds what it will put back, which a
 * fair schedule makes the rarer the more there are. */
DEVICE_TEST_EACH(a_wait_may_take_and_put_back, N_ORDERS)
{
    const struct order *order = &orders[_i];
    expect_lock(device, &take_and_put_back, order, 1, 1);
    expect_lock(device, &take_and_put_back, order, 1, 2);
    expect_lock(device, &take_and_put_back, order, 1, 3);
    expect_lock(device, &take_and_put_back, order, 3, 1);
    expect_lock(device, &take_and_put_back, order, 3, 2);
}

/* Gives up in the end: no item ever sets flag[0]. The turns are counted by the
 * kernels' only difference. */
uint32_t static_count;

#define DEFINE_PATIENT(name, DECLARE, COUNT)                                           \
    WEIR_KERNEL(name, wait_args)                                                       \
    {                                                                                  \
        DECLARE;                                                                       \
        bool seen = false;                                                             \
        while (!seen && (COUNT) < args->rounds) {                                      \
            (COUNT)++;                                                                 \
            seen = LOAD(&args->flag[0]) != 0;                                          \
        }                                                                              \
        args->out[weir_global_id(item, 0)] = seen ? 0 : (COUNT);                       \
    }
DEFINE_PATIENT(count_in_a_register, uint32_t count = 0, count)
DEFINE_PATIENT(count_in_private_memory, volatile uint32_t count = 0, count)
DEFINE_PATIENT(count_in_device_memory,
               volatile uint32_t *count = &args->flag[1 + weir_global_id(item, 0)],
               *count)
DEFINE_PATIENT(count_in_local_memory,
               volatile uint32_t *count
               = weir_local_array(item, uint32_t, weir_local_size(item, 0))
                   + weir_local_id(item, 0);
               *count = 0, *count)
DEFINE_PATIENT(count_in_a_static, volatile uint32_t *count = &static_count, *count)

/* The items of a group, and whether each counts for itself. */
static const struct {
    const struct weir_kernel *kernel;
    size_t local;
} patient[] = {
    { &count_in_a_register, 1 },     { &count_in_a_register, 3 },
    { &count_in_private_memory, 1 }, { &count_in_private_memory, 3 },
    { &count_in_device_memory, 1 },  { &count_in_device_memory, 3 },
    { &count_in_local_memory, 1 },   { &count_in_local_memory, 3 },
    { &count_in_a_static, 1 },
};

/* In one schedule more than the 2^16 histories that the machine has room for at first.
 * In the others twice the 1000 plain turns after which an item is taken to spin. Under
 * ASan a turn takes ten times as long. */
static uint32_t rounds_under(const struct order *order)
{
    size_t many = UNDER_ASAN ? 20000 : 70000;
    bool in_order = strcmp(order->schedule, "in-order") == 0;
    return (uint32_t)scaled(in_order ? many : 2000, 1000);
}

DEVICE_TEST_EACH(a_long_wait_that_gives_up_is_no_livelock, G_N_ELEMENTS(patient))
{
    const struct weir_kernel *kernel = patient[_i].kernel;
    size_t local = patient[_i].local;
    for (size_t o = 0; o < N_ORDERS; o++) {
        wait_args args = wait_args_new(device, 8, rounds_under(&orders[o]));
        static_count = 0;
        expect_quiet(LAUNCH(device, kernel, weir_nd_range_1d(local, local), &args,
                            UNDER(&orders[o])),
                     kernel, &orders[o], local);
        EXPECT_ELEMENTS(args.out, i, local, args.rounds);
        weir_free(device, args.flag);
        weir_free(device, args.out);
    }
}

/* The others have long been at the barrier when the patient one gives up. */
WEIR_KERNEL(patience_before_a_barrier, wait_args)
{
    if (weir_local_id(item, 0) == 1) {
        uint32_t count = 0;
        while (count < args->rounds && LOAD(&args->flag[0]) == 0) {
            count++;
        }
        args->out[7] = count;
    }
    weir_barrier(item, WEIR_GLOBAL);
    args->out[weir_local_id(item, 0)] = args->out[7];
}

DEVICE_TEST(others_may_be_at_a_barrier_meanwhile)
{
    for (size_t o = 0; o < N_ORDERS; o++) {
        wait_args args = wait_args_new(device, 8, rounds_under(&orders[o]));
        expect_quiet(LAUNCH(device, &patience_before_a_barrier, weir_nd_range_1d(5, 5),
                            &args, UNDER(&orders[o])),
                     &patience_before_a_barrier, &orders[o], 5);
        EXPECT_ELEMENTS(args.out, i, 5, args.rounds);
        weir_free(device, args.flag);
        weir_free(device, args.out);
    }
}

MAIN("progress")
