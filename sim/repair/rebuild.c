/* SPDX-License-Identifier: MIT
 *
 * rebuild.c: see rebuild.h.
 *
 * Invariant: changed sources keep the numbers of their lines, so that a finding of the
 * changed program can be compared with the original's findings. */
#include "config.h"

#include "repair/rebuild.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "repair/choice.h"
#include "repair/patch.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { BUILD_SECONDS = 60 };

/* ---- Changed sources ------------------------------------------------------------- */

/* The choice of a run of a changed program: nothing; sizes of memory; or, for a part by
 * its number, less than the part inserts. */
enum choice { AS_IT_IS, SIZES, LESS };

/* The text of an edit of part number @k. Returns: (transfer full) */
static char *text_of(const struct weiri_fix_candidate *part, unsigned number,
                     enum choice choice, const struct weiri_edit *edit)
{
    char *text = NULL;
    if (choice == SIZES && part->kind == WEIRI_FIX_ENLARGE) {
        text = weiri_choice_of_size(part, number);
    } else if (choice == LESS) {
        text = weiri_choice_of_weaker(part, number);
    }
    return text != NULL ? text : g_strdup(edit->text);
}

/* The edits of all parts in one file. Returns: (transfer full) */
static GArray *edits_of(const struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                        enum choice choice, const char *path)
{
    GArray *edits = weiri_edits_new();
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, i);
        if (g_strcmp0(weiri_cli_rebuild_path(rebuild, part->file), path) != 0) {
            continue;
        }
        for (guint k = 0; k < part->edits->len; k++) {
            const struct weiri_edit *edit
                = &g_array_index(part->edits, struct weiri_edit, k);
            g_autofree char *text = text_of(part, i + 1, choice, edit);
            weiri_edit_add(edits, edit->begin, edit->end, text);
        }
    }
    return edits;
}

/* Whether a line of the preprocessor begins at @offset. */
static bool is_directive(const char *text, size_t offset)
{
    bool begins_line = offset == 0 || text[offset - 1] == '\n';
    return begins_line && text[offset + strspn(text + offset, " \t")] == '#';
}

/* The text with the edits, on the lines that it had: inserted text stands on the line
 * of its place, and removed text leaves its line empty. Text before a directive has a
 * line of its own, with the number of the directive's line.
 * Returns: (transfer full): or NULL if edits overlap */
static char *text_on_same_lines(GArray *edits, const struct weiri_source *source)
{
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    for (guint i = 0; i < edits->len; i++) {
        struct weiri_edit *edit = &g_array_index(edits, struct weiri_edit, i);
        GString *line = g_string_new(g_strdelimit(edit->text, "\r\n", ' '));
        if (edit->begin == edit->end && is_directive(text, edit->begin)) {
            g_string_append_printf(line, "\n#line %" PRIu32 "\n",
                                   weiri_source_line_of(source, edit->begin));
        }
        for (size_t k = edit->begin; k < edit->end; k++) {
            if (text[k] == '\n') {
                g_string_append_c(line, '\n');
            }
        }
        g_free(edit->text);
        edit->text = g_string_free(line, FALSE);
    }
    return weiri_edits_apply(edits, text, bytes, NULL, NULL);
}

/* Adds a source with its edits to @changed, of struct weiri_build_change; with @chooses
 * these call what makes a choice when the program runs. @texts: owns the texts.
 * Returns: false if edits overlap */
static bool add_change(GArray *changed, GPtrArray *texts, const char *path,
                       const struct weiri_source *source, GArray *edits, bool chooses)
{
    char *text = text_on_same_lines(edits, source);
    if (text != NULL && chooses) {
        char *whole
            = g_strdup_printf("%s\n#line 1\n%s", weiri_choice_declaration(source),
                              g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text);
        g_free(text);
        text = whole;
    }
    if (text != NULL) {
        struct weiri_build_change change = { .path = path, .text = text };
        g_ptr_array_add(texts, text);
        g_array_append_val(changed, change);
    }
    return text != NULL;
}

/* The sources that @parts change, with their texts. Returns: (transfer full): of struct
 * weiri_build_change; or NULL if edits overlap. @texts: owns the texts */
