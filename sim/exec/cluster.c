/* SPDX-License-Identifier: MIT
 *
 * cluster.c: see cluster.h.
 *
 * The barrier counts arrivals of all items of the cluster. An arrival gives what the
 * item knows to the channel of the phase; an item that has waited takes from it. The
 * channel of the phase that is complete is kept until the next one is, since each item
 * waits once before it arrives again. An item that waits is outside of all gates.
 *
 * Follows barrier.cluster of [PTX]. */
#include "config.h"

#include "exec/cluster.h"

#include "exec/divergence.h"
#include "exec/finding.h"
#include "exec/mode.h"
#include "finding/names.h"

struct arrival {
    struct weiri_group *group;
    uint32_t item;
    const struct weir_site *site;
};

struct cluster {
    size_t number;
    uint32_t n_ended; /* of its groups */
    bool broken;      /* a group was cancelled */
    size_t n_arrived; /* items, in this phase */
    uint64_t phase;
    uint64_t channel;   /* of this phase, */
    uint64_t completed; /* and of the one before, or 0 */
    GArray *waiting;    /* of struct arrival */
};

/* ---- Numbers --------------------------------------------------------------------- */

static size_t count_in(const struct weiri_shape *shape, uint32_t dim)
{
    return shape->groups[dim] / shape->cluster[dim];
}

/* In mixed radix, the last digit fastest: which cluster, and below it which of its
 * groups. */
size_t weiri_cluster_group(const struct weiri_shape *shape, size_t k)
{
    if (shape->cluster[0] == 0) {
        return k;
    }
    size_t group[3] = { 0 }, linear = 0;
    for (uint32_t dim = 3; dim-- > 0;) {
        group[dim] = k % shape->cluster[dim];
        k /= shape->cluster[dim];
    }
    for (uint32_t dim = 3; dim-- > 0;) {
        group[dim] += k % count_in(shape, dim) * shape->cluster[dim];
        k /= count_in(shape, dim);
    }
    for (uint32_t dim = 0; dim < 3; dim++) {
        linear = linear * shape->groups[dim] + group[dim];
    }
    return linear;
}

uint32_t weiri_cluster_rank(const struct weiri_shape *shape)
{
    uint32_t rank = 0;
    for (uint32_t dim = 0; dim < 3 && shape->cluster[0] != 0; dim++) {
        rank = rank * shape->cluster[dim]
            + (uint32_t)(shape->group[dim] % shape->cluster[dim]);
    }
    return rank;
}

static size_t number_of(const struct weiri_shape *shape)
{
    size_t number = 0;
    for (uint32_t dim = 0; dim < 3; dim++) {
        number
            = number * count_in(shape, dim) + shape->group[dim] / shape->cluster[dim];
    }
    return number;
}

bool weiri_cluster_has_both(const struct weiri_shape *shape, size_t one, size_t other)
{
    struct weiri_shape first = *shape, second = *shape;
    if (shape->cluster[0] == 0) {
        return false;
    }
    weiri_group_place(&first, one);
    weiri_group_place(&second, other);
    return number_of(&first) == number_of(&second);
}

/* ---- Resident clusters ----------------------------------------------------------- */

static guint n_clusters(const struct weiri_worker *worker)
{
    return worker->clusters != NULL ? worker->clusters->len : 0;
}

static struct cluster *cluster_at(const struct weiri_worker *worker, guint i)
{
    return &g_array_index(worker->clusters, struct cluster, i);
}

static guint index_of(const struct weiri_worker *worker,
                      const struct weiri_group *group)
{
    size_t number = number_of(&group->public.shape);
    guint i = 0;
    while (i < n_clusters(worker) && cluster_at(worker, i)->number != number) {
        i++;
    }
    return i;
}

static const struct arrival *waiting_at(const struct cluster *cluster, guint i)
{
    return &g_array_index(cluster->waiting, struct arrival, i);
}

void weiri_cluster_begin_group(struct weiri_worker *worker)
{
    const struct weiri_group *group = worker->group;
    if (index_of(worker, group) < n_clusters(worker)) {
        return;
    }
    worker->inside++;
    if (worker->clusters == NULL) {
        worker->clusters = g_array_new(FALSE, TRUE, sizeof(struct cluster));
    }
    struct cluster fresh
        = { .number = number_of(&group->public.shape),
            .channel = weiri_worker_new_channel(worker),
            .waiting = g_array_new(FALSE, FALSE, sizeof(struct arrival)) };
    g_array_append_val(worker->clusters, fresh);
    worker->inside--;
}

static void remove_cluster(struct weiri_worker *worker, guint i)
{
    worker->inside++;
    g_array_unref(cluster_at(worker, i)->waiting);
    g_array_remove_index(worker->clusters, i);
    worker->inside--;
}

