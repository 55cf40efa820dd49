/* SPDX-License-Identifier: MIT
 *
 * check_enumerate.c: all executions of litmus tests, counted: values that come out of
 * nowhere and those that do not, updates, loops, barriers, dependencies. */
#include "enumerated.h"

enum { ROUNDS = 3 };

/* "positive negative blocked bounded faulted" of a text under a model. */
static void expect_counts(const char *text, const char *model, const char *expected)
{
    struct weiri_litmus *test = litmus_read(text, text);
    struct outcome outcome = enumerate(test, model, ROUNDS);
    const struct weiri_enumeration *counts = &outcome.counts;
    ck_assert(counts->exhaustive);
    g_autofree char *counted = g_strdup_printf(
        "%lu %lu %lu %lu %lu", (unsigned long)outcome.positive,
        (unsigned long)outcome.negative, (unsigned long)counts->blocked,
        (unsigned long)counts->bounded, (unsigned long)counts->faulted);
    EXPECT(strcmp(counted, expected) == 0, "%s\nunder %s gives %s, not %s", text,
           model == NULL ? "no model" : model, counted, expected);
    outcome_clear(&outcome);
    weiri_litmus_free(test);
}

/* ---- Values ---------------------------------------------------------------------- */

/* Load buffering with what is written made of what is read: P0 writes @value, of r, to
 * y, and P1 copies that to x. Both can see each other where that determines the
 * value. */
static void expect_buffering(const char *value, bool determined)
{
    g_autofree char *text = g_strdup_printf(
        "C lb\n{}\n"
        "P0 (atomic_int* x, atomic_int* y) {\n"
        "  int r = atomic_load_explicit(x, memory_order_relaxed);\n"
        "  atomic_store_explicit(y, %s, memory_order_relaxed);\n}\n"
        "P1 (atomic_int* x, atomic_int* y) {\n"
        "  int r = atomic_load_explicit(y, memory_order_relaxed);\n"
        "  atomic_store_explicit(x, r, memory_order_relaxed);\n}\nexists (0:r=0)",
        value);
    struct weiri_litmus *test = litmus_read(text, text);
    struct outcome outcome = enumerate(test, "opencl", ROUNDS);
    EXPECT(outcome.counts.executions == (determined ? 4 : 3), "%s: %lu executions",
           value, (unsigned long)outcome.counts.executions);
    outcome_clear(&outcome);
    outcome = enumerate(test, "gpu", ROUNDS);
    bool depends = strchr(value, 'r') != NULL;
    EXPECT(outcome.counts.executions == (depends ? 3 : 4), "%s: %lu executions", value,
           (unsigned long)outcome.counts.executions);
    outcome_clear(&outcome);
    weiri_litmus_free(test);
}

CASE("values");

TEST(values_come_from_somewhere)
{
    static const char *const determined[]
        = { "7",         "(r & 0) + 7", "r * 0",       "r ^ r",
            "r - r + 7", "(r == r)",    "(r != r)",    "(r < r) + 7",
            "r <= r",    "0 & (r + 1)", "(r >= r) * 7" };
    static const char *const undetermined[]
        = { "r", "r + 1", "r | 7", "(r & 1)", "r * 2", "-r", "r == 1", "(r ^ 1) ^ r" };
    for (size_t i = 0; i < G_N_ELEMENTS(determined); i++) {
        expect_buffering(determined[i], true);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(undetermined); i++) {
        expect_buffering(undetermined[i], false);
    }
}

