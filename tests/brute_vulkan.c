/* SPDX-License-Identifier: MIT
 *
 * brute_vulkan.c: Vulkan's memory model as it is written. For each order of the atomic
 * writes of each location, all definitions are computed and all axioms asked.
 *
 * Follows: the Vulkan specification, appendix "Memory Model", in the form of the
 * Alloy model that the Khronos Group publishes with it. `vulkan` has a weaker from-read
 * than the specification, which `vulkan-prose` has; `vulkan-nochains` is the model of
 * devices without chains of availability and visibility. */
#include "brute_table.h"

#include <string.h>

enum { MOST_ATOMICS = 6 };

struct vulkan {
    const struct brute_table_candidate *c;
    enum brute_table_model model;
    unsigned n;
    brute_set all, reads, writes, accesses, atomics, nonprivate, updates;
    brute_set acq, rel, fences, barriers; /* REL fences are fences & rel */
    brute_set av, vis, semav, semvis, avdevice, visdevice;
    brute_set scope[BRUTE_DV + 1]; /* with that scope or a wider one */
    brute_set storage[4], semantics[4];
    struct relation ssg, swg, sqf, inscope, mutord, ssw, inc, asmo, rs, hypors, sw, hb;
    struct relation avs[4], viss[4]; /* by domain: sg, wg, qf, sh */
    struct relation locord, fr;
    brute_found_fn *found;
    void *user;
};

/* ---- Events ---------------------------------------------------------------------- */

static bool has(brute_set set, unsigned i)
{
    return (set >> i & 1) != 0;
}

/* V1 to V3: an access. On an update, semantics are those of the half with the order. */
static void add_access(struct vulkan *v, unsigned i, const struct brute_op *op)
{
    brute_set bit = brute_bit(i);
    bool is_update = op->kind == BRUTE_OP_UPDATE, reads = has(v->reads, i);
    bool atomic = op->order != BRUTE_WEAK || is_update;
    bool acquires = reads && (op->order == BRUTE_ACQUIRE || op->order == BRUTE_ACQ_REL);
    bool releases
        = !reads && (op->order == BRUTE_RELEASE || op->order == BRUTE_ACQ_REL);
    v->storage[op->storage] |= bit;
    v->updates |= is_update ? bit : 0;
    v->atomics |= atomic ? bit : 0;
    v->nonprivate |= atomic || op->nonprivate || op->av || op->vis ? bit : 0;
    v->av |= !reads && (atomic || op->av) ? bit : 0;
    v->vis |= reads && (atomic || op->vis) ? bit : 0;
    v->acq |= acquires ? bit : 0;
    v->rel |= releases ? bit : 0;
    v->semav |= releases && op->semav ? bit : 0;
    v->semvis |= acquires && op->semvis ? bit : 0;
    for (unsigned s = 0; s < 4 && (acquires || releases); s++) {
        v->semantics[s] |= (op->semantics >> s & 1) != 0 ? bit : 0;
    }
}

/* A memory barrier, or a control barrier, which is one only with an order. */
static void add_fence(struct vulkan *v, unsigned i, const struct brute_op *op)
{
    brute_set bit = brute_bit(i);
    bool acquires = op->order == BRUTE_ACQUIRE || op->order == BRUTE_ACQ_REL;
    bool releases = op->order == BRUTE_RELEASE || op->order == BRUTE_ACQ_REL;
    v->fences |= acquires || releases ? bit : 0;
    v->acq |= acquires ? bit : 0;
    v->rel |= releases ? bit : 0;
    v->semav |= op->semav ? bit : 0;
    v->semvis |= op->semvis ? bit : 0;
    for (unsigned s = 0; s < 4; s++) {
        v->semantics[s] |= (op->semantics >> s & 1) != 0 ? bit : 0;
    }
}

static void find_sets(struct vulkan *v)
{
    const struct brute_table_candidate *c = v->c;
    v->all = v->n < 64 ? brute_bit(v->n) - 1 : ~UINT64_C(0);
    v->reads = c->reads;
    v->writes = c->writes;
    v->accesses = c->reads | c->writes;
    v->barriers = c->barriers;
    for (unsigned i = 0; i < v->n; i++) {
        const struct brute_op *op = c->events[i].op;
        if (op == NULL) {
            continue;
        }
        for (unsigned s = BRUTE_SG; s <= op->scope; s++) {
            v->scope[s] |= brute_bit(i);
        }
        switch (op->kind) {
        case BRUTE_OP_FENCE:
        case BRUTE_OP_BARRIER:
            add_fence(v, i, op);
            break;
        case BRUTE_OP_AVDEVICE:
            v->avdevice |= brute_bit(i);
            break;
        case BRUTE_OP_VISDEVICE:
            v->visdevice |= brute_bit(i);
            break;
        default:
            add_access(v, i, op);
            break;
        }
    }
}

