/* SPDX-License-Identifier: MIT
 *
 * check_native_blind.c: where the order of atomic operations is left out of an
 * exploration, the same final states, races and waits are found as with it. An
 * exploration leaves it out where an execution is long: each program is explored as it
 * is, and with another group that does nothing but take many steps. */
#include "native_kernels.h"
#include "support.h"

enum { BALLAST = 4200 };

struct found {
    char *states; /* a line each; owned */
    bool racy, blocked, complete;
    uint64_t executions, unordered;
};

static void find(struct weir_device *device, struct weir_nd_range range,
                 const uint8_t *steps, uint32_t ballast, const char *model,
                 struct found *found)
{
    interpreted_args args
        = { weir_new(device, uint32_t, STEP_WORDS, "x"),
            weir_new(device, uint32_t, (STEPS + 1) * STEP_ITEMS, "out"), NULL,
            ballast };
    uint8_t *own = weir_new(device, uint8_t, 2 * STEPS * STEP_ITEMS, "steps");
    memset(args.x, 0, STEP_WORDS * sizeof(*args.x));
    memset(args.out, 0, (STEPS + 1) * STEP_ITEMS * sizeof(*args.out));
    memcpy(own, steps, 2 * STEPS * STEP_ITEMS);
    args.steps = own;
    GError *error = NULL;
    struct weir_report *report;
    bool done = weir_launch_sized_with(
        device, &interpreted, range, &args, sizeof(args),
        &(struct weir_launch_options){ .explore = model, .time_limit_ms = 60000 },
        &report, &error);
    ck_assert_msg(done, "%s", error != NULL ? error->message : "");
    const struct weir_exploration *result = weir_report_exploration(report);
    ck_assert_msg(result->refused == NULL, "%s", result->refused);
    GString *states = g_string_new(NULL);
    for (size_t i = 0; i < result->n_states; i++) {
        g_string_append_printf(states, "%s\n", result->states[i].text);
    }
    *found = (struct found){ .states = g_string_free(states, FALSE),
                             .racy = result->racy > 0,
                             .blocked = result->blocked > 0,
                             .complete = result->complete,
                             .executions = result->executions,
                             .unordered = result->unordered };
    weir_report_free(report);
    weir_free(device, args.x);
    weir_free(device, args.out);
    weir_free(device, own);
}

/* Returns: what is found with the ballast, to be freed; all but counts are compared */
static struct found compare(struct weir_device *device, size_t n_items, size_t local,
                            const uint8_t *steps, const char *model, const char *what)
{
    struct found plain, blind;
    find(device, weir_nd_range_1d(n_items + local, local), steps, 0, model, &plain);
    find(device, weir_nd_range_1d(n_items + local, local), steps, BALLAST, model,
         &blind);
    ck_assert_msg(plain.complete && blind.complete, "%s: incomplete", what);
    ck_assert_uint_eq(plain.unordered, 0);
    ck_assert_msg(plain.racy == blind.racy, "%s: races", what);
    ck_assert_msg(plain.blocked == blind.blocked, "%s: waits", what);
    ck_assert_msg(strcmp(plain.states, blind.states) == 0, "%s: states\n%s---\n%s",
                  what, plain.states, blind.states);
    ck_assert_uint_le(blind.executions, plain.executions);
    g_free(plain.states);
    return blind;
}

/* ---- Pairs ----------------------------------------------------------------------- */

CASE("pairs");

/* Four items, a group each, or all in one, of a step for each pair of a letter and a
 * digit, which is a word. */
