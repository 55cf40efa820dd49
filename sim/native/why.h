/* SPDX-License-Identifier: MIT
 *
 * why.h: an execution that was kept for a finding of an exploration, in the form in
 * which it is shown, and the reason of the finding. */
#ifndef WEIRI_NATIVE_WHY_H
#define WEIRI_NATIVE_WHY_H

#include "native/shown.h"

/**
 * weiri_why_show:
 * @native: the explored program; its tree of histories is the one of @kept
 * @model: the model of the exploration
 * @draft: gets its why, execution, turns and no_turns, except parts that are too large
 *
 * Context: not on an item's stack, which is too small for looking up symbols
 */
void weiri_why_show(const struct weiri_native *native,
                    const struct weiri_symbols *symbols,
                    const struct weiri_model *model, const struct weiri_kept *kept,
                    enum weiri_shows shows, struct weiri_draft *draft);

#endif
