/* SPDX-License-Identifier: MIT
 *
 * check_symbol.c: addresses of this program, and what its debug information says of
 * them: functions, files and lines, which of them are one place, and the text of a
 * line. tests/symbol.sh compiles this file again by every compiler, at every level.
 *
 * An address comes from HERE(): the return address of a call on that line. */
#include "support.h"

#include "report/symbol.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

enum { MOST = 16 };

/* Not in a tail position, or the return address were another's. */
#define HERE(pc) (here(&(pc)), not_the_end())

static NOINLINE void here(const void **pc)
{
    *pc = __builtin_return_address(0);
    __asm__ volatile("" ::: "memory");
}

INLINE void not_the_end(void)
{
    __asm__ volatile("" ::: "memory");
}

#include "check_symbol.h"

static void expect_frame(const struct weir_frame *frame, const char *function,
                         uint32_t line)
{
    ck_assert_str_eq(frame->function, function);
    ck_assert_ptr_nonnull(frame->file);
    ck_assert_str_eq(frame->file, __FILE__);
    ck_assert_uint_eq(frame->line, line);
}

/* ---- Frames ------------------------------------------------------------------ */

#ifdef WITHOUT_DEBUG_INFORMATION
enum { DEBUG_INFORMATION = 0 };
#else
enum { DEBUG_INFORMATION = 1 };
#endif

CASE("frames", .skip = !DEBUG_INFORMATION);

static const void *pc_a, *pc_b;
static uint32_t line_inner, line_middle, line_outer;

/* The source line of the address in pc_a. */
static void expect_only_frame(const char *function, uint32_t line)
{
    struct weir_frame frames[MOST];
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, frames, MOST), 1);
    expect_frame(&frames[0], function, line);
}

static NOINLINE void plain(void)
{
    line_outer = __LINE__, HERE(pc_a);
}

TEST(a_call_has_its_function_its_file_and_its_line)
{
    plain();
    expect_only_frame("plain", line_outer);
}

TEST(a_header_is_named_as_the_compiler_found_it)
{
    struct weir_frame frames[MOST];
    in_a_header(&pc_a);
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, frames, MOST), 1);
    ck_assert_str_eq(frames[0].function, "in_a_header");
    ck_assert_str_eq(frames[0].file, file_of_header);
    ck_assert_uint_eq(frames[0].line, line_of_header);
}

/* The return address is of the next line already. */
static NOINLINE void of_two_lines(int *a)
{
    line_outer = __LINE__ + 2;
    /* clang-format off */
    here(&pc_a
         ); *a = 1;
    *a = 2;
    /* clang-format on */
}

TEST(the_line_is_that_of_the_call_and_not_of_what_follows)
{
    int a;
    of_two_lines(&a);
    expect_only_frame("of_two_lines", line_outer);
}

INLINE void inner(const void **pc)
{
    line_inner = __LINE__, HERE(*pc);
}

INLINE void middle(const void **pc)
{
    line_middle = __LINE__, inner(pc);
}

static NOINLINE void outer(void)
{
    line_outer = __LINE__, middle(&pc_a);
}

TEST(an_inlined_chain_is_expanded_innermost_first)
{
    struct weir_frame frames[MOST];
    outer();
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, frames, MOST), 3);
    expect_frame(&frames[0], "inner", line_inner);
    expect_frame(&frames[1], "middle", line_middle);
    expect_frame(&frames[2], "outer", line_outer);
}

TEST(no_more_frames_are_written_than_asked_for)
{
    struct weir_frame frames[3] = { { NULL, NULL, 0 } };
    outer();
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, NULL, 0), 0);
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, frames, 2), 2);
    ck_assert_str_eq(frames[1].function, "middle");
    ck_assert_ptr_null(frames[2].function);
}

/* Named as the functions of Weir's headers are. */
INLINE void weiri_of_a_header(const void **pc)
{
    HERE(*pc);
}

static NOINLINE void calls_weir(void)
{
    line_outer = __LINE__, weiri_of_a_header(&pc_a);
}

TEST(functions_of_weir_are_left_out)
{
    calls_weir();
    expect_only_frame("calls_weir", line_outer);
}

/* ---- Kernels ------------------------------------------------------------------- */

