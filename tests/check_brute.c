/* SPDX-License-Identifier: MIT
 *
 * check_brute.c: the judge of the memory models is judged: brute force, on programs
 * whose verdicts are known: by another tool, or because a person can count. */
#include "brute_decide.h"
#include "brute_examples.h"
#include "support.h"

enum { ROUNDS = 3, MOST = 20000 };

/* ---- Tests ----------------------------------------------------------------------- */

static enum brute_model find_model(const char *name)
{
    int model = 0;
    while (strcmp(brute_model_name((enum brute_model)model), name) != 0) {
        model++;
        ck_assert_int_lt(model, BRUTE_N_MODELS);
    }
    return (enum brute_model)model;
}

/* "0/2 race blocked 1" */
static char *verdict_text(const struct brute_verdict *verdict)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%u/%u", verdict->positive, verdict->negative);
    g_string_append(text, verdict->race ? " race" : "");
    if (verdict->blocked != 0) {
        g_string_append_printf(text, " blocked %u", verdict->blocked);
    }
    if (verdict->bounded != 0) {
        g_string_append_printf(text, " cut %u", verdict->bounded);
    }
    return g_string_free(text, FALSE);
}

/* @verdict: "sc rc11 0/2 race", what is expected of the models that it names */
static void expect_verdict(const struct brute_example *example,
                           const struct brute_result *result, const char *verdict)
{
    g_auto(GStrv) words = g_strsplit(verdict, " ", -1);
    unsigned n_models = 0;
    while (!g_ascii_isdigit(words[n_models][0])) {
        n_models++;
    }
    g_autofree char *expected = g_strjoinv(" ", words + n_models);
    for (unsigned i = 0; i < n_models; i++) {
        enum brute_model model = find_model(words[i]);
        g_autofree char *found = verdict_text(&result->verdicts[model]);
        g_autofree char *states = brute_states_text(&example->program, result, model);
        g_autofree char *text = brute_print(&example->program);
        ck_assert_msg(strcmp(found, expected) == 0, "%s: under %s %s, not %s\n%s%s",
                      example->claim, words[i], found, expected, states, text);
    }
}

static void expect_all(const struct brute_example *all)
{
    for (; all->claim != NULL; all++) {
        g_autoptr(brute_result) result = brute_decide(&all->program, ROUNDS, MOST);
        ck_assert_msg(result != NULL, "%s: too much", all->claim);
        g_auto(GStrv) verdicts = g_strsplit(all->says, ", ", -1);
        for (unsigned i = 0; verdicts[i] != NULL; i++) {
            expect_verdict(all, result, verdicts[i]);
        }
    }
}

TEST(brute_force_counts_as_counted_by_hand)
{
    expect_all(brute_examples_counted);
}

TEST(brute_force_agrees_with_herd_without_scopes)
{
    expect_all(brute_examples_c11);
}

TEST(brute_force_agrees_with_herd_with_scopes)
{
    expect_all(brute_examples_scoped);
}

TEST(final_states_are_in_the_order_of_their_names)
{
    static const struct brute_program program
        = { LOCATIONS(ATOMIC(X), PLAIN(E)),
            THREADS(2, THREAD(STORE(X, 1, relaxed), WRITE(E, 2)),
                    THREAD(LOAD(1, X, relaxed))),
            ALL(REG(1, 1, 1)) };
    g_autoptr(brute_result) result = brute_decide(&program, ROUNDS, MOST);
    g_autofree char *states = brute_states_text(&program, result, BRUTE_RC11);
    ck_assert_str_eq(states,
                     "1:r1=0,[e]=2,[x]=1  1 times\n"
                     "1:r1=1,[e]=2,[x]=1  1 times\n");
}

TEST(a_search_that_is_too_large_is_not_begun)
{
    static const struct brute_program program
        = { LOCATIONS(ATOMIC(X)),
            THREADS(2, THREAD(STORE(X, 1, relaxed), STORE(X, 2, relaxed)),
                    THREAD(STORE(X, 3, relaxed), STORE(X, 4, relaxed))) };
    struct brute_result *result = brute_decide(&program, ROUNDS, 24);
    ck_assert_ptr_nonnull(result);
    ck_assert_uint_eq(result->n_candidates, 24);
    ck_assert_uint_eq(result->verdicts[BRUTE_SYCL].positive, 6);
    brute_result_free(result);
    ck_assert_ptr_null(brute_decide(&program, ROUNDS, 23));
}

MAIN("brute")
