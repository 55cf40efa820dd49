/* SPDX-License-Identifier: MIT
 *
 * play-fields.c: the tables of fields of a struct weir_play, which is so written as
 * JSON, and read again. */
#include "config.h"

#include "report/fields.h"

static const struct weiri_field event_fields[] = {
    FIELD(weir_play_event, thread, NUMBER), FIELD(weir_play_event, step, NUMBER),
    FIELD(weir_play_event, kind, TEXT),     FIELD(weir_play_event, text, TEXT),
    FIELD(weir_play_event, update, TRUTH),  FIELD(weir_play_event, before, TEXT),
    FIELD(weir_play_event, file, TEXT),     FIELD(weir_play_event, line, LINE),
    FIELD(weir_play_event, column, LINE),   { .name = NULL },
};

static const struct weiri_field edge_fields[] = {
    FIELD(weir_play_edge, kind, TEXT),
    FIELD(weir_play_edge, from, NUMBER),
    FIELD(weir_play_edge, to, NUMBER),
    FIELD(weir_play_edge, how, TEXT),
    { .name = NULL },
};

static const struct weiri_field option_fields[] = {
    FIELD(weir_play_option, choice, TEXT),
    FIELD(weir_play_option, text, TEXT),
    FIELD(weir_play_option, note, TEXT),
    FIELD(weir_play_option, allowed, TRUTH),
    FIELD(weir_play_option, axiom, TEXT),
    FIELD(weir_play_option, sentence, TEXT),
    LIST(weir_play_option, events, n_events, "events", weir_play_event, event_fields),
    LIST(weir_play_option, cycle, n_cycle, "cycle", weir_play_edge, edge_fields),
    { .name = NULL },
};

static const struct weiri_field thread_fields[] = {
    FIELD(weir_play_thread, name, TEXT),
    FIELD(weir_play_thread, group, TEXT),
    FIELD(weir_play_thread, standing, TEXT),
    FIELD(weir_play_thread, text, TEXT),
    FIELD(weir_play_thread, next, TEXT),
    FIELD(weir_play_thread, file, TEXT),
    FIELD(weir_play_thread, line, LINE),
    FIELD(weir_play_thread, column, LINE),
    LIST(weir_play_thread, options, n_options, "options", weir_play_option,
         option_fields),
    { .name = NULL },
};

static const struct weiri_field value_fields[] = {
    FIELD(weir_play_value, name, TEXT),
    FIELD(weir_play_value, thread, NUMBER),
    FIELD(weir_play_value, value, TEXT),
    FIELD(weir_play_value, initial, TEXT),
    { .name = NULL },
};

static const struct weiri_field site_fields[] = {
    FIELD(weir_play_site, place, TEXT),
    FIELD(weir_play_site, operation, TEXT),
    FIELD(weir_play_site, order, TEXT),
    FIELD(weir_play_site, failure, TEXT),
    FIELD(weir_play_site, scope, TEXT),
    FIELD(weir_play_site, spaces, TEXT),
    FIELD(weir_play_site, orders, TEXT),
    FIELD(weir_play_site, file, TEXT),
    FIELD(weir_play_site, line, LINE),
    FIELD(weir_play_site, column, LINE),
    { .name = NULL },
};

static const struct weiri_field source_fields[] = {
    FIELD(weir_play_source, file, TEXT),
    FIELD(weir_play_source, first, LINE),
    FIELD(weir_play_source, text, TEXT),
    { .name = NULL },
};

static const struct weiri_field step_fields[] = {
    FIELD(weir_play_step, choice, TEXT),
    FIELD(weir_play_step, thread, NUMBER),
    FIELD(weir_play_step, text, TEXT),
    { .name = NULL },
};

const struct weiri_field weiri_play_fields[] = {
    FIELD(weir_play, name, TEXT),
    FIELD(weir_play, model, TEXT),
    FIELD(weir_play, models, TEXT),
    FIELD(weir_play, order, TEXT),
    FIELD(weir_play, refused, TEXT),
    FIELD(weir_play, reached, TEXT),
    FIELD(weir_play, text, TEXT),
    FIELD(weir_play, race, TEXT),
    FIELD(weir_play, missing, TEXT),
    FIELD(weir_play, claim, TEXT),
    FIELD(weir_play, state, TEXT),
    FIELD(weir_play, holds, TEXT),
    FIELD(weir_play, text_of_test, TEXT),
    FIELD(weir_play, changes, TEXT),
    LIST(weir_play, steps, n_steps, "steps", weir_play_step, step_fields),
    LIST(weir_play, threads, n_threads, "threads", weir_play_thread, thread_fields),
    LIST(weir_play, events, n_events, "events", weir_play_event, event_fields),
    LIST(weir_play, edges, n_edges, "edges", weir_play_edge, edge_fields),
    LIST(weir_play, values, n_values, "values", weir_play_value, value_fields),
    LIST(weir_play, sites, n_sites, "sites", weir_play_site, site_fields),
    LIST(weir_play, sources, n_sources, "sources", weir_play_source, source_fields),
    { .name = NULL },
};
