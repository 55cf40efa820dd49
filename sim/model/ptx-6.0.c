/* SPDX-License-Identifier: MIT
 *
 * ptx-6.0.c: the model of PTX 6.0, of the first formal publication: memory without
 * proxies and aliases.
 *
 *     cause   base | obs ; (base | po & loc)
 *
 * An observation is a prefix of causality order, taken once: cause is not transitive.
 * Only fence.acq_rel takes part in release and acquire patterns, and the read of `red`
 * does, as the published tests have it; `ptx` follows the prose, which differs in both.
 *
 * Follows: [PTX19]; Dat3M, cat/ptx-v6.0.cat, for those two. */
#include "config.h"

#include "model/formula.h"
#include "model/ptx-steps.h"

static const struct weiri_ptx_rules rules = { .red_acquires = true };

static void begin(struct weiri_facts *f)
{
    weiri_ptx_begin(f, &rules);
}

static void derive(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    weiri_ptx_derive_steps(f, &rules);
    relation base = f->own[WEIRI_PTX_BASE];
    relation near = either(k, base, both(k, f->sb, f->loc));
    weiri_ptx_derive_order(f, either(k, base, then(k, f->own[WEIRI_PTX_OBS], near)));
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_ptx_coherence, &weiri_ptx_fence_sc, &weiri_ptx_atomicity,
        &weiri_ptx_thin_air,  &weiri_ptx_location, &weiri_ptx_causality };

const struct weiri_model weiri_model_ptx_6_0
    = { .name = "ptx-6.0",
        .summary = "PTX 6.0, as its tests have it: no proxies, no aliases",
        WEIRI_PTX_MODEL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .begin = begin,
        .derive = derive };
