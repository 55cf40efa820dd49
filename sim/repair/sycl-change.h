/* SPDX-License-Identifier: MIT
 *
 * sycl-change.h: the parts of the generators of candidates that differ for a source in
 * SYCL. */
#ifndef WEIRI_SYCL_CHANGE_H
#define WEIRI_SYCL_CHANGE_H

#include "repair/atomic-site.h"

/** Barriers of the function around @anchor that order too little memory, at too narrow
 *  a scope, or for too few items (sycl-barrier.c). @cost: of the cheapest one */
void weiri_sycl_suggest_wider(struct weiri_search *search,
                              const struct weiri_anchor *anchor, unsigned cost);

/* ---- sycl-atomic.c --------------------------------------------------------------- */

/** Appends the file's types atomic_ref, and its calls that state an order.
 *  @file: interned. @sites: of struct weiri_site */
void weiri_sycl_find_sites(const struct weir_finding *finding, const char *file,
                           const struct weiri_source *source, GArray *sites);

/** A fence: "sycl::atomic_fence(sycl::memory_order::release, …)", of the names
 *  "release" and "device". Returns: (transfer full) */
char *weiri_sycl_fence(const struct weiri_source *source, const char *order,
                       const char *scope);

/** A reference: "sycl::atomic_ref<int, …>(x[i])". Returns: (transfer full) */
char *weiri_sycl_reference(const struct weiri_source *source, const char *lvalue,
                           const char *order, const char *scope);

/** An update by such a reference: "… += v", or where its value is used
 *  "….fetch_add(v)". @name: "add"; @value: empty for a step of 1.
 *  Returns: (transfer full) */
char *weiri_sycl_update(const struct weiri_source *source, const char *lvalue,
                        const char *name, const char *value, bool is_used,
                        const char *order, const char *scope);

/** The object that the atomic operation at the line accesses: "flag" of "flag[0]".
 *  Returns: (transfer full): or %NULL */
char *weiri_sycl_object(const struct weiri_source *source, uint32_t line);

/* ---- sycl-memory.c --------------------------------------------------------------- */

/** The line that declares a local accessor; 0 unless there is one of that name. */
uint32_t weiri_sycl_local_line(const struct weiri_source *source, const char *name);
/** The local accessor that is made at the line. @call: (out): to be cleared; its first
 *  argument is the number of elements. Returns: (transfer full): its name, or %NULL */
char *weiri_sycl_find_local(const struct weiri_source *source, uint32_t line,
                            struct weiri_call *call);

/** The allocation of unified shared memory whose result goes to the variable @object.
 *  @call: (out): as above. Returns: whether there is one */
bool weiri_sycl_find_global(const struct weiri_source *source, const char *object,
                            struct weiri_call *call);

/** A statement that sets the memory of such a call to zero, by its queue.
 *  Returns: (transfer full): or %NULL */
char *weiri_sycl_zero(const struct weiri_source *source, const struct weiri_call *call,
                      const char *variable);

/** The local accessor of the line set to zero at the beginning of the kernel. */
void weiri_sycl_suggest_zero_local(struct weiri_search *search, uint32_t line,
                                   unsigned cost);

#endif
