/* SPDX-License-Identifier: MIT
 *
 * parse.c: the frame of a litmus test: its head, initial values, the order of
 * its parts, and what can only be judged when all of it has been read.
 *
 *     C NAME                          the form and the name, a line
 *     "a text" KEY=VALUE              notes, kept as they are
 *     { [x] = 0; int y = 1; 0:r1 = 2; }
 *     P0 (...) { ... } P1 (...) { ... }
 *     locations [x; 0:r1;]  filter (...)  exists (...)
 *
 * Locations and registers are made where they are first named and are drafts until the
 * end: the type of a location may come with a thread, after its initial value. All
 * that is made lies in the test's memory, in pieces that are freed together.
 *
 * Follows: herd7, lib/stateParser.mly, for what initial values look like. */
#include "config.h"

#include "litmus/parser.h"

#include "base/assert.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------- */

/* Of a piece: some hundred nodes. */
enum { PIECE_BYTES = 16 << 10 };

struct weiri_litmus_memory {
    GPtrArray *pieces; /* owned */
    GStringChunk *names;
    char *at; /* in the last piece, aligned */
    size_t left;
};

struct weiri_litmus_memory *weiri_litmus_memory_new(void)
{
    struct weiri_litmus_memory *memory = g_new0(struct weiri_litmus_memory, 1);
    memory->pieces = g_ptr_array_new_with_free_func(g_free);
    memory->names = g_string_chunk_new(1 << 10);
    return memory;
}

void weiri_litmus_memory_free(struct weiri_litmus_memory *memory)
{
    g_ptr_array_unref(memory->pieces);
    g_string_chunk_free(memory->names);
    g_free(memory);
}

void *weiri_litmus_memory_take(struct weiri_litmus_memory *memory, size_t bytes)
{
    const size_t unit = _Alignof(max_align_t);
    bytes = (MAX(bytes, 1) + unit - 1) / unit * unit;
    if (bytes > memory->left) {
        memory->left = MAX(bytes, PIECE_BYTES);
        memory->at = g_malloc0(memory->left);
        g_ptr_array_add(memory->pieces, memory->at);
    }
    void *taken = memory->at;
    memory->at += bytes;
    memory->left -= bytes;
    return taken;
}

void *weiri_litmus_memory_keep(struct weiri_litmus_memory *memory, GArray *array)
{
    size_t bytes = (size_t)array->len * g_array_get_element_size(array);
    void *kept = weiri_litmus_memory_take(memory, bytes);
    if (bytes > 0) {
        memcpy(kept, array->data, bytes);
    }
    g_array_set_size(array, 0);
    return kept;
}

const char *weiri_litmus_intern(struct weiri_litmus_parser *parser,
                                const struct weiri_litmus_token *token)
{
    g_string_truncate(parser->scratch, 0);
    g_string_append_len(parser->scratch, token->text, (gssize)token->bytes);
    return g_string_chunk_insert_const(parser->test->memory->names,
                                       parser->scratch->str);
}

/* ---- Names ----------------------------------------------------------------------- */

struct weiri_litmus_location_draft *weiri_litmus_location_of(
    struct weiri_litmus_parser *parser, const struct weiri_litmus_token *name,
    uint32_t *index)
{
    const char *text = weiri_litmus_intern(parser, name);
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(parser->locations, text));
    if (known == 0) {
        struct weiri_litmus_location_draft draft = {
            .value = { .name = text, .type = WEIRI_LITMUS_INT, .space = WEIR_GLOBAL },
            .place = name->place,
        };
        g_array_append_val(parser->drafts, draft);
        known = parser->drafts->len;
        g_hash_table_insert(parser->locations, (char *)text, GUINT_TO_POINTER(known));
    }
    *index = known - 1;
    return &g_array_index(parser->drafts, struct weiri_litmus_location_draft, *index);
}

/* A thread's names are twice their index, plus 1 for a register, plus 2. */
enum weiri_litmus_named weiri_litmus_find(
    struct weiri_litmus_parser *parser, const struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_token *name, uint32_t *index)
{
    if (name->kind != WEIRI_LITMUS_TOKEN_NAME) {
        return WEIRI_LITMUS_NOTHING;
    }
    guint known = GPOINTER_TO_UINT(
        g_hash_table_lookup(thread->names, weiri_litmus_intern(parser, name)));
    *index = known / 2 - 1;
    return known == 0      ? WEIRI_LITMUS_NOTHING
        : (known & 1) != 0 ? WEIRI_LITMUS_A_REGISTER
                           : WEIRI_LITMUS_A_LOCATION;
}

