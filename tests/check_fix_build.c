/* SPDX-License-Identifier: MIT
 *
 * check_fix_build.c: programs that weir-cc built are built again from changed sources,
 * by the commands that they hold, and nothing else is written. Programs without such
 * commands are refused. */
#include "config.h"

#include "support.h"

#include "repair/build-record.h"
#include "repair/build.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- A folder with sources ------------------------------------------------------- */

static char *folder; /* the user's */
static char *again;  /* where programs are built again */

static void remove_tree(const char *path)
{
    GDir *files = g_dir_open(path, 0, NULL);
    const char *name;
    while (files != NULL && (name = g_dir_read_name(files)) != NULL) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)) {
            remove_tree(inner);
        } else {
            g_unlink(inner);
        }
    }
    g_clear_pointer(&files, g_dir_close);
    g_rmdir(path);
}

static char *new_folder(const char *form)
{
    char *made = g_dir_make_tmp(form, NULL);
    ck_assert_ptr_nonnull(made);
    char *real = realpath(made, NULL); /* as messages name it */
    g_free(made);
    made = g_strdup(real);
    free(real);
    return made;
}

static void begin(void)
{
    g_setenv("WEIR_INCLUDE_DIR", INCLUDE_DIR, TRUE);
    g_setenv("WEIR_LIB_DIR", BUILD_DIR, TRUE);
    g_setenv("WEIR_CC", BUILD_DIR "/weir-cc", TRUE);
    folder = new_folder("weir-test-build-XXXXXX");
    again = new_folder("weir-test-again-XXXXXX");
}

static void end(void)
{
    remove_tree(folder);
    remove_tree(again);
    g_clear_pointer(&folder, g_free);
    g_clear_pointer(&again, g_free);
}

static char *in_folder(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void write_text(const char *name, const char *text)
{
    g_autofree char *path = in_folder(name);
    g_autofree char *parent = g_path_get_dirname(path);
    ck_assert_int_eq(g_mkdir_with_parents(parent, 0700), 0);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
}

/* The output of a command that a shell runs in @where; it must succeed. */
static char *shell_in(const char *where, const char *command)
{
    const char *argv[] = { "sh", "-c", command, NULL };
    char *out = NULL, *said = NULL;
    int status = -1;
    bool ran = g_spawn_sync(where, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                            &out, &said, &status, NULL);
    ck_assert_msg(ran && status == 0, "'%s' fails: %s%s", command, out, said);
    g_free(said);
    return out;
}

static void shell(const char *command)
{
    g_free(shell_in(folder, command));
}

static bool has_tool(const char *name)
{
    g_autofree char *path = g_find_program_in_path(name);
    return path != NULL;
}

/* A main program that prints its position, and a word. */
static char *main_text(const char *word)
{
    return g_strdup_printf("#include <stdio.h>\n"
                           "int main(void)\n"
                           "{\n"
                           "    printf(\"%%s:%%d %%s\\n\", __FILE__, __LINE__, %s);\n"
                           "    return 0;\n"
                           "}\n",
                           word);
}

static void write_main(const char *name, const char *word)
{
    g_autofree char *text = main_text(word);
    write_text(name, text);
}

/* ---- Building again -------------------------------------------------------------- */

static int64_t in_seconds(int64_t seconds)
{
    return g_get_monotonic_time() + seconds * G_USEC_PER_SEC;
}

static struct weiri_build *read_build(const char *program)
{
    g_autofree char *path = in_folder(program);
    GError *error = NULL;
    struct weiri_build *build = weiri_build_read(path, &error);
    ck_assert_msg(build != NULL, "%s: %s", program,
                  error != NULL ? error->message : "");
    return build;
}

/* The output of the program that is built again with the changes. */
static char *output_again(const char *program, const struct weiri_build_change *files,
                          size_t n)
{
    struct weiri_build *build = read_build(program);
    GError *error = NULL;
    char *built
        = weiri_build_again(build, again, files, n, in_seconds(HANG_SECONDS), &error);
    ck_assert_msg(built != NULL, "%s: %s", program,
                  error != NULL ? error->message : "");
    ck_assert(g_str_has_prefix(built, again));
    g_autofree char *command = g_shell_quote(built);
    char *out = shell_in(folder, command);
    g_free(built);
    weiri_build_free(build);
    return out;
}

static void prints_again(const char *program, const char *path, const char *text,
                         const char *expected)
{
    const struct weiri_build_change file = { path, text };
    g_autofree char *out = output_again(program, &file, 1);
    ck_assert_str_eq(out, expected);
}

/* The same with main_text() of a word. */
static void prints_with(const char *program, const char *path, const char *word,
                        const char *expected)
{
    g_autofree char *text = main_text(word);
    prints_again(program, path, text, expected);
}

/* Building again fails, and the message holds @part. */
static void fails_again(const char *program, const char *path, const char *text,
                        int64_t deadline_us, const char *part)
{
    struct weiri_build *build = read_build(program);
    const struct weiri_build_change file = { path, text };
    GError *error = NULL;
    char *built = weiri_build_again(build, again, &file, 1, deadline_us, &error);
    ck_assert_ptr_null(built);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' lacks '%s'",
                  error->message, part);
    g_error_free(error);
    weiri_build_free(build);
}

