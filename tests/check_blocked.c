/* SPDX-License-Identifier: MIT
 *
 * check_blocked.c: executions that never end: how many of which kind, and where each
 * thread is in the one that is reported. The expectations follow from the texts: from
 * the barriers that threads reach, the last reads of a loop, and what C leaves
 * undefined; and it is the same by the explorer, of sycl, and by the enumerator, of
 * gpu. On random programs the two report the same of every execution. */
#include "litmus_ask.h"
#include "litmus_support.h"

#include "answer/blocked.h"
#include "brute_generator.h"
#include "litmus/program.h"
#include "model/enumerate.h"
#include "model/explore.h"

#include <inttypes.h>

#define PLACED(name, init, p0, p1)                                                     \
    "OPENCL " name "\n{ " init " }\n"                                                  \
    "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n" p0 "}\n"         \
    "P1@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n" p1 "}\n"
#define B1 "B1: barrier($GLOBAL);\n"
#define B2 "B2: barrier($GLOBAL);\n"
#define LOCAL_B1 "B1: barrier($LOCAL);\n"

static const char *const names[] = { [WEIR_LITMUS_ENDED] = "ended",
                                     [WEIR_LITMUS_AT_BARRIER] = "barrier",
                                     [WEIR_LITMUS_IN_LOOP] = "loop",
                                     [WEIR_LITMUS_FAULTED] = "fault" };

/* "loop 2|P0 has ended|P1 waits ...", kind by kind, a line each. Returns: (transfer
 * full) */
static char *report_of(const struct weir_litmus_answer *answer, uint32_t n_threads)
{
    GString *text = g_string_new(NULL);
    const struct weir_litmus_blocked *blocked;
    uint64_t all = 0;
    for (size_t i = 0; (blocked = weir_litmus_answer_blocked(answer, i)) != NULL; i++) {
        enum weir_litmus_end worst = WEIR_LITMUS_ENDED;
        g_string_append_printf(text, "%s %" PRIu64, names[blocked->why],
                               blocked->executions);
        for (uint32_t t = 0; t < n_threads; t++) {
            const struct weir_litmus_thread_end *end = &blocked->threads[t];
            g_autofree char *line = g_strdup_printf("line %u", end->line);
            g_string_append_printf(text, "|P%u %s", t, end->text);
            worst = MAX(worst, end->end);
            ck_assert((end->end == WEIR_LITMUS_ENDED)
                      == (strcmp(end->text, "has ended") == 0));
            ck_assert((end->line == 0) == (end->end == WEIR_LITMUS_ENDED));
            ck_assert((end->column == 0) == (end->end == WEIR_LITMUS_ENDED));
            ck_assert(end->line == 0 || strstr(end->text, line) != NULL);
        }
        g_string_append_c(text, '\n');
        ck_assert_int_eq(worst, blocked->why);
        all += blocked->executions;
    }
    ck_assert_uint_eq(all, weir_litmus_answer_verdict(answer)->blocked);
    return g_string_free(text, FALSE);
}

/* ---- What is reported ------------------------------------------------------------ */

