/* SPDX-License-Identifier: MIT
 *
 * rewrite-target.c: calls of the C functions of the builtins. They are those of
 * builtins.c as this very clang has compiled them: their prototypes say how operands
 * are to be passed. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* ---- Calls of C functions -------------------------------------------------- */

/* "<2 x float>": the number of elements; 0 where it is no vector. */
static unsigned vector_size(const char *type)
{
    return type[0] == '<' && type[1] != '{'
        ? (unsigned)g_ascii_strtoull(type + 1, NULL, 10)
        : 0;
}

static bool is_pointer(const char *type)
{
    return strcmp(type, "ptr") == 0 || g_str_has_suffix(type, "*");
}

static bool is_integer(const char *type)
{
    return type[0] == 'i' && g_ascii_isdigit(type[1]);
}

/* "<2 x float>" and "<4 x float>": the same element. */
static bool same_element(const char *a, const char *b)
{
    const char *x = strstr(a, " x "), *y = strstr(b, " x ");
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* The value of type @from as one of type @to; %NULL where there is none. */
static char *convert(struct weiri_rewriter *rewriter, GString *out, const char *from,
                     const char *value, const char *to)
{
    if (strcmp(from, to) == 0) {
        return g_strdup(value);
    }
    unsigned have = vector_size(from), want = vector_size(to);
    const char *cast = is_pointer(from) && is_pointer(to) ? "bitcast"
        : is_pointer(from) && is_integer(to)              ? "ptrtoint"
        : is_integer(from) && is_pointer(to)              ? "inttoptr"
                                                          : NULL;
    if (cast == NULL && !(have > 0 && want > 0 && same_element(from, to))) {
        return NULL;
    }
    char *name = weiri_rewriter_value(rewriter);
    if (cast != NULL) {
        g_string_append_printf(out, "  %s = %s %s %s to %s\n", name, cast, from, value,
                               to);
        return name;
    }
    g_string_append_printf(out, "  %s = shufflevector %s %s, %s poison, <%u x i32> <",
                           name, from, value, from, want);
    for (unsigned i = 0; i < want; i++) {
        g_string_append(out, i > 0 ? ", " : "");
        if (i < have) {
            g_string_append_printf(out, "i32 %u", i);
        } else {
            g_string_append(out, "i32 undef");
        }
    }
    g_string_append(out, ">\n");
    return name;
}

/* Struct types of the builtins that the module does not know are opaque to it. */
static void declare_type(struct weiri_rewriter *rewriter, const char *type)
{
    const char *at = strchr(type, '%');
    if (at != NULL) {
        char *name = g_strndup(at, (gsize)(weiri_ir_name_end(at) - at));
        if (!g_hash_table_contains(rewriter->tables.types, name)) {
            char *line = g_strdup_printf("%s = type opaque", name);
            weiri_rewriter_declare(rewriter, line);
            g_free(line);
        }
        g_free(name);
    }
}

static void declare(struct weiri_rewriter *rewriter, const char *target,
                    const struct weiri_ir_call *prototype)
{
    GString *line = g_string_new(NULL);
    g_string_printf(line, "declare %s @%s(", prototype->type, target);
    declare_type(rewriter, prototype->type);
    for (guint i = 0; i < prototype->operands->len; i++) {
        const struct weiri_ir_operand *operand
            = &g_array_index(prototype->operands, struct weiri_ir_operand, i);
        g_string_append_printf(line, "%s%s %s", i > 0 ? ", " : "", operand->type,
                               operand->attributes);
        declare_type(rewriter, operand->type);
    }
    g_string_append(line, ")");
    weiri_rewriter_declare(rewriter, line->str);
    g_string_free(line, TRUE);
}

/* The operands as the prototype wants them: "i32 signext %3, …"; %NULL if they do not
 * fit. */
static char *fit(struct weiri_rewriter *rewriter, GString *out,
                 const struct weiri_ir_call *prototype,
                 const struct weiri_ir_operand *operands, size_t n)
{
    if (prototype->operands->len != n) {
        return NULL;
    }
    GString *list = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        const struct weiri_ir_operand *want
            = &g_array_index(prototype->operands, struct weiri_ir_operand, i);
        char *value
            = convert(rewriter, out, operands[i].type, operands[i].value, want->type);
        if (value == NULL) {
            g_string_free(list, TRUE);
            return NULL;
        }
        g_string_append_printf(list, "%s%s %s%s%s", i > 0 ? ", " : "", want->type,
                               want->attributes, *want->attributes != '\0' ? " " : "",
                               value);
        g_free(value);
    }
    return g_string_free(list, FALSE);
}

/* The value that the C function returned becomes the result of the call. */
static bool return_as(GString *out, const char *value, const char *from,
                      const char *result, const char *to)
{
    if (strcmp(from, to) == 0) {
        return true;
    }
    unsigned have = vector_size(from), want = vector_size(to);
    if (is_pointer(from) && is_pointer(to)) {
        g_string_append_printf(out, "  %s = bitcast %s %s to %s\n", result, from, value,
                               to);
    } else if (is_integer(from) && is_pointer(to)) {
        g_string_append_printf(out, "  %s = inttoptr %s %s to %s\n", result, from,
                               value, to);
    } else if (want > 0 && have >= want && same_element(from, to)) {
        g_string_append_printf(
            out, "  %s = shufflevector %s %s, %s poison, <%u x i32> <i32 0, i32 1%s>\n",
            result, from, value, from, want, want == 3 ? ", i32 2" : "");
    } else {
        return false;
    }
    return true;
}

bool weiri_rewriter_call_c(struct weiri_rewriter *rewriter, GString *out,
                           const char *target, const char *result, const char *type,
                           const struct weiri_ir_operand *operands, size_t n,
                           const char *place)
{
    const struct weiri_ir_call *prototype
        = g_hash_table_lookup(rewriter->prototypes, target);
    if (prototype == NULL) {
        return false;
    }
    size_t length = out->len;
    char *list = fit(rewriter, out, prototype, operands, n);
    bool same = list != NULL && strcmp(prototype->type, type) == 0;
    bool known = list != NULL;
    if (known && result == NULL) {
        g_string_append_printf(out, "  call %s @%s(%s)%s\n", prototype->type, target,
                               list, place);
    } else if (known) {
        char *value = same ? g_strdup(result) : weiri_rewriter_value(rewriter);
        g_string_append_printf(out, "  %s = call %s @%s(%s)%s\n", value,
                               prototype->type, target, list, place);
        known = return_as(out, value, prototype->type, result, type);
        g_free(value);
    }
    if (known) {
        declare(rewriter, target, prototype);
    } else {
        g_string_truncate(out, length);
    }
    g_free(list);
    return known;
}
