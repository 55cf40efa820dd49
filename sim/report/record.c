/* SPDX-License-Identifier: MIT
 *
 * record.c: see record.h. Numbers are written as signed ones of 64 bits, which is what
 * json-glib reads: a seed of 2^64 - 1 is -1. */
#include "config.h"

#include "report/record.h"

#include "finding/identity.h"
#include "report/fields.h"

#include <inttypes.h>
#include <string.h>

/* ---- The fields ------------------------------------------------------------------ */

/* A number that means nothing where @object is NULL. */
#define INDEX(of_, name_)                                                              \
    {                                                                                  \
        .name = #name_, .type = WEIRI_FIELD_NUMBER,                                    \
        .offset = offsetof(struct of_, name_), .depends = true,                        \
        .beside = offsetof(struct of_, object)                                         \
    }

static const struct weiri_field frame_fields[] = {
    FIELD(weir_frame, function, TEXT),
    FIELD(weir_frame, file, TEXT),
    FIELD(weir_frame, line, LINE),
    { .name = NULL },
};

static const struct weiri_field party_fields[] = {
    FIELD(weir_party, state, STATE),
    FIELD(weir_party, items, TEXT),
    FIELD(weir_party, item, PLACE),
    FIELD(weir_party, group, PLACE),
    FIELD(weir_party, groups, TEXT),
    FIELD(weir_party, file, TEXT),
    FIELD(weir_party, function, FUNCTION),
    FIELD(weir_party, line, LINE),
    FIELD(weir_party, source, TEXT),
    FIELD(weir_party, operation, TEXT),
    FIELD(weir_party, phase, NUMBER),
    LIST(weir_party, path, n_path, "path", weir_frame, frame_fields),
    FIELD(weir_party, access, ACCESS),
    FIELD(weir_party, order, TEXT),
    FIELD(weir_party, scope, TEXT),
    FIELD(weir_party, object, TEXT),
    INDEX(weir_party, index),
    FIELD(weir_party, value, TEXT),
    FIELD(weir_party, writer, TEXT),
    { .name = NULL },
};

static const struct weiri_field event_fields[] = {
    FIELD(weir_explored_event, item, NUMBER),
    FIELD(weir_explored_event, step, NUMBER),
    FIELD(weir_explored_event, kind, TEXT),
    FIELD(weir_explored_event, text, TEXT),
    FIELD(weir_explored_event, access, ACCESS),
    FIELD(weir_explored_event, order, TEXT),
    FIELD(weir_explored_event, scope, TEXT),
    FIELD(weir_explored_event, location, NUMBER),
    FIELD(weir_explored_event, update, TRUTH),
    FIELD(weir_explored_event, value, TEXT),
    FIELD(weir_explored_event, newest, TEXT),
    { .name = "newest_by",
      .type = WEIRI_FIELD_NUMBER,
      .offset = offsetof(struct weir_explored_event, newest_by),
      .depends = true,
      .beside = offsetof(struct weir_explored_event, newest) },
    FIELD(weir_explored_event, matters, TRUTH),
    FIELD(weir_explored_event, file, TEXT),
    FIELD(weir_explored_event, line, LINE),
    FIELD(weir_explored_event, source, TEXT),
    { .name = NULL },
};

static const struct weiri_field edge_fields[] = {
    FIELD(weir_explored_edge, kind, TEXT),
    FIELD(weir_explored_edge, from, NUMBER),
    FIELD(weir_explored_edge, to, NUMBER),
    { .name = NULL },
};

static const struct weiri_field item_fields[] = {
    FIELD(weir_explored_item, item, NUMBER),
    FIELD(weir_explored_item, group, PLACE),
    { .name = NULL },
};

static const struct weiri_field location_fields[] = {
    FIELD(weir_explored_location, name, TEXT),
    FIELD(weir_explored_location, initial, TEXT),
    FIELD(weir_explored_location, local, TRUTH),
    { .name = NULL },
};

const struct weiri_field weiri_execution_fields[] = {
    FIELD(weir_explored_execution, n_left_out, NUMBER),
    FIELD(weir_explored_execution, interleaved, TRUTH),
    LIST(weir_explored_execution, items, n_items, "items", weir_explored_item,
         item_fields),
    LIST(weir_explored_execution, locations, n_locations, "locations",
         weir_explored_location, location_fields),
    LIST(weir_explored_execution, events, n_events, "events", weir_explored_event,
         event_fields),
    LIST(weir_explored_execution, edges, n_edges, "edges", weir_explored_edge,
         edge_fields),
    { .name = NULL },
};

