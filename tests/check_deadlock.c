/* SPDX-License-Identifier: MIT
 *
 * check_deadlock.c: waits by atomics that cannot end are found, at once and in every
 * deterministic schedule, as a deadlock or a livelock that says who waits on which
 * object and who wrote it last; the nearest wait that ends is silent.
 *
 * A failure here may be a hang, which the test's time limit ends. */
#include "waits.h"

/* Lines as kernels mark them: of the wait, of the write, of a barrier. */
static _Atomic uint32_t line_wait, line_write, line_barrier;

/* ---- Groups -------------------------------------------------------------- */

CASE("groups");

typedef struct {
    uint32_t *arrived;
    uint32_t *out;
} grid_args;

/* A barrier of all groups. */
WEIR_KERNEL(grid_barrier, grid_args)
{
    uint32_t groups = (uint32_t)weir_num_groups(item, 0);
    if (weir_local_id(item, 0) == 0) {
        MARK(line_write, ADD(&args->arrived[1], 1u));
        while (MARK(line_wait, LOAD(&args->arrived[1])) < groups) {}
    }
    MARK(line_barrier, weir_barrier(item, WEIR_GLOBAL));
    args->out[weir_global_id(item, 0)] = LOAD(&args->arrived[1]);
}

static grid_args grid_args_new(struct weir_device *device, size_t n)
{
    grid_args args = { weir_new(device, uint32_t, 2, "arrived"),
                       weir_new(device, uint32_t, n, "out") };
    return args;
}

/* Who spins, on what: the parts of a party that every such finding has. */
static void expect_spinning(const struct weir_party *party, const char *object,
                            uint64_t index, const char *value)
{
    ck_assert_int_eq(party->state, WEIR_STATE_SPINNING);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line_of(&line_wait));
    ck_assert_ptr_nonnull(party->operation);
    ck_assert_ptr_nonnull(party->object);
    ck_assert_str_eq(party->object, object);
    ck_assert_uint_eq(party->index, index);
    ck_assert_ptr_nonnull(party->value);
    ck_assert_str_eq(party->value, value);
}

static void expect_writer(const struct weir_party *party, const char *part,
                          const char *operation)
{
    ck_assert_ptr_nonnull(party->writer);
    expect_contains(party->writer, part);
    expect_contains(party->writer, operation);
    expect_names_line(party->writer, __FILE__, line_of(&line_write));
}

DEVICE_TEST_EACH(a_grid_barrier_of_more_groups_than_are_resident_is_a_deadlock,
                 N_ORDERS)
{
    const struct order *order = &orders[_i];
    size_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS);
    size_t groups = units + 4, local = 4;
    grid_args args = grid_args_new(device, groups * local);
    int64_t start = g_get_monotonic_time();
    g_autoptr(weir_report) report
        = LAUNCH(device, &grid_barrier, weir_nd_range_1d(groups * local, local), &args,
                 UNDER(order));
    double seconds = seconds_since(start);
    ck_assert_msg(seconds < allowed(1), "found after %.2f s only", seconds);

    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_DEADLOCK, "grid_barrier");
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
    ck_assert_ptr_null(weir_report_incomplete(report));
    ck_assert_ptr_null(finding->form);

    const struct weir_party *absent = party_in_state(finding, "not started");
    ck_assert_ptr_nonnull(absent->groups);
    ck_assert_uint_eq(count_ranges(absent->groups), groups - units);
    const struct weir_party *spinning = party_in_state(finding, "spinning");
    ck_assert_str_eq(spinning->items, "0");
    ck_assert_ptr_nonnull(spinning->groups);
    ck_assert_uint_eq(count_ranges(spinning->groups), units);
    g_autofree char *value = g_strdup_printf("%zu", units);
    expect_spinning(spinning, "arrived", 1, value);
    expect_writer(spinning, "item 0 of group (", "weir_atomic_fetch_add");
    const struct weir_party *waiting = party_in_state(finding, "waiting");
    ck_assert_str_eq(waiting->items, "1-3");
    ck_assert_uint_eq(waiting->line, line_of(&line_barrier));

    expect_contains(finding->message, "portable");
    g_autofree char *text = weir_report_to_text(report);
    expect_contains(text, "arrived[1]");
    expect_contains(text, absent->groups);
    if (strcmp(order->schedule, "in-order") == 0) {
        ck_assert_str_eq(absent->groups, "16-19");
        EXPECT_COORDINATES(absent->group, 16, 0, 0);
        ck_assert_str_eq(spinning->groups, "0-15");
        EXPECT_COORDINATES(spinning->group, 0, 0, 0);
        expect_contains(spinning->writer, "item 0 of group (15,0,0)");
    }
}

