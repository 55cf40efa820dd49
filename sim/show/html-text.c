/* SPDX-License-Identifier: MIT
 *
 * html-text.c: see html-text.h. The page is XML, too: characters that XML may not hold
 * are replaced. */
#include "config.h"

#include "show/html-text.h"

#include <string.h>

void weiri_html_add_text(GString *page, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (char *at = valid; *at != '\0'; at++) {
        if (g_ascii_iscntrl(*at) && *at != '\n' && *at != '\t') {
            *at = '?';
        }
    }
    /* Also escapes control characters beyond ASCII, which XML 1.0 allows so. */
    g_autofree char *escaped = g_markup_escape_text(valid, -1);
    g_string_append(page, escaped);
}

void weiri_html_add_who(GString *page, const char *who)
{
    /* A group's coordinates may follow the list, and stay together. */
    size_t end = strcspn(who, "(");
    const char *comma;
    while ((comma = memchr(who, ',', end)) != NULL) {
        size_t bytes = (size_t)(comma - who) + 1;
        g_autofree char *part = g_strndup(who, bytes);
        weiri_html_add_text(page, part);
        g_string_append(page, "<wbr/>");
        who += bytes;
        end -= bytes;
    }
    weiri_html_add_text(page, who);
}

void weiri_html_add_picture(GString *page, const char *label, unsigned width,
                            unsigned height)
{
    g_string_append_printf(page,
                           "<svg class=\"picture\" role=\"img\" aria-label=\"%s\" "
                           "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
                           label, width, height, width, height);
}

void weiri_html_add_label(GString *svg, const char *class, unsigned x, unsigned y,
                          const char *text)
{
    g_string_append_printf(svg, "<text class=\"%s\" x=\"%u\" y=\"%u\">", class, x, y);
    weiri_html_add_text(svg, text);
    g_string_append(svg, "</text>\n");
}
