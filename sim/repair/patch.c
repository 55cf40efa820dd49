/* SPDX-License-Identifier: MIT
 *
 * patch.c: a diff of edits needs no search for common lines. Each edit is widened to
 * whole lines, edits on the same lines are joined, and lines at both ends that an edit
 * leaves as they are do not count. The rest are changes: a range of old lines, and the
 * lines that replace it. Changes whose context would meet share a hunk.
 *
 * Invariant: changes are in the order of the text; no old line is in two of them. */
#include "config.h"

#include "repair/patch.h"

#include "weir.h"

#include <string.h>

enum { CONTEXT = 3 }; /* lines around a change, as patch(1) expects by default */

/* ---- Edits ----------------------------------------------------------------------- */

static void clear_edit(gpointer data)
{
    struct weiri_edit *edit = data;
    g_free(edit->text);
}

GArray *weiri_edits_new(void)
{
    GArray *edits = g_array_new(FALSE, FALSE, sizeof(struct weiri_edit));
    g_array_set_clear_func(edits, clear_edit);
    return edits;
}

static const struct weiri_edit *edit_at(const GArray *edits, guint i)
{
    return &g_array_index(edits, struct weiri_edit, i);
}

void weiri_edit_add(GArray *edits, size_t begin, size_t end, const char *text)
{
    guint i = edits->len;
    while (i > 0
           && (edit_at(edits, i - 1)->begin > begin
               || (edit_at(edits, i - 1)->begin == begin
                   && edit_at(edits, i - 1)->end > end))) {
        i--;
    }
    struct weiri_edit edit = { begin, end, g_strdup(text) };
    g_array_insert_val(edits, i, edit);
}

static bool check(const GArray *edits, size_t bytes, GError **error)
{
    size_t end = 0;
    for (guint i = 0; i < edits->len; i++) {
        const struct weiri_edit *edit = edit_at(edits, i);
        if (edit->begin > edit->end || edit->end > bytes) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "an edit of bytes %zu to %zu in a text of %zu bytes",
                        edit->begin, edit->end, bytes);
            return false;
        }
        if (edit->begin < end) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "edits overlap at byte %zu: one ends at byte %zu", edit->begin,
                        end);
            return false;
        }
        end = edit->end;
    }
    return true;
}

/* Appends bytes @begin to @end of the text with edits @first to before @last, which are
 * inside of it. */
static void append_edited(GString *out, const char *text, size_t begin, size_t end,
                          const GArray *edits, guint first, guint last)
{
    for (guint i = first; i < last; i++) {
        const struct weiri_edit *edit = edit_at(edits, i);
        g_string_append_len(out, text + begin, (gssize)(edit->begin - begin));
        g_string_append(out, edit->text);
        begin = edit->end;
    }
    g_string_append_len(out, text + begin, (gssize)(end - begin));
}

char *weiri_edits_apply(const GArray *edits, const char *text, size_t bytes,
                        size_t *new_bytes, GError **error)
{
    if (!check(edits, bytes, error)) {
        return NULL;
    }
    GString *out = g_string_sized_new(bytes);
    append_edited(out, text, 0, bytes, edits, 0, edits->len);
    if (new_bytes != NULL) {
        *new_bytes = out->len;
    }
    return g_string_free(out, FALSE);
}

/* ---- Lines of code --------------------------------------------------------------- */

/* How lines of the source end. */
static const char *newline_of(const struct weiri_source *source)
{
    size_t bytes, first_end = weiri_source_line_begin(source, 2);
    const char *text = weiri_source_text(source, &bytes);
    return first_end >= 2 && strncmp(text + first_end - 2, "\r\n", 2) == 0 ? "\r\n"
                                                                           : "\n";
}

