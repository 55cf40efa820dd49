/* SPDX-License-Identifier: MIT
 *
 * check_native_locks.c: locks and algorithms without locks, explored: as they are in
 * textbooks, and with each order weaker or each scope narrower in turn. Each row says
 * what follows, and why. */
#include "native_locks.h"
#include "support.h"

#include <inttypes.h>
#include <weir-model.h>

enum { WORDS = 16 };

/* The expected findings of an exploration. All are exhaustive. */
enum verdict {
    RIGHT,
    DATA_RACE,
    SCOPE_RACE,
    WRONG, /* no race, and a wrong result */
};

/**
 * algorithm:
 * @local: 0: each item is a group, so that scopes must include groups
 * @x: at the start
 * @executions: 0: any number
 */
struct algorithm {
    const struct weir_kernel *kernel;
    size_t global, local;
    uint32_t x[4];
    memory_order order[MOST_OPERATIONS];
    bool (*holds)(const void *args, void *user);
    enum verdict verdict;
    uint64_t executions;
};

/* One operation of it is weaker. */
struct mutant {
    const struct algorithm *of;
    int operation;
    int order, scope; /* -1: as it is */
    enum verdict verdict;
};

/* ---- Claims ---------------------------------------------------------------------- */

static bool all_were_in(const void *args, void *user)
{
    return ((const locks_args *)args)->y[0] == ((const struct algorithm *)user)->global;
}

static bool each_task_is_done(const void *args, void *user)
{
    const uint32_t *out = ((const locks_args *)args)->out;
    (void)user;
    return out[0] == 10 && out[1] == 20 && out[2] == 11 && out[3] == 21;
}

static bool pairs_belong_together(const void *args, void *user)
{
    const uint32_t *out = ((const locks_args *)args)->out;
    (void)user;
    return out[2] == out[3] && out[4] == out[5];
}

static bool sums_are_right(const void *args, void *user)
{
    const uint32_t *out = ((const locks_args *)args)->out;
    bool right = true;
    for (uint32_t g = 0; g < ((const struct algorithm *)user)->global; g++) {
        right &= out[g] == g * (g + 1) / 2;
    }
    return right;
}

/* Each cell in @cells, a bit each, is in the stack or in one item's hands. */
static bool each_cell_is_once(const locks_args *args, uint32_t cells)
{
    uint32_t left = cells;
    for (uint32_t i = 0; i < 2; i++) {
        if (args->out[i] < WORDS && args->out[i] != 0) {
            if ((left >> args->out[i] & 1) == 0) {
                return false;
            }
            left &= ~(UINT32_C(1) << args->out[i]);
        }
    }
    for (uint32_t at = args->x[0] & 0xffff; at != 0; at = args->x[at]) {
        if ((left >> at & 1) == 0) {
            return false;
        }
        left &= ~(UINT32_C(1) << at);
    }
    return left == 0;
}

static bool no_cell_is_lost(const void *args, void *user)
{
    (void)user;
    return each_cell_is_once(args, 1u << 1 | 1u << 2 | 1u << 3);
}

static bool what_was_filled_comes(const void *args, void *user)
{
    const uint32_t *out = ((const locks_args *)args)->out;
    (void)user;
    return out[1] == 10 * out[0] && each_cell_is_once(args, 1u << 4 | 1u << 5);
}

/* ---- Exploring ------------------------------------------------------------------- */

static bool has(const struct weir_report *report, enum weir_finding_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        found |= weir_report_finding(report, i)->kind == kind;
    }
    return found;
}

static enum verdict verdict_of(const struct weir_report *report,
                               const struct weir_exploration *found)
{
    return has(report, WEIR_FINDING_SCOPE_RACE) ? SCOPE_RACE
        : has(report, WEIR_FINDING_DATA_RACE)   ? DATA_RACE
        : found->negative > 0                   ? WRONG
                                                : RIGHT;
}

static locks_args args_new(struct weir_device *device,
                           const struct algorithm *algorithm, const struct ways *ways)
{
    locks_args args = { .x = weir_new(device, uint32_t, WORDS, "x"),
                        .y = weir_new(device, uint32_t, WORDS, "y"),
                        .out = weir_new(device, uint32_t, WORDS, "out"),
                        .ways = *ways };
    memset(args.x, 0, WORDS * sizeof(*args.x));
    memset(args.y, 0, WORDS * sizeof(*args.y));
    memset(args.out, 0, WORDS * sizeof(*args.out));
    memcpy(args.x, algorithm->x, sizeof(algorithm->x));
    return args;
}

