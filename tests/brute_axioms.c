/* SPDX-License-Identifier: MIT
 *
 * brute_axioms.c: the six memory models, written out.
 *
 *   sc          acyclic (sb | bar | rf | mo | rb), and atomicity
 *   rc11        "Repairing Sequential Consistency in C/C++11" (PLDI 2017)
 *   sycl        the same with scopes, as in "A Formal Analysis of the NVIDIA PTX Memory
 *               Consistency Model" (ASPLOS 2019), and barriers of address spaces
 *   gpu         the same, where only dependencies stop a load from being late, and a
 *               plain read may have the value of one before an acquiring read
 *   sycl-split  sycl with a happens-before for each address space
 *   opencl      "Overhauling SC atomics in C11 and OpenCL" (POPL 2016)
 *
 * A read-modify-write is two events, its read and its write. Sets of events are words,
 * relations are matrices of bits, and a definition reads as it does on paper. All is
 * done in the order of the text, and what could be shared between two executions that
 * differ in one choice is not: it takes some microseconds, and there is nothing in it
 * that could be stale. */
#include "brute_axioms.h"

const char *brute_model_name(enum brute_model model)
{
    static const char *const each[] = {
#define M(name, text) text,
        BRUTE_MODELS(M)
#undef M
    };
    return each[model];
}

typedef const struct brute_execution execution;

static const brute_set ANY = ~UINT64_C(0);

/* ---- What models share ----------------------------------------------------------- */

static bool is_atomic(execution *x)
{
    return is_empty(both(x->rmw, then(x->rb, x->mo)));
}

/* Whether there are conflicts that neither @hb orders nor @strong excuses. */
static bool races(execution *x, struct relation hb, struct relation strong)
{
    struct relation conflicts = both(x->loc, x->different);
    conflicts = without(conflicts, product(x->n, x->R, x->R));
    conflicts = to(from(~x->IW, conflicts), ~x->IW);
    conflicts = without(conflicts, to(from(x->At, strong), x->At));
    return !is_empty(without(conflicts, either(hb, inverse(hb))));
}

/* Only barriers that have the flag of @space count. */
static struct relation bar_of(execution *x, unsigned space)
{
    brute_set those = x->barriers & x->space[space];
    return to(from(those, x->bar), those);
}

/* ---- Sequential consistency ------------------------------------------------------ */

static struct brute_judgement judge_sc(execution *x)
{
    struct relation order = either(x->sb, x->bar);
    order = either(order, either(x->rf, either(x->mo, x->rb)));
    return (struct brute_judgement){ .consistent = acyclic(order) && is_atomic(x) };
}

/* ---- Scoped RC11 ----------------------------------------------------------------- */

/* rs   = [W] ; (sb & loc)? ; [W & At] ; ((rf & strong) ; rmw)*
 * swra = [Rel] ; ([F];sb)? ; rs ; (rf & strong) ; [R & At] ; (sb;[F])? ; [Acq]
 * sw   = swra & strong
 * where both ends and every access between them are in @in. */
static struct relation synchronises(execution *x, struct relation strong, brute_set in)
{
    struct relation rf = both(x->rf, strong);
    struct relation rs = maybe(both(x->sb, x->loc));
    rs = to(from(x->W & in, rs), x->W & x->At & in);
    rs = then(rs, maybe(steps(then(rf, x->rmw))));
    struct relation swra = then(from(x->Rel & in, maybe(from(x->F, x->sb))), rs);
    swra = then(swra, to(rf, x->R & x->At & in));
    swra = to(then(swra, maybe(to(x->sb, x->F))), x->Acq & in);
    return both(swra, strong);
}

/* With @hb_loc for hb & loc:
 * scb  = sb | sbl;hb;sbl | hb & loc | mo | rb        where sbl = sb \ loc
 * pscb = ([SC] | [F&SC];hb?) ; scb ; ([SC] | hb?;[F&SC])
 * pscf = [F&SC] ; (hb | hb;eco;hb) ; [F&SC] */
static struct relation partial_sc(execution *x, struct relation hb,
                                  struct relation hb_loc)
{
    brute_set fences = x->F & x->SC;
    struct relation sc = identity(x->n, x->SC), sbl = without(x->sb, x->loc);
    struct relation scb = either(x->sb, then(then(sbl, hb), sbl));
    scb = either(scb, either(hb_loc, either(x->mo, x->rb)));
    struct relation pscb = then(either(sc, from(fences, maybe(hb))), scb);
    pscb = then(pscb, either(sc, to(maybe(hb), fences)));
    struct relation pscf = either(hb, then(then(hb, x->eco), hb));
    return either(pscb, to(from(fences, pscf), fences));
}

/* Coherence, atomicity and SC.
 * @hb: psc is made of it
 * @hbm: coherence is, and its part within locations is psc's hb & loc */