static GArray *changes_of(const struct weiri_cli_rebuild *rebuild,
                          const GPtrArray *parts, enum choice choice, GPtrArray *texts)
{
    g_autoptr(GArray) changed
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_build_change));
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, i);
        const char *path = weiri_cli_rebuild_path(rebuild, part->file);
        bool done = path == NULL;
        for (guint k = 0; k < changed->len; k++) {
            done = done
                || g_array_index(changed, struct weiri_build_change, k).path == path;
        }
        g_autoptr(GArray) edits = done ? NULL : edits_of(rebuild, parts, choice, path);
        if (!done
            && !add_change(changed, texts, path,
                           weiri_sources_get(rebuild->sources, part->file), edits,
                           choice != AS_IT_IS)) {
            return NULL;
        }
    }
    return g_steal_pointer(&changed);
}

/* ---- Texts for kernels in OpenCL C: opencl/compile/texts.c reads them ------------ */

/* Removes the texts that are there, and writes others. @beginning: of their names */
static bool write_texts(const char *beginning, const GArray *changed, GError **error)
{
    for (guint i = 0;; i++) {
        g_autofree char *before = g_strdup_printf("%s-%u.old", beginning, i + 1);
        g_autofree char *after = g_strdup_printf("%s-%u.new", beginning, i + 1);
        bool gone = g_unlink(before) != 0;
        (void)g_unlink(after);
        if (i >= changed->len && gone) {
            return true;
        }
        if (i < changed->len) {
            const struct weiri_build_change *change
                = &g_array_index(changed, struct weiri_build_change, i);
            g_autofree char *old = NULL;
            gsize bytes;
            if (!g_file_get_contents(change->path, &old, &bytes, error)
                || !g_file_set_contents(before, old, (gssize)bytes, error)
                || !g_file_set_contents(after, change->text, -1, error)) {
                return false;
            }
        }
    }
}

/* The line of a compiler's messages that states what is wrong, or the first one.
 * Returns: (transfer full) */
static char *first_error(const char *said)
{
    g_auto(GStrv) lines = g_strsplit(said != NULL ? said : "", "\n", -1);
    const char *found = lines[0] != NULL ? lines[0] : "";
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (strstr(lines[i], "error:") != NULL) {
            found = lines[i];
            break;
        }
    }
    return g_strdup(found);
}

/* Whether the kernel compiles. */
static bool prepares(char *const *words, int64_t deadline_us, GError **error)
{
    g_autoptr(GPtrArray) line = g_ptr_array_new();
    for (; *words != NULL; words++) {
        g_ptr_array_add(line, *words);
    }
    g_ptr_array_add(line, (char *)"--prepare");
    g_ptr_array_add(line, NULL);
    struct weiri_cli_child child
        = { .argv = (char **)line->pdata, .deadline_us = deadline_us };
    bool done
        = weiri_cli_child_run(&child, error) && !child.timed_out && child.status == 0;
    if (!done && *error == NULL) {
        g_autofree char *why = first_error(child.said);
        g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, why);
    }
    g_free(child.said);
    return done;
}

static char **with_texts(const struct weiri_cli_rebuild *rebuild, const GArray *changed,
                         int64_t deadline_us, GError **error)
{
    g_autofree char *beginning = g_build_filename(rebuild->folder, "text", NULL);
    char **words
        = weiri_cli_words_with(rebuild->subject.program, "WEIR_CL_TEXTS", beginning);
    if (!write_texts(beginning, changed, error)
        || (rebuild->subject.kind == WEIRI_CLI_OPENCL_KERNEL
            && !prepares(words, deadline_us, error))) {
        g_clear_pointer(&words, g_strfreev);
    }
    return words;
}

char **weiri_cli_words_with(char *const *program, const char *variable,
                            const char *value)
{
    GPtrArray *line = g_ptr_array_new();
    g_ptr_array_add(line, g_strdup("env"));
    g_ptr_array_add(line, g_strdup_printf("%s=%s", variable, value));
    for (; *program != NULL; program++) {
        g_ptr_array_add(line, g_strdup(*program));
    }
    g_ptr_array_add(line, NULL);
    return (char **)g_ptr_array_free(line, FALSE);
}

