/* SPDX-License-Identifier: MIT
 *
 * integers.c: divisions, and functions with integers that libclc does not define, or
 * not as the standard does: [CL30C] 6.15.3, and 6.4.3 for conversions.
 *
 *     a / b            in OpenCL C a division by zero, or of the least integer by -1,
 *                      has an unspecified value and no exception ([CL30C] 6.4.1); the
 *                      processor has one, and to LLVM it is undefined. So such a
 *                      divisor becomes 1. Divisors that are constants, as most are,
 *                      stay
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

#include "opencl-cc/clc.h"

#include <string.h>

#include "opencl/compile/mangled.h"

/* ---- Divisions ------------------------------------------------------------ */

struct llvm_value *weiri_clc_splat(struct llvm_type *type, int64_t number)
{
    bool vector = llvm.GetTypeKind(type) == LLVM_VECTOR;
    struct llvm_type *element = vector ? llvm.GetElementType(type) : type;
    struct llvm_value *one = llvm.ConstInt(element, (uint64_t)number, 1);
    if (!vector) {
        return one;
    }
    unsigned n = llvm.GetVectorSize(type);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n);
    for (unsigned i = 0; i < n; i++) {
        list[i] = one;
    }
    return llvm.ConstVector(list, n);
}

static struct llvm_value *equals(struct weiri_clc *clc, struct llvm_value *value,
                                 int64_t number)
{
    return llvm.BuildICmp(clc->builder, LLVM_EQ, value,
                          weiri_clc_splat(llvm.TypeOf(value), number), "");
}

struct llvm_value *weiri_clc_divisor(struct weiri_clc *clc, int opcode,
                                     struct llvm_value *dividend,
                                     struct llvm_value *divisor)
{
    bool has_sign = opcode == LLVM_SDIV || opcode == LLVM_SREM;
    struct llvm_type *type = llvm.TypeOf(divisor);
    struct llvm_type *element
        = llvm.GetTypeKind(type) == LLVM_VECTOR ? llvm.GetElementType(type) : type;
    unsigned bits = llvm.GetIntTypeWidth(element);
    if (bits > 64
        || (llvm.IsAConstantInt(divisor) != NULL
            && llvm.ConstIntGetSExtValue(divisor) != 0
            && (!has_sign || llvm.ConstIntGetSExtValue(divisor) != -1))) {
        return divisor;
    }
    struct llvm_value *bad = equals(clc, divisor, 0);
    if (has_sign) {
        struct llvm_value *minus = equals(clc, divisor, -1);
        struct llvm_value *least
            = equals(clc, dividend, -((int64_t)1 << (bits - 2)) * 2);
        struct llvm_value *both
            = llvm.BuildBinOp(clc->builder, LLVM_AND, minus, least, "");
        bad = llvm.BuildBinOp(clc->builder, LLVM_OR, bad, both, "");
    }
    return llvm.BuildSelect(clc->builder, bad, weiri_clc_splat(type, 1), divisor, "");
}

/* ---- Functions ------------------------------------------------------------ */

/* "v4i32", "i32": a type in the name of one of LLVM's functions. */
static char *suffix_of(const struct weiri_mangled_type *type, const char *scalar)
{
    return type->elements > 1 ? g_strdup_printf("v%u%s", type->elements, scalar)
                              : g_strdup(scalar);
}

/* Calls LLVM's function of integers of any width. */
static struct llvm_value *intrinsic(struct weiri_clc *clc, const char *function,
                                    const struct weiri_mangled_type *type,
                                    unsigned bits, struct llvm_value **arguments,
                                    unsigned n)
{
    g_autofree char *scalar = g_strdup_printf("i%u", bits);
    g_autofree char *suffix = suffix_of(type, scalar);
    g_autofree char *name = g_strdup_printf("llvm.%s.%s", function, suffix);
    return weiri_clc_call_named(clc, name, llvm.TypeOf(arguments[0]), arguments, n);
}