/* @flagless: under rc11 and sc; NULL: the same. */
static const struct {
    const char *text, *report, *flagless;
} cases[] = {
    /* A barrier passed by. */
    { PLACED("branch", "", "store(x, 1, $rlx);\n" B1,
             "  int r = load(x, $rlx);\n  if (r == 1) {\n  " B1 "  }\n"),
      "barrier 1|P0 waits at barrier B1 (line 5) for P1|P1 has ended\n", NULL },
    { PLACED("labels", "", B1, B2),
      "barrier 1|P0 waits at barrier B1 (line 4) for P1"
      "|P1 waits at barrier B2 (line 7) for P0\n",
      NULL },
    { PLACED("flags", "", B1, LOCAL_B1),
      "barrier 1|P0 waits at barrier B1 (line 4, global memory) for P1"
      "|P1 waits at barrier B1 (line 7, local memory) for P0\n",
      "" },
    { PLACED("early", "", B1 B1, B1),
      "barrier 1|P0 waits at barrier B1 (line 5, time 2) for P1|P1 has ended\n", NULL },
    { PLACED("crossed", "", B1 B2, B2 B1),
      "barrier 1|P0 waits at barrier B1 (line 4) for P1"
      "|P1 waits at barrier B2 (line 8) for P0\n",
      NULL },
    /* One of three threads waits for both others; a fourth one is in another group. */
    { "OPENCL three\n{}\n"
      "P0@wg 0, dev 0 (global int* x) {\n*x = 1;\n}\n"
      "P1@wg 0, dev 0 (global int* x) {\n" B1 "}\n"
      "P2@wg 0, dev 0 (global int* x) {\nint r = 1;\n}\n"
      "P3@wg 1, dev 0 (global int* x) {\nint r = 1;\n}\n",
      "barrier 1|P0 has ended|P1 waits at barrier B1 (line 7) for P0 and P2"
      "|P2 has ended|P3 has ended\n",
      NULL },
    /* Without flags it is only one that P0 and P1 wait for. */
    { "OPENCL absent\n{}\n"
      "P0@wg 0, dev 0 (global int* x) {\n" B1 "}\n"
      "P1@wg 0, dev 0 (global int* x) {\n" LOCAL_B1 "}\n"
      "P2@wg 0, dev 0 (global int* x) {\nint r = 1;\n}\n",
      "barrier 1|P0 waits at barrier B1 (line 4, global memory) for P1 and P2"
      "|P1 waits at barrier B1 (line 7, local memory) for P0 and P2|P2 has ended\n",
      "barrier 1|P0 waits at barrier B1 (line 4) for P2"
      "|P1 waits at barrier B1 (line 7) for P2|P2 has ended\n" },
    /* Loops that nothing ends. P1 reads the latest y, which is 0. */
    { PLACED("spin", "", "store(x, 1, $rlx);\n", "  while (load(y, $rlx) == 0) ;\n"),
      "loop 1|P0 has ended|P1 waits in the loop of line 7: it keeps reading y=0 "
      "(line 7)\n",
      NULL },
    { PLACED("both", "y = 5;", "store(x, 1, $rlx);\n",
             "  while (load(x, $rlx) == 1 &&\n      load(y, $rlx) == 5) ;\n"),
      "loop 1|P0 has ended|P1 waits in the loop of line 7: it keeps reading x=1 "
      "(line 7) and y=5 (line 8)\n",
      NULL },
    { PLACED("nothing", "", "", "  while (1) ;\n"),
      "loop 1|P0 has ended|P1 repeats the loop of line 6 for ever: it reads "
      "nothing\n",
      NULL },
    { PLACED("spin and barrier", "", B1, "  while (load(y, $rlx) == 0) ;\n" B1),
      "loop 1|P0 waits at barrier B1 (line 4) for P1"
      "|P1 waits in the loop of line 7: it keeps reading y=0 (line 7)\n",
      NULL },
    /* Operations without a meaning: x is 0, or the value of P0, and then there are
     * none. */
    { PLACED("division", "", "store(x, 1, $rlx);\n", "  int r = 6 / load(x, $rlx);\n"),
      "fault 1|P0 has ended|P1 divides by 0 (line 7)\n", NULL },
    { PLACED("rest", "", "store(x, 1, $rlx);\n", "  int r = 6 % load(x, $rlx);\n"),
      "fault 1|P0 has ended|P1 divides by 0 (line 7)\n", NULL },
    { PLACED("shift", "", "store(x, 0 - 1, $rlx);\n",
             "  int r = 1 << load(x, $rlx);\n"),
      "fault 1|P0 has ended|P1 shifts by -1 (line 7), where 0 to 31 are allowed\n",
      NULL },
    { PLACED("shift of long", "", "store(x, 64, $rlx);\n",
             "  long r = 1;\n  long s = r >> load(x, $rlx);\n"),
      "fault 1|P0 has ended|P1 shifts by 64 (line 8), where 0 to 63 are allowed\n",
      NULL },
    { PLACED("beyond", "", "store(x, 1, $rlx);\n",
             "  int r = load(x, $rlx);\n  store(y + r, 2, $rlx);\n"),
      "fault 1|P0 has ended|P1 writes y + 1 (line 8), which is beyond y\n", NULL },
    { PLACED("before", "", "store(x, 0 - 2, $rlx);\n",
             "  int r = load(x, $rlx);\n  r = load(y + r, $rlx);\n"),
      "fault 1|P0 has ended|P1 reads y - 2 (line 8), which is beyond y\n", NULL },
    /* All kinds: with x=0 P1 waits for P0 at a barrier, with x=1 in a loop, with x=2
     * it faults. P0 writes one after the other, and has ended then: of what P1 reads
     * first there are three, and in the loop only the latest. */
    { PLACED("kinds", "", "store(x, 1, $rlx);\nstore(x, 2, $rlx);\n",
             "  int r = load(x, $rlx);\n  if (r == 0) {\n  " B1 "  }\n"
             "  while (r == 1 && load(y, $rlx) == 0) ;\n  r = 1 / (2 - r);\n"),
      "barrier 1|P0 has ended|P1 waits at barrier B1 (line 10) for P0\n"
      "loop 1|P0 has ended|P1 waits in the loop of line 12: it keeps reading y=0 "
      "(line 12)\n"
      "fault 1|P0 has ended|P1 divides by 0 (line 13)\n",
      NULL },
    /* Among several executions with as many events, the one of the first value is
     * reported. */
    { PLACED("first", "", "store(x, 1, $rlx);\nstore(x, 2, $rlx);\n",
             "  int r = load(x, $rlx);\n" B1),
      "barrier 3|P0 has ended|P1 waits at barrier B1 (line 9) for P0\n", NULL },
    /* And none where all meet. */
    { PLACED("met", "", B1 B2, B1 B2), "", NULL },
};

