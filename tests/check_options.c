/* SPDX-License-Identifier: MIT
 *
 * check_options.c: what the options of a launch make of a divergence. A barrier may be
 * complete with the living, and calls may pair by count, as on some hardware: results
 * are then right, and a note states that they would not be elsewhere. A group that
 * diverged may be let go on: the finding stays. */
#include "schedules.h"

typedef struct {
    int32_t *out;
    size_t parameter;
} out_args;

static _Atomic uint32_t line_a, line_b;

enum { GROUPS = 3, MOST = GROUPS * 64 };
static const size_t sizes[] = { 2, 3, 8, 33, 64 };

static out_args out_args_new(struct weir_device *device, size_t parameter)
{
    out_args args = { weir_new(device, int32_t, MOST, "out"), parameter };
    memset(args.out, 0xff, MOST * sizeof(*args.out));
    return args;
}

/* The one finding, which is a note: in the text, but no defect. */
static const struct weir_finding *only_note(const struct weir_report *report,
                                            const struct weir_kernel *kernel)
{
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, kernel->name);
    ck_assert_msg(finding->note, "'%s' draws a finding that is no note", kernel->name);
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
    ck_assert_ptr_null(weir_report_incomplete(report));
    g_autofree char *text = weir_report_to_text(report);
    expect_contains(text, kernel->name);
    expect_contains(text, "note");
    return finding;
}

/* ---- Exited: the living suffice ------------------------------------------ */

CASE("exited");

/* Items from the parameter on return; the others hand values round twice. */
WEIR_KERNEL(the_living_go_on, out_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    size_t living = args->parameter < local ? args->parameter : local;
    int32_t *scratch = weir_local_array(item, int32_t, local);
    if (lid >= living) {
        return;
    }
    scratch[lid] = (int32_t)lid;
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    int32_t next = scratch[(lid + 1) % living];
    weir_barrier(item, WEIR_LOCAL);
    scratch[lid] = next;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % living];
}

DEVICE_TEST_EACH(a_barrier_may_be_complete_with_the_living, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
        size_t local = sizes[s], living = local - 1;
        struct weir_nd_range range = weir_nd_range_1d(GROUPS * local, local);
        out_args args = out_args_new(device, living);
        struct weir_report *report
            = LAUNCH(device, &the_living_go_on, range, &args,
                     UNDER(order, .exited = WEIR_EXITED_ALIVE_ONLY));
        /* One for each barrier, of the first group. */
        ck_assert_uint_eq(weir_report_n_findings(report), 3);
        ck_assert_uint_eq(weir_report_n_defects(report), 0);
        for (size_t i = 0; i < 3; i++) {
            const struct weir_finding *note = weir_report_finding(report, i);
            ck_assert(note->note);
            ck_assert_int_eq((int)note->kind, WEIR_FINDING_BARRIER_DIVERGENCE);
            ck_assert_str_eq(note->form, "exited item");
            ck_assert_uint_eq(note->count, GROUPS);
            expect_contains(note->message, "the_living_go_on");
            expect_contains(note->message, "portable");
            EXPECT_COORDINATES(note->parties[0].group, 0, 0, 0);
        }
        weir_report_free(report);
        for (size_t i = 0; i < GROUPS * local; i++) {
            size_t lid = i % local;
            EXPECT_ELEMENT(args.out, i, lid < living ? (int)((lid + 2) % living) : -1);
        }

        /* Strict, which is the default, it is a defect. */
        report = LAUNCH(device, &the_living_go_on, range, &args, UNDER(order));
        ck_assert_uint_eq(weir_report_n_defects(report), 1);
        ck_assert(!weir_report_finding(report, 0)->note);
        weir_report_free(report);

        /* Where no item exits there is nothing to note. */
        args.parameter = local;
        expect_quiet(LAUNCH(device, &the_living_go_on, range, &args,
                            UNDER(order, .exited = WEIR_EXITED_ALIVE_ONLY)),
                     &the_living_go_on, order, local);
        weir_free(device, args.out);
    }
}

