/* SPDX-License-Identifier: MIT
 *
 * expression.c: the grammar of expressions: recursive descent, and precedence climbing
 * over operators of two operands.
 *
 * An operand is parsed before it is known whether it is assigned to: in `*x = 1` the
 * read of x becomes a write when the parser reaches the `=`. An atomic operation is an
 * operand like any other, so that `while (atomic_load(x) == 0)` needs no rule of its
 * own. `r += e` and `r++` are turned into assignments.
 *
 * This file and operation.c call each other: an operand can be an atomic operation,
 * whose operands are expressions. The recursion is bounded by the lexer's depth.
 *
 * Follows: C11 6.5, without the comma, sizeof, members, and addresses as values. */
#include "config.h"

#include "litmus/parser.h"

typedef const struct weiri_litmus_expression expression;

static expression *parse_unary(struct weiri_litmus_parser *parser);
static expression *parse_assignment(struct weiri_litmus_parser *parser);

/* ---- Operands -------------------------------------------------------------------- */

void *weiri_litmus_unknown(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    g_autofree char *quoted = weiri_litmus_quote(&lex->token);
    return weiri_litmus_refuse(lex, lex->token.place,
                               "unknown name %s: it is neither a parameter of P%u nor "
                               "a register that is declared before",
                               quoted, parser->n_threads);
}

static expression *parse_name(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_place place = lex->token.place;
    uint32_t index;
    switch (weiri_litmus_find(parser, parser->thread, &lex->token, &index)) {
    case WEIRI_LITMUS_A_REGISTER:
        return weiri_litmus_lex_next(lex)
            ? weiri_litmus_make_register(parser, place, index)
            : NULL;
    case WEIRI_LITMUS_A_LOCATION:
        return weiri_litmus_parse_element(parser, index);
    case WEIRI_LITMUS_NOTHING:
        break;
    }
    bool yes = weiri_litmus_at(lex, "true");
    if (yes || weiri_litmus_at(lex, "false")) {
        return weiri_litmus_lex_next(lex)
            ? weiri_litmus_make_constant(parser, place, WEIRI_LITMUS_INT, yes)
            : NULL;
    }
    struct weiri_litmus_token behind = weiri_litmus_lex_peek(lex);
    if (weiri_litmus_token_is(&behind, "(")) {
        return weiri_litmus_parse_operation(parser);
    }
    return weiri_litmus_at(lex, "else")
        ? weiri_litmus_unexpected(lex, "a statement: there is no if before it")
        : weiri_litmus_unknown(parser);
}

static expression *parse_constant(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token number = lex->token;
    if (number.value > INT64_MAX) {
        g_autofree char *quoted = weiri_litmus_quote(&number);
        return weiri_litmus_refuse(lex, number.place,
                                   "number %s is too large: at most %" G_GINT64_FORMAT,
                                   quoted, INT64_MAX);
    }
    return weiri_litmus_lex_next(lex) ? weiri_litmus_make_constant(
               parser, number.place, number.type, (int64_t)number.value)
                                      : NULL;
}

static expression *parse_primary(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return parse_name(parser);
    }
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_NUMBER) {
        return parse_constant(parser);
    }
    if (!weiri_litmus_accept(lex, "(")) {
        return weiri_litmus_unexpected(lex,
                                       "a value: a number, a register, *x or an "
                                       "atomic operation");
    }
    expression *inner = parse_assignment(parser);
    return inner != NULL && weiri_litmus_expect(lex, ")", "after the expression")
        ? inner
        : NULL;
}

/* Accepts `++` or `--`. */
static bool accept_count(struct weiri_litmus_parser *parser, bool *up)
{
    *up = weiri_litmus_accept(&parser->lex, "++");
    return *up || weiri_litmus_accept(&parser->lex, "--");
}

static expression *parse_postfix(struct weiri_litmus_parser *parser)
{
    expression *operand = parse_primary(parser);
    struct weiri_litmus_place place = parser->lex.token.place;
    bool up;
    if (operand == NULL || !accept_count(parser, &up)) {
        return operand;
    }
    expression *one = weiri_litmus_make_constant(parser, place, WEIRI_LITMUS_INT, 1);
    expression *changed = weiri_litmus_make_change(
        parser, place, operand, up ? WEIRI_LITMUS_ADD : WEIRI_LITMUS_SUBTRACT, one);
    parser->postfix = weiri_litmus_make_binary(
        parser, up ? WEIRI_LITMUS_SUBTRACT : WEIRI_LITMUS_ADD, place, changed, one);
    return parser->postfix;
}

/* ---- Operators of one operand ---------------------------------------------------- */

/* Whether a type in parentheses comes next. */
static bool at_cast(struct weiri_litmus_parser *parser)
{
    if (!weiri_litmus_at(&parser->lex, "(")) {
        return false;
    }
    struct weiri_litmus_token behind = weiri_litmus_lex_peek(&parser->lex);
    return weiri_litmus_is_type(parser, &behind)
        || weiri_litmus_token_is(&behind, "void");
}

/* `(int)e`. A cast to void has no effect. */
static expression *parse_cast(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_place place = lex->token.place;
    struct weiri_litmus_words words = { .type = WEIRI_LITMUS_VOID };
    if (!weiri_litmus_lex_next(lex)
        || (!weiri_litmus_accept(lex, "void")
            && !weiri_litmus_parse_type(parser, &words))) {
        return NULL;
    }
    if (words.atomic || words.is_volatile || words.is_const || words.has_space) {
        return weiri_litmus_refuse(lex, place,
                                   "a cast is to a plain type, such as int");
    }
    if (!weiri_litmus_expect(lex, ")", "after the type")) {
        return NULL;
    }
    expression *operand = parse_unary(parser);
    return operand == NULL || words.type == WEIRI_LITMUS_VOID
            || operand->type == words.type
        ? operand
        : weiri_litmus_make_unary(parser, WEIRI_LITMUS_CAST, words.type, place,
                                  operand);
}

