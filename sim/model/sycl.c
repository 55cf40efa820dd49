/* SPDX-License-Identifier: MIT
 *
 * sycl.c: scoped RC11, the model of SYCL 2020 atomics: `rc11` with scopes. Two
 * operations can synchronise, be ordered by seq_cst, or access a location at the same
 * time without a race, only if the scope of each includes the thread of the other.
 *
 * Atomics and fences order both address spaces, whichever they access. Barriers order
 * the spaces that their flags name. So there is a happens-before for each space, which
 * differ only in the barriers, and accesses to a space are ordered by its own.
 *
 * Follows: [SYCL20] 3.8.3 and 4.15; [PTX19], whose scoped C11 it is. */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

static void derive(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    f->strong = weiri_facts_strong(f, WEIRI_SCOPES_MUTUAL);
    relation sw = weiri_axioms_sw(f, in_either(k, f->accesses, f->fences));
    const set spaces[] = { f->global, f->local };
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        weiri_axioms_add_order(f, in_both(k, f->accesses, spaces[i]), f->sb, sw,
                               weiri_axioms_within(f, f->bar, spaces[i]));
    }
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_axioms_coh, &weiri_axioms_atom, &weiri_axioms_nta, &weiri_axioms_sc };

const struct weiri_model weiri_model_sycl
    = { .name = "sycl",
        .summary = "scoped RC11; atomics and fences order all memory, barriers the "
                   "memory that their flags name",
        .scopes = WEIRI_SCOPES_MUTUAL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .race = weiri_axioms_race };
