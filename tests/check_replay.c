/* SPDX-License-Identifier: MIT
 *
 * check_replay.c: what was recorded is followed again to the byte, and only by the
 * launch that it fits; shrinking leaves the switches that matter. The form of the file
 * is check_trace.c's. */
#include "logged.h"

/* ---- Replay -------------------------------------------------------------- */

CASE("replay", .teardown = scratch_remove);

static const char *const recorded[]
    = { "random", "pct:1", "pct:2", "pct:3", "round-robin", "reverse" };

static void expect_replay(struct logged *logged, const struct weir_kernel *kernel,
                          const struct order *order, size_t groups, size_t local)
{
    g_autoptr(weir_schedule) record = weir_schedule_new();
    struct weir_report *report
        = logged_run(logged, kernel, groups, local, UNDER(order, .record = record));
    g_autofree char *before = shown(logged, report), *path = scratch_path("recorded");
    weir_report_free(report);
    save(record, path);
    g_autofree char *before_file = contents(path);

    g_autoptr(weir_schedule) replay = load(path);
    g_autoptr(weir_schedule) again = weir_schedule_new();
    report = logged_run(
        logged, kernel, groups, local,
        &(struct weir_launch_options){ .replay = replay, .record = again });
    g_autofree char *after = shown(logged, report), *after_file = saved_text(again);
    ck_assert_msg(strcmp(before, after) == 0, "'%s' under %s replays as\n%s\nnot\n%s",
                  kernel->name, order_name(order), after, before);
    ck_assert_msg(strcmp(before_file, after_file) == 0,
                  "'%s' under %s is recorded again as\n%s\nnot\n%s", kernel->name,
                  order_name(order), after_file, before_file);
    weir_report_free(report);
}

DEVICE_TEST_EACH(a_recorded_launch_replays_to_the_byte, G_N_ELEMENTS(logging))
{
    struct logged logged = logged_new(device, 20 * 9 * 3, 3);
    for (uint64_t seed = 1; seed <= scaled(200, 4); seed++) {
        struct order order = { recorded[seed % G_N_ELEMENTS(recorded)], seed };
        size_t local = 1 + seed % 9, groups = 1 + seed % 20;
        expect_replay(&logged, logging[_i], &order, groups, local);
    }
}

/* Several launches with one record, and each takes its own. */
DEVICE_TEST(launches_replay_one_after_the_other)
{
    struct logged logged = logged_new(device, 4 * 8 * 3, 3);
    g_autoptr(weir_schedule) record = weir_schedule_new();
    char *before[4];
    for (size_t i = 0; i < 4; i++) {
        struct order order = { "random", 50 + i };
        g_autoptr(weir_report) report
            = logged_run(&logged, logging[i], 4, 8, UNDER(&order, .record = record));
        before[i] = shown(&logged, report);
    }
    ck_assert_uint_eq(weir_schedule_n_launches(record), 4);
    g_autofree char *path = scratch_path("four");
    save(record, path);
    g_autoptr(weir_schedule) replay = load(path);
    ck_assert_uint_eq(weir_schedule_n_launches(replay), 4);
    for (size_t i = 0; i < 4; i++) {
        g_autoptr(weir_report) report
            = logged_run(&logged, logging[i], 4, 8,
                         &(struct weir_launch_options){ .replay = replay });
        g_autofree char *after = shown(&logged, report);
        ck_assert_str_eq(after, before[i]);
        g_free(before[i]);
    }
    /* There is no fifth. */
    logged_reset(&logged);
    EXPECT_REFUSED(logged.device, logging[0], weir_nd_range_1d(32, 8), &logged.args,
                   &(struct weir_launch_options){ .replay = replay },
                   WEIR_ERROR_SCHEDULE, "launch");
}

/* ---- What does not fit --------------------------------------------------- */