/* ---- The whole ------------------------------------------------------------------- */

static char **built_again(const struct weiri_cli_rebuild *rebuild,
                          const GArray *changed, int64_t deadline_us, GError **error)
{
    char *program = weiri_build_again(rebuild->build, rebuild->folder,
                                      (const struct weiri_build_change *)changed->data,
                                      changed->len,
                                      weiri_cli_clock_as_real_us(deadline_us), error);
    if (program == NULL) {
        return NULL;
    }
    char **words = g_strdupv((char **)rebuild->subject.program);
    g_free(words[0]);
    words[0] = program;
    return words;
}

static int64_t deadline_of(const struct weiri_cli_limit *limit)
{
    return MIN(weiri_cli_clock_us() + BUILD_SECONDS * (int64_t)G_USEC_PER_SEC,
               limit->deadline_us);
}

/* The next build overwrites the files of the last one. */
static void forget_made(struct weiri_cli_rebuild *rebuild)
{
    g_clear_pointer(&rebuild->made, g_bytes_unref);
    g_clear_pointer(&rebuild->words, g_strfreev);
    rebuild->has_less = false;
}

/* ---- Several at once ------------------------------------------------------------- */

/* A source with the edits of several candidates, and the lines that have them. */
struct several {
    const char *path;
    const struct weiri_source *source;
    GArray *edits;
    GHashTable *lines;
};

static void clear_several(void *data)
{
    struct several *several = data;
    g_array_unref(several->edits);
    g_hash_table_unref(several->lines);
}

/* The lines that edits change. Returns: (transfer full): of uint32_t */
static GArray *lines_of(const struct weiri_source *source, const GArray *edits)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < edits->len; i++) {
        const struct weiri_edit *edit = &g_array_index(edits, struct weiri_edit, i);
        uint32_t last = weiri_source_line_of(source, edit->end);
        for (uint32_t line = weiri_source_line_of(source, edit->begin); line <= last;
             line++) {
            g_array_append_val(lines, line);
        }
    }
    return lines;
}

/* Adds edits; with @apart only if no other has their lines. Returns: whether it did */
static bool add_edits(struct several *several, const GArray *edits, bool apart)
{
    g_autoptr(GArray) lines = lines_of(several->source, edits);
    for (guint i = 0; i < lines->len; i++) {
        void *line = GUINT_TO_POINTER(g_array_index(lines, uint32_t, i));
        if (apart && g_hash_table_contains(several->lines, line)) {
            return false;
        }
    }
    for (guint i = 0; i < lines->len; i++) {
        g_hash_table_add(several->lines,
                         GUINT_TO_POINTER(g_array_index(lines, uint32_t, i)));
    }
    for (guint i = 0; i < edits->len; i++) {
        const struct weiri_edit *edit = &g_array_index(edits, struct weiri_edit, i);
        weiri_edit_add(several->edits, edit->begin, edit->end, edit->text);
    }
    return true;
}

/* The source of a candidate, with the edits of @parts. Returns: or NULL */
static struct several *several_of(const struct weiri_cli_rebuild *rebuild,
                                  const GPtrArray *parts, const char *file, GArray *all)
{
    const char *path = weiri_cli_rebuild_path(rebuild, file);
    const struct weiri_source *source = weiri_sources_get(rebuild->sources, file);
    for (guint i = 0; i < all->len; i++) {
        struct several *one = &g_array_index(all, struct several, i);
        if (one->path == path) {
            return one;
        }
    }
    if (path == NULL || source == NULL) {
        return NULL;
    }
    struct several new
        = { path, source, weiri_edits_new(), g_hash_table_new(NULL, NULL) };
    g_autoptr(GArray) edits = edits_of(rebuild, parts, AS_IT_IS, path);
    add_edits(&new, edits, false);
    g_array_append_val(all, new);
    return &g_array_index(all, struct several, all->len - 1);
}

