/* SPDX-License-Identifier: MIT
 *
 * suggest.c: see suggest.h: the sources that findings name, the places of their
 * parties in them, and the list that candidates go to. */
#include "config.h"

#include "repair/suggest.h"

#include <string.h>

/* ---- Sources --------------------------------------------------------------------- */

struct weiri_sources {
    char *(*read)(void *data, const char *file, size_t *bytes);
    void *data;
    GHashTable *known; /* name to struct weiri_source, or to NULL */
    unsigned opencl;   /* version of OpenCL C */
};

static void free_source(void *source)
{
    weiri_source_free(source);
}

struct weiri_sources *weiri_sources_new(char *(*read)(void *data, const char *file,
                                                      size_t *bytes),
                                        void *data)
{
    struct weiri_sources *sources = g_new(struct weiri_sources, 1);
    sources->read = read;
    sources->data = data;
    sources->opencl = 0;
    sources->known
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_source);
    return sources;
}

void weiri_sources_free(struct weiri_sources *sources)
{
    if (sources != NULL) {
        g_hash_table_unref(sources->known);
        g_free(sources);
    }
}

void weiri_sources_set_opencl(struct weiri_sources *sources, unsigned version)
{
    sources->opencl = version;
}

unsigned weiri_sources_opencl(const struct weiri_sources *sources)
{
    return sources->opencl;
}

const struct weiri_source *weiri_sources_get(struct weiri_sources *sources,
                                             const char *file)
{
    void *source = NULL;
    if (file != NULL
        && !g_hash_table_lookup_extended(sources->known, file, NULL, &source)) {
        size_t bytes = 0;
        g_autofree char *text = sources->read(sources->data, file, &bytes);
        source = text != NULL ? weiri_source_new(file, text, bytes) : NULL;
        g_hash_table_insert(sources->known, g_strdup(file), source);
    }
    return source;
}

/* ---- For the generators ---------------------------------------------------------- */

char *weiri_text_of(const struct weiri_source *source, struct weiri_range range)
{
    return g_strndup(weiri_source_text(source, NULL) + range.begin,
                     range.end - range.begin);
}

struct weiri_range weiri_statement_range(const struct weiri_source *source,
                                         uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    return (struct weiri_range){ at->start, at->end };
}

static bool find_anchor(const struct weiri_search *search, const char *file,
                        uint32_t line, struct weiri_anchor *anchor)
{
    const struct weiri_source *source = weiri_sources_get(search->sources, file);
    if (source == NULL || line == 0) {
        return false;
    }
    uint32_t statement = weiri_source_find(source, line);
    if (statement == WEIRI_STATEMENT_NONE) {
        return false;
    }
    uint32_t function
        = weiri_source_enclosing(source, statement, WEIRI_STATEMENT_FUNCTION);
    if (function == WEIRI_STATEMENT_NONE) {
        return false;
    }
    *anchor = (struct weiri_anchor){ .source = source,
                                     .file = g_intern_string(file),
                                     .line = line,
                                     .statement = statement,
                                     .function = function };
    return true;
}

size_t weiri_anchors_of(const struct weiri_search *search,
                        const struct weir_party *party,
                        struct weiri_anchor anchors[WEIRI_MOST_ANCHORS])
{
    size_t n = find_anchor(search, party->file, party->line, &anchors[0]);
    for (size_t i = 0; i < party->n_path && n < WEIRI_MOST_ANCHORS; i++) {
        n += find_anchor(search, party->path[i].file, party->path[i].line, &anchors[n]);
    }
    return n;
}

void weiri_fix_candidate_free(void *data)
{
    struct weiri_fix_candidate *candidate = data;
    g_free(candidate->from);
    g_free(candidate->to);
    g_free(candidate->title);
    g_free(candidate->missing);
    g_free(candidate->strong);
    g_strfreev(candidate->weaker);
    g_array_unref(candidate->edits);
    g_clear_pointer(&candidate->suggested_by, g_ptr_array_unref);
    g_free(candidate);
}

/* The text with @to in place of @from. Returns: (transfer full) */
static char *replaced(const char *text, const char *from, const char *to)
{
    g_auto(GStrv) parts = g_strsplit(text, from, -1);
    return g_strjoinv(to, parts);
}

