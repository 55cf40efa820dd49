/* SPDX-License-Identifier: MIT
 *
 * check_uninit_found.c: reads of local and device memory that is not written. One
 * is found in a checked launch where its value decides a comparison, an access, or the
 * result, under every schedule, with the array, the index, the item and the line; where
 * the element is written, the same kernel draws nothing. If one element has many reads
 * the one that matters is reported.
 *
 * This file is instrumented, so the kernels are. */
#include "uninit.h"

/* ---- What is wrong, and its neighbour that is right ------------------------------ */

/* An item's own element of a local array, which is not written but in what is
 * right. */
static int32_t *own_element(struct weir_item *item, const uninit_args *args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    return &scratch[LID(item)];
}

/* expect: uninitialized-read scratch[0]: a comparison */
WEIR_KERNEL(branches, uninit_args)
{
    const int32_t *own = own_element(item, args);
    int32_t value = MARK(line_a, *own);
    OUT(item, args) = 0;
    if (value > 100) {
        OUT(item, args) = 1;
    }
}

/* expect: uninitialized-read of a comparison, whatever follows from it */
WEIR_KERNEL(compares, uninit_args)
{
    const int32_t *own = own_element(item, args);
    bool is_more = MARK(line_a, *own) > 100;
    (void)OPAQUE(is_more);
    OUT(item, args) = 0;
}

/* expect: uninitialized-read of bins[0] */
WEIR_KERNEL(counts_in_bins, uninit_args)
{
    int32_t *bins = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        bins[LID(item)] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    MARK(line_a, ADD_1(&bins[LID(item)], work_group));
    weir_barrier(item, WEIR_LOCAL);
    OUT(item, args) = bins[LID(item)];
}

/* expect: uninitialized-read of elements that a guard has left out */
WEIR_KERNEL(sums_too_many, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (LID(item) < LOCAL - 2) {
        scratch[LID(item)] = 1;
    } else if (args->right) {
        scratch[LID(item)] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    OUT(item, args) = 0;
    if (LID(item) == 0) {
        int32_t sum = 0;
        for (size_t i = 0; i < LOCAL; i++) {
            sum += MARK(line_a, scratch[i]);
        }
        OUT(item, args) = sum;
    }
}

/* expect: uninitialized-read of in[5], which the host has left out */
WEIR_KERNEL(reads_the_hosts, uninit_args)
{
    OUT(item, args) = MARK(line_a, args->in[weir_global_id(item, 0)]) * 2;
}

/* expect: uninitialized-read of an element that is copied to the result */
WEIR_KERNEL(copies_an_element, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right || LID(item) != 3) {
        scratch[LID(item)] = 1;
    }
    OUT(item, args) = MARK(line_a, scratch[LID(item)]);
}

/* expect: uninitialized-read of some elements of many that are copied at once */
WEIR_KERNEL(copies_all_elements, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right || LID(item) != 3) {
        scratch[LID(item)] = 1;
    }
    weir_barrier(item, WEIR_LOCAL);
    if (LID(item) == 0) {
        MARK(line_a, memcpy(&OUT(item, args), scratch, LOCAL * sizeof(int32_t)));
    }
}

/* expect: uninitialized-read of a member that is copied to the result */
WEIR_KERNEL(copies_a_member, uninit_args)
{
    struct padded *scratch = MARK(line_b, weir_local_array(item, struct padded, LOCAL));
    scratch[LID(item)].key = 1;
    if (args->right) {
        scratch[LID(item)].hole = 1;
    }
    OUT(item, args) = MARK(line_a, scratch[LID(item)].hole);
}

/* expect: uninitialized-read of a number whose high half is unwritten */
WEIR_KERNEL(lacks_a_high_half, uninit_args)
{
    union halves *scratch = MARK(line_b, weir_local_array(item, union halves, LOCAL));
    scratch[LID(item)].half[0] = 1;
    if (args->right) {
        scratch[LID(item)].half[1] = 0;
    }
    __asm__ volatile("" : : : "memory");
    int64_t number = MARK(line_a, OPAQUE(scratch[LID(item)].whole));
    OUT(item, args) = (int32_t)(number >> 32);
}

