/* SPDX-License-Identifier: MIT
 *
 * cuda-atomic.c: see cuda-change.h. The older atomics of CUDA are relaxed, and their
 * scope is a part of their name; what orders other memory is a fence beside them. An
 * access to volatile memory is like a relaxed atomic load or store. Regular expressions
 * over the text: a wrong guess is a change that does not compile, or that the trial
 * refuses. */
#include "config.h"

#include "repair/cuda-change.h"

#include "repair/kernel-names.h"

#include <string.h>

enum { WARP = 32 };

const char *weiri_cuda_fence(const struct weir_finding *finding)
{
    return weiri_is_between_groups(finding) ? "__threadfence()"
                                            : "__threadfence_block()";
}

/* ---- Warps ----------------------------------------------------------------------- */

bool weiri_cuda_is_in_warp(const struct weiri_source *source,
                           const struct weir_finding *finding)
{
    if (!weiri_source_is_cuda(source) || finding->n_parties < 2
        || weiri_is_between_groups(finding)) {
        return false;
    }
    /* A thread's x is the last number; only a block of one dimension is sure. */
    const struct weir_party *a = &finding->parties[0], *b = &finding->parties[1];
    return a->item[1] == 0 && b->item[1] == 0 && a->item[2] == 0 && b->item[2] == 0
        && a->item[0] / WARP == b->item[0] / WARP;
}

/* ---- Plain accesses -------------------------------------------------------------- */

/* A pointer to what the expression names. Returns: (transfer full) */
static char *pointer_to(const char *lvalue)
{
    char *pointer = weiri_names_match("^\\*\\s*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)$",
                                      NULL, lvalue);
    return pointer != NULL ? pointer : g_strconcat("&", lvalue, NULL);
}

/* The types that the functions have, and those that have the same bits. */
enum form { INTEGER, LONG_INTEGER, AS_LONG, REAL };
static const struct {
    const char *type;
    enum form form;
} types[] = {
    { "int", INTEGER },
    { "unsigned", INTEGER },
    { "unsigned int", INTEGER },
    { "int32_t", INTEGER },
    { "uint32_t", INTEGER },
    { "uint", INTEGER },
    { "unsigned long long", LONG_INTEGER },
    { "unsigned long long int", LONG_INTEGER },
    { "long", AS_LONG },
    { "long long", AS_LONG },
    { "unsigned long", AS_LONG },
    { "size_t", AS_LONG },
    { "int64_t", AS_LONG },
    { "uint64_t", AS_LONG },
    { "float", REAL },
    { "double", REAL },
};

/* A type that is not known is taken for one of them: the compiler says more. */
static enum form form_of(const struct weiri_source *source, uint32_t function,
                         const char *lvalue)
{
    g_autofree char *type = weiri_names_type_of(source, function, lvalue);
    for (size_t i = 0; type != NULL && i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].type, type) == 0) {
            return types[i].form;
        }
    }
    return INTEGER;
}

char *weiri_cuda_update(const struct weiri_source *source, uint32_t function,
                        const char *lvalue, const char *name, const char *value,
                        const char *order)
{
    static const struct {
        const char *name, *function;
        bool of_real;
    } functions[] = { { "add", "atomicAdd", true },  { "sub", "atomicSub", true },
                      { "min", "atomicMin", false }, { "max", "atomicMax", false },
                      { "and", "atomicAnd", false }, { "or", "atomicOr", false },
                      { "xor", "atomicXor", false } };
    enum form form = form_of(source, function, lvalue);
    g_autofree char *pointer = pointer_to(lvalue);
    const char *by = value != NULL && *value != '\0' ? value : "1";
    const char *cast = form == AS_LONG ? "(unsigned long long *)" : "";
    if (strcmp(order, "relaxed") != 0) {
        return NULL;
    }
    if (strcmp(name, "sub") == 0 && form != INTEGER) {
        return g_strdup_printf("atomicAdd(%s%s, -(%s))", cast, pointer, by);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (strcmp(functions[i].name, name) == 0) {
            bool compares = name[0] == 'm';
            return (form == REAL && !functions[i].of_real)
                    || (form == AS_LONG && compares)
                ? NULL
                : g_strdup_printf("%s(%s%s, %s)", functions[i].function, cast, pointer,
                                  by);
        }
    }
    return NULL;
}

