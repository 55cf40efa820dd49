/* SPDX-License-Identifier: MIT
 *
 * model.h: what a memory model is: how it reads an execution (derive), what it asks of
 * it (axioms), and what it calls a race. One model a file, one axiom a function, named
 * as in docs/memory-model.md. */
#ifndef WEIRI_MODEL_H
#define WEIRI_MODEL_H

#include "model/cycle.h"
#include "model/facts.h"

/**
 * weiri_axiom_fn:
 * @why: or %NULL; gets, where the axiom is violated, a shortest reason
 *
 * Returns: whether it holds
 */
typedef bool weiri_axiom_fn(const struct weiri_facts *facts, struct weiri_cycle *why);

struct weiri_model;

struct weiri_axiom {
    const char *name;
    const char *sentence; /* what it asks for, to somebody who sees it violated */
    weiri_axiom_fn *holds;
};

/**
 * weiri_race_fn:
 * @one, @other: (out): the first two events that race
 */
typedef bool weiri_race_fn(const struct weiri_facts *facts, uint32_t *one,
                           uint32_t *other);

/**
 * weiri_lacking_fn: of an execution that violates an axiom
 *
 * Returns: whether it might not if it had more events that change no value: reads,
 *          fences, and updates that write what they read
 */
typedef bool weiri_lacking_fn(const struct weiri_model *model,
                              const struct weiri_facts *facts);

/**
 * weiri_model:
 * @summary: a sentence
 * @plain_incoherent: the axioms let plain locations be incoherent. Of all others they
 *                    imply that sb, rf, mo and rb agree, location by location, and that
 *                    nothing comes between the parts of a read-modify-write; whoever
 *                    looks for executions need not look at others
 * @buffers: load buffering is allowed: sb | rf may have cycles
 * @any_flags: barriers of one name meet, whatever their flags
 * @scopes: how it compares scopes
 * @derive: adds what depends on the model to facts that follow rf and mo
 * @race: or %NULL, where races are not judged. Means something only where all axioms
 *        hold
 * @lacks_order: what more events order can make an execution consistent; and
 * @lacks_dependency: that values are assigned again can. %NULL: it never does
 */
struct weiri_model {
    const char *name;
    const char *summary;
    bool plain_incoherent;
    bool buffers;
    bool any_flags;
    enum weiri_scopes scopes;
    uint32_t n_axioms;
    const struct weiri_axiom *const *axioms;
    void (*derive)(struct weiri_facts *facts);
    weiri_race_fn *race;
    weiri_lacking_fn *lacks_order, *lacks_dependency;
};

extern const struct weiri_model weiri_model_sc;
extern const struct weiri_model weiri_model_rc11;
extern const struct weiri_model weiri_model_sycl;
extern const struct weiri_model weiri_model_sycl_split;
extern const struct weiri_model weiri_model_opencl;
extern const struct weiri_model weiri_model_gpu;

/** All of them, up to a %NULL. */
extern const struct weiri_model *const weiri_models[];

/** Returns: the model, or %NULL */
const struct weiri_model *weiri_model_find(const char *name);

/** All that a model says about facts that have begun; instead of what another one has
 *  said. */
void weiri_model_read(const struct weiri_model *model, struct weiri_facts *facts);

/** Whether all axioms hold of facts that the model has read. */
bool weiri_model_allows(const struct weiri_model *model,
                        const struct weiri_facts *facts);

/** Whether all but this one do. */
bool weiri_model_allows_but(const struct weiri_model *model,
                            const struct weiri_facts *facts,
                            const struct weiri_axiom *axiom);

#endif
