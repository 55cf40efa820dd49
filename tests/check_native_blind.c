/* SPDX-License-Identifier: MIT
 *
 * check_native_blind.c: where the order of atomic operations is left out of an
 * exploration, the same final states, races and waits are found as with it. An
 * exploration leaves it out where an execution is long: each program is explored as it
 * is, and with another group that does nothing but take many steps. */
#include "explored.h"

#include "model/explore.h"

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
        = { weir_new(device, uint32_t, STEP_WORDS + 1, "x"),
            weir_new(device, uint32_t, 1, "y"),
            weir_new(device, uint32_t, (STEPS + 1) * STEP_ITEMS, "out"), NULL,
            ballast };
    uint8_t *own = weir_new(device, uint8_t, 2 * STEPS * STEP_ITEMS, "steps");
    memset(args.x, 0, (STEP_WORDS + 1) * sizeof(*args.x));
    args.y[0] = 0;
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
    weir_free(device, args.y);
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
    /* Where executions end at races, their number depends on which comes first. */
    ck_assert(plain.racy || blind.executions <= plain.executions);
    g_free(plain.states);
    return blind;
}

/* ---- Pairs ----------------------------------------------------------------------- */

CASE("pairs");

/* Four items, a group each, or all in one, of a step for each pair of a letter and a
 * digit, which is a word. */
static const struct {
    const char *what, *items, *model;
    size_t local, unordered;
    bool racy;
} pairs[] = {
    { "unused results", "a0a0|a0a0|a0|", "sycl", 1, 1, false },
    { "two words", "a0a1|a1a0|a0|", "sycl", 1, 2, false },
    { "one is used", "a0|a0|t0|", "sycl", 1, 0, false },
    { "one is used at the end", "a0|a0|k0a1|", "sycl", 1, 0, false },
    { "one is only compared", "a0|a0|q0|", "sycl", 1, 0, false },
    { "one is used for one value", "n2b0|y0b0a1j1|b0|b0a1", "sycl", 4, 0, false },
    { "for other values", "n2b0|y0b0a1J1|b0|b0a1", "sycl", 4, 0, false },
    { "an unordered read", "a0|a0|l0|", "sycl", 1, 0, false },
    { "an unordered read under sc", "a0|a0|r0|", "sc", 1, 0, false },
    { "an unordered plain read", "a0|a0|r0|", "sycl", 1, 1, true },
    { "an ordered read", "a0b0r0|a0b0|a0b0|b0", "sycl", 4, 1, false },
    { "an ordered read, where spaces are apart", "a0b0r0|a0b0|a0b0|b0", "sycl-split", 4,
      1, false },
    { "a write before", "w0b0a0b0|b0a0b0r0|b0b0|b0b0", "sycl", 4, 1, false },
    { "two operations", "a0|o0|a0|", "sycl", 1, 0, false },
    { "another operation", "o0|o0|o0|", "sycl", 1, 1, false },
    { "too narrow a scope", "m0|m0||", "sycl", 1, 1, true },
    { "the scope of a group", "m0|m0|m0|", "sycl", 4, 1, false },
    { "a message by a release", "w0A1|l1r0|a1|", "sycl", 1, 0, true },
    { "a message by an acquire", "w0A1|B1r0||", "sycl", 1, 0, true },
    { "nothing to be acquired", "B0|B0|B0|B0", "sycl", 1, 1, false },
    { "a message by a fence", "w0A1|a1f0r0||", "sycl", 1, 0, true },
    { "an order that only sc knows", "S0a1|a1l0|a1|", "sc", 1, 1, false },
};

/* The code after the last step reads a word that nothing writes. */
static void read_pair(const char *text, uint8_t *steps)
{
    static const char letters[] = "aABomtklSrwfiynqjJb";
    G_STATIC_ASSERT(sizeof(letters) == N_STEP_CODES + 1);
    read_steps(text, letters, (const uint8_t[2]){ STEP_READ, STEP_WORDS }, steps);
}

