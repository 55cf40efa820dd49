/* SPDX-License-Identifier: MIT
 *
 * timeline-html.c: a trace as one page of HTML, which loads nothing. The page is
 * timeline.html with timeline.css and the scripts timeline-*.js in it, and with the
 * text of the trace as it is: a browser reads it faster than a script could. */
#include "config.h"

#include "show/html-text.h"
#include "show/timeline-draw.h"

#include <string.h>

/* In JSON a '<' is in a text only. As an escape it cannot end the element. */
static void add_data(GString *page, const char *trace)
{
    for (const char *at; (at = strchr(trace, '<')) != NULL; trace = at + 1) {
        g_string_append_len(page, trace, at - trace);
        g_string_append(page, "\\u003c");
    }
    g_string_append(page, trace);
}

char *weiri_timeline_to_html(const struct weiri_traced_file *file, const char *trace)
{
    enum part { TITLE, STYLE, DATA, SCRIPT, N_PARTS };
    static const char *const marks[N_PARTS]
        = { "@TITLE@", "@STYLE@", "@DATA@", "@SCRIPT@" };
    GString *page = g_string_new(NULL);
    const char *rest = weiri_timeline_page;
    for (int part = 0; part < N_PARTS; part++) {
        const char *mark = strstr(rest, marks[part]);
        g_string_append_len(page, rest, mark - rest);
        rest = mark + strlen(marks[part]);
        if (part == TITLE) {
            weiri_html_add_text(page, weiri_traced_launch_at(file, 0)->kernel);
        } else if (part == DATA) {
            add_data(page, trace);
        } else {
            g_string_append(
                page, part == STYLE ? weiri_timeline_style : weiri_timeline_script);
        }
    }
    g_string_append(page, rest);
    return g_string_free(page, FALSE);
}
