/* SPDX-License-Identifier: MIT
 *
 * rewrite-integer.c: functions with integers that libclc does not define, or not as the
 * standard does: [CL30C] 6.15.3, and 6.4.3 for conversions.
 *
 *     ctz(x)           llvm.cttz(x, false), whose value for 0 is the width, too
 *     add_sat(a, b)    llvm.sadd.sat(a, b); so uadd, ssub and usub. libclc's sub_sat()
 *                      of int and long makes the least number of 0 - INT_MIN
 *     abs(x) of int    max(x, 0) - min(x, 0), and of its like. clang 14 makes 0 of
 *                      libclc's llvm.abs(x) where x is 0 or -1 by a comparison, as it
 *                      does of all that it turns into that
 *     mad_hi(a, b, c)  mul_hi(a, b) + c; libclc has it as a macro
 *     mad_sat(a, b, c) of long: in 128 bits. libclc's makes the least number of 0 * -1
 *     convert_T_sat(x) of a float: llvm.fptosi.sat(x) or fptoui, after rint(), ceil()
 *                      or floor() where _rte, _rtp or _rtn ends the name. libclc's has
 *                      no value where x is what T's greatest number is rounded to */
#include "config.h"

#include "opencl/mangled.h"
#include "opencl/rewriter.h"

#include <string.h>

static const struct weiri_ir_operand *operand(const struct weiri_ir_call *call,
                                              guint index)
{
    return &g_array_index(call->operands, struct weiri_ir_operand, index);
}

/* A call of LLVM's function of integers of any width, with the call's operands. @last:
 * one more of them, or NULL */
static void add_intrinsic(struct weiri_rewriter *rewriter,
                          const struct weiri_ir_call *call,
                          const struct weiri_mangled_type *type, const char *function,
                          const char *last, const char *place)
{
    g_autofree char *name = type->elements > 1
        ? g_strdup_printf("@llvm.%s.v%ui%s", function, type->elements, type->scalar + 1)
        : g_strdup_printf("@llvm.%s.i%s", function, type->scalar + 1);
    g_autoptr(GString) types = g_string_new(NULL);
    g_autoptr(GString) values = g_string_new(NULL);
    for (guint i = 0; i < call->operands->len; i++) {
        const char *comma = i > 0 ? ", " : "";
        g_string_append_printf(types, "%s%s", comma, call->type);
        g_string_append_printf(values, "%s%s %s", comma, call->type,
                               operand(call, i)->value);
    }
    if (last != NULL) {
        g_string_append(types, ", i1");
        g_string_append_printf(values, ", i1 %s", last);
    }
    g_autofree char *line
        = g_strdup_printf("declare %s %s(%s)", call->type, name, types->str);
    weiri_rewriter_declare(rewriter, line);
    g_string_append_printf(rewriter->body, "  %s = call %s %s(%s)%s\n", call->result,
                           call->type, name, values->str, place);
}

/* The letter of a type in a mangled name. */
static char letter_of(const char *scalar)
{
    static const struct {
        const char *scalar;
        char letter;
    } letters[] = { { "i8", 'c' },  { "u8", 'h' },  { "i16", 's' }, { "u16", 't' },
                    { "i32", 'i' }, { "u32", 'j' }, { "i64", 'l' }, { "u64", 'm' } };
    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++) {
        if (strcmp(letters[i].scalar, scalar) == 0) {
            return letters[i].letter;
        }
    }
    return 0;
}

static void add_abs(struct weiri_rewriter *rewriter, const struct weiri_ir_call *call,
                    const struct weiri_mangled_type *type, const char *place)
{
    static const char *const bounds[] = { "smax", "smin" };
    const char *value = operand(call, 0)->value;
    char *bounded[2];
    for (size_t i = 0; i < G_N_ELEMENTS(bounds); i++) {
        g_autofree char *name = type->elements > 1
            ? g_strdup_printf("@llvm.%s.v%ui%s", bounds[i], type->elements,
                              type->scalar + 1)
            : g_strdup_printf("@llvm.%s.i%s", bounds[i], type->scalar + 1);
        g_autofree char *line = g_strdup_printf("declare %s %s(%s, %s)", call->type,
                                                name, call->type, call->type);
        bounded[i] = weiri_rewriter_value(rewriter);
        weiri_rewriter_declare(rewriter, line);
        g_string_append_printf(
            rewriter->body, "  %s = call %s %s(%s %s, %s zeroinitializer)%s\n",
            bounded[i], call->type, name, call->type, value, call->type, place);
    }
    g_string_append_printf(rewriter->body, "  %s = sub %s %s, %s\n", call->result,
                           call->type, bounded[0], bounded[1]);
    g_free(bounded[0]);
    g_free(bounded[1]);
}

