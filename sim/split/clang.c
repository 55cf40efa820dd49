/* SPDX-License-Identifier: MIT
 *
 * clang.c: see clang.h. clang runs as a process, in the user's version: WEIR_CLANG or
 * the one of the build. Its version and its folder of libraries follow from the folder
 * of its resources, which is looked for beside the program, since asking clang takes 20
 * ms. The user's arguments go to it as they are.
 *
 * The last passes can run in this process only if all that the arguments ask of them is
 * known, so a table lists the options that ask nothing more of the code than the
 * bitcode has. If an argument is not in the table, clang itself makes the object. */
#include "config.h"

#include "split/clang.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each has been through random kernels and the table of tests/arch/split.sh; and 14,
 * which is Debian's own, through all tests. */
static const unsigned tried[] = { 14, 15, 16, 19 };

enum { OLDEST = 14 };

bool weiri_clang_is_tried(unsigned version)
{
    for (size_t i = 0; i < G_N_ELEMENTS(tried); i++) {
        if (tried[i] == version) {
            return true;
        }
    }
    return false;
}

char *weiri_clang_tried(void)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(tried); i++) {
        g_string_append_printf(text, "%s%u", i == 0 ? "" : ", ", tried[i]);
    }
    return g_string_free(text, FALSE);
}

/* ---- Processes ------------------------------------------------------------ */

/* Runs a program. @flags: 0: its errors go to standard error. Returns: what it prints,
 * or NULL */
static GByteArray *run(GPtrArray *words, GSpawnFlags flags)
{
    int out;
    GPid pid;
    g_ptr_array_add(words, NULL);
    if (!g_spawn_async_with_pipes(NULL, (char **)words->pdata, NULL,
                                  G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD
                                      | G_SPAWN_CHILD_INHERITS_STDIN | flags,
                                  NULL, NULL, &pid, NULL, &out, NULL, NULL)) {
        return NULL;
    }
    GByteArray *bytes = g_byte_array_new();
    static guint8 buffer[1 << 16];
    ssize_t n;
    do {
        n = read(out, buffer, sizeof(buffer));
        if (n > 0) {
            g_byte_array_append(bytes, buffer, (guint)n);
        }
    } while (n > 0 || (n < 0 && errno == EINTR));
    close(out);
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    g_spawn_close_pid(pid);
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "weir-split: %s was ended by signal %d (%s)\n",
                (const char *)words->pdata[0], WTERMSIG(status),
                g_strsignal(WTERMSIG(status)));
    }
    if (n < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        g_byte_array_unref(bytes);
        return NULL;
    }
    return bytes;
}

static void add(GPtrArray *words, const char *const *list)
{
    for (; *list != NULL; list++) {
        g_ptr_array_add(words, (void *)*list);
    }
}

static char *run_for_line(const char *program, const char *argument)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add(words, (const char *const[]){ program, argument, NULL });
    GByteArray *bytes = run(words, G_SPAWN_STDERR_TO_DEV_NULL);
    if (bytes == NULL) {
        return NULL;
    }
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return g_strchomp((char *)g_byte_array_free(bytes, FALSE));
}

/* ---- Which clang ---------------------------------------------------------- */

/* clang's own rule. Returns: (nullable) (transfer full): the one folder of resources
 * beside a program, if that is called clang and is not a script */
static char *resources_beside(const char *path)
{
    g_autofree char *real = realpath(path, NULL);
    g_autofree char *name = real == NULL ? NULL : g_path_get_basename(real);
    char magic[4] = "";
    FILE *file
        = name == NULL || !g_str_has_prefix(name, "clang") ? NULL : fopen(real, "re");
    if (file == NULL) {
        return NULL;
    }
    bool program
        = fread(magic, 1, 4, file) == 4 && memcmp(magic, "\177ELF", sizeof(magic)) == 0;
    fclose(file);
    g_autofree char *bin = g_path_get_dirname(real);
    g_autofree char *above = g_path_get_dirname(bin);
    g_autofree char *folder = g_build_filename(above, "lib", "clang", NULL);
    g_autoptr(GDir) versions = program ? g_dir_open(folder, 0, NULL) : NULL;
    g_autofree char *only
        = versions == NULL ? NULL : g_strdup(g_dir_read_name(versions));
    return only == NULL || g_dir_read_name(versions) != NULL
        ? NULL
        : g_build_filename(folder, only, NULL);
}

