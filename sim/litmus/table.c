/* SPDX-License-Identifier: MIT
 *
 * table.c: the frame of a table of instructions, Dat3M's form for PTX and Vulkan:
 *
 *     { x = 0; P0:r0 = 1; s @ surface aliases x; }
 *     { ssw 0 1; }
 *     P0@cta 0,gpu 0     | P1@cta 1,gpu 0 ;
 *     st.release.gpu x, 1 | LC00: ;
 *                         | ld.acquire.gpu r0, x ;
 *
 * A column is a thread, and a cell of it one instruction, a label or nothing. Registers
 * are named r0, r1 and so on; other names are locations. Both come into being where
 * they are first named, and are initially 0.
 *
 * Follows: Dat3M, LitmusPTX.g4 and LitmusVulkan.g4. Clusters are Weir's. */
#include "config.h"

#include "litmus/table.h"

#include <string.h>

/* ---- Declarations ---------------------------------------------------------------- */

static bool refuse_twice(struct weiri_litmus_parser *parser,
                         const struct weiri_litmus_token *name,
                         struct weiri_litmus_place first)
{
    g_autofree char *quoted = weiri_litmus_quote(name);
    return weiri_litmus_refuse(&parser->lex, name->place,
                               "%s is declared already, at %u:%u", quoted, first.line,
                               first.column);
}

/* `P0:r0 = 1`. */
static bool parse_register(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_reference reference;
    uint32_t index;
    if (!weiri_litmus_parse_reference(parser, &reference)) {
        return false;
    }
    if (!weiri_litmus_is_register(&reference.name)) {
        g_autofree char *quoted = weiri_litmus_quote(&reference.name);
        return weiri_litmus_refuse(lex, reference.name.place,
                                   "%s is not a register: these are r0, r1 and so on",
                                   quoted);
    }
    struct weiri_litmus_thread_draft *thread = &parser->threads[reference.thread];
    thread->place = thread->registers->len == 0 ? reference.place : thread->place;
    struct weiri_litmus_register_draft *reg
        = weiri_litmus_register_of(parser, thread, &reference.name, &index);
    if (reg->value.is_initial) {
        return refuse_twice(parser, &reference.name, reg->place);
    }
    reg->value.is_initial = true;
    reg->value.type = WEIRI_LITMUS_LONG;
    reg->place = reference.place;
    return weiri_litmus_expect(lex, "=", "and the initial value")
        && weiri_litmus_parse_number(parser, &reg->value.initial);
}

static bool parse_proxy(struct weiri_litmus_parser *parser, uint8_t *proxy)
{
    static const char *const proxies[] = {
        [WEIRI_PROXY_GENERIC] = "generic", [WEIRI_PROXY_SURFACE] = "surface",
        [WEIRI_PROXY_TEXTURE] = "texture", [WEIRI_PROXY_CONSTANT] = "constant",
        [WEIRI_PROXY_ASYNC] = "async",
    };
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (parser->test->form != WEIRI_LITMUS_PTX) {
        return weiri_litmus_unexpected(lex, "'=' or 'aliases': proxies are of PTX");
    }
    weiri_litmus_lex_next(lex);
    for (size_t i = 0; i < G_N_ELEMENTS(proxies); i++) {
        if (weiri_litmus_accept(lex, proxies[i])) {
            *proxy = (uint8_t)i;
            return true;
        }
    }
    return weiri_litmus_unexpected(
        lex, "a proxy: generic, surface, texture, constant or async");
}