struct weiri_litmus_register_draft *weiri_litmus_register_of(
    struct weiri_litmus_parser *parser, struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_token *name, uint32_t *index)
{
    if (weiri_litmus_find(parser, thread, name, index) == WEIRI_LITMUS_NOTHING) {
        const char *text = weiri_litmus_intern(parser, name);
        struct weiri_litmus_register_draft draft = {
            .value = { .name = text, .type = WEIRI_LITMUS_INT },
            .place = name->place,
        };
        *index = thread->registers->len;
        g_array_append_val(thread->registers, draft);
        g_hash_table_insert(thread->names, (char *)text,
                            GUINT_TO_POINTER((*index + 1) * 2 + 1));
    }
    return &g_array_index(thread->registers, struct weiri_litmus_register_draft,
                          *index);
}

int weiri_litmus_thread_number(const struct weiri_litmus_token *token)
{
    if (token->kind != WEIRI_LITMUS_TOKEN_NAME || token->bytes < 2
        || token->text[0] != 'P') {
        return -1;
    }
    int number = 0;
    for (size_t i = 1; i < token->bytes; i++) {
        if (!g_ascii_isdigit(token->text[i])) {
            return -1;
        }
        number = MIN(number * 10 + (token->text[i] - '0'), WEIRI_LITMUS_MOST_THREADS);
    }
    return number;
}

bool weiri_litmus_parse_reference(struct weiri_litmus_parser *parser,
                                  struct weiri_litmus_reference *reference)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token token = lex->token;
    *reference = (struct weiri_litmus_reference){ .place = token.place };
    bool brackets = weiri_litmus_accept(lex, "[");
    if (!brackets
        && (token.kind == WEIRI_LITMUS_TOKEN_NUMBER
            || weiri_litmus_thread_number(&token) >= 0)) {
        int number = token.kind == WEIRI_LITMUS_TOKEN_NUMBER
            ? (int)MIN(token.value, WEIRI_LITMUS_MOST_THREADS)
            : weiri_litmus_thread_number(&token);
        if (number >= WEIRI_LITMUS_MOST_THREADS) {
            g_autofree char *quoted = weiri_litmus_quote(&token);
            return weiri_litmus_refuse(lex, token.place,
                                       "thread %s: a test has at most %d threads",
                                       quoted, WEIRI_LITMUS_MOST_THREADS);
        }
        weiri_litmus_lex_next(lex);
        if (!weiri_litmus_expect(lex, ":", "and a register")) {
            return false;
        }
        reference->is_register = true;
        reference->thread = (uint32_t)number;
    }
    reference->name = lex->token;
    if (reference->name.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       reference->is_register
                                           ? "the name of a register"
                                           : "a location (x) or a register (0:r0)");
    }
    return weiri_litmus_lex_next(lex)
        && (!brackets || weiri_litmus_expect(lex, "]", "after the location"));
}

bool weiri_litmus_parse_number(struct weiri_litmus_parser *parser, int64_t *value)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    bool negative = weiri_litmus_accept(lex, "-");
    if (!negative) {
        weiri_litmus_accept(lex, "+");
    }
    struct weiri_litmus_token token = lex->token;
    if (token.kind != WEIRI_LITMUS_TOKEN_NUMBER) {
        return weiri_litmus_unexpected(
            lex,
            token.kind == WEIRI_LITMUS_TOKEN_NAME || weiri_litmus_at(lex, "&")
                ? "a number: addresses as values are not supported"
                : "a number");
    }
    if (token.value > (uint64_t)INT64_MAX + negative) {
        g_autofree char *quoted = weiri_litmus_quote(&token);
        return weiri_litmus_refuse(lex, token.place,
                                   "number %s is too large: at most %" G_GINT64_FORMAT,
                                   quoted, INT64_MAX);
    }
    *value = (int64_t)(negative ? 0 - token.value : token.value);
    return weiri_litmus_lex_next(lex);
}

