/* SPDX-License-Identifier: MIT
 *
 * thread.c: the head of a thread: its number, its placement and its parameters.
 *
 * Each parameter is a location, so that a name means the same in all threads. The types
 * of a parameter may differ between threads in qualifiers (atomic, volatile), but not
 * in the value type or address space. A `local` location is an object of one group. In
 * a text in which threads of two groups share it, each group would have its own object,
 * and the condition could not distinguish them; so this is refused.
 *
 * Follows: herd7, lib/CParser.mly; Dat3M's LitmusC for placements. */
#include "config.h"

#include "litmus/parser.h"

/* ---- Parameters ------------------------------------------------------------------ */

/* Qualifiers of the parameter itself, after the *: they have no effect, since no
 * statement assigns to it. */
static const char *const of_pointers[]
    = { "const", "volatile", "restrict", "__restrict", "__restrict__" };

static bool same_group(const struct weiri_litmus_parser *parser, uint32_t a, uint32_t b)
{
    const struct weiri_litmus_thread *left = &parser->threads[a].value;
    const struct weiri_litmus_thread *right = &parser->threads[b].value;
    return parser->test->placed && left->group == right->group
        && left->device == right->device;
}

/* Merges this declaration of the location with earlier ones. */
static bool join_location(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_location_draft *location,
                          const struct weiri_litmus_words *words,
                          struct weiri_litmus_place place)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_location *value = &location->value;
    if (location->is_typed && value->type != words->type) {
        return weiri_litmus_refuse(lex, place, "%s is of type %s here, and %s before",
                                   value->name,
                                   weiri_litmus_type_text(words->type, false),
                                   weiri_litmus_type_text(value->type, false));
    }
    enum weir_space space = words->has_space ? words->space : WEIR_GLOBAL;
    if (location->n_owners > 0 && value->space != space) {
        return weiri_litmus_refuse(lex, place, "%s is %s here, and %s before",
                                   value->name,
                                   space == WEIR_LOCAL ? "local" : "global",
                                   space == WEIR_LOCAL ? "global" : "local");
    }
    if (location->n_owners > 0 && space == WEIR_LOCAL
        && !same_group(parser, location->owner, parser->n_threads)) {
        return weiri_litmus_refuse(lex, place,
                                   "%s is local, and P%u is of another group than P%u: "
                                   "give each group a location of its own",
                                   value->name, parser->n_threads, location->owner);
    }
    location->is_typed = true;
    value->type = words->type;
    value->space = space;
    value->atomic = value->atomic || words->atomic;
    value->is_volatile = value->is_volatile || words->is_volatile;
    location->n_owners++;
    location->owner = parser->n_threads;
    return true;
}

static bool is_qualifier_of_pointer(const struct weiri_litmus_token *token)
{
    for (size_t i = 0; i < G_N_ELEMENTS(of_pointers); i++) {
        if (weiri_litmus_token_is(token, of_pointers[i])) {
            return true;
        }
    }
    return false;
}

static bool parse_parameter(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_words words;
    if (!weiri_litmus_parse_type(parser, &words)
        || !weiri_litmus_expect(lex, "*", "after the type: a parameter is a pointer")) {
        return false;
    }
    while (is_qualifier_of_pointer(&lex->token)) {
        weiri_litmus_lex_next(lex);
    }
    struct weiri_litmus_token name = lex->token;
    if (name.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       weiri_litmus_at(lex, "*")
                                           ? "the name of a parameter: pointers to "
                                             "pointers are not supported"
                                           : "the name of a parameter");
    }
    uint32_t index;
    enum weiri_litmus_named named
        = weiri_litmus_find(parser, parser->thread, &name, &index);
    g_autofree char *quoted = weiri_litmus_quote(&name);
    if (named == WEIRI_LITMUS_A_LOCATION) {
        return weiri_litmus_refuse(lex, name.place, "parameter %s is given twice",
                                   quoted);
    }
    if (named == WEIRI_LITMUS_A_REGISTER) {
        return weiri_litmus_refuse(lex, name.place,
                                   "%s is a register of P%u, which has an initial "
                                   "value",
                                   quoted, parser->n_threads);
    }
    struct weiri_litmus_location_draft *location
        = weiri_litmus_location_of(parser, &name, &index);
    if (!join_location(parser, location, &words, name.place)) {
        return false;
    }
    const struct weiri_litmus_parameter parameter = { .location = index,
                                                      .atomic = words.atomic,
                                                      .is_volatile = words.is_volatile,
                                                      .is_const = words.is_const };
    g_array_append_val(parser->thread->parameters, parameter);
    g_hash_table_insert(parser->thread->names, (char *)location->value.name,
                        GUINT_TO_POINTER((index + 1) * 2));
    return weiri_litmus_lex_next(lex);
}

