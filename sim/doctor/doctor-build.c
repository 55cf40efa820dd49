/* SPDX-License-Identifier: MIT
 *
 * doctor-build.c: the probes of `weir doctor` for weir-cc and the compilers: each way
 * to compile a kernel is used, and the program is run and checked.
 *
 * A checked program must be clean, and its neighbour without a barrier must have a data
 * race: a compiler whose hooks are not called fails the second half. */
#include "config.h"

#include "doctor/doctor.h"

#include <string.h>
#include <unistd.h>

/* ---- Where weir-cc looks --------------------------------------------------------- */

/* The first word that starts with @option among lines of a shell, without it.
 * Returns: (transfer full): or NULL */
static char *word_with(const char *lines, const char *option)
{
    g_auto(GStrv) line = g_strsplit(lines, "\n", -1);
    for (size_t i = 0; line[i] != NULL; i++) {
        g_auto(GStrv) words = NULL;
        if (!g_shell_parse_argv(line[i], NULL, &words, NULL)) {
            continue;
        }
        for (size_t k = 0; words[k] != NULL; k++) {
            if (g_str_has_prefix(words[k], option)) {
                return g_strdup(words[k] + strlen(option));
            }
        }
    }
    return NULL;
}

static bool has(const char *folder, const char *file)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    return access(path, R_OK) == 0;
}

/* The sources of the build tree that the command is in. Returns: (transfer full): or
 * NULL if it is in none */
static char *source_dir(const char *build)
{
    g_autofree char *makefile = g_build_filename(build, "Makefile", NULL);
    g_autofree char *text = NULL;
    static const char key[] = "\nabs_top_srcdir = ";
    if (!has(build, "libweir.a") || !g_file_get_contents(makefile, &text, NULL, NULL)) {
        return NULL;
    }
    const char *at = strstr(text, key);
    return at != NULL ? g_strndup(at + strlen(key), strcspn(at + strlen(key), "\n"))
                      : NULL;
}

static struct weiri_doctor_finding look_for_paths(struct weiri_doctor *doctor)
{
    g_autofree char *beside = g_path_get_dirname(doctor->own);
    g_autofree char *path = g_build_filename(beside, "weir-cc", NULL);
    doctor->weir_cc
        = access(path, X_OK) == 0 ? g_strdup(path) : g_find_program_in_path("weir-cc");
    if (doctor->weir_cc == NULL) {
        return weiri_doctor_missing(
            g_strdup_printf("it is neither in %s nor in PATH", beside),
            g_strdup("make install, or put it next to weir"));
    }
    if (weiri_doctor_try(doctor, doctor->weir_cc, "--show", "--no-instrument",
                         "--no-stackless", "x.c", NULL)
        != 0) {
        return weiri_doctor_why(doctor, "make install");
    }
    g_autofree char *include = word_with(doctor->output, "-I");
    g_autofree char *lib = word_with(doctor->output, "-L");
    bool headers = include != NULL && has(include, "weir-kernel.h");
    bool library = lib != NULL && has(lib, "libweir.a");
    if (headers && library) {
        doctor->include_dir = g_strdup(include);
        return weiri_doctor_ok(g_strdup_printf("%s, headers in %s, library in %s",
                                               doctor->weir_cc, include, lib));
    }
    char *found = g_strdup_printf("%s has no %s", headers ? lib : include,
                                  headers ? "libweir.a" : "weir-kernel.h");
    g_autofree char *sources = source_dir(beside);
    if (sources == NULL) {
        return weiri_doctor_missing(
            found, g_strdup("install Weir, or set WEIR_INCLUDE_DIR and WEIR_LIB_DIR"));
    }
    /* From here on all attempts use these folders. */
    g_autofree char *include_dir = g_build_filename(sources, "sim", NULL);
    doctor->include_dir = g_canonicalize_filename(include_dir, NULL);
    g_setenv("WEIR_INCLUDE_DIR", doctor->include_dir, TRUE);
    g_setenv("WEIR_LIB_DIR", beside, TRUE);
    return weiri_doctor_missing(
        found,
        g_strdup_printf("export WEIR_INCLUDE_DIR=%s WEIR_LIB_DIR=%s",
                        doctor->include_dir, beside));
}

static struct weiri_doctor_finding copy_of(const struct weiri_doctor_finding *finding)
{
    return (struct weiri_doctor_finding){ finding->state, g_strdup(finding->found),
                                          g_strdup(finding->remedy) };
}

static struct weiri_doctor_finding try_weir_cc(struct weiri_doctor *doctor)
{
    if (doctor->paths == NULL) {
        struct weiri_doctor_finding finding = look_for_paths(doctor);
        doctor->paths = g_memdup2(&finding, sizeof(finding));
    }
    return copy_of(doctor->paths);
}

