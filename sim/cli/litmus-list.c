/* SPDX-License-Identifier: MIT
 *
 * litmus-list.c: the litmus tests that `weir litmus` brings along: --list and
 * --show. */
#include "config.h"

#include "cli/litmus.h"

#include <string.h>

const struct weiri_cli_litmus_test *weiri_cli_litmus_find(const char *name)
{
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    while (test->name != NULL && strcmp(test->name, name) != 0) {
        test++;
    }
    return test->name != NULL ? test : NULL;
}

static char *to_text(void)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("ll");
    weiri_cli_table_add(table, "test");
    weiri_cli_table_add(table, "what it teaches");
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    for (; test->name != NULL; test++) {
        weiri_cli_table_add(table, "%s", test->name);
        weiri_cli_table_add(table, "%s", test->summary);
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
    json_builder_set_member_name(builder, "expect");
    json_builder_begin_object(builder);
    g_auto(GStrv) models = g_strsplit(expect, ",", -1);
    for (size_t i = 0; models[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit(g_strstrip(models[i]), " ", 2);
        if (g_strv_length(words) == 2) {
            weiri_report_add_text(builder, words[0], g_strstrip(words[1]));
        }
    }
    json_builder_end_object(builder);
}

/* An array of {name, summary, expect}. */
static char *to_json(void)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_tests;
    for (; test->name != NULL; test++) {
        json_builder_begin_object(builder);
        weiri_report_add_text(builder, "name", test->name);
        weiri_report_add_text(builder, "summary", test->summary);
        add_expected(builder, test->expect);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_cli_json_take(builder);
}

int weiri_cli_litmus_list(bool json)
{
    return weiri_cli_finish(json ? to_json() : to_text(), WEIRI_CLI_CLEAN);
}

int weiri_cli_litmus_show(const char *name)
{
    const struct weiri_cli_litmus_test *test = weiri_cli_litmus_find(name);
    if (test == NULL) {
        return weiri_cli_complain("--show: there is no test '%s': 'weir litmus --list' "
                                  "shows all",
                                  name);
    }
    return weiri_cli_finish(g_strdup(test->text), WEIRI_CLI_CLEAN);
}
