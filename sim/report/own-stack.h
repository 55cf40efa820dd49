/* SPDX-License-Identifier: MIT
 *
 * own-stack.h: which registers of a function hold addresses of its own stack, from one
 * instruction to the next. Compilers copy structures that are passed by value through
 * such registers, without hooks. */
#ifndef WEIRI_OWN_STACK_H
#define WEIRI_OWN_STACK_H

#ifdef __x86_64__

#include "report/x86.h"

struct weiri_own_stack;

/**
 * weiri_own_stack_new: (constructor)
 * @start: a function's code, up to @end
 */
struct weiri_own_stack *weiri_own_stack_new(const unsigned char *start,
                                            const unsigned char *end);

/**
 * weiri_own_stack_step:
 * @at: address of the instruction @in; all instructions come in turn
 *
 * Returns: whether the memory that @in accesses lies on the function's own stack;
 *          %false where that is not known
 */
bool weiri_own_stack_step(struct weiri_own_stack *stack, const unsigned char *at,
                          const struct weiri_instruction *in);

void weiri_own_stack_free(struct weiri_own_stack *stack);

#endif

#endif