static void args_free(struct weir_device *device, const locks_args *args)
{
    weir_free(device, args->x);
    weir_free(device, args->y);
    weir_free(device, args->out);
}

static void expect(struct weir_device *device, const struct algorithm *algorithm,
                   const struct ways *ways, enum verdict verdict, const char *what)
{
    locks_args args = args_new(device, algorithm, ways);
    const struct weir_launch_options options
        = { .explore = "sycl",
            .post_condition = algorithm->holds,
            .post_condition_user = (void *)algorithm };
    struct weir_report *report = LAUNCH(
        device, algorithm->kernel,
        weir_nd_range_1d(algorithm->global, MAX(algorithm->local, 1)), &args, &options);
    const struct weir_exploration *found = weir_report_exploration(report);
    ck_assert_msg(found->refused == NULL, "%s, %s: %s", algorithm->kernel->name, what,
                  found->refused);
    ck_assert_msg(found->complete, "%s, %s: incomplete", algorithm->kernel->name, what);
    ck_assert_msg(found->blocked == 0, "%s, %s: does not end", algorithm->kernel->name,
                  what);
    ck_assert_msg(verdict_of(report, found) == verdict, "%s, %s: verdict %d, not %d",
                  algorithm->kernel->name, what, verdict_of(report, found), verdict);
    ck_assert_msg((weir_report_n_findings(report) == 0) == (verdict == RIGHT),
                  "%s, %s: %zu findings", algorithm->kernel->name, what,
                  weir_report_n_findings(report));
    if (verdict == RIGHT && algorithm->executions != 0) {
        ck_assert_msg(found->executions == algorithm->executions,
                      "%s, %s: %" PRIu64 " executions, not %" PRIu64,
                      algorithm->kernel->name, what, found->executions,
                      algorithm->executions);
    }
    weir_report_free(report);
    args_free(device, &args);
}

static struct ways ways_of(const struct algorithm *algorithm)
{
    struct ways ways;
    for (size_t i = 0; i < MOST_OPERATIONS; i++) {
        ways.order[i] = algorithm->order[i];
        ways.scope[i] = memory_scope_device;
    }
    return ways;
}

static void expect_as_written(struct weir_device *device,
                              const struct algorithm *algorithm)
{
    const struct ways ways = ways_of(algorithm);
    expect(device, algorithm, &ways, algorithm->verdict, "as written");
}

/* Under each model that can be explored the test that is written of the kernel has the
 * same executions. */
static void expect_litmus(struct weir_device *device, const struct algorithm *algorithm,
                          const struct ways *ways, const char *model)
{
    const char *name = algorithm->kernel->name;
    locks_args args = args_new(device, algorithm, ways);
    const struct weir_launch_options options
        = { .explore = model,
            .litmus = true,
            .post_condition = algorithm->holds,
            .post_condition_user = (void *)algorithm };
    struct weir_report *report = LAUNCH(
        device, algorithm->kernel,
        weir_nd_range_1d(algorithm->global, MAX(algorithm->local, 1)), &args, &options);
    const struct weir_exploration *found = weir_report_exploration(report);
    ck_assert_msg(found->litmus != NULL, "%s, %s: %s", name, model, found->no_litmus);
    struct weir_litmus_options asked = { .model = WEIR_MODEL_SYCL };
    GError *error = NULL;
    struct weir_litmus *test
        = weir_litmus_parse(found->litmus, strlen(found->litmus), "<litmus>", &error);
    ck_assert_msg(test != NULL, "%s, %s: %s", name, model,
                  error != NULL ? error->message : "");
    ck_assert(weir_model_find(model, &asked.model, NULL));
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &asked, NULL);
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    ck_assert_msg(
        verdict->complete && found->complete && verdict->executions == found->executions
            && verdict->blocked == found->blocked && verdict->race == (found->racy > 0),
        "%s, %s: %" PRIu64 " executions, not %" PRIu64 ":\n%s", name, model,
        verdict->executions, found->executions, found->litmus);
    /* It asks for a wrong state, or claims that there are no others. */
    ck_assert_msg(verdict->holds, "%s, %s: its claim is false", name, model);
    weir_litmus_answer_free(answer);
    weir_litmus_free(test);
    weir_report_free(report);
    args_free(device, &args);
}

