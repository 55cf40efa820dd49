/* SPDX-License-Identifier: MIT
 *
 * check_fix_patch.c: a line is inserted where it is asked for, edits of a file make the
 * same text by weiri_edits_apply() and by patch(1), and a candidate's edits become a
 * choice of the running program where they can. */
#include "support.h"

#include "repair/choice.h"
#include "repair/patch.h"

#include <glib/gstdio.h>
#include <inttypes.h>

/* ---- Insertions ------------------------------------------------------------- */

CASE("insertions");

/* Beside the statement that begins with `a`; the line is `B;`. */
static const struct {
    const char *text, *before, *after;
} insertions[] = {
    { "{\n    a;\n    c;\n}\n", "{\n    B;\n    a;\n    c;\n}\n",
      "{\n    a;\n    B;\n    c;\n}\n" },
    { "{\n\ta; /* x */ // y\n}\n", "{\n\tB;\n\ta; /* x */ // y\n}\n",
      "{\n\ta; /* x */ // y\n\tB;\n}\n" },
    { "{\n    a(1,\n      2);\n}\n", "{\n    B;\n    a(1,\n      2);\n}\n",
      "{\n    a(1,\n      2);\n    B;\n}\n" },
    { "{\n    c; a; d;\n}\n", "{\n    c;\n    B;\n    a; d;\n}\n",
      "{\n    c; a;\n    B;\n    d;\n}\n" },
    { "{\n    a; /* x\n    y */\n}\n", "{\n    B;\n    a; /* x\n    y */\n}\n",
      "{\n    a;\n    B;\n    /* x\n    y */\n}\n" },
    { "{\r\n    a;\r\n}\r\n", "{\r\n    B;\r\n    a;\r\n}\r\n",
      "{\r\n    a;\r\n    B;\r\n}\r\n" },
    /* Bodies without braces. */
    { "{\n    for (;;)\n        a;\n    c;\n}\n",
      "{\n    for (;;) {\n        B;\n        a;\n    }\n    c;\n}\n",
      "{\n    for (;;) {\n        a;\n        B;\n    }\n    c;\n}\n" },
    { "{\n    if (x) // y\n        a;\n    else\n        c;\n}\n",
      "{\n    if (x) { // y\n        B;\n        a;\n    }\n    else\n        c;\n}\n",
      "{\n    if (x) { // y\n        a;\n        B;\n    }\n"
      "    else\n        c;\n}\n" },
    { "{\n    if (x)\n        c;\n    else\n        a;\n}\n",
      "{\n    if (x)\n        c;\n    else {\n        B;\n        a;\n    }\n}\n",
      "{\n    if (x)\n        c;\n    else {\n        a;\n        B;\n    }\n}\n" },
    { "{\n    if (x) a; else c;\n}\n",
      "{\n    if (x) {\n        B;\n        a;\n    }\n    else c;\n}\n",
      "{\n    if (x) {\n        a;\n        B;\n    }\n    else c;\n}\n" },
    { "{\n    for (;;) a;\n}\n",
      "{\n    for (;;) {\n        B;\n        a;\n    }\n}\n",
      "{\n    for (;;) {\n        a;\n        B;\n    }\n}\n" },
    { "{\n    weir_for_each_item(item, group)\n        a;\n}\n",
      "{\n    weir_for_each_item(item, group) {\n        B;\n        a;\n    }\n}\n",
      "{\n    weir_for_each_item(item, group) {\n        a;\n        B;\n    }\n}\n" },
    /* After labels. */
    { "{\n    case 1:\n        a;\n}\n", "{\n    case 1:\n        B;\n        a;\n}\n",
      "{\n    case 1:\n        a;\n        B;\n}\n" },
    { "{\n    case 1: a;\n}\n", "{\n    case 1:\n        B;\n        a;\n}\n",
      "{\n    case 1: a;\n        B;\n}\n" },
    /* At the end of the text. */
    { "{\n    a;", "{\n    B;\n    a;", "{\n    a;\n    B;" },
};

