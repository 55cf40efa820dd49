/* SPDX-License-Identifier: MIT
 *
 * lex.c: see lex.h. One pass over the bytes, each of which is looked at once, or twice
 * after a peek. The text must be UTF-8, because messages quote it. Characters beyond
 * ASCII are allowed in comments, notes and the name of the test. Columns count
 * characters.
 *
 * There are two kinds of comments: herd's (* *), which nest, and C's. In the body of a
 * thread (*x) is an expression, so that only C's kind is recognised there. */
#include "config.h"

#include "litmus/lex.h"

#include <string.h>

/* Bytes of a token that a message quotes: more than most names have. */
enum { MOST_QUOTED = 40 };

GQuark weiri_litmus_error_quark(void)
{
    return g_quark_from_static_string("weiri-litmus-error-quark");
}

/* ---- Refusing -------------------------------------------------------------------- */

void *weiri_litmus_refuse(struct weiri_litmus_lexer *lexer,
                          struct weiri_litmus_place place, const char *format, ...)
{
    if (!lexer->failed) {
        lexer->failed = true;
        va_list arguments;
        va_start(arguments, format);
        g_autofree char *what = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        g_set_error(lexer->error, WEIRI_LITMUS_ERROR, WEIRI_LITMUS_ERROR_TEXT,
                    "%s:%u:%u: %s", lexer->file, place.line, place.column, what);
    }
    lexer->token.kind = WEIRI_LITMUS_TOKEN_BAD;
    return NULL;
}

char *weiri_litmus_quote(const struct weiri_litmus_token *token)
{
    if (token->kind == WEIRI_LITMUS_TOKEN_END) {
        return g_strdup("the end of the file");
    }
    size_t bytes = token->bytes;
    const char *more = "";
    if (bytes > MOST_QUOTED) {
        for (bytes = MOST_QUOTED; (token->text[bytes] & 0xc0) == 0x80; bytes--) {}
        more = "...";
    }
    return g_strdup_printf("'%.*s%s'", (int)bytes, token->text, more);
}

void *weiri_litmus_unexpected(struct weiri_litmus_lexer *lexer, const char *expected)
{
    if (lexer->failed) {
        return NULL;
    }
    g_autofree char *found = weiri_litmus_quote(&lexer->token);
    return weiri_litmus_refuse(lexer, lexer->token.place, "found %s, expected %s",
                               found, expected);
}

bool weiri_litmus_enter(struct weiri_litmus_lexer *lexer)
{
    if (lexer->depth >= WEIRI_LITMUS_MOST_DEPTH) {
        weiri_litmus_refuse(lexer, lexer->token.place,
                            "nested more than %d deep: that is too much",
                            WEIRI_LITMUS_MOST_DEPTH);
        return false;
    }
    lexer->depth++;
    return true;
}

/* ---- Characters ------------------------------------------------------------------ */

static void step(struct weiri_litmus_lexer *lexer)
{
    unsigned char byte = (unsigned char)*lexer->at++;
    if (byte == '\n') {
        lexer->place.line++;
        lexer->place.column = 1;
    } else if ((byte & 0xc0) != 0x80) {
        lexer->place.column++;
    }
}

static void steps(struct weiri_litmus_lexer *lexer, size_t n)
{
    while (n-- > 0) {
        step(lexer);
    }
}

