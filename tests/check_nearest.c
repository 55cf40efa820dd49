/* SPDX-License-Identifier: MIT
 *
 * check_nearest.c: why something never happens: which axioms the nearest candidate
 * violates, and that the cycles which say so are there, edge by edge.
 *
 * With WEIR_LITMUS_DIR, of everything that verdicts.tsv there says never happens. */
#include "enumerated.h"
#include "litmus_ask.h"

#include "answer/nearest.h"

#include <inttypes.h>
#include <stdio.h>

/* For g_auto(). */
typedef struct weiri_nearest weiri_nearest;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(weiri_nearest, weiri_nearest_clear)

enum { ROUNDS = 3, MOST = 200000 };

/* ---- Cycles ---------------------------------------------------------------------- */

/* Whether the edge is one of that name. */
static bool is_edge(const struct weiri_facts *f, const struct weiri_edge *edge)
{
    const struct weiri_algebra *k = f->algebra;
    const struct {
        const char *name;
        struct weiri_relation relation;
    } named[] = { { "sb", f->sb },        { "rf", f->rf },     { "mo", f->mo },
                  { "rb", f->rb },        { "bar", f->bar },   { "rmw", f->rmw },
                  { "addr", f->address }, { "data", f->data }, { "ctrl", f->control } };
    if (strcmp(edge->name, "sw") == 0) {
        for (uint32_t i = 0; i < f->n_orders; i++) {
            if (weiri_relation_has(k, f->orders[i].sw, edge->from, edge->to)) {
                return true;
            }
        }
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(named); i++) {
        if (strcmp(named[i].name, edge->name) == 0) {
            return weiri_relation_has(k, named[i].relation, edge->from, edge->to);
        }
    }
    if (strcmp(edge->name, "rmw^-1") == 0) {
        return weiri_relation_has(k, f->rmw, edge->to, edge->from);
    }
    return (strcmp(edge->name, "rf^-1") == 0 || strcmp(edge->name, "not hb^-1") == 0)
        && weiri_relation_has(k, f->rf, edge->to, edge->from);
}

/* OpenCL's rb does not cover initial values and plain locations. */
static bool is_plain_rb(const struct weiri_facts *f, const struct weiri_edge *edge)
{
    const struct weiri_execution_event *read = &f->execution->events[edge->from];
    return strcmp(edge->name, "rb") == 0 && read->kind == WEIRI_READS_MEMORY
        && read->from == WEIRI_INITIAL;
}

/* The axioms that are violated, and their edges: "COH: sb sw sb rb". */
static char *reasons_of(const struct weiri_nearest *nearest,
                        const struct weiri_model *model)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    GString *text = g_string_new(NULL);
    weiri_facts_begin(&facts, &algebra, &nearest->execution);
    weiri_model_read(model, &facts);
    for (uint32_t i = 0; i < nearest->n_violated; i++) {
        const struct weiri_cycle *cycle = &nearest->cycles[i];
        ck_assert_uint_gt(cycle->n, 0);
        ck_assert(!nearest->violated[i]->holds(&facts, NULL));
        ck_assert(i == 0 || nearest->cycles[i - 1].n <= cycle->n);
        g_string_append_printf(text, "%s%s:", i > 0 ? "; " : "",
                               nearest->violated[i]->name);
        for (uint32_t e = 0; e < cycle->n; e++) {
            const struct weiri_edge *edge = &cycle->edges[e];
            ck_assert_uint_eq(edge->to, cycle->edges[(e + 1) % cycle->n].from);
            EXPECT(is_edge(&facts, edge) || is_plain_rb(&facts, edge),
                   "%s: no edge %u -%s-> %u", model->name, edge->from, edge->name,
                   edge->to);
            g_string_append_printf(text, " %s", edge->name);
        }
    }
    ck_assert((nearest->n_violated == 0) == weiri_model_allows(model, &facts));
    weiri_algebra_clear(&algebra);
    return g_string_free(text, FALSE);
}

static struct weiri_nearest find(const struct weiri_litmus *test, const char *model,
                                 bool holds)
{
    const struct weiri_nearest_options options = {
        .model = weiri_model_find(model), .holds = holds, .most = MOST, .rounds = ROUNDS
    };
    struct weiri_nearest nearest = weiri_nearest_find(test, &options);
    if (nearest.is_found) {
        ck_assert(weiri_litmus_holds(test->condition, weiri_litmus_program_value,
                                     &nearest.execution)
                  == holds);
        ck_assert_uint_gt(nearest.candidates, 0);
    }
    return nearest;
}

/* ---- Samples --------------------------------------------------------------------- */

