/* SPDX-License-Identifier: MIT
 *
 * json.c: findings as JSON. The names of the members are a contract with
 * whoever reads them; report.h lists them. */
#include "config.h"

#include "exec/finding-identity.h"
#include "report/report.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void add_coordinates(JsonBuilder *builder, const char *name, const size_t at[3])
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_array(builder);
    for (size_t dim = 0; dim < 3; dim++) {
        json_builder_add_int_value(builder, (gint64)at[dim]);
    }
    json_builder_end_array(builder);
}

void weiri_report_add_text(JsonBuilder *builder, const char *name, const char *text)
{
    json_builder_set_member_name(builder, name);
    if (text == NULL) {
        json_builder_add_null_value(builder);
    } else {
        g_autofree char *valid = g_utf8_make_valid(text, -1);
        json_builder_add_string_value(builder, valid);
    }
}

static void add_number_or_null(JsonBuilder *builder, const char *name, bool is_known,
                               int64_t number)
{
    json_builder_set_member_name(builder, name);
    if (is_known) {
        json_builder_add_int_value(builder, number);
    } else {
        json_builder_add_null_value(builder);
    }
}

static void add_path(JsonBuilder *builder, const struct weir_party *party)
{
    json_builder_set_member_name(builder, "path");
    json_builder_begin_array(builder);
    for (size_t i = 0; i < party->n_path; i++) {
        const struct weir_frame *frame = &party->path[i];
        json_builder_begin_object(builder);
        weiri_report_add_text(builder, "function", frame->function);
        weiri_report_add_text(builder, "file", frame->file);
        add_number_or_null(builder, "line", frame->line > 0, frame->line);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_object(JsonBuilder *builder, const struct weir_party *party)
{
    bool is_known = party != NULL && party->object != NULL;
    weiri_report_add_text(builder, "object", is_known ? party->object : NULL);
    add_number_or_null(builder, "index", is_known,
                       is_known ? (int64_t)party->index : 0);
}

static void add_party(JsonBuilder *builder, const struct weir_finding *finding,
                      const struct weir_party *party)
{
    json_builder_begin_object(builder);
    weiri_report_add_text(builder, "state", weir_state_name(party->state));
    weiri_report_add_text(builder, "items", party->items);
    add_coordinates(builder, "item", party->item);
    add_coordinates(builder, "group", party->group);
    weiri_report_add_text(builder, "groups", party->groups);
    weiri_report_add_text(builder, "file", party->file);
    weiri_report_add_text(builder, "function", weiri_finding_function(finding, party));
    add_number_or_null(builder, "line", party->line > 0, party->line);
    weiri_report_add_text(builder, "source", party->source);
    weiri_report_add_text(builder, "operation", party->operation);
    add_number_or_null(builder, "phase", true, (int64_t)party->phase);
    add_path(builder, party);
    weiri_report_add_text(builder, "access", weir_access_name(party->access));
    weiri_report_add_text(builder, "order", party->order);
    weiri_report_add_text(builder, "scope", party->scope);
    add_object(builder, party);
    weiri_report_add_text(builder, "value", party->value);
    weiri_report_add_text(builder, "writer", party->writer);
    json_builder_end_object(builder);
}

static void add_nth_party(JsonBuilder *builder, const char *name,
                          const struct weir_finding *finding, size_t n)
{
    json_builder_set_member_name(builder, name);
    if (n < finding->n_parties) {
        add_party(builder, finding, &finding->parties[n]);
    } else {
        json_builder_add_null_value(builder);
    }
}

/* The memory that an object is in: what has a name of its own is of weir_new(). */
static const char *space_of(const struct weir_party *party)
{
    if (party == NULL || party->object == NULL) {
        return NULL;
    }
    return g_str_has_prefix(party->object, "local array of ") ? "local" : "global";
}

/* The memory that the finding is of; else what its first spinning party waits for. */
static void add_memory(JsonBuilder *builder, const struct weir_finding *finding)
{
    const struct weir_party *spinning = weiri_finding_spinning(finding);
    if (finding->space == NULL && finding->object == NULL) {
        weiri_report_add_text(builder, "space", space_of(spinning));
        add_object(builder, spinning);
        return;
    }
    weiri_report_add_text(builder, "space", finding->space);
    weiri_report_add_text(builder, "object", finding->object);
    add_number_or_null(builder, "index", finding->object != NULL, finding->index);
}

void weiri_report_add_finding_members(JsonBuilder *builder,
                                      const struct weir_finding *finding)
{
    g_return_if_fail(builder != NULL && finding != NULL);
    g_autofree char *key = weiri_finding_fingerprint(finding);
    weiri_report_add_text(builder, "key", key);
    weiri_report_add_text(builder, "kind", weir_finding_kind_name(finding->kind));
    weiri_report_add_text(builder, "kernel", finding->kernel);
    add_number_or_null(builder, "count", true, (int64_t)finding->count);
    weiri_report_add_text(builder, "message", finding->message);
    json_builder_set_member_name(builder, "note");
    json_builder_add_boolean_value(builder, finding->note);
    weiri_report_add_text(builder, "form", finding->form);
    weiri_report_add_text(builder, "parted", finding->parted);
    add_memory(builder, finding);
    weiri_report_add_text(builder, "why", finding->why);
    weiri_report_add_text(builder, "remedy", finding->remedy);
    add_nth_party(builder, "first", finding, 0);
    add_nth_party(builder, "second", finding, 1);
    json_builder_set_member_name(builder, "sites");
    json_builder_begin_array(builder);
    for (size_t i = 0; i < finding->n_parties; i++) {
        add_party(builder, finding, &finding->parties[i]);
    }
    json_builder_end_array(builder);
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