/* V4 and the scopes. Initial writes have no thread. */
static void find_places(struct vulkan *v)
{
    const struct brute_table *table = v->c->table;
    v->ssg = v->swg = v->sqf = v->ssw = empty(v->n);
    for (unsigned i = 0; i < v->n; i++) {
        for (unsigned j = 0; j < v->n; j++) {
            const struct brute_event_of *a = &v->c->events[i], *b = &v->c->events[j];
            if (a->op == NULL || b->op == NULL) {
                continue;
            }
            const unsigned *at = table->threads[a->thread].place;
            const unsigned *to_ = table->threads[b->thread].place;
            bool qf = at[2] == to_[2], wg = qf && at[1] == to_[1];
            v->sqf.row[i] |= qf ? brute_bit(j) : 0;
            v->swg.row[i] |= wg ? brute_bit(j) : 0;
            v->ssg.row[i] |= wg && at[0] == to_[0] ? brute_bit(j) : 0;
            for (unsigned k = 0; k < table->n_thens; k++) {
                if (table->first[k] == a->thread && table->then[k] == b->thread) {
                    relate(&v->ssw, i, j);
                }
            }
        }
    }
    const brute_set *scope = v->scope;
    v->inscope
        = either(either(product(v->n, scope[BRUTE_DV], scope[BRUTE_DV]),
                        both(v->sqf, product(v->n, scope[BRUTE_QF], scope[BRUTE_QF]))),
                 either(both(v->swg, product(v->n, scope[BRUTE_WG], scope[BRUTE_WG])),
                        both(v->ssg, product(v->n, scope[BRUTE_SG], scope[BRUTE_SG]))));
    struct relation same = both(v->c->loc, v->c->vloc);
    v->mutord
        = without(both(both(same, v->inscope), product(v->n, v->atomics, v->atomics)),
                  identity(v->n, v->all));
}

/* ---- Synchronization ------------------------------------------------------------- */

/* imm(r) = r \ (r; r+) */
static struct relation immediate(struct relation r)
{
    return without(r, then(r, steps(r)));
}

/* Zero steps or more. */
static struct relation any_steps(struct relation r)
{
    return maybe(steps(r));
}

/* posctosem: an access, then an event whose semantics have its class; and posemtosc */
static struct relation class_then_semantics(const struct vulkan *v)
{
    struct relation made = empty(v->n);
    for (unsigned s = 0; s < 4; s++) {
        made = either(made, product(v->n, v->storage[s], v->semantics[s]));
    }
    return both(made, v->c->po);
}

static struct relation semantics_then_class(const struct vulkan *v)
{
    struct relation made = empty(v->n);
    for (unsigned s = 0; s < 4; s++) {
        made = either(made, product(v->n, v->semantics[s], v->storage[s]));
    }
    return both(made, v->c->po);
}

static struct relation find_sw(const struct vulkan *v)
{
    brute_set releasing = v->rel & v->atomics, acquiring = v->acq & v->atomics;
    brute_set before = v->rel & v->fences, after = v->acq & v->fences;
    struct relation read = both(v->c->rf, v->mutord);
    struct relation from_fence
        = to(from(before, semantics_then_class(v)), v->atomics & v->writes);
    struct relation to_fence
        = to(from(v->atomics & v->reads, class_then_semantics(v)), after);
    struct relation atomic_ = from(releasing, then(v->rs, read));
    struct relation fenced = then(from_fence, then(v->hypors, read));
    struct relation meeting
        = without(both(v->c->gives, v->inscope), identity(v->n, v->all));
    struct relation po_maybe = maybe(v->c->po);
    struct relation control = to(
        then(then(to(from(before, po_maybe), v->barriers), to(meeting, v->barriers)),
             po_maybe),
        after);
    struct relation sw = to(atomic_, acquiring);
    sw = either(sw, to(fenced, acquiring));
    sw = either(sw, then(atomic_, to_fence));
    sw = either(sw, then(fenced, to_fence));
    sw = either(sw, control);
    return both(v->inscope, sw);
}

