/* SPDX-License-Identifier: MIT
 *
 * check_cat.c: the models in docs/models/ against the library's. Both judge the same
 * executions, allowed and forbidden ones, and must say the same of each: which axioms
 * hold, and under Vulkan whether it has a race. What they share is the execution. The
 * relations that both define must be equal, too: a clause that is wrong is seen there
 * before it makes a verdict wrong.
 *
 * A seed's remainder by 6 is its model. The tables of tests/ are judged, too, and with
 * WEIR_TABLES_DIR all in the folders below it.
 *
 *   check-cat                a few programs, as a test
 *   check-cat SEED COUNT     those from SEED on */
#define CAMPAIGN "check-cat"
#include "campaign.h"

#include "brute_table.h"
#include "cat_execution.h"
#include "litmus_support.h"

#include "litmus/program.h"
#include "model/ptx-steps.h"
#include "model/vulkan-steps.h"

/* How many candidates of a program are judged: the first ones. */
enum { CANDIDATES = 60, CANDIDATES_OF_FILES = 400, ROUNDS = 1 };

/* @unseen: programs of which no execution was judged */
struct tally {
    uint64_t programs, allowed, forbidden, racy, large, unseen;
};

struct statistics {
    struct tally by_model[BRUTE_N_TABLE_MODELS];
};

/* ---- Files ----------------------------------------------------------------------- */

static struct cat *cats[BRUTE_N_TABLE_MODELS];

static char *path_of(enum brute_table_model model)
{
    return g_strdup_printf("%s/%s.cat", MODELS, brute_table_model_name(model));
}

static struct cat *cat_of(enum brute_table_model model)
{
    if (cats[model] == NULL) {
        g_autofree char *path = path_of(model);
        g_autofree char *text = NULL;
        g_file_get_contents(path, &text, NULL, NULL);
        cats[model] = cat_read(text != NULL ? text : ""); /* which has no meaning */
    }
    return cats[model];
}

/* ---- One against the other ------------------------------------------------------- */

/* @wrong: (transfer full): the first execution that is judged differently */
struct comparison {
    enum brute_table_model model;
    const struct weiri_model *library;
    struct cat *cat;
    struct tally *tally;
    char *wrong;
};

enum { MO = -1, RB = -2 };

/* The relations that both have, without initial writes, and without barriers, which are
 * one event in a file. @is_local: only accesses of one location by two threads are
 * compared: a barrier that is one event leads back to itself, so that program order
 * past it is a part of causality. */
static const struct shared {
    bool is_ptx;
    const char *name;
    int own; /* in the library: an index of facts->own, or MO or RB */
    bool is_local;
} shared_relations[] = {
    { true, "sync", WEIRI_PTX_SYNC, false },
    { true, "cause", WEIRI_PTX_CAUSE, true },
    { true, "mo", MO, true },
    { true, "fr", RB, true },
    { false, "mutord", WEIRI_VULKAN_MUTORD, true },
    { false, "asmo", WEIRI_VULKAN_ASMO, true },
    { false, "sw", WEIRI_VULKAN_SW, false },
    { false, "hb", WEIRI_VULKAN_HB, false },
    { false, "locord", WEIRI_VULKAN_LOCORD, true },
    { false, "fr", RB, true },
};

static bool is_compared(const struct weiri_facts *facts, const struct shared *shared,
                        uint32_t a, uint32_t b)
{
    const struct weiri_execution_event *one = &facts->execution->events[a];
    const struct weiri_execution_event *other = &facts->execution->events[b];
    if (shared->is_local) {
        return one->thread != other->thread
            && weiri_relation_has(facts->algebra, facts->loc, a, b);
    }
    return one->kind <= WEIRI_FENCES && other->kind <= WEIRI_FENCES;
}

