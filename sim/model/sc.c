/* SPDX-License-Identifier: MIT
 *
 * sc.c: sequential consistency, for comparison: all events are in one order that agrees
 * with the program order of each thread, and in which each read returns the latest
 * write to its location. Orders, scopes, address spaces and fences have no meaning,
 * plain accesses are like atomic ones, and races are not judged.
 *
 * Follows: [Lamport79] */
#include "config.h"

#include "model/axioms.h"

#include "model/formula.h"

/* acyclic sb | rf | mo | rb | bar */
static bool interleaving(const struct weiri_facts *f, struct weiri_cycle *why)
{
    struct weiri_algebra *k = f->algebra;
    relation all = either(k, either(k, f->sb, f->bar), f->eco);
    if (weiri_relation_is_acyclic(k, all)) {
        return true;
    }
    const struct weiri_named named[] = { { "sb", f->sb },
                                         { "rf", f->rf },
                                         { "mo", f->mo },
                                         { "rb", f->rb },
                                         { "bar", f->bar } };
    if (why != NULL) {
        (void)weiri_cycle_find(why, k, named, sizeof(named) / sizeof(named[0]));
    }
    return false;
}

static const struct weiri_axiom one_order
    = { "SC",
        "all operations are in one order, which agrees with program order, and each "
        "read returns the latest write",
        interleaving };

static void derive(struct weiri_facts *f)
{
    f->strong = weiri_facts_strong(f, WEIRI_SCOPES_IGNORED);
    f->hb = f->hbm = f->sb;
}

static const struct weiri_axiom *const axioms[] = { &one_order, &weiri_axioms_atom };

const struct weiri_model weiri_model_sc
    = { .name = "sc",
        .summary = "sequential consistency: interleavings",
        .any_flags = true,
        .scopes = WEIRI_SCOPES_IGNORED,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .derive = derive };