/* ---- One way to compile ---------------------------------------------------------- */

static const char COMPILER_REMEDY[]
    = "apt-get install gcc libc6-dev, or name a compiler in CC";

/* Whether an element of an array of findings is a race on a line of the source. */
static bool has_race(const char *json, bool *has_line, char **fix)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!json_parser_load_from_data(parser, json, -1, NULL)) {
        return false;
    }
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonArray *findings = json_object_get_array_member(root, "findings");
    if (json_array_get_length(findings) == 0) {
        return false;
    }
    JsonObject *finding = json_array_get_object_element(findings, 0);
    JsonObject *first = json_object_get_object_member(finding, "first");
    *has_line = json_object_get_int_member_with_default(first, "line", 0) > 0
        && g_str_has_suffix(
                    json_object_get_string_member_with_default(first, "file", ""),
                    "program.c");
    *fix = g_strdup(json_object_get_string_member_with_default(finding, "fix", NULL));
    return strcmp(json_object_get_string_member_with_default(finding, "kind", ""),
                  "data-race")
        == 0;
}

/* weir-cc needs its headers and its library; whether the user set them is the row of
 * weir-cc. Returns: whether they are there; otherwise @finding is set */
static bool has_weir_cc(struct weiri_doctor *doctor,
                        struct weiri_doctor_finding *finding)
{
    *finding = try_weir_cc(doctor);
    if (doctor->include_dir != NULL) {
        g_free(finding->found);
        g_free(finding->remedy);
        return true;
    }
    return false;
}

/* Writes the program's source, once: weir check tries no fix in a source that is newer
 * than the program. Returns: (transfer full): its path, or NULL with
 * @finding set */
static char *write_source(struct weiri_doctor *doctor,
                          struct weiri_doctor_finding *finding)
{
    char *source = weiri_doctor_file(doctor, "program.c");
    g_autoptr(GError) error = NULL;
    if (access(source, R_OK) == 0
        || g_file_set_contents(source, weiri_doctor_program, -1, &error)) {
        return source;
    }
    g_free(source);
    *finding = weiri_doctor_missing(g_strdup(error->message),
                                    g_strdup("set TMPDIR to a folder with space"));
    return NULL;
}

/* Checks the program as it is and without its barrier.
 * Returns: true, or false with @finding set */
static bool check_program(struct weiri_doctor *doctor, const char *program,
                          struct weiri_doctor_finding *finding)
{
    bool has_line = false;
    g_autofree char *fix = NULL;
    bool clean = weiri_doctor_try(doctor, doctor->own, "check", "--runs", "2",
                                  "--no-fixes", "--", program, NULL)
        == 0;
    bool caught = clean
        && weiri_doctor_try(doctor, doctor->own, "check", "--runs", "2", "--no-fixes",
                            "--json", "--", program, "broken", NULL)
            == 1
        && has_race(doctor->output, &has_line, &fix);
    if (!caught) {
        *finding = clean && doctor->said[0] == '\0'
            ? weiri_doctor_missing(
                g_strdup("the hooks see nothing: a race was not found"),
                g_strdup("use another compiler, by CC"))
            : weiri_doctor_why(doctor, "use another compiler, by CC");
    }
    return caught;
}

/* Compiles, runs and checks the program. @option: of weir-cc.
 * Returns: true, or false with @finding set */
static bool try_program(struct weiri_doctor *doctor, const char *name,
                        const char *option, const char *level,
                        struct weiri_doctor_finding *finding)
{
    if (!has_weir_cc(doctor, finding)) {
        return false;
    }
    g_autofree char *source = write_source(doctor, finding);
    g_autofree char *program = weiri_doctor_file(doctor, name);
    if (source == NULL) {
        return false;
    }
    bool runs = weiri_doctor_try(doctor, doctor->weir_cc, option, level, "-g", source,
                                 "-o", program, NULL)
            == 0
        && weiri_doctor_try(doctor, program, NULL) == 0;
    if (!runs) {
        *finding = weiri_doctor_why(doctor, COMPILER_REMEDY);
        return false;
    }
    return check_program(doctor, program, finding);
}

static const char *default_compiler(void)
{
    const char *cc = g_getenv("CC");
    return cc != NULL && cc[0] != '\0' ? cc : "cc";
}

