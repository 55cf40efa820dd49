/* SPDX-License-Identifier: MIT
 *
 * why.h: an execution that was kept for a finding of an exploration, in the form in
 * which it is shown, and the reason of the finding. */
#ifndef WEIRI_NATIVE_WHY_H
#define WEIRI_NATIVE_WHY_H

#include "native/shown.h"

/**
 * weiri_why_show:
 * @native: what was explored; its tree of histories is that of @kept
 * @model: under which it was explored
 * @why: (out) (transfer full): how the items come to it, a sentence; or %NULL
 *
 * Context: not on an item's stack, which is too small for looking up symbols
 *
 * Returns: (transfer full): the execution; %NULL if it is too large to be shown
 */
struct weir_explored_execution *weiri_why_show(const struct weiri_native *native,
                                               const struct weiri_symbols *symbols,
                                               const struct weiri_model *model,
                                               const struct weiri_kept *kept,
                                               enum weiri_shows shows, char **why);

#endif
