/* SPDX-License-Identifier: MIT
 *
 * ptx-values.c: the operands of PTX as values of LLVM, and the statements of a text.
 *
 * PTX looks at the sizes of registers, not at their types: a variable is an integer. An
 * operand that is read may be wider than the instruction asks for, and one that is
 * written, too. Each label begins a block, and "@p" makes two. */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

enum { MOST_SOURCES = 16 };

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

/* ---- Types ------------------------------------------------------------------------ */

static const struct weiri_ptx_type word = { "u32", WEIRI_PTX_UNSIGNED, 32 };
static const struct weiri_ptx_type long_word = { "b64", WEIRI_PTX_BITS, 64 };
static const struct weiri_ptx_type predicate = { "pred", WEIRI_PTX_PREDICATE, 1 };
static const struct weiri_ptx_type real = { "f32", WEIRI_PTX_REAL, 32 };

struct llvm_type *weiri_ptx_llvm(const struct weiri_ptx_type *type)
{
    return type->class != WEIRI_PTX_REAL ? weiri_ir_int(type->bits)
        : type->bits == 32 ? llvm.FloatTypeInContext(weiri_ir_context())
                           : llvm.DoubleTypeInContext(weiri_ir_context());
}

static unsigned bits_of(struct llvm_type *type)
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
    unsigned from = bits_of(llvm.TypeOf(value));
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
        return weiri_ptx_resize(making, value, bits_of(type), false);
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

/* ---- Calls -------------------------------------------------------------------------- */

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
    struct llvm_type *types[MOST_SOURCES];
    for (unsigned i = 0; i < n; i++) {
        types[i] = llvm.TypeOf(list[i]);
    }
    result = result != NULL ? result : llvm.VoidTypeInContext(weiri_ir_context());
    function = llvm.AddFunction(making->code->module, name,
                                llvm.FunctionType(result, types, n, 0));
    llvm.AddAttributeAtIndex(
        function, LLVM_FUNCTION,
        llvm.CreateEnumAttribute(weiri_ir_context(), weiri_ir_attribute("nounwind"),
                                 0));
    return function;
}

struct llvm_value *weiri_ptx_call(struct weiri_ptx_making *making, const char *name,
                                  struct llvm_type *result, struct llvm_value **list,
                                  unsigned n)
{
    g_autofree char *full = name_for(making, name);
    struct llvm_value *function = declare(making, full, result, list, n);
    struct llvm_value *fitted[MOST_SOURCES];
    if (llvm.CountParams(function) != n) {
        weiri_ptx_fail(making, "Weir's builtin %s has other parameters", full);
        return NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        fitted[i] = weiri_ptx_cast(making, list[i],
                                   llvm.TypeOf(llvm.GetParam(function, i)));
    }
    return llvm.BuildCall2(making->builder, llvm.GlobalGetValueType(function), function,
                           fitted, n, "");
}

/* ---- Variables ------------------------------------------------------------------------ */

struct llvm_value *weiri_ptx_new_variable(struct weiri_ptx_making *making,
                                          unsigned bits)
{
    struct llvm_value *variable
        = llvm.BuildAlloca(making->frame, weiri_ir_int(bits), "");
    (void)llvm.BuildStore(making->frame, weiri_ir_constant(bits, 0), variable);
    return variable;
}

static void add_register(struct weiri_ptx_making *making,
                         const struct weiri_ptx_statement *statement)
{
    const struct weiri_ptx_type *type = weiri_ptx_type(statement->type);
    if (type == NULL) {
        making->statement = NULL;
        weiri_ptx_fail(making, "registers of type '.%s' are not supported by Weir",
                       statement->type);
        return;
    }
    struct weiri_ptx_variable *made = g_new0(struct weiri_ptx_variable, 1);
    made->name = statement->name;
    made->block = statement->block;
    made->bits = type->bits;
    made->variable = weiri_ptx_new_variable(making, type->bits);
    g_ptr_array_add(making->registers, made);
}

/* Whether a name of block @block is known in the block of the statement; the blocks
 * further in come first. */
static bool next_block(const struct weiri_ptx_making *making, unsigned *block)
{
    if (*block == 0) {
        return false;
    }
    *block = g_array_index(making->text->outer, unsigned, *block);
    return true;
}

