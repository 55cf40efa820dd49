/* SPDX-License-Identifier: MIT
 *
 * brute_ptx.c: the memory models of PTX as they are written. For each orientation of
 * the pairs of fence.sc, and each family of strict partial orders of the writes of the
 * locations, all definitions are computed and all axioms asked.
 *
 * Follows: the PTX ISA, chapter "Memory Consistency Model"; "A Formal Analysis of the
 * NVIDIA PTX Memory Consistency Model", ASPLOS 2019; "Mixed-Proxy Extensions for the
 * NVIDIA PTX Memory Consistency Model", ISCA 2022. ptx-6.0 and ptx-7.5 are as their
 * formal models have them, ptx as its text has it: there fence.sc forms patterns too,
 * and the read of a `red` forms none. */
#include "brute_table.h"

#include <string.h>

enum { MOST_WRITES = 5, MOST_CHOICES = 16, MOST_ORDERS = 4300 };

/* ---- Strict partial orders ------------------------------------------------------- */

/* By row: those after it. */
struct small_order {
    uint8_t after[MOST_WRITES];
};

struct small_orders {
    unsigned n;
    struct small_order at[MOST_ORDERS];
};

static bool is_strict_order(const struct small_order *order, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            if ((order->after[i] >> j & 1) != 0
                && (i == j || (order->after[j] & ~order->after[i]) != 0)) {
                return false;
            }
        }
    }
    return true;
}

/* All strict partial orders of @n writes: of all relations without loops, those that
 * are transitive. */
static const struct small_orders *orders_of(unsigned n)
{
    static struct small_orders *cached[MOST_WRITES + 1];
    g_assert(n <= MOST_WRITES);
    if (cached[n] != NULL) {
        return cached[n];
    }
    struct small_orders *orders = g_new0(struct small_orders, 1);
    unsigned n_pairs = n * (n - (n > 0));
    for (uint32_t pairs = 0; pairs < UINT32_C(1) << n_pairs; pairs++) {
        struct small_order order = { { 0 } };
        unsigned bit = 0;
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++) {
                if (i != j && (pairs >> bit++ & 1) != 0) {
                    order.after[i] |= (uint8_t)(1U << j);
                }
            }
        }
        if (is_strict_order(&order, n)) {
            g_assert(orders->n < MOST_ORDERS);
            orders->at[orders->n++] = order;
        }
    }
    cached[n] = orders;
    return orders;
}

/* ---- What depends on events and rf ----------------------------------------------- */

struct ptx {
    const struct brute_table_candidate *c;
    enum brute_table_model model;
    unsigned n;
    brute_set rlx, acq, rel; /* accesses */
    brute_set fence_acq, fence_rel, fence_sc, alias;
    brute_set strong_reads, strong_writes, reds;
    struct relation ms, obs, relpat, acqpat, sync, fsc, base, ppbase, cause;
    struct relation co, fr;
    brute_found_fn *found;
    void *user;
};

static const struct brute_op *op_of(const struct ptx *p, unsigned i)
{
    return p->c->events[i].op;
}

static bool is_read(const struct ptx *p, unsigned i)
{
    return (p->c->reads >> i & 1) != 0;
}

/* E2, E3. */
static void find_sets(struct ptx *p)
{
    bool prose = p->model == BRUTE_PTX;
    for (unsigned i = 0; i < p->n; i++) {
        const struct brute_op *op = op_of(p, i);
        brute_set bit = brute_bit(i);
        enum brute_op_order order = op != NULL ? op->order : BRUTE_WEAK;
        bool acquires = order == BRUTE_ACQUIRE || order == BRUTE_ACQ_REL;
        bool releases = order == BRUTE_RELEASE || order == BRUTE_ACQ_REL;
        if ((p->c->fences & bit) != 0) {
            bool sc = order == BRUTE_SC; /* D1 */
            p->fence_sc |= sc ? bit : 0;
            p->fence_acq |= acquires || (sc && prose) ? bit : 0;
            p->fence_rel |= releases || (sc && prose) ? bit : 0;
        } else if ((p->c->proxy_fences & bit) != 0) {
            p->alias |= op->proxy == BRUTE_ALIAS ? bit : 0;
        } else if (op != NULL && op->kind <= BRUTE_OP_UPDATE && order != BRUTE_WEAK) {
            bool acq = is_read(p, i) && acquires, rel = !is_read(p, i) && releases;
            p->acq |= acq ? bit : 0;
            p->rel |= rel ? bit : 0;
            p->rlx |= !acq && !rel ? bit : 0;
            p->reds |= op->no_result ? bit : 0;
        }
    }
    p->strong_reads = p->c->reads & (p->rlx | p->acq); /* E5 */
    p->strong_writes = p->c->writes & (p->rlx | p->rel);
}

