/* SPDX-License-Identifier: MIT
 *
 * check_schedule.c: who runs when. Each schedule orders the items as it says, and a
 * name that is none is refused; a seed decides everything; and the random schedule by
 * priorities finds bugs as often as its authors proved (Burckhardt, Kothari, Musuvathi
 * and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
 * Bugs", 2010). */
#include "logged.h"

#include <math.h>

/* ---- The orders ---------------------------------------------------------- */

CASE("orders");

DEVICE_TEST(in_order_runs_items_and_groups_by_their_ids)
{
    enum { LOCAL = 9, N_GROUPS = 4, ROUNDS = 3 };
    struct logged logged = logged_new(device, LOCAL * N_GROUPS * ROUNDS, ROUNDS);
    expect_silence(logged_run(&logged, &log_phases, N_GROUPS, LOCAL,
                              &(struct weir_launch_options){ .schedule = "in-order" }),
                   "log_phases");
    for (size_t i = 0; i < logged.n_log; i++) { /* group, then phase, then item */
        EXPECT_ELEMENT(logged.args.log, i, i / (LOCAL * ROUNDS) * LOCAL + i % LOCAL);
    }
    expect_silence(logged_run(&logged, &log_atomics, N_GROUPS, LOCAL,
                              &(struct weir_launch_options){ .schedule = "in-order" }),
                   "log_atomics");
    for (size_t i = 0; i < logged.n_log; i++) { /* an item runs until it waits */
        EXPECT_ELEMENT(logged.args.log, i, i / ROUNDS);
    }
}

DEVICE_TEST(reverse_is_the_mirror_of_in_order)
{
    enum { LOCAL = 9, N_GROUPS = 4, ROUNDS = 3, N = LOCAL * N_GROUPS };
    struct logged logged = logged_new(device, N * ROUNDS, ROUNDS);
    const struct weir_kernel *const kernels[] = { &log_phases, &log_atomics };
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        expect_silence(
            logged_run(&logged, kernels[k], N_GROUPS, LOCAL,
                       &(struct weir_launch_options){ .schedule = "in-order" }),
            kernels[k]->name);
        uint32_t forward[N * ROUNDS];
        memcpy(forward, logged.args.log, sizeof(forward));
        expect_silence(
            logged_run(&logged, kernels[k], N_GROUPS, LOCAL,
                       &(struct weir_launch_options){ .schedule = "reverse" }),
            kernels[k]->name);
        EXPECT_ELEMENTS(logged.args.log, i, logged.n_log, N - 1 - forward[i]);
    }
}

DEVICE_TEST(round_robin_changes_the_item_at_every_atomic)
{
    enum { LOCAL = 7, ROUNDS = 5 };
    struct logged logged = logged_new(device, LOCAL * ROUNDS, ROUNDS);
    expect_silence(
        logged_run(&logged, &log_atomics, 1, LOCAL,
                   &(struct weir_launch_options){ .schedule = "round-robin" }),
        "log_atomics");
    for (size_t i = 0; i < logged.n_log; i++) { /* each item once a round */
        EXPECT_ELEMENT(logged.args.log, i, i % LOCAL);
    }
}

DEVICE_TEST_EACH(every_item_comes_as_often_as_it_should_in_any_order, N_ORDERS)
{
    const struct order *order = &orders[_i];
    enum { LOCAL = 16, N_GROUPS = 20, ROUNDS = 4 };
    struct logged logged = logged_new(device, LOCAL * N_GROUPS * ROUNDS, ROUNDS);
    const struct weir_kernel *const kernels[] = { &log_phases, &log_atomics };
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        expect_quiet(logged_run(&logged, kernels[k], N_GROUPS, LOCAL, UNDER(order)),
                     kernels[k], order, LOCAL);
        uint32_t seen[LOCAL * N_GROUPS] = { 0 };
        for (size_t i = 0; i < logged.n_log; i++) {
            uint32_t id = logged.args.log[i];
            ck_assert_uint_lt(id, LOCAL * N_GROUPS);
            seen[id]++;
        }
        EXPECT_ELEMENTS(seen, i, LOCAL * N_GROUPS, ROUNDS);
    }
}

/* ---- Determinism --------------------------------------------------------- */

CASE("determinism", .teardown = scratch_remove);

