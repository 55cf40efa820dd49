/* SPDX-License-Identifier: MIT
 *
 * vulkan-steps.c: see vulkan-steps.h. Kinds of events and what their operations include
 * follow from the operations alone, and are computed once for all candidates with the
 * same paths. The other relations grow with each read that gets a source, but for
 * release sequences, which go on where an update follows a write without another one
 * between: as long as the order of writes is not settled, only those go on whose update
 * is known to read that write.
 *
 *     sw       [release] ; release sequence ; rf & mutord ; [acquire], also by fences,
 *              or by fences around a barrier; where the scopes of both ends include
 *              each other
 *     hb       po, or steps of one set of storage classes: ssw, sw, and po to a release
 *              or from an acquire; po is not joined to the others
 *     locord   the order of accesses of one location: hb within a thread, or by
 *              operations that make a write available, and visible to a read
 *
 * A barrier is two events here, its entry and its exit, and one in the specification.
 * Both have its order and its semantics, and each happens before the other, so that
 * what reaches the one leaves from the other.
 *
 * Follows: Vulkan 1.4, appendix "Memory Model"; for the names Dat3M, cat/vulkan.cat. */
#include "config.h"

#include "model/vulkan-steps.h"

#include "model/formula.h"

typedef const struct weiri_execution_event happened;

/* ---- Kinds of events ------------------------------------------------------------- */

static bool has(happened *event, uint16_t flag)
{
    return (event->traits.flags & flag) != 0;
}

static bool is_device_operation(happened *event)
{
    return has(event, WEIRI_TRAIT_AV_DEVICE | WEIRI_TRAIT_VIS_DEVICE);
}

static bool is_fence(happened *event)
{
    return !weiri_event_is_access(event) && !is_device_operation(event);
}

/* A write or fence with a release order; a barrier with an order is a fence. */
static bool is_release(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    bool may = is_fence(event) || (event->kind == WEIRI_WRITES_MEMORY && event->atomic);
    return may && weiri_step_releases(event->order);
}

static bool is_acquire(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    bool may = is_fence(event) || (event->kind == WEIRI_READS_MEMORY && event->atomic);
    return may && weiri_step_acquires(event->order);
}

static bool is_any_fence(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return is_fence(event);
}

static bool is_nonprivate(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return weiri_event_is_access(event)
        && (event->atomic
            || has(event,
                   WEIRI_TRAIT_NONPRIVATE | WEIRI_TRAIT_AVAILABLE
                       | WEIRI_TRAIT_VISIBLE));
}

static bool is_update(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return event->kind == WEIRI_WRITES_MEMORY && event->update;
}

static bool is_av_device(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return has(event, WEIRI_TRAIT_AV_DEVICE);
}

static bool is_vis_device(const struct weiri_execution *execution, happened *event)
{
    (void)execution;
    return has(event, WEIRI_TRAIT_VIS_DEVICE);
}

/* An access that makes its own write available, or its own read visible. */
static bool is_own_operation(happened *event)
{
    return (event->kind == WEIRI_WRITES_MEMORY
            && (event->atomic || has(event, WEIRI_TRAIT_AVAILABLE)))
        || (event->kind == WEIRI_READS_MEMORY
            && (event->atomic || has(event, WEIRI_TRAIT_VISIBLE)));
}

/* An operation that makes other writes available: a release with semav. */
static bool makes_available(happened *event)
{
    return has(event, WEIRI_TRAIT_SEM_AVAILABLE) && is_release(NULL, event);
}

static bool makes_visible(happened *event)
{
    return has(event, WEIRI_TRAIT_SEM_VISIBLE) && is_acquire(NULL, event);
}

/* How many domains are up to the scope. */
static unsigned domains_of(unsigned scope)
{
    switch ((int)scope) {
    case memory_scope_work_item:
        return 0;
    case memory_scope_sub_group:
        return 1;
    case memory_scope_work_group:
        return 2;
    case WEIRI_SCOPE_CLUSTER:
        return 3;
    default:
        return 4;
    }
}

