/* SPDX-License-Identifier: MIT
 *
 * names.c: see names.h. In C atomics and collectives are named by the tables that
 * declare them, so that a new operation has a name; another language that has none of
 * its own for one uses that. */
#include "config.h"

#include "finding/names.h"

#include <glib.h>

/* A column a language; HIP is a language of its own here alone. */
enum { HIP = WEIR_LANGUAGE_CUDA + 1, LANGUAGES };

static bool is_hip; /* kernels in CUDA are in HIP */

static unsigned column(enum weir_language language)
{
    return is_hip && language == WEIR_LANGUAGE_CUDA ? HIP : (unsigned)language;
}

static const char *const names[][LANGUAGES] = {
#define X(name, ...) [WEIRI_NAME_##name] = { __VA_ARGS__ },
    WEIRI_NAMES(X)
#undef X
};

/* The word of all languages, and the name in a source of each. */
enum { WORD = LANGUAGES };

#define ORDER(word, hip)                                                               \
    {                                                                                  \
        "memory_order_" word, "sycl::memory_order::" word, "memory_order_" word,       \
            "cuda::memory_order_" word, "__ATOMIC_" hip, word                          \
    }
static const char *const orders[][LANGUAGES + 1]
    = { ORDER("relaxed", "RELAXED"), ORDER("consume", "CONSUME"),
        ORDER("acquire", "ACQUIRE"), ORDER("release", "RELEASE"),
        ORDER("acq_rel", "ACQ_REL"), ORDER("seq_cst", "SEQ_CST") };

#define SCOPE(word, opencl, cuda, hip)                                                 \
    {                                                                                  \
        "memory_scope_" word, "sycl::memory_scope::" word, "memory_scope_" opencl,     \
            "cuda::thread_scope_" cuda, "__HIP_MEMORY_SCOPE_" hip, word                \
    }
static const char *const scopes[][LANGUAGES + 1]
    = { SCOPE("work_item", "work_item", "thread", "SINGLETHREAD"),
        SCOPE("sub_group", "sub_group", "warp", "WAVEFRONT"),
        SCOPE("work_group", "work_group", "block", "WORKGROUP"),
        SCOPE("device", "device", "device", "AGENT"),
        SCOPE("system", "all_svm_devices", "system", "SYSTEM") };

static const char *const atomics[][LANGUAGES] = {
#define X(name, text)                                                                  \
    { "weir_atomic_" text, "sycl::atomic_ref::" text, "atomic_" text,                  \
      "cuda::atomic_ref::" text, "__hip_atomic_" text },
    WEIRI_ATOMICS(X)
#undef X
};

static const char *const acts[] = {
#define X(name, text) text,
    WEIRI_ATOMICS(X)
#undef X
};

/* By enum weiri_collective. */
static const char *const group_operations[] = {
#define X(name, text) [WEIRI_##name] = "weir_group_" text,
    WEIRI_COLLECTIVES(X)
#undef X
};

static const char *const sub_group_operations[] = {
#define X(name, text) [WEIRI_##name] = "weir_sub_group_" text,
    WEIRI_COLLECTIVES(X)
#undef X
};

/* The languages that have no collectives of lanes. */
#define LANE_OPERATION(name, text) [WEIRI_##name] = text " of lanes",

/* One function is for groups and sub-groups. Functions that are made of WEIRI_LOAD are
 * not told apart: see sycl/weir/algorithm.hpp. */
