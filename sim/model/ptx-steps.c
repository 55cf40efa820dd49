/* SPDX-License-Identifier: MIT
 *
 * ptx-steps.c: see ptx-steps.h. Sets and moral strength follow from the operations
 * alone, and are computed once for all candidates with the same paths. The other
 * relations grow with each read that gets a source.
 *
 *     relpat   [W & release] ; (po & address)? ; [strong W] | [F] ; po ; [strong W]
 *     acqpat   [strong R] ; (po & address)? ; [R & acquire] | [strong R] ; po ; [F]
 *     sync     ms & (relpat ; obs ; acqpat)
 *     base     po? ; ((sync | fsc | bar) ; po?)+
 *
 * Only the ends of sync and each read of its obs are morally strong; the accesses
 * between need not be. A barrier is a step of base of its own, but for a relaxed
 * arrival at a barrier of a cluster.
 *
 * Follows: PTX ISA 9.4, sections 8.4 to 8.10. */
#include "config.h"

#include "model/ptx-steps.h"

#include "model/formula.h"

typedef const struct weiri_execution_event happened;

/* ---- Kinds of events ------------------------------------------------------------- */

static bool is_memory_fence(happened *event)
{
    return event->kind == WEIRI_FENCES
        && (event->traits.flags & WEIRI_TRAIT_PROXY_FENCE) == 0;
}

static bool is_strong(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return is_memory_fence(event) || (weiri_event_is_access(event) && event->atomic);
}

static bool is_sc_fence(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return is_memory_fence(event) && event->order == memory_order_seq_cst;
}

static bool is_release_fence(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return is_memory_fence(event)
        && (event->order == memory_order_release
            || event->order == memory_order_acq_rel);
}

static bool is_acquire_fence(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return is_memory_fence(event)
        && (event->order == memory_order_acquire
            || event->order == memory_order_acq_rel);
}

static bool is_unused(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return (event->traits.flags & WEIRI_TRAIT_RESULT_UNUSED) != 0;
}

static bool is_alias_fence(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return event->kind == WEIRI_FENCES
        && (event->traits.flags & WEIRI_TRAIT_PROXY_FENCE) != 0
        && event->traits.proxy == WEIRI_PROXY_ALIAS;
}

/* A barrier of a CTA has no order, and always orders; that of a cluster has one. */
static bool is_loose(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return event->kind == WEIRI_ENTERS && event->traits.meets == WEIRI_SCOPE_CLUSTER
        && (event->traits.flags & WEIRI_TRAIT_STATED) != 0
        && !weiri_step_releases((memory_order)event->order);
}

static bool is_generic(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return weiri_event_is_access(event) && event->traits.proxy == WEIRI_PROXY_GENERIC;
}

/* ---- Pairs of events ------------------------------------------------------------- */

static bool in_one_cta(const struct weiri_execution *execution, happened *one,
                       happened *other)
{
    return execution->program->threads[one->thread].group
        == execution->program->threads[other->thread].group;
}

static bool have_one_address(const struct weiri_execution *execution, happened *one,
                             happened *other)
{
    (void)execution;
    return weiri_event_is_access(one) && weiri_event_is_access(other)
        && one->location == other->location
        && one->traits.reference == other->traits.reference;
}

static bool have_one_proxy(const struct weiri_execution *execution, happened *one,
                           happened *other)
{
    (void)execution;
    return one->traits.proxy == other->traits.proxy
        || (!weiri_event_is_access(one) && !weiri_event_is_access(other));
}

static bool are_near(const struct weiri_execution *execution, happened *one,
                     happened *other)
{
    return weiri_event_is_access(one) && weiri_event_is_access(other)
        && one->traits.proxy == other->traits.proxy
        && in_one_cta(execution, one, other);
}

static bool flushes(const struct weiri_execution *execution, happened *fence,
                    happened *access)
{
    return fence->kind == WEIRI_FENCES && weiri_event_is_access(access)
        && fence->traits.proxy == access->traits.proxy
        && in_one_cta(execution, fence, access);
}

/* Accesses of one location; or one of them does not access memory. */
static bool overlap(const struct weiri_execution *execution, happened *one,
                    happened *other)
{
    (void)execution;
    return !weiri_event_is_access(one) || !weiri_event_is_access(other)
        || one->location == other->location;
}

/* Accesses by one virtual address; or one of them does not access memory. */
static bool overlap_virtually(const struct weiri_execution *execution, happened *one,
                              happened *other)
{
    return !weiri_event_is_access(one) || !weiri_event_is_access(other)
        || have_one_address(execution, one, other);
}

