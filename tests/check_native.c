/* SPDX-License-Identifier: MIT
 *
 * check_native.c: kernels explored natively: the numbers of executions that arithmetic
 * and the literature give, final states, races, and loops that wait. */
#include "explored.h"

#include <inttypes.h>
#include <signal.h>

static struct weir_report *report;
static struct weir_exploration result;

static void explore(struct weir_device *device, const struct weir_kernel *kernel,
                    struct weir_nd_range range, const void *args, size_t bytes,
                    const struct weir_launch_options *options)
{
    GError *error = NULL;
    bool done = weir_launch_sized_with(device, kernel, range, args, bytes, options,
                                       &report, &error);
    ck_assert_msg(done, "%s", error != NULL ? error->message : "");
    ck_assert_ptr_nonnull(weir_report_exploration(report));
    result = *weir_report_exploration(report);
    ck_assert_msg(result.refused == NULL, "%s: %s", kernel->name, result.refused);
}

#define EXPLORE(kernel, range, args, ...)                                              \
    explore(device, &(kernel), (range), &(args), sizeof(args),                         \
            &(struct weir_launch_options){ __VA_ARGS__ })

/* The expected result of a kernel's exploration. */
struct expected {
    const struct weir_kernel *kernel;
    size_t global, local;
    const char *model;
    uint64_t executions, racy, blocked;
    size_t n_states; /* 0: any */
};

static void expect(struct weir_device *device, const struct expected *expected)
{
    words_args args = words_new(device);
    explore(device, expected->kernel,
            weir_nd_range_1d(expected->global, expected->local), &args, sizeof(args),
            &(struct weir_launch_options){ .explore = expected->model });
    const char *name = expected->kernel->name;
    ck_assert_msg(result.complete, "%s", name);
    ck_assert_msg(result.executions == expected->executions,
                  "%s: %" PRIu64 " executions, not %" PRIu64, name, result.executions,
                  expected->executions);
    ck_assert_msg((result.racy > 0) == (expected->racy > 0), "%s: %" PRIu64 " racy",
                  name, result.racy);
    ck_assert_msg((result.blocked > 0) == (expected->blocked > 0),
                  "%s: %" PRIu64 " blocked", name, result.blocked);
    ck_assert_msg(expected->n_states == 0 || result.n_states == expected->n_states,
                  "%s: %zu states", name, result.n_states);
    weir_report_free(report);
}

#define EXPECT_ALL(table)                                                              \
    for (size_t i_ = 0; i_ < G_N_ELEMENTS(table); i_++) {                              \
        expect(device, &(table)[i_]);                                                  \
    }

/* ---- Counts ---------------------------------------------------------------------- */

CASE("counts");

DEVICE_TEST(orders_of_atomic_operations)
{
    static const struct expected table[] = {
        { &increments, 1, 1, "rc11", 1, 0, 0, 1 },
        { &increments, 2, 1, "rc11", 2, 0, 0, 1 },
        { &increments, 5, 1, "rc11", 120, 0, 0, 1 },
        { &increments, 7, 1, "sycl", 5040, 0, 0, 1 },
        { &store_buffering, 2, 1, "sycl", 4, 0, 0, 4 },
        { &store_buffering, 2, 1, "sc", 3, 0, 0, 3 },
        /* y, x and y: the second y is not older than the first */
        { &writers_and_readers, 2, 1, "sycl", 6, 0, 0, 1 },
        { &message, 2, 1, "sycl", 2, 0, 0, 2 },
        { &message_relaxed, 2, 1, "sycl", 2, 1, 0, 1 },
        { &message_relaxed, 2, 1, "sc", 2, 0, 0, 2 },
        { &count_in_a_static, 3, 1, "sycl", 6, 0, 0, 1 },
    };
    EXPECT_ALL(table);
}

