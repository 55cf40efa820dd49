/* SPDX-License-Identifier: MIT
 *
 * check_verdicts.c: the enumerator's verdicts on whole litmus tests. Interleavings,
 * which litmus_support.c makes in another way, end in the same states as what the
 * axioms of sequential consistency allow; and what the enumerator spares itself is what
 * the model forbids.
 *
 * The tests of the library are as they say. With WEIR_LITMUS_DIR, all of that of the
 * tests there, too, and of each row of its verdicts.tsv. */
#include "enumerated.h"

#include <stdio.h>

enum { ROUNDS = 2 };

/* ---- Tests ----------------------------------------------------------------------- */

/* Calls @body with each test of the library, and of the folder: all, or, where that
 * takes too long, some. Returns: how many */
static size_t for_each_test(void (*body)(struct weiri_litmus *test, const char *path))
{
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    const char *folder = getenv("WEIR_LITMUS_DIR");
    static const char *const parts[] = { "c11", "scoped" };
    for (size_t i = 0; folder != NULL && i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *part = g_build_filename(folder, parts[i], NULL);
        g_autoptr(GPtrArray) some = litmus_list(part);
        for (guint n = 0; n < some->len; n += (guint)scaled(1, 40)) {
            g_ptr_array_add(paths, g_strdup(g_ptr_array_index(some, n)));
        }
    }
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autoptr(weiri_litmus) test = litmus_read_file(path);
        body(test, path);
    }
    return paths->len;
}

/* ---- Interleavings --------------------------------------------------------------- */

static bool same_states(GHashTable *a, GHashTable *b)
{
    GHashTableIter states;
    gpointer state;
    g_hash_table_iter_init(&states, a);
    while (g_hash_table_iter_next(&states, &state, NULL)) {
        if (!g_hash_table_contains(b, state)) {
            return false;
        }
    }
    return g_hash_table_size(a) == g_hash_table_size(b);
}

static void expect_interleavings(struct weiri_litmus *test, const char *path)
{
    g_auto(litmus_sc) sc = litmus_sc_run(test, ROUNDS);
    g_auto(enumerated) outcome = enumerate(test, "sc", ROUNDS);
    ck_assert(outcome.counts.exhaustive);
    EXPECT(same_states(sc.states, outcome.states), "%s: %u states by interleaving, %u",
           path, g_hash_table_size(sc.states), g_hash_table_size(outcome.states));
    EXPECT((sc.n_bounded > 0) == (outcome.counts.bounded > 0), "%s: bounds", path);
    EXPECT((sc.n_faults > 0) == (outcome.counts.faulted > 0), "%s: faults", path);
}

TEST(sequential_consistency_is_interleaving)
{
    printf("%zu tests end as interleavings do\n", for_each_test(expect_interleavings));
}

/* ---- What is spared -------------------------------------------------------------- */

struct tally {
    bool any_flags;      /* which models are asked */
    uint64_t allowed[8]; /* by model: complete ones */
    uint64_t stuck[8];   /* others */
};

static bool ask_all(const struct weiri_candidate *candidate, void *user)
{
    struct tally *tally = user;
    for (size_t m = 0; weiri_models[m]->form == WEIRI_FORM_C; m++) {
        struct weiri_algebra *k = candidate->facts->algebra;
        struct weiri_algebra_mark mark = weiri_algebra_mark(k);
        if (weiri_models[m]->any_flags != tally->any_flags) {
            continue;
        }
        weiri_model_read(weiri_models[m], candidate->facts);
        if (weiri_model_allows(weiri_models[m], candidate->facts)) {
            (candidate->end == WEIRI_END_COMPLETE ? tally->allowed : tally->stuck)[m]++;
        }
        weiri_algebra_return(k, mark);
    }
    return true;
}

/* Asked about all candidates, models allow as many as they do of those that are
 * left. */