/* Adds the operations of that direction, each to all domains up to its scope. */
static void add_domains(struct weiri_facts *f, bool available)
{
    const struct weiri_execution *execution = f->execution;
    set *domains = &f->kinds[available ? WEIRI_VULKAN_AV : WEIRI_VULKAN_VIS];
    for (unsigned d = 0; d < WEIRI_VULKAN_DOMAINS; d++) {
        domains[d] = weiri_event_set_new(f->algebra);
    }
    for (uint32_t e = 0; e < execution->n_events; e++) {
        happened *event = &execution->events[e];
        bool own = is_own_operation(event)
            && (event->kind == WEIRI_WRITES_MEMORY) == available;
        bool is = own || (available ? makes_available(event) : makes_visible(event));
        for (unsigned d = 0; is && d < domains_of(event->scope); d++) {
            weiri_event_set_add(domains[d], e);
        }
    }
}

/* ---- Pairs of events ------------------------------------------------------------- */

static bool have_one_reference(const struct weiri_execution *execution, happened *one,
                               happened *other)
{
    (void)execution;
    return weiri_event_is_access(one) && weiri_event_is_access(other)
        && one->location == other->location
        && one->traits.reference == other->traits.reference;
}

/* The storage classes that an event orders: its semantics, if it has an order. */
static unsigned semantics_of(happened *event)
{
    return is_release(NULL, event) || is_acquire(NULL, event) ? event->traits.semantics
                                                              : 0;
}

/* A fence and an access of a class that it orders, or the other way round. */
static bool have_one_class(const struct weiri_execution *execution, happened *one,
                           happened *other)
{
    (void)execution;
    happened *fence = is_fence(one) ? one : other,
             *access = is_fence(one) ? other : one;
    return is_fence(fence) && weiri_event_is_access(access)
        && (semantics_of(fence) & access->traits.storage) != 0;
}

/* Whether the one operation, if it is one of availability or visibility, includes the
 * other event, or the other way round:
 *
 *     an access with such an operation, and an access by the same reference
 *     an access, and a release that makes its class available
 *     an acquire that makes a class visible, and an access of that class
 *     an access, and avdevice; visdevice, and an access */
static bool includes(const struct weiri_execution *execution, happened *one,
                     happened *other)
{
    bool accesses[] = { weiri_event_is_access(one), weiri_event_is_access(other) };
    bool own = accesses[0] && accesses[1] && have_one_reference(execution, one, other)
        && (is_own_operation(one) || is_own_operation(other));
    bool before = accesses[0]
        && (has(other, WEIRI_TRAIT_AV_DEVICE)
            || (makes_available(other)
                && (semantics_of(other) & one->traits.storage) != 0));
    bool after = accesses[1]
        && (has(one, WEIRI_TRAIT_VIS_DEVICE)
            || (makes_visible(one)
                && (semantics_of(one) & other->traits.storage) != 0));
    return own || before || after;
}

/* The exit and the entry of one barrier. */
static bool are_one_barrier(const struct weiri_execution *execution, happened *exit,
                            happened *entry)
{
    (void)execution;
    return exit->kind == WEIRI_EXITS && entry->kind == WEIRI_ENTERS
        && exit->thread == entry->thread && exit->index == entry->index + 1;
}

/* Whether ssw orders all events of the one thread before those of the other. */
static bool comes_then(const struct weiri_execution *execution, happened *one,
                       happened *other)
{
    const struct weiri_program *program = execution->program;
    for (uint32_t i = 0; i < program->n_thens; i++) {
        if (program->first_threads[i] == one->thread
            && program->then_threads[i] == other->thread) {
            return true;
        }
    }
    return false;
}

static bool in_sub_group(const struct weiri_execution *execution, happened *one,
                         happened *other)
{
    return execution->program->threads[one->thread].sub_group
        == execution->program->threads[other->thread].sub_group;
}

static bool in_work_group(const struct weiri_execution *execution, happened *one,
                          happened *other)
{
    return execution->program->threads[one->thread].group
        == execution->program->threads[other->thread].group;
}

static bool in_queue_family(const struct weiri_execution *execution, happened *one,
                            happened *other)
{
    return execution->program->threads[one->thread].cluster
        == execution->program->threads[other->thread].cluster;
}

