/* SPDX-License-Identifier: MIT
 *
 * check_hardware.c: what machines have shown of litmus tests is what models allow. A
 * model that forbids what a machine does is wrong of it. The other way round nothing
 * follows: what was not seen may be possible.
 *
 * A table of what was seen has columns file, test, placement, scope, state, count.
 * WEIR_HARDWARE_TSV names it, and WEIR_LITMUS_DIR the folder of its files. Tests of C11
 * were run in several ways, and each is a test of its own:
 *
 *     blocks        a thread a group: the test as it is
 *     warps         all threads in one group, scope device or work-group (`block`)
 *     warps-shared  the same, all locations in local memory
 *     scoped        a test in the scoped form, as it is
 *
 * Model `gpu` is to allow each state, and so are `sycl`, and `rc11` of what has no
 * scopes of its own, but for load buffering: a state that nothing but their axiom NTA
 * forbids. A state is weak that sequential consistency does not allow; between threads
 * of one group the table has none. */
#include "litmus_ask.h"

#include <stdio.h>

/* ---- Tests, and what models say of them ------------------------------------------ */

/* How the threads of a test lie; @scope as the scoped form has it, @space likewise.
 * Without a scope: as they are. */
struct placement {
    const char *name, *column, *space, *scope;
};
static const struct placement placements[] = {
    { "blocks", "device", NULL, NULL },
    { "scoped", "as-written", NULL, NULL },
    { "warps", "device", "global", "memory_scope_device" },
    { "warps", "block", "global", "memory_scope_work_group" },
    { "warps-shared", "block", "local", "memory_scope_work_group" },
};

static const struct placement *placement_of(const char *name, const char *column)
{
    for (size_t i = 0; i < G_N_ELEMENTS(placements); i++) {
        if (strcmp(placements[i].name, name) == 0
            && strcmp(placements[i].column, column) == 0) {
            return &placements[i];
        }
    }
    ck_abort_msg("no placement '%s' of scope '%s' is known", name, column);
    return NULL;
}

/* The text as Weir prints it, in which each order is named and each thread has a line.
 * Returns: (transfer full) */
static char *printed(const char *text)
{
    g_autoptr(weir_litmus) test = litmus_test_of(text);
    char *same = weir_litmus_print(test);
    return same;
}

static char *replaced(char *text, const char *pattern, const char *by)
{
    GError *error = NULL;
    GRegex *regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, &error);
    EXPECT(regex != NULL, "%s", error->message);
    char *other = g_regex_replace(regex, text, -1, 0, by, 0, &error);
    EXPECT(other != NULL, "%s", error->message);
    g_regex_unref(regex);
    g_free(text);
    return other;
}

/* A test of C11 with all threads in one group. Returns: (transfer full) */
static char *placed(const char *c11, const struct placement *placement)
{
    g_autofree char *space = g_strdup_printf("\\1%s \\2", placement->space);
    g_autofree char *order = g_strdup_printf("\\1, %s)", placement->scope);
    char *text = replaced(printed(c11), "^C ", "OPENCL ");
    text = replaced(text, "^(P\\d+) \\(", "\\1@wg 0, dev 0 (");
    text = replaced(text, "([(,] ?)([a-z_ ]+\\* \\w+(?=[,)].*\\{$))", space);
    text = replaced(text, "atomic_thread_fence\\(",
                    "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | "
                    "CLK_GLOBAL_MEM_FENCE, ");
    return replaced(text, "(memory_order_\\w+)\\)", order);
}

/* The same test with the claim that it may end like that. Returns: (transfer full) */
static char *claiming(const char *text, const char *state)
{
    struct weir_litmus *test = litmus_test_of(text);
    g_autofree char *claim = weir_litmus_claim(test);
    g_autofree char *all = weir_litmus_print(test);
    weir_litmus_free(test);
    char *end = g_strrstr(all, claim);
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    g_auto(GStrv) terms = g_strsplit(state, ",", -1);
    g_autofree char *conjunction = g_strjoinv(" /\\ ", terms);
    return g_strdup_printf("%sexists (%s)\n", all, conjunction);
}