static bool starts(const struct weiri_litmus_lexer *lexer, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(lexer->end - lexer->at) >= n && memcmp(lexer->at, text, n) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool in_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

bool weiri_litmus_lex_start(struct weiri_litmus_lexer *lexer, const char *text,
                            size_t bytes, const char *file, GError **error)
{
    *lexer = (struct weiri_litmus_lexer){
        .file = file,
        .at = text,
        .end = text + bytes,
        .place = { 1, 1 },
        .token = { .kind = WEIRI_LITMUS_TOKEN_BAD },
        .error = error,
    };
    const char *bad;
    if (!g_utf8_validate(text, (gssize)bytes, &bad)) {
        steps(lexer, (size_t)(bad - text));
        return weiri_litmus_refuse(lexer, lexer->place,
                                   "byte 0x%02x: the file is not text in UTF-8",
                                   (unsigned char)*bad);
    }
    if (starts(lexer, "\xef\xbb\xbf")) {
        lexer->at += 3; /* the byte order mark is not a character of the first line */
    }
    return true;
}

/* ---- Blanks and comments --------------------------------------------------------- */

/* Skips a comment from @open to @close, which may nest. */
static bool skip_comment(struct weiri_litmus_lexer *lexer, const char *open,
                         const char *close, bool nest)
{
    struct weiri_litmus_place place = lexer->place;
    steps(lexer, strlen(open));
    for (size_t depth = 1; depth > 0;) {
        if (lexer->at == lexer->end) {
            return weiri_litmus_refuse(lexer, place,
                                       "the comment that begins here with %s has no %s",
                                       open, close);
        }
        if (starts(lexer, close)) {
            depth--;
            steps(lexer, strlen(close));
        } else if (nest && starts(lexer, open)) {
            depth++;
            steps(lexer, strlen(open));
        } else {
            step(lexer);
        }
    }
    return true;
}

bool weiri_litmus_lex_skip(struct weiri_litmus_lexer *lexer)
{
    for (;;) {
        while (lexer->at < lexer->end && is_blank(*lexer->at)) {
            step(lexer);
        }
        if (starts(lexer, "//")) {
            while (lexer->at < lexer->end && *lexer->at != '\n') {
                step(lexer);
            }
        } else if (starts(lexer, "/*")) {
            if (!skip_comment(lexer, "/*", "*/", false)) {
                return false;
            }
        } else if (!lexer->in_body && starts(lexer, "(*")) {
            if (!skip_comment(lexer, "(*", "*)", true)) {
                return false;
            }
        } else {
            return true;
        }
    }
}

/* ---- Lines ----------------------------------------------------------------------- */

struct weiri_litmus_token weiri_litmus_lex_line(struct weiri_litmus_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '\n' && is_blank(*lexer->at)) {
        step(lexer);
    }
    struct weiri_litmus_token line
        = { .kind = WEIRI_LITMUS_TOKEN_NAME, .text = lexer->at, .place = lexer->place };
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        step(lexer);
        if (!is_blank(lexer->at[-1])) {
            line.bytes = (size_t)(lexer->at - line.text);
        }
    }
    return line;
}

struct weiri_litmus_token weiri_litmus_lex_quoted(struct weiri_litmus_lexer *lexer)
{
    struct weiri_litmus_token text
        = { .kind = WEIRI_LITMUS_TOKEN_NAME, .text = lexer->at, .place = lexer->place };
    do {
        step(lexer);
        if (lexer->at == lexer->end) {
            weiri_litmus_refuse(lexer, text.place, "this quotation mark is not closed");
            text.kind = WEIRI_LITMUS_TOKEN_BAD;
            return text;
        }
    } while (*lexer->at != '"');
    step(lexer);
    text.bytes = (size_t)(lexer->at - text.text);
    return text;
}

/* ---- Tokens ---------------------------------------------------------------------- */

/* Checks what follows the digits of a number. Returns: whether it is one of C's
 * suffixes */
static bool read_suffix(const char *text, size_t bytes, bool *is_unsigned,
                        bool *is_long)
{
    *is_unsigned = false;
    *is_long = false;
    for (size_t i = 0; i < bytes; i++) {
        if ((text[i] == 'u' || text[i] == 'U') && !*is_unsigned) {
            *is_unsigned = true;
        } else if ((text[i] == 'l' || text[i] == 'L') && !*is_long) {
            *is_long = true;
            i += i + 1 < bytes && text[i + 1] == text[i];
        } else {
            return false;
        }
    }
    return true;
}

/* The type that C gives the number, among the types that tests have. */
static enum weiri_litmus_type type_of_number(uint64_t value, bool decimal,
                                             bool is_unsigned, bool is_long)
{
    if (!is_long && !is_unsigned && value <= INT32_MAX) {
        return WEIRI_LITMUS_INT;
    }
    if (!is_long && (is_unsigned || !decimal) && value <= UINT32_MAX) {
        return WEIRI_LITMUS_UINT;
    }
    return is_unsigned ? WEIRI_LITMUS_VOID : WEIRI_LITMUS_LONG;
}

