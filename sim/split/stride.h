/* SPDX-License-Identifier: MIT
 *
 * stride.h: how the values of neighbouring items differ.
 *
 * A stride is 0 where all items have one value, a number where neighbours differ by it,
 * modulo the size of the type, and WEIRI_STRIDE_NONE where nothing is known. It only
 * grows, from 0 over a number to that. */
#ifndef WEIR_SPLIT_STRIDE_H
#define WEIR_SPLIT_STRIDE_H

#include "split/ir.h"

#define WEIRI_STRIDE_NONE INT64_MIN

struct weiri_strides {
    const struct weiri_ir *ir;
    int64_t *of;    /* of each value */
    bool *is_id;    /* an item's number in its group: it fits into 32 bits */
    bool *constant; /* an address in the arguments or the shape, which do not change */
    bool lenient; /* sums that are widened do not wrap: for a guess, not for a proof */
};

void weiri_strides_init(struct weiri_strides *strides, const struct weiri_ir *ir);
void weiri_strides_clear(struct weiri_strides *strides);

/** The stride of any value: constants have stride 0. */
int64_t weiri_stride_of(const struct weiri_strides *strides, struct llvm_value *value);
/** Whether some operand differs between items. */
bool weiri_stride_varies(const struct weiri_strides *strides,
                         struct llvm_value *instruction);
/** Whether @value is in the arguments or the shape. */
bool weiri_stride_constant(const struct weiri_strides *strides,
                           struct llvm_value *value);
/** The stride of a value of kind WEIRI_IR_COMPUTES, from its operands. */
int64_t weiri_stride_of_result(const struct weiri_strides *strides,
                               struct llvm_value *instruction);
/** Returns: whether this is new. A value that differs in several ways has no stride. */
bool weiri_stride_set(struct weiri_strides *strides, uint32_t value, int64_t stride);

#endif
