/* SPDX-License-Identifier: MIT
 *
 * check_alive.c: deterministic launches in which the living items suffice. Reductions
 * and scans are those of the living; what names an item names the one that has always
 * had that id. And a rendezvous of one item is a stop like any other. */
#include "schedules.h"

enum { ITEMS = 12, POISON = (int32_t)0xa5a5a5a5 };

typedef struct {
    int32_t *sum, *scan, *cast, *lost, *moved, *shifted;
    size_t gone; /* items whose id is a multiple of it return first */
} alive_args;

WEIR_KERNEL(some_return, alive_args)
{
    size_t i = weir_local_id(item, 0);
    if (i % args->gone == 0) {
        return;
    }
    int32_t own = 100 + (int32_t)i;
    args->sum[i] = weir_group_reduce_add(item, own);
    args->scan[i] = weir_group_exclusive_scan_add(item, 1);
    args->cast[i] = weir_group_broadcast(item, own, 7);
    args->lost[i] = weir_group_broadcast(item, own, 0);
    args->moved[i] = weir_sub_group_shuffle(item, own, (i + 4) % ITEMS);
    args->shifted[i] = weir_sub_group_shift_left(item, own, 1);
}

static bool is_gone(size_t i, size_t gone)
{
    return i % gone == 0;
}

static void expect_ids_of_old(size_t gone, const struct order *order)
{
    g_autoptr(weir_device) device = device_open("default");
    int32_t *memory = weir_new(device, int32_t, 6 * ITEMS, "memory");
    alive_args args = { memory,
                        memory + ITEMS,
                        memory + 2 * ITEMS,
                        memory + 3 * ITEMS,
                        memory + 4 * ITEMS,
                        memory + 5 * ITEMS,
                        gone };
    g_autoptr(weir_report) report
        = LAUNCH(device, &some_return, weir_nd_range_1d(ITEMS, ITEMS), &args,
                 UNDER(order, .exited = WEIR_EXITED_ALIVE_ONLY));
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
    int32_t sum = 0, before = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        sum += is_gone(i, gone) ? 0 : 100 + (int32_t)i;
    }
    for (size_t i = 0; i < ITEMS; i++) {
        if (is_gone(i, gone)) {
            continue;
        }
        size_t from = (i + 4) % ITEMS;
        EXPECT_ELEMENT(args.sum, i, sum);
        EXPECT_ELEMENT(args.scan, i, before);
        EXPECT_ELEMENT(args.cast, i, 107);
        EXPECT_ELEMENT(args.lost, i, POISON);
        EXPECT_ELEMENT(args.moved, i,
                       is_gone(from, gone) ? POISON : 100 + (int32_t)from);
        EXPECT_ELEMENT(args.shifted, i,
                       i + 1 == ITEMS || is_gone(i + 1, gone) ? POISON
                                                              : 101 + (int32_t)i);
        before++;
    }
}

TEST(the_living_keep_their_ids)
{
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_ids_of_old(2, &orders[o]);
        expect_ids_of_old(5, &orders[o]);
    }
}

typedef struct {
    int32_t *log;
    int32_t *n;
    bool meets;
} one_args;

WEIR_KERNEL(one_item_a_group, one_args)
{
    for (int k = 0; k < 4; k++) {
        args->log[(*args->n)++] = (int32_t)weir_group_id(item, 0);
        if (args->meets) {
            weir_barrier(item, WEIR_GLOBAL);
        }
    }
}

/* Whether groups of one item took turns. */
static bool interleaves(bool meets, uint64_t seed)
{
    g_autoptr(weir_device) device = device_open("default");
    int32_t *log = weir_new(device, int32_t, 16, "log");
    int32_t *n = weir_new(device, int32_t, 1, "n");
    one_args args = { log, n, meets };
    const struct order order = { "random", seed };
    expect_quiet(
        LAUNCH(device, &one_item_a_group, weir_nd_range_1d(4, 1), &args, UNDER(&order)),
        &one_item_a_group, &order, 1);
    ck_assert_int_eq(*n, 16);
    bool found = false;
    for (int i = 1; i < 16; i++) {
        found |= i % 4 != 0 && log[i] != log[i - 1];
    }
    return found;
}

TEST(a_barrier_of_one_item_is_a_stop)
{
    int n_interleaved = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        n_interleaved += interleaves(true, seed);
        ck_assert(!interleaves(false, seed));
    }
    ck_assert_int_ge(n_interleaved, 6);
}

MAIN("alive")
