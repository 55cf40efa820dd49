/* SPDX-License-Identifier: MIT
 *
 * explore-progress.c: see explore-progress.h.
 *
 *     terminates under fair: yes
 *     terminates under hsa: no
 *       item 0 of group 0  spins at line 12: it reads lock[0] = 1 again and again
 *       item 0 of group 1  would write lock[0] = 0 at line 15, but need not run */
#include "config.h"

#include "cmd/explore-progress.h"

#include "cli/cli.h"
#include "weir-model.h"

#include <string.h>

bool weiri_cli_read_forwards(const char *text, const char *by,
                             struct weir_launch_options *options)
{
    enum weir_forward forward;
    g_autoptr(GError) error = NULL;
    if (by != NULL && text == NULL) {
        weiri_cli_complain("--progress-by needs --progress, which is missing");
        return false;
    }
    if (by != NULL && strcmp(by, "item") != 0 && strcmp(by, "group") != 0) {
        weiri_cli_complain("--progress-by: '%s': give item or group", by);
        return false;
    }
    options->forwards_by_group = g_strcmp0(by, "group") == 0;
    if (text == NULL) {
        return true;
    }
    if (strcmp(text, "all") == 0) {
        options->forwards = (1U << WEIR_N_FORWARDS) - 1;
        return true;
    }
    if (!weir_forward_find(text, &forward, &error)) {
        weiri_cli_complain("--progress: %s, or all", error->message);
        return false;
    }
    options->forwards = 1U << forward;
    return true;
}

static void add_stands(GString *out, const struct weir_explored_termination *one)
{
    int width = 0;
    for (size_t i = 0; i < one->n_stands; i++) {
        width = MAX(width, (int)strlen(one->stands[i].name));
    }
    for (size_t i = 0; i < one->n_stands; i++) {
        g_string_append_printf(out, "  %-*s  %s\n", width, one->stands[i].name,
                               one->stands[i].text);
    }
}

void weiri_cli_add_terminations(GString *out, const struct weir_exploration *found)
{
    for (size_t i = 0; i < found->n_terminations; i++) {
        const struct weir_explored_termination *one = &found->terminations[i];
        const char *answer = !one->decided ? "not known: "
            : one->terminates              ? "yes"
            : one->weak                    ? "no, by an execution that is not "
                                             "sequentially consistent: see above"
                                           : "no";
        g_string_append_printf(out, "terminates under %s: %s%s\n", one->forward, answer,
                               one->decided ? "" : one->undecided);
        add_stands(out, one);
    }
}

static void json_stands(JsonBuilder *builder,
                        const struct weir_explored_termination *one)
{
    weiri_json_array(builder, "waits");
    for (size_t i = 0; i < one->n_stands; i++) {
        const struct weir_explored_stand *stand = &one->stands[i];
        weiri_json_object(builder, NULL);
        weiri_json_text(builder, "item", stand->name);
        weiri_json_text(builder, "end", stand->state);
        weiri_json_text(builder, "text", stand->text);
        weiri_json_text(builder, "file", stand->file);
        if (stand->line != 0) {
            weiri_json_int(builder, "line", stand->line);
        } else {
            weiri_json_null(builder, "line");
        }
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

void weiri_cli_json_terminations(JsonBuilder *builder,
                                 const struct weir_exploration *found)
{
    weiri_json_array(builder, "progress");
    for (size_t i = 0; i < found->n_terminations; i++) {
        const struct weir_explored_termination *one = &found->terminations[i];
        weiri_json_object(builder, NULL);
        weiri_json_text(builder, "progress", one->forward);
        if (one->decided) {
            weiri_json_bool(builder, "terminates", one->terminates);
        } else {
            weiri_json_null(builder, "terminates");
        }
        weiri_json_text(builder, "undecided", one->undecided);
        weiri_json_bool(builder, "weak", one->weak);
        json_stands(builder, one);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

int weiri_cli_status_of_terminations(const struct weir_exploration *found)
{
    int status = WEIRI_CLI_CLEAN;
    for (size_t i = 0; i < found->n_terminations; i++) {
        const struct weir_explored_termination *one = &found->terminations[i];
        if (one->decided && !one->terminates) {
            return WEIRI_CLI_FINDINGS;
        }
        status = one->decided ? status : WEIRI_CLI_INCOMPLETE;
    }
    return status;
}