/* expect: uninitialized-read of a struct whose second member is unwritten */
WEIR_KERNEL(copies_a_pair, uninit_args)
{
    struct pair *scratch = MARK(line_b, weir_local_array(item, struct pair, LOCAL));
    scratch[LID(item)].first = 1;
    if (args->right) {
        scratch[LID(item)].second = 1;
    }
    int32_t both = MARK(line_a, ((const union both *)&scratch[LID(item)])->whole);
    OUT(item, args) = both;
}

/* expect: uninitialized-read of a struct whose third member is unwritten, and used */
WEIR_KERNEL(adds_a_third, uninit_args)
{
    struct triple *scratch = MARK(line_b, weir_local_array(item, struct triple, LOCAL));
    scratch[LID(item)].first = scratch[LID(item)].second = 1;
    if (args->right) {
        scratch[LID(item)].third = 1;
    }
    struct triple own = MARK(line_a, scratch[LID(item)]);
    __asm__ volatile("" : "+m"(own));
    OUT(item, args) = own.first + own.third;
}

/* expect: uninitialized-read by an atomic, of a counter that was not set to zero */
WEIR_KERNEL(counts, uninit_args)
{
    (void)MARK(line_a, ADD_1(&args->in[5], device));
    OUT(item, args) = 1;
}

