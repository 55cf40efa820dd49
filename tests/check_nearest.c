/* SPDX-License-Identifier: MIT
 *
 * check_nearest.c: why something never happens: which axioms the nearest candidate
 * violates, and that the cycles which say so are there, edge by edge.
 *
 * With WEIR_LITMUS_DIR, of everything that verdicts.tsv there says never happens. */
#include "enumerated.h"

#include "model/nearest.h"

#include <stdio.h>

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

/* Of initial values and plain locations, OpenCL's rb knows nothing. */
static bool is_plain_rb(const struct weiri_facts *f, const struct weiri_edge *edge)
{
    const struct weiri_happened *read = &f->execution->events[edge->from];
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
        ck_assert(weiri_litmus_holds(test->condition, weiri_enumerate_value,
                                     &nearest.execution)
                  == holds);
        ck_assert_uint_gt(nearest.candidates, 0);
    }
    return nearest;
}

/* ---- Samples --------------------------------------------------------------------- */

START_TEST(what_never_happens_has_a_reason)
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
        struct weiri_litmus *test = litmus_read_file(path);
        struct weiri_nearest nearest
            = find(test, reasons[i].model, test->quantifier != WEIRI_LITMUS_FORALL);
        EXPECT(nearest.is_found, "%s: there is none", path);
        g_autofree char *text
            = reasons_of(&nearest, weiri_model_find(reasons[i].model));
        EXPECT(strcmp(text, reasons[i].reasons) == 0, "%s under %s: %s, not %s", path,
               reasons[i].model, text, reasons[i].reasons);
        weiri_nearest_clear(&nearest);
        weiri_litmus_free(test);
    }
}
END_TEST

START_TEST(fewer_axioms_are_nearer_than_shorter_cycles)
{
    /* x=1 can be read by reading later writes early, by two axioms at once; or, with
     * more steps, by one alone. */
    static const char text[]
        = "C two\n{}\n"
          "P0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, "
          "memory_order_relaxed); "
          "atomic_store_explicit(y, 1, memory_order_release); }\n"
          "P1 (atomic_int* x, atomic_int* y) { int r = atomic_load_explicit(y, "
          "memory_order_acquire); int s = atomic_load_explicit(x, "
          "memory_order_relaxed); "
          "atomic_store_explicit(x, 0, memory_order_relaxed); }\n"
          "exists (1:r=1 /\\ 1:s=0)";
    struct weiri_litmus *test = litmus_read(text, text);
    struct weiri_nearest nearest = find(test, "rc11", true);
    g_autofree char *reasons = reasons_of(&nearest, weiri_model_find("rc11"));
    ck_assert_str_eq(reasons, "COH: sb sw sb rb");
    ck_assert(nearest.exhaustive);
    weiri_nearest_clear(&nearest);
    nearest = find(test, "gpu", true); /* where one axiom alone minds */
    g_autofree char *gpu = reasons_of(&nearest, weiri_model_find("gpu"));
    ck_assert_str_eq(gpu, "COH: sb rf");
    weiri_nearest_clear(&nearest);
    weiri_litmus_free(test);
}
END_TEST

START_TEST(what_no_value_allows_has_no_candidate)
{
    static const char text[] = "C no\n{}\nP0 (int* x) { *x = 1; }\nexists (x=2)";
    struct weiri_litmus *test = litmus_read(text, text);
    struct weiri_nearest nearest = find(test, "sycl", true);
    ck_assert(!nearest.is_found && nearest.exhaustive);
    weiri_nearest_clear(&nearest);
    nearest = find(test, "sycl", false); /* x is 1 after all */
    ck_assert(nearest.is_found && nearest.n_violated == 0);
    weiri_nearest_clear(&nearest);
    weiri_litmus_free(test);
}
END_TEST

static bool never(void *user)
{
    ++*(int *)user;
    return false;
}

START_TEST(a_search_that_ends_early_says_so)
{
    g_autofree char *path = g_strdup(SAMPLES "/ticket.litmus");
    struct weiri_litmus *test = litmus_read_file(path);
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
    weiri_litmus_free(test);
}
END_TEST

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
    struct weiri_nearest nearest = find(test, verdict->model, true);
    if (nearest.is_found) {
        g_autofree char *reasons
            = reasons_of(&nearest, weiri_model_find(verdict->model));
        EXPECT(nearest.n_violated > 0, "%s under %s is allowed", verdict->file,
               verdict->model);
    }
    searched->n_reasons += nearest.is_found;
    searched->n_impossible += !nearest.is_found && nearest.exhaustive;
    searched->n_capped += !nearest.exhaustive;
    weiri_nearest_clear(&nearest);
}

START_TEST(all_that_never_happens_has_a_reason)
{
    struct searched searched = { 0 };
    if (litmus_each_verdict(NULL, scaled(1, 100), expect_reason, &searched) > 0) {
        printf("%zu have a reason, %zu no candidate; %zu searches were ended\n",
               searched.n_reasons, searched.n_impossible, searched.n_capped);
        ck_assert_uint_gt(searched.n_reasons, 0);
    }
}
END_TEST

int main(void)
{
    if (getenv("WEIR_LITMUS_DIR") == NULL) {
        puts("WEIR_LITMUS_DIR is not set: a check over a folder of tests is empty");
    }
    Suite *suite = suite_create("nearest");
    TCase *nearest = add_case(suite, "nearest");
    tcase_add_test(nearest, what_never_happens_has_a_reason);
    tcase_add_test(nearest, fewer_axioms_are_nearer_than_shorter_cycles);
    tcase_add_test(nearest, what_no_value_allows_has_no_candidate);
    tcase_add_test(nearest, a_search_that_ends_early_says_so);
    tcase_add_test(nearest, all_that_never_happens_has_a_reason);
    return run_suite(suite);
}