/* ithb(C), of a set of classes. */
static struct relation find_ithb(const struct vulkan *v, unsigned classes)
{
    brute_set any_class = 0, all_semantics = v->all;
    for (unsigned s = 0; s < 4; s++) {
        if ((classes >> s & 1) != 0) {
            any_class |= v->storage[s];
            all_semantics &= v->semantics[s];
        }
    }
    brute_set some = any_class | all_semantics;
    struct relation step = v->ssw;
    step = either(step, to(from(all_semantics, v->sw), all_semantics));
    step = either(step, to(from(some, v->c->po), v->rel & all_semantics));
    step = either(step, to(from(v->acq & all_semantics, v->c->po), some));
    return steps(step);
}

static struct relation find_hb(const struct vulkan *v)
{
    struct relation hb = v->c->po;
    for (unsigned classes = 1; classes < 16; classes++) {
        hb = either(hb, find_ithb(v, classes));
    }
    return hb;
}

/* ---- Availability and visibility ------------------------------------------------- */

static struct relation find_inc(const struct vulkan *v)
{
    struct relation same = both(v->c->loc, v->c->vloc);
    struct relation set = from(v->av | v->vis, same);
    struct relation made = either(set, inverse(set));
    for (unsigned s = 0; s < 4; s++) {
        made = either(made, product(v->n, v->storage[s], v->semantics[s] & v->semav));
        made = either(made, product(v->n, v->semantics[s] & v->semvis, v->storage[s]));
    }
    brute_set any = v->storage[0] | v->storage[1] | v->storage[2] | v->storage[3];
    made = either(made, product(v->n, any, v->avdevice));
    return either(made, product(v->n, v->visdevice, any));
}

/* The domains in which two events share an agent: sg, wg, qf, sh. */
static struct relation same_domain(const struct vulkan *v, unsigned domain)
{
    const struct relation *same[] = { &v->ssg, &v->swg, &v->sqf };
    return domain < 3 ? *same[domain] : product(v->n, v->all, v->all);
}

static void find_chains(struct vulkan *v)
{
    bool chains = v->model != BRUTE_VULKAN_NOCHAINS;
    brute_set events = v->all & ~v->c->initial;
    for (unsigned d = 0; d < 4; d++) {
        brute_set wide = v->scope[BRUTE_SG + d];
        brute_set av = v->av | v->semav, vis = v->vis | v->semvis;
        av &= d > 0 ? wide : v->all;
        vis &= d > 0 ? wide : v->all;
        v->avs[d] = identity(v->n, av);
        v->viss[d] = identity(v->n, vis);
        if (d == 0 || !chains) {
            continue;
        }
        struct relation up = identity(v->n, events), down = identity(v->n, events);
        for (unsigned e = 0; e < d; e++) {
            struct relation reach = both(both(v->hb, same_domain(v, e)), v->inc);
            up = then(up, maybe(then(v->avs[e], reach)));
            down = then(maybe(then(reach, v->viss[e])), down);
        }
        v->avs[d] = to(from(events, up), av & events);
        v->viss[d] = from(vis & events, to(down, events));
    }
}

static struct relation find_locord(const struct vulkan *v)
{
    brute_set reads = v->reads & v->nonprivate, writes = v->writes & v->nonprivate;
    struct relation near = both(maybe(v->c->po), v->inc);
    struct relation hb_inc = both(v->hb, v->inc);
    struct relation made = both(both(v->hb, v->c->same_thread), v->c->vloc);
    made = either(made, to(from(reads, v->hb), reads | writes));
    made = either(made, to(from(v->reads, steps(v->ssw)), v->accesses));
    for (unsigned d = 0; d < 4; d++) {
        struct relation there
            = then(then(from(writes, near), v->avs[d]), both(v->hb, same_domain(v, d)));
        struct relation seen = then(then(there, v->viss[d]), near);
        made = either(made, both(v->c->vloc, to(there, writes)));
        made = either(made, both(v->c->vloc, to(seen, reads)));
    }
    struct relation device = then(to(from(v->writes, hb_inc), v->avdevice), v->hb);
    made = either(made, to(device, v->writes));
    made = either(made, to(then(to(device, v->visdevice), hb_inc), v->reads));
    return both(v->c->loc, made);
}

static struct relation find_fr(const struct vulkan *v)
{
    struct relation seen
        = v->model == BRUTE_VULKAN_PROSE ? v->c->rf : both(v->c->rf, v->locord);
    struct relation ordered
        = both(v->locord, product(v->n, v->writes, v->writes)); /* V13 */
    struct relation first = inverse(from(v->c->initial, v->c->rf));
    struct relation others = without(to(v->c->loc, v->writes), identity(v->n, v->all));
    return either(
        either(then(inverse(seen), ordered), then(inverse(v->c->rf), v->asmo)),
        then(first, others));
}

