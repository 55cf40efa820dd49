/* SPDX-License-Identifier: MIT
 *
 * suppress.h: which findings a user accepts, as text and as values.
 *
 *     # The bins are approximate on purpose: some lost updates do no harm.
 *     data-race     kernel=histogram_lossy object=bins
 *     *-race        function=log_*   # the log may be torn
 *
 * A line is a finding's kind and words KEY=PATTERN, in any order, of which all must
 * match. In a pattern * stands for any text and ? for one character; one with blanks is
 * put between double quotes. weir-check(1) has the keys.
 *
 * Reading is strict, as an entry that is not understood would hide nothing or too
 * much. Any bytes are entries or an error. */
#ifndef WEIRI_SUPPRESS_H
#define WEIRI_SUPPRESS_H

#include "weir.h"

struct weiri_suppressions;

/**
 * weiri_suppression:
 *
 * An entry.
 * @file: as it was named
 * @line: from 1
 * @reason: the comment after it on the line, or above it; or %NULL
 * @n_findings: that it has matched
 */
struct weiri_suppression {
    const char *file;
    size_t line;
    const char *reason;
    size_t n_findings;
};

/** No entries yet. Returns: (transfer full) */
struct weiri_suppressions *weiri_suppress_new(void);

/** %NULL is allowed. */
void weiri_suppress_free(struct weiri_suppressions *list);

/**
 * weiri_suppress_add:
 * @text: of @bytes bytes, which may be any
 * @name: of the file that it is from; copied
 *
 * Errors: %WEIR_ERROR_INPUT, with file and line; the entries before it are added
 */
bool weiri_suppress_add(struct weiri_suppressions *list, const char *text, size_t bytes,
                        const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The first entry that matches, which counts it, or %NULL. Belongs to @list. */
const struct weiri_suppression *weiri_suppress_find(struct weiri_suppressions *list,
                                                    const struct weir_finding *finding);

size_t weiri_suppress_n(const struct weiri_suppressions *list);

/** Entry @index, in the order of reading. */
const struct weiri_suppression *weiri_suppress_entry(
    const struct weiri_suppressions *list, size_t index);

#endif
