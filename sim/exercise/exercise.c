/* SPDX-License-Identifier: MIT
 *
 * exercise.c: `weir exercise`: wrong kernels to repair, and the judgement of repairs.
 *
 * The first word after the command is one of the table at the end. A command line of
 * each has options of its own. `list --json` prints an array of {name, title, idea,
 * kinds, difficulty, source, task, lesson, hints, folder}, where hints is their number;
 * `check --json` an object {exercise, file, seed, passed, undecided, judge, why,
 * findings, executions, explored}; exercise-class.c has the form of a class. */
#include "config.h"

#include "exercise/exercise.h"

#include "cli/child.h"
#include "cli/complete.h"
#include "cli/program.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

static const double DEFAULT_SECONDS = 20;
static const uint64_t MOST_JOBS = 256;

static const char EPILOGUE[]
    = "Exit status: 0 every answer is accepted; 1 one is rejected; 2 an error; 3 an\n"
      "answer could not be judged.";

/* The text of a file of an exercise. Returns: (transfer full): or NULL after a
 * complaint */
static char *read_file(const char *path)
{
    GError *error = NULL;
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, &error)) {
        weiri_cli_take_error(error);
    }
    return text;
}

static char *file_of(const struct weiri_exercise *exercise, const char *name)
{
    return g_build_filename(exercise->folder, name, NULL);
}

/* Its kernel or its judge. */
static char *source_of(const struct weiri_exercise *exercise, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".", exercise->ending, NULL);
    return file_of(exercise, file);
}

/* Appends text in lines of at most that width, all but the first after @indent
 * blanks. */
static void add_wrapped(GString *out, const char *text, size_t indent)
{
    enum { COLUMNS = 88 };
    g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
    size_t column = indent;
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t length = (size_t)g_utf8_strlen(words[i], -1);
        if (length == 0) {
            continue;
        }
        if (column > indent && column + 1 + length > COLUMNS) {
            g_string_append_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, words[i]);
        column += length;
    }
    g_string_append_c(out, '\n');
}

/* ---- list ------------------------------------------------------------------------ */

/* Complains of a kind that no exercise has, with those that there are. */
static int complain_of_kind(const GPtrArray *exercises, const char *kind)
{
    g_autoptr(GTree) kinds = g_tree_new((GCompareFunc)strcmp);
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        for (size_t k = 0; exercise->kinds[k] != NULL; k++) {
            g_tree_insert(kinds, exercise->kinds[k], exercise->kinds[k]);
        }
    }
    g_autoptr(GString) names = g_string_new(NULL);
    for (GTreeNode *node = g_tree_node_first(kinds); node != NULL;
         node = g_tree_node_next(node)) {
        g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                               (const char *)g_tree_node_key(node));
    }
    return weiri_cli_complain("no exercise has the kind '%s': the kinds are %s", kind,
                              names->str);
}

static void json_exercise(JsonBuilder *builder, const struct weiri_exercise *exercise)
{
    json_builder_begin_object(builder);
    weiri_json_text(builder, "name", exercise->name);
    weiri_json_text(builder, "title", exercise->title);
    weiri_json_text(builder, "idea", exercise->idea);
    weiri_json_array(builder, "kinds");
    for (size_t i = 0; exercise->kinds[i] != NULL; i++) {
        weiri_json_text(builder, NULL, exercise->kinds[i]);
    }
    json_builder_end_array(builder);
    weiri_json_int(builder, "difficulty", (uint64_t)exercise->difficulty);
    weiri_json_text(builder, "source", exercise->source);
    weiri_json_text(builder, "task", exercise->task);
    weiri_json_text(builder, "lesson", exercise->lesson);
    weiri_json_int(builder, "hints", g_strv_length(exercise->hints));
    weiri_json_text(builder, "folder", exercise->folder);
    json_builder_end_object(builder);
}

