/* SPDX-License-Identifier: MIT
 *
 * check_estimate.c: estimates of the number of executions, against the numbers that
 * arithmetic gives, and those that an exploration counts. */
#include "litmus_support.h"
#include "support.h"

#include "litmus/program.h"
#include "model/estimate.h"

#include <inttypes.h>

/* By their numbers, enum weiri_explored. */
static const char *const models[] = { "sc", "rc11", "sycl", "sycl-split" };

static bool go_on(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user;
    (void)graph;
    (void)race;
    return true;
}

struct both {
    uint64_t executions; /* counted; 0: they are not */
    struct weiri_estimate estimate;
};

static struct both estimate(const char *text, struct weiri_explore_options options,
                            uint32_t probes, uint64_t seed, bool counted)
{
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct weiri_program *program
        = weiri_litmus_program(test, 8 | WEIRI_LITMUS_STOP_SPINS);
    options.execution = go_on;
    struct both both = { .executions = 0 };
    if (counted) {
        both.executions = weiri_explore(program, &options).executions;
    }
    both.estimate = weiri_estimate(program, &options, probes, seed);
    weiri_litmus_program_free(program);
    return both;
}

static char *increments(unsigned n)
{
    return litmus_threads(n, "", "atomic_int* x",
                          "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);");
}

CASE("numbers");

/* Without a choice each probe is right. */
TEST_EACH(one_execution_is_one, G_N_ELEMENTS(models))
{
    g_autofree char *text
        = litmus_threads(6, "", "atomic_int* x#",
                         "atomic_store_explicit(x#, 1, memory_order_relaxed);\n"
                         "  int r0 = atomic_load_explicit(x#, memory_order_relaxed);");
    const struct weiri_estimate one
        = estimate(text, (struct weiri_explore_options){ .model = _i }, 10, 1, false)
              .estimate;
    ck_assert_uint_eq(one.probes, 10);
    EXPECT(one.mean == 1 && one.low == 1 && one.high == 1, "%g (%g to %g)", one.mean,
           one.low, one.high);
}

/* N increments of a counter have N! executions. */
TEST_EACH(increments_are_a_factorial, G_N_ELEMENTS(models))
{
    double factorial = 120;
    for (unsigned n = 6; n <= scaled(13, 8); n++) {
        factorial *= n;
        double factor = n < 8 ? 1.3 : n < 11 ? 2 : 10;
        g_autofree char *text = increments(n);
        const struct weiri_estimate found
            = estimate(text, (struct weiri_explore_options){ .model = _i }, 500, n,
                       false)
                  .estimate;
        EXPECT(found.mean > factorial / factor && found.mean < factorial * factor
                   && found.low <= found.mean && found.mean <= found.high,
               "%u: %g, not %g (%g to %g)", n, found.mean, factorial, found.low,
               found.high);
    }
}

/* Independent choices multiply: increments of four counters by three threads each
 * have 6 * 6 * 6 * 6 executions. */
TEST(independent_parts_multiply)
{
    GString *text = g_string_new("C parts\n{ }\n");
    for (unsigned i = 0; i < 12; i++) {
        g_string_append_printf(text,
                               "P%u (atomic_int* x%u) {\n  atomic_fetch_add_explicit("
                               "x%u, 1, memory_order_relaxed);\n}\n",
                               i, i / 3, i / 3);
    }
    g_string_append(text, "forall (true)\n");
    const struct both both = estimate(
        text->str, (struct weiri_explore_options){ .model = WEIRI_EXPLORED_SYCL }, 2000,
        1, true);
    ck_assert_uint_eq(both.executions, 1296);
    EXPECT(both.estimate.mean > 1296 * 0.8 && both.estimate.mean < 1296 * 1.2, "%g",
           both.estimate.mean);
    g_string_free(text, TRUE);
}

/* Programs whose trees have branches without an execution: locks that are waited for,
 * compare-exchanges that fail, races that end executions, store buffering under sc. */
static const char *const bodies[] = {
    "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}\n"
    "  atomic_store_explicit(x, 0, memory_order_release);",
    "int e = 0;\n  atomic_compare_exchange_strong_explicit(x, &e, # + 1, "
    "memory_order_relaxed, memory_order_relaxed);\n"
    "  int r0 = atomic_load_explicit(x, memory_order_relaxed);",
    "int e = 0;\n  atomic_compare_exchange_weak_explicit(x, &e, # + 1, "
    "memory_order_seq_cst, memory_order_relaxed);\n"
    "  int r0 = atomic_fetch_add_explicit(y, 1, memory_order_seq_cst);",
    "atomic_store_explicit(x, # + 1, memory_order_seq_cst);\n"
    "  int r0 = atomic_load_explicit(y, memory_order_seq_cst);\n"
    "  atomic_store_explicit(y, # + 1, memory_order_seq_cst);\n"
    "  int r1 = atomic_load_explicit(x, memory_order_seq_cst);",
    "int r0 = atomic_load_explicit(x, memory_order_acquire);\n"
    "  if (r0 == 0) { *c = 1; }\n"
    "  atomic_store_explicit(x, # + 1, memory_order_release);",
};

TEST_EACH(many_probes_come_near_to_what_is_counted, G_N_ELEMENTS(bodies))
{
    for (size_t model = 0; model < G_N_ELEMENTS(models); model++) {
        for (int stop = 0; stop < 2; stop++) {
            g_autofree char *text = litmus_threads(
                3, "", "atomic_int* x, atomic_int* y, int* c", bodies[_i]);
            const struct both both = estimate(
                text,
                (struct weiri_explore_options){ .model = (enum weiri_explored)model,
                                                .races = true,
                                                .stop_at_race = stop != 0 },
                2000, 1, true);
            double counted = (double)both.executions;
            EXPECT(both.estimate.mean > counted * 0.85
                       && both.estimate.mean < counted * 1.15,
                   "%s: %g, not %g, of\n%s", models[model], both.estimate.mean, counted,
                   text);
        }
    }
}

CASE("probes");

TEST(a_seed_gives_one_estimate)
{
    g_autofree char *text
        = litmus_threads(3, "", "atomic_int* x, atomic_int* y, int* c", bodies[3]);
    const struct weiri_explore_options options = { .model = WEIRI_EXPLORED_RC11 };
    const struct weiri_estimate one = estimate(text, options, 100, 5, false).estimate,
                                again = estimate(text, options, 100, 5, false).estimate,
                                other = estimate(text, options, 100, 6, false).estimate;
    ck_assert(one.mean == again.mean && one.low == again.low && one.high == again.high);
    ck_assert(one.mean != other.mean);
    ck_assert(one.low < one.high);
}

/* Nothing ends: there are no executions, and that is the estimate. */
TEST(executions_that_never_end_are_none)
{
    g_autofree char *text = litmus_threads(
        3, "", "atomic_int* x",
        "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}");
    const struct both both
        = estimate(text, (struct weiri_explore_options){ .model = WEIRI_EXPLORED_SYCL },
                   100, 1, true);
    ck_assert_uint_eq(both.executions, 0);
    ck_assert(both.estimate.probes == 100 && both.estimate.high == 0);
}

MAIN("estimate")