/* expect: uninitialized-read of an index */
WEIR_KERNEL(goes_by_an_index, uninit_args)
{
    uint32_t *scratch = MARK(line_b, weir_local_array(item, uint32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 0;
    }
    uint32_t index = MARK(line_a, scratch[LID(item)]) % N;
    OUT(item, args) = args->in[index] * args->zero;
}

/* expect: uninitialized-read of a floating point number, by the branch it decides */
WEIR_KERNEL(branches_on_a_float, uninit_args)
{
    float *scratch = MARK(line_b, weir_local_array(item, float, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 0;
    }
    float value = MARK(line_a, scratch[LID(item)]);
    OUT(item, args) = 0;
    if (value > 0.0f) {
        OUT(item, args) = 1;
    }
}

static int32_t twice(const int32_t *at)
{
    return MARK(line_a, *at) * 2;
}

/* expect: uninitialized-read of a product with 0, which garbage may make no number */
#define MULTIPLIES_BY_ZERO(name, type)                                                 \
    WEIR_KERNEL(name, uninit_args)                                                     \
    {                                                                                  \
        type *scratch = MARK(line_b, weir_local_array(item, type, LOCAL));             \
        if (args->right) {                                                             \
            scratch[LID(item)] = 1;                                                    \
        }                                                                              \
        type product = MARK(line_a, scratch[LID(item)]) * (type)args->zero;            \
        OUT(item, args) = (int32_t)product;                                            \
    }
MULTIPLIES_BY_ZERO(multiplies_a_float_by_zero, float)
MULTIPLIES_BY_ZERO(multiplies_a_double_by_zero, double)

/* expect: uninitialized-read in a helper */
WEIR_KERNEL(reads_in_a_helper, uninit_args)
{
    OUT(item, args) = twice(own_element(item, args));
}

/* expect: uninitialized-read between the loops */
WEIR_GROUP_KERNEL(reads_in_a_loop, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_group_local_array(group, int32_t, LOCAL));
    if (args->right) {
        weir_for_each_item(item, group) {
            scratch[LID(item)] = 1;
        }
    }
    weir_for_each_item(item, group) {
        OUT(item, args) = MARK(line_a, scratch[LID(item)]);
    }
}

/* expect: uninitialized-read after a static that the first run has written */
WEIR_KERNEL(passes_a_gate_once, uninit_args)
{
    const int32_t *own = own_element(item, args);
    OUT(item, args) = 0;
    if (gates[weir_global_id(item, 0)]++ == 0) {
        OUT(item, args) = MARK(line_a, *own);
    }
}

/* expect: uninitialized-read of what an exchange that fails has not written */
WEIR_KERNEL(fails_to_write, uninit_args)
{
    int32_t *own = own_element(item, args), expected = 0;
    /* On one line: where clang does not optimise, the code compares what the exchange
     * returns, and the reason names that comparison. */
#define TRY_AND_READ                                                                   \
    ((void)weir_atomic_compare_exchange_strong_explicit(                               \
         own, &expected, 1, memory_order_relaxed, memory_order_relaxed,                \
         memory_scope_work_group),                                                     \
     *own)
    OUT(item, args) = MARK(line_a, TRY_AND_READ);
#undef TRY_AND_READ
}

static const struct wrong {
    const struct weir_kernel *kernel;
    const char *object; /* NULL: the local array of line_b */
    int64_t index;
    size_t group, item;
    const char *access;
    const char *why;
    uint64_t count; /* 0: not looked at */
} wrongs[] = {
    { &branches, NULL, 0, 0, 0, "read", "decides a comparison at ", N },
    { &compares, NULL, 0, 0, 0, "read", "decides a comparison at ", N },
    { &counts_in_bins, NULL, 0, 0, 0, "atomic fetch_add", "what out[0] holds", N },
    { &sums_too_many, NULL, LOCAL - 2, 0, 0, "read", "what out[0] holds", 2 * GROUPS },
    { &reads_the_hosts, "in", 5, 0, 5, "read", "what out[5] holds", 1 },
    { &copies_an_element, NULL, 3, 0, 3, "read", "what out[3] holds", GROUPS },
    { &copies_all_elements, NULL, 3, 0, 0, "read", "what out[3] holds", GROUPS },
    { &copies_a_member, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &lacks_a_high_half, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &copies_a_pair, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &adds_a_third, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &counts, "in", 5, 0, -1, "atomic fetch_add", "what in[5] holds", 1 },
    { &goes_by_an_index, NULL, 0, 0, 0, "read", "decides what follows at ", N },
    { &branches_on_a_float, NULL, 0, 0, 0, "read", "its value decides ", N },
    { &multiplies_a_float_by_zero, NULL, 0, 0, 0, "read",
      "what out[0] holds at the end, if it is infinite or no number", N },
    { &multiplies_a_double_by_zero, NULL, 0, 0, 0, "read",
      "what out[0] holds at the end, if it is infinite or no number", N },
    { &reads_in_a_helper, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &passes_a_gate_once, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &fails_to_write, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &reads_in_a_loop, NULL, 0, 0, 0, "read", "what out[0] holds", N },
};

/* The finding of @wrong. An exchange says whether it was made, which fails_to_write()
 * does not ask; code that is not optimized compares all the same, and has a finding of
 * its own before. */
static const struct weir_finding *finding_of(const struct weir_report *report,
                                             const struct wrong *wrong)
{
    if (OPTIMIZED || wrong->kernel != &fails_to_write) {
        return only_finding(report, WEIR_FINDING_UNINITIALIZED_READ,
                            wrong->kernel->name);
    }
    size_t n;
    const struct weir_finding *first = uninitialized(report, &n);
    ck_assert_uint_eq(weir_report_n_findings(report), 2);
    ck_assert_uint_eq(n, 2);
    ck_assert_int_eq(first->parties[0].access, WEIR_ACCESS_ATOMIC_COMPARE_EXCHANGE);
    expect_local_array(first);
    expect_contains(first->why, "decides a comparison at ");
    expect_names_line(first->why, __FILE__, first->parties[0].line);
    return weir_report_finding(report, 1);
}

static void expect_read(const struct weir_report *report,
                        const struct weir_finding *finding, const struct wrong *wrong)
{
    ck_assert_ptr_null(weir_report_incomplete(report));
    ck_assert(!finding->note);
    if (wrong->object == NULL) {
        expect_local_array(finding);
        ck_assert_str_eq(finding->space, "local");
    } else {
        ck_assert_str_eq(finding->object, wrong->object);
        ck_assert_str_eq(finding->space, "global");
    }
    const struct weir_party *party
        = expect_access(finding, wrong->access, wrong->index);
    if (wrong->item != (size_t)-1) {
        EXPECT_COORDINATES(party->item, wrong->item, 0, 0);
        EXPECT_COORDINATES(party->group, wrong->group, 0, 0);
    }
    expect_contains(finding->message, "uninitialized-read in kernel");
}

static void expect_wrong(const struct weir_report *report, const struct wrong *wrong)
{
    const struct weir_finding *finding = finding_of(report, wrong);
    expect_read(report, finding, wrong);
    expect_contains(finding->why, wrong->why);
    ck_assert_uint_eq(finding->count, wrong->count);
}

CASE("found");

DEVICE_TEST_EACH(a_wrong_read_is_found_and_its_correct_neighbour_is_not,
                 G_N_ELEMENTS(wrongs))
{
    const struct wrong *wrong = &wrongs[_i];
    struct setting setting = open_setting(device);
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        struct weir_report *report = launch(&setting, wrong->kernel, &orders[o], false);
        expect_wrong(report, wrong);
        weir_report_free(report);
        expect_quiet(launch(&setting, wrong->kernel, &orders[o], true), wrong->kernel,
                     &orders[o], LOCAL);
    }
}