/* `@ surface aliases x` or `aliases x`, after the name. */
static bool parse_alias(struct weiri_litmus_parser *parser,
                        const struct weiri_litmus_token *name)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    uint8_t proxy = WEIRI_PROXY_GENERIC;
    if (weiri_litmus_at(lex, "@") && !parse_proxy(parser, &proxy)) {
        return false;
    }
    if (!weiri_litmus_expect(lex, "aliases", "and the name of a location")) {
        return false;
    }
    struct weiri_litmus_token target = lex->token;
    if (target.kind != WEIRI_LITMUS_TOKEN_NAME || weiri_litmus_is_register(&target)
        || weiri_litmus_thread_number(&target) >= 0) {
        return weiri_litmus_unexpected(lex, "the name of a location");
    }
    if (weiri_litmus_has_name(parser, name)
        || (name->bytes == target.bytes
            && memcmp(name->text, target.text, name->bytes) == 0)) {
        g_autofree char *quoted = weiri_litmus_quote(name);
        return weiri_litmus_refuse(lex, name->place,
                                   "%s is the name of a location already", quoted);
    }
    uint32_t of = weiri_litmus_name_of(parser, &target);
    struct weiri_litmus_alias_draft draft = *weiri_litmus_name_at(parser, of);
    bool is_new_address = proxy == WEIRI_PROXY_GENERIC;
    draft.is_alias = true;
    draft.value.name = weiri_litmus_intern(parser, name);
    draft.value.proxy = proxy;
    draft.value.address = is_new_address ? parser->aliases->len : draft.value.address;
    weiri_litmus_add_name(parser, &draft);
    g_hash_table_insert(parser->locations, (char *)draft.value.name,
                        GUINT_TO_POINTER(draft.value.location + 1));
    return weiri_litmus_lex_next(lex);
}

/* `x = 0`, or an alias. */
static bool parse_name(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token name = lex->token;
    if (name.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex, "a location (x) or a register (P0:r0)");
    }
    if (weiri_litmus_is_register(&name)) {
        return weiri_litmus_unexpected(
            lex,
            "the name of a location: a register is written with its thread, as "
            "P0:r0");
    }
    weiri_litmus_lex_next(lex);
    if (weiri_litmus_at(lex, "@") || weiri_litmus_at(lex, "aliases")) {
        return parse_alias(parser, &name);
    }
    uint32_t number = weiri_litmus_name_of(parser, &name), index;
    if (weiri_litmus_name_at(parser, number)->is_alias) {
        g_autofree char *quoted = weiri_litmus_quote(&name);
        return weiri_litmus_refuse(lex, name.place,
                                   "%s is another name of a location, which has the "
                                   "initial value",
                                   quoted);
    }
    struct weiri_litmus_location_draft *location
        = weiri_litmus_location_of(parser, &name, &index);
    if (location->is_initial) {
        return refuse_twice(parser, &name, location->place);
    }
    location->is_initial = true;
    location->place = name.place;
    return weiri_litmus_expect(lex, "=", "and the initial value")
        && weiri_litmus_parse_number(parser, &location->value.initial);
}

/* Reads a list in braces, which has been opened, of what @parse reads. */
static bool parse_list(struct weiri_litmus_parser *parser,
                       bool (*parse)(struct weiri_litmus_parser *parser))
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    while (!weiri_litmus_at(lex, "}")) {
        if (weiri_litmus_accept(lex, ";")) {
            continue;
        }
        if (!parse(parser)
            || (!weiri_litmus_at(lex, "}")
                && !weiri_litmus_expect(lex, ";", "or '}' after it"))) {
            return false;
        }
    }
    weiri_litmus_lex_next(lex);
    weiri_litmus_accept(lex, ";");
    return !lex->failed;
}

static bool parse_declaration(struct weiri_litmus_parser *parser)
{
    const struct weiri_litmus_token *next = &parser->lex.token;
    return next->kind == WEIRI_LITMUS_TOKEN_NUMBER
            || weiri_litmus_thread_number(next) >= 0
        ? parse_register(parser)
        : parse_name(parser);
}

/* ---- System-synchronizes-with ---------------------------------------------------- */

