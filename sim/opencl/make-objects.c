/* SPDX-License-Identifier: MIT
 *
 * make-objects.c: the back end: the glue, with the bitcode of kernels, builtins and
 * libclc, becomes an object for each mode, and all become a shared object. */
#include "config.h"

#include "opencl/glue-write.h"
#include "opencl/make.h"
#include "opencl/rewrite.h"

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

/* Compiler flags of a mode, for glue and builtins. */
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

/* A form of the builtins: IR as text for FAST, whose prototypes are those of all modes,
 * or bitcode of a mode. */
static const struct form {
    enum weiri_make_mode mode;
    bool text;
    const char *ending;
} forms[] = { { WEIRI_MAKE_FAST, true, ".ll" },
              { WEIRI_MAKE_FAST, false, ".1.bc" },
              { WEIRI_MAKE_CHECKED, false, ".2.bc" },
              { WEIRI_MAKE_SPLIT, false, ".3.bc" } };
enum { N_FORMS = G_N_ELEMENTS(forms) };

static void start_form(const struct weiri_make *build, size_t form, const char *to,
                       struct weiri_process *step)
{
    GPtrArray *words = mode_words(build, forms[form].mode);
    char *source = g_build_filename(build->tools.data, "builtins.c", NULL);
    char *log = weiri_make_path(build, "builtins-%zu.log", form);
    weiri_process_add(words, "-O1", "-emit-llvm", forms[form].text ? "-S" : "-c",
                      "-Xclang", "-disable-llvm-passes", source, "-o", to, NULL);
    weiri_process_start(step, words, log);
    g_free(source);
    g_free(log);
}

bool weiri_make_builtins(struct weiri_make *build, GError **error)
{
    struct weiri_process steps[N_FORMS] = { 0 };
    char *paths[N_FORMS], *made[N_FORMS], *text = NULL;
    char *key
        = g_compute_checksum_for_string(G_CHECKSUM_SHA256, build->tools.identity, -1);
    bool done = true, missing[N_FORMS];
    for (size_t i = 0; i < N_FORMS; i++) {
        paths[i] = weiri_cl_cache_path(&build->tools, key, forms[i].ending);
        made[i] = weiri_make_path(build, "builtins-%zu", i);
        missing[i] = (forms[i].text || WEIRI_MAKE_HAS(build, forms[i].mode))
            && !weiri_cl_cache_has(paths[i]);
        if (missing[i]) {
            start_form(build, i, made[i], &steps[i]);
        } else {
            weiri_cl_cache_touch(&build->tools, paths[i], false);
        }
    }
    for (size_t i = 0; i < N_FORMS; i++) {
        if (missing[i]) {
            done = done
                && (weiri_process_wait(&steps[i]) || weiri_make_fail(&steps[i], error))
                && weiri_cl_cache_keep(made[i], paths[i], error);
            weiri_process_clear(&steps[i]);
        }
        if (!forms[i].text) {
            build->builtins[forms[i].mode] = paths[i];
        }
        g_free(made[i]);
    }
    done = done && g_file_get_contents(paths[0], &text, NULL, error);
    if (done) {
        build->prototypes = weiri_rewrite_prototypes(text);
    }
    g_free(text);
    g_free(paths[0]);
    g_free(key);
    return done;
}

/* ---- Objects --------------------------------------------------------------- */

static void add_bitcode(GPtrArray *words, const char *path)
{
    weiri_process_add(words, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", path,
                      NULL);
}

/* Of several sources each may call the others: the second time, what is missing still
 * is taken. */
static void add_all_bitcode(const struct weiri_make *build, GPtrArray *words,
                            enum weiri_make_mode mode)
{
    enum weiri_make_half half
        = mode == WEIRI_MAKE_CHECKED ? WEIRI_MAKE_CHECKED_HALF : WEIRI_MAKE_FAST_HALF;
    for (size_t round = 0; round < build->n_sources; round++) {
        for (size_t i = 0; i < build->n_sources; i++) {
            char *path
                = weiri_make_path(build, "%zu-%s.bc", i, WEIRI_MAKE_HALF_NAME(half));
            add_bitcode(words, path);
            g_free(path);
        }
    }
    add_bitcode(words, build->builtins[mode]);
    add_bitcode(words, build->tools.libclc);
}

/* The steps from the glue to an object. All that is inlined always is inlined before
 * anything is optimised: optimisation of a builtin by itself makes addresses of its
 * reads, and the item could not stay in registers then. */
enum stage { LINKED, INLINED, DONE, N_STAGES };

/* With bitcode, and nothing done: 1-linked.bc. */
static GPtrArray *linking_words(const struct weiri_make *build,
                                enum weiri_make_mode mode, const char *to)
{
    GPtrArray *words = mode_words(build, mode);
    char *glue = weiri_make_path(build, "glue.c");
    weiri_process_add(words, "-gdwarf-4", "-O3", "-emit-llvm", "-Xclang",
                      "-disable-llvm-passes", "-c", glue, "-o", to, NULL);
    add_all_bitcode(build, words, mode);
    g_free(glue);
    return words;
}