/* ---- Axioms ---------------------------------------------------------------------- */

/* V10 */
static bool is_acyclic(const struct vulkan *v)
{
    return acyclic(either(either(v->locord, v->c->rf), either(v->fr, v->asmo)));
}

/* V11 */
static bool reads_what_is_visible(const struct vulkan *v)
{
    struct relation ordered = from(v->writes, v->locord);
    struct relation shadowed = then(ordered, steps(ordered));
    return is_empty(both(to(v->c->rf, v->reads & ~v->atomics), shadowed));
}

/* V12 */
static bool updates_are_atomic(const struct vulkan *v)
{
    struct relation between
        = then(without(v->fr, v->c->same_thread), without(v->asmo, v->c->same_thread));
    return is_empty(both(v->c->rmw, between));
}

/* V14 */
static bool has_race(const struct vulkan *v)
{
    brute_set writes = v->writes & ~v->c->initial, accesses = v->accesses;
    accesses &= ~v->c->initial;
    struct relation pairs
        = either(product(v->n, writes, accesses), product(v->n, accesses, writes));
    pairs = without(both(pairs, v->c->loc), identity(v->n, v->all));
    pairs = without(pairs, v->mutord);
    return !is_empty(without(pairs, either(v->locord, inverse(v->locord))));
}

/* ---- Orders ---------------------------------------------------------------------- */

static void judge_asmo(struct vulkan *v)
{
    brute_set updates = v->updates;
    struct relation follow = any_steps(to(immediate(v->asmo), updates));
    v->rs = from(v->rel & v->atomics, follow);
    v->hypors = from(v->writes & v->atomics, follow);
    v->sw = find_sw(v);
    v->hb = find_hb(v);
    find_chains(v);
    v->locord = find_locord(v);
    v->fr = find_fr(v);
    if (!is_acyclic(v) || !reads_what_is_visible(v) || !updates_are_atomic(v)) {
        return;
    }
    brute_set last[BRUTE_TABLE_NAMES] = { 0 }, ordered[BRUTE_TABLE_NAMES] = { 0 };
    for (unsigned i = 0; i < v->n; i++) {
        unsigned l = v->c->events[i].location;
        if (!has(v->writes & ~v->c->initial, i) || v->asmo.row[i] != 0) {
            continue;
        }
        last[l] |= brute_bit(i);
        ordered[l] |= (v->locord.row[i] & v->writes) == 0 ? brute_bit(i) : 0;
    }
    for (unsigned i = 0; i < v->n; i++) {
        unsigned l = v->c->events[i].location;
        if (has(v->c->initial, i) && last[l] == 0) {
            last[l] = ordered[l] = brute_bit(i);
        }
    }
    v->found(v->user, last, ordered, has_race(v));
}

static void choose_order(struct vulkan *v, unsigned location);

/* Puts each of @left next in turn, after those of @before. */
static void permute(struct vulkan *v, unsigned location, brute_set before,
                    brute_set left)
{
    if (left == 0) {
        choose_order(v, location + 1);
        return;
    }
    struct relation old = v->asmo;
    for (brute_set some = left; some != 0; some &= some - 1) {
        unsigned next = (unsigned)__builtin_ctzll(some);
        v->asmo = either(old, both(v->mutord, product(v->n, before, brute_bit(next))));
        permute(v, location, before | brute_bit(next), left & ~brute_bit(next));
    }
    v->asmo = old;
}

/* A total order of the atomic writes of each location, of which asmo has the pairs that
 * are mutually ordered. */
static void choose_order(struct vulkan *v, unsigned location)
{
    if (location == v->c->table->n_locations) {
        judge_asmo(v);
        return;
    }
    brute_set mine = 0;
    for (unsigned i = 0; i < v->n; i++) {
        bool is = has(v->writes & v->atomics, i) && v->c->events[i].location == location
            && (v->mutord.row[i] & v->writes) != 0;
        mine |= is ? brute_bit(i) : 0;
    }
    permute(v, location, 0, mine);
}

void brute_vulkan_judge(const struct brute_table_candidate *candidate,
                        enum brute_table_model model, brute_found_fn *found, void *user)
{
    struct vulkan v = {
        .c = candidate, .model = model, .n = candidate->n, .found = found, .user = user
    };
    find_sets(&v);
    find_places(&v);
    v.inc = find_inc(&v);
    v.asmo = empty(v.n);
    choose_order(&v, 0);
}
