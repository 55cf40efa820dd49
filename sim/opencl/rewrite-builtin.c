/* SPDX-License-Identifier: MIT
 *
 * rewrite-builtin.c: builtins that are instructions, or that libclc defines for
 * pointers to private memory only: the access to the program's memory is then an
 * instruction of the program, which has hooks.
 *
 *     vload4(i, p)      a load of <4 x float>, with the alignment of an element
 *     vload_half(i, p)  the half is loaded into a private variable, of which libclc's
 *                       vload_half() reads; vstore_half() likewise
 *     fract(x, p)       libclc's, with a private variable, whose value is stored to *p;
 *                       so modf, sincos, frexp, remquo and lgamma_r */
#include "config.h"

#include "opencl/mangled.h"
#include "opencl/rewriter.h"

#include <string.h>

static const struct weiri_ir_operand *operand(const struct weiri_ir_call *call,
                                              guint index)
{
    return &g_array_index(call->operands, struct weiri_ir_operand, index);
}

/* "float" of "f32"; integers are without sign. */
static const char *element_type(const char *scalar)
{
    static const struct {
        const char *scalar, *type;
    } words[]
        = { { "i8", "i8" },    { "u8", "i8" },     { "i16", "i16" },   { "u16", "i16" },
            { "i32", "i32" },  { "u32", "i32" },   { "i64", "i64" },   { "u64", "i64" },
            { "f16", "half" }, { "f32", "float" }, { "f64", "double" } };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(scalar, words[i].scalar) == 0) {
            return words[i].type;
        }
    }
    return NULL;
}

/* The last number in the name, before a suffix: "vload4", "vstorea_half8_rtz". */
static unsigned width_of(const char *name)
{
    const char *digit = name;
    while (*digit != '\0' && !g_ascii_isdigit(*digit)) {
        digit++;
    }
    return *digit != '\0' ? (unsigned)g_ascii_strtoull(digit, NULL, 10) : 1;
}

static char *vector_of(unsigned width, const char *element)
{
    return width == 1 ? g_strdup(element)
                      : g_strdup_printf("<%u x %s>", width, element);
}

/* The place of vector @index of @stride elements: a pointer to @type. */
static char *element_at(struct weiri_rewriter *rewriter,
                        const struct weiri_ir_operand *pointer, const char *index,
                        unsigned stride, const char *element, const char *type)
{
    char *at = weiri_rewriter_value(rewriter),
         *from = weiri_rewriter_pointer(rewriter, element),
         *to = weiri_rewriter_pointer(rewriter, type);
    g_string_append_printf(rewriter->body,
                           "  %s.i = mul i64 %s, %u\n"
                           "  %s.e = bitcast %s %s to %s\n"
                           "  %s.p = getelementptr %s, %s %s.e, i64 %s.i\n"
                           "  %s = bitcast %s %s.p to %s\n",
                           at, index, stride, at, pointer->type, pointer->value, from,
                           at, element, from, at, at, at, from, at, to);
    g_free(from);
    g_free(to);
    return at;
}

/* Adds an access as the program's own. */
static void add_access(struct weiri_rewriter *rewriter, char *line)
{
    weiri_rewriter_add_access(rewriter, line);
    g_free(line);
}

static void add_load(struct weiri_rewriter *rewriter, const char *result,
                     const char *type, const char *at, size_t alignment,
                     const char *place)
{
    char *pointer = weiri_rewriter_pointer(rewriter, type);
    add_access(rewriter,
               g_strdup_printf("  %s = load %s, %s %s, align %zu%s", result, type,
                               pointer, at, alignment, place));
    g_free(pointer);
}

static void add_store(struct weiri_rewriter *rewriter, const char *type,
                      const char *value, const char *at, size_t alignment,
                      const char *place)
{
    char *pointer = weiri_rewriter_pointer(rewriter, type);
    add_access(rewriter,
               g_strdup_printf("  store %s %s, %s %s, align %zu%s", type, value,
                               pointer, at, alignment, place));
    g_free(pointer);
}

/* A private variable of the function. Returns: its address */
static char *add_variable(struct weiri_rewriter *rewriter, const char *type)
{
    char *value = weiri_rewriter_value(rewriter);
    g_string_append_printf(rewriter->entry, "  %s = alloca %s, align 128\n", value,
                           type);
    g_hash_table_add(rewriter->own, g_strdup(value));
    return value;
}

