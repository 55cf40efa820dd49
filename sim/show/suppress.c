/* SPDX-License-Identifier: MIT
 *
 * suppress.c: see suppress.h. An entry is an array of patterns, one for each row of a
 * table of keys; a row's function returns the text that its key is matched with. */
#include "config.h"

#include "show/suppress.h"

#include "finding/identity.h"
#include "report/report.h"

#include <string.h>

/* ---- Keys ------------------------------------------------------------------------ */

/* @text may be %NULL, which only patterns match that match everything. */
static bool matches(const char *pattern, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);
    return g_pattern_match_simple(pattern, valid);
}

static bool matches_kernel(const struct weir_finding *finding, const char *pattern)
{
    return matches(pattern, finding->kernel);
}

static bool matches_object(const struct weir_finding *finding, const char *pattern)
{
    return matches(pattern, weiri_finding_object(finding));
}

static bool matches_path(const struct weir_party *party, const char *pattern)
{
    for (size_t i = 0; i < party->n_path; i++) {
        if (matches(pattern, party->path[i].function)) {
            return true;
        }
    }
    return false;
}

/* A party is in a function and in those that have called it. */
static bool matches_function(const struct weir_finding *finding, const char *pattern)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (matches(pattern, weiri_finding_function(finding, party))
            || matches_path(party, pattern)) {
            return true;
        }
    }
    return false;
}

/* A file's name may be given without its folders. */
static bool matches_file(const struct weir_finding *finding, const char *pattern)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        const char *file = finding->parties[i].file;
        const char *slash = file != NULL ? strrchr(file, '/') : NULL;
        if (matches(pattern, file) || (slash != NULL && matches(pattern, slash + 1))) {
            return true;
        }
    }
    return false;
}

enum { KEYS = 4 };

static const struct {
    const char *name;
    bool (*matches)(const struct weir_finding *finding, const char *pattern);
} keys[KEYS] = {
    { "kernel", matches_kernel },
    { "function", matches_function },
    { "object", matches_object },
    { "file", matches_file },
};

#define ALL_KEYS "kernel=, function=, object= or file="

/* ---- Entries --------------------------------------------------------------------- */

struct entry {
    struct weiri_suppression public; /* @file borrowed from the list, @reason owned */
    char *kind;                      /* a pattern; owned */
    char *patterns[KEYS];            /* owned, or NULL */
};

struct weiri_suppressions {
    GPtrArray *entries;    /* of struct entry; owned */
    GStringChunk *strings; /* names of files */
};

static void free_entry(void *data)
{
    struct entry *entry = data;
    g_free((char *)entry->public.reason);
    g_free(entry->kind);
    for (size_t i = 0; i < KEYS; i++) {
        g_free(entry->patterns[i]);
    }
    g_free(entry);
}

struct weiri_suppressions *weiri_suppress_new(void)
{
    struct weiri_suppressions *list = g_new0(struct weiri_suppressions, 1);
    list->entries = g_ptr_array_new_with_free_func(free_entry);
    list->strings = g_string_chunk_new(256);
    return list;
}

void weiri_suppress_free(struct weiri_suppressions *list)
{
    if (list != NULL) {
        g_ptr_array_unref(list->entries);
        g_string_chunk_free(list->strings);
        g_free(list);
    }
}

size_t weiri_suppress_n(const struct weiri_suppressions *list)
{
    return list->entries->len;
}

const struct weiri_suppression *weiri_suppress_entry(
    const struct weiri_suppressions *list, size_t index)
{
    const struct entry *entry = g_ptr_array_index(list->entries, index);
    return &entry->public;
}

static bool covers(const struct entry *entry, const struct weir_finding *finding)
{
    bool covered
        = g_pattern_match_simple(entry->kind, weir_finding_kind_name(finding->kind));
    for (size_t i = 0; covered && i < KEYS; i++) {
        covered = entry->patterns[i] == NULL
            || keys[i].matches(finding, entry->patterns[i]);
    }
    return covered;
}

const struct weiri_suppression *weiri_suppress_find(struct weiri_suppressions *list,
                                                    const struct weir_finding *finding)
{
    for (guint i = 0; i < list->entries->len; i++) {
        struct entry *entry = g_ptr_array_index(list->entries, i);
        if (covers(entry, finding)) {
            entry->public.n_findings++;
            return &entry->public;
        }
    }
    return NULL;
}

/* ---- Reading --------------------------------------------------------------------- */

/* Where an error is. */
struct place {
    const char *file;
    size_t line;
};

static bool refuse(const struct place *place, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Returns: false */
static bool refuse(const struct place *place, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s:%zu: %s", place->file,
                place->line, what);
    return false;
}

/* Takes the next word off *@text, without quotes, into @word, and the comment where
 * there is one instead, into @comment. Both are empty at the end of the line.
 * Returns: false with @error set */