DEVICE_TEST(a_schedule_fits_only_its_own_kernel_and_sizes)
{
    struct logged logged = logged_new(device, 64 * 3, 3);
    const struct {
        const struct weir_kernel *kernel;
        size_t groups, local;
        uint32_t sub_group_size;
        const char *part;
    } others[] = {
        { &log_phases, 4, 8, 0, "log_phases" }, { &log_atomics, 2, 8, 0, "16" },
        { &log_atomics, 4, 4, 0, "16" },        { &log_atomics, 2, 16, 0, "16" },
        { &log_atomics, 4, 8, 8, "sub-group" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autoptr(weir_schedule) schedule
            = recorded_new(&logged, &log_atomics, 4, 8, 1 + i);
        logged_reset(&logged);
        EXPECT_REFUSED(
            logged.device, others[i].kernel,
            weir_nd_range_1d(others[i].groups * others[i].local, others[i].local),
            &logged.args,
            (&(struct weir_launch_options){
                .replay = schedule, .sub_group_size = others[i].sub_group_size }),
            WEIR_ERROR_SCHEDULE, others[i].part);
    }
}

DEVICE_TEST(a_changed_kernel_parts_from_its_schedule_at_a_step)
{
    struct logged logged = logged_new(device, 4 * 8 * 6, 6);
    for (uint64_t seed = 1; seed <= scaled(20, 2); seed++) {
        struct weir_schedule *schedule
            = recorded_new(&logged, &log_atomics, 1, 8, seed);
        logged_reset(&logged);
        logged.args.skip = 1;
        GError *error = NULL;
        struct weir_report *report = NULL;
        bool done = weir_launch_with(
            logged.device, &log_atomics, weir_nd_range_1d(8, 8), &logged.args,
            (&(struct weir_launch_options){ .replay = schedule }), &report, &error);
        ck_assert_msg(!done,
                      "seed %d: a kernel that lacks an atomic follows its "
                      "schedule",
                      (int)seed);
        ck_assert_msg(strpbrk(error->message, "0123456789") != NULL, "no step in: %s",
                      error->message);
        expect_error(error, WEIR_ERROR_SCHEDULE, "step");
        weir_schedule_free(schedule);

        /* Loosely it is followed as far as it goes. */
        logged.args.skip = 0;
        schedule = recorded_new(&logged, &log_atomics, 1, 8, seed);
        logged.args.skip = 1;
        weir_report_free(logged_run(
            &logged, &log_atomics, 1, 8,
            &(struct weir_launch_options){ .replay = schedule, .loosely = true }));
        weir_schedule_free(schedule);
        logged.args.skip = 0;
        schedule = recorded_new(&logged, &log_atomics, 1, 8, seed);
        weir_report_free(
            logged_run(&logged, &log_atomics, 1, 8,
                       &(struct weir_launch_options){ .replay = schedule }));
        weir_schedule_free(schedule);
    }
}

/* ---- Turns --------------------------------------------------------------- */

/* An item of lose_updates loads at its first stop, and stores at its second one. An
 * update is lost if the other item makes both in between. */
DEVICE_TEST(turns_are_followed_up_to_their_stops)
{
    static const struct {
        const char *turns;
        size_t n_switches;
        uint32_t sum;
    } cases[] = {
        { "", 0, 2 },          { "0.1", 1, 2 },
        { "0.0:1 0.1", 2, 2 }, { "0.0:2 0.1", 2, 1 },
        { "0.0:3 0.1", 2, 2 }, { "0.1:2 0.0:3 0.1", 3, 1 },
        { "0.1:7 0.0", 2, 2 }, { "0.0:2 7.7:1 0.1", 3, 2 },
    };
    struct logged logged = logged_new(device, 2, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(weir_schedule) schedule
            = recorded_new(&logged, &lose_updates, 1, 2, 1);
        GError *error = NULL;
        bool set = weir_schedule_set_turns(schedule, 0, cases[i].turns, &error);
        EXPECT(set, "turns '%s': %s", cases[i].turns, error->message);
        ck_assert_uint_eq(weir_schedule_n_switches(schedule), cases[i].n_switches);
        weir_report_free(logged_run(
            &logged, &lose_updates, 1, 2,
            &(struct weir_launch_options){ .replay = schedule, .loosely = true }));
        EXPECT(*logged.args.sum == cases[i].sum, "turns '%s': the sum is %u",
               cases[i].turns, *logged.args.sum);
    }
}

DEVICE_TEST(turns_of_another_form_are_refused)
{
    static const char *const wrong[]
        = { "0",          "0.0:2",      "0.0:2 ",     "0.0 0.1", "0.0:0 0.1",
            " 0.0:2 0.1", "0.0:2  0.1", "0.0:2 0.1 ", "-1.0",    "0.4294967295" };
    struct logged logged = logged_new(device, 2, 1);
    g_autoptr(weir_schedule) schedule = recorded_new(&logged, &lose_updates, 1, 2, 1);
    size_t n = weir_schedule_n_switches(schedule);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        EXPECT(!weir_schedule_set_turns(schedule, 0, wrong[i], &error),
               "'%s' is taken for turns", wrong[i]);
        expect_error(error, WEIR_ERROR_SCHEDULE, wrong[i]);
    }
    GError *error = NULL;
    ck_assert(!weir_schedule_set_turns(schedule, 1, "0.1", &error));
    expect_error(error, WEIR_ERROR_SCHEDULE, "no launch of number 1");
    ck_assert_uint_eq(weir_schedule_n_switches(schedule), n);
}

