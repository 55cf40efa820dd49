/* SPDX-License-Identifier: MIT
 *
 * exercise.h: the files of `weir exercise`: the catalogue of exercises, the judge of an
 * answer, and many answers at once. docs/exercises.md describes the folder of an
 * exercise.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_EXERCISE_H
#define WEIRI_CLI_EXERCISE_H

#include "cli/cli.h"

/* ---- The catalogue: exercise-catalogue.c ----------------------------------------- */

/**
 * weiri_exercise_sizes:
 *
 * How one of the judges runs the program of an answer.
 * @sizes: LOCALxGROUPS[/N], as exercises/judge.h reads them; empty: this judge is not
 *         asked
 * @options: further options of `weir check` or `weir explore`
 */
struct weiri_exercise_sizes {
    char **sizes;
    char **options;
};

/** The limits of an answer's work, each on the mean or the greatest of all items of a
 *  launch; negative: no limit. @least_busy: percent of the items */
struct weiri_exercise_rules {
    double busiest, least_busy, most_atomics, most_barriers;
};

/**
 * weiri_exercise: an exercise of the catalogue.
 * @name: of its folder
 * @folder: its path
 * @ending: of the names of its files: "c", or "cu" where it is in CUDA
 * @kinds: words that `list --kind` takes
 * @kernels: names that an answer defines
 * @wrong_by: the judge that rejects kernel.c
 * @runs: of `weir check`
 * @most_executions: of `weir explore`, for each launch
 * @hints: one after the other
 */
struct weiri_exercise {
    char *name, *folder;
    const char *ending;
    char *title, *idea, *task, *lesson, *source, *wrong_by;
    char **kinds, **kernels, **hints;
    int difficulty;
    int runs;
    int most_executions;
    struct weiri_exercise_sizes check, explore, answer;
    struct weiri_exercise_rules rules;
    GKeyFile *file; /* owned */
};

/** All exercises, by difficulty and then by name: of struct weiri_exercise *.
 *  Returns: (transfer full): or %NULL with @error set */
GPtrArray *weiri_exercises_load(GError **error);

/** Returns: borrowed from @exercises; or %NULL after a complaint that names the nearest
 *  one */
const struct weiri_exercise *weiri_exercise_find(const GPtrArray *exercises,
                                                 const char *name);

bool weiri_exercise_is_cuda(const struct weiri_exercise *exercise);

/** Whether one of its words is @kind. */
bool weiri_exercise_is_of(const struct weiri_exercise *exercise, const char *kind);

/** The files of its folder @which, "solutions" or "misses", in order: their paths.
 *  Returns: (transfer full) */
GPtrArray *weiri_exercise_files(const struct weiri_exercise *exercise,
                                const char *which);

/** The hint to ask for after a rejection by @judge, from 1; 0: no hint is left. */
guint weiri_exercise_next_hint(const struct weiri_exercise *exercise,
                               const char *judge);

/* ---- Judging: exercise-judge.c --------------------------------------------------- */

/** In this order; each is asked where those before have accepted. */
#define WEIRI_EXERCISE_JUDGES(X)                                                       \
    X(COMPILE, "compile")                                                              \
    X(CHECK, "check")                                                                  \
    X(EXPLORE, "explore")                                                              \
    X(ANSWER, "answer")                                                                \
    X(RULE, "rule")

enum weiri_exercise_judge {
#define X(name, text) WEIRI_EXERCISE_##name,
    WEIRI_EXERCISE_JUDGES(X)
#undef X
        WEIRI_EXERCISE_N_JUDGES
};

const char *weiri_exercise_judge_name(enum weiri_exercise_judge judge);

/**
 * weiri_exercise_verdict:
 * @passed: every judge has accepted the answer
 * @undecided: a judge could not decide; @why says why
 * @judge: that has rejected it, or could not decide
 * @why: lines for people, or %NULL
 * @findings: what `weir check` or `weir explore` has found; or %NULL
 * @executions: that were explored, of all launches
 * @partly: there may be more executions
 */
struct weiri_exercise_verdict {
    bool passed, undecided;
    enum weiri_exercise_judge judge;
    char *why;
    JsonArray *findings;
    uint64_t executions;
    bool partly;
};

void weiri_exercise_verdict_clear(struct weiri_exercise_verdict *verdict);

