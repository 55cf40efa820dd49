/* SPDX-License-Identifier: MIT
 *
 * exercise-judge.c: judges an answer to an exercise. The file is long because an answer
 * goes through all of it: the steps share what is known about it.
 *
 * The answer is compiled with the exercise's judge.c into one program, and the program
 * is run: by `weir check`, by `weir explore`, plainly, and once more to measure it. So
 * answers are judged by their behaviour, never by their text. Each judge runs in a
 * process of its own with a limit of time, so that no answer can stop the command.
 *
 * Invariants: for the same files and the same seed the verdict is the same; only an
 * answer that no judge can end early takes the limit of time.
 *
 * Ways in which a wrong answer could be accepted, and the measure against each:
 *
 *   define the judge's or Weir's functions   its symbols are listed; a kernel's alone
 *                                            may be there
 *   hide accesses from the checker           words of the answer that no access was
 *                                            seen to write are counted; in CUDA the
 *                                            attribute for it has no effect
 *   end the process before it is judged      the judge's last line must be there
 *   know the answers                         the inputs depend on a seed
 *   let one item do all the work             a rule on the busiest item, where the
 *                                            exercise asks for it */
#include "config.h"

#include "exercise/exercise.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "cli/own.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How much longer than its own limit a judge is waited for. */
static const int64_t PATIENCE_US = 5 * G_USEC_PER_SEC;

/* Lines of the compiler that are shown. */
enum { SHOWN_LINES = 30 };

const char *weiri_exercise_judge_name(enum weiri_exercise_judge judge)
{
    static const char *const names[] = {
#define X(name, text) text,
        WEIRI_EXERCISE_JUDGES(X)
#undef X
    };
    return names[judge];
}

void weiri_exercise_verdict_clear(struct weiri_exercise_verdict *verdict)
{
    g_clear_pointer(&verdict->why, g_free);
    g_clear_pointer(&verdict->findings, json_array_unref);
}

/* One answer while it is judged. */
struct judging {
    const struct weiri_exercise *exercise;
    struct weiri_exercise_judging *of;
    const char *folder; /* of temporary files */
    struct weiri_exercise_verdict *verdict;
    char *program;       /* owned */
    const char *missing; /* a kernel that the answer does not define; or NULL */
    char *output;        /* the file that standard output goes to; owned */
};

/* The answer is rejected, or nothing can be said about it. Returns: false */
static bool reject(struct judging *judging, enum weiri_exercise_judge judge, char *why)
{
    judging->verdict->judge = judge;
    g_free(judging->verdict->why);
    judging->verdict->why = why != NULL ? g_strchomp(why) : NULL;
    return false;
}

static bool give_up(struct judging *judging, enum weiri_exercise_judge judge, char *why)
{
    judging->verdict->undecided = true;
    return reject(judging, judge, why);
}

/* ---- Running --------------------------------------------------------------------- */

static GPtrArray *words_new(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}

static void add_word(GPtrArray *words, const char *word)
{
    g_ptr_array_add(words, g_strdup(word));
}

static void add_words(GPtrArray *words, char *const *more)
{
    for (size_t i = 0; more[i] != NULL; i++) {
        add_word(words, more[i]);
    }
}

/* The program, followed by the words of exercises/judge.h. */
static void add_program(GPtrArray *words, const struct judging *judging,
                        const char *mode, char *const *sizes)
{
    add_word(words, judging->program);
    add_word(words, mode);
    g_ptr_array_add(words, g_strdup_printf("%" PRIu64, judging->of->seed));
    add_words(words, sizes);
}

/* Runs the command of @words; its standard output goes to @output, and its standard
 * error is in child->said, which is the caller's. */
static bool run(GPtrArray *words, const char *output, double seconds, bool gently,
                struct weiri_cli_child *child, GError **error)
{
    g_ptr_array_add(words, NULL);
    *child = (struct weiri_cli_child){
        .argv = (char *const *)words->pdata,
        .output_file = output,
        .gently = gently,
        .deadline_us
        = weiri_cli_clock_us() + (int64_t)(seconds * G_USEC_PER_SEC) + PATIENCE_US,
    };
    return weiri_cli_child_run(child, error);
}

