/* SPDX-License-Identifier: MIT
 *
 * table-cell.c: reads a cell of a table: labels and an instruction, whose operands
 * follow from the shape of its name's row. */
#include "config.h"

#include "litmus/table.h"

#include <inttypes.h>
#include <string.h>

#define UNSTATED WEIRI_LITMUS_UNSTATED

/* ---- Operands -------------------------------------------------------------------- */

static bool read_register(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_thread_draft *thread, uint32_t *slot)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_is_register(&lex->token)) {
        return weiri_litmus_unexpected(lex, "a register: r0");
    }
    weiri_litmus_register_of(parser, thread, &lex->token, slot)->value.type
        = WEIRI_LITMUS_LONG;
    return weiri_litmus_lex_next(lex);
}

/* A register or a number. */
static bool read_value(struct weiri_litmus_parser *parser,
                       struct weiri_litmus_thread_draft *thread,
                       struct weiri_litmus_operand *operand)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    *operand = (struct weiri_litmus_operand){ .slot = WEIRI_LITMUS_NO_SLOT };
    if (weiri_litmus_is_register(&lex->token)) {
        return read_register(parser, thread, &operand->slot);
    }
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       "a register (r0) or a number: the name of a "
                                       "location is an address, not a value");
    }
    return weiri_litmus_parse_number(parser, &operand->value);
}

/* The name of a location, as the operand of an access. */
static bool read_location(struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_is_register(&lex->token)) {
        return weiri_litmus_unexpected(
            lex, "the name of a location: addresses in registers are not supported");
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NAME
        || weiri_litmus_thread_number(&lex->token) >= 0) {
        return weiri_litmus_unexpected(lex, "the name of a location");
    }
    to->traits.reference = weiri_litmus_name_of(parser, &lex->token);
    const struct weiri_litmus_alias_draft *name = &g_array_index(
        parser->aliases, struct weiri_litmus_alias_draft, to->traits.reference);
    uint8_t proxy
        = operation->form == WEIRI_LITMUS_ASYNC ? WEIRI_PROXY_ASYNC : operation->proxy;
    to->location = name->value.location;
    if (name->value.proxy != WEIRI_PROXY_GENERIC && name->value.proxy != proxy) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "'%s' is a name for another proxy than that of '%s'",
                                   name->value.name, operation->row->name);
    }
    return weiri_litmus_lex_next(lex);
}

static bool comma(struct weiri_litmus_parser *parser)
{
    return weiri_litmus_expect(&parser->lex, ",", "and another operand");
}

/* `x, v`, or `x, expected, new`. */
static bool read_change(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_thread_draft *thread,
                        const struct weiri_litmus_operation *operation,
                        struct weiri_litmus_instruction *to)
{
    bool compares = operation->function == WEIRI_LITMUS_CAS;
    struct weiri_litmus_token at;
    if (!read_location(parser, operation, to) || !comma(parser)) {
        return false;
    }
    at = parser->lex.token;
    if (!read_value(parser, thread, compares ? &to->b : &to->a)) {
        return false;
    }
    if (operation->function == WEIRI_LITMUS_DIVIDE
        && (to->a.slot != WEIRI_LITMUS_NO_SLOT || to->a.value == 0)) {
        return weiri_litmus_refuse(&parser->lex, at.place,
                                   "an atomic division is by a number other than 0");
    }
    return !compares || (comma(parser) && read_value(parser, thread, &to->a));
}

/* `instance[, number[, quorum]]`. */
static bool read_barrier(struct weiri_litmus_parser *parser,
                         struct weiri_litmus_thread_draft *thread,
                         const struct weiri_litmus_operation *operation,
                         struct weiri_litmus_instruction *to)
{
    static const char *const kinds[] = {
        [memory_scope_work_item] = "",     [memory_scope_sub_group] = "sub-group ",
        [memory_scope_work_group] = "",    [memory_scope_device] = "device ",
        [memory_scope_system] = "system ", [WEIRI_SCOPE_CLUSTER] = "cluster ",
    };
    struct weiri_litmus_lexer *lex = &parser->lex;
    bool takes_more = operation->row->meets != WEIRI_SCOPE_CLUSTER
        || parser->test->form == WEIRI_LITMUS_VULKAN;
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER) {
        return weiri_litmus_unexpected(lex, "the number of the barrier's instance");
    }
    g_autofree char *name
        = g_strdup_printf("%s%" PRIu64, kinds[operation->row->meets], lex->token.value);
    to->label = weiri_litmus_barrier_label(parser, name);
    weiri_litmus_lex_next(lex);
    if (!takes_more || !weiri_litmus_accept(lex, ",")) {
        return !lex->failed;
    }
    to->traits.flags |= WEIRI_TRAIT_NUMBERED;
    if (!read_value(parser, thread, &to->a)) {
        return false;
    }
    if (!weiri_litmus_accept(lex, ",")) {
        return !lex->failed;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER || lex->token.value == 0
        || lex->token.value > INT32_MAX) {
        return weiri_litmus_unexpected(
            lex, "how many threads make the barrier complete: a number from 1");
    }
    to->b.value = (int64_t)lex->token.value;
    return weiri_litmus_lex_next(lex);
}

