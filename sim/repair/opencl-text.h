/* SPDX-License-Identifier: MIT
 *
 * opencl-text.h: facts about types and items that the text of a kernel in OpenCL C
 * shows, and the spelling of changes to it. Things that only have another name than in
 * C are in words.h. */
#ifndef WEIRI_OPENCL_TEXT_H
#define WEIRI_OPENCL_TEXT_H

#include "repair/suggest.h"

/** A barrier: "barrier(CLK_LOCAL_MEM_FENCE)". @space: "local", "global", or %NULL for
 *  both. Returns: (transfer full) */
char *weiri_opencl_barrier(const struct weiri_source *source, const char *space);

/** The type that a function of groups returns, as far as the text shows it.
 *  Returns: (transfer full) */
char *weiri_opencl_type_of(const struct weiri_source *source, uint32_t function,
                           const struct weiri_call *call);

/* How an atomic operation is spelled. */
struct weiri_opencl_atomic {
    const struct weiri_source *source;
    uint32_t function; /* around it */
    unsigned version;  /* of OpenCL C: 120 */
    const char *space; /* of the memory: "local" or "global" */
    const char *order, *scope;
};

/** An update: "atomic_add(&x, v)", or from OpenCL C 2.0 on
 *  "atomic_fetch_add_explicit((volatile global atomic_int *)&x, v, …)". @name: "add";
 *  @value: empty for a step of 1. Returns: (transfer full): or %NULL, where the type
 *  has no such operation */
char *weiri_opencl_update(const struct weiri_opencl_atomic *atomic, const char *lvalue,
                          const char *name, const char *value);

/** A load: "atomic_or(&x, 0)", or "atomic_load_explicit(…)".
 *  Returns: (transfer full): or %NULL */
char *weiri_opencl_load(const struct weiri_opencl_atomic *atomic, const char *lvalue);

/** A fence of items, for memory of @space. Returns: (transfer full) */
char *weiri_opencl_fence(const char *order, const char *scope, const char *space);

#endif
