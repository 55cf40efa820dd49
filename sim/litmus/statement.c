/* SPDX-License-Identifier: MIT
 *
 * statement.c: the statements of a thread.
 *
 * The body of an `if` or a loop is a block, with or without braces, and so is the
 * statement after an `else`, except another `if`. Registers belong to the thread: the
 * end of a block only ends the ban on redeclaring them.
 *
 * Follows: C11 6.8 without jumps; OpenCL C 3.0 for fences and barriers. The label of a
 * barrier, `B1:`, is its name: the threads of a group meet at barriers of the same
 * name. */
#include "config.h"

#include "litmus/parser.h"

#include "base/assert.h"

/* ---- Fences and barriers --------------------------------------------------------- */

static struct weiri_litmus_statement *make(struct weiri_litmus_parser *parser,
                                           enum weiri_litmus_statement_kind kind,
                                           struct weiri_litmus_place place)
{
    struct weiri_litmus_statement *statement
        = weiri_litmus_memory_take(parser->test->memory, sizeof(*statement));
    statement->kind = kind;
    statement->place = place;
    return statement;
}

/* `CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE`, or 0. */
static bool parse_spaces(struct weiri_litmus_parser *parser, unsigned *spaces)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_accept(lex, "0")) {
        return true;
    }
    do {
        if (weiri_litmus_accept(lex, "CLK_LOCAL_MEM_FENCE")) {
            *spaces |= WEIR_LOCAL;
        } else if (weiri_litmus_accept(lex, "CLK_GLOBAL_MEM_FENCE")) {
            *spaces |= WEIR_GLOBAL;
        } else {
            return weiri_litmus_unexpected(
                lex,
                "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE, both joined by '|', "
                "or 0");
        }
    } while (weiri_litmus_accept(lex, "|"));
    return true;
}

/* `barrier(flags)`, with or without a scope; @label may be empty. */
static bool parse_barrier(struct weiri_litmus_parser *parser, const char *label,
                          struct weiri_litmus_statement *barrier)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!parser->test->scoped) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "barriers are of the form that begins with OPENCL: "
                                   "threads of this one have no groups");
    }
    barrier->kind = WEIRI_LITMUS_BARRIER;
    barrier->scope = memory_scope_work_group;
    barrier->label = weiri_litmus_barrier_label(parser, label);
    return weiri_litmus_lex_next(lex)
        && weiri_litmus_expect(lex, "(", "and the flags of the barrier")
        && parse_spaces(parser, &barrier->spaces)
        && (!weiri_litmus_accept(lex, ",")
            || weiri_litmus_parse_scope(parser, &barrier->scope))
        && weiri_litmus_expect(lex, ")", "after the flags")
        && weiri_litmus_expect(lex, ";", "after the barrier");
}

/* `atomic_thread_fence(order)`, or `atomic_work_item_fence(flags, order, scope)`. */
static bool parse_fence(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_statement *fence)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    const unsigned all = WEIRI_LITMUS_ORDER(relaxed) | WEIRI_LITMUS_ORDER(acquire)
        | WEIRI_LITMUS_ORDER(release) | WEIRI_LITMUS_ORDER(acq_rel)
        | WEIRI_LITMUS_ORDER(seq_cst);
    bool of_items = weiri_litmus_at(lex, "atomic_work_item_fence");
    if (of_items != parser->test->scoped) {
        return weiri_litmus_unexpected(lex,
                                       of_items
                                           ? "atomic_thread_fence(order), which is "
                                             "the fence of this form"
                                           : "atomic_work_item_fence(flags, "
                                             "order, scope), which is the fence "
                                             "of this form");
    }
    fence->kind = WEIRI_LITMUS_FENCE;
    fence->scope = memory_scope_device;
    fence->spaces = of_items ? 0 : WEIR_LOCAL | WEIR_GLOBAL;
    return weiri_litmus_lex_next(lex)
        && weiri_litmus_expect(lex, "(", "after the fence")
        && (!of_items
            || (parse_spaces(parser, &fence->spaces)
                && weiri_litmus_expect(lex, ",", "and the memory order")))
        && weiri_litmus_parse_order(parser, all, "a fence", &fence->order)
        && (!of_items || !weiri_litmus_accept(lex, ",")
            || weiri_litmus_parse_scope(parser, &fence->scope))
        && weiri_litmus_expect(lex, ")", "after the fence's operands")
        && weiri_litmus_expect(lex, ";", "after the fence");
}

