/* SPDX-License-Identifier: MIT
 *
 * check_models.c: the library's memory models against brute force. Random programs are
 * decided by both, and everything that is said of them must be the same: the final
 * states and how many executions end in each, how many of them satisfy the claim,
 * whether there is a race, how many are blocked, and how many a loop's bound has ended.
 * What the two share is the text of the test and the definitions on paper.
 *
 *   check-models                a few programs, as a test; or, by the environment,
 *                               WEIR_MODEL_PROGRAMS of them
 *   check-models SEED COUNT     those from SEED on */
#define CAMPAIGN "check-models"
#include "campaign.h"

#include "brute_examples.h"
#include "brute_generator.h"
#include "model_adapter.h"

/* ---- One against the other ------------------------------------------------------- */

struct statistics {
    uint64_t programs, compared, candidates;
    uint64_t placed, racy, blocked, cut, groundless;
    uint64_t differing; /* programs of which two models say different things */
};

static struct decided brute_says(const struct brute_program *program,
                                 const struct brute_result *result,
                                 enum brute_model model)
{
    const struct brute_verdict *verdict = &result->verdicts[model];
    return (struct decided){
        .states = brute_states_text(program, result, model),
        .positive = verdict->positive,
        .negative = verdict->negative,
        .race = verdict->race,
        .blocked = verdict->blocked,
        .cut = verdict->bounded,
    };
}

static bool are_equal(const struct decided *a, const struct decided *b)
{
    return strcmp(a->states, b->states) == 0 && a->positive == b->positive
        && a->negative == b->negative && a->race == b->race && a->blocked == b->blocked
        && a->cut == b->cut;
}

/* Appends to @wrong what one way of deciding and brute force say differently. */
static void compare(const struct brute_program *program,
                    const struct brute_result *result, enum brute_model model,
                    const struct model_decider *decider, const char *text,
                    GString *wrong)
{
    const char *name = brute_model_name(model);
    struct decided brute = brute_says(program, result, model);
    struct decided library = { .states = NULL };
    g_autofree char *error = decider->decide(text, name, BRUTE_DRAWN_ROUNDS, &library);
    if (error != NULL) {
        g_string_append_printf(wrong, "under %s the %s says: %s\n\n", name,
                               decider->name, error);
    } else if (!are_equal(&brute, &library)) {
        g_string_append_printf(wrong, "under %s they disagree;\n", name);
        decided_describe(wrong, decider->name, &library);
        decided_describe(wrong, "brute force", &brute);
        g_string_append_c(wrong, '\n');
    }
    g_free(brute.states);
    g_free(library.states);
}

/* The text of a program about which the library and brute force disagree, and what they
 * say. Returns: (transfer full) (nullable): or %NULL where they agree */
static char *compare_all(const struct brute_program *program,
                         const struct brute_result *result, uint64_t *n_compared)
{
    g_autofree char *text = brute_print(program);
    g_autoptr(GString) wrong = g_string_new(NULL);
    for (const struct model_decider *by = model_deciders; by->name != NULL; by++) {
        for (int m = 0; m < BRUTE_N_MODELS; m++) {
            if (g_strv_contains(by->models, brute_model_name((enum brute_model)m))) {
                (*n_compared)++;
                compare(program, result, (enum brute_model)m, by, text, wrong);
            }
        }
    }
    return wrong->len == 0 ? NULL : g_strdup_printf("%s\n%s", text, wrong->str);
}

/* ---- Smaller --------------------------------------------------------------------- */

/* Without one statement of a thread, and without clauses of a removed thread. */
static void take_out(struct brute_program *program, unsigned thread, unsigned at)
{
    struct brute_statement *statements = program->threads[thread].statements;
    memmove(&statements[at], &statements[at + 1],
            (BRUTE_STATEMENTS - at - 1) * sizeof(*statements));
    brute_drop_unused(program);
    unsigned n = 0;
    for (unsigned i = 0; i < program->n_clauses; i++) {
        struct brute_clause clause = program->clauses[i];
        if (brute_term(program, clause.thread, clause.index) >= 0) {
            program->clauses[n++] = clause;
        }
    }
    program->n_clauses = n;
}

static bool is_simple(enum brute_kind kind)
{
    return kind != BRUTE_END && kind != BRUTE_IF && kind != BRUTE_ELSE
        && kind != BRUTE_WHILE && kind != BRUTE_CLOSE;
}

/* Takes statements out as long as there is a disagreement, and says the last one.
 * Returns: (transfer full) (nullable) */
static char *shrink(struct brute_program *program)
{
    char *last = NULL;
    uint64_t n_compared = 0;
    for (unsigned t = 0; t < program->n_threads; t++) {
        for (unsigned i = BRUTE_STATEMENTS; i-- > 0;) {
            if (!is_simple(program->threads[t].statements[i].kind)) {
                continue;
            }
            struct brute_program less = *program;
            take_out(&less, t, i);
            struct brute_result *result
                = brute_decide(&less, BRUTE_DRAWN_ROUNDS, BRUTE_DRAWN_CANDIDATES);
            char *wrong
                = result != NULL ? compare_all(&less, result, &n_compared) : NULL;
            brute_result_free(result);
            if (wrong != NULL) {
                g_free(last);
                last = wrong;
                *program = less;
                t = 0;
                i = BRUTE_STATEMENTS;
            }
        }
    }
    return last;
}

