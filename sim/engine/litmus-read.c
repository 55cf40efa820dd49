/* SPDX-License-Identifier: MIT
 *
 * litmus-read.c: the tests that `weir litmus` is given: files, pipes and included
 * tests. */
#include "config.h"

#include "engine/litmus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A litmus test is some kilobytes of text. */
enum { MOST_BYTES = 4 << 20 };

/* Returns: (transfer full): the contents of a file, which may be a pipe and is called
 * @name in errors; or NULL */
static GString *read_file(const char *path, const char *name, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    FILE *file = fopen(path, "re");
    size_t n = 0;
    char piece[1 << 14];
    while (file != NULL && text->len <= MOST_BYTES
           && (n = fread(piece, 1, sizeof(piece), file)) > 0) {
        g_string_append_len(text, piece, (gssize)n);
    }
    bool failed = file == NULL || ferror(file);
    if (failed) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s: %s", name,
                    g_strerror(errno));
    } else if (text->len > MOST_BYTES) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "%s: more than %d MiB are too much for a litmus test", name,
                    MOST_BYTES >> 20);
        failed = true;
    }
    if (file != NULL) {
        fclose(file);
    }
    return failed ? NULL : g_steal_pointer(&text);
}

/* For a name that is not a file, and may be meant as an included test. */
static void suggest_name(const char *name, GError **error)
{
    const char *near = weiri_cli_litmus_near(name);
    if (near != NULL || strchr(name, '.') == NULL) {
        g_clear_error(error);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "'%s' is neither a file nor a test of 'weir litmus --list'%s%s%s",
                    name, near != NULL ? ": did you mean '" : "",
                    near != NULL ? near : "", near != NULL ? "'?" : "");
    }
}

struct weir_litmus *weiri_cli_litmus_read(const char *name, char **file, GError **error)
{
    const struct weiri_cli_litmus_test *known = weiri_cli_litmus_find(name);
    if (known != NULL && !g_file_test(name, G_FILE_TEST_EXISTS)) {
        *file = g_strdup_printf("%s.litmus", name);
        return weir_litmus_parse(known->text, strlen(known->text), *file, error);
    }
    bool is_input = strcmp(name, "-") == 0;
    *file = g_strdup(is_input ? "<stdin>" : name);
    GString *text = read_file(is_input ? "/dev/stdin" : name, *file, error);
    if (text == NULL) {
        if (!is_input && strchr(name, '/') == NULL
            && !g_file_test(name, G_FILE_TEST_EXISTS)) {
            suggest_name(name, error);
        }
        return NULL;
    }
    struct weir_litmus *test = weir_litmus_parse(text->str, text->len, *file, error);
    g_string_free(text, TRUE);
    return test;
}
