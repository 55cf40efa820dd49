/* SPDX-License-Identifier: MIT
 *
 * check_launch.c: what a launch accepts, what it refuses and in which words,
 * and that every item of a range that is accepted runs exactly once. */
#include "support.h"

#include <stdio.h>

typedef struct {
    uint32_t *count; /* one an item, by global linear id */
} count_args;

WEIR_KERNEL(count_items, count_args)
{
    ADD_RELAXED(&args->count[weir_global_linear_id(item)], 1u);
}

WEIR_KERNEL(count_items_around_a_barrier, count_args)
{
    uint32_t *mine = &args->count[weir_global_linear_id(item)];
    ADD_RELAXED(mine, 1u);
    weir_barrier(item, WEIR_GLOBAL);
    ADD_RELAXED(mine, 1u);
}

/* Counts the runs of all items in one place. */
WEIR_KERNEL(count_runs, count_args)
{
    weir_atomic_fetch_add_explicit(args->count, 1u, memory_order_relaxed,
                                   memory_scope_system);
}

typedef struct {
    char unused;
} no_args;

WEIR_KERNEL(do_nothing, no_args)
{
}

WEIR_KERNEL(only_wait, no_args)
{
    weir_barrier(item, WEIR_LOCAL);
}

WEIR_KERNEL(half_wait, no_args)
{
    if (weir_local_id(item, 0) < 4) {
        weir_barrier(item, WEIR_LOCAL);
    }
}

/* ---- Ranges that are refused --------------------------------------------- */

CASE("ranges");

static const struct {
    struct weir_nd_range range;
    const char *part; /* of the message */
} wrong_ranges[] = {
    { { 1, { 1000, 1, 1 }, { 48, 1, 1 } },
      "local size 48 does not divide global size 1000 in dimension 0" },
    { { 2, { 16, 10, 1 }, { 4, 4, 1 } },
      "local size 4 does not divide global size 10 in dimension 1" },
    { { 3, { 8, 8, 9 }, { 4, 4, 2 } },
      "local size 2 does not divide global size 9 in dimension 2" },
    { { 1, { 7, 1, 1 }, { 8, 1, 1 } },
      "local size 8 does not divide global size 7 in dimension 0" },
    { { 1, { 64, 1, 1 }, { 0, 1, 1 } }, "local size 0 in dimension 0" },
    { { 2, { 64, 64, 1 }, { 8, 0, 1 } }, "local size 0 in dimension 1" },
    { { 3, { 64, 64, 64 }, { 8, 8, 0 } }, "local size 0 in dimension 2" },
    /* The default device allows groups of 1024 items. */
    { { 1, { 1025, 1, 1 }, { 1025, 1, 1 } }, "1024" },
    { { 1, { 4096, 1, 1 }, { 2048, 1, 1 } }, "2048" },
    { { 2, { 64, 64, 1 }, { 64, 32, 1 } }, "1024" },
    { { 3, { 16, 16, 16 }, { 16, 16, 5 } }, "1024" },
    { { 3, { 16, 16, 16 }, { 16, 16, 8 } }, "1024" },
    /* Products that would wrap around to something small. */
    { { 1, { SIZE_MAX, 1, 1 }, { SIZE_MAX, 1, 1 } }, "1024" },
    { { 2,
        { (size_t)1 << 32, (size_t)1 << 32, 1 },
        { (size_t)1 << 32, (size_t)1 << 32, 1 } },
      "1024" },
    { { 2, { (size_t)1 << 32, (size_t)1 << 32, 1 }, { 1, 1, 1 } }, "overflow" },
    { { 3, { (size_t)1 << 22, (size_t)1 << 21, (size_t)1 << 21 }, { 1, 1, 1 } },
      "overflow" },
    { { 3, { (size_t)1 << 40, (size_t)1 << 12, (size_t)1 << 13 }, { 64, 4, 4 } },
      "overflow" },
    { { 0, { 64, 1, 1 }, { 64, 1, 1 } }, "dimension" },
    { { 4, { 64, 1, 1 }, { 64, 1, 1 } }, "dimension" },
};