TEST(a_condition_on_a_value_is_none_of_its_sources)
{
    /* Both write 1 if they see 1: each value is a constant, and the cycle is one of
     * control. */
    expect_counts("C ctrls\n{}\n"
                  "P0 (atomic_int* x, atomic_int* y) { int r = "
                  "atomic_load_explicit(x, memory_order_relaxed); if (r == 1) "
                  "atomic_store_explicit(y, 1, memory_order_relaxed); }\n"
                  "P1 (atomic_int* x, atomic_int* y) { int r = "
                  "atomic_load_explicit(y, memory_order_relaxed); if (r == 1) "
                  "atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
                  "exists (0:r=1 /\\ 1:r=1)",
                  "opencl", "1 1 0 0 0");
    /* A value of its own making, though somebody else could have written the same. */
    expect_counts("C copies\n{}\n"
                  "P0 (atomic_int* x, atomic_int* y) { int r = "
                  "atomic_load_explicit(x, memory_order_relaxed); "
                  "atomic_store_explicit(y, r, memory_order_relaxed); }\n"
                  "P1 (atomic_int* x, atomic_int* y) { int r = "
                  "atomic_load_explicit(y, memory_order_relaxed); "
                  "atomic_store_explicit(x, r, memory_order_relaxed); }\n"
                  "P2 (atomic_int* x) { atomic_store(x, 1); }\n"
                  "exists (0:r=1 /\\ 1:r=1)",
                  "opencl", "2 8 0 0 0");
}

TEST(updates_come_one_after_the_other)
{
    /* n of them: n! orders, and each sees another number. */
    expect_counts("C add\n{}\n"
                  "P0 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P1 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P2 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P3 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "forall (x=4)",
                  "rc11", "24 0 0 0 0");
    /* Without a model: both read the initial value, or one reads the other's; not each
     * the other's. In either order. */
    expect_counts("C lost\n{}\n"
                  "P0 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P1 (atomic_int* x) { int r = atomic_fetch_add(x, 1); }\n"
                  "forall (x=2)",
                  NULL, "2 4 0 0 0");
    /* None reads what it writes itself. */
    expect_counts("C alone\n{}\nP0 (atomic_int* x) { int r = atomic_exchange(x, 1); }\n"
                  "exists (0:r=1)",
                  NULL, "0 1 0 0 0");
    expect_counts("C plain\n{}\nP0 (int* x) { ++*x; }\nP1 (int* x) { ++*x; }\n"
                  "forall (x=2)",
                  "sc", "2 2 0 0 0");
}

TEST(a_weak_exchange_may_fail_where_it_could_succeed)
{
    static const char *const body
        = "C cas\n{ [x] = %d; }\nP0 (atomic_int* x) { int e = 0; int r = "
          "atomic_compare_exchange_%s(x, &e, 1); }\nexists (0:r=1)";
    static const struct {
        int initial;
        const char *form, *counts;
    } cases[] = { { 0, "strong", "1 0 0 0 0" },
                  { 5, "strong", "0 1 0 0 0" },
                  { 0, "weak", "1 1 0 0 0" },
                  { 5, "weak", "0 1 0 0 0" } };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char text[256];
        (void)g_snprintf(text, sizeof(text), body, cases[i].initial, cases[i].form);
        expect_counts(text, "sycl", cases[i].counts);
        expect_counts(text, "opencl", cases[i].counts);
    }
}

/* A message is read by a compare-exchange, which fails. */
TEST(what_fails_has_the_order_for_failure)
{
    static const struct {
        const char *orders, *counts;
    } cases[] = { { "memory_order_acq_rel, memory_order_relaxed", "1 3 0 0 0" },
                  { "memory_order_relaxed, memory_order_acquire", "0 3 0 0 0" } };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "C fails\n{}\nP0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, "
            "1, memory_order_relaxed); atomic_store_explicit(y, 1, "
            "memory_order_release); }\n"
            "P1 (atomic_int* x, atomic_int* y) { int e = 0; "
            "atomic_compare_exchange_strong_explicit(y, &e, 2, %s); int r = "
            "atomic_load_explicit(x, memory_order_relaxed); }\n"
            "exists (1:e=1 /\\ 1:r=0)",
            cases[i].orders);
        expect_counts(text, "rc11", cases[i].counts);
    }
}

/* ---- Ways through a thread ------------------------------------------------------- */