static void add_mad_hi(struct weiri_rewriter *rewriter,
                       const struct weiri_ir_call *call,
                       const struct weiri_mangled_type *type, char letter,
                       const char *place)
{
    g_autofree char *name = type->elements > 1
        ? g_strdup_printf("@_Z6mul_hiDv%u_%cS_", type->elements, letter)
        : g_strdup_printf("@_Z6mul_hi%c%c", letter, letter);
    g_autofree char *line = g_strdup_printf("declare %s %s(%s, %s)", call->type, name,
                                            call->type, call->type);
    g_autofree char *product = weiri_rewriter_value(rewriter);
    weiri_rewriter_declare(rewriter, line);
    g_string_append_printf(rewriter->body,
                           "  %s = call %s %s(%s %s, %s %s)%s\n"
                           "  %s = add %s %s, %s\n",
                           product, call->type, name, call->type,
                           operand(call, 0)->value, call->type, operand(call, 1)->value,
                           place, call->result, call->type, product,
                           operand(call, 2)->value);
}

/* A value of all elements of the type. */
static char *splat(const struct weiri_mangled_type *type, const char *scalar,
                   const char *value)
{
    if (type->elements <= 1) {
        return g_strdup(value);
    }
    GString *out = g_string_new("<");
    for (guint i = 0; i < type->elements; i++) {
        g_string_append_printf(out, "%s%s %s", i > 0 ? ", " : "", scalar, value);
    }
    return g_string_free(g_string_append(out, ">"), FALSE);
}

/* The product of two longs and the sum fit 128 bits. */
static void add_mad_sat_of_long(struct weiri_rewriter *rewriter,
                                const struct weiri_ir_call *call,
                                const struct weiri_mangled_type *type,
                                const char *place)
{
    g_autofree char *vector
        = type->elements > 1 ? g_strdup_printf("v%u", type->elements) : g_strdup("");
    g_autofree char *wide = type->elements > 1
        ? g_strdup_printf("<%u x i128>", type->elements)
        : g_strdup("i128");
    const struct {
        const char *function, *limit;
    } bounds[]
        = { { "smin", "9223372036854775807" }, { "smax", "-9223372036854775808" } };
    GString *body = rewriter->body;
    g_autofree char *product = weiri_rewriter_value(rewriter);
    g_autofree char *value = weiri_rewriter_value(rewriter);
    char *wides[3];
    for (guint i = 0; i < G_N_ELEMENTS(wides); i++) {
        wides[i] = weiri_rewriter_value(rewriter);
        g_string_append_printf(body, "  %s = sext %s %s to %s\n", wides[i], call->type,
                               operand(call, i)->value, wide);
    }
    g_string_append_printf(body, "  %s = mul %s %s, %s\n  %s = add %s %s, %s\n",
                           product, wide, wides[0], wides[1], value, wide, product,
                           wides[2]);
    for (size_t i = 0; i < G_N_ELEMENTS(bounds); i++) {
        g_autofree char *limit = splat(type, "i128", bounds[i].limit);
        g_autofree char *name
            = g_strdup_printf("@llvm.%s.%si128", bounds[i].function, vector);
        g_autofree char *line
            = g_strdup_printf("declare %s %s(%s, %s)", wide, name, wide, wide);
        char *bounded = weiri_rewriter_value(rewriter);
        weiri_rewriter_declare(rewriter, line);
        g_string_append_printf(body, "  %s = call %s %s(%s %s, %s %s)%s\n", bounded,
                               wide, name, wide, value, wide, limit, place);
        g_free(value);
        value = bounded;
    }
    g_string_append_printf(body, "  %s = trunc %s %s to %s\n", call->result, wide,
                           value, call->type);
    for (guint i = 0; i < G_N_ELEMENTS(wides); i++) {
        g_free(wides[i]);
    }
}

/* ---- Conversions ----------------------------------------------------------------- */

/* The type to which the function of that name converts with saturation, or NULL.
 * @rounding: (out): the function that rounds before, or NULL */