static void expect_insertion(const char *text, uint32_t statement, bool is_after,
                             const char *expected)
{
    g_autoptr(GArray) edits = weiri_edits_new();
    g_autofree char *whole = g_strconcat("void f(void)\n", text, NULL);
    g_autofree char *wanted = g_strconcat("void f(void)\n", expected, NULL);
    if (strstr(text, "\r\n") != NULL) {
        whole = (g_free(whole), g_strconcat("void f(void)\r\n", text, NULL));
        wanted = (g_free(wanted), g_strconcat("void f(void)\r\n", expected, NULL));
    }
    struct weiri_source *source = weiri_source_new("a.c", whole, strlen(whole));
    for (uint32_t i = 0; statement == 0 && i < weiri_source_n(source); i++) {
        const struct weiri_statement *node = weiri_source_at(source, i);
        if (node->kind == WEIRI_STATEMENT_SIMPLE && whole[node->start] == 'a') {
            statement = i;
        }
    }
    (is_after ? weiri_edit_insert_after : weiri_edit_insert_before)(edits, source,
                                                                    statement, "B;");
    g_autofree char *seen = weiri_edits_apply(edits, whole, strlen(whole), NULL, NULL);
    ck_assert_str_eq(seen, wanted);
    weiri_source_free(source);
}

TEST_EACH(a_line_is_inserted_before_a_statement, G_N_ELEMENTS(insertions))
{
    expect_insertion(insertions[_i].text, 0, false, insertions[_i].before);
}

TEST_EACH(a_line_is_inserted_after_a_statement, G_N_ELEMENTS(insertions))
{
    expect_insertion(insertions[_i].text, 0, true, insertions[_i].after);
}

static const struct {
    const char *text, *before, *after; /* statement 2 is the block */
} blocks[] = {
    { "{\n    a;\n}\n", "{\n    B;\n    a;\n}\n", "{\n    a;\n    B;\n}\n" },
    { "{\n}\n", "{\n    B;\n}\n", "{\n    B;\n}\n" },
    { "{ // x\n  a;\n  }\n", "{ // x\n  B;\n  a;\n  }\n", "{ // x\n  a;\n  B;\n  }\n" },
    { "{ a; }\n", "{\n    B;\n    a; }\n", "{ a;\n    B;\n }\n" },
};

TEST_EACH(a_line_is_inserted_inside_a_body, G_N_ELEMENTS(blocks))
{
    expect_insertion(blocks[_i].text, 2, false, blocks[_i].before);
    expect_insertion(blocks[_i].text, 2, true, blocks[_i].after);
}

/* ---- Diffs ------------------------------------------------------------------ */

CASE("diffs", .seconds = 300);

static void expect_diff(const char *text, const GArray *edits, const char *expected)
{
    g_autoptr(GString) diff = g_string_new(NULL);
    GError *error = NULL;
    ck_assert(weiri_edits_diff(diff, "d/a.c", text, strlen(text), edits, &error));
    ck_assert_ptr_null(error);
    ck_assert_str_eq(diff->str, expected);
}

#define HEADER "--- a/d/a.c\n+++ b/d/a.c\n"

TEST(a_diff_has_three_lines_of_context)
{
    g_autoptr(GArray) edits = weiri_edits_new();
    expect_diff("1\n2\n", edits, "");
    weiri_edit_add(edits, 8, 8, "x\n");
    expect_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", edits,
                HEADER "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
    weiri_edit_add(edits, 0, 1, "y");
    expect_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", edits,
                HEADER "@@ -1,7 +1,8 @@\n-1\n+y\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
}

TEST(changes_far_apart_are_two_hunks)
{
    g_autoptr(GArray) edits = weiri_edits_new();
    weiri_edit_add(edits, 14, 16, "");
    weiri_edit_add(edits, 0, 0, "x\n");
    static const char hunks[] = HEADER "@@ -1,3 +1,4 @@\n+x\n a\n b\n c\n"
                                       "@@ -5,4 +6,3 @@\n e\n f\n g\n-h\n";
    expect_diff("a\nb\nc\nd\ne\nf\ng\nh\n", edits, hunks);
    /* Six lines between them are context of both. */
    g_autoptr(GArray) near = weiri_edits_new();
    weiri_edit_add(near, 12, 14, "");
    weiri_edit_add(near, 0, 0, "x\n");
    expect_diff("a\nb\nc\nd\ne\nf\ng\nh\n", near,
                HEADER "@@ -1,8 +1,8 @@\n+x\n a\n b\n c\n d\n e\n f\n-g\n h\n");
}