DEVICE_TEST_EACH(a_wrong_range_is_refused_by_name_and_nothing_runs,
                 G_N_ELEMENTS(wrong_ranges))
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    *count = 0;
    EXPECT_REFUSED(device, &count_runs, wrong_ranges[_i].range, &(count_args){ count },
                   NULL, WEIR_ERROR_RANGE, wrong_ranges[_i].part);
    GError *error = NULL;
    ck_assert(!weir_launch(device, &count_runs, wrong_ranges[_i].range,
                           &(count_args){ count }, &error));
    expect_error(error, WEIR_ERROR_RANGE, wrong_ranges[_i].part);
    ck_assert(!weir_launch(device, &count_runs, wrong_ranges[_i].range,
                           &(count_args){ count }, NULL));
    ck_assert_uint_eq(*count, 0);
}

TEST(the_message_of_an_oversized_group_names_the_device_and_both_numbers)
{
    g_autoptr(weir_device) device = device_open("hd630");
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(257, 257), &(no_args){ 0 },
                   NULL, WEIR_ERROR_RANGE, "257");
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(257, 257), &(no_args){ 0 },
                   NULL, WEIR_ERROR_RANGE, "256");
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(257, 257), &(no_args){ 0 },
                   NULL, WEIR_ERROR_RANGE, "hd630");
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(256, 256), &(no_args){ 0 },
                  NULL);
}

/* A detector of races counts groups in 32 bits. Another launch may have more. */
DEVICE_TEST(a_checked_launch_of_too_many_groups_is_refused)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    options.time_limit_ms = 20;
    static const struct weir_nd_range ranges[] = {
        { 1, { (size_t)1 << 40, 1, 1 }, { 1, 1, 1 } },
        { 1, { SIZE_MAX, 1, 1 }, { 1, 1, 1 } },
        { 3, { 65536, 65536, 2 }, { 1, 1, 2 } },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++) {
        options.check = true;
        EXPECT_REFUSED(device, &do_nothing, ranges[i], &(no_args){ 0 }, &options,
                       WEIR_ERROR_RANGE, "over the limit of 4294967295 of checked");
        options.check = false;
        struct weir_report *report
            = LAUNCH(device, &do_nothing, ranges[i], &(no_args){ 0 }, &options);
        ck_assert_ptr_nonnull(weir_report_incomplete(report));
        weir_report_free(report);
    }
}

/* ---- Ranges without items ------------------------------------------------ */

static const struct weir_nd_range empty_ranges[] = {
    { 1, { 0, 1, 1 }, { 64, 1, 1 } },
    { 1, { 0, 1, 1 }, { 1, 1, 1 } },
    { 2, { 0, 8, 1 }, { 4, 4, 1 } },
    { 2, { 8, 0, 1 }, { 4, 4, 1 } },
    { 3, { 8, 8, 0 }, { 4, 4, 4 } },
    { 3, { 0, 0, 0 }, { 1, 1, 1 } },
    { 3, { (size_t)1 << 40, (size_t)1 << 40, 0 }, { 1, 1, 1 } },
    { 3, { 0, (size_t)1 << 40, (size_t)1 << 40 }, { 1, 1, 1 } },
};

DEVICE_TEST_EACH(a_global_size_of_0_succeeds_and_runs_nothing,
                 G_N_ELEMENTS(empty_ranges))
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    *count = 0;
    GError *error = NULL;
    bool done = weir_launch(device, &count_runs, empty_ranges[_i],
                            &(count_args){ count }, &error);
    ck_assert_msg(done, "%s", error != NULL ? error->message : "no error is set");
    LAUNCH_SILENT(device, &count_runs, empty_ranges[_i], &(count_args){ count },
                  WITH_WORKERS(2));
    ck_assert_uint_eq(*count, 0);
}

DEVICE_TEST(a_wrong_local_size_is_refused_for_an_empty_range_too)
{
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(0, 2048), &(no_args){ 0 },
                   NULL, WEIR_ERROR_RANGE, "1024");
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(0, 0), &(no_args){ 0 }, NULL,
                   WEIR_ERROR_RANGE, "local size 0");
}

/* ---- Arguments ----------------------------------------------------------- */

CASE("arguments");

