/* SPDX-License-Identifier: MIT
 *
 * check_enumerate.c: all executions of litmus tests, counted: values that come out of
 * nowhere and those that do not, read-modify-writes, loops, barriers, dependencies. And
 * the orders that the writes of a location can have, compared with all permutations. */
#include "enumerated.h"
#include "litmus_ask.h"

#include "base/rng.h"
#include "model/coherence.h"

enum { ROUNDS = 3 };

/* @model: NULL is none. @expected: positive, negative, blocked, bounded, faulted. */
static void expect_counts(const char *what, const char *abbreviated, const char *model,
                          const char *expected)
{
    g_autofree char *text = litmus_expand(abbreviated);
    g_autoptr(weiri_litmus) test = litmus_read(text, text);
    g_auto(enumerated) outcome = enumerate(test, model, ROUNDS);
    const struct weiri_enumeration *counts = &outcome.counts;
    ck_assert(counts->exhaustive);
    g_autofree char *counted = g_strdup_printf(
        "%lu %lu %lu %lu %lu", (unsigned long)outcome.positive,
        (unsigned long)outcome.negative, (unsigned long)counts->blocked,
        (unsigned long)counts->bounded, (unsigned long)counts->faulted);
    EXPECT(strcmp(counted, expected) == 0, "%s: %s gives %s, not %s:\n%s", what,
           model == NULL ? "no model" : model, counted, expected, text);
}

/* ---- Values ---------------------------------------------------------------------- */

/* Load buffering with what is written made of what is read: P0 writes @value, of r, to
 * y, and P1 copies that to x. Both can see each other where that determines the
 * value. */