/* Moral strength: of one thread, or both strong with scopes that include each other. */
static relation moral_strength(const struct weiri_facts *f,
                               const struct weiri_ptx_rules *rules)
{
    struct weiri_algebra *k = f->algebra;
    relation strong = from(
        k, f->kinds[WEIRI_PTX_STRONG],
        to(k, weiri_facts_strong(f, WEIRI_SCOPES_MUTUAL), f->kinds[WEIRI_PTX_STRONG]));
    relation po = either(k, f->sb, weiri_relation_inverse(k, f->sb));
    relation ms = without(k, either(k, po, strong), maybe(k, weiri_relation_new(k)));
    if (!rules->virtual_addresses) {
        return both(k, ms, weiri_facts_pairs(f, overlap));
    }
    ms = both(k, ms, weiri_facts_pairs(f, have_one_proxy));
    return both(k, ms, weiri_facts_pairs(f, overlap_virtually));
}

void weiri_ptx_begin(struct weiri_facts *f, const struct weiri_ptx_rules *rules)
{
    struct weiri_algebra *k = f->algebra;
    set sc = weiri_facts_where(f, is_sc_fence);
    set releases = weiri_facts_where(f, is_release_fence);
    set acquires = weiri_facts_where(f, is_acquire_fence);
    f->kinds[WEIRI_PTX_STRONG] = weiri_facts_where(f, is_strong);
    f->kinds[WEIRI_PTX_SC_FENCES] = sc;
    f->kinds[WEIRI_PTX_RELEASE_FENCES]
        = rules->sc_fences_order ? in_either(k, releases, sc) : releases;
    f->kinds[WEIRI_PTX_ACQUIRE_FENCES]
        = rules->sc_fences_order ? in_either(k, acquires, sc) : acquires;
    f->kinds[WEIRI_PTX_RECEIVES] = in_both(k, f->reads, f->kinds[WEIRI_PTX_STRONG]);
    if (!rules->red_acquires) {
        f->kinds[WEIRI_PTX_RECEIVES] = weiri_event_set_difference(
            k, f->kinds[WEIRI_PTX_RECEIVES], weiri_facts_where(f, is_unused));
    }
    f->kinds[WEIRI_PTX_ACQUIRES] = in_both(k, f->acquire, f->kinds[WEIRI_PTX_RECEIVES]);
    f->kinds[WEIRI_PTX_ALIAS_FENCES] = weiri_facts_where(f, is_alias_fence);
    f->kinds[WEIRI_PTX_GENERIC] = weiri_facts_where(f, is_generic);
    f->kinds[WEIRI_PTX_LOOSE] = weiri_facts_where(f, is_loose);
    f->own[WEIRI_PTX_MS] = moral_strength(f, rules);
    f->own[WEIRI_PTX_ADDRESS]
        = rules->virtual_addresses ? weiri_facts_pairs(f, have_one_address) : f->loc;
    f->own[WEIRI_PTX_NEAR_PROXY] = weiri_facts_pairs(f, are_near);
    f->own[WEIRI_PTX_FLUSH] = weiri_facts_pairs(f, flushes);
}

/* ---- Synchronisation and base causality ------------------------------------------ */

static relation release_pattern(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation later = maybe(k, both(k, f->sb, f->own[WEIRI_PTX_ADDRESS]));
    set strong_writes = in_both(k, f->writes, f->kinds[WEIRI_PTX_STRONG]);
    return to(k,
              either(k, from(k, in_both(k, f->release, f->writes), later),
                     from(k, f->kinds[WEIRI_PTX_RELEASE_FENCES], f->sb)),
              strong_writes);
}

static relation acquire_pattern(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation later = maybe(k, both(k, f->sb, f->own[WEIRI_PTX_ADDRESS]));
    return from(k, f->kinds[WEIRI_PTX_RECEIVES],
                either(k, to(k, later, f->kinds[WEIRI_PTX_ACQUIRES]),
                       to(k, f->sb, f->kinds[WEIRI_PTX_ACQUIRE_FENCES])));
}

void weiri_ptx_derive_steps(struct weiri_facts *f, const struct weiri_ptx_rules *rules)
{
    struct weiri_algebra *k = f->algebra;
    relation ms = f->own[WEIRI_PTX_MS];
    f->strong = ms;
    relation read = both(k, ms, f->rf);
    relation onwards = maybe(k, steps(k, then(k, f->rmw, read)));
    relation obs = then(k, read, onwards); /* obs: ms & rf | obs ; rmw ; obs */
    relation sync
        = both(k, ms, then(k, then(k, release_pattern(f), obs), acquire_pattern(f)));
    relation fsc = f->chosen[0];
    relation bar = without(k, f->bar, from(k, f->kinds[WEIRI_PTX_LOOSE], f->bar));
    relation across = either(k, sync, either(k, fsc, bar));
    relation po = maybe(k, f->sb);
    relation base = then(k, po, steps(k, then(k, across, po)));
    f->own[WEIRI_PTX_OBS] = rules->virtual_addresses ? either(k, read, f->rmw) : obs;
    f->own[WEIRI_PTX_SYNC] = sync;
    f->own[WEIRI_PTX_BAR] = bar;
    f->own[WEIRI_PTX_FSC] = fsc;
    f->own[WEIRI_PTX_BASE] = rules->virtual_addresses ? either(k, base, f->sb) : base;
}

