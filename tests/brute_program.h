/* SPDX-License-Identifier: MIT
 *
 * brute_program.h: a litmus test as a table: a few threads, each a list of statements,
 * over a few locations. It is what the second decider of the memory models decides
 * (brute_decide.h), and it can be written as the text that the first one reads. Nothing
 * here knows the library's own form of such tests, so that the two can only agree by
 * meaning the same.
 *
 *     { .n_threads = 2,
 *       .locations = { { .used = true }, { .used = true, .atomic = true } },
 *       .threads = { { .statements = { { .kind = BRUTE_STORE, .operand.value = 1 },
 *                                      { .kind = BRUTE_STORE, .location = 1,
 *                                        .atomic = true, .operand.value = 1,
 *                                        .order = memory_order_release } } },
 *                    ... } }
 *
 * Blocks are flat: what IF and WHILE decide about goes up to their CLOSE, or to the
 * ELSE. A thread ends where its table does. */
#ifndef WEIR_TESTS_BRUTE_PROGRAM_H
#define WEIR_TESTS_BRUTE_PROGRAM_H

#include <weir-kernel.h>

#include <glib.h>
#include <stdbool.h>

enum {
    BRUTE_THREADS = 4,
    BRUTE_LOCATIONS = 6,
    BRUTE_REGISTERS = 6,   /* of a thread */
    BRUTE_STATEMENTS = 24, /* of a thread, the end included */
    BRUTE_CLAUSES = 8,
};

enum brute_kind {
    BRUTE_END, /* of the thread */
    BRUTE_LOAD,
    BRUTE_STORE,
    BRUTE_EXCHANGE,
    BRUTE_FETCH_ADD,
    BRUTE_FETCH_OR,
    BRUTE_COMPARE, /* compare-exchange */
    BRUTE_FENCE,
    BRUTE_BARRIER,
    BRUTE_SET, /* a register, from registers */
    BRUTE_IF,
    BRUTE_ELSE,
    BRUTE_WHILE,
    BRUTE_CLOSE, /* of an IF, its ELSE or a WHILE */
};

/* A value: a constant, or what comes of a register. The last two do not depend on the
 * register's value, and depend on the register. */
enum brute_form {
    BRUTE_CONSTANT,
    BRUTE_REGISTER, /* r + value */
    BRUTE_XOR,      /* (r ^ r) + value */
    BRUTE_MASK,     /* (r & 0) + value */
};

struct brute_operand {
    enum brute_form form;
    unsigned reg;
    int value;
};

enum brute_comparison { BRUTE_EQUAL, BRUTE_UNEQUAL, BRUTE_LESS };

/**
 * brute_statement:
 * @atomic: an access; else it is a plain one, without order and scope
 * @order: of atomics and fences, @failure: of a compare-exchange that does not write
 * @spaces: FENCE, BARRIER: flags, of enum weir_space
 * @scope: BARRIER: wider than a group, there are fences of that scope around it
 * @offset: of an access's address: a form of value 0, or a constant 0 for none
 * @drops: what the read-modify-write has read is not kept
 * @result: the register that is set: what was read, a compare-exchange's success
 * @operand: what is written, added, set, or compared with
 * @expected: COMPARE: a register, or with @expects_location a location, which is read
 *            before and written on failure
 * @reg: IF, WHILE: the one that is compared, in the way of @comparison
 * @label: BARRIER: which
 */
struct brute_statement {
    enum brute_kind kind;
    bool atomic, weak, drops, expects_location;
    memory_order order, failure;
    memory_scope scope;
    unsigned spaces;
    unsigned location;
    struct brute_operand offset;
    unsigned result;
    struct brute_operand operand;
    unsigned expected;
    unsigned reg;
    enum brute_comparison comparison;
    unsigned label;
};

/* Registers that are not set are 0, or what `initial` says of them. */
struct brute_thread {
    unsigned group, device;
    int initial[BRUTE_REGISTERS];
    struct brute_statement statements[BRUTE_STATEMENTS];
};

struct brute_location {
    bool used;   /* else there is none of that name */
    bool atomic; /* it is declared so */
    bool local;  /* of the group whose threads use it; only in programs with groups */
    int initial;
};

/* `1:r0=1`, or `x=1` with @thread %BRUTE_MEMORY. */
struct brute_clause {
    unsigned thread;
    unsigned index;
    int value;
};
enum { BRUTE_MEMORY = BRUTE_THREADS };

/**
 * brute_program:
 * @placed: the threads have groups and devices, accesses have scopes, and there may be
 *          barriers: the scoped form of text. Else it is C, each thread a group of its
 *          own on one device, and all scopes are taken for that of the device.
 * @any: one of the clauses must hold, else all of them; 0 clauses are true
 */
struct brute_program {
    char name[32];
    bool placed;
    unsigned n_threads;
    struct brute_location locations[BRUTE_LOCATIONS];
    struct brute_thread threads[BRUTE_THREADS];
    bool any;
    unsigned n_clauses;
    struct brute_clause clauses[BRUTE_CLAUSES];
};

/* ---- What is observed ------------------------------------------------------------ */

/* Whether a state of the program shows the register: whether a statement sets it. */
bool brute_sets(const struct brute_program *program, unsigned thread, unsigned reg);

/** "x" */
const char *brute_location_name(unsigned location);

/* How many times a thread names a location. */
unsigned brute_uses(const struct brute_program *program, unsigned thread,
                    unsigned location);

/** Takes out locations that no thread names. */
void brute_drop_unused(struct brute_program *program);

/** The litmus test as text, in herd's C form or, where it is placed, the scoped one.
 * Returns: (transfer full) */
char *brute_print(const struct brute_program *program);

#endif
