/* SPDX-License-Identifier: MIT
 *
 * axioms.h: the axioms of scoped RC11 and the relations that they use, for the models
 * that share them: `rc11`, `sycl`, `sycl-split` and `gpu`. These models differ in the
 * facts that they derive. */
#ifndef WEIRI_AXIOMS_H
#define WEIRI_AXIOMS_H

#include "model/model.h"

/* The formulas are in the comments; see docs/memory-model.md. */
extern const struct weiri_axiom weiri_axioms_coh;  /* irreflexive hb, hbm ; eco? */
extern const struct weiri_axiom weiri_axioms_atom; /* empty rmw & (rb ; mo) */
extern const struct weiri_axiom weiri_axioms_sc;   /* acyclic psc & strong */
extern const struct weiri_axiom weiri_axioms_nta;  /* acyclic sb | rf | bar */

/** Two accesses race if they are to one location and of different threads, one of them
 *  is a write, hbm orders them neither way, and they are not both atomic and strong. */
weiri_race_fn weiri_axioms_race;

/**
 * weiri_axioms_sw:
 * @of: the accesses and fences that may take part in it
 *
 * Returns: sw, synchronises-with, over facts->strong
 */
struct weiri_relation weiri_axioms_sw(const struct weiri_facts *facts,
                                      struct weiri_event_set of);

/** Returns: the pairs of @a whose events are both in @of */
struct weiri_relation weiri_axioms_within(const struct weiri_facts *facts,
                                          struct weiri_relation a,
                                          struct weiri_event_set of);

/** Returns: the pairs of events by which synchronisation of one address space also
 *  synchronises the other: two seq_cst events, or two fences of both spaces */
struct weiri_relation weiri_axioms_across(const struct weiri_facts *facts);

/** Adds the order that these steps make, for the coherence and races of accesses to
 *  that memory: its hb, which is also added to facts->hb and facts->hbm. */
void weiri_axioms_add_order(struct weiri_facts *facts, struct weiri_event_set memory,
                            struct weiri_relation sb, struct weiri_relation sw,
                            struct weiri_relation bar);

/** Appends a shortest way from one event to another by the steps of that order. */
bool weiri_axioms_add_hb(const struct weiri_facts *facts, struct weiri_cycle *why,
                         const struct weiri_model_order *order, uint32_t from,
                         uint32_t to);

/** Appends the edges of @from; those called "hb" are taken apart into steps. */
void weiri_axioms_add_apart(const struct weiri_facts *facts, struct weiri_cycle *why,
                            const struct weiri_cycle *from);

#endif