/** Whether what all answers include is compiled early. */
enum weiri_exercise_early {
    WEIRI_EXERCISE_EARLY_UNKNOWN,
    WEIRI_EXERCISE_EARLY_NONE,
    WEIRI_EXERCISE_EARLY_HAD
};

/**
 * weiri_exercise_judging:
 * @seed: of the input
 * @seconds: that each judge has
 * @many: more answers are to come, none of which does any harm
 * @keep: the file that the program is copied to, or %NULL
 * @prepared: the exercise whose judge is compiled; the first call sets it
 * @early: the first call sets it
 */
struct weiri_exercise_judging {
    uint64_t seed;
    double seconds;
    bool many;
    const char *keep;
    const struct weiri_exercise *prepared;
    enum weiri_exercise_early early;
};

/** The variables that name a judge and a header which are compiled already, for a
 *  process that judges one answer. */
#define WEIRI_EXERCISE_COMPILED "WEIRI_EXERCISE_COMPILED"
#define WEIRI_EXERCISE_EARLY "WEIRI_EXERCISE_EARLY"

/**
 * weiri_exercise_compile_early:
 *
 * Returns: (transfer full): what gcc makes of the header that all answers include; or
 *          %NULL where that is not possible
 */
GBytes *weiri_exercise_compile_early(struct weiri_exercise_judging *judging);

/**
 * weiri_exercise_compile_judge:
 *
 * Returns: (transfer full): the object of the exercise's judge, to be linked with any
 *          answer; or %NULL where it cannot be compiled
 */
GBytes *weiri_exercise_compile_judge(struct weiri_exercise_judging *judging,
                                     const struct weiri_exercise *exercise);

/**
 * weiri_exercise_judge:
 * @file: the answer
 *
 * Returns: false with @error set where the environment does not allow a verdict.
 * @verdict is to be cleared in any case.
 */
bool weiri_exercise_judge(struct weiri_exercise_judging *judging,
                          const struct weiri_exercise *exercise, const char *file,
                          struct weiri_exercise_verdict *verdict, GError **error);

/* ---- Rules: exercise-rule.c ------------------------------------------------------ */

/** The rule that the launch of a line breaks. @measured: set to true where the line is
 *  of a launch. Returns: (transfer full): or %NULL */
char *weiri_exercise_broken_rule(const struct weiri_exercise_rules *rules,
                                 const char *line, bool *measured);

/** The same for the launches in a file that `weir trace` has written. */
char *weiri_exercise_rule_of_trace(const struct weiri_exercise_rules *rules,
                                   const char *file, bool *measured);

/* ---- Names: exercise-symbols.c --------------------------------------------------- */

/** The names that an object file defines for other files. Returns: (transfer full): of
 *  char *; or %NULL with @error set */
GPtrArray *weiri_exercise_names(const char *file, GError **error);

/* ---- Findings: exercise-finding.c ------------------------------------------------ */

/** A member that is a text. Returns: (transfer none): %NULL if it is not a text */
const char *weiri_exercise_member(JsonObject *object, const char *name);

/** Adds a finding to a verdict, unless the same was found at the same size or a smaller
 *  one. @size: of the launch; %NULL if it does not belong to one size */
void weiri_exercise_take_finding(JsonArray *findings, JsonObject *finding,
                                 const char *size);

/** Appends a finding of a verdict as text. */
void weiri_exercise_add_finding(GString *out, JsonObject *finding);

/** Adds a finding of a verdict as an object. */
void weiri_exercise_json_finding(JsonBuilder *builder, JsonObject *finding);

/* ---- Many answers: exercise-class.c ---------------------------------------------- */

/** Judges DIR/STUDENT/NAME.c for all students, in @n_jobs processes at a time.
 *  @set: the exercises that count, also where they are missing; or %NULL: all that are
 *  answered. Returns: the exit status */
int weiri_exercise_class(const struct weiri_exercise_judging *judging,
                         const GPtrArray *exercises, const char *dir, char **set,
                         guint n_jobs, bool json);

/** Adds the members of a verdict to the object that is open. */
void weiri_exercise_json_verdict(JsonBuilder *builder,
                                 const struct weiri_exercise_verdict *verdict);

/* ---- The exercises themselves: exercise-verify.c --------------------------------- */

/** Judges the exercises' own files: the wrong form, solutions, misses. @names: of some
 *  of them; empty: all. Returns: the exit status */
int weiri_exercise_verify(struct weiri_exercise_judging *judging,
                          const GPtrArray *exercises, char *const *names);

#endif