/* A test, and what each model that was asked allows. */
struct question {
    char *text;                        /* owned */
    bool is_scoped;                    /* by itself */
    bool is_of_one_group;              /* all threads */
    GHashTable *allows[WEIR_N_MODELS]; /* texts of states; owned; or NULL: not asked */
};

static bool is_of_one_group(const char *text)
{
    GRegex *regex
        = g_regex_new("^P\\d+@(wg \\d+, dev \\d+)", G_REGEX_MULTILINE, 0, NULL);
    GMatchInfo *match = NULL;
    g_autofree char *first = NULL;
    bool all = g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *group = g_match_info_fetch(match, 1);
        all = all && (first == NULL || strcmp(first, group) == 0);
        if (first == NULL) {
            first = g_steal_pointer(&group);
        }
    }
    g_match_info_free(match);
    g_regex_unref(regex);
    return all;
}

static struct question *question_new(const char *text,
                                     const struct placement *placement)
{
    struct question *question = g_new0(struct question, 1);
    question->text = placement->scope != NULL ? placed(text, placement) : printed(text);
    question->is_scoped = strcmp(placement->name, "scoped") == 0;
    question->is_of_one_group = is_of_one_group(question->text);
    return question;
}

static void question_free(void *data)
{
    struct question *question = data;
    for (size_t i = 0; i < WEIR_N_MODELS; i++) {
        g_clear_pointer(&question->allows[i], g_hash_table_unref);
    }
    g_free(question->text);
    g_free(question);
}

static struct weir_litmus_answer *ask(const char *text, enum weir_model model)
{
    struct weir_litmus_answer *answer = ASK_TEXT(text, .model = model);
    EXPECT(weir_litmus_answer_verdict(answer)->complete, "not all executions:\n%s",
           text);
    return answer;
}

static bool allows(struct question *question, enum weir_model model, const char *state)
{
    if (question->allows[model] == NULL) {
        g_autoptr(weir_litmus_answer) answer = ask(question->text, model);
        GHashTable *states
            = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (size_t i = 0; i < weir_litmus_answer_verdict(answer)->n_states; i++) {
            g_hash_table_add(states,
                             g_strdup(weir_litmus_answer_state(answer, i)->text));
        }
        question->allows[model] = states;
    }
    return g_hash_table_contains(question->allows[model], state);
}

/* Whether nothing but NTA stands between a model and a state. */
static bool is_load_buffering(const struct question *question, enum weir_model model,
                              const char *state)
{
    g_autofree char *text = claiming(question->text, state);
    g_autoptr(weir_litmus_answer) answer = ask(text, model);
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    bool is = why != NULL && why->execution != NULL && why->n_violations == 1
        && strcmp(why->violations[0].axiom, "NTA") == 0;
    return is;
}

/* ---- What was seen --------------------------------------------------------------- */

enum seen {
    SEEN_STRONG,        /* sequential consistency allows it */
    SEEN_WEAK,          /* it does not */
    SEEN_BUFFERING,     /* and neither do models without load buffering */
    SEEN_WEAK_IN_GROUP, /* between threads of one group */
    SEEN_FORBIDDEN,     /* by a model that should allow it */
};

/* @which: (out): the model that forbids it */
static enum seen judge(struct question *question, const char *state,
                       enum weir_model *which)
{
    static const enum weir_model models[] = { WEIR_MODEL_SYCL, WEIR_MODEL_RC11 };
    enum seen seen = allows(question, WEIR_MODEL_SC, state) ? SEEN_STRONG
        : question->is_of_one_group                         ? SEEN_WEAK_IN_GROUP
                                                            : SEEN_WEAK;
    *which = WEIR_MODEL_GPU;
    if (!allows(question, WEIR_MODEL_GPU, state)) {
        return SEEN_FORBIDDEN;
    }
    for (size_t i = 0; i < (question->is_scoped ? 1 : G_N_ELEMENTS(models)); i++) {
        *which = models[i];
        if (allows(question, models[i], state)) {
            continue;
        }
        if (!is_load_buffering(question, models[i], state)) {
            return SEEN_FORBIDDEN;
        }
        seen = seen == SEEN_WEAK ? SEEN_BUFFERING : seen;
    }
    return seen;
}

