/* SPDX-License-Identifier: MIT
 *
 * axioms.c: scoped RC11, see axioms.h and docs/memory-model.md.
 *
 * An axiom is evaluated in two ways. During a search for executions, its formula gives
 * yes or no and allocates nothing. For an explanation, the shortest cycle of steps that
 * have names is searched; composed relations (hb, eco, psc) are taken apart into such
 * steps.
 *
 * Follows: [RC11], and for scopes [PTX19]; see docs/sources.md. */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

#include <string.h>

/* ---- Synchronises-with and happens-before ---------------------------------------- */

relation weiri_axioms_within(const struct weiri_facts *facts, relation a, set of)
{
    return from(facts->algebra, of, to(facts->algebra, a, of));
}

/* rs = [W] ; (sb & loc)? ; [W & At] ; ((rf & strong) ; rmw)* */
static relation release_sequence(const struct weiri_facts *f, relation rf)
{
    struct weiri_algebra *k = f->algebra;
    relation first = from(k, f->writes, maybe(k, both(k, f->sb, f->loc)));
    relation chain = maybe(k, steps(k, then(k, rf, f->rmw)));
    return then(k, to(k, first, in_both(k, f->writes, f->atomics)), chain);
}

/* swra = [release] ; ([F] ; sb)? ; rs
 *        ; (rf & strong) ; [R & At] ; (sb ; [F])? ; [acquire]
 * sw   = swra & strong */
relation weiri_axioms_sw(const struct weiri_facts *f, set of)
{
    struct weiri_algebra *k = f->algebra;
    relation rf = both(k, f->rf, f->strong);
    relation rs = release_sequence(f, rf);
    relation begin
        = from(k, in_both(k, f->release, of), maybe(k, from(k, f->fences, f->sb)));
    relation end = to(k, maybe(k, to(k, f->sb, f->fences)), in_both(k, f->acquire, of));
    /* Everything in between is of one location, and so of one address space. */
    set read = in_both(k, in_both(k, f->reads, f->atomics), of);
    relation swra = then(k, then(k, begin, then(k, rs, to(k, rf, read))), end);
    return both(k, swra, f->strong);
}

relation weiri_axioms_across(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    set wide = in_both(k, f->fences, in_both(k, f->global, f->local));
    return either(k, weiri_relation_product(k, f->sc, f->sc),
                  weiri_relation_product(k, wide, wide));
}

void weiri_axioms_add_order(struct weiri_facts *f, set memory, relation sb, relation sw,
                            relation bar)
{
    struct weiri_algebra *k = f->algebra;
    relation hb = steps(k, either(k, sb, either(k, sw, bar)));
    relation hbm = weiri_axioms_within(f, hb, memory);
    f->hb = f->n_orders == 0 ? hb : either(k, f->hb, hb);
    f->hbm = f->n_orders == 0 ? hbm : either(k, f->hbm, hbm);
    f->orders[f->n_orders++] = (struct weiri_model_order){ memory, sb, sw, bar, hb };
}

bool weiri_axioms_add_hb(const struct weiri_facts *f, struct weiri_cycle *why,
                         const struct weiri_model_order *order, uint32_t from,
                         uint32_t to)
{
    const struct weiri_named named[]
        = { { "sb", order->sb }, { "sw", order->sw }, { "bar", order->bar } };
    const struct weiri_stage stage = { named, 3, WEIRI_REPEATED };
    return weiri_cycle_add_way(why, f->algebra, &stage, 1, from, to);
}

void weiri_axioms_add_apart(const struct weiri_facts *f, struct weiri_cycle *why,
                            const struct weiri_cycle *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        const struct weiri_edge *edge = &from->edges[i];
        struct weiri_cycle best = { 0 };
        for (uint32_t o = 0; strcmp(edge->name, "hb") == 0 && o < f->n_orders; o++) {
            struct weiri_cycle way = { 0 };
            (void)weiri_axioms_add_hb(f, &way, &f->orders[o], edge->from, edge->to);
            weiri_cycle_take_shorter(&best, &way);
        }
        for (uint32_t s = 0; s < best.n; s++) {
            weiri_cycle_add(why, best.edges[s].from, best.edges[s].to,
                            best.edges[s].name);
        }
        if (best.n == 0) {
            weiri_cycle_add(why, edge->from, edge->to, edge->name);
        }
        weiri_cycle_clear(&best);
    }
}

/* ---- COH ------------------------------------------------------------------------- */

/* Puts the cycle of hb from @a to @b and eco back into @why, if it is shorter. If both
 * are one event, it is a cycle of hb alone. */