/* `a, b, LABEL`: a comparison and a branch. */
static bool read_branch(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_thread_draft *thread,
                        const struct weiri_litmus_operation *operation,
                        struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (operation->row->shape == WEIRI_LITMUS_SHAPE_BRANCH) {
        struct weiri_litmus_instruction compute = weiri_litmus_table_instruction(
            WEIRI_LITMUS_OP_COMPUTE, operation->name.place);
        compute.function = operation->row->function;
        compute.result = WEIRI_LITMUS_SCRATCH;
        if (!read_value(parser, thread, &compute.a) || !comma(parser)
            || !read_value(parser, thread, &compute.b) || !comma(parser)) {
            return false;
        }
        g_array_append_val(thread->code, compute);
        to->a.slot = WEIRI_LITMUS_SCRATCH;
        to->when = true;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex, "a label");
    }
    to->target = weiri_litmus_label_of(parser, thread, &lex->token);
    return weiri_litmus_lex_next(lex);
}

/* `r, x`; or `r, 1`, which becomes a move. */
static bool read_read(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_thread_draft *thread,
                      const struct weiri_litmus_operation *operation,
                      struct weiri_litmus_instruction *to)
{
    if (!read_register(parser, thread, &to->result) || !comma(parser)) {
        return false;
    }
    if (parser->lex.token.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return read_location(parser, operation, to);
    }
    to->op = WEIRI_LITMUS_OP_COMPUTE;
    to->function = WEIRI_LITMUS_FIRST;
    return read_value(parser, thread, &to->a);
}

