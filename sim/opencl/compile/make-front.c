/* SPDX-License-Identifier: MIT
 *
 * make-front.c: the front end: sources and headers become files, and these become
 * bitcode of the target of SPIR-V. The key of a source is a checksum of its text, the
 * options, the compiler and, if it includes files, its preprocessed text. So a source
 * in the cache is used only if nothing that it includes has changed. SPIR-V keeps
 * address spaces apart and names builtins, which weir-opencl-cc needs. */
#include "config.h"

#include "opencl/compile/make.h"

#include <string.h>

/* ---- Keys ------------------------------------------------------------------ */

static void hash_text(GChecksum *sum, const char *text)
{
    /* With its end, so that two texts are not one. */
    text = text != NULL ? text : "\1";
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Whether a source depends on files besides itself. */
static bool has_includes(const struct weiri_make *build, const char *text)
{
    return build->options.includes || strstr(text, "include") != NULL
        || strstr(text, "import") != NULL;
}

/* ---- The front end --------------------------------------------------------- */

/* Adds "+cl_khr_fp64" and its like. */
static void add_extensions(GPtrArray *words, const struct weiri_cl_facts *facts)
{
    GString *list = g_string_new("-cl-ext=-all");
    const char *texts[] = { facts->extensions, facts->features };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        char **names = g_strsplit(texts[i] != NULL ? texts[i] : "", " ", -1);
        for (char **name = names; *name != NULL; name++) {
            if (**name != '\0') {
                g_string_append_printf(list, ",+%s", *name);
            }
        }
        g_strfreev(names);
    }
    weiri_process_add(words, "-Xclang", list->str, NULL);
    g_string_free(list, TRUE);
}

/* The language that the last "-cl-std=" names; or NULL. */
static const char *standard(const struct weiri_make *build)
{
    const char *named = NULL;
    for (guint i = 0; i < build->options.words->len; i++) {
        const char *word = g_ptr_array_index(build->options.words, i);
        if (g_str_has_prefix(word, "-cl-std=")) {
            named = word + strlen("-cl-std=");
        }
    }
    return named;
}

/* A feature that clang has no code of its own for, such as the functions of groups, is
 * for its header to declare, and needs the macro. */
static void define_features(GPtrArray *words, const struct weiri_cl_facts *facts)
{
    char **names = g_strsplit(facts->features != NULL ? facts->features : "", " ", -1);
    for (char **name = names; *name != NULL; name++) {
        if (**name != '\0') {
            g_ptr_array_add(words, g_strdup_printf("-D%s=1", *name));
        }
    }
    g_strfreev(names);
}

/* The cache's answer, or else clang's. */
static char *ask_for_resources(const struct weiri_make *build)
{
    char *key
        = g_compute_checksum_for_string(G_CHECKSUM_SHA256, build->tools.identity, -1);
    char *kept = weiri_cl_cache_path(&build->tools, key, ".resources"), *text = NULL;
    if (!weiri_cl_cache_has(kept) || !g_file_get_contents(kept, &text, NULL, NULL)) {
        struct weiri_process step;
        GPtrArray *words = weiri_make_words(build->tools.clang);
        char *log = weiri_make_path(build, "resources.log");
        weiri_process_add(words, "-print-resource-dir", NULL);
        weiri_process_start(&step, words, log);
        bool done = weiri_process_wait(&step);
        text = g_strchomp(weiri_process_text(&step));
        if (done && g_file_set_contents(log, text, -1, NULL)) {
            (void)weiri_cl_cache_keep(log, kept, NULL);
        }
        g_free(log);
        weiri_process_clear(&step);
    }
    g_free(key);
    g_free(kept);
    return text;
}

const char *weiri_make_resources(const struct weiri_make *build)
{
    static GHashTable *known; /* by the path of clang */
    static GMutex mutex;
    g_mutex_lock(&mutex);
    if (known == NULL) {
        known = g_hash_table_new(g_str_hash, g_str_equal);
    }
    const char *folder = g_hash_table_lookup(known, build->tools.clang);
    if (folder == NULL) {
        char *text = ask_for_resources(build);
        g_hash_table_insert(known, g_strdup(build->tools.clang), text);
        folder = text;
    }
    g_mutex_unlock(&mutex);
    return folder;
}

static guint64 version_of(const struct weiri_make *build)
{
    const char *last = strrchr(weiri_make_resources(build), '/');
    return last != NULL ? g_ascii_strtoull(last + 1, NULL, 10) : 0;
}

/* Loads and stores of half are core functions (OpenCL C 1.2, 6.12.7), but version 14
 * of clang declares them only where the extension for arithmetic of half is on. */