/* ---- Statements ------------------------------------------------------------------ */

/* A controlled statement, as a block or, if @bare_if, possibly as an `if`. */
static const struct weiri_litmus_statement *parse_body(
    struct weiri_litmus_parser *parser, bool bare_if);

/* A list of statements that grows. */
struct list {
    const struct weiri_litmus_statement *first;
    struct weiri_litmus_statement *last;
};

static void append(struct list *list, struct weiri_litmus_statement *statement)
{
    if (list->last == NULL) {
        list->first = statement;
    } else {
        list->last->next = statement;
    }
    list->last = statement;
}

static struct weiri_litmus_register_draft *draft_of(struct weiri_litmus_parser *parser,
                                                    uint32_t reg)
{
    return &g_array_index(parser->thread->registers, struct weiri_litmus_register_draft,
                          reg);
}

/* Closes the declarations of a block; @n were open before it. */
static void close_open(struct weiri_litmus_parser *parser, guint n)
{
    for (guint i = n; i < parser->open->len; i++) {
        draft_of(parser, g_array_index(parser->open, uint32_t, i))->is_open = false;
    }
    g_array_set_size(parser->open, n);
}

/* Words of C that cannot be names, in addition to the words of types. */
static const char *const reserved[]
    = { "if",    "else",     "while",  "do",   "for",
        "break", "continue", "return", "goto", "switch" };
/* The words from here on are jumps. */
enum { JUMPS = 5 };

/* Declares the register that the next token names. */
static bool declare(struct weiri_litmus_parser *parser, enum weiri_litmus_type type,
                    uint32_t *reg)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token name = lex->token;
    if (name.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       weiri_litmus_at(lex, "*")
                                           ? "the name of a register: pointers as "
                                             "values are not supported"
                                           : "the name of a register");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++) {
        if (weiri_litmus_at(lex, reserved[i])) {
            return weiri_litmus_unexpected(lex, "the name of a register");
        }
    }
    g_autofree char *quoted = weiri_litmus_quote(&name);
    if (weiri_litmus_find(parser, parser->thread, &name, reg)
        == WEIRI_LITMUS_A_LOCATION) {
        return weiri_litmus_refuse(lex, name.place, "%s is a parameter already",
                                   quoted);
    }
    struct weiri_litmus_register_draft *draft
        = weiri_litmus_register_of(parser, parser->thread, &name, reg);
    if (draft->is_open) {
        return weiri_litmus_refuse(lex, name.place,
                                   "%s is declared already, at %u:%u: a register has "
                                   "one declaration",
                                   quoted, draft->place.line, draft->place.column);
    }
    if (draft->is_typed && draft->value.type != type) {
        return weiri_litmus_refuse(lex, name.place,
                                   "%s is of type %s here, and %s before", quoted,
                                   weiri_litmus_type_text(type, false),
                                   weiri_litmus_type_text(draft->value.type, false));
    }
    draft->value.is_declared = true;
    draft->value.type = type;
    draft->is_typed = true;
    draft->is_open = true;
    draft->place = draft->value.is_initial ? draft->place : name.place;
    g_array_append_val(parser->open, *reg);
    return weiri_litmus_lex_next(lex);
}

/* `int r0 = e, r1;` */
static bool parse_declaration(struct weiri_litmus_parser *parser, struct list *list)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_words words;
    struct weiri_litmus_place place = lex->token.place;
    if (!weiri_litmus_parse_type(parser, &words)) {
        return false;
    }
    if (words.atomic || words.is_volatile || words.is_const || words.has_space) {
        return weiri_litmus_refuse(lex, place,
                                   "a register is of a plain type, such as int: "
                                   "memory is what parameters point to");
    }
    do {
        struct weiri_litmus_statement *statement
            = make(parser, WEIRI_LITMUS_DECLARE, lex->token.place);
        if (!declare(parser, words.type, &statement->reg)) {
            return false;
        }
        if (weiri_litmus_at(lex, "[")) {
            return weiri_litmus_unexpected(lex, "';': arrays are not supported");
        }
        if (weiri_litmus_accept(lex, "=")) {
            statement->expression = weiri_litmus_parse_expression(parser, true);
            if (statement->expression == NULL) {
                return false;
            }
        }
        append(list, statement);
    } while (weiri_litmus_accept(lex, ","));
    return weiri_litmus_expect(lex, ";", "after the declaration");
}