/* A wait reads the value that ends it, at once. */
DEVICE_TEST(waits)
{
    static const struct expected table[] = {
        { &message_spin, 2, 1, "sycl", 1, 0, 0, 1 },
        { &cas_lock, 1, 1, "sycl", 1, 0, 0, 1 },
        { &cas_lock, 2, 1, "sycl", 2, 0, 0, 1 },
        { &cas_lock, 4, 1, "sycl", 24, 0, 0, 1 },
        { &ticket_lock, 2, 1, "sycl", 2, 0, 0, 1 },
        { &ticket_lock, 4, 1, "sycl", 24, 0, 0, 1 },
        { &three_tries, 2, 1, "sycl", 4, 0, 0, 4 },
        { &wait_for_each_other, 2, 1, "sycl", 0, 0, 1, 0 },
    };
    EXPECT_ALL(table);
}

/* A weak compare-exchange may fail although memory has the expected value. In a loop
 * that changes nothing. */
DEVICE_TEST(weak_compare_exchanges)
{
    static const struct expected table[] = {
        { &weak_once, 1, 1, "sycl", 2, 0, 0, 2 },
        /* Both fail by themselves; or one succeeds, and the other one sees that, or
         * fails by itself. */
        { &weak_once, 2, 1, "sycl", 5, 0, 0, 5 },
        { &weak_lock, 4, 1, "sycl", 24, 0, 0, 1 },
        { &weak_c11_lock, 4, 1, "sycl", 24, 0, 0, 1 },
        /* With two items in either order, the second reads first the value from before,
         * or after. */
        { &weak_increments, 2, 1, "sycl", 4, 0, 0, 1 },
    };
    EXPECT_ALL(table);
}

/* Peterson's lock: no execution races; or, with orders that are too weak, one does. */
DEVICE_TEST(a_lock_and_its_weak_form)
{
    words_args args = words_new(device);
    EXPLORE(peterson, weir_nd_range_1d(2, 1), args, .explore = "sycl");
    ck_assert(result.complete);
    ck_assert_uint_gt(result.executions, 1);
    ck_assert_uint_eq(result.racy, 0);
    for (size_t i = 0; i < result.n_states; i++) {
        ck_assert_ptr_nonnull(strstr(result.states[i].text, "y[0]=2"));
    }
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(peterson_weak, weir_nd_range_1d(2, 1), args, .explore = "sycl");
    ck_assert_uint_gt(result.racy, 0);
    ck_assert_uint_eq(weir_report_finding(report, 0)->kind, WEIR_FINDING_DATA_RACE);
    weir_report_free(report);
}

/* Rendezvous multiply nothing. */
DEVICE_TEST(rendezvous)
{
    static const struct expected table[] = {
        { &tree, 2, 2, "sycl", 1, 0, 0, 1 },
        { &tree, 64, 64, "sycl", 1, 0, 0, 1 },
        { &tree, 64, 64, "rc11", 1, 0, 0, 1 },
        { &tree, 6, 2, "sycl", 6, 0, 0, 1 },
        { &collective, 8, 4, "sycl", 1, 0, 0, 1 },
        { &shuffle, 8, 8, "sycl", 1, 0, 0, 1 },
        { &copy_pairs, 4, 4, "sycl", 1, 0, 0, 1 },
        { &skip_a_barrier, 4, 4, "sycl", 0, 0, 1, 0 },
    };
    EXPECT_ALL(table);
}

/* ---- Resident groups ------------------------------------------------------------- */

CASE("residency");