static void expect_mutant(struct weir_device *device, const struct mutant *mutant)
{
    struct ways ways = ways_of(mutant->of);
    g_autofree char *what
        = g_strdup_printf("operation %d with order %d, scope %d", mutant->operation,
                          mutant->order, mutant->scope);
    if (mutant->order >= 0) {
        ways.order[mutant->operation] = (memory_order)mutant->order;
    }
    if (mutant->scope >= 0) {
        ways.scope[mutant->operation] = (memory_scope)mutant->scope;
    }
    expect(device, mutant->of, &ways, mutant->verdict, what);
    /* Where accesses of a loop race `weir litmus` counts its rounds. */
    if (mutant->scope < 0) {
        expect_litmus(device, mutant->of, &ways, "sycl");
    }
}

/* ---- Algorithms ------------------------------------------------------------------ */

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel
#define SEQ_CST memory_order_seq_cst
#define GROUP memory_scope_work_group

/* Locks: as many executions as orders of items. */
static const struct algorithm cas_lock = { .kernel = &cas_lock_by,
                                           .global = 4,
                                           .order = { ACQ_REL, RELEASE },
                                           .holds = all_were_in,
                                           .executions = 24 };
static const struct algorithm cas_lock_of_group = { .kernel = &cas_lock_by,
                                                    .global = 4,
                                                    .local = 4,
                                                    .order = { ACQ_REL, RELEASE },
                                                    .holds = all_were_in,
                                                    .executions = 24 };
static const struct algorithm ticket_lock = { .kernel = &ticket_lock_by,
                                              .global = 4,
                                              .order = { ACQ_REL, ACQUIRE, RELEASE },
                                              .holds = all_were_in,
                                              .executions = 24 };
/* Either item is first, and either has not seen the flag of the other, or has seen its
 * later turn. */
static const struct algorithm peterson
    = { .kernel = &peterson_by,
        .global = 2,
        .order = { SEQ_CST, SEQ_CST, SEQ_CST, SEQ_CST, SEQ_CST },
        .holds = all_were_in,
        .executions = 4 };
static const struct algorithm steal = { .kernel = &steal_by,
                                        .global = 2,
                                        .order = { RELEASE, ACQUIRE, ACQ_REL },
                                        .holds = each_task_is_done };
/* A thief counts a task that it cannot know of: the task is lost. */
static const struct algorithm steal_unseen = { .kernel = &steal_unseen_by,
                                               .global = 2,
                                               .order = { RELEASE, ACQUIRE, ACQ_REL },
                                               .holds = each_task_is_done,
                                               .verdict = WRONG };
/* Each of two readers reads both values before or after the write. */
static const struct algorithm seqlock
    = { .kernel = &seqlock_by,
        .global = 3,
        .order
        = { RELEASE, RELEASE, RELAXED, RELEASE, ACQUIRE, RELAXED, ACQUIRE, RELAXED },
        .holds = pairs_belong_together,
        .executions = 4 };
/* The third of three groups, in each of the 6 orders of tickets, sees that the second
 * one has its prefix, or only its sum. */
static const struct algorithm look_back
    = { .kernel = &look_back_by,
        .global = 3,
        .order = { ACQ_REL, RELEASE, RELEASE, ACQUIRE },
        .holds = sums_are_right,
        .executions = 12 };
/* The cell that one item looks at is taken, and comes back, before it takes it. */
static const struct algorithm stack
    = { .kernel = &stack_by,
        .global = 2,
        .x = { 1, 2, 3, 0 },
        .order = { ACQUIRE, RELAXED, ACQ_REL, RELAXED, RELEASE },
        .holds = no_cell_is_lost,
        .verdict = WRONG };
static const struct algorithm stack_counted
    = { .kernel = &stack_counted_by,
        .global = 2,
        .x = { 1, 2, 3, 0 },
        .order = { ACQUIRE, RELAXED, ACQ_REL, RELAXED, RELEASE },
        .holds = no_cell_is_lost };
static const struct algorithm hand_over
    = { .kernel = &hand_over_by,
        .global = 2,
        .order = { ACQUIRE, RELAXED, ACQ_REL, RELAXED, RELEASE },
        .holds = what_was_filled_comes };

CASE("locks");

DEVICE_TEST(algorithms_as_written)
{
    static const struct algorithm *const all[]
        = { &cas_lock, &cas_lock_of_group, &ticket_lock,  &peterson,
            &steal,    &seqlock,           &steal_unseen, &look_back,
            &stack,    &stack_counted,     &hand_over };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        expect_as_written(device, all[i]);
    }
}