DEVICE_TEST_EACH(a_pair_has_the_same_ends, G_N_ELEMENTS(pairs))
{
    uint8_t steps[2 * STEPS * STEP_ITEMS];
    read_pair(pairs[_i].items, steps);
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
            bool meets = local > 1 && random_between(&state, 0, 2) == 0;
            for (size_t i = 0; i < STEP_ITEMS; i++) {
                uint8_t *step = steps + (i * STEPS + s) * 2;
                /* Half of the steps are updates. */
                step[0]
                    = (uint8_t)(meets ? STEP_BARRIER
                                      : random_between(&state, 0, STEP_BARRIER - 1));
                step[0]
                    = !meets && random_between(&state, 0, 1) == 0 ? STEP_ADD : step[0];
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

/* ---- Executions as values -------------------------------------------------------- */

CASE("executions");

/* Threads that take the same steps for all values that they read. */
static const struct weiri_step meet_step = { .kind = WEIRI_STEP_ENTER,
                                             .spaces = WEIR_LOCAL | WEIR_GLOBAL,
                                             .scope = memory_scope_work_group },
                               write_step = { .kind = WEIRI_STEP_WRITE, .value = 5 },
                               read_step = { .kind = WEIRI_STEP_READ },
                               add_step
    = { .kind = WEIRI_STEP_BLIND, .atomic = true, .scope = memory_scope_device },
                               end_step = { .kind = WEIRI_STEP_END };
static const struct weiri_step *const threads[][12] = {
    { &write_step, &meet_step, &add_step, &meet_step, &read_step, &meet_step,
      &write_step, &meet_step, &read_step, &meet_step, &end_step },
    { &meet_step, &add_step, &meet_step, &read_step, &meet_step, &meet_step, &meet_step,
      &add_step, &end_step },
    { &meet_step, &add_step, &meet_step, &meet_step, &meet_step, &read_step, &meet_step,
      &add_step, &add_step, &end_step },
};

static void set_step(uint32_t thread, void *state, uint32_t at, struct weiri_step *next)
{
    memcpy(state, &at, sizeof(at));
    *next = *threads[thread][at];
}

static void start(void *self, uint32_t thread, void *state, struct weiri_step *next)
{
    (void)self;
    set_step(thread, state, 0, next);
}

static void resume(void *self, uint32_t thread, void *state, int64_t value, bool wrote,
                   struct weiri_step *next)
{
    uint32_t at;
    (void)self, (void)value, (void)wrote;
    memcpy(&at, state, sizeof(at));
    set_step(thread, state, at + 1, next);
}

static bool update(void *self, uint32_t thread, const void *state, int64_t value,
                   int64_t *written)
{
    uint32_t at;
    (void)self;
    memcpy(&at, state, sizeof(at));
    *written = value + (1 << (8 * thread)) * (at > 4 ? 16 : 1);
    return true;
}

/* Each read-modify-write reads from the write before its own; each read, what the
 * barriers around it say. */
static bool check_execution(void *user, const struct weiri_graph *graph, bool race)
{
    struct weiri_execution *execution = weiri_graph_execution(graph);
    uint32_t n_writes = 0, n_after_adds = 0, n_after_write = 0;
    ck_assert(!race);
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        ck_assert_uint_eq(event->index, e - execution->first[event->thread]);
        if (event->kind == WEIRI_WRITES_MEMORY) {
            n_writes++;
            if (event->position == 7) {
                ck_assert_int_eq(execution->memory[0], event->value);
            }
        } else if (event->kind == WEIRI_READS_MEMORY) {
            const struct weiri_execution_event *from = &execution->events[event->from];
            ck_assert_int_eq(event->value, from->value);
            ck_assert_int_eq(from->kind, WEIRI_WRITES_MEMORY);
            if (event->update) {
                ck_assert_uint_eq(event[1].position, from->position + 1);
                ck_assert_int_ne(event[1].value, event->value);
            } else {
                n_after_adds += from->position == 3 && event->value == 5 + 0x010101;
                n_after_write += from->position == 4 && event->value == 5;
            }
        }
    }
    ck_assert_uint_eq(n_writes, 8);
    ck_assert_uint_eq(n_after_adds, 2);
    ck_assert_uint_eq(n_after_write, 2);
    ck_assert_int_eq(execution->memory[0], 5 + 16 * 0x020100);
    weiri_execution_free(execution);
    ++*(uint32_t *)user;
    return true;
}

TEST(an_execution_has_blind_updates_in_an_order)
{
    const struct weiri_program_thread places[]
        = { { .sub_group = 0 }, { .sub_group = 1 }, { .sub_group = 2 } };
    const struct weiri_program_location x = { .name = "x", .space = WEIR_GLOBAL };
    const struct weiri_program program = { .n_threads = 3,
                                           .n_locations = 1,
                                           .threads = places,
                                           .locations = &x,
                                           .state_bytes = sizeof(uint32_t),
                                           .start = start,
                                           .resume = resume,
                                           .update = update };
    uint32_t n = 0;
    const struct weiri_explore_options how = { .model = WEIRI_EXPLORED_SYCL,
                                               .races = true,
                                               .stop_at_race = true,
                                               .execution = check_execution,
                                               .user = &n };
    struct weiri_exploration done = weiri_explore(&program, &how);
    ck_assert(done.complete);
    ck_assert_uint_eq(done.executions, 1);
    ck_assert_uint_eq(n, 1);
}

MAIN("native-blind")
