/* SPDX-License-Identifier: MIT
 *
 * check_trace.c: the file of a schedule: what is saved comes back as it was, and what
 * is damaged, wherever that may be, is refused with the file and the line. */
#include "logged.h"

/* ---- There and back ------------------------------------------------------ */

static const char *const values[] = {
    "word",
    "two words",
    "",
    " blanks around ",
    "tab\tand\\backslash",
    "a\nline break",
    "\n",
    "# no comment",
    "end",
    "1 2 3",
    "größer \xe2\x82\xac",
    "launch x",
    "key value",
    "trailing\\",
    "carriage\rreturn",
    "\"quoted\"",
};

CASE("files", .teardown = scratch_remove);

DEVICE_TEST(a_schedule_comes_back_from_its_file_as_it_was)
{
    struct logged logged = logged_new(device, 4 * 8 * 3, 3);
    g_autoptr(weir_schedule) schedule = recorded_new(&logged, &lose_updates, 4, 8, 1);
    struct order order = { "pct:3", 9 };
    weir_report_free(logged_run(&logged, &lose_and_diverge, 4, 8,
                                UNDER(&order, .record = schedule)));
    ck_assert_ptr_null(weir_schedule_get(schedule, "no-such-key"));
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        char key[] = { 'k', '-', (char)('a' + i), '\0' };
        weir_schedule_set(schedule, key, "another");
        weir_schedule_set(schedule, key, values[i]);
        ck_assert_str_eq(weir_schedule_get(schedule, key), values[i]);
    }
    weir_schedule_set(schedule, "gone", "value");
    weir_schedule_set(schedule, "gone", NULL);
    ck_assert_ptr_null(weir_schedule_get(schedule, "gone"));

    g_autofree char *path = scratch_path("one"), *path_again = scratch_path("two");
    save(schedule, path);
    struct weir_schedule *back = load(path);
    save(back, path_again);
    g_autofree char *text = contents(path), *text_again = contents(path_again);
    EXPECT(strcmp(text_again, text) == 0, "saved again it differs");
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        char key[] = { 'k', '-', (char)('a' + i), '\0' };
        ck_assert_ptr_nonnull(weir_schedule_get(back, key));
        ck_assert_str_eq(weir_schedule_get(back, key), values[i]);
    }
    ck_assert_ptr_null(weir_schedule_get(back, "gone"));
    ck_assert_uint_eq(weir_schedule_n_launches(back), 2);
    ck_assert_uint_eq(weir_schedule_n_switches(back),
                      weir_schedule_n_switches(schedule));
    ck_assert_uint_eq(weir_schedule_n_decisions(back),
                      weir_schedule_n_decisions(schedule));
    weir_schedule_free(back);

    struct weir_schedule *empty = weir_schedule_new(); /* an empty one, too */
    save(empty, path);
    back = load(path);
    ck_assert_uint_eq(weir_schedule_n_launches(back), 0);
    weir_schedule_free(back);
    weir_schedule_free(empty);
    weir_schedule_free(NULL);
}

/* ---- Damage -------------------------------------------------------------- */

/* Writes a file without waiting for the disk. */
static void put(const char *path, const char *text, gssize bytes)
{
    GError *error = NULL;
    g_unlink(path);
    bool done = g_file_set_contents_full(path, text, bytes, G_FILE_SET_CONTENTS_NONE,
                                         0666, &error);
    ck_assert_msg(done, "%s", error != NULL ? error->message : "?");
}

/* Refused, as an error that has the file and a line of it. */
static void expect_refused_file(const char *text, gssize bytes, const char *what,
                                bool has_lines)
{
    g_autofree char *path = scratch_path("malformed");
    put(path, text, bytes);
    g_autoptr(GError) error = NULL;
    struct weir_schedule *schedule = weir_schedule_load(path, &error);
    ck_assert_msg(schedule == NULL, "%s is accepted:\n%.300s", what, text);
    ck_assert_ptr_nonnull(error);
    const char *at = strstr(error->message, path);
    ck_assert_msg(at != NULL, "%s: no file in: %s", what, error->message);
    at += strlen(path);
    ck_assert_msg(!has_lines || (at[0] == ':' && g_ascii_isdigit(at[1])),
                  "%s: no line in: %s", what, error->message);
    ck_assert_msg(error->code == WEIR_ERROR_SCHEDULE && error->domain == WEIR_ERROR,
                  "%s: another error: %s", what, error->message);
    ck_assert_ptr_null(strchr(error->message, '\n'));
}

static void expect_malformed(const char *text, gssize bytes, const char *what)
{
    expect_refused_file(text, bytes, what, true);
}

