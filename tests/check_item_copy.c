/* SPDX-License-Identifier: MIT
 *
 * check_item_copy.c: copies that one item asks for: batches, copies that a barrier in
 * local memory learns of, what the bytes hold when, and uses that come too early. */
#include "schedules.h"

enum { ITEMS = 12, ROUNDS = 5 };

#define RANGE(n) weir_nd_range_1d((n), (n))
#define ALL UINT32_MAX

enum how {
    RIGHT,
    NO_WAIT,      /* a barrier alone */
    ONE_FEWER,    /* the wait leaves one batch too many */
    NO_BARRIER,   /* others need one besides */
    NO_WAIT_SELF, /* an item reads its own copy */
    WRITES_SOURCE,
    OUTSIDE, /* of the source */
};

typedef struct {
    int32_t *in; /* ROUNDS * ITEMS */
    int32_t *out;
    enum how how;
} copy_args;

_Atomic uint32_t line_ask, line_use, line_write;

#define BYTES sizeof(int32_t)
#define ASK(to, from)                                                                  \
    MARK(line_ask, weiri_item_copy_begin(&(to), &(from), BYTES, BYTES, WEIRI_SITE()))

/* Two stages: a copy is under way while the one before is used. */
WEIR_KERNEL(stages, copy_args)
{
    int32_t *shared = weir_local_array(item, int32_t, 2 * ITEMS);
    size_t i = weir_local_id(item, 0);
    enum how how = args->how;
    size_t other = how == NO_WAIT_SELF ? i : (i + 5) % ITEMS;
    int32_t sum = 0;
    ASK(shared[i], args->in[i]);
    weiri_item_copy_commit(WEIRI_SITE());
    for (size_t round = 0; round < ROUNDS; round++) {
        if (round + 1 < ROUNDS) {
            size_t next = (round + 1) * ITEMS + i;
            ASK(shared[next % (2 * ITEMS)], args->in[next]);
        }
        weiri_item_copy_commit(WEIRI_SITE());
        if (how == WRITES_SOURCE && round == 1 && i == 2) {
            MARK(line_write, args->in[2 * ITEMS + 2] = 7);
        }
        if (how != NO_WAIT && how != NO_WAIT_SELF) {
            weiri_item_copy_wait(how == ONE_FEWER ? 2 : 1, WEIRI_SITE());
        }
        if (how != NO_BARRIER) {
            weir_barrier(item, WEIR_LOCAL);
        }
        MARK(line_use, sum += shared[round % 2 * ITEMS + other]);
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[i] = sum;
}

static copy_args args_new(struct weir_device *device, enum how how)
{
    copy_args args = { weir_new(device, int32_t, ROUNDS * ITEMS, "in"),
                       weir_new(device, int32_t, ITEMS, "out"), how };
    for (int32_t i = 0; i < ROUNDS * ITEMS; i++) {
        args.in[i] = 1 << i % 20;
    }
    return args;
}

static void expect_sums(const copy_args *args)
{
    for (size_t i = 0; i < ITEMS; i++) {
        int32_t sum = 0;
        for (size_t round = 0; round < ROUNDS; round++) {
            sum += args->in[round * ITEMS + (i + 5) % ITEMS];
        }
        EXPECT_ELEMENT(args->out, i, sum);
    }
}

WORKERS_TEST(a_copy_has_happened_after_its_wait)
{
    copy_args args = args_new(device, RIGHT);
    LAUNCH_SILENT(device, &stages, RANGE(ITEMS), &args, WITH_WORKERS(workers));
    expect_sums(&args);
}

DEVICE_TEST(it_draws_nothing_under_any_schedule)
{
    copy_args args = args_new(device, RIGHT);
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, &stages, RANGE(ITEMS), &args,
                            UNDER(&orders[o], .check = true)),
                     &stages, &orders[o], ITEMS);
        expect_sums(&args);
    }
}