static const struct {
    const char *what, *items[4], *model;
    size_t local, unordered;
    bool racy;
} pairs[] = {
    { "unused results", { "a0a0", "a0a0", "a0", "" }, "sycl", 1, 1, false },
    { "two words", { "a0a1", "a1a0", "a0", "" }, "sycl", 1, 2, false },
    { "one is used", { "a0", "a0", "t0", "" }, "sycl", 1, 0, false },
    { "one is used at the end", { "a0", "a0", "k0a1", "" }, "sycl", 1, 0, false },
    { "an unordered read", { "a0", "a0", "l0", "" }, "sycl", 1, 0, false },
    { "an ordered read", { "a0b0r0", "a0b0", "a0b0", "b0" }, "sycl", 4, 1, false },
    { "a plain read that is not ordered",
      { "a0", "a0", "r0", "" },
      "sycl",
      1,
      1,
      true },
    { "a write before",
      { "w0b0a0b0", "b0a0b0r0", "b0b0", "b0b0" },
      "sycl",
      4,
      1,
      false },
    { "two operations", { "a0", "o0", "a0", "" }, "sycl", 1, 0, false },
    { "one operation that is not addition",
      { "o0", "o0", "o0", "" },
      "sycl",
      1,
      1,
      false },
    { "a scope that is too narrow", { "m0", "m0", "", "" }, "sycl", 1, 1, true },
    { "the scope of a group", { "m0", "m0", "m0", "" }, "sycl", 4, 1, false },
    { "a message by a release", { "w0A1", "l1r0", "a1", "" }, "sycl", 1, 0, true },
    { "a message by an acquire whose result is not used",
      { "w0A1", "B1r0", "", "" },
      "sycl",
      1,
      0,
      true },
    { "acquiring, and nothing to be acquired",
      { "B0", "B0", "B0", "B0" },
      "sycl",
      1,
      1,
      false },
    { "a message by a fence", { "w0A1", "a1f0r0", "", "" }, "sycl", 1, 0, true },
    { "an order that only sc knows", { "S0a1", "a1l0", "a1", "" }, "sc", 1, 1, false },
};

static void read_steps(const char *const *items, uint8_t *steps)
{
    static const char letters[] = "aABomtklSrwfib";
    G_STATIC_ASSERT(sizeof(letters) == N_STEP_CODES + 1);
    for (size_t i = 0; i < STEP_ITEMS; i++) {
        for (size_t s = 0; s < STEPS; s++) {
            /* What follows the last step reads a word that nothing writes. */
            bool there = strlen(items[i]) > 2 * s;
            steps[(i * STEPS + s) * 2] = there
                ? (uint8_t)(strchr(letters, items[i][2 * s]) - letters)
                : STEP_READ;
            steps[(i * STEPS + s) * 2 + 1]
                = there ? (uint8_t)(items[i][2 * s + 1] - '0') : STEP_WORDS - 1;
        }
    }
}

DEVICE_TEST_EACH(a_pair_has_the_same_ends, G_N_ELEMENTS(pairs))
{
    uint8_t steps[2 * STEPS * STEP_ITEMS];
    read_steps(pairs[_i].items, steps);
    struct found found = compare(device, STEP_ITEMS, pairs[_i].local, steps,
                                 pairs[_i].model, pairs[_i].what);
    ck_assert_uint_eq(found.unordered, pairs[_i].unordered);
    ck_assert_int_eq(found.racy, pairs[_i].racy);
    g_free(found.states);
}

/* ---- Any programs ---------------------------------------------------------------- */

CASE("any programs");

DEVICE_TEST(any_programs_have_the_same_ends)
{
    /* A long execution takes long to be judged under sc. */
    static const char *const models[] = { "sycl", "rc11", "sycl-split" };
    uint64_t n_blind = 0;
    for (uint64_t seed = 0; seed < scaled(60, 6); seed++) {
        uint64_t state = seed;
        uint8_t steps[2 * STEPS * STEP_ITEMS];
        size_t local = random_between(&state, 0, 1) == 0 ? 1 : STEP_ITEMS - 1;
        for (size_t s = 0; s < STEPS; s++) {
            bool meet = local > 1 && random_between(&state, 0, 2) == 0;
            for (size_t i = 0; i < STEP_ITEMS; i++) {
                uint8_t *step = steps + (i * STEPS + s) * 2;
                /* Half of the steps are updates. */
                step[0] = (uint8_t)(meet ? STEP_BARRIER
                                         : random_between(&state, 0, STEP_BARRIER - 1));
                step[0]
                    = !meet && random_between(&state, 0, 1) == 0 ? STEP_ADD : step[0];
                step[1] = (uint8_t)random_between(&state, 0, STEP_WORDS - 1);
            }
        }
        g_autofree char *what = g_strdup_printf("seed %" G_GUINT64_FORMAT, seed);
        struct found found
            = compare(device, STEP_ITEMS - 1, local, steps, models[seed % 3], what);
        n_blind += found.unordered > 0;
        g_free(found.states);
    }
    ck_assert_uint_gt(n_blind, 0);
}

MAIN("native-blind")