static bool read_number(struct weiri_litmus_lexer *lexer,
                        struct weiri_litmus_token *token)
{
    const char *text = token->text, *end = text + token->bytes;
    g_autofree char *quoted = weiri_litmus_quote(token);
    uint64_t base = 10;
    if (token->bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (token->bytes > 1 && text[0] == '0') {
        base = 8;
    }
    const uint64_t most = (uint64_t)INT64_MAX + 1;
    bool fits = true;
    for (; text < end && g_ascii_isxdigit(*text); text++) {
        uint64_t digit = (uint64_t)g_ascii_xdigit_value(*text);
        if (digit >= base) {
            break;
        }
        fits = fits && token->value <= (most - digit) / base;
        token->value = fits ? token->value * base + digit : 0;
    }
    bool is_unsigned, is_long;
    if (!read_suffix(text, (size_t)(end - text), &is_unsigned, &is_long)) {
        return weiri_litmus_refuse(lexer, token->place, "%s is not a number", quoted);
    }
    if (!fits) {
        return weiri_litmus_refuse(lexer, token->place,
                                   "number %s is too large: at most %" G_GINT64_FORMAT,
                                   quoted, INT64_MAX);
    }
    token->type = type_of_number(token->value, base == 10, is_unsigned, is_long);
    if (token->type == WEIRI_LITMUS_VOID) {
        return weiri_litmus_refuse(lexer, token->place,
                                   "number %s needs an unsigned type of 64 bits, which "
                                   "is not supported: int, unsigned and long are",
                                   quoted);
    }
    return true;
}

/* A mark comes before all marks that it begins with. */
static const char *const marks[] = {
    "<<=", ">>=", "==", "!=", "<=", ">=", "<<", ">>", "&&",  "||",  "++", "--", "+=",
    "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", "/\\", "\\/", "=>", "<>", "(",
    ")",   "{",   "}",  "[",  "]",  ";",  ",",  ":",  "?",   "=",   "+",  "-",  "*",
    "/",   "%",   "&",  "|",  "^",  "~",  "!",  "<",  ">",   "@",   ".",
};

static size_t mark_bytes(const struct weiri_litmus_lexer *lexer)
{
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (marks[i][0] == *lexer->at && starts(lexer, marks[i])) {
            return strlen(marks[i]);
        }
    }
    return 0;
}

static bool refuse_character(struct weiri_litmus_lexer *lexer)
{
    gunichar c = g_utf8_get_char(lexer->at);
    if (g_unichar_isprint(c)) {
        char text[7] = "";
        g_unichar_to_utf8(c, text);
        return weiri_litmus_refuse(lexer, lexer->place, "'%s' has no meaning here",
                                   text);
    }
    return weiri_litmus_refuse(lexer, lexer->place,
                               "the character U+%04X has no meaning here", c);
}

bool weiri_litmus_lex_next(struct weiri_litmus_lexer *lexer)
{
    if (lexer->failed || !weiri_litmus_lex_skip(lexer)) {
        return false;
    }
    struct weiri_litmus_token token
        = { .kind = WEIRI_LITMUS_TOKEN_END, .text = lexer->at, .place = lexer->place };
    if (lexer->at < lexer->end) {
        if (in_name(*lexer->at)) {
            token.kind = g_ascii_isdigit(*lexer->at) ? WEIRI_LITMUS_TOKEN_NUMBER
                                                     : WEIRI_LITMUS_TOKEN_NAME;
            while (lexer->at < lexer->end && in_name(*lexer->at)) {
                step(lexer);
            }
        } else {
            token.kind = WEIRI_LITMUS_TOKEN_MARK;
            size_t bytes = mark_bytes(lexer);
            if (bytes == 0) {
                return refuse_character(lexer);
            }
            steps(lexer, bytes);
        }
    }
    token.bytes = (size_t)(lexer->at - token.text);
    if (token.kind == WEIRI_LITMUS_TOKEN_NUMBER && !read_number(lexer, &token)) {
        return false;
    }
    lexer->token = token;
    return true;
}

struct weiri_litmus_token weiri_litmus_lex_peek(const struct weiri_litmus_lexer *lexer)
{
    struct weiri_litmus_lexer ahead = *lexer;
    ahead.error = NULL;
    weiri_litmus_lex_next(&ahead);
    return ahead.token;
}

bool weiri_litmus_token_is(const struct weiri_litmus_token *token, const char *text)
{
    return token->kind != WEIRI_LITMUS_TOKEN_BAD && strlen(text) == token->bytes
        && memcmp(token->text, text, token->bytes) == 0;
}

bool weiri_litmus_accept(struct weiri_litmus_lexer *lexer, const char *text)
{
    if (!weiri_litmus_at(lexer, text)) {
        return false;
    }
    weiri_litmus_lex_next(lexer);
    return true;
}

bool weiri_litmus_expect(struct weiri_litmus_lexer *lexer, const char *text,
                         const char *where)
{
    if (weiri_litmus_accept(lexer, text)) {
        return !lexer->failed;
    }
    g_autofree char *expected = g_strdup_printf("'%s' %s", text, where);
    return weiri_litmus_unexpected(lexer, expected);
}