static const char *const sycl_operations[]
    = { [WEIRI_BARRIER] = "sycl::group_barrier",
        [WEIRI_BROADCAST] = "sycl::group_broadcast",
        [WEIRI_ANY] = "sycl::any_of_group",
        [WEIRI_ALL] = "sycl::all_of_group",
        [WEIRI_NONE] = "sycl::none_of_group",
        [WEIRI_REDUCE_ADD] = "sycl::reduce_over_group",
        [WEIRI_REDUCE_MIN] = "sycl::reduce_over_group",
        [WEIRI_REDUCE_MAX] = "sycl::reduce_over_group",
        [WEIRI_INCLUSIVE_SCAN_ADD] = "sycl::inclusive_scan_over_group",
        [WEIRI_EXCLUSIVE_SCAN_ADD] = "sycl::exclusive_scan_over_group",
        [WEIRI_SHUFFLE] = "sycl::select_from_group",
        [WEIRI_SHUFFLE_XOR] = "sycl::permute_group_by_xor",
        [WEIRI_SHIFT_LEFT] = "sycl::shift_group_left",
        [WEIRI_SHIFT_RIGHT] = "sycl::shift_group_right",
        [WEIRI_LOAD] = "group algorithm",
        [WEIRI_INCLUSIVE_SCAN_MIN] = "sycl::inclusive_scan_over_group",
        [WEIRI_INCLUSIVE_SCAN_MAX] = "sycl::inclusive_scan_over_group",
        [WEIRI_EXCLUSIVE_SCAN_MIN] = "sycl::exclusive_scan_over_group",
        [WEIRI_EXCLUSIVE_SCAN_MAX] = "sycl::exclusive_scan_over_group",
        [WEIRI_COPY] = "copy of a group",
        [WEIRI_WAIT] = "wait for a copy of a group",
        WEIRI_LANE_COLLECTIVES(LANE_OPERATION) };

/* Moves are in sub-groups alone, copies in groups alone. */
#define OPENCL_OPERATIONS(level)                                                       \
    [WEIRI_BROADCAST] = level "_broadcast", [WEIRI_ANY] = level "_any",                \
    [WEIRI_ALL] = level "_all", [WEIRI_NONE] = level "_any",                           \
    [WEIRI_REDUCE_ADD] = level "_reduce_add",                                          \
    [WEIRI_REDUCE_MIN] = level "_reduce_min",                                          \
    [WEIRI_REDUCE_MAX] = level "_reduce_max",                                          \
    [WEIRI_INCLUSIVE_SCAN_ADD] = level "_scan_inclusive_add",                          \
    [WEIRI_EXCLUSIVE_SCAN_ADD] = level "_scan_exclusive_add",                          \
    [WEIRI_INCLUSIVE_SCAN_MIN] = level "_scan_inclusive_min",                          \
    [WEIRI_INCLUSIVE_SCAN_MAX] = level "_scan_inclusive_max",                          \
    [WEIRI_EXCLUSIVE_SCAN_MIN] = level "_scan_exclusive_min",                          \
    [WEIRI_EXCLUSIVE_SCAN_MAX] = level "_scan_exclusive_max",                          \
    [WEIRI_SHUFFLE] = "sub_group_shuffle",                                             \
    [WEIRI_SHUFFLE_XOR] = "sub_group_shuffle_xor",                                     \
    [WEIRI_SHIFT_LEFT] = "sub_group_shuffle_down",                                     \
    [WEIRI_SHIFT_RIGHT] = "sub_group_shuffle_up", [WEIRI_LOAD] = level "_collective",  \
    [WEIRI_COPY] = "async_work_group_copy", [WEIRI_WAIT] = "wait_group_events",        \
    WEIRI_LANE_COLLECTIVES(LANE_OPERATION)
static const char *const opencl_group_operations[]
    = { [WEIRI_BARRIER] = "barrier", OPENCL_OPERATIONS("work_group") };
static const char *const opencl_sub_group_operations[]
    = { [WEIRI_BARRIER] = "sub_group_barrier", OPENCL_OPERATIONS("sub_group") };
