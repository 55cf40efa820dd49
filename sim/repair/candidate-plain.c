/* SPDX-License-Identifier: MIT
 *
 * candidate-plain.c: plain accesses made atomic, where that can be the repair: a
 * read-modify-write whose update is lost, and a load that a loop polls. Elsewhere an
 * atomic would silence the report and leave the order of the two accesses open. An
 * atomic load and an atomic store that were meant as one operation lose updates as
 * well. */
#include "config.h"

#include "repair/cuda-change.h"
#include "repair/opencl-text.h"
#include "repair/sycl-change.h"
#include "repair/words.h"

#include <string.h>

enum {
    COST_ATOMIC = 15,
    COST_LOST = 30, /* of an atomic load and an atomic store */
};

/* ---- Updates --------------------------------------------------------------------- */

static const char *scope_for(const struct weir_finding *finding)
{
    return g_strcmp0(finding->space, "local") == 0 ? "work_group" : "device";
}

/* A pointer to what the expression @lvalue names. Returns: (transfer full) */
static char *address_of(const char *lvalue)
{
    g_autoptr(GRegex) pointer
        = g_regex_new("^\\*\\s*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(pointer, lvalue, 0, &match) ? g_match_info_fetch(match, 1)
                                                     : g_strconcat("&", lvalue, NULL);
}

/* Bytes of a statement's own text: of a compound one its head. */
static struct weiri_range own_range(const struct weiri_source *source,
                                    uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    return (struct weiri_range){ at->start,
                                 at->kind == WEIRI_STATEMENT_SIMPLE ? at->end
                                                                    : at->head_end };
}

/* An operation for the lvalue in a match, with the value in it. */
struct operation {
    const struct weiri_search *search;
    const struct weiri_anchor *anchor;
    const char *name, *order;
    bool is_used; /* its value */
};

static struct weiri_opencl_atomic opencl_atomic(const struct weiri_search *search,
                                                const struct weiri_anchor *anchor,
                                                const char *order)
{
    return (struct weiri_opencl_atomic){
        .source = anchor->source,
        .function = anchor->function,
        .version = weiri_sources_opencl(search->sources),
        .space = search->finding->space,
        .order = order,
        .scope = scope_for(search->finding),
    };
}

/* Returns: (transfer full): or NULL if no such operation exists */
static char *operation_text(const GMatchInfo *match, const struct operation *operation)
{
    g_autofree char *lvalue = g_match_info_fetch_named(match, "lv");
    g_autofree char *value = g_match_info_fetch_named(match, "v");
    g_strstrip(lvalue);
    if (value != NULL) {
        g_strstrip(value);
    }
    const struct weiri_source *source = operation->anchor->source;
    const char *scope = scope_for(operation->search->finding);
    if (weiri_source_is_sycl(source)) {
        return weiri_sycl_update(source, lvalue, operation->name, value,
                                 operation->is_used, operation->order, scope);
    }
    if (weiri_source_is_opencl(source)) {
        const struct weiri_opencl_atomic atomic
            = opencl_atomic(operation->search, operation->anchor, operation->order);
        return weiri_opencl_update(&atomic, lvalue, operation->name, value);
    }
    if (weiri_source_is_cuda(source)) {
        return weiri_cuda_update(source, operation->anchor->function, lvalue,
                                 operation->name, value, operation->order);
    }
    g_autofree char *pointer = address_of(lvalue);
    return g_strdup_printf(
        "weir_atomic_fetch_%s_explicit(%s, %s, memory_order_%s, memory_scope_%s)",
        operation->name, pointer, value != NULL && *value != '\0' ? value : "1",
        operation->order, scope);
}

/* Whether what is added is of the same memory: "a[i] += a[k]" is a step of a tree. */
static bool is_step(const GMatchInfo *match)
{
    g_autofree char *lvalue = g_match_info_fetch_named(match, "lv");
    g_autofree char *value = g_match_info_fetch_named(match, "v");
    const char *begin = lvalue + strspn(lvalue, "*( \t");
    size_t n = 0;
    while (g_ascii_isalnum(begin[n]) || begin[n] == '_') {
        n++;
    }
    g_autofree char *pattern = g_strdup_printf("\\b%.*s\\s*\\[", (int)n, begin);
    return n > 0 && value != NULL && g_regex_match_simple(pattern, value, 0, 0);
}

/* A form of a statement, and the operation that it becomes. */
struct form {
    const char *pattern, *name;
};

/* The first of @forms that @text has, as an atomic operation.
 * Returns: (transfer full): or NULL */
static char *atomic_text(const struct form *forms, const char *text,
                         struct operation operation)
{
    for (; forms->pattern != NULL; forms++) {
        g_autoptr(GRegex) regex = g_regex_new(forms->pattern, 0, 0, NULL);
        g_autoptr(GMatchInfo) match = NULL;
        if (g_regex_match(regex, text, 0, &match)) {
            operation.name = forms->name;
            const struct weiri_source *source = operation.anchor->source;
            bool others = weiri_source_is_cpp(source) || weiri_source_is_opencl(source);
            return others && is_step(match) ? NULL : operation_text(match, &operation);
        }
    }
    return NULL;
}

#define TARGET "^(?<lv>[^=;{}]*?[^=;{}+\\-&|^<>!*/%\\s])\\s*"
#define VALUE "\\s*(?<v>[^;{}]+);$"

/* "a[i] += v", "a[i]++", "++*p", "a[i] = a[i] + v". */
static const struct form updates[] = {
    { TARGET "\\+=" VALUE, "add" },
    { TARGET "-=" VALUE, "sub" },
    { TARGET "\\|=" VALUE, "or" },
    { TARGET "&=" VALUE, "and" },
    { TARGET "\\^=" VALUE, "xor" },
    { "^(?<lv>[^=;{}()]+?)\\s*\\+\\+\\s*(?<v>);$", "add" },
    { "^(?<lv>\\w[\\w.>-]*\\[[^;{}]*\\])\\s*\\+\\+\\s*(?<v>);$", "add" },
    { "^\\(\\s*(?<lv>\\*[^=;{}()]+?)\\s*\\)\\s*\\+\\+\\s*(?<v>);$", "add" },
    { "^\\+\\+\\s*(?<lv>[^=;{}]+?)\\s*(?<v>);$", "add" },
    { "^(?<lv>[^=;{}()]+?)\\s*--\\s*(?<v>);$", "sub" },
    { "^(?<lv>\\w[\\w.>-]*\\[[^;{}]*\\])\\s*--\\s*(?<v>);$", "sub" },
    { "^--\\s*(?<lv>[^=;{}]+?)\\s*(?<v>);$", "sub" },
    { "^(?<lv>[^=;{}]+?)\\s*=\\s*\\k<lv>\\s*\\+" VALUE, "add" },
    { "^(?<lv>[^=;{}]+?)\\s*=\\s*\\k<lv>\\s*-\\s*(?<v>[^;{}+\\-]+);$", "sub" },
    { NULL, NULL },
};

#define IF "^if\\s*\\(\\s*"
#define THEN "\\s*\\)\\s*\\{?\\s*\\k<lv>\\s*=\\s*\\k<v>\\s*;\\s*\\}?$"
#define LVALUE "(?<lv>(?:[^=;{}<>?]|->)+?)"
#define OTHER "(?<v>(?:[^=;{}<>?]|->)+?)"
#define MAX_CALL "(?:[fiu]?max[fl]?|MAX)"
#define MIN_CALL "(?:[fiu]?min[fl]?|MIN)"
#define CHOICE "^" LVALUE "\\s*=\\s*\\(?\\s*"

/* "if (v > *p) *p = v;", "*p = *p > v ? *p : v", "*p = max(*p, v)". */
static const struct form extremes[] = {
    { IF OTHER "\\s*>=?\\s*" LVALUE THEN, "max" },
    { IF OTHER "\\s*<=?\\s*" LVALUE THEN, "min" },
    { IF LVALUE "\\s*<=?\\s*" OTHER THEN, "max" },
    { IF LVALUE "\\s*>=?\\s*" OTHER THEN, "min" },
    { CHOICE "\\k<lv>\\s*>=?\\s*" OTHER "\\)?\\s*\\?\\s*\\k<lv>\\s*:\\s*\\k<v>\\s*;$",
      "max" },
    { CHOICE "\\k<lv>\\s*<=?\\s*" OTHER "\\)?\\s*\\?\\s*\\k<lv>\\s*:\\s*\\k<v>\\s*;$",
      "min" },
    { CHOICE OTHER "\\s*>=?\\s*\\k<lv>\\s*\\)?\\s*\\?\\s*\\k<v>\\s*:\\s*\\k<lv>\\s*;$",
      "max" },
    { CHOICE OTHER "\\s*<=?\\s*\\k<lv>\\s*\\)?\\s*\\?\\s*\\k<v>\\s*:\\s*\\k<lv>\\s*;$",
      "min" },
    { CHOICE MAX_CALL "\\(\\s*\\k<lv>\\s*,\\s*" OTHER "\\s*\\)\\s*;$", "max" },
    { CHOICE MIN_CALL "\\(\\s*\\k<lv>\\s*,\\s*" OTHER "\\s*\\)\\s*;$", "min" },
    { CHOICE MAX_CALL "\\(\\s*" OTHER "\\s*,\\s*\\k<lv>\\s*\\)\\s*;$", "max" },
    { CHOICE MIN_CALL "\\(\\s*" OTHER "\\s*,\\s*\\k<lv>\\s*\\)\\s*;$", "min" },
    { NULL, NULL },
};

#undef TARGET
#undef VALUE
#undef IF
#undef THEN
#undef LVALUE
#undef OTHER
#undef MAX_CALL
#undef MIN_CALL
#undef CHOICE

/* @also: a statement that goes, too; or NONE */
static void add_atomic(struct weiri_search *search, const struct weiri_anchor *anchor,
                       struct weiri_range range, char *to, const char *what,
                       char *missing, unsigned cost, uint32_t also)
{
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, range.begin, range.end, to);
    if (also != WEIRI_STATEMENT_NONE) {
        weiri_edit_remove(edits, anchor->source, also);
    }
    static const char strong[] = "memory_order_acq_rel";
    bool may_be_weaker = strstr(to, strong) != NULL;
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_MAKE_ATOMIC,
        .strong = may_be_weaker ? g_strdup(strong) : NULL,
        .weaker = may_be_weaker
            ? g_strsplit("memory_order_relaxed memory_order_release "
                         "memory_order_acquire",
                         " ", -1)
            : NULL,
        .file = anchor->file,
        .line = weiri_source_line_of(anchor->source, range.begin),
        .from = weiri_text_of(anchor->source, range),
        .to = to,
        .title = g_strdup_printf("make the %s, '%s', at", what, to),
        .missing = missing,
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

static const char UPDATE[] = "read-modify-write atomic";

/* The update is the whole statement, or the branch around it. */
static bool suggest_statement(struct weiri_search *search,
                              const struct weiri_anchor *anchor, uint32_t statement,
                              const struct form *forms)
{
    struct weiri_range range = weiri_statement_range(anchor->source, statement);
    g_autofree char *text = weiri_text_of(anchor->source, range);
    g_autofree char *to = atomic_text(
        forms, text,
        (struct operation){ .search = search, .anchor = anchor, .order = "relaxed" });
    if (to == NULL) {
        return false;
    }
    add_atomic(search, anchor, range, g_strconcat(to, ";", NULL), UPDATE, NULL,
               COST_ATOMIC, WEIRI_STATEMENT_NONE);
    return true;
}

/* An order for an update whose value is used: it may order what follows. */
static const struct {
    const char *name;
    unsigned cost;
} used_orders[] = { { "relaxed", 0 }, { "acq_rel", 2 } };

/* "i = a[k]++": in an expression. */
static void suggest_steps(struct weiri_search *search,
                          const struct weiri_anchor *anchor)
{
#define NAME "[A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*"
#define STEPPED                                                                        \
    "(?:\\(\\s*(?<lv>\\*\\s*" NAME ")\\s*\\)|(?<lv>" NAME "\\[[^][]*\\]|[A-Za-z_]\\w*" \
    "(?:(?:->|\\.)\\w+)+))"
    static const struct {
        const char *pattern, *name, *after;
    } steps[] = {
        { "(?<![\\w.>*&])" STEPPED "\\s*\\+\\+", "add", "" },
        { "(?<![\\w.>*&])" STEPPED "\\s*--", "sub", "" },
        { "\\+\\+\\s*(?:" STEPPED "|(?<lv>\\*\\s*" NAME "))", "add", " + 1" },
        { "--\\s*(?:" STEPPED "|(?<lv>\\*\\s*" NAME "))", "sub", " - 1" },
    };
#undef STEPPED
#undef NAME
    struct weiri_range own = own_range(anchor->source, anchor->statement);
    g_autofree char *text = weiri_text_of(anchor->source, own);
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_autoptr(GRegex) regex
            = g_regex_new(steps[i].pattern, G_REGEX_DUPNAMES, 0, NULL);
        g_autoptr(GMatchInfo) match = NULL;
        g_regex_match(regex, text, 0, &match);
        for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
            int begin, end;
            g_match_info_fetch_pos(match, 0, &begin, &end);
            struct weiri_range range
                = { own.begin + (size_t)begin, own.begin + (size_t)end };
            for (size_t o = 0; o < G_N_ELEMENTS(used_orders); o++) {
                const struct operation used
                    = { search, anchor, steps[i].name, used_orders[o].name, true };
                g_autofree char *operation = operation_text(match, &used);
                if (operation == NULL) {
                    continue;
                }
                bool alone = *steps[i].after == '\0';
                add_atomic(
                    search, anchor, range,
                    g_strdup_printf(alone ? "%s" : "(%s%s)", operation, steps[i].after),
                    UPDATE, NULL, COST_ATOMIC + used_orders[o].cost,
                    WEIRI_STATEMENT_NONE);
            }
        }
    }
}