static expression *parse_prefix(struct weiri_litmus_parser *parser)
{
    static const struct {
        const char *text;
        enum weiri_litmus_expression_kind kind;
    } prefixes[] = {
        { "-", WEIRI_LITMUS_NEGATION },
        { "~", WEIRI_LITMUS_COMPLEMENT },
        { "!", WEIRI_LITMUS_NOT },
    };
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_place place = lex->token.place;
    bool up;
    if (accept_count(parser, &up)) {
        return weiri_litmus_make_change(
            parser, place, parse_unary(parser),
            up ? WEIRI_LITMUS_ADD : WEIRI_LITMUS_SUBTRACT,
            weiri_litmus_make_constant(parser, place, WEIRI_LITMUS_INT, 1));
    }
    if (weiri_litmus_accept(lex, "+")) {
        return weiri_litmus_wanted(parser, parse_unary(parser));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (weiri_litmus_accept(lex, prefixes[i].text)) {
            return weiri_litmus_make_unary(parser, prefixes[i].kind, WEIRI_LITMUS_VOID,
                                           place, parse_unary(parser));
        }
    }
    return parse_postfix(parser);
}

static expression *parse_unary(struct weiri_litmus_parser *parser)
{
    if (!weiri_litmus_enter(&parser->lex)) {
        return NULL;
    }
    expression *made;
    if (weiri_litmus_at(&parser->lex, "*")) {
        made = weiri_litmus_parse_indirection(parser);
    } else if (at_cast(parser)) {
        made = parse_cast(parser);
    } else {
        made = parse_prefix(parser);
    }
    parser->lex.depth--;
    return made;
}

/* ---- Operators of more ----------------------------------------------------------- */

expression *weiri_litmus_parse_binary(struct weiri_litmus_parser *parser,
                                      unsigned least)
{
    expression *left = parse_unary(parser);
    enum weiri_litmus_function function;
    while (left != NULL && weiri_litmus_at_function(parser, &function)
           && weiri_litmus_precedence(function) >= least) {
        struct weiri_litmus_place place = parser->lex.token.place;
        weiri_litmus_lex_next(&parser->lex);
        expression *right
            = weiri_litmus_parse_binary(parser, weiri_litmus_precedence(function) + 1);
        left = weiri_litmus_make_binary(parser, function, place, left, right);
    }
    return left;
}

static expression *parse_ternary(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    expression *condition = weiri_litmus_parse_binary(parser, 1);
    struct weiri_litmus_place place = lex->token.place;
    if (condition == NULL || !weiri_litmus_at(lex, "?")) {
        return condition;
    }
    if (!weiri_litmus_enter(lex) || !weiri_litmus_lex_next(lex)) {
        return NULL;
    }
    expression *yes = parse_assignment(parser);
    expression *no
        = yes != NULL && weiri_litmus_expect(lex, ":", "between the two values")
        ? parse_ternary(parser)
        : NULL;
    lex->depth--;
    return weiri_litmus_make_ternary(parser, place, condition, yes, no);
}

static expression *parse_assignment(struct weiri_litmus_parser *parser)
{
    static const struct {
        const char *text;
        enum weiri_litmus_function function;
    } changes[] = {
        { "+=", WEIRI_LITMUS_ADD },         { "-=", WEIRI_LITMUS_SUBTRACT },
        { "*=", WEIRI_LITMUS_MULTIPLY },    { "/=", WEIRI_LITMUS_DIVIDE },
        { "%=", WEIRI_LITMUS_MODULO },      { "&=", WEIRI_LITMUS_AND },
        { "|=", WEIRI_LITMUS_OR },          { "^=", WEIRI_LITMUS_XOR },
        { "<<=", WEIRI_LITMUS_SHIFT_LEFT }, { ">>=", WEIRI_LITMUS_SHIFT_RIGHT },
    };
    struct weiri_litmus_lexer *lex = &parser->lex;
    expression *left = parse_ternary(parser);
    bool is_plain = weiri_litmus_at(lex, "=");
    size_t i = 0;
    while (i < G_N_ELEMENTS(changes) && !weiri_litmus_at(lex, changes[i].text)) {
        i++;
    }
    if (left == NULL || (!is_plain && i == G_N_ELEMENTS(changes))) {
        return left;
    }
    if (!weiri_litmus_is_assignable(left)) {
        g_autofree char *quoted = weiri_litmus_quote(&lex->token);
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "the left side of %s must be a register or a "
                                   "location (*x)",
                                   quoted);
    }
    if (!weiri_litmus_enter(lex) || !weiri_litmus_lex_next(lex)) {
        return NULL;
    }
    expression *right = parse_assignment(parser);
    lex->depth--;
    return is_plain ? weiri_litmus_make_assignment(parser, left->place, left, right)
                    : weiri_litmus_make_change(parser, left->place, left,
                                               changes[i].function, right);
}

expression *weiri_litmus_parse_expression(struct weiri_litmus_parser *parser,
                                          bool wanted)
{
    expression *made = parse_assignment(parser);
    if (wanted) {
        return weiri_litmus_wanted(parser, made);
    }
    return made != NULL && made == parser->postfix ? made->a : made;
}
