/* SPDX-License-Identifier: MIT
 *
 * check_mbarrier.c: barriers that are objects in local memory: phases, tokens and
 * parities, bytes, items that drop out, the order that a test makes, and mistakes. */
#include "schedules.h"

enum { ITEMS = 12, ROUNDS = 6 };

#define RANGE(n) weir_nd_range_1d((n), (n))

enum how {
    RIGHT,
    TOKENS,       /* in place of parities */
    SAME_PARITY,  /* in all rounds */
    ONE_TOO_MANY, /* expected */
    LEAVES,       /* an item does not arrive after the first round */
    DROPS,        /* it says so */
    NO_BARRIER,   /* between initialisation and use */
    RELAXED,      /* the arrivals */
    RELAXED_TESTS,
    INVALIDATED,
    ANEW,     /* initialised while arrivals are missing */
    TOO_MANY, /* arrivals at once */
    COUNT_0,
    BYTES,
    MISSING_BYTES,
};

typedef struct {
    int32_t *out;
    enum how how;
} round_args;

_Atomic uint32_t line_fill, line_take, line_init, line_test;

static void wait_for(uint64_t *bar, uint64_t token, uint32_t flags)
{
    while (!MARK(line_test, weiri_mbarrier_test(bar, token, flags, WEIRI_SITE()))) {}
}

WEIR_KERNEL(rounds, round_args)
{
    int32_t *shared = weir_local_array(item, int32_t, 2 * ITEMS);
    uint64_t *bar = weir_local_array(item, uint64_t, 1);
    size_t i = weir_local_id(item, 0);
    enum how how = args->how;
    int32_t sum = 0;
    uint32_t parity = 0;
    if (i == 0) {
        uint32_t count = how == ONE_TOO_MANY ? ITEMS + 1 : how == COUNT_0 ? 0 : ITEMS;
        MARK(line_init, weiri_mbarrier_init(bar, count, WEIRI_SITE()));
    }
    if (how != NO_BARRIER) {
        weir_barrier(item, WEIR_LOCAL);
    }
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t *now = shared + round % 2 * ITEMS;
        size_t other = (i + 5) % ITEMS;
        if (i == 3 && round == 2 && (how == LEAVES || how == DROPS)) {
            if (how == DROPS) {
                (void)weiri_mbarrier_arrive(bar, 1, 0, WEIRI_MBARRIER_DROP,
                                            WEIRI_SITE());
            }
            return;
        }
        MARK(line_fill, now[i] = (int32_t)i + 100 * round);
        if (how == INVALIDATED && i == 0 && round == 1) {
            weiri_mbarrier_invalidate(bar, WEIRI_SITE());
        }
        if (how == ANEW && i == 0 && round == 1) {
            weiri_mbarrier_init(bar, ITEMS, WEIRI_SITE());
            return;
        }
        uint32_t n = how == TOO_MANY && i == 0 ? ITEMS + 1 : 1;
        uint64_t token = weiri_mbarrier_arrive(
            bar, n, (how == BYTES || how == MISSING_BYTES) && i == 1 ? 64 : 0,
            how == RELAXED ? WEIRI_MBARRIER_RELAXED : 0, WEIRI_SITE());
        if (how == BYTES && i == 2) {
            weiri_mbarrier_complete(bar, 60, WEIRI_SITE());
            weiri_mbarrier_complete(bar, 4, WEIRI_SITE());
        } else if (how == MISSING_BYTES && i == 2) {
            weiri_mbarrier_complete(bar, 60, WEIRI_SITE());
        }
        if (how == TOKENS) {
            wait_for(bar, token, 0);
        } else {
            wait_for(bar, parity,
                     WEIRI_MBARRIER_PARITY
                         | (how == RELAXED_TESTS ? WEIRI_MBARRIER_RELAXED : 0));
        }
        parity ^= how != SAME_PARITY;
        if (how == DROPS && round >= 2 && other == 3) {
            continue;
        }
        MARK(line_take, sum += now[other]);
    }
    args->out[i] = sum;
}