CASE("ways");

TEST(loops_have_their_rounds)
{
    /* Three rounds that fail at most, and one candidate that wants another. */
    expect_counts("C spin\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\n"
                  "P1 (atomic_int* x) { while (atomic_load(x) == 0) ; }\nforall (x=1)",
                  "rc11", "4 0 0 1 0");
    /* What is counted needs no rounds beyond its own. */
    expect_counts("C count\n{}\nP0 (int* x) { for (int i = 0; i < 3; i++) *x = i; }\n"
                  "forall (x=2)",
                  "rc11", "1 0 0 0 0");
    expect_counts("C four\n{}\nP0 (int* x) { for (int i = 0; i < 4; i++) *x = i; }\n"
                  "forall (x=2)",
                  "rc11", "0 0 0 1 0");
    /* As many rounds as somebody else says: 0, or 2; which 3 are not too many for. */
    expect_counts("C said\n{}\nP0 (atomic_int* n) { atomic_store(n, 2); }\n"
                  "P1 (atomic_int* n, int* x) { int k = atomic_load(n); "
                  "for (int i = 0; i < k; i++) ++*x; }\nexists (x=2)",
                  "rc11", "1 1 0 0 0");
    expect_counts("C for_ever\n{}\nP0 (int* x) { *x = 1; while (1) ; }\nexists (x=1)",
                  "rc11", "0 0 0 1 0");
}

TEST(what_has_no_meaning_is_told_apart)
{
    static const char *const bodies[]
        = { "int r = 6 / atomic_load(x);", "int r = 6 % atomic_load(x);",
            "int r = 6 << (atomic_load(x) - 1);",
            "int r = *(y + (1 - atomic_load(x)));" };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autofree char *text = g_strdup_printf(
            "C fault\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\n"
            "P1 (atomic_int* x, int* y) { %s *y = 1; }\nexists (y=1)",
            bodies[i]);
        expect_counts(text, "rc11", "1 0 0 0 1");
    }
}

/* ---- Barriers -------------------------------------------------------------------- */

#define GROUP(body0, body1)                                                            \
    "OPENCL b\n{}\nP0@wg 0 (global atomic_int* x, global int* y) { " body0 " }\n"      \
    "P1@wg 0 (global atomic_int* x, global int* y) { " body1 " }\n"
#define SYNC(label) #label ": barrier(CLK_GLOBAL_MEM_FENCE); "

