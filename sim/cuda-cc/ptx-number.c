/* SPDX-License-Identifier: MIT
 *
 * ptx-number.c: instructions of PTX that compute: see the rows in ptx-table.c. What one
 * instruction of LLVM does is made here; the rest is in the builtins of
 * sim/cuda/device/builtins-ptx.h. */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

#include "cuda/device/math.h"

static const struct weiri_ptx_type *type_of(const struct weiri_ptx_making *making)
{
    return making->name.types[0];
}

static bool is_signed(const struct weiri_ptx_making *making)
{
    return type_of(making)->class == WEIRI_PTX_SIGNED;
}

static bool is_integer(const struct weiri_ptx_type *type)
{
    return type->class == WEIRI_PTX_BITS || type->class == WEIRI_PTX_UNSIGNED
        || type->class == WEIRI_PTX_SIGNED;
}

/* Calls a builtin with operands and results of the first type. */
static struct llvm_value *call(struct weiri_ptx_making *making, const char *name,
                               struct llvm_value **in, unsigned n)
{
    return weiri_ptx_call(making, name, weiri_ptx_llvm(type_of(making)), in, n);
}

static struct llvm_value *saturate(struct weiri_ptx_making *making,
                                   struct llvm_value *value)
{
    bool saturates = (making->name.flags & WEIRI_PTX_SAT) != 0 && value != NULL;
    return saturates ? call(making, "ptx_sat_@", &value, 1) : value;
}

/* ---- Sums and products ----------------------------------------------------- */

/* Both operands twice as wide: so the sum has its carry, and the product its high
 * half. */
static struct llvm_value *wide(struct weiri_ptx_making *making,
                               struct llvm_value *value, bool sign)
{
    return weiri_ptx_resize(making, value, 2 * type_of(making)->bits, sign);
}

static struct llvm_value *high_half(struct weiri_ptx_making *making,
                                    struct llvm_value *value)
{
    unsigned bits = type_of(making)->bits;
    return weiri_ptx_resize(
        making,
        weiri_ptx_binary(making, LLVM_LSHR, value, weiri_ir_constant(2 * bits, bits)),
        bits, false);
}

static struct llvm_value *carry_variable(struct weiri_ptx_making *making)
{
    if (making->carry == NULL) {
        making->carry = weiri_ptx_new_variable(making, 1);
    }
    return making->carry;
}

/* a + b + carry or a - b - carry, where @reads; the new carry is kept if the name asks
 * for it. */
static void carry_sum(struct weiri_ptx_making *making, struct llvm_value *a,
                      struct llvm_value *b, bool reads)
{
    int opcode = making->row->number == LLVM_SUB ? LLVM_SUB : LLVM_ADD;
    struct llvm_value *sum = weiri_ptx_binary(making, opcode, wide(making, a, false),
                                              wide(making, b, false));
    if (reads) {
        struct llvm_value *carry = llvm.BuildLoad2(making->builder, weiri_ir_int(1),
                                                   carry_variable(making), "");
        sum = weiri_ptx_binary(making, opcode, sum, wide(making, carry, false));
    }
    if ((making->name.flags & WEIRI_PTX_CC) != 0) {
        struct llvm_value *carry
            = weiri_ptx_resize(making, high_half(making, sum), 1, false);
        (void)llvm.BuildStore(making->builder, carry, carry_variable(making));
    }
    weiri_ptx_result(making,
                     weiri_ptx_resize(making, sum, type_of(making)->bits, false));
}

void weiri_ptx_make_carry(struct weiri_ptx_making *making, struct llvm_value **in,
                          unsigned n)
{
    (void)n;
    carry_sum(making, in[0], in[1], true);
}

