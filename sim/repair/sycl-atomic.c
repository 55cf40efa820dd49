/* SPDX-License-Identifier: MIT
 *
 * sycl-atomic.c: atomics in SYCL. Their orders and scopes are arguments of the type
 * atomic_ref, or of single operations and fences; a plain access becomes atomic by such
 * a reference to it, whose element type is taken from the declaration of the accessed
 * object. */
#include "config.h"

#include "repair/sycl-change.h"

#include "repair/atomic-site.h"
#include "repair/sycl-text.h"

#include <string.h>

/* ---- Orders and scopes ----------------------------------------------------------- */

/* Whether an argument is an order or a scope: by its own words, by those that its name
 * stands for, or by the type of the parameter with that name. */
static bool is_word(const struct weiri_source *source, struct weiri_range range,
                    const char *kind)
{
    g_autofree char *text = weiri_text_of(source, range);
    bool sole;
    g_autofree char *word = weiri_word_meant(source, text, kind, &sole);
    if (word != NULL || !g_regex_match_simple("^[A-Za-z_]\\w*$", text, 0, 0)) {
        return word != NULL;
    }
    g_autofree char *declared = g_strdup_printf("\\b%s\\s+%s\\b", kind, text);
    return g_regex_match_simple(declared, weiri_source_text(source, NULL), G_REGEX_RAW,
                                0);
}

/* The end of the bracket at @offset, or 0. */
static size_t closing(const char *text, size_t offset)
{
    unsigned depth = 0;
    for (size_t i = offset; text[i] != '\0' && text[i] != ';'; i++) {
        depth += strchr("({[", text[i]) != NULL;
        if (strchr(")}]", text[i]) != NULL && --depth == 0) {
            return i;
        }
    }
    return 0;
}

/* The text after the type: "(x[i])", or "name(x[i])". @name: (out): empty without
 * one */
static struct weiri_range object_after(const struct weiri_source *source, size_t offset,
                                       struct weiri_range *name)
{
    const char *text = weiri_source_text(source, NULL);
    offset += strspn(text + offset, " \t\r\n");
    name->begin = offset;
    while (g_ascii_isalnum(text[offset]) || text[offset] == '_') {
        offset++;
    }
    name->end = offset;
    offset += strspn(text + offset, " \t\r\n");
    size_t end = text[offset] == '(' || text[offset] == '{' ? closing(text, offset) : 0;
    if (end == 0) {
        return (struct weiri_range){ 0, 0 };
    }
    offset++;
    offset += strspn(text + offset, " \t\r\n");
    while (end > offset && g_ascii_isspace(text[end - 1])) {
        end--;
    }
    return (struct weiri_range){ offset, MAX(end, offset) };
}

/* Whether the finding names a line that uses the variable. */
static bool uses_named(const struct weir_finding *finding, const char *file,
                       const struct weiri_source *source, struct weiri_range name)
{
    if (name.begin >= name.end) {
        return false;
    }
    g_autofree char *variable = weiri_text_of(source, name);
    g_autofree char *pattern = g_strdup_printf("(?<![\\w.])%s\\b", variable);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, weiri_source_text(source, NULL), 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        int begin;
        g_match_info_fetch_pos(match, 0, &begin, NULL);
        uint32_t line = weiri_source_line_of(source, (size_t)begin);
        if (weiri_finding_names(finding, file, line, line)) {
            return true;
        }
    }
    return false;
}

/* "atomic_ref<T, order, scope>" in SYCL, "atomic_ref<T, scope>" in CUDA: @order is 0
 * there. */
static void find_types(const struct weir_finding *finding, const char *file,
                       const struct weiri_source *source, const char *template,
                       size_t order, size_t scope, GArray *sites)
{
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    struct weiri_call type;
    for (uint32_t i = 0; weiri_source_template(source, all, template, i, &type); i++) {
        if (type.n_arguments > scope) {
            struct weiri_range name;
            struct weiri_range object = object_after(source, type.all.end, &name);
            uint32_t line = weiri_source_line_of(source, type.name.begin);
            uint32_t ends = weiri_source_line_of(source, MAX(type.all.end, object.end));
            struct weiri_site site = {
                .source = source,
                .file = file,
                .side = WEIRI_BOTH_SIDES,
                .object = object,
                .order
                = order > 0 ? type.arguments[order] : (struct weiri_range){ 0, 0 },
                .scope = type.arguments[scope],
                .line = line,
                .named = weiri_finding_names(finding, file, line, ends)
                    || uses_named(finding, file, source, name),
                .is_type = true,
            };
            g_array_append_val(sites, site);
        }
        weiri_call_clear(&type);
    }
}