/* Three groups of one item. The numbers are of one and of two groups at a time. */
DEVICE_TEST(fewer_groups_are_resident)
{
    static const struct {
        const struct weir_kernel *kernel;
        uint64_t executions[2], blocked[2];
    } table[] = {
        /* The counter's orders: one group has ended before the next one; or the third
         * is not first. */
        { &last_of_groups, { 1, 4 }, { 0, 0 } },
        { &wait_for_group_before, { 1, 1 }, { 0, 0 } },
        /* The groups that are resident have come in either order, and wait. */
        { &global_barrier, { 0, 0 }, { 1, 2 } },
        { &wait_for_group_after, { 0, 0 }, { 1, 1 } },
        /* With two, the second group makes room for the third. */
        { &first_waits_for_last, { 0, 1 }, { 1, 0 } },
    };
    static const char *const models[] = { "sycl", "rc11", "sycl-split", "sc" };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
            const char *name = table[i].kernel->name;
            words_args args = words_new(device);
            explore(device, table[i].kernel, weir_nd_range_1d(3, 1), &args,
                    sizeof(args),
                    &(struct weir_launch_options){ .explore = models[m],
                                                   .resident = WEIR_RESIDENT_EACH });
            ck_assert_msg(result.complete && result.blocked == 0, "%s", name);
            ck_assert_uint_eq(result.n_residencies, 2);
            for (size_t r = 0; r < 2; r++) {
                const struct weir_residency *one = &result.residencies[r];
                ck_assert_uint_eq(one->groups, r + 1);
                ck_assert_msg(one->executions == table[i].executions[r]
                                  && one->blocked == table[i].blocked[r],
                              "%s, %s, %zu groups: %" PRIu64 " executions, %" PRIu64
                              " blocked",
                              name, models[m], r + 1, one->executions, one->blocked);
                ck_assert((one->waits != NULL) == (one->blocked > 0));
            }
            ck_assert_uint_eq(weir_report_n_findings(report),
                              table[i].blocked[0] + table[i].blocked[1] > 0);
            weir_report_free(report);
        }
    }
}

/* That a group has ended before another one starts does not make its writes known
 * there; but under sc nothing is ever unknown. Then, of two readers, neither misses a
 * write of a group that has ended; and with two groups at a time, if the first reader
 * sees the write, the second one starts after it. */
DEVICE_TEST(the_start_of_a_group_orders_nothing)
{
    static const struct {
        const char *model;
        uint64_t executions[2];
    } table[] = { { "sycl", { 4, 4 } }, { "sc", { 1, 3 } } };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        words_args args = words_new(device);
        EXPLORE(first_writes, weir_nd_range_1d(3, 1), args, .explore = table[i].model,
                .resident = WEIR_RESIDENT_EACH);
        for (size_t r = 0; r < 2; r++) {
            ck_assert_uint_eq(result.residencies[r].executions, table[i].executions[r]);
        }
        expect_silence(report, "first_writes");
    }
}

DEVICE_TEST(so_many_groups_are_resident)
{
    words_args args = words_new(device);
    EXPLORE(global_barrier, weir_nd_range_1d(3, 1), args, .explore = "sycl",
            .resident = 2);
    ck_assert_uint_eq(result.n_residencies, 1);
    ck_assert_uint_eq(result.residencies[0].groups, 2);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_LIVELOCK, "global_barrier");
    expect_contains(finding->message, "2 groups resident");
    ck_assert_uint_eq(finding->n_parties, 2);
    expect_contains(result.residencies[0].waits, "native_kernels.c:");
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(global_barrier, weir_nd_range_1d(3, 1), args, .explore = "sycl",
            .resident = 3);
    ck_assert_uint_eq(result.n_residencies, 0);
    expect_silence(report, "global_barrier");
}

/* ---- States ---------------------------------------------------------------------- */

CASE("states");

static bool is_seven(const void *args, void *user)
{
    const words_args *words = args;
    (*(size_t *)user)++;
    return words->out[0] == 7;
}

DEVICE_TEST(what_items_get_at_rendezvous)
{
    words_args args = words_new(device);
    EXPLORE(shuffle, weir_nd_range_1d(4, 4), args, .explore = "sycl");
    ck_assert_str_eq(
        result.states[0].text,
        "out[0]=2,out[1]=1,out[2]=4,out[3]=3,out[9]=1,out[10]=3,out[11]=6");
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(copy_pairs, weir_nd_range_1d(4, 4), args, .explore = "sycl");
    ck_assert_str_eq(result.states[0].text, "out[0]=6,out[1]=8,out[2]=6,out[3]=4");
    weir_report_free(report);
}

