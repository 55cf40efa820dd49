/* SPDX-License-Identifier: MIT
 *
 * required.c: see required.h. A header does not see attributes, so the text of the
 * source is read, as declared.c does for names. The kernel is the lambda whose place
 * the spelling of its type states, as clang does; or the one in the parentheses of the
 * launch; or, by its name, a variable or a class. Its head, up to the body, has the
 * attribute, or a macro that stands for it.
 *
 * A file without the attribute's name costs one search of its text. */
#include "config.h"

#include "sycl/required.h"

#include "report/symbol.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char attribute[] = "sub_group_size";

/* A part of a text. */
struct part {
    const char *from, *end;
};

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* The text with blanks for comments and for what literals hold. (transfer full) */
static char *without_comments(const char *text, size_t bytes)
{
    char *plain = g_strndup(text, bytes);
    for (char *at = plain; *at != '\0'; at++) {
        const char *end = NULL;
        char *from = at;
        if (at[0] == '/' && at[1] == '/') {
            end = strchr(at, '\n');
        } else if (at[0] == '/' && at[1] == '*') {
            end = strstr(at + 2, "*/");
            end = end != NULL ? end + 2 : NULL;
        } else if (*at == '"' || (*at == '\'' && (at == plain || !is_word(at[-1])))) {
            const char *quote = at++;
            for (from = at; *at != '\0' && *at != *quote && *at != '\n'; at++) {
                at += *at == '\\' && at[1] != '\0';
            }
            end = at;
        } else {
            continue;
        }
        for (end = end != NULL ? end : at + strlen(at), at = from; at < end; at++) {
            *at = *at == '\n' ? '\n' : ' ';
        }
        at -= *at == '\0';
    }
    return plain;
}

/* The next place of a word as a whole, from @from on and before @end; or NULL. */
static const char *find_word(const char *from, const char *end, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = from; (at = strstr(at, word)) != NULL && at < end; at++) {
        if ((at == from || !is_word(at[-1])) && !is_word(at[n])) {
            return at;
        }
    }
    return NULL;
}

static const char *skip_blanks(const char *at)
{
    while (g_ascii_isspace(*at)) {
        at++;
    }
    return at;
}

/* After the bracket that ends the one at @at, which is any of ( [ {. */
static const char *behind_brackets(const char *at)
{
    int depth = 0;
    do {
        depth += strchr("([{", *at) != NULL ? 1 : strchr(")]}", *at) != NULL ? -1 : 0;
        at++;
    } while (depth > 0 && *at != '\0');
    return at;
}

/* From @from to the brace that begins the body. */
static struct part head_from(const char *from)
{
    const char *at = from;
    while (*at != '\0' && *at != '{' && *at != ';') {
        at = *at == '(' || *at == '[' ? behind_brackets(at) : at + 1;
    }
    return (struct part){ from, at };
}

static const char *line_of(const char *text, unsigned line)
{
    while (line > 1 && text != NULL) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
        line--;
    }
    return text;
}

/* ---- The kernel ------------------------------------------------------------------ */

/* The last lambda that begins in the part, outside of others. */
static const char *lambda_in(struct part part)
{
    const char *found = NULL;
    for (const char *at = part.from; at < part.end; at++) {
        const char *before = at;
        while (before > part.from && g_ascii_isspace(before[-1])) {
            before--;
        }
        if (*at == '[' && at[1] != '[' && before > part.from
            && strchr("(,=", before[-1]) != NULL) {
            found = at;
            at = behind_brackets(head_from(at).end) - 1;
        }
    }
    return found;
}

/* The head of the call operator of a class. */
static bool head_of_class(const char *text, const char *name, struct part *head)
{
    const char *end = text + strlen(text);
    for (const char *at = text; (at = find_word(at, end, name)) != NULL; at++) {
        const char *before = at;
        while (before > text && g_ascii_isspace(before[-1])) {
            before--;
        }
        struct part declared = head_from(at);
        if (*declared.end == '{'
            && ((before - text >= 6 && strncmp(before - 6, "struct", 6) == 0)
                || (before - text >= 5 && strncmp(before - 5, "class", 5) == 0))) {
            const char *call = strstr(declared.end, "operator()");
            const char *last = behind_brackets(declared.end);
            if (call != NULL && call < last) {
                const char *from = call; /* attributes may stand before the type */
                while (from > declared.end + 1 && strchr(";{}", from[-1]) == NULL) {
                    from--;
                }
                *head = head_from(call + strlen("operator()"));
                head->from = from;
                return true;
            }
        }
    }
    return false;
}

/* "b" of "nd_kernel<a::b<int>, 1>", and of "nd_kernel<f()::b, 1>". (transfer full): or
 * NULL, as of a lambda */
static char *class_name(const char *type)
{
    static const char reducing[] = "weiri::reducing<";
    const char *from = strstr(type, "_kernel<");
    from = from != NULL ? strchr(from, '<') + 1 : "";
    from += strncmp(from, reducing, strlen(reducing)) == 0 ? strlen(reducing) : 0;
    const char *end = from;
    while (*end != '\0' && strchr(",<>]", *end) == NULL) {
        end = strchr("({", *end) != NULL ? behind_brackets(end) : end + 1;
    }
    const char *name = end;
    while (name > from && is_word(name[-1])) {
        name--;
    }
    return end > name ? g_strndup(name, (gsize)(end - name)) : NULL;
}