char *weiri_cuda_load(const char *lvalue)
{
    g_autofree char *pointer = pointer_to(lvalue);
    return g_strdup_printf("atomicAdd(%s, 0)", pointer);
}

void weiri_cuda_suggest_store(struct weiri_search *search,
                              const struct weiri_anchor *anchor, unsigned cost)
{
    const struct weiri_source *source = anchor->source;
    struct weiri_range range = weiri_statement_range(source, anchor->statement);
    g_autofree char *text = weiri_text_of(source, range);
    g_autoptr(GRegex) regex = g_regex_new(
        "^([A-Za-z_*][^=;{}()<>!+*/%&|^-]*?)\\s*=(?!=)\\s*([^;{}]+);$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (weiri_source_at(source, anchor->statement)->kind != WEIRI_STATEMENT_SIMPLE
        || !g_regex_match(regex, text, 0, &match)) {
        return;
    }
    g_autofree char *lvalue = g_match_info_fetch(match, 1);
    g_autofree char *value = g_match_info_fetch(match, 2);
    g_autofree char *pointer = pointer_to(lvalue);
    /* It publishes, as the plain write was meant to; or it is only one value. */
    for (int plain = 0; plain < 2; plain++) {
        char *to = g_strdup_printf("%s%satomicExch(%s, %s);",
                                   plain ? "" : weiri_cuda_fence(search->finding),
                                   plain ? "" : "; ", pointer, value);
        GArray *edits = weiri_edits_new();
        weiri_edit_add(edits, range.begin, range.end, to);
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_MAKE_ATOMIC,
            .file = anchor->file,
            .line = weiri_source_line_of(source, range.begin),
            .from = g_strdup(text),
            .to = to,
            .title = g_strdup_printf("make the store atomic, '%s', at", to),
            .cost = cost + (unsigned)plain,
            .edits = edits,
        };
        weiri_search_add(search, &draft);
    }
}

/* ---- Scopes ---------------------------------------------------------------------- */

/* The name of the same function at a wider scope. Returns: (transfer full): or NULL */
static char *wider_name(const char *name)
{
    static const char suffix[] = "_block";
    return g_str_has_suffix(name, suffix)
        ? g_strndup(name, strlen(name) - strlen(suffix))
        : NULL;
}

static void add_wider(struct weiri_search *search, const char *file, uint32_t line,
                      const char *from, const char *to, unsigned n, GArray *edits,
                      unsigned cost)
{
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_WIDEN_SCOPE,
        .file = file,
        .line = line,
        .from = n == 1 ? g_strdup(from) : NULL,
        .to = g_strdup(to),
        .title = n == 1 ? g_strdup_printf("%s() instead of %s() at", to, from)
                        : g_strdup_printf("%s(), and the scope of the device in %u "
                                          "operations, the first at",
                                          to, n),
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* The calls of a file whose name ends in "_block": each, and all of them. */
static void suggest_wider_in(struct weiri_search *search, const char *file,
                             const struct weiri_source *source, unsigned cost)
{
    static const char *const names[] = { "atomic*", "__threadfence_block" };
    const struct weiri_range whole = { 0, weiri_source_at(source, 0)->end };
    GArray *all = weiri_edits_new();
    g_autofree char *first = NULL;
    uint32_t first_line = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
        struct weiri_call call;
        for (uint32_t i = 0; weiri_source_call(source, whole, names[k], i, &call);
             i++) {
            g_autofree char *from = weiri_text_of(source, call.name);
            g_autofree char *to = wider_name(from);
            uint32_t line = weiri_source_line_of(source, call.name.begin);
            if (to != NULL) {
                GArray *edits = weiri_edits_new();
                weiri_edit_add(edits, call.name.begin, call.name.end, to);
                weiri_edit_add(all, call.name.begin, call.name.end, to);
                bool named = weiri_finding_names(search->finding, file, line, line);
                add_wider(search, file, line, from, to, 1, edits,
                          cost + (named ? 0 : 4));
                first_line = first == NULL ? line : first_line;
                first = first == NULL ? g_strdup(to) : first;
            }
            weiri_call_clear(&call);
        }
    }
    if (all->len > 1) {
        add_wider(search, file, first_line, NULL, first, all->len, all, cost + 6);
    } else {
        g_array_unref(all);
    }
}

