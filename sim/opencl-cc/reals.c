/* SPDX-License-Identifier: MIT
 *
 * reals.c: functions of floating point that libclc does not define as the standard
 * does: [CL30C] 7.4 and 7.5. Its function is called with arguments for which it is
 * right, or its result is replaced where it is wrong.
 *
 *     nan(code)        the quiet NaN with these bits. libclc's is infinity for code 0
 *                      of a double, and signals for others
 *     exp(float)       exp(x + 60) * exp(-60), where that is less than a normal number:
 *                      libclc makes 0 of it. exp2 likewise
 *     fmod(float, y)   that of doubles: libclc's is wrong where y is less than a normal
 *                      number. erfc, remainder, remquo, rootn, ldexp and lgamma
 *                      likewise, the last for a negative number near 0
 *     sinh(double)     that of 1000, where the number is greater: libclc reads beyond
 *                      the end of a table. cosh likewise
 *     tgamma(x)        that of the C library: libclc's is wrong below 0
 *     ldexp(x, n)      a NaN, if x is one; else with an n whose sum with an exponent
 *                      does not overflow
 *     sin(-0.0)        -0.0, of a double; tan, atan, atanpi, erf and expm1 likewise
 *     sinpi(1.0)       0.0, and that of a negative integer -0.0; cospi(0.5) and
 *                      fdim(-0.0, 0.0) are 0.0, and tanpi(1.0) is -0.0
 *     smoothstep(double, double, double2)
 *                      the edges become vectors
 *     convert_float_rtp(x), of a double or an integer
 *                      the nearest one, or its neighbour; so _rtn, _rtz and double.
 *                      libclc compares an integer with its own rounded value */
#include "config.h"

#include "opencl-cc/clc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/compile/mangled.h"

/* A call: what each of the functions below gets. */
struct call {
    struct weiri_clc *clc;
    struct llvm_type *type; /* of the result */
    const char *symbol;     /* the mangled name */
    const struct weiri_mangled *mangled;
    struct llvm_value **arguments;
    unsigned n;
};

/* ---- Numbers ---------------------------------------------------------------- */

static bool is_single(const struct call *call)
{
    return strcmp(call->mangled->types[0].scalar, "f32") == 0;
}

/* The integers that have as many bits. */
static struct llvm_type *bits_of(const struct call *call)
{
    struct llvm_type *bits = weiri_ir_int(is_single(call) ? 32 : 64);
    unsigned elements = call->mangled->types[0].elements;
    return elements > 1 ? llvm.VectorType(bits, elements) : bits;
}

static struct llvm_value *number(const struct call *call, double value)
{
    union {
        double number;
        int64_t bits;
    } wide = { value };
    union {
        float number;
        int32_t bits;
    } narrow = { (float)value };
    struct llvm_value *bits
        = weiri_clc_splat(bits_of(call), is_single(call) ? narrow.bits : wide.bits);
    return llvm.BuildCast(call->clc->builder, LLVM_BITCAST, bits, call->type, "");
}

static struct llvm_value *compare(const struct call *call, int predicate,
                                  struct llvm_value *value, double with)
{
    return llvm.BuildFCmp(call->clc->builder, predicate, value, number(call, with), "");
}

static struct llvm_value *choose(const struct call *call, struct llvm_value *condition,
                                 struct llvm_value *yes, struct llvm_value *no)
{
    return llvm.BuildSelect(call->clc->builder, condition, yes, no, "");
}

static struct llvm_value *operate(const struct call *call, int opcode,
                                  struct llvm_value *a, struct llvm_value *b)
{
    return llvm.BuildBinOp(call->clc->builder, opcode, a, b, "");
}

/* A zero with the sign of @of. */
static struct llvm_value *zero_like(const struct call *call, struct llvm_value *of)
{
    struct llvm_builder *builder = call->clc->builder;
    struct llvm_type *bits = bits_of(call);
    struct llvm_value *sign
        = weiri_clc_splat(bits, is_single(call) ? INT32_MIN : INT64_MIN);
    of = llvm.BuildCast(builder, LLVM_BITCAST, of, bits, "");
    of = operate(call, LLVM_AND, of, sign);
    return llvm.BuildCast(builder, LLVM_BITCAST, of, call->type, "");
}

/* libclc's function, of @x and the other arguments. */
static struct llvm_value *libclc(const struct call *call, struct llvm_value *x)
{
    g_autofree struct llvm_value **arguments
        = g_memdup2(call->arguments, call->n * sizeof(arguments[0]));
    arguments[0] = x;
    return weiri_clc_call_named(call->clc, call->symbol, call->type, arguments,
                                call->n);
}