typedef struct {
    const void **pc; /* of each item */
} symbol_args;

static _Atomic uint32_t line_a, line_b;

WEIR_KERNEL(calls_inner, symbol_args)
{
    MARK(line_a, inner(&args->pc[weir_global_linear_id(item)]));
}

WEIR_GROUP_KERNEL(calls_inner_for_each_item, symbol_args)
{
    weir_for_each_item(item, group) {
        MARK(line_b, inner(&args->pc[weir_global_linear_id(item)]));
    }
}

/* The addresses that the two items of a kernel met. */
static void launch_pair(const struct weir_kernel *kernel, struct weir_nd_range range,
                        const void *pc[2])
{
    g_autoptr(weir_device) device = device_open("default");
    LAUNCH_SILENT(device, kernel, range, (&(symbol_args){ pc }), WITH_WORKERS(1));
}

TEST(the_body_of_a_kernel_is_named_after_it_and_is_the_last)
{
    struct weir_frame frames[MOST];
    const void *pc[2];
    launch_pair(&calls_inner, weir_nd_range_1d(2, 2), pc);
    ck_assert_uint_eq(weiri_symbol_frames(pc[0], frames, MOST), 2);
    expect_frame(&frames[0], "inner", line_inner);
    expect_frame(&frames[1], "kernel calls_inner", line_of(&line_a));

    launch_pair(&calls_inner_for_each_item, weir_nd_range_1d(2, 2), pc);
    ck_assert_uint_eq(weiri_symbol_frames(pc[0], frames, MOST), 2);
    expect_frame(&frames[0], "inner", line_inner);
    expect_frame(&frames[1], "kernel calls_inner_for_each_item", line_of(&line_b));
}

CASE("places", .skip = !DEBUG_INFORMATION);

/* One loop is for one dimension, another for more: two copies of the body. */
TEST(copies_of_a_body_are_one_place)
{
    const void *once[2], *again[2];
    launch_pair(&calls_inner, weir_nd_range_1d(2, 2), once);
    launch_pair(&calls_inner, weir_nd_range_2d(2, 1, 2, 1), again);
    ck_assert_ptr_ne(once[0], again[0]);
    ck_assert_uint_eq(weiri_symbol_place(once[0]), weiri_symbol_place(again[0]));
    launch_pair(&calls_inner_for_each_item, weir_nd_range_1d(2, 2), again);
    ck_assert_uint_ne(weiri_symbol_place(once[0]), weiri_symbol_place(again[0]));
}

/* ---- Places ---------------------------------------------------------------------- */

enum { TURNS = 4 };

static NOINLINE void unrolled(const void *pc[TURNS])
{
#pragma GCC unroll 4
    for (int i = 0; i < TURNS; i++) {
        HERE(pc[i]);
    }
}

TEST(an_unrolled_call_is_one_place)
{
    const void *pc[TURNS];
    unrolled(pc);
#if defined(__OPTIMIZE__) && defined(__clang__)
    ck_assert_ptr_ne(pc[0], pc[1]); /* gcc unrolls from -O2 on */
#endif
    for (int i = 1; i < TURNS; i++) {
        ck_assert_uint_eq(weiri_symbol_place(pc[i]), weiri_symbol_place(pc[0]));
    }
}

/* The compiler knows in both arms which way the second branch goes. */
static NOINLINE void threaded(int x, int *out)
{
    if (x > 0) {
        *out = x * 3;
    }
    HERE(pc_a);
    if (x > 0) {
        *out += 7;
    }
}

TEST(a_call_behind_a_threaded_jump_is_one_place)
{
    int out = 0;
    threaded(1, &out);
    const void *first = pc_a;
    threaded(-1, &out);
    ck_assert_uint_eq(weiri_symbol_place(pc_a), weiri_symbol_place(first));
}

INLINE void helper(const void **pc)
{
    HERE(*pc);
}

static NOINLINE void of_two_arms(bool first)
{
    if (first) {
        helper(&pc_a);
        line_inner = 1; /* or the arms were one */
    } else {
        helper(&pc_b);
        line_inner = 2;
    }
}

