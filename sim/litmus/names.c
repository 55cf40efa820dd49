/* SPDX-License-Identifier: MIT
 *
 * names.c: the base of the files that read a test: the memory in which the test lies,
 * the tables of its names, and how registers, locations and numbers are written outside
 * of threads.
 *
 * Locations and registers come into being where they are first named, and are drafts
 * until the whole text has been read. Names are interned, so that tables compare
 * pointers. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------- */

/* The size of a piece: room for some hundred nodes. */
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

/* The value of a name in a thread's table: 2 * (index + 1), plus 1 for a register. */
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

uint32_t weiri_litmus_barrier_label(struct weiri_litmus_parser *parser,
                                    const char *name)
{
    const struct weiri_litmus_token token
        = { .kind = WEIRI_LITMUS_TOKEN_NAME, .text = name, .bytes = strlen(name) };
    const char *text = weiri_litmus_intern(parser, &token);
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(parser->labels, text));
    if (known == 0) {
        g_array_append_val(parser->label_names, text);
        known = parser->label_names->len;
        g_hash_table_insert(parser->labels, (char *)text, GUINT_TO_POINTER(known));
    }
    return known - 1;
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
                               "%" G_GINT64_FORMAT " is not a value that %s can have: "
                               "it is of type %s",
                               value, of, weiri_litmus_type_text(type, false));
}
