/* SPDX-License-Identifier: MIT
 *
 * common.c: functions that the commands share; see cli.h.
 *
 * A command builds its whole output before it writes any of it, so that one
 * place sees whether it could be written, and a command that fails half-way
 * prints no half of a document.
 *
 * Options are taken as bytes (%G_OPTION_ARG_FILENAME) and read here: GLib's own
 * reading of numbers knows no 2^24, and its messages name no remedy. The locale
 * is never set, so that numbers have a point in every output. */
#include "config.h"

#include "cli/cli.h"
#include "cli/clock.h"
#include "cli/own.h"

#include "base/file.h"
#include "cli/complete.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Saying ---------------------------------------------------------------------- */

void weiri_cli_progress(const char *text)
{
    static bool shown;
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    /* To the line's start and, with "erase in line", clear to its end. */
    if (shown || text != NULL) {
        fprintf(stderr, "\r\033[K%s", text != NULL ? text : "");
        fflush(stderr);
    }
    shown = text != NULL;
}

int weiri_cli_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    /* The user's text may hold a newline, and a complaint is one line. */
    for (char *at = text; *at != '\0'; at++) {
        *at = g_ascii_iscntrl(*at) ? '?' : *at;
    }
    weiri_cli_progress(NULL);
    fprintf(stderr, "%s: %s\n", g_get_prgname(), text);
    return WEIRI_CLI_USAGE;
}

char *weiri_cli_numbered_file(const char *file, guint number)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    size_t stem = dot == NULL || (slash != NULL && dot < slash) ? strlen(file)
                                                                : (size_t)(dot - file);
    return number == 0
        ? g_strdup(file)
        : g_strdup_printf("%.*s-%u%s", (int)stem, file, number + 1, file + stem);
}

char *weiri_cli_tool(const char *name)
{
    g_autofree char *own = weiri_cli_own();
    g_autofree char *folder = own != NULL ? g_path_get_dirname(own) : g_strdup(".");
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer(&path)
                                                        : g_strdup(name);
}

bool weiri_cli_write_file(const char *option, const char *path, const char *text)
{
    g_autoptr(GError) error = NULL;
    if (!weiri_file_write(path, text, &error)) {
        weiri_cli_complain("%s: %s", option, error->message);
        return false;
    }
    return true;
}

int weiri_cli_take_error(GError *error)
{
    weiri_cli_complain("%s", error->message);
    g_error_free(error);
    return WEIRI_CLI_USAGE;
}

bool weiri_cli_has_device(const char *profile)
{
    GError *error = NULL;
    weir_device_free(profile != NULL ? weir_device_new(profile, &error) : NULL);
    if (error != NULL) {
        g_prefix_error(&error, "--device: ");
        weiri_cli_take_error(error);
        return false;
    }
    return true;
}

int weiri_cli_finish(char *text, int status)
{
    weiri_cli_progress(NULL);
    errno = 0;
    bool written = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    g_free(text);
    if (!written) {
        return weiri_cli_complain("standard output: %s", g_strerror(errno));
    }
    return status;
}

/* ---- Reading the command line ---------------------------------------------------- */

bool weiri_cli_parse(const GOptionEntry *entries, const char *synopsis,
                     const char *summary, const char *epilogue, int *argc, char ***argv,
                     int *status)
{
    char *completions = weiri_complete_answer(entries, synopsis);
    if (completions != NULL) {
        *status = weiri_cli_finish(completions, WEIRI_CLI_CLEAN);
        return false;
    }
    gboolean help = FALSE;
    const GOptionEntry help_entry[] = {
        { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL },
        { 0 },
    };
    g_autoptr(GOptionContext) context = g_option_context_new(synopsis);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, epilogue);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, help_entry, NULL);
    g_autoptr(GError) error = NULL;
    if (!g_option_context_parse(context, argc, argv, &error)) {
        error->message[0] = g_ascii_tolower(error->message[0]);
        *status = weiri_cli_complain("%s: '%s --help' says more", error->message,
                                     g_get_prgname());
        return false;
    }
    if (help) {
        *status = weiri_cli_finish(g_option_context_get_help(context, TRUE, NULL),
                                   WEIRI_CLI_CLEAN);
        return false;
    }
    if (*argc > 1 && strcmp((*argv)[1], "--") == 0) {
        (*argc)--;
        memmove(*argv + 1, *argv + 2, (size_t)*argc * sizeof(**argv));
    }
    return true;
}

