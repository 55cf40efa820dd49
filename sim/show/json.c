/* SPDX-License-Identifier: MIT
 *
 * json.c: members of a JSON document, and findings as parts of one. The names of a
 * finding's members are a contract with programs that read them; report.h lists them.
 * record.c writes all but those that are made of others. */
#include "config.h"

#include "report/report.h"

#include "finding/identity.h"
#include "report/record.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static void name_member(JsonBuilder *builder, const char *name)
{
    if (name != NULL) {
        json_builder_set_member_name(builder, name);
    }
}

void weiri_json_text(JsonBuilder *builder, const char *name, const char *text)
{
    name_member(builder, name);
    if (text == NULL) {
        json_builder_add_null_value(builder);
    } else {
        g_autofree char *valid = g_utf8_make_valid(text, -1);
        json_builder_add_string_value(builder, valid);
    }
}

void weiri_json_int(JsonBuilder *builder, const char *name, uint64_t value)
{
    name_member(builder, name);
    json_builder_add_int_value(builder, (gint64)value);
}

void weiri_json_real(JsonBuilder *builder, const char *name, double value)
{
    name_member(builder, name);
    if (isfinite(value)) {
        json_builder_add_double_value(builder, value);
    } else {
        json_builder_add_null_value(builder);
    }
}

void weiri_json_bool(JsonBuilder *builder, const char *name, bool value)
{
    name_member(builder, name);
    json_builder_add_boolean_value(builder, value);
}

void weiri_json_null(JsonBuilder *builder, const char *name)
{
    name_member(builder, name);
    json_builder_add_null_value(builder);
}

void weiri_json_array(JsonBuilder *builder, const char *name)
{
    name_member(builder, name);
    json_builder_begin_array(builder);
}

void weiri_json_object(JsonBuilder *builder, const char *name)
{
    name_member(builder, name);
    json_builder_begin_object(builder);
}

void weiri_json_texts(JsonBuilder *builder, const char *name, const char *const *texts)
{
    weiri_json_array(builder, name);
    for (; *texts != NULL; texts++) {
        weiri_json_text(builder, NULL, *texts);
    }
    json_builder_end_array(builder);
}

char *weiri_json_take(JsonBuilder *builder)
{
    g_autoptr(JsonGenerator) generator = json_generator_new();
    JsonNode *root = json_builder_get_root(builder);
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    char *text = json_generator_to_data(generator, NULL);
    char *line = g_strconcat(text, "\n", NULL);
    g_free(text);
    json_node_unref(root);
    g_object_unref(builder);
    return line;
}

/* An element of an array as a member of its own. */
static void add_nth(JsonBuilder *builder, const char *name, JsonObject *finding,
                    const char *array, guint n)
{
    JsonArray *all = json_object_get_array_member(finding, array);
    json_builder_set_member_name(builder, name);
    if (n < json_array_get_length(all)) {
        json_builder_add_value(builder, json_array_dup_element(all, n));
    } else {
        json_builder_add_null_value(builder);
    }
}

void weiri_report_add_finding_members(JsonBuilder *builder,
                                      const struct weir_finding *finding)
{
    g_return_if_fail(builder != NULL && finding != NULL);
    g_autofree char *key = weiri_finding_fingerprint(finding);
    weiri_json_text(builder, "key", key);
    g_autoptr(GString) text = g_string_new(NULL);
    weiri_record_add_finding(text, finding);
    g_autoptr(JsonNode) node = json_from_string(text->str, NULL);
    g_return_if_fail(node != NULL);
    JsonObject *object = json_node_get_object(node);
    for (const struct weiri_field *field = weiri_finding_fields; field->name != NULL;
         field++) {
        if (field->fields == weiri_execution_fields) {
            if (finding->n_executions > 0) {
                add_nth(builder, "execution", object, field->name, 0);
            }
            continue;
        }
        bool of_turns
            = strcmp(field->name, "turns") == 0 || strcmp(field->name, "no_turns") == 0;
        if (of_turns && finding->turns == NULL && finding->no_turns == NULL) {
            continue; /* of a launch that is not explored */
        }
        if (strcmp(field->name, "cause") == 0) {
            continue; /* for the command itself, which groups findings by it */
        }
        if (field->type == WEIRI_FIELD_LIST) {
            add_nth(builder, "first", object, "sites", 0);
            add_nth(builder, "second", object, "sites", 1);
        }
        json_builder_set_member_name(builder, field->name);
        json_builder_add_value(builder, json_object_dup_member(object, field->name));
        if (strcmp(field->name, "fix") == 0) { /* its older name, for one release */
            weiri_json_text(builder, "remedy", finding->fix);
        }
    }
}

void weiri_report_add_finding(JsonBuilder *builder, const struct weir_finding *finding)
{
    g_return_if_fail(builder != NULL && finding != NULL);
    json_builder_begin_object(builder);
    weiri_report_add_finding_members(builder, finding);
    json_builder_end_object(builder);
}

void weiri_report_add_findings(JsonBuilder *builder, const struct weir_report *report)
{
    g_return_if_fail(builder != NULL && report != NULL);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        weiri_report_add_finding(builder, weir_report_finding(report, i));
    }
}
