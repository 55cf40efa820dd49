/* SPDX-License-Identifier: MIT
 *
 * check_named.c: named barriers: sub-groups that wait for each other and such that only
 * arrive, the order that they make, and barriers that are never complete. */
#include "schedules.h"

enum { SIZE = 32, ROUNDS = 5 };

#define RANGE(n) weir_nd_range_1d((n), (n))
#define LANES_OF_32 .sub_group_size = SIZE

enum how {
    RIGHT,
    NO_ANSWER, /* the consumer does not say that it has read */
    ONE_TOO_MANY,
    HALF,        /* of the consumer's lanes do not come */
    OTHER_COUNT, /* the two state different numbers */
    ODD_COUNT,
    HIGH_ID,
    NO_COUNT, /* of an arrival */
    MORE_THAN_THERE_ARE,
};

typedef struct {
    int32_t *out;
    enum how how;
} pipe_args;

_Atomic uint32_t line_fill, line_take, line_wait, line_arrive;

/* Sub-group 0 produces, sub-group 1 consumes, sub-group 2 does nothing. Barrier 1 says
 * that there is something, barrier 2 that it has been taken. */
WEIR_KERNEL(pipe_line, pipe_args)
{
    int32_t *shared = weir_local_array(item, int32_t, SIZE);
    size_t i = weir_local_id(item, 0), lane = i % SIZE;
    enum how how = args->how;
    uint32_t n = how == ONE_TOO_MANY   ? 3 * SIZE
        : how == ODD_COUNT             ? 2 * SIZE + 8
        : how == NO_COUNT              ? 0
        : how == MORE_THAN_THERE_ARE   ? 4 * SIZE
        : how == OTHER_COUNT && i < 32 ? 3 * SIZE
                                       : 2 * SIZE;
    uint32_t full = how == HIGH_ID ? 16 : 1;
    int32_t sum = 0;
    if (i < SIZE) {
        for (int32_t round = 0; round < ROUNDS; round++) {
            if (round > 0 && how != NO_ANSWER) {
                weiri_named_sync(2, n, WEIRI_SITE());
            }
            MARK(line_fill, shared[lane] = (int32_t)lane * 10 + round);
            MARK(line_arrive, weiri_named_arrive(full, n, WEIRI_SITE()));
        }
    } else if (i < 2 * SIZE && (how != HALF || lane % 2 == 0)) {
        for (int32_t round = 0; round < ROUNDS; round++) {
            MARK(line_wait, weiri_named_sync(full, n, WEIRI_SITE()));
            MARK(line_take, sum += shared[SIZE - 1 - lane]);
            if (round < ROUNDS - 1 && how != NO_ANSWER) {
                weiri_named_arrive(2, n, WEIRI_SITE());
            }
        }
        args->out[lane] = sum;
    }
}

static void expect_sums(const int32_t *out)
{
    EXPECT_ELEMENTS(out, i, SIZE,
                    (SIZE - 1 - (int)i) * 10 * ROUNDS + ROUNDS * (ROUNDS - 1) / 2);
}

WORKERS_TEST(a_producer_and_a_consumer_take_turns)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    LAUNCH_SILENT(
        device, &pipe_line, RANGE(3 * SIZE), (&(pipe_args){ out, RIGHT }),
        (&(struct weir_launch_options){ .workers = (uint32_t)workers, LANES_OF_32 }));
    expect_sums(out);
}

DEVICE_TEST(they_are_in_order_under_every_schedule)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_quiet(LAUNCH(device, &pipe_line, RANGE(3 * SIZE),
                            (&(pipe_args){ out, RIGHT }),
                            UNDER(&orders[o], LANES_OF_32, .check = true)),
                     &pipe_line, &orders[o], 3 * SIZE);
        expect_sums(out);
    }
}

/* Two arrivals of the producer complete a phase. Then the consumer reads what is
 * overwritten, or waits in vain for what it has missed. */
DEVICE_TEST(an_arrival_does_not_wait_for_the_reader)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    unsigned n_races = 0;
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_report) report = LAUNCH(
            device, &pipe_line, RANGE(3 * SIZE), (&(pipe_args){ out, NO_ANSWER }),
            UNDER(&orders[o], LANES_OF_32, .check = true));
        ck_assert_uint_ge(weir_report_n_findings(report), 1);
        for (size_t i = 0; i < weir_report_n_findings(report); i++) {
            const struct weir_finding *finding = weir_report_finding(report, i);
            if (finding->kind != WEIR_FINDING_DATA_RACE) {
                ck_assert_int_eq(finding->kind, WEIR_FINDING_DEADLOCK);
                continue;
            }
            uint32_t lines[2] = { finding->parties[0].line, finding->parties[1].line };
            ck_assert_uint_eq(MIN(lines[0], lines[1]), line_of(&line_fill));
            ck_assert_uint_eq(MAX(lines[0], lines[1]), line_of(&line_take));
            n_races++;
        }
    }
    ck_assert_uint_ge(n_races, 3);
}

static void expect_deadlock(const struct weir_finding *finding)
{
    ck_assert_str_eq(finding->form, "incomplete");
    expect_contains(finding->message, "barrier 1 waits for 96 items, and 64 have");
    ck_assert_uint_eq(party_of(finding, "32-63")->line, line_of(&line_wait));
    ck_assert_int_eq(party_of(finding, "64-95")->state, WEIR_STATE_RETURNED);
}