void weiri_vulkan_begin(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    f->kinds[WEIRI_VULKAN_NONPRIVATE] = weiri_facts_where(f, is_nonprivate);
    f->kinds[WEIRI_VULKAN_RELEASES] = weiri_facts_where(f, is_release);
    f->kinds[WEIRI_VULKAN_ACQUIRES] = weiri_facts_where(f, is_acquire);
    f->kinds[WEIRI_VULKAN_FENCES] = weiri_facts_where(f, is_any_fence);
    f->kinds[WEIRI_VULKAN_UPDATES] = weiri_facts_where(f, is_update);
    f->kinds[WEIRI_VULKAN_AV_DEVICE] = weiri_facts_where(f, is_av_device);
    f->kinds[WEIRI_VULKAN_VIS_DEVICE] = weiri_facts_where(f, is_vis_device);
    add_domains(f, true);
    add_domains(f, false);
    relation scope = weiri_facts_strong(f, WEIRI_SCOPES_MUTUAL);
    relation reference = weiri_facts_pairs(f, have_one_reference);
    relation atomics = both(k, reference, scope);
    set atomic = in_both(k, f->atomics, f->accesses);
    atomics = from(k, atomic, to(k, atomics, atomic));
    f->own[WEIRI_VULKAN_SCOPE] = scope;
    f->own[WEIRI_VULKAN_REFERENCE] = reference;
    f->own[WEIRI_VULKAN_MUTORD] = without(k, atomics, maybe(k, weiri_relation_new(k)));
    f->own[WEIRI_VULKAN_CLASS] = weiri_facts_pairs(f, have_one_class);
    f->own[WEIRI_VULKAN_INC] = weiri_facts_pairs(f, includes);
    f->own[WEIRI_VULKAN_THEN] = weiri_facts_pairs(f, comes_then);
    relation back = weiri_facts_pairs(f, are_one_barrier);
    f->own[WEIRI_VULKAN_BARRIER] = either(k, back, weiri_relation_inverse(k, back));
    f->own[WEIRI_VULKAN_NEAR] = weiri_facts_pairs(f, in_sub_group);
    f->own[WEIRI_VULKAN_NEAR + 1] = weiri_facts_pairs(f, in_work_group);
    f->own[WEIRI_VULKAN_NEAR + 2] = weiri_facts_pairs(f, in_queue_family);
}

relation weiri_vulkan_pairs(const struct weiri_facts *f, uint32_t choice)
{
    struct weiri_algebra *k = f->algebra;
    (void)choice;
    return from(k, f->writes, to(k, f->own[WEIRI_VULKAN_MUTORD], f->writes));
}

/* If all accesses of a location are mutually ordered, asmo orders its writes totally,
 * fr leads from a read to all writes after the one which is read, and location order
 * includes program order, since there is one reference. So Consistency implies that the
 * location is coherent. Atomicity is about writes of other threads; one of the same
 * thread cannot be between the two halves of a read-modify-write. */
relation weiri_vulkan_coherent(const struct weiri_facts *f)
{
    return f->own[WEIRI_VULKAN_MUTORD];
}

/* ---- Synchronises-with and happens-before ---------------------------------------- */

/* From a write to each update that continues its release sequence: (imm(asmo) ;
 * [update])*. As long as the order is not settled, those that read the write before. */
static relation continued(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation asmo = f->own[WEIRI_VULKAN_ASMO];
    relation next = f->settled
        ? without(k, asmo, then(k, asmo, asmo))
        : then(k, both(k, f->rf, f->own[WEIRI_VULKAN_MUTORD]), f->rmw);
    return maybe(k, steps(k, to(k, next, f->kinds[WEIRI_VULKAN_UPDATES])));
}

static relation synchronises(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    set fences = f->kinds[WEIRI_VULKAN_FENCES];
    set releases = f->kinds[WEIRI_VULKAN_RELEASES];
    set acquires = f->kinds[WEIRI_VULKAN_ACQUIRES];
    set release_fences = in_both(k, releases, fences);
    set acquire_fences = in_both(k, acquires, fences);
    set writes = in_both(k, f->writes, f->atomics);
    set reads = in_both(k, f->reads, f->atomics);
    relation near = both(k, f->sb, f->own[WEIRI_VULKAN_CLASS]);
    relation none = maybe(k, weiri_relation_new(k));
    relation begin = then(k,
                          either(k, from(k, in_both(k, releases, writes), none),
                                 from(k, release_fences, to(k, near, writes))),
                          continued(f));
    relation end = either(k, to(k, none, in_both(k, acquires, reads)),
                          from(k, reads, to(k, near, acquire_fences)));
    relation read = both(k, f->rf, f->own[WEIRI_VULKAN_MUTORD]);
    relation po = maybe(k, f->sb);
    relation bar = both(k, f->bar, f->own[WEIRI_VULKAN_SCOPE]);
    relation met
        = from(k, release_fences, to(k, then(k, po, then(k, bar, po)), acquire_fences));
    return both(k, either(k, then(k, begin, then(k, read, end)), met),
                f->own[WEIRI_VULKAN_SCOPE]);
}

