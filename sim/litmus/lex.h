/* SPDX-License-Identifier: MIT
 *
 * lex.h: the words of a litmus test, and how a text is refused. For the files
 * that read one.
 *
 * A text is read twice over: its head as lines, all else as tokens. The lexer holds the
 * next token, which it has read already, so that a change of what begins a comment must
 * come before the token in front of it is passed.
 *
 * A function that can fail returns false or NULL and has then called
 * weiri_litmus_refuse(). The first refusal is the error; the token is then BAD, which
 * nothing accepts. */
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
    const char *text; /* in the test's; not terminated */
    size_t bytes;
    struct weiri_litmus_place place;
    uint64_t value; /* NUMBER: at most 2^63 */
    enum weiri_litmus_type type;
};

struct weiri_litmus_lexer {
    const char *file;
    const char *at; /* behind the token */
    const char *end;
    struct weiri_litmus_place place; /* of @at */
    struct weiri_litmus_token token; /* the next one */
    bool in_body;                    /* of a thread, where (* begins no comment */
    bool failed;
    unsigned depth; /* of what is being read in what */
    GError **error;
};

/** Refuses the text at @place. Returns: %NULL, which is false, too */
void *weiri_litmus_refuse(struct weiri_litmus_lexer *lexer,
                          struct weiri_litmus_place place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/** Refuses the next token: @expected ("';' after it") should be there. Likewise. */
void *weiri_litmus_unexpected(struct weiri_litmus_lexer *lexer, const char *expected);

/** Quoted, and short enough for a message. Returns: (transfer full) */
char *weiri_litmus_quote(const struct weiri_litmus_token *token);

/** At the beginning of a text, which is checked to be one; there is no token yet. */
bool weiri_litmus_lex_start(struct weiri_litmus_lexer *lexer, const char *text,
                            size_t bytes, const char *file, GError **error);

/** Past blanks and comments. */
bool weiri_litmus_lex_skip(struct weiri_litmus_lexer *lexer);

/** The rest of the line, without blanks at its ends, as a token. */
struct weiri_litmus_token weiri_litmus_lex_line(struct weiri_litmus_lexer *lexer);

/** The text between double quotes that begins here, with them, as a token; BAD if it
 *  does not end. */
struct weiri_litmus_token weiri_litmus_lex_quoted(struct weiri_litmus_lexer *lexer);

/** Reads the next token. */
bool weiri_litmus_lex_next(struct weiri_litmus_lexer *lexer);

/** The token behind the next one; BAD where there is none. */
struct weiri_litmus_token weiri_litmus_lex_peek(const struct weiri_litmus_lexer *lexer);

bool weiri_litmus_token_is(const struct weiri_litmus_token *token, const char *text);

/** Whether the next token is that. */
static inline bool weiri_litmus_at(const struct weiri_litmus_lexer *lexer,
                                   const char *text)
{
    return weiri_litmus_token_is(&lexer->token, text);
}

/** Goes past the next token if it is that. */
bool weiri_litmus_accept(struct weiri_litmus_lexer *lexer, const char *text);

/** The same, and refuses the text if not; @where says more: "after the name". */
bool weiri_litmus_expect(struct weiri_litmus_lexer *lexer, const char *text,
                         const char *where);

/** One deeper, unless that is too deep. Undone by lexer->depth--. */
bool weiri_litmus_enter(struct weiri_litmus_lexer *lexer);

/* Parentheses, blocks and operators in each other. For each of them some functions of
 * the parser stand on the stack, a kilobyte or two in all. */
enum { WEIRI_LITMUS_MOST_DEPTH = 256 };

#endif
