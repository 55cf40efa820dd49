/* SPDX-License-Identifier: MIT
 *
 * operation.c: memory accesses: addresses, `*x`, and the operations atomic_...() with
 * their orders and scopes. See expression.c for the recursion between the two files.
 *
 * An address is a parameter, or a parameter plus an offset. Since a location is a
 * single object, an offset serves to make a dependency, as in `*(x + (r0 & 128))`.
 *
 * Follows: C11 7.17.7 for the operations and the orders that they may have; C17 for
 * failure orders, which may be any order of a load; OpenCL C 3.0 6.15.12 for scopes. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

typedef const struct weiri_litmus_expression expression;

/* ---- Tables ---------------------------------------------------------------------- */

const char *const weiri_litmus_orders[] = {
    [memory_order_relaxed] = "memory_order_relaxed",
    [memory_order_consume] = "memory_order_consume",
    [memory_order_acquire] = "memory_order_acquire",
    [memory_order_release] = "memory_order_release",
    [memory_order_acq_rel] = "memory_order_acq_rel",
    [memory_order_seq_cst] = "memory_order_seq_cst",
    NULL,
};

const char *const weiri_litmus_scopes[] = {
    [memory_scope_work_item] = "memory_scope_work_item",
    [memory_scope_sub_group] = "memory_scope_sub_group",
    [memory_scope_work_group] = "memory_scope_work_group",
    [memory_scope_device] = "memory_scope_device",
    [memory_scope_system] = "memory_scope_all_svm_devices",
    NULL,
};

enum {
    LOAD_ORDERS = WEIRI_LITMUS_ORDER(relaxed) | WEIRI_LITMUS_ORDER(acquire)
        | WEIRI_LITMUS_ORDER(seq_cst),
    STORE_ORDERS = WEIRI_LITMUS_ORDER(relaxed) | WEIRI_LITMUS_ORDER(release)
        | WEIRI_LITMUS_ORDER(seq_cst),
    ALL_ORDERS = LOAD_ORDERS | STORE_ORDERS | WEIRI_LITMUS_ORDER(acq_rel),
};

static const struct update {
    const char *name;
    enum weiri_litmus_function function;
} updates[] = {
    { "exchange", WEIRI_LITMUS_EXCHANGE },  { "fetch_add", WEIRI_LITMUS_ADD },
    { "fetch_sub", WEIRI_LITMUS_SUBTRACT }, { "fetch_and", WEIRI_LITMUS_AND },
    { "fetch_or", WEIRI_LITMUS_OR },        { "fetch_xor", WEIRI_LITMUS_XOR },
    { "fetch_min", WEIRI_LITMUS_MIN },      { "fetch_max", WEIRI_LITMUS_MAX },
};

const char *weiri_litmus_update_text(enum weiri_litmus_function function)
{
    size_t i = 0;
    while (updates[i].function != function) {
        i++;
    }
    return updates[i].name;
}

/* ---- Orders and scopes ----------------------------------------------------------- */

/* "relaxed, acquire or seq_cst" */
static char *list_orders(unsigned allowed)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; weiri_litmus_orders[i] != NULL; i++) {
        if ((allowed & 1u << i) != 0) {
            bool is_last = allowed >> i == 1;
            g_string_append_printf(text, "%s%s",
                                   text->len == 0 ? ""
                                       : is_last  ? " or "
                                                  : ", ",
                                   weiri_litmus_orders[i] + strlen("memory_order_"));
        }
    }
    return g_strdup(text->str);
}

bool weiri_litmus_parse_order(struct weiri_litmus_parser *parser, unsigned allowed,
                              const char *operation, memory_order *order)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    g_autofree char *those = list_orders(allowed);
    for (unsigned i = 0; weiri_litmus_orders[i] != NULL; i++) {
        if (!weiri_litmus_at(lex, weiri_litmus_orders[i])) {
            continue;
        }
        if ((allowed & 1u << i) == 0) {
            return weiri_litmus_refuse(lex, lex->token.place,
                                       "%s cannot have order '%s', but %s", operation,
                                       weiri_litmus_orders[i], those);
        }
        *order = (memory_order)i;
        return weiri_litmus_lex_next(lex);
    }
    g_autofree char *expected
        = g_strdup_printf("a memory order, memory_order_: %s", those);
    return weiri_litmus_unexpected(lex, expected);
}