/* A file of two launches before it is damaged, in lines. */
static char **sound_lines(void)
{
    g_autoptr(weir_device) device = device_open("default");
    struct logged logged = logged_new(device, 2 * 3 * 2, 2);
    g_autoptr(weir_schedule) schedule = recorded_new(&logged, &log_atomics, 2, 3, 4);
    struct order order = { "random", 5 };
    weir_report_free(
        logged_run(&logged, &lose_updates, 2, 3, UNDER(&order, .record = schedule)));
    weir_schedule_set(schedule, "maker", "check");
    ck_assert_uint_gt(weir_schedule_n_switches(schedule), 2);
    g_autofree char *text = saved_text(schedule);
    size_t n = strlen(text);
    ck_assert_msg(n > 0 && text[n - 1] == '\n', "the file does not end in a newline");
    text[n - 1] = '\0';
    return g_strsplit(text, "\n", 0);
}

static char *joined(char **lines)
{
    g_autofree char *text = g_strjoinv("\n", lines);
    return g_strconcat(text, "\n", NULL);
}

static bool is_comment(const char *line)
{
    return line[0] == '#' || line[0] == '\0';
}

TEST(a_truncated_file_is_refused)
{
    char **lines = sound_lines(), *text = joined(lines);
    size_t bytes = strlen(text);
    g_autofree char *path = scratch_path("sound");
    put(path, text, -1);
    weir_schedule_free(load(path));
    for (size_t n = 0; n + 1 < bytes; n++) { /* but for the last newline */
        bool at_line = n == 0 || text[n - 1] == '\n' || text[n] == '\n';
        if (!at_line && n % 5 != 0) {
            continue;
        }
        g_autofree char *what
            = g_strdup_printf("a file cut after %zu of %zu bytes", n, bytes);
        expect_malformed(text, (gssize)n, what);
    }
    g_free(text);
    g_strfreev(lines);
}

TEST(a_file_with_a_line_too_many_or_too_few_is_refused)
{
    char **lines = sound_lines();
    size_t n = g_strv_length(lines);
    for (size_t i = 0; i < n; i++) {
        if (is_comment(lines[i])) {
            continue;
        }
        GPtrArray *twice = g_ptr_array_new();
        for (size_t j = 0; j < n; j++) {
            g_ptr_array_add(twice, lines[j]);
            if (j == i) {
                g_ptr_array_add(twice, lines[j]);
            }
        }
        g_ptr_array_add(twice, NULL);
        char *text = joined((char **)twice->pdata);
        char *what
            = g_strdup_printf("a file with line %zu twice, '%s',", i + 1, lines[i]);
        expect_malformed(text, -1, what);
        g_free(what);
        g_free(text);
        g_ptr_array_free(twice, TRUE);

        char *line = lines[i]; /* and with a line of no known kind */
        lines[i] = g_strconcat("rubbish 1 2 3\n", line, NULL);
        text = joined(lines);
        expect_malformed(text, -1, "a file with rubbish in it");
        g_free(text);
        g_free(lines[i]);
        lines[i] = line;
    }
    g_strfreev(lines);
}

/* GLib, which reads escapes, warns of such texts, and would end this process. */
TEST(a_text_that_ends_in_a_lone_backslash_is_refused)
{
    char **lines = sound_lines();
    size_t n = g_strv_length(lines), n_tried = 0;
    g_log_set_always_fatal((GLogLevelFlags)(G_LOG_FATAL_MASK | G_LOG_LEVEL_WARNING));
    for (size_t i = 0; i < n; i++) {
        if (is_comment(lines[i]) || strstr(lines[i], ": ") == NULL
            || g_str_has_prefix(lines[i], "launch")) {
            continue;
        }
        char *line = lines[i];
        static const char *const ends[] = { "\\", "\\\\\\", "  \\  " };
        for (size_t k = 0; k < G_N_ELEMENTS(ends); k++, n_tried++) {
            lines[i] = g_strconcat(line, ends[k], NULL);
            g_autofree char *text = joined(lines);
            expect_malformed(text, -1, lines[i]);
            g_free(lines[i]);
        }
        lines[i] = line;
    }
    ck_assert_uint_ge(n_tried, 20);
    g_strfreev(lines);

    lines = sound_lines(); /* two are one of the text's own */
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (strcmp(lines[i], "maker: check") == 0) {
            g_free(lines[i]);
            lines[i] = g_strdup("maker: check\\\\");
        }
    }
    g_autofree char *text = joined(lines), *path = scratch_path("escaped");
    put(path, text, -1);
    g_autoptr(weir_schedule) schedule = load(path);
    ck_assert_str_eq(weir_schedule_get(schedule, "maker"), "check\\");
    g_strfreev(lines);
}

/* The first switch takes the place of the second: all counts are right, no order. */
TEST(two_switches_at_one_step_are_refused)
{
    char **lines = sound_lines();
    for (size_t i = 0; lines[i + 1] != NULL; i++) {
        if (strstr(lines[i], " -> ") != NULL && strstr(lines[i + 1], " -> ") != NULL) {
            g_free(lines[i + 1]);
            lines[i + 1] = g_strdup(lines[i]);
            break;
        }
    }
    g_autofree char *text = joined(lines);
    expect_malformed(text, -1, "two switches at one step");
    g_strfreev(lines);
}

