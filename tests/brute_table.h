/* SPDX-License-Identifier: MIT
 *
 * brute_table.h: programs of PTX and Vulkan, decided by brute force: every path of
 * control, every write for every read, every order that a model speaks of, and then the
 * definitions as they are written. Nothing is left out because it seems to be
 * forbidden. The library's text of a test is all that the two have in common. */
#ifndef WEIR_TESTS_BRUTE_TABLE_H
#define WEIR_TESTS_BRUTE_TABLE_H

#include "brute_relation.h"

#include <glib.h>

enum {
    BRUTE_TABLE_THREADS = 6,
    BRUTE_TABLE_OPS = 16, /* of a thread */
    BRUTE_TABLE_NAMES = 10,
    BRUTE_TABLE_REGISTERS = 12, /* of a thread */
    BRUTE_TABLE_THENS = 8,
    BRUTE_TABLE_CLAUSES = 8,
    BRUTE_TABLE_TERMS = BRUTE_TABLE_THREADS * BRUTE_TABLE_REGISTERS + BRUTE_TABLE_NAMES,
};

enum brute_table_model {
    BRUTE_PTX_6_0,
    BRUTE_PTX_7_5,
    BRUTE_PTX, /* as the prose has it */
    BRUTE_VULKAN,
    BRUTE_VULKAN_NOCHAINS,
    BRUTE_VULKAN_PROSE,
    BRUTE_N_TABLE_MODELS,
};

static inline bool brute_is_ptx(enum brute_table_model model)
{
    return model <= BRUTE_PTX;
}

/* Returns: "ptx-6.0" */
const char *brute_table_model_name(enum brute_table_model model);

enum brute_op_kind {
    BRUTE_OP_LOAD,
    BRUTE_OP_STORE,
    BRUTE_OP_UPDATE,
    BRUTE_OP_FENCE,
    BRUTE_OP_PROXY_FENCE,
    BRUTE_OP_BARRIER,
    BRUTE_OP_AVDEVICE,
    BRUTE_OP_VISDEVICE,
    BRUTE_OP_BRANCH,
    BRUTE_OP_COMPUTE,
};

enum brute_op_order {
    BRUTE_WEAK, /* a weak access of PTX, a plain one of Vulkan, a barrier without one */
    BRUTE_RELAXED,
    BRUTE_ACQUIRE,
    BRUTE_RELEASE,
    BRUTE_ACQ_REL,
    BRUTE_SC,
};

/* The scopes of both, narrowest first. */
enum brute_op_scope {
    BRUTE_NO_SCOPE,
    BRUTE_CTA = 1,
    BRUTE_CLUSTER,
    BRUTE_GPU,
    BRUTE_SYS,
    BRUTE_SG = 1,
    BRUTE_WG,
    BRUTE_QF,
    BRUTE_DV,
};

enum brute_proxy {
    BRUTE_GENERIC,
    BRUTE_SURFACE,
    BRUTE_TEXTURE,
    BRUTE_CONSTANT,
    BRUTE_ASYNC,
    BRUTE_ALIAS, /* of fences; equal to nothing */
};

enum brute_function {
    BRUTE_ADD,
    BRUTE_SUB,
    BRUTE_XOR,
    BRUTE_AND,
    BRUTE_OR,
    BRUTE_MOVE,
    BRUTE_EXCHANGE,
    BRUTE_CAS,
    BRUTE_EQ, /* of branches, and those that follow */
    BRUTE_NE,
    BRUTE_LT,
    BRUTE_GT,
    BRUTE_LE,
    BRUTE_GE,
};

struct brute_operand {
    bool is_register;
    int64_t value; /* or the register */
};

/**
 * brute_op: an instruction
 * @no_result: `red`
 * @target: BRANCH: the index of the next instruction, if it is taken. A jump back ends
 *          the execution before its time
 * @a, @b: operands: the value; of a CAS expected and new value
 * @nonprivate: of plain accesses, as are @av and @vis, with a scope
 * @storage: the class of an access
 * @semantics: a set of classes
 * @instance: BARRIER, and @id, if there is one, and @quorum, 0: none
 */