/* A group that waits has started after those that it waits for. */
DEVICE_TEST(algorithms_with_fewer_resident_groups)
{
    static const struct algorithm *const all[]
        = { &cas_lock, &ticket_lock, &seqlock, &look_back, &stack_counted };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const struct ways ways = ways_of(all[i]);
        locks_args args = args_new(device, all[i], &ways);
        const struct weir_launch_options options
            = { .explore = "sycl", .resident = WEIR_RESIDENT_EACH };
        struct weir_report *report
            = LAUNCH(device, all[i]->kernel, weir_nd_range_1d(all[i]->global, 1), &args,
                     &options);
        const struct weir_exploration *found = weir_report_exploration(report);
        ck_assert_msg(found->n_residencies == all[i]->global - 1, "%s: %zu numbers",
                      all[i]->kernel->name, found->n_residencies);
        for (size_t r = 0; r < found->n_residencies; r++) {
            ck_assert_msg(found->residencies[r].complete
                              && found->residencies[r].executions > 0
                              && found->residencies[r].blocked == 0,
                          "%s: %zu resident groups", all[i]->kernel->name, r + 1);
        }
        /* With one group at a time the locks are taken in their order. */
        ck_assert_msg(all[i]->executions != 24 || found->residencies[0].executions == 1,
                      "%s: not in one order", all[i]->kernel->name);
        expect_silence(report, all[i]->kernel->name);
        args_free(device, &args);
    }
}

DEVICE_TEST(algorithms_as_litmus_tests)
{
    static const struct algorithm *const all[]
        = { &cas_lock, &cas_lock_of_group, &ticket_lock,  &peterson,
            &steal,    &seqlock,           &steal_unseen, &look_back,
            &stack,    &stack_counted,     &hand_over };
    static const char *const models[] = { "sycl", "sycl-split", "rc11", "sc" };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const struct ways ways = ways_of(all[i]);
        for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
            expect_litmus(device, all[i], &ways, models[m]);
        }
    }
}

/* ---- Mutants --------------------------------------------------------------------- */

DEVICE_TEST(weaker_orders)
{
    static const struct mutant mutants[] = {
        /* y[0] is written before the unlock, and read after the lock. */
        { &cas_lock, CAS_LOCK, RELEASE, -1, DATA_RACE },
        { &cas_lock, CAS_LOCK, ACQUIRE, -1, RIGHT }, /* nothing is handed to it */
        { &cas_lock, CAS_UNLOCK, RELAXED, -1, DATA_RACE },
        { &ticket_lock, TICKET_TAKE, RELAXED, -1, RIGHT }, /* it only counts */
        { &ticket_lock, TICKET_WAIT, RELAXED, -1, DATA_RACE },
        { &ticket_lock, TICKET_SERVE, RELAXED, -1, DATA_RACE },
        /* Both write a flag, and miss that of the other. */
        { &peterson, PETERSON_FLAG, RELEASE, -1, DATA_RACE },
        { &peterson, PETERSON_SEE_FLAG, ACQUIRE, -1, DATA_RACE },
        /* The turn's first writer sees the second one's write; the second one misses
         * the first one's flag: the order of flag, turn, turn and flag is no longer
         * one of seq_cst operations. */
        { &peterson, PETERSON_TURN, RELEASE, -1, DATA_RACE },
        /* An item that misses the other's flag has written the earlier turn. The other
         * one then reads its own, later turn, and waits: coherence is enough. */
        { &peterson, PETERSON_SEE_TURN, RELAXED, -1, RIGHT },
        { &peterson, PETERSON_LEAVE, RELEASE, -1, RIGHT }, /* it hands over y[0] */
        { &peterson, PETERSON_LEAVE, RELAXED, -1, DATA_RACE },
        /* A thief reads tasks that it has not written. */
        { &steal, STEAL_PUBLISH, RELAXED, -1, DATA_RACE },
        { &steal, STEAL_LOOK, RELAXED, -1, DATA_RACE },
        { &steal, STEAL_TAKE, RELAXED, -1, RIGHT }, /* it only counts */
        { &seqlock, SEQ_ODD, RELAXED, -1, RIGHT },  /* the fence follows */
        /* The second value is new, and the counter at the end still old. */
        { &seqlock, SEQ_FENCE, RELAXED, -1, WRONG },
        { &seqlock, SEQ_READ_FENCE, RELAXED, -1, WRONG },
        /* The counter is new, and the first value still old. */
        { &seqlock, SEQ_EVEN, RELAXED, -1, WRONG },
        { &seqlock, SEQ_BEGIN, RELAXED, -1, WRONG },
        { &look_back, LOOK_TICKET, RELAXED, -1, RIGHT }, /* it only counts */
        { &look_back, LOOK_AGGREGATE, RELAXED, -1, DATA_RACE },
        { &look_back, LOOK_PREFIX, RELAXED, -1, DATA_RACE },
        { &look_back, LOOK_BACK, RELAXED, -1, DATA_RACE },
        /* The top is the cell that came back; what is below it is still the old one. */
        { &stack_counted, STACK_PEEK, RELAXED, -1, WRONG },
        { &stack_counted, STACK_PUSH, RELAXED, -1, WRONG },
        /* The peek has acquired what is below. */
        { &stack_counted, STACK_POP, RELAXED, -1, RIGHT },
        { &hand_over, STACK_PUSH, RELAXED, -1, DATA_RACE },
        { &hand_over, STACK_PEEK, RELAXED, -1, WRONG }, /* what is below, as above */
        { &hand_over, STACK_POP, RELAXED, -1, RIGHT },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(mutants); i++) {
        expect_mutant(device, &mutants[i]);
    }
}