CASE("reports");

TEST_EACH(every_thread_is_reported, G_N_ELEMENTS(cases))
{
    for (unsigned m = 0; m < N_C_MODELS; m++) {
        bool flagless = m == WEIR_MODEL_RC11 || m == WEIR_MODEL_SC;
        g_autoptr(weir_litmus) test = litmus_test_of(cases[_i].text);
        g_autoptr(weir_litmus_answer) answer = ASK(test, .model = (enum weir_model)m);
        g_autofree char *report
            = report_of(answer, (uint32_t)weir_litmus_n_threads(test));
        const char *expected = flagless && cases[_i].flagless != NULL
            ? cases[_i].flagless
            : cases[_i].report;
        EXPECT(strcmp(report, expected) == 0,
               "%s:\n%s\nis reported as\n%s\nand not\n%s",
               weir_model_name((enum weir_model)m), cases[_i].text, report, expected);
    }
}

/* The events of it, and edges between those, and no race. */
TEST(the_execution_is_drawn_as_far_as_it_goes)
{
    static const enum weir_model models[] = { WEIR_MODEL_SYCL, WEIR_MODEL_GPU };
    static const char text[] = "OPENCL drawn\n{}\n"
                               "P0@wg 0, dev 0 (global int* x) {\n  *x = 1;\n" B1 "}\n"
                               "P1@wg 0, dev 0 (global int* x) {\n  int r = *x;\n}\n";
    for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
        g_autoptr(weir_litmus_answer) answer = ASK_TEXT(text, .model = models[m]);
        const struct weir_litmus_execution *execution
            = weir_litmus_answer_blocked(answer, 0)->execution;
        /* It reads 0, which comes before 1. */
        static const char *const events[] = { "W x=1", "barrier B1 global", "R x=0" };
        ck_assert_uint_eq(execution->n_events, G_N_ELEMENTS(events));
        for (size_t e = 0; e < execution->n_events; e++) {
            ck_assert_str_eq(execution->events[e].text, events[e]);
        }
        bool rb = false;
        for (size_t e = 0; e < execution->n_edges; e++) {
            ck_assert_int_ne(execution->edges[e].kind, WEIR_LITMUS_RACE);
            ck_assert_int_ne(execution->edges[e].kind, WEIR_LITMUS_BAR);
            rb |= execution->edges[e].kind == WEIR_LITMUS_RB
                && execution->edges[e].from == 2 && execution->edges[e].to == 0;
        }
        ck_assert(rb);
        ck_assert(!weir_litmus_answer_verdict(answer)->race);
        ck_assert_ptr_null(weir_litmus_answer_blocked(answer, 1));
    }
}