static const struct weiri_ptx_variable *find_register(
    const struct weiri_ptx_making *making, const char *name)
{
    unsigned block = making->statement->block;
    do {
        for (guint i = 0; i < making->registers->len; i++) {
            const struct weiri_ptx_variable *r
                = g_ptr_array_index(making->registers, i);
            if (r->block == block && strcmp(r->name, name) == 0) {
                return r;
            }
        }
    } while (next_block(making, &block));
    return NULL;
}

/* The variable of an operand that is one, or NULL, which has been said. */
static const struct weiri_ptx_variable *variable_of(
    struct weiri_ptx_making *making, const struct weiri_ptx_operand *operand)
{
    const struct weiri_ptx_variable *found = NULL;
    if (operand->kind == WEIRI_PTX_ARGUMENT) {
        found = operand->bits < making->arguments->len
            ? g_ptr_array_index(making->arguments, operand->bits)
            : NULL;
        if (found == NULL) {
            weiri_ptx_fail(making, "the statement has no operand %%%" G_GUINT64_FORMAT,
                           operand->bits);
        }
    } else if (operand->name != NULL) {
        found = find_register(making, operand->name);
        if (found == NULL) {
            weiri_ptx_fail(making, "unknown register '%s'", operand->name);
        }
    } else {
        weiri_ptx_fail(making, "a register is expected");
    }
    return found;
}

/* ---- Special registers ------------------------------------------------------------------ */

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
    { "%clusterid", "block", 0, 0 },
    { "%nclusterid", "grid_dim", 0, 0 },
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
    { "%cluster_ctarank", "", 0, 0 },
    { "%cluster_nctarank", "", 1, 0 },
    { "%cluster_ctaid", "", 0, 0 },
    { "%cluster_nctaid", "", 1, 0 },
    { "%is_explicit_cluster", "", 0, 0 },
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
    return rest[0] == '\0'                     ? 0
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

static struct llvm_value *read_special(struct weiri_ptx_making *making,
                                       const char *name)
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

/* ---- Operands that are read ---------------------------------------------------------------- */

static uint64_t real_bits(const struct weiri_ptx_operand *operand, unsigned bits)
{
    double wide;
    float narrow;
    uint32_t small;
    if (operand->kind == WEIRI_PTX_NUMBER) {
        wide = (double)(int64_t)operand->bits;
    } else if (operand->kind == WEIRI_PTX_FLOAT) {
        small = (uint32_t)operand->bits;
        memcpy(&narrow, &small, sizeof(narrow));
        wide = (double)narrow;
    } else {
        memcpy(&wide, &operand->bits, sizeof(wide));
    }
    wide = operand->negative ? -wide : wide;
    narrow = (float)wide;
    memcpy(&small, &narrow, sizeof(small));
    uint64_t large;
    memcpy(&large, &wide, sizeof(large));
    return bits == 32 ? small : large;
}

/* A number as bits of the type. The bits of a real are these of one of its size. */
static struct llvm_value *read_number(const struct weiri_ptx_operand *operand,
                                      const struct weiri_ptx_type *type)
{
    bool real_type = type->class == WEIRI_PTX_REAL;
    uint64_t bits = operand->bits;
    if (real_type || operand->kind != WEIRI_PTX_NUMBER) {
        unsigned size = real_type ? type->bits
            : operand->kind == WEIRI_PTX_FLOAT ? 32
                                               : 64;
        bool same = operand->kind == WEIRI_PTX_FLOAT && size == 32
            && !operand->negative; /* a NaN keeps its bits */
        bits = same ? bits : real_bits(operand, size);
    } else if (operand->negative) {
        bits = type->bits == 1 ? !bits : -bits;
    }
    return weiri_ir_constant(type->bits, bits);
}

static struct llvm_value *read_raw(struct weiri_ptx_making *making,
                                   const struct weiri_ptx_operand *operand,
                                   const struct weiri_ptx_type *type)
{
    switch (operand->kind) {
    case WEIRI_PTX_NUMBER:
    case WEIRI_PTX_FLOAT:
    case WEIRI_PTX_DOUBLE:
        return read_number(operand, type);
    case WEIRI_PTX_SPECIAL:
        if (find_register(making, operand->name) == NULL) {
            return read_special(making, operand->name);
        }
        break;
    default:
        break;
    }
    const struct weiri_ptx_variable *variable = variable_of(making, operand);
    return variable == NULL
        ? NULL
        : llvm.BuildLoad2(making->builder, weiri_ir_int(variable->bits),
                          variable->variable, "");
}