TEST(barriers_are_passed_by_all_or_none)
{
    static const struct {
        const char *text, *counts;
    } cases[] = {
        { GROUP("*y = 1; " SYNC(B), SYNC(B) "int r = *y;") "exists (1:r=0)",
          "0 1 0 0 0" },
        /* Others' groups are none of its concern. */
        { GROUP("*y = 1; " SYNC(B),
                SYNC(B)) "P2@wg 1 (global int* y) { int r = *y; }\nexists (2:r=0)",
          "1 1 0 0 0" },
        { GROUP(
              "*y = 1; ",
              "int r = *y;") "P2@wg 1 (global int* y) { B: barrier(0); }\nexists (y=1)",
          "2 0 0 0 0" },
        /* One that never comes, another one, and one of other flags. */
        { GROUP(SYNC(B), "") "exists (x=0)", "0 0 1 0 0" },
        { GROUP(SYNC(B), SYNC(C)) "exists (x=0)", "0 0 1 0 0" },
        { GROUP(SYNC(B), "B: barrier(CLK_LOCAL_MEM_FENCE);") "exists (x=0)",
          "0 0 1 0 0" },
        { GROUP(SYNC(B) SYNC(C), SYNC(B) SYNC(B)) "exists (x=0)", "0 0 1 0 0" },
        { GROUP(SYNC(B) SYNC(C), SYNC(C) SYNC(B)) "exists (x=0)", "0 0 1 0 0" },
        { GROUP(SYNC(B) SYNC(B), SYNC(B) SYNC(B)) "exists (x=0)", "1 0 0 0 0" },
        /* One that comes or not, by what it reads. */
        { GROUP("int r = atomic_load(x); if (r) { " SYNC(B) "}",
                "atomic_store(x, 1); " SYNC(B)) "exists (0:r=1)",
          "1 0 1 0 0" },
        /* Who waits does nothing more, and what it has done is seen. */
        { GROUP("*y = 1; " SYNC(B) "*y = 2;", "int r = *y;") "exists (y=2)",
          "0 0 2 0 0" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_counts(cases[i].text, "sycl", cases[i].counts);
        expect_counts(cases[i].text, "sycl-split", cases[i].counts);
    }
}

TEST(flags_mean_nothing_to_who_knows_no_spaces)
{
    static const char text[]
        = GROUP(SYNC(B), "B: barrier(CLK_LOCAL_MEM_FENCE);") "exists (x=0)";
    expect_counts(text, "rc11", "1 0 0 0 0");
    expect_counts(text, "sc", "1 0 0 0 0");
    expect_counts(text, "opencl", "0 0 1 0 0");
    expect_counts(text, "gpu", "0 0 1 0 0");
}

/* The fence of a barrier may be of a wider scope than its group. */
TEST(a_wide_barrier_is_a_fence_too)
{
    static const struct {
        const char *scope, *counts;
    } cases[] = { { "memory_scope_work_group", "1 2 0 0 0" },
                  { "memory_scope_device", "0 2 0 0 0" } };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "OPENCL wide\n{}\n"
            "P0@wg 0 (global int* y) { *y = 1; "
            "B: barrier(CLK_GLOBAL_MEM_FENCE, %s); }\n"
            "P1@wg 0 (global atomic_int* x) { B: barrier(CLK_GLOBAL_MEM_FENCE, %s); "
            "atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
            "P2@wg 1 (global atomic_int* x, global int* y) { int s = -1; int r = "
            "atomic_load_explicit(x, memory_order_acquire); if (r) s = *y; }\n"
            "exists (2:r=1 /\\ 2:s=0)",
            cases[i].scope, cases[i].scope);
        expect_counts(text, "sycl", cases[i].counts);
    }
}

/* ---- Dependencies ---------------------------------------------------------------- */

#define LOAD(at) "atomic_load_explicit(" at ", memory_order_relaxed)"
#define STORE(at, value)                                                               \
    "atomic_store_explicit(" at ", " value ", memory_order_relaxed);"
#define EXCHANGE(at, expected, desired)                                                \
    "atomic_compare_exchange_strong_explicit(" at ", " expected ", " desired           \
    ", memory_order_relaxed, memory_order_relaxed);"

