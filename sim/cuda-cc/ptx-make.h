/* SPDX-License-Identifier: MIT
 *
 * ptx-make.h: how an instruction of PTX becomes code of LLVM. ptx-statements.c
 * reads the operands that are read, calls the function of the instruction's row, and
 * writes the results. A register, and an argument of the asm statement, is a variable:
 * LLVM makes values of them. */
#ifndef WEIR_CUDA_CC_PTX_MAKE_H
#define WEIR_CUDA_CC_PTX_MAKE_H

#include "cuda-cc/ptx.h"

/* Operands of an instruction at most, with the parts of vectors. */
enum { WEIRI_PTX_MOST = 16 };

/* An argument or a register: an integer of so many bits. */
struct weiri_ptx_variable {
    char *name; /* of a register */
    unsigned block, bits;
    struct llvm_value *variable;
};

/**
 * weiri_ptx_making: a text that is being made, and the instruction in it
 * @frame: where variables are added
 * @arguments, @registers: (element-type weiri_ptx_variable)
 * @labels: (element-type llvm_block): of each statement that is a label; else %NULL
 * @carry: the variable that add.cc writes
 * @target: of a branch
 * @results: of the instruction, in the order of the operands that are written; the
 *           second of a pair comes after the first
 * @error: (transfer full): the first mistake, in words
 */
struct weiri_ptx_making {
    struct weiri_cuda_code *code;
    struct llvm_value *function;
    struct llvm_builder *builder, *frame;
    const struct weiri_ptx_text *text;
    GPtrArray *arguments, *registers, *labels;
    struct llvm_value *carry;

    const struct weiri_ptx_statement *statement;
    const struct weiri_ptx_row *row;
    struct weiri_ptx_name name;
    struct llvm_block *target;
    struct llvm_value *results[WEIRI_PTX_MOST];
    unsigned n_results;
    char *error;
};

/* ---- ptx-values.c ---------------------------------------------------------- */

void weiri_ptx_fail(struct weiri_ptx_making *making, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
/** A variable that is 0 before anything is stored. */
struct llvm_value *weiri_ptx_new_variable(struct weiri_ptx_making *making,
                                          unsigned bits);
/** The type of LLVM for one of PTX. */
struct llvm_type *weiri_ptx_llvm(const struct weiri_ptx_type *type);
/** The bits of a scalar type of LLVM. */
unsigned weiri_ptx_bits(struct llvm_type *type);
/** A value as one of another type: of as many bits; or an integer of others. */
struct llvm_value *weiri_ptx_cast(struct weiri_ptx_making *making,
                                  struct llvm_value *value, struct llvm_type *type);
struct llvm_value *weiri_ptx_resize(struct weiri_ptx_making *making,
                                    struct llvm_value *value, unsigned bits,
                                    bool is_signed);
struct llvm_value *weiri_ptx_binary(struct weiri_ptx_making *making, int opcode,
                                    struct llvm_value *a, struct llvm_value *b);
void weiri_ptx_result(struct weiri_ptx_making *making, struct llvm_value *value);
struct llvm_block *weiri_ptx_new_block(struct weiri_ptx_making *making);
/** Calls the builtin weiri_cu_NAME, or weiri_cuda_NAME of the library if the name
 *  begins with "cuda_". In the name, "@" stands for the first type, and "#" for the one
 *  without a sign of as many bits. @result: %NULL for none */
struct llvm_value *weiri_ptx_call(struct weiri_ptx_making *making, const char *name,
                                  struct llvm_type *result, struct llvm_value **list,
                                  unsigned n);
/** A special register, such as "%tid.x". */
struct llvm_value *weiri_ptx_special(struct weiri_ptx_making *making, const char *name);

/* ---- ptx-operands.c -------------------------------------------------------- */

/** Makes the register that a statement declares. */
void weiri_ptx_add_register(struct weiri_ptx_making *making,
                            const struct weiri_ptx_statement *statement);
/** The block of text in which @block is. Returns: false if there is none */
bool weiri_ptx_outer(const struct weiri_ptx_making *making, unsigned *block);
struct llvm_value *weiri_ptx_predicate(struct weiri_ptx_making *making,
                                       const struct weiri_ptx_operand *operand);
/** Reads the operands that the row reads, adding to the @n of @list; or, if @writes,
 *  writes the results, from number @n on. */
void weiri_ptx_pass(struct weiri_ptx_making *making, bool writes,
                    struct llvm_value **list, unsigned *n);

/* ---- ptx-statements.c ------------------------------------------------------ */

/** Makes all statements of the text, at the builder's place. */
void weiri_ptx_make_all(struct weiri_ptx_making *making);

/* ---- ptx-number.c, ptx-memory.c -------------------------------------------- */

weiri_ptx_make weiri_ptx_make_sum;
weiri_ptx_make weiri_ptx_make_carry;
weiri_ptx_make weiri_ptx_make_product;
weiri_ptx_make weiri_ptx_make_fma;
weiri_ptx_make weiri_ptx_make_quotient;
weiri_ptx_make weiri_ptx_make_extreme;
weiri_ptx_make weiri_ptx_make_root;
weiri_ptx_make weiri_ptx_make_bits;
weiri_ptx_make weiri_ptx_make_dot;
weiri_ptx_make weiri_ptx_make_compare;
weiri_ptx_make weiri_ptx_make_choice;
weiri_ptx_make weiri_ptx_make_move;
weiri_ptx_make weiri_ptx_make_convert;

weiri_ptx_make weiri_ptx_make_number;

weiri_ptx_make weiri_ptx_make_call;
weiri_ptx_make weiri_ptx_make_nothing;
weiri_ptx_make weiri_ptx_make_exit;
weiri_ptx_make weiri_ptx_make_generic;
weiri_ptx_make weiri_ptx_make_map;
weiri_ptx_make weiri_ptx_make_rank_of;
weiri_ptx_make weiri_ptx_make_is_space;
weiri_ptx_make weiri_ptx_make_load;
weiri_ptx_make weiri_ptx_make_store;
weiri_ptx_make weiri_ptx_make_atomic;
weiri_ptx_make weiri_ptx_make_matrix;
weiri_ptx_make weiri_ptx_make_copy;
weiri_ptx_make weiri_ptx_make_wait_all;
weiri_ptx_make weiri_ptx_make_copy_arrive;
weiri_ptx_make weiri_ptx_make_bulk_copy;
weiri_ptx_make weiri_ptx_make_barrier;
weiri_ptx_make weiri_ptx_make_fence;
weiri_ptx_make weiri_ptx_make_arrive;
weiri_ptx_make weiri_ptx_make_cluster_arrive;
weiri_ptx_make weiri_ptx_make_test;
weiri_ptx_make weiri_ptx_make_vote;
weiri_ptx_make weiri_ptx_make_shuffle;
weiri_ptx_make weiri_ptx_make_match;
weiri_ptx_make weiri_ptx_make_reduce;
weiri_ptx_make weiri_ptx_make_elect;
weiri_ptx_make weiri_ptx_make_branch;

#endif