/* A sum, a difference or a product of reals, in the rounding of the name. */
static struct llvm_value *real_sum(struct weiri_ptx_making *making,
                                   struct llvm_value **in)
{
    static const struct {
        int of, real;
    } opcodes[]
        = { { LLVM_ADD, LLVM_FADD }, { LLVM_SUB, LLVM_FSUB }, { LLVM_MUL, LLVM_FMUL } };
    if (making->name.rounding != WEIRI_CUDA_RN) {
        struct llvm_value *list[]
            = { in[0], in[1], weiri_ir_constant(32, (uint64_t)making->name.rounding) };
        g_autofree char *name = g_strdup_printf("cuda_%s_@", making->row->what);
        return call(making, name, list, 3);
    }
    int opcode = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(opcodes); i++) {
        opcode = opcodes[i].of == making->row->number ? opcodes[i].real : opcode;
    }
    return weiri_ptx_binary(making, opcode, in[0], in[1]);
}

void weiri_ptx_make_sum(struct weiri_ptx_making *making, struct llvm_value **in,
                        unsigned n)
{
    const struct weiri_ptx_type *type = type_of(making);
    if (type->class == WEIRI_PTX_REAL) {
        weiri_ptx_result(making, saturate(making, real_sum(making, in)));
    } else if (!is_integer(type)) {
        g_autofree char *name = g_strdup_printf("ptx_%s_@", making->row->what);
        weiri_ptx_result(making, saturate(making, call(making, name, in, n)));
    } else if ((making->name.flags & WEIRI_PTX_CC) != 0) {
        carry_sum(making, in[0], in[1], false);
    } else if ((making->name.flags & WEIRI_PTX_SAT) != 0) {
        if (strcmp(type->name, "s32") != 0 || making->row->number == LLVM_MUL) {
            weiri_ptx_fail(making, ".sat is for sums of type '.s32'");
            return;
        }
        g_autofree char *name = g_strdup_printf("ptx_%s_sat_@", making->row->what);
        weiri_ptx_result(making, call(making, name, in, n));
    } else {
        weiri_ptx_result(making,
                         weiri_ptx_binary(making, making->row->number, in[0], in[1]));
    }
}

/* The low 24 bits, as a number of 32. */
static struct llvm_value *low_24(struct weiri_ptx_making *making,
                                 struct llvm_value *value)
{
    struct llvm_value *eight = weiri_ir_constant(32, 8);
    value = weiri_ptx_binary(making, LLVM_SHL, value, eight);
    return weiri_ptx_binary(making, is_signed(making) ? LLVM_ASHR : LLVM_LSHR, value,
                            eight);
}

/* mul and mad: a product, and the sum with a third operand. */
void weiri_ptx_make_product(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    const char *what = making->row->what;
    bool short_ones = strcmp(what, "24") == 0;
    bool whole = strcmp(what, "wide") == 0;
    struct llvm_value *a = short_ones ? low_24(making, in[0]) : in[0];
    struct llvm_value *b = short_ones ? low_24(making, in[1]) : in[1];
    struct llvm_value *product
        = weiri_ptx_binary(making, LLVM_MUL, wide(making, a, is_signed(making)),
                           wide(making, b, is_signed(making)));
    if (!whole) {
        product = strcmp(what, "hi") == 0
            ? high_half(making, product)
            : weiri_ptx_resize(making, product, type_of(making)->bits, false);
    }
    if ((making->name.flags & WEIRI_PTX_SAT) != 0) {
        weiri_ptx_fail(making, ".sat is not supported by Weir: write it in C++");
    } else if (n == 2) {
        weiri_ptx_result(making, product);
    } else if (whole) {
        weiri_ptx_result(making, weiri_ptx_binary(making, LLVM_ADD, product, in[2]));
    } else {
        carry_sum(making, product, in[2], making->row->number != 0);
    }
}

void weiri_ptx_make_fma(struct weiri_ptx_making *making, struct llvm_value **in,
                        unsigned n)
{
    struct llvm_value *list[4] = { in[0], in[1], in[2] };
    if (type_of(making)->class == WEIRI_PTX_REAL
        && making->name.rounding != WEIRI_CUDA_RN) {
        list[3] = weiri_ir_constant(32, (uint64_t)making->name.rounding);
        weiri_ptx_result(making,
                         saturate(making, call(making, "cuda_fma_@", list, n + 1)));
    } else {
        weiri_ptx_result(making, saturate(making, call(making, "ptx_fma_@", list, n)));
    }
}

/* ---- Quotients, roots, extremes -------------------------------------------- */