bool weiri_litmus_parse_scope(struct weiri_litmus_parser *parser, memory_scope *scope)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_accept(lex, "memory_scope_all_devices")
        || weiri_litmus_accept(lex, "memory_scope_system")) {
        *scope = memory_scope_system;
        return true;
    }
    for (unsigned i = 0; weiri_litmus_scopes[i] != NULL; i++) {
        if (weiri_litmus_accept(lex, weiri_litmus_scopes[i])) {
            *scope = (memory_scope)i;
            return true;
        }
    }
    return weiri_litmus_unexpected(lex,
                                   "a memory scope, memory_scope_: work_item, "
                                   "sub_group, work_group, device or all_svm_devices");
}

/* ---- Names of operations --------------------------------------------------------- */

/* Finds the operation of that name; its order is read later. Returns: whether it
 * exists */
static bool find_operation(const struct weiri_litmus_token *name, bool *is_explicit,
                           unsigned *orders, struct weiri_litmus_access *access)
{
    g_autofree char *text = g_strndup(name->text, name->bytes);
    *is_explicit = g_str_has_suffix(text, "_explicit");
    text[name->bytes - (*is_explicit ? strlen("_explicit") : 0)] = '\0';
    *orders = ALL_ORDERS;
    *access = (struct weiri_litmus_access){ .atomic = true,
                                            .order = memory_order_seq_cst,
                                            .failure = memory_order_relaxed,
                                            .scope = memory_scope_device };
    if (strcmp(text, "atomic_load") == 0) {
        access->kind = WEIRI_LITMUS_READ;
        *orders = LOAD_ORDERS;
        return true;
    }
    if (strcmp(text, "atomic_store") == 0) {
        access->kind = WEIRI_LITMUS_WRITE;
        *orders = STORE_ORDERS;
        return true;
    }
    access->weak = strcmp(text, "atomic_compare_exchange_weak") == 0;
    if (access->weak || strcmp(text, "atomic_compare_exchange_strong") == 0) {
        access->kind = WEIRI_LITMUS_COMPARE;
        access->failure = memory_order_seq_cst;
        return true;
    }
    access->kind = WEIRI_LITMUS_UPDATE;
    for (size_t i = 0; i < G_N_ELEMENTS(updates); i++) {
        if (g_str_has_prefix(text, "atomic_")
            && strcmp(text + strlen("atomic_"), updates[i].name) == 0) {
            access->function = updates[i].function;
            return true;
        }
    }
    return false;
}

/* Operations of other dialects, each with its closest equivalent here. */
static const struct {
    const char *name, *nearest;
} foreign[] = {
    { "READ_ONCE", "atomic_load_explicit(x, memory_order_relaxed)" },
    { "WRITE_ONCE", "atomic_store_explicit(x, value, memory_order_relaxed)" },
    { "atomic_read", "atomic_load_explicit(x, memory_order_relaxed)" },
    { "atomic_set", "atomic_store_explicit(x, value, memory_order_relaxed)" },
    { "atomic_init", "a value in the braces before the threads" },
    { "smp_load_acquire", "atomic_load_explicit(x, memory_order_acquire)" },
    { "smp_store_release", "atomic_store_explicit(x, value, memory_order_release)" },
    { "smp_mb", "atomic_thread_fence(memory_order_seq_cst)" },
    { "smp_rmb", "atomic_thread_fence(memory_order_acquire)" },
    { "smp_wmb", "atomic_thread_fence(memory_order_release)" },
    { "__syncthreads", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)" },
};

static void *refuse_operation(struct weiri_litmus_parser *parser,
                              const struct weiri_litmus_token *name)
{
    g_autofree char *quoted = weiri_litmus_quote(name);
    size_t i = 0;
    while (i < G_N_ELEMENTS(foreign) && !weiri_litmus_token_is(name, foreign[i].name)) {
        i++;
    }
    bool is_foreign = i < G_N_ELEMENTS(foreign);
    return weiri_litmus_refuse(&parser->lex, name->place,
                               "an expression cannot call a function %s%s%s", quoted,
                               is_foreign ? ": the nearest operation "
                                            "is "
                                          : "",
                               is_foreign ? foreign[i].nearest : "");
}

/* `x.store(1)` or `x->store(1)`; the location @name is before the next token. */
static void *refuse_member(struct weiri_litmus_parser *parser,
                           const struct weiri_litmus_token *name)
{
    struct weiri_litmus_token member = weiri_litmus_lex_peek(&parser->lex), operation;
    g_autofree char *function
        = g_strdup_printf("atomic_%.*s", (int)MIN(member.bytes, 80), member.text);
    operation = (struct weiri_litmus_token){ .kind = WEIRI_LITMUS_TOKEN_NAME,
                                             .text = function,
                                             .bytes = strlen(function) };
    bool is_explicit;
    unsigned orders;
    struct weiri_litmus_access access;
    const char *location = weiri_litmus_intern(parser, name);
    if (find_operation(&operation, &is_explicit, &orders, &access)) {
        const char *operands = access.kind == WEIRI_LITMUS_READ ? "" : ", ...";
        function[strlen(function) - (is_explicit ? strlen("_explicit") : 0)] = '\0';
        return weiri_litmus_refuse(&parser->lex, parser->lex.token.place,
                                   "'%s' has no members: write %s(%s%s), or "
                                   "%s_explicit(%s%s, order)",
                                   location, function, location, operands, function,
                                   location, operands);
    }
    return weiri_litmus_refuse(&parser->lex, parser->lex.token.place,
                               "'%s' has no members: operations are functions, such as "
                               "atomic_load(%s)",
                               location, location);
}

