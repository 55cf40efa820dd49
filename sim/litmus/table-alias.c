/* SPDX-License-Identifier: MIT
 *
 * table-alias.c: the names of registers and locations of a table. A location may have
 * several names, each with a proxy and an address. */
#include "config.h"

#include "litmus/table.h"

bool weiri_litmus_is_register(const struct weiri_litmus_token *token)
{
    if (token->kind != WEIRI_LITMUS_TOKEN_NAME || token->bytes < 2
        || token->text[0] != 'r') {
        return false;
    }
    for (size_t i = 1; i < token->bytes; i++) {
        if (!g_ascii_isdigit(token->text[i])) {
            return false;
        }
    }
    return true;
}

struct weiri_litmus_alias_draft *weiri_litmus_name_at(
    struct weiri_litmus_parser *parser, uint32_t number)
{
    return &g_array_index(parser->aliases, struct weiri_litmus_alias_draft, number);
}

/* Returns: the number of the draft of that name + 1, or 0 */
static uint32_t known_name(struct weiri_litmus_parser *parser,
                           const struct weiri_litmus_token *name)
{
    return GPOINTER_TO_UINT(
        g_hash_table_lookup(parser->references, weiri_litmus_intern(parser, name)));
}

uint32_t weiri_litmus_add_name(struct weiri_litmus_parser *parser,
                               const struct weiri_litmus_alias_draft *draft)
{
    g_array_append_val(parser->aliases, *draft);
    uint32_t number = parser->aliases->len - 1;
    g_hash_table_insert(parser->references, (char *)draft->value.name,
                        GUINT_TO_POINTER(number + 1));
    return number;
}

bool weiri_litmus_has_name(struct weiri_litmus_parser *parser,
                           const struct weiri_litmus_token *name)
{
    return known_name(parser, name) > 0;
}

uint32_t weiri_litmus_name_of(struct weiri_litmus_parser *parser,
                              const struct weiri_litmus_token *name)
{
    uint32_t known = known_name(parser, name), location;
    if (known > 0) {
        return known - 1;
    }
    struct weiri_litmus_location_draft *made
        = weiri_litmus_location_of(parser, name, &location);
    made->value.type = WEIRI_LITMUS_LONG;
    const struct weiri_litmus_alias_draft draft
        = { .value = { .name = made->value.name,
                       .location = location,
                       .address = parser->aliases->len } };
    return weiri_litmus_add_name(parser, &draft);
}

uint32_t *weiri_litmus_finish_names(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus *test = parser->test;
    uint32_t n = parser->aliases->len, next = test->n_locations;
    struct weiri_litmus_reference_name *names
        = weiri_litmus_memory_take(test->memory, n * sizeof(*names));
    g_autofree uint32_t *numbers = g_new(uint32_t, MAX(n, 1));
    uint32_t *addresses = g_new(uint32_t, MAX(n, 1));
    for (uint32_t i = 0; i < n; i++) {
        const struct weiri_litmus_alias_draft *draft = weiri_litmus_name_at(parser, i);
        numbers[i] = draft->is_alias ? next++ : draft->value.location;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct weiri_litmus_alias_draft *draft = weiri_litmus_name_at(parser, i);
        addresses[i] = numbers[draft->value.address];
        names[numbers[i]] = draft->value;
        names[numbers[i]].address = addresses[i];
    }
    test->n_references = n;
    test->references = names;
    return addresses;
}
