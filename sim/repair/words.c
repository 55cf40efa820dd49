/* SPDX-License-Identifier: MIT
 *
 * words.c: see words.h. The words of a language are one constant struct, so that the
 * generators of candidates have no branch for each language. A name in a table may end
 * in *, which stands for any rest. */
#include "config.h"

#include "repair/words.h"

/* ---- C --------------------------------------------------------------------------- */

#define COLLECTIVES(of)                                                                \
    of "barrier*", of "reduce_*", of "any", of "all", of "none",                       \
        of "inclusive_scan_*", of "exclusive_scan_*", of "broadcast", of "shuffle*",   \
        of "shift_*", NULL

static const struct weiri_flagged_words c_flagged[]
    = { { "weir_barrier", "barrier", 1 }, { NULL, NULL, 0 } };

static const struct weiri_atomic_words c_atomics[] = {
    { "weir_atomic_load_explicit", 1, 2, 3, 3, WEIRI_ACQUIRES, true },
    { "weir_atomic_store_explicit", 2, 3, 4, 4, WEIRI_RELEASES, true },
    { "weir_atomic_exchange_explicit", 2, 3, 4, 4, WEIRI_BOTH_SIDES, true },
    { "weir_atomic_fetch_*", 2, 3, 4, 4, WEIRI_BOTH_SIDES, true },
    { "weir_atomic_add_explicit", 2, 3, 4, 4, WEIRI_BOTH_SIDES, true },
    { "weir_atomic_compare_exchange_*", 3, 5, 6, 6, WEIRI_BOTH_SIDES, true },
    { "weir_atomic_fence", 0, 1, 2, 2, WEIRI_BOTH_SIDES, false },
    { "weir_atomic_ref", 1, 2, 3, 3, WEIRI_BOTH_SIDES, true },
    { NULL, 0, 0, 0, 0, WEIRI_BOTH_SIDES, false },
};

static const char *const c_barriers[]
    = { "weir_barrier", "weir_group_barrier*", "weir_sub_group_barrier*", NULL };
static const char *const c_of_group[] = { "weir_barrier", COLLECTIVES("weir_group_") };
static const char *const c_of_sub_group[] = { COLLECTIVES("weir_sub_group_") };
static const char *const c_touching[] = { "weir_atomic_*", NULL };

static const char *const scopes[]
    = { "work_item", "sub_group", "work_group", "device", "system", NULL };

static const struct weiri_kernel_words c = {
    .prefix = "weir_",
    .qualifier = "",
    .local = "WEIR_LOCAL",
    .global = "WEIR_GLOBAL",
    .flagged = c_flagged,
    .atomics = c_atomics,
    .barriers = c_barriers,
    .of_group = c_of_group,
    .of_sub_group = c_of_sub_group,
    .touching = c_touching,
    .scope = "memory_scope",
    .scopes = scopes,
    .group = 2,
    .device = 3,
};

/* ---- OpenCL C -------------------------------------------------------------------- */

static const struct weiri_flagged_words cl_flagged[] = {
    { "barrier", "barrier", 0 },
    { "work_group_barrier", "barrier", 0 },
    { "sub_group_barrier", "barrier", 0 },
    { "mem_fence", "fence", 0 },
    { "read_mem_fence", "fence", 0 },
    { "write_mem_fence", "fence", 0 },
    { "atomic_work_item_fence", "fence", 0 },
    { NULL, NULL, 0 },
};

/* A scope that is left out is the device. */
static const struct weiri_atomic_words cl_atomics[] = {
    { "atomic_load_explicit", 1, 2, 2, 3, WEIRI_ACQUIRES, true },
    { "atomic_store_explicit", 2, 3, 3, 4, WEIRI_RELEASES, true },
    { "atomic_exchange_explicit", 2, 3, 3, 4, WEIRI_BOTH_SIDES, true },
    { "atomic_fetch_*", 2, 3, 3, 4, WEIRI_BOTH_SIDES, true },
    { "atomic_compare_exchange_*", 3, 5, 5, 6, WEIRI_BOTH_SIDES, true },
    { "atomic_flag_test_and_set_explicit", 1, 2, 2, 3, WEIRI_BOTH_SIDES, true },
    { "atomic_flag_clear_explicit", 1, 2, 2, 3, WEIRI_RELEASES, true },
    { "atomic_work_item_fence", 1, 2, 3, 3, WEIRI_BOTH_SIDES, false },
    { "work_group_barrier", WEIRI_NO_ARGUMENT, 1, 2, 2, WEIRI_BOTH_SIDES, false },
    { "sub_group_barrier", WEIRI_NO_ARGUMENT, 1, 2, 2, WEIRI_BOTH_SIDES, false },
    { NULL, 0, 0, 0, 0, WEIRI_BOTH_SIDES, false },
};

