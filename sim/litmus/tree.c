/* SPDX-License-Identifier: MIT
 *
 * tree.c: the nodes of expressions: their types, by C11 6.5, and the bound on their
 * depth, which recursion over trees relies on. An operand may be NULL after it has been
 * refused; the result is then NULL, too. */
#include "config.h"

#include "litmus/parser.h"

typedef const struct weiri_litmus_expression expression;

static const struct {
    const char *text;
    unsigned precedence;
} functions[] = {
#define X(name, text, precedence) { text, precedence },
    WEIRI_LITMUS_FUNCTIONS(X)
#undef X
};

unsigned weiri_litmus_precedence(enum weiri_litmus_function function)
{
    return functions[function].precedence;
}

const char *weiri_litmus_function_text(enum weiri_litmus_function function)
{
    return functions[function].text;
}

bool weiri_litmus_at_function(const struct weiri_litmus_parser *parser,
                              enum weiri_litmus_function *function)
{
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (functions[i].precedence > 0
            && weiri_litmus_at(&parser->lex, functions[i].text)) {
            *function = (enum weiri_litmus_function)i;
            return true;
        }
    }
    return false;
}

/* Makes a node; any of the operands may be missing. */
static struct weiri_litmus_expression *make(struct weiri_litmus_parser *parser,
                                            enum weiri_litmus_expression_kind kind,
                                            enum weiri_litmus_type type,
                                            struct weiri_litmus_place place,
                                            expression *a, expression *b, expression *c)
{
    expression *operands[] = { a, b, c };
    uint32_t depth = 1;
    for (size_t i = 0; i < G_N_ELEMENTS(operands); i++) {
        depth = MAX(depth, operands[i] != NULL ? operands[i]->depth + 1 : 0);
    }
    if (depth > WEIRI_LITMUS_MOST_DEPTH) {
        return weiri_litmus_refuse(&parser->lex, place,
                                   "more than %d operations in each other: that is "
                                   "too much",
                                   WEIRI_LITMUS_MOST_DEPTH);
    }
    struct weiri_litmus_expression *made
        = weiri_litmus_memory_take(parser->test->memory, sizeof(*made));
    *made = (struct weiri_litmus_expression){ .kind = kind,
                                              .type = type,
                                              .a = a,
                                              .b = b,
                                              .c = c,
                                              .place = place,
                                              .depth = depth };
    return made;
}

expression *weiri_litmus_wanted(struct weiri_litmus_parser *parser, expression *e)
{
    if (e != NULL && e->type == WEIRI_LITMUS_VOID) {
        return weiri_litmus_refuse(&parser->lex, e->place,
                                   "an atomic store has no value");
    }
    return e;
}

static enum weiri_litmus_type promoted(expression *e)
{
    return MAX(WEIRI_LITMUS_INT, e->type);
}

expression *weiri_litmus_make_constant(struct weiri_litmus_parser *parser,
                                       struct weiri_litmus_place place,
                                       enum weiri_litmus_type type, int64_t value)
{
    struct weiri_litmus_expression *made
        = make(parser, WEIRI_LITMUS_CONSTANT, type, place, NULL, NULL, NULL);
    made->value = value;
    return made;
}

expression *weiri_litmus_make_register(struct weiri_litmus_parser *parser,
                                       struct weiri_litmus_place place, uint32_t reg)
{
    enum weiri_litmus_type type = g_array_index(parser->thread->registers,
                                                struct weiri_litmus_register_draft, reg)
                                      .value.type;
    struct weiri_litmus_expression *made
        = make(parser, WEIRI_LITMUS_REGISTER, type, place, NULL, NULL, NULL);
    made->reg = reg;
    return made;
}

expression *weiri_litmus_make_unary(struct weiri_litmus_parser *parser,
                                    enum weiri_litmus_expression_kind kind,
                                    enum weiri_litmus_type to,
                                    struct weiri_litmus_place place, expression *a)
{
    a = weiri_litmus_wanted(parser, a);
    if (a == NULL) {
        return NULL;
    }
    enum weiri_litmus_type type = kind == WEIRI_LITMUS_CAST ? to
        : kind == WEIRI_LITMUS_NOT                          ? WEIRI_LITMUS_INT
                                                            : promoted(a);
    return make(parser, kind, type, place, a, NULL, NULL);
}

