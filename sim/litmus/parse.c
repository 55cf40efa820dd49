/* SPDX-License-Identifier: MIT
 *
 * parse.c: the frame of a litmus test: its head, its initial values, the order of its
 * parts, and checks that need the whole text.
 *
 *     C NAME                          the form and the name, a line
 *     "a text" KEY=VALUE              notes, kept as they are
 *     { [x] = 0; int y = 1; 0:r1 = 2; }
 *     P0 (...) { ... } P1 (...) { ... }
 *     locations [x; 0:r1;]  filter (...)  exists (...)
 *
 * Between the notes and the claim, a table of instructions is read by table.c.
 *
 * The type of a location may be stated by a thread, after its initial value. So
 * locations and registers are drafts (see names.c) until the whole text has been read.
 *
 * Follows: herd7, lib/stateParser.mly, for the form of initial values. */
#include "config.h"

#include "litmus/table.h"

#include "base/assert.h"

#include <string.h>

/* ---- Head ------------------------------------------------------------------------ */

/* The words with which forms begin; those of tables in any case. */
static bool find_form(const struct weiri_litmus_token *word,
                      enum weiri_litmus_form *form)
{
    static const struct {
        const char *word;
        enum weiri_litmus_form form;
    } forms[] = {
        { "C", WEIRI_LITMUS_C },           { "OPENCL", WEIRI_LITMUS_OPENCL },
        { "OpenCL", WEIRI_LITMUS_OPENCL }, { "PTX", WEIRI_LITMUS_PTX },
        { "VULKAN", WEIRI_LITMUS_VULKAN },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (weiri_litmus_token_is(word, forms[i].word)
            || (weiri_litmus_is_table(forms[i].form)
                && word->bytes == strlen(forms[i].word)
                && g_ascii_strncasecmp(word->text, forms[i].word, word->bytes) == 0)) {
            *form = forms[i].form;
            return true;
        }
    }
    return false;
}

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
                                   "the file is empty: expected C, OPENCL, PTX or "
                                   "VULKAN, and a name");
    }
    if (!find_form(&word, &parser->test->form)) {
        g_autofree char *quoted = weiri_litmus_quote(&word);
        return weiri_litmus_refuse(lex, word.place,
                                   "found %s, expected C, OPENCL, PTX or VULKAN, and a "
                                   "name: other forms of litmus tests are not read",
                                   quoted);
    }
    parser->test->scoped = parser->test->form != WEIRI_LITMUS_C;
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

/* Reads a note in quotes. In tables the rest of its line belongs to it, because some
 * have quotes within quotes. */
static struct weiri_litmus_token parse_quoted(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token note = weiri_litmus_lex_quoted(lex);
    const char *next = lex->at;
    while (next < lex->end && (*next == ' ' || *next == '\t' || *next == '\r')) {
        next++;
    }
    if (note.kind == WEIRI_LITMUS_TOKEN_BAD || next == lex->end
        || !weiri_litmus_is_table(parser->test->form)
        || strchr("\n\"{/(", *next) != NULL) {
        return note;
    }
    struct weiri_litmus_token rest = weiri_litmus_lex_line(lex);
    note.bytes = (size_t)(rest.text - note.text) + rest.bytes;
    return note;
}

static bool parse_notes(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    g_autoptr(GArray) notes = g_array_new(FALSE, FALSE, sizeof(const char *));
    while (weiri_litmus_lex_skip(lex) && (lex->at == lex->end || *lex->at != '{')) {
        bool is_quoted = lex->at < lex->end && *lex->at == '"';
        struct weiri_litmus_token line
            = is_quoted ? parse_quoted(parser) : weiri_litmus_lex_line(lex);
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

/* `= 1`, which may be missing. */
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
                                   "address spaces, volatile and const belong to the "
                                   "parameters of threads, not to initial values");
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
                                       "the test has no thread P%u", i);
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
        .references = g_hash_table_new(g_direct_hash, g_direct_equal),
        .aliases = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_alias_draft)),
        .thens = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_then)),
    };
    parser->test->memory = weiri_litmus_memory_new();
    for (size_t i = 0; i < WEIRI_LITMUS_MOST_THREADS; i++) {
        struct weiri_litmus_thread_draft *thread = &parser->threads[i];
        thread->names = g_hash_table_new(g_direct_hash, g_direct_equal);
        thread->registers
            = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_register_draft));
        thread->parameters
            = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_parameter));
        weiri_litmus_init_column(thread);
    }
}

static void clear_parser(struct weiri_litmus_parser *parser)
{
    for (size_t i = 0; i < WEIRI_LITMUS_MOST_THREADS; i++) {
        struct weiri_litmus_thread_draft *thread = &parser->threads[i];
        g_hash_table_unref(thread->names);
        g_array_unref(thread->registers);
        g_array_unref(thread->parameters);
        weiri_litmus_clear_column(thread);
    }
    g_string_free(parser->scratch, TRUE);
    g_hash_table_unref(parser->locations);
    g_hash_table_unref(parser->labels);
    g_array_unref(parser->drafts);
    g_array_unref(parser->label_names);
    g_array_unref(parser->open);
    g_hash_table_unref(parser->references);
    g_array_unref(parser->aliases);
    g_array_unref(parser->thens);
    weiri_litmus_free(parser->test);
}

void weiri_litmus_free(struct weiri_litmus *test)
{
    if (test != NULL) {
        weiri_litmus_memory_free(test->memory);
        g_free(test);
    }
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

/* The parts between the notes and the claim. */
static bool parse_parts(struct weiri_litmus_parser *parser)
{
    bool is_table = weiri_litmus_is_table(parser->test->form);
    return (is_table ? weiri_litmus_parse_table(parser)
                     : parse_initials(parser) && parse_threads(parser))
        && finish_locations(parser) && finish_threads(parser)
        && (!is_table || weiri_litmus_finish_table(parser));
}

struct weiri_litmus *weiri_litmus_parse_text(const char *text, size_t bytes,
                                             const char *file, GError **error)
{
    struct weiri_litmus_parser *parser = g_new(struct weiri_litmus_parser, 1);
    init_parser(parser);
    bool sound = weiri_litmus_lex_start(&parser->lex, text, bytes, file, error)
        && parse_title(parser) && parse_notes(parser) && parse_parts(parser)
        && weiri_litmus_parse_claim(parser);
    weiri_assert(sound != parser->lex.failed);
    struct weiri_litmus *test = sound ? g_steal_pointer(&parser->test) : NULL;
    clear_parser(parser);
    g_free(parser);
    return test;
}