TEST(a_helper_inlined_into_two_arms_is_two_places)
{
    struct weir_frame a[MOST], b[MOST];
    of_two_arms(true);
    of_two_arms(false);
    ck_assert_uint_eq(weiri_symbol_frames(pc_a, a, MOST), 2);
    ck_assert_uint_eq(weiri_symbol_frames(pc_b, b, MOST), 2);
    ck_assert_uint_eq(a[0].line, b[0].line);
    ck_assert_uint_ne(a[1].line, b[1].line);
    ck_assert_uint_ne(weiri_symbol_place(pc_a), weiri_symbol_place(pc_b));
}

static NOINLINE void of_one_line(void)
{
    /* clang-format off */
    here(&pc_a); here(&pc_b); not_the_end();
    /* clang-format on */
}

static NOINLINE void helpers_of_one_line(void)
{
    /* clang-format off */
    helper(&pc_a); helper(&pc_b);
    /* clang-format on */
}

TEST(two_calls_on_one_line_are_two_places)
{
    of_one_line();
    ck_assert_uint_ne(weiri_symbol_place(pc_a), weiri_symbol_place(pc_b));
    helpers_of_one_line();
    ck_assert_uint_ne(weiri_symbol_place(pc_a), weiri_symbol_place(pc_b));
}

TEST(a_place_keeps_its_number)
{
    uint32_t seen[2];
    for (size_t round = 0; round < 2; round++) {
        of_two_arms(true);
        of_two_arms(false);
        seen[round] = weiri_symbol_place(pc_a);
        ck_assert_uint_ge(seen[round], 1);
        ck_assert_uint_ge(weiri_symbol_place(pc_b), 1);
    }
    ck_assert_uint_eq(seen[0], seen[1]);
}

static void *ask(void *unused)
{
    (void)unused;
    struct weir_frame frames[MOST];
    uint64_t sum = 0;
    for (size_t i = 0; i < 1000; i++) {
        sum += weiri_symbol_place(pc_a) + weiri_symbol_frames(pc_b, frames, MOST);
        sum += weiri_symbol_source(__FILE__, 1 + i % 100) != NULL;
    }
    return (void *)(uintptr_t)sum;
}

TEST(many_threads_may_ask)
{
    outer();
    pc_b = pc_a;
    plain();
    GThread *threads[4];
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
        threads[i] = g_thread_new(NULL, ask, NULL);
    }
    void *expected = ask(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
        ck_assert_ptr_eq(g_thread_join(threads[i]), expected);
    }
}

/* ---- Without debug information --------------------------------------------------- */

CASE("without debug information");

static void keep_caller(void *data, void *pc)
{
    (void)data;
    here(pc); /* this function, and so not of interest, but it makes a frame */
    *(const void **)pc = __builtin_return_address(0);
}

/* An address in a library of the system, which rarely has debug information. */
TEST(a_symbol_of_the_linker_is_a_name_and_no_more)
{
    struct weir_frame frames[MOST];
    const void *pc = NULL;
    GSList *list = g_slist_prepend(NULL, NULL);
    g_slist_foreach(list, keep_caller, &pc);
    g_slist_free(list);
    ck_assert_uint_eq(weiri_symbol_frames(pc, frames, MOST), 1);
    ck_assert_str_eq(frames[0].function, "g_slist_foreach");
    if (frames[0].file == NULL) {
        ck_assert_uint_eq(frames[0].line, 0);
        const char *next = (const char *)pc + 1;
        ck_assert_uint_ne(weiri_symbol_place(pc), weiri_symbol_place(next));
    }
    ck_assert_uint_eq(weiri_symbol_place(pc), weiri_symbol_place(pc));
}

TEST(an_address_of_nothing_has_no_frame_and_a_place_of_its_own)
{
    struct weir_frame frames[MOST];
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(page, MAP_FAILED);
    ck_assert_uint_eq(weiri_symbol_frames(page + 8, frames, MOST), 0);
    ck_assert_uint_ne(weiri_symbol_place(page + 8), weiri_symbol_place(page + 9));
    ck_assert_uint_eq(weiri_symbol_frames(NULL, frames, MOST), 0);
    ck_assert_uint_ge(weiri_symbol_place(NULL), 1);
    munmap(page, 4096);
}