/* ---- The judge itself ------------------------------------------------------------ */

enum { BLOCKS, SCOPED, WARPS, WARPS_BLOCK, SHARED };

static const char store_buffering[]
    = "C SB\n{}\nP0 ($ints) { store(x, 1, $rlx); int r0 = load(y, $rlx); }\n"
      "P1 ($ints) { store(y, 1, $rlx); int r0 = load(x, $rlx); }\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n";

#define LOAD_BUFFERING(read, write)                                                    \
    "C LB\n{}\nP0 ($ints) { int r0 = load(x, " read "); store(y, 1, " write "); }\n"   \
    "P1 ($ints) { int r0 = load(y, " read "); store(x, 1, " write "); }\n"             \
    "exists (0:r0=1 /\\ 1:r0=1)\n"
static const char load_buffering[] = LOAD_BUFFERING("$rlx", "$rlx");

/* A test with the shape of load buffering; but a read that acquires knows what was
 * before the write. */
static const char released[] = LOAD_BUFFERING("$acq", "$rel");

static const struct {
    const char *text;
    size_t placement;
    const char *state;
    enum seen seen;
} judged[] = {
    { store_buffering, BLOCKS, "0:r0=0,1:r0=1", SEEN_STRONG },
    { store_buffering, BLOCKS, "0:r0=0,1:r0=0", SEEN_WEAK },
    { store_buffering, BLOCKS, "0:r0=2,1:r0=0", SEEN_FORBIDDEN }, /* no write of 2 */
    { load_buffering, BLOCKS, "0:r0=1,1:r0=0", SEEN_STRONG },
    { load_buffering, BLOCKS, "0:r0=1,1:r0=1", SEEN_BUFFERING },
    { released, BLOCKS, "0:r0=1,1:r0=1", SEEN_FORBIDDEN },
    { store_buffering, WARPS, "0:r0=1,1:r0=1", SEEN_STRONG },
    { store_buffering, WARPS, "0:r0=0,1:r0=0", SEEN_WEAK_IN_GROUP },
    { load_buffering, WARPS, "0:r0=1,1:r0=1", SEEN_WEAK_IN_GROUP },
    { store_buffering, WARPS_BLOCK, "0:r0=1,1:r0=1", SEEN_STRONG },
    { store_buffering, WARPS_BLOCK, "0:r0=0,1:r0=0", SEEN_WEAK_IN_GROUP },
    { load_buffering, WARPS_BLOCK, "0:r0=1,1:r0=1", SEEN_WEAK_IN_GROUP },
    { store_buffering, SHARED, "0:r0=1,1:r0=1", SEEN_STRONG },
    { store_buffering, SHARED, "0:r0=0,1:r0=0", SEEN_WEAK_IN_GROUP },
    { load_buffering, SHARED, "0:r0=1,1:r0=1", SEEN_WEAK_IN_GROUP },
};

TEST_EACH(each_state_is_judged_by_what_allows_it, G_N_ELEMENTS(judged))
{
    enum weir_model which;
    struct question *question
        = question_new(judged[_i].text, &placements[judged[_i].placement]);
    ck_assert_int_eq(judge(question, judged[_i].state, &which), judged[_i].seen);
    question_free(question);
}

/* The fence is for both memories and each access for the scope; a compare-exchange has
 * it once, after both orders. */
TEST(a_placed_test_is_the_same_in_one_group)
{
    static const char c11[]
        = "C all\n{}\n"
          "P0 (atomic_int* x, volatile int* y) {\n"
          "  int e = 0; *y = 1; atomic_thread_fence($rel);\n"
          "  int r0 = compare_exchange_strong(x, &e, 1, $sc, $rlx);\n"
          "}\n"
          "P1 () {\n}\n"
          "P2 (atomic_int* x) { int r0 = atomic_load(x); }\n"
          "exists (0:r0=1)\n";
    static const char expected[]
        = "OPENCL all\n{}\n"
          "P0@wg 0, dev 0 (local atomic_int* x, local volatile int* y) {\n"
          "  int e = 0; *y = 1; FENCE($LOCAL | $GLOBAL, $rel, $wg);\n"
          "  int r0 = compare_exchange_strong(x, &e, 1, $sc, $rlx, $wg);\n"
          "}\n"
          "P1@wg 0, dev 0 () {\n}\n"
          "P2@wg 0, dev 0 (local atomic_int* x) { int r0 = load(x, $sc, $wg); }\n"
          "exists (0:r0=1)\n";
    g_autofree char *text = placed(c11, &placements[SHARED]);
    g_autofree char *as_printed = printed(text);
    g_autofree char *as_expected = printed(expected);
    ck_assert_str_eq(as_printed, as_expected);
    ck_assert(is_of_one_group(text));
    ck_assert(!is_of_one_group(c11));
}