static bool ended_with(const struct weiri_cli_child *child, int status)
{
    return !child->timed_out && WIFEXITED(child->status)
        && WEXITSTATUS(child->status) == status;
}

/* "did not end within 5 seconds", "was ended by signal 11 (Segmentation fault)". */
static char *end_of(const struct weiri_cli_child *child)
{
    return child->timed_out ? g_strdup("it did not end in time")
        : WIFSIGNALED(child->status)
        ? g_strdup_printf("it was ended by signal %d (%s)", WTERMSIG(child->status),
                          g_strsignal(WTERMSIG(child->status)))
        : g_strdup_printf("it ended with status %d", WEXITSTATUS(child->status));
}

/* ---- Building -------------------------------------------------------------------- */

static char *first_lines(const char *text)
{
    const char *end = text;
    for (size_t n = 0; n < SHOWN_LINES && *end != '\0'; n++) {
        const char *newline = strchr(end, '\n');
        end = newline != NULL ? newline + 1 : end + strlen(end);
    }
    return g_strdup_printf("%.*s%s", (int)(end - text), text, *end != '\0' ? "…" : "");
}

/* Runs weir-cc or weir-nvcc. Returns: false with @error set if it cannot be run, or if
 * weir-nvcc says that a compiler is missing; @said: (out): its messages if it failed,
 * else NULL */
static bool run_compiler(struct judging *judging, GPtrArray *words, char **said,
                         GError **error)
{
    struct weiri_cli_child child;
    *said = NULL;
    if (!run(words, judging->output, judging->of->seconds, false, &child, error)) {
        return false;
    }
    g_autofree char *text = child.said;
    if (ended_with(&child, 2) && judging->exercise != NULL
        && weiri_exercise_is_cuda(judging->exercise)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s is in CUDA: %s",
                    judging->exercise->name, g_strchomp(text));
        return false;
    }
    if (!ended_with(&child, 0)) {
        *said = text[0] != '\0' ? first_lines(text) : end_of(&child);
    }
    return true;
}

/* Whether a file includes the headers of the system and of the exercise alone, and has
 * no word by which a type could ask for more alignment than the basic ones. Elsewhere
 * weir-cc asks the preprocessor, for a fifth of the time that an answer takes. */
static bool is_plain(const struct judging *judging, const char *file)
{
    g_autofree char *text = NULL;
    g_autofree char *pattern = g_strdup_printf(
        "align|Align|vector_|__[mv]|long\\s+double|_BitInt|_ExtInt|##|\\\\\n"
        "|include(?!\\s*(<|\"(%s|judge)\\.h\"))",
        judging->exercise->name);
    return g_file_get_contents(file, &text, NULL, NULL)
        && !g_regex_match_simple(pattern, text, G_REGEX_RAW, 0);
}

static GPtrArray *compiler_words(bool cuda)
{
    static const char *const flags[]
        = { "-g", "-O1", "--no-stackless", "--no-record", "-Wall" };
    GPtrArray *words = words_new();
    g_ptr_array_add(words, weiri_cli_tool(cuda ? "weir-nvcc" : "weir-cc"));
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
        add_word(words, flags[i]);
    }
    return words;
}

/* The header of kernels, which takes a third of the time that an answer takes to
 * compile, is compiled early where there are many answers: into a file beside it, which
 * gcc takes in its place. */
static char *early_header(const struct judging *judging)
{
    return g_build_filename(judging->folder, "early.h", NULL);
}

static char *early_compiled(const struct judging *judging)
{
    return g_build_filename(judging->folder, "early.h.gch", NULL);
}

static bool write_early(const struct judging *judging)
{
    g_autofree char *header = early_header(judging);
    return g_file_set_contents(header, "#include <weir-kernel.h>\n", -1, NULL);
}

/* Returns: false where the compiler is not gcc: others refuse such a file where one
 * flag differs */