#define HALF_STORAGE "half-storage.h"
static const char half_storage[]
    = "#pragma clang system_header\n"
      "#ifndef cl_khr_fp16\n"
      "#define WEIRI_LOAD(space, name, n) \\\n"
      "  float##n __attribute__((overloadable, pure)) \\\n"
      "  name(size_t, const space half *);\n"
      "#define WEIRI_STORE(space, name, type) \\\n"
      "  void __attribute__((overloadable)) name(type, size_t, space half *);\n"
      "#define WEIRI_ROUND(space, name, type) WEIRI_STORE(space, name, type) \\\n"
      "  WEIRI_STORE(space, name##_rte, type) WEIRI_STORE(space, name##_rtz, type) \\\n"
      "  WEIRI_STORE(space, name##_rtp, type) WEIRI_STORE(space, name##_rtn, type)\n"
      "#ifdef cl_khr_fp64\n"
      "#define WEIRI_STORES(space, name, n) \\\n"
      "  WEIRI_ROUND(space, name, float##n) WEIRI_ROUND(space, name, double##n)\n"
      "#else\n"
      "#define WEIRI_STORES(space, name, n) WEIRI_ROUND(space, name, float##n)\n"
      "#endif\n"
      "#define WEIRI_EACH(kind, space, verb) \\\n"
      "  kind(space, v##verb##_half, ) \\\n"
      "  kind(space, v##verb##_half2, 2) kind(space, v##verb##a_half2, 2) \\\n"
      "  kind(space, v##verb##_half3, 3) kind(space, v##verb##a_half3, 3) \\\n"
      "  kind(space, v##verb##_half4, 4) kind(space, v##verb##a_half4, 4) \\\n"
      "  kind(space, v##verb##_half8, 8) kind(space, v##verb##a_half8, 8) \\\n"
      "  kind(space, v##verb##_half16, 16) kind(space, v##verb##a_half16, 16)\n"
      "#define WEIRI_BOTH(space) \\\n"
      "  WEIRI_EACH(WEIRI_LOAD, space, load) WEIRI_EACH(WEIRI_STORES, space, store)\n"
      "WEIRI_EACH(WEIRI_LOAD, __constant, load)\n"
      "#ifdef __opencl_c_generic_address_space\n"
      "WEIRI_BOTH(__generic)\n"
      "#else\n"
      "WEIRI_BOTH(__global)\n"
      "WEIRI_BOTH(__local)\n"
      "WEIRI_BOTH(__private)\n"
      "#endif\n"
      "#undef WEIRI_LOAD\n"
      "#undef WEIRI_STORE\n"
      "#undef WEIRI_ROUND\n"
      "#undef WEIRI_STORES\n"
      "#undef WEIRI_EACH\n"
      "#undef WEIRI_BOTH\n"
      "#endif\n";

/* The words that the front end gets for a source, without the kind of output. */
static GPtrArray *front_words(const struct weiri_make *build, size_t index)
{
    const struct weiri_cl_facts *facts = build->facts;
    GPtrArray *words = weiri_make_words(build->tools.clang);
    weiri_process_add(words, "-x", "cl", "-target", "spir64", "-fno-color-diagnostics",
                      NULL);
    const char *named = standard(build);
    if (named == NULL) {
        weiri_process_add(words, "-cl-std=CL1.2", NULL);
    } else if (g_ascii_strcasecmp(named, "CL3.0") == 0) {
        define_features(words, facts);
    }
    add_extensions(words, facts);
    char *version = g_strdup_printf("-D__OPENCL_VERSION__=%u", facts->version);
    weiri_process_add(words, "-U__OPENCL_VERSION__", version, NULL);
    g_free(version);
    weiri_process_add(
        words, facts->images ? "-D__IMAGE_SUPPORT__=1" : "-U__IMAGE_SUPPORT__", NULL);
    char *headers = weiri_make_path(build, "headers-%zu", index);
    weiri_process_add(words, "-I", headers, NULL);
    g_free(headers);
    char *beside = g_path_get_dirname(build->names[index]);
    weiri_process_add(words, "-iquote", beside, NULL);
    g_free(beside);
    for (guint i = 0; i < build->options.words->len; i++) {
        weiri_process_add(words, g_ptr_array_index(build->options.words, i), NULL);
    }
    if (version_of(build) == 14
        && (strstr(build->texts[index], "_half") != NULL
            || has_includes(build, build->texts[index]))) {
        char *half = weiri_make_path(build, HALF_STORAGE);
        weiri_process_add(words, "-include", half, NULL);
        g_free(half);
    }
    /* A text has no folder: the last to be searched is the program's, as elsewhere. */
    weiri_process_add(words, "-idirafter", ".", NULL);
    return words;
}