/* Returns: (transfer full): of struct weiri_build_change; @texts owns their texts */
static GArray *changes_of_several(const GArray *all, GPtrArray *texts)
{
    GArray *changed = g_array_new(FALSE, FALSE, sizeof(struct weiri_build_change));
    for (guint i = 0; i < all->len; i++) {
        const struct several *one = &g_array_index(all, struct several, i);
        if (!add_change(changed, texts, one->path, one->source, one->edits, true)) {
            g_array_unref(changed);
            return NULL;
        }
    }
    return changed;
}

char **weiri_cli_rebuild_several(struct weiri_cli_rebuild *rebuild,
                                 const GPtrArray *parts, const GPtrArray *candidates,
                                 unsigned most, const struct weiri_cli_limit *limit,
                                 unsigned *numbers)
{
    if (rebuild->build == NULL) {
        return NULL;
    }
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct several));
    g_array_set_clear_func(all, clear_several);
    unsigned n = 0;
    for (guint i = 0; i < candidates->len && n < most; i++) {
        const struct weiri_fix_candidate *candidate = g_ptr_array_index(candidates, i);
        struct several *one = several_of(rebuild, parts, candidate->file, all);
        g_autoptr(GArray) edits = one != NULL && numbers[i] == 0
            ? weiri_choice_edits(candidate, one->source, n + 1)
            : NULL;
        if (edits != NULL && add_edits(one, edits, true)) {
            numbers[i] = ++n;
        }
    }
    /* One alone is built as it is to be. */
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) changed = n > 1 ? changes_of_several(all, texts) : NULL;
    if (changed == NULL) {
        return NULL;
    }
    forget_made(rebuild);
    return built_again(rebuild, changed, deadline_of(limit), NULL);
}

/* ---- Several sizes --------------------------------------------------------------- */

char **weiri_cli_rebuild_sized(struct weiri_cli_rebuild *rebuild,
                               const GPtrArray *parts,
                               const struct weiri_cli_limit *limit)
{
    if (rebuild->build == NULL) {
        return NULL;
    }
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) changed = changes_of(rebuild, parts, SIZES, texts);
    if (changed == NULL) {
        return NULL;
    }
    forget_made(rebuild);
    return built_again(rebuild, changed, deadline_of(limit), NULL);
}

/* ---- One change ------------------------------------------------------------------ */

/* Changes as bytes, to be compared. */
static GBytes *bytes_of(const GArray *changed)
{
    GByteArray *bytes = g_byte_array_new();
    for (guint i = 0; i < changed->len; i++) {
        const struct weiri_build_change *change
            = &g_array_index(changed, struct weiri_build_change, i);
        g_byte_array_append(bytes, (const guint8 *)change->path,
                            (guint)strlen(change->path) + 1);
        g_byte_array_append(bytes, (const guint8 *)change->text,
                            (guint)strlen(change->text) + 1);
    }
    return g_byte_array_free_to_bytes(bytes);
}

/* Builds the program so that a run may take less than a part inserts: the call that
 * asks stands where the barrier's is, so nothing else changes for the compiler.
 * Returns: (transfer full): NULL where no part has less, or that does not compile */
static char **built_with_less(const struct weiri_cli_rebuild *rebuild,
                              const GPtrArray *parts, int64_t deadline_us)
{
    bool has_less = false;
    for (guint i = 0; i < parts->len; i++) {
        g_autofree char *text
            = weiri_choice_of_weaker(g_ptr_array_index(parts, i), i + 1);
        has_less = has_less || text != NULL;
    }
    if (!has_less || rebuild->build == NULL) {
        return NULL;
    }
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) changed = changes_of(rebuild, parts, LESS, texts);
    return changed != NULL ? built_again(rebuild, changed, deadline_us, NULL) : NULL;
}