/* Inter-thread happens-before of the storage classes @classes: each step is by events
 * that order all of them, or, next to a release or acquire, by an access of one. */
static relation between_threads(const struct weiri_facts *f, unsigned classes)
{
    struct weiri_algebra *k = f->algebra;
    const struct weiri_execution *execution = f->execution;
    set orders = weiri_event_set_new(k), takes_part = weiri_event_set_new(k);
    for (uint32_t e = 0; e < execution->n_events; e++) {
        happened *event = &execution->events[e];
        bool all = (semantics_of(event) & classes) == classes;
        if (all) {
            weiri_event_set_add(orders, e);
        }
        if (all
            || (weiri_event_is_access(event)
                && (event->traits.storage & classes) != 0)) {
            weiri_event_set_add(takes_part, e);
        }
    }
    set releases = in_both(k, orders, f->kinds[WEIRI_VULKAN_RELEASES]);
    set acquires = in_both(k, orders, f->kinds[WEIRI_VULKAN_ACQUIRES]);
    relation sw = from(k, orders, to(k, f->own[WEIRI_VULKAN_SW], orders));
    relation around = either(k, from(k, takes_part, to(k, f->sb, releases)),
                             from(k, acquires, to(k, f->sb, takes_part)));
    relation across
        = either(k, f->own[WEIRI_VULKAN_THEN], f->own[WEIRI_VULKAN_BARRIER]);
    return steps(k, either(k, across, either(k, sw, around)));
}

static relation happens_before(const struct weiri_facts *f)
{
    unsigned all = 0;
    for (uint32_t e = 0; e < f->execution->n_events; e++) {
        all |= f->execution->events[e].traits.semantics;
    }
    /* Without classes, ssw is left. */
    relation hb
        = either(f->algebra, f->sb, steps(f->algebra, f->own[WEIRI_VULKAN_THEN]));
    for (unsigned classes = all; classes != 0; classes = (classes - 1) & all) {
        hb = either(f->algebra, hb, between_threads(f, classes));
    }
    return hb;
}

/* ---- Availability and visibility ------------------------------------------------- */

/* Chains of availability, from the first operation to one of the domain @d:
 * ((av of a narrower domain ; hb & near & inc)? ; ...)? ; [AV of d]. */
static relation available(const struct weiri_facts *f, unsigned d, bool chains)
{
    struct weiri_algebra *k = f->algebra;
    relation hb = both(k, f->own[WEIRI_VULKAN_HB], f->own[WEIRI_VULKAN_INC]);
    relation all = maybe(k, weiri_relation_new(k));
    for (unsigned n = 0; n < d && chains; n++) {
        relation near = both(k, hb, f->own[WEIRI_VULKAN_NEAR + n]);
        all = then(k, all, maybe(k, then(k, available(f, n, chains), near)));
    }
    return to(k, all, f->kinds[WEIRI_VULKAN_AV + d]);
}

static relation visible(const struct weiri_facts *f, unsigned d, bool chains)
{
    struct weiri_algebra *k = f->algebra;
    relation hb = both(k, f->own[WEIRI_VULKAN_HB], f->own[WEIRI_VULKAN_INC]);
    relation all = maybe(k, weiri_relation_new(k));
    for (unsigned n = d; n-- > 0 && chains;) {
        relation near = both(k, hb, f->own[WEIRI_VULKAN_NEAR + n]);
        all = then(k, all, maybe(k, then(k, near, visible(f, n, chains))));
    }
    return from(k, f->kinds[WEIRI_VULKAN_VIS + d], all);
}

/* From a write to what happens after an operation that made it available in the domain
 * @d, in one instance of it. */
static relation made_available(const struct weiri_facts *f, unsigned d, bool chains)
{
    struct weiri_algebra *k = f->algebra;
    set writes = in_both(k, f->writes, f->kinds[WEIRI_VULKAN_NONPRIVATE]);
    relation hb = f->own[WEIRI_VULKAN_HB];
    if (d + 1 < WEIRI_VULKAN_DOMAINS) {
        hb = both(k, hb, f->own[WEIRI_VULKAN_NEAR + d]);
    }
    relation own = both(k, maybe(k, f->sb), f->own[WEIRI_VULKAN_INC]);
    return then(k, from(k, writes, own), then(k, available(f, d, chains), hb));
}