/* The title of a change of two places names the second one first. */
static char *weakened_title(const struct weiri_fix_candidate *candidate,
                            const char *first, const char *second)
{
    const char *strong = candidate->strong;
    const char *at = strstr(candidate->title, strong);
    if (at == NULL || strcmp(first, second) == 0) {
        return replaced(candidate->title, strong, first);
    }
    g_autofree char *rest = replaced(at + strlen(strong), strong, first);
    return g_strdup_printf("%.*s%s%s", (int)(at - candidate->title), candidate->title,
                           second, rest);
}

struct weiri_fix_candidate *weiri_fix_candidate_weakened(
    const struct weiri_fix_candidate *candidate, const char *weaker)
{
    struct weiri_fix_candidate *made = g_memdup2(candidate, sizeof *candidate);
    bool two = candidate->edits->len == 2 && strchr(weaker, WEIRI_WEAKER_EACH) != NULL;
    g_autofree char *first = two
        ? g_strndup(weaker, strcspn(weaker, (char[]){ WEIRI_WEAKER_EACH, '\0' }))
        : g_strdup(weaker);
    const char *second = two ? strchr(weaker, WEIRI_WEAKER_EACH) + 1 : first;
    made->from = g_strdup(candidate->from);
    made->to = replaced(candidate->to, candidate->strong, first);
    made->title = weakened_title(candidate, first, second);
    made->missing = g_strdup(candidate->missing);
    made->strong = NULL;
    made->weaker = NULL;
    made->edits = weiri_edits_new();
    for (guint i = 0; i < candidate->edits->len; i++) {
        const struct weiri_edit *edit
            = &g_array_index(candidate->edits, struct weiri_edit, i);
        g_autofree char *text
            = replaced(edit->text, candidate->strong, i == 0 ? first : second);
        weiri_edit_add(made->edits, edit->begin, edit->end, text);
    }
    made->suggested_by = g_ptr_array_ref(candidate->suggested_by);
    return made;
}

static bool same_edits(const GArray *a, const GArray *b)
{
    if (a->len != b->len) {
        return false;
    }
    for (guint i = 0; i < a->len; i++) {
        const struct weiri_edit *x = &g_array_index(a, struct weiri_edit, i);
        const struct weiri_edit *y = &g_array_index(b, struct weiri_edit, i);
        if (x->begin != y->begin || x->end != y->end || strcmp(x->text, y->text) != 0) {
            return false;
        }
    }
    return true;
}

void weiri_search_add(struct weiri_search *search,
                      const struct weiri_fix_candidate *draft)
{
    struct weiri_fix_candidate *added = g_memdup2(draft, sizeof *draft);
    for (guint i = 0; i < search->found->len; i++) {
        struct weiri_fix_candidate *other = g_ptr_array_index(search->found, i);
        if (other->file == added->file && other->line == added->line
            && same_edits(other->edits, added->edits)) {
            other->cost = MIN(other->cost, added->cost);
            g_ptr_array_add(other->suggested_by, (void *)search->finding);
            weiri_fix_candidate_free(added);
            return;
        }
    }
    added->suggested_by = g_ptr_array_new();
    g_ptr_array_add(added->suggested_by, (void *)search->finding);
    g_ptr_array_add(search->found, added);
}

bool weiri_reason_names(const struct weir_finding *finding, const char *file,
                        uint32_t line)
{
    g_autofree char *place = g_strdup_printf("%s:%" PRIu32, file, line);
    const char *at = finding->why != NULL ? strstr(finding->why, place) : NULL;
    return at != NULL && !g_ascii_isdigit(at[strlen(place)]);
}

const char *weiri_word_of(const char *text, const char *kind)
{
    const char *at = strstr(text, kind);
    if (at == NULL) {
        return NULL;
    }
    at += strlen(kind);
    at += *at == '_' ? 1 : g_str_has_prefix(at, "::") ? 2 : 0;
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    return n > 0 && at[n] == '\0' && strchr("_:", at[-1]) != NULL ? at : NULL;
}

/* The first text that @name is defined as: "#define NAME TEXT", "NAME = TEXT".
 * @sole: (inout): becomes false where another definition differs, or may be in an
 * option of the compiler: "#ifndef NAME"
 * Returns: (transfer full): or NULL */
