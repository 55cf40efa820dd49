/* SPDX-License-Identifier: MIT
 *
 * ptx-values.c: values, variables and calls of the code that PTX becomes.
 */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

void weiri_ptx_fail(struct weiri_ptx_making *making, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (making->error == NULL) {
        g_autofree char *what = g_strdup_vprintf(format, values);
        making->error = making->statement != NULL
            ? g_strdup_printf("PTX instruction '%s': %s", making->statement->name, what)
            : g_strdup_printf("PTX: %s", what);
    }
    va_end(values);
}

/* ---- Types ----------------------------------------------------------------- */

struct llvm_type *weiri_ptx_llvm(const struct weiri_ptx_type *type)
{
    return type->class != WEIRI_PTX_REAL ? weiri_ir_int(type->bits)
        : type->bits == 32               ? llvm.FloatTypeInContext(weiri_ir_context())
                                         : llvm.DoubleTypeInContext(weiri_ir_context());
}

unsigned weiri_ptx_bits(struct llvm_type *type)
{
    switch (llvm.GetTypeKind(type)) {
    case LLVM_INTEGER:
        return llvm.GetIntTypeWidth(type);
    case LLVM_HALF:
        return 16;
    case LLVM_FLOAT:
        return 32;
    case LLVM_DOUBLE:
    case LLVM_POINTER:
        return 64;
    default:
        return 0;
    }
}

static bool is_integer(struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_INTEGER;
}

struct llvm_value *weiri_ptx_resize(struct weiri_ptx_making *making,
                                    struct llvm_value *value, unsigned bits,
                                    bool is_signed)
{
    unsigned from = weiri_ptx_bits(llvm.TypeOf(value));
    int opcode = from > bits ? LLVM_TRUNC : is_signed ? LLVM_SEXT : LLVM_ZEXT;
    return from == bits
        ? value
        : llvm.BuildCast(making->builder, opcode, value, weiri_ir_int(bits), "");
}

struct llvm_value *weiri_ptx_cast(struct weiri_ptx_making *making,
                                  struct llvm_value *value, struct llvm_type *type)
{
    struct llvm_type *from = llvm.TypeOf(value);
    if (from == type) {
        return value;
    }
    bool from_pointer = llvm.GetTypeKind(from) == LLVM_POINTER;
    bool to_pointer = llvm.GetTypeKind(type) == LLVM_POINTER;
    if (from_pointer && to_pointer) {
        return weiri_ir_as(making->builder, value, type);
    }
    if (!from_pointer && !to_pointer && is_integer(from) && is_integer(type)) {
        return weiri_ptx_resize(making, value, weiri_ptx_bits(type), false);
    }
    return llvm.BuildCast(making->builder,
                          from_pointer     ? LLVM_PTRTOINT
                              : to_pointer ? LLVM_INTTOPTR
                                           : LLVM_BITCAST,
                          value, type, "");
}

struct llvm_value *weiri_ptx_binary(struct weiri_ptx_making *making, int opcode,
                                    struct llvm_value *a, struct llvm_value *b)
{
    return llvm.BuildBinOp(making->builder, opcode, a, b, "");
}

struct llvm_value *weiri_ptx_new_variable(struct weiri_ptx_making *making,
                                          unsigned bits)
{
    struct llvm_value *variable
        = llvm.BuildAlloca(making->frame, weiri_ir_int(bits), "");
    (void)llvm.BuildStore(making->frame, weiri_ir_constant(bits, 0), variable);
    return variable;
}

void weiri_ptx_result(struct weiri_ptx_making *making, struct llvm_value *value)
{
    if (value != NULL && making->n_results < G_N_ELEMENTS(making->results)) {
        making->results[making->n_results++] = value;
    }
}

struct llvm_block *weiri_ptx_new_block(struct weiri_ptx_making *making)
{
    return llvm.AppendBasicBlockInContext(weiri_ir_context(), making->function, "");
}

/* ---- Calls ----------------------------------------------------------------- */

static char *name_for(const struct weiri_ptx_making *making, const char *name)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    bool library = g_str_has_prefix(name, "cuda_");
    GString *made = g_string_new(library ? "weiri_" : "call.weiri_cu_");
    for (; *name != '\0'; name++) {
        bool plain = type != NULL && *name == '@' && type->class != WEIRI_PTX_BITS;
        if (plain) {
            g_string_append(made, type->name);
        } else if (type != NULL && (*name == '@' || *name == '#')) {
            g_string_append_printf(made, "u%u", type->bits);
        } else {
            g_string_append_c(made, *name);
        }
    }
    return g_string_free(made, FALSE);
}

static struct llvm_value *declare(struct weiri_ptx_making *making, const char *name,
                                  struct llvm_type *result, struct llvm_value **list,
                                  unsigned n)
{
    struct llvm_value *function = llvm.GetNamedFunction(making->code->module, name);
    if (function != NULL) {
        return function;
    }
    struct llvm_type *types[WEIRI_PTX_MOST];
    for (unsigned i = 0; i < n; i++) {
        types[i] = llvm.TypeOf(list[i]);
    }
    result = result != NULL ? result : llvm.VoidTypeInContext(weiri_ir_context());
    function = llvm.AddFunction(making->code->module, name,
                                llvm.FunctionType(result, types, n, 0));
    llvm.AddAttributeAtIndex(function, LLVM_FUNCTION,
                             llvm.CreateEnumAttribute(weiri_ir_context(),
                                                      weiri_ir_attribute("nounwind"),
                                                      0));
    return function;
}