/* The ways of location order over the domain @d: a write that is made available comes
 * before later writes, and before reads that it is made visible to. */
static relation ordered_in(const struct weiri_facts *f, unsigned d, bool chains)
{
    struct weiri_algebra *k = f->algebra;
    set nonprivate = f->kinds[WEIRI_VULKAN_NONPRIVATE];
    set writes = in_both(k, f->writes, nonprivate);
    set reads = in_both(k, f->reads, nonprivate);
    relation hb = f->own[WEIRI_VULKAN_HB];
    if (d + 1 < WEIRI_VULKAN_DOMAINS) {
        hb = both(k, hb, f->own[WEIRI_VULKAN_NEAR + d]);
    }
    relation own = both(k, maybe(k, f->sb), f->own[WEIRI_VULKAN_INC]);
    relation begun
        = then(k, from(k, writes, own), then(k, available(f, d, chains), hb));
    relation seen = then(k, begun, then(k, visible(f, d, chains), to(k, own, reads)));
    return both(k, either(k, to(k, begun, writes), seen),
                f->own[WEIRI_VULKAN_REFERENCE]);
}

/* Location order by operations of the host's API: avdevice, and visdevice. */
static relation ordered_by_device(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation hb = f->own[WEIRI_VULKAN_HB];
    relation included = both(k, hb, f->own[WEIRI_VULKAN_INC]);
    relation begun = from(
        k, f->writes, then(k, to(k, included, f->kinds[WEIRI_VULKAN_AV_DEVICE]), hb));
    relation seen = then(k, to(k, begun, f->kinds[WEIRI_VULKAN_VIS_DEVICE]), included);
    return either(k, to(k, begun, f->writes), to(k, seen, f->reads));
}

static relation location_order(const struct weiri_facts *f,
                               const struct weiri_vulkan_rules *rules)
{
    struct weiri_algebra *k = f->algebra;
    set nonprivate = f->kinds[WEIRI_VULKAN_NONPRIVATE];
    relation hb = f->own[WEIRI_VULKAN_HB];
    relation own = both(k, hb, both(k, f->same_thread, f->own[WEIRI_VULKAN_REFERENCE]));
    relation reads_first = from(k, in_both(k, f->reads, nonprivate),
                                to(k, hb, in_both(k, f->accesses, nonprivate)));
    relation then_threads
        = from(k, f->reads, to(k, steps(k, f->own[WEIRI_VULKAN_THEN]), f->accesses));
    relation all = either(k, own, either(k, reads_first, then_threads));
    for (unsigned d = 0; d < WEIRI_VULKAN_DOMAINS; d++) {
        all = either(k, all, ordered_in(f, d, rules->chains));
    }
    return both(k, either(k, all, ordered_by_device(f)), f->loc);
}

void weiri_vulkan_derive(struct weiri_facts *f, const struct weiri_vulkan_rules *rules)
{
    struct weiri_algebra *k = f->algebra;
    f->own[WEIRI_VULKAN_ASMO]
        = both(k, steps(k, f->chosen[0]), f->own[WEIRI_VULKAN_MUTORD]);
    f->own[WEIRI_VULKAN_SW] = synchronises(f);
    f->own[WEIRI_VULKAN_HB] = happens_before(f);
    for (unsigned d = 0; d < WEIRI_VULKAN_DOMAINS; d++) {
        f->own[WEIRI_VULKAN_AVAILABLE + d] = made_available(f, d, rules->chains);
    }
    relation locord = location_order(f, rules);
    f->own[WEIRI_VULKAN_LOCORD] = locord;
    relation asmo = f->own[WEIRI_VULKAN_ASMO];
    relation read = rules->from_ordered ? both(k, f->rf, locord) : f->rf;
    relation replaced = then(k, weiri_relation_inverse(k, read),
                             from(k, f->writes, to(k, locord, f->writes)));
    f->rb = either(
        k, f->rb, either(k, replaced, then(k, weiri_relation_inverse(k, f->rf), asmo)));
    f->mo = asmo;
    relation writes_in_order = from(k, f->writes, to(k, locord, f->writes));
    f->last = f->racy ? asmo : steps(k, either(k, asmo, writes_in_order));
    f->strong = f->own[WEIRI_VULKAN_SCOPE];
    f->hb = f->hbm = f->own[WEIRI_VULKAN_HB];
    f->orders[f->n_orders++]
        = (struct weiri_model_order){ f->accesses, f->sb, f->own[WEIRI_VULKAN_SW],
                                      f->bar, f->hb };
}

