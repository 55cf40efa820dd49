/* SPDX-License-Identifier: MIT
 *
 * names.c: what memory is called in reports. CUDA's functions take the address of a
 * pointer, so the first argument of the call in the source is the name: "a" of
 * cudaMalloc(&a, bytes), and "p->next" of cudaMalloc((void **)&p->next, bytes). */
#include "config.h"

#include "cuda/runtime.h"
#include "report/symbol.h"

#include <string.h>

/* A statement may begin some lines before the line of the call, or go on after it. */
enum { LINES_BEFORE = 3, LINES_AFTER = 2 };

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* The text of a few lines around @line. Returns: (transfer full) */
static char *text_at(const struct weir_site *site)
{
    GString *text = g_string_new(NULL);
    uint32_t first = site->line > LINES_BEFORE ? site->line - LINES_BEFORE : 1;
    for (uint32_t line = first; line <= site->line + LINES_AFTER; line++) {
        const char *part = weiri_symbol_source(site->file, line);
        if (line == site->line) {
            g_string_append_c(text, '\n'); /* the mark of the line itself */
        }
        g_string_append(text, part != NULL ? part : "");
        g_string_append_c(text, ' ');
    }
    return g_string_free(text, FALSE);
}

/* The first character after a call's opening parenthesis, for the n-th call of
 * @function after @from; or NULL. */
static const char *argument_of(const char *from, const char *function, unsigned n)
{
    size_t length = strlen(function);
    for (const char *at = strstr(from, function); at != NULL;
         at = strstr(at + 1, function)) {
        const char *end = at + length;
        end += strspn(end, " ");
        bool is_call = *end == '(' || *end == '<';
        if ((at == from || !is_word(at[-1])) && is_call && n-- == 0) {
            const char *open = strchr(end, '(');
            return open != NULL ? open + 1 : NULL;
        }
    }
    return NULL;
}

/* The end of an argument: the comma or parenthesis after it. */
static const char *end_of(const char *at)
{
    int depth = 0;
    for (; *at != '\0'; at++) {
        if (strchr("([{", *at) != NULL) {
            depth++;
        } else if (strchr(")]}", *at) != NULL && --depth < 0) {
            return at;
        } else if (*at == ',' && depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* "(void **)&a" and "reinterpret_cast<void **>(&a)" without what is around "a"; NULL if
 * the rest is not a name. Returns: (transfer full) */
static char *bare(const char *at, const char *end)
{
    g_autofree char *text = g_strndup(at, (gsize)(end - at));
    char *from = g_strstrip(text);
    for (;;) {
        char *close;
        if (*from == '(' && (close = strchr(from, ')')) != NULL
            && strchr(close + 1, '\0') != close + 1
            && memchr(from, '*', (size_t)(close - from))) {
            from = g_strstrip(close + 1); /* a cast */
        } else if ((g_str_has_prefix(from, "reinterpret_cast")
                    || g_str_has_prefix(from, "static_cast"))
                   && (close = strstr(from, ">(")) != NULL) {
            from = close + 2;
            from[strlen(from) - 1] = '\0';
        } else if (*from == '(' && from[strlen(from) - 1] == ')') {
            from[strlen(from) - 1] = '\0';
            from++;
        } else if (*from == '&' || *from == ' ') {
            from++;
        } else {
            break;
        }
    }
    bool named = from[0] != '\0' && !g_ascii_isdigit(from[0]);
    for (const char *c = from; *c != '\0' && named; c++) {
        named = is_word(*c) || strchr(".->[]+* ", *c) != NULL;
    }
    return named ? g_strdup(from) : NULL;
}

/* The size of a type of C, as the source spells it. */
static size_t size_named(const char *type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {
        { "float", 4 },    { "double", 8 },   { "int", 4 },     { "unsigned", 4 },
        { "uint", 4 },     { "uint32_t", 4 }, { "int32_t", 4 }, { "char", 1 },
        { "short", 2 },    { "long", 8 },     { "size_t", 8 },  { "uint64_t", 8 },
        { "int64_t", 8 },  { "uint8_t", 1 },  { "bool", 1 },    { "float2", 8 },
        { "float4", 16 },  { "int2", 8 },     { "int4", 16 },   { "double2", 16 },
        { "uint16_t", 2 }, { "float3", 12 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        size_t length = strlen(types[i].name);
        if (strncmp(type, types[i].name, length) == 0 && !is_word(type[length])) {
            return types[i].bytes;
        }
    }
    return 0;
}

/* The element of "n * sizeof(float)"; 0 where it is not known. */
static size_t element_in(const char *at)
{
    const char *end = strchr(at, ';');
    const char *found = strstr(at, "sizeof");
    if (found == NULL || (end != NULL && found > end)) {
        return 0;
    }
    found += strlen("sizeof");
    found += strspn(found, " (");
    return size_named(found);
}

/* How often a line has called @function before. */
static unsigned count_of(const struct weir_site *site, const char *function)
{
    static GMutex mutex;
    static GHashTable *counts;
    g_mutex_lock(&mutex);
    if (counts == NULL) {
        counts = g_hash_table_new(g_str_hash, g_str_equal);
    }
    char *call = g_strdup_printf("%s %s:%u", function, site->file, site->line);
    unsigned n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, call));
    g_hash_table_insert(counts, call, GUINT_TO_POINTER(n + 1));
    g_mutex_unlock(&mutex);
    return n;
}

/* The argument of the call in @line that is due: those of one line take turns. */
static const char *argument_due(const char *line, const char *function,
                                const struct weir_site *site)
{
    unsigned n = 0;
    while (argument_of(line, function, n) != NULL) {
        n++;
    }
    return n == 0 ? NULL : argument_of(line, function, count_of(site, function) % n);
}

static char *place_text(const struct weir_site *site)
{
    const char *slash = strrchr(site->file, '/');
    return g_strdup_printf("memory of %s:%u", slash != NULL ? slash + 1 : site->file,
                           site->line);
}

char *weiri_cuda_name(const struct weir_site *site, const char *function,
                      size_t *element_bytes)
{
    if (site == NULL) {
        return g_strdup(function);
    }
    g_autofree char *text = text_at(site);
    const char *line = strchr(text, '\n') + 1;
    const char *at = argument_due(line, function, site);
    at = at != NULL ? at : argument_of(text, function, 0);
    const char *end = at != NULL ? end_of(at) : NULL;
    char *name = end != NULL ? bare(at, end) : NULL;
    if (end != NULL && *element_bytes == 0) {
        *element_bytes = element_in(end);
    }
    return name != NULL ? name : place_text(site);
}

void weiri_cuda_header(const char *header)
{
    weiri_symbol_headers_below(header);
}