/* clang takes 20 ms to answer. */
static char *resources_of(const char *path)
{
    char *found = resources_beside(path);
    return found != NULL ? found : run_for_line(path, "-print-resource-dir");
}

char *weiri_clang_find(struct weiri_clang *clang)
{
    const char *named = g_getenv("WEIR_CLANG");
    clang->name = g_strdup(named != NULL && *named != '\0' ? named : WEIRI_SPLIT_CLANG);
    g_autofree char *path = g_find_program_in_path(clang->name);
    if (path == NULL) {
        return g_strdup_printf(
            "no compiler '%s': install one, or name yours in WEIR_CLANG",
            *clang->name == '\0' ? "clang" : clang->name);
    }
    /* Its last part is the version, and two folders above it are the libraries. */
    g_autofree char *resources = resources_of(path);
    g_autofree char *version
        = resources == NULL ? NULL : g_path_get_basename(resources);
    clang->version
        = version == NULL ? 0 : (unsigned)g_ascii_strtoull(version, NULL, 10);
    if (clang->version < OLDEST) {
        return g_strdup_printf("%s is not clang of version %d or later, which "
                               "weir-split needs",
                               clang->name, OLDEST);
    }
    g_autofree char *above = g_path_get_dirname(resources);
    clang->libraries = g_path_get_dirname(above);
    return NULL;
}

/* ---- Compilation ---------------------------------------------------------- */

/* Whether the arguments say for which processor, or ask for instrumentation. */
static bool chooses_processor(char *const *arguments)
{
    static const char *const prefixes[]
        = { "-march=", "-mav",       "-mas",       "-msv",
            "-mss",    "-fsanitize", "--coverage", "-fprofile" };
    for (; *arguments != NULL; arguments++) {
        for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
            if (g_str_has_prefix(*arguments, prefixes[i])) {
                return true;
            }
        }
    }
    return false;
}

static bool is_cplusplus(const char *source)
{
    return !g_str_has_suffix(source, ".c") && !g_str_has_suffix(source, ".ll");
}

/* Whether the arguments ask for debug information. */
static bool debugs(char *const *arguments)
{
    bool found = false;
    for (; *arguments != NULL; arguments++) {
        if (g_str_has_prefix(*arguments, "-g")) {
            found = strcmp(*arguments, "-g0") != 0;
        }
    }
    return found;
}

/* Adds the words that make a front end write code of kernels. */
static void add_front(GPtrArray *words, const struct weiri_clang *clang, bool cplusplus,
                      char *const *arguments)
{
    add(words, (const char *const[]){ clang->name, "-w", "-Qunused-arguments", NULL });
    add(words, (const char *const *)arguments);
    /* valgrind reads no later version of debug information than 4. */
    add(words, (const char *const[]){ "-fdebug-default-version=4", NULL });
    /* Lines are all that is left for debuggers, and the types of C++ headers are many.
     */
    if (cplusplus && debugs(arguments)) {
        add(words, (const char *const[]){ "-gline-tables-only", NULL });
    }
#ifdef WEIRI_SPLIT_CLONES
    if (!chooses_processor(arguments)) {
        /* Loops that become vectors are compiled for AVX2, too. */
        add(words,
            (const char *const[]){ "-DWEIRI_SPLIT_ATTRIBUTES="
                                   "__attribute__((target_clones(\"default\","
                                   "\"avx2\")))",
                                   NULL });
    }
#endif
    add(words, (const char *const[]){ "-O2", "-DWEIRI_FAT=3", NULL });
}

