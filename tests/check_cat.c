/* SPDX-License-Identifier: MIT
 *
 * check_cat.c: the models in docs/models/ against the library's. Both judge the same
 * executions, allowed and forbidden ones, and must say the same of each: whether it is
 * allowed, and under Vulkan whether it has a race. What they share is the execution.
 *
 * A seed's remainder by 6 is its model; with WEIR_TABLES_DIR, all tests in the folders
 * below it are judged, too.
 *
 *   check-cat                a few programs, as a test
 *   check-cat SEED COUNT     those from SEED on */
#define CAMPAIGN "check-cat"
#include "campaign.h"

#include "brute_table.h"
#include "cat_execution.h"
#include "litmus_support.h"

#include "litmus/program.h"

/* How many candidates of a program are judged: the first ones. */
enum { CANDIDATES = 60, CANDIDATES_OF_FILES = 400, ROUNDS = 1 };

struct tally {
    uint64_t programs, allowed, forbidden, racy, large;
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

static bool compare(const struct weiri_candidate *candidate, void *user)
{
    struct comparison *comparison = user;
    struct cat_answer answer;
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    uint32_t one, other;
    bool is_ptx = brute_is_ptx(comparison->model);
    if (!cat_judge_execution(comparison->cat, candidate->execution, is_ptx, &answer)) {
        comparison->tally->large++;
        return false;
    }
    weiri_facts_begin(&facts, &algebra, candidate->execution);
    weiri_model_read(comparison->library, &facts);
    bool allows = weiri_model_allows(comparison->library, &facts);
    bool races = allows && !is_ptx && comparison->library->race(&facts, &one, &other);
    bool flagged = answer.violated == NULL && answer.flagged;
    if (answer.error != NULL || allows != (answer.violated == NULL)
        || races != flagged) {
        comparison->wrong
            = g_strdup_printf("the library: %s%s; the file: %s%s",
                              allows ? "allowed" : "forbidden", races ? ", race" : "",
                              answer.error != NULL          ? answer.error
                                  : answer.violated != NULL ? answer.violated
                                                            : "allowed",
                              flagged ? ", race" : "");
    }
    comparison->tally->allowed += allows;
    comparison->tally->forbidden += !allows;
    comparison->tally->racy += races;
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
    bool all = weiri_litmus_enumerate(test, ROUNDS, &options).exhaustive;
    if (!all && comparison.wrong == NULL) {
        options.forbidden = false;
        (void)weiri_litmus_enumerate(test, ROUNDS, &options);
    }
    tally->programs++;
    return comparison.wrong;
}

/* ---- Drawn programs -------------------------------------------------------------- */

static void say(const struct statistics *statistics)
{
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        const struct tally *tally = &statistics->by_model[m];
        printf("%s: %" PRIu64 " programs, %" PRIu64 " executions allowed, %" PRIu64
               " forbidden, %" PRIu64 " with a race, %" PRIu64 " too large\n",
               brute_table_model_name((enum brute_table_model)m), tally->programs,
               tally->allowed, tally->forbidden, tally->racy, tally->large);
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

/* ---- Folders --------------------------------------------------------------------- */

static void judge_file(const char *path, struct statistics *statistics)
{
    g_autoptr(weiri_litmus) test = litmus_read_file(path);
    for (unsigned m = 0; m < BRUTE_N_TABLE_MODELS; m++) {
        enum brute_table_model model = (enum brute_table_model)m;
        if (!weiri_litmus_is_table(test->form)
            || brute_is_ptx(model) != (test->form == WEIRI_LITMUS_PTX)) {
            continue;
        }
        g_autofree char *wrong = compare_test(test, model, CANDIDATES_OF_FILES,
                                              &statistics->by_model[model]);
        EXPECT(wrong == NULL, "%s under %s: %s", path, brute_table_model_name(model),
               wrong);
    }
}

static void judge_folder(const char *folder, struct statistics *statistics)
{
    g_autoptr(GPtrArray) paths = litmus_list(folder);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (guint i = 0; i < paths->len; i++) {
        judge_file(paths->pdata[i], statistics);
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
    judge_folder(SAMPLES, &statistics);
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