/* Also where a race does not end an execution. */
DEVICE_TEST(a_pair_is_copied_before_it_is_handed_over)
{
    static const struct {
        const char *model;
        bool plain_events;
        uint32_t jobs;
    } ways[] = {
        { "sycl", false, 1 }, { "sycl", true, 1 }, { "sc", false, 1 }, { "sc", true, 2 }
    };
    static const struct weir_kernel *const kernels[]
        = { &hand_over_a_pair, &hand_over_an_aligned_pair };
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(ways); i++) {
        words_args args = words_new(device);
        explore(device, kernels[i % 2], weir_nd_range_1d(2, 1), &args, sizeof(args),
                &(struct weir_launch_options){ .explore = ways[i / 2].model,
                                               .plain_events = ways[i / 2].plain_events,
                                               .jobs = ways[i / 2].jobs });
        ck_assert_uint_eq(result.n_states, 2);
        ck_assert_str_eq(result.states[0].text,
                         "out[0]=1,out[1]=7,x[0]=7,x[1]=7,y[0]=7,y[1]=7");
        ck_assert_str_eq(result.states[1].text, "out[0]=1,x[0]=7,x[1]=7,y[0]=7,y[1]=7");
        weir_report_free(report);
    }
}

static void expect_wrong_result(void)
{
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    ck_assert_uint_eq(weir_report_finding(report, 0)->kind, WEIR_FINDING_WRONG_RESULT);
    weir_report_free(report);
}

/* It is asked once a state; a state that does not satisfy it is a finding. */
DEVICE_TEST(a_post_condition_holds_in_each_state)
{
    size_t n = 0;
    words_args args = words_new(device);
    EXPLORE(store_buffering, weir_nd_range_1d(2, 1), args, .explore = "sycl",
            .post_condition = is_seven, .post_condition_user = &n);
    ck_assert_uint_eq(n, 4);
    ck_assert_uint_eq(result.negative, 4);
    expect_wrong_result();
    /* Without an exploration it is asked after the launch. */
    struct weir_launch_options options
        = { .post_condition = is_seven, .post_condition_user = &n };
    ck_assert(weir_launch_with(device, &message, weir_nd_range_1d(2, 1), &args,
                               &options, &report, NULL));
    ck_assert_uint_eq(n, 5);
    expect_wrong_result();
    args.y[0] = 0;
    args.out[0] = 7;
    ck_assert(weir_launch_with(device, &increments, weir_nd_range_1d(2, 1), &args,
                               &options, &report, NULL));
    ck_assert_uint_eq(n, 6);
    ck_assert_uint_eq(weir_report_n_findings(report), 0);
    weir_report_free(report);
}

