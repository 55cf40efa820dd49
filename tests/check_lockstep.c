/* SPDX-License-Identifier: MIT
 *
 * check_lockstep.c: where the items of a sub-group advance together, one that has left
 * a loop waits for those in it: a wait in the loop for what comes after it hangs,
 * under every schedule, and is reported with both lines. Without the launch option it
 * ends, and so does the nearest wait that is right in lockstep, with the option too.
 *
 * The kernels are compiled without hooks: tests/cli/lockstep.sh has instrumented ones.
 * A failure here may be a hang, which the test's time limit ends. */
#include "waits.h"

enum { LOCAL = 16, GROUPS = 3 };

/* Lines as kernels mark them: of the poll, and of the write that ends the wait. */
static _Atomic uint32_t line_poll, line_write;

typedef struct {
    uint32_t *words; /* a lock, a counter, a count of those that are done */
} lock_args;

#define TRY_LOCK(word)                                                                 \
    (weir_atomic_exchange_explicit((word), 1u, memory_order_acq_rel,                   \
                                   memory_scope_device)                                \
     == 0)

static struct weir_report *launch(struct weir_device *device,
                                  const struct weir_kernel *kernel,
                                  const struct order *order, uint32_t sub_group,
                                  bool lockstep, uint32_t done)
{
    lock_args args = { weir_new(device, uint32_t, 3, "words") };
    memset(args.words, 0, 3 * sizeof(*args.words));
    struct weir_report *report
        = LAUNCH(device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args,
                 UNDER(order, .sub_group_size = sub_group, .lockstep = lockstep));
    if (done > 0) {
        ck_assert_uint_eq(args.words[2], done);
    }
    weir_free(device, args.words);
    return report;
}

/* ---- Waits for what comes after the loop -------------------------------- */

CASE("waits for what is behind the loop");

WEIR_KERNEL(lock_of_items, lock_args)
{
    while (!MARK(line_poll, TRY_LOCK(args->words))) {}
    ADD(&args->words[2], 1u);
    MARK(line_write, STORE(args->words, 0u));
}

WEIR_KERNEL(lock_of_items_in_do, lock_args)
{
    bool locked;
    do {
        locked = MARK(line_poll, TRY_LOCK(args->words));
    } while (!locked);
    ADD(&args->words[2], 1u);
    MARK(line_write, STORE(args->words, 0u));
}

WEIR_KERNEL(ticket_lock_of_items, lock_args)
{
    uint32_t ticket = ADD(&args->words[1], 1u);
    while (MARK(line_poll, LOAD(args->words)) != ticket) {}
    ADD(&args->words[2], 1u);
    MARK(line_write, STORE(args->words, ticket + 1));
}

static __attribute__((noinline)) void lock(uint32_t *word)
{
    while (!MARK(line_poll, TRY_LOCK(word))) {}
}

static __attribute__((noinline)) void unlock(uint32_t *word)
{
    MARK(line_write, STORE(word, 0u));
}

WEIR_KERNEL(lock_of_items_in_functions, lock_args)
{
    lock(args->words);
    ADD(&args->words[2], 1u);
    unlock(args->words);
}

static const struct weir_kernel *const hanging[]
    = { &lock_of_items, &lock_of_items_in_do, &ticket_lock_of_items,
        &lock_of_items_in_functions };
enum { N_HANGING = G_N_ELEMENTS(hanging) };

DEVICE_TEST_EACH(a_lock_between_items_of_a_sub_group_is_a_deadlock, N_ORDERS *N_HANGING)
{
    const struct order *order = &orders[_i % N_ORDERS];
    const struct weir_kernel *kernel = hanging[_i / N_ORDERS];
    g_autoptr(weir_report) report = launch(device, kernel, order, 8, true, 0);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_DEADLOCK, kernel->name);
    ck_assert_str_eq(finding->form, "lockstep");
    ck_assert_ptr_null(weir_report_incomplete(report));
    const struct weir_party *spinning = party_in_state(finding, "spinning");
    ck_assert_uint_eq(spinning->line, line_of(&line_poll));
    ck_assert_str_eq(spinning->object, "words");
    ck_assert_uint_eq(spinning->index, 0);
    const struct weir_party *masked = party_in_state(finding, "masked");
    ck_assert_uint_eq(masked->line, line_of(&line_write));
    ck_assert_uint_eq(count_ranges(masked->items), 1);
    ck_assert_uint_eq(count_ranges(spinning->items), 7);
    /* All of one sub-group, which is a row of 8. */
    ck_assert_int_eq(atoi(spinning->items) / 8, atoi(masked->items) / 8);
}

