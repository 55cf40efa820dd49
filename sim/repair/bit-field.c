/* SPDX-License-Identifier: MIT
 *
 * bit-field.c: whether two accesses race since they are of neighbouring bit-fields,
 * which are one memory location.
 *
 * Follows: C11 3.14, memory location. */
#include "config.h"

#include "repair/suggest.h"

/* Whether a member of that name is declared as a bit-field in the file. */
static bool is_bit_field(const struct weiri_source *source, const char *name)
{
    g_autofree char *pattern
        = g_strdup_printf("[\\w\\s,]\\b%s\\s*:\\s*\\w+\\s*[;,]", name);
    return g_regex_match_simple(pattern, weiri_source_text(source, NULL), G_REGEX_RAW,
                                0);
}

/* The bit-fields that a line accesses, each once. Returns: (transfer full): names */
static GPtrArray *fields_at(const struct weiri_source *source, uint32_t line)
{
    GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text
        = weiri_text_of(source, weiri_source_lines(source, line, line));
    g_autoptr(GRegex) member
        = g_regex_new("(?:->|\\.)\\s*([A-Za-z_]\\w*)", G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(member, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *name = g_match_info_fetch(match, 1);
        if (is_bit_field(source, name)
            && !g_ptr_array_find_with_equal_func(fields, name, g_str_equal, NULL)) {
            g_ptr_array_add(fields, g_steal_pointer(&name));
        }
    }
    return fields;
}

char *weiri_reason_of_fields(struct weiri_sources *sources,
                             const struct weir_finding *finding)
{
    if (finding->kind != WEIR_FINDING_DATA_RACE || finding->n_parties != 2) {
        return NULL;
    }
    const struct weir_party *a = &finding->parties[0], *b = &finding->parties[1];
    const struct weiri_source *first = weiri_sources_get(sources, a->file);
    const struct weiri_source *second = weiri_sources_get(sources, b->file);
    if (first == NULL || second == NULL) {
        return NULL;
    }
    g_autoptr(GPtrArray) of_a = fields_at(first, a->line);
    g_autoptr(GPtrArray) of_b = fields_at(second, b->line);
    for (guint i = 0; i < of_a->len; i++) {
        if (g_ptr_array_find_with_equal_func(of_b, of_a->pdata[i], g_str_equal, NULL)) {
            return NULL; /* they may be of one field */
        }
    }
    return of_a->len == 0 || of_b->len == 0
        ? NULL
        : g_strdup_printf("the bit-fields '%s' and '%s' are one memory location: a "
                          "write of one of them reads and writes both",
                          (char *)of_a->pdata[0], (char *)of_b->pdata[0]);
}
