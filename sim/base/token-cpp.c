/* SPDX-License-Identifier: MIT
 *
 * token-cpp.c: see token-cpp.h. A `<` without a `>` before the end of its statement is
 * a comparison. A lambda is a bracket that no name precedes, and that a brace follows,
 * after parameters, words and a type at most.
 *
 * Invariant: a bounded number of tokens is looked at, so that a reader of all tokens
 * takes linear time. */
#include "config.h"

#include "base/token-cpp.h"

#include <string.h>

/* Tokens of template arguments, and between a lambda's parameters and its body; what is
 * in brackets counts as one. */
enum { MOST_TOKENS = 200 };

bool weiri_token_cpp_names(const char *path)
{
    static const char *const endings[]
        = { ".cpp", ".cc", ".cxx", ".c++", ".C",  ".cp", ".hpp",
            ".hxx", ".hh", ".h++", ".ii",  ".cu", ".cuh" };
    for (size_t i = 0; path != NULL && i < G_N_ELEMENTS(endings); i++) {
        if (g_str_has_suffix(path, endings[i])) {
            return true;
        }
    }
    return false;
}

static const struct weiri_token *token_at(const struct weiri_tokens *tokens, uint32_t i)
{
    return &g_array_index(tokens->tokens, struct weiri_token, i);
}

static char kind_at(const struct weiri_tokens *tokens, uint32_t i)
{
    return i < tokens->tokens->len ? token_at(tokens, i)->kind : '\0';
}

/* The token after a bracket and what it holds, or the next one. */
static uint32_t skip(const struct weiri_tokens *tokens, uint32_t i)
{
    uint32_t pair = token_at(tokens, i)->pair;
    return pair == WEIRI_TOKEN_NONE || pair < i ? i + 1 : pair + 1;
}

static bool touches_next(const struct weiri_tokens *tokens, uint32_t i)
{
    return i + 1 < tokens->tokens->len
        && token_at(tokens, i)->end == token_at(tokens, i + 1)->begin;
}

uint32_t weiri_token_cpp_after_angles(const struct weiri_tokens *tokens, uint32_t i)
{
    unsigned depth = 0;
    for (int n = 0; n < MOST_TOKENS && i < tokens->tokens->len; n++) {
        char c = kind_at(tokens, i);
        if (c == ';' || c == '{' || c == '}' || c == ')' || c == ']') {
            break;
        }
        if (c == '-' && kind_at(tokens, i + 1) == '>' && touches_next(tokens, i)) {
            i += 2;
            continue;
        }
        depth += c == '<';
        if (c == '>' && --depth == 0) {
            return i + 1;
        }
        i = skip(tokens, i);
    }
    return WEIRI_TOKEN_NONE;
}

static bool is_word(const struct weiri_tokens *tokens, const char *text, uint32_t i,
                    const char *word)
{
    const struct weiri_token *token = token_at(tokens, i);
    return token->kind == WEIRI_TOKEN_WORD && token->end - token->begin == strlen(word)
        && memcmp(text + token->begin, word, strlen(word)) == 0;
}

/* Whether the bracket at @i is of an element, an operator or an attribute. */
static bool follows_object(const struct weiri_tokens *tokens, const char *text,
                           uint32_t i)
{
    char c = i > 0 ? kind_at(tokens, i - 1) : '\0';
    return kind_at(tokens, i + 1) == '[' || c == ')' || c == ']' || c == '['
        || c == WEIRI_TOKEN_LITERAL
        || (c == WEIRI_TOKEN_WORD && !is_word(tokens, text, i - 1, "return"));
}

uint32_t weiri_token_cpp_lambda(const struct weiri_tokens *tokens, const char *text,
                                uint32_t i)
{
    if (kind_at(tokens, i) != '[' || token_at(tokens, i)->pair == WEIRI_TOKEN_NONE
        || follows_object(tokens, text, i)) {
        return WEIRI_TOKEN_NONE;
    }
    i = skip(tokens, i);
    if (kind_at(tokens, i) == '<') {
        i = weiri_token_cpp_after_angles(tokens, i);
    }
    for (int n = 0; n < MOST_TOKENS && i < tokens->tokens->len; n++) {
        char c = kind_at(tokens, i);
        if (c == '{') {
            return i;
        }
        if (c != WEIRI_TOKEN_WORD && strchr("(<>[:-*&", c) == NULL) {
            break;
        }
        uint32_t after
            = c == '<' ? weiri_token_cpp_after_angles(tokens, i) : WEIRI_TOKEN_NONE;
        i = after != WEIRI_TOKEN_NONE ? after : skip(tokens, i);
    }
    return WEIRI_TOKEN_NONE;
}