/* E4: the thread of @j is in the scope of @i. */
static bool covers(const struct ptx *p, unsigned i, unsigned j)
{
    const unsigned *a = p->c->table->threads[p->c->events[i].thread].place;
    const unsigned *b = p->c->table->threads[p->c->events[j].thread].place;
    bool gpu = a[2] == b[2], cluster = gpu && a[1] == b[1],
         cta = cluster && a[0] == b[0];
    switch (op_of(p, i)->scope) {
    case BRUTE_CTA:
        return cta;
    case BRUTE_CLUSTER:
        return cluster;
    case BRUTE_GPU:
        return gpu;
    case BRUTE_SYS:
        return true;
    default:
        return false;
    }
}

static bool same_cta(const struct ptx *p, unsigned i, unsigned j)
{
    const unsigned *a = p->c->table->threads[p->c->events[i].thread].place;
    const unsigned *b = p->c->table->threads[p->c->events[j].thread].place;
    return a[2] == b[2] && a[1] == b[1] && a[0] == b[0];
}

/* Q1: both have the proxy. An alias fence, a barrier and an initial write have none. */
static bool same_proxy(const struct ptx *p, unsigned i, unsigned j)
{
    brute_set without_ = p->alias | p->c->barriers | p->c->initial;
    return ((without_ >> i | without_ >> j) & 1) == 0
        && p->c->events[i].proxy == p->c->events[j].proxy;
}

static struct relation same_proxies(const struct ptx *p, bool in_one_cta)
{
    struct relation made = empty(p->n);
    for (unsigned i = 0; i < p->n; i++) {
        for (unsigned j = 0; j < p->n; j++) {
            if (same_proxy(p, i, j) && (!in_one_cta || same_cta(p, i, j))) {
                relate(&made, i, j);
            }
        }
    }
    return made;
}

/* ms of 6.0; in 7.5 also in the same proxy, and vloc for loc. */
static struct relation find_ms(const struct ptx *p)
{
    brute_set strong = p->strong_reads | p->strong_writes | p->c->fences;
    brute_set accesses = p->c->reads | p->c->writes;
    struct relation scopes = empty(p->n);
    for (unsigned i = 0; i < p->n; i++) {
        for (unsigned j = 0; j < p->n; j++) {
            if ((strong >> i & strong >> j & 1) != 0 && covers(p, i, j)
                && covers(p, j, i)) {
                relate(&scopes, i, j);
            }
        }
    }
    struct relation one = either(either(p->c->po, inverse(p->c->po)), scopes);
    struct relation both_access = product(p->n, accesses, accesses);
    struct relation overlap = p->model == BRUTE_PTX_6_0 ? p->c->loc : p->c->vloc;
    struct relation all = product(p->n, ~UINT64_C(0), ~UINT64_C(0));
    struct relation two = either(both(both_access, overlap), without(all, both_access));
    struct relation ms = without(both(one, two), identity(p->n, ~UINT64_C(0)));
    return p->model == BRUTE_PTX_6_0 ? ms : both(ms, same_proxies(p, false));
}

static struct relation find_obs(const struct ptx *p)
{
    struct relation step = both(p->ms, p->c->rf);
    if (p->model != BRUTE_PTX_6_0) {
        return either(step, p->c->rmw);
    }
    struct relation obs = step;
    for (;;) {
        struct relation next = either(step, then(then(obs, p->c->rmw), obs));
        if (memcmp(&next, &obs, sizeof(obs)) == 0) {
            return obs;
        }
        obs = next;
    }
}

static struct relation po_overlap(const struct ptx *p)
{
    return both(p->c->po, p->model == BRUTE_PTX_6_0 ? p->c->loc : p->c->vloc);
}

