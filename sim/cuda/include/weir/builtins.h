/* SPDX-License-Identifier: MIT
 *
 * weir/builtins.h: the functions of the machine that the other headers call. Those that
 * begin with weiri_cu_ are defined by sim/cuda/device/builtins.c; weir-cuda-cc adds the
 * item and the place of the call. Those that begin with weiri_cuda_ are in the library.
 *
 * Dimension 0 is x. Orders are C11's numbers. */
#ifndef WEIR_CUDA_BUILTINS_H
#define WEIR_CUDA_BUILTINS_H

#include <stdint.h>

#include <host_defines.h>

#define WEIRI_BUILTIN extern "C" __device__ __attribute__((nothrow))

/* As memory_scope of weir-kernel.h. */
enum {
    WEIRI_SCOPE_THREAD = 0,
    WEIRI_SCOPE_WARP = 1,
    WEIRI_SCOPE_BLOCK = 2,
    WEIRI_SCOPE_CLUSTER = 3,
    WEIRI_SCOPE_DEVICE = 3,
    WEIRI_SCOPE_SYSTEM = 4,
};
#define WEIRI_RELAXED __ATOMIC_RELAXED

/* ---- Ids: builtins-ids.h --------------------------------------------------- */

WEIRI_BUILTIN uint32_t weiri_cu_thread(uint32_t dim);
WEIRI_BUILTIN uint32_t weiri_cu_block(uint32_t dim);
WEIRI_BUILTIN uint32_t weiri_cu_block_dim(uint32_t dim);
WEIRI_BUILTIN uint32_t weiri_cu_grid_dim(uint32_t dim);
WEIRI_BUILTIN uint32_t weiri_cu_cluster_dim(uint32_t dim);   /* blocks of a cluster */
WEIRI_BUILTIN uint32_t weiri_cu_cluster_index(uint32_t dim); /* of it in the grid */
WEIRI_BUILTIN uint32_t weiri_cu_cluster_block(uint32_t dim); /* of the block in it */
WEIRI_BUILTIN uint32_t weiri_cu_cluster_count(uint32_t dim); /* clusters of the grid */
WEIRI_BUILTIN uint32_t weiri_cu_cluster_blocks(void);
WEIRI_BUILTIN uint32_t weiri_cu_cluster_rank(void);
WEIRI_BUILTIN uint32_t weiri_cu_is_cluster(void);
WEIRI_BUILTIN uint32_t weiri_cu_thread_rank(void); /* in the block */
WEIRI_BUILTIN uint32_t weiri_cu_block_threads(void);
WEIRI_BUILTIN uint32_t weiri_cu_lane(void);
WEIRI_BUILTIN uint32_t weiri_cu_warp(void);
WEIRI_BUILTIN uint32_t weiri_cu_warps(void);     /* of the block */
WEIRI_BUILTIN uint32_t weiri_cu_warp_mask(void); /* the lanes that the warp has */
WEIRI_BUILTIN uint64_t weiri_cu_dynamic_bytes(void);
WEIRI_BUILTIN uint64_t weiri_cu_launch(void);
WEIRI_BUILTIN uint32_t weiri_cu_is_cooperative(void);
WEIRI_BUILTIN uint32_t weiri_cu_space(const void *address); /* 1: shared, 2: global,
                                                               0: local */
WEIRI_BUILTIN uint64_t weiri_cu_clock(void);
WEIRI_BUILTIN uint64_t weiri_cu_nanoseconds(void);
WEIRI_BUILTIN void weiri_cu_sleep(uint32_t nanoseconds);
WEIRI_BUILTIN void weiri_cu_trap(void);

/* ---- Barriers and fences: builtins-sync.h ---------------------------------- */