const struct weiri_field weiri_finding_fields[] = {
    FIELD(weir_finding, kind, KIND),
    FIELD(weir_finding, kernel, TEXT),
    FIELD(weir_finding, count, NUMBER),
    FIELD(weir_finding, message, TEXT),
    FIELD(weir_finding, note, TRUTH),
    FIELD(weir_finding, form, TEXT),
    FIELD(weir_finding, parted, TEXT),
    FIELD(weir_finding, space, TEXT),
    FIELD(weir_finding, object, TEXT),
    INDEX(weir_finding, index),
    FIELD(weir_finding, why, TEXT),
    FIELD(weir_finding, cause, TEXT),
    FIELD(weir_finding, fix, TEXT),
    FIELD(weir_finding, turns, TEXT),
    FIELD(weir_finding, no_turns, TEXT),
    LIST(weir_finding, parties, n_parties, "sites", weir_party, party_fields),
    LIST(weir_finding, executions, n_executions, "executions", weir_explored_execution,
         weiri_execution_fields),
    { .name = NULL },
};

const struct weiri_field weiri_step_fields[] = {
    FIELD(weir_step, step, NUMBER),
    FIELD(weir_step, group, NUMBER),
    FIELD(weir_step, item, NUMBER),
    FIELD(weir_step, file, TEXT),
    FIELD(weir_step, line, LINE),
    FIELD(weir_step, access, ACCESS),
    FIELD(weir_step, operation, TEXT),
    FIELD(weir_step, order, TEXT),
    FIELD(weir_step, scope, TEXT),
    FIELD(weir_step, object, TEXT),
    INDEX(weir_step, index),
    FIELD(weir_step, bytes, NUMBER),
    FIELD(weir_step, before, TEXT),
    FIELD(weir_step, after, TEXT),
    { .name = NULL },
};

static const struct weiri_field state_fields[] = {
    FIELD(weir_explored_state, text, TEXT),
    FIELD(weir_explored_state, executions, NUMBER),
    FIELD(weir_explored_state, holds, TRUTH),
    { .name = NULL },
};

static const struct weiri_field residency_fields[] = {
    FIELD(weir_residency, groups, NUMBER),  FIELD(weir_residency, executions, NUMBER),
    FIELD(weir_residency, blocked, NUMBER), FIELD(weir_residency, waits, TEXT),
    FIELD(weir_residency, complete, TRUTH), { .name = NULL },
};

static const struct weiri_field stand_fields[] = {
    FIELD(weir_explored_stand, name, TEXT), FIELD(weir_explored_stand, state, TEXT),
    FIELD(weir_explored_stand, text, TEXT), FIELD(weir_explored_stand, file, TEXT),
    FIELD(weir_explored_stand, line, LINE), { .name = NULL },
};

static const struct weiri_field termination_fields[] = {
    FIELD(weir_explored_termination, forward, TEXT),
    FIELD(weir_explored_termination, decided, TRUTH),
    FIELD(weir_explored_termination, terminates, TRUTH),
    FIELD(weir_explored_termination, undecided, TEXT),
    FIELD(weir_explored_termination, weak, TRUTH),
    LIST(weir_explored_termination, stands, n_stands, "stands", weir_explored_stand,
         stand_fields),
    { .name = NULL },
};

static const struct weiri_field site_fields[] = {
    FIELD(weir_explored_site, operation, TEXT), FIELD(weir_explored_site, file, TEXT),
    FIELD(weir_explored_site, line, LINE),      FIELD(weir_explored_site, order, TEXT),
    FIELD(weir_explored_site, failure, TEXT),   FIELD(weir_explored_site, scope, TEXT),
    FIELD(weir_explored_site, spaces, TEXT),    { .name = NULL },
};

static const struct weiri_field exploration_fields[] = {
    FIELD(weir_exploration, model, TEXT),
    FIELD(weir_exploration, refused, TEXT),
    FIELD(weir_exploration, litmus, TEXT),
    FIELD(weir_exploration, no_litmus, TEXT),
    FIELD(weir_exploration, executions, NUMBER),
    FIELD(weir_exploration, positive, NUMBER),
    FIELD(weir_exploration, negative, NUMBER),
    FIELD(weir_exploration, racy, NUMBER),
    FIELD(weir_exploration, blocked, NUMBER),
    FIELD(weir_exploration, faulted, NUMBER),
    FIELD(weir_exploration, cut, NUMBER),
    FIELD(weir_exploration, complete, TRUTH),
    FIELD(weir_exploration, limited, TRUTH),
    FIELD(weir_exploration, estimate, NUMBER),
    FIELD(weir_exploration, estimate_low, NUMBER),
    FIELD(weir_exploration, estimate_high, NUMBER),
    FIELD(weir_exploration, probes, NUMBER),
    FIELD(weir_exploration, bounded, TRUTH),
    FIELD(weir_exploration, deviations, NUMBER),
    FIELD(weir_exploration, interchangeable, NUMBER),
    FIELD(weir_exploration, orbits, NUMBER),
    FIELD(weir_exploration, samples, NUMBER),
    FIELD(weir_exploration, once, NUMBER),
    FIELD(weir_exploration, late, NUMBER),
    FIELD(weir_exploration, histories, NUMBER),
    FIELD(weir_exploration, unordered, NUMBER),
    FIELD(weir_exploration, locations, NUMBER),
    LIST(weir_exploration, states, n_states, "states", weir_explored_state,
         state_fields),
    LIST(weir_exploration, residencies, n_residencies, "residencies", weir_residency,
         residency_fields),
    LIST(weir_exploration, terminations, n_terminations, "terminations",
         weir_explored_termination, termination_fields),
    FIELD(weir_exploration, n_groups, NUMBER),
    FIELD(weir_exploration, n_sub_groups, NUMBER),
    LIST(weir_exploration, sites, n_sites, "sites", weir_explored_site, site_fields),
    { .name = NULL },
};

