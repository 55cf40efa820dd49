/* SPDX-License-Identifier: MIT
 *
 * rewrite-names.c: names in a line, and variables in local memory.
 *
 * Local memory is not a place of the module but a value, which the start of a function
 * asks for. What refers to it may be inside of constant expressions, in operands of
 * phi, too; these become instructions at the start, from the inside to the outside:
 *
 *     phi i32* [ getelementptr ([4 x i32], [4 x i32]* @k.a, i64 0, i64 1), %2 ], …
 *
 *     %weiri.1 = … weiri_cl_local(…)
 *     %weiri.2 = getelementptr [4 x i32], [4 x i32]* %weiri.1, i64 0, i64 1
 *     phi i32* [ %weiri.2, %2 ], … */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

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