/* ---- vload and vstore --------------------------------------------------- */

static bool add_vload(struct weiri_rewriter *rewriter, const struct weiri_ir_call *call,
                      const struct weiri_mangled *mangled, const char *place)
{
    const char *element
        = mangled->n >= 2 ? element_type(mangled->types[1].scalar) : NULL;
    unsigned width = width_of(mangled->name);
    size_t bytes, alignment;
    if (element == NULL || call->result == NULL || call->operands->len != 2
        || !weiri_ir_layout(&rewriter->tables, element, &bytes, &alignment)) {
        return false;
    }
    char *type = vector_of(width, element);
    char *at = element_at(rewriter, operand(call, 1), operand(call, 0)->value, width,
                          element, type);
    add_load(rewriter, call->result, type, at, alignment, place);
    g_free(type);
    g_free(at);
    return true;
}

static bool add_vstore(struct weiri_rewriter *rewriter,
                       const struct weiri_ir_call *call,
                       const struct weiri_mangled *mangled, const char *place)
{
    const char *element
        = mangled->n >= 3 ? element_type(mangled->types[0].scalar) : NULL;
    unsigned width = width_of(mangled->name);
    size_t bytes, alignment;
    if (element == NULL || call->operands->len != 3
        || !weiri_ir_layout(&rewriter->tables, element, &bytes, &alignment)) {
        return false;
    }
    char *type = vector_of(width, element);
    char *at = element_at(rewriter, operand(call, 2), operand(call, 1)->value, width,
                          element, type);
    add_store(rewriter, type, operand(call, 0)->value, at, alignment, place);
    g_free(type);
    g_free(at);
    return true;
}

/* ---- Forms that libclc has for private memory ------------------------------ */

/* Calls libclc's function of @call with @operands, which are text. */
static void call_private(struct weiri_rewriter *rewriter,
                         const struct weiri_ir_call *call, const char *operands,
                         const char *types, const char *place)
{
    char *name = weiri_mangled_private(call->callee);
    char *line = g_strdup_printf("declare %s %s(%s)", call->type, name, types);
    weiri_rewriter_declare(rewriter, line);
    g_string_append(rewriter->body, "  ");
    if (call->result != NULL) {
        g_string_append_printf(rewriter->body, "%s = ", call->result);
    }
    g_string_append_printf(rewriter->body, "call %s %s(%s)%s\n", call->type, name,
                           operands, place);
    g_free(line);
    g_free(name);
}

/* vload_half(), vloada_half4(), vstore_half_rtz(): by a private half, accessed as an
 * integer. A half of `vloada_half3` and its like has 4 places. */
static bool add_half(struct weiri_rewriter *rewriter, const struct weiri_ir_call *call,
                     const struct weiri_mangled *mangled, const char *place)
{
    bool loads = g_str_has_prefix(mangled->name, "vload");
    guint n = loads ? 2 : 3;
    if (call->operands->len != n || mangled->n < n) {
        return false;
    }
    unsigned width = width_of(mangled->name);
    bool whole = mangled->name[loads ? 5 : 6] == 'a';
    unsigned stride = whole && width == 3 ? 4 : width;
    const struct weiri_ir_operand *pointer = operand(call, n - 1),
                                  *index = operand(call, n - 2);
    char *type = vector_of(width, "i16"), *halves = vector_of(width, "half");
    char *at = element_at(rewriter, pointer, index->value, stride, "i16", type);
    char *variable = add_variable(rewriter, type),
         *moved = weiri_rewriter_value(rewriter);
    char *to = weiri_rewriter_pointer(rewriter, type),
         *half = weiri_rewriter_pointer(rewriter, "half");
    size_t alignment = whole ? 2 * stride : 2;
    char *operands, *types;
    g_string_append_printf(rewriter->body, "  %s.h = bitcast %s %s to %s\n", moved, to,
                           variable, half);
    if (loads) {
        add_load(rewriter, moved, type, at, alignment, place);
        add_store(rewriter, type, moved, variable, alignment, "");
        operands = g_strdup_printf("i64 0, %s %s.h", half, moved);
        types = g_strdup_printf("i64, %s", half);
        call_private(rewriter, call, operands, types, place);
    } else {
        const struct weiri_ir_operand *value = operand(call, 0);
        operands = g_strdup_printf("%s %s, i64 0, %s %s.h", value->type, value->value,
                                   half, moved);
        types = g_strdup_printf("%s, i64, %s", value->type, half);
        call_private(rewriter, call, operands, types, place);
        add_load(rewriter, moved, type, variable, alignment, "");
        add_store(rewriter, type, moved, at, alignment, place);
    }
    char *owned[] = { type, halves, at, variable, moved, to, half, operands, types };
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++) {
        g_free(owned[i]);
    }
    return true;
}

