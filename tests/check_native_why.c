/* SPDX-License-Identifier: MIT
 *
 * check_native_why.c: the executions that explorations show, and what is said of them:
 * for each condition of an order a kernel that lacks it, and its nearest neighbour that
 * has it. */
#include "native_kernels.h"
#include "support.h"

#include "litmus/program.h"
#include "model/explore.h"
#include "native/kept.h"
#include "native/sequence.h"

#include <inttypes.h>

/* ---- What is explored ------------------------------------------------------------ */

static struct weir_report *explore(struct weir_device *device,
                                   const struct weir_kernel *kernel,
                                   struct weir_nd_range range,
                                   const struct weir_launch_options *options)
{
    words_args args
        = { weir_new(device, uint32_t, 8, "x"), weir_new(device, uint32_t, 8, "y"),
            weir_new(device, uint32_t, 8, "out") };
    memset(args.x, 0, 8 * sizeof(*args.x));
    memset(args.y, 0, 8 * sizeof(*args.y));
    memset(args.out, 0, 8 * sizeof(*args.out));
    struct weir_report *report = NULL;
    GError *error = NULL;
    bool done = weir_launch_sized_with(device, kernel, range, &args, sizeof(args),
                                       options, &report, &error);
    EXPECT(done, "%s", error != NULL ? error->message : "");
    const struct weir_exploration *found = weir_report_exploration(report);
    EXPECT(found->refused == NULL && found->complete, "%s: %s", kernel->name,
           found->refused);
    return report;
}

static const struct weir_explored_execution *execution_of(
    const struct weir_finding *finding)
{
    ck_assert_uint_eq(finding->n_executions, 1);
    return finding->executions;
}

/* The event with that text, which there is once. */
static const struct weir_explored_event *event_of(
    const struct weir_explored_execution *execution, const char *text)
{
    const struct weir_explored_event *found = NULL;
    for (size_t e = 0; e < execution->n_events; e++) {
        if (strcmp(execution->events[e].text, text) == 0) {
            ck_assert_ptr_null(found);
            found = &execution->events[e];
        }
    }
    EXPECT(found != NULL, "no event %s", text);
    return found;
}

/* ---- The edge that is missing ---------------------------------------------------- */

CASE("edges");

/* A kernel of two items, in one group or in two; the reason: NULL: it is right. */
static const struct {
    const struct weir_kernel *kernel;
    size_t local;
    const char *model, *why;
} edges[] = {
    { &message, 1, "sycl", NULL },
    { &message_relaxed, 1, "sycl", "the write is not a release" },
    { &message_read_relaxed, 1, "sycl", "the read is not an acquire" },
    { &message_narrow, 2, "sycl", NULL },
    { &message_narrow, 1, "sycl", "exclude each other's threads" },
    { &message_narrow, 1, "rc11", NULL },
    { &message_fences, 1, "sycl-split", NULL },
    { &message_fence_local, 1, "sycl-split",
      "orders local memory, but 'y[0]' is in global memory" },
    { &message_fence_local, 1, "sycl", NULL },
    { &message_none, 1, "sycl",
      "no barrier and no release/acquire pair orders the two accesses" },
    { &meet, 2, "sycl", NULL },
    { &meet, 1, "sycl", "in different groups, and a barrier synchronises one group" },
    { &meet_local, 2, "sycl", "does not order the memory of 'x[" },
    { &meet_local, 2, "rc11", NULL },
    { &meet_never, 2, "sycl",
      "no barrier and no release/acquire pair orders the two accesses" },
};

DEVICE_TEST_EACH(the_first_condition_that_fails_is_named, G_N_ELEMENTS(edges))
{
    const struct weir_launch_options options = { .explore = edges[_i].model };
    const char *name = edges[_i].kernel->name;
    struct weir_report *report = explore(
        device, edges[_i].kernel, weir_nd_range_1d(2, edges[_i].local), &options);
    if (edges[_i].why == NULL) {
        EXPECT(weir_report_n_findings(report) == 0, "%s: %s", name,
               weir_report_finding(report, 0)->why);
    } else {
        const struct weir_finding *finding = weir_report_finding(report, 0);
        EXPECT(strstr(finding->why, edges[_i].why) != NULL, "%s: %s, not %s", name,
               finding->why, edges[_i].why);
        (void)execution_of(finding);
    }
    weir_report_free(report);
}

/* ---- Which execution ------------------------------------------------------------- */

CASE("executions");