static bool is_rounded(const struct weiri_ptx_making *making)
{
    return making->name.rounding != WEIRI_CUDA_RN;
}

void weiri_ptx_make_quotient(struct weiri_ptx_making *making, struct llvm_value **in,
                             unsigned n)
{
    struct llvm_value *list[]
        = { in[0], in[1], weiri_ir_constant(32, (uint64_t)making->name.rounding) };
    if (type_of(making)->class != WEIRI_PTX_REAL) {
        g_autofree char *name = g_strdup_printf("ptx_%s_@", making->row->what);
        weiri_ptx_result(making, call(making, name, in, n));
    } else if (is_rounded(making)) {
        weiri_ptx_result(making, call(making, "cuda_div_@", list, 3));
    } else {
        weiri_ptx_result(making, weiri_ptx_binary(making, LLVM_FDIV, in[0], in[1]));
    }
}

/* rcp and sqrt: of the library if they are rounded in another way. */
void weiri_ptx_make_root(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    bool root = strcmp(making->row->what, "sqrt") == 0;
    struct llvm_value *mode = weiri_ir_constant(32, (uint64_t)making->name.rounding);
    struct llvm_value *of_root[] = { in[0], mode };
    (void)n;
    if (root && is_rounded(making)) {
        weiri_ptx_result(making, call(making, "cuda_sqrt_@", of_root, 2));
    } else if (root) {
        weiri_ptx_result(making, call(making, "ptx_sqrt_@", in, 1));
    } else {
        struct llvm_value *one
            = llvm.BuildCast(making->builder, LLVM_UITOFP, weiri_ir_constant(32, 1),
                             weiri_ptx_llvm(type_of(making)), "");
        struct llvm_value *list[] = { one, in[0], mode };
        weiri_ptx_result(making,
                         is_rounded(making)
                             ? call(making, "cuda_div_@", list, 3)
                             : weiri_ptx_binary(making, LLVM_FDIV, one, in[0]));
    }
}

void weiri_ptx_make_extreme(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    bool nan = (making->name.flags & WEIRI_PTX_NAN) != 0;
    g_autofree char *name
        = g_strdup_printf("ptx_%s%s_@", making->row->what, nan ? "_nan" : "");
    weiri_ptx_result(making, call(making, name, in, n));
}

/* ---- Bits ------------------------------------------------------------------ */

void weiri_ptx_make_bits(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    struct llvm_value *b
        = n == 2 ? in[1] : llvm.ConstAllOnes(weiri_ptx_llvm(type_of(making))); /* not */
    weiri_ptx_result(making, weiri_ptx_binary(making, making->row->number, in[0], b));
}

/* dp4a and dp2a: the types of the two sources are signs alone. */
void weiri_ptx_make_dot(struct weiri_ptx_making *making, struct llvm_value **in,
                        unsigned n)
{
    unsigned second = making->name.n_types > 1 ? 1 : 0;
    uint64_t signs = (making->name.types[0]->class == WEIRI_PTX_SIGNED ? 1 : 0)
        | (making->name.types[second]->class == WEIRI_PTX_SIGNED ? 2 : 0);
    struct llvm_value *list[]
        = { in[0], in[1], in[2], weiri_ir_constant(32, signs),
            weiri_ir_constant(32, (uint64_t)making->row->number) };
    (void)n;
    weiri_ptx_result(making,
                     weiri_ptx_call(making, making->row->what, weiri_ir_int(32), list,
                                    G_N_ELEMENTS(list)));
}

/* ---- Comparisons and choices ----------------------------------------------- */

/* LLVM's numbers of comparisons: of integers without and with a sign, and of reals; 0:
 * there is none. */
static const struct comparison {
    const char *name;
    int without_sign, with_sign, real;
} comparisons[] = {
    { "eq", 32, 32, 1 }, { "ne", 33, 33, 6 }, { "lt", 36, 40, 4 }, { "le", 37, 41, 5 },
    { "gt", 34, 38, 2 }, { "ge", 35, 39, 3 }, { "lo", 36, 0, 0 },  { "ls", 37, 0, 0 },
    { "hi", 34, 0, 0 },  { "hs", 35, 0, 0 },  { "equ", 0, 0, 9 },  { "neu", 0, 0, 14 },
    { "ltu", 0, 0, 12 }, { "leu", 0, 0, 13 }, { "gtu", 0, 0, 10 }, { "geu", 0, 0, 11 },
    { "num", 0, 0, 7 },  { "nan", 0, 0, 8 },
};