static void expect_sums(const int32_t *out, enum how how)
{
    for (size_t i = 0; i < ITEMS; i++) {
        int32_t other = (i + 5) % ITEMS, sum = 0;
        for (int32_t round = 0; round < ROUNDS; round++) {
            sum += how == DROPS && other == 3 && round >= 2 ? 0 : other + 100 * round;
        }
        EXPECT_ELEMENT(out, i, how == DROPS && i == 3 ? 0 : sum);
    }
}

static const enum how rights[] = { RIGHT, TOKENS, DROPS, BYTES };

WORKERS_TEST_EACH(phases_come_one_after_the_other, G_N_ELEMENTS(rights))
{
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    memset(out, 0, ITEMS * sizeof(*out));
    LAUNCH_SILENT(device, &rounds, RANGE(ITEMS), (&(round_args){ out, rights[_i] }),
                  WITH_WORKERS(workers));
    expect_sums(out, rights[_i]);
}

DEVICE_TEST_EACH(they_order_memory_under_every_schedule, G_N_ELEMENTS(rights))
{
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        memset(out, 0, ITEMS * sizeof(*out));
        expect_quiet(LAUNCH(device, &rounds, RANGE(ITEMS),
                            (&(round_args){ out, rights[_i] }),
                            UNDER(&orders[o], .check = true)),
                     &rounds, &orders[o], ITEMS);
        expect_sums(out, rights[_i]);
    }
}

static bool is_side(const struct weir_finding *finding, _Atomic uint32_t *line)
{
    return finding->parties[0].line == line_of(line)
        || finding->parties[1].line == line_of(line);
}

/* Each launch has a finding, and some have a race of @one and @other (NULL: any line),
 * but none of other lines. @kinds: bits of the kinds that there may be besides */
static void expect_races(struct weir_device *device, enum how how,
                         _Atomic uint32_t *one, _Atomic uint32_t *other, uint32_t kinds)
{
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    unsigned n_races = 0;
    for (size_t o = 0; o < N_ORDERS; o++) {
        g_autoptr(weir_report) report
            = LAUNCH(device, &rounds, RANGE(ITEMS), (&(round_args){ out, how }),
                     UNDER(&orders[o], .check = true));
        ck_assert_msg(weir_report_n_findings(report) > 0, "nothing under %s",
                      order_name(&orders[o]));
        for (size_t i = 0; i < weir_report_n_findings(report); i++) {
            const struct weir_finding *finding = weir_report_finding(report, i);
            if ((kinds >> finding->kind & 1) != 0) {
                continue;
            }
            ck_assert_msg(finding->kind == WEIR_FINDING_DATA_RACE
                              || finding->kind == WEIR_FINDING_MIXED_ATOMIC,
                          "%s", finding->message);
            ck_assert_msg(is_side(finding, one)
                              && (other == NULL || is_side(finding, other)),
                          "%s", finding->message);
            n_races++;
        }
    }
    ck_assert_uint_ge(n_races, 3);
}

DEVICE_TEST(a_parity_that_never_flips_waits_for_a_phase_that_is_over)
{
    expect_races(device, SAME_PARITY, &line_fill, &line_take,
                 1u << WEIR_FINDING_LIVELOCK | 1u << WEIR_FINDING_UNINITIALIZED_READ);
}

DEVICE_TEST(relaxed_arrivals_order_nothing)
{
    expect_races(device, RELAXED, &line_fill, &line_take, 0);
    expect_races(device, RELAXED_TESTS, &line_fill, &line_take, 0);
}

DEVICE_TEST(a_use_races_with_an_initialisation_before_it)
{
    expect_races(device, NO_BARRIER, &line_init, NULL,
                 1u << WEIR_FINDING_UNINITIALIZED_READ);
}

static const enum how endless[] = { ONE_TOO_MANY, LEAVES, MISSING_BYTES };

