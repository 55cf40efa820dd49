/* SPDX-License-Identifier: MIT
 *
 * cat.h: an interpreter of the part of the cat language that docs/models/ uses:
 *
 *     let NAME = E                     let NAME(A, B) = E
 *     acyclic E as NAME                irreflexive E       empty E
 *     flag ~empty E as NAME            (comment)  // comment
 *
 *     E: | & \ ;   S * T   E? E+ E* E^-1   [S]   NAME(E, E)   (E)
 *
 * Only `|` may stand next to another operator without parentheses, and it binds least:
 * tools do not agree on the rest. A name is one that was let, or of the base; anything
 * else is refused, where tools take it for an empty set. */
#ifndef WEIR_TESTS_CAT_H
#define WEIR_TESTS_CAT_H

#include "brute_relation.h"

enum cat_kind { CAT_NOTHING, CAT_SET, CAT_RELATION, CAT_FUNCTION };

/* @body: FUNCTION: the token after its `=` */
struct cat_value {
    enum cat_kind kind;
    brute_set set;
    struct relation relation;
    unsigned body;
};

enum { CAT_AXIOMS = 16 };

/**
 * cat_answer:
 * @violated: the names of the axioms that do not hold, the first ones
 * @flagged: a flag is raised
 * @error: why the model has no meaning, or %NULL
 */
struct cat_answer {
    const char *violated[CAT_AXIOMS];
    unsigned n_violated;
    bool flagged;
    const char *error;
};

struct cat;

/* Returns: (transfer full) */
struct cat *cat_read(const char *text);
void cat_free(struct cat *cat);

/* Sets a name of the base, from the next judgement on, if the model uses it. */
void cat_set(struct cat *cat, const char *name, brute_set set);
void cat_relation(struct cat *cat, const char *name, const struct relation *relation);

/* Judges an execution of @n events. What is returned is valid until the next one. */
struct cat_answer cat_judge(struct cat *cat, unsigned n);

/* A relation that the last judgement has defined; %NULL if there is none. */
const struct relation *cat_defined(const struct cat *cat, const char *name);

#endif