/* The last argument of the call is the name of a lambda. */
static bool head_of_variable(const char *text, struct part call, struct part *head)
{
    const char *end = call.end - 1;
    while (end > call.from && g_ascii_isspace(end[-1])) {
        end--;
    }
    const char *from = end;
    while (from > call.from && is_word(from[-1])) {
        from--;
    }
    g_autofree char *name = g_strndup(from, (gsize)(end - from));
    const char *found = NULL;
    for (const char *at = text;
         from < end && (at = find_word(at, call.from, name)) != NULL; at++) {
        const char *sign = skip_blanks(at + strlen(name));
        const char *value = *sign == '=' ? skip_blanks(sign + 1) : "";
        found = *value == '[' ? value : found;
    }
    if (found != NULL) {
        *head = head_from(found);
    }
    return found != NULL;
}

static struct part call_at(const char *from)
{
    static const char *const launches[]
        = { "parallel_for", "single_task", "parallel_for_work_group" };
    const char *first = NULL, *end = from + strlen(from);
    for (size_t i = 0; i < G_N_ELEMENTS(launches); i++) {
        const char *at = find_word(from, end, launches[i]);
        first = at != NULL && (first == NULL || at < first) ? at : first;
    }
    const char *open = first != NULL ? strchr(first, '(') : NULL;
    return open != NULL ? (struct part){ open, behind_brackets(open) }
                        : (struct part){ from, from };
}

/* The place of a lambda in clang's spelling: "(lambda at a.cpp:12:34)". */
static const char *spelled_lambda(const char *text, const char *type)
{
    const char *at = strstr(type, "(lambda at ");
    const char *close = at != NULL ? strchr(at, ')') : NULL;
    if (close == NULL) {
        return NULL;
    }
    const char *column = close, *line;
    while (column > at && column[-1] != ':') {
        column--;
    }
    for (line = column - 1; line > at && line[-1] != ':'; line--) {}
    const char *from = line_of(text, (unsigned)strtoul(line, NULL, 10));
    size_t skip = strtoul(column, NULL, 10);
    return from != NULL && skip > 0 && skip <= strlen(from) && from[skip - 1] == '['
        ? from + skip - 1
        : NULL;
}

static struct part head_of(const char *text, const struct weiri_required_place *place)
{
    const char *lambda = spelled_lambda(text, place->type);
    const char *line = line_of(text, place->line);
    struct part head = { text, text };
    if (lambda == NULL && line != NULL) {
        struct part call = call_at(line);
        lambda = lambda_in(call);
        g_autofree char *name = class_name(place->type);
        if (lambda != NULL || head_of_variable(text, call, &head)
            || (name != NULL && head_of_class(text, name, &head))) {
            return lambda != NULL ? head_from(lambda) : head;
        }
    }
    return lambda != NULL ? head_from(lambda) : head;
}

/* ---- The size -------------------------------------------------------------------- */

/* The size in "#define NAME 32", "NAME = 32" or "NAME{ 32 }"; or 0. */
static uint32_t size_named(const char *text, const char *name)
{
    const char *end = text + strlen(text);
    for (const char *at = text; (at = find_word(at, end, name)) != NULL; at++) {
        const char *value = skip_blanks(at + strlen(name));
        const char *hash = at;
        while (hash > text && hash[-1] != '\n' && hash[-1] != '#') {
            hash--;
        }
        bool is_macro = hash > text && hash[-1] == '#';
        value = !is_macro && (*value == '=' || *value == '{') ? skip_blanks(value + 1)
                                                              : value;
        if (g_ascii_isdigit(*value)
            && (is_macro || value != skip_blanks(at + strlen(name)))) {
            return (uint32_t)strtoul(value, NULL, 0);
        }
    }
    return 0;
}

/* The attribute in a part. @value: what its parentheses hold */
static bool find_attribute(struct part part, struct part *value)
{
    for (const char *at = part.from;
         (at = strstr(at, attribute)) != NULL && at < part.end; at++) {
        bool required = at - part.from >= 5 && strncmp(at - 5, "reqd_", 5) == 0;
        bool spelled = at - part.from >= 2 && strncmp(at - 2, "::", 2) == 0;
        const char *open = skip_blanks(at + strlen(attribute));
        if ((required || spelled) && *open == '(') {
            *value = (struct part){ skip_blanks(open + 1), behind_brackets(open) - 1 };
            return true;
        }
    }
    return false;
}

/* The same by a macro whose definition has it. */
static bool find_macro(const char *text, struct part head, struct part *value)
{
    for (const char *at = text; (at = strstr(at, "#define")) != NULL; at++) {
        const char *name = skip_blanks(at + strlen("#define")), *end = name;
        while (is_word(*end)) {
            end++;
        }
        const char *newline = strchr(end, '\n');
        struct part body = { end, newline != NULL ? newline : end + strlen(end) };
        g_autofree char *word = g_strndup(name, (gsize)(end - name));
        if (find_attribute(body, value) && end > name
            && find_word(head.from, head.end, word) != NULL) {
            return true;
        }
    }
    return false;
}

uint32_t weiri_required_sub_group(const struct weiri_required_place *place,
                                  char **unknown)
{
    *unknown = NULL;
    size_t bytes;
    const char *source = weiri_symbol_text(place->file, &bytes);
    if (source == NULL || g_strstr_len(source, (gssize)bytes, attribute) == NULL) {
        return 0;
    }
    g_autofree char *text = without_comments(source, bytes);
    struct part head = head_of(text, place), value;
    if (!find_attribute(head, &value) && !find_macro(text, head, &value)) {
        return 0;
    }
    g_autofree char *words
        = g_strstrip(g_strndup(value.from, (gsize)(value.end - value.from)));
    uint32_t size = g_ascii_isdigit(*words) ? (uint32_t)strtoul(words, NULL, 0)
                                            : size_named(text, words);
    *unknown = size == 0 ? g_steal_pointer(&words) : NULL;
    return size;
}
