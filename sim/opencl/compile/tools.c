/* SPDX-License-Identifier: MIT
 *
 * tools.c: see tools.h. Each has a variable of the environment that names another one:
 * WEIR_CLANG, WEIR_LIBCLC, WEIR_OPENCL_DIR, WEIR_INCLUDE_DIR, WEIR_OPENCL_CC, for the
 * processor WEIR_CL_MARCH, and for the cache WEIR_CACHE_DIR. A file of the cache is
 * named by a checksum of all that went into it, so that none is ever out of date. A
 * checksum of its contents is beside it: a full disk, a power cut or a copy of a home
 * leave files that are cut or empty, which a compiler refuses and a loader dies of. */
#include "config.h"

#include "opencl/compile/tools.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <glib/gstdio.h>

#include "opencl/opencl.h"

/* The greatest size of the cache, which is then cut to half of it. */
enum { MOST_CACHE_BYTES = 256 * 1024 * 1024 };

/* A process looks at the size of the cache, which takes as long as the cache has files,
 * with its first new file and then once in this many. */
enum { TRIM_PERIOD = 64 };

/* A build that began so long ago has been killed. */
enum { MOST_BUILD_SECONDS = 3600 };

static bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(GError **error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *message = g_strdup_vprintf(format, values);
    va_end(values);
    g_set_error_literal(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER, message);
    g_free(message);
    return false;
}

static const char *setting(const char *variable, const char *otherwise)
{
    const char *value = g_getenv(variable);
    return value != NULL && *value != '\0' ? value : otherwise;
}

/* ---- Programs and files ------------------------------------------------- */

static bool find_clang(struct weiri_cl_tools *tools, GError **error)
{
    const char *name = setting("WEIR_CLANG", NULL);
    tools->clang = g_find_program_in_path(name != NULL ? name : WEIRI_SPLIT_CLANG);
    if (tools->clang == NULL && name == NULL) {
        tools->clang = g_find_program_in_path("clang");
    }
    if (tools->clang == NULL) {
        return fail(error,
                    "no compiler '%s' for kernels in OpenCL C: install it (Debian: "
                    "apt-get install clang libclc-14), or name yours in WEIR_CLANG",
                    name != NULL ? name : "clang");
    }
    return true;
}

/* The bitcode that was compiled for any processor of 64 bits; the file for NVIDIA's has
 * no code of theirs. */
static bool find_libclc(struct weiri_cl_tools *tools, GError **error)
{
    static const char *const folders[]
        = { "/usr/lib/clc", "/usr/share/clc", "/usr/local/lib/clc",
            "/usr/local/share/clc", "/usr/lib64/clc" };
    const char *name = setting("WEIR_LIBCLC", NULL);
    for (size_t i = 0; name == NULL && i < G_N_ELEMENTS(folders); i++) {
        char *path = g_build_filename(folders[i], "nvptx64--.bc", NULL);
        if (g_access(path, R_OK) == 0) {
            tools->libclc = path;
            return true;
        }
        g_free(path);
    }
    if (name != NULL && g_access(name, R_OK) == 0) {
        tools->libclc = g_strdup(name);
        return true;
    }
    return fail(error,
                "no libclc (%s), which has the functions of OpenCL C: install it "
                "(Debian: apt-get install libclc-14), or name yours in WEIR_LIBCLC",
                name != NULL ? name : "nvptx64--.bc in /usr/lib/clc");
}

/* A path in the folder that the build makes beside its programs, so that they work
 * before they are installed. Returns: (transfer full): or %NULL */
static char *in_build(const char *name)
{
    Dl_info info;
    if (dladdr((void *)weiri_cl_tools_find, &info) == 0 || info.dli_fname == NULL) {
        return NULL;
    }
    char *folder = g_path_get_dirname(info.dli_fname);
    char *path = g_build_filename(folder, "opencl-data", name, NULL);
    g_free(folder);
    if (g_access(path, R_OK) != 0) {
        g_clear_pointer(&path, g_free);
    }
    return path;
}

/* The path that the variable names, or else the build's, or the installed one. Returns:
 * (transfer full) */
static char *find_path(const char *variable, const char *name, const char *installed)
{
    char *built = in_build(name);
    char *path = g_strdup(setting(variable, built != NULL ? built : installed));
    g_free(built);
    return path;
}

/* Where it is put by the build, or installed. */
static bool find_cc(struct weiri_cl_tools *tools, GError **error)
{
    char *path = find_path("WEIR_OPENCL_CC", "weir-opencl-cc", WEIRI_CL_CC);
    tools->cc = g_find_program_in_path(path);
    bool found = tools->cc != NULL
        || fail(error,
                "no program '%s', which compiles kernels: install Weir, or set "
                "WEIR_OPENCL_CC",
                path);
    g_free(path);
    return found;
}