/* The type of doubles that has as many elements as the call's. */
static struct llvm_type *doubles(const struct call *call)
{
    struct llvm_type *type = llvm.DoubleTypeInContext(weiri_ir_context());
    unsigned elements = call->mangled->types[0].elements;
    return elements > 1 ? llvm.VectorType(type, elements) : type;
}

static struct llvm_value *to_doubles(const struct call *call, struct llvm_value *value)
{
    return is_single(call)
        ? llvm.BuildCast(call->clc->builder, LLVM_FPEXT, value, doubles(call), "")
        : value;
}

static struct llvm_value *from_doubles(const struct call *call,
                                       struct llvm_value *value)
{
    return is_single(call)
        ? llvm.BuildCast(call->clc->builder, LLVM_FPTRUNC, value, call->type, "")
        : value;
}

/* ---- Functions -------------------------------------------------------------- */

/* The sum is exact: its magnitude is smaller than the number's, so that it keeps all
 * bits. */
static struct llvm_value *add_low(const struct call *call, double bound, double shift,
                                  double scale)
{
    struct llvm_value *x = call->arguments[0];
    struct llvm_value *low = compare(call, LLVM_OLT, x, bound);
    struct llvm_value *moved = operate(call, LLVM_FADD, x, number(call, shift));
    struct llvm_value *made = libclc(call, choose(call, low, moved, x));
    return choose(call, low, operate(call, LLVM_FMUL, made, number(call, scale)), made);
}

static struct llvm_value *add_exp(const struct call *call)
{
    return add_low(call, -87.33, 60, 8.7565107626965203e-27);
}

static struct llvm_value *add_exp2(const struct call *call)
{
    return add_low(call, -126, 64, 0x1p-64);
}

/* The mangled name of libclc's function for doubles. */
static char *symbol_of_doubles(const struct call *call)
{
    const char *name = call->mangled->name;
    size_t head = (size_t)(strstr(call->symbol, name) - call->symbol) + strlen(name);
    char *symbol = g_strdup(call->symbol);
    g_strdelimit(symbol + head, "f", 'd');
    return symbol;
}

static struct llvm_value *add_wide(const struct call *call)
{
    struct llvm_value *wide[3];
    for (unsigned i = 0; i < call->n && i < G_N_ELEMENTS(wide); i++) {
        bool is_real = strcmp(call->mangled->types[i].scalar, "f32") == 0;
        wide[i] = is_real ? to_doubles(call, call->arguments[i]) : call->arguments[i];
    }
    g_autofree char *symbol = symbol_of_doubles(call);
    return from_doubles(
        call, weiri_clc_call_named(call->clc, symbol, doubles(call), wide, call->n));
}

static struct llvm_value *add_bounded(const struct call *call)
{
    struct llvm_value *x = call->arguments[0];
    struct llvm_value *high = compare(call, LLVM_OGT, x, 1000),
                      *low = compare(call, LLVM_OLT, x, -1000),
                      *none = compare(call, LLVM_UNO, x, 0);
    struct llvm_value *bounded = choose(call, high, number(call, 1000), x);
    bounded = choose(call, low, number(call, -1000), bounded);
    bounded = choose(call, none, number(call, 0), bounded);
    return choose(call, none, x, libclc(call, bounded));
}

/* The C library has the function of a double. */
static struct llvm_value *add_tgamma(const struct call *call)
{
    struct llvm_type *one = llvm.DoubleTypeInContext(weiri_ir_context());
    struct llvm_value *wide = to_doubles(call, call->arguments[0]), *made = wide;
    unsigned elements = call->mangled->types[0].elements;
    if (elements <= 1) {
        made = weiri_clc_call_named(call->clc, "tgamma", one, &wide, 1);
    }
    for (unsigned i = 0; elements > 1 && i < elements; i++) {
        struct llvm_value *place = weiri_ir_constant(32, i);
        struct llvm_value *element
            = llvm.BuildExtractElement(call->clc->builder, wide, place, "");
        element = weiri_clc_call_named(call->clc, "tgamma", one, &element, 1);
        made = llvm.BuildInsertElement(call->clc->builder, made, element, place, "");
    }
    return from_doubles(call, made);
}

static struct llvm_value *add_nan(const struct call *call)
{
    struct llvm_type *bits = llvm.TypeOf(call->arguments[0]);
    bool single = strcmp(call->mangled->types[0].scalar, "u32") == 0;
    struct llvm_value *quiet
        = weiri_clc_splat(bits, single ? 0x7fc00000 : INT64_C(0x7ff8000000000000));
    return llvm.BuildCast(call->clc->builder, LLVM_BITCAST,
                          operate(call, LLVM_OR, call->arguments[0], quiet), call->type,
                          "");
}