DEVICE_TEST(a_launch_without_items_may_have_a_wrong_result)
{
    size_t n = 0;
    words_args args = words_new(device);
    EXPLORE(message, weir_nd_range_1d(0, 1), args, .explore = "sycl",
            .post_condition = is_seven, .post_condition_user = &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(result.negative, 1);
    ck_assert_uint_eq(weir_report_finding(report, 0)->n_executions, 0);
    expect_wrong_result();
}

/* Memory is unchanged after any exploration; then the launch runs. */
DEVICE_TEST(a_launch_runs_after_its_exploration)
{
    words_args args = words_new(device);
    EXPLORE(increments, weir_nd_range_1d(3, 1), args, .explore = "sycl");
    ck_assert_uint_eq(args.x[0], 3);
    weir_report_free(report);
}

DEVICE_TEST(a_failed_assertion_is_a_finding)
{
    words_args args = words_new(device);
    EXPLORE(assert_nothing_came, weir_nd_range_1d(2, 1), args, .explore = "sycl");
    ck_assert_uint_eq(result.executions, 1);
    ck_assert_uint_eq(result.blocked, 1);
    ck_assert_uint_eq(weir_report_finding(report, 0)->kind, WEIR_FINDING_ASSERTION);
    weir_report_free(report);
}

/* ---- Refusals -------------------------------------------------------------------- */

CASE("refusals");

/* The sentence of a launch that cannot be explored. */
static void is_refused(struct weir_device *device, const struct weir_kernel *kernel,
                       struct weir_nd_range range, const char *part)
{
    words_args args = words_new(device);
    ck_assert(weir_launch_sized_with(device, kernel, range, &args, sizeof(args),
                                     &(struct weir_launch_options){ .explore = "sycl" },
                                     &report, NULL));
    const struct weir_exploration *found = weir_report_exploration(report);
    ck_assert_msg(found->refused != NULL, "%s is explored", kernel->name);
    expect_contains(found->refused, part);
    ck_assert_uint_eq(found->executions, 0);
    ck_assert(!found->complete);
    weir_report_free(report);
}

DEVICE_TEST(what_cannot_be_explored)
{
    is_refused(device, &draw_lots, weir_nd_range_1d(2, 1), "random numbers");
    is_refused(device, &halves_of_a_word, weir_nd_range_1d(2, 1), "8 bytes");
    is_refused(device, &increments, weir_nd_range_1d(16385, 1), "16385 groups");
}

DEVICE_TEST(options_that_do_not_fit)
{
    const struct {
        struct weir_launch_options options;
        const char *part;
    } table[] = {
        { { .explore = "gpu" }, "'gpu'" },
        { { .plain_events = true }, "explore" },
        { { .max_executions = 1 }, "explore" },
        { { .resident = 1 }, "explore" },
        { { .forwards = 1 }, "explore" },
        { { .explore = "sycl", .forwards = 1, .jobs = 2 }, "forwards excludes" },
        { { .explore = "sycl", .forwards = 32 }, "0x20, which is not a set" },
        { { .jobs = 2 }, "explore" },
        { { .samples = 2 }, "explore" },
        { { .explore = "sycl", .samples = 2, .jobs = 2 }, "excludes jobs" },
        { { .bounded = true }, "explore" },
        { { .explore = "sycl", .bounded = true, .samples = 2 }, "bounded excludes" },
        { { .explore = "sycl", .jobs = 2, .resident = 1 }, "exclude" },
        { { .until_wrong = true }, "explore" },
        { { .explore = "sycl", .order = "x.c:1=strong" }, "'strong'" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        words_args args = words_new(device);
        GError *error = NULL;
        ck_assert(!weir_launch_sized_with(device, &increments, weir_nd_range_1d(2, 1),
                                          &args, sizeof(args), &table[i].options, NULL,
                                          &error));
        ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT));
        expect_contains(error->message, table[i].part);
        g_error_free(error);
    }
}

DEVICE_TEST(a_limit_of_executions_is_no_complete_answer)
{
    words_args args = words_new(device);
    EXPLORE(increments, weir_nd_range_1d(4, 1), args, .explore = "sycl",
            .max_executions = 5);
    ck_assert_uint_eq(result.executions, 5);
    ck_assert(!result.complete);
    ck_assert_uint_eq(result.probes, 1000); /* of 24 executions */
    ck_assert(result.estimate >= 22 && result.estimate <= 26);
    ck_assert(result.estimate_low <= 24 && result.estimate_high >= 24);
    weir_report_free(report);
    EXPLORE(increments, weir_nd_range_1d(4, 1), args, .explore = "sycl");
    ck_assert(result.complete && result.probes == 0);
    weir_report_free(report);
    EXPLORE(increments, weir_nd_range_1d(4, 1), args, .explore = "sycl",
            .max_executions = 5, .until_wrong = true);
    ck_assert(!result.complete && result.limited && result.probes == 0);
    weir_report_free(report);
    /* An end for another reason is not a limit. */
    EXPLORE(message_relaxed, weir_nd_range_1d(2, 1), args, .explore = "sycl",
            .until_wrong = true);
    ck_assert(!result.complete && result.probes == 0);
    weir_report_free(report);
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        EXPLORE(increments, weir_nd_range_1d(9, 1), args, .explore = "sycl",
                .max_executions = 100, .jobs = jobs);
        ck_assert(result.estimate >= 362880 / 2 && result.estimate <= 362880 * 2);
        weir_report_free(report);
    }
}

