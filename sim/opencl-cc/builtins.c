/* SPDX-License-Identifier: MIT
 *
 * builtins.c: builtins that are instructions, or that libclc defines for pointers to
 * private memory only: the access to the program's memory is then an instruction of the
 * program, which has hooks.
 *
 *     vload4(i, p)      a load of <4 x float>, with the alignment of an element
 *     vload_half(i, p)  a load of i16, as a half, to a float; vstore_half() likewise.
 *                       Rounded up, libclc's makes 0 of what is less than any half
 *     fract(x, p)       libclc's, with a private variable, whose value is stored to *p;
 *                       so modf, sincos, frexp, remquo and lgamma_r */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

#include "opencl/compile/mangled.h"

/* The type of "f32"; integers are without sign. NULL: of none */
static struct llvm_type *element_type(const char *scalar)
{
    if (scalar[0] == 'i' || scalar[0] == 'u') {
        return weiri_ir_int((unsigned)g_ascii_strtoull(scalar + 1, NULL, 10));
    }
    return strcmp(scalar, "f32") == 0 ? llvm.FloatTypeInContext(weiri_ir_context())
        : strcmp(scalar, "f64") == 0  ? llvm.DoubleTypeInContext(weiri_ir_context())
        : strcmp(scalar, "f16") == 0  ? llvm.HalfTypeInContext(weiri_ir_context())
                                      : NULL;
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

static struct llvm_type *vector_of(unsigned width, struct llvm_type *element)
{
    return width <= 1 ? element : llvm.VectorType(element, width);
}

/* The place of vector @index of @stride elements, as a pointer to @type. */
static struct llvm_value *element_at(struct weiri_clc *clc, struct llvm_value *pointer,
                                     struct llvm_value *index, unsigned stride,
                                     struct llvm_type *element, struct llvm_type *type)
{
    struct llvm_value *at = llvm.BuildBinOp(clc->builder, LLVM_MUL, index,
                                            weiri_ir_constant(64, stride), "");
    pointer = weiri_ir_as(clc->builder, pointer, llvm.PointerType(element, 0));
    pointer = llvm.BuildGEP2(clc->builder, element, pointer, &at, 1, "");
    return weiri_ir_as(clc->builder, pointer, llvm.PointerType(type, 0));
}

/* Adds an access as the program's own. */
static struct llvm_value *note(struct weiri_clc *clc, struct llvm_value *access,
                               size_t alignment)
{
    llvm.SetAlignment(access, (unsigned)alignment);
    g_ptr_array_add(clc->accesses, access);
    return access;
}

/* A private variable of the function. Returns: its address */
static struct llvm_value *add_variable(struct weiri_clc *clc, struct llvm_type *type)
{
    struct llvm_value *made = llvm.BuildAlloca(clc->frame, type, "");
    llvm.SetAlignment(made, 128);
    return made;
}

/* ---- vload and vstore ----------------------------------------------------- */

static struct llvm_value *add_vector(struct weiri_clc *clc,
                                     const struct weiri_mangled *mangled, bool loads,
                                     struct llvm_value **arguments, unsigned n)
{
    unsigned needs = loads ? 2 : 3;
    struct llvm_type *element = mangled->n >= needs
        ? element_type(mangled->types[loads ? 1 : 0].scalar)
        : NULL;
    if (element == NULL || n != needs) {
        return NULL;
    }
    unsigned width = width_of(mangled->name);
    struct llvm_type *type = vector_of(width, element);
    struct llvm_value *at
        = element_at(clc, arguments[n - 1], arguments[n - 2], width, element, type);
    return note(clc,
                loads ? llvm.BuildLoad2(clc->builder, type, at, "")
                      : llvm.BuildStore(clc->builder, arguments[0], at),
                weiri_clc_bytes(clc, element));
}

struct llvm_value *weiri_clc_step(struct weiri_clc *clc, const char *name,
                                  struct llvm_value *near, struct llvm_value *below,
                                  struct llvm_value *above)
{
    struct llvm_builder *builder = clc->builder;
    struct llvm_type *bits = llvm.TypeOf(near);
    bool up = g_str_has_suffix(name, "_rtp"), down = g_str_has_suffix(name, "_rtn"),
         to_zero = g_str_has_suffix(name, "_rtz");
    if (!up && !down && !to_zero) {
        return near;
    }
    struct llvm_value *more = weiri_clc_splat(bits, 1),
                      *less = weiri_clc_splat(bits, -1),
                      *negative
        = llvm.BuildICmp(builder, LLVM_SLT, near, weiri_clc_splat(bits, 0), "");
    struct llvm_value *wrong = up ? below
        : down                    ? above
               : llvm.BuildSelect(builder, negative, below, above, "");
    struct llvm_value *step = to_zero
        ? less
        : llvm.BuildSelect(builder, negative, up ? less : more, up ? more : less, "");
    step = llvm.BuildSelect(builder, wrong, step, weiri_clc_splat(bits, 0), "");
    return llvm.BuildBinOp(builder, LLVM_ADD, near, step, "");
}

/* The bits of @value as a half, rounded as the end of @name says. */
static struct llvm_value *round_half(struct weiri_clc *clc, const char *name,
                                     struct llvm_value *value, struct llvm_type *half,
                                     struct llvm_type *bits)
{
    struct llvm_builder *builder = clc->builder;
    struct llvm_type *type = llvm.TypeOf(value);
    struct llvm_value *near = llvm.BuildCast(builder, LLVM_FPTRUNC, value, half, "");
    struct llvm_value *made = llvm.BuildCast(builder, LLVM_BITCAST, near, bits, "");
    near = llvm.BuildCast(builder, LLVM_FPEXT, near, type, "");
    return weiri_clc_step(clc, name, made,
                          llvm.BuildFCmp(builder, LLVM_OLT, near, value, ""),
                          llvm.BuildFCmp(builder, LLVM_OGT, near, value, ""));
}

/* vload_half(), vloada_half4(), vstore_half_rtz(): halves are accessed as integers. One
 * of `vloada_half3` and its like has 4 places. */
static struct llvm_value *add_half(struct weiri_clc *clc, struct llvm_type *type,
                                   const struct weiri_mangled *mangled,
                                   struct llvm_value **arguments, unsigned n)
{
    bool loads = g_str_has_prefix(mangled->name, "vload");
    unsigned needs = loads ? 2 : 3;
    if (n != needs || mangled->n < needs) {
        return NULL;
    }
    unsigned width = width_of(mangled->name);
    bool whole = mangled->name[loads ? 5 : 6] == 'a';
    unsigned stride = whole && width == 3 ? 4 : width;
    size_t alignment = whole ? 2 * stride : 2;
    struct llvm_type *bits = vector_of(width, weiri_ir_int(16));
    struct llvm_type *half
        = vector_of(width, llvm.HalfTypeInContext(weiri_ir_context()));
    struct llvm_value *at = element_at(clc, arguments[n - 1], arguments[n - 2], stride,
                                       weiri_ir_int(16), bits);
    if (loads) {
        struct llvm_value *loaded
            = note(clc, llvm.BuildLoad2(clc->builder, bits, at, ""), alignment);
        loaded = llvm.BuildCast(clc->builder, LLVM_BITCAST, loaded, half, "");
        return llvm.BuildCast(clc->builder, LLVM_FPEXT, loaded, type, "");
    }
    struct llvm_value *made = round_half(clc, mangled->name, arguments[0], half, bits);
    return note(clc, llvm.BuildStore(clc->builder, made, at), alignment);
}

/* ---- Forms that libclc has for private memory ----------------------------- */

static struct llvm_value *call_private(struct weiri_clc *clc, const char *name,
                                       const struct weiri_mangled *mangled,
                                       struct llvm_type *type,
                                       struct llvm_value **arguments, unsigned n)
{
    g_autofree char *private = weiri_mangled_private(name);
    struct llvm_value *made = weiri_clc_real(clc, type, private, mangled, arguments, n);
    return made != NULL ? made : weiri_clc_call_named(clc, private, type, arguments, n);
}

/* fract(x, p) and its like: the last operand is where the second result goes. */
static struct llvm_value *add_second_result(struct weiri_clc *clc,
                                            struct llvm_type *type, const char *name,
                                            const struct weiri_mangled *mangled,
                                            struct llvm_value **arguments, unsigned n)
{
    static const char *const names[]
        = { "fract", "modf", "sincos", "frexp", "remquo", "lgamma_r" };
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        known |= strcmp(mangled->name, names[i]) == 0;
    }
    if (!known || n < 2 || mangled->n != n || !mangled->types[n - 1].pointer) {
        return NULL;
    }
    const struct weiri_mangled_type *of = &mangled->types[n - 1];
    struct llvm_type *element = element_type(of->scalar);
    if (element == NULL) {
        return NULL;
    }
    struct llvm_type *second = vector_of(of->elements, element);
    struct llvm_value *variable = add_variable(clc, second);
    struct llvm_value *to
        = weiri_ir_as(clc->builder, arguments[n - 1], llvm.PointerType(second, 0));
    arguments[n - 1] = variable;
    struct llvm_value *result = call_private(clc, name, mangled, type, arguments, n);
    size_t alignment = llvm.ABIAlignmentOfType(clc->layout, second);
    struct llvm_value *moved
        = note(clc, llvm.BuildLoad2(clc->builder, second, variable, ""), alignment);
    note(clc, llvm.BuildStore(clc->builder, moved, to), alignment);
    return result;
}