/* After the first question, so that the library is not among the known ones. */
TEST(a_library_that_comes_later_is_known)
{
    struct weir_frame frames[MOST];
    plain();
    (void)weiri_symbol_frames(pc_a, frames, MOST);
    void *library = dlopen("libthread_db.so.1", RTLD_LAZY);
    const char *function = library != NULL ? dlsym(library, "td_init") : NULL;
    if (function != NULL) {
        ck_assert_uint_ge(weiri_symbol_frames(function + 1, frames, MOST), 1);
        ck_assert_str_eq(frames[0].function, "td_init");
    }
}

TEST(a_kernel_is_named_by_its_symbol_too, .skip = DEBUG_INFORMATION)
{
    struct weir_frame frames[MOST];
    const void *pc[2];
    launch_pair(&calls_inner, weir_nd_range_1d(2, 2), pc);
    ck_assert_uint_eq(weiri_symbol_frames(pc[0], frames, MOST), 1);
    ck_assert_str_eq(frames[0].function, "kernel calls_inner");
    ck_assert_ptr_null(frames[0].file);
    ck_assert_uint_eq(frames[0].line, 0);
}

/* ---- Source ---------------------------------------------------------------------- */

CASE("source");

/* A file of these bytes; its name is the caller's, and none that another file had: what
 * was read of a name is kept. */
static char *file_of(const char *text, size_t bytes)
{
    static unsigned n;
    char *name;
    GError *error = NULL;
    g_autofree char *pattern = g_strdup_printf("weir-symbol-%u-XXXXXX", n++);
    int fd = g_file_open_tmp(pattern, &name, &error);
    ck_assert_msg(fd >= 0, "%s", error != NULL ? error->message : "");
    ck_assert_int_eq(write(fd, text, bytes), (ssize_t)bytes);
    close(fd);
    return name;
}

static void expect_source(const char *text, size_t bytes, uint32_t line,
                          const char *expected)
{
    g_autofree char *name = file_of(text, bytes);
    const char *source = weiri_symbol_source(name, line);
    if (expected == NULL) {
        ck_assert_ptr_null(source);
    } else {
        ck_assert_ptr_nonnull(source);
        ck_assert_str_eq(source, expected);
        ck_assert(g_utf8_validate(source, -1, NULL));
    }
    unlink(name);
}

#define EXPECT_SOURCE(text, line, expected)                                            \
    expect_source((text), sizeof(text) - 1, (line), (expected))

TEST(a_line_of_this_file_is_found_wherever_the_program_runs)
{
    g_autofree char *before = g_get_current_dir();
    ck_assert_int_eq(chdir("/"), 0);
    const char *source = weiri_symbol_source(__FILE__, __LINE__);
    ck_assert_int_eq(chdir(before), 0);
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(source,
                     "const char *source = weiri_symbol_source(__FILE__, __LINE__);");
}

/* A folder of its own to be in, four folders deep: names may lead out of it. */
static char *enter_folder(void)
{
    char *top = g_dir_make_tmp("weir-symbol-XXXXXX", NULL);
    ck_assert_ptr_nonnull(top);
    g_autofree char *folder = g_build_filename(top, "a/b/c/d", NULL);
    ck_assert_int_eq(g_mkdir_with_parents(folder, 0700), 0);
    ck_assert_int_eq(chdir(folder), 0);
    return top;
}

static void leave_folder(char *top, char *before)
{
    g_autofree char *command = g_strdup_printf("rm -rf '%s'", top);
    ck_assert_int_eq(chdir(before), 0);
    ck_assert_int_eq(system(command), 0);
    g_free(top);
    g_free(before);
}

static void write_file(const char *name, const char *text)
{
    g_autofree char *folder = g_path_get_dirname(name);
    ck_assert_int_eq(g_mkdir_with_parents(folder, 0700), 0);
    ck_assert(g_file_set_contents(name, text, -1, NULL));
}

TEST(a_line_of_a_header_is_found_wherever_the_program_runs, .skip = !DEBUG_INFORMATION)
{
    char *before = g_get_current_dir(), *top = enter_folder();
    in_a_header(&pc_a);
    const char *source = weiri_symbol_source(file_of_header, line_of_header);
    leave_folder(top, before);
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(source, "line_of_header = __LINE__, HERE(*pc);");
}