char **weiri_cli_rebuild_with(struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                              const struct weiri_cli_limit *limit)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) changed = changes_of(rebuild, parts, AS_IT_IS, texts);
    int64_t deadline_us = deadline_of(limit);
    if (changed == NULL) {
        return NULL;
    }
    g_autoptr(GBytes) made = bytes_of(changed);
    if (rebuild->made != NULL && g_bytes_equal(rebuild->made, made)) {
        return g_strdupv(rebuild->words);
    }
    forget_made(rebuild);
    char **words = built_with_less(rebuild, parts, deadline_us);
    rebuild->has_less = words != NULL;
    if (words == NULL) {
        words = rebuild->build != NULL
            ? built_again(rebuild, changed, deadline_us, &error)
            : with_texts(rebuild, changed, deadline_us, &error);
    }
    if (words != NULL) {
        rebuild->n_built++;
        rebuild->made = g_steal_pointer(&made);
        rebuild->words = g_strdupv(words);
    }
    if (error != NULL && rebuild->failed == NULL) {
        rebuild->failed = g_strdup(error->message);
    }
    return words;
}

char *weiri_cli_rebuild_failure(struct weiri_cli_rebuild *rebuild,
                                const struct weiri_cli_limit *limit)
{
    if (rebuild->n_built > 0 || rebuild->failed == NULL) {
        return NULL;
    }
    g_autofree char *changed = g_steal_pointer(&rebuild->failed);
    g_autoptr(GPtrArray) nothing = g_ptr_array_new();
    g_auto(GStrv) same = weiri_cli_rebuild_with(rebuild, nothing, limit);
    rebuild->n_built = 0;
    if (rebuild->failed == NULL) {
        rebuild->failed = g_steal_pointer(&changed);
    }
    return same == NULL ? g_strdup(rebuild->failed)
                        : g_strdup_printf("no change of the kinds that weir tries can "
                                          "be compiled here: %s",
                                          rebuild->failed);
}

char **weiri_cli_rebuild_less(struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                              guint k)
{
    g_autofree char *text = weiri_choice_of_weaker(g_ptr_array_index(parts, k), k + 1);
    g_autofree char *number = g_strdup_printf("%u", k + 1);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) changed = changes_of(rebuild, parts, AS_IT_IS, texts);
    if (text == NULL || !rebuild->has_less || changed == NULL) {
        return NULL;
    }
    g_autoptr(GBytes) made = bytes_of(changed);
    return rebuild->made != NULL && g_bytes_equal(rebuild->made, made)
        ? weiri_cli_words_with(rebuild->words, "WEIR_TRIAL", number)
        : NULL;
}

/* The folder that all sources of the program are in, ending in a slash.
 * Returns: (transfer full) */
static char *common_folder(const GPtrArray *files)
{
    char *folder = g_strdup(g_ptr_array_index(files, 0));
    for (guint i = 0; i < files->len; i++) {
        const char *file = g_ptr_array_index(files, i);
        size_t n = 0, slash = 0;
        for (; folder[n] != '\0' && folder[n] == file[n]; n++) {
            slash = folder[n] == '/' ? n + 1 : slash;
        }
        folder[slash] = '\0';
    }
    return folder;
}

char *weiri_cli_rebuild_diff(const struct weiri_cli_rebuild *rebuild,
                             const GPtrArray *parts)
{
    GString *diff = g_string_new(NULL);
    const GPtrArray *files = rebuild->files;
    g_autofree char *folder = common_folder(files);
    for (guint i = 0; i < files->len; i++) {
        const char *path = g_ptr_array_index(files, i);
        const struct weiri_source *source = weiri_sources_get(rebuild->sources, path);
        g_autoptr(GArray) edits = edits_of(rebuild, parts, AS_IT_IS, path);
        if (source != NULL && edits->len > 0) {
            size_t bytes;
            const char *text = weiri_source_text(source, &bytes);
            bool applied = weiri_edits_diff(diff, path + strlen(folder), text, bytes,
                                            edits, NULL);
            g_warn_if_fail(applied); /* they were, when the program was built */
        }
    }
    return g_string_free(diff, FALSE);
}

void weiri_cli_rebuild_clear(struct weiri_cli_rebuild *rebuild)
{
    weiri_sources_free(rebuild->sources);
    weiri_build_free(rebuild->build);
    g_clear_pointer(&rebuild->opencl, g_ptr_array_unref);
    forget_made(rebuild);
    g_free(rebuild->failed);
}