/* N increments: without a deviation in order; with one, each later item can come first,
 * at each of the places before its own. Readers may besides read older values. */
DEVICE_TEST(deviations_bound_an_exploration)
{
    static const struct {
        const struct weir_kernel *kernel;
        size_t n_items;
        uint32_t deviations;
        uint64_t executions;
    } table[] = {
        { &increments, 6, 0, 1 },      { &increments, 6, 1, 16 },
        { &increments, 6, 5, 720 },    { &store_buffering, 2, 0, 1 },
        { &store_buffering, 2, 9, 4 }, { &cas_lock, 3, 6, 6 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        words_args args = words_new(device);
        explore(device, table[i].kernel, weir_nd_range_1d(table[i].n_items, 1), &args,
                sizeof(args),
                &(struct weir_launch_options){ .explore = "sycl",
                                               .bounded = true,
                                               .deviations = table[i].deviations });
        EXPECT(result.executions == table[i].executions && !result.complete
                   && result.bounded && result.deviations == table[i].deviations
                   && result.probes == 0,
               "%s of %zu: %" PRIu64 " executions", table[i].kernel->name,
               table[i].n_items, result.executions);
        weir_report_free(report);
    }
    words_args args = words_new(device);
    EXPLORE(increments, weir_nd_range_1d(6, 1), args, .explore = "sycl",
            .bounded = true, .deviations = 5, .max_executions = 100);
    ck_assert_uint_eq(result.executions, 100);
    weir_report_free(report);
}

/* ---- Several processes ----------------------------------------------------------- */

CASE("several processes");

static char *record_of(struct weir_device *device, const struct weir_kernel *kernel,
                       size_t global, size_t local,
                       const struct weir_launch_options *options)
{
    words_args args = words_new(device);
    ck_assert(weir_launch_sized_with(device, kernel, weir_nd_range_1d(global, local),
                                     &args, sizeof(args), options, &report, NULL));
    char *line = record_of_report(report);
    weir_report_free(report);
    return line;
}

/* With any number of processes, the answer is the answer of one. */
DEVICE_TEST(processes_find_together_what_one_finds)
{
    static const struct {
        const struct weir_kernel *kernel;
        size_t global, local;
        const char *model;
        bool plain_events;
    } table[] = {
        { &increments, 1, 1, "sycl", false },
        { &increments, 6, 1, "sycl", false },
        { &writers_and_readers, 4, 1, "rc11", false },
        { &store_buffering, 2, 1, "sc", false },
        { &message, 2, 1, "sycl-split", false },
        { &message_relaxed, 2, 1, "sycl", false },
        { &message_relaxed, 2, 1, "sycl", true },
        { &message_spin, 2, 1, "sycl", false },
        { &cas_lock, 4, 1, "sycl", false },
        { &ticket_lock, 4, 1, "sycl", false },
        { &three_tries, 2, 1, "sycl", false },
        { &peterson, 2, 1, "sycl", false },
        { &peterson_weak, 2, 1, "sycl", false },
        { &peterson_weak, 2, 1, "sycl", true },
        { &wait_for_each_other, 2, 1, "sycl", false },
        { &skip_a_barrier, 4, 4, "sycl", false },
        { &tree, 6, 2, "sycl", false },
        { &collective, 8, 4, "sycl", false },
        { &assert_nothing_came, 2, 1, "sycl", false },
        { &halves_of_a_word, 2, 1, "sycl", false },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        struct weir_launch_options options
            = { .explore = table[i].model, .plain_events = table[i].plain_events };
        g_autofree char *one = record_of(device, table[i].kernel, table[i].global,
                                         table[i].local, &options);
        for (options.jobs = 2; options.jobs <= 4; options.jobs++) {
            g_autofree char *several = record_of(
                device, table[i].kernel, table[i].global, table[i].local, &options);
            ck_assert_msg(strcmp(several, one) == 0, "%s, %u processes: another result",
                          table[i].kernel->name, options.jobs);
        }
    }
}

/* Places in memory that are met late, by histories which the first run lacks. */
DEVICE_TEST(processes_learn_of_each_other)
{
    words_args args = words_new(device);
    EXPLORE(count_in_a_static, weir_nd_range_1d(3, 1), args, .explore = "sycl",
            .jobs = 3);
    ck_assert(result.complete);
    ck_assert_uint_eq(result.executions, 6);
    ck_assert_uint_eq(result.n_states, 1);
    ck_assert_uint_eq(result.locations, 4); /* the counter, and three of its values */
    weir_report_free(report);
}

/* A post-condition that ends the process that asks, if that is one of several. */
static bool ends_the_process(const void *args, void *user)
{
    (void)args;
    if (getpid() != *(const pid_t *)user) {
        kill(getpid(), SIGKILL);
    }
    return true;
}

DEVICE_TEST(a_process_that_ends_leaves_no_result)
{
    pid_t self = getpid();
    words_args args = words_new(device);
    struct weir_launch_options options = { .explore = "sycl",
                                           .jobs = 2,
                                           .post_condition = ends_the_process,
                                           .post_condition_user = &self };
    ck_assert(weir_launch_sized_with(device, &increments, weir_nd_range_1d(3, 1), &args,
                                     sizeof(args), &options, &report, NULL));
    const struct weir_exploration *found = weir_report_exploration(report);
    ck_assert_ptr_nonnull(found->refused);
    expect_contains(found->refused, "was ended by signal 9");
    ck_assert_uint_eq(found->executions, 0);
    weir_report_free(report);
}

/* The limit is divided among them, even where there are fewer executions. */
DEVICE_TEST(processes_share_a_limit_of_executions)
{
    for (uint32_t jobs = 2; jobs <= 8; jobs += 3) {
        words_args args = words_new(device);
        EXPLORE(increments, weir_nd_range_1d(5, 1), args, .explore = "sycl",
                .max_executions = 5, .jobs = jobs);
        ck_assert_uint_eq(result.executions, 5);
        ck_assert(!result.complete);
        weir_report_free(report);
    }
}

/* The findings of an exploration that ends at the first wrong execution, but for
 * counts. */
static char *first_wrong_of(struct weir_device *device, const uint8_t *steps,
                            uint32_t jobs)
{
    words_args words = words_new(device);
    uint8_t *own = weir_new(device, uint8_t, 2 * STEPS * STEP_ITEMS, "steps");
    interpreted_args args = { words.x, words.y, words.out, own, 0 };
    memcpy(own, steps, 2 * STEPS * STEP_ITEMS);
    EXPLORE(interpreted, weir_nd_range_1d(4, 1), args, .explore = "sycl",
            .until_wrong = true, .jobs = jobs);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        g_string_append_printf(text, "%s %s[%d]\n",
                               weir_finding_kind_name(finding->kind), finding->object,
                               (int)finding->index);
    }
    weir_report_free(report);
    weir_free(device, words.x);
    weir_free(device, words.y);
    weir_free(device, words.out);
    weir_free(device, own);
    return g_string_free(text, FALSE);
}

