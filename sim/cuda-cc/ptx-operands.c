/* SPDX-License-Identifier: MIT
 *
 * ptx-operands.c: the operands of PTX, read and written, as the row of an instruction
 * says.
 *
 * PTX looks at the sizes of registers, not at their types: a variable is an integer. An
 * operand that is read may be wider than the instruction asks for, and one that is
 * written, too.
 */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

static const struct weiri_ptx_type word = { "u32", WEIRI_PTX_UNSIGNED, 32 };
static const struct weiri_ptx_type long_word = { "b64", WEIRI_PTX_BITS, 64 };
static const struct weiri_ptx_type predicate = { "pred", WEIRI_PTX_PREDICATE, 1 };
static const struct weiri_ptx_type real = { "f32", WEIRI_PTX_REAL, 32 };

/* ---- Registers ------------------------------------------------------------- */

void weiri_ptx_add_register(struct weiri_ptx_making *making,
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
bool weiri_ptx_outer(const struct weiri_ptx_making *making, unsigned *block)
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
    } while (weiri_ptx_outer(making, &block));
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

/* ---- Operands that are read ------------------------------------------------ */

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
        unsigned size = real_type              ? type->bits
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
            return weiri_ptx_special(making, operand->name);
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
    unsigned bits = weiri_ptx_bits(llvm.TypeOf(value));
    bool is_predicate = type->class == WEIRI_PTX_PREDICATE;
    if (is_predicate != (bits == 1) && operand->kind != WEIRI_PTX_ARGUMENT) {
        weiri_ptx_fail(making,
                       is_predicate ? "a predicate is expected"
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
            weiri_ptx_fail(making,
                           "'-' or '!' before what is not a number or predicate");
            return NULL;
        }
        value = weiri_ptx_binary(making, LLVM_XOR, value, weiri_ir_constant(1, 1));
    }
    return weiri_ptx_cast(making, weiri_ptx_resize(making, value, type->bits, false),
                          weiri_ptx_llvm(type));
}

struct llvm_value *weiri_ptx_predicate(struct weiri_ptx_making *making,
                                       const struct weiri_ptx_operand *operand)
{
    return read_as(making, operand, &predicate);
}

static void push(struct weiri_ptx_making *making, struct llvm_value **list, unsigned *n,
                 struct llvm_value *value)
{
    if (value == NULL || *n == WEIRI_PTX_MOST) {
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

/* ---- Addresses ------------------------------------------------------------- */

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
            unsigned bits = weiri_ptx_bits(llvm.TypeOf(sum));
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
        weiri_ir_constant(weiri_ptx_bits(llvm.TypeOf(sum)), address->bits));
}

/* An address in shared memory is a number whose low 32 bits say where it is in the
 * memory of the block: __cvta_generic_to_shared() makes such numbers. */
static struct llvm_value *read_address(struct weiri_ptx_making *making,
                                       const struct weiri_ptx_operand *operand,
                                       enum weiri_ptx_space space)
{
    if (operand->kind != WEIRI_PTX_AT || space == WEIRI_PTX_PARAM) {
        weiri_ptx_fail(making,
                       space == WEIRI_PTX_PARAM
                           ? "parameters have no addresses: name the variable "
                             "of C++"
                           : "an address in brackets is expected");
        return NULL;
    }
    struct llvm_value *number = address_number(making, operand);
    if (number == NULL) {
        return NULL;
    }
    unsigned bits = weiri_ptx_bits(llvm.TypeOf(number));
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

/* ---- The operands of a row ------------------------------------------------- */

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
        return name->n_spaces > 0 ? WEIRI_PTX_SHARED : WEIRI_PTX_ANY;
    }
    return i < name->n_spaces ? name->spaces[i] : WEIRI_PTX_ANY;
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

/* ---- Operands that are written --------------------------------------------- */

static struct llvm_value *as_bits(struct weiri_ptx_making *making,
                                  struct llvm_value *value, unsigned bits)
{
    struct llvm_type *type = llvm.TypeOf(value);
    if (llvm.GetTypeKind(type) != LLVM_INTEGER) {
        return weiri_ptx_cast(making, value, weiri_ir_int(weiri_ptx_bits(type)));
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

void weiri_ptx_pass(struct weiri_ptx_making *making, bool writes,
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
