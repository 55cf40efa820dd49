/* SPDX-License-Identifier: MIT
 *
 * override.h: the orders, scopes and address spaces that operations of some lines have
 * in place of the source's. It is how a change of the source is tried without a
 * compiler.
 *
 * Threads: one; of a deterministic launch. */
#ifndef WEIRI_OVERRIDE_H
#define WEIRI_OVERRIDE_H

#include "exec/worker.h"

struct weiri_overrides;

/**
 * weiri_overrides_new:
 * @text: "FILE:LINE=WORDS,…": see the launch option order
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIR_ERROR_ARGUMENT
 */
struct weiri_overrides *weiri_overrides_new(const char *text, GError **error);

void weiri_overrides_free(struct weiri_overrides *overrides);

/** Changes an atomic operation or a fence of the running item, if it is of such a
 *  line. */
void weiri_override_atomic(struct weiri_worker *worker, struct weiri_atomic_op *op);

/** Returns: the barrier @op at @site with the flags and the scope that it is to have */
uint64_t weiri_override_barrier(const struct weiri_worker *worker, uint64_t op,
                                const struct weir_site *site);

#endif