static void try_incoherent(const struct weiri_facts *f, struct weiri_cycle *why,
                           const struct weiri_model_order *order, uint32_t a,
                           uint32_t b)
{
    const struct weiri_named eco[]
        = { { "rf", f->rf }, { "mo", f->mo }, { "rb", f->rb } };
    const struct weiri_stage back = { eco, 3, WEIRI_REPEATED };
    struct weiri_cycle cycle = { 0 };
    (void)weiri_axioms_add_hb(f, &cycle, order, a, b);
    if (a != b) {
        (void)weiri_cycle_add_way(&cycle, f->algebra, &back, 1, b, a);
    }
    weiri_cycle_take_shorter(why, &cycle);
}

/* Searches for a violation of coherence by that order. */
static void find_incoherent(const struct weiri_facts *f, struct weiri_cycle *why,
                            const struct weiri_model_order *order)
{
    const struct weiri_algebra *k = f->algebra;
    for (uint32_t a = 0; a < k->n; a++) {
        for (uint32_t b = 0; b < k->n; b++) {
            bool memory = weiri_event_set_has(order->memory, a)
                && weiri_event_set_has(order->memory, b);
            if (weiri_relation_has(k, order->hb, a, b)
                && (a == b || (memory && weiri_relation_has(k, f->eco, b, a)))) {
                try_incoherent(f, why, order, a, b);
            }
        }
    }
}

/* irreflexive hb; irreflexive hbm ; eco */
static bool coh(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    bool holds = weiri_relation_is_irreflexive(k, f->hb)
        && weiri_relation_is_irreflexive(k, then(k, f->hbm, f->eco));
    for (uint32_t i = 0; !holds && why != NULL && i < f->n_orders; i++) {
        find_incoherent(f, why, &f->orders[i]);
    }
    return holds;
}

const struct weiri_axiom weiri_axioms_coh
    = { "COH",
        "happens-before agrees with the modification order of each location and with "
        "reads from it",
        coh };

/* ---- ATOM ------------------------------------------------------------------------ */

static void find_between(const struct weiri_facts *f, struct weiri_cycle *why,
                         uint32_t read, uint32_t write)
{
    const struct weiri_algebra *k = f->algebra;
    for (uint32_t other = 0; other < k->n && why->n == 0; other++) {
        if (weiri_relation_has(k, f->rb, read, other)
            && weiri_relation_has(k, f->mo, other, write)) {
            weiri_cycle_add(why, read, other, "rb");
            weiri_cycle_add(why, other, write, "mo");
            weiri_cycle_add(why, write, read, "rmw^-1");
        }
    }
}

/* empty rmw & (rb ; mo) */
static bool atom(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation lost = both(k, f->rmw, then(k, f->rb, f->mo));
    if (weiri_relation_is_empty(k, lost)) {
        return true;
    }
    for (uint32_t read = 0; why != NULL && read + 1 < k->n; read++) {
        if (weiri_relation_has(k, lost, read, read + 1)) {
            find_between(f, why, read, read + 1);
        }
    }
    return false;
}

const struct weiri_axiom weiri_axioms_atom
    = { "ATOM",
        "no write comes between the write that a read-modify-write reads and its own",
        atom };

/* ---- SC -------------------------------------------------------------------------- */

/* The parts of psc. */
struct psc {
    relation elsewhere; /* sb \ loc */
    relation same;      /* hbm & loc */
    set fences;         /* [F & SC] */
    relation strong;    /* psc & strong */
};

/* pscb = ([SC] | [F & SC] ; hb?) ; scb ; ([SC] | hb? ; [F & SC])
 * with scb = sb | (sb \ loc) ; hb ; (sb \ loc) | hbm & loc | mo | rb */
static relation base_of(const struct weiri_facts *f, const struct psc *psc)
{
    struct weiri_algebra *k = f->algebra;
    relation detour = then(k, psc->elsewhere, then(k, f->hb, psc->elsewhere));
    relation scb = either(k, either(k, f->sb, detour),
                          either(k, psc->same, either(k, f->mo, f->rb)));
    relation left
        = either(k, from(k, f->sc, scb), from(k, psc->fences, then(k, f->hb, scb)));
    return either(k, to(k, left, f->sc), to(k, then(k, left, f->hb), psc->fences));
}

/* pscf = [F & SC] ; (hb | hb ; eco ; hb) ; [F & SC] */
static relation fences_of(const struct weiri_facts *f, const struct psc *psc)
{
    struct weiri_algebra *k = f->algebra;
    relation all = either(k, f->hb, then(k, f->hb, then(k, f->eco, f->hb)));
    return weiri_axioms_within(f, all, psc->fences);
}

static struct psc psc_of(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    struct psc psc = { .elsewhere = without(k, f->sb, f->loc),
                       .same = both(k, f->hbm, f->loc),
                       .fences = in_both(k, f->fences, f->sc) };
    psc.strong = both(k, either(k, base_of(f, &psc), fences_of(f, &psc)), f->strong);
    return psc;
}