static struct relation find_relpat(const struct ptx *p)
{
    return either(to(from(p->rel, maybe(po_overlap(p))), p->strong_writes),
                  to(from(p->fence_rel, p->c->po), p->strong_writes));
}

static struct relation find_acqpat(const struct ptx *p)
{
    bool prose = p->model == BRUTE_PTX; /* D2 */
    brute_set strong = p->strong_reads & ~(prose ? p->reds : 0);
    brute_set acq = p->acq & ~(prose ? p->reds : 0);
    return either(to(from(strong, maybe(po_overlap(p))), acq),
                  to(from(strong, p->c->po), p->fence_acq));
}

static struct relation find_sync(const struct ptx *p)
{
    struct relation obs = p->model == BRUTE_PTX_6_0 ? p->obs : steps(p->obs);
    return both(p->ms, then(then(p->relpat, obs), p->acqpat));
}

static struct relation find_base(const struct ptx *p)
{
    struct relation edge = either(either(p->sync, p->fsc), p->c->gives);
    struct relation later = maybe(p->c->po);
    struct relation base = then(later, steps(then(edge, later)));
    return p->model == BRUTE_PTX_6_0 ? base : either(base, p->c->po);
}

/* Q2, the nine paths. */
static struct relation find_ppbase(const struct ptx *p)
{
    struct relation base = p->base, vloc = p->c->vloc, loc = p->c->loc;
    brute_set fences = p->c->fences | p->c->proxy_fences;
    brute_set accesses = p->c->reads | p->c->writes, generic = 0;
    for (unsigned i = 0; i < p->n; i++) {
        bool has = ((p->alias | p->c->barriers | p->c->initial) >> i & 1) == 0
            && p->c->events[i].proxy == BRUTE_GENERIC;
        generic |= has ? brute_bit(i) : 0;
    }
    struct relation pf = to(from(fences, same_proxies(p, true)), accesses);
    struct relation leave = both(base, inverse(pf)), enter = both(base, pf);
    struct relation alias = to(base, p->alias);
    struct relation made = to(from(generic, both(vloc, base)), generic); /* 1 */
    made = either(made, from(accesses, both(both(same_proxies(p, true), vloc), base)));
    made = either(made, both(vloc, to(then(leave, base), generic)));   /* 3 */
    made = either(made, both(vloc, from(generic, then(base, enter)))); /* 4 */
    made = either(made, both(vloc, then(then(leave, base), enter)));   /* 5 */
    made = either(made, both(loc, to(from(generic, then(alias, base)), generic)));
    made = either(made, both(loc, to(then(then(leave, alias), base), generic))); /* 7 */
    made = either(made,
                  both(loc, from(generic, then(then(alias, base), enter))));     /* 8 */
    return either(made, both(loc, then(then(then(leave, alias), base), enter))); /* 9 */
}

static struct relation find_cause(const struct ptx *p)
{
    if (p->model == BRUTE_PTX_6_0) {
        struct relation after = either(p->base, both(p->c->po, p->c->loc));
        return either(p->base, then(p->obs, after));
    }
    return then(maybe(p->obs), p->ppbase);
}

/* ---- Axioms ---------------------------------------------------------------------- */

/* X2, of morally strong pairs: no others have an order. */
static bool fence_sc_holds(const struct ptx *p)
{
    struct relation caused = to(from(p->fence_sc, p->cause), p->fence_sc);
    return is_empty(without(both(caused, p->ms), p->fsc));
}

/* X1: cause is in co, and so is each morally strong pair, one way or the other. */
static bool coherence_holds(const struct ptx *p)
{
    struct relation writes = product(p->n, p->c->writes, p->c->writes);
    struct relation caused = both(both(writes, p->cause), p->c->loc);
    struct relation strong = both(both(writes, p->ms), p->c->loc);
    return is_empty(without(caused, p->co))
        && is_empty(without(strong, either(p->co, inverse(p->co))));
}

/* X3 */
static bool atomicity_holds(const struct ptx *p)
{
    struct relation between = then(both(p->ms, p->fr), both(p->ms, p->co));
    return is_empty(both(between, p->c->rmw));
}

/* X4 */
static bool no_thin_air_holds(const struct ptx *p)
{
    return acyclic(either(p->c->rf, p->c->dep));
}