static bool is_consistent(execution *x, struct relation hb, struct relation hbm,
                          struct relation strong)
{
    return irreflexive(hb) && irreflexive(then(hbm, maybe(x->eco))) && is_atomic(x)
        && acyclic(both(partial_sc(x, hb, both(hbm, x->loc)), strong));
}

/* sb | rf | bar */
static bool is_grounded(execution *x)
{
    return acyclic(either(x->sb, either(x->rf, x->bar)));
}

/* rf | rmw | addr | data | ctrl;[W] */
static bool keeps_dependencies(execution *x)
{
    struct relation depends = either(x->address, either(x->data, x->rmw));
    depends = either(depends, to(x->control, x->W));
    return acyclic(either(x->rf, depends));
}

static const struct brute_judgement no = { .consistent = false };

static struct brute_judgement judge_rc11(execution *x)
{
    if (!is_grounded(x)) {
        return no;
    }
    struct relation strong = product(x->n, ~x->IW, ~x->IW);
    struct relation sw = synchronises(x, strong, ANY);
    struct relation hb = steps(either(x->sb, either(sw, x->bar)));
    bool consistent = is_consistent(x, hb, hb, strong);
    return (struct brute_judgement){ consistent, consistent && races(x, hb, strong) };
}

/* Whether the value of the plain read @one may be kept for the plain read @other, later
 * in the thread: both have one source. Between them, what is of the location is a plain
 * read of that source, or atomic and only read; there is no fence and no barrier; and
 * something acquires. */
static bool is_kept(execution *x, unsigned one, unsigned other)
{
    brute_set plain = x->R & ~x->At, same_source = 0;
    for (unsigned w = 0; w < x->n; w++) {
        if (related(&x->rf, w, other)) {
            same_source = x->rf.row[w];
        }
    }
    brute_set between = x->sb.row[one] & inverse(x->sb).row[other];
    brute_set here = between & x->loc.row[other];
    return (plain >> one & 1) != 0 && (plain >> other & 1) != 0
        && related(&x->sb, one, other) && related(&x->loc, one, other)
        && (same_source >> one & 1) != 0 && (between & (x->F | x->barriers)) == 0
        && (here & x->W) == 0 && (here & plain & ~same_source) == 0
        && (between & x->R & x->Acq) != 0;
}

/* hb \ what comes before a read only after the first one whose value it may have */
static struct relation without_kept(execution *x, struct relation hb)
{
    struct relation left = hb;
    for (unsigned other = 0; other < x->n; other++) {
        unsigned one = 0;
        while (one < other && !is_kept(x, one, other)) {
            one++;
        }
        for (unsigned a = 0; a < x->n && one < other; a++) {
            if (a != one && !related(&hb, a, one)) {
                left.row[a] &= ~brute_bit(other);
            }
        }
    }
    return left;
}

/* hbg and hbl = (sb | sw | bar of a barrier with the flag)+, and hbm, which is hbg
 * between accesses to global memory and hbl between those to local memory. */
static struct brute_judgement judge_sycl(execution *x, bool by_dependency)
{
    if (!(by_dependency ? keeps_dependencies(x) : is_grounded(x))) {
        return no;
    }
    struct relation sw = synchronises(x, x->strong, ANY);
    struct relation hb = empty(x->n), hbm = empty(x->n);
    for (unsigned space = WEIR_LOCAL; space <= WEIR_GLOBAL; space++) {
        struct relation hbx = steps(either(x->sb, either(sw, bar_of(x, space))));
        brute_set accesses = x->M & x->space[space];
        hb = either(hb, hbx);
        hbm = either(hbm, to(from(accesses, hbx), accesses));
    }
    bool consistent = by_dependency
        ? is_consistent(x, without_kept(x, hb), without_kept(x, hbm), x->strong)
        : is_consistent(x, hb, hbm, x->strong);
    return (struct brute_judgement){ consistent,
                                     consistent && races(x, hbm, x->strong) };
}

/* ---- Apart for each address space ------------------------------------------------ */

/* Ends that carry a synchronisation of one space over to the other:
 * scf = SC * SC | two fences of both flags, as which barriers of both flags count */
static struct relation carries(execution *x)
{
    brute_set wide
        = (x->F | x->barriers) & x->space[WEIR_LOCAL] & x->space[WEIR_GLOBAL];
    return either(product(x->n, x->SC, x->SC), product(x->n, wide, wide));
}

/* ([X];sb;[X] | [X];IW * rest;[X] | ra_sw(X) | bar_sw(X) | scf & ra_sw(other))+ */
static struct relation ordered_in(execution *x, unsigned space, struct relation own,
                                  struct relation of_other)
{
    brute_set in = x->space[space];
    struct relation made = to(from(in, x->sb), in);
    made = either(made, product(x->n, in & x->IW, in & ~x->IW));
    made = either(made, either(own, bar_of(x, space)));
    return steps(either(made, both(carries(x), of_other)));
}