/* Appends a shortest way that makes up the pair of psc. */
static void add_psc(const struct weiri_facts *f, struct weiri_cycle *why,
                    const struct psc *psc, uint32_t a, uint32_t b)
{
    const struct weiri_named hb = { "hb", f->hb }, elsewhere = { "sb", psc->elsewhere };
    const struct weiri_named one[]
        = { { "sb", f->sb }, { "mo", f->mo }, { "rb", f->rb }, { "hb", psc->same } };
    const struct weiri_named eco[]
        = { { "rf", f->rf }, { "mo", f->mo }, { "rb", f->rb } };
    const struct weiri_stage maybe_hb = { &hb, 1, WEIRI_MAYBE };
    const struct weiri_stage ways[][5] = {
        { maybe_hb, { one, 4, WEIRI_ONCE }, maybe_hb },
        { maybe_hb,
          { &elsewhere, 1, WEIRI_ONCE },
          { &hb, 1, WEIRI_ONCE },
          { &elsewhere, 1, WEIRI_ONCE },
          maybe_hb },
        { { &hb, 1, WEIRI_ONCE } },
        { { &hb, 1, WEIRI_ONCE }, { eco, 3, WEIRI_REPEATED }, { &hb, 1, WEIRI_ONCE } },
    };
    const uint32_t n_stages[] = { 3, 5, 1, 3 };
    /* An end that is not a fence has no hb stage, and if neither end is a fence the
     * last two stages are empty. */
    uint32_t skip_first = weiri_event_set_has(psc->fences, a) ? 0 : 1;
    uint32_t skip_last = weiri_event_set_has(psc->fences, b) ? 0 : 1;
    struct weiri_cycle best = { 0 };
    for (uint32_t w = 0; w < (skip_first + skip_last == 0 ? 4 : 2); w++) {
        struct weiri_cycle way = { 0 }, apart = { 0 };
        if (weiri_cycle_add_way(&way, f->algebra, ways[w] + skip_first,
                                n_stages[w] - skip_first - skip_last, a, b)) {
            weiri_axioms_add_apart(f, &apart, &way);
        }
        weiri_cycle_clear(&way);
        weiri_cycle_take_shorter(&best, &apart);
    }
    weiri_axioms_add_apart(f, why, &best);
    weiri_cycle_clear(&best);
}

/* acyclic psc & strong */
static bool sc(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    if (weiri_event_set_is_empty(k, f->sc)) {
        return true;
    }
    struct psc psc = psc_of(f);
    if (weiri_relation_is_acyclic(k, psc.strong)) {
        return true;
    }
    const struct weiri_named named = { "psc", psc.strong };
    struct weiri_cycle cycle = { 0 };
    if (why != NULL && weiri_cycle_find(&cycle, k, &named, 1)) {
        for (uint32_t i = 0; i < cycle.n; i++) {
            add_psc(f, why, &psc, cycle.edges[i].from, cycle.edges[i].to);
        }
    }
    weiri_cycle_clear(&cycle);
    return false;
}

const struct weiri_axiom weiri_axioms_sc
    = { "SC",
        "seq_cst operations whose scopes include each other are in one order, which "
        "agrees with the values that they read",
        sc };

/* ---- NTA ------------------------------------------------------------------------- */

/* acyclic sb | rf | bar */
static bool nta(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    if (weiri_relation_is_acyclic(k, either(k, f->sb, either(k, f->rf, f->bar)))) {
        return true;
    }
    const struct weiri_named named[]
        = { { "sb", f->sb }, { "rf", f->rf }, { "bar", f->bar } };
    if (why != NULL) {
        (void)weiri_cycle_find(why, k, named, 3);
    }
    return false;
}

const struct weiri_axiom weiri_axioms_nta = {
    "NTA",
    "no value out of thin air: program order, reads-from and barriers form no cycle",
    nta
};

/* ---- Races ----------------------------------------------------------------------- */

bool weiri_axioms_race(const struct weiri_facts *f, uint32_t *one, uint32_t *other)
{
    struct weiri_algebra *k = f->algebra;
    for (uint32_t a = 0; a < k->n; a++) {
        for (uint32_t b = a + 1; b < k->n; b++) {
            bool conflict = weiri_relation_has(k, f->loc, a, b)
                && !weiri_relation_has(k, f->same_thread, a, b)
                && (weiri_event_set_has(f->writes, a)
                    || weiri_event_set_has(f->writes, b));
            bool ordered = weiri_relation_has(k, f->hbm, a, b)
                || weiri_relation_has(k, f->hbm, b, a);
            bool atomic = weiri_event_set_has(f->atomics, a)
                && weiri_event_set_has(f->atomics, b)
                && weiri_relation_has(k, f->strong, a, b);
            if (conflict && !ordered && !atomic) {
                *one = a;
                *other = b;
                return true;
            }
        }
    }
    return false;
}