/* Returns: (transfer full) (nullable): what is wrong with a relation */
static char *compare_relation(const struct weiri_facts *facts, struct cat *cat,
                              const struct shared *shared, const unsigned *numbers)
{
    const struct relation *file = cat_defined(cat, shared->name);
    struct weiri_relation library = shared->own == MO ? facts->mo
        : shared->own == RB                           ? facts->rb
                                                      : facts->own[shared->own];
    uint32_t n = facts->execution->n_events;
    for (uint32_t pair = 0; file != NULL && pair < n * n; pair++) {
        uint32_t a = pair / n, b = pair % n;
        bool has = related(file, numbers[a], numbers[b]);
        if (has != weiri_relation_has(facts->algebra, library, a, b)
            && is_compared(facts, shared, a, b)) {
            return g_strdup_printf("events %u and %u are %s %s in the file", a, b,
                                   has ? "in" : "not in", shared->name);
        }
    }
    return file == NULL ? g_strdup_printf("%s is not defined", shared->name) : NULL;
}

/* An axiom of the library can be several ones of a file, whose names begin alike. */
static bool is_violated(const struct cat_answer *answer, const char *name)
{
    bool is = false;
    for (unsigned i = 0; i < answer->n_violated; i++) {
        is = is || g_str_has_prefix(answer->violated[i], name);
    }
    return is;
}

/* Under Vulkan, positions can disagree with program order. No co is so: both forbid the
 * execution, by any axiom. */
static bool is_order(const struct comparison *comparison,
                     const struct weiri_facts *facts)
{
    return brute_is_ptx(comparison->model)
        || weiri_relation_is_acyclic(facts->algebra, facts->mo);
}

/* Returns: (transfer full) (nullable): what is wrong with an axiom, or races. Accesses
 * of a thread that are not in order can violate SCPerLocation alone here, and also
 * Causality in a file, by the same barrier. */
static char *compare_verdicts(const struct comparison *comparison,
                              const struct weiri_facts *facts,
                              const struct cat_answer *answer)
{
    const struct weiri_model *library = comparison->library;
    bool allows = true, in_order = is_order(comparison, facts);
    uint32_t one, other;
    for (uint32_t i = 0; i < library->n_axioms; i++) {
        bool holds = library->axioms[i]->holds(facts, NULL);
        allows = allows && holds;
        if (in_order && holds == is_violated(answer, library->axioms[i]->name)) {
            return g_strdup_printf("%s %s in the file", library->axioms[i]->name,
                                   holds ? "does not hold" : "holds");
        }
        bool is_location = strcmp(library->axioms[i]->name, "SCPerLocation") == 0;
        in_order = in_order && (holds || !is_location);
    }
    bool races = allows && library->race != NULL && library->race(facts, &one, &other);
    comparison->tally->allowed += allows;
    comparison->tally->forbidden += !allows;
    comparison->tally->racy += races;
    if (allows != (answer->n_violated == 0) || (allows && races != answer->flagged)) {
        return g_strdup_printf("%s, %s in the file",
                               answer->n_violated == 0 ? "allowed" : "forbidden",
                               answer->flagged ? "race" : "no race");
    }
    return NULL;
}

static bool compare(const struct weiri_candidate *candidate, void *user)
{
    struct comparison *comparison = user;
    struct cat_answer answer;
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    unsigned numbers[CAT_EVENTS];
    bool is_ptx = brute_is_ptx(comparison->model);
    if (!cat_judge_execution(comparison->cat, candidate->execution, is_ptx, &answer,
                             numbers)) {
        comparison->tally->large++;
        return false;
    }
    weiri_facts_begin(&facts, &algebra, candidate->execution);
    weiri_model_read(comparison->library, &facts);
    comparison->wrong = answer.error != NULL
        ? g_strdup(answer.error)
        : compare_verdicts(comparison, &facts, &answer);
    for (size_t i = 0; i < G_N_ELEMENTS(shared_relations) && !comparison->wrong; i++) {
        if (shared_relations[i].is_ptx == is_ptx && is_order(comparison, &facts)) {
            comparison->wrong = compare_relation(&facts, comparison->cat,
                                                 &shared_relations[i], numbers);
        }
    }
    weiri_algebra_clear(&algebra);
    return comparison->wrong == NULL;
}

