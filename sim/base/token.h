/* SPDX-License-Identifier: MIT
 *
 * token.h: the tokens of a C or C++ file, for its statement structure. Comments, blanks
 * and preprocessor lines are between tokens. Only one arm of a conditional has tokens,
 * since the braces of all arms together need not balance. It is the first arm, unless
 * that is the arm of `#if 0` or, in C, of `#ifdef __cplusplus`.
 *
 * Any bytes are tokens: a literal without an end is over at the end of its line. */
#ifndef WEIRI_TOKEN_H
#define WEIRI_TOKEN_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIRI_TOKEN_NONE UINT32_MAX

/* Kinds of tokens; any other is the character of the punctuation. */
enum { WEIRI_TOKEN_WORD = 'a', WEIRI_TOKEN_NUMBER = '0', WEIRI_TOKEN_LITERAL = '"' };

struct weiri_token {
    size_t begin, end;        /* bytes, the end exclusive */
    uint32_t line, last_line; /* from 1 */
    uint32_t pair;            /* of a bracket: the token of the other one, or NONE; of
                                * a brace that is not closed: the number of tokens */
    char kind;
};

/* Lines whose tokens are left out. */
struct weiri_token_gap {
    uint32_t first_line, last_line;
};

struct weiri_tokens {
    GArray *tokens;      /* struct weiri_token */
    GArray *gaps;        /* struct weiri_token_gap, ascending */
    GArray *line_begins; /* size_t: offset of each line; at least one */
};

/** @is_cpp: whether the text is C++: it has raw strings, and takes the arm of `#ifdef
 *  __cplusplus` */
void weiri_tokens_init(struct weiri_tokens *tokens, const char *text, size_t bytes,
                       bool is_cpp);
void weiri_tokens_clear(struct weiri_tokens *tokens);

#endif
