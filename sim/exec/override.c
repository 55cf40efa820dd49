/* SPDX-License-Identifier: MIT
 *
 * override.c: see override.h. A text is a list of places with words: an order, or two
 * joined by a slash, of a compare-exchange that succeeds and of one that fails; a
 * scope; the memories that a barrier orders. */
#include "config.h"

#include "exec/override.h"

#include "exec/mode.h"
#include "finding/names.h"
#include "finding/symbols.h"

#include <string.h>

struct override {
    char *file;
    size_t file_bytes;
    uint32_t line;
    int order, failure, scope, spaces; /* -1: as in the source */
};

/* Where code of C11's own atomics is, which have no site. */
struct place {
    const char *file; /* or NULL */
    uint32_t line;
};

struct weiri_overrides {
    GArray *all;        /* of struct override */
    GHashTable *places; /* by return address: struct place; owned */
};

/* ---- The text -------------------------------------------------------------------- */

static int order_named(const char *name)
{
    static const memory_order orders[]
        = { memory_order_relaxed, memory_order_consume, memory_order_acquire,
            memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (strcmp(name, weiri_order_name(orders[i])) == 0) {
            return (int)orders[i];
        }
    }
    return -1;
}

static int scope_named(const char *name)
{
    for (int scope = memory_scope_sub_group; scope <= (int)memory_scope_system;
         scope++) {
        if (strcmp(name, weiri_scope_name((unsigned)scope)) == 0) {
            return scope;
        }
    }
    return -1;
}

static bool read_order(const char *word, struct override *to)
{
    g_auto(GStrv) halves = g_strsplit(word, "/", 3);
    to->order = halves[0] != NULL ? order_named(halves[0]) : -1;
    to->failure = halves[0] != NULL && halves[1] != NULL ? order_named(halves[1]) : -1;
    return to->order >= 0
        && (halves[1] == NULL || (to->failure >= 0 && halves[2] == NULL));
}

static bool read_spaces(const char *word, struct override *to)
{
    int space = strcmp(word, "local") == 0 ? WEIR_LOCAL
        : strcmp(word, "global") == 0      ? WEIR_GLOBAL
        : strcmp(word, "none") == 0        ? 0
                                           : -1;
    if (space >= 0) {
        to->spaces = MAX(to->spaces, 0) | space;
    }
    return space >= 0;
}

/* "acq_rel/acquire+device"; @whole: what messages show */
static bool read_words(const char *text, const char *whole, struct override *to,
                       GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, "+", -1);
    for (size_t i = 0; words[i] != NULL; i++) {
        int scope = scope_named(words[i]);
        if (scope >= 0) {
            to->scope = scope;
        } else if (!read_spaces(words[i], to) && !read_order(words[i], to)) {
            g_set_error(
                error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "order '%s': '%s' is not a memory order: give relaxed, acquire, "
                "release, acq_rel or seq_cst; or a scope, or local, global or none of "
                "a barrier",
                whole, words[i]);
            return false;
        }
    }
    return words[0] != NULL;
}

/* Reads what @text begins with. Returns: the text after it, or NULL */
static const char *read_one(const char *text, struct override *to, GError **error)
{
    g_autoptr(GRegex) form
        = g_regex_new("^(.+?):([1-9][0-9]{0,8})=([a-z_/+]+)(?:,|$)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(form, text, 0, &match)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "order '%s' is not of the form FILE:LINE=ORDER, such as "
                    "tree.c:20=acq_rel",
                    text);
        return NULL;
    }
    int end;
    g_autofree char *digits = g_match_info_fetch(match, 2);
    g_autofree char *words = g_match_info_fetch(match, 3);
    g_match_info_fetch_pos(match, 0, NULL, &end);
    *to = (struct override){ .file = g_match_info_fetch(match, 1),
                             .line = (uint32_t)g_ascii_strtoull(digits, NULL, 10),
                             .order = -1,
                             .failure = -1,
                             .scope = -1,
                             .spaces = -1 };
    to->file_bytes = strlen(to->file);
    return read_words(words, text, to, error) ? text + end : NULL;
}

static void clear_override(void *data)
{
    g_free(((struct override *)data)->file);
}