/* Nothing is optimised yet: most of a source are functions that no kernel reaches. */
GByteArray *weiri_clang_compile(const struct weiri_clang *clang, const char *source,
                                char *const *arguments)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add_front(words, clang, is_cplusplus(source), arguments);
    add(words,
        (const char *const[]){ "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm",
                               source, "-o", "-", NULL });
    return run(words, 0);
}

bool weiri_clang_header(const struct weiri_clang *clang, char *const *arguments)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add_front(words, clang, true, arguments);
    GByteArray *bytes = run(words, 0);
    if (bytes != NULL) {
        g_byte_array_unref(bytes);
    }
    return bytes != NULL;
}

bool weiri_clang_finish(const struct weiri_clang *clang, const char *bitcode,
                        const char *object, char *const *arguments)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add(words,
        (const char *const[]){ clang->name, "-w", "-Qunused-arguments", "-O2", NULL });
    add(words, (const char *const *)arguments);
    add(words,
        (const char *const[]){ "-mllvm", "-sink-common-insts=false", "-c", "-x", "ir",
                               bitcode, "-o", object, NULL });
    GByteArray *bytes = run(words, 0);
    if (bytes != NULL) {
        g_byte_array_unref(bytes);
    }
    return bytes != NULL;
}

/* ---- Arguments ------------------------------------------------------------ */

/* Options whose word follows, and that ask nothing of the code. */
static const char *const with_word[]
    = { "-I",           "-D",        "-U",         "-include", "-imacros", "-isystem",
        "-iquote",      "-x",        "-idirafter", "-MF",      "-MT",      "-MQ",
        "-include-pch", "-isysroot", "-iprefix",   "-target",  NULL };

/* Beginnings of options that ask nothing of the code, or whose effect the bitcode has.
 */
static const char *const known[] = {
    "-I",
    "-D",
    "-U",
    "-W",
    "-w",
    "-std=",
    "-g",
    "-pthread",
    "-pedantic",
    "-ansi",
    "-M",
    "-nostdinc",
    "-Qunused-arguments",
    "-include",
    "-isystem",
    "--target=",
    "-march=",
    "-mtune=",
    "-mcpu=",
    "-m64",
    "-mcmodel=",
    "-mavx",
    "-msse",
    "-mssse",
    "-mfma",
    "-mbmi",
    "-mpopcnt",
    "-mf16c",
    "-mlzcnt",
    "-mno-avx",
    "-mno-sse",
    "-mno-fma",
    "-mno-red-zone",
    "-mprefer-vector-width=",
    "-fno-plt",
    "-fstack-",
    "-fno-stack-",
    "-fomit-frame-pointer",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    "-fvisibility",
    "-fwrapv",
    "-ftrapv",
    "-fstrict-",
    "-fno-strict-",
    "-ffast-math",
    "-fno-fast-math",
    "-fmath-errno",
    "-fno-math-errno",
    "-fassociative-math",
    "-fno-associative-math",
    "-freciprocal-math",
    "-fno-reciprocal-math",
    "-funsafe-math-optimizations",
    "-ffinite-math-only",
    "-fno-finite-math-only",
    "-fsigned-zeros",
    "-fno-signed-zeros",
    "-ftrapping-math",
    "-fno-trapping-math",
    "-frounding-math",
    "-fno-rounding-math",
    "-ffp-contract=on",
    "-ffp-contract=off",
    "-fbuiltin",
    "-fno-builtin",
    "-ffreestanding",
    "-fexceptions",
    "-fno-exceptions",
    "-frtti",
    "-fno-rtti",
    "-fcommon",
    "-fno-common",
    "-ftemplate-",
    "-fconstexpr-",
    "-fdiagnostics-",
    "-fcolor-",
    "-fno-color-",
    "-fdebug-",
    "-ffile-prefix-map=",
    "-fmacro-prefix-map=",
    "-fsemantic-interposition",
    "-fno-semantic-interposition",
    "-finline",
    "-fno-inline",
    "-fjump-tables",
    "-fno-jump-tables",
    "-ffunction-sections",
    "-fno-function-sections",
    "-fdata-sections",
    "-fno-data-sections",
    "-fshort-enums",
    "-fsigned-char",
    "-funsigned-char",
    "-fms-extensions",
    "-fgnu89-inline",
    "-fcf-protection",
    "-fstandalone-debug",
    "-fpermissive",
    "-faligned-",
    "-fno-threadsafe-statics",
    "-fthreadsafe-statics",
    "-fmerge-all-constants",
    "-fdelete-null-pointer-checks",
    "-fno-delete-null-pointer-checks",
    "-fasynchronous-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-funwind-tables",
    "-fno-unwind-tables",
    "-fno-lto",
    "-fno-ident",
    "-fident",
    NULL,
};

