/* SPDX-License-Identifier: MIT
 *
 * rewrite-memory.c: accesses.
 *
 * In checked code the accesses of the source stay all, and each has a hook: they are
 * volatile, which optimisation respects; and vectors are accessed in parts that hooks
 * have sizes for. Private variables that are accessed as a whole, and not watched, are
 * left out: they become registers. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* The widest access that has a hook, in bytes. */
enum { WIDEST = 16 };

/* What hooks of aligned accesses ask for at most, in bytes. */
#define MOST_ALIGNMENT 8u

/* One part of a vector: elements @first to @first + @count - 1. @whole: the value so
 * far of a load; returns the next one. */
static char *add_part(struct weiri_rewriter *rewriter,
                      const struct weiri_ir_access *access, const char *element,
                      size_t element_bytes, const char *base, size_t first,
                      size_t count, char *whole, bool last)
{
    GString *out = rewriter->body;
    char *id = weiri_rewriter_value(rewriter);
    char *type = count == 1 ? g_strdup(element)
                            : g_strdup_printf("<%zu x %s>", count, element);
    char *to = weiri_rewriter_pointer(rewriter, type),
         *from = weiri_rewriter_pointer(rewriter, element);
    size_t offset = first * element_bytes,
           alignment = MIN(access->alignment, MOST_ALIGNMENT);
    while (offset % alignment != 0) {
        alignment /= 2;
    }
    g_string_append_printf(out, "  %s.p = getelementptr %s, %s %s, i64 %zu\n", id,
                           element, from, base, first);
    g_string_append_printf(out, "  %s.q = bitcast %s %s.p to %s\n", id, from, id, to);
    if (access->result != NULL) {
        g_string_append_printf(out, "  %s.v = load volatile %s, %s %s.q, align %zu%s\n",
                               id, type, to, id, alignment, access->place);
        for (size_t i = 0; i < count; i++) {
            char *one = g_strdup_printf("%s.v", id);
            if (count > 1) {
                g_string_append_printf(out,
                                       "  %s.e%zu = extractelement %s %s.v, i32 "
                                       "%zu\n",
                                       id, i, type, id, i);
                g_free(one);
                one = g_strdup_printf("%s.e%zu", id, i);
            }
            char *next = last && i + 1 == count ? g_strdup(access->result)
                                                : g_strdup_printf("%s.w%zu", id, i);
            g_string_append_printf(out, "  %s = insertelement %s %s, %s %s, i32 %zu\n",
                                   next, access->type, whole, element, one, first + i);
            g_free(one);
            g_free(whole);
            whole = next;
        }
    } else {
        char *part = g_strdup("undef");
        for (size_t i = 0; i < count; i++) {
            g_string_append_printf(out, "  %s.e%zu = extractelement %s %s, i32 %zu\n",
                                   id, i, access->type, access->value, first + i);
            char *next = count == 1 ? g_strdup_printf("%s.e0", id)
                                    : g_strdup_printf("%s.w%zu", id, i);
            if (count > 1) {
                g_string_append_printf(out,
                                       "  %s = insertelement %s %s, %s %s.e%zu, "
                                       "i32 %zu\n",
                                       next, type, part, element, id, i, i);
            }
            g_free(part);
            part = next;
        }
        g_string_append_printf(out, "  store volatile %s %s, %s %s.q, align %zu%s\n",
                               type, part, to, id, alignment, access->place);
        g_free(part);
    }
    g_free(id);
    g_free(type);
    g_free(to);
    g_free(from);
    return whole;
}