/* X5 */
static bool sc_per_location_holds(const struct ptx *p)
{
    struct relation communication = either(either(p->c->rf, p->co), p->fr);
    struct relation po_loc = both(p->c->po, p->c->loc);
    return acyclic(either(both(p->ms, communication), po_loc));
}

/* X6 */
static bool causality_holds(const struct ptx *p)
{
    return irreflexive(then(either(p->c->rf, p->fr), p->cause));
}

/* ---- Choices --------------------------------------------------------------------- */

static brute_set writes_of(const struct ptx *p, unsigned location)
{
    brute_set made = 0;
    for (unsigned i = 0; i < p->n; i++) {
        bool is = (p->c->writes >> i & 1) != 0 && p->c->events[i].location == location;
        made |= is ? brute_bit(i) : 0;
    }
    return made;
}

static void finish(struct ptx *p)
{
    p->fr = then(inverse(p->c->rf), p->co);
    if (!coherence_holds(p) || !atomicity_holds(p) || !causality_holds(p)
        || (p->model == BRUTE_PTX_6_0 && !sc_per_location_holds(p))) {
        return;
    }
    brute_set last[BRUTE_TABLE_NAMES];
    for (unsigned l = 0; l < p->c->table->n_locations; l++) {
        last[l] = writes_of(p, l);
        for (unsigned i = 0; i < p->n; i++) {
            last[l] &= p->co.row[i] == 0 ? ~UINT64_C(0) : ~brute_bit(i);
        }
    }
    p->found(p->user, last, last, false);
}

/* An order of the writes of each location, the initial one first. */
static void choose_co(struct ptx *p, unsigned location)
{
    if (location == p->c->table->n_locations) {
        finish(p);
        return;
    }
    unsigned writes[BRUTE_EVENTS], n = 0;
    brute_set all = writes_of(p, location), initial = all & p->c->initial;
    for (brute_set left = all & ~initial; left != 0; left &= left - 1) {
        writes[n++] = (unsigned)__builtin_ctzll(left);
    }
    const struct small_orders *orders = orders_of(n);
    struct relation before = p->co;
    for (unsigned k = 0; k < orders->n; k++) {
        p->co = either(before, product(p->n, initial, all & ~initial));
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++) {
                if ((orders->at[k].after[i] >> j & 1) != 0) {
                    relate(&p->co, writes[i], writes[j]);
                }
            }
        }
        choose_co(p, location + 1);
    }
    p->co = before;
}

static void use_fsc(struct ptx *p)
{
    p->base = find_base(p);
    if (p->model != BRUTE_PTX_6_0) {
        p->ppbase = find_ppbase(p);
    }
    p->cause = find_cause(p);
    if (fence_sc_holds(p)) {
        p->co = empty(p->n);
        choose_co(p, 0);
    }
}

void brute_ptx_judge(const struct brute_table_candidate *candidate,
                     enum brute_table_model model, brute_found_fn *found, void *user)
{
    struct ptx p = {
        .c = candidate, .model = model, .n = candidate->n, .found = found, .user = user
    };
    if (!no_thin_air_holds(&p)) {
        return;
    }
    find_sets(&p);
    p.ms = find_ms(&p);
    p.obs = find_obs(&p);
    p.relpat = find_relpat(&p);
    p.acqpat = find_acqpat(&p);
    p.sync = find_sync(&p);
    struct relation pairs = to(from(p.fence_sc, p.ms), p.fence_sc);
    unsigned one[MOST_CHOICES], other[MOST_CHOICES], n = 0;
    for (unsigned i = 0; i < p.n; i++) {
        for (unsigned j = i + 1; j < p.n; j++) {
            if (related(&pairs, i, j) && !related(&candidate->same_thread, i, j)) {
                g_assert(n < MOST_CHOICES);
                one[n] = i;
                other[n++] = j;
            }
        }
    }
    for (unsigned way = 0; way < 1U << n; way++) {
        p.fsc = both(pairs, candidate->po);
        for (unsigned k = 0; k < n; k++) {
            bool back = (way >> k & 1) != 0;
            relate(&p.fsc, back ? other[k] : one[k], back ? one[k] : other[k]);
        }
        if (acyclic(p.fsc)) {
            use_fsc(&p);
        }
    }
}