static int list(const GPtrArray *exercises, int argc, char **argv)
{
    gboolean json = FALSE;
    g_autofree char *kind = NULL;
    const GOptionEntry entries[] = {
        { "kind", 'k', 0, G_OPTION_ARG_FILENAME, &kind,
          "Only exercises of this kind, such as data-race", "KIND" },
        WEIRI_CLI_JSON(&json),
        { 0 },
    };
    int status;
    if (!weiri_cli_parse(entries, NULL, "Lists the exercises: wrong kernels by idea.",
                         NULL, &argc, &argv, &status)) {
        return status;
    }
    if (argc > 1) {
        return weiri_cli_complain("it takes no argument, but '%s' is given", argv[1]);
    }
    g_autoptr(JsonBuilder) builder = json_builder_new();
    struct weiri_cli_table *table = weiri_cli_table_new("llll");
    weiri_cli_table_add(table, "exercise\tlevel\tkinds\tidea");
    json_builder_begin_array(builder);
    guint n = 0;
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        if (kind != NULL && !weiri_exercise_is_of(exercise, kind)) {
            continue;
        }
        g_autofree char *kinds = g_strjoinv(", ", exercise->kinds);
        weiri_cli_table_add(table, "%s\t%d\t%s\t%s", exercise->name,
                            exercise->difficulty, kinds, exercise->idea);
        json_exercise(builder, exercise);
        n++;
    }
    json_builder_end_array(builder);
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_text(table, out);
    if (kind != NULL && n == 0) {
        g_string_free(out, TRUE);
        return complain_of_kind(exercises, kind);
    }
    if (json) {
        g_string_free(out, TRUE);
        return weiri_cli_finish(weiri_json_take(g_steal_pointer(&builder)),
                                WEIRI_CLI_CLEAN);
    }
    g_string_append(out, "\nweir exercise show NAME shows one.\n");
    return weiri_cli_finish(g_string_free(out, FALSE), WEIRI_CLI_CLEAN);
}

/* ---- show ------------------------------------------------------------------------ */

static bool copy_file(const char *from, const char *folder, const char *name)
{
    g_autofree char *text = read_file(from);
    g_autofree char *to = g_build_filename(folder, name, NULL);
    if (text == NULL) {
        return false;
    }
    if (g_file_test(to, G_FILE_TEST_EXISTS)) {
        weiri_cli_complain("--copy: '%s' exists already", to);
        return false;
    }
    return weiri_cli_write_file("--copy", to, text);
}

/* The files that work on an answer needs: the kernel, its header, and the judge. */
static bool copy_exercise(const struct weiri_exercise *exercise, const char *folder)
{
    g_autofree char *parent = g_path_get_dirname(exercise->folder);
    const char *ending = exercise->ending;
    const char *shared = weiri_exercise_is_cuda(exercise) ? "judge.cuh" : "judge.h";
    g_autofree char *kernel = source_of(exercise, "kernel");
    g_autofree char *judge = source_of(exercise, "judge");
    g_autofree char *header_name = g_strconcat(exercise->name, ".h", NULL);
    g_autofree char *header = file_of(exercise, header_name);
    g_autofree char *common = g_build_filename(parent, shared, NULL);
    g_autofree char *kernel_name = g_strconcat(exercise->name, ".", ending, NULL);
    g_autofree char *judge_name = g_strconcat(exercise->name, "-judge.", ending, NULL);
    g_autofree char *copied = g_build_filename(folder, shared, NULL);
    if (g_mkdir_with_parents(folder, 0755) != 0) {
        weiri_cli_complain("--copy: cannot make the folder '%s'", folder);
        return false;
    }
    return copy_file(kernel, folder, kernel_name)
        && copy_file(header, folder, header_name)
        && copy_file(judge, folder, judge_name)
        && (g_file_test(copied, G_FILE_TEST_EXISTS)
            || copy_file(common, folder, shared));
}

/* The line that does by hand what a judge does: with the judge's options and sizes. */
static void add_by_hand(GString *out, const char *command, const char *name,
                        const struct weiri_exercise_sizes *sizes)
{
    g_autofree char *options = g_strjoinv(" ", sizes->options);
    g_autofree char *of_launch = g_strjoinv(" ", sizes->sizes);
    g_string_append_printf(out, "  weir %s%s%s -- ./%s launch 1 %s\n", command,
                           options[0] != '\0' ? " " : "", options, name, of_launch);
}

