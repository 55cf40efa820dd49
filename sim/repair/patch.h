/* SPDX-License-Identifier: MIT
 *
 * patch.h: edits of a file, the text that they make, and their unified diff.
 *
 * Edits are in the order of the text, and none overlaps another one. Several insertions
 * at one place are in the order in which they were added. */
#ifndef WEIRI_PATCH_H
#define WEIRI_PATCH_H

#include "base/source.h"

#include <glib.h>

/* Bytes of the old text, from @begin to before @end, and what replaces them. */
struct weiri_edit {
    size_t begin, end;
    char *text; /* owned by the edit */
};

/** Returns: (transfer full): an array of struct weiri_edit; g_array_unref() also frees
 * their texts */
GArray *weiri_edits_new(void);

/** Adds an edit at its place among @edits; @text is copied. */
void weiri_edit_add(GArray *edits, size_t begin, size_t end, const char *text);

/**
 * weiri_edit_insert_before:
 * @line: of code, without indentation and without a newline
 *
 * Inserts a line before a statement, after its labels, with its indentation. Braces are
 * put around both if the statement is the body of a loop or a branch. If it is a body
 * and a block, the line is inserted inside: it becomes the body's first.
 */
void weiri_edit_insert_before(GArray *edits, const struct weiri_source *source,
                              uint32_t statement, const char *line);

/** The same after the statement; it becomes the last of a body that is a block. */
void weiri_edit_insert_after(GArray *edits, const struct weiri_source *source,
                             uint32_t statement, const char *line);

/** Removes a statement, and its lines if nothing else is on them. It must not be the
 * only one of a body without braces. */
void weiri_edit_remove(GArray *edits, const struct weiri_source *source,
                       uint32_t statement);

/**
 * weiri_edits_apply:
 * @text: of @bytes bytes
 * @new_bytes: (out) (nullable)
 *
 * Returns: (transfer full): the new text, with a NUL after it, or %NULL
 * Errors:  %WEIR_ERROR_INPUT where edits overlap or are not in the text
 */
char *weiri_edits_apply(const GArray *edits, const char *text, size_t bytes,
                        size_t *new_bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * weiri_edits_diff:
 * @out: to which the unified diff is appended, nothing if the edits change nothing
 * @name: of the file, as it is below the folder in which `patch -p1` runs
 * @text: of @bytes bytes
 *
 * Returns: whether @edits could be applied
 * Errors:  as weiri_edits_apply(); @out is as before
 */
bool weiri_edits_diff(GString *out, const char *name, const char *text, size_t bytes,
                      const GArray *edits, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#endif