DEVICE_TEST_EACH(it_is_right_where_items_make_progress_by_themselves,
                 N_ORDERS *N_HANGING)
{
    const struct order *order = &orders[_i % N_ORDERS];
    const struct weir_kernel *kernel = hanging[_i / N_ORDERS];
    expect_quiet(launch(device, kernel, order, 8, false, GROUPS * LOCAL), kernel, order,
                 LOCAL);
}

/* ---- Waits that are right in lockstep ------------------------------------ */

CASE("waits that are right in lockstep");

WEIR_KERNEL(lock_in_the_body, lock_args)
{
    bool done = false;
    while (!done) {
        if (TRY_LOCK(args->words)) {
            ADD(&args->words[2], 1u);
            STORE(args->words, 0u);
            done = true;
        }
    }
}

WEIR_KERNEL(lock_with_break, lock_args)
{
    for (;;) {
        if (TRY_LOCK(args->words)) {
            ADD(&args->words[2], 1u);
            STORE(args->words, 0u);
            break;
        }
    }
}

/* Each sub-group sends one item; the others are done when it is. */
WEIR_KERNEL(lock_of_sub_groups, lock_args)
{
    if (weir_sub_group_local_id(item) == 0) {
        while (!TRY_LOCK(args->words)) {}
        ADD(&args->words[2], 7u);
        STORE(args->words, 0u);
    }
    ADD(&args->words[2], 1u);
    weir_sub_group_barrier(item);
    if (weir_sub_group_local_id(item) != 0) {
        weir_atomic_fetch_sub_explicit(&args->words[2], 1u, memory_order_relaxed,
                                       memory_scope_device);
    }
}

/* The work of one item before all count themselves may delay the counting. */
WEIR_KERNEL(counter_behind_an_if, lock_args)
{
    if (weir_local_id(item, 0) == 3) {
        for (int i = 0; i < 5; i++) {
            STORE(&args->words[1], 0u);
        }
    }
    ADD(&args->words[2], 1u);
    while (LOAD(&args->words[2]) < GROUPS * LOCAL) {}
}

/* One takes its turn after the other: none waits. */
WEIR_KERNEL(lock_by_turns, lock_args)
{
    for (size_t turn = 0; turn < LOCAL; turn++) {
        if (weir_local_id(item, 0) == turn) {
            while (!TRY_LOCK(args->words)) {}
            ADD(&args->words[2], 1u);
            STORE(args->words, 0u);
        }
    }
}

/* The first side of the branch has a loop of its own, which the other never enters. */
WEIR_KERNEL(sides_of_a_branch, lock_args)
{
    if (weir_global_id(item, 0) == 0) {
        for (int i = 0; i < 4; i++) {
            ADD(&args->words[2], 1u);
        }
        STORE(&args->words[0], 1u);
    } else {
        while (LOAD(&args->words[0]) == 0) {}
        ADD(&args->words[2], 1u);
    }
}

/* The same, and the wait changes memory. */
WEIR_KERNEL(a_wait_that_counts, lock_args)
{
    if (weir_global_id(item, 0) == 0) {
        for (int i = 0; i < 4; i++) {
            ADD(&args->words[2], 1u);
        }
        STORE(&args->words[0], 1u);
    } else {
        while (LOAD(&args->words[0]) == 0) {
            ADD(&args->words[1], 1u);
        }
        ADD(&args->words[2], 1u);
    }
}

/* Items that have met at a barrier have left the loop before it together. */
WEIR_KERNEL(rounds_by_goto, lock_args)
{
    uint32_t round = 0;
again:
    while (LOAD(args->words) < round) {}
    weir_barrier(item, WEIR_GLOBAL);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_max_explicit(args->words, round + 1, memory_order_acq_rel,
                                       memory_scope_device);
    }
    if (++round < 3) {
        goto again;
    }
    ADD(&args->words[2], 1u);
}

static const struct {
    const struct weir_kernel *kernel;
    uint32_t done; /* what it leaves in words[2] */
} right[] = {
    { &lock_in_the_body, GROUPS *LOCAL },
    { &lock_with_break, GROUPS *LOCAL },
    { &lock_of_sub_groups, GROUPS *LOCAL },
    { &counter_behind_an_if, GROUPS *LOCAL },
    { &lock_by_turns, GROUPS *LOCAL },
    { &rounds_by_goto, GROUPS *LOCAL },
    { &sides_of_a_branch, GROUPS *LOCAL + 3 },
    { &a_wait_that_counts, GROUPS *LOCAL + 3 },
};
enum { N_RIGHT = G_N_ELEMENTS(right) };

