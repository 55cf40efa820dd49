/* SPDX-License-Identifier: MIT
 *
 * axioms.h: the axioms of scoped RC11, and the relations that they speak of, for the
 * models that share them: `rc11`, `sycl`, `sycl-split` and `gpu`. These differ in what
 * they put into facts. */
#ifndef WEIRI_AXIOMS_H
#define WEIRI_AXIOMS_H

#include "model/model.h"

/* In comments, the formulas; see docs/memory-model.md. */
extern const struct weiri_axiom weiri_axioms_coh;  /* irreflexive hb, hbm ; eco? */
extern const struct weiri_axiom weiri_axioms_atom; /* empty rmw & (rb ; mo) */
extern const struct weiri_axiom weiri_axioms_sc;   /* acyclic psc & strong */
extern const struct weiri_axiom weiri_axioms_nta;  /* acyclic sb | rf | bar */

/** Two accesses of one location and different threads, one of them a write, neither
 *  before the other by hbm, and not both atomic and strong. */
weiri_race_fn weiri_axioms_race;

/**
 * weiri_axioms_sw:
 * @of: the accesses and fences that may take part in it
 *
 * Returns: sw, synchronises-with, over facts->strong
 */
struct weiri_relation weiri_axioms_sw(const struct weiri_facts *facts,
                                      struct weiri_event_set of);

/** @a between events of @of. */
struct weiri_relation weiri_axioms_within(const struct weiri_facts *facts,
                                          struct weiri_relation a,
                                          struct weiri_event_set of);

/** Between which ends what synchronises one address space synchronises the other: two
 *  that are seq_cst, or two fences of both. */
struct weiri_relation weiri_axioms_across(const struct weiri_facts *facts);

/** Adds an order of these steps, as far as coherence and races go of accesses to that
 *  memory: its hb, and to facts->hb and facts->hbm. */
void weiri_axioms_add_order(struct weiri_facts *facts, struct weiri_event_set memory,
                            struct weiri_relation sb, struct weiri_relation sw,
                            struct weiri_relation bar);

/** Adds a shortest way from one event to another by the steps of that order. */
bool weiri_axioms_add_hb(const struct weiri_facts *facts, struct weiri_cycle *why,
                         const struct weiri_model_order *order, uint32_t from,
                         uint32_t to);

/** Adds the edges @from, with those that are called "hb" taken apart into such
 * steps. */
void weiri_axioms_add_apart(const struct weiri_facts *facts, struct weiri_cycle *why,
                            const struct weiri_cycle *from);

#endif
