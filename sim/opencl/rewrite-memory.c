/* SPDX-License-Identifier: MIT
 *
 * rewrite-memory.c: variables and accesses.
 *
 * Local memory is not a place of the module but a value, which the start of a function
 * asks for. What refers to it may be inside of constant expressions, in operands of
 * phi, too; these become instructions at the start, from the inside to the outside:
 *
 *     phi i32* [ getelementptr ([4 x i32], [4 x i32]* @k.a, i64 0, i64 1), %2 ], …
 *
 *     %weiri.1 = … weiri_cl_local(…)
 *     %weiri.2 = getelementptr [4 x i32], [4 x i32]* %weiri.1, i64 0, i64 1
 *     phi i32* [ %weiri.2, %2 ], …
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

/* ---- Values at the start of a function ------------------------------------- */

/* The value of a local variable, or of the address of a constant. */
static char *ask_for(struct weiri_rewriter *rewriter, const char *name,
                     const struct weiri_rewriter_global *global)
{
    const char *bytes = weiri_rewriter_bytes(rewriter);
    char *type = weiri_rewriter_pointer(rewriter, global->type);
    char *value = weiri_rewriter_value(rewriter);
    if (global->space == 3) {
        char *count = g_strdup_printf("%zu", global->bytes / global->element_bytes);
        struct weiri_rewriter_local local
            = { global->file,          global->line, global->name, count,
                global->element_bytes, value,        type };
        weiri_rewriter_local(rewriter, rewriter->entry, &local);
        rewriter->local_bytes += global->bytes;
        g_free(count);
    } else if (rewriter->opaque) {
        g_string_append_printf(rewriter->entry,
                               "  %s = call ptr asm \"\", \"=r,0\"(ptr %s)\n", value,
                               name);
    } else {
        g_string_append_printf(
            rewriter->entry,
            "  %s.b = call %s asm \"\", \"=r,0\"(%s bitcast (%s %s to i8*))\n"
            "  %s = bitcast %s %s.b to %s\n",
            value, bytes, bytes, type, name, value, bytes, value, type);
    }
    g_free(type);
    return value;
}

/* Operations of constant expressions: those of two operands of one type, and others. */
static const char binary[]
    = " add sub mul sdiv udiv srem urem shl lshr ashr and or xor "
      "icmp fcmp fadd fsub fmul fdiv frem ";
static const char others[]
    = " getelementptr bitcast ptrtoint inttoptr trunc zext sext fptrunc fpext fptoui "
      "fptosi uitofp sitofp select fneg extractelement insertelement shufflevector "
      "extractvalue insertvalue ";

static bool has_word(const char *words, const char *word, size_t length)
{
    char *text = g_strdup_printf(" %.*s ", (int)length, word);
    bool found = strstr(words, text) != NULL;
    g_free(text);
    return found;
}

/* The parenthesis of a constant expression whose operation begins at @at, or NULL. */
static const char *expression(const char *at)
{
    const char *end = at;
    while (g_ascii_isalnum(*end)) {
        end++;
    }
    size_t length = (size_t)(end - at);
    if (!has_word(binary, at, length) && !has_word(others, at, length)) {
        return NULL;
    }
    for (;;) { /* inbounds, nuw, eq, inrange(-8, 8) */
        if (end[0] == ' ' && end[1] == '(') {
            return end + 1;
        }
        if (*end == '(') {
            end = weiri_ir_skip(end);
        } else if (end[0] == ' ' && g_ascii_islower(end[1])
                   && weiri_ir_type_end(end + 1) == NULL) {
            end++; /* with a type it is an instruction */
            while (g_ascii_isalnum(*end)) {
                end++;
            }
        } else {
            return NULL;
        }
    }
}

static char *change(struct weiri_rewriter *rewriter, const char *at, const char *end,
                    bool *hides);

/* The instruction that a constant expression is: its two operands have a type each,
 * that of an instruction have one. */
static char *instruction(const char *operation, const char *operands)
{
    const char *end = operands + strlen(operands);
    if (has_word(binary, operation, strcspn(operation, " "))) {
        const char *comma = weiri_ir_find(operands, end, ",");
        const char *value = comma != NULL ? weiri_ir_type_end(comma + 2) : NULL;
        if (value != NULL) {
            return g_strdup_printf("%s %.*s,%s", operation, (int)(comma - operands),
                                   operands, value);
        }
    }
    return g_strdup_printf("%s %s", operation, operands);
}

