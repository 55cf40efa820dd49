/* SPDX-License-Identifier: MIT
 *
 * check_tables.c: the library's models of PTX and Vulkan against brute force. Random
 * programs are decided by both, and both must have the same final states and, under
 * Vulkan, the same answer whether there is a data race. What they share is the text of
 * the test and the definitions on paper. A seed's remainder by 6 is its model.
 *
 * And tests of a folder have the verdicts that they state. They are about clauses that
 * published tests say little of.
 *
 *   check-tables                a few programs, as a test; or, by the environment,
 *                               WEIR_TABLE_PROGRAMS of each model
 *   check-tables SEED COUNT     those from SEED on */
#define CAMPAIGN "check-tables"
#include "campaign.h"

#include "brute_table.h"
#include "litmus_ask.h"
#include "litmus_support.h"

struct tally {
    uint64_t programs, candidates, states;
    uint64_t reached; /* programs whose claim can hold */
    uint64_t racy, blocked, groundless;
};

struct statistics {
    struct tally by_model[BRUTE_N_TABLE_MODELS];
};

/* ---- One against the other ------------------------------------------------------- */

static int compare_lines(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns: (transfer full): lines, sorted. Frees the array */
static char *join_sorted(GPtrArray *lines)
{
    g_ptr_array_sort(lines, compare_lines);
    g_ptr_array_add(lines, NULL);
    char *text = g_strjoinv("\n", (char **)lines->pdata);
    g_ptr_array_unref(lines);
    return text;
}

/* Whether the state counts: in a program without races, the writes of a location are in
 * an order that has all that the model orders. */
static bool counts(const struct brute_table *table,
                   const struct brute_table_result *result,
                   const struct brute_table_state *state)
{
    return table->is_ptx || result->race || state->is_ordered;
}

static char *state_text(const struct brute_table *table,
                        const struct brute_table_state *state)
{
    GString *text = g_string_new(NULL);
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
            if (table->threads[t].observed[i]) {
                g_string_append_printf(text, "%s%u:r%u=%" PRId64,
                                       text->len > 0 ? "," : "", t, i,
                                       state->values[brute_table_term((int)t, i)]);
            }
        }
    }
    for (unsigned l = 0; l < table->n_locations; l++) {
        g_string_append_printf(text, "%s[%s]=%" PRId64, text->len > 0 ? "," : "",
                               table->names[l].text,
                               state->values[brute_table_term(-1, l)]);
    }
    return g_string_free(text, FALSE);
}

static char *brute_states(const struct brute_table *table,
                          const struct brute_table_result *result)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < result->states->len; i++) {
        const struct brute_table_state *state
            = &g_array_index(result->states, struct brute_table_state, i);
        if (counts(table, result, state)) {
            g_ptr_array_add(lines, state_text(table, state));
        }
    }
    return join_sorted(lines);
}

static char *library_states(const struct weir_litmus_answer *answer)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < weir_litmus_answer_verdict(answer)->n_states; i++) {
        g_ptr_array_add(lines, g_strdup(weir_litmus_answer_state(answer, i)->text));
    }
    return join_sorted(lines);
}

/* Returns: (transfer full) (nullable): the text, and what is said differently */
static char *compare(const struct brute_table *table, enum brute_table_model model,
                     const struct brute_table_result *result)
{
    g_autofree char *text = brute_table_print(table);
    const char *name = brute_table_model_name(model);
    g_autoptr(GError) error = NULL;
    struct weir_litmus_options options = { .rounds = 1 };
    g_autoptr(weir_litmus) test
        = weir_litmus_parse(text, strlen(text), "drawn", &error);
    if (test == NULL || !weir_model_find(name, &options.model, &error)) {
        return g_strdup_printf("%s\n%s", text, error->message);
    }
    g_autoptr(weir_litmus_answer) answer = weir_litmus_ask(test, &options, &error);
    if (answer == NULL) {
        return g_strdup_printf("%s\n%s", text, error->message);
    }
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    g_autofree char *library = library_states(answer);
    g_autofree char *brute = brute_states(table, result);
    bool complete = verdict->limit == WEIR_LITMUS_NO_LIMIT;
    bool same_race = table->is_ptx || verdict->race == result->race;
    if (complete && same_race && strcmp(library, brute) == 0) {
        return NULL;
    }
    return g_strdup_printf("%s\nunder %s they disagree%s;\nthe library: %s\n%s\nbrute "
                           "force: %s\n%s\n",
                           text, name, complete ? "" : " (a limit was reached)",
                           verdict->race ? "race" : "no race", library,
                           result->race ? "race" : "no race", brute);
}

