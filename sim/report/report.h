/* SPDX-License-Identifier: MIT
 *
 * report.h: values in, text out: findings as text and as JSON, measurements as a
 * chart. weir_report_to_text() is made of the first and lies in the library; only the
 * command writes JSON, so json-glib is named here and not included. */
#ifndef WEIRI_REPORT_H
#define WEIRI_REPORT_H

#include "weir.h"

typedef struct _JsonBuilder JsonBuilder;

/**
 * weiri_report_add_finding_text:
 * @again: a command line that shows the finding again, or %NULL
 *
 * Appends the finding as text for people: the message, a line for each party, and
 * @again as the last line. Every line ends in a newline, and all but the lines of the
 * message are indented.
 */
void weiri_report_add_finding_text(GString *text, const struct weir_finding *finding,
                                   const char *again);

/**
 * weiri_report_add_execution:
 *
 * Appends the events that matter, with items as columns. Each line is indented.
 */
void weiri_report_add_execution(GString *text,
                                const struct weir_explored_execution *execution);

/** Whether any party accesses memory: such a finding is described by its accesses. */
bool weiri_report_is_of_accesses(const struct weir_finding *finding);

/** Whether its parties are of more than one group. */
bool weiri_report_spans_groups(const struct weir_finding *finding);

/** The act or state of a party: "atomic fetch_add, relaxed, device", "waiting", or
 *  @otherwise. Returns: (transfer full) */
char *weiri_report_act_text(const struct weir_party *party, const char *otherwise);

/** "FILE:LINE", or "FILE" if @line is 0. Returns: (transfer full) */
char *weiri_report_place_text(const char *file, uint32_t line);

/** Why no line of an access is known; %NULL if one is known, or if the finding has no
 *  access. */
const char *weiri_report_no_line_text(const struct weir_party *party);

/** "called from NAME at FILE:LINE". Returns: (transfer full) */
char *weiri_report_call_text(const struct weir_frame *frame);

/** "on flag[0], which holds 0; written last by …". Returns: (transfer full): or %NULL
 *  if the party does not spin on known memory */
char *weiri_report_spin_text(const struct weir_party *party);

/** "items 0-4", or "items 0-4 of group (3,0,0)". Returns: (transfer full) */
char *weiri_report_items_text(const struct weir_party *party, bool with_group);

/** Appends what the steps of a launch did. @launch: its number from 1 */
void weiri_report_add_steps(GString *text, size_t launch, const char *kernel,
                            const struct weir_step *steps, size_t n, uint64_t n_more);

/* ---- JSON: a member of the object that is open; in an array @name is %NULL ------- */

/** %NULL gives null. Text of users and of files need not be UTF-8, as JSON is: what is
 *  not is replaced. */
void weiri_json_text(JsonBuilder *builder, const char *name, const char *text);
void weiri_json_int(JsonBuilder *builder, const char *name, uint64_t value);
/** A number that is not finite gives null. */
void weiri_json_real(JsonBuilder *builder, const char *name, double value);
void weiri_json_bool(JsonBuilder *builder, const char *name, bool value);
void weiri_json_null(JsonBuilder *builder, const char *name);
/** Each is left open. */
void weiri_json_array(JsonBuilder *builder, const char *name);
void weiri_json_object(JsonBuilder *builder, const char *name);

/** An array of texts, which ends at %NULL. */
void weiri_json_texts(JsonBuilder *builder, const char *name, const char *const *texts);

/** Returns: (transfer full): the document, indented; frees @builder */
char *weiri_json_take(JsonBuilder *builder);

/** The same as objects of the array that is open, with a member "launch". */
void weiri_report_add_steps_json(JsonBuilder *builder, size_t launch,
                                 const struct weir_step *steps, size_t n);

/**
 * weiri_report_add_finding_members:
 * @builder: inside an object, to which the caller may add members of its own
 *
 * Adds the members of a finding. A value that is not known, or does not apply, is null.
 *
 *   key                            weiri_finding_fingerprint()
 *   kind, kernel, count, message   as in struct weir_finding
 *   note                           boolean
 *   form, parted                   of a divergence
 *   space, object, index           the memory that the finding is of, or what the first
 *                                  party that spins waits for; space is "global",
 *                                  "local" or "private"
 *   why, fix                       of a race
 *   remedy                         the same as fix, as releases before this one had it
 *   first, second                  the first two parties
 *   sites                          all parties, an array
 *   execution                      of an exploration, where one is shown; an object:
 *                                  the members of struct weir_explored_execution
 *
 * A party is
 *
 *   state, items, groups           text: "waiting", "0-4,7", "0-2"
 *   item, group                    arrays of three numbers
 *   file, function, line, source, operation, phase; of the body of kernel K, function
 *                                  is K
 *   path                           an array of {function, file, line}, innermost first
 *   access, order, scope           what it does to memory; the last two of an atomic
 *   object, index, value, writer   of a party that spins; value and writer are text
 */
void weiri_report_add_finding_members(JsonBuilder *builder,
                                      const struct weir_finding *finding);

/** Appends an object of these members; @builder is inside an array. */
void weiri_report_add_finding(JsonBuilder *builder, const struct weir_finding *finding);

/** Appends an object for each finding of @report; @builder is inside an array. */
void weiri_report_add_findings(JsonBuilder *builder, const struct weir_report *report);

/**
 * weiri_report_add_switches:
 * @schedule: whose launches have not been followed; all of them are then
 * @most: how many switches are listed, at most
 *
 * Appends a line for each switch of a schedule, for people, under a line for its
 * launch.
 */
void weiri_report_add_switches(GString *text, struct weir_schedule *schedule,
                               size_t most);

/**
 * weiri_chart_row:
 * @label: the thing that was measured; borrowed
 * @note: printed after the label in the colour of an alarm, or %NULL; borrowed
 * @values: one for each series of the chart; not positive: none; borrowed
 * @texts: the text at each bar's end; borrowed
 */
struct weiri_chart_row {
    const char *label;
    const char *note;
    const double *values;
    const char *const *texts;
};

/**
 * weiri_chart:
 * @title: the headline
 * @subtitle: a line below it
 * @axis: what the values are, with their unit
 * @series: names; the first is what was measured here, the others stand beside
 * @mark: a value worth a line across the chart, or 0
 * @mark_label: what that value is
 */
struct weiri_chart {
    const char *title;
    const char *subtitle;
    const char *axis;
    const char *const *series;
    size_t n_series;
    const struct weiri_chart_row *rows;
    size_t n_rows;
    double mark;
    const char *mark_label;
};

/** Appends a horizontal bar chart as a whole SVG 1.1 document in UTF-8. */
void weiri_report_add_chart(GString *svg, const struct weiri_chart *chart);

#endif