/* ---- Shrinking ----------------------------------------------------------- */

CASE("shrinking", .teardown = scratch_remove);

struct hunt {
    struct logged logged;
    const struct weir_kernel *kernel;
    size_t local;
    uint32_t expected;
    size_t n_tried;
    struct weir_schedule *record; /* of the last one that failed */
};

/* Whether the launch goes wrong: an assertion of the kernel, or a wrong sum. */
static bool goes_wrong(struct hunt *hunt, const struct weir_launch_options *options)
{
    g_autoptr(weir_report) report
        = logged_run(&hunt->logged, hunt->kernel, 1, hunt->local, options);
    bool wrong = *hunt->logged.args.sum != hunt->expected;
    if (weir_report_n_findings(report) > 0) {
        wrong = weir_report_finding(report, 0)->kind == WEIR_FINDING_ASSERTION;
    }
    return wrong;
}

static bool loses(struct weir_schedule *candidate, void *user)
{
    struct hunt *hunt = user;
    struct weir_schedule *record = weir_schedule_new();
    hunt->n_tried++;
    bool wrong
        = goes_wrong(hunt,
                     &(struct weir_launch_options){
                         .replay = candidate, .loosely = true, .record = record });
    if (wrong) {
        weir_schedule_free(hunt->record);
        hunt->record = record;
    } else {
        weir_schedule_free(record);
    }
    return wrong;
}

/* The last of two items claims that nothing was lost. */
WEIR_KERNEL(claim_that_nothing_is_lost, log_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t before = LOAD_RELAXED(args->sum);
        STORE_RELAXED(args->sum, before + 1);
    }
    if (ADD_RELAXED(args->next, 1u) == weir_local_size(item, 0) - 1) {
        uint32_t sum = LOAD_RELAXED(args->sum);
        weir_assert(item, sum == args->rounds * weir_local_size(item, 0));
    }
}

static void expect_shrinking(struct weir_device *device,
                             const struct weir_kernel *kernel, size_t local,
                             uint32_t rounds, size_t least_switches)
{
    struct hunt hunt = { logged_new(device, local * rounds, rounds),
                         kernel,
                         local,
                         (uint32_t)local * rounds,
                         0,
                         NULL };
    g_autoptr(weir_schedule) record = weir_schedule_new();
    struct order order = { "random", 3 };
    ck_assert(goes_wrong(&hunt, UNDER(&order, .record = record)));
    ck_assert_uint_gt(weir_schedule_n_switches(record), least_switches);

    g_autoptr(weir_schedule) shrunk = weir_schedule_shrink(record, loses, &hunt);
    ck_assert_ptr_nonnull(shrunk);
    ck_assert_uint_ge(weir_schedule_n_switches(shrunk), 1);
    ck_assert_uint_le(weir_schedule_n_switches(shrunk), 3);
    ck_assert_uint_ge(hunt.n_tried, 3);
    ck_assert_uint_lt(hunt.n_tried, 2000);

    /* The remaining schedule still fails; recorded anew, it is followed strictly. */
    g_autofree char *path = scratch_path("shrunk");
    save(shrunk, path);
    g_autoptr(weir_schedule) loaded = load(path);
    ck_assert(loses(loaded, &hunt));
    save(hunt.record, path);
    g_autoptr(weir_schedule) strict = load(path);
    ck_assert_uint_le(weir_schedule_n_switches(strict), 3);
    ck_assert(goes_wrong(&hunt, &(struct weir_launch_options){ .replay = strict }));
    weir_schedule_free(hunt.record);
}

