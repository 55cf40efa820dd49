/* SPDX-License-Identifier: MIT
 *
 * types.c: the words of types, `volatile global atomic_int`: reading them, and their
 * names for printing.
 *
 * Follows: herd7, lib/CParser.mly. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

static const struct {
    const char *word;
    enum weiri_litmus_type type;
    bool atomic;
} types[] = {
    /* The first row of each type is the one that is printed. */
    { "int", WEIRI_LITMUS_INT, false },
    { "atomic_int", WEIRI_LITMUS_INT, true },
    { "unsigned", WEIRI_LITMUS_UINT, false },
    { "atomic_uint", WEIRI_LITMUS_UINT, true },
    { "long", WEIRI_LITMUS_LONG, false },
    { "atomic_long", WEIRI_LITMUS_LONG, true },
    { "bool", WEIRI_LITMUS_BOOL, false },
    { "atomic_bool", WEIRI_LITMUS_BOOL, true },
    { "_Bool", WEIRI_LITMUS_BOOL, false },
    { "int32_t", WEIRI_LITMUS_INT, false },
    { "uint32_t", WEIRI_LITMUS_UINT, false },
    { "uint", WEIRI_LITMUS_UINT, false },
    { "int64_t", WEIRI_LITMUS_LONG, false },
    { "intptr_t", WEIRI_LITMUS_LONG, false },
    { "atomic_llong", WEIRI_LITMUS_LONG, true },
    { "atomic_intptr_t", WEIRI_LITMUS_LONG, true },
    { "signed", WEIRI_LITMUS_INT, false },
};

/* Refused, instead of being taken for names of variables. */
static const char *const other_types[] = {
    "char",     "short",    "float",    "double",   "size_t",      "ulong",
    "int8_t",   "uint8_t",  "int16_t",  "uint16_t", "uint64_t",    "uintptr_t",
    "struct",   "union",    "enum",     "__int128", "atomic_char", "atomic_ulong",
    "static",   "register", "restrict", "mtx_t",    "atomic_flag", "atomic_size_t",
    "_Complex", "half",     "auto",     "typedef",
};

static const char *const qualifiers[] = { "volatile", "const", "_Atomic" };
/* In the scoped form only; otherwise they may be names. */
static const char *const spaces[] = { "global", "local", "__global", "__local" };

const char *weiri_litmus_type_text(enum weiri_litmus_type type, bool atomic)
{
    size_t i = 0;
    while (types[i].type != type || types[i].atomic != atomic) {
        i++;
    }
    return types[i].word;
}

static int find_type(const struct weiri_litmus_token *token)
{
    for (int i = 0; i < (int)G_N_ELEMENTS(types); i++) {
        if (weiri_litmus_token_is(token, types[i].word)) {
            return i;
        }
    }
    return -1;
}

static bool is_one_of(const struct weiri_litmus_token *token, const char *const *words,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (weiri_litmus_token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_space(const struct weiri_litmus_parser *parser,
                     const struct weiri_litmus_token *token)
{
    return parser->test->scoped && is_one_of(token, spaces, G_N_ELEMENTS(spaces));
}

bool weiri_litmus_is_type(const struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_token *token)
{
    return token->kind == WEIRI_LITMUS_TOKEN_NAME
        && (find_type(token) >= 0 || is_space(parser, token)
            || is_one_of(token, qualifiers, G_N_ELEMENTS(qualifiers))
            || is_one_of(token, other_types, G_N_ELEMENTS(other_types)));
}

/* Reads the next token, a qualifier. */
static bool parse_qualifier(struct weiri_litmus_parser *parser,
                            struct weiri_litmus_words *words)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_accept(lex, "volatile")) {
        words->is_volatile = true;
        return true;
    }
    if (weiri_litmus_accept(lex, "const")) {
        words->is_const = true;
        return true;
    }
    if (weiri_litmus_accept(lex, "_Atomic")) {
        words->atomic = true;
        return true;
    }
    if (words->has_space) {
        return weiri_litmus_unexpected(lex, "one address space only");
    }
    words->has_space = true;
    words->space = WEIR_GLOBAL;
    if (weiri_litmus_accept(lex, "local") || weiri_litmus_accept(lex, "__local")) {
        words->space = WEIR_LOCAL;
        return true;
    }
    return weiri_litmus_lex_next(lex);
}

/* `unsigned int`, `long long`: whether @word may follow the type so far. */
static bool may_follow(enum weiri_litmus_type *type, bool *has_int, int word)
{
    bool is_int = word >= 0 && strcmp(types[word].word, "int") == 0;
    bool is_long = word >= 0 && strcmp(types[word].word, "long") == 0;
    if (is_int && !*has_int) {
        *has_int = true;
        return true;
    }
    if (is_long && *type == WEIRI_LITMUS_LONG && !*has_int) {
        return true;
    }
    if (is_long && *type == WEIRI_LITMUS_INT && !*has_int) { /* signed long */
        *type = WEIRI_LITMUS_LONG;
        return true;
    }
    return false;
}

bool weiri_litmus_parse_type(struct weiri_litmus_parser *parser,
                             struct weiri_litmus_words *words)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    *words = (struct weiri_litmus_words){ .type = WEIRI_LITMUS_VOID };
    bool has_int = false, paren = false;
    while (weiri_litmus_is_type(parser, &lex->token)) {
        int word = find_type(&lex->token);
        if (is_space(parser, &lex->token)
            || is_one_of(&lex->token, qualifiers, G_N_ELEMENTS(qualifiers))) {
            bool is_atomic = weiri_litmus_at(lex, "_Atomic");
            if (!parse_qualifier(parser, words)) {
                return false;
            }
            paren = paren || (is_atomic && weiri_litmus_accept(lex, "("));
            continue;
        }
        if (words->type == WEIRI_LITMUS_VOID && word >= 0) {
            words->type = types[word].type;
            words->atomic = words->atomic || types[word].atomic;
            has_int = strcmp(types[word].word, "signed") != 0
                && strcmp(types[word].word, "unsigned") != 0
                && strcmp(types[word].word, "long") != 0;
        } else if (!may_follow(&words->type, &has_int, word)) {
            g_autofree char *quoted = weiri_litmus_quote(&lex->token);
            return weiri_litmus_refuse(lex, lex->token.place,
                                       "type %s is not supported here: int, unsigned, "
                                       "long, bool and their atomic types are",
                                       quoted);
        }
        weiri_litmus_lex_next(lex);
        if (paren && !weiri_litmus_is_type(parser, &lex->token)) {
            if (!weiri_litmus_expect(lex, ")", "after the type")) {
                return false;
            }
            paren = false;
        }
    }
    if (words->type != WEIRI_LITMUS_VOID) {
        return !lex->failed;
    }
    return weiri_litmus_unexpected(
        lex,
        is_one_of(&lex->token, spaces, G_N_ELEMENTS(spaces))
            ? "a type: address spaces are of the form that begins with OPENCL"
            : "a type, such as int or atomic_int");
}