bool weiri_litmus_check_range(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_place place,
                              enum weiri_litmus_type type, int64_t value,
                              const char *of)
{
    if (weiri_litmus_convert(type, value) == value) {
        return true;
    }
    return weiri_litmus_refuse(&parser->lex, place,
                               "%" G_GINT64_FORMAT " is no value that %s can have: "
                               "it is of type %s",
                               value, of, weiri_litmus_type_text(type, false));
}

/* ---- Head ------------------------------------------------------------------------ */

/* The first line: the form and the name. */
static bool parse_title(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_lex_skip(lex)) {
        return false;
    }
    struct weiri_litmus_token line = weiri_litmus_lex_line(lex), word = line;
    for (word.bytes = 0; word.bytes < line.bytes; word.bytes++) {
        if (word.text[word.bytes] == ' ' || word.text[word.bytes] == '\t') {
            break;
        }
    }
    if (line.bytes == 0) {
        return weiri_litmus_refuse(lex, line.place,
                                   "the file is empty: expected C or OPENCL, and a "
                                   "name");
    }
    parser->test->scoped = weiri_litmus_token_is(&word, "OPENCL")
        || weiri_litmus_token_is(&word, "OpenCL");
    if (!parser->test->scoped && !weiri_litmus_token_is(&word, "C")) {
        g_autofree char *quoted = weiri_litmus_quote(&word);
        return weiri_litmus_refuse(lex, word.place,
                                   "found %s, expected C or OPENCL, and a name: other "
                                   "forms of litmus tests are not read",
                                   quoted);
    }
    struct weiri_litmus_token name = line;
    name.text += word.bytes;
    name.bytes -= word.bytes;
    while (name.bytes > 0 && (name.text[0] == ' ' || name.text[0] == '\t')) {
        name.text++;
        name.bytes--;
    }
    if (name.bytes == 0) {
        return weiri_litmus_refuse(lex, lex->place, "expected the name of the test");
    }
    parser->test->name = weiri_litmus_intern(parser, &name);
    return true;
}

/* A line `KEY=VALUE`. */
static bool is_note(const struct weiri_litmus_token *line)
{
    size_t n = 0;
    while (n < line->bytes
           && (g_ascii_isalnum(line->text[n]) || line->text[n] == '_')) {
        n++;
    }
    return n > 0 && n < line->bytes && line->text[n] == '=';
}

static bool parse_notes(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    g_autoptr(GArray) notes = g_array_new(FALSE, FALSE, sizeof(const char *));
    while (weiri_litmus_lex_skip(lex) && (lex->at == lex->end || *lex->at != '{')) {
        bool is_quoted = lex->at < lex->end && *lex->at == '"';
        struct weiri_litmus_token line
            = is_quoted ? weiri_litmus_lex_quoted(lex) : weiri_litmus_lex_line(lex);
        if (line.kind == WEIRI_LITMUS_TOKEN_BAD) {
            return false;
        }
        if (!is_quoted && !is_note(&line)) {
            line.kind = line.bytes == 0 ? WEIRI_LITMUS_TOKEN_END : line.kind;
            g_autofree char *quoted = weiri_litmus_quote(&line);
            return weiri_litmus_refuse(lex, line.place,
                                       "found %s, expected '{' and the initial values",
                                       quoted);
        }
        const char *note = weiri_litmus_intern(parser, &line);
        g_array_append_val(notes, note);
    }
    parser->test->n_notes = notes->len;
    parser->test->notes = weiri_litmus_memory_keep(parser->test->memory, notes);
    return !lex->failed;
}

/* ---- Initial values -------------------------------------------------------------- */

/* `= 1`, if it is there. */
static bool parse_first_value(struct weiri_litmus_parser *parser, int64_t *value)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    *value = 0;
    if (weiri_litmus_at(lex, "[")) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "found '[': arrays are not supported");
    }
    if (!weiri_litmus_accept(lex, "=")) {
        return !lex->failed;
    }
    if (weiri_litmus_accept(lex, "ATOMIC_INIT")) {
        return weiri_litmus_expect(lex, "(", "after ATOMIC_INIT")
            && weiri_litmus_parse_number(parser, value)
            && weiri_litmus_expect(lex, ")", "after the value");
    }
    return weiri_litmus_parse_number(parser, value);
}