/* -O0 inlines what is to be inlined always, and does nothing else. */
static GPtrArray *inlining_words(const struct weiri_make *build, const char *from,
                                 const char *to)
{
    GPtrArray *words = weiri_make_words(build->tools.clang);
    weiri_process_add(words, "-w", "-fPIC", "-O0", "-emit-llvm", "-S", "-x", "ir", from,
                      "-o", to, NULL);
    return words;
}

/* From the glue at once where nothing is inlined, or nothing optimised. */
static GPtrArray *object_words(const struct weiri_make *build,
                               enum weiri_make_mode mode, const char *from,
                               const char *to)
{
    if (mode == WEIRI_MAKE_SPLIT) {
        GPtrArray *words = weiri_make_words(build->tools.split);
        weiri_process_add(words, to, from, "-fPIC", "-g", "-O2", NULL);
        add_machine(build, words);
        return words;
    }
    if (mode == WEIRI_MAKE_FAST && build->options.optimize) {
        GPtrArray *words = weiri_make_words(build->tools.clang);
        weiri_process_add(words, "-w", "-fPIC", "-O3", "-c", "-x", "ir", from, "-o", to,
                          NULL);
        add_machine(build, words);
        return words;
    }
    GPtrArray *words = mode_words(build, mode);
    char *glue = weiri_make_path(build, "glue.c");
    weiri_process_add(words, "-gdwarf-4", build->options.optimize ? "-O1" : "-O0", "-c",
                      glue, "-o", to, NULL);
    add_all_bitcode(build, words, mode);
    g_free(glue);
    return words;
}

static void start_stage(const struct weiri_make *build, enum weiri_make_mode mode,
                        enum stage stage, struct weiri_process *step)
{
    char *linked = weiri_make_path(build, "%d-linked.bc", mode),
         *inlined = weiri_make_path(build, "%d-inlined.ll", mode),
         *object = weiri_make_path(build, "%d.o", mode),
         *log = weiri_make_path(build, "%d-%d.log", mode, stage);
    GPtrArray *words = stage == LINKED ? linking_words(build, mode, linked)
        : stage == INLINED             ? inlining_words(build, linked, inlined)
                                       : object_words(build, mode, inlined, object);
    weiri_process_start(step, words, log);
    g_free(linked);
    g_free(inlined);
    g_free(object);
    g_free(log);
}

/* Compiles the glue for each mode of the build, the modes at once. The stackless
 * entries are left out where weir-split cannot make them. */
static bool run_stages(struct weiri_make *build, GError **error)
{
    struct weiri_process steps[WEIRI_MAKE_N_MODES] = { 0 };
    bool optimize = build->options.optimize, done = true;
    bool wanted[WEIRI_MAKE_N_MODES]
        = { [WEIRI_MAKE_FAST] = WEIRI_MAKE_HAS(build, WEIRI_MAKE_FAST),
            [WEIRI_MAKE_CHECKED] = WEIRI_MAKE_HAS(build, WEIRI_MAKE_CHECKED),
            [WEIRI_MAKE_SPLIT] = WEIRI_MAKE_HAS(build, WEIRI_MAKE_SPLIT) && optimize
                && build->tools.split != NULL };
    for (enum stage stage = optimize ? LINKED : DONE; done && stage < N_STAGES;
         stage++) {
        for (enum weiri_make_mode mode = WEIRI_MAKE_FAST; mode < WEIRI_MAKE_N_MODES;
             mode++) {
            bool whole = mode == WEIRI_MAKE_CHECKED || !optimize;
            if (wanted[mode] && (!whole || stage == DONE)) {
                start_stage(build, mode, stage, &steps[mode]);
            }
        }
        for (enum weiri_make_mode mode = WEIRI_MAKE_FAST; mode < WEIRI_MAKE_N_MODES;
             mode++) {
            bool ran = steps[mode].words != NULL;
            bool passed = !ran || weiri_process_wait(&steps[mode]);
            if (!passed && mode == WEIRI_MAKE_SPLIT) {
                wanted[mode] = false;
            } else if (!passed && done) {
                done = weiri_make_fail(&steps[mode], error);
            }
            weiri_process_clear(&steps[mode]);
        }
    }
    return done;
}

bool weiri_make_objects(struct weiri_make *build, GError **error)
{
    char *path = weiri_make_path(build, "glue.c");
    char *glue = weiri_glue_write(build->kernels, PACKAGE_VERSION);
    bool done = g_file_set_contents(path, glue, -1, error) && run_stages(build, error);
    g_free(glue);
    g_free(path);
    return done;
}

