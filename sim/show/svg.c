/* SPDX-License-Identifier: MIT
 *
 * svg.c: a bar chart of measured values beside published ones.
 *
 *   title
 *   subtitle                                     [] here  [] device  [] device
 *   ------------------------------------------------------------------------
 *   label   ############## 12.1             :
 *           ====== 5.2                      :  <- the mark: the machine's limit
 *   label   ###### 5.0                      :
 *           +------+------+------+------+------  axis
 *
 * A row is as high as it has bars. The axis is linear from zero, unless values
 * differ so much that the short bars would vanish: then it is logarithmic, is labelled
 * so, and starts at the decade below the smallest value.
 *
 * Text cannot be measured without its font, so widths are estimates for a sans-serif
 * face, on the large side. Numbers are written in the C locale, as SVG requires. */
#include "config.h"

#include "report/report.h"
#include "show/html-text.h"

#include <math.h>
#include <string.h>

/* A ratio of largest to smallest value from which the axis is logarithmic: at 40
 * the shortest bar of PLOT pixels would be 14 long, hardly to be compared. */
static const double LOG_RATIO = 40.0;

/* Pixels. */
enum {
    PLOT = 560,    /* length of the axis */
    BAR = 13,      /* height of a bar */
    ROW_GAP = 12,  /* between rows */
    HEAD = 96,     /* above the first row: titles and legend */
    FOOT = 48,     /* below the last row: ticks and the axis's name */
    MARGIN = 20,   /* around everything */
    END_TEXT = 120 /* right of the axis, for the longest bar's text */
};

/* Width of a character of 12 pixels: DejaVu Sans averages 7.2 on lower case. */
static const double CHARACTER = 7.4;

/* The measured series is dark, the published ones are lighter and of different
 * hues and lightness, so that they differ without colour, too. */
static const char *const COLOURS[]
    = { "#1d4e89", "#8fb8de", "#f3b562", "#a8cf8e", "#d7a9d1", "#c9c2b4" };

/* A white rim, so that texts can be read where the mark crosses them. */
#define HALO " paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\""

struct axis {
    double low, high; /* values at its ends */
    bool logarithmic;
    double left; /* pixels */
};

static const char *number(double value, char buffer[G_ASCII_DTOSTR_BUF_SIZE])
{
    return g_ascii_formatd(buffer, G_ASCII_DTOSTR_BUF_SIZE, "%.1f", value);
}

static void add_text(GString *svg, double x, double y, const char *style,
                     const char *text)
{
    char at_x[G_ASCII_DTOSTR_BUF_SIZE], at_y[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(svg, "<text x=\"%s\" y=\"%s\"%s>", number(x, at_x),
                           number(y, at_y), style);
    weiri_html_add_text(svg, text);
    g_string_append(svg, "</text>\n");
}

static void add_bar(GString *svg, double x, double y, double width, const char *colour)
{
    char at_x[G_ASCII_DTOSTR_BUF_SIZE], at_y[G_ASCII_DTOSTR_BUF_SIZE];
    char wide[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(
        svg, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%d\" fill=\"%s\"/>\n",
        number(x, at_x), number(y, at_y), number(width, wide), BAR - 2, colour);
}

static void add_vertical(GString *svg, double x, double top, double bottom,
                         const char *style)
{
    char at_x[G_ASCII_DTOSTR_BUF_SIZE], from[G_ASCII_DTOSTR_BUF_SIZE];
    char to[G_ASCII_DTOSTR_BUF_SIZE];
    number(x, at_x);
    g_string_append_printf(svg, "<line x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\" %s/>\n",
                           at_x, at_x, number(top, from), number(bottom, to), style);
}

static double text_width(const char *text)
{
    return (double)g_utf8_strlen(text, -1) * CHARACTER;
}

static const char *colour_of(size_t series)
{
    return COLOURS[series % G_N_ELEMENTS(COLOURS)];
}

/* ---- The axis -------------------------------------------------------------------- */

static bool is_value(double value)
{
    return isfinite(value) && value > 0;
}

/* The least of 1, 2, 5 times a power of ten that is no less than @value. */
static double round_up(double value)
{
    double decade = pow(10.0, floor(log10(value)));
    for (int i = 0; i < 3; i++) {
        double candidate = decade * (double[]){ 1.0, 2.0, 5.0 }[i];
        if (candidate >= value * (1 - 1e-9)) {
            return candidate;
        }
    }
    return decade * 10.0;
}

static struct axis make_axis(const struct weiri_chart *chart, double left)
{
    double low = is_value(chart->mark) ? chart->mark : INFINITY;
    double high = is_value(chart->mark) ? chart->mark : 0;
    for (size_t i = 0; i < chart->n_rows * chart->n_series; i++) {
        double value = chart->rows[i / chart->n_series].values[i % chart->n_series];
        if (is_value(value)) {
            low = MIN(low, value);
            high = MAX(high, value);
        }
    }
    if (high == 0) {
        return (struct axis){ 0, 1, false, left };
    }
    if (high / low < LOG_RATIO) {
        double step = round_up(high / 6);
        return (struct axis){ 0, ceil(high / step * (1 - 1e-9)) * step, false, left };
    }
    return (struct axis){ pow(10.0, floor(log10(low * 0.999))), round_up(high), true,
                          left };
}

static double position(const struct axis *axis, double value)
{
    double share = axis->logarithmic
        ? log10(value / axis->low) / log10(axis->high / axis->low)
        : value / axis->high;
    return axis->left + CLAMP(share, 0.0, 1.0) * PLOT;
}

static void add_tick(GString *svg, const struct axis *axis, double value, double bottom)
{
    double x = position(axis, value);
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof(text), "%g", value);
    add_vertical(svg, x, HEAD - 4, bottom, "stroke=\"#dcdcdc\"");
    add_text(svg, x, bottom + 16, " text-anchor=\"middle\" fill=\"#555\"", text);
}

static void add_axis(GString *svg, const struct weiri_chart *chart,
                     const struct axis *axis, double bottom)
{
    if (axis->logarithmic) {
        for (double tick = axis->low; tick <= axis->high * (1 + 1e-9); tick *= 10) {
            add_tick(svg, axis, tick, bottom);
        }
    } else {
        double step = round_up(axis->high / 6);
        for (int i = 0; i * step <= axis->high * (1 + 1e-9); i++) {
            add_tick(svg, axis, i * step, bottom);
        }
    }
    g_autofree char *name = g_strdup_printf(
        "%s%s", chart->axis, axis->logarithmic ? ", logarithmic axis" : "");
    add_text(svg, axis->left + PLOT / 2.0, bottom + 36,
             " text-anchor=\"middle\" fill=\"#333\"", name);
    if (is_value(chart->mark)) {
        double x = position(axis, chart->mark);
        add_vertical(svg, x, HEAD - 6, bottom,
                     "stroke=\"#b3261e\" stroke-dasharray=\"4 3\"");
        /* The text lies on the side of the line that has more room. */
        bool leftwards = x > axis->left + PLOT / 2.0;
        add_text(svg, x + (leftwards ? 4 : -4), HEAD - 10,
                 leftwards ? " text-anchor=\"end\" fill=\"#b3261e\""
                           : " text-anchor=\"start\" fill=\"#b3261e\"",
                 chart->mark_label);
    }
}

/* ---- Legend and rows ------------------------------------------------------------- */

static double legend_width(const struct weiri_chart *chart)
{
    double width = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        width += 17 + text_width(chart->series[i]) + 14;
    }
    return width;
}