static bool twice(struct weiri_litmus_parser *parser,
                  const struct weiri_litmus_reference *reference,
                  struct weiri_litmus_place first)
{
    g_autofree char *quoted = weiri_litmus_quote(&reference->name);
    return weiri_litmus_refuse(&parser->lex, reference->place,
                               "%s has an initial value already, at %u:%u", quoted,
                               first.line, first.column);
}

static bool parse_initial(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_words words = { 0 };
    bool is_typed = weiri_litmus_is_type(parser, &lex->token);
    if (is_typed && !weiri_litmus_parse_type(parser, &words)) {
        return false;
    }
    if (words.has_space || words.is_volatile || words.is_const) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "address spaces, volatile and const are told by the "
                                   "parameters of threads, not by initial values");
    }
    if (weiri_litmus_at(lex, "*")) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "found '*': pointers as values are not supported");
    }
    struct weiri_litmus_reference reference;
    int64_t value;
    if (!weiri_litmus_parse_reference(parser, &reference)
        || !parse_first_value(parser, &value)) {
        return false;
    }
    uint32_t index;
    if (!reference.is_register) {
        struct weiri_litmus_location_draft *location
            = weiri_litmus_location_of(parser, &reference.name, &index);
        if (location->is_initial) {
            return twice(parser, &reference, location->place);
        }
        location->is_initial = true;
        location->is_typed = is_typed;
        location->value.type = is_typed ? words.type : WEIRI_LITMUS_INT;
        location->value.atomic = words.atomic;
        location->value.initial = value;
        location->place = reference.place;
        return true;
    }
    if (words.atomic) {
        return weiri_litmus_refuse(lex, reference.place, "a register is not atomic");
    }
    struct weiri_litmus_thread_draft *thread = &parser->threads[reference.thread];
    thread->place = thread->registers->len == 0 ? reference.place : thread->place;
    struct weiri_litmus_register_draft *reg
        = weiri_litmus_register_of(parser, thread, &reference.name, &index);
    if (reg->value.is_initial) {
        return twice(parser, &reference, reg->place);
    }
    reg->value.is_initial = true;
    reg->is_typed = is_typed;
    reg->value.type = is_typed ? words.type : WEIRI_LITMUS_INT;
    reg->value.initial = value;
    reg->place = reference.place;
    return true;
}

static bool parse_initials(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    bool sound = weiri_litmus_lex_next(lex)
        && weiri_litmus_expect(lex, "{", "and the initial values");
    while (sound && !weiri_litmus_at(lex, "}")) {
        if (weiri_litmus_accept(lex, ";")) {
            continue;
        }
        sound = parse_initial(parser)
            && (weiri_litmus_at(lex, "}")
                || weiri_litmus_expect(lex, ";", "or '}' after the initial value"));
    }
    return sound && weiri_litmus_expect(lex, "}", "after the initial values");
}

/* ---- What is judged in the end --------------------------------------------------- */

static bool finish_locations(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus *test = parser->test;
    g_autoptr(GArray) locations
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_location));
    for (guint i = 0; i < parser->drafts->len; i++) {
        const struct weiri_litmus_location_draft *draft
            = &g_array_index(parser->drafts, struct weiri_litmus_location_draft, i);
        if (!weiri_litmus_check_range(parser, draft->place, draft->value.type,
                                      draft->value.initial, draft->value.name)) {
            return false;
        }
        g_array_append_val(locations, draft->value);
    }
    test->n_locations = locations->len;
    test->locations = weiri_litmus_memory_keep(test->memory, locations);
    test->n_labels = parser->label_names->len;
    test->labels = weiri_litmus_memory_keep(test->memory, parser->label_names);
    return true;
}

static bool finish_thread(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_thread_draft *thread)
{
    g_autoptr(GArray) registers
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_register));
    for (guint i = 0; i < thread->registers->len; i++) {
        const struct weiri_litmus_register_draft *draft
            = &g_array_index(thread->registers, struct weiri_litmus_register_draft, i);
        if (!weiri_litmus_check_range(parser, draft->place, draft->value.type,
                                      draft->value.initial, draft->value.name)) {
            return false;
        }
        g_array_append_val(registers, draft->value);
    }
    struct weiri_litmus_memory *memory = parser->test->memory;
    thread->value.n_parameters = thread->parameters->len;
    thread->value.parameters = weiri_litmus_memory_keep(memory, thread->parameters);
    thread->value.n_registers = registers->len;
    thread->value.registers = weiri_litmus_memory_keep(memory, registers);
    thread->value.code
        = weiri_litmus_compile(memory, parser->test->locations, &thread->value);
    return true;
}

