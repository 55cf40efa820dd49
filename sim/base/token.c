/* SPDX-License-Identifier: MIT
 *
 * token.c: one pass over the bytes. Text of arms that are left out is read as well,
 * since a comment in it may hide an `#endif`.
 *
 * Invariant: tokens are in the order of the text, none is empty, and brackets that are
 * pairs nest: a closing brace ends parentheses that are still open inside it. */
#include "config.h"

#include "base/token.h"

#include <string.h>

/* How the reader treats the arm of a conditional that it is in. */
enum arm {
    ARM_TAKEN,   /* it has tokens */
    ARM_LATER,   /* left out; the next one is taken */
    ARM_OVER,    /* left out; an earlier one was taken */
    ARM_LEFT_OUT /* all arms are, as the conditional is inside of such an arm */
};

struct lexer {
    const char *text;
    size_t bytes, at;
    struct weiri_tokens *out;
    bool is_cpp;
    GByteArray *arms;   /* enum arm, of each open conditional */
    uint32_t line;      /* of `at` */
    uint32_t gap_begin; /* first line of the gap that the reader is in, or 0 */
};

static char peek(const struct lexer *lexer, size_t ahead)
{
    return ahead < lexer->bytes - lexer->at ? lexer->text[lexer->at + ahead] : '\0';
}

static bool is_over(const struct lexer *lexer)
{
    return lexer->at >= lexer->bytes;
}

