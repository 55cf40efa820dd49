/* SPDX-License-Identifier: MIT
 *
 * make-objects.c: the back end: weir-opencl-cc makes objects of the sources' bitcode,
 * with the builtins and libclc. */
#include "config.h"

#include "opencl/compile/make.h"

#include <string.h>

/* Adds the words of a text, which are separated by blanks. */
static void add_split(GPtrArray *words, const char *text, const char *but)
{
    char **list = g_strsplit(text, " ", -1);
    for (guint i = 0; list[i] != NULL; i++) {
        bool pair = strcmp(list[i], "-mllvm") == 0 && list[i + 1] != NULL;
        if (pair && but != NULL && strcmp(list[i + 1], but) == 0) {
            i++;
        } else if (*list[i] != '\0') {
            g_ptr_array_add(words, g_strdup(list[i]));
        }
    }
    g_strfreev(list);
}

/* ---- Builtins -------------------------------------------------------------- */

/* Entries that check nothing are compiled for this processor. A sum of a product stays
 * two operations: results do not depend on the processor, or on whether it is
 * checked. */
static void add_machine(const struct weiri_make *build, GPtrArray *words)
{
    if (build->tools.machine != NULL) {
        char *march = g_strconcat("-march=", build->tools.machine, NULL);
        weiri_process_add(words, march, "-ffp-contract=off", NULL);
        g_free(march);
    }
}

/* Compiler flags of a mode, for entries.c. */
static GPtrArray *mode_words(const struct weiri_make *build, enum weiri_make_mode mode)
{
    GPtrArray *words = weiri_make_words(build->tools.clang);
    char *fat = g_strdup_printf("-DWEIRI_FAT=%d", (int)mode);
    weiri_process_add(words, "-std=gnu11", "-w", "-fPIC", "-I", build->tools.data, "-I",
                      build->tools.include, fat, NULL);
    g_free(fat);
    if (build->entries == WEIRI_CL_CHECKED) {
        weiri_process_add(words, "-DWEIRI_CL_ALONE", NULL);
    }
    if (mode == WEIRI_MAKE_CHECKED) {
        /* All accesses of the source are volatile there. */
        add_split(words, WEIRI_CL_HOOK_FLAGS, "-tsan-distinguish-volatile");
    } else {
        add_machine(build, words);
    }
    return words;
}

/* A form of entries.c: bitcode of a mode. */
static const struct form {
    enum weiri_make_mode mode;
    bool alone; /* no fast entries are beside it */
    const char *ending;
} forms[] = { { WEIRI_MAKE_FAST, false, ".1.bc" },
              { WEIRI_MAKE_CHECKED, false, ".2.bc" },
              { WEIRI_MAKE_CHECKED, true, ".4.bc" },
              { WEIRI_MAKE_SPLIT, false, ".3.bc" } };
enum { N_FORMS = G_N_ELEMENTS(forms) };

static bool is_wanted(const struct weiri_make *build, const struct form *form)
{
    return WEIRI_MAKE_HAS(build, form->mode)
        && (form->mode != WEIRI_MAKE_CHECKED
            || form->alone == (build->entries == WEIRI_CL_CHECKED))
        && (form->mode != WEIRI_MAKE_SPLIT || build->tools.stackless);
}

static void start_form(const struct weiri_make *build, const struct form *form,
                       const char *to, struct weiri_process *step)
{
    GPtrArray *words = mode_words(build, form->mode);
    char *source = g_build_filename(build->tools.data, "entries.c", NULL);
    char *log = weiri_make_path(build, "builtins-%d.log", form->mode);
    weiri_process_add(words, "-DWEIRI_CL_VERSION=\"" PACKAGE_VERSION "\"", "-O1",
                      "-emit-llvm", "-c", "-Xclang", "-disable-llvm-passes", source,
                      "-o", to, NULL);
    weiri_process_start(step, words, log);
    g_free(source);
    g_free(log);
}

static bool has_written(const struct weiri_process *step, const char *path,
                        GError **error)
{
    bool written = g_file_test(path, G_FILE_TEST_EXISTS);
    if (!written) {
        g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                    "%s writes no code: it is not clang: name a clang in WEIR_CLANG",
                    step->words[0]);
    }
    return written;
}

bool weiri_make_builtins(struct weiri_make *build, GError **error)
{
    struct weiri_process steps[N_FORMS] = { 0 };
    char *made[N_FORMS] = { NULL };
    char *key
        = g_compute_checksum_for_string(G_CHECKSUM_SHA256, build->tools.identity, -1);
    bool done = true;
    for (size_t i = 0; i < N_FORMS; i++) {
        if (!is_wanted(build, &forms[i])) {
            continue;
        }
        char *path = weiri_cl_cache_path(&build->tools, key, forms[i].ending);
        build->builtins[forms[i].mode] = path;
        if (weiri_cl_cache_has(path)) {
            weiri_cl_cache_touch(&build->tools, path, false);
        } else {
            made[i] = weiri_make_path(build, "builtins-%zu", i);
            start_form(build, &forms[i], made[i], &steps[i]);
        }
    }
    for (size_t i = 0; i < N_FORMS; i++) {
        if (made[i] != NULL) {
            done = done
                && (weiri_process_wait(&steps[i]) || weiri_make_fail(&steps[i], error))
                && has_written(&steps[i], made[i], error)
                && weiri_cl_cache_keep(made[i], build->builtins[forms[i].mode], error);
            weiri_process_clear(&steps[i]);
        }
        g_free(made[i]);
    }
    g_free(key);
    return done;
}