/* The sources in CUDA in which the finding's parties are. Calls @suggest for each. */
static void for_sources(struct weiri_search *search, unsigned cost,
                        void (*suggest)(struct weiri_search *, const char *,
                                        const struct weiri_source *, unsigned))
{
    const struct weir_finding *finding = search->finding;
    const struct weiri_source *done = NULL;
    for (size_t p = 0; p < finding->n_parties; p++) {
        const char *file = finding->parties[p].file;
        const struct weiri_source *source = weiri_sources_get(search->sources, file);
        if (source != NULL && source != done && weiri_source_is_cuda(source)) {
            suggest(search, g_intern_string(file), source, cost);
            done = source;
        }
    }
}

void weiri_cuda_suggest_wider(struct weiri_search *search, unsigned cost)
{
    if (weiri_is_between_groups(search->finding)) {
        for_sources(search, cost, suggest_wider_in);
    }
}

/* ---- Fences ---------------------------------------------------------------------- */

/* A statement that reads or writes what orders others. */
struct place {
    uint32_t statement;
    bool acquires, releases;
    char *object; /* owned */
};

enum { MOST_PLACES = 16, MOST_PAIRS = 8 };

static struct weiri_range own_range(const struct weiri_source *source,
                                    uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    return (struct weiri_range){ at->start,
                                 at->kind == WEIRI_STATEMENT_SIMPLE ? at->end
                                                                    : at->head_end };
}

/* The names that the file declares volatile. Returns: (transfer full): of char * */
static GPtrArray *volatile_names(const struct weiri_source *source)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GRegex) regex = g_regex_new(
        "\\bvolatile\\b[\\w\\s]*[\\s*](?:__restrict__\\s+)?([A-Za-z_]\\w*)\\s*[,;)=[]",
        0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, weiri_source_text(source, NULL), 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_ptr_array_add(names, g_match_info_fetch(match, 1));
    }
    return names;
}

static bool is_atomic_place(const struct weiri_source *source, uint32_t statement,
                            struct place *place)
{
    struct weiri_call call;
    struct weiri_range own = own_range(source, statement);
    if (!weiri_source_call(source, own, "atomic*", 0, &call)) {
        return false;
    }
    g_autofree char *text = call.n_arguments > 1
        ? weiri_text_of(source, call.arguments[0])
        : g_strdup("");
    enum weiri_statement_kind kind = weiri_source_at(source, statement)->kind;
    *place = (struct place){
        .statement = statement,
        .acquires = kind != WEIRI_STATEMENT_SIMPLE || call.all.begin > own.begin,
        .releases = kind != WEIRI_STATEMENT_LOOP,
        .object
        = weiri_names_match("^[&*\\s(]*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)", NULL, text),
    };
    weiri_call_clear(&call);
    return place->object != NULL;
}

static bool is_volatile_place(const struct weiri_source *source, uint32_t statement,
                              const GPtrArray *names, struct place *place)
{
    g_autofree char *text = weiri_text_of(source, own_range(source, statement));
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        if (!weiri_names_matches("(?<![\\w.>])@\\b", name, text)
            || weiri_names_matches("\\bvolatile\\b[^=;]*\\b@\\b", name, text)) {
            continue;
        }
        bool writes = weiri_names_matches("^\\*?\\s*@\\s*(?:\\[[^=;]*\\])?\\s*=(?!=)",
                                          name, text);
        *place = (struct place){ .statement = statement,
                                 .acquires = !writes,
                                 .releases = writes,
                                 .object = g_strdup(name) };
        return true;
    }
    return false;
}

/* Whether the statement beside it, or it itself, has a fence or a barrier. */
static bool is_fence(const struct weiri_source *source, uint32_t statement)
{
    if (statement == WEIRI_STATEMENT_NONE) {
        return false;
    }
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, statement));
    return strstr(text, "__threadfence") != NULL || strstr(text, "_fence") != NULL;
}