/* ---- Addresses ------------------------------------------------------------------- */

static enum weiri_litmus_type location_type(const struct weiri_litmus_parser *parser,
                                            uint32_t location)
{
    return g_array_index(parser->drafts, struct weiri_litmus_location_draft, location)
        .value.type;
}

/* Adds @by to the offset of @access, or subtracts it. A constant must be 0. */
static bool move_address(struct weiri_litmus_parser *parser,
                         struct weiri_litmus_access *access, bool minus, expression *by)
{
    by = weiri_litmus_wanted(parser, by);
    if (by == NULL) {
        return false;
    }
    if (by->kind == WEIRI_LITMUS_CONSTANT) {
        return by->value == 0
            || weiri_litmus_refuse(&parser->lex, by->place,
                                   "a location is one object: nothing lies beyond it");
    }
    if (access->offset != NULL) {
        access->offset = weiri_litmus_make_binary(
            parser, minus ? WEIRI_LITMUS_SUBTRACT : WEIRI_LITMUS_ADD, by->place,
            access->offset, by);
    } else if (minus) {
        access->offset = weiri_litmus_make_unary(parser, WEIRI_LITMUS_NEGATION,
                                                 WEIRI_LITMUS_VOID, by->place, by);
    } else {
        access->offset = by;
    }
    return access->offset != NULL;
}

/* `x`, `(x + e)` and, if @sums, `x + e`. */
static bool parse_address(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_access *access, bool sums)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_at(lex, "(")) {
        if (!weiri_litmus_enter(lex) || !weiri_litmus_lex_next(lex)
            || !parse_address(parser, access, true)
            || !weiri_litmus_expect(lex, ")", "after the address")) {
            return false;
        }
        lex->depth--;
    } else {
        switch (
            weiri_litmus_find(parser, parser->thread, &lex->token, &access->location)) {
        case WEIRI_LITMUS_A_LOCATION:
            break;
        case WEIRI_LITMUS_A_REGISTER:
            return weiri_litmus_unexpected(
                lex, "an address: a parameter, or one plus an offset");
        case WEIRI_LITMUS_NOTHING:
            return lex->token.kind == WEIRI_LITMUS_TOKEN_NAME
                ? weiri_litmus_unknown(parser)
                : weiri_litmus_unexpected(lex, "an address: the name of a parameter");
        }
        weiri_litmus_lex_next(lex);
    }
    while (sums && (weiri_litmus_at(lex, "+") || weiri_litmus_at(lex, "-"))) {
        bool minus = weiri_litmus_at(lex, "-");
        weiri_litmus_lex_next(lex);
        expression *by = weiri_litmus_parse_binary(
            parser, weiri_litmus_precedence(WEIRI_LITMUS_MULTIPLY));
        if (!move_address(parser, access, minus, by)) {
            return false;
        }
    }
    return !lex->failed;
}

expression *weiri_litmus_parse_indirection(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_place place = parser->lex.token.place;
    struct weiri_litmus_access access = { .kind = WEIRI_LITMUS_READ };
    if (!weiri_litmus_lex_next(&parser->lex)
        || !parse_address(parser, &access, false)) {
        return NULL;
    }
    return weiri_litmus_make_access(parser, location_type(parser, access.location),
                                    place, &access);
}

expression *weiri_litmus_parse_element(struct weiri_litmus_parser *parser,
                                       uint32_t location)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token name = lex->token;
    struct weiri_litmus_access access
        = { .kind = WEIRI_LITMUS_READ, .location = location };
    if (!weiri_litmus_lex_next(lex)) {
        return NULL;
    }
    if (weiri_litmus_at(lex, ".") || weiri_litmus_at(lex, "->")) {
        return refuse_member(parser, &name);
    }
    if (!weiri_litmus_accept(lex, "[")) {
        const char *text = weiri_litmus_intern(parser, &name);
        return weiri_litmus_refuse(lex, name.place,
                                   "'%s' is the address of a location, whose value is "
                                   "*%s",
                                   text, text);
    }
    if (!move_address(parser, &access, false,
                      weiri_litmus_parse_expression(parser, true))
        || !weiri_litmus_expect(lex, "]", "after the index")) {
        return NULL;
    }
    return weiri_litmus_make_access(parser, location_type(parser, location), name.place,
                                    &access);
}

