/* SPDX-License-Identifier: MIT
 *
 * declared.c: see declared.h. The text is not parsed as C++: parentheses are counted,
 * and a name stands before "=", "(", "{" or ";" at the outermost level. */
#include "config.h"

#include "sycl/declared.h"

#include <stdbool.h>
#include <string.h>

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static const char *skip_back(const char *text, const char *at)
{
    while (at > text && g_ascii_isspace(at[-1])) {
        at--;
    }
    return at;
}

char *weiri_declared_word(const char *text, const char *end)
{
    end = skip_back(text, end);
    const char *from = end;
    while (from > text && is_word(from[-1])) {
        from--;
    }
    return from < end && !g_ascii_isdigit(*from) ? g_strndup(from, (gsize)(end - from))
                                                 : NULL;
}

/* The end of the name in "a[i] ", where @end is. */
static const char *without_index(const char *text, const char *end)
{
    end = skip_back(text, end);
    while (end > text && end[-1] == ']') {
        int depth = 0;
        do {
            end--;
            depth += *end == ']' ? 1 : *end == '[' ? -1 : 0;
        } while (end > text && depth > 0);
        end = skip_back(text, end);
    }
    return end;
}

/* The name before @sign, in new memory; NULL without one. A called function, as in
 * "f(x)", is not such a name: no type precedes it. */
static char *name_before(const char *text, const char *sign)
{
    const char *end = *sign == '=' ? without_index(text, sign) : skip_back(text, sign);
    char *name = weiri_declared_word(text, end);
    const char *before = skip_back(text, end - (name != NULL ? strlen(name) : 0));
    bool typed = before > text && (is_word(before[-1]) || strchr(">*&,", before[-1]));
    bool returns = before - text >= 6 && strncmp(before - 6, "return", 6) == 0;
    if (*sign != '=' && (!typed || returns)) {
        g_clear_pointer(&name, g_free);
    }
    return name;
}

/* Whether @at begins the initial value of a variable. */
static bool is_sign(const char *text, const char *at)
{
    return *at == '(' || *at == '{'
        || (*at == '=' && at[1] != '='
            && (at == text || strchr("=<>!+-*/%&|^", at[-1]) == NULL));
}

/* The end of what begins at @at: the next comma or semicolon of the same level. */
static const char *end_of(const char *at)
{
    int depth = 0;
    for (; *at != '\0'; at++) {
        if (strchr("({[", *at) != NULL) {
            depth++;
        } else if (strchr(")}]", *at) != NULL) {
            depth--;
        } else if (*at == '<' && is_word(at[-1])) {
            depth++;
        } else if (*at == '>' && depth > 0 && at[-1] != '-') {
            depth--;
        }
        if (depth < 0 || (depth == 0 && (*at == ',' || *at == ';'))) {
            break;
        }
    }
    return at;
}

char **weiri_declared_names(const char *text, const char *within)
{
    GPtrArray *names = g_ptr_array_new();
    int depth = 0; /* of angle brackets of the type */
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '<' && at > text && is_word(at[-1])) {
            depth++;
        } else if (*at == '>' && depth > 0) {
            depth--;
        } else if (depth == 0 && is_sign(text, at)) {
            const char *end = end_of(at);
            char *name = name_before(text, at);
            g_autofree char *value = g_strndup(at, (gsize)(end - at));
            if (name != NULL && (within == NULL || strstr(value, within) != NULL)) {
                g_ptr_array_add(names, name);
                at = *end != '\0' ? end : end - 1;
            } else {
                g_free(name);
            }
        }
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
