/* SPDX-License-Identifier: MIT
 *
 * opencl.c: the model of OpenCL 2.0 and 3.0, with its simple axiom for seq_cst and
 * scopes in that axiom.
 *
 * There is a happens-before for each address space: of the accesses to it, and the
 * fences and barriers that name it. Scopes include each other only if they are equal.
 * Load buffering is allowed, and so are values that justify themselves through control.
 *
 * Only atomic locations have a modification order. The last write to a plain location
 * gives its final value, and must not be overwritten in happens-before. A read of a
 * plain location needs a visible write. That is the coherence of plain locations; it is
 * stronger than RC11's if there are races.
 *
 * Follows: [OverhaulSC]; [CL30] 3.3 */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

static bool is_plain(const struct weiri_facts *f, uint32_t event)
{
    const struct weiri_execution *execution = f->execution;
    return weiri_event_set_has(f->accesses, event)
        && !execution->program->locations[execution->events[event].location].atomic;
}

/* ---- Happens-before -------------------------------------------------------------- */

/* rs = (mo & rs') \ ((mo \ rs') ; mo), rs' = same thread or read-modify-write: the
 * writes that continue a release sequence without a gap. */
static relation release_sequence(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    relation updates = then(k, weiri_relation_inverse(k, f->rmw), f->rmw);
    relation goes_on
        = both(k, f->mo, either(k, f->same_thread, then(k, f->mo, updates)));
    return without(k, goes_on, then(k, without(k, f->mo, goes_on), f->mo));
}

/* [release] ; ([F] ; sb)? ; [W & At] ; rs? ; rf ; [R & At] ; (sb ; [F])? ; [acquire],
 * where both ends and the write that is read are of one space, and both ends are
 * strong. */
static relation synchronisation(const struct weiri_facts *f, set space)
{
    struct weiri_algebra *k = f->algebra;
    relation begin
        = from(k, in_both(k, f->release, space), maybe(k, from(k, f->fences, f->sb)));
    relation middle = from(k, in_both(k, f->writes, f->atomics),
                           to(k, maybe(k, release_sequence(f)), space));
    relation read = to(k, f->rf, in_both(k, f->reads, f->atomics));
    relation end
        = to(k, maybe(k, to(k, f->sb, f->fences)), in_both(k, f->acquire, space));
    relation all = then(k, then(k, begin, then(k, middle, read)), end);
    return without(k, both(k, all, f->strong), f->same_thread);
}

static void derive(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    set atomic = weiri_event_set_new(k);
    for (uint32_t i = 0; i < k->n; i++) {
        if (weiri_event_set_has(f->accesses, i) && !is_plain(f, i)) {
            weiri_event_set_add(atomic, i);
        }
    }
    f->mo = from(k, atomic, f->mo);
    f->rb = from(k, atomic, f->rb);
    f->strong = weiri_facts_strong(f, WEIRI_SCOPES_EQUAL);
    const set spaces[] = { f->global, f->local };
    const relation sw[]
        = { synchronisation(f, f->global), synchronisation(f, f->local) };
    relation across = weiri_axioms_across(f);
    for (size_t i = 0; i < 2; i++) {
        weiri_axioms_add_order(f, f->accesses, weiri_axioms_within(f, f->sb, spaces[i]),
                               either(k, sw[i], both(k, across, sw[1 - i])),
                               weiri_axioms_within(f, f->bar, spaces[i]));
    }
}

/* ---- Axioms ---------------------------------------------------------------------- */

/* Puts the cycle of hb from @a to @b, and back by @back unless they are one event, into
 * @why, if it is shorter. */
static void try_cycle(const struct weiri_facts *f, struct weiri_cycle *why, uint32_t a,
                      uint32_t b, const struct weiri_stage *back, uint32_t n_back)
{
    for (uint32_t i = 0; i < f->n_orders; i++) {
        struct weiri_cycle cycle = { 0 };
        if (weiri_axioms_add_hb(f, &cycle, &f->orders[i], a, b) && n_back > 0) {
            (void)weiri_cycle_add_way(&cycle, f->algebra, back, n_back, b, a);
        }
        weiri_cycle_take_shorter(why, &cycle);
    }
}

/* Whether @back and hb form no cycle. */
static bool agrees(const struct weiri_facts *f, struct weiri_cycle *why, relation back,
                   const struct weiri_stage *stages, uint32_t n_stages)
{
    struct weiri_algebra *k = f->algebra;
    if (weiri_relation_is_irreflexive(k, then(k, back, f->hb))) {
        return true;
    }
    for (uint32_t a = 0; why != NULL && a < k->n; a++) {
        for (uint32_t b = 0; b < k->n; b++) {
            if (weiri_relation_has(k, f->hb, a, b)
                && weiri_relation_has(k, back, b, a)) {
                try_cycle(f, why, a, b, stages, n_stages);
            }
        }
    }
    return false;
}