/* The steps that a racing access needs are shown, and no item without a part in it. */
DEVICE_TEST(a_race_is_shown_with_what_it_needs)
{
    const struct weir_launch_options options = { .explore = "sycl" };
    struct weir_report *report
        = explore(device, &message_relaxed, weir_nd_range_1d(2, 1), &options);
    const struct weir_explored_execution *execution
        = execution_of(weir_report_finding(report, 0));
    ck_assert_uint_eq(execution->n_events, 4);
    ck_assert(execution->interleaved);
    static const char *const texts[] = { "W x[0]=42", "W y[0]=1 relaxed device",
                                         "R y[0]=1 acquire device", "R x[0]=42" };
    for (size_t e = 0; e < G_N_ELEMENTS(texts); e++) {
        ck_assert_str_eq(execution->events[e].text, texts[e]);
        ck_assert_uint_eq(execution->events[e].step, e);
        ck_assert_uint_eq(execution->events[e].item, e / 2);
        ck_assert(execution->events[e].matters);
        ck_assert_ptr_nonnull(strstr(execution->events[e].file, "native_kernels.c"));
    }
    ck_assert_str_eq(execution->events[0].source, "args->x[0] = 42;");
    ck_assert_uint_eq(execution->items[1].group[0], 1);
    weir_report_free(report);
}

/* A barrier that does not order them is between the two. */
DEVICE_TEST(a_barrier_that_orders_nothing_is_shown)
{
    const struct weir_launch_options options = { .explore = "sycl" };
    struct weir_report *report
        = explore(device, &meet_local, weir_nd_range_1d(2, 2), &options);
    const struct weir_explored_execution *execution
        = execution_of(weir_report_finding(report, 0));
    size_t n = 0;
    for (size_t e = 0; e < execution->n_events; e++) {
        const struct weir_explored_event *event = &execution->events[e];
        n += event->matters && strcmp(event->text, "barrier local") == 0;
    }
    ck_assert_uint_eq(n, 2);
    weir_report_free(report);
}

static bool is_newest(const void *args, void *user)
{
    const words_args *words = args;
    (void)user;
    return words->out[0] == 0 || words->out[0] == 43;
}

/* Without a race a stale read explains: 0 or 42 is read after 43 was written. */
DEVICE_TEST(a_stale_read_explains_a_wrong_result)
{
    const struct weir_launch_options options
        = { .explore = "sycl", .plain_events = true, .post_condition = is_newest };
    struct weir_report *report
        = explore(device, &message_all_relaxed, weir_nd_range_1d(2, 1), &options);
    const struct weir_finding *finding = NULL;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        if (weir_report_finding(report, i)->kind == WEIR_FINDING_WRONG_RESULT) {
            finding = weir_report_finding(report, i);
        }
    }
    ck_assert_ptr_nonnull(finding);
    const struct weir_explored_execution *execution = execution_of(finding);
    ck_assert(!execution->interleaved);
    const struct weir_explored_event *read
        = event_of(execution, "R x[0]=42 relaxed device");
    ck_assert_str_eq(read->newest, "43");
    ck_assert_str_eq(execution->events[read->newest_by].text,
                     "W x[0]=43 relaxed device");
    expect_contains(finding->why, "reads x[0]=42");
    expect_contains(finding->why, "not the newest value, 43");
    expect_contains(finding->why, "the write is not a release");
    weir_report_free(report);
}

static bool is_two(const void *args, void *user)
{
    const words_args *words = args;
    (void)user;
    return words->x[0] == 2;
}

DEVICE_TEST(an_order_of_steps_alone_loses_an_increment)
{
    const struct weir_launch_options options
        = { .explore = "sycl", .post_condition = is_two };
    struct weir_report *report
        = explore(device, &lose_an_increment, weir_nd_range_1d(2, 1), &options);
    const struct weir_finding *finding = weir_report_finding(report, 0);
    ck_assert_uint_eq(finding->kind, WEIR_FINDING_WRONG_RESULT);
    ck_assert(execution_of(finding)->interleaved);
    expect_contains(finding->why, "every read gets the newest value");
    weir_report_free(report);
}

DEVICE_TEST(waits_say_what_they_wait_for)
{
    const struct weir_launch_options options = { .explore = "sycl" };
    struct weir_report *report
        = explore(device, &wait_for_each_other, weir_nd_range_1d(2, 1), &options);
    const struct weir_finding *finding = weir_report_finding(report, 0);
    ck_assert_uint_eq(finding->kind, WEIR_FINDING_LIVELOCK);
    expect_contains(finding->why, "item 0 of group (0,0,0) keeps reading x[1]=0");
    ck_assert_uint_eq(execution_of(finding)->n_events, 2);
    weir_report_free(report);
    report = explore(device, &skip_a_barrier, weir_nd_range_1d(2, 2), &options);
    finding = weir_report_finding(report, 0);
    ck_assert_uint_eq(finding->kind, WEIR_FINDING_BARRIER_DIVERGENCE);
    expect_contains(finding->why, "item 1 of group (0,0,0) waits");
    expect_contains(finding->why, "item 0 of group (0,0,0), which has returned");
    weir_report_free(report);
}