static const struct {
    const char *name;
    uint64_t factor;
} suffixes[] = {
    { "Ki", 1ull << 10 }, { "Mi", 1ull << 20 }, { "Gi", 1ull << 30 }, { "k", 1000 },
    { "K", 1000 },        { "M", 1000 * 1000 }, { "G", 1000000000 },
};

/* Reads digits at *@at, and goes past them. */
static bool parse_digits(const char **at, uint64_t *value, bool *overflow)
{
    const char *start = *at;
    *value = 0;
    for (; g_ascii_isdigit(**at); (*at)++) {
        *overflow |= __builtin_mul_overflow(*value, 10, value);
        *overflow |= __builtin_add_overflow(*value, **at - '0', value);
    }
    return *at > start;
}

/* Reads "16", "2^24" or "64Mi" at *@at, and goes past it. */
static bool parse_term(const char **at, uint64_t *value, bool *overflow)
{
    if (!parse_digits(at, value, overflow)) {
        return false;
    }
    if (**at == '^') {
        uint64_t base = *value, exponent;
        (*at)++;
        if (!parse_digits(at, &exponent, overflow)) {
            return false;
        }
        *value = 1;
        /* Beyond 64 a power is an overflow already, or it is of 0 or 1. */
        for (uint64_t i = 0; i < MIN(exponent, 64); i++) {
            *overflow |= __builtin_mul_overflow(*value, base, value);
        }
        return true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        if (g_str_has_prefix(*at, suffixes[i].name)) {
            *at += strlen(suffixes[i].name);
            *overflow |= __builtin_mul_overflow(*value, suffixes[i].factor, value);
            break;
        }
    }
    return true;
}

/* Terms joined by '+' and '-', from left to right. */
static bool parse_sum(const char *text, uint64_t *value, bool *overflow)
{
    const char *at = text;
    *overflow = false;
    if (!parse_term(&at, value, overflow)) {
        return false;
    }
    while (*at == '+' || *at == '-') {
        bool minus = *at++ == '-';
        uint64_t term;
        if (!parse_term(&at, &term, overflow)) {
            return false;
        }
        *overflow |= minus ? __builtin_sub_overflow(*value, term, value)
                           : __builtin_add_overflow(*value, term, value);
    }
    return *at == '\0';
}

char **weiri_cli_take_program(int *argc, char **argv, char ***program)
{
    int own = 1;
    while (own < *argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    *program = own < *argc ? argv + own + 1 : NULL;
    own = MIN(own, *argc);
    char **words = g_new0(char *, own + 1);
    memcpy(words, argv, (size_t)own * sizeof(*words));
    *argc = own;
    return words;
}

bool weiri_cli_number(const char *option, const char *what, const char *text,
                      uint64_t least, uint64_t most, uint64_t *value)
{
    if (text == NULL) {
        return true;
    }
    uint64_t number;
    bool overflow;
    if (!parse_sum(text, &number, &overflow)) {
        weiri_cli_complain("%s: '%s' is not a number of %s: give %s", option, text,
                           what,
                           most < 10000 ? "a plain number"
                                        : "a number such as 1000, 10M, 64Ki or 2^24+5");
        return false;
    }
    if (overflow || number < least || number > most) {
        if (most == UINT64_MAX) {
            weiri_cli_complain("%s: '%s' is out of range: give %" PRIu64 " or more %s, "
                               "and less than 2^64",
                               option, text, least, what);
        } else {
            weiri_cli_complain("%s: '%s' is out of range: give %" PRIu64 " to %" PRIu64
                               " %s",
                               option, text, least, most, what);
        }
        return false;
    }
    *value = number;
    return true;
}

bool weiri_cli_seconds(const char *option, const char *text, double *seconds)
{
    enum { MOST_S = 10 * 1000 * 1000 };
    if (text == NULL) {
        return true;
    }
    char *end;
    *seconds = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds > 0 && *seconds <= MOST_S)) {
        weiri_cli_complain("%s: '%s' is not a time: give seconds, such as 10 or 0.5",
                           option, text);
        return false;
    }
    return true;
}

bool weiri_cli_read_time_limit(const char *text, struct weiri_cli_limit *limit)
{
    double seconds = 60;
    if (!weiri_cli_seconds("--time-limit", text, &seconds)) {
        return false;
    }
    limit->seconds = seconds;
    limit->deadline_us = weiri_cli_clock_us() + (int64_t)(seconds * G_USEC_PER_SEC);
    return true;
}