static void is_refused(const char *program, const char *part)
{
    g_autofree char *path = in_folder(program);
    GError *error = NULL;
    ck_assert_ptr_null(weiri_build_read(path, &error));
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' lacks '%s'",
                  error->message, part);
    g_error_free(error);
}

CASE("commands", .setup = begin, .teardown = end, .seconds = 600);

TEST(a_program_of_one_source_is_built_again)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC -g k.c -o k");
    prints_with("k", "k.c", "\"new\"", "k.c:4 new\n");
    g_autofree char *kept = shell_in(folder, "./k");
    ck_assert_str_eq(kept, "k.c:4 old\n");
}

TEST(a_program_without_a_name_is_built_again)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC k.c");
    prints_with("a.out", "k.c", "\"new\"", "k.c:4 new\n");
}

static const char two_words[] = "int value(void);\n"
                                "int value(void) { return 1; }\n";
static const char two_changed[] = "int value(void);\n"
                                  "int value(void) { return 2; }\n";
static const char two_main[] = "#include <stdio.h>\n"
                               "int value(void);\n"
                               "int main(void) { printf(\"%d\\n\", value()); }\n";
static const char two_main_changed[]
    = "#include <stdio.h>\n"
      "int value(void);\n"
      "int main(void) { printf(\"%d\\n\", 10 * value()); }\n";

static void write_two(void)
{
    write_text("main.c", two_main);
    write_text("part.c", two_words);
}

TEST(of_several_sources_one_or_all_are_changed)
{
    write_two();
    shell("$WEIR_CC main.c part.c -otwo");
    const struct weiri_build_change both[]
        = { { "part.c", two_changed }, { "main.c", two_main_changed } };
    prints_again("two", "part.c", two_changed, "2\n");
    g_autofree char *out = output_again("two", both, 2);
    ck_assert_str_eq(out, "20\n");
    prints_again("two", "main.c", two_main_changed, "10\n");
    prints_again("two", "part.c", two_changed, "2\n");
}

TEST(an_object_of_an_unchanged_source_is_kept)
{
    write_two();
    shell("$WEIR_CC main.c part.c -o two");
    prints_again("two", "part.c", two_changed, "2\n");
    g_autofree char *before = shell_in(again, "ls -li --time-style=full-iso 1-main.o");
    prints_again("two", "part.c", two_words, "1\n");
    g_autofree char *after = shell_in(again, "ls -li --time-style=full-iso 1-main.o");
    ck_assert_str_eq(before, after);
}

TEST(objects_of_make_are_compiled_again_one_by_one)
{
    write_two();
    write_text("Makefile",
               "two: main.o part.o\n"
               "\t$(WEIR_CC) main.o part.o -o two\n"
               "%.o: %.c\n"
               "\t$(WEIR_CC) -MMD -c $<\n");
    shell("make CC=${CC:-cc}");
    prints_again("two", "part.c", two_changed, "2\n");
    /* The unchanged source is not even read. */
    shell("rm main.c");
    prints_again("two", "part.c", two_changed, "2\n");
}

TEST(an_object_in_an_archive_is_replaced)
{
    write_two();
    shell("mkdir lib && $WEIR_CC -c part.c -o lib/part.o && ar cr lib/libpart.a "
          "lib/part.o && rm lib/part.o && $WEIR_CC main.c lib/libpart.a -o two && "
          "$WEIR_CC -c main.c && $WEIR_CC main.o -Llib -lpart -o three");
    prints_again("two", "part.c", two_changed, "2\n");
    prints_again("three", "part.c", two_changed, "2\n");
}