/* The assertion is that nothing came; it fails when something has come. */
DEVICE_TEST(a_failed_assertion_is_shown)
{
    const struct weir_launch_options options = { .explore = "sycl" };
    struct weir_report *report
        = explore(device, &assert_nothing_came, weir_nd_range_1d(2, 1), &options);
    const struct weir_finding *finding = weir_report_finding(report, 0);
    ck_assert_uint_eq(finding->kind, WEIR_FINDING_ASSERTION);
    ck_assert(execution_of(finding)->interleaved);
    ck_assert_uint_eq(execution_of(finding)->n_events, 2);
    expect_contains(finding->why, "every read gets the newest value");
    weir_report_free(report);
}

/* ---- The least of many ----------------------------------------------------------- */

CASE("least");

/* An independent choice among copies of all executions. */
struct seen {
    struct weiri_kept kept;
    GPtrArray *all; /* of struct weiri_execution */
    GArray *stale;  /* of uint32_t */
};

/* Whether @event needs @other, by program order and reads-from. */
static bool needs(const struct weiri_execution *execution, uint32_t event,
                  uint32_t other)
{
    const struct weiri_execution_event *of = &execution->events[event];
    return event == other || (of->index > 0 && needs(execution, event - 1, other))
        || (of->kind == WEIRI_READS_MEMORY && of->from != WEIRI_INITIAL
            && needs(execution, of->from, other));
}

static uint32_t count_stale(const struct weiri_execution *execution)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *read = &execution->events[e];
        bool stale = false;
        for (uint32_t w = 0;
             w < execution->n_events && read->kind == WEIRI_READS_MEMORY; w++) {
            const struct weiri_execution_event *write = &execution->events[w];
            stale |= write->kind == WEIRI_WRITES_MEMORY
                && write->location == read->location
                && write->position + 1 > weiri_event_mo_place(execution->events, read)
                && needs(execution, e, w);
        }
        n += stale;
    }
    return n;
}

static bool see(void *user, const struct weiri_graph *graph, bool race)
{
    struct seen *seen = user;
    struct weiri_execution *execution = weiri_graph_execution(graph);
    uint32_t stale = count_stale(execution);
    (void)race;
    ck_assert_uint_eq(weiri_graph_stale(graph, UINT32_MAX - 1), stale);
    g_ptr_array_add(seen->all, execution);
    g_array_append_val(seen->stale, stale);
    weiri_kept_note(&seen->kept, graph, 0, 0);
    return true;
}

/* By events, stale reads, and then the order of executions. */
static bool is_less(const struct seen *seen, guint a, guint b)
{
    const struct weiri_execution *one = g_ptr_array_index(seen->all, a);
    const struct weiri_execution *other = g_ptr_array_index(seen->all, b);
    uint32_t mine = g_array_index(seen->stale, uint32_t, a);
    uint32_t yours = g_array_index(seen->stale, uint32_t, b);
    return one->n_events != other->n_events ? one->n_events < other->n_events
        : mine != yours                     ? mine < yours
                                            : weiri_execution_compare(one, other) < 0;
}

/* A branch makes executions of two lengths, old values make stale reads. The threads
 * come in either order, so that the least one is found early and late. */
#define WRITES(n)                                                                      \
    "P" #n " (atomic_int* x, atomic_int* y) {\n"                                       \
    "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"                           \
    "  atomic_store_explicit(y, 1, memory_order_relaxed);\n}\n"
#define READS(n, relation)                                                             \
    "P" #n " (atomic_int* x, atomic_int* y) {\n"                                       \
    "  int a = atomic_load_explicit(y, memory_order_relaxed);\n"                       \
    "  int b = atomic_load_explicit(x, memory_order_relaxed);\n"                       \
    "  if (a " relation " b) {\n"                                                      \
    "    atomic_store_explicit(x, 2, memory_order_relaxed);\n  }\n}\n"