/* One level more than @indent. Returns: (transfer full) */
static char *deeper(const char *indent)
{
    return g_strconcat(indent, strchr(indent, '\t') != NULL ? "\t" : "    ", NULL);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A line of its own, or the end of one (NULL), inside of a line; blanks at @at become
 * part of the indentation @rest of what follows. Nothing is deleted, so that a second
 * edit at the same place does not overlap. */
static void split(GArray *edits, const struct weiri_source *source, size_t at,
                  const char *indent, const char *line, const char *rest)
{
    size_t bytes, blanks = 0, rest_bytes = strlen(rest);
    const char *text = weiri_source_text(source, &bytes), *end = newline_of(source);
    while (is_blank(text[at + blanks])) {
        blanks++;
    }
    g_autofree char *first
        = line != NULL ? g_strconcat(end, indent, line, NULL) : g_strdup("");
    g_autofree char *whole
        = g_strconcat(first, end, rest + MIN(blanks, rest_bytes), NULL);
    weiri_edit_add(edits, at, at, whole);
}

/* Where the blanks before @at begin. */
static size_t before_blanks(const struct weiri_source *source, size_t at)
{
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    while (at > 0 && is_blank(text[at - 1])) {
        at--;
    }
    return at;
}

/* A line of its own before the token at @at, which has indentation @rest if it then
 * begins a line. */
static void put_before(GArray *edits, const struct weiri_source *source, size_t at,
                       const char *indent, const char *line, const char *rest)
{
    if (!weiri_source_begins_line(source, at)) {
        split(edits, source, before_blanks(source, at), indent, line, rest);
        return;
    }
    size_t begin = weiri_source_line_begin(source, weiri_source_line_of(source, at));
    g_autofree char *whole = g_strconcat(indent, line, newline_of(source), NULL);
    weiri_edit_add(edits, begin, begin, whole);
}

/* A line of its own after the token that ends at @at, and @rest as above. */
static void put_after(GArray *edits, const struct weiri_source *source, size_t at,
                      const char *indent, const char *line, const char *rest)
{
    if (!weiri_source_ends_line(source, at)) {
        split(edits, source, at, indent, line, rest);
        return;
    }
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes), *end = newline_of(source);
    size_t next = weiri_source_line_begin(source, weiri_source_line_of(source, at) + 1);
    bool is_last = next == bytes && text[bytes - 1] != '\n';
    g_autofree char *whole
        = g_strconcat(is_last ? end : "", indent, line, is_last ? "" : end, NULL);
    weiri_edit_add(edits, next, next, whole);
}

/* Where a line goes that is inserted beside a statement. */
struct place {
    bool is_inside;    /* the statement is a block, and a body */
    bool needs_braces; /* it is a body, and no block */
    char *indent;      /* of the line */
    char *outer;       /* of the statement that it is the body of */
};

static struct place place_of(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *node = weiri_source_at(source, statement);
    struct place place = { .indent = NULL };
    size_t start = node->start;
    bool is_body = false, is_block = node->kind == WEIRI_STATEMENT_BLOCK;
    bool is_deeper = node->start > node->begin;
    if (node->parent != WEIRI_STATEMENT_NONE) {
        const struct weiri_statement *parent = weiri_source_at(source, node->parent);
        is_body = parent->kind != WEIRI_STATEMENT_BLOCK
            && parent->kind != WEIRI_STATEMENT_FILE;
        place.outer = weiri_source_indent(source, parent->begin);
        is_deeper = is_deeper || is_body
            || (!is_block && parent->kind == WEIRI_STATEMENT_BLOCK
                && parent->first_line == node->first_line);
    }
    place.is_inside = is_body && is_block;
    place.needs_braces = is_body && !is_block;
    if (place.is_inside && node->first_child != WEIRI_STATEMENT_NONE) {
        start = weiri_source_at(source, node->first_child)->start;
    }
    place.indent = weiri_source_indent(source, start);
    bool has_own_line = weiri_source_begins_line(source, start)
        && !(place.is_inside && node->first_child == WEIRI_STATEMENT_NONE);
    if (!has_own_line && is_deeper) {
        g_autofree char *indent = place.indent;
        place.indent = deeper(indent);
    }
    return place;
}

static void clear_place(struct place *place)
{
    g_free(place->indent);
    g_free(place->outer);
}

void weiri_edit_insert_before(GArray *edits, const struct weiri_source *source,
                              uint32_t statement, const char *line)
{
    const struct weiri_statement *node = weiri_source_at(source, statement);
    struct place place = place_of(source, statement);
    if (place.is_inside) {
        put_after(edits, source, node->head_end, place.indent, line, place.indent);
    } else {
        if (place.needs_braces) {
            size_t at = weiri_source_end_before(source, node->begin);
            weiri_edit_add(edits, at, at, " {");
        }
        put_before(edits, source, node->start, place.indent, line, place.indent);
        if (place.needs_braces) {
            put_after(edits, source, node->end, place.outer, "}", place.outer);
        }
    }
    clear_place(&place);
}