static uint32_t before(const struct weiri_source *source, uint32_t statement)
{
    uint32_t found = WEIRI_STATEMENT_NONE;
    uint32_t parent = weiri_source_at(source, statement)->parent;
    for (uint32_t i = weiri_source_at(source, parent)->first_child; i != statement;
         i = weiri_source_at(source, i)->next) {
        found = i;
    }
    return found;
}

/* Adds a fence that the place lacks: before what publishes, or after a wait. In a
 * branch that tests what an atomic has returned, it is the branch's first statement.
 * Returns: whether it does */
static bool add_fence(GArray *edits, const struct weiri_source *source,
                      const struct place *place, bool releases, const char *line)
{
    uint32_t statement = place->statement;
    const struct weiri_statement *at = weiri_source_at(source, statement);
    if (releases) {
        if (is_fence(source, before(source, statement))) {
            return false;
        }
        weiri_edit_insert_before(edits, source, statement, line);
        return true;
    }
    if (at->kind == WEIRI_STATEMENT_IF) {
        uint32_t arm = at->first_child;
        if (arm == WEIRI_STATEMENT_NONE
            || is_fence(source, weiri_source_at(source, arm)->first_child)) {
            return false;
        }
        weiri_edit_insert_before(edits, source, arm, line);
        return true;
    }
    if (is_fence(source, at->next)) {
        return false;
    }
    weiri_edit_insert_after(edits, source, statement, line);
    return true;
}

/* The line that a fence after the place follows: in a branch, that of the condition. */
static uint32_t line_before(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    return at->kind == WEIRI_STATEMENT_IF
        ? weiri_source_line_of(source, at->head_end - 1)
        : at->last_line;
}

static void add_fences(struct weiri_search *search, const char *file,
                       const struct weiri_source *source, const struct place *releases,
                       const struct place *acquires, unsigned cost)
{
    const char *fence = weiri_cuda_fence(search->finding);
    g_autofree char *line = g_strconcat(fence, ";", NULL);
    GArray *edits = weiri_edits_new();
    bool first = releases != NULL && add_fence(edits, source, releases, true, line);
    bool second = acquires != NULL && add_fence(edits, source, acquires, false, line);
    if (!first && !second) {
        g_array_unref(edits);
        return;
    }
    char *title = first && second
        ? g_strdup_printf("insert %s after line %" PRIu32 ", and before", fence,
                          line_before(source, acquires->statement))
        : g_strdup_printf("insert %s %s", fence, first ? "before" : "after");
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_ADD_FENCE,
        .file = file,
        .line = first ? weiri_source_at(source, releases->statement)->first_line
                      : line_before(source, acquires->statement),
        .title = title,
        .to = g_steal_pointer(&line),
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

static size_t find_places(const struct weiri_source *source, struct place *places)
{
    size_t n = 0;
    g_autoptr(GPtrArray) names = volatile_names(source);
    for (uint32_t i = 1; i < weiri_source_n(source) && n < MOST_PLACES; i++) {
        enum weiri_statement_kind kind = weiri_source_at(source, i)->kind;
        if ((kind == WEIRI_STATEMENT_SIMPLE || kind == WEIRI_STATEMENT_LOOP
             || kind == WEIRI_STATEMENT_IF)
            && weiri_source_enclosing(source, i, WEIRI_STATEMENT_FUNCTION)
                != WEIRI_STATEMENT_NONE) {
            n += is_atomic_place(source, i, &places[n])
                || is_volatile_place(source, i, names, &places[n]);
        }
    }
    return n;
}

static void suggest_fences_in(struct weiri_search *search, const char *file,
                              const struct weiri_source *source, unsigned cost)
{
    struct place places[MOST_PLACES];
    size_t n = find_places(source, places), pairs = 0;
    for (size_t r = 0; r < n; r++) {
        for (size_t a = 0; a < n && places[r].releases && pairs < MOST_PAIRS; a++) {
            if (places[a].acquires && strcmp(places[a].object, places[r].object) == 0) {
                add_fences(search, file, source, &places[r], &places[a], cost);
                pairs++;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        g_free(places[i].object);
    }
}

void weiri_cuda_suggest_fences(struct weiri_search *search, unsigned cost)
{
    for_sources(search, cost, suggest_fences_in);
}
