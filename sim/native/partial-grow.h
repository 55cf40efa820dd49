/* SPDX-License-Identifier: MIT
 *
 * partial-grow.h: all histories of the items of a launch, for all values that their
 * reads could get in an execution of any model. Part of partial.h. */
#ifndef WEIRI_NATIVE_PARTIAL_GROW_H
#define WEIRI_NATIVE_PARTIAL_GROW_H

#include "native/partial.h"

void weiri_partial_grow_begin(struct weiri_partial *partial);
void weiri_partial_grow_clear(struct weiri_partial *partial);

/** Runs the histories. They are the tree of the native program afterwards, unless
 *  weiri_partial_is_over(). */
void weiri_partial_grow(struct weiri_partial *partial);

/** Whether the exploration is to end. */
static inline bool weiri_partial_is_over(const struct weiri_partial *partial)
{
    return partial->native->program.stopped || partial->limited || partial->too_large;
}

/** The values that the location can have. */
uint32_t weiri_partial_n_values(const struct weiri_partial *partial, uint32_t location);

/** Numbers one of them, from @first_value of its location on. */
uint32_t weiri_partial_number(const struct weiri_partial *partial, uint32_t location,
                              int64_t value);

#endif