/* Another file of this one's name may lie where the program runs. */
TEST(a_file_is_looked_for_first_where_it_was_compiled, .skip = !DEBUG_INFORMATION)
{
    char *before = g_get_current_dir(), *top = enter_folder();
    if (!g_path_is_absolute(__FILE__)) {
        write_file(__FILE__, "one\ntwo\n");
    }
    const char *source = weiri_symbol_source(__FILE__, 2);
    leave_folder(top, before);
    ck_assert_str_eq(source, "*");
}

TEST(a_file_of_no_compiler_is_looked_for_where_the_program_runs)
{
    char *before = g_get_current_dir(), *top = enter_folder();
    write_file("there/weir-symbol.c", "one\ntwo\n");
    const char *source = weiri_symbol_source("there/weir-symbol.c", 2);
    leave_folder(top, before);
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(source, "two");
}

TEST(a_line_is_returned_without_the_blanks_around_it)
{
    EXPECT_SOURCE("one\n \t two  three \r\n", 2, "two  three");
    EXPECT_SOURCE("one\n\ntwo\n", 2, "");
    EXPECT_SOURCE("\xef\xbb\xbfone\n", 1, "one");
}

TEST(a_last_line_needs_no_newline)
{
    EXPECT_SOURCE("one\ntwo", 2, "two");
}

TEST(there_is_no_text_past_the_end_of_a_file)
{
    EXPECT_SOURCE("one\ntwo", 3, NULL);
    EXPECT_SOURCE("one\ntwo\n", 3, NULL);
    EXPECT_SOURCE("one\ntwo\n", UINT32_MAX, NULL);
    EXPECT_SOURCE("one\n", 0, NULL);
    EXPECT_SOURCE("", 1, NULL);
}

TEST(there_is_no_text_of_a_file_that_cannot_be_read)
{
    ck_assert_ptr_null(weiri_symbol_source("no-such-folder/no-such-file.c", 1));
    ck_assert_ptr_null(weiri_symbol_source("/no-such-folder/no-such-file.c", 1));
    ck_assert_ptr_null(weiri_symbol_source("/", 1));
    ck_assert_ptr_null(weiri_symbol_source("", 1));
    ck_assert_ptr_null(weiri_symbol_source(NULL, 1));
}

TEST(a_pipe_of_that_name_is_not_waited_for)
{
    g_autofree char *name = file_of("", 0);
    unlink(name);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    ck_assert_ptr_null(weiri_symbol_source(name, 1));
    unlink(name);
}

TEST(a_very_long_line_is_cut_between_characters)
{
    g_autoptr(GString) text = g_string_new(NULL), expected = g_string_new(NULL);
    for (size_t i = 0; i < 100000; i++) {
        g_string_append(text, "é");
    }
    for (size_t i = 0; i < 200; i++) {
        g_string_append(expected, "é");
    }
    expect_source(expected->str, expected->len, 1, expected->str); /* just fits */
    g_string_append(expected, "…");
    expect_source(text->str, text->len, 1, expected->str);
}

/* An escape sequence, a null, bytes that are not UTF-8, and a mark that would turn the
 * order of the characters after it. */
TEST(what_a_terminal_would_act_upon_is_replaced)
{
    EXPECT_SOURCE("a\tb\n", 1, "a b");
    EXPECT_SOURCE("a\x1b[31mb\n", 1, "a\ufffd[31mb");
    EXPECT_SOURCE("a\0b\n", 1, "a\ufffdb");
    EXPECT_SOURCE("a\xff"
                  "b\n",
                  1, "a\ufffdb");
    EXPECT_SOURCE("a\xe2\x80\xae"
                  "b\n",
                  1, "a\ufffdb");
    EXPECT_SOURCE("a\xc2\x9b"
                  "b\n",
                  1, "a\ufffdb");
}

TEST(a_file_is_read_once)
{
    g_autofree char *name = file_of("one\ntwo\n", 8);
    const char *source = weiri_symbol_source(name, 2);
    unlink(name);
    ck_assert_str_eq(weiri_symbol_source(name, 1), "one");
    ck_assert_ptr_eq(weiri_symbol_source(name, 2), source);
}

MAIN("symbol")