TEST(a_state_that_never_happens_has_a_reason)
{
    static const struct {
        const char *sample, *model, *reasons;
    } reasons[] = {
        { "mp", "sc", "SC: sb rf sb rb" },
        { "mp", "rc11", "COH: sb sw sb rb" },
        { "mp", "sycl", "COH: sb sw sb rb" },
        { "mp", "opencl", "NARF: sb sw sb rb" },
        { "sb-seq-cst", "rc11", "SC: sb rb sb rb" },
        { "sb-seq-cst", "opencl", "SC: sb rb sb rb" },
        { "lb-dependency", "rc11", "NTA: sb rf sb rf" },
        { "lb-dependency", "gpu", "NTA: data rf addr rf" },
        { "lb-dependency", "opencl", "" },
        { "cas", "sycl", "ATOM: rb mo rmw^-1" },
        { "barrier", "sycl-split", "COH: sb bar sb rb" },
        { "barrier", "opencl", "NARF: sb bar sb rb" },
        { "scopes", "sycl", "COH: sb sw sb sw sb rb" },
        { "fences", "gpu", "COH: sb sw sb rb" },
        { "filter", "rc11", "COH: sb sw sb rb" },
        /* Loops: a reason within one round is as good as any. */
        { "spin", "rc11", "COH: sb sw sb rb" },
        { "ticket", "rc11", "COH: sb sw sb rb" },
        { "increment", "rc11", "ATOM: rb mo rmw^-1" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
        g_autofree char *path
            = g_strdup_printf(SAMPLES "/%s.litmus", reasons[i].sample);
        g_autoptr(weiri_litmus) test = litmus_read_file(path);
        g_auto(weiri_nearest) nearest
            = find(test, reasons[i].model, test->quantifier != WEIRI_LITMUS_FORALL);
        EXPECT(nearest.is_found, "%s: there is none", path);
        g_autofree char *text
            = reasons_of(&nearest, weiri_model_find(reasons[i].model));
        EXPECT(strcmp(text, reasons[i].reasons) == 0, "%s under %s: %s, not %s", path,
               reasons[i].model, text, reasons[i].reasons);
    }
}

/* Which of several candidates: each test has some that differ in one respect. */
static const struct {
    const char *what, *text, *model, *reasons;
    uint64_t candidates; /* 0: any number */
    uint32_t n_backward;
    bool coherent;
} choices[] = {
    /* x=0 could be read past what P1 writes itself, in fewer steps. */
    { "what is coherent comes before shorter cycles",
      "C t\n{}\n"
      "P0 ($ints) { store(x, 1, $rlx); store(y, 1, $rel); }\n"
      "P1 ($ints) {\n"
      "  int r = load(y, $acq); int s = load(x, $rlx); store(x, 0, $rlx);\n"
      "}\n"
      "exists (1:r=1 /\\ 1:s=0)",
      "gpu", "COH: sb sw sb rb", 2, 1, true },
    /* Two threads that read what the other one writes later: of COH and NTA, in four
     * steps; or three that hand on, in six steps of COH. */
    { "fewer axioms come before shorter cycles",
      "C t\n{}\n"
      "P0 ($ints) { int a = load(x, $acq); store(y, 1, $rel); }\n"
      "P1 ($ints) { int b = load(y, $acq); store(x, 1, $rel); }\n"
      "P2 (atomic_int* u, atomic_int* v) { store(u, 1, $rlx); store(v, 1, $rel); }\n"
      "P3 (atomic_int* v, atomic_int* w) {\n"
      "  int c = load(v, $acq); store(w, 1, $rel);\n"
      "}\n"
      "P4 (atomic_int* u, atomic_int* w) {\n"
      "  int e = load(w, $acq); int f = load(u, $rlx);\n"
      "}\n"
      "exists (0:a=1 /\\ 1:b=1 \\/ 3:c=1 /\\ 4:e=1 /\\ 4:f=0)",
      "rc11", "COH: sb sw sb sw sb rb", 0, 1, true },
    /* Two results could be old, and one is enough. */
    { "fewer stale reads come before more",
      "C t\n{}\n"
      "P0 ($ints, atomic_int* z) {\n"
      "  store(x, 1, $rlx); store(z, 1, $rlx); store(y, 1, $rel);\n"
      "}\n"
      "P1 ($ints, atomic_int* z) {\n"
      "  int r = load(y, $acq); int s = load(x, $rlx); int t = load(z, $rlx);\n"
      "}\n"
      "exists (1:r=1 /\\ (1:s=0 \\/ 1:t=0))",
      "sycl", "COH: sb sw sb rb", 3, 1, true },
    /* No candidate is coherent. In the nearest one the writes' order is the thread's,
     * though with the other order there are fewer steps. */
    { "writes that agree come before those that do not",
      "C t\n{}\n"
      "P0 ($ints) { store(x, 1, $rlx); store(x, 2, $rlx); }\n"
      "P1 ($ints) { int r = load(x, $rlx); int s = load(x, $rlx); }\n"
      "exists (1:r=2 /\\ 1:s=1)",
      "rc11", "COH: sb rb rf", 2, 1, false },
    /* Both read-modify-writes read what was there first: one of them must be lost. */
    { "read-modify-writes that are not atomic, where there is no other way",
      "C t\n{}\n"
      "P0 ($ints) { int r = exchange(x, 1, $rlx); }\n"
      "P1 ($ints) { int r = exchange(x, 2, $rlx); }\n"
      "exists (0:r=0 /\\ 1:r=0)",
      "sycl", "ATOM: rb mo rmw^-1", 2, 0, false },
};

TEST_EACH(the_most_instructive_candidate_is_nearest, G_N_ELEMENTS(choices))
{
    g_autofree char *text = litmus_expand(choices[_i].text);
    g_autoptr(weiri_litmus) test = litmus_read(text, choices[_i].what);
    g_auto(weiri_nearest) nearest = find(test, choices[_i].model, true);
    g_autofree char *reasons
        = reasons_of(&nearest, weiri_model_find(choices[_i].model));
    EXPECT(strcmp(reasons, choices[_i].reasons) == 0, "%s: %s, not %s",
           choices[_i].what, reasons, choices[_i].reasons);
    EXPECT(nearest.n_backward == choices[_i].n_backward, "%s: %u stale",
           choices[_i].what, nearest.n_backward);
    EXPECT(nearest.coherent == choices[_i].coherent && nearest.exhaustive,
           "%s: coherent %d", choices[_i].what, nearest.coherent);
    EXPECT(choices[_i].candidates == 0 || nearest.candidates == choices[_i].candidates,
           "%s: %" PRIu64 " candidates", choices[_i].what, nearest.candidates);
}

TEST(a_state_that_no_value_allows_has_no_candidate)
{
    static const char text[] = "C no\n{}\nP0 (int* x) { *x = 1; }\nexists (x=2)";
    g_autoptr(weiri_litmus) test = litmus_read(text, text);
    struct weiri_nearest nearest = find(test, "sycl", true);
    ck_assert(!nearest.is_found && nearest.exhaustive);
    weiri_nearest_clear(&nearest);
    nearest = find(test, "sycl", false); /* x is 1 after all */
    ck_assert(nearest.is_found && nearest.n_violated == 0);
    weiri_nearest_clear(&nearest);
}

static bool never(void *user)
{
    ++*(int *)user;
    return false;
}

TEST(a_search_that_ends_early_says_so)
{
    g_autofree char *path = g_strdup(SAMPLES "/ticket.litmus");
    g_autoptr(weiri_litmus) test = litmus_read_file(path);
    struct weiri_nearest_options options
        = { .model = weiri_model_find("rc11"), .most = 4, .rounds = ROUNDS };
    struct weiri_nearest nearest = weiri_nearest_find(test, &options);
    ck_assert(!nearest.exhaustive && !nearest.is_found);
    weiri_nearest_clear(&nearest);
    int asked = 0;
    options.most = MOST;
    options.go_on = never;
    options.user = &asked;
    nearest = weiri_nearest_find(test, &options);
    ck_assert(!nearest.exhaustive);
    ck_assert_int_gt(asked, 0);
    weiri_nearest_clear(&nearest);
}

/* ---- A folder of tests ----------------------------------------------------------- */

struct searched {
    size_t n_reasons, n_impossible, n_capped;
};

static void expect_reason(const struct weiri_litmus *test,
                          const struct litmus_verdict *verdict, void *user)
{
    struct searched *searched = user;
    if (strcmp(verdict->observation, "Never") != 0) {
        return;
    }
    g_auto(weiri_nearest) nearest = find(test, verdict->model, true);
    if (nearest.is_found) {
        g_autofree char *reasons
            = reasons_of(&nearest, weiri_model_find(verdict->model));
        EXPECT(nearest.n_violated > 0, "%s under %s is allowed", verdict->file,
               verdict->model);
        EXPECT(reasons[0] != '\0', "%s under %s has no reason", verdict->file,
               verdict->model);
    }
    searched->n_reasons += nearest.is_found;
    searched->n_impossible += !nearest.is_found && nearest.exhaustive;
    searched->n_capped += !nearest.exhaustive;
}

TEST(every_state_that_never_happens_has_a_reason)
{
    struct searched searched = { 0 };
    if (litmus_each_verdict(NULL, scaled(1, 100), expect_reason, &searched) > 0) {
        printf("%zu have a reason, %zu no candidate; %zu searches were ended\n",
               searched.n_reasons, searched.n_impossible, searched.n_capped);
        ck_assert_uint_gt(searched.n_reasons, 0);
    }
}

MAIN("nearest")