static void add_commands(GString *out, const struct weiri_exercise *exercise,
                         const char *folder)
{
    const char *name = exercise->name;
    g_autofree char *in = folder != NULL && strcmp(folder, ".") != 0
        ? g_strdup_printf("cd %s\n  ", folder)
        : g_strdup("");
    g_string_append_printf(out, "\nTo work on it:\n  ");
    if (folder == NULL) {
        g_string_append_printf(out, "weir exercise show %s --copy .\n  ", name);
    }
    g_string_append_printf(out,
                           "%sweir exercise check %s\n  weir exercise hint %s\n"
                           "\nBy hand:\n  %s -g -O1 %s.%s %s-judge.%s -o %s\n",
                           in, name, name,
                           weiri_exercise_is_cuda(exercise) ? "weir-nvcc" : "weir-cc",
                           name, exercise->ending, name, exercise->ending, name);
    add_by_hand(out, "check", name, &exercise->check);
    if (exercise->explore.sizes[0] != NULL) {
        add_by_hand(out, "explore", name, &exercise->explore);
    }
}

static int show(const GPtrArray *exercises, int argc, char **argv)
{
    g_autofree char *folder = NULL;
    const GOptionEntry entries[] = {
        { "copy", 0, 0, G_OPTION_ARG_FILENAME, &folder,
          "Copy the kernel, its header and the judge to a folder", "DIR" },
        { 0 },
    };
    int status;
    if (!weiri_cli_parse(entries, "NAME", "Shows an exercise and its wrong kernel.",
                         NULL, &argc, &argv, &status)) {
        return status;
    }
    if (argc != 2) {
        return weiri_cli_complain("give the name of one exercise");
    }
    const struct weiri_exercise *exercise = weiri_exercise_find(exercises, argv[1]);
    if (exercise == NULL || (folder != NULL && !copy_exercise(exercise, folder))) {
        return WEIRI_CLI_USAGE;
    }
    g_autofree char *path = source_of(exercise, "kernel");
    g_autofree char *kernel = read_file(path);
    g_autofree char *kinds = g_strjoinv(", ", exercise->kinds);
    if (kernel == NULL) {
        return WEIRI_CLI_USAGE;
    }
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s: %s\n\n", exercise->name, exercise->title);
    add_wrapped(out, exercise->task, 0);
    g_string_append_printf(
        out, "\n  level   %d\n  kinds   %s\n  source  %s\n  file    %s\n\n",
        exercise->difficulty, kinds, exercise->source, path);
    g_string_append(out, kernel);
    add_commands(out, exercise, folder);
    return weiri_cli_finish(g_string_free(out, FALSE), WEIRI_CLI_CLEAN);
}

/* ---- hint and solution ----------------------------------------------------------- */

/* Reads NAME [NUMBER]. @number: (out): from 1; 0 where none is given. Returns: NULL
 * where the command ends here */
static const struct weiri_exercise *read_name(const GPtrArray *exercises,
                                              const char *summary, int argc,
                                              char **argv, uint64_t *number,
                                              int *status)
{
    const GOptionEntry entries[] = { { 0 } };
    *number = 0;
    if (!weiri_cli_parse(entries, "NAME [NUMBER]", summary, NULL, &argc, &argv,
                         status)) {
        return NULL;
    }
    *status = WEIRI_CLI_USAGE;
    if (argc < 2 || argc > 3) {
        weiri_cli_complain("give the name of one exercise, and a number if you like");
        return NULL;
    }
    if (argc > 2 && !weiri_cli_number("NUMBER", "hints", argv[2], 1, 99, number)) {
        return NULL;
    }
    return weiri_exercise_find(exercises, argv[1]);
}

static int hint(const GPtrArray *exercises, int argc, char **argv)
{
    uint64_t number;
    int status;
    const struct weiri_exercise *exercise
        = read_name(exercises, "Shows a hint, the first one by default.", argc, argv,
                    &number, &status);
    if (exercise == NULL) {
        return status;
    }
    guint n = g_strv_length(exercise->hints);
    number = MAX(number, 1);
    if (number > n) {
        return weiri_cli_complain("%s has %u hint%s", exercise->name, n,
                                  n == 1 ? "" : "s");
    }
    GString *out = g_string_new(NULL);
    add_wrapped(out, exercise->hints[number - 1], 0);
    if (number < n) {
        g_string_append_printf(out, "\nNext: weir exercise hint %s %" PRIu64 "\n",
                               exercise->name, number + 1);
    } else {
        g_string_append_printf(out,
                               "\nThis is the last hint. Next: weir exercise "
                               "solution %s\n",
                               exercise->name);
    }
    return weiri_cli_finish(g_string_free(out, FALSE), WEIRI_CLI_CLEAN);
}