TEST(the_filter_counts_what_it_leaves_out)
{
    static const enum weir_model models[] = { WEIR_MODEL_SYCL, WEIR_MODEL_GPU };
    for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
        /* P1 reads 0 or 1 and ends; or reads 2 and faults. */
        g_autoptr(weir_litmus_answer) answer
            = ASK_TEXT("C t\n{}\nP0 { store(x, 1, $rlx); store(x, 2, $rlx); } "
                       "P1 { int r = load(x, $rlx); int s = 1 / (2 - r); } "
                       "filter (1:r=1) forall (x=2)",
                       .model = models[m]);
        const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
        ck_assert_uint_eq(verdict->executions, 2);
        ck_assert_uint_eq(verdict->filtered, 1);
        ck_assert_uint_eq(verdict->positive, 1);
        ck_assert_uint_eq(verdict->negative, 0);
        ck_assert_uint_eq(verdict->blocked, 1);
    }
}

/* Fewer events come first, and then what has the smaller kind, value, source or
 * position at the first event that differs; an initial value before all writes. */
TEST(the_reported_execution_depends_on_nothing_else)
{
    static const struct weiri_execution_event ordered[][2] = {
        { { .kind = WEIRI_READS_MEMORY, .place = 1, .value = -1 }, { .place = 0 } },
        { { .kind = WEIRI_READS_MEMORY, .from = WEIRI_INITIAL }, { .place = 9 } },
        { { .kind = WEIRI_READS_MEMORY, .from = 0 }, { .place = 0 } },
        { { .kind = WEIRI_READS_MEMORY, .from = 7 }, { .place = 0 } },
        { { .kind = WEIRI_READS_MEMORY, .value = 1, .from = 1 }, { .place = 0 } },
        { { .kind = WEIRI_WRITES_MEMORY, .value = -1, .position = 2 }, { .place = 0 } },
        { { .kind = WEIRI_WRITES_MEMORY, .position = 0, .from = 1 }, { .place = 0 } },
        { { .kind = WEIRI_WRITES_MEMORY, .position = 1, .from = 0 }, { .place = 0 } },
        { { .kind = WEIRI_WRITES_MEMORY, .position = 1 },
          { .kind = WEIRI_FENCES, .place = 1, .value = 3 } },
        { { .thread = 1 }, { .place = 0 } },
    };
    enum { N = G_N_ELEMENTS(ordered) };
    const struct weiri_execution shorter = { .n_events = 1, .events = ordered[N - 1] };
    for (size_t i = 0; i < N; i++) {
        const struct weiri_execution one = { .n_events = 2, .events = ordered[i] };
        ck_assert_int_lt(weiri_execution_compare(&shorter, &one), 0);
        for (size_t k = 0; k < N; k++) {
            const struct weiri_execution other
                = { .n_events = 2, .events = ordered[k] };
            int order = weiri_execution_compare(&one, &other);
            EXPECT((order < 0) == (i < k) && (order > 0) == (i > k), "%zu and %zu: %d",
                   i, k, order);
        }
    }
}

/* ---- One against the other ------------------------------------------------------- */

/* The report of blocked executions, and of the first one. */
struct heard {
    const struct weiri_litmus *test;
    const struct weiri_program *program;
    const struct weiri_model *model;
    GPtrArray *reports;
    struct weiri_blocked stuck;
};

static void hear(struct heard *heard, const struct weiri_execution *execution,
                 const char *why)
{
    uint32_t n_threads = heard->test->n_threads;
    struct weir_litmus_thread_end *ends
        = weiri_blocked_ends(heard->test, execution, heard->model->any_flags);
    GString *text = g_string_new(why);
    for (uint32_t t = 0; t < n_threads; t++) {
        g_string_append_printf(text, "|%s", ends[t].text);
    }
    g_ptr_array_add(heard->reports, g_string_free(text, FALSE));
    weiri_blocked_ends_free(ends, n_threads);
}

static const char *const reasons[] = { [WEIRI_END_BARRIER] = "barrier",
                                       [WEIRI_END_SPIN] = "loop",
                                       [WEIRI_END_FAULT] = "fault" };

static void hear_explored(void *user, const struct weiri_graph *graph,
                          enum weiri_execution_end why)
{
    struct heard *heard = user;
    if (why == WEIRI_END_BOUND) {
        return;
    }
    struct weiri_execution *execution = weiri_graph_execution(graph);
    hear(heard, execution, reasons[why]);
    weiri_execution_free(execution);
    weiri_blocked_note(&heard->stuck, graph, NULL);
}