struct llvm_value *weiri_ptx_call(struct weiri_ptx_making *making, const char *name,
                                  struct llvm_type *result, struct llvm_value **list,
                                  unsigned n)
{
    g_autofree char *full = name_for(making, name);
    struct llvm_value *function = declare(making, full, result, list, n);
    struct llvm_value *fitted[WEIRI_PTX_MOST];
    if (llvm.CountParams(function) != n) {
        weiri_ptx_fail(making, "Weir's builtin %s has other parameters", full);
        return NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        fitted[i]
            = weiri_ptx_cast(making, list[i], llvm.TypeOf(llvm.GetParam(function, i)));
    }
    return llvm.BuildCall2(making->builder, llvm.GlobalGetValueType(function), function,
                           fitted, n, "");
}

/* ---- Special registers ----------------------------------------------------- */

/* @builtin: "" for a constant; @number: its argument, or -1: it has none */
static const struct special {
    const char *name, *builtin;
    int number;
    unsigned shift;
} specials[] = {
    { "%tid", "thread", 0, 0 },
    { "%ntid", "block_dim", 0, 0 },
    { "%ctaid", "block", 0, 0 },
    { "%nctaid", "grid_dim", 0, 0 },
    { "%clusterid", "cluster_index", 0, 0 },
    { "%nclusterid", "cluster_count", 0, 0 },
    { "%laneid", "lane", -1, 0 },
    { "%warpid", "warp", -1, 0 },
    { "%nwarpid", "warps", -1, 0 },
    { "%gridid", "launch", -1, 0 },
    { "%clock", "clock", -1, 0 },
    { "%clock64", "clock", -1, 0 },
    { "%clock_hi", "clock", -1, 32 },
    { "%globaltimer", "nanoseconds", -1, 0 },
    { "%globaltimer_lo", "nanoseconds", -1, 0 },
    { "%globaltimer_hi", "nanoseconds", -1, 32 },
    { "%dynamic_smem_size", "dynamic_bytes", -1, 0 },
    { "%lanemask_eq", "ptx_lanemask_eq", -1, 0 },
    { "%lanemask_lt", "ptx_lanemask_lt", -1, 0 },
    { "%lanemask_le", "ptx_lanemask_le", -1, 0 },
    { "%lanemask_gt", "ptx_lanemask_gt", -1, 0 },
    { "%lanemask_ge", "ptx_lanemask_ge", -1, 0 },
    { "%smid", "", 0, 0 },
    { "%nsmid", "", 1, 0 },
    { "%cluster_ctarank", "cluster_rank", -1, 0 },
    { "%cluster_nctarank", "cluster_blocks", -1, 0 },
    { "%cluster_ctaid", "cluster_block", 0, 0 },
    { "%cluster_nctaid", "cluster_dim", 0, 0 },
    { "%is_explicit_cluster", "is_cluster", -1, 0 },
};

static bool is_wide(const char *builtin)
{
    static const char *const wide[]
        = { "launch", "clock", "nanoseconds", "dynamic_bytes" };
    for (size_t i = 0; i < G_N_ELEMENTS(wide); i++) {
        if (strcmp(wide[i], builtin) == 0) {
            return true;
        }
    }
    return false;
}

/* The index of ".x", ".y", ".z" or ".w" after the name; 0 without one; -1: another. */
static int component(const char *rest)
{
    static const char letters[] = "xyzw";
    const char *found
        = rest[0] == '.' && rest[1] != '\0' ? strchr(letters, rest[1]) : NULL;
    return rest[0] == '\0'                 ? 0
        : found != NULL && rest[2] == '\0' ? (int)(found - letters)
                                           : -1;
}

static struct llvm_value *read_builtin(struct weiri_ptx_making *making,
                                       const struct special *special, int dim)
{
    bool wide = is_wide(special->builtin);
    struct llvm_value *argument = weiri_ir_constant(32, (uint64_t)dim);
    struct llvm_value *value
        = weiri_ptx_call(making, special->builtin, weiri_ir_int(wide ? 64 : 32),
                         &argument, special->number < 0 ? 0 : 1);
    if (value == NULL || special->shift == 0) {
        return value;
    }
    return weiri_ptx_resize(making,
                            weiri_ptx_binary(making, LLVM_LSHR, value,
                                             weiri_ir_constant(64, special->shift)),
                            32, false);
}

struct llvm_value *weiri_ptx_special(struct weiri_ptx_making *making, const char *name)
{
    size_t n = strcspn(name, ".");
    int dim = component(name + n);
    if (g_str_has_prefix(name, "%envreg") || g_str_has_prefix(name, "%pm")) {
        return weiri_ir_constant(32, 0);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(specials); i++) {
        const struct special *special = &specials[i];
        if (strlen(special->name) != n || strncmp(special->name, name, n) != 0) {
            continue;
        }
        if (dim < 0 || (dim == 3 && special->number < 0)) {
            break;
        }
        return special->builtin[0] == '\0'
            ? weiri_ir_constant(32, (uint64_t)special->number)
            : read_builtin(making, special, dim);
    }
    weiri_ptx_fail(making, "unknown register '%s'", name);
    return NULL;
}