void weiri_edit_insert_after(GArray *edits, const struct weiri_source *source,
                             uint32_t statement, const char *line)
{
    const struct weiri_statement *node = weiri_source_at(source, statement);
    struct place place = place_of(source, statement);
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    if (place.is_inside && text[node->end - 1] == '}') {
        put_before(edits, source, node->end - 1, place.indent, line, place.outer);
    } else if (place.needs_braces) {
        g_autofree char *both
            = g_strconcat(line, newline_of(source), place.outer, "}", NULL);
        size_t at = weiri_source_end_before(source, node->begin);
        weiri_edit_add(edits, at, at, " {");
        if (!weiri_source_begins_line(source, node->begin)) {
            split(edits, source, before_blanks(source, node->begin), "", NULL,
                  place.indent);
        }
        put_after(edits, source, node->end, place.indent, both, place.outer);
    } else {
        put_after(edits, source, node->end, place.indent, line, place.indent);
    }
    clear_place(&place);
}

void weiri_edit_remove(GArray *edits, const struct weiri_source *source,
                       uint32_t statement)
{
    const struct weiri_statement *node = weiri_source_at(source, statement);
    struct weiri_range range = { node->start, node->end };
    if (node->start == node->begin
        && weiri_source_only_on_its_lines(source, statement)) {
        range = weiri_source_lines(source, node->first_line, node->last_line);
    }
    weiri_edit_add(edits, range.begin, range.end, "");
}

/* ---- The diff -------------------------------------------------------------------- */

/* Lines of a text: where each begins, and where the last one ends. */
struct lines {
    const char *text;
    GArray *begins; /* size_t, one more than lines */
};

/* Old lines @first to before @end, and the new ones. */
struct change {
    size_t first, end;
    GString *text;
    struct lines lines;
    size_t new_first, new_end; /* of `lines` */
};

static struct lines lines_of(const char *text, size_t bytes)
{
    struct lines lines = { text, g_array_new(FALSE, FALSE, sizeof(size_t)) };
    for (size_t begin = 0;;) {
        g_array_append_val(lines.begins, begin);
        if (begin == bytes) {
            return lines;
        }
        const char *end = memchr(text + begin, '\n', bytes - begin);
        begin = end != NULL ? (size_t)(end + 1 - text) : bytes;
    }
}

static size_t line_begin(const struct lines *lines, size_t line)
{
    return g_array_index(lines->begins, size_t, line);
}

static size_t n_lines(const struct lines *lines)
{
    return lines->begins->len - 1;
}

static bool is_same_line(const struct lines *a, size_t i, const struct lines *b,
                         size_t j)
{
    size_t bytes = line_begin(a, i + 1) - line_begin(a, i);
    return bytes == line_begin(b, j + 1) - line_begin(b, j)
        && memcmp(a->text + line_begin(a, i), b->text + line_begin(b, j), bytes) == 0;
}

/* The line that @offset is in, at @from or after it. After a newline that ends the text
 * it is a line without bytes. */
static size_t line_of(const struct lines *lines, size_t offset, size_t from)
{
    size_t n = n_lines(lines), bytes = line_begin(lines, n);
    size_t last = n > 0 && lines->text[bytes - 1] != '\n' ? n - 1 : n;
    while (from < last && line_begin(lines, from + 1) <= offset) {
        from++;
    }
    return from;
}

static void clear_change(gpointer data)
{
    struct change *change = data;
    g_string_free(change->text, TRUE);
    g_array_unref(change->lines.begins);
}

/* Returns: (transfer full): an array of struct change */
static GArray *changes_of(const struct lines *old, const GArray *edits)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(struct change));
    g_array_set_clear_func(changes, clear_change);
    size_t last = 0;
    for (guint i = 0, next = 0; i < edits->len; i = next) {
        struct change change = { .text = g_string_new(NULL) };
        last = change.first = line_of(old, edit_at(edits, i)->begin, last);
        for (next = i; next < edits->len
             && line_of(old, edit_at(edits, next)->begin, change.first) <= last;
             next++) {
            last = line_of(old, edit_at(edits, next)->end, last);
        }
        change.end = MIN(last + 1, n_lines(old));
        size_t begin = line_begin(old, change.first);
        append_edited(change.text, old->text, begin, line_begin(old, change.end), edits,
                      i, next);
        change.lines = lines_of(change.text->str, change.text->len);
        change.new_end = n_lines(&change.lines);
        while (change.first < change.end && change.new_first < change.new_end
               && is_same_line(old, change.first, &change.lines, change.new_first)) {
            change.first++;
            change.new_first++;
        }
        while (
            change.first < change.end && change.new_first < change.new_end
            && is_same_line(old, change.end - 1, &change.lines, change.new_end - 1)) {
            change.end--;
            change.new_end--;
        }
        if (change.first == change.end && change.new_first == change.new_end) {
            clear_change(&change);
        } else {
            g_array_append_val(changes, change);
        }
    }
    return changes;
}

