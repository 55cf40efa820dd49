/* SPDX-License-Identifier: MIT
 *
 * ptx-steps.h: what the models of PTX share: strong operations, moral strength,
 * observation, synchronisation, and the steps that causality order is made of. Clauses
 * have the names of the PTX ISA, chapter "Memory Consistency Model". */
#ifndef WEIRI_PTX_STEPS_H
#define WEIRI_PTX_STEPS_H

#include "model/model.h"

/**
 * weiri_ptx_rules: where the models of PTX differ
 * @virtual_addresses: from PTX 7.5 on: operations are morally strong only through one
 *                     proxy and one virtual address, and observation is a single step
 * @sc_fences_order: fence.sc takes part in release and acquire patterns
 * @red_acquires: the read of an operation whose result is not used is part of acquire
 *                patterns
 */
struct weiri_ptx_rules {
    bool virtual_addresses;
    bool sc_fences_order;
    bool red_acquires;
};

/* The sets and relations of events in facts->kinds and facts->own. */
enum {
    WEIRI_PTX_STRONG,         /* reads, writes and memory fences that are not weak */
    WEIRI_PTX_RELEASE_FENCES, /* memory fences that begin release patterns, */
    WEIRI_PTX_ACQUIRE_FENCES, /* and end acquire patterns */
    WEIRI_PTX_RECEIVES,       /* strong reads that may begin these, */
    WEIRI_PTX_ACQUIRES,       /* and those of them that end some */
    WEIRI_PTX_SC_FENCES,
    WEIRI_PTX_ALIAS_FENCES,
    WEIRI_PTX_GENERIC, /* accesses through the generic proxy */
    WEIRI_PTX_LOOSE, /* relaxed arrivals at barriers of clusters, which order nothing */
};
enum {
    WEIRI_PTX_MS,         /* morally strong */
    WEIRI_PTX_ADDRESS,    /* accesses by one virtual address */
    WEIRI_PTX_NEAR_PROXY, /* accesses through one proxy in one CTA */
    WEIRI_PTX_FLUSH,      /* from a fence to an access of its proxy and CTA */
    WEIRI_PTX_OBS,        /* derived: observation, */
    WEIRI_PTX_SYNC,       /* synchronisation, */
    WEIRI_PTX_BAR,        /* barriers, as far as they order, */
    WEIRI_PTX_FSC,        /* Fence-SC order, */
    WEIRI_PTX_BASE,       /* base causality order, */
    WEIRI_PTX_CAUSE,      /* and causality order */
};

/** Sets kinds and own, but for what is derived. */
void weiri_ptx_begin(struct weiri_facts *facts, const struct weiri_ptx_rules *rules);

/** Derives everything but causality order. Base causality has at least one step between
 *  threads, or, with virtual addresses, is also program order. */
void weiri_ptx_derive_steps(struct weiri_facts *facts,
                            const struct weiri_ptx_rules *rules);

/** Sets causality order, and mo and rb, which follow from it. */
void weiri_ptx_derive_order(struct weiri_facts *facts, struct weiri_relation cause);

/** The choices: fence.sc, and writes, as far as they are morally strong. */
enum { WEIRI_PTX_CHOICES = 2 };
struct weiri_relation weiri_ptx_pairs(const struct weiri_facts *facts, uint32_t choice);

/** Accesses that are morally strong. */
struct weiri_relation weiri_ptx_coherent(const struct weiri_facts *facts);

extern const struct weiri_axiom weiri_ptx_coherence; /* irreflexive co */
extern const struct weiri_axiom weiri_ptx_fence_sc;  /* irreflexive fsc ; cause */
extern const struct weiri_axiom
    weiri_ptx_atomicity; /* empty rmw & (ms & fr ; ms & co) */
extern const struct weiri_axiom weiri_ptx_thin_air;  /* acyclic rf | dep */
extern const struct weiri_axiom weiri_ptx_location;  /* acyclic ms & (rf | co | fr)
                                                        | ms & po & loc */
extern const struct weiri_axiom weiri_ptx_causality; /* irreflexive (rf | fr) ; cause */

/** Two accesses race if they overlap, one is a write, causality orders them neither
 *  way, and they are not morally strong. PTX defines what they do. Causality is that of
 *  the prose here, where a read-modify-write is one operation: so all that it continues
 *  is observed with it. */
struct weiri_relation weiri_ptx_racing(const struct weiri_facts *facts);
weiri_race_fn weiri_ptx_race;

/* The members of struct weiri_model that the models of PTX share. */
#define WEIRI_PTX_MODEL                                                                \
    .form = WEIRI_FORM_PTX, .buffers = true, .scopes = WEIRI_SCOPES_MUTUAL,            \
    .n_choices = WEIRI_PTX_CHOICES, .pairs = weiri_ptx_pairs,                          \
    .coherent = weiri_ptx_coherent, .unordered = weiri_ptx_race,                       \
    .racing = weiri_ptx_racing

#endif
