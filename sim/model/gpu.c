/* SPDX-License-Identifier: MIT
 *
 * gpu.c: `sycl` with load buffering, as GPUs show it. Only dependencies forbid values
 * out of thin air: an earlier event of a thread may observe a later one, unless the
 * later one depends on it.
 *
 * Dependencies are syntactic: `r & 0` depends on r. Barriers are not dependencies.
 *
 * A plain read after an acquiring one may be of the value of an earlier plain read: a
 * compiler has kept it, as ptxas of CUDA 13.0 does. For the axioms, only what happens
 * before the earlier read happens before such a one. Races are judged as in `sycl`.
 *
 * Follows: [PTX19], the axiom No-Thin-Air; [H200]. */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

/* acyclic rf | rmw | address | data | control ; [W] */
static bool nta(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    const struct weiri_named named[] = { { "rf", f->rf },
                                         { "rmw", f->rmw },
                                         { "data", f->data },
                                         { "addr", f->address },
                                         { "ctrl", to(k, f->control, f->writes) } };
    const uint32_t n_named = sizeof(named) / sizeof(named[0]);
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

static const struct weiri_axiom thin_air
    = { "NTA", "no value out of thin air: no read depends on its own value", nta };

/* An iteration that changes nothing may read a value again and thereby change where it
 * comes from: with the iteration, a dependency may be absent that exists without it. */
static bool lacks_dependency(const struct weiri_model *model,
                             const struct weiri_facts *f)
{
    return weiri_model_allows_but(model, f, &thin_air);
}

/* Leaves out what is only before a kept read because of where it stands. */
static relation without_kept(const struct weiri_facts *f, relation hb, uint32_t read,
                             uint32_t kept)
{
    struct weiri_algebra *k = f->algebra;
    relation left = either(k, hb, weiri_relation_new(k));
    for (uint32_t event = 0; event < k->n; event++) {
        if (event != kept && !weiri_relation_has(k, hb, event, kept)) {
            weiri_relation_remove(k, left, event, read);
        }
    }
    return left;
}

/* In own: the order of accesses of sycl, for races. */
enum { ORDER_OF_ACCESSES };

static void derive(struct weiri_facts *f)
{
    weiri_model_sycl.derive(f);
    f->own[ORDER_OF_ACCESSES] = f->hbm;
    for (uint32_t read = 0; read < f->algebra->n; read++) {
        uint32_t kept = weiri_execution_kept(f->execution, read);
        for (uint32_t o = 0; o < f->n_orders && kept != WEIRI_INITIAL; o++) {
            f->orders[o].hb = without_kept(f, f->orders[o].hb, read, kept);
        }
        if (kept != WEIRI_INITIAL) {
            f->hb = without_kept(f, f->hb, read, kept);
            f->hbm = without_kept(f, f->hbm, read, kept);
        }
    }
}

static bool race(const struct weiri_facts *f, uint32_t *one, uint32_t *other)
{
    struct weiri_facts unkept = *f;
    unkept.hbm = f->own[ORDER_OF_ACCESSES];
    return weiri_axioms_race(&unkept, one, other);
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_axioms_coh, &weiri_axioms_atom, &thin_air, &weiri_axioms_sc };

const struct weiri_model weiri_model_gpu
    = { .name = "gpu",
        .summary = "sycl, but with load buffering unless there is a dependency, and "
                   "reads that a compiler keeps",
        .buffers = true,
        .scopes = WEIRI_SCOPES_MUTUAL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .keeps_reads = true,
        .race = race,
        .lacks_dependency = lacks_dependency };
