/* SPDX-License-Identifier: MIT
 *
 * turns.h: the turns of items that lead to an explored execution where every read gets
 * the newest value: a schedule that a deterministic launch can follow. */
#ifndef WEIRI_NATIVE_TURNS_H
#define WEIRI_NATIVE_TURNS_H

#include "native/shown.h"

/** @race: whose two accesses come last; or %NULL.
 *  Returns: (transfer full): the turns, as in struct weir_finding; or %NULL, with
 *  @why_none, (out) (transfer full), a sentence */
char *weiri_turns_text(const struct weiri_shown *shown, const struct weiri_kept *race,
                       char **why_none);

#endif