/* The exit is what completes the barrier: the others are there already, or not yet. */
WEIR_KERNEL(exit_last, out_args)
{
    size_t lid = weir_local_id(item, 0);
    if (lid == args->parameter) {
        uint32_t *turns = (uint32_t *)&args->out[MOST - 1];
        for (int i = 0; i < 5; i++) {
            ADD_RELAXED(turns, 1u);
        }
        return;
    }
    MARK(line_a, weir_barrier(item, WEIR_GLOBAL));
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST_EACH(an_exit_may_be_what_completes_a_barrier, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t gone = 0; gone < 4; gone++) {
        out_args args = out_args_new(device, gone);
        struct weir_report *report
            = LAUNCH(device, &exit_last, weir_nd_range_1d(4, 4), &args,
                     UNDER(order, .exited = WEIR_EXITED_ALIVE_ONLY));
        only_note(report, &exit_last);
        weir_report_free(report);
        EXPECT_ELEMENTS(args.out, i, 4, i == gone ? -1 : 1);
        weir_free(device, args.out);
    }
}

/* Items still living at two different barriers do not concern exits. */
WEIR_KERNEL(both_arms, out_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)lid;
    if (lid < args->parameter) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % local];
}

/* The launch of both_arms, whose barriers are a defect. */
static struct weir_report *diverge_at_two_barriers(
    struct weir_device *device, const out_args *args, size_t n,
    const struct weir_launch_options *options)
{
    struct weir_report *report
        = LAUNCH(device, &both_arms, weir_nd_range_1d(n, 8), args, options);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "both_arms");
    ck_assert(!finding->note);
    ck_assert_str_eq(finding->form, "different barrier");
    return report;
}

DEVICE_TEST_EACH(two_barriers_stay_a_defect_where_the_living_suffice, N_ORDERS)
{
    const struct order *order = &orders[_i];
    out_args args = out_args_new(device, 3);
    g_autoptr(weir_report) report = diverge_at_two_barriers(
        device, &args, 8, UNDER(order, .exited = WEIR_EXITED_ALIVE_ONLY));
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
}

/* ---- Pairing: any call will do ------------------------------------------- */

CASE("pairing");

DEVICE_TEST_EACH(barriers_in_two_arms_may_pair_by_count, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
        size_t local = sizes[s];
        struct weir_nd_range range = weir_nd_range_1d(GROUPS * local, local);
        out_args args = out_args_new(device, 1);
        struct weir_report *report
            = LAUNCH(device, &both_arms, range, &args,
                     UNDER(order, .pairing = WEIR_PAIRING_COUNT));
        const struct weir_finding *note = only_note(report, &both_arms);
        char *others = local == 2 ? g_strdup("1") : g_strdup_printf("1-%zu", local - 1);
        ck_assert_uint_eq(party_of(note, "0")->line, line_of(&line_a));
        ck_assert_uint_eq(party_of(note, others)->line, line_of(&line_b));
        g_free(others);
        weir_report_free(report);
        EXPECT_ELEMENTS(args.out, i, GROUPS * local, (i % local + 1) % local);

        args.parameter = 0; /* one arm for all */
        expect_quiet(LAUNCH(device, &both_arms, range, &args,
                            UNDER(order, .pairing = WEIR_PAIRING_COUNT)),
                     &both_arms, order, local);
        weir_free(device, args.out);
    }
}

