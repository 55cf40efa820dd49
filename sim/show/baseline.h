/* SPDX-License-Identifier: MIT
 *
 * baseline.h: which findings an earlier check has had. A baseline is the output of
 * `weir check --json`. A finding equals one of the baseline if kind, kernel and memory
 * are equal, and the parties do the same in files of the same names in lines of the
 * same text. Numbers of lines and folders change with every edit, and are not compared.
 *
 * Any bytes are a baseline or an error. Only the command has this file, as it needs
 * json-glib. */
#ifndef WEIRI_BASELINE_H
#define WEIRI_BASELINE_H

#include "weir.h"

struct weiri_baseline;

/**
 * weiri_baseline_parse:
 * @text: of @bytes bytes, which may be any
 * @name: of the file that it is from
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIR_ERROR_INPUT, with the file and the place in it
 */
struct weiri_baseline *weiri_baseline_parse(const char *text, size_t bytes,
                                            const char *name, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** %NULL is allowed. */
void weiri_baseline_free(struct weiri_baseline *baseline);

/** Whether @finding was there before; it is not gone then. */
bool weiri_baseline_has(struct weiri_baseline *baseline,
                        const struct weir_finding *finding);

/** Findings of the baseline, each different, notes not counted. */
size_t weiri_baseline_n(const struct weiri_baseline *baseline);

/**
 * weiri_baseline_gone:
 * @kernel: (out): that finding @index is of
 *
 * Returns: "data-race in kernel 'k', tree.c:12, tree.c:14", as the baseline has them,
 *          or %NULL where weiri_baseline_has() has found it
 */
const char *weiri_baseline_gone(const struct weiri_baseline *baseline, size_t index,
                                const char **kernel);

#endif
