/* SPDX-License-Identifier: MIT
 *
 * json.c: findings as JSON. The names of the members are a contract with
 * whoever reads them; report.h lists them. */
#include "config.h"

#include "report/report.h"

static void add_coordinates(JsonBuilder *builder, const char *name, const size_t at[3])
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_array(builder);
    for (size_t dim = 0; dim < 3; dim++) {
        json_builder_add_int_value(builder, (gint64)at[dim]);
    }
    json_builder_end_array(builder);
}

static void add_text(JsonBuilder *builder, const char *name, const char *text)
{
    json_builder_set_member_name(builder, name);
    if (text == NULL) {
        json_builder_add_null_value(builder);
    } else {
        json_builder_add_string_value(builder, text);
    }
}

static void add_party(JsonBuilder *builder, const struct weir_party *party)
{
    json_builder_begin_object(builder);
    add_text(builder, "state", party->state);
    add_text(builder, "items", party->items);
    add_coordinates(builder, "item", party->item);
    add_coordinates(builder, "group", party->group);
    add_text(builder, "file", party->file);
    add_text(builder, "function", party->function);
    json_builder_set_member_name(builder, "line");
    if (party->line == 0) {
        json_builder_add_null_value(builder);
    } else {
        json_builder_add_int_value(builder, party->line);
    }
    add_text(builder, "operation", party->operation);
    json_builder_set_member_name(builder, "phase");
    json_builder_add_int_value(builder, (gint64)party->phase);
    json_builder_end_object(builder);
}

static void add_nth_party(JsonBuilder *builder, const char *name,
                          const struct weir_finding *finding, size_t n)
{
    json_builder_set_member_name(builder, name);
    if (n < finding->n_parties) {
        add_party(builder, &finding->parties[n]);
    } else {
        json_builder_add_null_value(builder);
    }
}

static void add_finding(JsonBuilder *builder, const struct weir_finding *finding)
{
    json_builder_begin_object(builder);
    add_text(builder, "kind", weir_finding_kind_name(finding->kind));
    add_text(builder, "kernel", finding->kernel);
    json_builder_set_member_name(builder, "count");
    json_builder_add_int_value(builder, (gint64)finding->count);
    add_text(builder, "message", finding->message);
    add_nth_party(builder, "first", finding, 0);
    add_nth_party(builder, "second", finding, 1);
    json_builder_set_member_name(builder, "sites");
    json_builder_begin_array(builder);
    for (size_t i = 0; i < finding->n_parties; i++) {
        add_party(builder, &finding->parties[i]);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

void weiri_report_add_findings(JsonBuilder *builder, const struct weir_report *report)
{
    g_return_if_fail(builder != NULL && report != NULL);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        add_finding(builder, weir_report_finding(report, i));
    }
}