/* An expression used as a statement, without its semicolon. */
static bool parse_evaluation(struct weiri_litmus_parser *parser, struct list *list)
{
    struct weiri_litmus_statement *statement
        = make(parser, WEIRI_LITMUS_EVALUATE, parser->lex.token.place);
    statement->expression = weiri_litmus_parse_expression(parser, false);
    append(list, statement);
    return statement->expression != NULL;
}

/* `(e)`, after the next token. */
static const struct weiri_litmus_expression *parse_condition(
    struct weiri_litmus_parser *parser)
{
    const struct weiri_litmus_expression *condition;
    return weiri_litmus_lex_next(&parser->lex)
            && weiri_litmus_expect(&parser->lex, "(", "and a condition")
            && (condition = weiri_litmus_parse_expression(parser, true)) != NULL
            && weiri_litmus_expect(&parser->lex, ")", "after the condition")
        ? condition
        : NULL;
}

static bool parse_if(struct weiri_litmus_parser *parser,
                     struct weiri_litmus_statement *statement)
{
    statement->kind = WEIRI_LITMUS_IF;
    statement->expression = parse_condition(parser);
    statement->body = statement->expression != NULL ? parse_body(parser, false) : NULL;
    if (statement->body != NULL && weiri_litmus_accept(&parser->lex, "else")) {
        statement->other = parse_body(parser, true);
        return statement->other != NULL;
    }
    return statement->body != NULL;
}

static bool parse_while(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_statement *statement)
{
    statement->kind = WEIRI_LITMUS_WHILE;
    statement->expression = parse_condition(parser);
    statement->body = statement->expression != NULL ? parse_body(parser, false) : NULL;
    return statement->body != NULL;
}

static bool parse_do(struct weiri_litmus_parser *parser,
                     struct weiri_litmus_statement *statement)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    statement->kind = WEIRI_LITMUS_DO;
    if (!weiri_litmus_lex_next(lex)) {
        return false;
    }
    statement->body = parse_body(parser, false);
    if (statement->body == NULL) {
        return false;
    }
    if (!weiri_litmus_at(lex, "while")) {
        return weiri_litmus_unexpected(lex, "'while' after the body of do");
    }
    statement->expression = parse_condition(parser);
    return statement->expression != NULL
        && weiri_litmus_expect(lex, ";", "after the loop");
}

static bool parse_for(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_statement *statement)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    statement->kind = WEIRI_LITMUS_FOR;
    struct list first = { NULL, NULL };
    guint n = parser->open->len;
    if (!weiri_litmus_lex_next(lex)
        || !weiri_litmus_expect(lex, "(", "and the head of the loop")) {
        return false;
    }
    bool sound = true;
    if (weiri_litmus_is_type(parser, &lex->token)) {
        sound = parse_declaration(parser, &first);
    } else if (!weiri_litmus_accept(lex, ";")) {
        sound = parse_evaluation(parser, &first)
            && weiri_litmus_expect(lex, ";", "in the head of the loop");
    }
    statement->first = first.first;
    if (sound && !weiri_litmus_at(lex, ";")) {
        statement->expression = weiri_litmus_parse_expression(parser, true);
        sound = statement->expression != NULL;
    }
    if (!sound || !weiri_litmus_expect(lex, ";", "in the head of the loop")) {
        return false;
    }
    if (!weiri_litmus_at(lex, ")")) {
        statement->step = weiri_litmus_parse_expression(parser, false);
        sound = statement->step != NULL;
    }
    if (!sound || !weiri_litmus_expect(lex, ")", "after the head of the loop")) {
        return false;
    }
    statement->body = parse_body(parser, false);
    close_open(parser, n); /* the head of the loop is a block of its own */
    return statement->body != NULL;
}

static bool parse_any(struct weiri_litmus_parser *parser, struct list *list);