/* Those of a block, and of a warp. Cooperative groups have the others. */
#define CUDA_OPERATIONS                                                                \
    [WEIRI_BROADCAST] = "__shfl_sync", [WEIRI_SHUFFLE] = "__shfl_sync",                \
    [WEIRI_SHUFFLE_XOR] = "__shfl_xor_sync", [WEIRI_SHIFT_LEFT] = "__shfl_down_sync",  \
    [WEIRI_SHIFT_RIGHT] = "__shfl_up_sync", [WEIRI_BALLOT] = "__ballot_sync",          \
    [WEIRI_UNIFORM] = "vote.uni.sync", [WEIRI_MATCH_ANY] = "__match_any_sync",         \
    [WEIRI_MATCH_ALL] = "__match_all_sync", [WEIRI_REDUCE_AND] = "__reduce_and_sync",  \
    [WEIRI_REDUCE_OR] = "__reduce_or_sync", [WEIRI_REDUCE_XOR] = "__reduce_xor_sync",  \
    [WEIRI_ACTIVE] = "__activemask", [WEIRI_NAMED_SYNC] = "barrier.sync",              \
    [WEIRI_NAMED_ARRIVE] = "barrier.arrive", [WEIRI_MBARRIER] = "mbarrier",            \
    [WEIRI_ITEM_COPY] = "memcpy_async", [WEIRI_GRID] = "grid.sync",                    \
    [WEIRI_CLUSTER] = "cluster.sync",                                                  \
    [WEIRI_CLUSTER_ARRIVE] = "cluster.barrier_arrive",                                 \
    [WEIRI_CLUSTER_MAP] = "cluster.map_shared_rank",                                   \
    [WEIRI_INCLUSIVE_SCAN_ADD] = "cooperative_groups::inclusive_scan",                 \
    [WEIRI_EXCLUSIVE_SCAN_ADD] = "cooperative_groups::exclusive_scan",                 \
    [WEIRI_INCLUSIVE_SCAN_MIN] = "cooperative_groups::inclusive_scan",                 \
    [WEIRI_INCLUSIVE_SCAN_MAX] = "cooperative_groups::inclusive_scan",                 \
    [WEIRI_EXCLUSIVE_SCAN_MIN] = "cooperative_groups::exclusive_scan",                 \
    [WEIRI_EXCLUSIVE_SCAN_MAX] = "cooperative_groups::exclusive_scan",                 \
    [WEIRI_LOAD] = "cooperative_groups::sync",                                         \
    [WEIRI_COPY] = "cooperative_groups::memcpy_async",                                 \
    [WEIRI_WAIT] = "cooperative_groups::wait"
static const char *const cuda_block_operations[]
    = { [WEIRI_BARRIER] = "__syncthreads",
        [WEIRI_ANY] = "__syncthreads_or",
        [WEIRI_ALL] = "__syncthreads_and",
        [WEIRI_NONE] = "__syncthreads_or",
        [WEIRI_REDUCE_ADD] = "__syncthreads_count",
        [WEIRI_REDUCE_MIN] = "cooperative_groups::reduce",
        [WEIRI_REDUCE_MAX] = "cooperative_groups::reduce",
        CUDA_OPERATIONS };
static const char *const cuda_warp_operations[]
    = { [WEIRI_BARRIER] = "__syncwarp",
        [WEIRI_ANY] = "__any_sync",
        [WEIRI_ALL] = "__all_sync",
        [WEIRI_NONE] = "__any_sync",
        [WEIRI_REDUCE_ADD] = "__reduce_add_sync",
        [WEIRI_REDUCE_MIN] = "__reduce_min_sync",
        [WEIRI_REDUCE_MAX] = "__reduce_max_sync",
        CUDA_OPERATIONS };
_Static_assert(G_N_ELEMENTS(cuda_block_operations) == G_N_ELEMENTS(group_operations)
                   && G_N_ELEMENTS(cuda_warp_operations)
                       == G_N_ELEMENTS(group_operations)
                   && G_N_ELEMENTS(sycl_operations) == G_N_ELEMENTS(group_operations)
                   && G_N_ELEMENTS(opencl_group_operations)
                       == G_N_ELEMENTS(group_operations),
               "each collective has a name");

