/* SPDX-License-Identifier: MIT
 *
 * picture.h: a race or a divergence as a drawing: a group's items side by side, and
 * the phases between its barriers one below the other.
 *
 * It is SVG for a page of HTML whose style has the classes of html-style.h. */
#ifndef WEIRI_PICTURE_H
#define WEIRI_PICTURE_H

#include "weir.h"

/**
 * weiri_picture_add:
 * @local: items of a group, or 0 where that is not known
 *
 * Appends an svg element, as XML and as HTML, or nothing for a finding of a kind that
 * cannot be drawn.
 *
 * Returns: its width in pixels, or 0 for nothing
 */
unsigned weiri_picture_add(GString *page, const struct weir_finding *finding,
                           size_t local);

#endif