/* Which does not say where the difference first shows. */
DEVICE_TEST_EACH(an_exploration_finds_the_same, G_N_ELEMENTS(wrongs))
{
    const struct wrong *wrong = &wrongs[_i];
    struct setting setting = open_setting(device);
    struct weir_report *report = explore(&setting, wrong->kernel, false);
    const struct weir_finding *finding = finding_of(report, wrong);
    expect_read(report, finding, wrong);
    g_autofree char *object
        = g_strndup(wrong->why, strcspn(wrong->why, "[")); /* cells may be larger */
    expect_contains(finding->why,
                    g_str_has_prefix(object, "what ") ? object : "its value decides ");
    weir_report_free(report);
    expect_silence(explore(&setting, wrong->kernel, true), wrong->kernel->name);
}

/* Plain and atomic reads of numbers of 8 bytes in @more. */
WEIR_KERNEL(reads_wide, uninit_args)
{
    OUT(item, args) = (int32_t)(((int64_t *)(void *)args->more)[0] >> 32);
}

WEIR_KERNEL(counts_wide, uninit_args)
{
    (void)ADD_1(&((int64_t *)(void *)args->more)[0], device);
    OUT(item, args) = 1;
}

DEVICE_TEST(the_host_must_write_both_halves_of_a_number)
{
    static const struct weir_kernel *const kernels[] = { &reads_wide, &counts_wide };
    struct setting setting = open_setting(device);
    for (size_t i = 0; i < 4; i++) {
        bool right = i % 2 == 1;
        int64_t *wide = weir_new(device, int64_t, 2, "wide"), zero = 0;
        memcpy(wide, &zero, right ? sizeof(zero) : sizeof(zero) / 2);
        setting.args.more = (int32_t *)(void *)wide;
        for (size_t explored = 0; explored < 2; explored++) {
            const struct weir_kernel *kernel = kernels[i / 2];
            struct weir_report *report = explored
                ? explore(&setting, kernel, right)
                : launch(&setting, kernel, &orders[0], right);
            if (right) {
                expect_silence(report, kernel->name);
                continue;
            }
            const struct weir_finding *finding
                = only_finding(report, WEIR_FINDING_UNINITIALIZED_READ, kernel->name);
            ck_assert_str_eq(finding->object, "wide");
            ck_assert_int_eq(finding->index, 0);
            weir_report_free(report);
            memcpy(wide, &zero, sizeof(zero) / 2);
        }
        weir_free(device, wide);
    }
}

DEVICE_TEST(the_comparison_is_named_with_its_line)
{
    struct setting setting = open_setting(device);
    g_autoptr(weir_report) report = launch(&setting, &compares, &orders[0], false);
    size_t n;
    const struct weir_finding *finding = uninitialized(report, &n);
    ck_assert_uint_eq(n, 1);
    expect_names_line(finding->why, __FILE__, line_of(&line_a));
}