DEVICE_TEST(shrinking_leaves_the_switch_that_loses_an_update)
{
    if (under_valgrind()) {
        expect_shrinking(device, &lose_updates, 4, 10, 40);
    } else {
        expect_shrinking(device, &lose_updates, 8, 1000, 10000);
        expect_shrinking(device, &lose_updates, 64, 20, 1000);
    }
}

DEVICE_TEST(shrinking_leaves_the_switch_that_breaks_a_claim)
{
    expect_shrinking(device, &claim_that_nothing_is_lost, 5, 20, 40);
}

DEVICE_TEST(what_shrinking_returns_can_be_followed_at_once)
{
    struct hunt hunt
        = { logged_new(device, 4 * 5, 5), &lose_updates, 4, 4 * 5, 0, NULL };
    g_autoptr(weir_schedule) record = weir_schedule_new();
    struct order order = { "random", 3 };
    ck_assert(goes_wrong(&hunt, UNDER(&order, .record = record)));
    g_autoptr(weir_schedule) shrunk = weir_schedule_shrink(record, loses, &hunt);
    ck_assert(loses(shrunk, &hunt));
    weir_schedule_free(hunt.record);
}

/* ddmin: no single switch of the result can be left out. */
static bool has_two_switches_at_least(struct weir_schedule *candidate, void *user)
{
    (void)user;
    return weir_schedule_n_switches(candidate) >= 2;
}

static bool never(struct weir_schedule *candidate, void *user)
{
    (void)candidate;
    (*(size_t *)user)++;
    return false;
}

DEVICE_TEST(shrinking_ends_where_no_switch_can_be_left_out)
{
    struct logged logged = logged_new(device, 8 * 6, 6);
    g_autoptr(weir_schedule) schedule = recorded_new(&logged, &log_atomics, 1, 8, 1);
    size_t n_switches = weir_schedule_n_switches(schedule), n_tried = 0;
    ck_assert_uint_gt(n_switches, 10);
    g_autoptr(weir_schedule) two
        = weir_schedule_shrink(schedule, has_two_switches_at_least, NULL);
    ck_assert_uint_eq(weir_schedule_n_switches(two), 2);

    /* Where it does not fail, a copy, and the original is as it was. */
    g_autoptr(weir_schedule) copy = weir_schedule_shrink(schedule, never, &n_tried);
    ck_assert_uint_ge(n_tried, 1);
    g_autofree char *text = saved_text(schedule), *text_of_copy = saved_text(copy);
    EXPECT(strcmp(text_of_copy, text) == 0, "the copy differs");
    ck_assert_uint_eq(weir_schedule_n_switches(schedule), n_switches);
}

CASE("replay", .teardown = scratch_remove);

/* The kernel and its sizes fit, and the profile is another one. */
DEVICE_TEST(a_schedule_fits_only_its_own_device)
{
    struct logged logged = logged_new(device, 2 * 8 * 3, 3);
    g_autoptr(weir_schedule) schedule = recorded_new(&logged, &log_atomics, 2, 8, 1);
    g_autoptr(weir_device) other = device_open("opencl20");
    EXPECT_REFUSED(other, &log_atomics, weir_nd_range_1d(16, 8), &logged.args,
                   (&(struct weir_launch_options){ .replay = schedule }),
                   WEIR_ERROR_SCHEDULE, "device is opencl20");
}

/* The text of a switch is "STEP GROUP.ITEM:STOP -> GROUP.ITEM"; one STOP is changed. */
DEVICE_TEST(a_switch_at_another_stop_parts_from_the_launch)
{
    struct logged logged = logged_new(device, 8 * 3, 3);
    struct weir_schedule *schedule = recorded_new(&logged, &log_atomics, 1, 8, 1);
    g_autofree char *path = scratch_path("edited"), *text = NULL;
    save(schedule, path);
    weir_schedule_free(schedule);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    char *stop = strchr(strstr(text, "switches:") + strlen("switches:"), ':') + 1;
    *stop = *stop == '1' ? '2' : '1';
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    schedule = load(path);
    logged_reset(&logged);
    EXPECT_REFUSED(logged.device, &log_atomics, weir_nd_range_1d(8, 8), &logged.args,
                   (&(struct weir_launch_options){ .replay = schedule }),
                   WEIR_ERROR_SCHEDULE, "step");
    weir_schedule_free(schedule);
}

MAIN("replay")
