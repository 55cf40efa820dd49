/* SPDX-License-Identifier: MIT
 *
 * check_finding.c: findings as values: their kinds, how those of many groups
 * become one, their order, their text; and weir_assert(), the finding that a
 * kernel asks for. */
#include "support.h"

#include "exec/finding.h"

#include <stdio.h>

/* Written down here from the contract, in its order. */
static const struct {
    enum weir_finding_kind kind;
    const char *name;
} kinds[] = {
    { WEIR_FINDING_DATA_RACE, "data-race" },
    { WEIR_FINDING_SCOPE_RACE, "scope-race" },
    { WEIR_FINDING_BARRIER_DIVERGENCE, "barrier-divergence" },
    { WEIR_FINDING_OUT_OF_BOUNDS, "out-of-bounds" },
    { WEIR_FINDING_USE_AFTER_FREE, "use-after-free" },
    { WEIR_FINDING_UNINITIALIZED_READ, "uninitialized-read" },
    { WEIR_FINDING_MISALIGNED, "misaligned" },
    { WEIR_FINDING_MIXED_ATOMIC, "mixed-atomic" },
    { WEIR_FINDING_DEADLOCK, "deadlock" },
    { WEIR_FINDING_LIVELOCK, "livelock" },
    { WEIR_FINDING_FAULT, "fault" },
    { WEIR_FINDING_STACK_OVERFLOW, "stack-overflow" },
    { WEIR_FINDING_ASSERTION, "assertion" },
    { WEIR_FINDING_WRONG_RESULT, "wrong-result" },
    { WEIR_FINDING_LOCAL_MEMORY, "local-memory" },
    { WEIR_FINDING_UNSUPPORTED, "unsupported" },
    { WEIR_FINDING_API_ERROR, "api-error" },
};

CASE("names");

TEST(every_kind_has_the_name_of_the_contract)
{
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        ck_assert_str_eq(weir_finding_kind_name(kinds[i].kind), kinds[i].name);
    }
    size_t n_kinds = 0;
#define X(name, text) n_kinds++;
    WEIR_FINDING_KINDS(X)
#undef X
    ck_assert_uint_eq(n_kinds, G_N_ELEMENTS(kinds));
}

TEST(states_and_accesses_have_the_names_of_the_contract)
{
    ck_assert_ptr_null(weir_state_name(WEIR_STATE_NONE));
    ck_assert_str_eq(weir_state_name(WEIR_STATE_RUNNING), "running");
    ck_assert_str_eq(weir_state_name(WEIR_STATE_WAITING), "waiting");
    ck_assert_str_eq(weir_state_name(WEIR_STATE_SPINNING), "spinning");
    ck_assert_str_eq(weir_state_name(WEIR_STATE_RETURNED), "returned");
    ck_assert_str_eq(weir_state_name(WEIR_STATE_NOT_STARTED), "not started");
    ck_assert_str_eq(weir_state_name(WEIR_STATE_MASKED), "masked");
    ck_assert_ptr_null(weir_access_name(WEIR_ACCESS_NONE));
    ck_assert_str_eq(weir_access_name(WEIR_ACCESS_READ), "read");
    ck_assert_str_eq(weir_access_name(WEIR_ACCESS_WRITE), "write");
    ck_assert_str_eq(weir_access_name(WEIR_ACCESS_READ_WRITE), "read-write");
    ck_assert_str_eq(weir_access_name(WEIR_ACCESS_ATOMIC_FETCH_NAND),
                     "atomic fetch_nand");
}

TEST(numbers_that_are_no_constants_have_no_name)
{
    ck_assert_str_eq(
        weir_finding_kind_name((enum weir_finding_kind)G_N_ELEMENTS(kinds)), "?");
    ck_assert_str_eq(weir_state_name((enum weir_state)(WEIR_STATE_HOST + 1)), "?");
    ck_assert_str_eq(
        weir_access_name((enum weir_access)(WEIR_ACCESS_ATOMIC_FETCH_NAND + 1)), "?");
}

/* The names of the host's header and of the kernels' are kept apart. */
TEST(an_atomic_access_has_the_name_of_its_operation)
{
    static const char *const operations[] = {
#define X(name, text) text,
        WEIRI_ATOMICS(X)
#undef X
    };
    for (int kind = WEIRI_ATOMIC_LOAD; kind <= WEIRI_ATOMIC_FETCH_NAND; kind++) {
        struct weir_party party = { .access = WEIR_ACCESS_NONE };
        weiri_party_set_atomic(&party, (enum weiri_atomic)kind, memory_order_acq_rel,
                               memory_scope_device);
        g_autofree char *expected = g_strconcat("atomic ", operations[kind], NULL);
        ck_assert_str_eq(weir_access_name(party.access), expected);
    }
}

typedef struct {
    int32_t *out;
    size_t parameter;
} finding_args;