/* The name of the value at the start that @line makes. */
static const char *at_start(struct weiri_rewriter *rewriter, const char *line)
{
    const char *known = g_hash_table_lookup(rewriter->hoisted, line);
    if (known == NULL) {
        char *value = weiri_rewriter_value(rewriter);
        g_string_append_printf(rewriter->entry, "  %s = %s\n", value, line);
        g_hash_table_insert(rewriter->hoisted, g_strdup(line), value);
        known = value;
    }
    return known;
}

/* The value at the start that is @text, a constant expression. */
static char *hoist(struct weiri_rewriter *rewriter, const char *from, const char *open,
                   const char *close, bool *hides)
{
    bool inside = false;
    char *operands = change(rewriter, open + 1, close - 1, &inside);
    char *operation = g_strchomp(g_strndup(from, (gsize)(open - from)));
    char *text = NULL;
    if (!inside) {
        text = g_strdup_printf("%s (%s)", operation, operands);
    } else {
        char *line = instruction(operation, operands);
        text = g_strdup(at_start(rewriter, line));
        g_free(line);
        *hides = true;
    }
    g_free(operands);
    g_free(operation);
    return text;
}

/* Whether "<i64 1, i64 ptrtoint (…)>" is at @at, and not "<2 x i64>". */
static bool is_vector(const char *at)
{
    const char *element = at + 1;
    return *at == '<' && *element != '{' && !g_ascii_isdigit(*element)
        && weiri_ir_type_end(element) != NULL;
}

/* The vector from @at to @end: one with hidden variables is made at the start. */
static char *vector(struct weiri_rewriter *rewriter, const char *at, const char *end,
                    bool *hides)
{
    bool inside = false;
    char *elements = change(rewriter, at + 1, end - 1, &inside);
    char *text = g_strdup_printf("<%s>", elements);
    GPtrArray *list = weiri_ir_list(elements, elements + strlen(elements));
    for (guint i = 0; inside && i < list->len; i++) {
        const char *element = g_ptr_array_index(list, i);
        char *line
            = g_strdup_printf("insertelement <%u x %.*s> %s, %s, i32 %u", list->len,
                              (int)(weiri_ir_type_end(element) - element), element,
                              i == 0 ? "undef" : text, element, i);
        g_free(text);
        text = g_strdup(at_start(rewriter, line));
        g_free(line);
    }
    *hides = *hides || inside;
    g_ptr_array_unref(list);
    g_free(elements);
    return text;
}

/* @at with names renamed and hidden variables replaced; sets *@hides if it had one. */
static char *change(struct weiri_rewriter *rewriter, const char *at, const char *end,
                    bool *hides)
{
    GString *out = g_string_new(NULL);
    bool fresh = true; /* a word may begin here */
    while (at < end) {
        const char *open = fresh && g_ascii_islower(*at) ? expression(at) : NULL;
        const char *next = at + 1;
        if (*at == '"') {
            next = weiri_ir_skip(at);
            g_string_append_len(out, at, next - at);
        } else if (open != NULL && open < end) {
            next = weiri_ir_skip(open);
            char *text = hoist(rewriter, at, open, next, hides);
            g_string_append(out, text);
            g_free(text);
        } else if (fresh && rewriter->hoisted != NULL && is_vector(at)) {
            next = weiri_ir_skip(at);
            char *text = vector(rewriter, at, next, hides);
            g_string_append(out, text);
            g_free(text);
        } else if (*at == '@') {
            next = weiri_ir_name_end(at);
            char *name = g_strndup(at, (gsize)(next - at));
            struct weiri_rewriter_global *global
                = g_hash_table_lookup(rewriter->globals, name);
            const char *renamed = g_hash_table_lookup(rewriter->renamed, name);
            if (renamed != NULL) {
                g_free(name);
                name = g_strdup(renamed);
            }
            if (global != NULL && global->hides && rewriter->hoisted != NULL) {
                const char *known = g_hash_table_lookup(rewriter->hoisted, name);
                if (known == NULL) {
                    char *value = ask_for(rewriter, name, global);
                    g_hash_table_insert(rewriter->hoisted, g_strdup(name), value);
                    known = value;
                }
                g_string_append(out, known);
                *hides = true;
            } else {
                g_string_append(out, name);
            }
            g_free(name);
        } else {
            g_string_append_c(out, *at);
        }
        fresh = !g_ascii_isalnum(*at) && strchr("%!._", *at) == NULL;
        at = next;
    }
    return g_string_free(out, FALSE);
}

char *weiri_rewriter_names(struct weiri_rewriter *rewriter, const char *line)
{
    bool hides = false;
    return change(rewriter, line, line + strlen(line), &hides);
}

/* ---- Accesses -------------------------------------------------------------- */

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
