/* SPDX-License-Identifier: MIT
 *
 * waits.h: a deadlock or a livelock as a drawing: which items wait for which.
 *
 * It is SVG for a page of HTML whose style has the classes of html-style.h. */
#ifndef WEIRI_WAITS_H
#define WEIRI_WAITS_H

#include "weir.h"

/** Appends an svg element, as XML and as HTML, or nothing where a finding is of another
 *  kind. Returns: its width in pixels, or 0 for nothing */
unsigned weiri_waits_add(GString *page, const struct weir_finding *finding);

#endif