static struct llvm_value *compare(struct weiri_ptx_making *making, const char *word,
                                  const struct weiri_ptx_type *type,
                                  struct llvm_value **in)
{
    const struct comparison *found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(comparisons) && found == NULL; i++) {
        found = g_strcmp0(comparisons[i].name, word) == 0 ? &comparisons[i] : NULL;
    }
    bool reals = type->class == WEIRI_PTX_REAL || type->class == WEIRI_PTX_SMALL;
    bool none = found == NULL || type->class == WEIRI_PTX_PREDICATE
        || type->class == WEIRI_PTX_PACKED;
    int predicate = none                  ? 0
        : reals                           ? found->real
        : type->class == WEIRI_PTX_SIGNED ? found->with_sign
                                          : found->without_sign;
    if (predicate == 0) {
        weiri_ptx_fail(making, "'%s' does not compare values of type '.%s'",
                       word != NULL ? word : "", type->name);
        return NULL;
    }
    if (type->class == WEIRI_PTX_SMALL) {
        g_autofree char *name = g_strdup_printf("ptx_f32_of_%s", type->name);
        struct llvm_type *to = llvm.FloatTypeInContext(weiri_ir_context());
        in[0] = weiri_ptx_call(making, name, to, &in[0], 1);
        in[1] = weiri_ptx_call(making, name, to, &in[1], 1);
    }
    return reals ? llvm.BuildFCmp(making->builder, predicate, in[0], in[1], "")
                 : llvm.BuildICmp(making->builder, predicate, in[0], in[1], "");
}

static struct llvm_value *combine(struct weiri_ptx_making *making, const char *word,
                                  struct llvm_value *a, struct llvm_value *b)
{
    int opcode = g_strcmp0(word, "and") == 0 ? LLVM_AND
        : g_strcmp0(word, "or") == 0         ? LLVM_OR
        : g_strcmp0(word, "xor") == 0        ? LLVM_XOR
                                             : 0;
    if (opcode == 0) {
        weiri_ptx_fail(making, "'.%s' does not combine predicates",
                       word != NULL ? word : "");
        return NULL;
    }
    return weiri_ptx_binary(making, opcode, a, b);
}

/* The number that stands for true in a register: all bits, or 1.0. */
static struct llvm_value *of_truth(struct weiri_ptx_making *making,
                                   struct llvm_value *value)
{
    const struct weiri_ptx_type *type = type_of(making);
    bool reals = type->class == WEIRI_PTX_REAL;
    return llvm.BuildCast(making->builder, reals ? LLVM_UITOFP : LLVM_SEXT, value,
                          weiri_ptx_llvm(type), "");
}

/* setp and set; setp writes p and, with "p|q", what the comparison's opposite makes. */
void weiri_ptx_make_compare(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    bool set = making->row->number != 0;
    g_auto(GStrv) words = g_strsplit(making->name.key, ".", -1);
    const char *second = words[1] != NULL ? words[2] : NULL;
    if (set && making->name.n_types < 2) {
        weiri_ptx_fail(making, "two types are expected");
        return;
    }
    struct llvm_value *value
        = compare(making, words[1], making->name.types[set ? 1 : 0], in);
    if (value == NULL) {
        return;
    }
    struct llvm_value *other
        = weiri_ptx_binary(making, LLVM_XOR, value, weiri_ir_constant(1, 1));
    if (n == 3) {
        value = combine(making, second, value, in[2]);
        other = combine(making, second, other, in[2]);
    } else if (second != NULL) {
        weiri_ptx_fail(making, "'.%s' needs a predicate", second);
    }
    if (value != NULL) {
        weiri_ptx_result(making, set ? of_truth(making, value) : value);
        weiri_ptx_result(making, other);
    }
}