/* The file of a source in the folder. Returns: (transfer full) */
static char *make_source(const struct weiri_make *build, size_t index)
{
    return weiri_make_path(build, "source-%zu.cl", index);
}

/* A header of clCompileProgram(): its name must stay below the folder. */
static bool write_header(const char *folder, const struct weiri_cl_source *header,
                         GError **error)
{
    if (header->name == NULL || g_path_is_absolute(header->name)
        || g_str_has_prefix(header->name, "../")
        || strstr(header->name, "/../") != NULL) {
        g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_SOURCE,
                    "the name '%s' of a header is not one below a folder",
                    header->name != NULL ? header->name : "");
        return false;
    }
    char *path = g_build_filename(folder, header->name, NULL);
    char *above = g_path_get_dirname(path);
    bool done = g_mkdir_with_parents(above, 0700) == 0
        && g_file_set_contents(path, header->text, -1, error);
    g_free(above);
    g_free(path);
    return done;
}

/* Writes the source with a line that names it, and its headers. */
static bool write_source(const struct weiri_make *build, size_t index, GError **error)
{
    const struct weiri_cl_source *source = &build->sources[index];
    char *folder = weiri_make_path(build, "headers-%zu", index);
    char *path = make_source(build, index);
    char *name = g_strescape(build->names[index], NULL);
    const char *source_text = build->texts[index];
    /* clang takes a byte order mark at the start of a file alone. */
    source_text += g_str_has_prefix(source_text, "\xef\xbb\xbf") ? 3 : 0;
    char *text = g_strdup_printf("#line 1 \"%s\"\n%s", name, source_text);
    bool done = g_mkdir_with_parents(folder, 0700) == 0;
    for (size_t i = 0; done && i < source->n_headers; i++) {
        done = write_header(folder, &source->headers[i], error);
    }
    done = done && g_file_set_contents(path, text, -1, error);
    g_free(folder);
    g_free(path);
    g_free(name);
    g_free(text);
    return done;
}

/* The preprocessed source, which has all that it includes. */
static char *preprocess(struct weiri_make *build, size_t index)
{
    struct weiri_process step;
    char *path = make_source(build, index),
         *log = weiri_make_path(build, "%zu.E.log", index),
         *out = weiri_make_path(build, "%zu.E", index), *text = NULL;
    GPtrArray *words = front_words(build, index);
    weiri_process_add(words, "-E", path, "-o", out, NULL);
    weiri_process_start(&step, words, log);
    if (weiri_process_wait(&step)) {
        (void)g_file_get_contents(out, &text, NULL, NULL);
    }
    weiri_process_clear(&step);
    g_free(path);
    g_free(log);
    g_free(out);
    return text;
}

/* The name of a source that has none: a file of the cache, with its text. */
static char *name_source(const struct weiri_make *build, const char *text,
                         GError **error)
{
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    sum[16] = '\0';
    char *path = weiri_cl_cache_path(&build->tools, sum, ".cl");
    g_free(sum);
    char *from = weiri_make_path(build, "named.cl");
    if (!weiri_cl_cache_has(path)
        && !(g_file_set_contents(from, text, -1, error)
             && weiri_cl_cache_keep(from, path, error))) {
        g_clear_pointer(&path, g_free);
    }
    g_free(from);
    return path;
}

/* Names, files and keys of the sources. A source that does not pass the preprocessor
 * has a key of its text: its messages come from the front end. */
bool weiri_make_sources(struct weiri_make *build, GError **error)
{
    build->keys = g_new0(char *, build->n_sources + 1);
    build->names = g_new0(char *, build->n_sources + 1);
    build->texts = g_new0(char *, build->n_sources + 1);
    build->expanded = g_new0(char *, build->n_sources + 1);
    char *half = weiri_make_path(build, HALF_STORAGE);
    bool written = g_file_set_contents(half, half_storage, -1, error);
    g_free(half);
    if (!written) {
        return false;
    }
    for (size_t i = 0; i < build->n_sources; i++) {
        const struct weiri_cl_source *source = &build->sources[i];
        build->names[i] = source->name != NULL
            ? g_strdup(source->name)
            : name_source(build, source->text, error);
        build->texts[i] = weiri_make_text(source->text);
        if (build->names[i] == NULL || !write_source(build, i, error)) {
            return false;
        }
        GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
        hash_text(sum, build->tools.identity);
        hash_text(sum, build->names[i]);
        hash_text(sum, build->texts[i]);
        hash_text(sum, build->facts->extensions);
        hash_text(sum, build->facts->features);
        char *numbers = g_strdup_printf("%u %d %d", build->facts->version,
                                        build->facts->images, build->options.optimize);
        hash_text(sum, numbers);
        g_free(numbers);
        for (guint j = 0; j < build->options.words->len; j++) {
            hash_text(sum, g_ptr_array_index(build->options.words, j));
        }
        if (has_includes(build, build->texts[i])) {
            build->expanded[i] = preprocess(build, i);
            GString *same = g_string_new(build->expanded[i]); /* in any folder */
            g_string_replace(same, build->folder, "", 0);
            hash_text(sum, same->str);
            g_string_free(same, TRUE);
        }
        build->keys[i] = g_strdup(g_checksum_get_string(sum));
        g_checksum_free(sum);
    }
    return true;
}