DEVICE_TEST_EACH(a_phase_that_never_comes_is_a_livelock, G_N_ELEMENTS(endless))
{
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        const struct weir_finding *finding = LAUNCH_FINDING(
            WEIR_FINDING_LIVELOCK, device, &rounds, RANGE(ITEMS),
            (&(round_args){ out, endless[_i] }), UNDER(&orders[o], .check = true));
        size_t n = 0;
        for (size_t i = 0; i < finding->n_parties; i++) {
            if (finding->parties[i].state == WEIR_STATE_SPINNING) {
                ck_assert_uint_eq(finding->parties[i].line, line_of(&line_test));
                n += count_ranges(finding->parties[i].items);
            }
        }
        ck_assert_uint_eq(n, endless[_i] == LEAVES ? ITEMS - 1 : ITEMS);
    }
}

static const struct {
    enum how how;
    enum weir_finding_kind kind;
    const char *schedule;
    const char *words;
} mistakes[] = {
    { INVALIDATED, WEIR_FINDING_USE_AFTER_FREE, "reverse",
      "the barrier has been invalidated" },
    { ANEW, WEIR_FINDING_UNSUPPORTED, "in-order",
      "initialised anew, and its phase 1 waits for" },
    { TOO_MANY, WEIR_FINDING_UNSUPPORTED, "reverse",
      "13 arrivals, and phase 0 of the barrier" },
    { COUNT_0, WEIR_FINDING_UNSUPPORTED, "reverse", "cannot wait for 0 arrivals" },
};

DEVICE_TEST_EACH(mistakes_are_findings, G_N_ELEMENTS(mistakes))
{
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    const struct order order = { mistakes[_i].schedule, 0 };
    g_autoptr(weir_report) report
        = LAUNCH(device, &rounds, RANGE(ITEMS),
                 (&(round_args){ out, mistakes[_i].how }), UNDER(&order));
    ck_assert_uint_ge(weir_report_n_findings(report), 1);
    bool found = false;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        found |= finding->kind == mistakes[_i].kind
            && strstr(finding->message, mistakes[_i].words) != NULL;
    }
    g_autofree char *text = weir_report_to_text(report);
    ck_assert_msg(found, "%s", text);
}

/* Tests that do not wait, with the tokens of this phase and of the one before. */
WEIR_KERNEL(tokens, round_args)
{
    uint64_t *bar = weir_local_array(item, uint64_t, 1);
    int32_t *out = args->out;
    weiri_mbarrier_init(bar, 3, WEIRI_SITE());
    uint64_t first = weiri_mbarrier_arrive(bar, 1, 0, 0, WEIRI_SITE());
    out[0] = (int32_t)weiri_mbarrier_pending(first);
    out[1] = (int32_t)weiri_mbarrier_test(bar, first, 0, WEIRI_SITE());
    out[2] = (int32_t)weiri_mbarrier_test(bar, 1, WEIRI_MBARRIER_PARITY, WEIRI_SITE());
    uint64_t second
        = weiri_mbarrier_arrive(bar, 2, 0, WEIRI_MBARRIER_DROP, WEIRI_SITE());
    out[3] = (int32_t)weiri_mbarrier_pending(second);
    out[4] = (int32_t)weiri_mbarrier_test(bar, second, 0, WEIRI_SITE());
    out[5] = (int32_t)weiri_mbarrier_test(bar, 0, WEIRI_MBARRIER_PARITY, WEIRI_SITE());
    uint64_t third = weiri_mbarrier_arrive(bar, 1, 0, 0, WEIRI_SITE());
    out[6] = (int32_t)weiri_mbarrier_pending(third);
    out[7] = (int32_t)weiri_mbarrier_test(bar, third, 0, WEIRI_SITE());
}

DEVICE_TEST(a_token_is_of_one_phase)
{
    int32_t *out = weir_new(device, int32_t, 8, "out");
    LAUNCH_SILENT(device, &tokens, RANGE(1), (&(round_args){ out, RIGHT }), NULL);
    const int32_t expected[] = { 3, 0, 1, 2, 1, 1, 1, 1 };
    EXPECT_ELEMENTS(out, i, 8, expected[i]);
}

MAIN("mbarrier")