/* Each process ends at its own; what is found is the first of all. Random programs, of
 * which most have races of several words. */
DEVICE_TEST(processes_end_at_the_same_wrong_execution)
{
    static const uint8_t codes[]
        = { STEP_TAKE,   STEP_READ,         STEP_WRITE,
            STEP_ADD_IF, STEP_LOAD_ACQUIRE, STEP_STORE_RELEASE };
    int n_wrong = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t state = seed;
        uint8_t steps[2 * STEPS * STEP_ITEMS];
        for (size_t i = 0; i < sizeof(steps); i += 2) {
            steps[i] = codes[random_between(&state, 0, sizeof(codes) - 1)];
            steps[i + 1] = (uint8_t)random_between(&state, 0, STEP_WORDS - 2);
        }
        g_autofree char *one = first_wrong_of(device, steps, 1);
        g_autofree char *several = first_wrong_of(device, steps, 3);
        ck_assert_msg(strcmp(one, several) == 0, "seed %d: %s--- three:\n%s", (int)seed,
                      one, several);
        n_wrong += one[0] != '\0';
    }
    ck_assert_int_ge(n_wrong, 30);
}

/* One with a race, one that never ends; without either all are explored. */
DEVICE_TEST(the_first_wrong_execution_ends_an_exploration)
{
    words_args args = words_new(device);
    EXPLORE(message_relaxed, weir_nd_range_1d(4, 1), args, .explore = "sycl",
            .until_wrong = true);
    ck_assert_uint_eq(result.racy, 1);
    ck_assert(!result.complete);
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(wait_for_each_other, weir_nd_range_1d(2, 1), args, .explore = "sycl",
            .until_wrong = true);
    ck_assert_uint_eq(result.blocked, 1);
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(increments, weir_nd_range_1d(4, 1), args, .explore = "sycl",
            .until_wrong = true);
    ck_assert_uint_eq(result.executions, 24);
    ck_assert(result.complete);
    weir_report_free(report);
}

