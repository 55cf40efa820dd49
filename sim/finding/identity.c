/* SPDX-License-Identifier: MIT
 *
 * finding/identity.c: see finding/identity.h. A table gives for each field the level up
 * to which it counts, and piece_of() states which part counts there. Items, groups,
 * phases, index, message and count are not fields and do not count. */
#include "config.h"

#include "finding/identity.h"

#include <string.h>

/* ---- What a finding is of -------------------------------------------------------- */

bool weiri_finding_is_race(const struct weir_finding *finding)
{
    return finding->kind == WEIR_FINDING_DATA_RACE
        || finding->kind == WEIR_FINDING_SCOPE_RACE
        || finding->kind == WEIR_FINDING_MIXED_ATOMIC;
}

const char *weiri_finding_function(const struct weir_finding *finding,
                                   const struct weir_party *party)
{
    static const char before[] = "kernel ", behind[] = "__body";
    const char *kernel = finding->kernel, *function = party->function;
    if (kernel == NULL || function == NULL) {
        return function;
    }
    size_t n = strlen(kernel);
    bool is_body = (g_str_has_prefix(function, before)
                    && strcmp(function + strlen(before), kernel) == 0)
        || (strncmp(function, kernel, n) == 0 && strcmp(function + n, behind) == 0);
    return is_body ? kernel : function;
}

const struct weir_party *weiri_finding_spinning(const struct weir_finding *finding)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (party->state == WEIR_STATE_SPINNING) {
            return party;
        }
    }
    return NULL;
}

const char *weiri_finding_object(const struct weir_finding *finding)
{
    const struct weir_party *spinning = weiri_finding_spinning(finding);
    bool own = finding->object != NULL || finding->space != NULL || spinning == NULL;
    return own ? finding->object : spinning->object;
}

/* ---- The fields ------------------------------------------------------------------ */

/* The last level that each field counts at. The calls on the way to a party, which
 * count at CALLS only, are a list, and compare_paths() has them. */
#define FIELDS(X)                                                                      \
    X(KIND, TEXT)                                                                      \
    X(KERNEL, TEXT)                                                                    \
    X(OBJECT, TEXT)                                                                    \
    X(NOTE, PLACES)                                                                    \
    /* of a party */                                                                   \
    X(FILE, TEXT)                                                                      \
    X(LINE, TEXT)                                                                      \
    X(STATE, PLACES)                                                                   \
    X(OPERATION, PLACES)                                                               \
    X(ACCESS, TEXT)                                                                    \
    X(FUNCTION, CALLS)                                                                 \
    X(ORDER, CALLS)                                                                    \
    X(SCOPE, CALLS)

enum field {
#define X(name, level) FIELD_##name,
    FIELDS(X)
#undef X
        N_FIELDS
};

static const enum weiri_identity last_levels[] = {
#define X(name, level) WEIRI_IDENTITY_##level,
    FIELDS(X)
#undef X
};

/* The part of a field that counts: a number, or a text in two pieces, the second of
 * which has @n bytes. NULL: no text. */
struct piece {
    const char *before;
    const char *text;
    size_t n;
    uint64_t number;
};

static struct piece of_text(const char *text)
{
    text = text != NULL ? text : "";
    return (struct piece){ .before = "", .text = text, .n = strlen(text) };
}

static struct piece of_number(uint64_t number)
{
    return (struct piece){ .before = "", .text = "", .number = number };
}

