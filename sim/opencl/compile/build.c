/* SPDX-License-Identifier: MIT
 *
 * build.c: from sources to a shared object of kernels, in steps that docs/opencl.md
 * describes:
 *
 *     source.cl  -clang->  0-fast.bc, 0-checked.bc
 *     0-fast.bc     + builtins and entries of mode 1 + libclc  -weir-opencl-cc->  1.o
 *     0-fast.bc     + those of mode 3                + libclc  -the same->        3.o
 *     0-checked.bc  + those of mode 2                + libclc  -weir-opencl-cc->  2.o
 *     all objects  ->  kernels.so
 *
 * Each command needs the fast entries or the checked ones, and only these are made. The
 * front end runs for each since checked code has checks of its own: of alignment, and
 * of indices of arrays. Steps that can run at once do. A build happens in a folder of
 * its own in the cache, and its result is moved to its name there at the end. */
#include "config.h"

#include "host/check-client.h"

#include "opencl/compile/make.h"

#include <string.h>
#include <unistd.h>

/* ---- A build --------------------------------------------------------------- */

/* The options, followed by the options of the variable, which have the last word. */
static bool read_options(struct weiri_make *build, const char *options, GError **error)
{
    const char *more = g_getenv("WEIR_CL_OPTIONS");
    char *text = g_strconcat(options != NULL ? options : "", " ",
                             more != NULL ? more : "", NULL);
    bool done = weiri_cl_options_read(&build->options, text, error);
    g_free(text);
    return done;
}

static bool begin(struct weiri_make *build, const struct weiri_cl_source *sources,
                  size_t n_sources, const char *options,
                  const struct weiri_cl_facts *facts, enum weiri_cl_entries entries,
                  GString *log, GError **error)
{
    *build = (struct weiri_make){ .sources = sources,
                                  .n_sources = n_sources,
                                  .facts = facts,
                                  .entries = entries,
                                  .log = log };
    if (!read_options(build, options, error)
        || !weiri_cl_tools_find(&build->tools, error)) {
        return false;
    }
    const char *name
        = g_getenv("WEIR_CL_KEEP") != NULL ? "kept-XXXXXX" : "build-XXXXXX";
    build->folder = g_build_filename(build->tools.cache, name, NULL);
    if (g_mkdtemp(build->folder) == NULL) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "cannot make a folder in %s", build->tools.cache);
        g_clear_pointer(&build->folder, g_free);
        return false;
    }
    return weiri_make_sources(build, error);
}

static void end(struct weiri_make *build)
{
    for (enum weiri_make_mode mode = WEIRI_MAKE_FAST; mode < WEIRI_MAKE_N_MODES;
         mode++) {
        g_free(build->builtins[mode]);
    }
    g_strfreev(build->keys);
    g_strfreev(build->names);
    g_strfreev(build->texts);
    for (size_t i = 0; build->expanded != NULL && i < build->n_sources; i++) {
        g_free(build->expanded[i]);
    }
    g_free(build->expanded);
    if (build->folder != NULL) {
        if (g_getenv("WEIR_CL_KEEP") == NULL) {
            weiri_cl_cache_remove(build->folder);
        }
        g_free(build->folder);
    }
    weiri_cl_options_clear(&build->options);
    weiri_cl_tools_clear(&build->tools);
}

enum weiri_cl_entries weiri_cl_entries_wanted(void)
{
    return weiri_check_client_checks() ? WEIRI_CL_CHECKED : WEIRI_CL_FAST;
}

bool weiri_cl_compile(const struct weiri_cl_source *source, const char *options,
                      const struct weiri_cl_facts *facts, enum weiri_cl_entries entries,
                      GPtrArray **included, GString *log, GError **error)
{
    struct weiri_make build;
    weiri_check_client_build(true);
    bool done = begin(&build, source, 1, options, facts, entries, log, error)
        && weiri_make_front(&build, error);
    weiri_check_client_build(false);
    *included = done ? weiri_make_included(&build) : NULL;
    end(&build);
    return done;
}

static char *key_of(const struct weiri_make *build)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    const guchar entries = (guchar)build->entries;
    g_checksum_update(sum, &entries, 1);
    for (size_t i = 0; i < build->n_sources; i++) {
        g_checksum_update(sum, (const guchar *)build->keys[i], -1);
    }
    char *key = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return key;
}