/* "gcc (Debian 12.2.0) 12.2.0", or the name. Returns: (transfer full) */
static char *version_of(struct weiri_doctor *doctor, const char *compiler)
{
    g_auto(GStrv) words = NULL;
    if (!g_shell_parse_argv(compiler, NULL, &words, NULL)
        || weiri_doctor_try(doctor, words[0], "--version", NULL) != 0) {
        return g_strdup(compiler);
    }
    return g_strndup(doctor->output, strcspn(doctor->output, "\n"));
}

static struct weiri_doctor_finding try_default(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (try_program(doctor, "program", "--no-stackless", "-O1", &finding)) {
        g_autofree char *version = version_of(doctor, default_compiler());
        finding = weiri_doctor_ok(
            g_strdup_printf("%s: compiled, ran, and found a race", version));
    }
    return finding;
}

static struct weiri_doctor_finding try_compiler(struct weiri_doctor *doctor)
{
    if (doctor->compiled == NULL) {
        struct weiri_doctor_finding finding = try_default(doctor);
        doctor->compiled = g_memdup2(&finding, sizeof(finding));
    }
    return copy_of(doctor->compiled);
}

bool weiri_doctor_has_program(struct weiri_doctor *doctor,
                              struct weiri_doctor_finding *finding)
{
    *finding = try_compiler(doctor);
    if (finding->state == WEIRI_DOCTOR_OK) {
        g_free(finding->found);
    }
    return finding->state == WEIRI_DOCTOR_OK;
}

/* ---- Rows ------------------------------------------------------------------------ */

static struct weiri_doctor_finding try_other(struct weiri_doctor *doctor,
                                             const char *compiler)
{
    struct weiri_doctor_finding finding;
    g_autofree char *path = g_find_program_in_path(compiler);
    if (path == NULL) {
        return weiri_doctor_missing(g_strdup_printf("%s is not in PATH", compiler),
                                    g_strdup_printf("apt-get install %s", compiler));
    }
    g_autofree char *before = g_strdup(g_getenv("CC"));
    g_setenv("CC", compiler, TRUE);
    if (try_program(doctor, compiler, "--no-stackless", "-O1", &finding)) {
        g_autofree char *version = version_of(doctor, compiler);
        finding = weiri_doctor_ok(
            g_strdup_printf("%s: compiled, ran, and found a race", version));
    }
    if (before != NULL) {
        g_setenv("CC", before, TRUE);
    } else {
        g_unsetenv("CC");
    }
    return finding;
}

static struct weiri_doctor_finding try_gcc(struct weiri_doctor *doctor)
{
    return try_other(doctor, "gcc");
}

static struct weiri_doctor_finding try_clang(struct weiri_doctor *doctor)
{
    return try_other(doctor, "clang");
}

static struct weiri_doctor_finding try_fat(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (try_program(doctor, "fat", "--fat", "-O2", &finding)) {
        finding = weiri_doctor_ok(g_strdup("compiled, ran, and found a race"));
    }
    return finding;
}

static struct weiri_doctor_finding try_stackless(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (!has_weir_cc(doctor, &finding)) {
        return finding;
    }
    /* weir-split is beside weir-cc in a build tree only; weir-cc names the reason. */
    g_autofree char *source = write_source(doctor, &finding);
    if (source == NULL) {
        return finding;
    }
    g_autofree char *program = weiri_doctor_file(doctor, "stackless");
    if (weiri_doctor_try(doctor, doctor->weir_cc, "--stackless", "-O2", "-g", source,
                         "-o", program, NULL)
            != 0
        || weiri_doctor_try(doctor, program, NULL) != 0) {
        return weiri_doctor_why(
            doctor, "apt-get install clang-14 or later, or name one in WEIR_CLANG");
    }
    /* Without --stackless a version that Weir was not tried with makes none. */
    if (weiri_doctor_try(doctor, doctor->weir_cc, "-O2", "-g", source, "-o", program,
                         NULL)
            != 0
        || *doctor->said != '\0') {
        return weiri_doctor_missing(
            weiri_doctor_reason(doctor),
            g_strdup("install a version that was tried, or name it in WEIR_CLANG"));
    }
    const char *clang = g_getenv("WEIR_CLANG");
    g_autofree char *version
        = version_of(doctor, clang != NULL ? clang : WEIRI_SPLIT_CLANG);
    return weiri_doctor_ok(g_strdup_printf("%s: compiled and ran", version));
}

static struct weiri_doctor_finding try_symbols(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (!weiri_doctor_has_program(doctor, &finding)) {
        return finding;
    }
    g_autofree char *program = weiri_doctor_file(doctor, "program");
    bool has_line = false;
    g_autofree char *fix = NULL;
    weiri_doctor_try(doctor, doctor->own, "check", "--runs", "1", "--no-fixes",
                     "--json", "--", program, "broken", NULL);
    if (!has_race(doctor->output, &has_line, &fix) || !has_line) {
        return weiri_doctor_missing(
            g_strdup("a finding names no line of the source"),
            g_strdup("compile with -gdwarf-4, or upgrade libdw1"));
    }
    return weiri_doctor_ok(g_strdup("a finding names file and line"));
}