/* The counts differ: then counting does not help. */
WEIR_KERNEL(one_barrier_or_two, out_args)
{
    if (weir_local_id(item, 0) < args->parameter) {
        weir_barrier(item, WEIR_LOCAL);
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST_EACH(counts_that_differ_stay_a_defect_where_calls_pair_by_count, N_ORDERS)
{
    const struct order *order = &orders[_i];
    out_args args = out_args_new(device, 3);
    g_autoptr(weir_report) report
        = LAUNCH(device, &one_barrier_or_two, weir_nd_range_1d(8, 8), &args,
                 UNDER(order, .pairing = WEIR_PAIRING_COUNT));
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
}

/* ---- After: the group goes on -------------------------------------------- */

CASE("after");

WEIR_KERNEL(guarded, out_args)
{
    if (weir_local_id(item, 0) < args->parameter) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* Each item waits once more than the one before it. */
WEIR_KERNEL(more_and_more, out_args)
{
    for (size_t turn = 0; turn <= weir_local_id(item, 0); turn++) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

static const struct weir_kernel *const divergent[]
    = { &guarded, &more_and_more, &one_barrier_or_two };

DEVICE_TEST_EACH(a_group_that_diverged_may_go_on_to_its_end, N_ORDERS)
{
    const struct order *order = &orders[_i];
    for (size_t k = 0; k < G_N_ELEMENTS(divergent); k++) {
        for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
            size_t local = sizes[s], n = GROUPS * local;
            out_args args = out_args_new(device, 1);
            struct weir_report *report
                = LAUNCH(device, divergent[k], weir_nd_range_1d(n, local), &args,
                         UNDER(order, .after = WEIR_AFTER_RELEASE));
            ck_assert_uint_ge(weir_report_n_defects(report), 1);
            ck_assert_str_eq(
                weir_finding_kind_name(weir_report_finding(report, 0)->kind),
                "barrier-divergence");
            ck_assert_ptr_null(weir_report_incomplete(report));
            weir_report_free(report);
            for (size_t i = 0; i < n; i++) { /* every item reached the end */
                EXPECT_ELEMENT(args.out, i, 1);
            }
            weir_free(device, args.out);
        }
    }
}

DEVICE_TEST_EACH(barriers_in_two_arms_are_found_and_let_go, N_ORDERS)
{
    const struct order *order = &orders[_i];
    out_args args = out_args_new(device, 3);
    struct weir_report *report = diverge_at_two_barriers(
        device, &args, 24, UNDER(order, .after = WEIR_AFTER_RELEASE));
    const struct weir_finding *finding = weir_report_finding(report, 0);
    ck_assert_uint_eq(finding->count, 3);
    ck_assert_uint_eq(party_of(finding, "0-2")->line, line_of(&line_a));
    ck_assert_uint_eq(party_of(finding, "3-7")->line, line_of(&line_b));
    weir_report_free(report);
    EXPECT_ELEMENTS(args.out, i, 24, (i % 8 + 1) % 8);

    memset(args.out, 0xff, 24 * sizeof(*args.out)); /* by default the group ends */
    report = LAUNCH(device, &both_arms, weir_nd_range_1d(24, 8), &args, UNDER(order));
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
    weir_report_free(report);
    EXPECT_ELEMENTS(args.out, i, 24, -1);
}

/* ---- Options that are not options ----------------------------------------- */

CASE("refused");

DEVICE_TEST(an_option_that_does_not_exist_is_refused)
{
    static const struct order in_order = { "in-order", 0 };
    out_args args = out_args_new(device, 0);
    struct weir_nd_range range = weir_nd_range_1d(8, 8);
    EXPECT_REFUSED(device, &guarded, range, &args,
                   UNDER(&in_order, .exited = (enum weir_exited)7), WEIR_ERROR_ARGUMENT,
                   "exited");
    EXPECT_REFUSED(device, &guarded, range, &args,
                   UNDER(&in_order, .pairing = (enum weir_pairing)7),
                   WEIR_ERROR_ARGUMENT, "pairing");
    EXPECT_REFUSED(device, &guarded, range, &args,
                   UNDER(&in_order, .after = (enum weir_after)7), WEIR_ERROR_ARGUMENT,
                   "after");
}

MAIN("options")