/* The objects that there are. */
static GPtrArray *objects_of(const struct weiri_make *build)
{
    GPtrArray *objects = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < WEIRI_MAKE_N_MODES + build->n_sources; i++) {
        char *path = i < WEIRI_MAKE_N_MODES
            ? weiri_make_path(build, "%zu.o", i)
            : weiri_make_path(build, "%zu-variables.o", i - WEIRI_MAKE_N_MODES);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            g_ptr_array_add(objects, path);
        } else {
            g_free(path);
        }
    }
    return objects;
}

static bool run(const struct weiri_make *build, GPtrArray *words, GError **error)
{
    struct weiri_process step;
    char *log = weiri_make_path(build, "step.log");
    weiri_process_start(&step, words, log);
    bool done = weiri_process_wait(&step) || weiri_make_fail(&step, error);
    weiri_process_clear(&step);
    g_free(log);
    return done;
}

/* The hooks that the objects call, each once (objcopy takes no name twice), with the
 * names that they have in the library. */
static bool rename_hooks(const struct weiri_make *build, GPtrArray *objects,
                         GError **error)
{
    struct weiri_process step;
    char *log = weiri_make_path(build, "nm.log"),
         *table = weiri_make_path(build, "hooks");
    GPtrArray *words = weiri_make_words("nm");
    weiri_process_add(words, "-u", NULL);
    for (guint i = 0; i < objects->len; i++) {
        weiri_process_add(words, g_ptr_array_index(objects, i), NULL);
    }
    weiri_process_start(&step, words, log);
    bool done = weiri_process_wait(&step) || weiri_make_fail(&step, error);
    char *text = weiri_process_text(&step);
    GString *names = g_string_new("# names\n");
    GHashTable *told = g_hash_table_new(g_str_hash, g_str_equal);
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *at = strstr(*line, " U ");
        const char *name = at != NULL ? at + 3 : "";
        bool hook = g_str_has_prefix(name, "__tsan_")
            || g_str_has_prefix(name, "__sanitizer_")
            || g_str_has_prefix(name, "__ubsan_") || strcmp(name, "memcpy") == 0
            || strcmp(name, "memmove") == 0 || strcmp(name, "memset") == 0;
        if (hook && g_hash_table_add(told, (char *)name)) {
            g_string_append_printf(names, "%s weiri_hook_%s\n", name,
                                   name + strspn(name, "_"));
        }
    }
    g_hash_table_unref(told);
    g_strfreev(lines);
    g_free(text);
    weiri_process_clear(&step);
    done = done && g_file_set_contents(table, names->str, -1, error);
    char *option = g_strconcat("--redefine-syms=", table, NULL);
    for (guint i = 0; done && i < objects->len; i++) {
        words = weiri_make_words("objcopy");
        weiri_process_add(words, option, g_ptr_array_index(objects, i), NULL);
        done = run(build, words, error);
    }
    g_free(option);
    g_string_free(names, TRUE);
    g_free(log);
    g_free(table);
    return done;
}

/* An import library: empty, with the name of ours. What is linked with it asks the
 * loader for that name, and gets the library that is loaded. */
static bool make_import_library(const struct weiri_make *build, const char *path,
                                GError **error)
{
    char *source = weiri_make_path(build, "import.c");
    char *option = g_strconcat("-Wl,-soname,", build->tools.soname, NULL);
    GPtrArray *words = weiri_make_words(build->tools.clang);
    weiri_process_add(words, "-shared", "-nostdlib", option, source, "-o", path, NULL);
    bool done = g_file_set_contents(source, "", -1, error) && run(build, words, error);
    g_free(option);
    g_free(source);
    return done;
}

bool weiri_make_link(const struct weiri_make *build, const char *path, GError **error)
{
    GPtrArray *objects = objects_of(build);
    GPtrArray *words = weiri_make_words(build->tools.clang);
    char *import = weiri_make_path(build, "import.so");
    bool done = true;
    weiri_process_add(words, "-shared", "-o", path, "-Wl,-Bsymbolic",
                      "-Wl,-z,noexecstack", NULL);
    for (guint i = 0; i < objects->len; i++) {
        weiri_process_add(words, g_ptr_array_index(objects, i), NULL);
    }
    if (build->tools.soname != NULL) {
        done = rename_hooks(build, objects, error)
            && make_import_library(build, import, error);
        weiri_process_add(words, "-Wl,--no-as-needed", import, "-Wl,--as-needed", NULL);
    } else {
        weiri_process_add(words, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",
                          NULL);
    }
    weiri_process_add(words, "-lm", NULL);
    if (done) {
        done = run(build, words, error);
    } else {
        g_ptr_array_set_free_func(words, g_free);
        g_ptr_array_unref(words);
    }
    g_ptr_array_unref(objects);
    g_free(import);
    return done;
}