TEST(one_command_of_two_objects_is_two_records)
{
    write_two();
    shell("$WEIR_CC -O2 -c main.c part.c && $WEIR_CC *.o -o two");
    prints_again("two", "part.c", two_changed, "2\n");
    prints_again("two", "main.c", two_main_changed, "10\n");
}

TEST(sections_that_nothing_refers_to_are_kept)
{
    static const char *const linkers[] = { "bfd", "gold", "lld" };
    write_two();
    shell("$WEIR_CC -ffunction-sections -c part.c && $WEIR_CC -c main.c");
    for (size_t i = 0; i < G_N_ELEMENTS(linkers); i++) {
        g_autofree char *name = g_strdup_printf("ld.%s", linkers[i]);
        if (has_tool(name)) {
            g_autofree char *command = g_strdup_printf(
                "$WEIR_CC main.o part.o -fuse-ld=%s -Wl,--gc-sections "
                "-o two",
                linkers[i]);
            shell(command);
            prints_again("two", "part.c", two_changed, "2\n");
        }
    }
}

TEST(clang_builds_again_too)
{
    const char *flags = g_getenv("SANITIZE_FLAGS"),
               *lines = g_getenv("COVERAGE_CFLAGS");
    if (!has_tool("clang") || UNDER_ASAN || (flags != NULL && flags[0] != '\0')
        || (lines != NULL && lines[0] != '\0')) {
        return;
    }
    write_main("k.c", "\"old\"");
    write_two();
    shell("CC=clang $WEIR_CC -Werror -g k.c -o k && "
          "CC=clang $WEIR_CC -Werror -c main.c part.c && "
          "CC=clang $WEIR_CC -Werror main.o part.o -o two");
    prints_with("k", "k.c", "__VERSION__ == 0 ? \"\" : \"clang\"", "k.c:4 clang\n");
    prints_again("two", "part.c", two_changed, "2\n");
}

TEST(words_with_spaces_and_quotes_keep_their_form)
{
    write_main("the folder's/my \"main\".c", "WORD");
    write_text("the folder's/it.h", "#define WORD \"header\"\n");
    shell("cd \"the folder's\" && $WEIR_CC '-DWORD=\"two  words\"' "
          "-DEMPTY= 'my \"main\".c' -o '../the program'");
    prints_with("the program", "my \"main\".c", "\"new \" WORD",
                "my \"main\".c:4 new two  words\n");
}

TEST(a_header_beside_the_source_is_found_from_any_folder)
{
    write_text("sub/it.h", "#define WORD \"header\"\n");
    write_main("sub/k.c", "\"old\"");
    shell("$WEIR_CC sub/k.c -o relative && $WEIR_CC \"$PWD/sub/k.c\" -o absolute && "
          "cd sub "
          "&& $WEIR_CC k.c -o ../beside");
    g_autofree char *text = main_text("WORD");
    g_autofree char *with = g_strconcat("#include \"it.h\"\n", text, NULL);
    g_autofree char *whole = in_folder("sub/k.c");
    g_autofree char *printed = g_strdup_printf("%s:5 header\n", whole);
    prints_again("relative", "sub/k.c", with, "sub/k.c:5 header\n");
    prints_again("relative", whole, with, "sub/k.c:5 header\n");
    prints_again("beside", "k.c", with, "k.c:5 header\n");
    prints_again("beside", whole, with, "k.c:5 header\n");
    prints_again("absolute", whole, with, printed);
}

TEST(other_files_are_not_written)
{
    static const char list[] = "ls -lAR --time-style=full-iso . ; cat *.d";
    write_two();
    shell("$WEIR_CC -MMD -MF main.d -c main.c && "
          "$WEIR_CC -MMD -save-temps=obj -c part.c && "
          "$WEIR_CC -Wl,-Map=map main.o part.o -o two && "
          "$WEIR_CC -MD main.c part.c -o one-step");
    g_autofree char *before = shell_in(folder, list);
    prints_again("two", "part.c", two_changed, "2\n");
    prints_again("two", "main.c", two_main_changed, "10\n");
    prints_again("one-step", "main.c", two_main_changed, "10\n");
    g_autofree char *after = shell_in(folder, list);
    ck_assert_str_eq(before, after);
}

/* ---- Kernels --------------------------------------------------------------------- */