static bool hear_complete(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user;
    (void)graph;
    (void)race;
    return true;
}

static bool hear_enumerated(const struct weiri_candidate *candidate, void *user)
{
    struct heard *heard = user;
    if (candidate->end != WEIRI_END_COMPLETE && candidate->end != WEIRI_END_BOUND) {
        struct weiri_execution execution = *candidate->execution;
        execution.program = heard->program;
        hear(heard, &execution, reasons[candidate->end]);
        weiri_blocked_note(&heard->stuck, NULL, &execution);
    }
    return true;
}

static int compare_reports(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* All that has been heard, and where the first one's threads are. Returns: (transfer
 * full) */
static char *joined(struct heard *heard)
{
    g_ptr_array_sort(heard->reports, compare_reports);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < heard->reports->len; i++) {
        g_string_append_printf(text, "%s\n",
                               (char *)g_ptr_array_index(heard->reports, i));
    }
    if (heard->stuck.kept != NULL) {
        weiri_blocked_show(&heard->stuck, heard->test, heard->program, heard->model,
                           WEIR_LITMUS_AT_BARRIER);
        g_string_append(text, "the first:");
        for (size_t e = 0; e < heard->stuck.drawn.n_events; e++) {
            g_string_append_printf(text, " %s;", heard->stuck.drawn.events[e].text);
        }
        for (size_t e = 0; e < heard->stuck.drawn.n_edges; e++) {
            const struct weir_litmus_edge *edge = &heard->stuck.drawn.edges[e];
            g_string_append_printf(text, " %s %d %d", weir_litmus_edge_name(edge->kind),
                                   (int)edge->from, (int)edge->to);
        }
        for (uint32_t t = 0; t < heard->stuck.n_ends; t++) {
            g_string_append_printf(text, "|%s", heard->stuck.ends[t].text);
        }
    }
    weiri_blocked_clear(&heard->stuck);
    g_ptr_array_set_size(heard->reports, 0);
    return g_string_free(text, FALSE);
}

/* Returns: how many blocked executions both have reported */
static guint compare_both(const char *abbreviated, unsigned explored)
{
    static const char *const models[] = { "sc", "rc11", "sycl", "sycl-split" };
    uint32_t rounds = BRUTE_DRAWN_ROUNDS | WEIRI_LITMUS_STOP_SPINS;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = litmus_expand(abbreviated);
    g_autoptr(weiri_litmus) test
        = weiri_litmus_parse(text, strlen(text), "drawn", &error);
    EXPECT(test != NULL, "%s\n%s", error->message, text);
    struct weiri_program *program = weiri_litmus_program(test, rounds);
    struct heard heard = { .test = test,
                           .program = program,
                           .model = weiri_model_find(models[explored]),
                           .reports = g_ptr_array_new_with_free_func(g_free) };
    const struct weiri_explore_options explore
        = { .model = (enum weiri_explored)explored,
            .execution = hear_complete,
            .stuck = hear_explored,
            .user = &heard };
    ck_assert(!weiri_explore(program, &explore).too_large);
    guint n = heard.reports->len;
    g_autofree char *one = joined(&heard);
    const struct weiri_enumerate_options enumerate
        = { .model = heard.model, .visit = hear_enumerated, .user = &heard };
    ck_assert(weiri_litmus_enumerate(test, rounds, &enumerate).exhaustive);
    g_autofree char *other = joined(&heard);
    EXPECT(strcmp(one, other) == 0,
           "%s: the explorer reports\n%s\nand the enumerator\n%s\nof\n%s",
           models[explored], one, other, text);
    g_ptr_array_unref(heard.reports);
    weiri_litmus_program_free(program);
    return n;
}

CASE("both");

TEST_EACH(explorer_and_enumerator_report_the_same, 4)
{
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        compare_both(cases[i].text, (unsigned)_i);
    }
    unsigned n = (unsigned)scaled(150, 30);
    guint n_blocked = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        struct brute_program program;
        brute_result_free(brute_draw(seed, &program));
        g_autofree char *text = brute_print(&program);
        n_blocked += compare_both(text, (unsigned)_i) > 0;
    }
    ck_assert_uint_ge(n_blocked, n / 100);
}

MAIN("blocked")