DEVICE_TEST(arguments_of_another_size_are_refused_with_both_sizes)
{
    struct weir_report *report = NULL;
    char wrong[sizeof(count_args) + 1] = { 0 };
    size_t right_bytes = sizeof(count_args);
    const size_t sizes[] = { 0, 1, right_bytes - 1, right_bytes + 1 };
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        char both[64];
        snprintf(both, sizeof(both), "%zu bytes, not %zu", right_bytes, sizes[i]);
        GError *error = NULL;
        ck_assert(!weir_launch_sized_with(device, &count_runs, weir_nd_range_1d(8, 8),
                                          wrong, sizes[i], NULL, &report, &error));
        expect_error(error, WEIR_ERROR_ARGUMENT, both);
        error = NULL;
        ck_assert(!weir_launch_sized(device, &count_runs, weir_nd_range_1d(8, 8), wrong,
                                     sizes[i], &error));
        expect_error(error, WEIR_ERROR_ARGUMENT, "count_runs");
    }
    ck_assert_ptr_null(report);
}

/* A function that launches any kernel. */
static bool launch_any(struct weir_device *device, const struct weir_kernel *kernel,
                       const void *args, void *same, struct weir_report **report)
{
    struct weir_nd_range range = weir_nd_range_1d(8, 8);
    return weir_launch(device, kernel, range, args, NULL)
        && weir_launch_with(device, kernel, range, same, NULL, report, NULL);
}

DEVICE_TEST(a_void_pointer_is_to_the_kernels_arguments)
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    count_args args = { count };
    struct weir_report *report;
    *count = 0;
    ck_assert(launch_any(device, &count_runs, &args, &args, &report));
    ck_assert_uint_eq(*count, 16);
    weir_report_free(report);
    ck_assert(!launch_any(device, &count_runs, NULL, NULL, &report));
}

DEVICE_TEST(arguments_of_null_are_refused)
{
    const count_args *none = NULL;
    EXPECT_REFUSED(device, &count_runs, weir_nd_range_1d(8, 8), none, NULL,
                   WEIR_ERROR_ARGUMENT, "count_runs");
}

typedef struct {
    char bytes[3000];
    uint32_t *sums;
} large_args;

WEIR_KERNEL(read_large_arguments, large_args)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof(args->bytes); i++) {
        sum += (uint8_t)args->bytes[i];
    }
    weir_barrier(item, WEIR_LOCAL);
    args->sums[weir_global_id(item, 0)] = sum;
}

DEVICE_TEST(large_arguments_arrive_whole_before_and_after_a_barrier)
{
    large_args args = { .sums = weir_new(device, uint32_t, 64, "sums") };
    uint32_t expected = 0;
    for (size_t i = 0; i < sizeof(args.bytes); i++) {
        args.bytes[i] = (char)(i * 7);
        expected += (uint8_t)(i * 7);
    }
    LAUNCH_SILENT(device, &read_large_arguments, weir_nd_range_1d(64, 16), &args,
                  WITH_WORKERS(2));
    EXPECT_ELEMENTS(args.sums, i, 64, expected);
}

/* ---- Options ------------------------------------------------------------- */

CASE("options");

static const struct {
    struct weir_launch_options options;
    const char *part;
} wrong_options[] = {
    { { .workers = 257 }, "257" },
    { { .workers = 257 }, "256" },
    { { .workers = UINT32_MAX }, "4294967295" },
    { { .sub_group_size = 1 }, "sub-group size 1" },
    { { .sub_group_size = 7 }, "sub-group size 7" },
    { { .sub_group_size = 12 }, "default" },
    { { .sub_group_size = 64 }, "sub-group size 64" },
    { { .sub_group_size = 72 }, "sub-group size 72" },
    { { .sub_group_size = 16 + (1u << 31) }, "sub-group size" },
    { { .stack_bytes = 1 }, "stack of 1 bytes" },
    { { .stack_bytes = 16 * 1024 - 1 }, "16383" },
    { { .stack_bytes = ((size_t)1 << 30) + 1 }, "1073741825" },
    { { .stack_bytes = SIZE_MAX }, "18446744073709551615" },
};