DEVICE_TEST(a_barrier_for_more_than_come_is_a_deadlock)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    const pipe_args args = { out, ONE_TOO_MANY };
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_DEADLOCK, device, &pipe_line, RANGE(3 * SIZE),
                         &args, (&(struct weir_launch_options){ LANES_OF_32 }));
    expect_contains(finding->message, "waits for 96 items, and");
    (void)party_of(finding, "0-31");
    for (size_t o = 0; o < N_ORDERS; o++) {
        finding
            = LAUNCH_FINDING(WEIR_FINDING_DEADLOCK, device, &pipe_line, RANGE(3 * SIZE),
                             &args, UNDER(&orders[o], LANES_OF_32, .check = true));
        expect_deadlock(finding);
    }
}

DEVICE_TEST(half_a_sub_group_is_a_divergence)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        const struct weir_finding *finding = LAUNCH_FINDING(
            WEIR_FINDING_BARRIER_DIVERGENCE, device, &pipe_line, RANGE(3 * SIZE),
            (&(pipe_args){ out, HALF }), UNDER(&orders[o], LANES_OF_32));
        expect_contains(finding->message, "sub-group 1: 16 of the 32 lanes");
        ck_assert_uint_eq(finding->parties[0].line, line_of(&line_wait));
    }
}

static const struct {
    enum how how;
    const char *words;
} refused[] = {
    { OTHER_COUNT, "items, and other items have reached it for" },
    { ODD_COUNT,
      "barrier 1 for 72 items: the number is not a multiple of the size of a "
      "sub-group, 32" },
    { HIGH_ID, "barrier 16 does not exist: their numbers are 0 to 15" },
    { NO_COUNT, "an arrival must state the number of items" },
    { MORE_THAN_THERE_ARE, "barrier 1 for 128 items: the group has 96" },
};

DEVICE_TEST_EACH(a_call_that_cannot_be_right_is_a_finding, G_N_ELEMENTS(refused))
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    const pipe_args args = { out, refused[_i].how };
    expect_contains(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, &pipe_line,
                                   RANGE(3 * SIZE), &args,
                                   (&(struct weir_launch_options){ LANES_OF_32 }))
                        ->message,
                    refused[_i].words);
    for (size_t o = 0; o < N_ORDERS; o++) {
        expect_contains(LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device,
                                       &pipe_line, RANGE(3 * SIZE), &args,
                                       UNDER(&orders[o], LANES_OF_32))
                            ->message,
                        refused[_i].words);
    }
}

/* Two barriers in one sub-group: its lanes do not meet. @how: RIGHT, or not */
WEIR_KERNEL(two_barriers, pipe_args)
{
    size_t i = weir_local_id(item, 0);
    uint32_t id = args->how == RIGHT || i % 2 == 0 ? 3 : 4;
    MARK(line_wait, weiri_named_sync(id, SIZE, WEIRI_SITE()));
    args->out[i] = 1;
}

DEVICE_TEST(lanes_at_two_barriers_do_not_meet)
{
    int32_t *out = weir_new(device, int32_t, SIZE, "out");
    LAUNCH_SILENT(device, &two_barriers, RANGE(SIZE), (&(pipe_args){ out, RIGHT }),
                  (&(struct weir_launch_options){ LANES_OF_32 }));
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_BARRIER_DIVERGENCE, device, &two_barriers, RANGE(SIZE),
        (&(pipe_args){ out, HALF }), (&(struct weir_launch_options){ LANES_OF_32 }));
    expect_contains(finding->message, "16 of the 32 lanes");
}

/* ---- Values ---------------------------------------------------------------------- */

typedef struct {
    uint32_t *out; /* 3 for each item */
} value_args;

WEIR_KERNEL(reduce_all, value_args)
{
    size_t i = weir_local_id(item, 0);
    uint32_t *out = args->out + 3 * i;
    for (uint32_t round = 0; round < 2; round++) {
        out[0] = weiri_named_reduce(15, 0, WEIRI_REDUCE_ADD, i % 3 == 0, WEIRI_SITE());
        out[1]
            = weiri_named_reduce(0, 0, WEIRI_ANY, i == 35 && round == 1, WEIRI_SITE());
        out[2]
            = weiri_named_reduce(0, 0, WEIRI_ALL, i != 35 || round == 0, WEIRI_SITE());
    }
}

static const size_t sizes[] = { 36, 64, 100 };

DEVICE_TEST_EACH(a_barrier_for_all_takes_a_smaller_last_sub_group, G_N_ELEMENTS(sizes))
{
    size_t n = sizes[_i];
    uint32_t *out = weir_new(device, uint32_t, 3 * n, "out");
    for (size_t o = 0; o <= N_ORDERS; o++) {
        struct weir_launch_options fast = { LANES_OF_32 };
        memset(out, 0, 3 * n * sizeof(*out));
        LAUNCH_SILENT(device, &reduce_all, RANGE(n), (&(value_args){ out }),
                      o == N_ORDERS ? &fast
                                    : UNDER(&orders[o], LANES_OF_32, .check = true));
        for (size_t i = 0; i < n; i++) {
            EXPECT_ELEMENT(out, 3 * i, (n + 2) / 3);
            EXPECT_ELEMENT(out, 3 * i + 1, 1);
            EXPECT_ELEMENT(out, 3 * i + 2, 0);
        }
    }
}

MAIN("named")