static const char kernel_header[] = "#include <weir-kernel.h>\n"
                                    "static inline void put(int32_t *a, int32_t v)\n"
                                    "{\n"
                                    "    *a = v;\n"
                                    "}\n";
/* Every item writes the same word, here and by way of the header: races. */
static const char kernel_text[]
    = "#include \"put.h\"\n"
      "#include <weir.h>\n"
      "#include <stdio.h>\n"
      "typedef struct { int32_t *out; } one_args;\n"
      "WEIR_KERNEL(one, one_args)\n"
      "{\n"
      "    args->out[0] = (int32_t)weir_global_id(item, 0);\n"
      "    put(&args->out[1], (int32_t)weir_global_id(item, 0));\n"
      "}\n"
      "int main(void)\n"
      "{\n"
      "    struct weir_device *device = weir_device_new(\"default\", NULL);\n"
      "    int32_t *out = weir_new(device, int32_t, 2, \"out\");\n"
      "    one_args args = { out };\n"
      "    weir_launch(device, &one, weir_nd_range_1d(4, 4), &args, NULL);\n"
      "    printf(\"%s\\n\", one.checked != NULL ? \"checked\" : \"fast\");\n"
      "    weir_device_free(device);\n"
      "}\n";

/* The lines of what `weir check` prints of a program that name a file. */
static char *findings_of(const char *program)
{
    g_autofree char *quoted = g_shell_quote(program);
    g_autofree char *command
        = g_strdup_printf(BUILD_DIR "/weir check -- %s 2>&1 | grep '\\.[ch]:'", quoted);
    return shell_in(folder, command);
}

static void has_the_same_findings(const char *flags, const char *name)
{
    g_autofree char *command
        = g_strdup_printf("$WEIR_CC %s -O2 %s -o kernels", flags, name);
    shell(command);
    g_autofree char *program = in_folder("kernels");
    g_autofree char *before = findings_of(program);
    /* clang names an absolute path from the folder in which it ran. */
    g_autofree char *last = g_path_get_basename(name);
    g_autofree char *seven
        = g_strdup_printf("%s:7", g_path_is_absolute(name) ? last : name);
    ck_assert_ptr_nonnull(strstr(before, seven));
    ck_assert_ptr_nonnull(strstr(before, "put.h:4"));
    const struct weiri_build_change file = { name, kernel_text };
    g_autofree char *out = output_again("kernels", &file, 1);
    ck_assert_str_eq(out, "checked\n");
    g_autofree char *built = g_build_filename(again, "build-kernels", NULL);
    g_autofree char *after = findings_of(built);
    ck_assert_str_eq(before, after);
}

TEST(findings_of_a_program_built_again_are_in_the_original_file)
{
    write_text("put.h", kernel_header);
    write_text("kernels.c", kernel_text);
    write_text("sub/put.h", kernel_header);
    write_text("sub/kernels.c", kernel_text);
    g_autofree char *whole = in_folder("sub/kernels.c");
    has_the_same_findings("", "kernels.c");
    has_the_same_findings("", "sub/kernels.c");
    has_the_same_findings("", whole);
}

TEST(both_halves_of_a_fat_object_are_built_again)
{
    if (!has_tool("objdump")) {
        return;
    }
    write_text("put.h", kernel_header);
    write_text("kernels.c", kernel_text);
    has_the_same_findings("--fat", "kernels.c");
    shell("$WEIR_CC --fat -MMD -c kernels.c && $WEIR_CC kernels.o -o separate");
    prints_again("separate", "kernels.c", kernel_text, "checked\n");
}

/* ---- What the record says -------------------------------------------------------- */

CASE("records", .setup = begin, .teardown = end);

TEST(sources_are_known_by_each_of_their_names)
{
    write_main("a/k.c", "\"a\"");
    write_text("b/k.c", two_words);
    shell("(cd b && $WEIR_CC -c k.c) && (cd a && $WEIR_CC ../a/k.c ../b/k.o -o ../k)");
    shell("ln -s a link");
    struct weiri_build *build = read_build("k");
    g_autofree char *a = in_folder("a/k.c"), *b = in_folder("b/k.c");
    g_autofree char *linked = in_folder("link/k.c"), *object = in_folder("b/k.o");
    const GPtrArray *sources = weiri_build_sources(build);
    ck_assert_uint_eq(sources->len, 2);
    ck_assert_str_eq(g_ptr_array_index(sources, 0), a);
    ck_assert_str_eq(g_ptr_array_index(sources, 1), b);
    ck_assert_str_eq(weiri_build_source(build, "../a/k.c"), a);
    ck_assert_str_eq(weiri_build_source(build, linked), a);
    ck_assert_str_eq(weiri_build_source(build, b), b);
    ck_assert(!weiri_build_has(build, "k.c")); /* either */
    ck_assert(!weiri_build_has(build, object));
    ck_assert(!weiri_build_has(build, "/nowhere/k.c"));
    ck_assert(!weiri_build_has(build, ""));
    weiri_build_free(build);
}