WEIRI_BUILTIN void weiri_cu_syncthreads(void);
WEIRI_BUILTIN int32_t weiri_cu_syncthreads_count(int32_t predicate);
WEIRI_BUILTIN int32_t weiri_cu_syncthreads_and(int32_t predicate);
WEIRI_BUILTIN int32_t weiri_cu_syncthreads_or(int32_t predicate);
WEIRI_BUILTIN void weiri_cu_fence(int32_t order, int32_t scope);
WEIRI_BUILTIN void weiri_cu_cluster_arrive(uint32_t relaxed);
WEIRI_BUILTIN void weiri_cu_cluster_wait(void);
WEIRI_BUILTIN void weiri_cu_cluster_sync(void);
/* In shared memory of the block of that rank; and the rank, or UINT32_MAX. */
WEIRI_BUILTIN void *weiri_cu_cluster_map(const void *address, uint32_t rank);
WEIRI_BUILTIN uint32_t weiri_cu_cluster_rank_of(const void *address);

/* ---- Atomics: builtins-atomic.h -----------------------------------------------
 * X(suffix, type): integers and numbers. Each returns the value before. */

#define WEIRI_ATOMIC_INTEGERS(X_)                                                      \
    X_(i32, int32_t)                                                                   \
    X_(u32, uint32_t)                                                                  \
    X_(i64, int64_t)                                                                   \
    X_(u64, uint64_t)
#define WEIRI_ATOMIC_NUMBERS(X_)                                                       \
    WEIRI_ATOMIC_INTEGERS(X_) X_(f32, float) X_(f64, double)

#define WEIRI_DECLARE(s, T_, name)                                                     \
    WEIRI_BUILTIN T_ weiri_cu_##name##_##s(void *p, T_ value, int32_t order,           \
                                           int32_t scope);
#define X_(s, T_)                                                                      \
    WEIRI_BUILTIN T_ weiri_cu_load_##s(const void *p, int32_t order, int32_t scope);   \
    WEIRI_BUILTIN void weiri_cu_store_##s(void *p, T_ value, int32_t order,            \
                                          int32_t scope);                              \
    /* Returns the value before, bit for bit @expected if @desired was written */      \
    WEIRI_BUILTIN T_ weiri_cu_cas_##s(void *p, T_ expected, T_ desired,                \
                                      int32_t success, int32_t failure, int32_t scope, \
                                      int32_t weak);                                   \
    WEIRI_DECLARE(s, T_, exchange)                                                     \
    WEIRI_DECLARE(s, T_, add)                                                          \
    WEIRI_DECLARE(s, T_, min)                                                          \
    WEIRI_DECLARE(s, T_, max)
WEIRI_ATOMIC_NUMBERS(X_)
#undef X_
#define X_(s, T_)                                                                      \
    WEIRI_DECLARE(s, T_, and)                                                          \
    WEIRI_DECLARE(s, T_, or)                                                           \
    WEIRI_DECLARE(s, T_, xor)
WEIRI_ATOMIC_INTEGERS(X_)
#undef X_
WEIRI_DECLARE(u32, uint32_t, inc)
WEIRI_DECLARE(u32, uint32_t, dec)
#undef WEIRI_DECLARE

/* ---- Warps: builtins-warp.h ---------------------------------------------------
 * @argument and @bounds are PTX's operands b and c of shfl.sync. */

WEIRI_BUILTIN void weiri_cu_warp_sync(uint32_t mask);
WEIRI_BUILTIN uint32_t weiri_cu_active_mask(void);
WEIRI_BUILTIN uint32_t weiri_cu_vote_any(uint32_t mask, int32_t predicate);
WEIRI_BUILTIN uint32_t weiri_cu_vote_all(uint32_t mask, int32_t predicate);
WEIRI_BUILTIN uint32_t weiri_cu_vote_uniform(uint32_t mask, int32_t predicate);
WEIRI_BUILTIN uint32_t weiri_cu_vote_ballot(uint32_t mask, int32_t predicate);
#define WEIRI_DECLARE(name, s, T_)                                                     \
    WEIRI_BUILTIN T_ weiri_cu_shuffle_##name##_##s(                                    \
        uint32_t mask, T_ value, uint32_t argument, uint32_t bounds);
