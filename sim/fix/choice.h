/* SPDX-License-Identifier: MIT
 *
 * choice.h: several candidates in one program, each of which takes effect where the
 * program is started for it. What a compiler needs for a program, one candidate would
 * need like many.
 *
 * Threads: any, for itself. */
#ifndef WEIRI_FIX_CHOICE_H
#define WEIRI_FIX_CHOICE_H

#include "fix/candidate.h"

/** What the text of a changed source begins with, a line: what its edits call. */
const char *weiri_choice_declaration(const struct weiri_source *source);

/**
 * weiri_choice_edits:
 * @number: of the candidate in the program, from 1
 *
 * Returns: (transfer full): edits like the candidate's, which have their effect where
 *          base/trial.h takes @number alone; or %NULL where that cannot be, as of a
 *          constant or a declaration
 */
GArray *weiri_choice_edits(const struct weiri_fix_candidate *candidate,
                           const struct weiri_source *source, unsigned number);

#endif