/* co: what is chosen, and what causality orders. fr: rf^-1 ; co, and from a read of an
 * initial value to all writes of its location. */
void weiri_ptx_derive_order(struct weiri_facts *f, relation cause)
{
    struct weiri_algebra *k = f->algebra;
    relation caused = both(k, from(k, f->writes, to(k, cause, f->writes)), f->loc);
    f->own[WEIRI_PTX_CAUSE] = cause;
    f->hb = f->hbm = f->own[WEIRI_PTX_BASE];
    f->orders[f->n_orders++]
        = (struct weiri_model_order){ f->accesses, f->sb, f->own[WEIRI_PTX_SYNC],
                                      f->own[WEIRI_PTX_BAR], f->hb };
    f->mo = f->last = steps(k, either(k, f->chosen[1], caused));
    f->rb = either(k, f->rb, then(k, weiri_relation_inverse(k, f->rf), f->mo));
}

relation weiri_ptx_pairs(const struct weiri_facts *f, uint32_t choice)
{
    struct weiri_algebra *k = f->algebra;
    set of = choice == 0 ? f->kinds[WEIRI_PTX_SC_FENCES] : f->writes;
    return from(k, of, to(k, f->own[WEIRI_PTX_MS], of));
}

/* If all accesses of a location are morally strong with each other, mo orders its
 * writes totally, by Coherence, and program order between its accesses is part of
 * causality order, or of SCPerLocation. Let u be a write, and r a read of w:
 *
 *     r, then u in program order, and u before w  in 7.5 w causes u, as r observes it:
 *                                                 Coherence
 *     u, then r in program order, and w before u  in 7.5 u causes r, which comes before
 *                                                 u: Causality
 *     a read of u, then r, and w before u         likewise
 *
 * SCPerLocation, which the others have, forbids all three.
 *
 * Atomicity keeps other writes from between the two halves of a read-modify-write. */
relation weiri_ptx_coherent(const struct weiri_facts *f)
{
    return f->own[WEIRI_PTX_MS];
}

/* ---- Axioms ---------------------------------------------------------------------- */

/* Appends a shortest way of causality order: an observation, if there is none without,
 * and steps of base causality. */
static bool add_cause(const struct weiri_facts *f, struct weiri_cycle *why,
                      uint32_t one, uint32_t other)
{
    const struct weiri_named obs[] = { { "rf", f->rf }, { "rmw", f->rmw } };
    const struct weiri_named base[] = { { "po", f->sb },
                                        { "sync", f->own[WEIRI_PTX_SYNC] },
                                        { "bar", f->own[WEIRI_PTX_BAR] },
                                        { "fsc", f->own[WEIRI_PTX_FSC] } };
    const struct weiri_stage stages[]
        = { { obs, 2, WEIRI_REPEATED }, { base, 4, WEIRI_REPEATED } };
    return weiri_cycle_add_way(why, f->algebra, &stages[1], 1, one, other)
        || weiri_cycle_add_way(why, f->algebra, stages, 2, one, other);
}

/* Whether no pair of @back is closed by @order; else the cycle through the first. */
static bool agrees(const struct weiri_facts *f, struct weiri_cycle *why, relation order,
                   const struct weiri_named *back, uint32_t n_back)
{
    struct weiri_algebra *k = f->algebra;
    for (uint32_t n = 0; n < n_back; n++) {
        if (weiri_relation_is_irreflexive(k, then(k, back[n].relation, order))) {
            continue;
        }
        for (uint32_t a = 0; why != NULL && a < k->n; a++) {
            for (uint32_t b = 0; b < k->n; b++) {
                if (weiri_relation_has(k, back[n].relation, b, a)
                    && weiri_relation_has(k, order, a, b)) {
                    struct weiri_cycle cycle = { 0 };
                    (void)add_cause(f, &cycle, a, b);
                    weiri_cycle_add(&cycle, b, a, back[n].name);
                    weiri_cycle_take_shorter(why, &cycle);
                }
            }
        }
        return false;
    }
    return true;
}

static bool coherence(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_named co[] = { { "co", f->chosen[1] } };
    if (weiri_relation_is_irreflexive(f->algebra, f->mo)) {
        return true;
    }
    if (why != NULL) {
        (void)agrees(f, why, f->own[WEIRI_PTX_CAUSE], co, 1);
    }
    return false;
}