const struct weiri_field weiri_record_fields[] = {
    FIELD(weiri_launch_record, made, TRUTH),
    FIELD(weiri_launch_record, begins, TRUTH),
    FIELD(weiri_launch_record, aside, TRUTH),
    FIELD(weiri_launch_record, process, NUMBER),
    FIELD(weiri_launch_record, serial, NUMBER),
    FIELD(weiri_launch_record, exits, TRUTH),
    FIELD(weiri_launch_record, kernel, TEXT),
    FIELD(weiri_launch_record, instrumented, TRUTH),
    FIELD(weiri_launch_record, accesses, TRUTH),
    FIELD(weiri_launch_record, unhooked, TEXT),
    FIELD(weiri_launch_record, sub_group_wait, TRUTH),
    FIELD(weiri_launch_record, schedule, TEXT),
    FIELD(weiri_launch_record, seed, NUMBER),
    FIELD(weiri_launch_record, n_steps, NUMBER),
    FIELD(weiri_launch_record, group_items, NUMBER),
    FIELD(weiri_launch_record, n_items, NUMBER),
    FIELD(weiri_launch_record, device, TEXT),
    FIELD(weiri_launch_record, incomplete, TEXT),
    FIELD(weiri_launch_record, error, TEXT),
    FIELD(weiri_launch_record, error_code, NUMBER),
    FIELD(weiri_launch_record, recorded, TEXT),
    LIST(weiri_launch_record, findings, n_findings, "findings", weir_finding,
         weiri_finding_fields),
    LIST(weiri_launch_record, steps, n_listed, "steps", weir_step, weiri_step_fields),
    FIELD(weiri_launch_record, n_unlisted, NUMBER),
    LIST(weiri_launch_record, explorations, n_explorations, "explorations",
         weir_exploration, exploration_fields),
    LIST(weiri_launch_record, plays, n_plays, "plays", weir_play, weiri_play_fields),
    { .name = NULL },
};

/* How the line of a launch that was made begins, by the order of the fields. */
static const char MADE[] = "{\"made\":true,";

/* ---- Writing --------------------------------------------------------------------- */

void weiri_record_add_text(GString *line, const char *text)
{
    if (text == NULL) {
        g_string_append(line, "null");
        return;
    }
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(line, '"');
    for (const char *at = valid; *at != '\0'; at++) {
        if (*at == '\n') {
            g_string_append(line, "\\n");
        } else if (*at == '"' || *at == '\\') {
            g_string_append_c(g_string_append_c(line, '\\'), *at);
        } else if (g_ascii_iscntrl(*at)) {
            g_string_append_printf(line, "\\u%04x", (unsigned)*at);
        } else {
            g_string_append_c(line, *at);
        }
    }
    g_string_append_c(line, '"');
}

static void add_number(GString *line, const struct weiri_field *field, const char *from)
{
    const void *value = from + field->offset;
    int64_t number = field->type == WEIRI_FIELD_LINE ? *(const uint32_t *)value
                                                     : *(const int64_t *)value;
    bool known = field->type == WEIRI_FIELD_LINE ? number > 0
        : field->depends
        ? *(const char *const *)(const void *)(from + field->beside) != NULL
        : true;
    if (known) {
        g_string_append_printf(line, "%" PRId64, number);
    } else {
        g_string_append(line, "null");
    }
}

static void add_object(GString *line, const struct weiri_field *fields,
                       const void *from, const struct weir_finding *finding);

static void add_list(GString *line, const struct weiri_field *field, const char *from,
                     const struct weir_finding *finding)
{
    const char *list = *(const char *const *)(const void *)(from + field->offset);
    size_t n = *(const size_t *)(const void *)(from + field->beside);
    g_string_append_c(line, '[');
    for (size_t i = 0; i < n; i++) {
        const char *element = list + i * field->bytes;
        g_string_append(line, i > 0 ? "," : "");
        if (field->fields == weiri_finding_fields) {
            weiri_record_add_finding(line, (const void *)element);
        } else {
            add_object(line, field->fields, element, finding);
        }
    }
    g_string_append_c(line, ']');
}

