/* SPDX-License-Identifier: MIT
 *
 * rc11.c: repaired C11. It ignores scopes and address spaces: every atomic has system
 * scope, and barriers order all memory.
 *
 * It is weaker than C11 where seq_cst operations are mixed with others, and stronger in
 * that it forbids load buffering.
 *
 * Follows: [RC11] */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

static void derive(struct weiri_facts *f)
{
    set all = in_either(f->algebra, f->accesses, f->fences);
    f->strong = weiri_facts_strong(f, WEIRI_SCOPES_IGNORED);
    weiri_axioms_add_order(f, f->accesses, f->sb, weiri_axioms_sw(f, all), f->bar);
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_axioms_coh, &weiri_axioms_atom, &weiri_axioms_nta, &weiri_axioms_sc };

const struct weiri_model weiri_model_rc11
    = { .name = "rc11",
        .summary = "repaired C11, without scopes and address spaces",
        .any_flags = true,
        .scopes = WEIRI_SCOPES_IGNORED,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive,
        .race = weiri_axioms_race };