DEVICE_TEST_EACH(the_same_seed_gives_the_same_bytes, N_ORDERS)
{
    const struct order *order = &orders[_i];
    struct logged logged = logged_new(device, 16 * 20 * 3, 3);
    for (size_t k = 0; k < G_N_ELEMENTS(logging); k++) {
        g_autofree char *first_shown = NULL, *first_saved = NULL;
        for (uint32_t workers = 0; workers < 3; workers++) {
            g_autoptr(weir_schedule) record = weir_schedule_new();
            g_autoptr(weir_report) report
                = logged_run(&logged, logging[k], 20, 16,
                             UNDER(order, .record = record, .workers = workers));
            g_autofree char *now_shown = shown(&logged, report),
                            *now_saved = saved_text(record);
            ck_assert_uint_eq(weir_schedule_n_launches(record), 1);
            if (workers == 0) {
                first_shown = g_strdup(now_shown);
                first_saved = g_strdup(now_saved);
            }
            ck_assert_msg(strcmp(now_shown, first_shown) == 0,
                          "'%s' under %s differs:\n%s\n%s", logging[k]->name,
                          order_name(order), first_shown, now_shown);
            ck_assert_msg(strcmp(now_saved, first_saved) == 0,
                          "what '%s' recorded under %s differs", logging[k]->name,
                          order_name(order));
        }
    }
}

DEVICE_TEST_EACH(other_seeds_give_other_orders, 2)
{
    static const char *const by_seed[] = { "random", "pct:3" };
    struct logged logged = logged_new(device, 4 * 8 * 3, 3);
    GHashTable *all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct order order = { by_seed[_i], seed };
        g_autoptr(weir_report) report
            = logged_run(&logged, &log_atomics, 4, 8, UNDER(&order));
        g_hash_table_add(all, shown(&logged, report));
    }
    ck_assert_uint_ge(g_hash_table_size(all), 15);
    g_hash_table_destroy(all);
}

/* A schedule is kept as what makes it differ from the in-order one. */
DEVICE_TEST(the_in_order_schedule_has_no_switches)
{
    struct logged logged = logged_new(device, 4 * 8 * 3, 3);
    g_autoptr(weir_schedule) record = weir_schedule_new();
    ck_assert_uint_eq(weir_schedule_n_launches(record), 0);
    ck_assert_uint_eq(weir_schedule_n_decisions(record), 0);
    static const char *const names[] = { "in-order", "random" };
    size_t n_switches[2];
    uint64_t n_decisions[2];
    for (size_t i = 0; i < 2; i++) {
        struct order order = { names[i], 3 };
        expect_quiet(
            logged_run(&logged, &lose_updates, 4, 8, UNDER(&order, .record = record)),
            &lose_updates, &order, 8);
        n_switches[i] = weir_schedule_n_switches(record);
        n_decisions[i] = weir_schedule_n_decisions(record);
        ck_assert_uint_eq(weir_schedule_n_launches(record), i + 1);
    }
    ck_assert_uint_eq(n_switches[0], 0);
    ck_assert_uint_gt(n_switches[1], 10);
    ck_assert_uint_gt(n_decisions[0], 10);
    ck_assert_uint_gt(n_decisions[1], n_decisions[0]);
    ck_assert_uint_ge(n_decisions[1] - n_decisions[0], n_switches[1]);
}

/* ---- Names --------------------------------------------------------------- */

CASE("names");

static const char *const no_schedules[] = {
    "",
    "randomly",
    "In-Order",
    "in-order ",
    "inorder",
    "fair",
    "pct",
    "pct:",
    "pct:x",
    "pct:0",
    "pct:-1",
    "pct:1x",
    "pct:3:",
    "pct:3:x",
    "pct:3:0",
    "pct:3:-1",
    "pct:3:4:5",
    "pct 3",
    "random:1",
    "pct:99999999999999999999999999",
    "pct:3:99999999999999999999999999",
};

