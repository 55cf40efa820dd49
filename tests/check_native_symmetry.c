/* SPDX-License-Identifier: MIT
 *
 * check_native_symmetry.c: where interchangeable items are recognised, everything that
 * is counted and found is the same as without: each state with its number of
 * executions. */
#include "explored.h"

struct found {
    char *text; /* all but the counts below; owned */
    bool complete, wrong;
    uint64_t executions, interchangeable, orbits;
};

static void find(struct weir_device *device, const struct weir_kernel *kernel,
                 struct weir_nd_range range, const uint8_t *steps,
                 struct weir_launch_options options, struct found *found)
{
    interpreted_args args
        = { weir_new(device, uint32_t, 16, "x"), weir_new(device, uint32_t, 8, "y"),
            weir_new(device, uint32_t, 64, "out"), NULL, 0 };
    uint8_t *own = weir_new(device, uint8_t, 2 * STEPS * STEP_ITEMS, "steps");
    memset(args.x, 0, 16 * sizeof(*args.x));
    memset(args.y, 0, 8 * sizeof(*args.y));
    memset(args.out, 0, 64 * sizeof(*args.out));
    if (steps != NULL) {
        memcpy(own, steps, 2 * STEPS * STEP_ITEMS);
    }
    args.steps = own;
    GError *error = NULL;
    struct weir_report *report;
    bool scripts = steps != NULL;
    ck_assert_msg(weir_launch_sized_with(device, kernel, range, &args,
                                         scripts ? sizeof(args) : sizeof(words_args),
                                         &options, &report, &error),
                  "%s", error != NULL ? error->message : "");
    const struct weir_exploration *result = weir_report_exploration(report);
    ck_assert_msg(result->refused == NULL, "%s", result->refused);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < result->n_states; i++) {
        g_string_append_printf(text, "%s: %" G_GUINT64_FORMAT " %d\n",
                               result->states[i].text, result->states[i].executions,
                               result->states[i].holds);
    }
    g_string_append_printf(text,
                           "%" G_GUINT64_FORMAT " executions, %" G_GUINT64_FORMAT
                           " %" G_GUINT64_FORMAT "; racy %" G_GUINT64_FORMAT
                           " blocked %" G_GUINT64_FORMAT " cut %" G_GUINT64_FORMAT "\n",
                           result->executions, result->positive, result->negative,
                           result->racy, result->blocked, result->cut);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        g_string_append_printf(text, "%s\n", weir_report_finding(report, i)->message);
    }
    *found = (struct found){ .text = g_string_free(text, FALSE),
                             .complete = result->complete,
                             .wrong = weir_report_n_findings(report) > 0,
                             .executions = result->executions,
                             .interchangeable = result->interchangeable,
                             .orbits = result->orbits };
    weir_report_free(report);
    weir_free(device, args.x);
    weir_free(device, args.y);
    weir_free(device, args.out);
    weir_free(device, own);
}

/* Returns: what is found with symmetry, the same as without; or, if that is not
 * complete with as many executions as there are at most, with @complete false */
static struct found compare(struct weir_device *device,
                            const struct weir_kernel *kernel,
                            struct weir_nd_range range, const uint8_t *steps,
                            struct weir_launch_options options, const char *what)
{
    struct found all, found;
    find(device, kernel, range, steps, options, &all);
    options.symmetry = true;
    if (!all.complete) {
        g_free(all.text);
        return (struct found){ .complete = false };
    }
    options.max_executions = 0;
    find(device, kernel, range, steps, options, &found);
    ck_assert_msg(found.complete, "%s: incomplete", what);
    ck_assert_msg(strcmp(all.text, found.text) == 0, "%s:\n%s---\n%s", what, all.text,
                  found.text);
    ck_assert_uint_le(found.orbits, found.executions);
    ck_assert(found.orbits == 0 || found.interchangeable > 1);
    g_free(all.text);
    return found;
}

/* ---- Pairs ----------------------------------------------------------------------- */

CASE("pairs");

static bool first_is_not_last(const void *args, void *user)
{
    (void)user;
    return ((const interpreted_args *)args)->out[0] != 3;
}

static bool drew_all(const void *args, void *user)
{
    const uint32_t *out = ((const interpreted_args *)args)->out;
    (void)user;
    return out[0] + out[1] + out[2] + out[3] == 6;
}