static const struct {
    enum how how;
    _Atomic uint32_t *line;
    bool of_copy; /* the reason is the copy, and not a barrier */
} wrongs[] = {
    { NO_WAIT, &line_use, true },         { ONE_FEWER, &line_use, true },
    { NO_BARRIER, &line_use, false },     { NO_WAIT_SELF, &line_use, true },
    { WRITES_SOURCE, &line_write, true },
};

/* Each run has a race with that line, for that reason. Other findings are races, too,
 * as copies that are not waited for race with each other, and reads of bytes that have
 * not been written. */
static void expect_race(const struct weir_report *report, int i)
{
    bool found = false;
    for (size_t k = 0; k < weir_report_n_findings(report); k++) {
        const struct weir_finding *finding = weir_report_finding(report, k);
        if (finding->kind == WEIR_FINDING_UNINITIALIZED_READ) {
            continue;
        }
        ck_assert_msg(finding->kind == WEIR_FINDING_DATA_RACE, "%s", finding->message);
        uint32_t lines[2] = { finding->parties[0].line, finding->parties[1].line };
        uint32_t line = line_of(wrongs[i].line);
        found |= (lines[0] == line || lines[1] == line)
            && (strstr(finding->why, "at any moment") != NULL) == wrongs[i].of_copy;
    }
    g_autofree char *text = weir_report_to_text(report);
    ck_assert_msg(found, "no race with line %u in:\n%s", line_of(wrongs[i].line), text);
}

DEVICE_TEST_EACH(a_use_that_comes_too_early_is_a_race, G_N_ELEMENTS(wrongs))
{
    copy_args args = args_new(device, wrongs[_i].how);
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_report) report = LAUNCH(device, &stages, RANGE(ITEMS), &args,
                                               UNDER(&orders[o], .check = true));
        expect_race(report, _i);
    }
}

/* @how: OUTSIDE or RIGHT. An item fills with zeros, and one asks beyond an array. */
WEIR_KERNEL(edges, copy_args)
{
    int32_t *shared = weir_local_array(item, int32_t, 4);
    const int32_t *from = args->in + ROUNDS * ITEMS - (args->how == OUTSIDE ? 1 : 2);
    if (weir_local_id(item, 0) == 0) {
        MARK(line_ask, weiri_item_copy_begin(shared, from, 16, 8, WEIRI_SITE()));
        weiri_item_copy_wait(ALL, WEIRI_SITE());
        for (size_t k = 0; k < 4; k++) {
            args->out[k] = shared[k];
        }
    }
}

DEVICE_TEST(bytes_beyond_the_source_are_zeros_or_out_of_bounds)
{
    copy_args args = args_new(device, RIGHT);
    expect_quiet(
        LAUNCH(device, &edges, RANGE(2), &args, UNDER(&orders[0], .check = true)),
        &edges, &orders[0], 2);
    const int32_t expected[] = { 1 << 18, 1 << 19, 0, 0 };
    EXPECT_ELEMENTS(args.out, i, 4, expected[i]);
    args.how = OUTSIDE;
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_OUT_OF_BOUNDS, device, &edges, RANGE(2), &args,
                         UNDER(&orders[0], .check = true));
    ck_assert_uint_eq(finding->parties[0].line, line_of(&line_ask));
}

/* ---- Copies that a barrier learns of --------------------------------------------- */

CASE("barriers");

/* Item 0 copies for all; the others test the barrier. @how: NO_WAIT: they do not */
WEIR_KERNEL(bulk, copy_args)
{
    int32_t *shared = weir_local_array(item, int32_t, 2 * ITEMS);
    uint64_t *bar = weir_local_array(item, uint64_t, 1);
    size_t i = weir_local_id(item, 0);
    enum how how = args->how;
    int32_t sum = 0;
    if (i == 0) {
        weiri_mbarrier_init(bar, ITEMS, WEIRI_SITE());
    }
    weir_barrier(item, WEIR_LOCAL);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        int32_t *now = shared + round % 2 * ITEMS;
        uint32_t bytes = i == 0 ? ITEMS * sizeof(int32_t) : 0;
        if (i == 0) {
            weiri_bulk_copy_begin(now, args->in + round * ITEMS, bytes, bar,
                                  WEIRI_SITE());
            weiri_item_copy_wait(ALL, WEIRI_SITE()); /* not for this one */
        }
        (void)weiri_mbarrier_arrive(bar, 1, bytes, 0, WEIRI_SITE());
        if (how == WRITES_SOURCE && round == 1 && i == 2) {
            MARK(line_write, args->in[1 * ITEMS + 2] = 7);
        }
        if (how == NO_WAIT) {
            weir_barrier(item, WEIR_LOCAL);
        } else {
            while (!weiri_mbarrier_test(bar, round % 2, WEIRI_MBARRIER_PARITY,
                                        WEIRI_SITE())) {}
        }
        MARK(line_use, sum += now[(i + 5) % ITEMS]);
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[i] = sum;
}