static bool compile_early(struct judging *judging)
{
    static const char magic[] = { 'g', 'p', 'c', 'h' };
    g_autofree char *header = early_header(judging),
                    *compiled = early_compiled(judging), *said = NULL, *bytes = NULL;
    g_autoptr(GPtrArray) words = compiler_words(false);
    gsize n = 0;
    add_word(words, "--alignment=no");
    add_word(words, "-x");
    add_word(words, "c-header");
    add_word(words, "-c");
    add_word(words, header);
    add_word(words, "-o");
    add_word(words, compiled);
    bool done = write_early(judging) && run_compiler(judging, words, &said, NULL)
        && said == NULL && g_file_get_contents(compiled, &bytes, &n, NULL)
        && n > sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
    if (!done) {
        g_unlink(compiled);
    }
    return done;
}

/* Whether there is an early header for answers to this exercise. Its own header has to
 * begin with the same, or its macros might change what that means. */
static bool has_early(struct judging *judging)
{
    static const char beginning[]
        = "\\A(\\s|/\\*.*?\\*/)*#ifndef \\w+\n#define \\w+\n\\s*"
          "#include <weir-kernel\\.h>\n";
    const struct weiri_exercise *exercise = judging->exercise;
    g_autofree char *own = g_strdup_printf("%s/%s.h", exercise->folder, exercise->name),
                    *text = NULL;
    if (judging->of->early == WEIRI_EXERCISE_EARLY_UNKNOWN) {
        const char *given = g_getenv(WEIRI_EXERCISE_EARLY);
        g_autofree char *compiled = early_compiled(judging);
        bool has = given != NULL ? write_early(judging) && symlink(given, compiled) == 0
                                 : judging->of->many && compile_early(judging);
        judging->of->early = has ? WEIRI_EXERCISE_EARLY_HAD : WEIRI_EXERCISE_EARLY_NONE;
    }
    return judging->of->early == WEIRI_EXERCISE_EARLY_HAD
        && g_file_get_contents(own, &text, NULL, NULL)
        && g_regex_match_simple(beginning, text, G_REGEX_RAW | G_REGEX_DOTALL, 0);
}

/* Whether a header beside an answer would be taken for the exercise's own. */
static bool has_other_header(const struct weiri_exercise *exercise, const char *file)
{
    g_autofree char *folder = g_path_get_dirname(file), *one = NULL, *other = NULL;
    g_autofree char *own = g_strdup_printf("%s/%s.h", exercise->folder, exercise->name);
    g_autofree char *beside = g_strdup_printf("%s/%s.h", folder, exercise->name);
    return g_file_get_contents(beside, &other, NULL, NULL)
        && g_file_get_contents(own, &one, NULL, NULL) && strcmp(one, other) != 0;
}

static GPtrArray *compile_words(struct judging *judging, const char *file,
                                const char *object)
{
    const struct weiri_exercise *exercise = judging->exercise;
    g_autofree char *parent = g_path_get_dirname(exercise->folder);
    bool cuda = weiri_exercise_is_cuda(exercise);
    GPtrArray *words = compiler_words(cuda);
    if (!cuda && is_plain(judging, file)) {
        add_word(words, "--alignment=no");
    }
    g_ptr_array_add(words, g_strconcat("-I", exercise->folder, NULL));
    g_ptr_array_add(words, g_strconcat("-I", parent, NULL));
    if (!cuda && has_early(judging)) {
        add_word(words, "-include");
        g_ptr_array_add(words, early_header(judging));
    }
    /* The exercise's own header, not one that lies beside the answer. With -include
     * weir-nvcc does not use the header that it has compiled already. */
    if (!cuda || has_other_header(exercise, file)) {
        add_word(words, "-include");
        g_ptr_array_add(words,
                        g_strdup_printf("%s/%s.h", exercise->folder, exercise->name));
    }
    add_word(words, "-c");
    add_word(words, file);
    add_word(words, "-o");
    add_word(words, object);
    return words;
}

static bool copy_file(const char *from, const char *to, int mode, GError **error)
{
    g_autofree char *bytes = NULL;
    gsize n = 0;
    return g_file_get_contents(from, &bytes, &n, error)
        && g_file_set_contents_full(to, bytes, (gssize)n, G_FILE_SET_CONTENTS_NONE,
                                    mode, error);
}

