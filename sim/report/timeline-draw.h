/* SPDX-License-Identifier: MIT
 *
 * timeline-draw.h: a launch of a trace, drawn: as SVG for print, and as events for a
 * viewer of Chrome traces. The same trace gives the same bytes. */
#ifndef WEIRI_REPORT_TIMELINE_DRAW_H
#define WEIRI_REPORT_TIMELINE_DRAW_H

#include "report/timeline-read.h"

/* What fits on a page, by default. */
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

#endif