/* irreflexive ghb; irreflexive lhb */
static bool hb(const struct weiri_facts *f, struct weiri_cycle *why)
{
    bool holds = weiri_relation_is_irreflexive(f->algebra, f->hb);
    for (uint32_t a = 0; !holds && why != NULL && a < f->algebra->n; a++) {
        if (weiri_relation_has(f->algebra, f->hb, a, a)) {
            try_cycle(f, why, a, a, NULL, 0);
        }
    }
    return holds;
}

/* irreflexive (rf^-1)? ; mo ; rf? ; hb */
static bool coh(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation back = then(k, either(k, f->mo, f->rb), maybe(k, f->rf));
    const struct weiri_named over[] = { { "mo", f->mo }, { "rb", f->rb } };
    const struct weiri_named rf = { "rf", f->rf };
    const struct weiri_stage stages[]
        = { { over, 2, WEIRI_ONCE }, { &rf, 1, WEIRI_MAYBE } };
    return agrees(f, why, back, stages, 2);
}

/* irreflexive rf ; hb */
static bool rf(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_named named = { "rf", f->rf };
    const struct weiri_stage stage = { &named, 1, WEIRI_ONCE };
    return agrees(f, why, f->rf, &stage, 1);
}

/* Whether @write happens before @read, in the order of the location's address space. */
static bool is_before(const struct weiri_facts *f, uint32_t write, uint32_t read)
{
    uint32_t order = weiri_event_set_has(f->global, read) ? 0 : 1;
    return weiri_relation_has(f->algebra, f->orders[order].hb, write, read);
}

/* Whether the write that @read reads is visible to it: it happens before the read, and
 * no other write is between the two. */
static bool is_visible(const struct weiri_facts *f, uint32_t read, uint32_t *hidden_by)
{
    uint32_t from = f->execution->events[read].from;
    *hidden_by = WEIRI_INITIAL;
    for (uint32_t other = 0; other < f->algebra->n; other++) {
        if (weiri_event_set_has(f->writes, other)
            && weiri_relation_has(f->algebra, f->loc, other, read)
            && is_before(f, other, read)
            && (from == WEIRI_INITIAL || is_before(f, from, other))) {
            *hidden_by = other;
            return false;
        }
    }
    return from == WEIRI_INITIAL || is_before(f, from, read);
}

static void tell_invisible(const struct weiri_facts *f, struct weiri_cycle *why,
                           uint32_t read, uint32_t hidden_by)
{
    uint32_t from = f->execution->events[read].from;
    if (hidden_by == WEIRI_INITIAL) {
        weiri_cycle_add(why, from, read, "rf");
        weiri_cycle_add(why, read, from, "not hb^-1");
    } else if (from == WEIRI_INITIAL) {
        const struct weiri_model_order *order
            = &f->orders[weiri_event_set_has(f->global, read) ? 0 : 1];
        (void)weiri_axioms_add_hb(f, why, order, hidden_by, read);
        weiri_cycle_add(why, read, hidden_by, "rb");
    } else {
        const struct weiri_model_order *order
            = &f->orders[weiri_event_set_has(f->global, read) ? 0 : 1];
        (void)weiri_axioms_add_hb(f, why, order, from, hidden_by);
        (void)weiri_axioms_add_hb(f, why, order, hidden_by, read);
        weiri_cycle_add(why, read, from, "rf^-1");
    }
}

/* Reads of plain locations: rf within W * R & hb & loc \ ((hb & loc) ; [W] ; hb) */
static bool narf(const struct weiri_facts *f, struct weiri_cycle *why)
{
    uint32_t hidden_by;
    for (uint32_t read = 0; read < f->algebra->n; read++) {
        if (weiri_event_set_has(f->reads, read) && is_plain(f, read)
            && !is_visible(f, read, &hidden_by)) {
            if (why != NULL) {
                tell_invisible(f, why, read, hidden_by);
            }
            return false;
        }
    }
    return true;
}