TEST(a_diff_names_a_final_newline_that_is_missing)
{
    g_autoptr(GArray) edits = weiri_edits_new();
    weiri_edit_add(edits, 3, 3, "\nx");
    expect_diff("a\nb", edits,
                HEADER "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n"
                       "+b\n+x\n\\ No newline at end of file\n");
    g_array_set_size(edits, 0);
    weiri_edit_add(edits, 0, 0, "x\n");
    expect_diff("a\nb", edits,
                HEADER "@@ -1,2 +1,3 @@\n+x\n a\n b\n\\ No newline at end of file\n");
    expect_diff("", edits, HEADER "@@ -0,0 +1 @@\n+x\n");
    g_array_set_size(edits, 0);
    weiri_edit_add(edits, 0, 2, "");
    expect_diff("a\n", edits, HEADER "@@ -1 +0,0 @@\n-a\n");
}

TEST(edits_that_overlap_are_refused)
{
    static const size_t ranges[][4]
        = { { 0, 3, 2, 4 }, { 0, 4, 1, 1 }, { 0, 2, 5, 11 }, { 3, 2, 5, 6 } };
    for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++) {
        g_autoptr(GArray) edits = weiri_edits_new();
        weiri_edit_add(edits, ranges[i][0], ranges[i][1], "x");
        weiri_edit_add(edits, ranges[i][2], ranges[i][3], "y");
        GError *error = NULL;
        ck_assert_ptr_null(weiri_edits_apply(edits, "0123456789", 10, NULL, &error));
        expect_error(error, WEIR_ERROR_INPUT, "edit");
        g_autoptr(GString) diff = g_string_new("kept");
        error = NULL;
        ck_assert(!weiri_edits_diff(diff, "a", "0123456789", 10, edits, &error));
        expect_error(error, WEIR_ERROR_INPUT, "edit");
        ck_assert_str_eq(diff->str, "kept");
    }
}

TEST(insertions_at_one_place_keep_their_order)
{
    g_autoptr(GArray) edits = weiri_edits_new();
    weiri_edit_add(edits, 2, 4, "34");
    weiri_edit_add(edits, 2, 2, "1");
    weiri_edit_add(edits, 2, 2, "2");
    weiri_edit_add(edits, 0, 2, "0");
    size_t bytes;
    g_autofree char *text = weiri_edits_apply(edits, "abcdef", 6, &bytes, NULL);
    ck_assert_str_eq(text, "01234ef");
    ck_assert_uint_eq(bytes, 7);
}

/* A text of a few lines, and edits of it. */
static char *draw_text(uint64_t *state)
{
    GString *text = g_string_new(NULL);
    const char *newline = random_next(state) % 4 == 0 ? "\r\n" : "\n";
    for (size_t n = random_between(state, 0, 30); n > 0; n--) {
        static const char *const lines[]
            = { "", "a", "b", "    a;", "}", "{", "@@ -1" };
        g_string_append(text, lines[random_between(state, 0, G_N_ELEMENTS(lines) - 1)]);
        g_string_append(text, n > 1 || random_next(state) % 3 > 0 ? newline : "");
    }
    return g_string_free(text, FALSE);
}

static GArray *draw_edits(uint64_t *state, size_t bytes)
{
    static const char *const texts[]
        = { "", "x", "x\n", "\n", "\r\n", "a\nb\n", "}\nx" };
    GArray *edits = weiri_edits_new();
    size_t begin = random_between(state, 0, MIN(bytes, 30));
    for (size_t n = random_between(state, 1, 4); n > 0 && begin <= bytes; n--) {
        size_t end = begin + random_between(state, 0, random_between(state, 0, 10));
        end = MIN(end, bytes);
        weiri_edit_add(edits, begin, end,
                       texts[random_between(state, 0, G_N_ELEMENTS(texts) - 1)]);
        begin = end + random_between(state, 0, 40);
    }
    return edits;
}