TEST(a_source_that_has_changed_since_is_named)
{
    write_two();
    shell("$WEIR_CC -c part.c && $WEIR_CC main.c part.o -o two");
    struct weiri_build *build = read_build("two");
    GError *error = NULL;
    ck_assert(weiri_build_is_current(build, &error));
    ck_assert_ptr_null(error);
    shell("touch -d '+10 seconds' part.c");
    ck_assert(!weiri_build_is_current(build, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "part.c' has changed since '"));
    g_clear_error(&error);
    shell("rm part.c");
    ck_assert(!weiri_build_is_current(build, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "part.c"));
    g_clear_error(&error);
    weiri_build_free(build);
}

TEST(a_program_without_a_record_is_refused)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC k.c -o stripped && strip -R .weir.link stripped && "
          "$WEIR_CC --no-record k.c -o k && "
          "${CC:-cc} k.c -o plain && printf '#!/bin/sh\\n' >script && chmod +x script");
    is_refused("stripped", "no record of how it was built: link it with weir-cc");
    is_refused("k", "no record");
    is_refused("plain", "no record");
    is_refused("script", "no record");
    is_refused("missing", "cannot read");
    is_refused(".", "no record");
    GError *error = NULL;
    ck_assert_ptr_null(weiri_build_read("no-such-program-at-all", &error));
    ck_assert_ptr_nonnull(strstr(error->message, "there is no such program"));
    g_error_free(error);
}

TEST(what_makes_no_object_records_nothing)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC -S k.c && ! grep -q weir-build k.s && $WEIR_CC -E k.c >k.i && "
          "! grep -q weir-build k.i && $WEIR_CC -MM k.c >/dev/null");
}

TEST(the_same_command_makes_the_same_bytes)
{
    write_two();
    shell("$WEIR_CC -c part.c && cp part.o first.o && $WEIR_CC -c part.c && "
          "cmp first.o part.o && $WEIR_CC main.c part.o -o two && cp two first && "
          "$WEIR_CC main.c part.o -o two && cmp first two");
}

/* ---- Failures -------------------------------------------------------------------- */

CASE("failures", .setup = begin, .teardown = end);

TEST(a_header_is_no_source)
{
    write_text("it.h", "");
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC k.c -o k");
    fails_again("k", "it.h", "", in_seconds(HANG_SECONDS),
                "'it.h' is not one of the files that weir-cc compiled");
}

TEST(the_first_error_of_the_compiler_is_the_reason)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC k.c -o k && $WEIR_CC -c k.c && $WEIR_CC k.o -o separate");
    g_autofree char *text = main_text("no_such_name + other_name");
    fails_again("k", "k.c", text, in_seconds(HANG_SECONDS), "again: k.c:4:");
    fails_again("k", "k.c", text, in_seconds(HANG_SECONDS), "no_such_name");
    fails_again("separate", "k.c", text, in_seconds(HANG_SECONDS), "again: k.c:4:");
    fails_again("k", "k.c", "int x;\n", in_seconds(HANG_SECONDS), "`main'");
}

/* A compiler that never ends. */
static void write_endless(void)
{
    write_main("k.c", "\"old\"");
    write_text("slow",
               "#!/bin/sh\ntest ! -e wait || { touch started; sleep 1000; }\n"
               "exec cc \"$@\"\n");
    shell("chmod +x slow && CC=$PWD/slow $WEIR_CC k.c -o k && touch wait");
}

TEST(a_build_that_takes_too_long_is_ended)
{
    write_endless();
    g_autofree char *text = main_text("\"new\"");
    int64_t before_us = g_get_monotonic_time();
    fails_again("k", "k.c", text, before_us + G_USEC_PER_SEC / 2, "takes too long");
    ck_assert_int_lt(g_get_monotonic_time() - before_us, 20 * G_USEC_PER_SEC);
    g_autofree char *left = shell_in(again, "ls -d -- *[!c] 2>/dev/null || true");
    ck_assert_str_eq(left, "");
}

