/* SPDX-License-Identifier: MIT
 *
 * ptx.h: inline PTX, which clang's front end keeps as text:
 *
 *     constraints.c  the source, as clang takes it
 *     ptx-read.c     text to statements
 *     ptx-words.c    the words of an instruction's name
 *     ptx-table.c    the instructions
 *     ptx-number.c   those that compute
 *     ptx-memory.c   those that access memory, wait or lead elsewhere
 *     ptx-values.c, ptx-operands.c, ptx-statements.c
 *                    values of LLVM for all of these: ptx-make.h
 *     ptx.c          an asm statement becomes a function, which is inlined
 *
 * constraints.c, ptx-read.c and ptx-words.c know nothing about LLVM. */
#ifndef WEIR_CUDA_CC_PTX_H
#define WEIR_CUDA_CC_PTX_H

#include "cuda-cc/cuda.h"

/* ---- constraints.c --------------------------------------------------------- */

/** Rewrites the constraints of asm statements in a preprocessed source, in place. */
void weiri_ptx_constraints(char *source);

/* ---- ptx-read.c: text ------------------------------------------------------ */

enum weiri_ptx_kind {
    WEIRI_PTX_NAME,     /* of a register or a label */
    WEIRI_PTX_SPECIAL,  /* "%tid.x" */
    WEIRI_PTX_ARGUMENT, /* "%0" of the C++ source */
    WEIRI_PTX_NUMBER,
    WEIRI_PTX_FLOAT,  /* 0f3f800000: its bits */
    WEIRI_PTX_DOUBLE, /* 0d3ff0000000000000, or 1.0 */
    WEIRI_PTX_SINK,   /* "_" */
    WEIRI_PTX_VECTOR, /* "{a, b}": its elements */
    WEIRI_PTX_PAIR,   /* "d|p": both */
    WEIRI_PTX_AT      /* "[a+16]": the base, and a second part, or none */
};

/**
 * weiri_ptx_operand:
 * @bits: of a number; the index of an argument; of an address, what is added to it
 * @negative: "-a"; or "!p"
 * @parts: (element-type weiri_ptx_operand): of a vector, a pair or an address
 */
struct weiri_ptx_operand {
    enum weiri_ptx_kind kind;
    char *name;
    uint64_t bits;
    bool negative;
    GPtrArray *parts;
};

enum weiri_ptx_form { WEIRI_PTX_INSTRUCTION, WEIRI_PTX_LABEL, WEIRI_PTX_REGISTER };

/**
 * weiri_ptx_statement:
 * @name: of an instruction with its modifiers; of a label or a register; a register's
 *        type is in @type
 * @block: in which it is: the number of a "{"; 0: it is in none
 * @guard: "@p", or %NULL
 */
struct weiri_ptx_statement {
    enum weiri_ptx_form form;
    char *name, *type;
    unsigned block;
    struct weiri_ptx_operand *guard;
    GPtrArray *operands;
};

/**
 * weiri_ptx_text: what was read
 * @statements: (element-type weiri_ptx_statement)
 * @outer: of each block, the one that it is in
 * @error: the first mistake, in words, or %NULL
 */
struct weiri_ptx_text {
    GPtrArray *statements;
    GArray *outer;
    char *error;
};

/** What an argument "%N" is in the text that weiri_ptx_read() takes: N between them. */
enum { WEIRI_PTX_OPEN = 1, WEIRI_PTX_CLOSE = 2 };

struct weiri_ptx_text *weiri_ptx_read(const char *text);
void weiri_ptx_free(struct weiri_ptx_text *text);

/* ---- ptx-words.c, ptx-table.c: names --------------------------------------- */

enum weiri_ptx_class {
    WEIRI_PTX_NONE,
    WEIRI_PTX_PREDICATE,
    WEIRI_PTX_BITS,
    WEIRI_PTX_UNSIGNED,
    WEIRI_PTX_SIGNED,
    WEIRI_PTX_REAL,  /* float and double */
    WEIRI_PTX_SMALL, /* of 16 bits */
    WEIRI_PTX_PACKED /* two of these */
};

struct weiri_ptx_type {
    const char *name;
    enum weiri_ptx_class class;
    unsigned bits;
};

enum weiri_ptx_space {
    WEIRI_PTX_ANY,
    WEIRI_PTX_SHARED,
    WEIRI_PTX_GLOBAL,
    WEIRI_PTX_CONST,
    WEIRI_PTX_LOCAL,
    WEIRI_PTX_PARAM
};

/* Words that change an instruction: bits. */
enum {
    WEIRI_PTX_SAT = 1,
    WEIRI_PTX_FTZ = 2,
    WEIRI_PTX_CC = 4,      /* writes the carry */
    WEIRI_PTX_HINT = 8,    /* one more operand, a policy of caches */
    WEIRI_PTX_ROUNDS = 16, /* to an integral number: .rni */
    WEIRI_PTX_VOLATILE = 32,
    WEIRI_PTX_ORDERED = 64, /* it names an order */
    WEIRI_PTX_NAN = 128,
};

/**
 * weiri_ptx_name: the name of an instruction, taken apart
 * @key: the words that say which instruction it is: "mbarrier.try_wait.parity"
 * @types: in their order
 * @spaces: in their order
 * @order: of C11
 * @scope: of memory_scope
 * @vector: elements of a vector; 1: none is named
 * @rounding: an enum weiri_cuda_rounding
 * @flags: WEIRI_PTX_SAT, ...
 */
struct weiri_ptx_name {
    char *key;
    const struct weiri_ptx_type *types[4];
    unsigned n_types;
    enum weiri_ptx_space spaces[2];
    unsigned n_spaces;
    int order, scope;
    unsigned vector;
    int rounding;
    unsigned flags;
};

struct weiri_ptx_making;

/** Makes an instruction of @n sources @in. */
typedef void weiri_ptx_make(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n);

/**
 * weiri_ptx_row: an instruction
 * @key: its words; if it ends in "*", any words may follow
 * @operands: a letter each: '=' before one that is written; '0' and '1': of the first
 *            and second type; 'w': twice as wide as the first; 'u' and 'l': of 32 and
 *            64 bits; 'p': a predicate; 'v': a vector of the first type, or one of it;
 *            'm': of the first type, or a vector of its parts; '@' and '&': an address
 *            in the first or second space; '$': in shared memory; 't': a label
 * @classes: of the first type, a letter each: "pbusfhx" in the order of enum
 *           weiri_ptx_class; then its sizes, a digit each, in bytes; no digit: 2, 4 and
 *           8; "": it has no type
 * @what, @number: for @make
 */
struct weiri_ptx_row {
    const char *key, *operands, *classes;
    weiri_ptx_make *make;
    const char *what;
    int number;
};

const struct weiri_ptx_type *weiri_ptx_type(const char *name);
/** Takes a name apart. */
void weiri_ptx_name_read(const char *text, struct weiri_ptx_name *name);
/** The row of the name @text with that number of operands. @why: (out) (transfer full):
 *  if it is %NULL, the reason */
const struct weiri_ptx_row *weiri_ptx_find(const struct weiri_ptx_name *name,
                                           const char *text, unsigned n_operands,
                                           char **why);

#endif