/* A script of each of four items: a letter and a digit, which is a word, for each step.
 * @local of them are in a group. @orbits is 0 where something is wrong, or none are
 * interchangeable. For each kind of items with @executions orders there are as many
 * orbits as orders that differ in more than the names of items. */
static const struct {
    const char *what, *items;
    size_t local;
    bool (*post_condition)(const void *args, void *user);
    uint64_t executions, interchangeable, orbits;
} pairs[] = {
    { "tickets", "t0|t0|t0|t0", 1, NULL, 24, 4, 1 },
    { "tickets in a group", "t0|t0|t0|t0", 4, NULL, 24, 4, 1 },
    { "in two groups", "t0|t0|t0|t0", 2, NULL, 24, 4, 6 },
    { "an item less", "t0|t0|t0|", 1, NULL, 6, 3, 1 },
    { "another word", "t0|t0|t1|t1", 1, NULL, 4, 4, 1 },
    { "another operation", "t0|t0|e0|e0", 1, NULL, 24, 4, 6 },
    { "equal operands", "a0|a0|a0|a0", 1, NULL, 24, 4, 1 },
    { "other operands", "m0a0|m0a0|m0a0|m0a0", 1, NULL, 24, 0, 0 },
    { "other operands later", "t1m0a0|t1m0a0||", 1, NULL, 4, 2, 4 },
    { "two orders", "t0b0t1|t0b0t1|t0b0t1|t0b0t1", 4, NULL, 576, 4, 24 },
    { "two memory orders", "o0|o0|o0|o0", 1, NULL, 24, 4, 6 },
    { "a scan", "n0a0|n0a0|n0a0|n0a0", 4, NULL, 24, 0, 0 },
    { "readers", "l0|l0|l0|s0", 1, NULL, 8, 3, 4 },
    { "readers that are one", "l0|l0|l0|s1", 1, NULL, 1, 3, 1 },
    { "weak ones", "w0|w0||", 1, NULL, 5, 4, 3 },
    { "locks", "x0|x0|x0|x0", 1, NULL, 24, 4, 1 },
    { "locks by exchange", "X0|X0|X0|X0", 1, NULL, 24, 4, 1 },
    { "a lock that stays", "X0|X0|s0|", 1, NULL, 2, 0, 0 },
    { "a wait", "?0|?0|s0|", 1, NULL, 1, 2, 1 },
    { "a wait for ever", "?0|?0|s1|", 1, NULL, 0, 0, 0 },
    { "a race", "W0|W0|W0|", 1, NULL, 1, 0, 0 },
    { "a claim that is fair", "t0|t0|t0|t0", 1, drew_all, 24, 4, 1 },
    { "a claim that is not", "t0|t0|t0|t0", 1, first_is_not_last, 24, 0, 0 },
    { "an assertion", "t0A0|t0A0|t0A0|", 1, NULL, 0, 0, 0 },
    { "one that holds", "t0A0|t0A0||", 1, NULL, 2, 4, 1 },
};

static void read_script(const char *text, uint8_t *steps)
{
    static const char letters[] = "tafwgelscuxX.rW?mAonb";
    G_STATIC_ASSERT(sizeof(letters) == N_SCRIPT_CODES + 1);
    read_steps(text, letters, (const uint8_t[2]){ N_SCRIPT_CODES, 0 }, steps);
}

DEVICE_TEST_EACH(a_pair_has_the_same_executions, G_N_ELEMENTS(pairs))
{
    uint8_t steps[2 * STEPS * STEP_ITEMS];
    read_script(pairs[_i].items, steps);
    struct found found = compare(
        device, &scripted, weir_nd_range_1d(STEP_ITEMS, pairs[_i].local), steps,
        (struct weir_launch_options){ .explore = "sycl",
                                      .post_condition = pairs[_i].post_condition },
        pairs[_i].what);
    ck_assert(found.complete);
    if (!found.wrong || pairs[_i].post_condition != NULL) {
        ck_assert_msg(found.executions == pairs[_i].executions,
                      "%s: %" G_GUINT64_FORMAT, pairs[_i].what, found.executions);
    }
    ck_assert_msg(found.orbits == pairs[_i].orbits
                      && (found.orbits == 0
                          || found.interchangeable == pairs[_i].interchangeable),
                  "%s: %" G_GUINT64_FORMAT " items, %" G_GUINT64_FORMAT " orbits",
                  pairs[_i].what, found.interchangeable, found.orbits);
    g_free(found.text);
}