static struct brute_judgement judge_split(execution *x)
{
    if (!is_grounded(x)) {
        return no;
    }
    struct relation local = synchronises(x, x->strong, x->space[WEIR_LOCAL]);
    struct relation global = synchronises(x, x->strong, x->space[WEIR_GLOBAL]);
    struct relation hb = either(ordered_in(x, WEIR_LOCAL, local, global),
                                ordered_in(x, WEIR_GLOBAL, global, local));
    bool consistent = is_consistent(x, hb, hb, x->strong);
    return (struct brute_judgement){ consistent,
                                     consistent && races(x, hb, x->strong) };
}

/* ---- OpenCL ---------------------------------------------------------------------- */

/* rs' = same thread, or to a read-modify-write
 * rs  = (mo & rs') \ ((mo \ rs') ; mo)
 * [X&Rel];([F];sb)?;[W&At];rs?;[X];rf;[R&At];(sb;[F])?;[X&Acq], of different work-items
 * whose scopes are inclusive */
static struct relation synchronises_in(execution *x, struct relation mo, brute_set in)
{
    struct relation going_on = product(x->n, ANY, x->updates);
    going_on = either(going_on, without(product(x->n, ANY, ANY), x->different));
    struct relation rs = without(both(mo, going_on), then(without(mo, going_on), mo));
    struct relation sw = from(x->Rel & in, maybe(from(x->F, x->sb)));
    sw = then(to(sw, x->W & x->At), maybe(rs));
    sw = then(to(sw, in), to(x->rf, x->R & x->At));
    sw = to(then(sw, maybe(to(x->sb, x->F))), x->Acq & in);
    return both(sw, both(x->equal, x->different));
}

/* At plain locations, what is read is visible to the read:
 * vis = (W * R) & hb & loc \ (hb & loc ; [W] ; hb) */
static bool reads_visible(execution *x, struct relation hb)
{
    struct relation hb_loc = both(hb, x->loc);
    struct relation hidden = then(to(hb_loc, x->W), hb);
    struct relation visible = without(to(from(x->W, hb_loc), x->R), hidden);
    return is_empty(without(to(x->rf, ~x->declared), visible));
}

/* At plain locations, the last write of all is not before another one. */
static bool ends_last(execution *x, struct relation hb)
{
    struct relation before = to(from(x->W & ~x->declared, both(hb, x->loc)), x->W);
    for (unsigned i = 0; i < x->n; i++) {
        if (before.row[i] != 0 && x->mo.row[i] == 0) {
            return false;
        }
    }
    return true;
}

/* acyclic (SC * SC) & ([F];sb)? ; (rb | mo | ghb | lhb) ; (sb;[F])? & incl */
static bool orders_sc(execution *x, struct relation mo, struct relation rb,
                      struct relation hb)
{
    struct relation order = then(maybe(from(x->F, x->sb)), either(rb, either(mo, hb)));
    order = then(order, maybe(to(x->sb, x->F)));
    return acyclic(both(to(from(x->SC, order), x->SC), x->equal));
}

/* Only what is declared atomic has a modification order. */
static struct brute_judgement judge_opencl(execution *x)
{
    struct relation mo = to(from(x->declared, x->mo), x->declared);
    struct relation rb = to(from(x->declared, x->rb), x->declared);
    struct relation local = synchronises_in(x, mo, x->space[WEIR_LOCAL]);
    struct relation global = synchronises_in(x, mo, x->space[WEIR_GLOBAL]);
    struct relation hb = either(ordered_in(x, WEIR_LOCAL, local, global),
                                ordered_in(x, WEIR_GLOBAL, global, local));
    /* (rf^-1)? ; mo ; rf? ; hb */
    struct relation against = then(then(maybe(inverse(x->rf)), mo), maybe(x->rf));
    bool consistent = irreflexive(hb) && irreflexive(then(against, hb))
        && irreflexive(then(x->rf, hb)) && is_empty(both(x->rmw, then(rb, mo)))
        && reads_visible(x, hb) && ends_last(x, hb) && orders_sc(x, mo, rb, hb);
    return (struct brute_judgement){
        consistent, consistent && races(x, hb, both(x->equal, x->different))
    };
}

/* ---- All ------------------------------------------------------------------------- */

void brute_judge(struct brute_execution *x,
                 struct brute_judgement judgements[BRUTE_N_MODELS])
{
    x->rb = without(then(inverse(x->rf), x->mo), identity(x->n, ANY));
    x->eco = steps(either(x->rf, either(x->mo, x->rb)));
    judgements[BRUTE_SC] = judge_sc(x);
    judgements[BRUTE_RC11] = judge_rc11(x);
    judgements[BRUTE_SYCL] = judge_sycl(x, false);
    judgements[BRUTE_SYCL_SPLIT] = judge_split(x);
    judgements[BRUTE_OPENCL] = judge_opencl(x);
    judgements[BRUTE_GPU] = judge_sycl(x, true);
}