/* Each item copies its own part, and the barrier counts that as its arrival. @how:
 * NO_WAIT: one that it makes itself instead */
WEIR_KERNEL(counted, copy_args)
{
    int32_t *shared = weir_local_array(item, int32_t, 2 * ITEMS);
    uint64_t *bar = weir_local_array(item, uint64_t, 1);
    size_t i = weir_local_id(item, 0);
    enum how how = args->how;
    int32_t sum = 0;
    if (i == 0) {
        weiri_mbarrier_init(bar, ITEMS, WEIRI_SITE());
    }
    weir_barrier(item, WEIR_LOCAL);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        int32_t *now = shared + round % 2 * ITEMS;
        ASK(now[i], args->in[round * ITEMS + i]);
        if (how == NO_WAIT) {
            (void)weiri_mbarrier_arrive(bar, 1, 0, 0, WEIRI_SITE());
        } else if (i % 2 == 0) {
            weiri_item_copy_arrive(bar, 1, WEIRI_SITE());
        } else {
            weiri_item_copy_arrive(bar, 0, WEIRI_SITE());
            (void)weiri_mbarrier_arrive(bar, 1, 0, 0, WEIRI_SITE());
        }
        if (how == WRITES_SOURCE && round == 1 && i == 2) {
            MARK(line_write, args->in[1 * ITEMS + 3] = 7);
        }
        while (!weiri_mbarrier_test(bar, round % 2, WEIRI_MBARRIER_PARITY,
                                    WEIRI_SITE())) {}
        MARK(line_use, sum += now[(i + 5) % ITEMS]);
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[i] = sum;
}

static const struct weir_kernel *const learning[] = { &bulk, &counted };

WORKERS_TEST_EACH(a_phase_waits_for_copies, G_N_ELEMENTS(learning))
{
    copy_args args = args_new(device, RIGHT);
    LAUNCH_SILENT(device, learning[_i], RANGE(ITEMS), &args, WITH_WORKERS(workers));
    expect_sums(&args);
}

DEVICE_TEST_EACH(it_orders_them_under_every_schedule, G_N_ELEMENTS(learning))
{
    copy_args args = args_new(device, RIGHT);
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, learning[_i], RANGE(ITEMS), &args,
                            UNDER(&orders[o], .check = true)),
                     learning[_i], &orders[o], ITEMS);
        expect_sums(&args);
    }
}

DEVICE_TEST_EACH(without_a_test_or_an_arrival_they_race, G_N_ELEMENTS(learning))
{
    copy_args args = args_new(device, NO_WAIT);
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_report) report = LAUNCH(device, learning[_i], RANGE(ITEMS),
                                               &args, UNDER(&orders[o], .check = true));
        expect_race(report, 0);
    }
}

DEVICE_TEST_EACH(the_source_is_read_until_then, G_N_ELEMENTS(learning))
{
    copy_args args = args_new(device, WRITES_SOURCE);
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_report) report = LAUNCH(device, learning[_i], RANGE(ITEMS),
                                               &args, UNDER(&orders[o], .check = true));
        ck_assert_uint_eq(weir_report_n_findings(report), 1);
        const struct weir_finding *finding = weir_report_finding(report, 0);
        ck_assert_int_eq(finding->kind, WEIR_FINDING_DATA_RACE);
        ck_assert_str_eq(finding->object, "in");
    }
}

MAIN("item-copy")