/* ---- Sites ----------------------------------------------------------------------- */

CASE("sites");

static const struct weir_explored_site *site_of(const char *operation)
{
    for (size_t i = 0; i < result.n_sites; i++) {
        if (strcmp(result.sites[i].operation, operation) == 0) {
            return &result.sites[i];
        }
    }
    ck_abort_msg("no %s", operation);
}

DEVICE_TEST(operations_with_what_they_order)
{
    words_args args = words_new(device);
    EXPLORE(cas_lock, weir_nd_range_1d(4, 2), args, .explore = "sycl");
    ck_assert_uint_eq(result.n_sites, 2);
    ck_assert_uint_eq(result.n_groups, 2);
    ck_assert_uint_eq(result.n_sub_groups, 1);
    const struct weir_explored_site *swap = site_of("weir_atomic_compare_exchange");
    ck_assert_str_eq(swap->order, "acquire");
    ck_assert_str_eq(swap->failure, "relaxed");
    ck_assert_str_eq(swap->scope, "device");
    ck_assert_ptr_null(swap->spaces);
    ck_assert_ptr_nonnull(strstr(swap->file, "native_kernels.c"));
    ck_assert_uint_lt(swap->line, site_of("weir_atomic_store")->line);
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(tree, weir_nd_range_1d(4, 4), args, .explore = "sycl");
    ck_assert_str_eq(site_of("weir_barrier")->spaces, "local");
    ck_assert_ptr_null(site_of("weir_barrier")->order);
    weir_report_free(report);
}

/* An order that is overridden is the one that is explored, and reported. */
DEVICE_TEST(another_order_in_place_of_the_source)
{
    words_args args = words_new(device);
    EXPLORE(message_relaxed, weir_nd_range_1d(2, 1), args, .explore = "sycl");
    ck_assert_uint_eq(result.racy, 1);
    g_autofree char *order
        = g_strdup_printf("%s:%u=release", site_of("weir_atomic_store")->file,
                          site_of("weir_atomic_store")->line);
    weir_report_free(report);
    args = words_new(device);
    EXPLORE(message_relaxed, weir_nd_range_1d(2, 1), args, .explore = "sycl",
            .order = order);
    ck_assert_uint_eq(result.racy, 0);
    ck_assert_str_eq(site_of("weir_atomic_store")->order, "release");
    weir_report_free(report);
}

MAIN("native")