/* More than 4000 is as good as 4000, and libclc's sum of exponents may not overflow. */
static struct llvm_value *add_ldexp(const struct call *call)
{
    struct llvm_builder *builder = call->clc->builder;
    struct llvm_value *x = call->arguments[0], *n = call->arguments[1];
    struct llvm_value *most = weiri_clc_splat(llvm.TypeOf(n), 4000),
                      *least = weiri_clc_splat(llvm.TypeOf(n), -4000);
    n = choose(call, llvm.BuildICmp(builder, LLVM_SLT, most, n, ""), most, n);
    n = choose(call, llvm.BuildICmp(builder, LLVM_SLT, n, least, ""), least, n);
    call->arguments[1] = n;
    struct llvm_value *made = is_single(call) ? add_wide(call) : libclc(call, x);
    return choose(call, compare(call, LLVM_UNO, x, 0), x, made);
}

static struct llvm_value *add_keeping_zero(const struct call *call)
{
    struct llvm_value *x = call->arguments[0];
    return choose(call, compare(call, LLVM_OEQ, x, 0), x, libclc(call, x));
}

/* A zero of the result has the sign of @sign. */
static struct llvm_value *add_zero_like(const struct call *call,
                                        struct llvm_value *sign)
{
    struct llvm_value *made = libclc(call, call->arguments[0]);
    return choose(call, compare(call, LLVM_OEQ, made, 0), zero_like(call, sign), made);
}

static struct llvm_value *add_sinpi(const struct call *call)
{
    return add_zero_like(call, call->arguments[0]);
}

static struct llvm_value *add_positive_zero(const struct call *call)
{
    return add_zero_like(call, number(call, 0));
}

/* An odd integer gives a zero of the opposite sign. Half of an odd integer is not an
 * integer. */
static struct llvm_value *add_tanpi(const struct call *call)
{
    struct llvm_value *x = call->arguments[0];
    struct llvm_value *half = operate(call, LLVM_FMUL, x, number(call, 0.5));
    g_autofree char *symbol
        = g_strdup_printf("_Z5floor%s", call->symbol + strlen("_Z5tanpi"));
    struct llvm_value *floor
        = weiri_clc_call_named(call->clc, symbol, call->type, &half, 1);
    struct llvm_value *even
        = llvm.BuildFCmp(call->clc->builder, LLVM_OEQ, half, floor, "");
    struct llvm_value *other = operate(call, LLVM_FMUL, x, number(call, -1));
    return add_zero_like(call, choose(call, even, x, other));
}

/* The edges of a vector are scalars: libclc has these of floats only. */
static struct llvm_value *add_smoothstep(const struct call *call)
{
    struct llvm_value *all[3]
        = { call->arguments[0], call->arguments[1], call->arguments[2] };
    unsigned elements = call->mangled->types[2].elements;
    if (elements <= 1 || call->mangled->types[0].elements > 1) {
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        struct llvm_value *vector = all[2];
        for (unsigned k = 0; k < elements; k++) {
            vector = llvm.BuildInsertElement(call->clc->builder, vector, all[i],
                                             weiri_ir_constant(32, k), "");
        }
        all[i] = vector;
    }
    g_autofree char *symbol = g_strdup_printf("_Z10smoothstepDv%u_dS_S_", elements);
    return weiri_clc_call_named(call->clc, symbol, call->type, all, 3);
}

/* ---- Conversions ------------------------------------------------------------ */

/* Whether the number nearest to an integer is less, or greater. A number that is beyond
 * all integers of the type cannot be converted back. */
static void compare_integer(const struct call *to, struct llvm_value *near,
                            struct llvm_value **below, struct llvm_value **above)
{
    struct llvm_builder *builder = to->clc->builder;
    struct llvm_value *x = to->arguments[0];
    const char *scalar = to->mangled->types[1].scalar;
    bool has_sign = scalar[0] == 'i';
    double top = ldexp(1, atoi(scalar + 1) - (has_sign ? 1 : 0));
    struct llvm_value *over = compare(to, LLVM_OEQ, near, top);
    struct llvm_value *back
        = llvm.BuildCast(builder, has_sign ? LLVM_FPTOSI : LLVM_FPTOUI,
                         choose(to, over, number(to, 0), near), llvm.TypeOf(x), "");
    int less = has_sign ? LLVM_SLT : LLVM_ULT;
    *below = llvm.BuildICmp(builder, less, back, x, "");
    *above = llvm.BuildICmp(builder, less, x, back, "");
    *below = choose(to, over, weiri_clc_splat(llvm.TypeOf(over), 0), *below);
    *above = operate(to, LLVM_OR, over, *above);
}