/* Debug information gets the names of the source and of its headers in place of the
 * paths that the compiler is given. */
static void add_names(const struct weiri_make *build, size_t index, GPtrArray *words)
{
    char *path = make_source(build, index);
    char *headers = weiri_make_path(build, "headers-%zu/", index);
    char *source
        = g_strdup_printf("-fdebug-prefix-map=%s=%s", path, build->names[index]);
    char *beside = g_strdup_printf("-fdebug-prefix-map=%s=", headers);
    weiri_process_add(words, source, beside, NULL);
    g_free(path);
    g_free(headers);
    g_free(source);
    g_free(beside);
}

static void start_front(struct weiri_make *build, size_t index,
                        enum weiri_make_half half, struct weiri_process *step)
{
    GPtrArray *words = front_words(build, index);
    char *path = make_source(build, index);
    char *out = weiri_make_path(build, "%zu-%s.bc", index, WEIRI_MAKE_HALF_NAME(half));
    char *log = weiri_make_path(build, "%zu-%s.log", index, WEIRI_MAKE_HALF_NAME(half));
    /* At -O1 no loop may be unrolled. */
    weiri_process_add(words, half == WEIRI_MAKE_CHECKED_HALF ? "-O1" : "-O2", "-g",
                      "-gdwarf-4", "-cl-kernel-arg-info", "-emit-llvm", "-c", "-Xclang",
                      "-disable-llvm-passes", path, "-o", out, NULL);
    add_names(build, index, words);
    guint64 version = version_of(build);
    /* The compiler's pointers are `ptr` from version 15 on, but not SPIR-V's until
     * 16. */
    if (version == 15 || version == 16) {
        weiri_process_add(words, "-Xclang", "-opaque-pointers", NULL);
    }
    if (half == WEIRI_MAKE_CHECKED_HALF) {
        /* An array that is the last member of a structure has a size, unless that is 0
         * or 1, as in version 14. */
        if (version >= 15) {
            weiri_process_add(words, "-fstrict-flex-arrays=1", NULL);
        }
        weiri_process_add(words, "-Xclang", "-fsanitize=alignment,array-bounds",
                          "-Xclang", "-fsanitize-recover=alignment,array-bounds", NULL);
    }
    weiri_process_start(step, words, log);
    g_free(path);
    g_free(out);
    g_free(log);
}

/* Runs the front end for the halves of each source. The messages of the first go to the
 * log. */
bool weiri_make_front(struct weiri_make *build, GError **error)
{
    const enum weiri_make_half first = WEIRI_MAKE_FIRST_HALF(build);
    struct weiri_process(*steps)[WEIRI_MAKE_N_HALVES]
        = g_malloc0_n(build->n_sources, sizeof(*steps));
    bool done = true;
    for (size_t i = 0; i < build->n_sources; i++) {
        for (enum weiri_make_half half = first; half < WEIRI_MAKE_END_HALF(build);
             half++) {
            start_front(build, i, half, &steps[i][half]);
        }
    }
    for (size_t i = 0; i < build->n_sources; i++) {
        for (enum weiri_make_half half = first; half < WEIRI_MAKE_END_HALF(build);
             half++) {
            struct weiri_process *step = &steps[i][half];
            bool passed = weiri_process_wait(step);
            if (half == first) {
                char *text = weiri_process_text(step);
                g_string_append(build->log, text);
                g_free(text);
                if (!passed && done && step->status > 0) {
                    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_SOURCE,
                                "%s does not compile", build->names[i]);
                } else if (!passed && done) {
                    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                                "%s was ended by a signal while it compiled %s",
                                step->words[0], build->names[i]);
                }
            } else if (!passed && done) {
                (void)weiri_make_fail(step, error);
            }
            done = done && passed;
            weiri_process_clear(step);
        }
    }
    g_free(steps);
    return done;
}