static bool fence_sc(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_named fsc = { "fsc", f->own[WEIRI_PTX_FSC] };
    return agrees(f, why, f->own[WEIRI_PTX_CAUSE], &fsc, 1);
}

static bool causality(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_named back[] = { { "rf", f->rf }, { "fr", f->rb } };
    return agrees(f, why, f->own[WEIRI_PTX_CAUSE], back, 2);
}

static bool atomicity(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation ms = f->own[WEIRI_PTX_MS];
    relation fr = both(k, ms, f->rb), co = both(k, ms, f->mo);
    relation between = both(k, f->rmw, then(k, fr, co));
    for (uint32_t a = 0; why != NULL && a < k->n; a++) {
        for (uint32_t b = 0; b < k->n && why->n == 0; b++) {
            if (weiri_relation_has(k, f->rmw, a, a + 1 < k->n ? a + 1 : a)
                && weiri_relation_has(k, between, a, a + 1)
                && weiri_relation_has(k, fr, a, b)
                && weiri_relation_has(k, co, b, a + 1)) {
                weiri_cycle_add(why, a, b, "fr");
                weiri_cycle_add(why, b, a + 1, "co");
                weiri_cycle_add(why, a + 1, a, "rmw^-1");
            }
        }
    }
    return weiri_relation_is_empty(k, between);
}

static bool is_acyclic(const struct weiri_facts *f, struct weiri_cycle *why,
                       const struct weiri_named *named, uint32_t n_named)
{
    struct weiri_algebra *k = f->algebra;
    relation all = named[0].relation;
    for (uint32_t i = 1; i < n_named; i++) {
        all = either(k, all, named[i].relation);
    }
    if (weiri_relation_is_acyclic(k, all)) {
        return true;
    }
    if (why != NULL) {
        (void)weiri_cycle_find(why, k, named, n_named);
    }
    return false;
}

static bool thin_air(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_named named[] = { { "rf", f->rf },
                                         { "data", f->data },
                                         { "addr", f->address },
                                         { "ctrl", f->control } };
    return is_acyclic(f, why, named, sizeof(named) / sizeof(named[0]));
}

static bool location(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation ms = f->own[WEIRI_PTX_MS];
    const struct weiri_named named[]
        = { { "rf", both(k, ms, f->rf) },
            { "co", both(k, ms, f->mo) },
            { "fr", both(k, ms, f->rb) },
            { "po", both(k, f->sb, both(k, ms, f->loc)) } };
    return is_acyclic(f, why, named, sizeof(named) / sizeof(named[0]));
}

const struct weiri_axiom weiri_ptx_coherence = {
    "Coherence",
    "causality order agrees with the coherence order of writes, and writes that are "
    "morally strong are in one order",
    coherence
};
const struct weiri_axiom weiri_ptx_fence_sc
    = { "FenceSC", "the order of fence.sc operations agrees with causality order",
        fence_sc };
const struct weiri_axiom weiri_ptx_atomicity
    = { "Atomicity",
        "no morally strong write comes between the read and the write of an atomic "
        "operation",
        atomicity };
const struct weiri_axiom weiri_ptx_thin_air
    = { "NoThinAir", "no value out of thin air: no read depends on its own value",
        thin_air };
const struct weiri_axiom weiri_ptx_location = {
    "SCPerLocation",
    "morally strong accesses of one location are in an order that agrees with program "
    "order",
    location
};
const struct weiri_axiom weiri_ptx_causality = {
    "Causality",
    "a read does not read a write that it causes, nor one that another write replaced "
    "in causality order",
    causality
};

/* ---- Races ----------------------------------------------------------------------- */

relation weiri_ptx_racing(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation ms = f->own[WEIRI_PTX_MS], read = both(k, ms, f->rf);
    relation observed = then(k, maybe(k, f->rmw),
                             then(k, read, maybe(k, steps(k, then(k, f->rmw, read)))));
    relation later
        = either(k, f->own[WEIRI_PTX_BASE], both(k, f->sb, f->own[WEIRI_PTX_ADDRESS]));
    relation cause = either(k, f->own[WEIRI_PTX_CAUSE], then(k, observed, later));
    relation ordered
        = either(k, ms, either(k, cause, weiri_relation_inverse(k, cause)));
    relation of_writes
        = either(k, from(k, f->writes, f->loc), to(k, f->loc, f->writes));
    return without(k, of_writes, maybe(k, ordered));
}

bool weiri_ptx_race(const struct weiri_facts *f, uint32_t *one, uint32_t *other)
{
    struct weiri_algebra_mark mark = weiri_algebra_mark(f->algebra);
    bool found = weiri_relation_first(f->algebra, weiri_ptx_racing(f), one, other);
    weiri_algebra_return(f->algebra, mark);
    return found;
}