/* NULL: the call is of another function, or exact. */
static struct llvm_value *add_rounded(const struct call *call)
{
    const char *name = call->mangled->name, *scalar = call->mangled->types[0].scalar;
    bool single = g_str_has_prefix(name, "convert_float");
    bool real = scalar[0] == 'f', has_sign = scalar[0] == 'i';
    if ((!single && !g_str_has_prefix(name, "convert_double")) || call->n != 1
        || call->mangled->n != 1 || name[strlen(name) - 4] != '_'
        || (real && (!single || strcmp(scalar, "f64") != 0))) {
        return NULL;
    }
    /* A call of the result's type, whose second type is the operand's. */
    struct weiri_mangled types = *call->mangled;
    types.types[1] = types.types[0];
    g_strlcpy(types.types[0].scalar, single ? "f32" : "f64",
              sizeof(types.types[0].scalar));
    struct call to = *call;
    to.mangled = &types;
    struct llvm_builder *builder = call->clc->builder;
    struct llvm_value *x = call->arguments[0], *below, *above;
    int opcode = real ? LLVM_FPTRUNC : has_sign ? LLVM_SITOFP : LLVM_UITOFP;
    struct llvm_value *near = llvm.BuildCast(builder, opcode, x, call->type, "");
    if (real) {
        struct llvm_value *back
            = llvm.BuildCast(builder, LLVM_FPEXT, near, llvm.TypeOf(x), "");
        below = llvm.BuildFCmp(builder, LLVM_OLT, back, x, "");
        above = llvm.BuildFCmp(builder, LLVM_OGT, back, x, "");
    } else {
        compare_integer(&to, near, &below, &above);
    }
    near = llvm.BuildCast(builder, LLVM_BITCAST, near, bits_of(&to), "");
    near = weiri_clc_step(call->clc, name, near, below, above);
    return llvm.BuildCast(builder, LLVM_BITCAST, near, call->type, "");
}

/* ---- The choice ------------------------------------------------------------- */

struct llvm_value *weiri_clc_real(struct weiri_clc *clc, struct llvm_type *type,
                                  const char *name, const struct weiri_mangled *mangled,
                                  struct llvm_value **arguments, unsigned n)
{
    static const struct {
        const char *name;
        const char *scalar; /* of the first argument */
        unsigned n;
        struct llvm_value *(*add)(const struct call *call);
    } rows[] = { { "nan", "u32", 1, add_nan },
                 { "nan", "u64", 1, add_nan },
                 { "exp", "f32", 1, add_exp },
                 { "exp2", "f32", 1, add_exp2 },
                 { "erfc", "f32", 1, add_wide },
                 { "fmod", "f32", 2, add_wide },
                 { "remainder", "f32", 2, add_wide },
                 { "remquo", "f32", 3, add_wide },
                 { "rootn", "f32", 2, add_wide },
                 { "ldexp", "f32", 2, add_ldexp },
                 { "fdim", "f32", 2, add_positive_zero },
                 { "smoothstep", "f64", 3, add_smoothstep },
                 { "sinh", "f64", 1, add_bounded },
                 { "cosh", "f64", 1, add_bounded },
                 { "tgamma", "f32", 1, add_tgamma },
                 { "tgamma", "f64", 1, add_tgamma },
                 { "lgamma", "f32", 1, add_wide },
                 { "ldexp", "f64", 2, add_ldexp },
                 { "sin", "f64", 1, add_keeping_zero },
                 { "tan", "f64", 1, add_keeping_zero },
                 { "atan", "f64", 1, add_keeping_zero },
                 { "atanpi", "f64", 1, add_keeping_zero },
                 { "erf", "f64", 1, add_keeping_zero },
                 { "expm1", "f64", 1, add_keeping_zero },
                 { "sinpi", "f32", 1, add_sinpi },
                 { "sinpi", "f64", 1, add_sinpi },
                 { "cospi", "f32", 1, add_positive_zero },
                 { "cospi", "f64", 1, add_positive_zero },
                 { "tanpi", "f32", 1, add_tanpi },
                 { "tanpi", "f64", 1, add_tanpi } };
    const struct call call = { clc, type, name, mangled, arguments, n };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (n == rows[i].n && mangled->n == n
            && strcmp(mangled->name, rows[i].name) == 0
            && strcmp(mangled->types[0].scalar, rows[i].scalar) == 0) {
            return rows[i].add(&call);
        }
    }
    return add_rounded(&call);
}