static bool parse_parameters(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_expect(lex, "(", "and the parameters of the thread")) {
        return false;
    }
    if (weiri_litmus_accept(lex, ")")) {
        return true;
    }
    if (weiri_litmus_accept(lex, "void")) {
        return weiri_litmus_expect(lex, ")", "after void");
    }
    do {
        if (!parse_parameter(parser)) {
            return false;
        }
    } while (weiri_litmus_accept(lex, ","));
    return weiri_litmus_expect(lex, ")", "or ',' after the parameter");
}

/* ---- Placements ------------------------------------------------------------------ */

static bool parse_id(struct weiri_litmus_parser *parser, uint32_t *id)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER || lex->token.value > INT32_MAX) {
        return weiri_litmus_unexpected(lex, "a number of up to 2147483647");
    }
    *id = (uint32_t)lex->token.value;
    return weiri_litmus_lex_next(lex);
}

/* `@wg 0, dev 0`, which may be missing. */
static bool parse_placement(struct weiri_litmus_parser *parser,
                            struct weiri_litmus_thread *thread)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    bool placed = weiri_litmus_at(lex, "@");
    if (placed && !parser->test->scoped) {
        return weiri_litmus_unexpected(lex,
                                       "'(': placements are of the form that begins "
                                       "with OPENCL");
    }
    if (parser->n_threads > 0 && placed != parser->test->placed) {
        return weiri_litmus_unexpected(lex,
                                       placed ? "'(': the threads before have no "
                                                "placement"
                                              : "'@wg 0, dev 0': the threads before "
                                                "have a placement");
    }
    parser->test->placed = placed;
    if (!placed) {
        return true;
    }
    weiri_litmus_lex_next(lex);
    return weiri_litmus_expect(lex, "wg", "and the number of the group")
        && parse_id(parser, &thread->group)
        && (!weiri_litmus_accept(lex, ",")
            || (weiri_litmus_expect(lex, "dev", "and the number of the device")
                && parse_id(parser, &thread->device)));
}

/* ---- A thread -------------------------------------------------------------------- */

/* The number of the thread, which must be the next one. */
static bool parse_thread_number(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    uint32_t number = (uint32_t)weiri_litmus_thread_number(&lex->token);
    if (number < parser->n_threads) {
        struct weiri_litmus_place first = parser->threads[number].value.place;
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "thread P%u is defined already, at %u:%u", number,
                                   first.line, first.column);
    }
    if (number >= WEIRI_LITMUS_MOST_THREADS) {
        g_autofree char *quoted = weiri_litmus_quote(&lex->token);
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "thread %s is too many: a test has at most %d",
                                   quoted, WEIRI_LITMUS_MOST_THREADS);
    }
    if (number > parser->n_threads) {
        g_autofree char *expected = g_strdup_printf(
            "P%u: threads are numbered from P0 without gaps", parser->n_threads);
        return weiri_litmus_unexpected(lex, expected);
    }
    parser->thread = &parser->threads[number];
    parser->thread->value.place = lex->token.place;
    return weiri_litmus_lex_next(lex);
}

bool weiri_litmus_parse_thread(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!parse_thread_number(parser) || !parse_placement(parser, &parser->thread->value)
        || !parse_parameters(parser)) {
        return false;
    }
    if (!weiri_litmus_at(lex, "{")) {
        return weiri_litmus_unexpected(lex, "'{' and the body of the thread");
    }
    struct weiri_litmus_statement *body
        = weiri_litmus_memory_take(parser->test->memory, sizeof(*body));
    body->place = lex->token.place;
    lex->in_body = true;
    if (!weiri_litmus_lex_next(lex) || !weiri_litmus_parse_block(parser, body)) {
        return false;
    }
    lex->in_body = false;
    parser->thread->value.body = body;
    parser->n_threads++;
    return weiri_litmus_expect(lex, "}", "after the statements");
}
