/* SPDX-License-Identifier: MIT
 *
 * cuda-change.h: the parts of the generators of candidates that differ for a source in
 * CUDA: atomics that are functions without an order, fences, and accesses that are
 * volatile. Things that only have another name are in words.h. */
#ifndef WEIRI_CUDA_CHANGE_H
#define WEIRI_CUDA_CHANGE_H

#include "repair/suggest.h"

/** A fence for the items of a finding: "__threadfence()". Static. */
const char *weiri_cuda_fence(const struct weir_finding *finding);

/** Whether all parties of a race in CUDA are of one warp. */
bool weiri_cuda_is_in_warp(const struct weiri_source *source,
                           const struct weir_finding *finding);

/** An update of @lvalue in @function: "atomicAdd(&x[i], v)". @name: "add"; @value:
 *  empty for a step of 1. Returns: (transfer full): or %NULL, where the type has no
 *  such function */
char *weiri_cuda_update(const struct weiri_source *source, uint32_t function,
                        const char *lvalue, const char *name, const char *value,
                        const char *order);

/** A load by such a function, which orders nothing. Returns: (transfer full) */
char *weiri_cuda_load(const char *lvalue);

/** A plain write of what others access by atomics: "atomicExch(&x, v)". */
void weiri_cuda_suggest_store(struct weiri_search *search,
                              const struct weiri_anchor *anchor, unsigned cost);

/** "atomicAdd()" for "atomicAdd_block()", "__threadfence()" for
 *  "__threadfence_block()": each such call of a file, and all of them. */
void weiri_cuda_suggest_wider(struct weiri_search *search, unsigned cost);

/** Fences before an atomic or volatile write that publishes, and after the wait for it:
 *  each place that has none, and both of one object. */
void weiri_cuda_suggest_fences(struct weiri_search *search, unsigned cost);

#endif
