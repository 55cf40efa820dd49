/* SPDX-License-Identifier: MIT
 *
 * names.h: memory orders, scopes, atomics and collectives as reports print them. All
 * strings are static. */
#ifndef WEIRI_NAMES_H
#define WEIRI_NAMES_H

#include <stdint.h>

/** "acq_rel"; "invalid" for a number that is no order. */
const char *weiri_order_name(unsigned order);

/** "work_group"; "invalid" for a number that is no scope. */
const char *weiri_scope_name(unsigned scope);

/** "weir_atomic_fetch_add". @kind: of enum weiri_atomic */
const char *weiri_atomic_name(unsigned kind);

/** "weir_barrier", "weir_sub_group_reduce_add". @op: see WEIRI_OP() */
const char *weiri_operation_name(uint64_t op);

#endif