/* ---- Campaigns ------------------------------------------------------------------- */

static void count(struct statistics *statistics, const struct brute_program *program,
                  const struct brute_result *result)
{
    const struct brute_verdict *verdicts = result->verdicts;
    const struct brute_verdict *usual = &verdicts[BRUTE_SYCL];
    bool apart = false;
    for (int m = BRUTE_RC11; m < BRUTE_N_MODELS; m++) {
        apart = apart
            || verdicts[m].positive + verdicts[m].negative
                != usual->positive + usual->negative
            || verdicts[m].race != usual->race;
    }
    statistics->programs++;
    statistics->candidates += result->n_candidates;
    statistics->placed += program->placed;
    statistics->racy += usual->race;
    statistics->blocked += usual->blocked != 0;
    statistics->cut += usual->bounded != 0;
    statistics->groundless += result->n_groundless != 0;
    statistics->differing += apart;
}

static void say(const struct statistics *statistics)
{
    printf("%" PRIu64 " programs, %" PRIu64 " comparisons, %" PRIu64
           " candidates; of the programs %" PRIu64 " have groups, %" PRIu64
           " races, %" PRIu64 " blocked executions, %" PRIu64 " cut ones, %" PRIu64
           " cycles of values, %" PRIu64 " differ between models\n",
           statistics->programs, statistics->compared, statistics->candidates,
           statistics->placed, statistics->racy, statistics->blocked, statistics->cut,
           statistics->groundless, statistics->differing);
}

/* Returns: (transfer full): all that is to be said of the seed, or %NULL where all
 * agree about its program */
static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    struct brute_program program;
    struct brute_result *result = brute_draw(seed, &program);
    count(statistics, &program, result);
    g_autofree char *wrong = compare_all(&program, result, &statistics->compared);
    brute_result_free(result);
    if (wrong == NULL) {
        return NULL;
    }
    struct brute_program small = program;
    g_autofree char *still = shrink(&small);
    return g_strdup_printf("%s\nThe smallest such part of it:\n\n%s", wrong,
                           still != NULL ? still : wrong);
}

/* ---- Tests ----------------------------------------------------------------------- */

enum { CHUNKS = 5, PROGRAMS_A_CHUNK = 100 };

/* More programs than usual have no limit of time. */
CASE("models", .seconds = getenv("WEIR_MODEL_PROGRAMS") != NULL ? NO_LIMIT : 0);

TEST_EACH(the_library_and_brute_force_agree, CHUNKS)
{
    struct statistics statistics = { 0 };
    expect_chunk(_i, chunk_of("WEIR_MODEL_PROGRAMS", CHUNKS, PROGRAMS_A_CHUNK, 2),
                 &statistics);
}

TEST_EACH(examples_are_agreed_on, 3)
{
    static const struct brute_example *const all[]
        = { brute_examples_c11, brute_examples_scoped, brute_examples_counted };
    uint64_t n_compared = 0;
    for (const struct brute_example *at = all[_i]; at->claim != NULL; at++) {
        struct brute_program program = at->program;
        g_strlcpy(program.name, "example", sizeof(program.name));
        struct brute_result *result
            = brute_decide(&program, BRUTE_DRAWN_ROUNDS, BRUTE_DRAWN_CANDIDATES);
        ck_assert_ptr_nonnull(result);
        g_autofree char *wrong = compare_all(&program, result, &n_compared);
        brute_result_free(result);
        ck_assert_msg(wrong == NULL, "%s:\n%s", at->claim, wrong);
    }
}

/* Programs of all kinds come, and often enough one of which two models differ. */
TEST(the_generator_draws_what_it_should)
{
    struct statistics statistics = { 0 };
    unsigned n = (unsigned)scaled(200, 50);
    for (uint64_t seed = 1; seed <= n; seed++) {
        struct brute_program program;
        g_autoptr(brute_result) result = brute_draw(seed, &program);
        count(&statistics, &program, result);
    }
    ck_assert_uint_ge(statistics.placed, n / 3);
    ck_assert_uint_ge(statistics.racy, n / 5);
    ck_assert_uint_le(statistics.racy, 4 * n / 5);
    ck_assert_uint_ge(statistics.blocked, n / 50);
    ck_assert_uint_ge(statistics.cut, n / 100);
    ck_assert_uint_ge(statistics.groundless, n / 50);
    ck_assert_uint_ge(statistics.differing, n / 5);
}

TEST(a_seed_is_a_program)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct brute_program first, second;
        brute_result_free(brute_draw(seed, &first));
        brute_result_free(brute_draw(seed, &second));
        g_autofree char *one = brute_print(&first);
        g_autofree char *other = brute_print(&second);
        ck_assert_str_eq(one, other);
    }
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("models");
}
