/* SPDX-License-Identifier: MIT
 *
 * cluster-collective.c: the barrier of a cluster, and local memory of its other groups,
 * as weir-machinery-shared.h declares them to kernels.
 *
 * Arrays of local memory lie at other places in each group, as a group makes an array
 * where its first item asks for it. So a place is found in another group by its array,
 * which is made there if no item has asked for it yet.
 *
 * Follows barrier.cluster, mapa and getctarank of [PTX]. */
#include "config.h"

#include "exec/cluster.h"
#include "exec/combine.h"
#include "exec/item-finding.h"
#include "exec/leave.h"
#include "exec/local.h"
#include "exec/mode.h"

/* A finding of the running item, which is abandoned. Takes @why */
static _Noreturn void refuse(struct weiri_worker *worker, enum weir_finding_kind kind,
                             enum weiri_collective collective,
                             const struct weir_site *site, char *why)
{
    weiri_item_finding_of_op(worker, kind, weiri_cluster_op(collective), site, why);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

/* Does not return if the running item has no cluster. */
static void reach(struct weiri_worker *worker, enum weiri_collective kind,
                  const struct weir_site *site)
{
    const struct weiri_launch *launch = worker->launch;
    if (launch->shape.cluster[0] == 0 || launch->kernel->hierarchical) {
        refuse(worker, WEIR_FINDING_UNSUPPORTED, kind, site,
               g_strdup("the launch has no clusters: give the size of one"));
    }
}

/* ---- The barrier ----------------------------------------------------------------- */

static void arrive(struct weiri_worker *worker, enum weiri_collective kind,
                   bool relaxed, const struct weir_site *site)
{
    reach(worker, kind, site);
    if (!weiri_cluster_arrives(worker, relaxed)) {
        refuse(worker, WEIR_FINDING_BARRIER_DIVERGENCE, kind, site,
               g_strdup("it has arrived at the barrier of the cluster before, and not "
                        "waited since"));
    }
}

/* The running item goes on, at once or when the phase that it has arrived at is over.
 * In a deterministic launch that is a step. */
static void await(struct weiri_worker *worker, const struct weir_site *site)
{
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    reach(worker, WEIRI_CLUSTER, site);
    if (!weiri_cluster_has_arrived(worker)) {
        refuse(worker, WEIR_FINDING_BARRIER_DIVERGENCE, WEIRI_CLUSTER, site,
               g_strdup("it waits at the barrier of the cluster, and has not arrived"));
    }
    bool over = weiri_cluster_joins(worker, site), steps = worker->hub != NULL;
    if (over && steps) {
        weiri_mode_release_some(worker, group, &self, 1);
    }
    if (!over || steps) {
        weiri_mode_wait_some(worker, group, self, over);
    }
    weiri_cluster_goes_on(worker);
}

void weiri_cluster_arrive(uint32_t relaxed, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, weiri_cluster_op(WEIRI_CLUSTER_ARRIVE), site,
                              __builtin_return_address(0))) {
        return;
    }
    arrive(worker, WEIRI_CLUSTER_ARRIVE, relaxed != 0, site);
}

void weiri_cluster_wait(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, weiri_cluster_op(WEIRI_CLUSTER), site, caller)) {
        return;
    }
    (void)weiri_mode_arrive(worker, weiri_cluster_op(WEIRI_CLUSTER), site, caller);
    await(worker, site);
}

void weiri_cluster_sync(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    const void *caller = __builtin_return_address(0);
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, weiri_cluster_op(WEIRI_CLUSTER), site, caller)) {
        return;
    }
    (void)weiri_mode_arrive(worker, weiri_cluster_op(WEIRI_CLUSTER), site, caller);
    arrive(worker, WEIRI_CLUSTER, false, site);
    await(worker, site);
}

/* ---- Local memory of the others -------------------------------------------------- */

void *weiri_cluster_map(const void *address, uint32_t rank,
                        const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    reach(worker, WEIRI_CLUSTER_MAP, site);
    uint32_t size = weiri_cluster_size(&worker->launch->shape), k;
    if (rank >= size) {
        refuse(worker, WEIR_FINDING_OUT_OF_BOUNDS, WEIRI_CLUSTER_MAP, site,
               g_strdup_printf("the cluster has no group of rank %u: it has %u", rank,
                               size));
    }
    const struct weiri_group *owner = weiri_cluster_owner(worker, address, &k);
    if (owner == NULL) {
        refuse(worker, WEIR_FINDING_UNSUPPORTED, WEIRI_CLUSTER_MAP, site,
               g_strdup("the address is not in local memory of the cluster"));
    }
    struct weiri_group *group = weiri_cluster_member(worker, rank);
    if (group == NULL) {
        refuse(worker, WEIR_FINDING_USE_AFTER_FREE, WEIRI_CLUSTER_MAP, site,
               g_strdup_printf("the group of rank %u of the cluster has ended, and its "
                               "local memory with it: it must wait at the barrier of "
                               "the cluster for the others",
                               rank));
    }
    const struct weiri_array *array = &owner->public.arrays[k];
    size_t offset = (size_t)((const char *)address - (const char *)array->start);
    return weiri_local_of_site(group, array, owner->locals[k].element_bytes) + offset;
}

uint32_t weiri_cluster_rank_of(const void *address)
{
    const struct weiri_worker *worker = weiri_self.worker;
    uint32_t k;
    const struct weiri_group *owner = worker->launch->shape.cluster[0] != 0
        ? weiri_cluster_owner(worker, address, &k)
        : NULL;
    return owner != NULL ? weiri_cluster_rank(&owner->public.shape) : UINT32_MAX;
}
