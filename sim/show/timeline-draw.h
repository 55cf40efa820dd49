/* SPDX-License-Identifier: MIT
 *
 * timeline-draw.h: a launch of a trace, drawn: as SVG for print, as events for a viewer
 * of Chrome traces, and as a page of HTML. The same trace gives the same bytes. */
#ifndef WEIRI_REPORT_TIMELINE_DRAW_H
#define WEIRI_REPORT_TIMELINE_DRAW_H

#include "show/timeline-read.h"

/* The amounts that fit on a page, by default. */
enum { WEIRI_DRAWN_ITEMS = 32, WEIRI_DRAWN_TIMES = 120 };

/**
 * weiri_timeline_to_svg:
 * @first_group: the first that is drawn, with as many more as fit
 * @from: the first time that is drawn, from 1
 *
 * Returns: (transfer full)
 */
char *weiri_timeline_to_svg(const struct weiri_traced_launch *launch,
                            uint64_t first_group, uint32_t from);

/** All launches as the Trace Event Format has them: a process for each group, a thread
 *  for each item. Returns: (transfer full) */
char *weiri_timeline_to_chrome(const struct weiri_traced_file *file);

/** A page for a browser, with the text @trace of the file in it.
 *  Returns: (transfer full) */
char *weiri_timeline_to_html(const struct weiri_traced_file *file, const char *trace);

/* The parts of the page, made from timeline.html, timeline.css and timeline-*.js. */
extern const char weiri_timeline_page[], weiri_timeline_style[],
    weiri_timeline_script[];

#endif