/* ---- The table ------------------------------------------------------------------- */

enum { FILE_COLUMN, TEST, PLACEMENT, SCOPE, STATE, COUNT, N_COLUMNS };

static struct question *question_of(GHashTable *questions, const char *folder,
                                    char **row)
{
    g_autofree char *key
        = g_strjoin(" ", row[FILE_COLUMN], row[PLACEMENT], row[SCOPE], NULL);
    struct question *question = g_hash_table_lookup(questions, key);
    if (question == NULL) {
        g_autofree char *path = g_build_filename(folder, row[FILE_COLUMN], NULL);
        g_autofree char *text = NULL;
        GError *error = NULL;
        EXPECT(g_file_get_contents(path, &text, NULL, &error), "%s", error->message);
        question = question_new(text, placement_of(row[PLACEMENT], row[SCOPE]));
        g_hash_table_insert(questions, g_steal_pointer(&key), question);
    }
    return question;
}

static GHashTable *set_new(GDestroyNotify free_value)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_value);
}

TEST(models_allow_what_machines_showed)
{
    const char *folder = getenv("WEIR_LITMUS_DIR"), *path = getenv("WEIR_HARDWARE_TSV");
    if (folder == NULL || path == NULL) {
        puts("WEIR_LITMUS_DIR or WEIR_HARDWARE_TSV is not set: this check is empty");
        return;
    }
    g_autofree char *text = NULL;
    GError *error = NULL;
    EXPECT(g_file_get_contents(path, &text, NULL, &error), "%s", error->message);
    g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
    GHashTable *questions = set_new(question_free), *files = set_new(NULL);
    g_autoptr(GHashTable) buffering_files = set_new(NULL);
    size_t n_lines = g_strv_length(lines), n_rows = 0, n_weak = 0;
    for (size_t i = 1; i < n_lines; i += scaled(1, 100)) {
        g_auto(GStrv) row = g_strsplit(lines[i], "\t", 0);
        enum weir_model which;
        if (lines[i][0] == '\0') {
            continue;
        }
        EXPECT(g_strv_length(row) == N_COLUMNS, "%s:%zu: not %d columns", path, i + 1,
               N_COLUMNS);
        struct question *question = question_of(questions, folder, row);
        enum seen seen = judge(question, row[STATE], &which);
        EXPECT(seen != SEEN_FORBIDDEN,
               "%s, %s, %s: %s was seen %s times, and %s forbids it", row[FILE_COLUMN],
               row[PLACEMENT], row[SCOPE], row[STATE], row[COUNT],
               weir_model_name(which));
        EXPECT(seen != SEEN_WEAK_IN_GROUP, "%s, %s, %s: %s is weak, in one group",
               row[FILE_COLUMN], row[PLACEMENT], row[SCOPE], row[STATE]);
        n_rows++;
        n_weak += seen == SEEN_WEAK || seen == SEEN_BUFFERING;
        g_hash_table_add(files, g_strdup(row[FILE_COLUMN]));
        if (seen == SEEN_BUFFERING) {
            g_hash_table_add(buffering_files, g_strdup(row[FILE_COLUMN]));
        }
    }
    ck_assert_uint_gt(n_rows, 0);
    printf(
        "%zu states of %u tests were seen, and are allowed: %zu are weak, all between "
        "groups; %u tests showed load buffering\n",
        n_rows, g_hash_table_size(files), n_weak, g_hash_table_size(buffering_files));
    g_hash_table_unref(questions);
    g_hash_table_unref(files);
}

MAIN("hardware")