static void expect_buffering(const char *value, bool determined)
{
    g_autofree char *abbreviated = g_strdup_printf(
        "C lb\n{}\nP0 ($ints) { int r = load(x, $rlx); store(y, %s, $rlx); }\n"
        "P1 ($ints) { int r = load(y, $rlx); store(x, r, $rlx); }\nexists (0:r=0)",
        value);
    g_autofree char *text = litmus_expand(abbreviated);
    g_autoptr(weiri_litmus) test = litmus_read(text, text);
    struct outcome outcome = enumerate(test, "opencl", ROUNDS);
    EXPECT(outcome.counts.executions == (determined ? 4 : 3), "%s: %lu executions",
           value, (unsigned long)outcome.counts.executions);
    outcome_clear(&outcome);
    outcome = enumerate(test, "gpu", ROUNDS);
    bool depends = strchr(value, 'r') != NULL;
    EXPECT(outcome.counts.executions == (depends ? 3 : 4), "%s: %lu executions", value,
           (unsigned long)outcome.counts.executions);
    outcome_clear(&outcome);
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

/* ---- Counts ---------------------------------------------------------------------- */

#define CAS(y, expected, desired)                                                      \
    "compare_exchange_strong(" y ", " expected ", " desired ", $rlx, $rlx);"

/* A weak or a strong compare-exchange with 0. */
#define COMPARE(form)                                                                  \
    "P0 { int e = 0; int r = atomic_compare_exchange_" form "(x, &e, 1); } "           \
    "exists (0:r=1)"

/* A message that is read by a compare-exchange, which fails. */
#define FAILS(orders)                                                                  \
    "P0 { store(x, 1, $rlx); store(y, 1, $rel); } "                                    \
    "P1 { int e = 0; compare_exchange_strong(y, &e, 2, " orders "); "                  \
    "int r = load(x, $rlx); } exists (1:e=1 /\\ 1:r=0)"

/* P1 does what C leaves undefined where it reads one of the values of x. */
#define FAULT(code)                                                                    \
    "P0 { atomic_store(x, 1); } "                                                      \
    "P1 (atomic_int* x, int* y) { " code " *y = 1; } exists (y=1)"

#define GROUP(body0, body1)                                                            \
    "P0@wg 0 (global atomic_int* x, global int* y) { " body0 " }\n"                    \
    "P1@wg 0 (global atomic_int* x, global int* y) { " body1 " }\n"
#define SYNC(label) #label ": barrier($GLOBAL); "
#define OTHER_FLAGS GROUP(SYNC(B), "B: barrier($LOCAL);") "exists (x=0)"

/* A message by a barrier and a flag after it, to another group. */
#define WIDE(scope)                                                                    \
    "P0@wg 0 (global int* y) { *y = 1; B: barrier($GLOBAL, " scope "); }\n"            \
    "P1@wg 0 (global atomic_int* x) { B: barrier($GLOBAL, " scope "); "                \
    "store(x, 1, $rlx); }\n"                                                           \
    "P2@wg 1 (global atomic_int* x, global int* y) { int s = -1; "                     \
    "int r = load(x, $acq); if (r) s = *y; }\nexists (2:r=1 /\\ 2:s=0)"

/* @threads: after the initial values, if these are not all 0. @models: "" is none.
 * @counts: positive, negative, blocked, bounded, faulted. */
struct counted {
    const char *what, *threads, *models, *counts;
};

static const struct counted cases[] = {
    { "both write 1 if they see 1: each value is a constant, the cycle is of control",
      "P0 { int r = load(x, $rlx); if (r == 1) store(y, 1, $rlx); } "
      "P1 { int r = load(y, $rlx); if (r == 1) store(x, 1, $rlx); } "
      "exists (0:r=1 /\\ 1:r=1)",
      "opencl", "1 1 0 0 0" },
    { "a value of its own making, though another thread could have written the same",
      "P0 { int r = load(x, $rlx); store(y, r, $rlx); } "
      "P1 { int r = load(y, $rlx); store(x, r, $rlx); } "
      "P2 { atomic_store(x, 1); } "
      "exists (0:r=1 /\\ 1:r=1)",
      "opencl", "2 8 0 0 0" },

    { "n read-modify-writes have n! orders, and each sees another number",
      "P0 { int r = atomic_fetch_add(x, 1); } "
      "P1 { int r = atomic_fetch_add(x, 1); } "
      "P2 { int r = atomic_fetch_add(x, 1); } "
      "P3 { int r = atomic_fetch_add(x, 1); } "
      "forall (x=4)",
      "rc11", "24 0 0 0 0" },
    { "without a model: both read the initial value, or one reads the other's, in "
      "either order; not each the other's",
      "P0 { int r = atomic_fetch_add(x, 1); } "
      "P1 { int r = atomic_fetch_add(x, 1); } forall (x=2)",
      "", "2 4 0 0 0" },
    { "no read-modify-write reads what it writes itself",
      "P0 { int r = atomic_exchange(x, 1); } "
      "exists (0:r=1)",
      "", "0 1 0 0 0" },
    { "plain increments are lost",
      "P0 (int* x) { ++*x; } "
      "P1 (int* x) { ++*x; } "
      "forall (x=2)",
      "sc", "2 2 0 0 0" },
    { "a strong exchange that can succeed does", COMPARE("strong"), "sycl opencl",
      "1 0 0 0 0" },
    { "one that cannot does not", "{ [x] = 5; }\n" COMPARE("strong"), "sycl opencl",
      "0 1 0 0 0" },
    { "a weak one may fail where it could succeed", COMPARE("weak"), "sycl opencl",
      "1 1 0 0 0" },
    { "and fails where it must", "{ [x] = 5; }\n" COMPARE("weak"), "sycl opencl",
      "0 1 0 0 0" },
    { "a failed exchange does not have the order of success", FAILS("$acq_rel, $rlx"),
      "rc11", "1 3 0 0 0" },
    { "but the one for failure", FAILS("$rlx, $acq"), "rc11", "0 3 0 0 0" },

    { "three rounds fail at most, and one candidate wants another",
      "P0 { atomic_store(x, 1); } "
      "P1 { while (atomic_load(x) == 0) ; } "
      "forall (x=1)",
      "rc11", "4 0 0 1 0" },
    { "a loop that counts to 3 has its rounds",
      "P0 (int* x) { for (int i = 0; i < 3; i++) *x = i; } "
      "forall (x=2)",
      "rc11", "1 0 0 0 0" },
    { "one that counts to 4 has not",
      "P0 (int* x) { for (int i = 0; i < 4; i++) *x = i; } "
      "forall (x=2)",
      "rc11", "0 0 0 1 0" },
    { "another thread sets the number of rounds, to 0 or 2: 3 are enough",
      "P0 (atomic_int* n) { atomic_store(n, 2); }\n"
      "P1 (atomic_int* n, int* x) { int k = atomic_load(n); "
      "for (int i = 0; i < k; i++) ++*x; }\nexists (x=2)",
      "rc11", "1 1 0 0 0" },
    { "no number is enough",
      "P0 (int* x) { *x = 1; while (1) ; } "
      "exists (x=1)",
      "rc11", "0 0 0 1 0" },

    { "a division by 0", FAULT("int r = 6 / atomic_load(x);"), "rc11", "1 0 0 0 1" },
    { "a remainder", FAULT("int r = 6 % atomic_load(x);"), "rc11", "1 0 0 0 1" },
    { "a shift", FAULT("int r = 6 << (atomic_load(x) - 1);"), "rc11", "1 0 0 0 1" },
    { "a read beyond a location", FAULT("int r = *(y + (1 - atomic_load(x)));"), "rc11",
      "1 0 0 0 1" },
};

static const struct counted barriers[] = {
    { "a barrier orders its group",
      GROUP("*y = 1; " SYNC(B), SYNC(B) "int r = *y;") "exists (1:r=0)",
      "sycl sycl-split", "0 1 0 0 0" },
    { "and not another one",
      GROUP("*y = 1; " SYNC(B), SYNC(B)) "P2@wg 1 (global int* y) { int r = *y; }\n"
                                         "exists (2:r=0)",
      "sycl sycl-split", "1 1 0 0 0" },
    { "which may have barriers of its own",
      GROUP("*y = 1; ", "int r = *y;") "P2@wg 1 (global int* y) { B: barrier(0); }\n"
                                       "exists (y=1)",
      "sycl sycl-split", "2 0 0 0 0" },
    { "one that the other thread never reaches", GROUP(SYNC(B), "") "exists (x=0)",
      "sycl sycl-split", "0 0 1 0 0" },
    { "two that are not the same", GROUP(SYNC(B), SYNC(C)) "exists (x=0)",
      "sycl sycl-split", "0 0 1 0 0" },
    { "one with other flags", OTHER_FLAGS, "sycl sycl-split opencl gpu", "0 0 1 0 0" },
    { "flags mean nothing to models without spaces", OTHER_FLAGS, "rc11 sc",
      "1 0 0 0 0" },
    { "the second one differs", GROUP(SYNC(B) SYNC(C), SYNC(B) SYNC(B)) "exists (x=0)",
      "sycl sycl-split", "0 0 1 0 0" },
    { "two in another order", GROUP(SYNC(B) SYNC(C), SYNC(C) SYNC(B)) "exists (x=0)",
      "sycl sycl-split", "0 0 1 0 0" },
    { "one is passed twice", GROUP(SYNC(B) SYNC(B), SYNC(B) SYNC(B)) "exists (x=0)",
      "sycl sycl-split", "1 0 0 0 0" },
    { "one is reached or not, by what is read",
      GROUP("int r = atomic_load(x); if (r) { " SYNC(B) "}",
            "atomic_store(x, 1); " SYNC(B)) "exists (0:r=1)",
      "sycl sycl-split", "1 0 1 0 0" },
    { "a waiting thread does nothing more, and what it has done is seen",
      GROUP("*y = 1; " SYNC(B) "*y = 2;", "int r = *y;") "exists (y=2)",
      "sycl sycl-split", "0 0 2 0 0" },
    { "a barrier of the group's scope is no fence for others", WIDE("$wg"), "sycl",
      "1 2 0 0 0" },
    { "one of a wider scope is", WIDE("$dev"), "sycl", "0 2 0 0 0" },
};

/* Load buffering under the model that forbids nothing but cycles of dependencies: @code
 * is what P0 does after r is read from x; P1 copies y to x. */
static const struct {
    const char *what, *code, *counts;
} dependencies[] = {
    { "independent accesses are reordered", "store(y, 1, $rlx);", "1 3 0 0 0" },
    { "a data dependency forbids it", "store(y, 1 + r - r, $rlx);", "0 3 0 0 0" },
    { "one of the address does", "store(y + (r & 0), 1, $rlx);", "0 3 0 0 0" },
    { "one of control does", "if (r == r) store(y, 1, $rlx);", "0 3 0 0 0" },
    { "but not behind the branch", "if (r == r) ; store(y, 1, $rlx);", "1 3 0 0 0" },
    { "a register that is set again depends on nothing",
      "r = 1; store(y, r, $rlx); r = load(x, $rlx);", "2 4 0 0 0" },
    { "an exchange depends on nothing", "int e = 0; " CAS("y", "&e", "1"),
      "1 3 0 0 0" },
    { "but on its desired value", "int e = 0; " CAS("y", "&e", "1 + (r & 0)"),
      "0 3 0 0 0" },
    { "and its expected one", "int e = r & 0; " CAS("y", "&e", "1"), "0 3 0 0 0" },
    { "a loop that ends is not depended on", "while (r * 0) ; store(y, 1, $rlx);",
      "1 3 0 0 0" },
};

static void expect_case(const char *form, const struct counted *counted)
{
    g_autofree char *text = g_strdup_printf(
        "%s t\n%s%s", form, counted->threads[0] == '{' ? "" : "{}\n", counted->threads);
    g_auto(GStrv) names = g_strsplit(counted->models, " ", -1);
    expect_counts(counted->what, text, names[0], counted->counts);
    for (size_t i = 1; names[0] != NULL && names[i] != NULL; i++) {
        expect_counts(counted->what, text, names[i], counted->counts);
    }
}

CASE("counts");

TEST_EACH(executions_are_as_many_as_there_are_ways, G_N_ELEMENTS(cases))
{
    expect_case("C", &cases[_i]);
}

TEST_EACH(dependencies_forbid_that_accesses_are_reordered, G_N_ELEMENTS(dependencies))
{
    g_autofree char *text
        = g_strdup_printf("C t\n{}\nP0 { int r = load(x, $rlx); %s } "
                          "P1 { int r = load(y, $rlx); store(x, r, $rlx); } "
                          "exists (0:r=1 /\\ 1:r=1)",
                          dependencies[_i].code);
    expect_counts(dependencies[_i].what, text, "gpu", dependencies[_i].counts);
}

TEST_EACH(barriers_are_passed_by_all_or_none, G_N_ELEMENTS(barriers))
{
    expect_case("OPENCL", &barriers[_i]);
}

/* ---- Loops of read-modify-writes ------------------------------------------------- */

/* Two threads, the second one with these rows. */
#define LOOPS(second)                                                                  \
    "VULKAN t\n{ x=0; }\nP0@sg 0,wg 0,qf 0 | P1@sg 0,wg 0,qf 0 ;\n" second             \
    "exists (x == 1)"

/* P0 writes 1 until it reads 1. In the first table P1 writes 0 once: before the first
 * write of P0, between the first two, or after the second one, which is then the last.
 * In the second one P1 reads x. If that is 1, it is of the first or the second write of
 * P0. Otherwise P1 waits until it can replace 1: that of the first write or of the
 * second. */
static const struct {
    const char *text;
    uint64_t executions;
} loops[] = {
    { LOOPS("LC00: | rmw.atom.wg.sc0 r1, x, 0 ;\n"
            "rmw.atom.wg.sc0 r0, x, 1 | ;\n"
            "beq r0, 0, LC00 | ;\n"),
      3 },
    { LOOPS("LC00: | ld.atom.wg.sc0 r1, x ;\n"
            "rmw.atom.wg.sc0 r0, x, 1 | beq r1, 1, LC11 ;\n"
            "beq r0, 0, LC00 | LC10: ;\n"
            "| rmw.atom.wg.sc0 r2, x, 0 ;\n"
            "| beq r2, 0, LC10 ;\n"
            "| LC11: ;\n"),
      4 },
};

CASE("loops");

/* Some hundred choices are enough. Locations that are not known to be coherent would
 * make more than a thousand necessary, and millions in larger loops. */
TEST_EACH(loops_of_read_modify_writes_are_enumerated_in_few_choices,
          G_N_ELEMENTS(loops))
{
    g_autoptr(weiri_litmus) test = litmus_read(loops[_i].text, loops[_i].text);
    const struct weiri_enumerate_options options
        = { .model = weiri_model_find("vulkan"), .most = 1000 };
    struct weiri_enumeration found = weiri_litmus_enumerate(
        test, WEIRI_LITMUS_ROUNDS | WEIRI_LITMUS_STOP_SPINS, &options);
    ck_assert(found.exhaustive);
    ck_assert_uint_eq(found.executions, loops[_i].executions);
    ck_assert_uint_eq(found.bounded, 0);
}

/* A loop of two exchanges, each of which writes 1 and goes back if it has read 0. A
 * second thread writes @other to x. If all values are 0 and 1, an exchange has two
 * ways, and a round two of going back and one of leaving. In three rounds these are 1 +
 * 2 + 4 ways of leaving, and 8 that reach the bound. If there are other values, an
 * exchange that changes the value may also have read one of these, which does not go
 * back. */
static void expect_paths(const char *other, uint32_t expected)
{
    g_autofree char *text = g_strdup_printf(
        LOOPS("LC00: | ld.atom.wg.sc0 r1, y ;\n"
              "rmw.atom.wg.sc0 r0, x, 1 | rmw.atom.wg.sc0 r2, x, %s ;\n"
              "beq r0, 0, LC00 | ;\n"
              "rmw.atom.wg.sc0 r0, x, 1 | ;\n"
              "beq r0, 0, LC00 | ;\n"),
        other);
    g_autoptr(weiri_litmus) test = litmus_read(text, text);
    struct weiri_program *program
        = weiri_litmus_program(test, 3 | WEIRI_LITMUS_STOP_SPINS);
    struct weiri_paths paths = program->paths->find(program->self, 0, false);
    EXPECT(paths.n == expected, "%s: %u paths, not %u", other, paths.n, expected);
    for (uint32_t p = 0; p < paths.n; p++) {
        g_free(paths.paths[p].events);
        g_free(paths.paths[p].steps);
    }
    g_free(paths.paths);
    weiri_litmus_program_free(program);
}

TEST(paths_are_those_of_the_values_that_the_code_writes)
{
    expect_paths("0", 1 + 2 + 4 + 8);
    expect_paths("2", 4 + 3 * 4 + 9 * 4 + 27);
    expect_paths("r1", 4 + 3 * 4 + 9 * 4 + 27);
}

/* ---- Orders of writes ------------------------------------------------------------ */

enum { WRITES = 5, DRAWN = 400 };

/* @go: pairs of places, the second one later; @after: by place: the write that comes
 * directly after it, plus 1; or 0 */
struct drawn {
    uint32_t n_go;
    uint32_t go[WRITES][2];
    uint32_t after[WRITES + 1];
};

static bool is_order(const struct drawn *drawn, const uint32_t *position)
{
    for (uint32_t i = 0; i < drawn->n_go; i++) {
        if (position[drawn->go[i][0]] > position[drawn->go[i][1]]) {
            return false;
        }
    }
    for (uint32_t place = 0; place <= WRITES; place++) {
        if (drawn->after[place] != 0
            && position[drawn->after[place]] != position[place] + 1) {
            return false;
        }
    }
    return true;
}

/* Counts the orders that begin with the places at the first @n positions, and notes in
 * @is_before which writes come before others in some of them. */
static uint32_t count_orders(const struct drawn *drawn, uint32_t *position, uint32_t n,
                             uint32_t left, bool is_before[][WRITES])
{
    uint32_t found = 0;
    if (left == 0) {
        found = is_order(drawn, position);
        for (uint32_t a = 0; a < WRITES; a++) {
            for (uint32_t b = 0; b < WRITES && found > 0; b++) {
                is_before[a][b] |= position[a + 1] < position[b + 1];
            }
        }
    }
    for (uint32_t w = 0; w < WRITES; w++) {
        if ((left >> w & 1) != 0) {
            position[w + 1] = n;
            found += count_orders(drawn, position, n + 1, left & ~(1U << w), is_before);
        }
    }
    return found;
}

/* Up to five pairs of places, and up to three writes that directly follow a place. No
 * write follows two places: it has one read. */
static bool draw(struct weiri_rng *rng, struct drawn *drawn,
                 struct weiri_coherence *coherence)
{
    bool may = true;
    weiri_coherence_begin(coherence, WRITES);
    for (drawn->n_go = 0; drawn->n_go < weiri_rng_below(rng, WRITES + 1);
         drawn->n_go++) {
        uint32_t *go = drawn->go[drawn->n_go];
        go[0] = weiri_rng_below(rng, WRITES + 1);
        go[1] = 1 + (go[0] + weiri_rng_below(rng, WRITES - 1)) % WRITES;
        if (go[0] != go[1]) {
            may = may && weiri_coherence_go(coherence, go[0], go[1], false);
        }
    }
    uint32_t n_after = weiri_rng_below(rng, 4);
    for (uint32_t w = 1; w <= n_after; w++) {
        uint32_t place = weiri_rng_below(rng, WRITES + 1);
        if (place != w && drawn->after[place] == 0) {
            drawn->after[place] = w;
            may = may && weiri_coherence_attach(coherence, place, w);
        }
    }
    return may && weiri_coherence_end(coherence);
}

TEST(writes_have_the_orders_that_keep_read_modify_writes_whole)
{
    struct weiri_rng rng = { 1 };
    uint32_t n_possible = 0;
    for (uint32_t i = 0; i < DRAWN; i++) {
        struct weiri_coherence coherence;
        struct drawn drawn = { 0 };
        uint32_t position[WRITES + 1] = { 0 };
        bool is_before[WRITES][WRITES] = { { false } };
        bool may = draw(&rng, &drawn, &coherence);
        uint32_t n = count_orders(&drawn, position, 1, (1U << WRITES) - 1, is_before);
        EXPECT(may == (n > 0), "program %u has %u orders", i, n);
        for (uint32_t a = 0; a < WRITES && may; a++) {
            for (uint32_t b = 0; b < WRITES; b++) {
                bool must = (coherence.before[b] >> a & 1) != 0;
                EXPECT(must == (is_before[a][b] && !is_before[b][a]),
                       "program %u: %u before %u", i, a, b);
            }
        }
        n_possible += may;
    }
    ck_assert_uint_gt(n_possible, DRAWN / 4);
    ck_assert_uint_lt(n_possible, DRAWN * 9 / 10);
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

TEST(limits_are_reported)
{
    g_autoptr(weiri_litmus) test = litmus_read(many, "many");
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
    g_auto(enumerated) coherent = enumerate(test, "rc11", ROUNDS);
    ck_assert(coherent.counts.exhaustive);
    /* 70 orders; in each a place for each read, none before that of the one before. */
    ck_assert_uint_eq(coherent.counts.executions, 70 * 165);
}

static bool stop_at_once(const struct weiri_candidate *candidate, void *user)
{
    ++*(int *)user;
    return candidate->execution == NULL;
}

TEST(a_visit_may_be_the_last)
{
    int n_visits = 0;
    g_autoptr(weiri_litmus) test = litmus_read(many, "many");
    const struct weiri_enumerate_options options
        = { .visit = stop_at_once, .user = &n_visits };
    ck_assert(!weiri_litmus_enumerate(test, ROUNDS, &options).exhaustive);
    ck_assert_int_eq(n_visits, 1);
}

/* Texts with more ways, events or decisions than there is time for. */
#define FENCES                                                                         \
    "for (int i = 0; i < 99; i++) { atomic_thread_fence(memory_order_seq_cst); "       \
    "atomic_thread_fence(memory_order_seq_cst); }"
TEST(a_test_that_is_too_large_is_reported)
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
        g_autoptr(weiri_litmus) test = litmus_read(text, text);
        const struct weiri_enumerate_options options
            = { .model = weiri_model_find("rc11"), .most = 3000 };
        EXPECT(!weiri_litmus_enumerate(test, 99, &options).exhaustive, "%s", text);
    }
}

MAIN("enumerate")
