/* SPDX-License-Identifier: MIT
 *
 * builtins-sync.h: barriers of the block and the grid, named barriers, fences, and
 * mbarrier objects. A part of builtins.c. */

#define BOTH_SPACES (WEIR_LOCAL | WEIR_GLOBAL)

/* ---- Barriers of the block ------------------------------------------------- */

#define BLOCK_OP(kind)                                                                 \
    WEIRI_OP((kind), 0, WEIRI_LEVEL_GROUP, memory_scope_work_group, BOTH_SPACES, 0)

OWN void weiri_cu_syncthreads(CALLER)
{
    weiri_meet(item,
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        memory_scope_work_group, BOTH_SPACES, 0),
               site);
}

OWN int32_t weiri_cu_syncthreads_count(CALLER, int32_t predicate)
{
    return weiri_collect_i32(item, BLOCK_OP(WEIRI_REDUCE_ADD), predicate != 0, site);
}

OWN int32_t weiri_cu_syncthreads_and(CALLER, int32_t predicate)
{
    return weiri_collect_i32(item, BLOCK_OP(WEIRI_ALL), predicate != 0, site);
}

OWN int32_t weiri_cu_syncthreads_or(CALLER, int32_t predicate)
{
    return weiri_collect_i32(item, BLOCK_OP(WEIRI_ANY), predicate != 0, site);
}

/* ---- Named barriers: PTX's barrier.sync, .arrive and .red ------------------ */

OWN void weiri_cu_named_sync(CALLER, uint32_t id, uint32_t count)
{
    weiri_named_sync(id, count, site);
}

OWN void weiri_cu_named_arrive(CALLER, uint32_t id, uint32_t count)
{
    weiri_named_arrive(id, count, site);
}

OWN uint32_t weiri_cu_named_popc(CALLER, uint32_t id, uint32_t count, int32_t predicate)
{
    return weiri_named_reduce(id, count, WEIRI_REDUCE_ADD, predicate != 0, site);
}

OWN uint32_t weiri_cu_named_and(CALLER, uint32_t id, uint32_t count, int32_t predicate)
{
    return weiri_named_reduce(id, count, WEIRI_ALL, predicate != 0, site);
}

OWN uint32_t weiri_cu_named_or(CALLER, uint32_t id, uint32_t count, int32_t predicate)
{
    return weiri_named_reduce(id, count, WEIRI_ANY, predicate != 0, site);
}

OWN void weiri_cu_grid_sync(CALLER)
{
    weiri_grid_sync(site);
}

/* ---- Clusters: a block that has none is one of its own --------------------- */

OWN void weiri_cu_cluster_arrive(CALLER, uint32_t relaxed)
{
    if (weiri_cu_is_cluster(item, site)) {
        weiri_cluster_arrive(relaxed, site);
    }
}

OWN void weiri_cu_cluster_wait(CALLER)
{
    if (weiri_cu_is_cluster(item, site)) {
        weiri_cluster_wait(site);
    } else {
        weiri_cu_syncthreads(item, site);
    }
}

OWN void weiri_cu_cluster_sync(CALLER)
{
    if (weiri_cu_is_cluster(item, site)) {
        weiri_cluster_sync(site);
    } else {
        weiri_cu_syncthreads(item, site);
    }
}

OWN void *weiri_cu_cluster_map(CALLER, const void *address, uint32_t rank)
{
    return weiri_cu_is_cluster(item, site) || rank != 0
        ? weiri_cluster_map(address, rank, site)
        : (void *)address;
}

OWN uint32_t weiri_cu_cluster_rank_of(CALLER, const void *address)
{
    return weiri_cu_is_cluster(item, site) ? weiri_cluster_rank_of(address) : 0;
}

/* ---- Fences ---------------------------------------------------------------- */

OWN void weiri_cu_fence(CALLER, int32_t order, int32_t scope)
{
    weiri_fence(BOTH_SPACES, (memory_order)order, (memory_scope)scope, site);
}

/* ---- mbarrier objects ------------------------------------------------------ */

OWN void weiri_cu_mbarrier_init(CALLER, void *bar, uint32_t count)
{
    weiri_mbarrier_init(bar, count, site);
}

OWN void weiri_cu_mbarrier_invalidate(CALLER, void *bar)
{
    weiri_mbarrier_invalidate(bar, site);
}

/* @flags: as of weiri_mbarrier_arrive(): DROP 1, RELAXED 2 */
OWN uint64_t weiri_cu_mbarrier_arrive(CALLER, void *bar, uint32_t count, uint32_t tx,
                                      uint32_t flags)
{
    return weiri_mbarrier_arrive(bar, count, tx, flags, site);
}

OWN void weiri_cu_mbarrier_expect(CALLER, void *bar, uint32_t tx)
{
    weiri_mbarrier_expect(bar, tx, site);
}

OWN void weiri_cu_mbarrier_complete(CALLER, void *bar, uint32_t tx)
{
    weiri_mbarrier_complete(bar, tx, site);
}

/* @flags: as of weiri_mbarrier_test(): RELAXED 2, PARITY 4 */
OWN uint32_t weiri_cu_mbarrier_test(CALLER, void *bar, uint64_t token, uint32_t flags)
{
    return weiri_mbarrier_test(bar, token, flags, site);
}

OWN uint32_t weiri_cu_mbarrier_pending(CALLER, uint64_t token)
{
    return weiri_mbarrier_pending(token);
}
