/* SPDX-License-Identifier: MIT
 *
 * excerpt.h: the source that a finding speaks of, for a page of HTML. */
#ifndef WEIRI_EXCERPT_H
#define WEIRI_EXCERPT_H

#include "weir.h"

/** Appends a figure for each part of a file that parties of @finding are in. */
void weiri_excerpt_add(GString *page, const struct weir_finding *finding);

#endif