DEVICE_TEST_EACH(an_option_out_of_its_bounds_is_refused_by_value,
                 G_N_ELEMENTS(wrong_options))
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    *count = 0;
    EXPECT_REFUSED(device, &count_runs, weir_nd_range_1d(64, 8), &(count_args){ count },
                   &wrong_options[_i].options, WEIR_ERROR_ARGUMENT,
                   wrong_options[_i].part);
    ck_assert_uint_eq(*count, 0);
}

static const struct weir_launch_options right_options[] = {
    WEIR_LAUNCH_OPTIONS,
    { .workers = 1 },
    { .workers = 2 },
    { .workers = 5 },
    { .workers = 64 },
    { .sub_group_size = 8 },
    { .sub_group_size = 16 },
    { .sub_group_size = 32 },
    { .stack_bytes = 16 * 1024 },
    { .stack_bytes = 16 * 1024 + 1 },
    { .stack_bytes = 100000 },
    { .stack_bytes = (size_t)1 << 20 },
    { .workers = 3, .sub_group_size = 8, .stack_bytes = (size_t)1 << 18 },
};

DEVICE_TEST_EACH(an_option_within_its_bounds_is_accepted, G_N_ELEMENTS(right_options))
{
    enum { N = 64 * 16 };
    uint32_t *count = weir_new(device, uint32_t, N, "count");
    LAUNCH_SILENT(device, &count_items_around_a_barrier, weir_nd_range_1d(N, 16),
                  &(count_args){ count }, &right_options[_i]);
    EXPECT_ELEMENTS(count, i, N, 2);
}

DEVICE_TEST(the_bounds_themselves_are_accepted)
{
    uint32_t *count = weir_new(device, uint32_t, 512, "count");
    if (!under_valgrind()) {
        LAUNCH_SILENT(device, &count_items_around_a_barrier, weir_nd_range_1d(512, 2),
                      &(count_args){ count }, WITH_WORKERS(256));
        EXPECT_ELEMENTS(count, i, 512, 2);
    }
    if (!under_valgrind() && !UNDER_ASAN) {
        LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(2, 1), &(no_args){ 0 },
                      (&(struct weir_launch_options){
                          .workers = 1, .stack_bytes = (size_t)1 << 30 }));
    }
}

DEVICE_TEST(launches_with_different_options_follow_each_other)
{
    enum { N = 240 };
    uint32_t *count = weir_new(device, uint32_t, N, "count");
    uint64_t state = 1;
    const size_t locals[] = { 1, 2, 3, 5, 8, 16, 48, 120, 240 };
    const uint32_t sub_groups[] = { 0, 8, 16, 32 };
    for (size_t round = 0; round < scaled(300, 20); round++) {
        size_t local = locals[random_between(&state, 0, G_N_ELEMENTS(locals) - 1)];
        struct weir_launch_options options = {
            .workers = (uint32_t)random_between(&state, 1, 4),
            .sub_group_size = sub_groups[random_between(&state, 0, 3)],
            .stack_bytes = random_between(&state, 4, 16) * 16384,
        };
        memset(count, 0, N * sizeof(*count));
        LAUNCH_SILENT(device, &count_items_around_a_barrier, weir_nd_range_1d(N, local),
                      &(count_args){ count }, &options);
        for (size_t i = 0; i < N; i++) {
            EXPECT(count[i] == 2, "round %zu, local %zu: item %zu ran %u halves", round,
                   local, i, count[i]);
        }
    }
}

/* ---- Every item once ----------------------------------------------------- */

CASE("once");

/* A random divisor-and-multiple pair a dimension, with at most 1024 items a
 * group and some tens of thousands in all. */
static struct weir_nd_range random_range(uint64_t *state)
{
    struct weir_nd_range range = { .dim = (uint32_t)random_between(state, 1, 3),
                                   .global = { 1, 1, 1 },
                                   .local = { 1, 1, 1 } };
    size_t most_local = scaled(1024, 32), most_groups = scaled(40, 6);
    for (uint32_t dim = 0; dim < range.dim; dim++) {
        size_t most = range.dim > 1 ? MIN(most_local, 32) : most_local;
        size_t local = random_between(state, 1, most);
        most_local /= local;
        size_t groups = random_between(state, 1, most_groups);
        most_groups = MAX(most_groups / groups, 1);
        range.local[dim] = local;
        range.global[dim] = local * groups;
    }
    return range;
}