/* Most is left out before it is an execution: there is not one for each order. */
DEVICE_TEST(little_is_visited)
{
    static const struct {
        const struct weir_kernel *kernel;
        size_t n;
        uint64_t most, executions;
    } rows[] = { { &increments, 8, 1, 40320 },
                 { &cas_lock, 5, 24, 120 },
                 { &ticket_lock, 5, 1, 120 } };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct found found;
        find(device, rows[i].kernel, weir_nd_range_1d(rows[i].n, 1), NULL,
             (struct weir_launch_options){ .explore = "sycl",
                                           .symmetry = true,
                                           .max_executions = rows[i].most + 1 },
             &found);
        ck_assert_msg(found.complete, "kernel %zu", i);
        ck_assert_uint_eq(found.executions, rows[i].executions);
        ck_assert_uint_eq(found.orbits, 1);
        g_free(found.text);
    }
}

/* As many orders as are looked at in a state: those of eight of nine items. */
DEVICE_TEST(many_items_are_interchangeable_in_part)
{
    struct found found;
    find(device, &increments, weir_nd_range_1d(9, 1), NULL,
         (struct weir_launch_options){ .explore = "sycl", .symmetry = true }, &found);
    ck_assert(found.complete);
    ck_assert_uint_eq(found.executions, 362880);
    ck_assert_uint_eq(found.interchangeable, 8);
    ck_assert_uint_eq(found.orbits, 9);
    g_free(found.text);
}

/* Four of ten items take a ticket: of one sub-group, or two of each of two. */
DEVICE_TEST(sub_groups_have_items_of_their_own)
{
    static const struct {
        uint32_t sub_group;
        uint64_t orbits;
    } rows[] = { { 16, 1 }, { 8, 6 } };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct found found
            = compare(device, &late_tickets, weir_nd_range_1d(10, 10), NULL,
                      (struct weir_launch_options){
                          .explore = "sycl", .sub_group_size = rows[i].sub_group },
                      "sub-groups");
        ck_assert_uint_eq(found.executions, 24);
        ck_assert_uint_eq(found.interchangeable, 10);
        ck_assert_uint_eq(found.orbits, rows[i].orbits);
        g_free(found.text);
    }
}

/* ---- Kernels --------------------------------------------------------------------- */

CASE("kernels");

static const struct {
    const struct weir_kernel *kernel;
    size_t n, local;
} kernels[] = {
    { &increments, 4, 1 },
    { &writers_and_readers, 2, 1 },
    { &cas_lock, 3, 1 },
    { &cas_lock, 3, 3 },
    { &ticket_lock, 3, 1 },
    { &global_barrier, 3, 1 },
    { &last_of_groups, 3, 1 },
    { &weak_lock, 2, 1 },
    { &weak_c11_lock, 2, 1 },
    { &weak_once, 3, 1 },
    { &weak_increments, 2, 1 },
    { &lose_an_increment, 3, 1 },
    { &wait_for_group_before, 3, 1 },
    { &wait_for_each_other, 2, 1 },
    { &three_tries, 2, 1 },
    { &shuffle, 4, 4 },
    { &skip_a_barrier, 2, 2 },
    { &assert_nothing_came, 2, 1 },
};

DEVICE_TEST_EACH(a_kernel_has_the_same_executions, G_N_ELEMENTS(kernels))
{
    struct found found = compare(
        device, kernels[_i].kernel, weir_nd_range_1d(kernels[_i].n, kernels[_i].local),
        NULL, (struct weir_launch_options){ .explore = "sycl" }, "a kernel");
    g_free(found.text);
}