static void write_file(const char *path, const char *text, size_t bytes)
{
    /* Without a flush to the disk, which takes longer than all the rest. GLib leaves
     * the end of a longer file that is there. */
    g_unlink(path);
    ck_assert(g_file_set_contents_full(path, text, (gssize)bytes,
                                       G_FILE_SET_CONTENTS_NONE, 0644, NULL));
}

TEST(patch_makes_the_text_that_apply_makes)
{
    g_autofree char *patch = g_find_program_in_path("patch");
    if (patch == NULL) {
        return;
    }
    g_autofree char *folder = g_dir_make_tmp("weir-patch-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    g_autofree char *file = g_build_filename(folder, "a b.c", NULL);
    g_autofree char *diff_file = g_build_filename(folder, "diff", NULL);
    for (uint64_t seed = 0; seed < scaled(400, 10); seed++) {
        uint64_t state = seed;
        g_autofree char *text = draw_text(&state), *seen = NULL;
        size_t bytes = strlen(text);
        g_autoptr(GArray) edits = draw_edits(&state, bytes);
        g_autoptr(GString) diff = g_string_new(NULL);
        g_autofree char *expected = weiri_edits_apply(edits, text, bytes, NULL, NULL);
        ck_assert(weiri_edits_diff(diff, "a b.c", text, bytes, edits, NULL));
        ck_assert_int_eq(diff->len > 0, strcmp(text, expected) != 0);
        if (diff->len == 0) {
            continue;
        }
        write_file(file, text, bytes);
        write_file(diff_file, diff->str, diff->len);
        char *arguments[] = { patch,         (char *)"-p1", (char *)"-s", (char *)"-f",
                              (char *)"-F0", (char *)"-i",  diff_file,    NULL };
        int status = -1;
        g_autofree char *output = NULL;
        ck_assert(g_spawn_sync(folder, arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                               &output, NULL, &status, NULL));
        ck_assert_msg(status == 0 && output[0] == '\0', "seed %" PRIu64 ": %s\n%s",
                      seed, output, diff->str);
        /* patch(1) may remove a file that has become empty. */
        if (g_file_get_contents(file, &seen, NULL, NULL)) {
            ck_assert_msg(strcmp(seen, expected) == 0, "seed %" PRIu64 ":\n%s", seed,
                          diff->str);
        } else {
            ck_assert_str_eq(expected, "");
        }
    }
    g_unlink(file);
    g_unlink(diff_file);
    ck_assert_int_eq(g_rmdir(folder), 0); /* nothing was rejected */
}

/* ---- Choices ---------------------------------------------------------------- */

CASE("choices");

/* @old becomes @new, or @new is inserted before it where @inserted; @new is the
 * candidate's text. @chosen: the text with the choice, or NULL if the candidate cannot
 * be chosen at run time. */
static const struct {
    const char *text, *old, *new;
    bool inserted;
    const char *chosen;
} choices[] = {
    { "{ a; }", "a", "b();", true, "{ if (weiri_trial(3)) { b(); }a; }" },
    { "f(x, old);", "old", "new", false, "f(x, (weiri_trial(3) ? new : old));" },
    { "{ a += 1; }", "a += 1;", "add(&a);", false,
      "{ if (weiri_trial(3)) { add(&a); } else { a += 1; } }" },
    /* A constant of a macro, also on a later line of it. */
    { "#define N old\n", "old", "new", false, NULL },
    { "#define N \\\n    old\n", "old", "new", false, NULL },
    { "#define N 1\n    old;\n", "old", "new", false,
      "#define N 1\n    (weiri_trial(3) ? new : old);\n" },
    /* A comment would hide what comes after it on one line. */
    { "{ a // b\n + c; }", "a // b\n + c", "d", false, NULL },
    { "if (i < n)", "<", "<=", false, NULL },
    { "if (i < n)", "i < n", "i <= n", false,
      "if ((weiri_trial(3) ? i <= n : i < n))" },
    /* Half a statement. */
    { "{ a += 1; }", "a += 1;", "b", false, NULL },
    { "{ a; }", "a", "if (x)", true, NULL },
};

TEST(edits_become_a_choice_where_they_can)
{
    for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
        const char *text = choices[i].text;
        struct weiri_source *source = weiri_source_new("a.c", text, strlen(text));
        struct weiri_fix_candidate candidate
            = { .to = (char *)choices[i].new, .edits = weiri_edits_new() };
        size_t begin = (size_t)(strstr(text, choices[i].old) - text);
        size_t bytes = choices[i].inserted ? 0 : strlen(choices[i].old);
        weiri_edit_add(candidate.edits, begin, begin + bytes, choices[i].new);
        g_autoptr(GArray) edits = weiri_choice_edits(&candidate, source, 3);
        g_autofree char *chosen = edits != NULL
            ? weiri_edits_apply(edits, text, strlen(text), NULL, NULL)
            : NULL;
        ck_assert_msg(g_strcmp0(chosen, choices[i].chosen) == 0, "%zu: %s", i, chosen);
        g_array_unref(candidate.edits);
        weiri_source_free(source);
    }
}