static void expect_each_once(struct weir_device *device,
                             const struct weir_kernel *kernel,
                             struct weir_nd_range range, size_t workers,
                             uint32_t expected)
{
    size_t n = range.global[0] * range.global[1] * range.global[2];
    uint32_t *count = weir_new(device, uint32_t, n, "count");
    LAUNCH_SILENT(device, kernel, range, &(count_args){ count }, WITH_WORKERS(workers));
    for (size_t i = 0; i < n; i++) {
        EXPECT(
            count[i] == expected,
            "'%s' over %u dimensions, global %zu x %zu x %zu, local %zu x %zu x %zu, "
            "%zu workers: item %zu counts %u",
            kernel->name, range.dim, range.global[0], range.global[1], range.global[2],
            range.local[0], range.local[1], range.local[2], workers, i, count[i]);
    }
    weir_free(device, count);
}

DEVICE_TEST_EACH(every_item_runs_exactly_once, 8)
{
    uint64_t state = (uint64_t)_i;
    for (size_t round = 0; round < scaled(25, 3); round++) {
        struct weir_nd_range range = random_range(&state);
        FOR_EACH_WORKERS(workers)
        {
            expect_each_once(device, &count_items, range, workers, 1);
            expect_each_once(device, &count_items_around_a_barrier, range, workers, 2);
        }
    }
}

DEVICE_TEST(every_item_runs_once_whatever_the_number_of_groups)
{
    for (size_t groups = 1; groups < scaled(300, 20); groups++) {
        FOR_EACH_WORKERS(workers)
        {
            expect_each_once(device, &count_items, weir_nd_range_1d(3 * groups, 3),
                             workers, 1);
        }
    }
}

DEVICE_TEST(every_worker_count_gives_the_same)
{
    for (size_t workers = 0; workers <= scaled(40, 4); workers++) {
        expect_each_once(device, &count_items_around_a_barrier,
                         weir_nd_range_1d(1200, 12), workers, 2);
    }
}

/* ---- weir_launch() ------------------------------------------------------- */

CASE("findings");

/* Everything that runs between these two writes its standard error to a file. */
static int stderr_before = -1;

static void capture_stderr(FILE *into)
{
    fflush(stderr);
    stderr_before = dup(STDERR_FILENO);
    ck_assert_int_ge(stderr_before, 0);
    ck_assert_int_ge(dup2(fileno(into), STDERR_FILENO), 0);
}

static char *release_stderr(FILE *from)
{
    fflush(stderr);
    dup2(stderr_before, STDERR_FILENO);
    close(stderr_before);
    static char text[16384];
    rewind(from);
    text[fread(text, 1, sizeof(text) - 1, from)] = '\0';
    fclose(from);
    return text;
}

DEVICE_TEST(weir_launch_prints_findings_and_returns_false)
{
    FILE *file = tmpfile();
    GError *error = NULL;
    capture_stderr(file);
    bool done = weir_launch(device, &half_wait, weir_nd_range_1d(24, 8),
                            &(no_args){ 0 }, &error);
    char *text = release_stderr(file);
    ck_assert(!done);
    expect_error(error, WEIR_ERROR_FINDINGS, "half_wait");
    expect_contains(text, "barrier divergence");
    expect_contains(text, "half_wait");
    expect_contains(text, "0-3");
    expect_contains(text, "4-7");
    expect_contains(text, "returned");
}

DEVICE_TEST(weir_launch_prints_nothing_and_returns_true_without_findings)
{
    FILE *file = tmpfile();
    GError *error = NULL;
    capture_stderr(file);
    bool done = weir_launch(device, &only_wait, weir_nd_range_1d(24, 8),
                            &(no_args){ 0 }, &error);
    char *text = release_stderr(file);
    ck_assert(done);
    ck_assert_ptr_null(error);
    ck_assert_str_eq(text, "");
}