struct brute_op {
    enum brute_op_kind kind;
    enum brute_op_order order;
    enum brute_op_scope scope;
    enum brute_function function;
    bool no_result;
    uint8_t name, dest, target;
    struct brute_operand a, b;
    enum brute_proxy proxy; /* of a fence, or of an access to no other name */
    bool nonprivate, av, vis, semav, semvis;
    uint8_t storage, semantics;
    bool arrives, has_id;
    uint8_t instance, quorum;
    struct brute_operand id;
};

/* A name of a location. @address: names with equal ones are one virtual address, or
 * reference. The first names are those of locations. */
struct brute_name {
    char text[24];
    uint8_t location, address;
    enum brute_proxy proxy;
};

/* A place: PTX: cta, cluster, gpu; Vulkan: sg, wg, qf. */
struct brute_column {
    unsigned place[3];
    unsigned n_ops, n_registers;
    struct brute_op ops[BRUTE_TABLE_OPS];
    int64_t initial[BRUTE_TABLE_REGISTERS];
    bool observed[BRUTE_TABLE_REGISTERS];
};

/* A clause of the claim: a register, or with a thread below 0 a location. */
struct brute_table_clause {
    int thread;
    unsigned index;
    int64_t value;
};

struct brute_table {
    char title[64];
    bool is_ptx;
    bool has_clusters;
    unsigned n_threads, n_names, n_locations, n_thens, n_clauses;
    struct brute_column threads[BRUTE_TABLE_THREADS];
    struct brute_name names[BRUTE_TABLE_NAMES];
    int64_t initial[BRUTE_TABLE_NAMES];
    unsigned first[BRUTE_TABLE_THENS], then[BRUTE_TABLE_THENS]; /* ssw */
    struct brute_table_clause clauses[BRUTE_TABLE_CLAUSES];
};

/* ---- Candidates ------------------------------------------------------------------ */

struct brute_event_of {
    const struct brute_op *op; /* %NULL: an initial write */
    unsigned thread;
    uint8_t location, address;
    enum brute_proxy proxy;
};

/* A candidate: events in program order, thread by thread, then the initial writes. An
 * update is a read and a write. @fences: of memory; @proxy_fences: of proxies alone.
 * @gives: of a barrier, to whom. @dep: address, data and control dependencies. */
struct brute_table_candidate {
    const struct brute_table *table;
    unsigned n;
    struct brute_event_of events[BRUTE_EVENTS];
    brute_set reads, writes, initial, fences, proxy_fences, barriers, devices;
    struct relation po, same_thread, rf, rmw, loc, vloc, data, dep, gives;
};

/* Adds an allowed execution. @last: by location, the writes that can give its final
 * value; @ordered: those of them that are last in an order which has all that the model
 * orders */
typedef void brute_found_fn(void *user, const brute_set *last, const brute_set *ordered,
                            bool race);

/* Calls @found for each execution that the model allows which has these events and this
 * rf. */
void brute_ptx_judge(const struct brute_table_candidate *candidate,
                     enum brute_table_model model, brute_found_fn *found, void *user);
void brute_vulkan_judge(const struct brute_table_candidate *candidate,
                        enum brute_table_model model, brute_found_fn *found,
                        void *user);

/* ---- Decisions ------------------------------------------------------------------- */

/* A final state: by brute_table_term(). @is_ordered: it is that of an execution whose
 * writes are in an order which has all that the model orders. */
struct brute_table_state {
    int64_t values[BRUTE_TABLE_TERMS];
    bool race, is_ordered;
};

/**
 * brute_table_result:
 * @states: of struct brute_table_state
 * @n_candidates: of values that agree
 * @n_groundless: of these, with a value that justifies itself
 * @n_blocked: candidates in which a thread waits at a barrier for ever
 */
struct brute_table_result {
    GArray *states;
    uint64_t n_candidates, n_groundless, n_blocked;
    bool race;
};

/* The number of the register, or, below 0, of the location. */
unsigned brute_table_term(int thread, unsigned index);

/* How many candidates there are before any values are known, or more than @most. */
uint64_t brute_table_size(const struct brute_table *table, uint64_t most);

void brute_table_decide(const struct brute_table *table, enum brute_table_model model,
                        struct brute_table_result *result);
void brute_table_result_clear(struct brute_table_result *result);

/* Returns: (transfer full): the test's text */
char *brute_table_print(const struct brute_table *table);

/* Draws a program for the model: the same one for the same seed. */
void brute_table_draw(uint64_t seed, enum brute_table_model model,
                      struct brute_table *table);

#endif