static void add_value(GString *line, const struct weiri_field *field, const char *from,
                      const struct weir_finding *finding)
{
    const void *value = from + field->offset;
    switch (field->type) {
    case WEIRI_FIELD_TEXT:
        weiri_record_add_text(line, *(const char *const *)value);
        break;
    case WEIRI_FIELD_FUNCTION:
        weiri_record_add_text(line,
                              weiri_finding_function(finding, (const void *)from));
        break;
    case WEIRI_FIELD_TRUTH:
        g_string_append(line, *(const bool *)value ? "true" : "false");
        break;
    case WEIRI_FIELD_NUMBER:
    case WEIRI_FIELD_LINE:
        add_number(line, field, from);
        break;
    case WEIRI_FIELD_PLACE:
        g_string_append_printf(line, "[%zu,%zu,%zu]", ((const size_t *)value)[0],
                               ((const size_t *)value)[1], ((const size_t *)value)[2]);
        break;
    case WEIRI_FIELD_KIND:
        weiri_record_add_text(
            line, weir_finding_kind_name(*(const enum weir_finding_kind *)value));
        break;
    case WEIRI_FIELD_STATE:
        weiri_record_add_text(line, weir_state_name(*(const enum weir_state *)value));
        break;
    case WEIRI_FIELD_ACCESS:
        weiri_record_add_text(line, weir_access_name(*(const enum weir_access *)value));
        break;
    case WEIRI_FIELD_LIST:
        add_list(line, field, from, finding);
        break;
    }
}

/* @finding: that the object is of or in, or NULL */
static void add_object(GString *line, const struct weiri_field *fields,
                       const void *from, const struct weir_finding *finding)
{
    for (const struct weiri_field *field = fields; field->name != NULL; field++) {
        g_string_append_printf(line, "%s\"%s\":", field == fields ? "{" : ",",
                               field->name);
        add_value(line, field, from, finding);
    }
    g_string_append_c(line, '}');
}

void weiri_record_add_finding(GString *line, const struct weir_finding *finding)
{
    struct weir_finding whole = *finding;
    const struct weir_party *spinning = weiri_finding_spinning(finding);
    if (finding->space == NULL && finding->object == NULL && spinning != NULL
        && spinning->object != NULL) {
        whole.space = spinning->space;
        whole.object = spinning->object;
        whole.index = (int64_t)spinning->index;
    }
    add_object(line, weiri_finding_fields, &whole, finding);
}

GString *weiri_fields_to_line(const struct weiri_field *fields, const void *from)
{
    GString *line = g_string_new(NULL);
    add_object(line, fields, from, NULL);
    return g_string_append_c(line, '\n');
}

GString *weiri_record_to_line(const struct weiri_launch_record *record)
{
    struct weiri_launch_record whole = *record;
    whole.made = !record->begins && !record->aside && record->error == NULL;
    return weiri_fields_to_line(weiri_record_fields, &whole);
}

GString *weiri_record_of_report(const struct weiri_launch_record *head,
                                const struct weir_report *report)
{
    struct weiri_launch_record record = *head;
    record.n_findings = weir_report_n_findings(report);
    record.n_steps = weir_report_n_steps(report);
    record.accesses = weir_report_saw_accesses(report);
    record.sub_group_wait = weir_report_saw_sub_group_wait(report);
    record.group_items = weir_report_group_items(report);
    record.incomplete = weir_report_incomplete(report);
    g_autofree struct weir_finding *findings
        = g_new(struct weir_finding, record.n_findings);
    for (size_t i = 0; i < record.n_findings; i++) {
        findings[i] = *weir_report_finding(report, i);
    }
    record.findings = findings;
    record.steps = weir_report_steps(report, &record.n_listed, &record.n_unlisted);
    record.explorations = weir_report_exploration(report);
    record.n_explorations = record.explorations != NULL;
    record.plays = weir_report_play(report);
    record.n_plays = record.plays != NULL;
    return weiri_record_to_line(&record);
}

/* ---- Counting -------------------------------------------------------------------- */

size_t weiri_record_count_made(const char *text, size_t bytes, size_t *read)
{
    size_t n = 0, at = 0;
    const char *end;
    /* An empty text may be NULL, which memchr() does not take. */
    while (at < bytes && (end = memchr(text + at, '\n', bytes - at)) != NULL) {
        const char *line = text + at;
        size_t length = (size_t)(end - line);
        n += length > strlen(MADE) && memcmp(line, MADE, strlen(MADE)) == 0;
        at += length + 1;
    }
    *read = at;
    return n;
}