/* acyclic (SC * SC) & ([F] ; sb)? ; (rb | mo | ghb | lhb) ; (sb ; [F])? & incl */
static bool sc(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    if (weiri_event_set_is_empty(k, f->sc)) {
        return true;
    }
    relation before = from(k, f->fences, f->sb), after = to(k, f->sb, f->fences);
    relation base = either(k, f->hb, either(k, f->mo, f->rb));
    relation all = then(k, then(k, maybe(k, before), base), maybe(k, after));
    relation order = both(k, weiri_axioms_within(f, all, f->sc), f->strong);
    if (weiri_relation_is_acyclic(k, order)) {
        return true;
    }
    const struct weiri_named named = { "S", order },
                             sb[] = { { "sb", before }, { "sb", after } };
    const struct weiri_named bases[] = { { "sb", both(k, f->sb, f->hb) },
                                         { "mo", f->mo },
                                         { "rb", f->rb },
                                         { "hb", f->hb } };
    const struct weiri_stage stages[] = { { &sb[0], 1, WEIRI_MAYBE },
                                          { bases, 4, WEIRI_ONCE },
                                          { &sb[1], 1, WEIRI_MAYBE } };
    struct weiri_cycle cycle = { 0 }, way = { 0 };
    if (why != NULL && weiri_cycle_find(&cycle, k, &named, 1)) {
        for (uint32_t i = 0; i < cycle.n; i++) {
            (void)weiri_cycle_add_way(&way, k, stages, 3, cycle.edges[i].from,
                                      cycle.edges[i].to);
        }
        weiri_axioms_add_apart(f, why, &way);
    }
    weiri_cycle_clear(&cycle);
    weiri_cycle_clear(&way);
    return false;
}

/* Plain locations: the write that gives the final value does not happen before another
 * one. */
static bool final(const struct weiri_facts *f, struct weiri_cycle *why)
{
    const struct weiri_execution_event *events = f->execution->events;
    struct weiri_algebra *k = f->algebra;
    for (uint32_t last = 0; last < k->n; last++) {
        if (!weiri_event_set_has(f->writes, last) || !is_plain(f, last)) {
            continue;
        }
        bool is_last = true;
        uint32_t later = k->n;
        for (uint32_t other = 0; other < k->n; other++) {
            if (other == last || !weiri_event_set_has(f->writes, other)
                || events[other].location != events[last].location) {
                continue;
            }
            is_last = is_last && events[other].position < events[last].position;
            if (later == k->n && weiri_relation_has(k, f->hb, last, other)) {
                later = other;
            }
        }
        if (is_last && later != k->n) {
            if (why != NULL) {
                try_cycle(f, why, last, later, NULL, 0);
                weiri_cycle_add(why, later, last, "mo");
            }
            return false;
        }
    }
    return true;
}

/* ---- The model ------------------------------------------------------------------- */

static const struct weiri_axiom axiom_hb
    = { "HB", "nothing happens before itself", hb };
static const struct weiri_axiom axiom_coh
    = { "COH",
        "happens-before agrees with the order of the writes to an atomic location",
        coh };
static const struct weiri_axiom axiom_rf
    = { "RF", "no read reads from a write that happens after it", rf };
static const struct weiri_axiom axiom_narf
    = { "NARF",
        "a read of a plain location reads from a write that happens before it, with "
        "no other write in between",
        narf };
static const struct weiri_axiom axiom_sc
    = { "SC",
        "seq_cst operations of equal scopes that include each other are in one order, "
        "which agrees with modification order, reads and happens-before",
        sc };
static const struct weiri_axiom axiom_final
    = { "FINAL",
        "the write that gives a plain location its final value does not happen before "
        "another one",
        final };

/* NARF is the one axiom that requires order: the write that a read of a plain location
 * reads must happen before it. More synchronisation can establish that, unless another
 * write hides the one that is read. */
static bool lacks_order(const struct weiri_model *model, const struct weiri_facts *f)
{
    uint32_t hidden_by;
    for (uint32_t read = 0; read < f->algebra->n; read++) {
        if (weiri_event_set_has(f->reads, read) && is_plain(f, read)
            && !is_visible(f, read, &hidden_by) && hidden_by != WEIRI_INITIAL) {
            return false;
        }
    }
    return weiri_model_allows_but(model, f, &axiom_narf);
}

static const struct weiri_axiom *const axioms[]
    = { &axiom_hb,          &axiom_coh, &axiom_rf,   &axiom_narf,
        &weiri_axioms_atom, &axiom_sc,  &axiom_final };

const struct weiri_model weiri_model_opencl
    = { .name = "opencl",
        .summary = "OpenCL 3.0: address spaces apart, equal scopes, load buffering",
        .plain_incoherent = true,
        .buffers = true,
        .scopes = WEIRI_SCOPES_EQUAL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .race = weiri_axioms_race,
        .lacks_order = lacks_order };