static void expect_nothing_lost(struct weiri_litmus *test, const char *path)
{
    struct tally tally = { .any_flags = false };
    struct weiri_enumerate_options all
        = { .most = 20000, .visit = ask_all, .user = &tally };
    bool exhaustive = weiri_litmus_enumerate(test, 1, &all).exhaustive;
    all.any_flags = tally.any_flags = true;
    if (!exhaustive || !weiri_litmus_enumerate(test, 1, &all).exhaustive) {
        return; /* too many for a test that runs often */
    }
    for (size_t m = 0; weiri_models[m]->form == WEIRI_FORM_C; m++) {
        const struct weiri_enumerate_options some = { .model = weiri_models[m] };
        struct weiri_enumeration left = weiri_litmus_enumerate(test, 1, &some);
        EXPECT(left.executions == tally.allowed[m], "%s: %s allows %lu, not %lu", path,
               weiri_models[m]->name, (unsigned long)tally.allowed[m],
               (unsigned long)left.executions);
        EXPECT(left.blocked + left.bounded + left.faulted == tally.stuck[m],
               "%s: %s: incomplete ones", path, weiri_models[m]->name);
    }
}

TEST(skipped_candidates_are_forbidden)
{
    printf("%zu tests lose no execution\n", for_each_test(expect_nothing_lost));
}

/* ---- What tests say -------------------------------------------------------------- */

/* The answer of the enumerator: observation, counts, race; in the form of a verdict. */
static char *counts_of(const struct outcome *outcome)
{
    return g_strdup_printf("%s %lu %lu %s", observation_of(outcome),
                           (unsigned long)outcome->positive,
                           (unsigned long)outcome->negative,
                           outcome->model->race == NULL ? "-"
                               : outcome->races         ? "race"
                                                        : "none");
}

/* The explorer's answers, and limits, are tests/cli/litmus.sh's. */
static void expect_as_said(struct weiri_litmus *test, const char *path)
{
    g_auto(GStrv) said = litmus_file_says(path, "expect");
    g_auto(GStrv) racy = litmus_file_says(path, "race");
    for (size_t m = 0; weiri_models[m]->form == WEIRI_FORM_C; m++) {
        const char *model = weiri_models[m]->name;
        g_auto(enumerated) outcome = enumerate(test, model, ROUNDS);
        g_autofree char *found
            = g_strdup_printf("%s %s", model, observation_of(&outcome));
        EXPECT(g_strv_contains((const char *const *)said, found), "%s: %s", path,
               found);
        EXPECT(g_strv_contains((const char *const *)racy, model) == outcome.races,
               "%s: race under %s", path, model);
        ck_assert(outcome.counts.exhaustive);
    }
}

TEST(tests_of_the_library_have_the_verdicts_they_state)
{
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    ck_assert_uint_gt(paths->len, 0);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autoptr(weiri_litmus) test = litmus_read_file(path);
        expect_as_said(test, path);
    }
}

static void expect_verdict(const struct weiri_litmus *test,
                           const struct litmus_verdict *verdict, void *user)
{
    size_t *n_rows = user;
    g_auto(enumerated) outcome = enumerate(test, verdict->model, ROUNDS);
    g_autofree char *counts = counts_of(&outcome);
    EXPECT(strcmp(counts, verdict->counts) == 0, "%s under %s: %s, not %s",
           verdict->file, verdict->model, counts, verdict->counts);
    if (!outcome.races) { /* of races, families of models say different things */
        litmus_expect_states(verdict, outcome.states);
    }
    ck_assert(outcome.counts.exhaustive);
    for (size_t m = 0; weiri_models[m]->form == WEIRI_FORM_C; m++) {
        n_rows[m] += outcome.model == weiri_models[m];
    }
}

TEST(verdicts_are_those_of_the_table)
{
    size_t n_rows[8] = { 0 };
    bool any = litmus_each_verdict(NULL, scaled(1, 40), expect_verdict, n_rows) > 0;
    for (size_t m = 0; any && weiri_models[m]->form == WEIRI_FORM_C; m++) {
        printf("%s: %zu rows agree\n", weiri_models[m]->name, n_rows[m]);
        ck_assert_uint_gt(n_rows[m], 0);
    }
}

MAIN("verdicts")
