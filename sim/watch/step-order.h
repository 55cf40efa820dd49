/* SPDX-License-Identifier: MIT
 *
 * step-order.h: the order that common steps make among the items of a sub-group, where
 * these advance together (the event STEP). It is apart from happens-before, which no
 * memory model derives from steps: a race that this order removes is reported as one,
 * with the words that the kernel relies on common steps.
 *
 * An item counts its steps. At a common step it learns how many steps of each other
 * item it comes after: those that any item which takes part has taken, or knows of.
 * What the items do in the common step itself has no order there, and comes before all
 * that each of them does later. */
#ifndef WEIRI_STEP_ORDER_H
#define WEIRI_STEP_ORDER_H

#include "exec/event.h"

#include <glib.h>

struct weiri_step_order;

struct weiri_step_order *weiri_step_order_new(const struct weiri_shape *shape);
void weiri_step_order_free(struct weiri_step_order *steps);

/** The items of @mask, by lane in the sub-group of @item, take their next step. */
void weiri_step_order_step(struct weiri_step_order *steps, uint64_t group,
                           uint32_t item, uint64_t mask);

void weiri_step_order_end_group(struct weiri_step_order *steps, uint64_t group);

/** The item accesses a word in its step, at a place in the code by its number. */
void weiri_step_order_access(struct weiri_step_order *steps, uint64_t group,
                             uint32_t item, uint32_t place, const void *word);

/** Whether the latest such access by @first comes before what @second, of the same
 *  group, does in its step. */
bool weiri_step_order_before(const struct weiri_step_order *steps, uint64_t group,
                             uint32_t first, uint32_t place, const void *word,
                             uint32_t second);

#endif
