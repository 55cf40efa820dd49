/* SPDX-License-Identifier: MIT
 *
 * ptx-7.5.c: the model of PTX 7.5, in which memory is accessed through proxies and by
 * several virtual addresses.
 *
 *     cause   obs? ; ppbase
 *
 * Base causality orders two accesses of one location only if they see each other's
 * effects: proxy-preserved base causality, ppbase. It has nine ways, which the table
 * below lists: both accesses are generic; both are of one proxy and CTA; or there are
 * fences of the proxy of each access that is not generic, in that access's CTA, and
 * between different virtual addresses also an alias fence. The order of these fences
 * matters.
 *
 * Follows: "Mixed-Proxy Extensions for the NVIDIA PTX Memory Consistency Model", ISCA
 * 2022; Dat3M, cat/ptx-v7.5.cat; PTX ISA 9.4, 8.9.5. */
#include "config.h"

#include "model/ptx-7.5.h"

#include "model/formula.h"

static const struct weiri_ptx_rules rules
    = { .virtual_addresses = true, .red_acquires = true };

/* The ends of a way: an access through the generic proxy, or one whose proxy is flushed
 * by a fence on the way. */
enum end { GENERIC, FLUSHED };

/* The ways of ppbase that pass fences, from the access on the left to the one on the
 * right. @alias: over an alias fence, between any two addresses of the location. */
static const struct way {
    enum end left, right;
    bool alias;
} ways[] = { { FLUSHED, GENERIC, false }, { GENERIC, FLUSHED, false },
             { FLUSHED, FLUSHED, false }, { GENERIC, GENERIC, true },
             { FLUSHED, GENERIC, true },  { GENERIC, FLUSHED, true },
             { FLUSHED, FLUSHED, true } };

static relation go_way(const struct weiri_facts *f, const struct way *way)
{
    struct weiri_algebra *k = f->algebra;
    set generic = f->kinds[WEIRI_PTX_GENERIC];
    relation base = f->own[WEIRI_PTX_BASE];
    relation to_flush = both(k, base, f->own[WEIRI_PTX_FLUSH]);
    relation from_flush
        = both(k, base, weiri_relation_inverse(k, f->own[WEIRI_PTX_FLUSH]));
    relation left
        = way->left == FLUSHED ? then(k, from_flush, base) : from(k, generic, base);
    if (way->alias) {
        left = to(k, left, f->kinds[WEIRI_PTX_ALIAS_FENCES]);
        return both(k,
                    way->right == FLUSHED ? then(k, left, then(k, base, to_flush))
                                          : then(k, left, to(k, base, generic)),
                    f->loc);
    }
    relation whole
        = way->right == FLUSHED ? then(k, left, to_flush) : to(k, left, generic);
    return both(k, whole, f->own[WEIRI_PTX_ADDRESS]);
}

static relation preserved(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    set generic = f->kinds[WEIRI_PTX_GENERIC];
    relation base = both(k, f->own[WEIRI_PTX_BASE], f->own[WEIRI_PTX_ADDRESS]);
    relation all = either(k, from(k, generic, to(k, base, generic)),
                          both(k, base, f->own[WEIRI_PTX_NEAR_PROXY]));
    for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
        all = either(k, all, go_way(f, &ways[w]));
    }
    return all;
}

void weiri_ptx_derive_proxies(struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    weiri_ptx_derive_order(f, then(k, maybe(k, f->own[WEIRI_PTX_OBS]), preserved(f)));
}

static void begin(struct weiri_facts *f)
{
    weiri_ptx_begin(f, &rules);
}

static void derive(struct weiri_facts *f)
{
    weiri_ptx_derive_steps(f, &rules);
    weiri_ptx_derive_proxies(f);
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_ptx_coherence, &weiri_ptx_fence_sc, &weiri_ptx_atomicity,
        &weiri_ptx_thin_air, &weiri_ptx_causality };

const struct weiri_model weiri_model_ptx_7_5
    = { .name = "ptx-7.5",
        .summary = "PTX 7.5, as its tests have it: proxies and virtual addresses",
        WEIRI_PTX_MODEL,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .begin = begin,
        .derive = derive };