/* `0` or `P0`. The thread may not have been read yet. */
static bool parse_thread_of(struct weiri_litmus_parser *parser, GArray *threads)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    int number = lex->token.kind == WEIRI_LITMUS_TOKEN_NUMBER
        ? (int)MIN(lex->token.value, WEIRI_LITMUS_MOST_THREADS)
        : weiri_litmus_thread_number(&lex->token);
    if (number < 0) {
        return weiri_litmus_unexpected(lex, "a thread: 0");
    }
    const struct weiri_litmus_then then = { (uint32_t)number, lex->token.place };
    g_array_append_val(threads, then);
    return weiri_litmus_lex_next(lex);
}

static bool parse_then(struct weiri_litmus_parser *parser)
{
    return weiri_litmus_expect(&parser->lex, "ssw", "and two threads")
        && parse_thread_of(parser, parser->thens)
        && parse_thread_of(parser, parser->thens);
}

/* Keeps the pairs of threads, all of which have been read. */
static bool finish_thens(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus *test = parser->test;
    uint32_t n = parser->thens->len / 2;
    uint32_t *both[2];
    for (size_t side = 0; side < 2; side++) {
        both[side] = weiri_litmus_memory_take(test->memory, n * sizeof(**both));
        for (uint32_t i = 0; i < n; i++) {
            const struct weiri_litmus_then *then
                = &g_array_index(parser->thens, struct weiri_litmus_then, 2 * i + side);
            if (then->thread >= parser->n_threads) {
                return weiri_litmus_refuse(&parser->lex, then->place,
                                           "the test has no thread P%u", then->thread);
            }
            both[side][i] = then->thread;
        }
    }
    test->n_thens = n;
    test->first_threads = both[0];
    test->then_threads = both[1];
    return true;
}

/* ---- Threads --------------------------------------------------------------------- */

static bool parse_level(struct weiri_litmus_parser *parser,
                        const struct weiri_litmus_level *level, uint32_t *number)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_expect(lex, level->word, "and its number")) {
        return false;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER || lex->token.value > INT32_MAX) {
        return weiri_litmus_unexpected(lex, "a number of up to 2147483647");
    }
    *number = (uint32_t)lex->token.value;
    return weiri_litmus_lex_next(lex);
}

/* `@cta 0,gpu 0`. Without the number of a cluster, a group is a cluster of its own. */
static bool parse_placement(struct weiri_litmus_parser *parser,
                            struct weiri_litmus_thread *thread)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    const struct weiri_litmus_level *level = weiri_litmus_dialect(parser)->levels;
    if (!weiri_litmus_expect(lex, "@", "and the placement of the thread")) {
        return false;
    }
    for (bool is_first = true; level->word != NULL; level++, is_first = false) {
        uint32_t *number = (uint32_t *)(void *)((char *)thread + level->offset);
        if (!is_first && !weiri_litmus_at(lex, ",")) {
            const struct weiri_litmus_level *next = level + level->is_optional;
            g_autofree char *expected = g_strdup_printf("',' and %s", next->word);
            return weiri_litmus_unexpected(lex, expected);
        }
        struct weiri_litmus_token next
            = is_first ? lex->token : weiri_litmus_lex_peek(lex);
        if (level->is_optional && !weiri_litmus_token_is(&next, level->word)) {
            *number = thread->group;
            continue;
        }
        if ((!is_first && !weiri_litmus_lex_next(lex))
            || !parse_level(parser, level, number)) {
            return false;
        }
    }
    return true;
}

static bool parse_head(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (parser->n_threads == WEIRI_LITMUS_MOST_THREADS) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "this thread is too many: a test has at most %d",
                                   WEIRI_LITMUS_MOST_THREADS);
    }
    if (weiri_litmus_thread_number(&lex->token) != (int)parser->n_threads) {
        g_autofree char *expected = g_strdup_printf(
            "P%u: threads are numbered from P0 without gaps", parser->n_threads);
        return weiri_litmus_unexpected(lex, expected);
    }
    struct weiri_litmus_thread_draft *thread = &parser->threads[parser->n_threads++];
    thread->value.place = lex->token.place;
    return weiri_litmus_lex_next(lex) && parse_placement(parser, &thread->value);
}