static _Atomic uint32_t line_a, line_b;

/* ---- Assertions ---------------------------------------------------------- */

CASE("assertions");

/* False in the item whose linear id is the parameter. */
WEIR_KERNEL(assert_not, finding_args)
{
    size_t i = weir_global_linear_id(item);
    args->out[i] = 1;
    MARK(line_a, weir_assert(item, i != args->parameter));
    args->out[i] = 2;
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = 3;
}

WORKERS_TEST(a_false_assertion_ends_its_group_and_names_its_item)
{
    enum { LOCAL = 8, N = 5 * LOCAL, WRONG = 2 * LOCAL + 5 };
    int32_t *out = weir_new(device, int32_t, N, "out");
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_ASSERTION, device, &assert_not, weir_nd_range_1d(N, LOCAL),
        (&(finding_args){ out, WRONG }), WITH_WORKERS(workers));
    expect_contains(finding->message, "i != args->parameter");
    ck_assert_uint_eq(finding->count, 1);
    const struct weir_party *party = &finding->parties[0];
    ck_assert_str_eq(party->items, "5");
    EXPECT_COORDINATES(party->item, 5, 0, 0);
    EXPECT_COORDINATES(party->group, 2, 0, 0);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line_of(&line_a));
    EXPECT_ELEMENT(out, WRONG, 1); /* it went no further */
    for (size_t i = 0; i < N; i++) {
        if (i / LOCAL == 2) {
            EXPECT(out[i] < 3, "item %zu passed the barrier of a group that ended", i);
        } else {
            EXPECT_ELEMENT(out, i, 3);
        }
    }
}

DEVICE_TEST(a_true_assertion_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 40, "out");
    LAUNCH_SILENT(device, &assert_not, weir_nd_range_1d(40, 8),
                  (&(finding_args){ out, SIZE_MAX }), NULL);
    EXPECT_ELEMENTS(out, i, 40, 3);
}

WEIR_GROUP_KERNEL(assert_in_a_loop, finding_args)
{
    weir_for_each_item(item, group) {
        weir_assert(item, weir_global_linear_id(item) != args->parameter);
        args->out[weir_global_linear_id(item)] = 1;
    }
}

DEVICE_TEST(an_assertion_in_a_loop_names_its_item)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    /* Groups of 2 x 3 in 4 x 6: global (3,4) is linear 22, group (1,1), item (1,1). */
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_ASSERTION, device, &assert_in_a_loop, weir_nd_range_2d(4, 6, 2, 3),
        (&(finding_args){ out, 22 }), NULL);
    ck_assert_str_eq(finding->parties[0].items, "4");
    EXPECT_COORDINATES(finding->parties[0].item, 1, 1, 0);
    EXPECT_COORDINATES(finding->parties[0].group, 1, 1, 0);
    EXPECT_ELEMENT(out, 22, 0);
    EXPECT_ELEMENT(out, 21, 1);
}

/* In an item that is a coroutine, with others waiting: their stacks return. */
WEIR_KERNEL(assert_after_a_barrier, finding_args)
{
    weir_barrier(item, WEIR_LOCAL);
    weir_assert(item, weir_local_id(item, 0) != args->parameter);
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(assertions_after_a_barrier_may_fail_again_and_again)
{
    enum { LOCAL = 64, N = LOCAL * 50 };
    int32_t *out = weir_new(device, int32_t, N, "out");
    for (size_t round = 0; round < scaled(60, 3); round++) {
        const struct weir_launch_options *options = WITH_WORKERS(1 + round % 3);
        struct weir_report *report
            = LAUNCH(device, &assert_after_a_barrier, weir_nd_range_1d(N, LOCAL),
                     (&(finding_args){ out, round }), options);
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_ASSERTION, "assert_after_a_barrier");
        ck_assert_uint_eq(finding->count, 50);
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        EXPECT_COORDINATES(finding->parties[0].item, round, 0, 0);
        weir_report_free(report);
        LAUNCH_SILENT(device, &assert_after_a_barrier, weir_nd_range_1d(N, LOCAL),
                      (&(finding_args){ out, SIZE_MAX }), options);
    }
}

/* ---- Reports ------------------------------------------------------------- */

CASE("reports");