/* Options that share a launch's executions, or look only at some, exclude it. */
DEVICE_TEST(symmetry_is_of_whole_explorations)
{
    static const struct weir_launch_options wrong[] = {
        { .symmetry = true },
        { .explore = "sycl", .symmetry = true, .jobs = 2 },
        { .explore = "sycl", .symmetry = true, .resident = 1 },
        { .explore = "sycl", .symmetry = true, .samples = 1 },
        { .explore = "sycl", .symmetry = true, .bounded = true },
        { .explore = "sycl", .symmetry = true, .litmus = true },
        { .explore = "sycl", .symmetry = true, .plain_events = true },
    };
    words_args args = { weir_new(device, uint32_t, 1, "x"), NULL, NULL };
    args.x[0] = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(!weir_launch_sized_with(device, &increments, weir_nd_range_1d(2, 1),
                                          &args, sizeof(args), &wrong[i], NULL,
                                          &error));
        ck_assert_int_eq(error->code, WEIR_ERROR_ARGUMENT);
        ck_assert_msg(strstr(error->message, "symmetry") != NULL, "%s", error->message);
    }
}

/* ---- Any programs ---------------------------------------------------------------- */

CASE("any programs", .seconds = 600);

/* Some programs, of which items have one each, or one with a step of another. */
static void draw(uint64_t *state, size_t local, size_t n_items, uint8_t *steps)
{
    uint8_t programs[2][STEPS][2];
    bool meets[STEPS];
    size_t last = random_between(state, 0, 3) == 0 ? N_SCRIPT_CODES : SCRIPT_SIMPLE;
    size_t n_words = random_between(state, 1, STEP_WORDS),
           n_steps = random_between(state, 1, STEPS);
    for (size_t s = 0; s < STEPS; s++) {
        meets[s] = local > 1 && random_between(state, 0, 3) == 0;
        for (size_t p = 0; p < 2; p++) {
            programs[p][s][0] = s >= n_steps
                ? N_SCRIPT_CODES
                : (uint8_t)random_between(state, 0, MIN(last, SCRIPT_SCAN) - 1);
            if (s < n_steps && random_between(state, 0, 3) == 0) {
                programs[p][s][0] = SCRIPT_TAKE;
            }
            programs[p][s][1] = (uint8_t)random_between(state, 0, n_words - 1);
        }
    }
    bool two = random_between(state, 0, 2) == 0;
    for (size_t i = 0; i < n_items; i++) {
        size_t p = two ? random_between(state, 0, 1) : 0;
        memcpy(steps + i * STEPS * 2, programs[p], sizeof(programs[p]));
        if (random_between(state, 0, 9) == 0) {
            size_t s = random_between(state, 0, n_steps - 1);
            steps[(i * STEPS + s) * 2] = (uint8_t)random_between(state, 0, last - 1);
        }
        for (size_t s = 0; s < STEPS; s++) {
            uint8_t *code = &steps[(i * STEPS + s) * 2];
            bool after = s > 0 && code[-2] == SCRIPT_UNLESS;
            uint8_t other
                = *code >= SCRIPT_SCAN && *code < N_SCRIPT_CODES ? SCRIPT_FENCE : *code;
            *code = !meets[s] || after  ? other
                : programs[1][s][1] > 0 ? SCRIPT_SCAN
                                        : SCRIPT_BARRIER;
        }
    }
}

DEVICE_TEST(any_programs_have_the_same_executions)
{
    static const char *const models[] = { "sycl", "rc11", "sycl-split", "sc" };
    uint64_t n_reduced = 0, n_complete = 0, n = scaled(200, 60);
    for (uint64_t seed = 0; seed < n; seed++) {
        uint64_t state = seed;
        uint8_t steps[2 * STEPS * STEP_ITEMS] = { 0 };
        size_t n_items = random_between(&state, 2, STEP_ITEMS);
        size_t local = random_between(&state, 0, 1) == 0 ? 1 : n_items;
        draw(&state, local, n_items, steps);
        g_autofree char *what = g_strdup_printf("seed %" G_GUINT64_FORMAT, seed);
        struct weir_launch_options options = { .explore = models[seed % 4],
                                               .max_executions = 3000,
                                               .time_limit_ms = 60000 };
        struct found found = compare(
            device, &scripted, weir_nd_range_1d(n_items, local), steps, options, what);
        n_reduced += found.orbits > 0 && found.orbits < found.executions;
        n_complete += found.complete;
        g_free(found.text);
    }
    ck_assert_uint_gt(n_reduced, n / 4);
    ck_assert_uint_gt(n_complete, n * 3 / 4);
}

MAIN("native-symmetry")