/* ---- The choice ----------------------------------------------------------- */

struct llvm_value *weiri_clc_builtin(struct weiri_clc *clc, struct llvm_value *call,
                                     const char *name, struct llvm_value **arguments,
                                     unsigned n)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(call));
    if (strcmp(name, "__translate_sampler_initializer") == 0 && n == 1) {
        /* A sampler in the program's text is its flags, as a pointer. */
        return llvm.BuildCast(clc->builder, LLVM_INTTOPTR, arguments[0], type, "");
    }
    struct weiri_mangled mangled;
    if (!weiri_mangled_parse(name, &mangled)) {
        return NULL;
    }
    const char *word = mangled.name;
    bool loads = g_str_has_prefix(word, "vload"),
         stores = g_str_has_prefix(word, "vstore");
    if ((loads || stores) && strstr(word, "_half") != NULL) {
        return add_half(clc, type, &mangled, arguments, n);
    }
    if ((loads && g_ascii_isdigit(word[strlen("vload")]))
        || (stores && g_ascii_isdigit(word[strlen("vstore")]))) {
        return add_vector(clc, &mangled, loads, arguments, n);
    }
    struct llvm_value *made
        = add_second_result(clc, type, name, &mangled, arguments, n);
    if (made == NULL) {
        made = weiri_clc_real(clc, type, name, &mangled, arguments, n);
    }
    return made != NULL ? made : weiri_clc_integer(clc, type, &mangled, arguments, n);
}