/* "old = *p; *p = old + v;": in two statements, one after the other. */
static void suggest_pair(struct weiri_search *search, const struct weiri_anchor *anchor,
                         uint32_t first, uint32_t second)
{
    const struct weiri_source *source = anchor->source;
    if (first == WEIRI_STATEMENT_NONE || second == WEIRI_STATEMENT_NONE
        || weiri_source_at(source, first)->kind != WEIRI_STATEMENT_SIMPLE
        || weiri_source_at(source, second)->kind != WEIRI_STATEMENT_SIMPLE) {
        return;
    }
    struct weiri_range range = weiri_statement_range(source, first);
    g_autofree char *one = weiri_text_of(source, range);
    g_autofree char *two = weiri_text_of(source, weiri_statement_range(source, second));
    g_autofree char *both = g_strconcat(one, "\n", two, NULL);
    g_autoptr(GRegex) regex
        = g_regex_new("^[^=;]*?\\b(?<name>[A-Za-z_]\\w*)\\s*=\\s*(?<lv>[^=;{}]+?);\n"
                      "\\k<lv>\\s*=\\s*\\k<name>\\s*(?<op>[+&|^-])\\s*(?<v>[^;{}]+);$",
                      0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int begin, end;
    if (!g_regex_match(regex, both, 0, &match)) {
        return;
    }
    g_autofree char *sign = g_match_info_fetch_named(match, "op");
    const char *name = *sign == '+' ? "add"
        : *sign == '-'              ? "sub"
        : *sign == '&'              ? "and"
        : *sign == '|'              ? "or"
                                    : "xor";
    g_match_info_fetch_named_pos(match, "lv", &begin, &end);
    range = (struct weiri_range){ range.begin + (size_t)begin,
                                  range.begin + (size_t)end };
    for (size_t o = 0; o < G_N_ELEMENTS(used_orders); o++) {
        const struct operation used
            = { search, anchor, name, used_orders[o].name, true };
        char *operation = operation_text(match, &used);
        if (operation != NULL) {
            add_atomic(search, anchor, range, operation, UPDATE, NULL,
                       COST_ATOMIC + used_orders[o].cost, second);
        }
    }
}

static void suggest_update(struct weiri_search *search,
                           const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    uint32_t statement = anchor->statement;
    if (suggest_statement(search, anchor, statement, updates)) {
        return;
    }
    bool found = false;
    for (int up = 0; up < 3 && !found && statement != anchor->function; up++) {
        found = suggest_statement(search, anchor, statement, extremes);
        statement = weiri_source_at(source, statement)->parent;
    }
    if (found) {
        return;
    }
    suggest_steps(search, anchor);
    statement = anchor->statement;
    uint32_t parent = weiri_source_at(source, statement)->parent,
             before = WEIRI_STATEMENT_NONE;
    for (uint32_t i = weiri_source_at(source, parent)->first_child; i != statement;
         i = weiri_source_at(source, i)->next) {
        before = i;
    }
    suggest_pair(search, anchor, before, statement);
    suggest_pair(search, anchor, statement, weiri_source_at(source, statement)->next);
}

/* ---- Polls ----------------------------------------------------------------------- */

/* Whether a loop around the statement does nothing but wait for it. */
static bool is_polled(const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    const struct weiri_statement *at = weiri_source_at(source, anchor->statement);
    uint32_t loop = at->kind == WEIRI_STATEMENT_LOOP
        ? anchor->statement
        : weiri_source_loop(source, anchor->statement);
    if (loop == WEIRI_STATEMENT_NONE) {
        return false;
    }
    const char *text
        = weiri_source_text(source, NULL) + weiri_source_at(source, loop)->start;
    return g_str_has_prefix(text, "while") || g_str_has_prefix(text, "do")
        || at->kind == WEIRI_STATEMENT_LOOP;
}

/* The object of the atomic party, "args->status" of "&args->status[g]".
 * Returns: (transfer full): or NULL */
static char *object_name(const struct weiri_search *search,
                         const struct weir_party *party)
{
    const struct weiri_source *source = weiri_sources_get(search->sources, party->file);
    struct weiri_call call;
    if (source != NULL && weiri_source_is_sycl(source)) {
        return weiri_sycl_object(source, party->line);
    }
    const char *const *name
        = source != NULL ? weiri_words_of(source)->touching : &(const char *){ NULL };
    while (*name != NULL
           && !weiri_source_call_at(source, party->line, *name, 0, &call)) {
        name++;
    }
    if (*name == NULL) {
        return NULL;
    }
    g_autofree char *text = call.n_arguments > 0
        ? weiri_text_of(source, call.arguments[0])
        : g_strdup("");
    weiri_call_clear(&call);
    g_autoptr(GRegex) regex = g_regex_new(
        "^(?:\\([^()]*\\)\\s*)?&?\\s*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* A poll of @object by plain loads becomes an atomic load, acquire. */
static void suggest_poll(struct weiri_search *search, const struct weiri_anchor *anchor,
                         const char *object)
{
    struct weiri_range own = own_range(anchor->source, anchor->statement);
    g_autofree char *text = weiri_text_of(anchor->source, own);
    g_autofree char *name = g_regex_escape_string(object, -1);
    g_autofree char *pattern = g_strdup_printf(
        "(?:\\*\\s*\\(\\s*(?:const\\s+)?volatile\\b[^()]*"
        "\\*\\s*\\)\\s*(&?)\\s*|(\\*)\\s*)?"
        "(?<![\\w>.])(%s(?:\\[[^][]*\\])?)(?!\\s*(?:[-+*/%%&|^]|<<|>>)?=[^=])",
        name);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(regex, text, 0, &match)) {
        return;
    }
    int begin, end;
    g_match_info_fetch_pos(match, 0, &begin, &end);
    g_autofree char *found = g_match_info_fetch(match, 3);
    g_autofree char *whole = g_match_info_fetch(match, 0);
    bool element = strchr(found, '[') != NULL;
    bool pointer = whole[0] == '*' && !element;
    bool is_sycl = weiri_source_is_sycl(anchor->source);
    bool starred = pointer && strchr(whole, '&') == NULL;
    const char *scope = scope_for(search->finding);
    g_autofree char *lvalue = g_strconcat(starred ? "*" : "", found, NULL);
    g_autofree char *reference = is_sycl
        ? weiri_sycl_reference(anchor->source, lvalue, "acq_rel", scope)
        : NULL;
    const struct weiri_opencl_atomic atomic = opencl_atomic(search, anchor, "acquire");
    char *to = is_sycl ? g_strconcat(reference, ".load()", NULL)
        : weiri_source_is_opencl(anchor->source) ? weiri_opencl_load(&atomic, lvalue)
        : weiri_source_is_cuda(anchor->source)
        ? weiri_cuda_load(lvalue)
        : g_strdup_printf(
            "weir_atomic_load_explicit(%s%s, memory_order_acquire, memory_scope_%s)",
            starred ? "" : "&", found, scope);
    struct weiri_range range = { own.begin + (size_t)begin, own.begin + (size_t)end };
    if (to == NULL) {
        return;
    }
    add_atomic(search, anchor, range, to, "load atomic",
               g_strdup_printf("the load at %s:%" PRIu32 " is plain: it reads the "
                               "value of an atomic write, and acquires nothing%s",
                               anchor->file, anchor->line,
                               strstr(text, "volatile") != NULL
                                   ? "; volatile does not make it atomic"
                                   : ""),
               COST_ATOMIC, WEIRI_STATEMENT_NONE);
}

void weiri_suggest_atomics(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    for (size_t p = 0; p < finding->n_parties && finding->n_parties == 2; p++) {
        const struct weir_party *party = &finding->parties[p];
        const struct weir_party *other = &finding->parties[1 - p];
        struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
        bool plain = party->access == WEIR_ACCESS_READ
            || party->access == WEIR_ACCESS_WRITE
            || party->access == WEIR_ACCESS_READ_WRITE;
        if (!plain || weiri_anchors_of(search, party, anchors) == 0
            || g_strcmp0(anchors[0].file, party->file) != 0
            || anchors[0].line != party->line) {
            continue;
        }
        if (party->access != WEIR_ACCESS_READ) {
            suggest_update(search, &anchors[0]);
            if (other->order != NULL && weiri_source_is_cuda(anchors[0].source)) {
                weiri_cuda_suggest_store(search, &anchors[0], COST_ATOMIC);
            }
        } else if (other->order != NULL && is_polled(&anchors[0])) {
            g_autofree char *object = object_name(search, other);
            if (object != NULL) {
                suggest_poll(search, &anchors[0], object);
            }
        }
    }
}

/* ---- A load and a store ---------------------------------------------------------- */

/* A call of a load or a store, as texts; to be cleared. */
struct atomic_call {
    struct weiri_range all;
    char *pointer, *value, *scope; /* @value: of a store */
};

static void clear_atomic_call(struct atomic_call *call)
{
    g_free(call->pointer);
    g_free(call->value);
    g_free(call->scope);
}

static bool find_atomic(const struct weiri_source *source, uint32_t statement,
                        bool stores, struct atomic_call *atomic)
{
    struct weiri_call call;
    size_t wanted = stores ? 4 : 3;
    g_autofree char *name
        = g_strconcat(weiri_words_of(source)->prefix,
                      stores ? "atomic_store_explicit" : "atomic_load_explicit", NULL);
    if (!weiri_source_call(source, own_range(source, statement), name, 0, &call)) {
        return false;
    }
    bool found = call.n_arguments == wanted;
    if (found) {
        *atomic = (struct atomic_call){
            .all = call.all,
            .pointer = weiri_text_of(source, call.arguments[0]),
            .value = stores ? weiri_text_of(source, call.arguments[1]) : NULL,
            .scope = weiri_text_of(source, call.arguments[wanted - 1]),
        };
    }
    weiri_call_clear(&call);
    return found;
}

/* The name that the load's value gets: "old" of "int old = load". Returns: (transfer
 * full): or NULL */
static char *name_of_load(const struct weiri_source *source, uint32_t statement,
                          const struct atomic_call *load)
{
    g_autofree char *before
        = weiri_text_of(source,
                        (struct weiri_range){ weiri_source_at(source, statement)->start,
                                              load->all.begin });
    g_autoptr(GRegex) assigned
        = g_regex_new("\\b([A-Za-z_]\\w*)\\s*=\\s*$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(assigned, before, 0, &match) ? g_match_info_fetch(match, 1)
                                                      : NULL;
}

/* The replacement of the load, if the store writes a value that follows from the
 * load's: "old + v" of "old = load", or any value right after a loop that waits.
 * Returns: (transfer full) */
static char *joined_text(const struct weiri_source *source, uint32_t statement,
                         const struct atomic_call *load,
                         const struct atomic_call *store)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    const char *prefix = weiri_words_of(source)->prefix;
    if (at->kind == WEIRI_STATEMENT_LOOP) {
        return g_strdup_printf(
            "%satomic_exchange_explicit(%s, %s, memory_order_acquire, %s)", prefix,
            load->pointer, store->value, load->scope);
    }
    g_autofree char *name = name_of_load(source, statement, load);
    if (name == NULL) {
        return NULL;
    }
    g_autofree char *pattern = g_strdup_printf("^%s\\s*([+-])\\s*(.*)$", name);
    g_autoptr(GRegex) changed = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) change = NULL;
    if (!g_regex_match(changed, store->value, 0, &change)) {
        return NULL;
    }
    g_autofree char *sign = g_match_info_fetch(change, 1);
    g_autofree char *value = g_match_info_fetch(change, 2);
    return g_strdup_printf(
        "%satomic_fetch_%s_explicit(%s, %s, memory_order_acq_rel, %s)", prefix,
        *sign == '+' ? "add" : "sub", load->pointer, value, load->scope);
}

/* "old = load; if (v > old) { store v }": a maximum, or a minimum. @next: the branch.
 * Returns: (transfer full): what the load becomes, or NULL */
static char *extreme_text(const struct weiri_source *source, uint32_t statement,
                          uint32_t next, const struct atomic_call *load,
                          struct atomic_call *store)
{
    g_autofree char *name = name_of_load(source, statement, load);
    uint32_t child = weiri_source_at(source, next)->first_child;
    while (child != WEIRI_STATEMENT_NONE
           && weiri_source_at(source, child)->kind == WEIRI_STATEMENT_BLOCK) {
        child = weiri_source_at(source, child)->first_child;
    }
    if (name == NULL || child == WEIRI_STATEMENT_NONE
        || !find_atomic(source, child, true, store)) {
        return NULL;
    }
    g_autofree char *whole = weiri_text_of(source, weiri_statement_range(source, next));
    g_autofree char *call = weiri_text_of(source, store->all);
    g_autofree char *value = g_regex_escape_string(store->value, -1);
    g_autofree char *stored = g_regex_escape_string(call, -1);
    static const struct {
        const char *sign, *name;
        bool first; /* the value stands first */
    } forms[] = { { ">=?", "max", true },
                  { "<=?", "max", false },
                  { "<=?", "min", true },
                  { ">=?", "min", false } };
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autofree char *pattern = g_strdup_printf(
            "^if\\s*\\(\\s*%s\\s*%s\\s*%s\\s*\\)\\s*\\{?\\s*%s\\s*;\\s*\\}?$",
            forms[i].first ? value : name, forms[i].sign, forms[i].first ? name : value,
            stored);
        if (g_regex_match_simple(pattern, whole, 0, 0)) {
            return g_strdup_printf(
                "%satomic_fetch_%s_explicit(%s, %s, memory_order_acq_rel, %s)",
                weiri_words_of(source)->prefix, forms[i].name, load->pointer,
                store->value, load->scope);
        }
    }
    return NULL;
}