static const char *last_component(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

/* A local array is named by the place of its declaration: of that TEXT keeps the name
 * of the file only. */
static struct piece object_piece(const struct weir_finding *finding,
                                 enum weiri_identity level)
{
    static const char local[] = "local array of ";
    struct piece piece = of_text(weiri_finding_object(finding));
    if (level != WEIRI_IDENTITY_TEXT || !g_str_has_prefix(piece.text, local)) {
        return piece;
    }
    const char *file = last_component(piece.text + strlen(local));
    const char *colon = strrchr(file, ':');
    return (struct piece){ .before = local,
                           .text = file,
                           .n = colon != NULL ? (size_t)(colon - file) : strlen(file) };
}

/* A line is known by its number, and to TEXT by what it says. Where that is not known
 * the function stands for it. */
static struct piece line_piece(const struct weir_finding *finding,
                               const struct weir_party *party,
                               enum weiri_identity level)
{
    const char *function = weiri_finding_function(finding, party);
    if (level != WEIRI_IDENTITY_TEXT) {
        return party->line > 0 ? of_number(party->line) : of_text(function);
    }
    return of_text(party->source != NULL          ? party->source
                       : party->operation != NULL ? party->operation
                                                  : function);
}

/* @party is not looked at for a field of the finding. */
static struct piece piece_of(enum field field, const struct weir_finding *finding,
                             const struct weir_party *party, enum weiri_identity level)
{
    bool across_edits = level == WEIRI_IDENTITY_TEXT;
    switch (field) {
    case FIELD_KIND:
        return of_text(weir_finding_kind_name(finding->kind));
    case FIELD_KERNEL:
        return of_text(finding->kernel);
    case FIELD_OBJECT:
        return object_piece(finding, level);
    case FIELD_NOTE:
        return of_number(finding->note);
    case FIELD_FILE:
        return of_text(across_edits ? last_component(party->file) : party->file);
    case FIELD_LINE:
        return line_piece(finding, party, level);
    case FIELD_STATE:
        return of_text(weir_state_name(party->state));
    case FIELD_OPERATION:
        return of_text(party->operation);
    case FIELD_ACCESS: /* an item that accesses memory is running: one word is enough */
        return of_text(across_edits && party->access == WEIR_ACCESS_NONE
                           ? weir_state_name(party->state)
                           : weir_access_name(party->access));
    case FIELD_FUNCTION:
        return of_text(party->function);
    case FIELD_ORDER:
        return of_text(party->order);
    case FIELD_SCOPE:
        return of_text(party->scope);
    case N_FIELDS:
        break;
    }
    g_return_val_if_reached(of_number(0));
}

/* ---- Comparing ------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_pieces(const struct piece *a, const struct piece *b)
{
    int order = compare_numbers(a->number, b->number);
    order = order != 0 ? order : strcmp(a->before, b->before);
    order = order != 0 ? order : memcmp(a->text, b->text, MIN(a->n, b->n));
    return order != 0 ? order : compare_numbers(a->n, b->n);
}

/* Fields @first to @last of two parties, or of two findings. */
static int compare_fields(enum field first, enum field last,
                          const struct weir_finding *a, const struct weir_party *of_a,
                          const struct weir_finding *b, const struct weir_party *of_b,
                          enum weiri_identity level)
{
    int order = 0;
    for (enum field field = first; order == 0 && field <= last; field++) {
        if (level <= last_levels[field]) {
            struct piece piece = piece_of(field, a, of_a, level);
            struct piece other = piece_of(field, b, of_b, level);
            order = compare_pieces(&piece, &other);
        }
    }
    return order;
}

static int compare_paths(const struct weir_party *a, const struct weir_party *b)
{
    int order = compare_numbers(a->n_path, b->n_path);
    for (size_t i = 0; order == 0 && i < a->n_path; i++) {
        order = compare_numbers(a->path[i].line, b->path[i].line);
        order = order != 0 ? order : g_strcmp0(a->path[i].file, b->path[i].file);
        order
            = order != 0 ? order : g_strcmp0(a->path[i].function, b->path[i].function);
    }
    return order;
}

/* The kind is compared as a number and first: most findings differ in it, and a report
 * is in the order of kinds. */
int weiri_finding_compare(const struct weir_finding *a, const struct weir_finding *b,
                          enum weiri_identity level)
{
    int order = compare_numbers(a->kind, b->kind);
    order = order != 0
        ? order
        : compare_fields(FIELD_KERNEL, FIELD_KERNEL, a, NULL, b, NULL, level);
    for (size_t i = 0; order == 0 && i < a->n_parties && i < b->n_parties; i++) {
        const struct weir_party *one = &a->parties[i], *other = &b->parties[i];
        order = compare_fields(FIELD_FILE, FIELD_SCOPE, a, one, b, other, level);
        if (order == 0 && level == WEIRI_IDENTITY_CALLS) {
            order = compare_paths(one, other);
        }
    }
    order = order != 0 ? order : compare_numbers(a->n_parties, b->n_parties);
    return order != 0
        ? order
        : compare_fields(FIELD_OBJECT, FIELD_NOTE, a, NULL, b, NULL, level);
}

void weiri_finding_order_parties(const struct weir_finding *finding,
                                 struct weir_party *parties)
{
    if (!weiri_finding_is_race(finding) || finding->n_parties != 2) {
        return;
    }
    int order = compare_fields(FIELD_FILE, FIELD_ACCESS, finding, &parties[0], finding,
                               &parties[1], WEIRI_IDENTITY_PLACES);
    for (size_t dim = 0; order == 0 && dim < 3; dim++) {
        order = compare_numbers(parties[0].group[dim], parties[1].group[dim]);
    }
    for (size_t dim = 0; order == 0 && dim < 3; dim++) {
        order = compare_numbers(parties[0].item[dim], parties[1].item[dim]);
    }
    if (order > 0) {
        struct weir_party first = parties[0];
        parties[0] = parties[1];
        parties[1] = first;
    }
}

/* ---- The key --------------------------------------------------------------------- */

/* Fields @first to @last that count. */
static char *fields_text(enum field first, enum field last, const char *between,
                         const struct weir_finding *finding,
                         const struct weir_party *party)
{
    GString *text = g_string_new(NULL);
    for (enum field field = first; field <= last; field++) {
        if (last_levels[field] == WEIRI_IDENTITY_TEXT) {
            struct piece piece = piece_of(field, finding, party, WEIRI_IDENTITY_TEXT);
            g_string_append(text, field > first ? between : "");
            g_string_append(text, piece.before);
            g_string_append_len(text, piece.text, (gssize)piece.n);
        }
    }
    return g_string_free(text, FALSE);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *weiri_finding_key(const struct weir_finding *finding)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < finding->n_parties; i++) {
        g_ptr_array_add(
            lines,
            fields_text(FIELD_FILE, FIELD_SCOPE, "\t", finding, &finding->parties[i]));
    }
    g_ptr_array_sort(lines, compare_texts);
    g_ptr_array_insert(lines, 0,
                       fields_text(FIELD_KIND, FIELD_NOTE, "\n", finding, NULL));
    g_ptr_array_add(lines, NULL);
    /* JSON replaces bytes that are not UTF-8: a finding that is read back has the same
     * key. */
    g_autofree char *key = g_strjoinv("\n", (char **)lines->pdata);
    return g_utf8_make_valid(key, -1);
}

char *weiri_finding_fingerprint(const struct weir_finding *finding)
{
    g_autofree char *key = weiri_finding_key(finding);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
}