#define X_(s, T_)                                                                      \
    WEIRI_DECLARE(index, s, T_)                                                        \
    WEIRI_DECLARE(xor, s, T_)                                                          \
    WEIRI_DECLARE(down, s, T_)                                                         \
    WEIRI_DECLARE(up, s, T_)                                                           \
    WEIRI_BUILTIN uint32_t weiri_cu_match_any_##s(uint32_t mask, T_ value);            \
    WEIRI_BUILTIN uint32_t weiri_cu_match_all_##s(uint32_t mask, T_ value);
X_(u32, uint32_t)
X_(u64, uint64_t)
#undef X_
#undef WEIRI_DECLARE
#define WEIRI_DECLARE(name, s, T_)                                                     \
    WEIRI_BUILTIN T_ weiri_cu_warp_reduce_##name##_##s(uint32_t mask, T_ value);
#define X_(s, T_)                                                                      \
    WEIRI_DECLARE(add, s, T_)                                                          \
    WEIRI_DECLARE(min, s, T_)                                                          \
    WEIRI_DECLARE(max, s, T_)
WEIRI_ATOMIC_NUMBERS(X_)
#undef X_
#define X_(s, T_)                                                                      \
    WEIRI_DECLARE(and, s, T_)                                                          \
    WEIRI_DECLARE(or, s, T_)                                                           \
    WEIRI_DECLARE(xor, s, T_)
X_(u32, uint32_t)
X_(u64, uint64_t)
#undef X_
#undef WEIRI_DECLARE

/* ---- Named barriers, grid barriers and mbarriers: builtins-sync.h ---------- */

WEIRI_BUILTIN void weiri_cu_named_sync(uint32_t id, uint32_t count);
WEIRI_BUILTIN void weiri_cu_named_arrive(uint32_t id, uint32_t count);
WEIRI_BUILTIN uint32_t weiri_cu_named_popc(uint32_t id, uint32_t count,
                                           int32_t predicate);
WEIRI_BUILTIN uint32_t weiri_cu_named_and(uint32_t id, uint32_t count,
                                          int32_t predicate);
WEIRI_BUILTIN uint32_t weiri_cu_named_or(uint32_t id, uint32_t count,
                                         int32_t predicate);
WEIRI_BUILTIN void weiri_cu_grid_sync(void);

enum {
    WEIRI_MBARRIER_DROP = 1,
    WEIRI_MBARRIER_RELAXED = 2,
    WEIRI_MBARRIER_PARITY = 4,
    WEIRI_MBARRIER_TRY = 0, /* a thread gives way in any test that fails */
};
WEIRI_BUILTIN void weiri_cu_mbarrier_init(void *bar, uint32_t count);
WEIRI_BUILTIN void weiri_cu_mbarrier_invalidate(void *bar);
WEIRI_BUILTIN uint64_t weiri_cu_mbarrier_arrive(void *bar, uint32_t count, uint32_t tx,
                                                uint32_t flags);
WEIRI_BUILTIN void weiri_cu_mbarrier_expect(void *bar, uint32_t tx);
WEIRI_BUILTIN void weiri_cu_mbarrier_complete(void *bar, uint32_t tx);
WEIRI_BUILTIN uint32_t weiri_cu_mbarrier_test(void *bar, uint64_t token,
                                              uint32_t flags);
WEIRI_BUILTIN uint32_t weiri_cu_mbarrier_pending(uint64_t token);

/* ---- Copies under way: builtins-copy.h ------------------------------------- */

WEIRI_BUILTIN void weiri_cu_copy_begin(void *to, const void *from, uint32_t bytes,
                                       uint32_t source_bytes);
WEIRI_BUILTIN void weiri_cu_copy_commit(void);
WEIRI_BUILTIN void weiri_cu_copy_wait(uint32_t n_left);
WEIRI_BUILTIN void weiri_cu_copy_arrive(void *bar, uint32_t noinc);
WEIRI_BUILTIN void weiri_cu_bulk_copy_begin(void *to, const void *from, uint32_t bytes,
                                            void *bar);

#endif
