/* SPDX-License-Identifier: MIT
 *
 * check_combine.c: additions of weir_atomic_add() that several items make to a word may
 * be put off. No operation that could observe it does, and none is lost.
 *
 * Each item adds a bit of its own. The bits are put off from the second item on, until
 * something publishes them; a test that looks for the last item's bit finds it only if
 * that has happened. */
#include "support.h"

enum { LOCAL = 16, ALL = (1 << LOCAL) - 1, LAST_BIT = 1 << (LOCAL - 1), GROUPS = 60 };

typedef struct {
    uint32_t *word; /* one a group */
    uint32_t *flag; /* the same */
    uint32_t *out;  /* one an item */
    uint32_t how;
} combine_args;

#define ADD(pointer, value)                                                            \
    weir_atomic_add_explicit((pointer), (value), memory_order_relaxed,                 \
                             memory_scope_device)
static combine_args new_args(struct weir_device *device, uint32_t how)
{
    combine_args args = { weir_new(device, uint32_t, GROUPS, "word"),
                          weir_new(device, uint32_t, GROUPS, "flag"),
                          weir_new(device, uint32_t, GROUPS * LOCAL, "out"), how };
    memset(args.word, 0, GROUPS * sizeof(*args.word));
    memset(args.flag, 0, GROUPS * sizeof(*args.flag));
    memset(args.out, 0, sizeof(*args.out) * GROUPS * LOCAL);
    return args;
}

#define RUN(kernel, args, workers)                                                     \
    LAUNCH_SILENT(device, (kernel), weir_nd_range_1d(GROUPS *LOCAL, LOCAL), (args),    \
                  WITH_WORKERS(workers))

/* ---- What an item sees itself ---------------------------------------------------- */

CASE("coherence");

enum { BY_LOAD, BY_ADDING_0, BY_EXCHANGE, BY_CAS, BY_NARROW_LOAD, N_LOOKS };

WEIR_KERNEL(looks, combine_args)
{
    uint32_t *word = &args->word[weir_group_id(item, 0)], seen = 0;
    uint32_t bit = 1U << weir_local_id(item, 0);
    ADD(word, bit);
    if (bit != LAST_BIT) {
        return;
    }
    switch (args->how) {
    case BY_LOAD:
        seen = LOAD_RELAXED(word);
        break;
    case BY_ADDING_0:
        seen = weir_atomic_fetch_add_explicit(word, 0U, memory_order_relaxed,
                                              memory_scope_device);
        break;
    case BY_EXCHANGE:
        seen = weir_atomic_exchange_explicit(word, 0U, memory_order_relaxed,
                                             memory_scope_device);
        break;
    case BY_CAS:
        weir_atomic_compare_exchange_strong_explicit(
            word, &seen, 1U, memory_order_relaxed, memory_order_relaxed,
            memory_scope_device);
        break;
    default:
        seen = weir_atomic_load_explicit(word, memory_order_relaxed,
                                         memory_scope_work_group);
    }
    args->out[weir_global_id(item, 0)] = seen;
}

WORKERS_TEST_EACH(an_item_sees_its_own_addition, N_LOOKS)
{
    combine_args args = new_args(device, (uint32_t)_i);
    RUN(&looks, &args, workers);
    for (size_t g = 0; g < GROUPS; g++) {
        uint32_t seen = args.out[g * LOCAL + LOCAL - 1];
        EXPECT((seen & LAST_BIT) != 0, "group %zu: %#x lacks the item's bit", g, seen);
    }
}

enum { STRIDE = 1024 }; /* a page: 4096 words so far apart share a place of the table */

/* No other item adds to the word, so it may be read. */
WEIR_KERNEL(reads_its_own, combine_args)
{
    uint32_t *word = &args->out[weir_global_id(item, 0) * args->how];
    for (uint32_t i = 1; i <= 3; i++) {
        ADD(word, 5);
        if (*(volatile uint32_t *)word != 5 * i) {
            *word = UINT32_MAX;
        }
    }
}

WORKERS_TEST_EACH(an_item_reads_a_word_of_its_own, 2)
{
    size_t stride = _i == 0 ? 1 : STRIDE, n = GROUPS * LOCAL * stride;
    combine_args args
        = { .out = weir_new(device, uint32_t, n, "out"), .how = (uint32_t)stride };
    memset(args.out, 0, n * sizeof(*args.out));
    RUN(&reads_its_own, &args, workers);
    EXPECT_ELEMENTS(args.out, i, n, i % stride == 0 ? 15 : 0);
}

/* The variables of all items lie at one address, and so do the local arrays of all
 * groups on a worker. */
