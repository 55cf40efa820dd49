/* SPDX-License-Identifier: MIT
 *
 * estimate.c: see estimate.h. The visits of the explorer are a tree, whose leaves are
 * executions. A probe goes down from the root and takes one branch at each node, at
 * random. If it takes branches with the probabilities p1, p2, ... it counts the leaf at
 * which it ends 1/(p1 p2 ...) times. Then each leaf counts once in the mean, for any
 * probabilities (Knuth: "Estimating the efficiency of backtrack programs", 1975). A
 * probe that ends without an execution counts 0: it has met a read-modify-write that
 * exists only for its revisits and has none, or a thread that waits for another value.
 *
 * Equal probabilities would be a bad choice. A revisit takes events out of the graph,
 * and keeps others for ever, so that some branches have most of the leaves, and a few
 * hundred probes would meet none of these. So a branch is taken with a probability
 * that grows with the number of leaves that is expected below it. This is learned for
 * each kind of node: nodes with as many events, and as many reads that can still be
 * revisited. A node has as many leaves as its branches together; when a probe has
 * ended, the nodes on its way pass that on to their kinds, the deepest one first. As
 * many probes as are counted only learn before.
 *
 * The mean is right in the long run only. So the probes are dealt out to rounds, by
 * turns. Rounds that differ much show an estimate that is not worth much. */
#include "config.h"

#include "model/estimate.h"

#include "base/rng.h"

#include <glib.h>

enum { ROUNDS = 10 };
/* The work of all probes, in pairs of events, as the explorer counts them: some
 * seconds. */
static const uint64_t MOST_WORK = UINT64_C(1) << 28;
/* The part of the probability that all branches have alike, while probes only learn;
 * and the least part later, where what was learned may be wrong. */
static const double ALIKE_AT_FIRST = 0.5, ALIKE = 0.05;
/* The leaves expected below a node where a probe found no execution: other probes may
 * find one. */
static const double DEAD = 0.2;
/* So that sums are finite. */
static const double MOST_LEAVES = 1e300;
/* The least weight of what a probe has learned last. */
static const double LATEST = 0.5;

/* A kind of nodes. */
struct kind {
    double leaves; /* below such a node, as it is expected */
    double n;      /* of the nodes of which that was learned */
};

/* A node on the way of the probe. */
struct node {
    struct kind *kind;       /* borrowed from the table; NULL: of the root */
    guint first, n_branches; /* of their kinds */
};

struct probing {
    struct weiri_rng rng;
    GHashTable *kinds;   /* of struct kind; owns them */
    GArray *way;         /* of struct node; owned */
    GPtrArray *branches; /* of struct kind *, of all nodes on the way; owned */
    guint first;         /* branch of the node at which the probe is */
    double weight;       /* of a leaf below this node */
    bool alive;          /* the probe has reached an execution */
    uint64_t pairs, work;
    gint64 half; /* when that part of the time is over; 0: no limit */
    uint32_t most, n_learned, n_probes;
    double sums[ROUNDS];
};

static void met(void *user, const struct weiri_graph *graph)
{
    struct probing *probing = user;
    uint32_t n_open = 0;
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        n_open += node->kind == WEIRI_READS_MEMORY && node->revisitable;
    }
    void *key = GSIZE_TO_POINTER(((gsize)graph->n << 16) + n_open + 1);
    struct kind *kind = g_hash_table_lookup(probing->kinds, key);
    if (kind == NULL) {
        kind = g_new0(struct kind, 1);
        kind->leaves = 1;
        g_hash_table_insert(probing->kinds, key, kind);
    }
    g_ptr_array_add(probing->branches, kind);
    probing->pairs = (uint64_t)graph->n * graph->n + 1;
}

/* The number of leaves that is expected below the branches. */
static double expected(const struct probing *probing, guint first, guint n)
{
    double sum = 0;
    for (guint i = first; i < first + n; i++) {
        sum += ((const struct kind *)g_ptr_array_index(probing->branches, i))->leaves;
    }
    return sum;
}