void weiri_cluster_end_group(struct weiri_worker *worker, bool cancelled)
{
    const struct weiri_group *group = worker->group;
    guint index = index_of(worker, group);
    struct cluster *cluster = cluster_at(worker, index);
    cluster->broken |= cancelled;
    for (guint i = cluster->waiting->len; i-- > 0;) {
        if (waiting_at(cluster, i)->group == group) {
            g_array_remove_index(cluster->waiting, i);
        }
    }
    if (++cluster->n_ended == weiri_cluster_size(&group->public.shape)) {
        remove_cluster(worker, index);
    }
}

void weiri_cluster_reset(struct weiri_worker *worker)
{
    while (n_clusters(worker) > 0) {
        remove_cluster(worker, n_clusters(worker) - 1);
    }
}

/* ---- The barrier ----------------------------------------------------------------- */

/* Items @from to @end of those that wait are of one group: they can run. */
static void release(struct weiri_worker *worker, const struct cluster *cluster,
                    guint from, guint end)
{
    struct weiri_group *running = worker->group;
    struct weiri_group *group = waiting_at(cluster, from)->group;
    worker->inside++;
    g_autofree uint32_t *items = g_new(uint32_t, end - from);
    worker->inside--;
    for (guint i = from; i < end; i++) {
        items[i - from] = waiting_at(cluster, i)->item;
    }
    group->n_meetings++;
    group->idle = 0;
    worker->group = group;
    weiri_mode_release_some(worker, group, items, end - from);
    worker->group = running;
}

/* The phase is over. */
static void complete(struct weiri_worker *worker, struct cluster *cluster)
{
    if (cluster->completed != 0) {
        weiri_worker_emit(worker, WEIRI_EVENT_FORGET, 0, cluster->completed, NULL);
    }
    cluster->completed = cluster->channel;
    cluster->channel = weiri_worker_new_channel(worker);
    cluster->phase++;
    cluster->n_arrived = 0;
    for (guint i = 0, end; i < cluster->waiting->len; i = end) {
        end = i + 1;
        while (end < cluster->waiting->len
               && waiting_at(cluster, end)->group == waiting_at(cluster, i)->group) {
            end++;
        }
        release(worker, cluster, i, end);
    }
    g_array_set_size(cluster->waiting, 0);
}

/* How far the running item is; see @arrived of struct weiri_group. */
static uint64_t *progress_of(struct weiri_worker *worker)
{
    struct weiri_group *group = worker->group;
    if (group->arrived == NULL) {
        worker->inside++;
        group->arrived = g_new0(uint64_t, group->capacity);
        worker->inside--;
    }
    return &group->arrived[(size_t)group->public.at];
}

bool weiri_cluster_arrives(struct weiri_worker *worker, bool relaxed)
{
    struct weiri_group *group = worker->group;
    struct cluster *cluster = cluster_at(worker, index_of(worker, group));
    uint64_t *mine = progress_of(worker);
    if (*mine != 0) {
        return false;
    }
    *mine = 1 + cluster->phase;
    if (!relaxed) {
        weiri_worker_emit(worker, WEIRI_EVENT_GIVE, (size_t)group->public.at,
                          cluster->channel, NULL);
    }
    const struct weiri_shape *shape = &worker->launch->shape;
    if (++cluster->n_arrived == weiri_cluster_size(shape) * shape->items) {
        complete(worker, cluster);
    }
    return true;
}

bool weiri_cluster_has_arrived(struct weiri_worker *worker)
{
    return *progress_of(worker) != 0;
}

bool weiri_cluster_joins(struct weiri_worker *worker, const struct weir_site *site)
{
    struct weiri_group *group = worker->group;
    struct cluster *cluster = cluster_at(worker, index_of(worker, group));
    bool over = cluster->phase >= *progress_of(worker);
    if (!over) {
        struct arrival arrival = { group, (uint32_t)(size_t)group->public.at, site };
        worker->inside++;
        g_array_append_val(cluster->waiting, arrival);
        worker->inside--;
    }
    return over;
}

void weiri_cluster_goes_on(struct weiri_worker *worker)
{
    const struct weiri_group *group = worker->group;
    *progress_of(worker) = 0;
    weiri_worker_emit(worker, WEIRI_EVENT_TAKE, (size_t)group->public.at,
                      cluster_at(worker, index_of(worker, group))->completed, NULL);
}

/* ---- Items that do not come ------------------------------------------------------ */

bool weiri_cluster_waits(const struct weiri_worker *worker,
                         const struct weiri_group *group)
{
    for (guint i = 0; i < n_clusters(worker); i++) {
        const struct cluster *cluster = cluster_at(worker, i);
        for (guint k = 0; k < cluster->waiting->len; k++) {
            if (group == NULL || waiting_at(cluster, k)->group == group) {
                return true;
            }
        }
    }
    return false;
}