DEVICE_TEST_EACH(a_wait_that_is_right_in_lockstep_ends, N_ORDERS *N_RIGHT)
{
    const struct order *order = &orders[_i % N_ORDERS];
    const struct weir_kernel *kernel = right[_i / N_ORDERS].kernel;
    expect_quiet(launch(device, kernel, order, 8, true, right[_i / N_ORDERS].done),
                 kernel, order, LOCAL);
}

/* Items leave loops after different numbers of iterations, between barriers. */
WEIR_KERNEL(trip_counts, lock_args)
{
    size_t own = weir_local_id(item, 0);
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < (own + round) % 5; i++) {
            ADD(&args->words[1], 1u);
            for (size_t k = 0; k < own % 3; k++) {
                ADD(&args->words[1], 1u);
            }
        }
        weir_barrier(item, WEIR_GLOBAL);
        if (own % 2 == 0) {
            while (LOAD(&args->words[1]) == UINT32_MAX) {}
        }
        weir_sub_group_barrier(item);
    }
    if (own == 5) {
        return;
    }
    ADD(&args->words[2], 1u);
}

DEVICE_TEST_EACH(loops_of_different_lengths_and_barriers_are_silent, N_ORDERS)
{
    expect_quiet(
        launch(device, &trip_counts, &orders[_i], 8, true, GROUPS * (LOCAL - 1)),
        &trip_counts, &orders[_i], LOCAL);
}

/* ---- Waits that never end ------------------------------------------------ */

CASE("waits that never end");

/* Nothing writes what they wait for, in lockstep or not. */
WEIR_KERNEL(no_write, lock_args)
{
    size_t own = weir_local_id(item, 0);
    while (own != 0 && LOAD(&args->words[0]) == 0) {}
    ADD(&args->words[2], 1u);
}

DEVICE_TEST_EACH(a_wait_without_a_write_is_a_livelock_of_the_usual_kind, N_ORDERS)
{
    g_autoptr(weir_report) report
        = launch(device, &no_write, &orders[_i], 8, true, GROUPS);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_LIVELOCK, "no_write");
    ck_assert_ptr_null(finding->form);
}

/* ---- Repeating ----------------------------------------------------------- */

CASE("repeating");

static struct weir_report *follow(struct weir_device *device,
                                  const struct weir_kernel *kernel,
                                  struct weir_launch_options options)
{
    lock_args args = { weir_new(device, uint32_t, 3, "words") };
    memset(args.words, 0, 3 * sizeof(*args.words));
    struct weir_report *report = LAUNCH(
        device, kernel, weir_nd_range_1d(GROUPS * LOCAL, LOCAL), &args, &options);
    weir_free(device, args.words);
    return report;
}

DEVICE_TEST_EACH(a_recorded_hang_is_followed_to_the_same_report, N_ORDERS)
{
    g_autoptr(weir_schedule) schedule = weir_schedule_new();
    struct weir_launch_options options = { .schedule = orders[_i].schedule,
                                           .seed = orders[_i].seed,
                                           .sub_group_size = 8,
                                           .lockstep = true };
    struct weir_launch_options again = options;
    options.record = schedule;
    again.replay = schedule;
    again.schedule = NULL;
    g_autoptr(weir_report) first = follow(device, &lock_of_items, options);
    g_autoptr(weir_report) second = follow(device, &lock_of_items, again);
    g_autofree char *said = weir_report_to_text(first);
    g_autofree char *said_again = weir_report_to_text(second);
    ck_assert_str_eq(said, said_again);
    ck_assert_uint_eq(weir_report_n_defects(second), 1);
    ck_assert_uint_eq(weir_report_n_steps(first), weir_report_n_steps(second));
}

DEVICE_TEST(lockstep_is_of_deterministic_launches)
{
    lock_args args = { weir_new(device, uint32_t, 3, "words") };
    struct weir_launch_options options = { .lockstep = true };
    g_autoptr(GError) error = NULL;
    ck_assert(!weir_launch_with(device, &lock_of_items, weir_nd_range_1d(8, 8), &args,
                                &options, NULL, &error));
    ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT));
    expect_contains(error->message, "lockstep");
}

MAIN("lockstep")
