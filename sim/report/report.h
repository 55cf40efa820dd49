/* SPDX-License-Identifier: MIT
 *
 * report.h: values in, text out: findings as JSON, measurements as a chart.
 * Of the command only; the library's own report is weir_report_to_text(). */
#ifndef WEIRI_REPORT_H
#define WEIRI_REPORT_H

#include <json-glib/json-glib.h>

#include "weir.h"

/**
 * weiri_report_add_findings:
 * @builder: inside an array
 * @report: a launch's report
 *
 * Appends an object for each finding: {kind, kernel, count, message, first,
 * second, sites}, where first and second are the first two parties or null,
 * and sites holds all of them. A party is {state, items, item, group, file,
 * function, line, operation, phase}; what is not known is null.
 */
void weiri_report_add_findings(JsonBuilder *builder, const struct weir_report *report);

/**
 * weiri_chart_row:
 * @label: what was measured; borrowed
 * @note: said behind the label in the colour of an alarm, or %NULL; borrowed
 * @values: one a series of the chart; not positive where there is none; borrowed
 * @texts: what each bar's end says; borrowed
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
 * @series: names; the first is what was measured here, the others were published
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