/* Where there are more candidates than are judged, the first of those that the library
 * allows are judged, too. Returns: (transfer full) (nullable): what is wrong */
static char *compare_test(const struct weiri_litmus *test, enum brute_table_model model,
                          uint64_t most, struct tally *tally)
{
    struct comparison comparison
        = { .model = model,
            .library = weiri_model_find(brute_table_model_name(model)),
            .cat = cat_of(model),
            .tally = tally };
    struct weiri_enumerate_options options = { .model = comparison.library,
                                               .forbidden = true,
                                               .most = most,
                                               .visit = compare,
                                               .user = &comparison };
    uint64_t before = tally->allowed + tally->forbidden;
    bool all = weiri_litmus_enumerate(test, ROUNDS, &options).exhaustive;
    if (!all && comparison.wrong == NULL) {
        options.forbidden = false;
        (void)weiri_litmus_enumerate(test, ROUNDS, &options);
    }
    tally->programs++;
    tally->unseen += tally->allowed + tally->forbidden == before;
    return comparison.wrong;
}

/* ---- Drawn programs -------------------------------------------------------------- */

static void say(const struct statistics *statistics)
{
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        const struct tally *tally = &statistics->by_model[m];
        printf("%s: %" PRIu64 " programs, %" PRIu64 " executions allowed, %" PRIu64
               " forbidden, %" PRIu64 " with a race; programs too large: %" PRIu64
               ", without an execution: %" PRIu64 "\n",
               brute_table_model_name((enum brute_table_model)m), tally->programs,
               tally->allowed, tally->forbidden, tally->racy, tally->large,
               tally->unseen);
    }
}

static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    enum brute_table_model model
        = (enum brute_table_model)(seed % BRUTE_N_TABLE_MODELS);
    struct brute_table table;
    brute_table_draw(seed, model, &table);
    g_autofree char *text = brute_table_print(&table);
    GError *error = NULL;
    g_autoptr(weiri_litmus) test
        = weiri_litmus_parse(text, strlen(text), "drawn", &error);
    g_autofree char *wrong = test == NULL
        ? g_strdup(error->message)
        : compare_test(test, model, CANDIDATES, &statistics->by_model[model]);
    g_clear_error(&error);
    return wrong == NULL ? NULL
                         : g_strdup_printf("%s\nunder %s: %s\n", text,
                                           brute_table_model_name(model), wrong);
}

enum { CHUNKS = 6, PROGRAMS_A_CHUNK = 200 };

CASE("files", .seconds = 120);

TEST_EACH(the_library_and_the_files_agree, CHUNKS)
{
    struct statistics statistics = { 0 };
    expect_chunk(_i, scaled(PROGRAMS_A_CHUNK, 6), &statistics);
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        const struct tally *tally = &statistics.by_model[m];
        EXPECT(tally->allowed > 0 && tally->forbidden > 0, "%s decides nothing",
               brute_table_model_name((enum brute_table_model)m));
    }
}

/* ---- The interpreter ------------------------------------------------------------- */