DEVICE_TEST_EACH(an_unknown_schedule_is_refused_with_those_that_are_known,
                 G_N_ELEMENTS(no_schedules))
{
    struct logged logged = logged_new(device, 24, 3);
    logged_reset(&logged);
    struct order order = { no_schedules[_i], 1 };
    static const char *const known[]
        = { "in-order", "reverse", "round-robin", "random", "pct:" };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        EXPECT_REFUSED(logged.device, &log_atomics, weir_nd_range_1d(8, 8),
                       &logged.args, UNDER(&order), WEIR_ERROR_SCHEDULE, known[i]);
    }
    for (size_t i = 0; i < 24; i++) { /* nothing ran */
        EXPECT_ELEMENT(logged.args.log, i, UINT32_MAX);
    }
}

DEVICE_TEST(changes_may_exceed_the_steps_and_steps_the_launch)
{
    static const char *const odd_ones[]
        = { "pct:1:1", "pct:2:1", "pct:50:3", "pct:3:1000000", "pct:1:1000000" };
    struct logged logged = logged_new(device, 24, 3);
    for (size_t i = 0; i < G_N_ELEMENTS(odd_ones); i++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct order order = { odd_ones[i], seed };
            expect_quiet(logged_run(&logged, &log_atomics, 1, 8, UNDER(&order)),
                         &log_atomics, &order, 8);
        }
    }
}

/* ---- Probability --------------------------------------------------------- */

CASE("probability");

/* Item 1 finds the door open only between two atomics of item 0. Other atomics
 * around them make the launch longer. */
WEIR_KERNEL(a_door_is_open_for_a_moment, log_args)
{
    uint32_t *door = args->next, *padding = &args->log[1];
    if (weir_local_id(item, 0) == 0) {
        for (uint32_t i = 0; i < args->rounds; i++) {
            ADD_RELAXED(padding, 1u);
        }
        STORE_RELAXED(door, 1u);
        STORE_RELAXED(door, 0u);
    } else if (weir_local_id(item, 0) == 1) {
        args->log[0] = LOAD_RELAXED(door);
    }
}

/* Item 1 must look twice, and item 0 go on in between. */
WEIR_KERNEL(a_door_turns, log_args)
{
    uint32_t *door = args->next;
    if (weir_local_id(item, 0) == 0) {
        STORE_RELAXED(door, 1u);
        STORE_RELAXED(door, 2u);
        STORE_RELAXED(door, 0u);
    } else {
        uint32_t first = LOAD_RELAXED(door), second = LOAD_RELAXED(door);
        args->log[0] = first == 1 && second == 2;
    }
}

/* Seeds under which log[0] is 1, of @n_seeds. */
static size_t count_hits(struct logged *logged, const struct weir_kernel *kernel,
                         const char *schedule, size_t local, size_t n_seeds)
{
    size_t n_hits = 0;
    for (uint64_t seed = 1; seed <= n_seeds; seed++) {
        struct order order = { schedule, seed };
        expect_quiet(logged_run(logged, kernel, 1, local, UNDER(&order)), kernel,
                     &order, local);
        n_hits += logged->args.log[0] == 1;
    }
    return n_hits;
}

/* A bound that is proved of the probability; four standard deviations are granted to
 * the sample, which chance exceeds once in 30 000 cases. */
static void expect_at_least(size_t n_hits, size_t n_seeds, double bound,
                            const char *what)
{
    double expected = bound * (double)n_seeds;
    double slack = 4 * sqrt(expected);
    ck_assert_msg((double)n_hits >= expected - slack,
                  "%s: %zu of %zu seeds, where %.1f are to be expected at least", what,
                  n_hits, n_seeds, expected);
    ck_assert_msg(n_hits >= 1 || expected < 5, "%s: none of %zu seeds", what, n_seeds);
}

/* Steps of a launch: k of the bound 1 / (n k^(d-1)). */
static uint64_t steps_of(struct logged *logged, const struct weir_kernel *kernel,
                         size_t local)
{
    g_autoptr(weir_report) report
        = logged_run(logged, kernel, 1, local,
                     &(struct weir_launch_options){ .schedule = "in-order" });
    uint64_t steps = weir_report_n_steps(report);
    return steps;
}