uint64_t weiri_cli_left_ms(const struct weiri_cli_limit *limit)
{
    int64_t left_us = limit->deadline_us - weiri_cli_clock_us();
    return limit->deadline_us == 0 ? 0 : (uint64_t)MAX(left_us / 1000, 1);
}

char *weiri_cli_why_ended(const char *reason, const struct weiri_cli_limit *limit)
{
    /* Launches count whole milliseconds, and may end that much before the deadline. */
    enum { EARLY_US = 5000 };
    bool over = limit->deadline_us != 0
        && weiri_cli_clock_us() + EARLY_US >= limit->deadline_us;
    return over ? g_strdup_printf("%s; the command's own limit is %g second%s", reason,
                                  limit->seconds, limit->seconds == 1 ? "" : "s")
                : g_strdup(reason);
}

/* ---- Names ----------------------------------------------------------------------- */

size_t weiri_cli_distance(const char *a, const char *b)
{
    size_t n = strlen(b);
    g_autofree size_t *row = g_new(size_t, n + 1);
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = MIN(replaced, MIN(row[j], diagonal) + 1);
        }
    }
    return row[n];
}

/* The less the nearer; a part of the name is nearer than anything misspelt. */
static size_t remoteness(const char *given, const char *name)
{
    return strlen(given) > 2 && strstr(name, given) != NULL
        ? 0
        : weiri_cli_distance(given, name);
}

bool weiri_cli_can_write(const char *option, const char *path)
{
    if (path == NULL) {
        return true;
    }
    g_autofree char *folder = g_path_get_dirname(path);
    int why = g_file_test(path, G_FILE_TEST_IS_DIR)                   ? EISDIR
        : access(folder, W_OK | X_OK) == 0 || access(path, W_OK) == 0 ? 0
                                                                      : errno;
    why = why == 0 && !g_file_test(folder, G_FILE_TEST_IS_DIR) ? ENOTDIR : why;
    if (why != 0) {
        weiri_cli_complain("%s: '%s' cannot be written: %s", option, path,
                           g_strerror(why));
    }
    return why == 0;
}

bool weiri_cli_has_no_weir(const char *program)
{
    /* Texts of every program that is linked with Weir, or makes launches by OpenCL. */
    static const char *const texts[] = { "WEIR_OPTIONS", "libOpenCL" };
    g_autoptr(GMappedFile) file = strchr(program, '/') != NULL
        ? g_mapped_file_new(program, FALSE, NULL)
        : NULL; /* found in PATH: a shell, or an interpreter */
    const char *bytes = file != NULL ? g_mapped_file_get_contents(file) : NULL;
    size_t n = bytes != NULL ? g_mapped_file_get_length(file) : 0;
    bool has = n < 4 || memcmp(bytes, "\177ELF", 4) != 0;
    for (size_t i = 0; !has && i < G_N_ELEMENTS(texts); i++) {
        has = memmem(bytes, n, texts[i], strlen(texts[i])) != NULL;
    }
    return !has;
}

bool weiri_cli_is_source(const char *name)
{
    static const char *const ends[] = { ".c", ".cc", ".cpp", ".cxx", ".C" };
    bool is_source = false;
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        is_source |= g_str_has_suffix(name, ends[i]);
    }
    return is_source && kernel_find(name) == NULL
        && g_file_test(name, G_FILE_TEST_IS_REGULAR);
}

void weiri_cli_complain_of_source(const char *name)
{
    g_autofree char *program = g_path_get_basename(name);
    *strrchr(program, '.') = '\0';
    weiri_cli_complain(
        "'%s' is a source file, not a kernel: compile it, %s -g %s -o %s, and give the "
        "program, -- ./%s",
        name, g_str_has_suffix(name, ".c") ? "weir-cc" : "weir-c++", name, program,
        program);
}

static void complain_of_kernel(const char *given)
{
    if (weiri_cli_is_source(given)) {
        weiri_cli_complain_of_source(given);
        return;
    }
    enum { SHOWN = 3 };
    g_autoptr(GString) names = g_string_new(NULL);
    size_t length = strlen(given);
    /* A third of the letters wrong is a slip; more is another name. */
    size_t limit = MAX(length / 3, 2), shown = 0;
    for (size_t remote = 0; remote <= limit && shown < SHOWN; remote++) {
        for (size_t i = 0; kernel_rows[i] != NULL && shown < SHOWN; i++) {
            if (remoteness(given, kernel_rows[i]->name) == remote) {
                g_string_append_printf(names, "%s%s", shown > 0 ? ", " : "",
                                       kernel_rows[i]->name);
                shown++;
            }
        }
    }
    if (shown > 0) {
        weiri_cli_complain(
            "unknown kernel '%s': did you mean %s? 'weir list' shows all", given,
            names->str);
    } else {
        weiri_cli_complain("unknown kernel '%s': 'weir list' shows all", given);
    }
}