static void suggest_joined(struct weiri_search *search,
                           const struct weiri_anchor *anchor, uint32_t statement)
{
    const struct weiri_source *source = anchor->source;
    struct atomic_call load, store;
    uint32_t next = weiri_source_at(source, statement)->next;
    if (!find_atomic(source, statement, false, &load)) {
        return;
    }
    for (; next != WEIRI_STATEMENT_NONE; next = weiri_source_at(source, next)->next) {
        char *to = NULL;
        store = (struct atomic_call){ .pointer = NULL };
        if (weiri_source_at(source, next)->kind == WEIRI_STATEMENT_IF) {
            to = extreme_text(source, statement, next, &load, &store);
        } else if (weiri_source_at(source, next)->kind != WEIRI_STATEMENT_SIMPLE
                   || !find_atomic(source, next, true, &store)) {
            continue;
        } else {
            to = joined_text(source, statement, &load, &store);
        }
        if (g_strcmp0(load.pointer, store.pointer) != 0) {
            g_clear_pointer(&to, g_free);
        }
        clear_atomic_call(&store);
        bool waits = weiri_source_at(source, statement)->kind == WEIRI_STATEMENT_LOOP;
        if (waits && next != weiri_source_at(source, statement)->next) {
            g_clear_pointer(&to, g_free); /* a store later on ends something else */
        }
        if (to != NULL) {
            struct weiri_anchor at = *anchor;
            at.statement = statement;
            add_atomic(search, &at, load.all, to,
                       "load and the store after it one read-modify-write", NULL,
                       COST_LOST, next);
            break;
        }
    }
    clear_atomic_call(&load);
}

void weiri_suggest_lost_updates(struct weiri_search *search)
{
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    for (size_t p = 0; p < search->finding->n_parties; p++) {
        size_t n = weiri_anchors_of(search, &search->finding->parties[p], anchors);
        for (size_t a = 0; a < n; a++) {
            const struct weiri_source *source = anchors[a].source;
            size_t end = weiri_source_at(source, anchors[a].function)->end;
            for (uint32_t i = anchors[a].function + 1;
                 i < weiri_source_n(source) && weiri_source_at(source, i)->begin < end;
                 i++) {
                suggest_joined(search, &anchors[a], i);
            }
        }
    }
}