struct weiri_overrides *weiri_overrides_new(const char *text, GError **error)
{
    struct weiri_overrides *overrides = g_new(struct weiri_overrides, 1);
    overrides->all = g_array_new(FALSE, FALSE, sizeof(struct override));
    g_array_set_clear_func(overrides->all, clear_override);
    overrides->places = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    do {
        struct override one = { .file = NULL };
        text = read_one(text, &one, error);
        g_array_append_val(overrides->all, one);
    } while (text != NULL && *text != '\0');
    if (text == NULL) {
        g_clear_pointer(&overrides, weiri_overrides_free);
    }
    return overrides;
}

void weiri_overrides_free(struct weiri_overrides *overrides)
{
    if (overrides != NULL) {
        g_array_unref(overrides->all);
        g_hash_table_unref(overrides->places);
        g_free(overrides);
    }
}

/* ---- Places ---------------------------------------------------------------------- */

struct question {
    const struct weiri_launch *launch;
    const void *pc;
    struct place *place;
};

static void ask(void *data)
{
    struct question *question = data;
    question->place->line
        = question->launch->symbols->line(question->pc, &question->place->file);
}

/* The place of code without a site, which is looked for once. */
static const struct place *place_of(struct weiri_worker *worker, const void *pc)
{
    struct weiri_overrides *overrides = worker->launch->overrides;
    struct place *place = g_hash_table_lookup(overrides->places, pc);
    if (place == NULL) {
        place = g_new0(struct place, 1);
        struct question question = { worker->launch, pc, place };
        weiri_mode_call(worker, ask, &question);
        g_hash_table_insert(overrides->places, (void *)pc, place);
    }
    return place;
}

/* FILE may leave out folders. */
static bool is_of(const struct override *override, const char *file, uint32_t line)
{
    size_t bytes = file != NULL ? strlen(file) : 0;
    if (line != override->line || bytes < override->file_bytes) {
        return false;
    }
    const char *tail = file + bytes - override->file_bytes;
    return memcmp(tail, override->file, override->file_bytes) == 0
        && (tail == file || tail[-1] == '/');
}

/* ---- Operations ------------------------------------------------------------------ */

/* The part of an order that an operation may have. */
static memory_order allowed(memory_order order, bool acquires, bool releases)
{
    switch (order) {
    case memory_order_acq_rel:
        return acquires && releases ? order
            : acquires              ? memory_order_acquire
                                    : memory_order_release;
    case memory_order_acquire:
    case memory_order_consume:
        return acquires ? order : memory_order_relaxed;
    case memory_order_release:
        return releases ? order : memory_order_relaxed;
    default:
        return order;
    }
}

static void change(const struct override *override, struct weiri_atomic_op *op)
{
    if (override->order >= 0) {
        int failure = override->failure >= 0 ? override->failure : override->order;
        op->order
            = allowed((memory_order) override->order, op->kind != WEIRI_ATOMIC_STORE,
                      op->kind != WEIRI_ATOMIC_LOAD);
        op->failure = allowed((memory_order)failure, true, false);
    }
    if (override->scope >= 0) {
        op->scope = (memory_scope) override->scope;
    }
}

void weiri_override_atomic(struct weiri_worker *worker, struct weiri_atomic_op *op)
{
    const struct weiri_overrides *overrides = worker->launch->overrides;
    struct place at = { NULL, 0 };
    if (op->site != NULL) {
        at = (struct place){ op->site->file, op->site->line };
    } else if (op->pc != NULL) {
        at = *place_of(worker, op->pc);
    }
    for (guint i = 0; i < overrides->all->len; i++) {
        const struct override *override
            = &g_array_index(overrides->all, struct override, i);
        if (is_of(override, at.file, at.line)) {
            change(override, op);
        }
    }
}

uint64_t weiri_override_barrier(const struct weiri_worker *worker, uint64_t op,
                                const struct weir_site *site)
{
    const struct weiri_overrides *overrides = worker->launch->overrides;
    for (guint i = 0; i < overrides->all->len && WEIRI_OP_KIND(op) == WEIRI_BARRIER;
         i++) {
        const struct override *override
            = &g_array_index(overrides->all, struct override, i);
        if (is_of(override, site->file, site->line)) {
            unsigned scope = override->scope >= 0 ? (unsigned) override->scope
                                                  : (unsigned)WEIRI_OP_SCOPE(op);
            unsigned flags = override->spaces >= 0 ? (unsigned) override->spaces
                                                   : WEIRI_OP_FLAGS(op);
            op = WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_OP_LEVEL(op), scope,
                          flags, WEIRI_OP_ARGUMENT(op));
        }
    }
    return op;
}