/* Skips a byte, and keeps count of lines. */
static void step(struct lexer *lexer)
{
    if (lexer->text[lexer->at++] == '\n') {
        lexer->line++;
        g_array_append_val(lexer->out->line_begins, lexer->at);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool begins_word(char c)
{
    return g_ascii_isalpha(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Bytes of the continuation of a line at `at`, or 0. */
static size_t continuation(const struct lexer *lexer)
{
    if (peek(lexer, 0) != '\\') {
        return 0;
    }
    return peek(lexer, 1) == '\n'                          ? 2
        : peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3
                                                           : 0;
}

static void steps(struct lexer *lexer, size_t n)
{
    while (n-- > 0) {
        step(lexer);
    }
}

/* Skips a comment. Returns: whether there was one */
static bool skip_comment(struct lexer *lexer)
{
    if (peek(lexer, 0) != '/' || (peek(lexer, 1) != '/' && peek(lexer, 1) != '*')) {
        return false;
    }
    bool is_line = peek(lexer, 1) == '/';
    steps(lexer, 2);
    while (!is_over(lexer)) {
        if (is_line && peek(lexer, 0) == '\n') {
            break;
        }
        if (!is_line && peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            steps(lexer, 2);
            break;
        }
        steps(lexer, MAX(is_line ? continuation(lexer) : 0, 1));
    }
    return true;
}

/* Skips a string or a character constant: to its end, or to the end of its line. */
static void skip_literal(struct lexer *lexer)
{
    char quote = peek(lexer, 0);
    step(lexer);
    while (!is_over(lexer) && peek(lexer, 0) != '\n') {
        char c = peek(lexer, 0);
        size_t n = continuation(lexer);
        /* A backslash in front of a carriage return that ends no line escapes it. */
        steps(lexer, n > 0 ? n : c == '\\' && lexer->bytes - lexer->at > 1 ? 2 : 1);
        if (c == quote) {
            break;
        }
    }
}

static bool is_left_out(const struct lexer *lexer)
{
    return lexer->arms->len > 0 && lexer->arms->data[lexer->arms->len - 1] != ARM_TAKEN;
}

/* Whether no compiler of the language takes the arm of @directive with the text
 * @rest. */
static bool is_never(const struct lexer *lexer, const char *directive, const char *rest)
{
    if (strcmp(directive, "ifdef") == 0 || strcmp(directive, "ifndef") == 0) {
        return strcmp(rest, "__cplusplus") == 0
            && lexer->is_cpp == (strcmp(directive, "ifndef") == 0);
    }
    return strcmp(directive, "if") == 0
        && (strcmp(rest, "0") == 0
            || (!lexer->is_cpp
                && (strcmp(rest, "defined(__cplusplus)") == 0
                    || strcmp(rest, "defined __cplusplus") == 0)));
}

static void follow_conditional(struct lexer *lexer, const char *directive,
                               const char *rest)
{
    GByteArray *arms = lexer->arms;
    guint8 *top = arms->len > 0 ? &arms->data[arms->len - 1] : NULL;
    if (g_str_has_prefix(directive, "if")) {
        guint8 arm = is_left_out(lexer)        ? ARM_LEFT_OUT
            : is_never(lexer, directive, rest) ? ARM_LATER
                                               : ARM_TAKEN;
        g_byte_array_append(arms, &arm, 1);
    } else if (g_str_has_prefix(directive, "el") && top != NULL) {
        *top = *top == ARM_TAKEN ? ARM_OVER : *top == ARM_LATER ? ARM_TAKEN : *top;
    } else if (strcmp(directive, "endif") == 0 && top != NULL) {
        g_byte_array_set_size(arms, arms->len - 1);
    }
}

static void end_gap(struct lexer *lexer, uint32_t last_line)
{
    struct weiri_token_gap gap = { lexer->gap_begin, last_line };
    if (gap.first_line > 0 && gap.first_line <= gap.last_line) {
        g_array_append_val(lexer->out->gaps, gap);
    }
    lexer->gap_begin = 0;
}

/* A preprocessor line, from its `#`, with its continuations and comments. */
static void read_directive(struct lexer *lexer)
{
    uint32_t line = lexer->line;
    g_autoptr(GString) words = g_string_new(NULL);
    step(lexer);
    while (!is_over(lexer) && peek(lexer, 0) != '\n') {
        size_t n = continuation(lexer), from = lexer->at;
        if (n > 0) {
            steps(lexer, n);
        } else if (skip_comment(lexer)) {
            g_string_append_c(words, ' ');
        } else {
            if (peek(lexer, 0) == '"' || peek(lexer, 0) == '\'') {
                skip_literal(lexer);
            } else {
                step(lexer);
            }
            g_string_append_len(words, lexer->text + from, (gssize)(lexer->at - from));
        }
    }
    char *directive = g_strstrip(words->str), *end = directive;
    while (g_ascii_isalpha(*end)) {
        end++;
    }
    bool was_left_out = is_left_out(lexer);
    g_autofree char *name = g_strndup(directive, (gsize)(end - directive));
    follow_conditional(lexer, name, g_strchug(end));
    if (was_left_out && !is_left_out(lexer)) {
        end_gap(lexer, line - 1);
    } else if (!was_left_out && is_left_out(lexer)) {
        lexer->gap_begin = lexer->line + 1;
    }
}

static void skip_number(struct lexer *lexer)
{
    while (g_ascii_isalnum(peek(lexer, 0)) || peek(lexer, 0) == '_'
           || peek(lexer, 0) == '.'
           || (peek(lexer, 0) == '\'' && g_ascii_isalnum(peek(lexer, 1)))
           || ((peek(lexer, 0) == '+' || peek(lexer, 0) == '-')
               && strchr("eEpP", lexer->text[lexer->at - 1]) != NULL)) {
        step(lexer);
    }
}

/* Skips `R"word(…)word"`, with what can stand before the R. Returns: whether there was
 * one */
static bool skip_raw_string(struct lexer *lexer)
{
    static const char *const prefixes[] = { "R\"", "LR\"", "uR\"", "UR\"", "u8R\"" };
    const char *text = lexer->text + lexer->at, *end = lexer->text + lexer->bytes;
    for (size_t i = 0; lexer->is_cpp && i < G_N_ELEMENTS(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        const char *open = (size_t)(end - text) > n && memcmp(text, prefixes[i], n) == 0
            ? memchr(text + n, '(', MIN((size_t)(end - text) - n, 17))
            : NULL;
        if (open != NULL) {
            g_autofree char *word = g_strndup(text + n, (gsize)(open - text) - n);
            g_autofree char *close = g_strdup_printf(")%s\"", word);
            size_t length = strlen(close);
            const char *found = memmem(open, (size_t)(end - open), close, length);
            steps(lexer, (size_t)((found != NULL ? found + length : end) - text));
            return true;
        }
    }
    return false;
}

static void read_token(struct lexer *lexer)
{
    struct weiri_token token = { .begin = lexer->at,
                                 .line = lexer->line,
                                 .pair = WEIRI_TOKEN_NONE,
                                 .kind = peek(lexer, 0) };
    if (token.kind == '"' || token.kind == '\'') {
        token.kind = WEIRI_TOKEN_LITERAL;
        skip_literal(lexer);
    } else if (skip_raw_string(lexer)) {
        token.kind = WEIRI_TOKEN_LITERAL;
    } else if (g_ascii_isdigit(token.kind)
               || (token.kind == '.' && g_ascii_isdigit(peek(lexer, 1)))) {
        token.kind = WEIRI_TOKEN_NUMBER;
        step(lexer);
        skip_number(lexer);
    } else if (begins_word(token.kind)) {
        token.kind = WEIRI_TOKEN_WORD;
        while (begins_word(peek(lexer, 0)) || g_ascii_isdigit(peek(lexer, 0))) {
            step(lexer);
        }
    } else {
        step(lexer);
    }
    token.end = lexer->at;
    /* A literal can end with the continuation of a line. */
    token.last_line = lexer->line - (lexer->text[token.end - 1] == '\n');
    if (!is_left_out(lexer)) {
        g_array_append_val(lexer->out->tokens, token);
    }
}

/* Brackets that are not closed are left on the stack, or dropped by a brace. */
static void pair_brackets(GArray *tokens)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    struct weiri_token *token = (struct weiri_token *)(void *)tokens->data;
    uint32_t braces = 0; /* on the stack */
    for (uint32_t i = 0; i < tokens->len; i++) {
        char c = token[i].kind, opens = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (c == '(' || c == '[' || c == '{') {
            g_array_append_val(open, i);
            braces += c == '{';
            token[i].pair = c == '{' ? tokens->len : WEIRI_TOKEN_NONE;
        } else if ((c == ')' || c == ']' || c == '}') && (c != '}' || braces > 0)) {
            while (open->len > 0) {
                uint32_t top = g_array_index(open, uint32_t, open->len - 1);
                if (token[top].kind != opens && token[top].kind == '{') {
                    break;
                }
                g_array_set_size(open, open->len - 1);
                if (token[top].kind == opens) {
                    braces -= c == '}';
                    token[top].pair = i;
                    token[i].pair = top;
                    break;
                }
            }
        }
    }
}

void weiri_tokens_init(struct weiri_tokens *tokens, const char *text, size_t bytes,
                       bool is_cpp)
{
    struct lexer lexer = { .text = text,
                           .bytes = bytes,
                           .out = tokens,
                           .is_cpp = is_cpp,
                           .arms = g_byte_array_new(),
                           .line = 1 };
    tokens->tokens = g_array_new(FALSE, FALSE, sizeof(struct weiri_token));
    tokens->gaps = g_array_new(FALSE, FALSE, sizeof(struct weiri_token_gap));
    tokens->line_begins = g_array_new(FALSE, FALSE, sizeof(size_t));
    size_t first = 0;
    g_array_append_val(tokens->line_begins, first);
    bool at_line_begin = true;
    while (!is_over(&lexer)) {
        char c = peek(&lexer, 0);
        if (c == '\n') {
            at_line_begin = true;
            step(&lexer);
        } else if (is_blank(c)) {
            step(&lexer);
        } else if (continuation(&lexer) > 0) {
            steps(&lexer, continuation(&lexer));
        } else if (skip_comment(&lexer)) {
            continue;
        } else if (c == '#' && at_line_begin) {
            read_directive(&lexer);
        } else {
            at_line_begin = false;
            read_token(&lexer);
        }
    }
    end_gap(&lexer, lexer.line);
    g_byte_array_unref(lexer.arms);
    pair_brackets(tokens->tokens);
}

void weiri_tokens_clear(struct weiri_tokens *tokens)
{
    g_array_unref(tokens->tokens);
    g_array_unref(tokens->gaps);
    g_array_unref(tokens->line_begins);
}