static const char *const cl_barriers[]
    = { "barrier", "work_group_barrier", "sub_group_barrier", NULL };
static const char *const cl_of_group[]
    = { "barrier", "work_group_*", "async_work_group_*", "wait_group_events", NULL };
static const char *const cl_of_sub_group[]
    = { "sub_group_*", "intel_sub_group_*", NULL };
static const char *const cl_touching[]
    = { "atomic_*", "atom_*", "vload*", "vstore*", "async_work_group_*", NULL };

static const struct weiri_kernel_words cl = {
    .prefix = "",
    .qualifier = "",
    .local = "CLK_LOCAL_MEM_FENCE",
    .global = "CLK_GLOBAL_MEM_FENCE",
    .flagged = cl_flagged,
    .atomics = cl_atomics,
    .barriers = cl_barriers,
    .of_group = cl_of_group,
    .of_sub_group = cl_of_sub_group,
    .touching = cl_touching,
    .scope = "memory_scope",
    .scopes = scopes,
    .group = 2,
    .device = 3,
    .local_head = "(?:__)?local",
    .item_id = "get_local_id(0)",
    .group_size = "get_local_size(0)",
    .kernel = "\\b(?:__)?kernel\\b",
    .group_ids = "\\bget_(?:group_id|num_groups|local_size|global_size|"
                 "enqueued_local_size|work_dim|global_offset)\\s*\\([\\w\\s]*\\)",
};

/* ---- CUDA ------------------------------------------------------------------------ */

/* Barriers have no flags. Orders are arguments of an object's functions, and scopes of
 * its type, as in SYCL: sycl-atomic.c finds them. */
static const struct weiri_flagged_words cu_flagged[] = { { NULL, NULL, 0 } };
static const struct weiri_atomic_words cu_atomics[]
    = { { NULL, 0, 0, 0, 0, WEIRI_BOTH_SIDES, false } };

static const char *const cu_barriers[]
    = { "__syncthreads", "__syncwarp", "__barrier_sync*", NULL };
static const char *const cu_of_group[] = { "__syncthreads*", "__barrier_sync*", NULL };
static const char *const cu_of_sub_group[]
    = { "__syncwarp", "__shfl*",   "__ballot*",      "__any*",
        "__all*",     "__match_*", "__reduce_*sync", NULL };
static const char *const cu_touching[] = { "atomic*", NULL };
static const char *const cu_scopes[]
    = { "thread", "block", "cluster", "device", "system", NULL };

static const struct weiri_kernel_words cu = {
    .prefix = "",
    .qualifier = "cuda::",
    .flagged = cu_flagged,
    .atomics = cu_atomics,
    .barriers = cu_barriers,
    .of_group = cu_of_group,
    .of_sub_group = cu_of_sub_group,
    .touching = cu_touching,
    .scope = "thread_scope",
    .scopes = cu_scopes,
    .group = 1,
    .device = 3,
    .local_head = "__shared__",
    .item_id = "threadIdx.x",
    .group_size = "blockDim.x",
    .kernel = "\\b__global__\\b",
    .group_ids = "\\b(?:blockIdx|blockDim|gridDim)\\s*\\.\\s*[xyz]\\b|\\bwarpSize\\b",
};

const struct weiri_kernel_words *weiri_words_of(const struct weiri_source *source)
{
    return weiri_source_is_opencl(source) ? &cl
        : weiri_source_is_cuda(source)    ? &cu
                                          : &c;
}
