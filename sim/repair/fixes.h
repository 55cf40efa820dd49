/* SPDX-License-Identifier: MIT
 *
 * fixes.h: changes of a program's source that were tried, and that repair what a check
 * has found.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_FIXES_H
#define WEIRI_CLI_FIXES_H

#include "engine/verdict.h"
#include "repair/candidate.h"

struct weiri_cli_rebuild;

/**
 * weiri_cli_fixes_try:
 *
 * Looks for changes of the source after which the program has no findings. A change is
 * tried in the runs that showed the findings, in those that did not, in 20 more runs
 * with other seeds, and in a plain run; in each of them the program's answer must be
 * correct. Sets the verdict's @fix, or @unfixed. If one change removes several
 * findings, sets their @leader: it is reported, and they are counted below it. Called
 * after weiri_cli_known_mark(), while there is a folder for files.
 */
void weiri_cli_fixes_try(struct weiri_cli_verdict *verdict);

/** Sets the @leader of findings that the @cause of one of them removes, in the runs
 *  that have shown them, where no fix has done so. Called after weiri_cli_fixes_try().
 *  In causes.c. */
void weiri_cli_fixes_group(struct weiri_cli_verdict *verdict);

/** Sets the @reason of findings that the program's source explains better than a run
 *  does, whether fixes are tried or not. */
void weiri_cli_fixes_explain(struct weiri_cli_verdict *verdict);

/**
 * weiri_cli_fix_prove_kernel:
 * @order: the fix, as the option order has it
 * @steps: of a run of the program; with many it is not explored
 *
 * Sets the members @proved of @fix where exploring proves it; so does
 * weiri_cli_fix_prove_program(), of a program that was built with the fix.
 */
void weiri_cli_fix_prove_kernel(const struct weiri_cli_check *check,
                                const struct kernel_row *row, const char *order,
                                struct weiri_cli_fix *fix);
void weiri_cli_fix_prove_program(const struct weiri_cli_check *check,
                                 char *const *program, uint64_t steps,
                                 struct weiri_cli_fix *fix);

/**
 * weiri_cli_fix_judge:
 * @orders: of struct weiri_cli_schedule: runs of the check
 * @program: with the fix; or %NULL for a built-in kernel
 *
 * Sets the members @judged, @unjudged and @prints_else of @fix. A program judges its
 * answer if its status was another one than 0 in a run of the check, or is where its
 * kernels do not run. If it does not, what it prints with and without the fix is
 * compared. Does nothing where they are set.
 */
void weiri_cli_fix_judge(const struct weiri_cli_verdict *verdict, const GArray *orders,
                         char *const *program, struct weiri_cli_fix *fix);

/** Why no change that was tried repairs the @targets. @rebuild: or %NULL, for a kernel
 *  of Weir's own. Returns: (transfer full) */
char *weiri_cli_fix_none_text(const struct weiri_cli_rebuild *rebuild,
                              const GPtrArray *targets);

/** "insert weir_barrier(item, WEIR_LOCAL) after tree.c:20 (tried: clean in 24 of 24
 *  runs, answer right)". Returns: (transfer full) */
char *weiri_cli_fix_text(const struct weiri_cli_fix *fix);

/** Sets the @fix of @finding, a copy of @found's, to the fix that was tried, or to
 *  %NULL; and its @why, if the fix shows a better one. Returns: (transfer full): the
 *  text of @fix, to be freed when @finding is not used any more */
char *weiri_cli_found_words(const struct weiri_cli_verdict *verdict,
                            const struct weiri_cli_found *found,
                            struct weir_finding *finding);

/** The member "fixes" of a finding: an array of {what, file, line, from, to, title,
 *  tried: {runs, clean, right}, proved: {executions, n, groups}, verified, alone};
 *  empty for %NULL. */
void weiri_cli_fix_json(JsonBuilder *builder, const struct weiri_cli_fix *fix);

/** Writes the fixes of all verdicts as one unified diff to the file of --patch.
 *  Returns: false after a complaint */
bool weiri_cli_fixes_write(const struct weiri_cli_check *check, GPtrArray *verdicts);

#endif
