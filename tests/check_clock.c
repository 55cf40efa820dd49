/* SPDX-License-Identifier: MIT
 *
 * check_clock.c: vector clocks against plain arrays of times. */
#include "config.h"

#include "base/clock.h"
#include "base/rng.h"
#include "support.h"

#include <glib.h>
#include <string.h>

enum { GROUPS = 37, ITEMS = 20, CLOCKS = 12 };

/* The expected state of a clock: up to which time each timeline and each group is
 * known. */
struct plain {
    uint32_t time[GROUPS][ITEMS];
    uint32_t floor[GROUPS];
};

static void expect_same(const struct weiri_clocks *clocks,
                        const struct weiri_clock *clock, const struct plain *plain,
                        uint64_t seed)
{
    for (uint64_t g = 0; g < GROUPS; g++) {
        EXPECT(weiri_clock_floor(clocks, clock, g) == plain->floor[g],
               "seed %" G_GUINT64_FORMAT ": the floor of group %" G_GUINT64_FORMAT,
               seed, g);
        for (uint32_t i = 0; i < ITEMS; i++) {
            uint32_t expected = MAX(plain->floor[g], plain->time[g][i]);
            EXPECT(weiri_clock_time(clocks, clock, g, i) == expected,
                   "seed %" G_GUINT64_FORMAT ": item %u of group %" G_GUINT64_FORMAT
                   " is known up to %u, not %u",
                   seed, i, g, weiri_clock_time(clocks, clock, g, i), expected);
        }
    }
}

static void join_plain(struct plain *into, const struct plain *from)
{
    for (unsigned g = 0; g < GROUPS; g++) {
        into->floor[g] = MAX(into->floor[g], from->floor[g]);
        for (unsigned i = 0; i < ITEMS; i++) {
            into->time[g][i] = MAX(into->time[g][i], from->time[g][i]);
        }
    }
}

/* Clocks are copied, raised and joined at random; none may change by what is done to
 * another. */
TEST_EACH(clocks_are_maps_of_times, 200)
{
    uint64_t seed = (uint64_t)_i;
    struct weiri_rng rng = { seed };
    struct weiri_clocks clocks;
    weiri_clocks_init(&clocks, GROUPS, ITEMS);
    struct weiri_clock *clock[CLOCKS] = { NULL };
    static struct plain plain[CLOCKS];
    memset(plain, 0, sizeof(plain));
    for (unsigned step = 0; step < 400; step++) {
        unsigned at = (unsigned)weiri_rng_below(&rng, CLOCKS);
        unsigned other = (unsigned)weiri_rng_below(&rng, CLOCKS);
        uint64_t group = weiri_rng_below(&rng, GROUPS);
        uint32_t item = (uint32_t)weiri_rng_below(&rng, ITEMS);
        uint32_t time = 1 + (uint32_t)weiri_rng_below(&rng, 50);
        switch (weiri_rng_below(&rng, 4)) {
        case 0:
            clock[at] = weiri_clock_raise(&clocks, clock[at], group, time);
            plain[at].floor[group] = MAX(plain[at].floor[group], time);
            break;
        case 1:
            clock[at] = weiri_clock_raise_item(&clocks, clock[at], group, item, time);
            plain[at].time[group][item] = MAX(plain[at].time[group][item], time);
            break;
        case 2:
            clock[at] = weiri_clock_join(&clocks, clock[at], clock[other]);
            join_plain(&plain[at], &plain[other]);
            break;
        default:
            weiri_clock_ref(clock[other]);
            weiri_clock_unref(&clocks, clock[at]);
            clock[at] = clock[other];
            plain[at] = plain[other];
        }
        if (step % 20 == 0) {
            for (unsigned i = 0; i < CLOCKS; i++) {
                expect_same(&clocks, clock[i], &plain[i], seed);
            }
        }
    }
    for (unsigned i = 0; i < CLOCKS; i++) {
        expect_same(&clocks, clock[i], &plain[i], seed);
        weiri_clock_unref(&clocks, clock[i]);
    }
    ck_assert_uint_eq(clocks.n_nodes, 0);
    weiri_clocks_clear(&clocks);
}

/* A copy is a reference, and what is joined shares what is the same. */
TEST(joining_known_times_makes_no_node)
{
    struct weiri_clocks clocks;
    weiri_clocks_init(&clocks, 1 << 16, 256);
    struct weiri_clock *all = NULL;
    for (uint64_t group = 0; group < 1 << 16; group++) {
        all = weiri_clock_raise(&clocks, all, group, 3);
    }
    uint64_t n = clocks.n_nodes;
    struct weiri_clock *few = weiri_clock_raise_item(&clocks, NULL, 77, 200, 2);
    few = weiri_clock_join(&clocks, few, all);
    ck_assert_uint_le(clocks.n_nodes, n + 8);
    struct weiri_clock *same = weiri_clock_join(&clocks, weiri_clock_ref(all), all);
    ck_assert_ptr_eq(same, all);
    ck_assert_uint_eq(weiri_clock_time(&clocks, few, 77, 200), 3);
    weiri_clock_unref(&clocks, same);
    weiri_clock_unref(&clocks, few);
    weiri_clock_unref(&clocks, all);
    ck_assert_uint_eq(clocks.n_nodes, 0);
    weiri_clocks_clear(&clocks);
}

TEST(a_raise_to_an_earlier_time_changes_nothing)
{
    struct weiri_clocks clocks;
    weiri_clocks_init(&clocks, 4, 4);
    struct weiri_clock *clock = weiri_clock_raise(&clocks, NULL, 2, 9);
    struct weiri_clock *before = clock;
    clock = weiri_clock_raise(&clocks, clock, 2, 8);
    ck_assert_ptr_eq(clock, before);
    clock = weiri_clock_raise_item(&clocks, clock, 2, 3, 9);
    ck_assert_ptr_eq(clock, before);
    ck_assert_uint_eq(weiri_clock_time(&clocks, clock, 1, 3), 0);
    ck_assert_uint_eq(weiri_clock_time(&clocks, NULL, 1, 3), 0);
    weiri_clock_unref(&clocks, clock);
    weiri_clocks_clear(&clocks);
}

MAIN("clock")
