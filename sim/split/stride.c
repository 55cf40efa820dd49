/* SPDX-License-Identifier: MIT
 *
 * stride.c: see stride.h. Strides add, subtract and multiply as the values do, modulo
 * the size of the type. Widening is the exception: a sum that wraps in 32 bits and is
 * then widened has no stride. So a widened value keeps its stride only if it is an
 * item's own number, which fits, or if the instruction is marked so that it cannot
 * wrap. */
#include "config.h"

#include "split/stride.h"

/* Factors up to 2^20, so that no stride of a sum of some products leaves 64 bits. */
enum { MAX_SHIFT = 20, MAX_FACTOR = 1 << MAX_SHIFT };
static const int64_t MAX_STRIDE = (int64_t)1 << 40;

void weiri_strides_init(struct weiri_strides *strides, const struct weiri_ir *ir)
{
    *strides = (struct weiri_strides){
        .ir = ir,
        .of = g_new0(int64_t, ir->n_values),
        .is_id = g_new0(bool, ir->n_values),
        .constant = g_new0(bool, ir->n_values),
    };
}

void weiri_strides_clear(struct weiri_strides *strides)
{
    g_free(strides->of);
    g_free(strides->is_id);
    g_free(strides->constant);
}

int64_t weiri_stride_of(const struct weiri_strides *strides, struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(strides->ir, value);
    return number == WEIRI_IR_NONE ? 0 : strides->of[number];
}

bool weiri_stride_varies(const struct weiri_strides *strides,
                         struct llvm_value *instruction)
{
    int n = llvm.GetNumOperands(instruction);
    for (int i = 0; i < n; i++) {
        if (weiri_stride_of(strides, llvm.GetOperand(instruction, (unsigned)i)) != 0) {
            return true;
        }
    }
    return false;
}

bool weiri_stride_constant(const struct weiri_strides *strides,
                           struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(strides->ir, value);
    return number != WEIRI_IR_NONE && strides->constant[number];
}

static bool is_id(const struct weiri_strides *strides, struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(strides->ir, value);
    return number != WEIRI_IR_NONE && strides->is_id[number];
}

static int64_t bounded(int64_t stride)
{
    return stride > MAX_STRIDE || stride < -MAX_STRIDE ? WEIRI_STRIDE_NONE : stride;
}

/* A factor that is a constant of few bits, or -1. */
static int64_t factor_of(struct llvm_value *value)
{
    struct llvm_value *constant = llvm.IsAConstantInt(value);
    if (constant == NULL || llvm.GetIntTypeWidth(llvm.TypeOf(constant)) > 64) {
        return -1;
    }
    unsigned long long factor = llvm.ConstIntGetZExtValue(constant);
    return factor <= MAX_FACTOR ? (int64_t)factor : -1;
}

static bool widens_exactly(const struct weiri_strides *strides,
                           struct llvm_value *instruction)
{
    return strides->lenient || is_id(strides, llvm.GetOperand(instruction, 0))
        || (llvm.GetInstructionOpcode(instruction) == LLVM_ZEXT && llvm.GetNNeg != NULL
            && llvm.GetNNeg(instruction));
}

int64_t weiri_stride_of_result(const struct weiri_strides *strides,
                               struct llvm_value *instruction)
{
    if (!weiri_stride_varies(strides, instruction)) {
        return 0;
    }
    if (llvm.GetTypeKind(llvm.TypeOf(instruction)) != LLVM_INTEGER) {
        return WEIRI_STRIDE_NONE;
    }
    struct llvm_value *left = llvm.GetOperand(instruction, 0);
    int64_t a = weiri_stride_of(strides, left);
    struct llvm_value *right
        = llvm.GetNumOperands(instruction) > 1 ? llvm.GetOperand(instruction, 1) : left;
    int64_t b = weiri_stride_of(strides, right), factor = factor_of(right);
    if (a == WEIRI_STRIDE_NONE || b == WEIRI_STRIDE_NONE) {
        return WEIRI_STRIDE_NONE;
    }
    switch (llvm.GetInstructionOpcode(instruction)) {
    case LLVM_ADD:
        return bounded(a + b);
    case LLVM_SUB:
        return bounded(a - b);
    case LLVM_MUL:
        return factor < 0 ? WEIRI_STRIDE_NONE : bounded(a * factor);
    case LLVM_SHL:
        return factor < 0 || factor >= MAX_SHIFT ? WEIRI_STRIDE_NONE
                                                 : bounded(a * ((int64_t)1 << factor));
    case LLVM_AND:
        /* there are fewer items */
        return is_id(strides, left) && llvm.IsAConstantInt(right) != NULL
                && llvm.GetIntTypeWidth(llvm.TypeOf(right)) <= 64
                && llvm.ConstIntGetZExtValue(right) == UINT32_MAX
            ? 1
            : WEIRI_STRIDE_NONE;
    case LLVM_TRUNC:
    case LLVM_FREEZE:
        return llvm.GetTypeKind(llvm.TypeOf(left)) == LLVM_INTEGER ? a
                                                                   : WEIRI_STRIDE_NONE;
    case LLVM_ZEXT:
    case LLVM_SEXT:
        return widens_exactly(strides, instruction) ? a : WEIRI_STRIDE_NONE;
    default:
        return WEIRI_STRIDE_NONE;
    }
}

bool weiri_stride_set(struct weiri_strides *strides, uint32_t value, int64_t stride)
{
    int64_t *of = &strides->of[value];
    if (*of == stride) {
        return false;
    }
    *of = *of == 0 ? stride : WEIRI_STRIDE_NONE;
    return true;
}