static bool find_folder(char **to, const char *variable, const char *name,
                        const char *otherwise, const char *file, GError **error)
{
    *to = find_path(variable, name, otherwise);
    char *path = g_build_filename(*to, file, NULL);
    bool there = g_access(path, R_OK) == 0;
    g_free(path);
    return there
        || fail(error, "%s has no %s: install Weir, or set %s", *to, file, variable);
}

/* Whether this code is in a shared object, and its name then: DT_SONAME, or its path.
 * */
static char *find_soname(void)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1((void *)weiri_cl_tools_find, &info, (void **)&map, RTLD_DL_LINKMAP) == 0
        || map == NULL || map->l_name == NULL || map->l_name[0] == '\0') {
        return NULL;
    }
    const char *strings = NULL;
    size_t offset = 0;
    bool found = false;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) {
            strings = (const char *)entry->d_un.d_ptr;
        } else if (entry->d_tag == DT_SONAME) {
            offset = entry->d_un.d_val;
            found = true;
        }
    }
    return g_strdup(found && strings != NULL ? strings + offset : map->l_name);
}

/* The key of a file, without reading it. */
static void identify(GString *out, const char *path)
{
    struct stat about;
    if (path != NULL && stat(path, &about) == 0) {
        g_string_append_printf(
            out, "%s %lld %lld.%09ld\n", path, (long long)about.st_size,
            (long long)about.st_mtim.tv_sec, (long)about.st_mtim.tv_nsec);
    }
}

/* The meaning of "native": the model and the features of this processor. */
static void identify_machine(GString *out, const char *machine)
{
    g_string_append_printf(out, "%s\n", machine != NULL ? machine : "");
#ifdef __x86_64__
    unsigned a, b, c, d; /* EAX to EDX */
    if (g_strcmp0(machine, "native") == 0 && __get_cpuid(1, &a, &b, &c, &d)) {
        g_string_append_printf(out, "%x %x %x\n", a, c, d); /* EBX: of the core */
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
            g_string_append_printf(out, "%x %x %x\n", b, c, d);
        }
    }
#endif
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void identify_all(struct weiri_cl_tools *tools)
{
    static const char *const headers[]
        = { "weir-kernel.h",           "weir-collective.h",
            "weir-atomic.h",           "weir-machinery.h",
            "weir-machinery-shared.h", "weir-machinery-atomic.h",
            "weir-machinery-split.h" };
    GString *out = g_string_new(PACKAGE_VERSION "\n");
    identify(out, tools->clang);
    identify(out, tools->libclc);
    identify(out, tools->cc);
    g_string_append_printf(out, "%d\n", tools->stackless);
    Dl_info info; /* what runs them */
    if (dladdr((void *)weiri_cl_tools_find, &info) != 0) {
        identify(out, info.dli_fname);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
        char *path = g_build_filename(tools->include, headers[i], NULL);
        identify(out, path);
        g_free(path);
    }
    GDir *folder = g_dir_open(tools->data, 0, NULL);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name;
         folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
        g_ptr_array_add(names, g_build_filename(tools->data, name, NULL));
    }
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        identify(out, g_ptr_array_index(names, i));
    }
    g_ptr_array_unref(names);
    if (folder != NULL) {
        g_dir_close(folder);
    }
    identify_machine(out, tools->machine);
    g_string_append_printf(out, "%s\n", tools->soname != NULL ? tools->soname : "");
    tools->identity = g_string_free(out, FALSE);
}

/* ---- The cache ---------------------------------------------------------- */

static bool usable(const char *folder)
{
    return g_mkdir_with_parents(folder, 0700) == 0
        && g_access(folder, W_OK | X_OK) == 0;
}

static bool find_cache(struct weiri_cl_tools *tools, GError **error)
{
    const char *given = setting("WEIR_CACHE_DIR", NULL);
    tools->cache = given != NULL
        ? g_build_filename(given, "opencl", NULL)
        : g_build_filename(g_get_user_cache_dir(), "weir", "opencl", NULL);
    if (!usable(tools->cache)) {
        char *first = tools->cache;
        char *name = g_strdup_printf("weir-%u", (unsigned)getuid());
        tools->cache = g_build_filename(g_get_tmp_dir(), name, "opencl", NULL);
        g_free(name);
        if (!usable(tools->cache)) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                        "neither %s nor %s can be written, for compiled kernels: set "
                        "WEIR_CACHE_DIR",
                        first, tools->cache);
            g_free(first);
            return false;
        }
        g_free(first);
    }
    return true;
}

char *weiri_cl_cache_path(const struct weiri_cl_tools *tools, const char *key,
                          const char *ending)
{
    char *name = g_strconcat(key, ending, NULL);
    char *path = g_build_filename(tools->cache, name, NULL);
    g_free(name);
    return path;
}

static char *sum_path(const char *path)
{
    return g_strconcat(path, ".sum", NULL);
}