static bool is_number(const struct weiri_ptx_operand *operand)
{
    return operand->kind == WEIRI_PTX_NUMBER || operand->kind == WEIRI_PTX_FLOAT
        || operand->kind == WEIRI_PTX_DOUBLE;
}

/* The integers of C++ that are smaller than a register of PTX. */
enum { SMALL_BITS = 16 };

static struct llvm_value *read_as(struct weiri_ptx_making *making,
                                  const struct weiri_ptx_operand *operand,
                                  const struct weiri_ptx_type *type)
{
    struct llvm_value *value = read_raw(making, operand, type);
    if (value == NULL) {
        return NULL;
    }
    unsigned bits = bits_of(llvm.TypeOf(value));
    bool is_predicate = type->class == WEIRI_PTX_PREDICATE;
    if (is_predicate != (bits == 1) && operand->kind != WEIRI_PTX_ARGUMENT) {
        weiri_ptx_fail(making, is_predicate ? "a predicate is expected"
                                            : "a predicate stands for a number");
        return NULL;
    }
    if (bits < type->bits && bits > SMALL_BITS) {
        weiri_ptx_fail(making, "an operand has %u bits, and %u are needed", bits,
                       type->bits);
        return NULL;
    }
    if (operand->negative && !is_number(operand)) {
        if (!is_predicate) {
            weiri_ptx_fail(making, "'-' or '!' before what is not a number or predicate");
            return NULL;
        }
        value = weiri_ptx_binary(making, LLVM_XOR, value, weiri_ir_constant(1, 1));
    }
    return weiri_ptx_cast(making, weiri_ptx_resize(making, value, type->bits, false),
                          weiri_ptx_llvm(type));
}

static void push(struct weiri_ptx_making *making, struct llvm_value **list, unsigned *n,
                 struct llvm_value *value)
{
    if (value == NULL || *n == MOST_SOURCES) {
        weiri_ptx_fail(making, "too many operands");
        return;
    }
    list[(*n)++] = value;
}

