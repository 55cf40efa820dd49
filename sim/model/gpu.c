/* SPDX-License-Identifier: MIT
 *
 * gpu.c: `sycl` with load buffering, as GPUs show it. Only dependencies forbid values
 * out of thin air: an earlier event of a thread may observe a later one, unless the
 * later one depends on it.
 *
 * Dependencies are syntactic: `r & 0` depends on r. Barriers are not dependencies.
 *
 * Follows: [PTX19], the axiom No-Thin-Air. */
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

static void derive(struct weiri_facts *f)
{
    weiri_model_sycl.derive(f);
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_axioms_coh, &weiri_axioms_atom, &thin_air, &weiri_axioms_sc };

const struct weiri_model weiri_model_gpu
    = { .name = "gpu",
        .summary = "sycl, but with load buffering unless there is a dependency",
        .buffers = true,
        .scopes = WEIRI_SCOPES_MUTUAL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .race = weiri_axioms_race,
        .lacks_dependency = lacks_dependency };