GPtrArray *weiri_cli_find_kernels(char *const *names)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    for (size_t i = 0; names[i] != NULL; i++) {
        const struct kernel_row *row = kernel_find(names[i]);
        if (row == NULL) {
            complain_of_kernel(names[i]);
            return NULL;
        }
        g_ptr_array_add(rows, (void *)row);
    }
    return g_steal_pointer(&rows);
}

/* ---- Tables ---------------------------------------------------------------------- */

struct weiri_cli_table {
    char *columns;    /* owned */
    GPtrArray *cells; /* of char *, owned, row by row */
};

struct weiri_cli_table *weiri_cli_table_new(const char *columns)
{
    struct weiri_cli_table *table = g_new(struct weiri_cli_table, 1);
    table->columns = g_strdup(columns);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void weiri_cli_table_add(struct weiri_cli_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    for (char *cell = text, *next; cell != NULL; cell = next) {
        next = strchr(cell, '\t');
        if (next != NULL) {
            *next++ = '\0';
        }
        g_ptr_array_add(table->cells, g_strdup(cell));
    }
}

static void free_table(struct weiri_cli_table *table)
{
    g_ptr_array_unref(table->cells);
    g_free(table->columns);
    g_free(table);
}

static void add_spaces(GString *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_string_append_c(out, ' ');
    }
}

static void trim_line(GString *out)
{
    while (out->len > 0 && out->str[out->len - 1] == ' ') {
        g_string_truncate(out, out->len - 1);
    }
    g_string_append_c(out, '\n');
}

void weiri_cli_table_take_text(struct weiri_cli_table *table, GString *out)
{
    size_t n = strlen(table->columns), cells = table->cells->len;
    g_autofree size_t *widths = g_new0(size_t, n);
    g_autofree size_t *heights = g_new0(size_t, cells / n);
    g_autofree char ***lines = g_new(char **, cells);
    for (size_t i = 0; i < cells; i++) {
        lines[i] = g_strsplit(g_ptr_array_index(table->cells, i), "\n", -1);
        for (size_t j = 0; lines[i][j] != NULL; j++) {
            widths[i % n] = MAX(widths[i % n], (size_t)g_utf8_strlen(lines[i][j], -1));
            heights[i / n] = MAX(heights[i / n], j + 1);
        }
    }
    for (size_t row = 0; row < cells / n; row++) {
        for (size_t line = 0; line < heights[row]; line++) {
            for (size_t column = 0; column < n; column++) {
                char **of_cell = lines[row * n + column];
                /* Headings of fewer lines lie at the bottom, next to the column. */
                size_t count = g_strv_length(of_cell);
                size_t at = row == 0 ? line + count - heights[row] : line;
                const char *text = at < count ? of_cell[at] : "";
                size_t space = widths[column] - (size_t)g_utf8_strlen(text, -1);
                bool right = table->columns[column] == 'r';
                add_spaces(out, (column > 0 ? 2 : 0) + (right ? space : 0));
                g_string_append(out, text);
                add_spaces(out, right ? 0 : space);
            }
            trim_line(out);
        }
    }
    for (size_t i = 0; i < cells; i++) {
        g_strfreev(lines[i]);
    }
    free_table(table);
}

void weiri_cli_table_take_csv(struct weiri_cli_table *table, GString *out)
{
    size_t n = strlen(table->columns);
    for (size_t i = 0; i < table->cells->len; i++) {
        const char *cell = g_ptr_array_index(table->cells, i);
        if (strpbrk(cell, ",\"\r\n") == NULL) {
            g_string_append(out, cell);
        } else {
            g_string_append_c(out, '"');
            for (; *cell != '\0'; cell++) {
                g_string_append_printf(out, *cell == '"' ? "\"\"" : "%c", *cell);
            }
            g_string_append_c(out, '"');
        }
        g_string_append(out, i % n == n - 1 ? "\r\n" : ",");
    }
    free_table(table);
}
