/* SPDX-License-Identifier: MIT
 *
 * names.h: memory orders, scopes, atomics, collectives and other things that a source
 * calls by a name of its language, as reports print them. The language is the kernel's.
 *
 * Names that are returned are static. */
#ifndef WEIRI_NAMES_H
#define WEIRI_NAMES_H

#include "weir-kernel.h"

/* A row a name, a column a language in the order of enum weir_language. HIP is the last
 * one; it has those of CUDA where it has none. */
#define WEIRI_NAMES(X)                                                                 \
    X(GROUP_BARRIER, "barrier", "sycl::group_barrier(it.get_group())", "barrier",      \
      "__syncthreads()")                                                               \
    X(SUB_GROUP_BARRIER, "barrier", "sycl::group_barrier(it.get_sub_group())",         \
      "sub_group_barrier", "__syncwarp()")                                             \
    X(NO_GLOBAL_BARRIER, "no barrier of the group",                                    \
      "no sycl::group_barrier(it.get_group())", "no barrier(CLK_GLOBAL_MEM_FENCE)",    \
      "no __syncthreads()")                                                            \
    X(NO_LOCAL_BARRIER, "no barrier of the group",                                     \
      "no sycl::group_barrier(it.get_group())", "no barrier(CLK_LOCAL_MEM_FENCE)",     \
      "no __syncthreads()")                                                            \
    X(NO_BARRIER_OF_LANES, NULL, NULL, NULL,                                           \
      "neither __syncthreads() nor __syncwarp()", "no __syncthreads()")                \
    X(IN_STEP, NULL, NULL, NULL,                                                       \
      "only the lanes of a warp running in step order the two, as they did before "    \
      "Volta and do not since: __syncwarp() between the two repairs it",               \
      "only the lanes of a warp running in step order the two, which no rule "         \
      "promises: __syncthreads() between the two repairs it")                          \
    X(FENCE, "weir_atomic_fence", "sycl::atomic_fence", "atomic_work_item_fence",      \
      "cuda::atomic_thread_fence", "__threadfence")                                    \
    X(ITEM_LOOP, "weir_for_each_item", "parallel_for_work_item", "loop over items",    \
      "loop over threads")                                                             \
    X(LOCAL_ARRAY, "weir_local_array", "sycl::local_accessor", "__local array",        \
      "__shared__ variable")                                                           \
    X(SMALLER_ARRAY, "smaller array", "smaller sycl::local_accessor",                  \
      "smaller __local array", "smaller __shared__ variable")                          \
    X(FREE, "weir_free()", "sycl::free()", "clReleaseMemObject()", "cudaFree()",       \
      "hipFree()")                                                                     \
    X(OR_STACK_BYTES, ", or set the launch option stack_bytes", "", "", "")            \
    X(SPACE_NONE, "0", "no fence space", "0", "no memory")                             \
    X(SPACE_LOCAL, "WEIR_LOCAL", "sycl::access::fence_space::local_space",             \
      "CLK_LOCAL_MEM_FENCE", "shared memory")                                          \
    X(SPACE_GLOBAL, "WEIR_GLOBAL", "sycl::access::fence_space::global_space",          \
      "CLK_GLOBAL_MEM_FENCE", "global memory")                                         \
    X(SPACE_BOTH, "WEIR_LOCAL | WEIR_GLOBAL",                                          \
      "sycl::access::fence_space::global_and_local",                                   \
      "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE", "shared and global memory")

enum weiri_name {
#define X(name, ...) WEIRI_NAME_##name,
    WEIRI_NAMES(X)
#undef X
};

/** Kernels in CUDA are in fact in HIP, which has other names for some things. */
void weiri_names_speak_hip(void);

const char *weiri_name(enum weir_language language, enum weiri_name name);

/** The language of the name of an operation that has more than one. */
enum weir_language weiri_name_language(const char *operation);

/** "acq_rel"; "invalid" for a number that is not an order. The word of all languages,
 *  for columns and files; weiri_order_text() is for sentences. */
const char *weiri_order_name(unsigned order);

/** "sycl::memory_order::acq_rel", "memory_order_acq_rel" of OpenCL. In C the word is
 *  enough. */
const char *weiri_order_text(enum weir_language language, unsigned order);

/** "memory_order_acq_rel": as a source has it. */
const char *weiri_order_source(enum weir_language language, unsigned order);

/** "work_group"; "invalid" for a number that is not a scope. */
const char *weiri_scope_name(unsigned scope);
const char *weiri_scope_text(enum weir_language language, unsigned scope);
const char *weiri_scope_source(enum weir_language language, unsigned scope);

/** "weir_atomic_fetch_add". @kind: of enum weiri_atomic */
const char *weiri_atomic_name(enum weir_language language, unsigned kind);

/** Whether @site names what it is a site of. One that is packed into a pointer, as
 *  those of fast launches in SYCL, does not. */
static inline bool weiri_site_is_named(const struct weir_site *site)
{
    return site != NULL && (uintptr_t)site >> 63 == 0 && site->name != NULL;
}

/** The name by which the source calls an operation: that of its site, or else @name. */
static inline const char *weiri_named(const struct weir_site *site, const char *name)
{
    return weiri_site_is_named(site) ? site->name : name;
}

/** "fetch_add", in any language. */
const char *weiri_act_name(unsigned kind);

/** An operation in a sentence: "atomic load", "atomicAdd()", or
 *  "sycl::atomic_ref::load(sycl::memory_order::relaxed)". @site: or %NULL
 *  Returns: (transfer full) */
char *weiri_atomic_text(enum weir_language language, const struct weir_site *site,
                        unsigned kind, unsigned order);

/** The name of a local array that is declared at @site, or else "local array of
 *  FILE:LINE". Returns: (transfer full) */
char *weiri_array_name(const struct weir_site *site);

/** "weir_barrier", "weir_sub_group_reduce_add". @op: see WEIRI_OP() */
const char *weiri_operation_name(enum weir_language language, uint64_t op);

#endif
