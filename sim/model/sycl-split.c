/* SPDX-License-Identifier: MIT
 *
 * sycl-split.c: `sycl`, with atomics and fences that order the address spaces
 * separately, as in OpenCL 2.0. An operation belongs to the space of its location, a
 * fence or barrier to the spaces that its flags name. Synchronisation through one space
 * (release, acquire and everything in between) orders that space. It orders the other
 * space, too, only if both ends are seq_cst, or are fences of both spaces.
 *
 * Two operations are ordered if either space orders them.
 *
 * Follows: [CL30] 3.3, as [OverhaulSC] has it. */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

static void derive(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    f->strong = weiri_facts_strong(f, WEIRI_SCOPES_MUTUAL);
    const set spaces[] = { f->global, f->local };
    const relation sw[]
        = { weiri_axioms_sw(f, f->global), weiri_axioms_sw(f, f->local) };
    relation across = weiri_axioms_across(f);
    for (size_t i = 0; i < 2; i++) {
        weiri_axioms_add_order(f, f->accesses, weiri_axioms_within(f, f->sb, spaces[i]),
                               either(k, sw[i], both(k, across, sw[1 - i])),
                               weiri_axioms_within(f, f->bar, spaces[i]));
    }
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_axioms_coh, &weiri_axioms_atom, &weiri_axioms_nta, &weiri_axioms_sc };

const struct weiri_model weiri_model_sycl_split
    = { .name = "sycl-split",
        .summary = "scoped RC11 with a happens-before for each address space",
        .scopes = WEIRI_SCOPES_MUTUAL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .race = weiri_axioms_race };