/* selp by a predicate; slct by the sign of a number. */
void weiri_ptx_make_choice(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    const struct weiri_ptx_type *type = making->name.types[1];
    struct llvm_value *chosen = in[2];
    (void)n;
    if (type != NULL) {
        struct llvm_value *zero = llvm.ConstNull(weiri_ptx_llvm(type));
        struct llvm_value *list[] = { in[2], zero };
        chosen = compare(making, "ge", type, list);
    } else if (making->row->operands[4] == '1') {
        weiri_ptx_fail(making, "two types are expected");
        return;
    }
    if (chosen != NULL) {
        weiri_ptx_result(making,
                         llvm.BuildSelect(making->builder, chosen, in[0], in[1], ""));
    }
}

void weiri_ptx_make_move(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    (void)n;
    weiri_ptx_result(making, in[0]);
}

void weiri_ptx_make_number(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    (void)in;
    (void)n;
    weiri_ptx_result(making, weiri_ir_constant(64, (uint64_t)making->row->number));
}

/* ---- Conversions ----------------------------------------------------------- */

static bool is_small(const struct weiri_ptx_type *type)
{
    return type->class == WEIRI_PTX_SMALL || type->class == WEIRI_PTX_PACKED;
}

static struct llvm_type *double_type(void)
{
    return llvm.DoubleTypeInContext(weiri_ir_context());
}

static struct llvm_value *to_double(struct weiri_ptx_making *making,
                                    struct llvm_value *value,
                                    const struct weiri_ptx_type *from)
{
    if (is_small(from)) {
        g_autofree char *name = g_strdup_printf("ptx_f32_of_%s", from->name);
        value = weiri_ptx_call(making, name,
                               llvm.FloatTypeInContext(weiri_ir_context()), &value, 1);
    }
    return llvm.TypeOf(value) == double_type()
        ? value
        : llvm.BuildCast(making->builder, LLVM_FPEXT, value, double_type(), "");
}

/* An integer to an integer; with .sat, to the nearest that the type has. */
static struct llvm_value *convert_integer(struct weiri_ptx_making *making,
                                          struct llvm_value *value,
                                          const struct weiri_ptx_type *to,
                                          const struct weiri_ptx_type *from)
{
    bool sign = from->class == WEIRI_PTX_SIGNED;
    if ((making->name.flags & WEIRI_PTX_SAT) != 0) {
        struct llvm_value *list[]
            = { weiri_ptx_resize(making, value, 64, sign), weiri_ir_constant(32, sign),
                weiri_ir_constant(32, to->bits),
                weiri_ir_constant(32, to->class == WEIRI_PTX_SIGNED) };
        value = weiri_ptx_call(making, "ptx_clamp", weiri_ir_int(64), list, 4);
    }
    return weiri_ptx_resize(making, value, to->bits, sign);
}

static struct llvm_value *mode(const struct weiri_ptx_making *making)
{
    return weiri_ir_constant(32, (uint64_t)making->name.rounding);
}

/* A real to an integer, through double, which has every other real. */
static struct llvm_value *real_to_integer(struct weiri_ptx_making *making,
                                          struct llvm_value *value,
                                          const struct weiri_ptx_type *to,
                                          const struct weiri_ptx_type *from)
{
    bool both_32 = to->bits <= 32 && from->bits <= 32;
    struct llvm_value *list[] = { to_double(making, value, from), mode(making),
                                  weiri_ir_constant(32, to->bits),
                                  weiri_ir_constant(32, to->class == WEIRI_PTX_SIGNED),
                                  weiri_ir_constant(32, both_32) };
    return weiri_ptx_resize(
        making, weiri_ptx_call(making, "ptx_integer_of_f64", weiri_ir_int(64), list, 5),
        to->bits, false);
}