TEST(dependencies_forbid_load_buffering_on_a_gpu)
{
    static const struct {
        const char *body; /* of P0, after r is read from x; P1 copies y to x */
        const char *counts;
    } cases[] = {
        { STORE("y", "1"), "1 3 0 0 0" },
        { STORE("y", "1 + r - r"), "0 3 0 0 0" },
        { STORE("y + (r & 0)", "1"), "0 3 0 0 0" },
        { "if (r == r) " STORE("y", "1"), "0 3 0 0 0" },
        { "if (r == r) ; " STORE("y", "1"), "1 3 0 0 0" },
        { "r = 1; " STORE("y", "r") " r = " LOAD("x") ";", "2 4 0 0 0" },
        { "int e = 0; " EXCHANGE("y", "&e", "1"), "1 3 0 0 0" },
        { "int e = 0; " EXCHANGE("y", "&e", "1 + (r & 0)"), "0 3 0 0 0" },
        { "int e = r & 0; " EXCHANGE("y", "&e", "1"), "0 3 0 0 0" },
        { "while (r * 0) ; " STORE("y", "1"), "1 3 0 0 0" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat(
            "C lb\n{}\nP0 (atomic_int* x, atomic_int* y) { int r = " LOAD("x") "; ",
            cases[i].body,
            " }\nP1 (atomic_int* x, atomic_int* y) { int r = " LOAD("y") "; " STORE(
                "x", "r") " }\nexists (0:r=1 /\\ 1:r=1)",
            NULL);
        expect_counts(text, "gpu", cases[i].counts);
    }
}

/* ---- Limits ---------------------------------------------------------------------- */

static const char many[] = "C many\n{}\n"
                           "P0 (atomic_int* x) { *x = 1; *x = 2; *x = 3; *x = 4; }\n"
                           "P1 (atomic_int* x) { *x = 5; *x = 6; *x = 7; *x = 8; }\n"
                           "P2 (atomic_int* x) { int r = *x + *x + *x; }\nexists (x=4)";

static bool go_on(void *user)
{
    return --*(int *)user > 0;
}

CASE("limits");

TEST(limits_are_told)
{
    struct weiri_litmus *test = litmus_read(many, "many");
    struct weiri_enumerate_options options = { .most = 1000 };
    struct weiri_enumeration some = weiri_litmus_enumerate(test, ROUNDS, &options);
    ck_assert(!some.exhaustive);
    ck_assert_uint_gt(some.candidates, 0);
    ck_assert_uint_le(some.candidates, 1000);

    int asked = 3;
    options = (struct weiri_enumerate_options){ .go_on = go_on, .user = &asked };
    some = weiri_litmus_enumerate(test, ROUNDS, &options);
    ck_assert(!some.exhaustive);
    ck_assert_int_eq(asked, 0);

    /* All of them: what each read reads, times the orders of 8 writes. */
    struct outcome coherent = enumerate(test, "rc11", ROUNDS);
    ck_assert(coherent.counts.exhaustive);
    /* 70 orders; in each a place for each read, none before that of the one before. */
    ck_assert_uint_eq(coherent.counts.executions, 70 * 165);
    outcome_clear(&coherent);
    weiri_litmus_free(test);
}

static bool stop_at_once(const struct weiri_candidate *candidate, void *user)
{
    ++*(int *)user;
    return candidate->execution == NULL;
}

TEST(a_visit_may_be_the_last)
{
    int n_visits = 0;
    struct weiri_litmus *test = litmus_read(many, "many");
    const struct weiri_enumerate_options options
        = { .visit = stop_at_once, .user = &n_visits };
    ck_assert(!weiri_litmus_enumerate(test, ROUNDS, &options).exhaustive);
    ck_assert_int_eq(n_visits, 1);
    weiri_litmus_free(test);
}

/* Texts with more ways, events or decisions than anybody has time for. */
#define FENCES                                                                         \
    "for (int i = 0; i < 99; i++) { atomic_thread_fence(memory_order_seq_cst); "       \
    "atomic_thread_fence(memory_order_seq_cst); }"
TEST(what_is_too_large_is_told)
{
    static const char *const bodies[] = {
        "for (int i = 0; i < 9; i++) for (int k = 0; k < 9; k++) "
        "for (int l = 0; l < 9; l++) *x = 1;",
        "int r = *x; while (r) while (r + 1) while (r + 2) while (r + 3) while (r + 4) "
        "while (r + 5) while (r + 6) while (r + 7) ;",
        "for (int i = 0; i < 99; i++) if (*x) *x = i;",
        FENCES " }\nP2 () { " FENCES " }\nP3 () { " FENCES,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autofree char *text
            = g_strdup_printf("C large\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { %s }"
                              "\nexists (x=1)",
                              bodies[i]);
        struct weiri_litmus *test = litmus_read(text, text);
        const struct weiri_enumerate_options options
            = { .model = weiri_model_find("rc11"), .most = 3000 };
        EXPECT(!weiri_litmus_enumerate(test, 99, &options).exhaustive, "%s", text);
        weiri_litmus_free(test);
    }
}

MAIN("enumerate")