/* Items of other groups access the same atomic: the scope does not include them. */
DEVICE_TEST(narrower_scopes)
{
    static const struct mutant mutants[] = {
        { &cas_lock, CAS_LOCK, -1, GROUP, SCOPE_RACE },
        { &cas_lock, CAS_UNLOCK, -1, GROUP, SCOPE_RACE },
        { &cas_lock_of_group, CAS_LOCK, -1, GROUP, RIGHT },
        { &cas_lock_of_group, CAS_UNLOCK, -1, GROUP, RIGHT },
        { &ticket_lock, TICKET_TAKE, -1, GROUP, SCOPE_RACE },
        { &ticket_lock, TICKET_WAIT, -1, GROUP, SCOPE_RACE },
        { &ticket_lock, TICKET_SERVE, -1, GROUP, SCOPE_RACE },
        { &peterson, PETERSON_FLAG, -1, GROUP, SCOPE_RACE },
        { &peterson, PETERSON_TURN, -1, GROUP, SCOPE_RACE },
        { &peterson, PETERSON_SEE_FLAG, -1, GROUP, SCOPE_RACE },
        { &peterson, PETERSON_SEE_TURN, -1, GROUP, SCOPE_RACE },
        { &peterson, PETERSON_LEAVE, -1, GROUP, SCOPE_RACE },
        { &steal, STEAL_PUBLISH, -1, GROUP, SCOPE_RACE },
        { &steal, STEAL_LOOK, -1, GROUP, SCOPE_RACE },
        { &steal, STEAL_TAKE, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_ODD, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_STORE, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_EVEN, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_BEGIN, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_LOAD, -1, GROUP, SCOPE_RACE },
        { &seqlock, SEQ_END, -1, GROUP, SCOPE_RACE },
        /* A fence accesses nothing; but it no longer orders. */
        { &seqlock, SEQ_FENCE, -1, GROUP, WRONG },
        { &seqlock, SEQ_READ_FENCE, -1, GROUP, WRONG },
        { &look_back, LOOK_TICKET, -1, GROUP, SCOPE_RACE },
        { &look_back, LOOK_AGGREGATE, -1, GROUP, SCOPE_RACE },
        { &look_back, LOOK_PREFIX, -1, GROUP, SCOPE_RACE },
        { &look_back, LOOK_BACK, -1, GROUP, SCOPE_RACE },
        { &stack_counted, STACK_PEEK, -1, GROUP, SCOPE_RACE },
        { &stack_counted, STACK_NEXT, -1, GROUP, SCOPE_RACE },
        { &stack_counted, STACK_POP, -1, GROUP, SCOPE_RACE },
        { &stack_counted, STACK_LINK, -1, GROUP, SCOPE_RACE },
        { &stack_counted, STACK_PUSH, -1, GROUP, SCOPE_RACE },
        { &hand_over, STACK_PUSH, -1, GROUP, SCOPE_RACE },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(mutants); i++) {
        expect_mutant(device, &mutants[i]);
    }
}

MAIN("native locks")