static bool compile_judge(struct judging *judging, const char *object, GError **error)
{
    const char *compiled = g_getenv(WEIRI_EXERCISE_COMPILED);
    if (judging->of->prepared == judging->exercise
        || (compiled != NULL && copy_file(compiled, object, 0600, NULL))) {
        judging->of->prepared = judging->exercise;
        return true;
    }
    g_autofree char *said = NULL;
    g_autofree char *source = g_strdup_printf("%s/judge.%s", judging->exercise->folder,
                                              judging->exercise->ending);
    g_autoptr(GPtrArray) words = compile_words(judging, source, object);
    if (!run_compiler(judging, words, &said, error)) {
        return false;
    }
    if (said != NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s cannot be compiled: %s",
                    source, said);
        return false;
    }
    judging->of->prepared = judging->exercise;
    return true;
}

/* Whether a name is the one of a kernel: in CUDA, of the function that launches it. */
static bool is_of_kernel(const struct weiri_exercise *exercise, const char *name,
                         const char *kernel)
{
    static const char launch[] = "__device_stub__";
    if (!weiri_exercise_is_cuda(exercise)) {
        return strcmp(name, kernel) == 0;
    }
    g_autofree char *begin
        = g_strdup_printf("_Z%zu%s%s", strlen(launch) + strlen(kernel), launch, kernel);
    return g_str_has_prefix(name, begin);
}

/* A function in C++ replaces none of Weir, which is in C, and the judge's are static. A
 * file in CUDA may have some by templates that it uses. */
static bool is_allowed(const struct weiri_exercise *exercise, const char *name)
{
    bool allowed = weiri_exercise_is_cuda(exercise) && g_str_has_prefix(name, "_Z");
    for (size_t k = 0; exercise->kernels[k] != NULL; k++) {
        allowed |= is_of_kernel(exercise, name, exercise->kernels[k]);
    }
    return allowed;
}

/* An answer defines its kernels and nothing else that other files could see: it cannot
 * replace a function of the judge or of Weir. */
static bool has_own_names_only(struct judging *judging, const char *object,
                               GError **error)
{
    g_autoptr(GPtrArray) names = weiri_exercise_names(object, error);
    char *const *kernels = judging->exercise->kernels;
    if (names == NULL) {
        return false;
    }
    for (size_t k = 0; kernels[k] != NULL; k++) {
        bool has = false;
        for (guint i = 0; i < names->len; i++) {
            has |= is_of_kernel(judging->exercise, names->pdata[i], kernels[k]);
        }
        judging->missing = has ? judging->missing : kernels[k];
    }
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        if (!is_allowed(judging->exercise, name)) {
            return reject(judging, WEIRI_EXERCISE_RULE,
                          g_strdup_printf("the file defines '%s': make it static, as "
                                          "only the kernel may be visible outside",
                                          name));
        }
    }
    return true;
}

/* Compiles and links. Returns: whether to go on; where not, there is an @error or the
 * answer is rejected. */
static bool build(struct judging *judging, const char *file, GError **error)
{
    g_autofree char *judge = g_build_filename(judging->folder, "judge.o", NULL);
    g_autofree char *answer = g_build_filename(judging->folder, "answer.o", NULL);
    g_autofree char *said = NULL;
    if (!compile_judge(judging, judge, error)) {
        return false;
    }
    g_autoptr(GPtrArray) words = compile_words(judging, file, answer);
    if (!run_compiler(judging, words, &said, error)) {
        return false;
    }
    if (said != NULL) {
        return reject(judging, WEIRI_EXERCISE_COMPILE, g_steal_pointer(&said));
    }
    if (!has_own_names_only(judging, answer, error)) {
        return false;
    }
    g_autoptr(GPtrArray) link = words_new();
    bool cuda = weiri_exercise_is_cuda(judging->exercise);
    g_ptr_array_add(link, weiri_cli_tool(cuda ? "weir-nvcc" : "weir-cc"));
    add_word(link, "--no-record");
    g_autofree char *gold = g_find_program_in_path("ld.gold");
    if (gold != NULL && !cuda) { /* in half the time, of which a link takes a third */
        add_word(link, "-fuse-ld=gold");
    }
    add_word(link, answer);
    add_word(link, judge);
    add_word(link, "-o");
    add_word(link, judging->program);
    if (!run_compiler(judging, link, &said, error)) {
        return false;
    }
    if (said != NULL && judging->missing != NULL) {
        g_free(said);
        said = g_strdup_printf("the answer defines no kernel '%s'", judging->missing);
    }
    return said == NULL
        || reject(judging, WEIRI_EXERCISE_COMPILE, g_steal_pointer(&said));
}