DEVICE_TEST(weir_launch_with_returns_findings_as_values_and_true)
{
    FILE *file = tmpfile();
    g_autoptr(weir_report) report = NULL;
    GError *error = NULL;
    capture_stderr(file);
    bool done = weir_launch_with(device, &half_wait, weir_nd_range_1d(24, 8),
                                 &(no_args){ 0 }, NULL, &report, &error);
    char *text = release_stderr(file);
    ck_assert(done);
    ck_assert_ptr_null(error);
    ck_assert_str_eq(text, "");
    only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "half_wait");
}

/* As weir_launch() does, under the options. */
DEVICE_TEST(weir_launch_with_prints_findings_where_no_report_is_taken)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    options.exited = WEIR_EXITED_ALIVE_ONLY;
    FILE *file = tmpfile();
    GError *error = NULL, *none = NULL, *noted = NULL;
    capture_stderr(file);
    bool done = weir_launch_with(device, &half_wait, weir_nd_range_1d(24, 8),
                                 &(no_args){ 0 }, NULL, NULL, &error);
    char *text = release_stderr(file);
    ck_assert(!done);
    expect_error(error, WEIR_ERROR_FINDINGS, "half_wait");
    expect_contains(text, "barrier divergence");
    expect_contains(text, "4-7");

    file = tmpfile();
    capture_stderr(file);
    done = weir_launch_with(device, &only_wait, weir_nd_range_1d(24, 8),
                            &(no_args){ 0 }, &options, NULL, &none);
    text = release_stderr(file);
    ck_assert(done);
    ck_assert_ptr_null(none);
    ck_assert_str_eq(text, "");

    file = tmpfile(); /* a note is printed, and is not a defect */
    capture_stderr(file);
    done = weir_launch_with(device, &half_wait, weir_nd_range_1d(24, 8),
                            &(no_args){ 0 }, &options, NULL, &noted);
    text = release_stderr(file);
    ck_assert(done);
    ck_assert_ptr_null(noted);
    ck_assert(g_str_has_prefix(text, "note: "));
}

/* ---- The host beside a launch ---------------------------------------------------- */

CASE("host");

typedef struct {
    uint32_t *sum;
    uint32_t *n; /* of the kernel's own additions */
    int64_t until_us;
} shared_args;

/* Goes on until the host has often added between two additions: then both run at once,
 * and an addition in two steps would lose some of the host's. */
WEIR_KERNEL(add_for_the_system, shared_args)
{
    enum { OFTEN = 20000 };
    (void)item;
    uint32_t last = 0, n = 0, between = 0;
    while (between < OFTEN
           && (n % 1024 != 0 || g_get_monotonic_time() < args->until_us)) {
        uint32_t old = weir_atomic_fetch_add_explicit(
            args->sum, 1u, memory_order_relaxed, memory_scope_system);
        between += old != last + 1;
        last = old;
        n++;
    }
    *args->n = n;
}

struct adder {
    uint32_t *sum;
    atomic_bool begun, over;
    uint32_t n;
};

static void *add_on_the_host(void *data)
{
    struct adder *adder = data;
    while (!atomic_load(&adder->over)) {
        __atomic_fetch_add(adder->sum, 1, __ATOMIC_RELAXED);
        adder->n++;
        atomic_store(&adder->begun, true);
    }
    return NULL;
}

/* Items of a schedule run in turns, and the host does not. */
DEVICE_TEST(the_host_may_update_what_items_update_at_system_scope)
{
    struct adder adder = { .sum = weir_new(device, uint32_t, 1, "sum") };
    *adder.sum = 0;
    GThread *thread = g_thread_new("host", add_on_the_host, &adder);
    while (!atomic_load(&adder.begun)) {}
    const shared_args args = { adder.sum, weir_new(device, uint32_t, 1, "n"),
                               g_get_monotonic_time() + 10 * G_USEC_PER_SEC };
    LAUNCH_SILENT(device, &add_for_the_system, weir_nd_range_1d(1, 1), &args,
                  (&(struct weir_launch_options){ .schedule = "in-order" }));
    atomic_store(&adder.over, true);
    g_thread_join(thread);
    ck_assert_uint_eq(*adder.sum, *args.n + adder.n);
}

MAIN("launch")