WEIR_KERNEL(adds_to_what_passes_away, combine_args)
{
    uint32_t mine = 0;
    uint32_t *local = weir_local_array(item, uint32_t, 1);
    ADD(&mine, 7);
    args->out[weir_global_id(item, 0)] = *(volatile uint32_t *)&mine;
    if (weir_group_id(item, 0) % 2 == 0) {
        ADD(local, 1);
    } else if (weir_local_id(item, 0) == 0) {
        *(volatile uint32_t *)local = 3;
        (void)LOAD_RELAXED(args->flag); /* publishes */
        args->word[weir_group_id(item, 0)] = *(volatile uint32_t *)local;
    }
}

WORKERS_TEST(additions_to_private_and_local_memory_are_done_at_once)
{
    combine_args args = new_args(device, 0);
    RUN(&adds_to_what_passes_away, &args, workers);
    EXPECT_ELEMENTS(args.out, i, GROUPS * LOCAL, 7);
    EXPECT_ELEMENTS(args.word, g, GROUPS, g % 2 == 0 ? 0 : 3);
}

/* ---- What synchronisation passes on ---------------------------------------------- */

CASE("synchronisation");

enum { BY_RELEASE, BY_FENCE, BY_TICKET, N_SENDINGS };

/* Rounds of a wait that has an end: both items may run on one thread. */
enum { A_WHILE = 100000 };

/* The last item of each group sends to group 0. Then it waits for a while in a way that
 * publishes nothing, so that the receiver sees what the sending has published. */
WEIR_KERNEL(sends, combine_args)
{
    size_t group = weir_group_id(item, 0), lid = weir_local_id(item, 0);
    if (group == 0) {
        for (size_t g = 1; lid == 0 && g < GROUPS; g++) {
            while (LOAD_ACQUIRE(&args->flag[g]) == 0) {}
            args->out[g] = LOAD_RELAXED(&args->word[g]);
            __atomic_store_n(&args->out[GROUPS + g], 1U, __ATOMIC_RELAXED);
        }
        return;
    }
    ADD(&args->word[group], 1U << lid);
    if (lid < LOCAL - 1) {
        return;
    }
    if (args->how == BY_RELEASE) {
        STORE_RELEASE(&args->flag[group], 1U);
    } else if (args->how == BY_FENCE) {
        weir_atomic_fence(memory_order_release, memory_scope_device);
        __atomic_store_n(&args->flag[group], 1U, __ATOMIC_RELAXED);
    } else {
        weir_atomic_add_explicit(&args->flag[group], 1U, memory_order_acq_rel,
                                 memory_scope_device);
    }
    for (int i = 0; i < A_WHILE; i++) {
        if (__atomic_load_n(&args->out[GROUPS + group], __ATOMIC_RELAXED) != 0) {
            break;
        }
    }
}

WORKERS_TEST_EACH(a_release_passes_on_what_was_added_before, N_SENDINGS)
{
    combine_args args = new_args(device, (uint32_t)_i);
    RUN(&sends, &args, workers);
    for (size_t g = 1; g < GROUPS; g++) {
        EXPECT((args.out[g] & LAST_BIT) != 0, "group %zu: %#x lacks the sender's bit",
               g, args.out[g]);
    }
}

WEIR_KERNEL(meets, combine_args)
{
    uint32_t *word = &args->word[weir_group_id(item, 0)];
    ADD(word, 1U << weir_local_id(item, 0));
    weir_barrier(item, WEIR_GLOBAL);
    args->out[weir_global_id(item, 0)] = *word;
}

WORKERS_TEST(a_barrier_shows_what_all_have_added)
{
    combine_args args = new_args(device, 0);
    RUN(&meets, &args, workers);
    EXPECT_ELEMENTS(args.out, i, GROUPS * LOCAL, ALL);
}

/* The end of a loop is a barrier. */
WEIR_GROUP_KERNEL(meets_at_loops, combine_args)
{
    uint32_t *word = &args->word[weir_group_index(group, 0)];
    weir_for_each_item(item, group) {
        ADD(word, 1U << weir_local_id(item, 0));
    }
    weir_for_each_item(item, group) {
        args->out[weir_global_id(item, 0)] = *word;
    }
}

WORKERS_TEST(the_end_of_a_loop_shows_what_all_have_added)
{
    combine_args args = new_args(device, 0);
    RUN(&meets_at_loops, &args, workers);
    EXPECT_ELEMENTS(args.out, i, GROUPS * LOCAL, ALL);
}

/* Items of odd groups wait for those of the group before, which add and end. */
WEIR_KERNEL(awaits_a_group, combine_args)
{
    size_t group = weir_group_id(item, 0);
    if (group % 2 == 0) {
        ADD(&args->word[group], 1U << weir_local_id(item, 0));
    } else {
        while (LOAD_RELAXED(&args->word[group - 1]) != ALL) {}
    }
}