static const char *saturated(const char *name, const char **rounding)
{
    static const struct {
        const char *name, *type;
    } types[] = { { "char", "i8" },    { "uchar", "u8" }, { "short", "i16" },
                  { "ushort", "u16" }, { "int", "i32" },  { "uint", "u32" },
                  { "long", "i64" },   { "ulong", "u64" } };
    static const struct {
        const char *end, *function;
    } modes[] = { { "", NULL },
                  { "_rtz", NULL },
                  { "_rte", "rint" },
                  { "_rtp", "ceil" },
                  { "_rtn", "floor" } };
    if (!g_str_has_prefix(name, "convert_")) {
        return NULL;
    }
    name += strlen("convert_");
    size_t letters = strspn(name, "acghilnorstu");
    const char *end = name + letters + strspn(name + letters, "0123456789");
    if (!g_str_has_prefix(end, "_sat")) {
        return NULL;
    }
    for (size_t m = 0; m < G_N_ELEMENTS(modes); m++) {
        for (size_t t = 0; t < G_N_ELEMENTS(types); t++) {
            if (strcmp(end + strlen("_sat"), modes[m].end) == 0
                && strlen(types[t].name) == letters
                && strncmp(name, types[t].name, letters) == 0) {
                *rounding = modes[m].function;
                return types[t].type;
            }
        }
    }
    return NULL;
}

/* A conversion of floats to integers; false: the call is of another function. */
static bool add_saturated(struct weiri_rewriter *rewriter,
                          const struct weiri_ir_call *call,
                          const struct weiri_mangled *mangled, const char *place)
{
    const struct weiri_mangled_type *from = &mangled->types[0];
    const char *rounding, *to = saturated(mangled->name, &rounding);
    bool is_float = strcmp(from->scalar, "f32") == 0;
    if (to == NULL || mangled->n != 1 || from->pointer
        || (!is_float && strcmp(from->scalar, "f64") != 0)) {
        return false;
    }
    char letter = is_float ? 'f' : 'd';
    g_autofree char *vector
        = from->elements > 1 ? g_strdup_printf("v%u", from->elements) : g_strdup("");
    const struct weiri_ir_operand *value = operand(call, 0);
    g_autofree char *rounded = NULL;
    if (rounding != NULL) {
        g_autofree char *name = from->elements > 1
            ? g_strdup_printf("@_Z%zu%sDv%u_%c", strlen(rounding), rounding,
                              from->elements, letter)
            : g_strdup_printf("@_Z%zu%s%c", strlen(rounding), rounding, letter);
        g_autofree char *line
            = g_strdup_printf("declare %s %s(%s)", value->type, name, value->type);
        weiri_rewriter_declare(rewriter, line);
        rounded = weiri_rewriter_value(rewriter);
        g_string_append_printf(rewriter->body, "  %s = call %s %s(%s %s)%s\n", rounded,
                               value->type, name, value->type, value->value, place);
    }
    g_autofree char *name
        = g_strdup_printf("@llvm.fpto%ci.sat.%si%s.%s%s", to[0] == 'i' ? 's' : 'u',
                          vector, to + 1, vector, from->scalar);
    g_autofree char *line
        = g_strdup_printf("declare %s %s(%s)", call->type, name, value->type);
    weiri_rewriter_declare(rewriter, line);
    g_string_append_printf(rewriter->body, "  %s = call %s %s(%s %s)%s\n", call->result,
                           call->type, name, value->type,
                           rounded != NULL ? rounded : value->value, place);
    return true;
}

bool weiri_rewriter_integer(struct weiri_rewriter *rewriter,
                            const struct weiri_ir_call *call,
                            const struct weiri_mangled *mangled, const char *place)
{
    const struct weiri_mangled_type *type = &mangled->types[0];
    char letter = mangled->n > 0 ? letter_of(type->scalar) : 0;
    if (call->result != NULL && add_saturated(rewriter, call, mangled, place)) {
        return true;
    }
    if (letter == 0 || call->result == NULL) {
        return false;
    }
    if (strcmp(mangled->name, "ctz") == 0 && call->operands->len == 1) {
        add_intrinsic(rewriter, call, type, "cttz", "false", place);
        return true;
    }
    bool is_sum = strcmp(mangled->name, "add_sat") == 0;
    if ((is_sum || strcmp(mangled->name, "sub_sat") == 0) && call->operands->len == 2) {
        const char *function = type->scalar[0] == 'i' ? is_sum ? "sadd.sat" : "ssub.sat"
            : is_sum                                  ? "uadd.sat"
                                                      : "usub.sat";
        add_intrinsic(rewriter, call, type, function, NULL, place);
        return true;
    }
    if (strcmp(mangled->name, "abs") == 0 && call->operands->len == 1
        && type->scalar[0] == 'i') {
        add_abs(rewriter, call, type, place);
        return true;
    }
    if (strcmp(mangled->name, "mad_hi") == 0 && call->operands->len == 3) {
        add_mad_hi(rewriter, call, type, letter, place);
        return true;
    }
    if (strcmp(mangled->name, "mad_sat") == 0 && call->operands->len == 3
        && strcmp(type->scalar, "i64") == 0) {
        add_mad_sat_of_long(rewriter, call, type, place);
        return true;
    }
    return false;
}