/* By language and enum weiri_level. */
static const char *const *const operations[LANGUAGES][2] = {
    [WEIR_LANGUAGE_C] = { group_operations, sub_group_operations },
    [WEIR_LANGUAGE_SYCL] = { sycl_operations, sycl_operations },
    [WEIR_LANGUAGE_OPENCL] = { opencl_group_operations, opencl_sub_group_operations },
    [WEIR_LANGUAGE_CUDA] = { cuda_block_operations, cuda_warp_operations },
};

void weiri_names_speak_hip(void)
{
    is_hip = true;
}

const char *weiri_name(enum weir_language language, enum weiri_name name)
{
    const char *own = names[name][column(language)];
    return own != NULL ? own : names[name][language];
}

enum weir_language weiri_name_language(const char *operation)
{
    static const char *const opencl[]
        = { "atomic_", "barrier", "sub_group_", "work_group_" };
    for (size_t i = 0; i < G_N_ELEMENTS(opencl); i++) {
        if (g_str_has_prefix(operation, opencl[i])) {
            return WEIR_LANGUAGE_OPENCL;
        }
    }
    return g_str_has_prefix(operation, "sycl::") ? WEIR_LANGUAGE_SYCL
        : g_str_has_prefix(operation, "weir_")   ? WEIR_LANGUAGE_C
                                                 : WEIR_LANGUAGE_CUDA;
}

static const char *order_in(unsigned order, unsigned column)
{
    order &= ~(unsigned)WEIRI_ILLEGAL_ORDER;
    return order < G_N_ELEMENTS(orders) ? orders[order][column] : "invalid";
}

static const char *scope_in(unsigned scope, unsigned column)
{
    return scope < G_N_ELEMENTS(scopes) ? scopes[scope][column] : "invalid";
}

/* The column of sentences. */
static unsigned text_column(enum weir_language language)
{
    return language == WEIR_LANGUAGE_C ? WORD : column(language);
}

const char *weiri_order_name(unsigned order)
{
    return order_in(order, WORD);
}

const char *weiri_order_text(enum weir_language language, unsigned order)
{
    return order_in(order, text_column(language));
}

const char *weiri_order_source(enum weir_language language, unsigned order)
{
    return order_in(order, column(language));
}

const char *weiri_scope_name(unsigned scope)
{
    return scope_in(scope, WORD);
}

const char *weiri_scope_text(enum weir_language language, unsigned scope)
{
    return scope_in(scope, text_column(language));
}

const char *weiri_scope_source(enum weir_language language, unsigned scope)
{
    return scope_in(scope, column(language));
}

const char *weiri_atomic_name(enum weir_language language, unsigned kind)
{
    return kind == WEIRI_ATOMIC_FENCE ? weiri_name(language, WEIRI_NAME_FENCE)
                                      : atomics[kind][column(language)];
}

char *weiri_atomic_text(enum weir_language language, const struct weir_site *site,
                        unsigned kind, unsigned order)
{
    if (weiri_site_is_named(site)) {
        /* CUDA's older functions have no order among their arguments. */
        bool ordered = !g_str_has_prefix(site->name, "atomic")
            && !g_str_has_prefix(site->name, "__threadfence");
        return g_strdup_printf("%s(%s)", site->name,
                               ordered ? weiri_order_text(language, order) : "");
    }
    return language == WEIR_LANGUAGE_C
        ? g_strdup_printf("atomic %s", acts[kind])
        : g_strdup_printf("%s(%s)", weiri_atomic_name(language, kind),
                          weiri_order_text(language, order));
}

const char *weiri_act_name(unsigned kind)
{
    return acts[kind];
}

char *weiri_array_name(const struct weir_site *site)
{
    return site->name != NULL
        ? g_strdup(site->name)
        : g_strdup_printf("local array of %s:%u", site->file, site->line);
}

const char *weiri_operation_name(enum weir_language language, uint64_t op)
{
    bool group = WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP;
    return group && WEIRI_OP_KIND(op) == WEIRI_BARRIER && language == WEIR_LANGUAGE_C
        ? "weir_barrier"
        : operations[language][group ? 0 : 1][WEIRI_OP_KIND(op)];
}
