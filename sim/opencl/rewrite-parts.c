/* SPDX-License-Identifier: MIT
 *
 * rewrite-parts.c: assignments to elements of a vector. The front end writes one as a
 * load of the whole, a change, and a store of the whole:
 *
 *     %11 = load <4 x float>, <4 x float>* %7
 *     %12 = insertelement <4 x float> %11, float %10, i64 0
 *     store <4 x float> %12, <4 x float>* %7
 *
 * The source reads nothing there. So, of a variable that is watched, the elements alone
 * are stored. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* How often the rest of the function, from @lines on, names the value. */
static guint n_uses(char **lines, const char *value)
{
    guint n = 0;
    size_t length = strlen(value);
    for (; *lines != NULL && strcmp(*lines, "}") != 0; lines++) {
        for (const char *at = strstr(*lines, value); at != NULL;
             at = strstr(at + 1, value)) {
            n += weiri_ir_name_end(at) == at + length;
        }
    }
    return n;
}

/* What an instruction between the load and the store takes from another value than
 * @loaded: "insertelement T %3, float %2, i64 1", or
 * "shufflevector T %3, T %4, <4 x i32> <i32 4, i32 1, i32 5, i32 undef>". */
static uint64_t elements_taken(const char *instruction, size_t n, const char *loaded)
{
    const char *operands = strchr(instruction, ' ');
    GPtrArray *list = weiri_ir_list(operands + 1, operands + strlen(operands));
    uint64_t taken = 0;
    const char *first = list->len == 3 ? g_ptr_array_index(list, 0) : "";
    const char *last = list->len == 3 ? g_ptr_array_index(list, 2) : "";
    const char *end = weiri_ir_type_end(first), *value = weiri_ir_type_end(last);
    if (end == NULL || value == NULL || *value != ' ') {
        /* another form */
    } else if (g_str_has_prefix(instruction, "insertelement ")) {
        char *stop;
        uint64_t index = g_ascii_strtoull(value + 1, &stop, 10);
        taken = strcmp(end + 1, loaded) == 0 && stop > value + 1 && index < n
            ? (uint64_t)1 << index
            : 0;
    } else if (strcmp(end + 1, loaded) != 0) {
        taken = ((uint64_t)1 << n) - 1;
    } else if (value[1] == '<') {
        GPtrArray *mask = weiri_ir_list(value + 2, weiri_ir_skip(value + 1) - 1);
        for (guint i = 0; i < mask->len; i++) {
            const char *index = strchr(g_ptr_array_index(mask, i), ' ');
            taken |= index != NULL && g_ascii_strtoull(index + 1, NULL, 10) >= n
                ? (uint64_t)1 << i
                : 0;
        }
        g_ptr_array_unref(mask);
    }
    g_ptr_array_unref(list);
    return taken;
}

void weiri_rewriter_parts_clear(struct weiri_rewriter_parts *parts)
{
    weiri_ir_access_clear(&parts->load);
    weiri_ir_access_clear(&parts->store);
}

/* Goes on from the load, of which *@parts knows, to its store. */
static bool find_store(char **lines, struct weiri_rewriter_parts *parts)
{
    uint64_t taken = 0;
    char *made = NULL; /* the value of the line before */
    bool found = false, goes_on = true;
    for (guint i = 1; goes_on && lines[i] != NULL && i < 4; i++) {
        char *line = weiri_ir_plain(lines[i]);
        char *place = strstr(line, ", !dbg ");
        const char *word = line + strspn(line, " "), *end = weiri_ir_name_end(word);
        const char *rest = g_str_has_prefix(end, " = ") ? end + 3 : "";
        goes_on = g_str_has_prefix(rest, "insertelement ")
            || g_str_has_prefix(rest, "shufflevector ");
        if (goes_on) {
            g_free(made);
            made = g_strndup(word, (gsize)(end - word));
            *(place != NULL ? place : line + strlen(line)) = '\0';
            taken = elements_taken(rest, parts->n, parts->load.result);
        } else if (made != NULL && taken != 0
                   && weiri_ir_access_parse(line, &parts->store)) {
            parts->all = taken == ((uint64_t)1 << parts->n) - 1;
            found = g_strcmp0(parts->store.value, made) == 0
                && strcmp(parts->store.pointer, parts->load.pointer) == 0
                && n_uses(lines, parts->load.result) <= 2;
            if (!found) {
                weiri_ir_access_clear(&parts->store);
            }
        }
        parts->n_lines = i + 1;
        g_free(line);
    }
    parts->elements = taken;
    g_free(made);
    return found;
}

bool weiri_rewriter_parts_find(char **lines, struct weiri_rewriter_parts *parts)
{
    *parts = (struct weiri_rewriter_parts){ 0 };
    if (strstr(*lines, " = load ") == NULL) {
        return false;
    }
    char *line = weiri_ir_plain(*lines), *element = NULL;
    bool loads = weiri_ir_access_parse(line, &parts->load);
    g_free(line);
    if (!loads) {
        return false;
    }
    parts->n = weiri_ir_elements(parts->load.type, &element);
    g_free(element);
    if (parts->n == 0 || parts->n > 16 || !find_store(lines, parts)) {
        weiri_ir_access_clear(&parts->load);
        return false;
    }
    return true;
}

/* Stores one element of the value that is to be stored whole. */
static void add_element(struct weiri_rewriter *rewriter,
                        const struct weiri_ir_access *store, const char *element,
                        guint index)
{
    char *id = weiri_rewriter_value(rewriter),
         *to = weiri_rewriter_pointer(rewriter, element);
    g_string_append_printf(rewriter->body,
                           "  %s.e = extractelement %s %s, i32 %u\n"
                           "  %s.p = getelementptr %s, %s %s, i64 0, i64 %u\n"
                           "  store volatile %s %s.e, %s %s.p, align %zu%s\n",
                           id, store->type, store->value, index, id, store->type,
                           store->pointer_type, store->pointer, index, element, id, to,
                           id, weiri_rewriter_element_bytes(rewriter, element),
                           store->place);
    g_free(id);
    g_free(to);
}

void weiri_rewriter_parts_add(struct weiri_rewriter *rewriter, char **lines,
                              const struct weiri_rewriter_parts *parts)
{
    char *element = NULL;
    g_string_append_printf(rewriter->body, "  %s = bitcast %s undef to %s\n",
                           parts->load.result, parts->load.type, parts->load.type);
    for (guint i = 1; i + 1 < parts->n_lines; i++) {
        char *between = weiri_ir_plain(lines[i]);
        g_string_append_printf(rewriter->body, "%s\n", between);
        g_free(between);
    }
    (void)weiri_ir_elements(parts->store.type, &element);
    for (guint i = 0; i < parts->n; i++) {
        if ((parts->elements >> i & 1) != 0) {
            add_element(rewriter, &parts->store, element, i);
        }
    }
    g_free(element);
}