/* The checksum of a file's contents, or NULL where it cannot be read. */
static char *sum_of(const char *path)
{
    char *contents = NULL, *sum = NULL;
    gsize bytes;
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)
        && g_file_get_contents(path, &contents, &bytes, NULL)) {
        sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)contents,
                                          bytes);
    }
    g_free(contents);
    return sum;
}

bool weiri_cl_cache_has(const char *path)
{
    char *beside = sum_path(path), *kept = NULL, *sum = NULL;
    bool has = g_file_test(beside, G_FILE_TEST_IS_REGULAR)
        && g_file_get_contents(beside, &kept, NULL, NULL)
        && (sum = sum_of(path)) != NULL && strcmp(sum, kept) == 0;
    g_free(beside);
    g_free(kept);
    g_free(sum);
    return has;
}

/* A folder where a file is to be: no file replaces it. */
static void clear_folder(const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR)
        && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
        weiri_cl_cache_remove(path);
    }
}

bool weiri_cl_cache_keep(const char *from, const char *to, GError **error)
{
    char *sum = sum_of(from), *beside = sum_path(to);
    clear_folder(to);
    clear_folder(beside);
    bool done = g_rename(from, to) == 0;
    if (!done) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
                    "cannot write %s: %s", to, g_strerror(errno));
    } else if (sum != NULL) {
        /* Without it the file is made again the next time. */
        (void)g_file_set_contents(beside, sum, -1, NULL);
    }
    g_free(sum);
    g_free(beside);
    return done;
}

void weiri_cl_cache_remove(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        char *inside = g_build_filename(path, name, NULL);
        if (g_file_test(inside, G_FILE_TEST_IS_DIR)
            && !g_file_test(inside, G_FILE_TEST_IS_SYMLINK)) {
            weiri_cl_cache_remove(inside);
        } else {
            (void)g_unlink(inside);
        }
        g_free(inside);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    (void)g_rmdir(path);
}

struct kept {
    char *path;
    long long bytes, used;
};

static int compare_used(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    return x->used < y->used ? -1 : x->used > y->used;
}

static void clear_kept(void *data)
{
    g_free(((struct kept *)data)->path);
}

static void trim(const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct kept));
    g_array_set_clear_func(all, clear_kept);
    long long total = 0;
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        struct stat about;
        char *path = g_build_filename(folder, name, NULL);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            struct kept kept = { path, about.st_size, about.st_mtim.tv_sec };
            g_array_append_val(all, kept);
            total += about.st_size;
            continue;
        }
        if (g_str_has_prefix(name, "build-") && stat(path, &about) == 0
            && time(NULL) - about.st_mtim.tv_sec > MOST_BUILD_SECONDS) {
            weiri_cl_cache_remove(path);
        }
        g_free(path);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    if (total > MOST_CACHE_BYTES) {
        g_array_sort(all, compare_used);
        for (guint i = 0; i < all->len && total > MOST_CACHE_BYTES / 2; i++) {
            const struct kept *kept = &g_array_index(all, struct kept, i);
            if (g_unlink(kept->path) == 0) {
                total -= kept->bytes;
            }
        }
    }
    g_array_unref(all);
}

void weiri_cl_cache_touch(const struct weiri_cl_tools *tools, const char *path,
                          bool fresh)
{
    static _Atomic unsigned n_fresh;
    char *beside = sum_path(path);
    (void)utime(path, NULL);
    (void)utime(beside, NULL);
    g_free(beside);
    if (fresh && n_fresh++ % TRIM_PERIOD == 0) {
        trim(tools->cache);
    }
}

/* ---- All of it ------------------------------------------------------------- */

bool weiri_cl_tools_find(struct weiri_cl_tools *tools, GError **error)
{
    *tools = (struct weiri_cl_tools){ 0 };
    bool found = find_clang(tools, error) && find_libclc(tools, error)
        && find_cc(tools, error)
        && find_folder(&tools->data, "WEIR_OPENCL_DIR", "opencl", WEIRI_CL_DATA,
                       "builtins.c", error)
        && find_folder(&tools->include, "WEIR_INCLUDE_DIR", "include", WEIRI_CL_INCLUDE,
                       "weir-kernel.h", error)
        && find_cache(tools, error);
    if (!found) {
        weiri_cl_tools_clear(tools);
        return false;
    }
    tools->stackless = strcmp(setting("WEIR_CL_STACKLESS", "1"), "0") != 0;
#ifdef __x86_64__
    tools->machine = g_strdup(setting("WEIR_CL_MARCH", "native"));
#endif
    tools->soname = find_soname();
    identify_all(tools);
    return true;
}

void weiri_cl_tools_clear(struct weiri_cl_tools *tools)
{
    char *owned[]
        = { tools->clang,   tools->libclc, tools->data,     tools->include, tools->cc,
            tools->machine, tools->soname, tools->identity, tools->cache };
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++) {
        g_free(owned[i]);
    }
    *tools = (struct weiri_cl_tools){ 0 };
}