/* Less than a barrier is chosen where the barrier stands. */
TEST(a_run_takes_less_than_is_inserted)
{
    const char text[] = "for (;;) a;";
    struct weiri_source *source = weiri_source_new("a.c", text, strlen(text));
    char *weaker[] = { (char *)"c()", NULL };
    struct weiri_fix_candidate candidate = { .kind = WEIRI_FIX_INSERT_BARRIER,
                                             .to = (char *)"b();",
                                             .edits = weiri_edits_new() };
    weiri_edit_add(candidate.edits, 9, 9, "x; b(); ");
    ck_assert_ptr_null(weiri_choice_of_weaker(&candidate, 2));
    candidate.weaker = weaker;
    g_autofree char *chosen = weiri_choice_of_weaker(&candidate, 2);
    ck_assert_str_eq(chosen, "x; if (weiri_trial(2)) { c(); } else { b(); } ");
    candidate.kind = WEIRI_FIX_STRENGTHEN_ORDER;
    ck_assert_ptr_null(weiri_choice_of_weaker(&candidate, 2));
    g_array_unref(candidate.edits);
    weiri_source_free(source);
}

/* A first size may be too small: what has found another one would be refused. */
TEST(memory_is_enlarged_by_sizes_of_the_run_and_by_no_choice)
{
    const char text[] = "f(x, N - 1);";
    struct weiri_source *source = weiri_source_new("a.c", text, strlen(text));
    struct weiri_fix_candidate candidate = { .kind = WEIRI_FIX_ENLARGE,
                                             .from = (char *)"N - 1",
                                             .to = (char *)"N",
                                             .edits = weiri_edits_new() };
    weiri_edit_add(candidate.edits, 5, 10, "N");
    ck_assert_ptr_null(weiri_choice_edits(&candidate, source, 1));
    g_autofree char *sized = weiri_choice_of_size(&candidate, 2);
    ck_assert_str_eq(sized, "((N - 1) + weiri_trial_more(2))");
    g_array_unref(candidate.edits);
    weiri_source_free(source);
}

/* Braces that come with an inserted statement change nothing where it has no effect. */
TEST(braces_stay_around_a_chosen_statement)
{
    const char text[] = "if (x) a;";
    struct weiri_source *source = weiri_source_new("a.c", text, strlen(text));
    struct weiri_fix_candidate candidate
        = { .to = (char *)"b();", .edits = weiri_edits_new() };
    weiri_edit_add(candidate.edits, 7, 7, "{ ");
    weiri_edit_add(candidate.edits, 9, 9, " b(); }");
    g_autoptr(GArray) edits = weiri_choice_edits(&candidate, source, 1);
    g_autofree char *chosen = weiri_edits_apply(edits, text, strlen(text), NULL, NULL);
    ck_assert_str_eq(chosen, "if (x) { a; if (weiri_trial(1)) { b(); } }");
    g_array_unref(candidate.edits);
    weiri_source_free(source);
}

MAIN("fix-patch")
