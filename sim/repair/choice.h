/* SPDX-License-Identifier: MIT
 *
 * choice.h: several candidates in one program, each of which takes effect where the
 * program is started for it; and several sizes of memory, of which each run has its
 * own. A program with many candidates takes hardly longer to compile than a program
 * with one.
 *
 * Threads: any, for itself. */
#ifndef WEIRI_FIX_CHOICE_H
#define WEIRI_FIX_CHOICE_H

#include "base/trial.h"
#include "repair/candidate.h"

/** Sizes that a run chooses, at most. */
enum { WEIRI_CHOICE_SIZES = WEIRI_TRIAL_SIZES };

/** The line with which the text of a changed source begins: it declares the functions
 *  that its edits call. */
const char *weiri_choice_declaration(const struct weiri_source *source);

/**
 * weiri_choice_edits:
 * @number: of the candidate in the program, from 1
 *
 * Returns: (transfer full): edits like the candidate's, which have their effect where
 *          base/trial.h takes @number alone; or %NULL where that cannot be, as of a
 *          constant or a declaration, or is not enough, as of memory that is enlarged
 */
GArray *weiri_choice_edits(const struct weiri_fix_candidate *candidate,
                           const struct weiri_source *source, unsigned number);

/**
 * weiri_choice_of_weaker:
 * @number: where base/trial.h takes it, less has its effect
 *
 * Returns: (transfer full): the text that a candidate inserts, with its first @weaker
 *          as the choice of a run; or %NULL where it has none, or inserts more
 */
char *weiri_choice_of_weaker(const struct weiri_fix_candidate *candidate,
                             unsigned number);

/**
 * weiri_choice_of_size:
 * @candidate: %WEIRI_FIX_ENLARGE
 * @size: which one of these, from 1
 *
 * Returns: (transfer full): the text of its edit with a size that the run chooses
 */
char *weiri_choice_of_size(const struct weiri_fix_candidate *candidate, unsigned size);

#endif