static uint32_t chosen(void *user)
{
    struct probing *probing = user;
    guint first = probing->first, n = probing->branches->len - first, i = 0;
    double all = expected(probing, first, n);
    double chance = 1, known = G_MAXDOUBLE;
    for (guint k = first; k < first + n; k++) {
        known = MIN(known, ((struct kind *)g_ptr_array_index(probing->branches, k))->n);
    }
    double alike = probing->n_learned < probing->most ? ALIKE_AT_FIRST
                                                      : MAX(ALIKE, 1 / (1 + known));
    double at = (double)(weiri_rng_next(&probing->rng) >> 11) * 0x1p-53;
    for (i = 0; i < n; i++, at -= chance) {
        const struct kind *kind = g_ptr_array_index(probing->branches, first + i);
        chance = (1 - alike) * (kind->leaves / all) + alike / n;
        if (at < chance || i + 1 == n) {
            break;
        }
    }
    struct node node = { g_ptr_array_index(probing->branches, first + i),
                         probing->branches->len, 0 };
    g_array_index(probing->way, struct node, probing->way->len - 1).n_branches = n;
    g_array_append_val(probing->way, node);
    probing->first = probing->branches->len;
    probing->weight /= n == 1 ? 1 : chance;
    probing->work += probing->pairs;
    return i + 1;
}

static bool note(void *user, const struct weiri_graph *graph, bool race)
{
    (void)graph;
    (void)race;
    ((struct probing *)user)->alive = true;
    return true;
}

static void learn(struct kind *kind, double leaves)
{
    double part = MAX(LATEST, 1 / ++kind->n);
    kind->leaves = (1 - part) * kind->leaves + part * MIN(leaves, MOST_LEAVES);
}

/* The probe is over. Returns: whether there is another one */
static bool ended(void *user)
{
    struct probing *probing = user;
    for (guint i = probing->way->len; i-- > 1;) {
        const struct node *node = &g_array_index(probing->way, struct node, i);
        double leaves = node->n_branches > 0
            ? expected(probing, node->first, node->n_branches)
            : probing->alive ? 1
                             : DEAD;
        learn(node->kind, leaves);
    }
    if (probing->n_learned < probing->most) {
        bool much = probing->work >= MOST_WORK / 2
            || (probing->half != 0 && g_get_monotonic_time() >= probing->half);
        probing->n_learned = much ? probing->most : probing->n_learned + 1;
    } else {
        probing->sums[probing->n_probes++ % ROUNDS]
            += probing->alive ? probing->weight : 0;
    }
    probing->weight = 1;
    probing->alive = false;
    probing->first = 0;
    g_array_set_size(probing->way, 1);
    g_ptr_array_set_size(probing->branches, 0);
    return probing->n_probes % ROUNDS != 0
        || (probing->n_probes < probing->most && probing->work < MOST_WORK);
}

struct weiri_estimate weiri_estimate(const struct weiri_program *program,
                                     const struct weiri_explore_options *options,
                                     uint32_t most, uint64_t seed)
{
    static const struct weiri_explore_probe probe = { met, chosen, ended };
    struct probing probing = { .rng.state = seed,
                               .weight = 1,
                               .kinds = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                               .way = g_array_new(FALSE, TRUE, sizeof(struct node)),
                               .branches = g_ptr_array_new(),
                               .most = most };
    const struct weiri_explore_options how = { .model = options->model,
                                               .time_limit = options->time_limit,
                                               .stop_at_race = options->stop_at_race,
                                               .execution = note,
                                               .probe = &probe,
                                               .user = &probing };
    if (options->time_limit > 0) {
        probing.half = g_get_monotonic_time()
            + (gint64)(options->time_limit / 2 * G_USEC_PER_SEC);
    }
    g_array_set_size(probing.way, 1);
    (void)weiri_explore(program, &how);
    /* Where a limit has ended the probes, some rounds may have one more. */
    struct weiri_estimate estimate = { .probes = probing.n_probes };
    for (uint32_t i = 0; i < MIN(ROUNDS, probing.n_probes); i++) {
        uint32_t n = (probing.n_probes + ROUNDS - 1 - i) / ROUNDS;
        double mean = probing.sums[i] / n;
        estimate.mean += probing.sums[i];
        estimate.low = i == 0 ? mean : MIN(estimate.low, mean);
        estimate.high = i == 0 ? mean : MAX(estimate.high, mean);
    }
    estimate.mean /= MAX(probing.n_probes, 1);
    g_hash_table_unref(probing.kinds);
    g_array_unref(probing.way);
    g_ptr_array_unref(probing.branches);
    return estimate;
}
