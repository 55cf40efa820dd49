/* SPDX-License-Identifier: MIT
 *
 * x86.h: instructions of x86-64, as far as their lengths and operands. No meanings,
 * except whether one accesses memory. */
#ifndef WEIRI_X86_H
#define WEIRI_X86_H

#ifdef __x86_64__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of registers that have a part of their own. */
enum {
    WEIRI_RCX = 1,
    WEIRI_RBX = 3,
    WEIRI_RSP = 4,
    WEIRI_RBP = 5,
    WEIRI_RSI = 6,
    WEIRI_RDI = 7,
    WEIRI_NO_REGISTER = 16
};

struct weiri_instruction {
    size_t bytes; /* 0: not known */
    unsigned map; /* of the opcode: 0 for one byte, 1 for 0F, 2 for 0F38, 3 for 0F3A */
    unsigned char opcode;
    bool vex;       /* or EVEX */
    bool wide;      /* operands of 64 bits */
    bool memory;    /* it has an operand in memory, */
    bool fixed;     /* on the stack or at a constant address, */
    int32_t offset; /* so far from @base */
    unsigned base;  /* register of the operand in memory, or the operand itself */
    unsigned reg;   /* the other operand, or a part of the opcode: its lower 3 bits, */
    unsigned other; /* and all of them */
    int32_t to;     /* of a call or a jump: relative to the next instruction */
};

/**
 * weiri_decode:
 * @code: an instruction, which lies in front of @end
 *
 * Returns: its parts, and 0 @bytes where it is not known
 */
struct weiri_instruction weiri_decode(const unsigned char *code,
                                      const unsigned char *end);

/**
 * weiri_accesses:
 *
 * Returns: whether the instruction reads or writes memory that other items may access
 */
bool weiri_accesses(const struct weiri_instruction *in);

/**
 * weiri_writes:
 *
 * Returns: whether an access writes
 */
bool weiri_writes(const struct weiri_instruction *in);

/**
 * weiri_is_special:
 *
 * Returns: whether it is a streaming store, or a masked access of SSE or AVX
 */
bool weiri_is_special(const struct weiri_instruction *in);

#endif

#endif