/* An integer to a real: LLVM's conversion rounds to nearest. */
static struct llvm_value *integer_to_real(struct weiri_ptx_making *making,
                                          struct llvm_value *value,
                                          const struct weiri_ptx_type *to,
                                          const struct weiri_ptx_type *from)
{
    bool sign = from->class == WEIRI_PTX_SIGNED;
    if (to->class == WEIRI_PTX_REAL && !is_rounded(making)) {
        return llvm.BuildCast(making->builder, sign ? LLVM_SITOFP : LLVM_UITOFP, value,
                              weiri_ptx_llvm(to), "");
    }
    struct llvm_value *list[]
        = { weiri_ptx_resize(making, value, 64, sign), mode(making) };
    if (to->class == WEIRI_PTX_REAL) {
        g_autofree char *name
            = g_strdup_printf("cuda_%s_of_%c64", to->name, sign ? 'i' : 'u');
        return weiri_ptx_call(making, name, weiri_ptx_llvm(to), list, 2);
    }
    /* To 16 bits: a double may round twice, but for the sources of 32 bits. */
    struct llvm_value *exact = llvm.BuildCast(
        making->builder, sign ? LLVM_SITOFP : LLVM_UITOFP, value, double_type(), "");
    struct llvm_value *parts[] = { exact, mode(making) };
    g_autofree char *name = g_strdup_printf("ptx_%s_of_f64", to->name);
    return weiri_ptx_call(making, name, weiri_ir_int(16), parts, 2);
}

static struct llvm_value *real_to_real(struct weiri_ptx_making *making,
                                       struct llvm_value *value,
                                       const struct weiri_ptx_type *to,
                                       const struct weiri_ptx_type *from)
{
    struct llvm_value *list[] = { to_double(making, value, from), mode(making) };
    if ((making->name.flags & WEIRI_PTX_ROUNDS) != 0) {
        list[0] = weiri_ptx_call(making, "ptx_integral_f64", double_type(), list, 2);
        list[1] = weiri_ir_constant(32, WEIRI_CUDA_RN);
    }
    if (is_small(to)) {
        g_autofree char *name = g_strdup_printf("ptx_%s_of_f64", to->name);
        return weiri_ptx_call(making, name, weiri_ir_int(16), list, 2);
    }
    if (to->bits == 64) {
        return list[0];
    }
    return is_rounded(making)
        ? weiri_ptx_call(making, "cuda_f32_of_f64", weiri_ptx_llvm(to), list, 2)
        : llvm.BuildCast(making->builder, LLVM_FPTRUNC, list[0], weiri_ptx_llvm(to),
                         "");
}

/* cvt.rn.f16x2.f32 d, a, b: a is the high half. */
static void convert_two(struct weiri_ptx_making *making, struct llvm_value **in)
{
    const struct weiri_ptx_type *from = making->name.types[1];
    const char *name = making->name.types[0]->name;
    const struct weiri_ptx_type *to
        = weiri_ptx_type(strcmp(name, "f16x2") == 0 ? "f16" : "bf16");
    if (from == NULL || from->class != WEIRI_PTX_REAL) {
        weiri_ptx_fail(making, "two numbers of type '.f32' are expected");
        return;
    }
    struct llvm_value *high
        = weiri_ptx_resize(making, real_to_real(making, in[0], to, from), 32, false);
    struct llvm_value *low
        = weiri_ptx_resize(making, real_to_real(making, in[1], to, from), 32, false);
    high = weiri_ptx_binary(making, LLVM_SHL, high, weiri_ir_constant(32, 16));
    weiri_ptx_result(making, weiri_ptx_binary(making, LLVM_OR, high, low));
}

void weiri_ptx_make_convert(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    const struct weiri_ptx_type *to = making->name.types[0],
                                *from = making->name.types[1];
    if (n == 2) {
        convert_two(making, in);
        return;
    }
    if (from == NULL || to->class == WEIRI_PTX_PACKED || from->class == WEIRI_PTX_PACKED
        || from->class == WEIRI_PTX_PREDICATE || from->class == WEIRI_PTX_BITS) {
        weiri_ptx_fail(making, "two types of one number each are expected");
        return;
    }
    struct llvm_value *value = is_integer(to) && is_integer(from)
        ? convert_integer(making, in[0], to, from)
        : is_integer(to)   ? real_to_integer(making, in[0], to, from)
        : is_integer(from) ? integer_to_real(making, in[0], to, from)
                           : real_to_real(making, in[0], to, from);
    weiri_ptx_result(making, is_integer(to) ? value : saturate(making, value));
}