/* ---- Atomic operations ----------------------------------------------------------- */

/* `e` or `&r0`: the expected value of a compare-exchange. */
static bool parse_expected(struct weiri_litmus_parser *parser,
                           struct weiri_litmus_access *access)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    access->expects_register = weiri_litmus_accept(lex, "&");
    struct weiri_litmus_token name = lex->token;
    enum weiri_litmus_named named
        = weiri_litmus_find(parser, parser->thread, &name, &access->expected);
    if (named == WEIRI_LITMUS_NOTHING && name.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unknown(parser);
    }
    if (access->expects_register && named != WEIRI_LITMUS_A_REGISTER) {
        return weiri_litmus_unexpected(lex, "a register, whose address this is");
    }
    if (!access->expects_register && named != WEIRI_LITMUS_A_LOCATION) {
        return weiri_litmus_unexpected(lex,
                                       "the place of the expected value: a parameter "
                                       "(e) or the address of a register (&r0)");
    }
    enum weiri_litmus_type type = access->expects_register
        ? g_array_index(parser->thread->registers, struct weiri_litmus_register_draft,
                        access->expected)
              .value.type
        : location_type(parser, access->expected);
    enum weiri_litmus_type other = location_type(parser, access->location);
    if (type != other) {
        g_autofree char *quoted = weiri_litmus_quote(&name);
        return weiri_litmus_refuse(lex, name.place,
                                   "%s is of type %s, and compared with a value of "
                                   "type %s",
                                   quoted, weiri_litmus_type_text(type, false),
                                   weiri_litmus_type_text(other, false));
    }
    return weiri_litmus_lex_next(lex);
}

/* The orders, and the scope if there is one, between the operands and the closing
 * parenthesis. */
static bool parse_orders(struct weiri_litmus_parser *parser, unsigned orders,
                         const struct weiri_litmus_token *operation,
                         struct weiri_litmus_access *access)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    g_autofree char *quoted = weiri_litmus_quote(operation);
    if (!weiri_litmus_expect(lex, ",", "and the memory order")
        || !weiri_litmus_parse_order(parser, orders, quoted, &access->order)) {
        return false;
    }
    if (access->kind == WEIRI_LITMUS_COMPARE
        && (!weiri_litmus_expect(lex, ",", "and the memory order of failure")
            || !weiri_litmus_parse_order(parser, LOAD_ORDERS, "a failed one",
                                         &access->failure))) {
        return false;
    }
    if (!weiri_litmus_at(lex, ",")) {
        return true;
    }
    if (!parser->test->scoped) {
        return weiri_litmus_unexpected(lex,
                                       "')' after the order: scopes are of the form "
                                       "that begins with OPENCL");
    }
    return weiri_litmus_lex_next(lex)
        && weiri_litmus_parse_scope(parser, &access->scope);
}

expression *weiri_litmus_parse_operation(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token name = lex->token;
    bool is_explicit;
    unsigned orders;
    struct weiri_litmus_access access;
    if (!find_operation(&name, &is_explicit, &orders, &access)) {
        return refuse_operation(parser, &name);
    }
    if (!weiri_litmus_lex_next(lex)
        || !weiri_litmus_expect(lex, "(", "after the operation")
        || !parse_address(parser, &access, true)
        || (access.kind == WEIRI_LITMUS_COMPARE
            && (!weiri_litmus_expect(lex, ",", "and the expected value")
                || !parse_expected(parser, &access)))) {
        return NULL;
    }
    if (access.kind != WEIRI_LITMUS_READ) {
        access.operand = weiri_litmus_expect(lex, ",", "and a value")
            ? weiri_litmus_parse_expression(parser, true)
            : NULL;
        if (access.operand == NULL) {
            return NULL;
        }
    }
    if ((is_explicit && !parse_orders(parser, orders, &name, &access))
        || !weiri_litmus_expect(lex, ")", "after the operands")) {
        return NULL;
    }
    enum weiri_litmus_type type = location_type(parser, access.location);
    if (access.kind == WEIRI_LITMUS_WRITE) {
        type = WEIRI_LITMUS_VOID;
    } else if (access.kind == WEIRI_LITMUS_COMPARE) {
        type = WEIRI_LITMUS_BOOL;
    }
    return weiri_litmus_make_access(parser, type, name.place, &access);
}