DEVICE_TEST(pct_finds_a_bug_of_depth_2_as_often_as_is_proved)
{
    size_t n_seeds = scaled(4000, 100);
    static const size_t items[] = { 2, 5 };
    for (uint32_t padding = 0; padding <= 8; padding += 8) {
        for (size_t i = 0; i < G_N_ELEMENTS(items); i++) {
            struct logged logged = logged_new(device, 4, padding);
            uint64_t k = steps_of(&logged, &a_door_is_open_for_a_moment, items[i]);
            /* So many atomics, and each item may cost a step of its own. */
            ck_assert_uint_ge(k, padding + 3);
            ck_assert_uint_le(k, padding + 3 + 2 * items[i]);
            g_autofree char *schedule = g_strdup_printf("pct:1:%" G_GUINT64_FORMAT, k);
            double bound = 1.0 / ((double)items[i] * (double)k);
            expect_at_least(count_hits(&logged, &a_door_is_open_for_a_moment, schedule,
                                       items[i], n_seeds),
                            n_seeds, bound, schedule);
            /* Without a length given it is 8 steps for each item, which are more. */
            bound = 1.0 / (8.0 * (double)(items[i] * items[i]));
            expect_at_least(count_hits(&logged, &a_door_is_open_for_a_moment, "pct:1",
                                       items[i], n_seeds),
                            n_seeds, bound, "pct:1");
        }
    }
}

/* A change point that is not reached leaves the priorities alone. */
static const char no_change[] = "pct:1:1000000000";

DEVICE_TEST(without_a_change_pct_switches_only_where_an_item_ends)
{
    struct logged logged = logged_new(device, 4, 4);
    ck_assert_uint_eq(count_hits(&logged, &a_door_is_open_for_a_moment, no_change, 2,
                                 scaled(1000, 100)),
                      0);

    /* Each item runs from its start to its end, and any may be the first. */
    enum { LOCAL = 4, ROUNDS = 5 };
    logged = logged_new(device, LOCAL * ROUNDS, ROUNDS);
    size_t n_first[LOCAL] = { 0 }, n_seeds = scaled(400, 100);
    for (uint64_t seed = 1; seed <= n_seeds; seed++) {
        struct order order = { no_change, seed };
        expect_quiet(logged_run(&logged, &log_atomics, 1, LOCAL, UNDER(&order)),
                     &log_atomics, &order, LOCAL);
        n_first[logged.args.log[0]]++;
        EXPECT_ELEMENTS(logged.args.log, i, logged.n_log,
                        logged.args.log[i / ROUNDS * ROUNDS]);
    }
    for (size_t i = 0; i < LOCAL; i++) {
        expect_at_least(n_first[i], n_seeds, 1.0 / LOCAL, "an item runs first");
    }
}

/* The first step starts an item, and the second comes before its first atomic. */
DEVICE_TEST(a_change_before_the_first_atomic_splits_no_item)
{
    enum { LOCAL = 4, ROUNDS = 5 };
    struct logged logged = logged_new(device, LOCAL * ROUNDS, ROUNDS);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct order order = { "pct:1:2", seed };
        expect_quiet(logged_run(&logged, &log_atomics, 1, LOCAL, UNDER(&order)),
                     &log_atomics, &order, LOCAL);
        EXPECT_ELEMENTS(logged.args.log, i, logged.n_log,
                        logged.args.log[i / ROUNDS * ROUNDS]);
    }
}

DEVICE_TEST(pct_finds_a_bug_of_depth_4_as_often_as_is_proved)
{
    size_t n_seeds = scaled(4000, 400);
    struct logged logged = logged_new(device, 4, 0);
    uint64_t k = steps_of(&logged, &a_door_turns, 2);
    g_autofree char *schedule = g_strdup_printf("pct:3:%" G_GUINT64_FORMAT, k);
    expect_at_least(count_hits(&logged, &a_door_turns, schedule, 2, n_seeds), n_seeds,
                    1.0 / (2.0 * (double)(k * k * k)), schedule);
    /* Three switches are needed, and this has two. */
    schedule[4] = '2';
    ck_assert_uint_eq(count_hits(&logged, &a_door_turns, schedule, 2, n_seeds), 0);
}

DEVICE_TEST(random_finds_both_bugs)
{
    struct logged logged = logged_new(device, 4, 2);
    size_t n_seeds = scaled(1000, 200);
    ck_assert_uint_ge(
        count_hits(&logged, &a_door_is_open_for_a_moment, "random", 2, n_seeds),
        n_seeds / 20);
    ck_assert_uint_ge(count_hits(&logged, &a_door_turns, "random", 2, n_seeds),
                      n_seeds / 50);
}

MAIN("schedule")