/* ---- Objects --------------------------------------------------------------- */

enum { UNUSABLE = 2, MISSING }; /* exit statuses of weir-opencl-cc */

static void start_half(const struct weiri_make *build, enum weiri_make_half half,
                       struct weiri_process *step)
{
    bool checked = half == WEIRI_MAKE_CHECKED_HALF;
    GPtrArray *words = weiri_make_words(build->tools.cc);
    const char *machine
        = build->builtins[checked ? WEIRI_MAKE_CHECKED : WEIRI_MAKE_FAST];
    char *log = weiri_make_path(build, "%s.log", WEIRI_MAKE_HALF_NAME(half));
    weiri_process_add(words, "--resources", weiri_make_resources(build), "--machine",
                      machine, "--libclc", build->tools.libclc, "--output",
                      build->folder, NULL);
    if (checked) {
        weiri_process_add(words, "--checked", NULL);
    } else if (build->builtins[WEIRI_MAKE_SPLIT] != NULL) {
        weiri_process_add(words, "--stackless", build->builtins[WEIRI_MAKE_SPLIT],
                          NULL);
    }
    if (half != WEIRI_MAKE_FIRST_HALF(build)) {
        weiri_process_add(words, "--no-variables", NULL);
    }
    if (!build->options.optimize) {
        weiri_process_add(words, "--plain", NULL);
    }
    for (size_t i = 0; i < build->n_sources; i++) {
        char *path = weiri_make_path(build, "%zu-%s.bc", i, WEIRI_MAKE_HALF_NAME(half));
        weiri_process_add(words, path, NULL);
        g_free(path);
    }
    weiri_process_start(step, words, log);
    g_free(log);
}

/* Describes the fault of a source. @words: name a builtin that Weir lacks; or they are
 * the number of another source and the name of what both define */
static char *wrong_of(const struct weiri_make *build, const char *words)
{
    char *name;
    guint64 other = g_ascii_strtoull(words, &name, 10);
    return name == words || *name != ' ' || other >= build->n_sources
        ? g_strdup_printf("Weir has no builtin %s for these types", words)
        : g_strdup_printf("'%s' is defined in %s, too", name + 1, build->names[other]);
}

/* Reports the faults of the sources. The step has printed a line for each: the number
 * of a source, and words. */
static bool report_missing(const struct weiri_make *build,
                           const struct weiri_process *step, GError **error)
{
    char *text = weiri_process_text(step);
    gsize before = build->log->len;
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *words;
        guint64 source = g_ascii_strtoull(*line, &words, 10);
        if (words == *line || *words != ' ' || source >= build->n_sources) {
            continue;
        }
        const char *name = build->names[source];
        g_autofree char *wrong = wrong_of(build, words + 1);
        g_string_append_printf(build->log, "%s: error: %s\n", name, wrong);
        if (error != NULL && *error == NULL) {
            g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_LINK, "%s: %s", name,
                        wrong);
        }
    }
    bool any = build->log->len > before;
    g_strfreev(lines);
    g_free(text);
    return any ? false : weiri_make_fail(step, error);
}

/* libLLVM is missing, as the one line of the output states. */
static bool report_unusable(const struct weiri_process *step, GError **error)
{
    g_autofree char *text = weiri_process_text(step);
    text[strcspn(text, "\n")] = '\0';
    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                "%s, or name another clang in WEIR_CLANG", text);
    return false;
}

static bool report_failure(const struct weiri_make *build,
                           const struct weiri_process *step, GError **error)
{
    return step->status == MISSING ? report_missing(build, step, error)
        : step->status == UNUSABLE ? report_unusable(step, error)
                                   : weiri_make_fail(step, error);
}

bool weiri_make_objects(struct weiri_make *build, GError **error)
{
    struct weiri_process steps[WEIRI_MAKE_N_HALVES] = { 0 };
    bool done = true;
    for (enum weiri_make_half half = WEIRI_MAKE_FIRST_HALF(build);
         half < WEIRI_MAKE_END_HALF(build); half++) {
        start_half(build, half, &steps[half]);
    }
    for (enum weiri_make_half half = WEIRI_MAKE_FIRST_HALF(build);
         half < WEIRI_MAKE_END_HALF(build); half++) {
        struct weiri_process *step = &steps[half];
        bool passed = weiri_process_wait(step);
        if (done) {
            done = passed || report_failure(build, step, error);
        }
        weiri_process_clear(step);
    }
    return done;
}