TEST(a_pending_signal_ends_a_build_and_stays_pending)
{
    write_endless();
    g_autofree char *text = main_text("\"new\"");
    sigset_t blocked, before, pending;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
    raise(SIGINT);
    fails_again("k", "k.c", text, in_seconds(HANG_SECONDS), "interrupted");
    sigpending(&pending);
    ck_assert_int_eq(sigismember(&pending, SIGINT), 1);
    int taken;
    ck_assert_int_eq(sigwait(&blocked, &taken), 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- Any bytes ------------------------------------------------------------------- */

static bool parses(const char *bytes, size_t n)
{
    GPtrArray *records = g_ptr_array_new();
    /* In memory of exactly this size, for address sanitizers. */
    g_autofree char *copy = n > 0 ? g_memdup2(bytes, n) : NULL;
    bool sound = weiri_build_record_parse(copy, n, records);
    for (guint i = 0; i < records->len; i++) {
        weiri_build_record_free(g_ptr_array_index(records, i));
    }
    g_ptr_array_unref(records);
    return sound;
}

static const char sound_record[]
    = "weir-build 2\0/tmp\0/bin/wcc\0k.o\0=gcc\0\0\0=\0\0\0\0\0"
      "3\0"
      "1\0"
      "4\0"
      "4\0-c\0-o\0k.o\0k.c";

/* Each is @sound_record with one thing wrong. */
TEST(a_malformed_record_is_refused)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        { "weir-build 2", "weir-build 1" },
        { "/tmp", "tmp/" },
        { "/bin/wcc", "bin/wcc/" },
        { "=gcc", "egcc" },
        { "-c", "\0c" }, /* a text too many */
    };
    ck_assert(parses(sound_record, sizeof sound_record));
    for (size_t length = 1; length < sizeof sound_record; length++) {
        ck_assert_msg(!parses(sound_record, length), "%zu bytes of a record", length);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        char bytes[sizeof sound_record];
        memcpy(bytes, sound_record, sizeof bytes);
        size_t n = strlen(changes[i].from);
        char *at = memmem(bytes, sizeof bytes, changes[i].from, n);
        ck_assert_ptr_nonnull(at);
        memcpy(at, changes[i].to, n);
        ck_assert_msg(!parses(bytes, sizeof bytes), "%s", changes[i].from);
    }
    char twice[2 * sizeof sound_record];
    memcpy(twice, sound_record, sizeof sound_record);
    memcpy(twice + sizeof sound_record, sound_record, sizeof sound_record);
    ck_assert(parses(twice, sizeof twice));
}

/* Random bytes in a record, and in the headers of a program. */
TEST(any_bytes_are_safe)
{
    write_main("k.c", "\"old\"");
    shell("$WEIR_CC k.c -o k");
    g_autofree char *path = in_folder("k"), *wrong = in_folder("wrong");
    char *program;
    gsize bytes;
    ck_assert(g_file_get_contents(path, &program, &bytes, NULL));
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 500); i++) {
        char record[sizeof sound_record];
        memcpy(record, sound_record, sizeof record);
        for (size_t n = random_between(&seed, 1, 4); n > 0; n--) {
            static const char digits[] = "\0"
                                         "0149=-/x\xff";
            record[random_between(&seed, 0, sizeof record - 1)]
                = digits[random_between(&seed, 0, sizeof digits - 2)];
        }
        (void)parses(record, random_between(&seed, 0, sizeof record));
    }
    const size_t header_bytes = 64, table_bytes = 64 * 40;
    for (size_t i = 0; i < scaled(300, 20); i++) {
        g_autofree char *copy = g_memdup2(program, bytes);
        size_t n = i % 2 == 0 ? header_bytes : table_bytes;
        size_t from = i % 2 == 0 ? 0 : bytes - table_bytes;
        copy[from + random_between(&seed, 0, n - 1)] = (char)random_next(&seed);
        size_t kept = i % 3 == 0 ? random_between(&seed, 0, bytes) : bytes;
        ck_assert(g_file_set_contents(wrong, copy, (gssize)kept, NULL));
        weiri_build_free(weiri_build_read(wrong, NULL));
    }
    g_free(program);
}

MAIN("fix-build")