static char *definition_of(const struct weiri_source *source, const char *name,
                           bool *sole)
{
    const char *text = weiri_source_text(source, NULL);
    g_autofree char *pattern
        = g_strdup_printf("^[ \\t]*#[ \\t]*define[ \\t]+%s[ \\t]+\\(*([\\w:]+)"
                          "|(?<![\\w.>])%s\\s*(?:=|\\{)\\s*\\(*([\\w:]+)",
                          name, name);
    g_autoptr(GRegex) regex
        = g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autofree char *asked
        = g_strdup_printf("^[ \\t]*#[ \\t]*(?:el)?if.*\\b%s\\b", name);
    g_autoptr(GMatchInfo) match = NULL;
    char *first = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_auto(GStrv) parts = g_match_info_fetch_all(match);
        const char *meaning = parts[g_strv_length(parts) - 1];
        first = first == NULL ? g_strdup(meaning) : first;
        *sole &= strcmp(first, meaning) == 0;
    }
    *sole &= !g_regex_match_simple(asked, text, G_REGEX_MULTILINE | G_REGEX_RAW, 0);
    return first;
}

char *weiri_word_meant(const struct weiri_source *source, const char *text,
                       const char *kind, bool *sole)
{
    enum { MOST_NAMES = 8 }; /* a name may be defined by itself */
    g_autofree char *at = g_strdup(text);
    *sole = true;
    for (int i = 0; at != NULL && i < MOST_NAMES; i++) {
        const char *word = weiri_word_of(at, kind), *colon = strrchr(at, ':');
        if (word != NULL) {
            return g_strdup(word);
        }
        const char *name = colon != NULL ? colon + 1 : at;
        char *next = g_regex_match_simple("^[A-Za-z_]\\w*$", name, 0, 0)
            ? definition_of(source, name, sole)
            : NULL;
        g_free(at);
        at = next;
    }
    return NULL;
}

bool weiri_finding_names(const struct weir_finding *finding, const char *file,
                         uint32_t first, uint32_t last)
{
    bool named = false;
    for (size_t i = 0; i < finding->n_parties; i++) {
        uint32_t line = finding->parties[i].line;
        named |= line >= first && line <= last
            && g_strcmp0(finding->parties[i].file, file) == 0;
    }
    for (uint32_t line = first; line <= last; line++) {
        named |= weiri_reason_names(finding, file, line);
    }
    return named;
}

bool weiri_is_between_groups(const struct weir_finding *finding)
{
    return finding->n_parties > 1
        && memcmp(finding->parties[0].group, finding->parties[1].group,
                  sizeof finding->parties[0].group)
        != 0;
}

/* The macro that a line calls, where neither the line nor this file has the operation.
 * Returns: (transfer full): its name, or NULL */
static char *macro_at(const struct weiri_source *source, uint32_t line)
{
    g_autofree char *text
        = weiri_text_of(source, weiri_source_lines(source, line, line));
    g_autoptr(GRegex) call = g_regex_new("\\b([A-Z][A-Z0-9_]+)\\s*\\(", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (strstr(text, "memory_order") != NULL || strstr(text, "atomic") != NULL
        || !g_regex_match(call, text, 0, &match)) {
        return NULL;
    }
    g_autofree char *name = g_match_info_fetch(match, 1);
    g_autofree char *pattern
        = g_strdup_printf("^[ \\t]*#[ \\t]*define[ \\t]+%s\\b", name);
    bool here = g_regex_match_simple(pattern, weiri_source_text(source, NULL),
                                     G_REGEX_MULTILINE, 0);
    return here && !weiri_source_is_cpp(source) ? NULL : g_steal_pointer(&name);
}

char *weiri_unchanged_macro(struct weiri_sources *sources,
                            const struct weir_finding *finding)
{
    g_autoptr(GRegex) place = g_regex_new("\\(([^() ]+):([0-9]+)\\)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(place, finding->why != NULL ? finding->why : "", 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *file = g_match_info_fetch(match, 1);
        g_autofree char *number = g_match_info_fetch(match, 2);
        uint32_t line = (uint32_t)g_ascii_strtoull(number, NULL, 10);
        const struct weiri_source *source = weiri_sources_get(sources, file);
        g_autofree char *name = source != NULL ? macro_at(source, line) : NULL;
        if (name != NULL) {
            return g_strdup_printf("%s:%" PRIu32 " is in the macro %s", file, line,
                                   name);
        }
    }
    return NULL;
}