/* ---- Smaller --------------------------------------------------------------------- */

static void take_out(struct brute_table *table, unsigned t, unsigned at)
{
    struct brute_column *column = &table->threads[t];
    memmove(&column->ops[at], &column->ops[at + 1],
            (BRUTE_TABLE_OPS - at - 1) * sizeof(column->ops[0]));
    column->n_ops--;
    for (unsigned i = 0; i < column->n_ops; i++) {
        column->ops[i].target -= column->ops[i].target > at;
    }
}

static char *judge(const struct brute_table *table, enum brute_table_model model)
{
    struct brute_table_result result;
    brute_table_decide(table, model, &result);
    char *wrong = compare(table, model, &result);
    brute_table_result_clear(&result);
    return wrong;
}

/* Takes instructions out as long as there is a disagreement, and says the last one.
 * Returns: (transfer full) */
static char *shrink(struct brute_table *table, enum brute_table_model model,
                    char *wrong)
{
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = table->threads[t].n_ops; i-- > 0;) {
            struct brute_table less = *table;
            take_out(&less, t, i);
            char *still = judge(&less, model);
            if (still != NULL) {
                g_free(wrong);
                wrong = still;
                *table = less;
            }
        }
    }
    return wrong;
}

/* ---- Campaigns ------------------------------------------------------------------- */

static bool claim_holds(const struct brute_table *table,
                        const struct brute_table_state *state)
{
    for (unsigned i = 0; i < table->n_clauses; i++) {
        const struct brute_table_clause *clause = &table->clauses[i];
        if (state->values[brute_table_term(clause->thread, clause->index)]
            != clause->value) {
            return false;
        }
    }
    return true;
}

static void count(struct tally *tally, const struct brute_table *table,
                  const struct brute_table_result *result)
{
    bool reached = false;
    for (guint i = 0; i < result->states->len; i++) {
        const struct brute_table_state *state
            = &g_array_index(result->states, struct brute_table_state, i);
        reached
            = reached || (counts(table, result, state) && claim_holds(table, state));
    }
    tally->programs++;
    tally->candidates += result->n_candidates;
    tally->states += result->states->len;
    tally->reached += reached;
    tally->racy += result->race;
    tally->blocked += result->n_blocked > 0;
    tally->groundless += result->n_groundless > 0;
}

static void say(const struct statistics *statistics)
{
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        const struct tally *tally = &statistics->by_model[m];
        printf("%s: %" PRIu64 " programs, %" PRIu64 " candidates, %" PRIu64
               " states; of the programs %" PRIu64 " can satisfy their claim, %" PRIu64
               " race, %" PRIu64 " block, %" PRIu64 " have cycles of values\n",
               brute_table_model_name((enum brute_table_model)m), tally->programs,
               tally->candidates, tally->states, tally->reached, tally->racy,
               tally->blocked, tally->groundless);
    }
}

/* Returns: (transfer full) (nullable): what is said differently of the seed's program,
 * and of a smaller one */
static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    enum brute_table_model model
        = (enum brute_table_model)(seed % BRUTE_N_TABLE_MODELS);
    struct brute_table table;
    struct brute_table_result result;
    brute_table_draw(seed, model, &table);
    brute_table_decide(&table, model, &result);
    count(&statistics->by_model[model], &table, &result);
    char *wrong = compare(&table, model, &result);
    brute_table_result_clear(&result);
    if (wrong == NULL) {
        return NULL;
    }
    g_autofree char *small = shrink(&table, model, g_strdup(wrong));
    char *both_texts
        = g_strdup_printf("%s\nThe smallest such part of it:\n\n%s", wrong, small);
    g_free(wrong);
    return both_texts;
}

/* ---- Tests ----------------------------------------------------------------------- */

enum { CHUNKS = 6, PROGRAMS_A_CHUNK = 300 };

