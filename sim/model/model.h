/* SPDX-License-Identifier: MIT
 *
 * model.h: a memory model: the relations that it derives from an execution, its axioms,
 * and its definition of a race. Each model has a file, and each axiom a function, with
 * the names of docs/memory-model.md. */
#ifndef WEIRI_MODEL_H
#define WEIRI_MODEL_H

#include "model/cycle.h"
#include "model/facts.h"

/**
 * weiri_axiom_fn:
 * @why: set to a shortest cycle that violates the axiom, if it is violated; may be
 *       %NULL
 *
 * Returns: whether the axiom holds
 */
typedef bool weiri_axiom_fn(const struct weiri_facts *facts, struct weiri_cycle *why);

struct weiri_model;

struct weiri_axiom {
    const char *name;
    const char *sentence; /* what it requires, for explanations */
    weiri_axiom_fn *holds;
};

/**
 * weiri_race_fn:
 * @one, @other: (out): the first two events that race
 */
typedef bool weiri_race_fn(const struct weiri_facts *facts, uint32_t *one,
                           uint32_t *other);

/**
 * weiri_lacking_fn: called for an execution that violates an axiom
 *
 * Returns: whether the execution could be consistent with more events that change no
 *          value: reads, fences, and read-modify-writes that write the value they read
 */
typedef bool weiri_lacking_fn(const struct weiri_model *model,
                              const struct weiri_facts *facts);

/* Whose operations a model defines. */
enum weiri_model_form {
    WEIRI_FORM_C, /* of C11, SYCL and OpenCL */
    WEIRI_FORM_PTX,
    WEIRI_FORM_VULKAN,
};

/**
 * weiri_model:
 * @summary: a sentence
 * @form: whose operations it defines
 * @plain_incoherent: the axioms do not require plain locations to be coherent. For all
 *                    other locations they imply that sb, rf, mo and rb agree and that
 *                    read-modify-writes are atomic, so that a search can skip
 *                    candidates that are not
 * @buffers: load buffering is allowed: sb | rf may have cycles
 * @any_flags: barriers of one name meet with any flags
 * @scopes: how it compares scopes
 * @n_choices: how many kinds of pairs of events have an order of their own in each
 *             execution, such as writes of one location. 0: the writes of each location
 *             are in one total order, facts->mo. Otherwise the model derives mo, and
 *             the order of which any greatest write gives the final value. An axiom
 *             which is violated must then stay so if more reads have a source and more
 *             pairs an order
 * @pairs: the pairs of a choice, both ways; those of one thread have program order
 * @coherent: with choices: pairs of accesses, both ways. If all accesses of a location
 *            are such pairs, its writes are pairs of a choice, and the axioms imply
 *            that the location is coherent, as atomic ones are without choices
 * @open_if_racy: the latter order has fewer pairs if facts->racy
 * @keeps_reads: a plain read may be of the value of an earlier one, see
 *               weiri_execution_kept()
 * @thin_air: a value may justify itself, so that it can be any
 * @has_sycl_part: a program has the executions of sycl if under sycl it has no race and
 *                 its only atomic operations are relaxed ones of one location
 * @begin: adds kinds and own to facts; may be %NULL
 * @derive: adds what depends on the model to facts that include rf and mo
 * @race: meaningful only if all axioms hold; %NULL if the model does not define races
 * @unordered: of a model without races: two accesses, one a write, that it leaves
 *             without an order; or %NULL
 * @racing: the pairs of accesses, both ways, that @race or @unordered finds; or %NULL
 * @lacks_order: whether more order between events could make the execution consistent;
 *               %NULL: never
 * @lacks_dependency: whether assigning values again could; %NULL: never
 */
struct weiri_model {
    const char *name;
    const char *summary;
    enum weiri_model_form form;
    bool plain_incoherent;
    bool buffers;
    bool any_flags;
    bool keeps_reads;
    bool thin_air;
    bool has_sycl_part;
    bool open_if_racy;
    enum weiri_scopes scopes;
    uint32_t n_choices;
    uint32_t n_axioms;
    const struct weiri_axiom *const *axioms;
    struct weiri_relation (*pairs)(const struct weiri_facts *facts, uint32_t choice);
    struct weiri_relation (*coherent)(const struct weiri_facts *facts);
    void (*begin)(struct weiri_facts *facts);
    void (*derive)(struct weiri_facts *facts);
    weiri_race_fn *race, *unordered;
    struct weiri_relation (*racing)(const struct weiri_facts *facts);
    weiri_lacking_fn *lacks_order, *lacks_dependency;
};

extern const struct weiri_model weiri_model_sc;
extern const struct weiri_model weiri_model_rc11;
extern const struct weiri_model weiri_model_sycl;
extern const struct weiri_model weiri_model_sycl_split;
extern const struct weiri_model weiri_model_opencl;
extern const struct weiri_model weiri_model_gpu;
extern const struct weiri_model weiri_model_ptx;
extern const struct weiri_model weiri_model_ptx_6_0;
extern const struct weiri_model weiri_model_ptx_7_5;
extern const struct weiri_model weiri_model_vulkan;
extern const struct weiri_model weiri_model_vulkan_nochains;
extern const struct weiri_model weiri_model_vulkan_prose;

/** All models; terminated by %NULL. */
extern const struct weiri_model *const weiri_models[];

/** Returns: the model, or %NULL */
const struct weiri_model *weiri_model_find(const char *name);

/** Adds to facts what the model says of the events alone. Pairs of its choices are
 *  ordered by the positions of their events. */
void weiri_model_prepare(const struct weiri_model *model, struct weiri_facts *facts);

/** Derives what the model says about the facts of an execution, in place of what
 *  another model has derived. Prepares the facts, if they are not. */
void weiri_model_read(const struct weiri_model *model, struct weiri_facts *facts);

/** Whether all axioms hold, for facts that the model has derived. */
bool weiri_model_allows(const struct weiri_model *model,
                        const struct weiri_facts *facts);

/** Whether all axioms except @axiom hold. */
bool weiri_model_allows_but(const struct weiri_model *model,
                            const struct weiri_facts *facts,
                            const struct weiri_axiom *axiom);

#endif
