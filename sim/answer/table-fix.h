/* SPDX-License-Identifier: MIT
 *
 * table-fix.h: changes of a table of PTX or Vulkan that forbid what its claim asks
 * about. */
#ifndef WEIRI_TABLE_FIX_H
#define WEIRI_TABLE_FIX_H

#include "litmus/litmus.h"
#include "model/model.h"
#include "weir-model.h"

/**
 * weiri_table_fixes:
 * @rounds: as for weiri_litmus_next()
 * @ends: when the search ends, in microseconds of the monotonic clock; or 0
 *
 * Tries changes of one instruction, and of two: a stronger order, a wider scope, a
 * storage class, an operation of availability or visibility, a fence. Each is judged
 * by the model. Fewer and smaller changes come first.
 *
 * Returns: (transfer full): the changes that forbid it and, in Vulkan, leave no race,
 *          an array of struct weir_litmus_fix; at most three, which are equally small.
 *          Texts belong to @strings
 */
GArray *weiri_table_fixes(const struct weiri_litmus *test,
                          const struct weiri_model *model, uint32_t rounds, gint64 ends,
                          GStringChunk *strings);

#endif