DEVICE_TEST_EACH(a_grid_barrier_of_as_many_groups_as_are_resident_is_silent, N_ORDERS)
{
    const struct order *order = &orders[_i];
    size_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS);
    for (size_t groups = 1; groups <= units; groups += 5) {
        for (size_t local = 1; local <= 9; local += 4) {
            grid_args args = grid_args_new(device, groups * local);
            expect_quiet(LAUNCH(device, &grid_barrier,
                                weir_nd_range_1d(groups * local, local), &args,
                                UNDER(order)),
                         &grid_barrier, order, local);
            EXPECT_ELEMENTS(args.out, i, groups * local, groups);
            weir_free(device, args.arrived);
            weir_free(device, args.out);
        }
    }
}

/* All groups wait for the last one. */
WEIR_KERNEL(wait_for_the_last_group, grid_args)
{
    if (weir_group_id(item, 0) == weir_num_groups(item, 0) - 1) {
        MARK(line_write, STORE(&args->arrived[0], 7u));
    } else {
        while (MARK(line_wait, LOAD(&args->arrived[0])) != 7) {}
    }
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(groups_that_wait_for_one_that_cannot_start_are_found)
{
    static const struct order in_order = { "in-order", 0 };
    size_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS), local = 2;
    size_t many = units + 1;
    grid_args args = grid_args_new(device, 40 * local);
    int64_t start = g_get_monotonic_time();
    g_autoptr(weir_report) report
        = LAUNCH(device, &wait_for_the_last_group,
                 weir_nd_range_1d(many * local, local), &args, UNDER(&in_order));
    ck_assert(seconds_since(start) < allowed(1));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_DEADLOCK, "wait_for_the_last_group");
    const struct weir_party *absent = party_in_state(finding, "not started");
    EXPECT_COORDINATES(absent->group, units, 0, 0);
    const struct weir_party *spinning = party_in_state(finding, "spinning");
    ck_assert_str_eq(spinning->items, "0-1");
    ck_assert_str_eq(spinning->groups, "0-15");
    expect_spinning(spinning, "arrived", 0, "0");
    ck_assert_ptr_null(spinning->writer);

    expect_quiet(LAUNCH(device, &wait_for_the_last_group,
                        weir_nd_range_1d(units * local, local), &args,
                        UNDER(&in_order)),
                 &wait_for_the_last_group, &in_order, local);
    EXPECT_ELEMENTS(args.out, i, units * local, 1);
}

/* ---- No item left that could write --------------------------------------- */

CASE("livelock");

/* A kernel whose items wait, and how it is launched. */
struct trial {
    const struct weir_kernel *kernel;
    size_t n, local;
    const struct order *order;
    struct weir_device *device;
    wait_args args;
};

enum { SPARE = 4 }; /* flags that kernels use, however few items they have */

static struct trial open_trial(struct weir_device *device,
                               const struct weir_kernel *kernel, size_t n, size_t local,
                               const struct order *order)
{
    return (struct trial){ .kernel = kernel,
                           .n = n,
                           .local = local,
                           .order = order,
                           .device = device,
                           .args = wait_args_new(device, n + SPARE, 0) };
}

/* No flag is raised before it. The report is the caller's. */
static struct weir_report *try(struct trial *trial, uint32_t rounds)
{
    size_t bytes = (trial->n + SPARE) * sizeof(uint32_t);
    memset(trial->args.flag, 0, bytes);
    memset(trial->args.out, 0, bytes);
    trial->args.rounds = rounds;
    return LAUNCH(trial->device, trial->kernel,
                  weir_nd_range_1d(trial->n, trial->local), &trial->args,
                  UNDER(trial->order));
}

static void try_quiet(struct trial *trial, uint32_t rounds)
{
    expect_quiet(try(trial, rounds), trial->kernel, trial->order, trial->local);
}

/* The party of a livelock that is all that was found. */
static const struct weir_party *only_spinning(const struct weir_report *report,
                                              const struct trial *trial)
{
    return party_in_state(
        only_finding(report, WEIR_FINDING_LIVELOCK, trial->kernel->name), "spinning");
}

WEIR_KERNEL(all_wait_for_nobody, wait_args)
{
    args->out[weir_global_id(item, 0)] = 1;
    while (MARK(line_wait, LOAD(&args->flag[2])) == 0) {}
}

