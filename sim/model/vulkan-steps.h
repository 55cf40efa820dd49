/* SPDX-License-Identifier: MIT
 *
 * vulkan-steps.h: what the models of Vulkan share: synchronisation, happens-before,
 * availability and visibility, and location order. The clauses are those of the Vulkan
 * specification, appendix "Memory Model", by the names that it gives them. */
#ifndef WEIRI_VULKAN_STEPS_H
#define WEIRI_VULKAN_STEPS_H

#include "model/model.h"

/**
 * weiri_vulkan_rules: where the models of Vulkan differ
 * @chains: a wide availability or visibility operation includes narrow ones before it
 * @from_ordered: a read is only before a write that location order puts after the write
 *                which it reads, and that it reads by location order
 */
struct weiri_vulkan_rules {
    bool chains;
    bool from_ordered;
};

/* The domains of availability and visibility: sub-group, work-group, queue family, and
 * all that shares memory, the device. */
enum { WEIRI_VULKAN_DOMAINS = 4 };

/* The sets and relations of events in facts->kinds and facts->own. */
enum {
    WEIRI_VULKAN_NONPRIVATE, /* accesses */
    WEIRI_VULKAN_RELEASES,   /* atomic writes and fences with a release order, */
    WEIRI_VULKAN_ACQUIRES,   /* and with an acquire order: reads and fences */
    WEIRI_VULKAN_FENCES,     /* of them; a barrier with an order is also a fence */
    WEIRI_VULKAN_UPDATES,    /* the writes of read-modify-writes */
    WEIRI_VULKAN_AV_DEVICE,
    WEIRI_VULKAN_VIS_DEVICE,
    WEIRI_VULKAN_AV, /* by domain: operations that make available to it, */
    WEIRI_VULKAN_VIS = WEIRI_VULKAN_AV + WEIRI_VULKAN_DOMAINS, /* or visible */
    WEIRI_VULKAN_KINDS = WEIRI_VULKAN_VIS + WEIRI_VULKAN_DOMAINS,
};
enum {
    WEIRI_VULKAN_SCOPE,     /* each scope includes the other's thread */
    WEIRI_VULKAN_REFERENCE, /* accesses of one location by one reference */
    WEIRI_VULKAN_MUTORD,    /* mutually ordered atomics */
    WEIRI_VULKAN_CLASS, /* a fence of a class, and an access of that class; both ways */
    WEIRI_VULKAN_INC,   /* operations that include an access, see the formula */
    WEIRI_VULKAN_THEN,  /* events of threads that ssw orders */
    WEIRI_VULKAN_BARRIER, /* the entry and the exit of one barrier, both ways */
    WEIRI_VULKAN_NEAR,    /* by domain, but the last: events of one instance of it */
    WEIRI_VULKAN_SW = WEIRI_VULKAN_NEAR + WEIRI_VULKAN_DOMAINS - 1, /* derived */
    WEIRI_VULKAN_HB,
    WEIRI_VULKAN_ASMO,
    WEIRI_VULKAN_LOCORD,
    WEIRI_VULKAN_AVAILABLE, /* by domain: from a write to what happens after an
                               operation that made it available there, nearby */
    WEIRI_VULKAN_OWN = WEIRI_VULKAN_AVAILABLE + WEIRI_VULKAN_DOMAINS,
};
_Static_assert((int)WEIRI_VULKAN_KINDS <= (int)WEIRI_MOST_KINDS, "kinds");
_Static_assert((int)WEIRI_VULKAN_OWN <= (int)WEIRI_MOST_OWN, "relations");

/** Sets kinds and own, but for what is derived. */
void weiri_vulkan_begin(struct weiri_facts *facts);

/** Derives happens-before and location order, mo, which is the scoped modification
 *  order of atomics, and rb. */
void weiri_vulkan_derive(struct weiri_facts *facts,
                         const struct weiri_vulkan_rules *rules);

/** The one choice: mutually ordered atomic writes. */
struct weiri_relation weiri_vulkan_pairs(const struct weiri_facts *facts,
                                         uint32_t choice);

/** Mutually ordered atomics. */
struct weiri_relation weiri_vulkan_coherent(const struct weiri_facts *facts);

/* The axioms: acyclic locord | rf | fr | asmo; reads are of visible writes; atomics are
 * atomic. */
enum { WEIRI_VULKAN_AXIOMS = 3 };
extern const struct weiri_axiom *const weiri_vulkan_axioms[];

weiri_race_fn weiri_vulkan_race;

/** The pairs of accesses that race, both ways. */
struct weiri_relation weiri_vulkan_racing(const struct weiri_facts *facts);

/* The members of struct weiri_model that the models of Vulkan share. */
#define WEIRI_VULKAN_MODEL                                                             \
    .form = WEIRI_FORM_VULKAN, .buffers = true, .thin_air = true,                      \
    .open_if_racy = true, .scopes = WEIRI_SCOPES_MUTUAL, .n_choices = 1,               \
    .n_axioms = WEIRI_VULKAN_AXIOMS, .axioms = weiri_vulkan_axioms,                    \
    .pairs = weiri_vulkan_pairs, .coherent = weiri_vulkan_coherent,                    \
    .begin = weiri_vulkan_begin, .race = weiri_vulkan_race,                            \
    .racing = weiri_vulkan_racing

#endif