static void add_legend(GString *svg, const struct weiri_chart *chart)
{
    double x = MARGIN;
    for (size_t i = 0; i < chart->n_series; i++) {
        add_bar(svg, x, 56, BAR - 2, colour_of(i));
        add_text(svg, x + 17, 66, "", chart->series[i]);
        x += 17 + text_width(chart->series[i]) + 14;
    }
}

/* Returns: how many bars the row has */
static size_t bars_of(const struct weiri_chart *chart,
                      const struct weiri_chart_row *row)
{
    size_t bars = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        bars += is_value(row->values[i]);
    }
    return bars;
}

static double row_height(const struct weiri_chart *chart,
                         const struct weiri_chart_row *row)
{
    double bars = (double)bars_of(chart, row) * BAR;
    double texts = row->note != NULL ? 30 : 15;
    return MAX(bars, texts) + ROW_GAP;
}

static void add_row(GString *svg, const struct weiri_chart *chart,
                    const struct axis *axis, const struct weiri_chart_row *row,
                    double y)
{
    add_text(svg, axis->left - 8, y + 10, " text-anchor=\"end\"", row->label);
    if (row->note != NULL) {
        add_text(svg, axis->left - 8, y + 25, " text-anchor=\"end\" fill=\"#b3261e\"",
                 row->note);
    }
    for (size_t i = 0; i < chart->n_series; i++) {
        if (!is_value(row->values[i])) {
            continue;
        }
        double end = position(axis, row->values[i]);
        add_bar(svg, axis->left, y, MAX(end - axis->left, 1.0), colour_of(i));
        add_text(svg, end + 5, y + 10,
                 i == 0 ? HALO " font-size=\"11\" font-weight=\"bold\""
                        : HALO " font-size=\"11\" fill=\"#555\"",
                 row->texts[i]);
        y += BAR;
    }
}

void weiri_report_add_chart(GString *svg, const struct weiri_chart *chart)
{
    g_return_if_fail(svg != NULL && chart != NULL && chart->n_series > 0);
    double labels = 0, height = 0;
    for (size_t i = 0; i < chart->n_rows; i++) {
        labels = MAX(labels, text_width(chart->rows[i].label));
        labels = MAX(labels,
                     chart->rows[i].note != NULL ? text_width(chart->rows[i].note) : 0);
        height += row_height(chart, &chart->rows[i]);
    }
    struct axis axis = make_axis(chart, MARGIN + labels + 8);
    double bottom = HEAD + height;
    double width = axis.left + PLOT + END_TEXT;
    width = MAX(width, 2 * MARGIN + legend_width(chart));
    width = MAX(width, 2 * MARGIN + text_width(chart->subtitle));
    g_string_append_printf(
        svg,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\" "
        "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Verdana, "
        "Arial, sans-serif\" font-size=\"12\" fill=\"#111\">\n"
        "<title>",
        width, bottom + FOOT, width, bottom + FOOT);
    weiri_html_add_text(svg, chart->title);
    g_string_append(svg,
                    "</title>\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"#fff\"/>\n");
    add_text(svg, MARGIN, 26, " font-size=\"16\" font-weight=\"bold\"", chart->title);
    add_text(svg, MARGIN, 45, " fill=\"#555\"", chart->subtitle);
    add_legend(svg, chart);
    add_axis(svg, chart, &axis, bottom);
    double y = HEAD + ROW_GAP / 2.0;
    for (size_t i = 0; i < chart->n_rows; i++) {
        add_row(svg, chart, &axis, &chart->rows[i], y);
        y += row_height(chart, &chart->rows[i]);
    }
    g_string_append(svg, "</svg>\n");
}