/* A vector that no hook has the size of, in parts. Returns: false for others */
static bool add_in_parts(struct weiri_rewriter *rewriter,
                         const struct weiri_ir_access *access)
{
    char *element = NULL;
    size_t n = weiri_ir_elements(access->type, &element), bytes = 0, alignment;
    if (n == 0 || !weiri_ir_layout(&rewriter->tables, element, &bytes, &alignment)
        || (n * bytes <= WIDEST && (n & (n - 1)) == 0)) {
        g_free(element);
        return false;
    }
    char *base = weiri_rewriter_value(rewriter),
         *from = weiri_rewriter_pointer(rewriter, element);
    g_string_append_printf(rewriter->body, "  %s = bitcast %s %s to %s\n", base,
                           access->pointer_type, access->pointer, from);
    char *whole = g_strdup("undef");
    for (size_t first = 0; first < n;) {
        size_t count = 1;
        while (count * 2 <= n - first && count * 2 * bytes <= WIDEST) {
            count *= 2;
        }
        whole = add_part(rewriter, access, element, bytes, base, first, count, whole,
                         first + count == n);
        first += count;
    }
    g_free(whole);
    g_free(base);
    g_free(from);
    g_free(element);
    return true;
}

/* Remembers private variables, and pointers to the whole of one. */
static void note_own(struct weiri_rewriter *rewriter, const char *line)
{
    const char *at = line + strspn(line, " ");
    const char *end = *at == '%' ? weiri_ir_name_end(at) : at;
    if (g_str_has_prefix(end, " = alloca ")) {
        char *name = g_strndup(at, (gsize)(end - at));
        if (weiri_rewriter_watches(rewriter, name)) {
            g_free(name);
        } else {
            g_hash_table_add(rewriter->own, name);
        }
        const char *type = end + strlen(" = alloca "), *stop = weiri_ir_type_end(type);
        size_t bytes = 0, alignment;
        char *text = stop != NULL ? g_strndup(type, (gsize)(stop - type)) : NULL;
        if (text != NULL
            && weiri_ir_layout(&rewriter->tables, text, &bytes, &alignment)) {
            rewriter->private_bytes += bytes;
        }
        g_free(text);
    } else if (g_str_has_prefix(end, " = bitcast ")) {
        const char *of = strchr(end + strlen(" = bitcast "), '%');
        const char *to = strstr(line, " to ");
        while (of != NULL && to != NULL && of < to) {
            char *name = g_strndup(of, (gsize)(weiri_ir_name_end(of) - of));
            if (g_hash_table_contains(rewriter->own, name)) {
                g_hash_table_add(rewriter->own, g_strndup(at, (gsize)(end - at)));
            }
            g_free(name);
            of = strchr(of + 1, '%');
        }
    }
}

void weiri_rewriter_add_access(struct weiri_rewriter *rewriter, const char *line)
{
    struct weiri_ir_access access;
    note_own(rewriter, line);
    if (!rewriter->checked || !weiri_ir_access_parse(line, &access)) {
        g_string_append_printf(rewriter->body, "%s\n", line);
        return;
    }
    if (g_hash_table_contains(rewriter->own, access.pointer)) {
        g_string_append_printf(rewriter->body, "%s\n", line);
        weiri_ir_access_clear(&access);
        return;
    }
    weiri_rewriter_add_alignment(rewriter, &access, access.pointer, MOST_ALIGNMENT);
    if (!add_in_parts(rewriter, &access)) {
        const char *word = access.result != NULL ? "load " : "store ";
        const char *at = strstr(line, word) + strlen(word);
        int before = (int)(at - line);
        at += g_str_has_prefix(at, "volatile ") ? strlen("volatile ") : 0;
        const char *align = strstr(at, ", align ");
        const char *rest = align != NULL ? align + strlen(", align ") : at + strlen(at);
        rest += strspn(rest, "0123456789");
        /* Instructions that fault at addresses of less alignment come before their
         * finding is complete. */
        g_string_append_printf(rewriter->body, "%.*svolatile %.*s, align %u%s\n",
                               before, line, (int)((align != NULL ? align : rest) - at),
                               at, MIN(access.alignment, MOST_ALIGNMENT), rest);
    }
    weiri_ir_access_clear(&access);
}