void weiri_cluster_find_places(const struct weiri_worker *worker,
                               const struct weiri_group *group,
                               struct weiri_whereabouts *places)
{
    if (group->public.shape.cluster[0] == 0) {
        return;
    }
    guint index = index_of(worker, group);
    for (guint i = 0;
         index < n_clusters(worker) && i < cluster_at(worker, index)->waiting->len;
         i++) {
        const struct arrival *one = waiting_at(cluster_at(worker, index), i);
        if (one->group == group) {
            places[one->item].site = one->site;
            places[one->item].op = weiri_cluster_op(WEIRI_CLUSTER);
        }
    }
}

/* Items of the cluster's resident groups that have not returned. */
static uint32_t n_live(const struct weiri_worker *worker, const struct cluster *cluster)
{
    uint32_t live = 0;
    const struct weiri_group *group = worker->group;
    do {
        if (number_of(&group->public.shape) == cluster->number) {
            live += group->live;
        }
        group = group->next_group;
    } while (group != worker->group);
    return live;
}

bool weiri_cluster_forget_exited(struct weiri_worker *worker)
{
    bool any = false;
    for (guint i = 0; i < n_clusters(worker); i++) {
        struct cluster *cluster = cluster_at(worker, i);
        if (cluster->waiting->len > 0
            && cluster->waiting->len == n_live(worker, cluster)) {
            complete(worker, cluster);
            any = true;
        }
    }
    return any;
}

/* Groups of which a finding lists the places: all of the largest cluster. */
static void add_parties(struct weiri_worker *worker, struct weiri_draft *draft,
                        const struct cluster *cluster)
{
    worker->inside++;
    g_autofree uint32_t *items = g_new(uint32_t, cluster->waiting->len);
    for (guint i = 0; i < cluster->waiting->len; i++) {
        const struct arrival *first = waiting_at(cluster, i);
        uint32_t n = 0;
        bool is_first = true;
        for (guint k = 0; k < cluster->waiting->len; k++) {
            const struct arrival *one = waiting_at(cluster, k);
            bool same = one->group == first->group && one->site == first->site;
            is_first &= !same || k >= i;
            if (same) {
                items[n++] = one->item;
            }
        }
        if (!is_first) {
            continue;
        }
        const char *operation
            = weiri_named(first->site,
                          weiri_operation_name(draft->kernel->language,
                                               weiri_cluster_op(WEIRI_CLUSTER)));
        struct weir_party party = weiri_party_new(
            WEIR_STATE_WAITING, &first->group->public.shape, first->site, operation,
            first->group->gate.phase, items, n);
        weiri_draft_take(draft, &party, &(struct weiri_trail){ 0 });
    }
    worker->inside--;
}

void weiri_cluster_find(struct weiri_worker *worker)
{
    guint i = 0;
    while (cluster_at(worker, i)->waiting->len == 0) {
        i++;
    }
    const struct cluster *cluster = cluster_at(worker, i);
    if (cluster->broken) {
        return; /* by a group that was cancelled for another reason */
    }
    const struct weiri_launch *launch = worker->launch;
    const struct arrival *first = waiting_at(cluster, 0);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = launch->kernel,
        .group_linear = first->group->public.shape.group_linear,
        .form = "exited item",
        .message = g_strdup_printf(
            "barrier divergence in kernel '%s', cluster %zu: %zu of %zu items of the "
            "cluster have come to its barrier; the others have returned",
            launch->kernel->name, cluster->number, cluster->n_arrived,
            weiri_cluster_size(&launch->shape) * launch->shape.items),
    };
    weiri_finding_made(
        draft.kind, &(struct weiri_maker){ draft.group_linear, first->item, 0 }, NULL);
    weiri_draft_init(&draft);
    add_parties(worker, &draft, cluster);
    weiri_report_add(launch->report, &draft);
}

/* ---- Local memory of the others -------------------------------------------------- */

static bool is_in_array(const struct weiri_array *array, const char *address)
{
    return address >= (const char *)array->start
        && (size_t)(address - (const char *)array->start) < MAX(array->bytes, 1);
}

struct weiri_group *weiri_cluster_owner(const struct weiri_worker *worker,
                                        const char *address, uint32_t *array)
{
    struct weiri_group *group = worker->group;
    size_t number = number_of(&group->public.shape);
    do {
        for (uint32_t k = 0;
             k < group->n_locals && number_of(&group->public.shape) == number; k++) {
            if (is_in_array(&group->public.arrays[k], address)) {
                *array = k;
                return group;
            }
        }
        group = group->next_group;
    } while (group != worker->group);
    return NULL;
}

struct weiri_group *weiri_cluster_member(const struct weiri_worker *worker,
                                         uint32_t rank)
{
    struct weiri_group *group = worker->group;
    size_t number = number_of(&group->public.shape);
    do {
        if (number_of(&group->public.shape) == number
            && weiri_cluster_rank(&group->public.shape) == rank) {
            return group;
        }
        group = group->next_group;
    } while (group != worker->group);
    return NULL;
}