static const char *const texts[] = {
    "C test\n{}\n" WRITES(0) READS(1, "==") "exists (1:a=1)\n",
    "C test\n{}\n" READS(0, "==") WRITES(1) "exists (0:a=1)\n",
    /* The shortest one has a stale read, the longer ones have none. */
    "C test\n{}\n" WRITES(0) READS(1, "<=") "exists (1:a=1)\n",
    "C test\n{}\n" READS(0, "<=") WRITES(1) "exists (0:a=1)\n",
    "C test\n{}\n" WRITES(0) READS(1, "!=") "exists (1:a=1)\n",
    "C test\n{}\n" READS(0, "!=") WRITES(1) "exists (0:a=1)\n",
};

static struct weiri_litmus *parse(const char *text)
{
    GError *error = NULL;
    struct weiri_litmus *test = weiri_litmus_parse(text, strlen(text), "test", &error);
    EXPECT(test != NULL, "%s", error->message);
    return test;
}

TEST_EACH(the_least_execution_is_kept, G_N_ELEMENTS(texts))
{
    struct weiri_litmus *test = parse(texts[_i]);
    struct weiri_program *program = weiri_litmus_program(test, WEIRI_LITMUS_ROUNDS);
    struct seen seen = { .all = g_ptr_array_new(),
                         .stale = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    const struct weiri_explore_options how
        = { .model = WEIRI_EXPLORED_SYCL, .execution = see, .user = &seen };
    (void)weiri_explore(program, &how);
    ck_assert_uint_gt(seen.all->len, 4);
    guint least = 0;
    for (guint i = 1; i < seen.all->len; i++) {
        least = is_less(&seen, i, least) ? i : least;
    }
    ck_assert_int_eq(weiri_execution_compare(seen.kept.execution,
                                             g_ptr_array_index(seen.all, least)),
                     0);
    ck_assert_uint_eq(seen.kept.stale, g_array_index(seen.stale, uint32_t, least));
    weiri_kept_clear(&seen.kept);
    for (guint i = 0; i < seen.all->len; i++) {
        weiri_execution_free(g_ptr_array_index(seen.all, i));
    }
    g_ptr_array_unref(seen.all);
    g_array_unref(seen.stale);
    weiri_litmus_program_free(program);
    weiri_litmus_free(test);
}

/* In each sequence a read is after its write, and a read that is not marked gets the
 * newest value. */
static bool judge_sequence(void *user, const struct weiri_graph *graph, bool race)
{
    struct weiri_execution *execution = weiri_graph_execution(graph);
    struct weiri_sequence sequence;
    uint32_t newest[8];
    (void)race;
    weiri_sequence_init(&sequence, execution);
    memset(newest, 0xff, sizeof(newest));
    bool stale = false;
    for (uint32_t i = 0; i < execution->n_events; i++) {
        uint32_t e = sequence.at[i];
        const struct weiri_execution_event *event = &execution->events[e];
        ck_assert_uint_eq(sequence.step[e], i);
        ck_assert(event->index == 0 || sequence.step[e - 1] < i);
        if (event->kind == WEIRI_WRITES_MEMORY) {
            uint32_t *at = &newest[event->location];
            *at = *at == WEIRI_INITIAL
                    || execution->events[*at].position < event->position
                ? e
                : *at;
        } else if (event->kind == WEIRI_READS_MEMORY) {
            ck_assert(event->from == WEIRI_INITIAL || sequence.step[event->from] < i);
            bool fresh = event->from == newest[event->location];
            ck_assert_uint_eq(sequence.newest[e],
                              fresh ? WEIRI_INITIAL : newest[event->location]);
            stale |= !fresh;
        }
    }
    ck_assert(!(stale && sequence.interleaved));
    *(uint32_t *)user += !sequence.interleaved;
    weiri_sequence_clear(&sequence);
    weiri_execution_free(execution);
    return true;
}

TEST_EACH(a_sequence_has_stale_reads_only_where_none_is_without, G_N_ELEMENTS(texts))
{
    struct weiri_litmus *test = parse(texts[_i]);
    struct weiri_program *program = weiri_litmus_program(test, WEIRI_LITMUS_ROUNDS);
    uint32_t weak = 0;
    struct weiri_explore_options how
        = { .model = WEIRI_EXPLORED_SC, .execution = judge_sequence, .user = &weak };
    uint64_t strong = weiri_explore(program, &how).executions;
    ck_assert_uint_eq(weak, 0);
    how.model = WEIRI_EXPLORED_SYCL;
    uint64_t all = weiri_explore(program, &how).executions;
    ck_assert_uint_eq(weak, all - strong);
    ck_assert_uint_gt(weak, 0);
    weiri_litmus_program_free(program);
    weiri_litmus_free(test);
}

MAIN("native-why")