WORKERS_TEST(a_wait_for_additions_ends)
{
    combine_args args = new_args(device, 0);
    RUN(&awaits_a_group, &args, workers);
    EXPECT_ELEMENTS(args.word, g, GROUPS, g % 2 == 0 ? ALL : 0);
}

/* ---- Sums ------------------------------------------------------------------------ */

CASE("sums");

enum { BINS = 3000, TURNS = 40 };

typedef struct {
    uint32_t *u32;
    int32_t *i32;
    int64_t *i64;
    uint64_t *mixed; /* the upper half of each is added to apart */
    uint32_t n_bins;
} sums_args;

WEIR_KERNEL(sums, sums_args)
{
    size_t id = weir_global_id(item, 0);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        size_t bin = (id + turn) % args->n_bins;
        ADD(&args->u32[bin], (uint32_t)id);
        ADD(&args->i32[bin], -3);
        ADD(&args->i64[bin], -((int64_t)1 << 33));
        ADD(&args->mixed[bin], (uint64_t)1);
        ADD((uint32_t *)(void *)&args->mixed[bin] + 1, 2U);
    }
}

/* With few bins most additions are put off, and with many the table is too small. */
WORKERS_TEST_EACH(no_addition_is_lost, 3)
{
    const uint32_t bins[] = { 1, 7, BINS };
    sums_args args = { weir_new(device, uint32_t, BINS, "u32"),
                       weir_new(device, int32_t, BINS, "i32"),
                       weir_new(device, int64_t, BINS, "i64"),
                       weir_new(device, uint64_t, BINS, "mixed"),

                       bins[_i] };
    memset(args.u32, 0, BINS * sizeof(*args.u32));
    memset(args.i32, 0, BINS * sizeof(*args.i32));
    memset(args.i64, 0, BINS * sizeof(*args.i64));
    memset(args.mixed, 0, BINS * sizeof(*args.mixed));
    size_t items = scaled(2000, 200) / LOCAL * LOCAL;
    LAUNCH_SILENT(device, &sums, weir_nd_range_1d(items, LOCAL), &args,
                  WITH_WORKERS(workers));
    static uint32_t count[BINS], sum[BINS];
    memset(count, 0, sizeof(count));
    memset(sum, 0, sizeof(sum));
    for (size_t id = 0; id < items; id++) {
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            count[(id + turn) % bins[_i]]++;
            sum[(id + turn) % bins[_i]] += (uint32_t)id;
        }
    }
    EXPECT_ELEMENTS(args.u32, i, BINS, sum[i]);
    EXPECT_ELEMENTS(args.i32, i, BINS, -3 * (int32_t)count[i]);
    EXPECT_ELEMENTS(args.i64, i, BINS, -((int64_t)count[i] << 33));
    EXPECT_ELEMENTS(args.mixed, i, BINS, count[i] + ((uint64_t)count[i] << 33));
}

/* No addition of these may be put off. */
WEIR_KERNEL(other_sums, sums_args)
{
    weir_atomic_add(weir_atomic_ref((float *)(void *)args->u32, memory_order_relaxed,
                                    memory_scope_device),
                    0.5f);
    weir_atomic_add(
        weir_atomic_ref(args->i32, memory_order_seq_cst, memory_scope_system), -1);
    weir_atomic_add_explicit(args->i64 + weir_group_id(item, 0), (int64_t)2,
                             memory_order_relaxed, memory_scope_work_group);
}

WORKERS_TEST(no_other_addition_is_lost)
{
    float *f32 = weir_new(device, float, 1, "f32");
    sums_args args = { (uint32_t *)(void *)f32, weir_new(device, int32_t, 1, "i32"),
                       weir_new(device, int64_t, GROUPS, "i64"), NULL, 1 };
    *f32 = 0;
    *args.i32 = 0;
    memset(args.i64, 0, GROUPS * sizeof(*args.i64));
    LAUNCH_SILENT(device, &other_sums, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                  WITH_WORKERS(workers));
    ck_assert_double_eq(*f32, GROUPS * LOCAL / 2.0);
    ck_assert_int_eq(*args.i32, -GROUPS * LOCAL);
    EXPECT_ELEMENTS(args.i64, g, GROUPS, 2 * LOCAL);
}

/* ---- Under schedules ------------------------------------------------------------- */

CASE("schedules");

/* There every addition is done at once, as weir_atomic_fetch_add() is. */
DEVICE_TEST(a_schedule_shows_each_addition)
{
    combine_args args = new_args(device, BY_LOAD);
    LAUNCH_SILENT(device, &looks, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                  (&(struct weir_launch_options){ .schedule = "in-order" }));
    for (size_t g = 0; g < GROUPS; g++) {
        EXPECT_ELEMENT(args.out, g * LOCAL + LOCAL - 1, ALL);
    }
}

MAIN("combine")