expression *weiri_litmus_make_binary(struct weiri_litmus_parser *parser,
                                     enum weiri_litmus_function function,
                                     struct weiri_litmus_place place, expression *a,
                                     expression *b)
{
    a = weiri_litmus_wanted(parser, a);
    b = weiri_litmus_wanted(parser, b);
    if (a == NULL || b == NULL) {
        return NULL;
    }
    enum weiri_litmus_type type = MAX(promoted(a), promoted(b));
    if (function == WEIRI_LITMUS_SHIFT_LEFT || function == WEIRI_LITMUS_SHIFT_RIGHT) {
        type = promoted(a);
    } else if (function == WEIRI_LITMUS_LOGICAL_OR
               || function == WEIRI_LITMUS_LOGICAL_AND
               || (function >= WEIRI_LITMUS_EQUAL
                   && function <= WEIRI_LITMUS_AT_LEAST)) {
        type = WEIRI_LITMUS_INT;
    }
    struct weiri_litmus_expression *made
        = make(parser, WEIRI_LITMUS_BINARY, type, place, a, b, NULL);
    if (made != NULL) {
        made->function = function;
    }
    return made;
}

expression *weiri_litmus_make_ternary(struct weiri_litmus_parser *parser,
                                      struct weiri_litmus_place place, expression *a,
                                      expression *b, expression *c)
{
    a = weiri_litmus_wanted(parser, a);
    b = weiri_litmus_wanted(parser, b);
    c = weiri_litmus_wanted(parser, c);
    if (a == NULL || b == NULL || c == NULL) {
        return NULL;
    }
    return make(parser, WEIRI_LITMUS_TERNARY, MAX(promoted(b), promoted(c)), place, a,
                b, c);
}

/* Whether the thread has declared that it does not write to the location. */
static bool is_const(const struct weiri_litmus_parser *parser, uint32_t location)
{
    const GArray *parameters = parser->thread->parameters;
    for (guint i = 0; i < parameters->len; i++) {
        const struct weiri_litmus_parameter *parameter
            = &g_array_index(parameters, struct weiri_litmus_parameter, i);
        if (parameter->location == location) {
            return parameter->is_const;
        }
    }
    return false;
}

expression *weiri_litmus_make_access(struct weiri_litmus_parser *parser,
                                     enum weiri_litmus_type type,
                                     struct weiri_litmus_place place,
                                     const struct weiri_litmus_access *access)
{
    bool compares = access->kind == WEIRI_LITMUS_COMPARE;
    if ((access->kind != WEIRI_LITMUS_READ && is_const(parser, access->location))
        || (compares && !access->expects_register
            && is_const(parser, access->expected))) {
        weiri_litmus_refuse(&parser->lex, place,
                            "this writes a location that is const in P%u: remove "
                            "const, or only read it",
                            parser->n_threads);
        return NULL;
    }
    struct weiri_litmus_expression *made
        = make(parser, WEIRI_LITMUS_ACCESS, type, place, access->offset,
               access->operand, NULL);
    if (made != NULL) {
        struct weiri_litmus_access *kept
            = weiri_litmus_memory_take(parser->test->memory, sizeof(*kept));
        *kept = *access;
        made->access = kept;
        made->a = NULL; /* the access has them */
        made->b = NULL;
    }
    return made;
}

bool weiri_litmus_is_assignable(expression *e)
{
    return e->kind == WEIRI_LITMUS_REGISTER
        || (e->kind == WEIRI_LITMUS_ACCESS && !e->access->atomic
            && e->access->kind == WEIRI_LITMUS_READ);
}

expression *weiri_litmus_make_assignment(struct weiri_litmus_parser *parser,
                                         struct weiri_litmus_place place,
                                         expression *to, expression *value)
{
    value = weiri_litmus_wanted(parser, value);
    if (value == NULL) {
        return NULL;
    }
    if (to->kind == WEIRI_LITMUS_REGISTER) {
        struct weiri_litmus_expression *made
            = make(parser, WEIRI_LITMUS_ASSIGNMENT, to->type, place, value, NULL, NULL);
        if (made != NULL) {
            made->reg = to->reg;
        }
        return made;
    }
    struct weiri_litmus_access access = *to->access;
    access.kind = WEIRI_LITMUS_WRITE;
    access.operand = value;
    return weiri_litmus_make_access(parser, to->type, place, &access);
}

expression *weiri_litmus_make_change(struct weiri_litmus_parser *parser,
                                     struct weiri_litmus_place place, expression *to,
                                     enum weiri_litmus_function function,
                                     expression *by)
{
    if (to == NULL || by == NULL) {
        return NULL;
    }
    if (!weiri_litmus_is_assignable(to)
        || (to->access != NULL && to->access->offset != NULL)) {
        return weiri_litmus_refuse(&parser->lex, place,
                                   "only a register or a location (*x) can be changed");
    }
    return weiri_litmus_make_assignment(
        parser, place, to, weiri_litmus_make_binary(parser, function, place, to, by));
}