static void add_call(const struct weir_finding *finding, const char *file,
                     const struct weiri_source *source, const struct weiri_call *call,
                     enum weiri_side side, bool is_fence, GArray *sites)
{
    for (size_t a = 0; a < call->n_arguments; a++) {
        if (!is_word(source, call->arguments[a], "memory_order")) {
            continue;
        }
        bool last = a + 1 == call->n_arguments
            || !is_word(source, call->arguments[a + 1], weiri_words_of(source)->scope);
        struct weiri_range whole = weiri_sycl_whole_call(source, call);
        uint32_t line = weiri_source_line_of(source, call->name.begin);
        struct weiri_site site = {
            .source = source,
            .file = file,
            .side = side,
            .object = is_fence ? (struct weiri_range){ 0, 0 }
                               : (struct weiri_range){ whole.begin, call->name.begin },
            .order = call->arguments[a],
            .scope = last ? (struct weiri_range){ 0, 0 } : call->arguments[a + 1],
            .line = line,
            .named = weiri_finding_names(finding, file, line,
                                         weiri_source_line_of(source, call->all.end)),
        };
        g_array_append_val(sites, site);
        return;
    }
}

void weiri_sycl_find_sites(const struct weir_finding *finding, const char *file,
                           const struct weiri_source *source, GArray *sites)
{
    static const struct {
        const char *name;
        enum weiri_side side;
    } operations[] = {
        { "load", WEIRI_ACQUIRES },
        { "store", WEIRI_RELEASES },
        { "exchange", WEIRI_BOTH_SIDES },
        { "fetch_*", WEIRI_BOTH_SIDES },
        { "compare_exchange_*", WEIRI_BOTH_SIDES },
        { "test_and_set", WEIRI_BOTH_SIDES },
        { "clear", WEIRI_RELEASES },
        { "atomic_fence", WEIRI_BOTH_SIDES },
        { "atomic_thread_fence", WEIRI_BOTH_SIDES },
    };
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    if (weiri_source_is_cuda(source)) {
        find_types(finding, file, source, "atomic_ref", 0, 1, sites);
        find_types(finding, file, source, "atomic", 0, 1, sites);
    } else {
        find_types(finding, file, source, "atomic_ref", 1, 2, sites);
    }
    for (size_t o = 0; o < G_N_ELEMENTS(operations); o++) {
        struct weiri_call call;
        for (uint32_t i = 0;
             weiri_source_call(source, all, operations[o].name, i, &call); i++) {
            add_call(finding, file, source, &call, operations[o].side,
                     g_str_has_suffix(operations[o].name, "_fence"), sites);
            weiri_call_clear(&call);
        }
    }
}

char *weiri_sycl_fence(const struct weiri_source *source, const char *order,
                       const char *scope)
{
    g_autofree char *prefix = weiri_sycl_prefix(source);
    return g_strdup_printf("%satomic_fence(%smemory_order::%s, %smemory_scope::%s)",
                           prefix, prefix, order, prefix, scope);
}

/* ---- Plain accesses -------------------------------------------------------------- */

/* The first group of the first match of a pattern, in which @ stands for @name.
 * Returns: (transfer full): or NULL */