static int solution(const GPtrArray *exercises, int argc, char **argv)
{
    uint64_t number;
    int status;
    const struct weiri_exercise *exercise
        = read_name(exercises, "Shows the lesson and the solutions, or one of them.",
                    argc, argv, &number, &status);
    if (exercise == NULL) {
        return status;
    }
    g_autoptr(GPtrArray) files = weiri_exercise_files(exercise, "solutions");
    if (number > files->len) {
        return weiri_cli_complain("%s has %u solutions", exercise->name, files->len);
    }
    GString *out = g_string_new(NULL);
    add_wrapped(out, exercise->lesson, 0);
    for (guint i = 0; i < files->len; i++) {
        if (number != 0 && i + 1 != number) {
            continue;
        }
        g_autofree char *text = read_file(files->pdata[i]);
        g_string_append_printf(out, "\nSolution %u: %s\n\n%s", i + 1,
                               (const char *)files->pdata[i], text != NULL ? text : "");
    }
    return weiri_cli_finish(g_string_free(out, FALSE), WEIRI_CLI_CLEAN);
}

/* ---- check and verify ------------------------------------------------------------ */

static char *verdict_text(const struct weiri_exercise *exercise, const char *file,
                          const struct weiri_exercise_verdict *verdict)
{
    GString *out = g_string_new(NULL);
    const char *judge = weiri_exercise_judge_name(verdict->judge);
    guint n = verdict->findings != NULL ? json_array_get_length(verdict->findings) : 0;
    for (guint i = 0; i < n; i++) {
        weiri_exercise_add_finding(out,
                                   json_array_get_object_element(verdict->findings, i));
        g_string_append_c(out, '\n');
    }
    if (verdict->why != NULL && verdict->why[0] != '\0') {
        g_string_append_printf(out, "%s\n\n", verdict->why);
    }
    if (verdict->passed) {
        g_string_append_printf(out, "%s: %s is accepted: %d runs without a finding",
                               exercise->name, file, exercise->runs);
        if (verdict->executions > 0) {
            g_string_append_printf(
                out, ", %" PRIu64 " executions%s correct", verdict->executions,
                verdict->partly ? ", not all of them, are" : " are all");
        }
        g_string_append(out, ", every answer correct\n\n");
        add_wrapped(out, exercise->lesson, 0);
        return g_string_free(out, FALSE);
    }
    guint next = weiri_exercise_next_hint(exercise, judge);
    g_string_append_printf(out, "%s: %s %s by %s\n", exercise->name, file,
                           verdict->undecided ? "is left undecided" : "is rejected",
                           judge);
    if (next > 0 && !verdict->undecided && verdict->judge != WEIRI_EXERCISE_COMPILE) {
        g_string_append_printf(out, "A hint: weir exercise hint %s %u\n",
                               exercise->name, next);
    }
    return g_string_free(out, FALSE);
}

static int check_one(struct weiri_exercise_judging *judging,
                     const struct weiri_exercise *exercise, const char *file, bool json)
{
    GError *error = NULL;
    struct weiri_exercise_verdict verdict;
    if (!weiri_exercise_judge(judging, exercise, file, &verdict, &error)) {
        weiri_exercise_verdict_clear(&verdict);
        return weiri_cli_take_error(error);
    }
    int status = verdict.passed ? WEIRI_CLI_CLEAN
        : verdict.undecided     ? WEIRI_CLI_INCOMPLETE
                                : WEIRI_CLI_FINDINGS;
    char *text;
    if (json) {
        JsonBuilder *builder = json_builder_new();
        json_builder_begin_object(builder);
        weiri_json_text(builder, "exercise", exercise->name);
        weiri_json_text(builder, "file", file);
        weiri_json_int(builder, "seed", judging->seed);
        weiri_exercise_json_verdict(builder, &verdict);
        json_builder_end_object(builder);
        text = weiri_json_take(builder);
    } else {
        text = verdict_text(exercise, file, &verdict);
    }
    weiri_exercise_verdict_clear(&verdict);
    return weiri_cli_finish(text, status);
}

