/* SPDX-License-Identifier: MIT
 *
 * lex.h: the tokens of a litmus test, and the refusal of a text. For the files of the
 * parser.
 *
 * The head of a text is read in lines, the rest as tokens. The lexer has always read
 * one token ahead. So a change of what begins a comment must happen before the
 * preceding token is passed.
 *
 * A function that can fail returns false or NULL, after it has called
 * weiri_litmus_refuse(). The first refusal is the error that is returned. The token is
 * then BAD, which no rule accepts. */
#ifndef WEIRI_LITMUS_LEX_H
#define WEIRI_LITMUS_LEX_H

#include "litmus/litmus.h"

enum weiri_litmus_token_kind {
    WEIRI_LITMUS_TOKEN_END,
    WEIRI_LITMUS_TOKEN_NAME,
    WEIRI_LITMUS_TOKEN_NUMBER,
    WEIRI_LITMUS_TOKEN_MARK, /* an operator, a bracket and the like */
    WEIRI_LITMUS_TOKEN_BAD,
};

struct weiri_litmus_token {
    enum weiri_litmus_token_kind kind;
    const char *text; /* in the text of the test; not terminated */
    size_t bytes;
    struct weiri_litmus_place place;
    uint64_t value; /* NUMBER: at most 2^63 */
    enum weiri_litmus_type type;
};

struct weiri_litmus_lexer {
    const char *file;
    const char *at; /* after the token */
    const char *end;
    struct weiri_litmus_place place; /* of @at */
    struct weiri_litmus_token token; /* the next token */
    bool in_body; /* of a thread, where (* does not begin a comment */
    bool failed;
    unsigned depth; /* of nesting, at the next token */
    GError **error;
};

/** Refuses the text at @place. Returns: %NULL, which converts to false */
void *weiri_litmus_refuse(struct weiri_litmus_lexer *lexer,
                          struct weiri_litmus_place place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/** Refuses the next token, because @expected ("';' after it") should be in its place.
 *  Returns: %NULL */
void *weiri_litmus_unexpected(struct weiri_litmus_lexer *lexer, const char *expected);

/** Returns: (transfer full): the token in quotes, shortened for a message */
char *weiri_litmus_quote(const struct weiri_litmus_token *token);

/** Starts at the beginning of a text, which is checked to be valid UTF-8. No token is
 *  read yet. */
bool weiri_litmus_lex_start(struct weiri_litmus_lexer *lexer, const char *text,
                            size_t bytes, const char *file, GError **error);

/** Skips blanks and comments. */
bool weiri_litmus_lex_skip(struct weiri_litmus_lexer *lexer);

/** Returns: the rest of the line as a token, without blanks at its ends */
struct weiri_litmus_token weiri_litmus_lex_line(struct weiri_litmus_lexer *lexer);

/** Returns: the text between double quotes that begins here as a token, quotes
 *  included; BAD if it does not end */
struct weiri_litmus_token weiri_litmus_lex_quoted(struct weiri_litmus_lexer *lexer);

/** Reads the next token. */
bool weiri_litmus_lex_next(struct weiri_litmus_lexer *lexer);

/** Returns: the token after the next one; BAD at the end of the text */
struct weiri_litmus_token weiri_litmus_lex_peek(const struct weiri_litmus_lexer *lexer);

bool weiri_litmus_token_is(const struct weiri_litmus_token *token, const char *text);

/** Whether the next token is @text. */
static inline bool weiri_litmus_at(const struct weiri_litmus_lexer *lexer,
                                   const char *text)
{
    return weiri_litmus_token_is(&lexer->token, text);
}

/** Passes the next token if it is @text. */
bool weiri_litmus_accept(struct weiri_litmus_lexer *lexer, const char *text);

/** Passes the next token if it is @text, and refuses it otherwise; @where completes the
 *  message: "after the name". */
bool weiri_litmus_expect(struct weiri_litmus_lexer *lexer, const char *text,
                         const char *where);

/** Enters a level of nesting, or refuses if there are too many; lexer->depth-- leaves
 *  it. */
bool weiri_litmus_enter(struct weiri_litmus_lexer *lexer);

/* Levels of parentheses, blocks and operators. Each costs a few frames of parser
 * functions on the stack, one or two kilobytes in all. */
enum { WEIRI_LITMUS_MOST_DEPTH = 256 };

#endif