static bool next_word(const char **text, GString *word, GString *comment,
                      const struct place *place, GError **error)
{
    const char *at = *text + strspn(*text, " \t\r");
    g_string_truncate(word, 0);
    if (*at == '#') {
        g_string_assign(comment, at + 1);
        g_strstrip(comment->str);
        comment->len = strlen(comment->str);
        at += strlen(at);
    }
    bool quoted = false;
    for (; *at != '\0' && (quoted || strchr(" \t\r", *at) == NULL); at++) {
        if (*at == '"') {
            quoted = !quoted;
        } else {
            g_string_append_c(word, *at);
        }
    }
    *text = at;
    return !quoted || refuse(place, error, "a quotation mark is not closed");
}

/* A pattern of kinds must match one, so that a slip of the pen is noticed. */
static bool read_kind(struct entry *entry, const char *word, const struct place *place,
                      GError **error)
{
    static const char *const names[] = {
#define X(name, text) text,
        WEIR_FINDING_KINDS(X)
#undef X
            NULL
    };
    entry->kind = g_strdup(word);
    for (size_t i = 0; names[i] != NULL; i++) {
        if (g_pattern_match_simple(word, names[i])) {
            return true;
        }
    }
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    return refuse(place, error,
                  "unknown kind of finding '%s': the kinds are "
                  "%s",
                  word, all);
}

static bool read_key(struct entry *entry, const char *word, const struct place *place,
                     GError **error)
{
    for (size_t i = 0; i < KEYS; i++) {
        size_t n = strlen(keys[i].name);
        if (strncmp(word, keys[i].name, n) != 0 || word[n] != '=') {
            continue;
        }
        if (word[n + 1] == '\0') {
            return refuse(place, error, "%s= has no pattern: give one, or remove it",
                          keys[i].name);
        }
        if (entry->patterns[i] != NULL) {
            return refuse(place, error,
                          "%s= is given twice: write another line for the second",
                          keys[i].name);
        }
        entry->patterns[i] = g_strdup(word + n + 1);
        return true;
    }
    return refuse(place, error, "'%s': after the kind come " ALL_KEYS, word);
}

/* Whether the entry leaves something that it does not suppress. */
static bool is_bounded(const struct entry *entry)
{
    bool bounded = strspn(entry->kind, "*") < strlen(entry->kind);
    for (size_t i = 0; !bounded && i < KEYS; i++) {
        const char *pattern = entry->patterns[i];
        bounded = pattern != NULL && strspn(pattern, "*") < strlen(pattern);
    }
    return bounded;
}

/* A line with a word at least. */
static bool read_entry(struct entry *entry, const char *text, GString *comment,
                       const struct place *place, GError **error)
{
    g_autoptr(GString) word = g_string_new(NULL);
    bool sound = next_word(&text, word, comment, place, error)
        && read_kind(entry, word->str, place, error);
    while (sound && (sound = next_word(&text, word, comment, place, error))
           && word->len > 0) {
        sound = read_key(entry, word->str, place, error);
    }
    if (sound && !is_bounded(entry)) {
        return refuse(place, error,
                      "it suppresses everything: name a kind, or give " ALL_KEYS);
    }
    return sound;
}

/* @reason is what the comments above the line say: it is for all lines up to the next
 * comment or empty line. @fresh: the line above was a comment. */
static bool read_line(struct weiri_suppressions *list, const char *line,
                      GString *reason, bool *fresh, const struct place *place,
                      GError **error)
{
    const char *text = line + strspn(line, " \t\r");
    if (*text == '\0' || *text == '#') {
        g_autofree char *comment = g_strstrip(g_strdup(*text == '#' ? text + 1 : ""));
        if (*text == '\0' || !*fresh) {
            g_string_truncate(reason, 0);
        }
        g_string_append_printf(reason, "%s%s", reason->len > 0 ? " " : "", comment);
        *fresh = *text == '#';
        return true;
    }
    *fresh = false;
    struct entry *entry = g_new0(struct entry, 1);
    g_autoptr(GString) behind = g_string_new(NULL);
    if (!read_entry(entry, text, behind, place, error)) {
        free_entry(entry);
        return false;
    }
    const GString *said = behind->len > 0 ? behind : reason;
    entry->public.file = place->file;
    entry->public.line = place->line;
    entry->public.reason = said->len > 0 ? g_strdup(said->str) : NULL;
    g_ptr_array_add(list->entries, entry);
    return true;
}

bool weiri_suppress_add(struct weiri_suppressions *list, const char *text, size_t bytes,
                        const char *name, GError **error)
{
    struct place place = { g_string_chunk_insert_const(list->strings, name), 1 };
    g_autoptr(GString) reason = g_string_new(NULL);
    bool fresh = false;
    for (const char *end = text + bytes; text < end; place.line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline != NULL ? newline : end) - text);
        /* A zero byte is not text either. */
        if (!g_utf8_validate(text, (gssize)length, NULL)) {
            return refuse(&place, error, "the line is not text in UTF-8");
        }
        g_autofree char *line = g_strndup(text, length);
        if (!read_line(list, line, reason, &fresh, &place, error)) {
            return false;
        }
        text += length + (newline != NULL);
    }
    return true;
}
