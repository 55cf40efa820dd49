/* SPDX-License-Identifier: MIT
 *
 * result.h: where a function stores a structure that a call has returned, which gcc
 * does without a hook. */
#ifndef WEIRI_RESULT_H
#define WEIRI_RESULT_H

#ifdef __x86_64__

#include "report/symbol.h"
#include "report/x86.h"

struct weiri_result;

struct weiri_result *weiri_result_new(void);
void weiri_result_free(struct weiri_result *result);

/**
 * weiri_result_step:
 * @in: an instruction; all of a function come in turn
 *
 * Returns: whether it stores a part of the result of the last call
 */
bool weiri_result_step(struct weiri_result *result, const struct weiri_instruction *in);

/**
 * weiri_result_reads:
 * @in: an instruction, before weiri_result_step()
 *
 * Returns: whether it reads memory, which it does not change, and which is not known to
 *          be on the stack
 */
bool weiri_result_reads(const struct weiri_result *result,
                        const struct weiri_instruction *in);

/**
 * weiri_result_call:
 * @of: what the called function returns; all 0 where it is not known
 *
 * Follows weiri_result_step() of a call.
 *
 * Returns: whether the function stores its result in memory that is not known to be on
 *          the stack of the caller
 */
bool weiri_result_call(struct weiri_result *result,
                       const struct weiri_symbol_result *of);

#endif

#endif