DEVICE_TEST_EACH(a_spin_on_a_flag_without_writers_is_a_livelock, N_ORDERS)
{
    for (size_t s = 0; s < G_N_ELEMENTS(few); s++) {
        struct trial trial
            = open_trial(device, &all_wait_for_nobody, few[s], few[s], &orders[_i]);
        int64_t start = g_get_monotonic_time();
        g_autoptr(weir_report) report = try(&trial, 0);
        ck_assert(seconds_since(start) < allowed(1));
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_LIVELOCK, "all_wait_for_nobody");
        ck_assert_uint_eq(weir_report_n_defects(report), 1);
        ck_assert_ptr_null(finding->form);
        ck_assert_uint_eq(finding->n_parties, 1);
        char *items = g_strdup_printf("0-%zu", few[s] - 1);
        expect_spinning(party_of(finding, items), "flag", 2, "0");
        ck_assert_ptr_null(party_of(finding, items)->writer);
        g_free(items);
        g_autofree char *text = weir_report_to_text(report);
        expect_contains(text, "flag[2]");
    }
}

/* Item 1 writes what item 3 does not wait for; all but item 3 return. */
WEIR_KERNEL(one_waits_for_another_value, wait_args)
{
    if (weir_local_id(item, 0) == 1) {
        MARK(line_write, STORE(&args->flag[0], 5u));
    }
    if (weir_local_id(item, 0) == 3) {
        while (MARK(line_wait, LOAD(&args->flag[0])) != args->rounds) {}
    }
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST_EACH(a_livelock_names_the_last_writer, N_ORDERS)
{
    struct trial trial
        = open_trial(device, &one_waits_for_another_value, 8, 8, &orders[_i]);
    g_autoptr(weir_report) report = try(&trial, 1);
    const struct weir_party *party = only_spinning(report, &trial);
    ck_assert_str_eq(party->items, "3");
    EXPECT_COORDINATES(party->item, 3, 0, 0);
    EXPECT_COORDINATES(party->group, 0, 0, 0);
    expect_spinning(party, "flag", 0, "5");
    expect_contains(party->operation, "weir_atomic_load");
    expect_writer(party, "item 1 of group (0,0,0)", "weir_atomic_store");
    EXPECT_ELEMENTS(trial.args.out, i, 8, i != 3);
    try_quiet(&trial, 5); /* what item 1 writes */
    EXPECT_ELEMENT(trial.args.out, 3, 1);
}

static _Atomic uint32_t line_array;

WEIR_KERNEL(wait_in_local_memory, wait_args)
{
    uint32_t *words = MARK(line_array, weir_local_array(item, uint32_t, 4));
    if (weir_local_id(item, 0) == 0) {
        memset(words, 0, 4 * sizeof(*words));
    }
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        MARK(line_write, STORE(&words[args->rounds], 1u));
    }
    while (MARK(line_wait, LOAD(&words[3])) == 0) {}
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST_EACH(a_livelock_on_local_memory_names_the_array, N_ORDERS)
{
    struct trial trial = open_trial(device, &wait_in_local_memory, 8, 4, &orders[_i]);
    g_autoptr(weir_report) report = try(&trial, 2);
    const struct weir_party *party = only_spinning(report, &trial);
    ck_assert_str_eq(party->items, "0-3");
    ck_assert_ptr_nonnull(party->object);
    ck_assert(g_str_has_prefix(party->object, "local array of "));
    expect_names_line(party->object, __FILE__, line_of(&line_array));
    ck_assert_uint_eq(party->index, 3);
    ck_assert_str_eq(party->value, "0");
    ck_assert_ptr_null(party->writer);
    try_quiet(&trial, 3); /* the word that is waited for */
    EXPECT_ELEMENTS(trial.args.out, i, 8, 1);
}

/* ---- Deadlock inside a group --------------------------------------------- */

CASE("deadlock");

/* Rounds is how many items set their flag before the barrier: all, or none. */
WEIR_KERNEL(flag_behind_the_barrier, wait_args)
{
    size_t lid = weir_local_id(item, 0), half = weir_local_size(item, 0) / 2;
    if (lid < args->rounds) {
        STORE(&args->flag[1], 1u);
    }
    if (lid >= half) {
        while (MARK(line_wait, LOAD(&args->flag[1])) == 0) {}
    }
    MARK(line_barrier, weir_barrier(item, WEIR_GLOBAL));
    STORE(&args->flag[1], 1u);
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST_EACH(a_flag_that_is_set_behind_the_barrier_is_a_deadlock, N_ORDERS)
{
    for (size_t s = 0; s < G_N_ELEMENTS(few); s++) {
        size_t local = few[s], half = local / 2;
        struct trial trial
            = open_trial(device, &flag_behind_the_barrier, local, local, &orders[_i]);
        int64_t start = g_get_monotonic_time();
        struct weir_report *report = try(&trial, 0);
        ck_assert(seconds_since(start) < allowed(1));
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_DEADLOCK, "flag_behind_the_barrier");
        const struct weir_party *waiting = party_in_state(finding, "waiting");
        ck_assert_uint_eq(count_ranges(waiting->items), half);
        EXPECT_COORDINATES(waiting->item, 0, 0, 0);
        ck_assert_uint_eq(waiting->line, line_of(&line_barrier));
        ck_assert_str_eq(waiting->operation, "weir_barrier");
        const struct weir_party *spinning = party_in_state(finding, "spinning");
        ck_assert_uint_eq(count_ranges(spinning->items), local - half);
        EXPECT_COORDINATES(spinning->item, half, 0, 0);
        expect_spinning(spinning, "flag", 1, "0");
        weir_report_free(report);
        try_quiet(&trial, 1);
        EXPECT_ELEMENTS(trial.args.out, i, local, 1);
    }
}

static inline void take(uint32_t *lock)
{
    uint32_t expected = 0;
    while (!weir_atomic_compare_exchange_strong_explicit(
        lock, &expected, 1u, memory_order_acquire, memory_order_relaxed,
        memory_scope_device)) {
        expected = 0;
    }
}

/* Two locks; the second item takes them in the other order where rounds is 1. */
WEIR_KERNEL(two_locks, wait_args)
{
    uint32_t turned = weir_local_id(item, 0) == 1 && args->rounds == 1;
    take(&args->flag[turned]);
    take(&args->flag[!turned]);
    args->out[0]++;
    STORE(&args->flag[0], 0u);
    STORE(&args->flag[1], 0u);
}

DEVICE_TEST(two_locks_taken_in_turn_by_two_items_are_found)
{
    static const struct order in_order = { "in-order", 0 },
                              turns = { "round-robin", 0 };
    struct trial trial = open_trial(device, &two_locks, 2, 2, &turns);
    struct weir_report *report = try(&trial, 1);
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    const struct weir_finding *finding = weir_report_finding(report, 0);
    /* A cycle, and no item left that could write: either name is right. */
    ck_assert(finding->kind == WEIR_FINDING_DEADLOCK
              || finding->kind == WEIR_FINDING_LIVELOCK);
    for (size_t i = 0; i < 2; i++) {
        const struct weir_party *party = party_of(finding, i == 0 ? "0" : "1");
        ck_assert_int_eq(party->state, WEIR_STATE_SPINNING);
        ck_assert_str_eq(party->object, "flag");
        ck_assert_uint_eq(party->index, !i);
        ck_assert_str_eq(party->value, "1");
        g_autofree char *writer
            = g_strdup_printf("item %zu of group (0,0,0)", (size_t)!i);
        ck_assert_ptr_nonnull(party->writer);
        expect_contains(party->writer, writer);
    }
    weir_report_free(report);
    trial.order = &in_order; /* luck of the schedule */
    try_quiet(&trial, 1);
    for (size_t o = 0; o < N_ORDERS; o++) {
        struct trial right = open_trial(device, &two_locks, 9, 9, &orders[o]);
        try_quiet(&right, 0);
        ck_assert_uint_eq(right.args.out[0], 9);
    }
}

/* The other groups of a launch go on, and so does the process. */
WEIR_KERNEL(one_group_waits_for_nobody, wait_args)
{
    if (weir_group_id(item, 0) == args->rounds) {
        while (MARK(line_wait, LOAD(&args->flag[0])) == 0) {}
    }
    weir_barrier(item, WEIR_GLOBAL);
    args->out[weir_global_id(item, 0)] = 1;
}

CASE("livelock");

DEVICE_TEST_EACH(a_livelock_of_one_group_lets_the_others_finish, N_ORDERS)
{
    enum { LOCAL = 4, GROUPS = 40 };
    struct trial trial = open_trial(device, &one_group_waits_for_nobody, LOCAL * GROUPS,
                                    LOCAL, &orders[_i]);
    g_autoptr(weir_report) report = try(&trial, 3);
    const struct weir_party *party = only_spinning(report, &trial);
    ck_assert_str_eq(party->items, "0-3");
    EXPECT_COORDINATES(party->group, 3, 0, 0);
    EXPECT_ELEMENTS(trial.args.out, i, LOCAL * GROUPS, i / LOCAL != 3);
    try_quiet(&trial, GROUPS);
}

WEIR_KERNEL(each_spins_on_its_own, wait_args)
{
    while (LOAD(&args->flag[weir_global_id(item, 0)]) == 0) {}
}

/* Eight elements are named, each with its item; further items join the last party. */
DEVICE_TEST(a_livelock_names_eight_elements_of_one_line)
{
    wait_args args = wait_args_new(device, 12, 0);
    for (size_t n = 7; n <= 12; n++) {
        const struct weir_finding *finding
            = LAUNCH_FINDING(WEIR_FINDING_LIVELOCK, device, &each_spins_on_its_own,
                             weir_nd_range_1d(n, n), &args,
                             (&(struct weir_launch_options){ .schedule = "in-order" }));
        ck_assert_uint_eq(finding->n_parties, MIN(n, 8));
    }
}

MAIN("deadlock")