/* The options of both. */
struct judging_texts {
    char *seed, *seconds, *keep, *all, *set, *jobs;
    gboolean json;
};

static bool read_judging(const struct judging_texts *texts,
                         struct weiri_exercise_judging *judging)
{
    *judging = (struct weiri_exercise_judging){ .seed = 1,
                                                .seconds = DEFAULT_SECONDS,
                                                .keep = texts->keep };
    return weiri_cli_number("--seed", "seeds", texts->seed, 0, UINT64_MAX - 1,
                            &judging->seed)
        && weiri_cli_seconds("--time-limit", texts->seconds, &judging->seconds);
}

#define JUDGING_ENTRIES(texts)                                                         \
    { "seed",                                                                          \
      's',                                                                             \
      0,                                                                               \
      G_OPTION_ARG_FILENAME,                                                           \
      &(texts).seed,                                                                   \
      "The seed of the input (default: 1)",                                            \
      "S" },                                                                           \
    {                                                                                  \
        "time-limit", 't', 0, G_OPTION_ARG_FILENAME, &(texts).seconds,                 \
            "Seconds that each judge has (default: 20)", "SECONDS"                     \
    }

static void free_texts(struct judging_texts *texts)
{
    g_free(texts->seed);
    g_free(texts->seconds);
    g_free(texts->keep);
    g_free(texts->all);
    g_free(texts->set);
    g_free(texts->jobs);
}

static int check_class(const struct weiri_exercise_judging *judging,
                       const GPtrArray *exercises, const struct judging_texts *texts)
{
    uint64_t n_jobs = 1;
    g_auto(GStrv) set = texts->set != NULL ? g_strsplit(texts->set, ",", -1) : NULL;
    if (!weiri_cli_number("--jobs", "processes", texts->jobs, 1, MOST_JOBS, &n_jobs)) {
        return WEIRI_CLI_USAGE;
    }
    for (size_t i = 0; set != NULL && set[i] != NULL; i++) {
        if (weiri_exercise_find(exercises, set[i]) == NULL) {
            return WEIRI_CLI_USAGE;
        }
    }
    return weiri_exercise_class(judging, exercises, texts->all, set, (guint)n_jobs,
                                texts->json);
}

static int check_with(const GPtrArray *exercises, const struct judging_texts *texts,
                      int argc, char **argv)
{
    struct weiri_exercise_judging judging;
    if (!read_judging(texts, &judging)) {
        return WEIRI_CLI_USAGE;
    }
    if (texts->all != NULL) {
        return argc > 1 || texts->keep != NULL
            ? weiri_cli_complain("--all takes neither a name nor --keep")
            : check_class(&judging, exercises, texts);
    }
    if (texts->set != NULL || texts->jobs != NULL) {
        return weiri_cli_complain("%s is for a class: give --all, too",
                                  texts->set != NULL ? "--set" : "--jobs");
    }
    if (argc < 2 || argc > 3) {
        return weiri_cli_complain("give the name of an exercise and a file, or --all");
    }
    const struct weiri_exercise *exercise = weiri_exercise_find(exercises, argv[1]);
    if (exercise == NULL) {
        return WEIRI_CLI_USAGE;
    }
    g_autofree char *own = g_strconcat(exercise->name, ".", exercise->ending, NULL);
    return check_one(&judging, exercise, argc > 2 ? argv[2] : own, texts->json);
}

static int check(const GPtrArray *exercises, int argc, char **argv)
{
    struct judging_texts texts = { 0 };
    const GOptionEntry entries[] = {
        { "all", 'a', 0, G_OPTION_ARG_FILENAME, &texts.all,
          "Judge the answers DIR/STUDENT/NAME.c of a class (CUDA: .cu)", "DIR" },
        { "set", 0, 0, G_OPTION_ARG_FILENAME, &texts.set,
          "The exercises that count, also where an answer is missing", "NAME,..." },
        { "jobs", 'j', 0, G_OPTION_ARG_FILENAME, &texts.jobs,
          "Answers of a class that are judged at a time (default: 1)", "N" },
        WEIRI_CLI_JSON(&texts.json),
        { "keep", 0, 0, G_OPTION_ARG_FILENAME, &texts.keep,
          "Keep the program, for weir check and weir explore", "FILE" },
        JUDGING_ENTRIES(texts),
        { 0 },
    };
    int status;
    if (weiri_cli_parse(entries, "NAME [FILE]",
                        "Judges an answer, NAME.c or NAME.cu by default: by weir "
                        "check, weir\nexplore, and by its results.",
                        EPILOGUE, &argc, &argv, &status)) {
        status = check_with(exercises, &texts, argc, argv);
    }
    free_texts(&texts);
    weiri_cli_folder_remove();
    return status;
}