static bool read_operands(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_thread_draft *thread,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to)
{
    switch (operation->row->shape) {
    case WEIRI_LITMUS_SHAPE_READ:
        return read_read(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_WRITE:
    case WEIRI_LITMUS_SHAPE_REDUCE:
        return read_change(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_UPDATE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_change(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_FENCE:
        return true;
    case WEIRI_LITMUS_SHAPE_BARRIER:
        return read_barrier(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_MOVE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_value(parser, thread, &to->a);
    case WEIRI_LITMUS_SHAPE_COMPUTE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_value(parser, thread, &to->a) && comma(parser)
            && read_value(parser, thread, &to->b);
    case WEIRI_LITMUS_SHAPE_BRANCH:
    case WEIRI_LITMUS_SHAPE_JUMP:
        return read_branch(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_INIT:
    case WEIRI_LITMUS_SHAPE_ARRIVE:
    case WEIRI_LITMUS_SHAPE_ARRIVE_EXPECT:
    case WEIRI_LITMUS_SHAPE_EXPECT:
    case WEIRI_LITMUS_SHAPE_COMPLETE:
    case WEIRI_LITMUS_SHAPE_TRY_WAIT:
        return weiri_litmus_read_object(parser, thread, operation, to, read_location);
    }
    g_assert_not_reached();
}

/* ---- Instructions ---------------------------------------------------------------- */

static const enum weiri_litmus_op ops[] = {
    [WEIRI_LITMUS_SHAPE_READ] = WEIRI_LITMUS_OP_READ,
    [WEIRI_LITMUS_SHAPE_WRITE] = WEIRI_LITMUS_OP_WRITE,
    [WEIRI_LITMUS_SHAPE_UPDATE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_REDUCE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_FENCE] = WEIRI_LITMUS_OP_FENCE,
    [WEIRI_LITMUS_SHAPE_BARRIER] = WEIRI_LITMUS_OP_BARRIER,
    [WEIRI_LITMUS_SHAPE_MOVE] = WEIRI_LITMUS_OP_COMPUTE,
    [WEIRI_LITMUS_SHAPE_COMPUTE] = WEIRI_LITMUS_OP_COMPUTE,
    [WEIRI_LITMUS_SHAPE_BRANCH] = WEIRI_LITMUS_OP_BRANCH,
    [WEIRI_LITMUS_SHAPE_JUMP] = WEIRI_LITMUS_OP_JUMP,
    [WEIRI_LITMUS_SHAPE_INIT] = WEIRI_LITMUS_OP_WRITE,
    [WEIRI_LITMUS_SHAPE_ARRIVE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_ARRIVE_EXPECT] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_EXPECT] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_COMPLETE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_TRY_WAIT] = WEIRI_LITMUS_OP_READ,
};

/* Begins the instruction that the name states. */
static struct weiri_litmus_instruction begin(
    const struct weiri_litmus_operation *operation)
{
    const struct weiri_litmus_mnemonic *row = operation->row;
    struct weiri_litmus_instruction made
        = weiri_litmus_table_instruction(ops[row->shape], operation->name.place);
    made.function = row->function;
    if (made.op == WEIRI_LITMUS_OP_UPDATE) {
        bool has_function = operation->function != UNSTATED
            && operation->function != WEIRI_LITMUS_CAS;
        made.function = has_function ? (enum weiri_litmus_function)operation->function
                                     : WEIRI_LITMUS_EXCHANGE;
    }
    if (made.op < WEIRI_LITMUS_OP_COMPUTE) {
        made.traits.flags = WEIRI_TRAIT_STATED | row->flags;
        made.traits.meets = row->meets;
        made.spaces = made.op >= WEIRI_LITMUS_OP_FENCE ? WEIR_LOCAL | WEIR_GLOBAL : 0;
    }
    return made;
}

/* Vulkan's compare-exchange does not write on failure. */
static void make_compare(const struct weiri_litmus_operation *operation,
                         struct weiri_litmus_instruction *to)
{
    if (operation->function == WEIRI_LITMUS_CAS && !to->compares) {
        to->op = WEIRI_LITMUS_OP_COMPARE;
        to->old = to->result;
        to->result = WEIRI_LITMUS_SCRATCH;
    }
}

static bool parse_instruction(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_thread_draft *thread)
{
    struct weiri_litmus_operation operation;
    if (!weiri_litmus_read_operation(parser, &operation)) {
        return false;
    }
    if (operation.row->shape == WEIRI_LITMUS_SHAPE_REDUCE
        && (operation.function == WEIRI_LITMUS_EXCHANGE
            || operation.function == WEIRI_LITMUS_CAS)) {
        return weiri_litmus_refuse(&parser->lex, operation.name.place,
                                   "'%s' has no exchange: 'atom' has",
                                   operation.row->name);
    }
    struct weiri_litmus_instruction made = begin(&operation);
    if (!read_operands(parser, thread, &operation, &made)) {
        return false;
    }
    if (made.op < WEIRI_LITMUS_OP_COMPUTE) {
        if (!weiri_litmus_has_parts(parser, &operation)
            || !weiri_litmus_dialect(parser)->complete(parser, &operation, &made)) {
            return false;
        }
        make_compare(&operation, &made);
    }
    g_array_append_val(thread->code, made);
    weiri_litmus_end_object(thread, &made, operation.row->shape);
    return true;
}

/* ---- Cells ----------------------------------------------------------------------- */

/* Keeps the text from @start to the next token, with single blanks. */
static void keep_line(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_thread_draft *thread,
                      const struct weiri_litmus_token *start)
{
    struct weiri_litmus_lexer lex = parser->lex;
    g_autoptr(GString) text = g_string_new(NULL);
    bool was_word = false;
    lex.at = start->text;
    lex.end = parser->lex.token.text;
    lex.error = NULL;
    while (weiri_litmus_lex_next(&lex) && lex.token.kind != WEIRI_LITMUS_TOKEN_END) {
        bool is_mark = lex.token.kind == WEIRI_LITMUS_TOKEN_MARK;
        bool is_word
            = !is_mark || weiri_litmus_at(&lex, "-") || weiri_litmus_at(&lex, "+");
        g_string_append(text, was_word && is_word ? " " : "");
        g_string_append_len(text, lex.token.text, (gssize)lex.token.bytes);
        g_string_append(text, weiri_litmus_at(&lex, ",") ? " " : "");
        was_word = !is_mark;
    }
    const struct weiri_litmus_token whole
        = { .kind = WEIRI_LITMUS_TOKEN_NAME, .text = text->str, .bytes = text->len };
    const struct weiri_litmus_line line
        = { weiri_litmus_intern(parser, &whole), start->place };
    g_array_append_val(thread->lines, line);
}

/* Whether the next tokens are `LC00:`. */
static bool at_label(const struct weiri_litmus_lexer *lex)
{
    struct weiri_litmus_token next = weiri_litmus_lex_peek(lex);
    return lex->token.kind == WEIRI_LITMUS_TOKEN_NAME
        && weiri_litmus_token_is(&next, ":");
}

static bool at_end(const struct weiri_litmus_lexer *lex)
{
    return weiri_litmus_at(lex, "|") || weiri_litmus_at(lex, "||")
        || weiri_litmus_at(lex, ";");
}

bool weiri_litmus_parse_cell(struct weiri_litmus_parser *parser,
                             struct weiri_litmus_thread_draft *thread)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    while (!at_end(lex) && at_label(lex)) {
        struct weiri_litmus_token name = lex->token;
        if (!weiri_litmus_put_label(parser, thread, &name)) {
            return false;
        }
        weiri_litmus_lex_next(lex);
        weiri_litmus_lex_next(lex);
        keep_line(parser, thread, &name);
    }
    if (at_end(lex)) {
        return !lex->failed;
    }
    struct weiri_litmus_token start = lex->token;
    if (!parse_instruction(parser, thread) || lex->failed) {
        return false;
    }
    keep_line(parser, thread, &start);
    return at_end(lex)
        || weiri_litmus_unexpected(lex, "'|' or ';' after the instruction");
}