/* ---- Axioms ---------------------------------------------------------------------- */

static bool consistency(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    const struct weiri_named named[] = { { "locord", f->own[WEIRI_VULKAN_LOCORD] },
                                         { "rf", f->rf },
                                         { "fr", f->rb },
                                         { "asmo", f->own[WEIRI_VULKAN_ASMO] } };
    relation all = either(k, either(k, named[0].relation, named[1].relation),
                          either(k, named[2].relation, named[3].relation));
    if (weiri_relation_is_acyclic(k, all)) {
        return true;
    }
    if (why != NULL) {
        (void)weiri_cycle_find(why, k, named, sizeof(named) / sizeof(named[0]));
    }
    return false;
}

/* No plain read of a write that location order replaced by others before the read:
 * rf ; [R & plain] is not in ([W] ; locord) ; ([W] ; locord)+. Location order is not
 * transitive. */
static bool visibility(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation step = from(k, f->writes, f->own[WEIRI_VULKAN_LOCORD]);
    set plain = weiri_event_set_difference(k, f->reads, f->atomics);
    relation hidden = both(k, to(k, f->rf, plain), then(k, step, steps(k, step)));
    const struct weiri_named named[] = { { "locord", step } };
    const struct weiri_stage stages[]
        = { { named, 1, WEIRI_ONCE }, { named, 1, WEIRI_REPEATED } };
    for (uint32_t a = 0; why != NULL && a < k->n; a++) {
        for (uint32_t b = 0; b < k->n && why->n == 0; b++) {
            if (weiri_relation_has(k, hidden, a, b)) {
                (void)weiri_cycle_add_way(why, k, stages, 2, a, b);
                weiri_cycle_add(why, b, a, "rf^-1");
            }
        }
    }
    return weiri_relation_is_empty(k, hidden);
}

static bool atomicity(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation fr = without(k, f->rb, f->same_thread);
    relation asmo = without(k, f->own[WEIRI_VULKAN_ASMO], f->same_thread);
    for (uint32_t a = 0; a + 1 < k->n; a++) {
        for (uint32_t b = 0; b < k->n && weiri_relation_has(k, f->rmw, a, a + 1); b++) {
            if (weiri_relation_has(k, fr, a, b)
                && weiri_relation_has(k, asmo, b, a + 1)) {
                if (why != NULL) {
                    weiri_cycle_add(why, a, b, "fr");
                    weiri_cycle_add(why, b, a + 1, "asmo");
                    weiri_cycle_add(why, a + 1, a, "rmw^-1");
                }
                return false;
            }
        }
    }
    return true;
}

static const struct weiri_axiom axiom_consistency
    = { "Consistency",
        "location order, reads, what they come before, and the order of atomic writes "
        "agree",
        consistency };
static const struct weiri_axiom axiom_visibility
    = { "VisibleTo",
        "a read does not read a write that location order replaced before the read",
        visibility };
static const struct weiri_axiom axiom_atomicity
    = { "Atomicity",
        "no mutually ordered write comes between the read and the write of an atomic "
        "operation",
        atomicity };

const struct weiri_axiom *const weiri_vulkan_axioms[WEIRI_VULKAN_AXIOMS]
    = { &axiom_consistency, &axiom_visibility, &axiom_atomicity };

/* ---- Races ----------------------------------------------------------------------- */

/* Accesses of one location, one a write, that are neither mutually ordered nor ordered
 * by location order; also of one thread, through two references. */
relation weiri_vulkan_racing(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation locord = f->own[WEIRI_VULKAN_LOCORD];
    relation ordered = either(k, f->own[WEIRI_VULKAN_MUTORD],
                              either(k, locord, weiri_relation_inverse(k, locord)));
    relation one_operation = either(k, f->rmw, weiri_relation_inverse(k, f->rmw));
    relation conflict = either(k, from(k, f->writes, f->loc), to(k, f->loc, f->writes));
    return without(k, conflict, maybe(k, either(k, ordered, one_operation)));
}

bool weiri_vulkan_race(const struct weiri_facts *f, uint32_t *one, uint32_t *other)
{
    struct weiri_algebra_mark mark = weiri_algebra_mark(f->algebra);
    bool found = weiri_relation_first(f->algebra, weiri_vulkan_racing(f), one, other);
    weiri_algebra_return(f->algebra, mark);
    return found;
}