static char *match_of(const char *text, const char *pattern, const char *name)
{
    g_auto(GStrv) parts = g_strsplit(pattern, "@", -1);
    g_autofree char *whole = g_strjoinv(name, parts);
    g_autoptr(GRegex) regex = g_regex_new(whole, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

#define TYPE "((?:unsigned |signed |long )*(?:\\w+::)*\\w+)"

/* The type of the elements of a buffer, by its declaration. */
static char *buffer_type(const char *text, const char *name)
{
    char *type
        = match_of(text, "\\bbuffer\\s*<\\s*" TYPE "\\s*[,>][^;]*?\\b@\\b", name);
    g_autofree char *host = type == NULL
        ? match_of(text, "\\bbuffer\\s+@\\s*[({]\\s*&?(\\w+)", name)
        : NULL;
    return host != NULL ? match_of(
               text, "\\b(?:vector|array)\\s*<\\s*" TYPE "\\s*[,>][^;]*?\\b@\\b", host)
                        : type;
}

/* The type of what @name points to or gives access to. Returns: (transfer full): or
 * NULL */
static char *element_type(const char *text, const char *name)
{
    static const char *const patterns[] = {
        "\\b@\\s*=\\s*[\\w:]*malloc_\\w+\\s*<\\s*([^<>;]+?)\\s*>",
        "(?:local_accessor|accessor|multi_ptr|global_ptr|local_ptr)\\s*<\\s*" TYPE
        "\\s*(?:,[^;(]*)?>\\s*&?\\s*@\\b",
        "(?:^|[;{}(,])\\s*(?:const\\s+)?(?!return\\b|auto\\b|delete\\b)" TYPE
        "\\s*\\*\\s*(?:const\\s+)?@\\s*[=,;)({]",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
        char *type = match_of(text, patterns[i], name);
        if (type != NULL) {
            return type;
        }
    }
    g_autofree char *buffer
        = match_of(text, "\\baccessor\\s+@\\s*[({]\\s*(\\w+)", name);
    if (buffer == NULL) {
        buffer = match_of(text, "\\b@\\s*=\\s*(\\w+)\\s*\\.\\s*get_access\\b", name);
    }
    return buffer != NULL ? buffer_type(text, buffer) : NULL;
}

char *weiri_sycl_reference(const struct weiri_source *source, const char *lvalue,
                           const char *order, const char *scope)
{
    const char *text = weiri_source_text(source, NULL);
    g_autofree char *prefix = weiri_sycl_prefix(source);
    g_autofree char *name
        = match_of(lvalue, "^[*\\s(]*([A-Za-z_]\\w*)\\s*\\)?\\s*(?:\\[.*)?$", "");
    g_autofree char *type = name != NULL ? element_type(text, name) : NULL;
    g_autofree char *other = type == NULL
        ? g_strdup_printf("std::remove_reference_t<decltype(%s)>", lvalue)
        : NULL;
    return g_strdup_printf(
        "%satomic_ref<%s, %smemory_order::%s, %smemory_scope::%s>(%s)", prefix,
        type != NULL ? type : other, prefix, order, prefix, scope, lvalue);
}

char *weiri_sycl_update(const struct weiri_source *source, const char *lvalue,
                        const char *name, const char *value, bool is_used,
                        const char *order, const char *scope)
{
    static const struct {
        const char *name, *sign;
    } signs[] = { { "add", "+=" },
                  { "sub", "-=" },
                  { "and", "&=" },
                  { "or", "|=" },
                  { "xor", "^=" } };
    g_autofree char *reference = weiri_sycl_reference(source, lvalue, order, scope);
    bool step = value == NULL || *value == '\0';
    for (size_t i = 0; !is_used && i < G_N_ELEMENTS(signs); i++) {
        if (strcmp(signs[i].name, name) == 0) {
            return step ? g_strconcat(reference, *name == 'a' ? "++" : "--", NULL)
                        : g_strdup_printf("%s %s %s", reference, signs[i].sign, value);
        }
    }
    return g_strdup_printf("%s.fetch_%s(%s)", reference, name, step ? "1" : value);
}

/* The first operation of an atomic at the line. @call: (out): to be cleared */
static bool operation_at(const struct weiri_source *source, uint32_t line,
                         struct weiri_call *call)
{
    static const char *const names[]
        = { "store", "load", "exchange", "fetch_*", "compare_exchange_*" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (weiri_source_call_at(source, line, names[i], 0, call)) {
            return true;
        }
    }
    return false;
}

char *weiri_sycl_object(const struct weiri_source *source, uint32_t line)
{
    struct weiri_call call, type;
    if (!operation_at(source, line, &call)) {
        return NULL;
    }
    struct weiri_range whole = weiri_sycl_whole_call(source, &call);
    size_t dot = MAX(call.name.begin, whole.begin + 1) - 1;
    g_autofree char *variable
        = weiri_text_of(source, (struct weiri_range){ whole.begin, dot });
    weiri_call_clear(&call);
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    for (uint32_t i = 0; weiri_source_template(source, all, "atomic_ref", i, &type);
         i++) {
        struct weiri_range name;
        struct weiri_range object = object_after(source, type.all.end, &name);
        g_autofree char *text = weiri_text_of(source, name);
        bool here = *text != '\0' ? strcmp(text, variable) == 0
                                  : weiri_source_line_of(source, type.all.end) == line;
        weiri_call_clear(&type);
        if (here && object.end > object.begin) {
            g_autofree char *accessed = weiri_text_of(source, object);
            return match_of(accessed, "^[&*\\s(]*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)",
                            "");
        }
    }
    return NULL;
}