/* Events 0 -> 1 -> 2 by po; 0 and 2 are in W, 1 is in R. */
TEST(the_language_is_as_it_should)
{
    static const struct {
        const char *text, *said;
    } rows[] = {
        { "empty [W] ; po ; [R] as A", "A" },
        { "empty [R] ; po ; [R] as A", "" },
        { "empty (po ; po) \\ (W * W) as A", "" },
        { "empty (W & R) * R as A", "" },
        { "empty (W | R) * R as A", "A" },
        { "empty [W \\ R] ; po as A", "A" },
        { "irreflexive po ; po^-1 as A", "A" },
        { "irreflexive po ; po as A", "" },
        { "acyclic po | (W * R) as A", "A" },
        { "acyclic po as A", "" },
        { "let s = po \\ (po ; po) empty po \\ s as A empty po \\ s+ as B", "A" },
        { "let s = po \\ (po ; po) empty po \\ s* as A", "" },
        { "irreflexive po? as A irreflexive (po & po)* as B", "A B" },
        { "let f(a, b) = [a] ; b let g(b) = f(R, b) empty g(po) ; [W] as A", "A" },
        { "let f(a, b) = [a] ; b let g(b) = f(R, b) empty g(po) ; [R] as A", "" },
        { "flag ~empty po as A", "flag" },
        { "flag ~empty po ; po ; po as A", "" },
        { "(* empty *) // empty po as B\n empty po as A", "A" },
        { "empty po ; po & po as A",
          "line 1: expected parentheses between two operators" },
        { "empty po \\ po \\ po",
          "line 1: expected parentheses between two operators" },
        { "empty p as A", "line 1: unknown name `p`" },
        { "let p =\n W ; po", "line 2: expected a relation" },
        { "empty [po] as A", "line 1: expected a set" },
        { "empty W as A", "line 1: expected a relation" },
        { "empty (po as A", "line 1: expected `)`" },
        { "nonempty po", "line 1: expected a definition or an axiom" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf("T %s", rows[i].text);
        struct cat *cat = cat_read(text);
        struct relation po = empty(3);
        relate(&po, 0, 1);
        relate(&po, 1, 2);
        relate(&po, 0, 2);
        cat_set(cat, "W", 5);
        cat_set(cat, "R", 2);
        cat_relation(cat, "po", &po);
        struct cat_answer answer = cat_judge(cat, 3);
        GString *said = g_string_new(answer.error);
        for (unsigned a = 0; a < answer.n_violated && answer.error == NULL; a++) {
            g_string_append_printf(said, "%s%s", a > 0 ? " " : "", answer.violated[a]);
        }
        g_string_append(said, answer.flagged ? "flag" : "");
        EXPECT(strcmp(said->str, rows[i].said) == 0, "%s: '%s', not '%s'", rows[i].text,
               said->str, rows[i].said);
        g_string_free(said, TRUE);
        cat_free(cat);
    }
}

/* ---- Tables ---------------------------------------------------------------------- */

/* Clauses that drawn programs reach too rarely. */
static const char *const tables[] = {
    /* A proxy fence in the CTA of the write, and in another one. */
    "PTX a\n{ s @ surface aliases x; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    "sust.weak s, 1 | ld.acquire.gpu r0, y ;\nfence.proxy.surface | ld.weak r1, x ;\n"
    "st.release.gpu y, 1 | ;\nexists (P1:r0 == 1 /\\ P1:r1 == 0)\n",
    "PTX a\n{ s @ surface aliases x; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    "sust.weak s, 1 | ld.acquire.gpu r0, y ;\nst.release.gpu y, 1 | "
    "fence.proxy.surface ;\n | ld.weak r1, x ;\nexists (P1:r0 == 1 /\\ P1:r1 == 0)\n",
    /* An alias fence after the proxy fence. */
    "PTX a\n{ s @ surface aliases x; z @ generic aliases x; }\n"
    "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nsust.weak s, 1 | ld.acquire.gpu r0, y ;\n"
    "fence.proxy.surface | fence.proxy.alias ;\nst.release.gpu y, 1 | ld.weak r1, z ;\n"
    "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n",
    /* A barrier of a cluster, with an arrival apart from the wait. */
    "PTX a\n{}\nP0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
    "st.weak x, 1 | barrier.cluster.arrive 0 ;\nbarrier.cluster.arrive 0 | "
    "barrier.cluster.wait 0 ;\nbarrier.cluster.wait 0 | ld.weak r0, x ;\n"
    "exists (P1:r0 == 0)\n",
    "PTX a\n{}\nP0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
    "st.weak x, 1 | barrier.cluster.arrive 0 ;\nbarrier.cluster.arrive.relaxed 0 | "
    "barrier.cluster.wait 0 ;\nbarrier.cluster.wait 0 | ld.weak r0, x ;\n"
    "exists (P1:r0 == 0)\n",
    /* A chain of availability, and one of visibility. */
    "VULKAN a\n{}\nP0@sg 0,wg 0,qf 0 | P1@sg 0,wg 0,qf 0 | P2@sg 1,wg 0,qf 0 ;\n"
    "st.av.sg.sc0 x, 1 | ld.atom.acq.sg.sc1.semsc0.semsc1 r0, y | "
    "ld.atom.acq.wg.sc1.semsc0.semsc1.semvis r1, z ;\n"
    "st.atom.rel.sg.sc1.semsc0.semsc1 y, 1 | "
    "st.atom.rel.wg.sc1.semsc0.semsc1.semav z, 1 | ld.vis.wg.sc0 r2, x ;\n"
    "exists (P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0)\n",
    "VULKAN a\n{}\nP0@sg 1,wg 0,qf 0 | P1@sg 0,wg 0,qf 0 | P2@sg 0,wg 0,qf 0 ;\n"
    "st.av.wg.sc0 x, 1 | ld.atom.acq.wg.sc1.semsc0.semsc1.semvis r0, y | "
    "ld.atom.acq.sg.sc1.semsc0.semsc1 r1, z ;\n"
    "st.atom.rel.wg.sc1.semsc0.semsc1.semav y, 1 | "
    "st.atom.rel.sg.sc1.semsc0.semsc1 z, 1 | ld.vis.sg.sc0 r2, x ;\n"
    "exists (P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0)\n",
    /* An operation of a wider domain. */
    "VULKAN a\n{}\nP0@sg 0,wg 0,qf 0 | P1@sg 1,wg 0,qf 0 ;\n"
    "st.av.dv.sc0 x, 1 | ld.atom.acq.wg.sc0.semsc0 r0, y ;\n"
    "st.atom.rel.wg.sc0.semsc0 y, 1 | ld.vis.wg.sc0 r1, x ;\n"
    "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n",
    /* The host. */
    "VULKAN a\n{}\n{ ssw 0 1; }\nP0@sg 0,wg 0,qf 0 | P1@sg 0,wg 0,qf 0 ;\n"
    "st.sc0 x, 1 | visdevice ;\navdevice | ld.sc0 r0, x ;\nexists (P1:r0 == 0)\n",
};

static void judge_test(const struct weiri_litmus *test, const char *name,
                       struct statistics *statistics)
{
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        enum brute_table_model model = (enum brute_table_model)m;
        if (!weiri_litmus_is_table(test->form)
            || brute_is_ptx(model) != (test->form == WEIRI_LITMUS_PTX)) {
            continue;
        }
        g_autofree char *wrong = compare_test(test, model, CANDIDATES_OF_FILES,
                                              &statistics->by_model[model]);
        EXPECT(wrong == NULL, "%s under %s: %s", name, brute_table_model_name(model),
               wrong);
    }
}

TEST_EACH(rare_clauses_are_alike, G_N_ELEMENTS(tables))
{
    struct statistics statistics = { 0 };
    g_autoptr(weiri_litmus) test = litmus_read(tables[_i], tables[_i]);
    judge_test(test, tables[_i], &statistics);
}

/* ---- Folders --------------------------------------------------------------------- */

static void judge_folder(const char *folder, struct statistics *statistics)
{
    g_autoptr(GPtrArray) paths = litmus_list(folder);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(weiri_litmus) test = litmus_read_file(paths->pdata[i]);
        judge_test(test, paths->pdata[i], statistics);
    }
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *inner = g_build_filename(folder, name, NULL);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)) {
            judge_folder(inner, statistics);
        }
    }
}

CASE("folders", .seconds = NO_LIMIT);

TEST(the_tests_of_folders_are_judged_alike)
{
    struct statistics statistics = { 0 };
    const char *folder = getenv("WEIR_TABLES_DIR");
    judge_folder(TABLES, &statistics);
    if (folder != NULL) {
        judge_folder(folder, &statistics);
    }
    say(&statistics);
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("cat");
}