static void add_lines(GString *out, char sign, const struct lines *lines, size_t first,
                      size_t end)
{
    for (size_t i = first; i < end; i++) {
        size_t begin = line_begin(lines, i), bytes = line_begin(lines, i + 1) - begin;
        g_string_append_c(out, sign);
        g_string_append_len(out, lines->text + begin, (gssize)bytes);
        if (lines->text[begin + bytes - 1] != '\n') {
            g_string_append(out, "\n\\ No newline at end of file\n");
        }
    }
}

/* `-12,3`: a range without lines names the line before it. */
static void add_range(GString *out, char sign, size_t first, size_t n)
{
    g_string_append_printf(out, "%c%zu", sign, n > 0 ? first + 1 : first);
    if (n != 1) {
        g_string_append_printf(out, ",%zu", n);
    }
    g_string_append_c(out, ' ');
}

/* A hunk of changes @from to before @to; before it the new text has @shift lines more
 * than the old one. Returns: the same after it */
static size_t add_hunk(GString *out, const struct lines *old, const GArray *changes,
                       guint from, guint to, size_t shift)
{
    const struct change *change = &g_array_index(changes, struct change, 0);
    size_t first = change[from].first - MIN(change[from].first, CONTEXT);
    size_t end = MIN(change[to - 1].end + CONTEXT, n_lines(old));
    size_t shift_after = shift; /* modulo the word: the text may get shorter */
    for (guint i = from; i < to; i++) {
        shift_after += change[i].new_end - change[i].new_first;
        shift_after -= change[i].end - change[i].first;
    }
    g_string_append(out, "@@ ");
    add_range(out, '-', first, end - first);
    add_range(out, '+', first + shift, end - first + shift_after - shift);
    g_string_append(out, "@@\n");
    for (guint i = from; i < to; i++) {
        add_lines(out, ' ', old, first, change[i].first);
        add_lines(out, '-', old, change[i].first, change[i].end);
        add_lines(out, '+', &change[i].lines, change[i].new_first, change[i].new_end);
        first = change[i].end;
    }
    add_lines(out, ' ', old, first, end);
    return shift_after;
}

/* patch(1) reads a name to the next blank or tab, or in quotes as in C. */
static void add_name(GString *out, const char *sign, const char *folder,
                     const char *name)
{
    g_autofree char *path = g_strconcat(folder, name, NULL);
    g_autofree char *quoted = g_strescape(path, NULL);
    bool needs_quotes = strpbrk(path, "\"\\\n\t\r\v\f\b") != NULL;
    g_string_append_printf(out, needs_quotes ? "%s \"%s\"" : "%s %s", sign,
                           needs_quotes ? quoted : path);
    g_string_append(out, strchr(path, ' ') != NULL && !needs_quotes ? "\t\n" : "\n");
}

bool weiri_edits_diff(GString *out, const char *name, const char *text, size_t bytes,
                      const GArray *edits, GError **error)
{
    if (!check(edits, bytes, error)) {
        return false;
    }
    struct lines old = lines_of(text, bytes);
    g_autoptr(GArray) changes = changes_of(&old, edits);
    if (changes->len > 0) {
        add_name(out, "---", "a/", name);
        add_name(out, "+++", "b/", name);
    }
    size_t shift = 0;
    for (guint i = 0, next = 0; i < changes->len; i = next) {
        const struct change *change = &g_array_index(changes, struct change, 0);
        for (next = i + 1; next < changes->len
             && change[next].first - change[next - 1].end <= 2 * CONTEXT;
             next++) {}
        shift = add_hunk(out, &old, changes, i, next, shift);
    }
    g_array_unref(old.begins);
    return true;
}