static struct weiri_doctor_finding try_fixes(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (!weiri_doctor_has_program(doctor, &finding)) {
        return finding;
    }
    g_autofree char *program = weiri_doctor_file(doctor, "program");
    bool has_line = false;
    g_autofree char *fix = NULL;
    weiri_doctor_try(doctor, doctor->own, "check", "--runs", "1", "--json", "--",
                     program, "broken", NULL);
    if (!has_race(doctor->output, &has_line, &fix) || fix == NULL) {
        return weiri_doctor_missing(
            g_strdup("the program could not be built again with a change"),
            g_strdup("apt-get install binutils"));
    }
    return weiri_doctor_ok(g_strdup("a barrier was tried, and repaired the race"));
}

/* A weir.pc that was not installed names folders in which nothing is. @variable: of it.
 * Returns: (transfer full): what is missing, or NULL */
static char *missing_file(struct weiri_doctor *doctor, const char *pkg_config,
                          const char *variable, const char *name)
{
    g_autofree char *option = g_strconcat("--variable=", variable, NULL);
    (void)weiri_doctor_try(doctor, pkg_config, option, "weir", NULL);
    g_autofree char *folder = g_strstrip(g_strdup(doctor->output));
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS)
        ? NULL
        : g_strdup_printf("it finds a weir.pc that names '%s', which has no %s", folder,
                          name);
}

/* Compiles and links the program by what pkg-config says, and checks it. */
static struct weiri_doctor_finding try_flags(struct weiri_doctor *doctor)
{
    static const char script[]
        = "$1 -O1 $(pkg-config --cflags weir) "
          "$(pkg-config --variable=instrument_cflags weir) -c \"$2\" -o \"$3.o\" "
          "&& $1 \"$3.o\" -o \"$3\" $(pkg-config --libs weir)";
    struct weiri_doctor_finding finding;
    g_autofree char *source = write_source(doctor, &finding);
    g_autofree char *program = weiri_doctor_file(doctor, "by-pkg-config");
    if (source == NULL) {
        return finding;
    }
    if (weiri_doctor_try(doctor, "/bin/sh", "-c", script, "sh", default_compiler(),
                         source, program, NULL)
        != 0) {
        return weiri_doctor_why(doctor, COMPILER_REMEDY);
    }
    return check_program(doctor, program, &finding)
        ? weiri_doctor_ok(g_strdup("compiled, ran, and found a race"))
        : finding;
}

static struct weiri_doctor_finding try_pkg_config(struct weiri_doctor *doctor)
{
    g_autofree char *path = g_find_program_in_path("pkg-config");
    if (path == NULL) {
        return weiri_doctor_missing(g_strdup("pkg-config is not in PATH"),
                                    g_strdup("apt-get install pkg-config"));
    }
    if (weiri_doctor_try(doctor, path, "--print-errors", "--cflags", "--libs", "weir",
                         NULL)
        != 0) {
        return weiri_doctor_why(doctor,
                                "put the folder of weir.pc, or the build folder, into "
                                "PKG_CONFIG_PATH");
    }
    char *missing = missing_file(doctor, path, "includedir", "weir-kernel.h");
    missing
        = missing != NULL ? missing : missing_file(doctor, path, "libdir", "libweir.a");
    if (missing != NULL) {
        return weiri_doctor_missing(missing,
                                    g_strdup("make install, or compile with weir-cc"));
    }
    return try_flags(doctor);
}

const struct weiri_doctor_feature weiri_doctor_build[] = {
    { "weir-cc", "programs of your own", true, try_weir_cc },
    { "compiler", "programs of your own: the compiler that weir-cc uses", true,
      try_compiler },
    { "gcc", "CC=gcc weir-cc", false, try_gcc },
    { "clang", "CC=clang weir-cc", false, try_clang },
    { "fat", "weir-cc --fat: full speed and checks in one program", false, try_fat },
    { "stackless", "weir-cc -O2: items that wait without stacks, several times faster",
      false, try_stackless },
    { "symbols", "findings on the lines of a program's source", true, try_symbols },
    { "fixes", "weir check: changes of the source that repair a finding", false,
      try_fixes },
    { "pkg-config", "makefiles that do without weir-cc", false, try_pkg_config },
    { 0 },
};
