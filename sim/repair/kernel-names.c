/* SPDX-License-Identifier: MIT
 *
 * kernel-names.c: see kernel-names.h. Regular expressions over the text of one
 * function: a wrong guess is a change that does not compile, or that the trial
 * refuses. */
#include "config.h"

#include "repair/kernel-names.h"

#include "repair/words.h"

#include <string.h>

/* ---- Patterns -------------------------------------------------------------------- */

char *weiri_names_pattern(const char *pattern, const char *name)
{
    g_auto(GStrv) parts = g_strsplit(pattern, "@", -1);
    return g_strjoinv(name, parts);
}

char *weiri_names_match(const char *pattern, const char *name, const char *text)
{
    g_autofree char *whole = name != NULL ? weiri_names_pattern(pattern, name) : NULL;
    g_autoptr(GRegex) regex = g_regex_new(whole != NULL ? whole : pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

bool weiri_names_matches(const char *pattern, const char *name, const char *text)
{
    g_autofree char *whole = weiri_names_pattern(pattern, name);
    return g_regex_match_simple(whole, text, 0, 0);
}

/* ---- Types ----------------------------------------------------------------------- */

#define QUALIFIER                                                                      \
    "(?:const|volatile|(?:__)?restrict(?:__)?|"                                        \
    "(?:__)?(?:global|local|private|constant|generic))\\b"

/* The type in the first declaration of a variable, parameter or member.
 * @pointer: (out) (nullable). Returns: (transfer full): or NULL */
static char *declared_type(const char *text, const char *name, bool *pointer)
{
    g_autofree char *pattern = weiri_names_pattern(
        "\\b(?!(?:return|else|goto|case|do|const|volatile)\\b)"
        "((?:(?:unsigned|signed|long)\\s+)*[A-Za-z_]\\w*)((?:\\s|\\*|" QUALIFIER ")+)"
        "(?<=[\\s*])@\\s*(?:[;,)[]|=(?!=))",
        name);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(regex, text, 0, &match)) {
        return NULL;
    }
    if (pointer != NULL) {
        g_autofree char *between = g_match_info_fetch(match, 2);
        *pointer = strchr(between, '*') != NULL;
    }
    return g_match_info_fetch(match, 1);
}

char *weiri_names_type_of(const struct weiri_source *source, uint32_t function,
                          const char *lvalue)
{
    g_autoptr(GString) name = g_string_new(lvalue);
    while (name->len > 0 && name->str[name->len - 1] == ']') {
        unsigned depth = 0;
        gsize i = name->len;
        do {
            i--;
            depth += name->str[i] == ']';
            depth -= name->str[i] == '[';
        } while (i > 0 && depth > 0);
        g_string_truncate(name, i);
    }
    g_autofree char *last
        = weiri_names_match("([A-Za-z_]\\w*)\\s*\\)*$", NULL, name->str);
    if (last == NULL) {
        return NULL;
    }
    g_autofree char *own
        = weiri_text_of(source, weiri_statement_range(source, function));
    char *type = declared_type(own, last, NULL);
    return type != NULL ? type
                        : declared_type(weiri_source_text(source, NULL), last, NULL);
}

/* ---- What is the same for a group ------------------------------------------------ */

/* The text of the kernel, and its header; NULL if the function is not a kernel: its
 * arguments may then differ among items. */
struct kernel {
    char *head, *body;
};

static void clear_kernel(struct kernel *kernel)
{
    g_free(kernel->head);
    g_free(kernel->body);
}

static bool find_kernel(const struct weiri_source *source, uint32_t function,
                        struct kernel *kernel)
{
    if (function == WEIRI_STATEMENT_NONE) {
        return false;
    }
    const struct weiri_statement *at = weiri_source_at(source, function);
    *kernel = (struct kernel){
        weiri_text_of(source, (struct weiri_range){ at->start, at->head_end }),
        weiri_text_of(source, (struct weiri_range){ at->head_end, at->end })
    };
    if (g_regex_match_simple(weiri_words_of(source)->kernel, kernel->head, 0, 0)) {
        return true;
    }
    clear_kernel(kernel);
    return false;
}

/* Whether anything in the body may write the variable, but for its declaration. */
static bool is_written(const struct kernel *kernel, const char *name)
{
    return weiri_names_matches(
        "(?:^|[;{}()]|\\belse)\\s*@\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)"
        "|\\b@\\s*(?:\\+\\+|--|[-+*/%&|^]=|<<=|>>=)|(?:\\+\\+|--|&)\\s*@\\b",
        name, kernel->body);
}

/* Whether it is a parameter that is a number. */
static bool is_number(const struct kernel *kernel, const char *name)
{
    bool pointer;
    g_autofree char *type = declared_type(kernel->head, name, &pointer);
    return type != NULL && !pointer;
}

/* @ids: a pattern of what a language calls ids and sizes of the group */
static bool is_same_for_group(const struct kernel *kernel, const char *ids,
                              const char *expression, unsigned depth)
{
    enum { MOST_DEPTH = 3 };
    g_autofree char *words
        = g_strconcat(ids,
                      "|\\b[A-Z][A-Z0-9_]*+\\b(?!\\s*[[(])|\\b[0-9][\\w.]*"
                      "|\\((?:u?int|size_t|u?long|unsigned(?: int)?)\\)"
                      "|[\\s()%/+<>=!&|?:*-]",
                      NULL);
    g_autoptr(GRegex) known = g_regex_new(words, 0, 0, NULL);
    g_autofree char *rest
        = g_regex_replace_literal(known, expression, -1, 0, " ", 0, NULL);
    g_auto(GStrv) names = g_strsplit(g_strstrip(rest), " ", -1);
    for (char **word = names; *word != NULL; word++) {
        if (**word == '\0') {
            continue;
        }
        if (!g_regex_match_simple("^[A-Za-z_]\\w*$", *word, 0, 0)
            || is_written(kernel, *word)) {
            return false;
        }
        if (is_number(kernel, *word)) {
            continue;
        }
        g_autofree char *value = depth < MOST_DEPTH
            ? weiri_names_match("\\b@\\s*=(?!=)\\s*([^;,{}]*)[;,]", *word, kernel->body)
            : NULL;
        if (value == NULL || !is_same_for_group(kernel, ids, value, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool weiri_names_are_of_group(const struct weiri_source *source, uint32_t branch)
{
    const struct weiri_statement *at = weiri_source_at(source, branch);
    g_autofree char *head
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    g_autofree char *condition
        = weiri_names_match("(?s)^\\w+\\s*\\((.*)\\)", NULL, head);
    struct kernel kernel;
    if (condition == NULL
        || !find_kernel(
            source, weiri_source_enclosing(source, branch, WEIRI_STATEMENT_FUNCTION),
            &kernel)) {
        return false;
    }
    bool same
        = is_same_for_group(&kernel, weiri_words_of(source)->group_ids, condition, 0);
    clear_kernel(&kernel);
    return same;
}

GPtrArray *weiri_names_numbers(const struct weiri_source *source, uint32_t function)
{
    GPtrArray *numbers = g_ptr_array_new_with_free_func(g_free);
    struct kernel kernel;
    if (!find_kernel(source, function, &kernel)) {
        return numbers;
    }
    g_autoptr(GRegex) regex = g_regex_new(
        "\\b(?:u?int|u?long|unsigned|size_t)\\s+(?:const\\s+)?([A-Za-z_]\\w*)\\s*[,)]",
        0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, kernel.head, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_ptr_array_add(numbers, g_match_info_fetch(match, 1));
    }
    clear_kernel(&kernel);
    return numbers;
}
