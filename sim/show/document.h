/* SPDX-License-Identifier: MIT
 *
 * document.h: the result of a check, as a value that files are made of: a page for
 * people, and SARIF for tools that review code. Both are functions of the value and of
 * the source files that it names, and of nothing else. Strings and arrays belong to
 * the maker of the value.
 *
 * Only the command has them, as they need json-glib. */
#ifndef WEIRI_DOCUMENT_H
#define WEIRI_DOCUMENT_H

#include "show/suppress.h"
#include "weir.h"

/** Bytes @begin to before @end of a file, and what replaces them. Borrowed. */
struct weiri_document_change {
    const char *file;
    size_t begin, end;
    const char *text;
};

/**
 * weiri_document_finding:
 * @finding: its count is over all runs; strings and parties are borrowed
 * @shown: where it was seen: "in 2 of 4 runs, first under schedule reverse"
 * @again: a command line that shows it again
 * @local: items of a group, or 0 where that is not known
 * @known: the baseline has it
 * @suppression: that covers it, or %NULL; borrowed
 * @n_under: findings that follow in the document, and that the same change removes
 * @changes: of struct weiri_document_change: the change of @finding's fix, or %NULL
 */
struct weiri_document_finding {
    struct weir_finding finding;
    const char *shown;
    const char *again;
    size_t local;
    bool known;
    const struct weiri_suppression *suppression;
    size_t n_under;
    GArray *changes;
};

/**
 * weiri_document:
 * @command: that made it: "weir check"
 * @subject: what was checked: "tree_sum", "./program 29", "12 kernels"
 * @totals: a line: "4 runs of tree_sum: 1 finding"
 * @findings: of struct weiri_document_finding
 * @states: lines: final states of memory; or %NULL
 * @notes: and @gone: lines; gone are those that the baseline has and no run has shown
 * @incomplete: why not all was done, or %NULL
 * @failure: how a program failed by itself, or %NULL
 * @silent: nothing was launched, so that no findings mean nothing
 * @compared: with a baseline
 */
struct weiri_document {
    const char *command;
    const char *subject;
    const char *totals;
    GArray *findings;
    GPtrArray *states;
    GPtrArray *notes;
    GPtrArray *gone;
    const char *incomplete;
    const char *failure;
    bool silent;
    bool compared;
};

/** Whether a finding is neither a note nor known nor suppressed. */
static inline bool weiri_document_counts(const struct weiri_document_finding *found)
{
    return !found->finding.note && !found->known && found->suppression == NULL;
}

/** Appends a whole page of HTML 5 that needs nothing but itself. html.c. */
void weiri_html_add(GString *page, const struct weiri_document *document);

/**
 * weiri_sarif_to_text:
 *
 * One run in SARIF 2.1.0 (OASIS, 2020). Files below the folder where the command runs
 * are relative to it: their base is "SRCROOT", which the reader of the file knows.
 * sarif.c.
 *
 * Returns: (transfer full)
 */
char *weiri_sarif_to_text(const struct weiri_document *document);

#endif
