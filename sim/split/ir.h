/* SPDX-License-Identifier: MIT
 *
 * ir.h: a function of LLVM's IR as weir-split looks at it: its values and blocks with
 * numbers, the ways between blocks, and one list of the instructions that it knows.
 *
 * That list, weiri_ir_kind(), is the only place that defines the effects of an
 * instruction. Everything that is not on it is WEIRI_IR_UNKNOWN: its value differs
 * between items, and no part that has it runs for all items at once. */
#ifndef WEIR_SPLIT_IR_H
#define WEIR_SPLIT_IR_H

#include "split/llvm.h"

#define WEIRI_IR_NONE UINT32_MAX

enum weiri_ir_kind {
    WEIRI_IR_UNKNOWN,
    WEIRI_IR_COMPUTES, /* its result depends on its operands alone */
    WEIRI_IR_ADDRESS,  /* the same, and is an address in the memory of an operand */
    WEIRI_IR_LOAD,     /* neither atomic nor volatile; so are stores */
    WEIRI_IR_STORE,
    WEIRI_IR_PHI,
    WEIRI_IR_LEADS, /* a branch, a switch or a return */
    WEIRI_IR_NOTE,  /* does nothing: for debuggers, or of what is true */
    WEIRI_IR_ARRAY, /* weiri_split_array() with a known site and number */
    WEIRI_IR_GROUP, /* a value that the group has, if the arguments are the group's */
    WEIRI_IR_TELL,  /* weiri_split_tell() */
    WEIRI_IR_SOFT,  /* marks a soft stop: weiri_split_soft() */
};

struct weiri_ir_block {
    struct llvm_block *ref;
    uint32_t first, end; /* its instructions */
    uint32_t *next;      /* blocks that may follow, each way once */
    uint32_t n_next;
    uint32_t *before;
    uint32_t n_before;
};

struct weiri_ir {
    struct llvm_value *function;
    uint32_t n_params;
    uint32_t n_values;         /* parameters, then instructions in the order of text */
    struct llvm_value **value; /* of n_values */
    uint32_t *block_of;        /* of n_values: an instruction's block */
    struct weiri_ir_block *blocks;
    uint32_t n_blocks;
    GHashTable *numbers;       /* of values, each plus 1 */
    GHashTable *block_numbers; /* and of blocks, which are operands, too */
};

/** @resumed: the kind of the metadata that marks the branch after a stop: it leads to
 * its first block alone. A branch on a constant leads one way, too. */
struct weiri_ir *weiri_ir_new(struct llvm_value *function, unsigned resumed);
void weiri_ir_free(struct weiri_ir *ir);

/** The number of a parameter or an instruction; WEIRI_IR_NONE of other values. */
uint32_t weiri_ir_number(const struct weiri_ir *ir, const void *value);
uint32_t weiri_ir_block(const struct weiri_ir *ir, const struct llvm_block *block);

enum weiri_ir_kind weiri_ir_kind(struct llvm_value *instruction);
/** Whether an instruction of this kind may run for several items at once. */
bool weiri_ir_is_plain(enum weiri_ir_kind kind);

/** The name of the function that an instruction calls; "" if it calls a pointer, or is
 *  not a call. */
const char *weiri_ir_callee(struct llvm_value *instruction);
bool weiri_ir_calls(struct llvm_value *instruction, const char *name);
/** The number of an attribute that has no text, such as "noinline"; 0: LLVM has none of
 *  this name. */
unsigned weiri_ir_attribute(const char *name);
/** The address of a load or store, and the type that it accesses. */
struct llvm_value *weiri_ir_address(struct llvm_value *access);
struct llvm_type *weiri_ir_accessed(struct llvm_value *access);

bool weiri_ir_is_scalar(struct llvm_type *type);
/** Bytes of a type of numbers, or of a vector of them; or 0. */
uint64_t weiri_ir_bytes(struct llvm_type *type);
struct llvm_context *weiri_ir_context(void);
struct llvm_type *weiri_ir_int(unsigned bits);
struct llvm_type *weiri_ir_pointer(void);
struct llvm_value *weiri_ir_constant(unsigned bits, uint64_t value);
/** @value as a value of another type of pointers. */
struct llvm_value *weiri_ir_as(struct llvm_builder *builder, struct llvm_value *value,
                               struct llvm_type *type);
/** Sets the context that the others are for. */
void weiri_ir_use(struct llvm_context *context);

#endif