/* Makes the shared object @path, and the log beside it, on no time of the run. */
static bool make(struct weiri_make *build, const char *path, const char *log_path,
                 GError **error)
{
    char *made = weiri_make_path(build, "kernels.so"),
         *log = weiri_make_path(build, "log");
    gsize before = build->log->len;
    weiri_check_client_build(true);
    bool done = weiri_make_front(build, error) && weiri_make_builtins(build, error)
        && weiri_make_objects(build, error) && weiri_make_link(build, made, error)
        && g_file_set_contents(log, build->log->str + before, -1, error)
        && weiri_cl_cache_keep(log, log_path, error)
        && weiri_cl_cache_keep(made, path, error);
    weiri_check_client_build(false);
    g_free(made);
    g_free(log);
    return done;
}

/* Copies an object to the file @to of the cache, unless it exists. */
static bool copy(const struct weiri_make *build, const char *path, const char *to,
                 GError **error)
{
    char *contents = NULL, *made = weiri_make_path(build, "copy.so");
    gsize bytes;
    bool done = weiri_cl_cache_has(to)
        || (g_file_get_contents(path, &contents, &bytes, error)
            && g_file_set_contents(made, contents, (gssize)bytes, error)
            && weiri_cl_cache_keep(made, to, error));
    g_free(contents);
    g_free(made);
    return done;
}

/* Loads the object. A program has variables of its own, and the loader gives a file's
 * variables only once: while another program has them, a copy is loaded. */
static struct weiri_cl_module *load(const struct weiri_make *build, const char *key,
                                    const char *path, bool stays, GError **error)
{
    static GMutex mutex;
    g_mutex_lock(&mutex);
    char *own = g_strdup(path);
    for (unsigned n = 2; weiri_cl_module_is_taken(own); n++) {
        char *ending = g_strdup_printf("-%u.so", n);
        g_free(own);
        own = weiri_cl_cache_path(&build->tools, key, ending);
        g_free(ending);
    }
    struct weiri_cl_module *module
        = strcmp(own, path) == 0 || copy(build, path, own, error)
        ? weiri_cl_module_load(own, stays, error)
        : NULL;
    g_mutex_unlock(&mutex);
    g_free(own);
    return module;
}

/* The error is in the log, too, as some programs show nothing else. */
static void log_error(GString *log, GError **error, gsize before)
{
    if (error != NULL && *error != NULL
        && !(g_error_matches(*error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_SOURCE)
             && log->len > before)) {
        g_string_append_printf(log, "error: %s\n", (*error)->message);
    }
}

struct weiri_cl_module *weiri_cl_build(const struct weiri_cl_source *sources,
                                       size_t n_sources, const char *options,
                                       const struct weiri_cl_facts *facts,
                                       enum weiri_cl_entries entries, GString *log,
                                       GError **error)
{
    struct weiri_make build;
    struct weiri_cl_module *module = NULL;
    const bool stays = entries != WEIRI_CL_FAST;
    GError *wrong = NULL;
    gsize before = log->len;
    if (begin(&build, sources, n_sources, options, facts, entries, log, &wrong)) {
        char *key = key_of(&build);
        char *path = weiri_cl_cache_path(&build.tools, key, ".so"),
             *log_path = weiri_cl_cache_path(&build.tools, key, ".log"), *text = NULL;
        bool fresh = !weiri_cl_cache_has(path) || !weiri_cl_cache_has(log_path);
        if (!fresh && g_file_get_contents(log_path, &text, NULL, NULL)) {
            g_string_append(log, text);
        }
        if (!fresh || make(&build, path, log_path, &wrong)) {
            weiri_cl_cache_touch(&build.tools, path, fresh);
            module = load(&build, key, path, stays, &wrong);
        }
        if (!fresh && g_error_matches(wrong, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER)) {
            /* It was made for another machine, or by another Weir. */
            g_clear_error(&wrong);
            g_string_truncate(log, before);
            if (make(&build, path, log_path, &wrong)) {
                module = load(&build, key, path, stays, &wrong);
            }
        }
        g_free(text);
        g_free(key);
        g_free(path);
        g_free(log_path);
    }
    end(&build);
    if (module == NULL) {
        log_error(log, &wrong, before);
        g_propagate_error(error, wrong);
    }
    return module;
}