static bool finish_threads(struct weiri_litmus_parser *parser)
{
    g_autoptr(GArray) threads
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_thread));
    for (uint32_t i = 0; i < WEIRI_LITMUS_MOST_THREADS; i++) {
        struct weiri_litmus_thread_draft *thread = &parser->threads[i];
        if (i >= parser->n_threads && thread->registers->len > 0) {
            return weiri_litmus_refuse(&parser->lex, thread->place,
                                       "there is no thread P%u", i);
        }
        if (i < parser->n_threads) {
            if (!finish_thread(parser, thread)) {
                return false;
            }
            g_array_append_val(threads, thread->value);
        }
    }
    parser->test->n_threads = threads->len;
    parser->test->threads = weiri_litmus_memory_keep(parser->test->memory, threads);
    return true;
}

/* ---- All of it ------------------------------------------------------------------- */

static void init_parser(struct weiri_litmus_parser *parser)
{
    *parser = (struct weiri_litmus_parser){
        .test = g_new0(struct weiri_litmus, 1),
        .scratch = g_string_new(NULL),
        .locations = g_hash_table_new(g_direct_hash, g_direct_equal),
        .labels = g_hash_table_new(g_direct_hash, g_direct_equal),
        .drafts = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_location_draft)),
        .label_names = g_array_new(FALSE, FALSE, sizeof(const char *)),
        .open = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };
    parser->test->memory = weiri_litmus_memory_new();
    for (size_t i = 0; i < WEIRI_LITMUS_MOST_THREADS; i++) {
        struct weiri_litmus_thread_draft *thread = &parser->threads[i];
        thread->names = g_hash_table_new(g_direct_hash, g_direct_equal);
        thread->registers
            = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_register_draft));
        thread->parameters
            = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_parameter));
    }
}

static void clear_parser(struct weiri_litmus_parser *parser)
{
    for (size_t i = 0; i < WEIRI_LITMUS_MOST_THREADS; i++) {
        struct weiri_litmus_thread_draft *thread = &parser->threads[i];
        g_hash_table_unref(thread->names);
        g_array_unref(thread->registers);
        g_array_unref(thread->parameters);
    }
    g_string_free(parser->scratch, TRUE);
    g_hash_table_unref(parser->locations);
    g_hash_table_unref(parser->labels);
    g_array_unref(parser->drafts);
    g_array_unref(parser->label_names);
    g_array_unref(parser->open);
    weiri_litmus_free(parser->test);
}

static bool parse_threads(struct weiri_litmus_parser *parser)
{
    do {
        if (weiri_litmus_thread_number(&parser->lex.token) < 0) {
            return weiri_litmus_unexpected(&parser->lex, "a thread: P0");
        }
        if (!weiri_litmus_parse_thread(parser)) {
            return false;
        }
    } while (weiri_litmus_thread_number(&parser->lex.token) >= 0);
    return true;
}

void weiri_litmus_free(struct weiri_litmus *test)
{
    if (test != NULL) {
        weiri_litmus_memory_free(test->memory);
        g_free(test);
    }
}

struct weiri_litmus *weiri_litmus_parse(const char *text, size_t bytes,
                                        const char *file, GError **error)
{
    struct weiri_litmus_parser *parser = g_new(struct weiri_litmus_parser, 1);
    init_parser(parser);
    bool sound = weiri_litmus_lex_start(&parser->lex, text, bytes, file, error)
        && parse_title(parser) && parse_notes(parser) && parse_initials(parser)
        && parse_threads(parser) && finish_locations(parser) && finish_threads(parser)
        && weiri_litmus_parse_claim(parser);
    weiri_assert(sound != parser->lex.failed);
    if (sound) {
        weiri_litmus_find_spins(parser->test);
    }
    struct weiri_litmus *test = sound ? g_steal_pointer(&parser->test) : NULL;
    clear_parser(parser);
    g_free(parser);
    return test;
}