/* ---- The answer ------------------------------------------------------------------ */

static bool compare(struct judging *judging, GError **error)
{
    struct weiri_cli_child child;
    g_autofree char *text = NULL;
    g_autoptr(GPtrArray) words = words_new();
    add_program(words, judging, "answer", judging->exercise->answer.sizes);
    if (!run(words, judging->output, judging->of->seconds, false, &child, error)) {
        return false;
    }
    g_autofree char *said = child.said;
    g_file_get_contents(judging->output, &text, NULL, NULL);
    if (ended_with(&child, 0) && text != NULL
        && strstr(text, "every answer is right\n") != NULL) {
        return true;
    }
    return reject(judging, WEIRI_EXERCISE_ANSWER,
                  said[0] != '\0' ? first_lines(said) : end_of(&child));
}

/* ---- weir check and weir explore ------------------------------------------------- */

/* Runs a command of weir that prints JSON. @said: (out): its standard error.
 * Returns: what it printed, or NULL: with @error set where it cannot be run */
static JsonNode *run_weir(struct judging *judging, GPtrArray *words,
                          struct weiri_cli_child *child, char **said, GError **error)
{
    g_autofree char *text = NULL, *why = NULL;
    gsize bytes = 0;
    *said = NULL;
    if (!run(words, judging->output, judging->of->seconds, true, child, error)) {
        return NULL;
    }
    *said = g_strchomp(child->said);
    if (child->timed_out
        || !g_file_get_contents(judging->output, &text, &bytes, NULL)) {
        return NULL;
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    return bytes > 0 && json_parser_load_from_data(parser, text, (gssize)bytes, NULL)
        ? json_parser_steal_root(parser)
        : NULL;
}

static GPtrArray *weir_words(const struct judging *judging, const char *command,
                             const struct weiri_exercise_sizes *sizes,
                             const char *number, int value)
{
    GPtrArray *words = words_new();
    g_ptr_array_add(words, weiri_cli_own());
    add_word(words, command);
    add_word(words, "--json");
    add_word(words, "--no-fixes");
    add_word(words, number);
    g_ptr_array_add(words, g_strdup_printf("%d", value));
    add_word(words, "--time-limit");
    g_ptr_array_add(words, g_strdup_printf("%g", judging->of->seconds));
    add_words(words, sizes->options);
    add_word(words, "--");
    add_program(words, judging, "launch", sizes->sizes);
    return words;
}

/* Adds the findings of @of that are not notes to the verdict. @size: of the launch;
 * NULL if they belong to all launches. Returns: whether one of them is more than a
 * wrong result */
static bool take_findings(struct judging *judging, JsonObject *of, const char *size)
{
    JsonArray *findings = json_object_get_array_member(of, "findings");
    bool more = false;
    for (guint i = 0; i < json_array_get_length(findings); i++) {
        JsonObject *finding = json_array_get_object_element(findings, i);
        if (json_object_get_boolean_member(finding, "note")) {
            continue;
        }
        if (judging->verdict->findings == NULL) {
            judging->verdict->findings = json_array_new();
        }
        weiri_exercise_take_finding(judging->verdict->findings, finding, size);
        more |= g_strcmp0(weiri_exercise_member(finding, "kind"), "wrong-result") != 0;
    }
    return more;
}

/* How the first run that failed by itself did so, or why a run did not end. */
static char *failure_of(JsonObject *root)
{
    JsonArray *runs = json_object_get_array_member(root, "runs");
    for (guint i = 0; i < json_array_get_length(runs); i++) {
        JsonObject *one = json_array_get_object_element(runs, i);
        const char *failure = weiri_exercise_member(one, "failure");
        const char *incomplete = weiri_exercise_member(one, "incomplete");
        if (failure != NULL || incomplete != NULL) {
            return failure != NULL
                ? g_strdup_printf("the program %s", failure)
                : g_strdup_printf("a run did not end: %s", incomplete);
        }
    }
    const char *incomplete = weiri_exercise_member(root, "incomplete");
    return g_strdup(incomplete);
}

static bool check(struct judging *judging, GError **error)
{
    const struct weiri_exercise *exercise = judging->exercise;
    struct weiri_cli_child child;
    g_autofree char *said = NULL;
    g_autoptr(GPtrArray) words
        = weir_words(judging, "check", &exercise->check, "--runs", exercise->runs);
    g_autoptr(JsonNode) root = run_weir(judging, words, &child, &said, error);
    if (said == NULL) {
        return false;
    }
    if (root == NULL) {
        return reject(judging, WEIRI_EXERCISE_CHECK,
                      said[0] != '\0' ? g_steal_pointer(&said) : end_of(&child));
    }
    if (ended_with(&child, 0)) {
        return true;
    }
    JsonObject *of = json_node_get_object(root);
    bool more = take_findings(judging, of, NULL);
    /* A judge in CUDA ends with a failure where the answer is wrong. */
    bool failed = judging->verdict->findings == NULL && weiri_exercise_is_cuda(exercise)
        && WIFEXITED(child.status);
    bool wrong = judging->verdict->findings != NULL && !more;
    if ((wrong || failed) && !compare(judging, error)) {
        return false; /* which says where it differs */
    }
    char *why = judging->verdict->findings == NULL ? failure_of(of) : NULL;
    return reject(
        judging, wrong || failed ? WEIRI_EXERCISE_ANSWER : WEIRI_EXERCISE_CHECK,
        why != NULL || judging->verdict->findings != NULL ? why
                                                          : g_steal_pointer(&said));
}

static bool explore(struct judging *judging, GError **error)
{
    const struct weiri_exercise *exercise = judging->exercise;
    if (exercise->explore.sizes[0] == NULL) {
        return true;
    }
    struct weiri_cli_child child;
    g_autofree char *said = NULL;
    g_autoptr(GPtrArray) words
        = weir_words(judging, "explore", &exercise->explore, "--max-executions",
                     exercise->most_executions);
    g_autoptr(JsonNode) root = run_weir(judging, words, &child, &said, error);
    if (said == NULL) {
        return false;
    }
    if (root == NULL) {
        return give_up(judging, WEIRI_EXERCISE_EXPLORE,
                       said[0] != '\0' ? g_steal_pointer(&said) : end_of(&child));
    }
    JsonArray *launches = json_node_get_array(root);
    const char *refused = NULL;
    /* As many launches for each size. */
    char *const *sizes = exercise->explore.sizes;
    guint n = json_array_get_length(launches),
          n_sizes = g_strv_length(exercise->explore.sizes);
    for (guint i = 0; i < n; i++) {
        JsonObject *launch = json_array_get_object_element(launches, i);
        take_findings(judging, launch, sizes[i * n_sizes / n]);
        judging->verdict->executions
            += (uint64_t)json_object_get_int_member(launch, "executions");
        judging->verdict->partly |= !json_object_get_boolean_member(launch, "complete");
        refused = refused != NULL ? refused : weiri_exercise_member(launch, "refused");
    }
    if (ended_with(&child, 0) || ended_with(&child, 3)) {
        return true;
    }
    if (ended_with(&child, 1)) {
        return reject(judging, WEIRI_EXERCISE_EXPLORE, NULL);
    }
    return give_up(judging, WEIRI_EXERCISE_EXPLORE,
                   g_strdup(refused != NULL ? refused : said));
}

/* ---- What it took ---------------------------------------------------------------- */

/* A judge in CUDA is plain CUDA, and does not count: weir trace does. */
static bool measure_trace(struct judging *judging, GError **error)
{
    struct weiri_cli_child child;
    g_autofree char *trace = g_build_filename(judging->folder, "trace.json", NULL);
    g_autoptr(GPtrArray) words = words_new();
    g_ptr_array_add(words, weiri_cli_own());
    add_word(words, "trace");
    add_word(words, "-o");
    add_word(words, trace);
    add_word(words, "--");
    add_program(words, judging, "launch", judging->exercise->check.sizes);
    if (!run(words, judging->output, judging->of->seconds, true, &child, error)) {
        return false;
    }
    g_autofree char *said = child.said;
    bool measured = false;
    char *broken
        = weiri_exercise_rule_of_trace(&judging->exercise->rules, trace, &measured);
    g_unlink(trace);
    if (broken != NULL) {
        return reject(judging, WEIRI_EXERCISE_RULE, broken);
    }
    return (measured && ended_with(&child, 0))
        || reject(judging, WEIRI_EXERCISE_RULE,
                  said[0] != '\0' ? first_lines(said) : end_of(&child));
}

static bool measure(struct judging *judging, GError **error)
{
    if (weiri_exercise_is_cuda(judging->exercise)) {
        return measure_trace(judging, error);
    }
    struct weiri_cli_child child;
    g_autofree char *text = NULL;
    g_autoptr(GPtrArray) words = words_new();
    add_program(words, judging, "measure", judging->exercise->check.sizes);
    if (!run(words, judging->output, judging->of->seconds, false, &child, error)) {
        return false;
    }
    g_autofree char *said = child.said;
    g_file_get_contents(judging->output, &text, NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    bool measured = false;
    for (size_t i = 0; lines[i] != NULL; i++) {
        char *broken = weiri_exercise_broken_rule(&judging->exercise->rules, lines[i],
                                                  &measured);
        if (broken != NULL) {
            return reject(judging, WEIRI_EXERCISE_RULE, broken);
        }
    }
    return (measured && ended_with(&child, 0))
        || reject(judging, WEIRI_EXERCISE_RULE,
                  said[0] != '\0' ? first_lines(said) : end_of(&child));
}

/* ---- The verdict ----------------------------------------------------------------- */

static bool keep_program(const struct judging *judging, GError **error)
{
    return judging->of->keep == NULL
        || copy_file(judging->program, judging->of->keep, 0755, error);
}

GBytes *weiri_exercise_compile_early(struct weiri_exercise_judging *of)
{
    const char *folder = weiri_cli_folder(NULL);
    if (folder == NULL) {
        return NULL;
    }
    g_autofree char *output = g_build_filename(folder, "output", NULL);
    struct judging judging = { .of = of, .folder = folder, .output = output };
    g_autofree char *compiled = early_compiled(&judging);
    char *bytes = NULL;
    gsize n = 0;
    bool read
        = compile_early(&judging) && g_file_get_contents(compiled, &bytes, &n, NULL);
    g_unlink(compiled);
    return read ? g_bytes_new_take(bytes, n) : NULL;
}

GBytes *weiri_exercise_compile_judge(struct weiri_exercise_judging *of,
                                     const struct weiri_exercise *exercise)
{
    const char *folder = weiri_cli_folder(NULL);
    if (folder == NULL) {
        return NULL;
    }
    g_autofree char *output = g_build_filename(folder, "output", NULL);
    g_autofree char *object = g_build_filename(folder, "judge.o", NULL);
    struct judging judging
        = { .exercise = exercise, .of = of, .folder = folder, .output = output };
    char *bytes = NULL;
    gsize n = 0;
    bool compiled = compile_judge(&judging, object, NULL)
        && g_file_get_contents(object, &bytes, &n, NULL);
    return compiled ? g_bytes_new_take(bytes, n) : NULL;
}

bool weiri_exercise_judge(struct weiri_exercise_judging *of,
                          const struct weiri_exercise *exercise, const char *file,
                          struct weiri_exercise_verdict *verdict, GError **error)
{
    *verdict = (struct weiri_exercise_verdict){ .passed = false };
    if (!g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "there is no file '%s'", file);
        return false;
    }
    const char *folder = weiri_cli_folder(error);
    if (folder == NULL) {
        return false;
    }
    struct judging judging = {
        .exercise = exercise,
        .of = of,
        .folder = folder,
        .verdict = verdict,
        .program = g_build_filename(folder, exercise->name, NULL),
        .output = g_build_filename(folder, "output", NULL),
    };
    g_autoptr(GError) reason = NULL;
    verdict->passed = build(&judging, file, &reason) && keep_program(&judging, &reason)
        && check(&judging, &reason) && explore(&judging, &reason)
        && compare(&judging, &reason) && measure(&judging, &reason);
    g_free(judging.program);
    g_free(judging.output);
    if (reason != NULL) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return false;
    }
    return true;
}