/* fract(x, p) and its like: the last operand is where the second result goes. */
static bool add_second_result(struct weiri_rewriter *rewriter,
                              const struct weiri_ir_call *call,
                              const struct weiri_mangled *mangled, const char *place)
{
    static const char *const names[]
        = { "fract", "modf", "sincos", "frexp", "remquo", "lgamma_r" };
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        known |= strcmp(mangled->name, names[i]) == 0;
    }
    guint n = call->operands->len;
    if (!known || n < 2 || mangled->n != n || !mangled->types[n - 1].pointer) {
        return false;
    }
    const struct weiri_mangled_type *of = &mangled->types[n - 1];
    const char *element = element_type(of->scalar);
    if (element == NULL) {
        return false;
    }
    char *type = vector_of(of->elements, element);
    char *variable = add_variable(rewriter, type);
    char *to = weiri_rewriter_pointer(rewriter, type);
    GString *operands = g_string_new(NULL), *types = g_string_new(NULL);
    for (guint i = 0; i + 1 < n; i++) {
        g_string_append_printf(operands, "%s %s, ", operand(call, i)->type,
                               operand(call, i)->value);
        g_string_append_printf(types, "%s, ", operand(call, i)->type);
    }
    g_string_append_printf(operands, "%s %s", to, variable);
    g_string_append(types, to);
    call_private(rewriter, call, operands->str, types->str, place);
    char *second = weiri_rewriter_value(rewriter);
    size_t bytes = 1, alignment = 1;
    (void)weiri_ir_layout(&rewriter->tables, type, &bytes, &alignment);
    add_load(rewriter, second, type, variable, alignment, "");
    char *place_of = weiri_rewriter_value(rewriter);
    g_string_append_printf(rewriter->body, "  %s = bitcast %s %s to %s\n", place_of,
                           operand(call, n - 1)->type, operand(call, n - 1)->value, to);
    add_store(rewriter, type, second, place_of, alignment, place);
    g_string_free(operands, TRUE);
    g_string_free(types, TRUE);
    char *owned[] = { type, variable, to, second, place_of };
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++) {
        g_free(owned[i]);
    }
    return true;
}

/* ---- The choice --------------------------------------------------------- */

/* A sampler in the program's text is its flags, as a pointer. */
static bool add_sampler(struct weiri_rewriter *rewriter,
                        const struct weiri_ir_call *call)
{
    if (strcmp(call->callee, "@__translate_sampler_initializer") != 0
        || call->operands->len != 1) {
        return false;
    }
    g_string_append_printf(rewriter->body, "  %s = inttoptr %s %s to %s\n",
                           call->result, operand(call, 0)->type,
                           operand(call, 0)->value, call->type);
    return true;
}

bool weiri_rewriter_builtin(struct weiri_rewriter *rewriter,
                            const struct weiri_ir_call *call, const char *place)
{
    struct weiri_mangled mangled;
    if (add_sampler(rewriter, call)) {
        return true;
    }
    if (!weiri_mangled_parse(call->callee, &mangled)) {
        return false;
    }
    const char *name = mangled.name;
    bool loads = g_str_has_prefix(name, "vload"),
         stores = g_str_has_prefix(name, "vstore");
    if ((loads || stores) && strstr(name, "_half") != NULL) {
        return add_half(rewriter, call, &mangled, place);
    }
    if (loads && g_ascii_isdigit(name[strlen("vload")])) {
        return add_vload(rewriter, call, &mangled, place);
    }
    if (stores && g_ascii_isdigit(name[strlen("vstore")])) {
        return add_vstore(rewriter, call, &mangled, place);
    }
    if (strcmp(name, "prefetch") == 0) {
        return true;
    }
    return add_second_result(rewriter, call, &mangled, place)
        || weiri_rewriter_integer(rewriter, call, &mangled, place);
}