/* {a, b} as one number: a is the low part. */
static struct llvm_value *pack(struct weiri_ptx_making *making,
                               const struct weiri_ptx_operand *vector,
                               const struct weiri_ptx_type *type)
{
    unsigned n = vector->parts->len;
    const struct weiri_ptx_type part = { "", WEIRI_PTX_BITS, type->bits / n };
    struct llvm_value *sum = weiri_ir_constant(type->bits, 0);
    if (part.bits * n != type->bits || part.bits < 8) {
        weiri_ptx_fail(making, "%u parts do not make %u bits", n, type->bits);
        return NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *value
            = read_as(making, g_ptr_array_index(vector->parts, i), &part);
        if (value == NULL) {
            return NULL;
        }
        value = weiri_ptx_binary(
            making, LLVM_SHL, weiri_ptx_resize(making, value, type->bits, false),
            weiri_ir_constant(type->bits, (uint64_t)i * part.bits));
        sum = weiri_ptx_binary(making, LLVM_OR, sum, value);
    }
    return weiri_ptx_cast(making, sum, weiri_ptx_llvm(type));
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The number of an address, with its offset: of 32 or 64 bits. */
static struct llvm_value *address_number(struct weiri_ptx_making *making,
                                         const struct weiri_ptx_operand *address)
{
    struct llvm_value *sum = NULL;
    for (guint i = 0; i < address->parts->len; i++) {
        const struct weiri_ptx_operand *part = g_ptr_array_index(address->parts, i);
        struct llvm_value *value = read_raw(making, part, &long_word);
        if (value == NULL) {
            return NULL;
        }
        if (sum != NULL) {
            unsigned bits = bits_of(llvm.TypeOf(sum));
            value = weiri_ptx_resize(making, value, bits, true);
            sum = weiri_ptx_binary(making, LLVM_ADD, sum, value);
        } else {
            sum = value;
        }
    }
    if (sum == NULL) {
        return weiri_ir_constant(64, address->bits);
    }
    return weiri_ptx_binary(
        making, LLVM_ADD, sum,
        weiri_ir_constant(bits_of(llvm.TypeOf(sum)), address->bits));
}

/* An address in shared memory is a number whose low 32 bits say where it is in the
 * memory of the block: __cvta_generic_to_shared() makes such numbers. */
static struct llvm_value *read_address(struct weiri_ptx_making *making,
                                       const struct weiri_ptx_operand *operand,
                                       enum weiri_ptx_space space)
{
    if (operand->kind != WEIRI_PTX_ADDRESS || space == WEIRI_PTX_PARAM) {
        weiri_ptx_fail(making, space == WEIRI_PTX_PARAM
                                   ? "parameters have no addresses: name the variable "
                                     "of C++"
                                   : "an address in brackets is expected");
        return NULL;
    }
    struct llvm_value *number = address_number(making, operand);
    if (number == NULL) {
        return NULL;
    }
    unsigned bits = bits_of(llvm.TypeOf(number));
    if (space == WEIRI_PTX_SHARED && bits >= 32) {
        struct llvm_value *low = weiri_ptx_resize(making, number, 32, false);
        return weiri_ptx_call(making, "ptx_shared_address", weiri_ir_pointer(), &low,
                              1);
    }
    if (bits != 64) {
        weiri_ptx_fail(making,
                       "an address of %u bits: addresses that are not in .shared have "
                       "64: use constraint \"l\"",
                       bits);
        return NULL;
    }
    return weiri_ptx_cast(making, number, weiri_ir_pointer());
}

/* ---- The operands of a row ----------------------------------------------------------------------- */

static struct weiri_ptx_type type_for(const struct weiri_ptx_making *making,
                                      char letter)
{
    const struct weiri_ptx_name *name = &making->name;
    struct weiri_ptx_type type = name->n_types > 0 ? *name->types[0] : word;
    switch (letter) {
    case '1':
        return name->n_types > 1 ? *name->types[1] : type;
    case 'w':
        type.bits *= 2;
        return type;
    case 'u':
        return word;
    case 'l':
        return long_word;
    case 'p':
        return predicate;
    case 'f':
        return real;
    default:
        return type;
    }
}

static enum weiri_ptx_space space_for(const struct weiri_ptx_name *name, char letter)
{
    unsigned i = letter == '&' ? 1 : 0;
    if (letter == '$') {
        return name->n_spaces > 0 ? WEIRI_PTX_SHARED : WEIRI_PTX_GENERIC;
    }
    return i < name->n_spaces ? name->spaces[i] : WEIRI_PTX_GENERIC;
}

static struct llvm_value *flush(struct weiri_ptx_making *making,
                                struct llvm_value *value,
                                const struct weiri_ptx_type *type)
{
    bool flushes = (making->name.flags & WEIRI_PTX_FTZ) != 0
        && type->class == WEIRI_PTX_REAL && type->bits == 32 && value != NULL;
    return flushes
        ? weiri_ptx_call(making, "ptx_flush", weiri_ptx_llvm(type), &value, 1)
        : value;
}

static bool has_parts(struct weiri_ptx_making *making,
                      const struct weiri_ptx_operand *operand)
{
    unsigned n = operand->kind == WEIRI_PTX_VECTOR ? operand->parts->len : 1;
    if (n != making->name.vector) {
        weiri_ptx_fail(making, "a vector of %u is expected", making->name.vector);
    }
    return n == making->name.vector;
}

static void read_source(struct weiri_ptx_making *making, char letter,
                        const struct weiri_ptx_operand *operand,
                        struct llvm_value **list, unsigned *n)
{
    const struct weiri_ptx_type type = type_for(making, letter);
    bool vector = operand->kind == WEIRI_PTX_VECTOR;
    if (letter == '@' || letter == '&' || letter == '$') {
        push(making, list, n,
             read_address(making, operand, space_for(&making->name, letter)));
    } else if (letter == 'v' && vector && has_parts(making, operand)) {
        for (guint i = 0; i < operand->parts->len; i++) {
            push(making, list, n,
                 read_as(making, g_ptr_array_index(operand->parts, i), &type));
        }
    } else if (letter == 'm' && vector) {
        push(making, list, n, pack(making, operand, &type));
    } else if (letter != 'v' || has_parts(making, operand)) {
        push(making, list, n, flush(making, read_as(making, operand, &type), &type));
    }
}

/* ---- Operands that are written ---------------------------------------------------------------- */

static struct llvm_value *as_bits(struct weiri_ptx_making *making,
                                  struct llvm_value *value, unsigned bits)
{
    struct llvm_type *type = llvm.TypeOf(value);
    if (!is_integer(type)) {
        return weiri_ptx_cast(making, value, weiri_ir_int(bits_of(type)));
    }
    if (bits == 1 && llvm.GetIntTypeWidth(type) != 1) {
        return llvm.BuildICmp(making->builder, LLVM_NE, value,
                              weiri_ir_constant(llvm.GetIntTypeWidth(type), 0), "");
    }
    return weiri_ptx_resize(making, value, bits, false);
}

static void write_to(struct weiri_ptx_making *making,
                     const struct weiri_ptx_operand *operand, struct llvm_value *value,
                     const struct weiri_ptx_type *type)
{
    if (operand->kind == WEIRI_PTX_SINK) {
        return;
    }
    const struct weiri_ptx_variable *variable = variable_of(making, operand);
    if (variable == NULL) {
        return;
    }
    if (variable->bits < type->bits || (variable->bits == 1) != (type->bits == 1)) {
        weiri_ptx_fail(making, "a result of %u bits goes to %u bits", type->bits,
                       variable->bits);
        return;
    }
    value = as_bits(making, value, type->bits);
    value = weiri_ptx_resize(making, value, variable->bits,
                             type->class == WEIRI_PTX_SIGNED);
    (void)llvm.BuildStore(making->builder, value, variable->variable);
}

static void unpack(struct weiri_ptx_making *making,
                   const struct weiri_ptx_operand *vector, struct llvm_value *value,
                   const struct weiri_ptx_type *type)
{
    unsigned n = vector->parts->len;
    const struct weiri_ptx_type part = { "", WEIRI_PTX_BITS, type->bits / n };
    if (part.bits * n != type->bits || part.bits < 8) {
        weiri_ptx_fail(making, "%u bits do not make %u parts", type->bits, n);
        return;
    }
    value = as_bits(making, value, type->bits);
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *moved
            = weiri_ptx_binary(making, LLVM_LSHR, value,
                               weiri_ir_constant(type->bits, (uint64_t)i * part.bits));
        write_to(making, g_ptr_array_index(vector->parts, i),
                 weiri_ptx_resize(making, moved, part.bits, false), &part);
    }
}