static bool parse_heads(struct weiri_litmus_parser *parser)
{
    do {
        if (!parse_head(parser)) {
            return false;
        }
    } while (weiri_litmus_accept(&parser->lex, "|"));
    parser->test->placed = true;
    return weiri_litmus_expect(&parser->lex, ";", "or '|' after the placement");
}

/* ---- Rows ------------------------------------------------------------------------ */

/* Passes the end of the cell of thread @t. `||` is also the end of an empty cell. */
static bool pass_bar(struct weiri_litmus_parser *parser, uint32_t *t)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    uint32_t bars = weiri_litmus_at(lex, "||") ? 2 : 1;
    *t += bars;
    if (*t >= parser->n_threads) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "the row has more cells than there are threads, "
                                   "which are %u: expected ';'",
                                   parser->n_threads);
    }
    return weiri_litmus_lex_next(lex);
}

static bool parse_row(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    uint32_t t = 0;
    for (;;) {
        if (!weiri_litmus_parse_cell(parser, &parser->threads[t])) {
            return false;
        }
        if (weiri_litmus_at(lex, ";")) {
            break;
        }
        if (!pass_bar(parser, &t)) {
            return false;
        }
    }
    if (t + 1 < parser->n_threads) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "a row has a cell for each of the %u threads, and "
                                   "this one ends after %u: write '|' before an empty "
                                   "cell, too",
                                   parser->n_threads, t + 1);
    }
    return weiri_litmus_lex_next(lex);
}

/* Whether the rows are over. */
static bool at_claim(const struct weiri_litmus_lexer *lex)
{
    static const char *const begins[]
        = { "locations", "filter", "exists", "forall", "not", "~", "(" };
    for (size_t i = 0; i < G_N_ELEMENTS(begins); i++) {
        if (weiri_litmus_at(lex, begins[i])) {
            return true;
        }
    }
    return lex->token.kind == WEIRI_LITMUS_TOKEN_END;
}

bool weiri_litmus_parse_table(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_lex_next(lex)
        || !weiri_litmus_expect(lex, "{", "and the initial values")
        || !parse_list(parser, parse_declaration)) {
        return false;
    }
    while (weiri_litmus_at(lex, "{")) {
        if (parser->test->form != WEIRI_LITMUS_VULKAN) {
            return weiri_litmus_unexpected(lex, "the threads: P0@cta 0,gpu 0");
        }
        if (!weiri_litmus_lex_next(lex) || !parse_list(parser, parse_then)) {
            return false;
        }
    }
    if (!parse_heads(parser)) {
        return false;
    }
    while (!at_claim(lex)) {
        if (!parse_row(parser)) {
            return false;
        }
    }
    return !lex->failed;
}

/* ---- The end --------------------------------------------------------------------- */

/* A location is atomic if one of its accesses is. */
static void judge_locations(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_location *locations
        = (struct weiri_litmus_location *)parser->test->locations;
    for (uint32_t t = 0; t < parser->n_threads; t++) {
        const GArray *code = parser->threads[t].code;
        for (guint i = 0; i < code->len; i++) {
            const struct weiri_litmus_instruction *at
                = &g_array_index(code, struct weiri_litmus_instruction, i);
            if (at->op <= WEIRI_LITMUS_OP_COMPARE && at->atomic) {
                locations[at->location].atomic = true;
            }
        }
    }
}

bool weiri_litmus_finish_table(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus *test = parser->test;
    judge_locations(parser);
    g_autofree uint32_t *addresses = weiri_litmus_finish_names(parser);
    for (uint32_t t = 0; t < parser->n_threads; t++) {
        struct weiri_litmus_thread *thread
            = (struct weiri_litmus_thread *)&test->threads[t];
        thread->n_lines = parser->threads[t].lines->len;
        thread->lines
            = weiri_litmus_memory_keep(test->memory, parser->threads[t].lines);
        if (!weiri_litmus_finish_code(parser, t, addresses)) {
            return false;
        }
    }
    return finish_thens(parser);
}