static bool is_among(const char *word, const char *const *list, bool beginnings)
{
    for (; *list != NULL; list++) {
        if (beginnings ? g_str_has_prefix(word, *list) : strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

/* A choice of the last passes. @vectorizes: -1 where the level decides */
struct choices {
    int vectorizes, vectorizes_straight, unrolls;
};

static bool read_choice(const char *word, struct choices *choices)
{
    bool on = !g_str_has_prefix(word, "-fno-");
    const char *what = word + strlen(on ? "-f" : "-fno-");
    if (!g_str_has_prefix(word, "-f")) {
        return false;
    }
    if (strcmp(what, "vectorize") == 0 || strcmp(what, "tree-vectorize") == 0) {
        choices->vectorizes = on;
    } else if (strcmp(what, "slp-vectorize") == 0
               || strcmp(what, "tree-slp-vectorize") == 0) {
        choices->vectorizes_straight = on;
    } else if (strcmp(what, "unroll-loops") == 0) {
        choices->unrolls = on;
    } else {
        return false;
    }
    return true;
}

static bool read_position(const char *word, struct weiri_level *level)
{
    bool on = !g_str_has_prefix(word, "-fno-");
    const char *what = word + strlen(on ? "-f" : "-fno-");
    if (!g_str_has_prefix(word, "-f")
        || (g_ascii_strcasecmp(what, "pic") != 0
            && g_ascii_strcasecmp(what, "pie") != 0)) {
        return false;
    }
    level->moves = on;
    return true;
}

/* As clang reads -O; -O0 has no stackless entries. */
static char level_of(const char *text)
{
    if (strcmp(text, "fast") == 0) {
        return '3';
    }
    if (strcmp(text, "") == 0 || strcmp(text, "g") == 0 || strcmp(text, "0") == 0) {
        return '1';
    }
    if (g_ascii_isdigit(*text)) {
        return *text > '3' || text[1] != '\0' ? '3' : *text;
    }
    return *text == 'z' ? 'z' : 's';
}

bool weiri_clang_level(char *const *arguments, struct weiri_level *level)
{
    struct choices choices = { -1, -1, -1 };
    bool all = true;
    *level = (struct weiri_level){ .level = '2',
                                   .moves = -1,
                                   .options = g_ptr_array_new() };
    for (; *arguments != NULL; arguments++) {
        const char *word = *arguments;
        if (g_str_has_prefix(word, "-O")) {
            level->level = level_of(word + 2);
            all = all && strcmp(word, "-Ofast") != 0;
        } else if (strcmp(word, "-mllvm") == 0 && arguments[1] != NULL) {
            g_ptr_array_add(level->options, *++arguments);
        } else if (is_among(word, with_word, false) && arguments[1] != NULL) {
            arguments++;
        } else if (!read_choice(word, &choices) && !read_position(word, level)) {
            all = all && is_among(word, known, true);
        }
    }
    bool high = level->level == '2' || level->level == '3' || level->level == 's';
    level->vectorizes = choices.vectorizes < 0 ? high : choices.vectorizes;
    level->vectorizes_first = choices.vectorizes_straight != 0;
    level->vectorizes_straight = choices.vectorizes_straight < 0
        ? high || level->level == 'z'
        : choices.vectorizes_straight;
    level->unrolls = choices.unrolls < 0 ? level->level != '1' : choices.unrolls;
    return all;
}
