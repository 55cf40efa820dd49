/* SPDX-License-Identifier: MIT
 *
 * litmus-list.c: the litmus tests that `weir litmus` includes: --list and --show. A
 * name that is not known is compared with all names in one spelling, first as the
 * beginning of a name, then by the number of letters that differ, so that a mistake
 * gets a suggestion. */
#include "config.h"

#include "engine/litmus.h"

#include <string.h>

const struct weiri_cli_litmus_test *weiri_cli_litmus_find(const char *name)
{
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    while (test->name != NULL && strcmp(test->name, name) != 0) {
        test++;
    }
    return test->name != NULL ? test : NULL;
}

/* ---- Names that are nearly one --------------------------------------------------- */

/* Returns: (transfer full): the name in lower case with one kind of separator:
 * "MP+rel.litmus" becomes "mp-rel" */
static char *plain_name(const char *name)
{
    static const char ending[] = "-litmus";
    char *plain = g_strdelimit(g_ascii_strdown(name, -1), "+_. ", '-');
    if (g_str_has_suffix(plain, ending)) {
        plain[strlen(plain) - strlen(ending)] = '\0';
    }
    return plain;
}

/* The test of that name, or the first one whose name begins with it. */
static const char *find_family(const char *plain)
{
    const char *first = NULL;
    size_t length = strlen(plain);
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    for (; test->name != NULL; test++) {
        g_autofree char *name = plain_name(test->name);
        if (strcmp(name, plain) == 0) {
            return test->name;
        }
        if (first == NULL && g_str_has_prefix(name, plain) && name[length] == '-') {
            first = test->name;
        }
    }
    return first;
}

/* The test whose name differs in the fewest letters; NULL if too many differ. */
static const char *find_misspelt(const char *plain)
{
    /* More differences make another name, and so does half of a short name. */
    size_t least = MIN(2, strlen(plain) / 2) + 1;
    const char *nearest = NULL;
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    for (; test->name != NULL; test++) {
        g_autofree char *name = plain_name(test->name);
        size_t distance = weiri_cli_distance(plain, name);
        if (distance < least) {
            least = distance;
            nearest = test->name;
        }
    }
    return nearest;
}

const char *weiri_cli_litmus_near(const char *given)
{
    g_autofree char *plain = plain_name(given);
    const char *near = find_family(plain);
    if (near == NULL) {
        near = find_misspelt(plain);
    }
    /* If only mp of mp-rel-acq is known: drops parts from the end. */
    for (char *end; near == NULL && (end = strrchr(plain, '-')) != NULL;) {
        *end = '\0';
        near = find_family(plain);
    }
    return near;
}

/* ---- The list -------------------------------------------------------------------- */

/* Returns: (transfer full): the text in lines of at most @width columns */
static char *broken_at(const char *text, size_t width)
{
    GString *out = g_string_new(NULL);
    size_t column = 0;
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t length = (size_t)g_utf8_strlen(words[i], -1);
        bool fits = column == 0 || column + 1 + length <= width;
        if (i > 0) {
            g_string_append_c(out, fits ? ' ' : '\n');
        }
        column = (fits && i > 0 ? column + 1 : 0) + length;
        g_string_append(out, words[i]);
    }
    return g_string_free(out, FALSE);
}

/* A row for each family, and its tests below it, in lines of 80 columns. */
static char *to_text(void)
{
    enum { COLUMNS = 80, INDENT = 2, GAP = 2 };
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("ll");
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    size_t names = 0;
    for (; test->name != NULL; test++) {
        names = MAX(names, strlen(test->name));
    }
    weiri_cli_table_add(table, "test\twhat it teaches");
    const char *family = "";
    for (test = weiri_cli_litmus_tests; test->name != NULL; test++) {
        if (strcmp(test->family, family) != 0) {
            family = test->family;
            weiri_cli_table_add(table, "\n%s\t", family);
        }
        g_autofree char *summary
            = broken_at(test->summary, COLUMNS - INDENT - names - GAP);
        weiri_cli_table_add(table, "%*s%s\t%s", INDENT, "", test->name, summary);
    }
    weiri_cli_table_take_text(table, out);
    g_string_append(out,
                    "\n'weir litmus NAME' answers one, 'weir litmus --show NAME' "
                    "prints it.\n");
    return g_string_free(out, FALSE);
}

/* {sc: "Never", ...}, of "sc Never, rc11 Sometimes". */
static void add_expected(JsonBuilder *builder, const char *expect)
{
    weiri_json_object(builder, "expect");
    g_auto(GStrv) models = g_strsplit(expect, ",", -1);
    for (size_t i = 0; models[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit(g_strstrip(models[i]), " ", 2);
        if (g_strv_length(words) == 2) {
            weiri_json_text(builder, words[0], g_strstrip(words[1]));
        }
    }
    json_builder_end_object(builder);
}

/* ["rc11", "sycl"], of "rc11, sycl"; [] of "none". */
static void add_races(JsonBuilder *builder, const char *race)
{
    weiri_json_array(builder, "races_under");
    g_auto(GStrv) models = g_strsplit(race, ",", -1);
    for (size_t i = 0; models[i] != NULL && strcmp(race, "none") != 0; i++) {
        json_builder_add_string_value(builder, g_strstrip(models[i]));
    }
    json_builder_end_array(builder);
}

/* An array of {name, family, summary, expect, races_under}. */
static char *to_json(void)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    for (; test->name != NULL; test++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "name", test->name);
        weiri_json_text(builder, "family", test->family);
        weiri_json_text(builder, "summary", test->summary);
        add_expected(builder, test->expect);
        add_races(builder, test->race);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_json_take(builder);
}

int weiri_cli_litmus_list(bool json)
{
    return weiri_cli_finish(json ? to_json() : to_text(), WEIRI_CLI_CLEAN);
}

int weiri_cli_litmus_show(const char *name)
{
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_find(name);
    if (test == NULL) {
        const char *near = weiri_cli_litmus_near(name);
        return weiri_cli_complain("--show: unknown test '%s': %s%s%s'weir litmus "
                                  "--list' shows all",
                                  name, near != NULL ? "did you mean '" : "",
                                  near != NULL ? near : "", near != NULL ? "'? " : "");
    }
    return weiri_cli_finish(g_strdup(test->text), WEIRI_CLI_CLEAN);
}