/* More programs than usual have no limit of time. */
CASE("tables", .seconds = getenv("WEIR_TABLE_PROGRAMS") != NULL ? NO_LIMIT : 0);

/* As many programs of each model as there are in a chunk. */
TEST_EACH(the_library_and_brute_force_agree, CHUNKS)
{
    struct statistics statistics = { 0 };
    const char *all = getenv("WEIR_TABLE_PROGRAMS");
    uint64_t n
        = all != NULL ? g_ascii_strtoull(all, NULL, 10) : scaled(PROGRAMS_A_CHUNK, 2);
    expect_chunk(_i, n, &statistics);
}

/* Claims that can hold and claims that cannot, races and their absence: all are
 * frequent. */
TEST(the_generator_draws_what_it_should)
{
    struct statistics statistics = { 0 };
    unsigned n = (unsigned)scaled(100, 20);
    for (uint64_t seed = 0; seed < n * BRUTE_N_TABLE_MODELS; seed++) {
        enum brute_table_model model
            = (enum brute_table_model)(seed % BRUTE_N_TABLE_MODELS);
        struct brute_table table;
        struct brute_table_result result;
        brute_table_draw(seed, model, &table);
        brute_table_decide(&table, model, &result);
        count(&statistics.by_model[model], &table, &result);
        brute_table_result_clear(&result);
    }
    say(&statistics);
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        const struct tally *tally = &statistics.by_model[m];
        ck_assert_uint_ge(tally->reached, n / 5);
        ck_assert_uint_le(tally->reached, n * 4 / 5);
        if (!brute_is_ptx((enum brute_table_model)m)) {
            ck_assert_uint_ge(tally->racy, n / 10);
            ck_assert_uint_le(tally->racy, n * 9 / 10);
        }
    }
}

TEST(a_seed_is_a_program)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct brute_table first, second;
        brute_table_draw(seed, (enum brute_table_model)(seed % 6), &first);
        brute_table_draw(seed, (enum brute_table_model)(seed % 6), &second);
        g_autofree char *one = brute_table_print(&first);
        g_autofree char *other = brute_table_print(&second);
        ck_assert_str_eq(one, other);
    }
}

/* ---- Tests with verdicts --------------------------------------------------------- */

CASE("verdicts");

static void expect_verdict(const struct weir_litmus_verdict *verdict, const char *path,
                           char **said, char **racy)
{
    const char *model = weir_model_name(verdict->model);
    g_autofree char *found = g_strdup_printf(
        "%s %s", model, verdict->positive > 0 ? "Sometimes" : "Never");
    EXPECT(g_strv_contains((const char *const *)said, found), "%s: %s", path, found);
    bool expected = g_strv_contains((const char *const *)racy, model);
    EXPECT(verdict->race == expected, "%s: race under %s", path, model);
}

/* Under each model that the test names. Returns: how many these are */
static unsigned expect_verdicts(const char *path)
{
    g_auto(GStrv) said = litmus_file_says(path, "expect");
    g_auto(GStrv) racy = litmus_file_says(path, "race");
    g_autofree char *text = NULL;
    size_t bytes;
    g_autoptr(GError) error = NULL;
    ck_assert(g_file_get_contents(path, &text, &bytes, &error));
    g_autoptr(weir_litmus) test = weir_litmus_parse(text, bytes, path, &error);
    EXPECT(test != NULL, "%s", error->message);
    unsigned n = 0;
    for (; said[n] != NULL; n++) {
        g_auto(GStrv) words = g_strsplit(said[n], " ", 2);
        struct weir_litmus_options options = { .rounds = 2 };
        ck_assert(weir_model_find(words[0], &options.model, &error));
        g_autoptr(weir_litmus_answer) answer = weir_litmus_ask(test, &options, &error);
        EXPECT(answer != NULL, "%s", error->message);
        expect_verdict(weir_litmus_answer_verdict(answer), path, said, racy);
    }
    return n;
}

TEST(tables_have_the_verdicts_they_state)
{
    g_autoptr(GPtrArray) paths = litmus_list(TABLES);
    ck_assert_uint_gt(paths->len, 0);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        EXPECT(expect_verdicts(path) >= 2, "%s names no models", path);
    }
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("tables");
}