TEST(numbers_out_of_all_bounds_are_refused)
{
    static const char *const numbers[] = { "99999999999999999999999999999999",
                                           "-1",
                                           "18446744073709551616",
                                           "1e3",
                                           "0x10",
                                           "" };
    char **lines = sound_lines();
    size_t n = g_strv_length(lines), n_tried = 0;
    for (size_t i = 0; i < n; i++) {
        /* Entries hold any text, kernels' names no lone number. */
        if (is_comment(lines[i]) || strstr(lines[i], "maker") != NULL) {
            continue;
        }
        char *line = lines[i];
        for (size_t at = 0; line[at] != '\0'; at++) {
            if (!g_ascii_isdigit(line[at])
                || (at > 0 && !g_ascii_isspace(line[at - 1]))) {
                continue;
            }
            size_t end = at;
            while (g_ascii_isdigit(line[end])) {
                end++;
            }
            for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
                lines[i] = g_strdup_printf("%.*s%s%s", (int)at, line, numbers[k],
                                           line + end);
                char *text = joined(lines);
                char *what = g_strdup_printf("'%s' for '%s'", lines[i], line);
                expect_malformed(text, -1, what);
                g_free(what);
                g_free(text);
                g_free(lines[i]);
                n_tried++;
            }
            lines[i] = line;
        }
    }
    ck_assert_uint_ge(n_tried, 20);
    g_strfreev(lines);
}

TEST(files_that_are_no_schedules_are_refused)
{
    static const char *const texts[] = { "", "\n", "hello\n", "{}\n", "0\n" };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        expect_malformed(texts[i], -1, "a file that is no schedule");
    }
    static const char *const no_texts[]
        = { "\x7f\x45\x4c\x46\x02\x01", "\xff\xfe\xfd\n" };
    for (size_t i = 0; i < G_N_ELEMENTS(no_texts); i++) {
        expect_refused_file(no_texts[i], -1, "a file that is no text", false);
    }
    expect_refused_file("\0\0\0\0\n", 5, "a file of zeros", false);
    g_autofree char *long_line = g_strnfill(1 << 20, 'x');
    expect_malformed(long_line, -1, "a megabyte without a newline");

    char **lines = sound_lines(); /* a version of the future */
    char *digit = lines[0];
    while (*digit != '\0' && !g_ascii_isdigit(*digit)) {
        digit++;
    }
    ck_assert_msg(*digit != '\0', "the first line has no version: %s", lines[0]);
    *digit = '9';
    g_autofree char *text = joined(lines);
    expect_malformed(text, -1, "version 9");
    g_strfreev(lines);

    GError *error = NULL;
    g_autofree char *path = scratch_path("no-such-file");
    ck_assert_ptr_null(weir_schedule_load(path, &error));
    expect_error(error, WEIR_ERROR_SCHEDULE, "no-such-file");
    error = NULL;
    g_autoptr(weir_schedule) empty = weir_schedule_new();
    ck_assert(!weir_schedule_save(empty, "/no/such/folder/file", &error));
    expect_error(error, WEIR_ERROR_SCHEDULE, "/no/such/folder/file");
}

/* Refused, or followed as far as it makes sense: neither a crash nor a hang. */
DEVICE_TEST(damaged_files_do_no_harm)
{
    char **lines = sound_lines(), *text = joined(lines);
    size_t bytes = strlen(text), n_refused = 0, n_parted = 0,
           n_rounds = scaled(3000, 30);
    struct logged logged = logged_new(device, 2 * 3 * 2, 2);
    g_autofree char *path = scratch_path("damaged");
    uint64_t random = 7;
    for (size_t round = 0; round < n_rounds; round++) {
        g_autofree char *damaged = g_strdup(text);
        for (size_t k = 0; k <= round % 3; k++) {
            static const char bytes_of_files[] = "0123456789 \n:-abcx#";
            damaged[random_between(&random, 0, bytes - 1)]
                = bytes_of_files[random_between(&random, 0,
                                                sizeof(bytes_of_files) - 2)];
        }
        put(path, damaged, -1);
        GError *error = NULL;
        struct weir_schedule *schedule = weir_schedule_load(path, &error);
        if (schedule == NULL) {
            n_refused++;
            expect_error(error, WEIR_ERROR_SCHEDULE, "damaged");
        } else {
            struct weir_report *report = NULL;
            logged_reset(&logged);
            if (weir_launch_with(
                    logged.device, &log_atomics, weir_nd_range_1d(6, 3), &logged.args,
                    (&(struct weir_launch_options){ .replay = schedule,
                                                    .loosely = round % 2 == 0,
                                                    .step_limit = 1000 }),
                    &report, &error)) {
                ck_assert_uint_eq(*logged.args.next, 12);
                weir_report_free(report);
            } else {
                n_parted++;
                expect_error(error, WEIR_ERROR_SCHEDULE, " ");
            }
            weir_schedule_free(schedule);
        }
    }
    ck_assert_uint_ge(n_refused + n_parted, n_rounds / 10);
    ck_assert_uint_ge(n_refused, n_rounds / 20);
    g_free(text);
    g_strfreev(lines);
}

MAIN("trace")
