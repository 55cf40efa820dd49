/* SPDX-License-Identifier: MIT
 *
 * fixes.h: changes of a program's source that were tried, and that repair what a check
 * has found.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_FIXES_H
#define WEIRI_CLI_FIXES_H

#include "cli/verdict.h"

/**
 * weiri_cli_fixes_try:
 *
 * Looks for a change after which a verdict's program has none of its findings left, and
 * no other: in the runs that showed them, in those that did not, in 20 more with seeds,
 * and with the right answer in each of them and in a plain run. Sets the verdict's
 * @fix, or @unfixed; and for each finding that the fix removes the one that it is
 * reported under. After weiri_cli_known_mark(), and while there is a folder for files.
 */
void weiri_cli_fixes_try(struct weiri_cli_verdict *verdict);

/** "insert weir_barrier(item, WEIR_LOCAL) after tree.c:20 (tried: clean in 24 of 24
 *  runs, answer right)". Returns: (transfer full) */
char *weiri_cli_fix_text(const struct weiri_cli_fix *fix);

/** Sets the words of a finding that a trial of fixes has found: its @fix, or %NULL, and
 *  its @why. Returns: (transfer full): the text of @fix, alive as long as @finding */
char *weiri_cli_found_words(const struct weiri_cli_verdict *verdict,
                            const struct weiri_cli_found *found,
                            struct weir_finding *finding);

/** The member "fixes" of a finding: an array of {what, file, line, from, to, tried:
 *  {runs, clean, right}, verified}; empty for %NULL. */
void weiri_cli_fix_json(JsonBuilder *builder, const struct weiri_cli_fix *fix);

/** Writes the fixes of all verdicts as one unified diff to the file of --patch.
 *  Returns: false after a complaint */
bool weiri_cli_fixes_write(const struct weiri_cli_check *check, GPtrArray *verdicts);

#endif