static unsigned bits_of(const struct weiri_mangled_type *type)
{
    return (unsigned)g_ascii_strtoull(type->scalar + 1, NULL, 10);
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

static struct llvm_value *add_abs(struct weiri_clc *clc,
                                  const struct weiri_mangled_type *type,
                                  struct llvm_value *value)
{
    struct llvm_value *both[] = { value, weiri_clc_splat(llvm.TypeOf(value), 0) };
    struct llvm_value *most = intrinsic(clc, "smax", type, bits_of(type), both, 2);
    struct llvm_value *least = intrinsic(clc, "smin", type, bits_of(type), both, 2);
    return llvm.BuildBinOp(clc->builder, LLVM_SUB, most, least, "");
}

static struct llvm_value *add_mad_hi(struct weiri_clc *clc,
                                     const struct weiri_mangled_type *type, char letter,
                                     struct llvm_value **arguments)
{
    g_autofree char *name = type->elements > 1
        ? g_strdup_printf("_Z6mul_hiDv%u_%cS_", type->elements, letter)
        : g_strdup_printf("_Z6mul_hi%c%c", letter, letter);
    struct llvm_value *product
        = weiri_clc_call_named(clc, name, llvm.TypeOf(arguments[0]), arguments, 2);
    return llvm.BuildBinOp(clc->builder, LLVM_ADD, product, arguments[2], "");
}

/* The product of two longs and the sum fit 128 bits. */
static struct llvm_value *add_mad_sat_of_long(struct weiri_clc *clc,
                                              const struct weiri_mangled_type *type,
                                              struct llvm_value **arguments)
{
    struct llvm_type *wide = weiri_ir_int(128), *narrow = llvm.TypeOf(arguments[0]);
    wide = type->elements > 1 ? llvm.VectorType(wide, type->elements) : wide;
    struct llvm_value *wides[3];
    for (size_t i = 0; i < G_N_ELEMENTS(wides); i++) {
        wides[i] = llvm.BuildCast(clc->builder, LLVM_SEXT, arguments[i], wide, "");
    }
    struct llvm_value *value
        = llvm.BuildBinOp(clc->builder, LLVM_MUL, wides[0], wides[1], "");
    value = llvm.BuildBinOp(clc->builder, LLVM_ADD, value, wides[2], "");
    struct llvm_value *most[] = { value, weiri_clc_splat(wide, INT64_MAX) };
    value = intrinsic(clc, "smin", type, 128, most, 2);
    struct llvm_value *least[] = { value, weiri_clc_splat(wide, INT64_MIN) };
    value = intrinsic(clc, "smax", type, 128, least, 2);
    return llvm.BuildCast(clc->builder, LLVM_TRUNC, value, narrow, "");
}

/* ---- Conversions ---------------------------------------------------------- */

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

/* A conversion of floats to integers; NULL: the call is of another function. */
static struct llvm_value *add_saturated(struct weiri_clc *clc, struct llvm_type *type,
                                        const struct weiri_mangled *mangled,
                                        struct llvm_value *value)
{
    const struct weiri_mangled_type *from = &mangled->types[0];
    const char *rounding = NULL, *to = saturated(mangled->name, &rounding);
    bool is_float = strcmp(from->scalar, "f32") == 0;
    if (to == NULL || mangled->n != 1 || from->pointer
        || (!is_float && strcmp(from->scalar, "f64") != 0)) {
        return NULL;
    }
    char letter = is_float ? 'f' : 'd';
    if (rounding != NULL) {
        g_autofree char *name = from->elements > 1
            ? g_strdup_printf("_Z%zu%sDv%u_%c", strlen(rounding), rounding,
                              from->elements, letter)
            : g_strdup_printf("_Z%zu%s%c", strlen(rounding), rounding, letter);
        value = weiri_clc_call_named(clc, name, llvm.TypeOf(value), &value, 1);
    }
    g_autofree char *scalar = g_strdup_printf("i%s", to + 1);
    g_autofree char *result = suffix_of(from, scalar);
    g_autofree char *operand = suffix_of(from, from->scalar);
    g_autofree char *name = g_strdup_printf("llvm.fpto%ci.sat.%s.%s",
                                            to[0] == 'i' ? 's' : 'u', result, operand);
    return weiri_clc_call_named(clc, name, type, &value, 1);
}

struct llvm_value *weiri_clc_integer(struct weiri_clc *clc, struct llvm_type *type,
                                     const struct weiri_mangled *mangled,
                                     struct llvm_value **arguments, unsigned n)
{
    const struct weiri_mangled_type *of = &mangled->types[0];
    const char *name = mangled->name;
    char letter = mangled->n > 0 ? letter_of(of->scalar) : 0;
    struct llvm_value *made
        = n == 1 ? add_saturated(clc, type, mangled, arguments[0]) : NULL;
    if (made != NULL || letter == 0) {
        return made;
    }
    if (strcmp(name, "ctz") == 0 && n == 1) {
        struct llvm_value *both[] = { arguments[0], weiri_ir_constant(1, 0) };
        return intrinsic(clc, "cttz", of, bits_of(of), both, 2);
    }
    bool is_sum = strcmp(name, "add_sat") == 0;
    if ((is_sum || strcmp(name, "sub_sat") == 0) && n == 2) {
        const char *function = of->scalar[0] == 'i' ? is_sum ? "sadd.sat" : "ssub.sat"
            : is_sum                                ? "uadd.sat"
                                                    : "usub.sat";
        return intrinsic(clc, function, of, bits_of(of), arguments, 2);
    }
    if (strcmp(name, "abs") == 0 && n == 1 && of->scalar[0] == 'i') {
        return add_abs(clc, of, arguments[0]);
    }
    if (strcmp(name, "mad_hi") == 0 && n == 3) {
        return add_mad_hi(clc, of, letter, arguments);
    }
    if (strcmp(name, "mad_sat") == 0 && n == 3 && strcmp(of->scalar, "i64") == 0) {
        return add_mad_sat_of_long(clc, of, arguments);
    }
    return NULL;
}