static int verify(const GPtrArray *exercises, int argc, char **argv)
{
    struct judging_texts texts = { 0 };
    struct weiri_exercise_judging judging;
    const GOptionEntry entries[] = { JUDGING_ENTRIES(texts), { 0 } };
    int status;
    if (weiri_cli_parse(entries, "[NAME...]",
                        "Judges the exercises themselves: their wrong forms, solutions "
                        "and near misses.",
                        EPILOGUE, &argc, &argv, &status)) {
        status = read_judging(&texts, &judging)
            ? weiri_exercise_verify(&judging, exercises, argv + 1)
            : WEIRI_CLI_USAGE;
    }
    free_texts(&texts);
    weiri_cli_folder_remove();
    return status;
}

/* ---- The command ----------------------------------------------------------------- */

static const struct action {
    const char *name;
    const char *summary;
    int (*run)(const GPtrArray *exercises, int argc, char **argv);
} actions[] = {
    { "list", "the exercises, by difficulty", list },
    { "show", "an exercise and its wrong kernel", show },
    { "check", "judge an answer, or those of a class", check },
    { "hint", "a hint, one after the other", hint },
    { "solution", "the lesson and the solutions", solution },
    { "verify", "judge the exercises themselves", verify },
};

static char *usage(void)
{
    GString *text = g_string_new("Usage: weir exercise ACTION [OPTION…] [NAME]\n\n"
                                 "Wrong and unfinished kernels, one idea each, and a "
                                 "judge of their repairs.\n\nActions:\n");
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
        g_string_append_printf(text, "  %-8s  %s\n", actions[i].name,
                               actions[i].summary);
    }
    g_string_append_printf(text, "\n%s\n\nBegin with: weir exercise list\n", EPILOGUE);
    return g_string_free(text, FALSE);
}

/* For a shell that completes the action. */
static int complete_action(int argc, char **argv)
{
    const GOptionEntry none[] = { { 0 } };
    int status = WEIRI_CLI_USAGE;
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
        weiri_complete_add("ACTION", actions[i].name, actions[i].summary);
    }
    weiri_cli_parse(none, "ACTION", "", NULL, &argc, &argv, &status);
    return status;
}

static int exercise(int argc, char **argv)
{
    char *completed[] = { argv[0], weiri_complete_take_action(), NULL };
    if (completed[1] != NULL) {
        argc = 2;
        argv = completed;
    } else if (weiri_complete_is_asked()) {
        return complete_action(argc, argv);
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return weiri_cli_finish(usage(), WEIRI_CLI_CLEAN);
    }
    for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(actions); i++) {
        if (strcmp(argv[1], actions[i].name) != 0) {
            continue;
        }
        GError *error = NULL;
        g_autofree char *name = g_strdup_printf("weir exercise %s", actions[i].name);
        g_set_prgname(name);
        g_autoptr(GPtrArray) exercises = weiri_exercises_load(&error);
        for (guint k = 0; exercises != NULL && k < exercises->len; k++) {
            const struct weiri_exercise *exercise = g_ptr_array_index(exercises, k);
            weiri_complete_add("NAME", exercise->name, exercise->title);
        }
        return exercises != NULL ? actions[i].run(exercises, argc - 1, argv + 1)
                                 : weiri_cli_take_error(error);
    }
    return argc > 1
        ? weiri_cli_complain("unknown action '%s': 'weir exercise --help' shows all",
                             argv[1])
        : weiri_cli_complain("give an action: 'weir exercise --help' shows all");
}

int main(int argc, char **argv)
{
    return weiri_cli_program("exercise", exercise, argc, argv);
}