static struct llvm_value *next_result(struct weiri_ptx_making *making, unsigned *next)
{
    if (*next >= making->n_results) {
        weiri_ptx_fail(making, "a result does not exist here");
        return NULL;
    }
    return making->results[(*next)++];
}

static void write_result(struct weiri_ptx_making *making, char letter,
                         const struct weiri_ptx_operand *operand, unsigned *next)
{
    const struct weiri_ptx_type type = type_for(making, letter);
    bool vector = operand->kind == WEIRI_PTX_VECTOR;
    if (letter == 'v' && vector && has_parts(making, operand)) {
        for (guint i = 0; i < operand->parts->len; i++) {
            struct llvm_value *value = next_result(making, next);
            if (value != NULL) {
                write_to(making, g_ptr_array_index(operand->parts, i), value, &type);
            }
        }
        return;
    }
    struct llvm_value *value = next_result(making, next);
    if (value == NULL) {
        return;
    }
    value = flush(making, value, &type);
    if (letter == 'm' && vector) {
        unpack(making, operand, value, &type);
    } else if (operand->kind == WEIRI_PTX_PAIR) {
        write_to(making, g_ptr_array_index(operand->parts, 0), value, &type);
        value = next_result(making, next);
        if (value != NULL) {
            write_to(making, g_ptr_array_index(operand->parts, 1), value, &predicate);
        }
    } else if (letter != 'v' || has_parts(making, operand)) {
        write_to(making, operand, value, &type);
    }
}

void weiri_ptx_result(struct weiri_ptx_making *making, struct llvm_value *value)
{
    if (value != NULL && making->n_results < G_N_ELEMENTS(making->results)) {
        making->results[making->n_results++] = value;
    }
}

/* ---- Statements ------------------------------------------------------------------------------------ */

struct llvm_block *weiri_ptx_new_block(struct weiri_ptx_making *making)
{
    return llvm.AppendBasicBlockInContext(weiri_ir_context(), making->function, "");
}