bool weiri_litmus_parse_block(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_statement *block)
{
    struct list list = { NULL, NULL };
    guint n = parser->open->len;
    block->kind = WEIRI_LITMUS_BLOCK;
    while (!weiri_litmus_at(&parser->lex, "}")) {
        if (parser->lex.token.kind == WEIRI_LITMUS_TOKEN_END) {
            return weiri_litmus_unexpected(&parser->lex, "'}' after the statements");
        }
        if (!parse_any(parser, &list)) {
            return false;
        }
    }
    close_open(parser, n);
    block->first = list.first;
    return true;
}

/* `B1: barrier(...)`. */
static bool parse_labelled(struct weiri_litmus_parser *parser,
                           struct weiri_litmus_statement *statement)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    const char *label = weiri_litmus_intern(parser, &lex->token);
    if (!weiri_litmus_lex_next(lex) || !weiri_litmus_expect(lex, ":", "")) {
        return false;
    }
    statement->place = lex->token.place;
    return weiri_litmus_at(lex, "barrier") || weiri_litmus_at(lex, "work_group_barrier")
        ? parse_barrier(parser, label, statement)
        : weiri_litmus_unexpected(lex, "a barrier after the label") != NULL;
}

static const struct {
    const char *word;
    bool (*parse)(struct weiri_litmus_parser *parser,
                  struct weiri_litmus_statement *statement);
} keywords[] = {
    { "if", parse_if },
    { "while", parse_while },
    { "do", parse_do },
    { "for", parse_for },
    { "atomic_thread_fence", parse_fence },
    { "atomic_work_item_fence", parse_fence },
};

/* The next statement, or several if it declares several registers. */
static bool parse_unbounded(struct weiri_litmus_parser *parser, struct list *list)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_is_type(parser, &lex->token)) {
        return parse_declaration(parser, list);
    }
    struct weiri_litmus_statement *statement
        = make(parser, WEIRI_LITMUS_BLOCK, lex->token.place);
    if (weiri_litmus_at(lex, ";") || weiri_litmus_at(lex, "{")) {
        append(list, statement);
        bool sound = weiri_litmus_at(lex, ";")
            || (weiri_litmus_lex_next(lex)
                && weiri_litmus_parse_block(parser, statement));
        return sound && weiri_litmus_lex_next(lex);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
        if (weiri_litmus_at(lex, keywords[i].word)) {
            append(list, statement);
            return keywords[i].parse(parser, statement);
        }
    }
    if (weiri_litmus_at(lex, "barrier") || weiri_litmus_at(lex, "work_group_barrier")) {
        append(list, statement);
        const struct weiri_litmus_token none = { .text = "" };
        return parse_barrier(parser, weiri_litmus_intern(parser, &none), statement);
    }
    for (size_t i = JUMPS; i < G_N_ELEMENTS(reserved); i++) {
        if (weiri_litmus_at(lex, reserved[i])) {
            return weiri_litmus_unexpected(lex, "a statement: jumps are not supported");
        }
    }
    struct weiri_litmus_token behind = weiri_litmus_lex_peek(lex);
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_NAME
        && weiri_litmus_token_is(&behind, ":")) {
        append(list, statement);
        return parse_labelled(parser, statement);
    }
    return parse_evaluation(parser, list)
        && weiri_litmus_expect(lex, ";", "after the statement");
}

static bool parse_any(struct weiri_litmus_parser *parser, struct list *list)
{
    if (!weiri_litmus_enter(&parser->lex)) {
        return false;
    }
    bool sound = parse_unbounded(parser, list);
    parser->lex.depth--;
    return sound;
}

static const struct weiri_litmus_statement *parse_body(
    struct weiri_litmus_parser *parser, bool bare_if)
{
    struct weiri_litmus_place place = parser->lex.token.place;
    struct list list = { NULL, NULL };
    guint n = parser->open->len;
    if (!parse_any(parser, &list)) {
        return NULL;
    }
    weiri_assert(list.first != NULL);
    close_open(parser, n);
    if (list.first->kind == WEIRI_LITMUS_BLOCK
        || (bare_if && list.first->kind == WEIRI_LITMUS_IF)) {
        return list.first;
    }
    struct weiri_litmus_statement *block = make(parser, WEIRI_LITMUS_BLOCK, place);
    block->first = list.first;
    return block;
}