/* Four groups, four kinds of mistake; the groups beyond are right. */
WEIR_KERNEL(many_mistakes, finding_args)
{
    size_t group = weir_group_id(item, 0) % args->parameter;
    size_t lid = weir_local_id(item, 0);
    if (group == 0 && lid < 3) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    if (group == 1) {
        MARK(line_b, weir_assert(item, lid != 2));
    }
    if (group == 2 && lid % 2 == 0) {
        int32_t *array = weir_local_array(item, int32_t, 8);
        array[lid] = 1;
    }
    if (group == 3) {
        int32_t *array = weir_local_array(item, int32_t, 1000000);
        array[lid] = 1;
    }
    weir_barrier(item, WEIR_GLOBAL);
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(findings_are_joined_and_ordered_by_group)
{
    enum { LOCAL = 8, GROUPS = 120, N = LOCAL * GROUPS };
    int32_t *out = weir_new(device, int32_t, N, "out");
    g_autofree char *expected = NULL;
    for (size_t round = 0; round < scaled(30, 3); round++) {
        memset(out, 0, N * sizeof(*out));
        struct weir_report *report
            = LAUNCH(device, &many_mistakes, weir_nd_range_1d(N, LOCAL),
                     (&(finding_args){ out, 6 }), WITH_WORKERS(1 + round % 6));
        ck_assert_uint_eq(weir_report_n_findings(report), 4);
        size_t n_of_kind[G_N_ELEMENTS(kinds)] = { 0 };
        for (size_t i = 0; i < 4; i++) {
            const struct weir_finding *finding = weir_report_finding(report, i);
            n_of_kind[finding->kind]++;
            ck_assert_uint_eq(finding->count, GROUPS / 6);
            /* of the first group where it happened */
            ck_assert_uint_lt(finding->parties[0].group[0], 4);
        }
        ck_assert_uint_eq(n_of_kind[WEIR_FINDING_BARRIER_DIVERGENCE], 1);
        ck_assert_uint_eq(n_of_kind[WEIR_FINDING_ASSERTION], 1);
        ck_assert_uint_eq(n_of_kind[WEIR_FINDING_LOCAL_MEMORY], 2);
        char *text = weir_report_to_text(report);
        if (expected == NULL) {
            expected = g_strdup(text);
        }
        ck_assert_str_eq(text, expected);
        g_free(text);
        weir_report_free(report);
        for (size_t i = 0; i < N; i++) {
            if (i / LOCAL % 6 >= 4 || i / LOCAL % 6 == 2) {
                EXPECT_ELEMENT(out, i, 1);
            }
        }
    }
}

DEVICE_TEST(the_text_names_kernel_places_and_count)
{
    int32_t *out = weir_new(device, int32_t, 48, "out");
    g_autoptr(weir_report) report
        = LAUNCH(device, &many_mistakes, weir_nd_range_1d(48, 8),
                 (&(finding_args){ out, 3 }), WITH_WORKERS(1));
    char *text = weir_report_to_text(report), place[256];
    ck_assert_uint_eq(weir_report_n_findings(report), 3);
    ck_assert_uint_eq(text[strlen(text) - 1], '\n');
    expect_contains(text, "kernel 'many_mistakes'");
    snprintf(place, sizeof(place), "%s:%u", __FILE__, line_of(&line_a));
    expect_contains(text, place);
    snprintf(place, sizeof(place), "%s:%u", __FILE__, line_of(&line_b));
    expect_contains(text, place);
    expect_contains(text, "0-2");
    expect_contains(text, "waiting");
    expect_contains(text, "lid != 2");
    for (size_t i = 0; i < 3; i++) { /* each message is there, whole */
        expect_contains(text, weir_report_finding(report, i)->message);
        ck_assert_uint_eq(weir_report_finding(report, i)->count, 2);
    }
    expect_contains(text, "2");
    g_free(text);
}

DEVICE_TEST(a_report_without_findings_is_empty)
{
    int32_t *out = weir_new(device, int32_t, 8, "out");
    g_autoptr(weir_report) report = LAUNCH(device, &assert_not, weir_nd_range_1d(8, 8),
                                           (&(finding_args){ out, SIZE_MAX }), NULL);
    ck_assert_uint_eq(weir_report_n_findings(report), 0);
    g_autofree char *text = weir_report_to_text(report);
    ck_assert_str_eq(text, "");
    weir_report_free(NULL); /* allowed */
}

/* A report is a value: it outlives the device and later launches. */
TEST(a_report_outlives_its_device)
{
    struct weir_device *device = device_open("default");
    int32_t *out = weir_new(device, int32_t, 16, "out");
    g_autoptr(weir_report) report = LAUNCH(device, &assert_not, weir_nd_range_1d(16, 8),
                                           (&(finding_args){ out, 9 }), NULL);
    g_autofree char *before = weir_report_to_text(report);
    for (size_t i = 0; i < 5; i++) {
        g_autoptr(weir_report) another
            = LAUNCH(device, &assert_not, weir_nd_range_1d(16, 8),
                     (&(finding_args){ out, i }), NULL);
        ck_assert_uint_eq(weir_report_n_findings(another), 1);
    }
    weir_device_free(device);
    g_autofree char *after = weir_report_to_text(report);
    ck_assert_str_eq(after, before);
    ck_assert_str_eq(weir_report_finding(report, 0)->parties[0].items, "1");
}

MAIN("finding")