struct llvm_block *weiri_ptx_target(struct weiri_ptx_making *making)
{
    const struct weiri_ptx_operand *operand
        = g_ptr_array_index(making->statement->operands, 0);
    unsigned block = making->statement->block;
    do {
        for (guint i = 0; i < making->text->statements->len; i++) {
            const struct weiri_ptx_statement *s
                = g_ptr_array_index(making->text->statements, i);
            if (s->form == WEIRI_PTX_LABEL && s->block == block
                && g_strcmp0(s->name, operand->name) == 0) {
                return g_ptr_array_index(making->labels, i);
            }
        }
    } while (next_block(making, &block));
    weiri_ptx_fail(making, "unknown label '%s'",
                   operand->name != NULL ? operand->name : "?");
    return NULL;
}

/* Reads or writes the operands of the row. */
static void pass_operands(struct weiri_ptx_making *making, bool writes,
                          struct llvm_value **list, unsigned *n)
{
    unsigned operand = 0;
    for (const char *at = making->row->operands; *at != '\0' && making->error == NULL;
         at++) {
        bool written = *at == '=';
        at += written;
        const struct weiri_ptx_operand *one
            = g_ptr_array_index(making->statement->operands, operand++);
        if (written && writes) {
            write_result(making, *at, one, n);
        } else if (!written && !writes && *at != 't') {
            read_source(making, *at, one, list, n);
        }
    }
}

static void make_instruction(struct weiri_ptx_making *making)
{
    struct llvm_value *list[MOST_SOURCES];
    unsigned n = 0, next = 0;
    making->n_results = 0;
    pass_operands(making, false, list, &n);
    if (making->error == NULL) {
        making->row->make(making, list, n);
    }
    if (making->error == NULL) {
        pass_operands(making, true, NULL, &next);
    }
}

static void make_guarded(struct weiri_ptx_making *making)
{
    const struct weiri_ptx_operand *guard = making->statement->guard;
    struct llvm_value *value
        = guard != NULL ? read_as(making, guard, &predicate) : NULL;
    if (guard == NULL) {
        make_instruction(making);
    } else if (value != NULL) {
        struct llvm_block *then = weiri_ptx_new_block(making);
        struct llvm_block *after = weiri_ptx_new_block(making);
        (void)llvm.BuildCondBr(making->builder, value, then, after);
        llvm.PositionBuilderAtEnd(making->builder, then);
        make_instruction(making);
        (void)llvm.BuildBr(making->builder, after);
        llvm.PositionBuilderAtEnd(making->builder, after);
    }
}

static void make_statement(struct weiri_ptx_making *making)
{
    unsigned n = making->statement->operands->len;
    char *why = NULL;
    weiri_ptx_name_read(making->statement->name, &making->name);
    if ((making->name.flags & WEIRI_PTX_HINT) != 0 && n > 0) {
        n--;
    }
    making->row = weiri_ptx_find(&making->name, making->statement->name, n, &why);
    if (making->row != NULL) {
        make_guarded(making);
    } else if (making->error == NULL) {
        making->error = g_steal_pointer(&why);
    }
    g_free(why);
    g_free(making->name.key);
}

static void enter(struct weiri_ptx_making *making, struct llvm_block *block)
{
    (void)llvm.BuildBr(making->builder, block);
    llvm.PositionBuilderAtEnd(making->builder, block);
}

void weiri_ptx_make_all(struct weiri_ptx_making *making)
{
    const GPtrArray *statements = making->text->statements;
    for (guint i = 0; i < statements->len; i++) {
        const struct weiri_ptx_statement *s = g_ptr_array_index(statements, i);
        g_ptr_array_add(making->labels, s->form == WEIRI_PTX_LABEL
                                            ? weiri_ptx_new_block(making)
                                            : NULL);
    }
    for (guint i = 0; i < statements->len && making->error == NULL; i++) {
        making->statement = g_ptr_array_index(statements, i);
        switch (making->statement->form) {
        case WEIRI_PTX_LABEL:
            enter(making, g_ptr_array_index(making->labels, i));
            break;
        case WEIRI_PTX_REGISTER:
            add_register(making, making->statement);
            break;
        case WEIRI_PTX_INSTRUCTION:
            make_statement(making);
            break;
        }
    }
}