DEVICE_TEST(the_same_is_found_where_a_schedule_is_followed)
{
    struct setting setting = open_setting(device);
    const struct wrong *wrong = &wrongs[2];
    g_autoptr(weir_schedule) record = weir_schedule_new();
    weir_report_free(launch(&setting, wrong->kernel, &orders[3], false)); /* MARK() */
    renew(&setting, false);
    struct weir_report *report
        = LAUNCH(setting.device, wrong->kernel, weir_nd_range_1d(N, LOCAL),
                 &setting.args, CHECKED(&orders[3], .record = record));
    uint64_t n_steps = weir_report_n_steps(report);
    expect_wrong(report, wrong);
    weir_report_free(report);
    ck_assert_uint_eq(weir_schedule_n_launches(record), 1);
    renew(&setting, false);
    report = LAUNCH(setting.device, wrong->kernel, weir_nd_range_1d(N, LOCAL),
                    &setting.args,
                    (&(struct weir_launch_options){ .replay = record, .check = true }));
    expect_wrong(report, wrong);
    ck_assert_uint_eq(weir_report_n_steps(report), n_steps);
    weir_report_free(report);
}

/* ---- What is to blame ------------------------------------------------------------ */

/* expect: uninitialized-read of the second read only */
WEIR_KERNEL(reads_twice, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = MARK(line_a, scratch[LID(item)]);
    (void)OPAQUE(scratch[LID(item)]);
}

/* More places than are tried one by one. */
WEIR_KERNEL(reads_at_many_places, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    const size_t i = LID(item);
#define READ (void)OPAQUE(scratch[i]);
    READ READ READ READ READ READ OUT(item, args) = MARK(line_a, scratch[i]);
    READ READ READ READ READ READ if (args->zero)
    {
        OUT(item, args) = MARK(line_b, scratch[i]);
    }
}

/* The one that matters is among those that are tried together. */
WEIR_KERNEL(reads_late_at_many_places, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    const size_t i = LID(item);
    READ READ READ READ READ READ READ READ READ READ OUT(item, args) = scratch[i];
}

CASE("blame");

DEVICE_TEST_EACH(of_very_many_reads_one_is_reported, 2)
{
    struct setting setting = open_setting(device);
    g_autoptr(weir_report) report = _i == 0
        ? launch(&setting, &reads_late_at_many_places, &orders[0], false)
        : explore(&setting, &reads_late_at_many_places, false);
    const struct weir_finding *finding = only_finding(
        report, WEIR_FINDING_UNINITIALIZED_READ, "reads_late_at_many_places");
    expect_contains(finding->why, "what out[0] holds");
}

DEVICE_TEST_EACH(of_reads_of_one_element_the_one_that_matters_is_reported, 4)
{
    const struct weir_kernel *kernel
        = _i % 2 == 0 ? &reads_twice : &reads_at_many_places;
    struct setting setting = open_setting(device);
    g_autoptr(weir_report) report = _i < 2 ? launch(&setting, kernel, &orders[0], false)
                                           : explore(&setting, kernel, false);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_UNINITIALIZED_READ, kernel->name);
    ck_assert_uint_eq(finding->parties[0].line, line_of(&line_a));
}

/* expect: uninitialized-read scratch[], and out-of-bounds or a fault */
WEIR_KERNEL(goes_astray, uninit_args)
{
    uint32_t *scratch = weir_local_array(item, uint32_t, LOCAL);
    size_t index = N + MARK(line_a, scratch[LID(item)]) % 1000;
    OUT(item, args) = args->in[index];
}

DEVICE_TEST(a_wrong_index_is_reported_beside_where_it_led)
{
    struct setting setting = open_setting(device);
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        g_autoptr(weir_report) report
            = launch(&setting, &goes_astray, &orders[o], false);
        size_t n;
        const struct weir_finding *finding = uninitialized(report, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(finding->parties[0].line, line_of(&line_a));
        ck_assert_uint_eq(weir_report_n_findings(report), 2);
    }
}

MAIN("uninitialised reads: found")
