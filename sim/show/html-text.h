/* SPDX-License-Identifier: MIT
 *
 * html-text.h: text in a page of HTML or in a drawing, escaped. */
#ifndef WEIRI_HTML_TEXT_H
#define WEIRI_HTML_TEXT_H

#include <glib.h>

/** Appends any bytes as text for an element or a quoted attribute. */
void weiri_html_add_text(GString *page, const char *text);

/** The same for what weiri_report_items_text() returns: a line may end after each comma
 *  of a list of items. */
void weiri_html_add_who(GString *page, const char *who);

/** Begins a drawing of a page, which "</svg>" ends. */
void weiri_html_add_picture(GString *page, const char *label, unsigned width,
                            unsigned height);

/** A text in a drawing. */
void weiri_html_add_label(GString *svg, const char *class, unsigned x, unsigned y,
                          const char *text);

#endif
