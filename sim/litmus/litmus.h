/* SPDX-License-Identifier: MIT
 *
 * litmus.h: a litmus test as a value: a few threads, the memory that they share, and a
 * claim about their final state. Four forms of text are read and written: herd's C ("C
 * NAME"), the scoped form ("OPENCL NAME"), which adds groups, address spaces, scopes
 * and barriers, and Dat3M's tables of instructions ("PTX NAME", "VULKAN NAME").
 *
 *     OPENCL MP@wg
 *     { [x] = 0; [y] = 0; }
 *
 *     P0@wg 0, dev 0 (global int* x, global atomic_int* y) {
 *       *x = 1;
 *       atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_group);
 *     }
 *
 *     P1@wg 0, dev 0 (global int* x, global atomic_int* y) {
 *       int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
 *       int r1 = *x;
 *     }
 *
 *     exists (1:r0=1 /\ 1:r1=0)
 *
 * A test never changes, and owns all that it points to. Each thread has two forms: a
 * tree, which can be printed, and flat code (litmus/code.h), which can be run.
 *
 * The meaning of a test where C and herd leave it open:
 *
 * - A register belongs to a thread, not to a block, as in herd, and is initially 0. An
 *   inner block may not redeclare a register of an enclosing block.
 * - `*x` is a plain access whatever the type of x, as in herd; in C11 it would be a
 *   seq_cst access if x is atomic. An operation atomic_...() is atomic even if x is a
 *   plain int. A location is atomic if any of its declarations is.
 * - Operands are evaluated from left to right. Arithmetic has C's types and
 *   conversions, and wraps around where C has undefined behaviour; litmus/code.h lists
 *   the faults.
 * - A pointer may only be used as an address. A location is a single object: x + e is x
 *   if e is 0, and a fault otherwise.
 * - `=>` binds tighter than /\, which binds tighter than \/, as in herd.
 * - A `local` location belongs to a group: a test in which threads of two groups name
 *   it is refused. */
#ifndef WEIRI_LITMUS_H
#define WEIRI_LITMUS_H

#include "weir-kernel.h"

#include "model/paths.h"

#include <glib.h>

/* The error of a text: one line, `FILE:LINE:COLUMN: message`. */
#define WEIRI_LITMUS_ERROR (weiri_litmus_error_quark())
enum weiri_litmus_error { WEIRI_LITMUS_ERROR_TEXT };
GQuark weiri_litmus_error_quark(void);

/* A place in the text, from 1; columns count characters. */
struct weiri_litmus_place {
    uint32_t line;
    uint32_t column;
};

/* Types of values, in the order of C's conversions: the common type of two is the later
 * one. Values are int64_t within the range of their type. */
enum weiri_litmus_type {
    WEIRI_LITMUS_VOID, /* no value: atomic_store() */
    WEIRI_LITMUS_BOOL,
    WEIRI_LITMUS_INT,
    WEIRI_LITMUS_UINT, /* of 32 bits, as int is */
    WEIRI_LITMUS_LONG, /* of 64 bits */
};

/* Functions of two values: name, text, and precedence as an operator of C, or 0 if it
 * is not an operator. EXCHANGE (its second operand), MIN and MAX occur in
 * read-modify-writes. FIRST is its first operand, but depends on both. */
#define WEIRI_LITMUS_FUNCTIONS(X)                                                      \
    X(LOGICAL_OR, "||", 1)                                                             \
    X(LOGICAL_AND, "&&", 2)                                                            \
    X(OR, "|", 3)                                                                      \
    X(XOR, "^", 4)                                                                     \
    X(AND, "&", 5)                                                                     \
    X(EQUAL, "==", 6)                                                                  \
    X(UNEQUAL, "!=", 6)                                                                \
    X(LESS, "<", 7)                                                                    \
    X(GREATER, ">", 7)                                                                 \
    X(AT_MOST, "<=", 7)                                                                \
    X(AT_LEAST, ">=", 7)                                                               \
    X(SHIFT_LEFT, "<<", 8)                                                             \
    X(SHIFT_RIGHT, ">>", 8)                                                            \
    X(ADD, "+", 9)                                                                     \
    X(SUBTRACT, "-", 9)                                                                \
    X(MULTIPLY, "*", 10)                                                               \
    X(DIVIDE, "/", 10)                                                                 \
    X(MODULO, "%", 10)                                                                 \
    X(EXCHANGE, "exchange", 0)                                                         \
    X(MIN, "min", 0)                                                                   \
    X(MAX, "max", 0)                                                                   \
    X(FIRST, "first", 0)

enum weiri_litmus_function {
#define X(name, text, precedence) WEIRI_LITMUS_##name,
    WEIRI_LITMUS_FUNCTIONS(X)
#undef X
};

enum weiri_litmus_access_kind {
    WEIRI_LITMUS_READ,
    WEIRI_LITMUS_WRITE,
    WEIRI_LITMUS_UPDATE,  /* read-modify-write */
    WEIRI_LITMUS_COMPARE, /* compare-exchange */
};

struct weiri_litmus_expression;

/* A memory access of an expression. */
struct weiri_litmus_access {
    enum weiri_litmus_access_kind kind;
    uint32_t location;
    const struct weiri_litmus_expression *offset;  /* of the address; or NULL */
    const struct weiri_litmus_expression *operand; /* NULL for READ; of COMPARE the
                                                      desired value */
    enum weiri_litmus_function function;           /* UPDATE */
    bool atomic;                                   /* otherwise plain, with */
    memory_order order;                            /* relaxed, */
    memory_order failure;                          /* COMPARE */
    memory_scope scope;                            /* and work_item */
    bool weak;                                     /* COMPARE */
    bool expects_register;                         /* COMPARE: `expected` is &r;
                                                      otherwise a location */
    uint32_t expected; /* COMPARE: that register or location, which is read first,
                          and written on failure */
};

enum weiri_litmus_expression_kind {
    WEIRI_LITMUS_CONSTANT,
    WEIRI_LITMUS_REGISTER,
    WEIRI_LITMUS_NEGATION,   /* -a */
    WEIRI_LITMUS_COMPLEMENT, /* ~a */
    WEIRI_LITMUS_NOT,        /* !a */
    WEIRI_LITMUS_CAST,       /* (type)a */
    WEIRI_LITMUS_BINARY,     /* a FUNCTION b */
    WEIRI_LITMUS_TERNARY,    /* a ? b : c */
    WEIRI_LITMUS_ASSIGNMENT, /* register = a */
    WEIRI_LITMUS_ACCESS,
};

struct weiri_litmus_expression {
    enum weiri_litmus_expression_kind kind;
    enum weiri_litmus_type type;
    enum weiri_litmus_function function; /* BINARY */
    uint32_t reg;                        /* REGISTER, ASSIGNMENT */
    int64_t value;                       /* CONSTANT; not negative */
    const struct weiri_litmus_expression *a, *b, *c;
    const struct weiri_litmus_access *access;
    struct weiri_litmus_place place;
    uint32_t depth; /* of the tree; 1 without operands; the parser bounds it */
};

enum weiri_litmus_statement_kind {
    WEIRI_LITMUS_EVALUATE,
    WEIRI_LITMUS_DECLARE,
    WEIRI_LITMUS_BLOCK,
    WEIRI_LITMUS_IF,
    WEIRI_LITMUS_WHILE,
    WEIRI_LITMUS_DO,
    WEIRI_LITMUS_FOR,
    WEIRI_LITMUS_FENCE,
    WEIRI_LITMUS_BARRIER,
};

struct weiri_litmus_statement {
    enum weiri_litmus_statement_kind kind;
    struct weiri_litmus_place place;
    const struct weiri_litmus_statement *next; /* in the block */
    /* EVALUATE: the expression; DECLARE: the initial value, or NULL; otherwise the
     * condition, which a FOR may lack */
    const struct weiri_litmus_expression *expression;
    const struct weiri_litmus_statement *first; /* BLOCK, FOR; or NULL */
    const struct weiri_litmus_statement *body;  /* IF: if it holds; loops: the body */
    const struct weiri_litmus_statement *other; /* IF: if it does not hold; or NULL */
    const struct weiri_litmus_expression *step; /* FOR; or NULL */
    uint32_t reg;                               /* DECLARE */
    uint32_t label;                             /* BARRIER */
    unsigned spaces;                            /* FENCE, BARRIER: of enum weir_space */
    memory_order order;                         /* FENCE */
    memory_scope scope;                         /* FENCE, BARRIER */
};

struct weiri_litmus_location {
    const char *name;
    enum weiri_litmus_type type;
    bool atomic;
    bool is_volatile; /* its accesses are plain ones */
    enum weir_space space;
    int64_t initial;
};

/* A name for a location of a table of instructions: `s @ surface aliases x`. The first
 * ones are those of the locations, in their order.
 * @address: of the names of one virtual address the first one */
struct weiri_litmus_reference_name {
    const char *name;
    uint32_t location;
    uint32_t address;
    uint8_t proxy; /* of enum weiri_proxy */
};

/* An instruction of a table, or a label, as the text has it. */
struct weiri_litmus_line {
    const char *text;
    struct weiri_litmus_place place;
};

/* A location as a thread names it: `volatile atomic_int* x`. */
struct weiri_litmus_parameter {
    uint32_t location;
    bool atomic;
    bool is_volatile;
    bool is_const; /* the thread does not write to it */
};

struct weiri_litmus_register {
    const char *name;
    enum weiri_litmus_type type;
    int64_t initial;
    bool is_initial; /* it has an initial value in the head, `0:r1=3` */
    bool is_declared;
};

struct weiri_litmus_code;

struct weiri_litmus_thread {
    uint32_t group;              /* within its cluster; all are 0 without placements */
    uint32_t sub_group, cluster; /* of tables: within the group, within the device */
    uint32_t device;
    struct weiri_litmus_place place;
    uint32_t n_parameters;
    uint32_t n_registers;
    const struct weiri_litmus_parameter *parameters;
    const struct weiri_litmus_register *registers;
    const struct weiri_litmus_statement *body; /* a BLOCK; %NULL: */
    uint32_t n_lines;
    const struct weiri_litmus_line *lines; /* a column of a table */
    const struct weiri_litmus_code *code;
};

/* A register or, with the thread %WEIRI_LITMUS_MEMORY, a location: something with a
 * final value. */
struct weiri_litmus_term {
    uint32_t thread;
    uint32_t index;
};
#define WEIRI_LITMUS_MEMORY UINT32_MAX

enum weiri_litmus_condition_kind {
    WEIRI_LITMUS_TRUE,
    WEIRI_LITMUS_FALSE,
    WEIRI_LITMUS_IS,          /* left = value */
    WEIRI_LITMUS_ARE,         /* left = right */
    WEIRI_LITMUS_IS_BELOW,    /* left < value; of tables, as are the next two */
    WEIRI_LITMUS_IS_ABOVE,    /* left > value */
    WEIRI_LITMUS_ARE_ORDERED, /* left < right */
    WEIRI_LITMUS_IS_NOT,
    WEIRI_LITMUS_ALL,
    WEIRI_LITMUS_ANY,
    WEIRI_LITMUS_IMPLIES,
};

struct weiri_litmus_condition {
    enum weiri_litmus_condition_kind kind;
    struct weiri_litmus_term left, right;
    int64_t value;
    const struct weiri_litmus_condition *first; /* operand: IS_NOT has one, IMPLIES
                                                   two, ALL and ANY more */
    const struct weiri_litmus_condition *next;  /* operand of the same condition */
};

enum weiri_litmus_quantifier {
    WEIRI_LITMUS_EXISTS,
    WEIRI_LITMUS_NOT_EXISTS,
    WEIRI_LITMUS_FORALL,
};

enum weiri_litmus_form {
    WEIRI_LITMUS_C,
    WEIRI_LITMUS_OPENCL,
    WEIRI_LITMUS_PTX,
    WEIRI_LITMUS_VULKAN,
};

/** Whether the text is a table of instructions. */
static inline bool weiri_litmus_is_table(enum weiri_litmus_form form)
{
    return form >= WEIRI_LITMUS_PTX;
}

/**
 * weiri_litmus:
 * @name: from the first line
 * @form: of the text
 * @scoped: scopes of operations are stated: all forms but C
 * @placed: the test states the groups and devices of threads; otherwise each thread is
 *          a group of its own, and all are on one device
 * @notes: the lines between the name and the initial values: "Com=Rf Fr"
 * @labels: of barriers; "" for a barrier without a name
 * @filter: the executions that count, or %NULL
 * @condition: the proposition of the claim; `true` if the text has no claim
 * @listed: the terms of `locations`, in order and without duplicates
 * @observed: the terms whose values make up a state, from `locations` and from the
 *            condition, in the order in which states print them
 */
struct weiri_litmus {
    const char *name;
    enum weiri_litmus_form form;
    bool scoped;
    bool placed;
    uint32_t n_notes, n_locations, n_threads, n_labels, n_listed, n_observed;
    uint32_t n_references, n_thens;
    const struct weiri_litmus_reference_name *references;
    const uint32_t *first_threads, *then_threads; /* `ssw a b`, n_thens pairs */
    const char *const *notes;
    const struct weiri_litmus_location *locations;
    const struct weiri_litmus_thread *threads;
    const char *const *labels;
    const struct weiri_litmus_condition *filter;
    enum weiri_litmus_quantifier quantifier;
    const struct weiri_litmus_condition *condition;
    const struct weiri_litmus_term *listed;
    const struct weiri_litmus_term *observed;
    struct weiri_litmus_memory *memory; /* owns all parts of the test */
};

/**
 * weiri_litmus_parse:
 * @text: @bytes arbitrary bytes
 * @file: the name of the text in errors
 *
 * Takes time and memory proportional to @bytes.
 *
 * Returns: (transfer full): the test, or %NULL
 * Errors:  %WEIRI_LITMUS_ERROR_TEXT, with line and column
 */
struct weiri_litmus *weiri_litmus_parse(const char *text, size_t bytes,
                                        const char *file, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Whether the scope, as seen from one thread, includes the other. @scope: also
 *  %WEIRI_SCOPE_CLUSTER */
bool weiri_litmus_in_scope(const struct weiri_litmus *test, memory_scope scope,
                           uint32_t thread, uint32_t other);

/** %NULL is allowed. */
void weiri_litmus_free(struct weiri_litmus *test);

/** Returns: (transfer full): a text that is parsed to an equal test, places excepted */
char *weiri_litmus_print(const struct weiri_litmus *test);

/** Returns: (transfer full): the last line of that text, "exists (0:r0=1)" */
char *weiri_litmus_print_claim(const struct weiri_litmus *test);

/** Appends the name of a term in states and conditions, `0:r1` or `[x]`, to @text. */
void weiri_litmus_print_term(const struct weiri_litmus *test,
                             struct weiri_litmus_term term, GString *text);

/* Returns the value of a term in a final state. */
typedef int64_t weiri_litmus_value_fn(struct weiri_litmus_term term, const void *user);

/** Whether @left, and with @both also @right, are terms of the condition itself. */
bool weiri_litmus_has_terms(const struct weiri_litmus_condition *condition, bool both);

/** Whether a condition or filter holds. */
bool weiri_litmus_holds(const struct weiri_litmus_condition *condition,
                        weiri_litmus_value_fn *value, const void *user);

/* Returns the value of a term in a final state, as far as it is known. */
typedef struct weiri_symbolic weiri_litmus_known_fn(struct weiri_litmus_term term,
                                                    const void *user);

/* What a condition can be in a final state of which not all is known. */
enum {
    WEIRI_LITMUS_MAY_FAIL = 1,
    WEIRI_LITMUS_MAY_HOLD = 2,
};

/** Returns: a set of these */
unsigned weiri_litmus_outlook(const struct weiri_litmus_condition *condition,
                              weiri_litmus_known_fn *known, const void *user);

/**
 * weiri_litmus_state:
 *
 * Prints a final state: `0:r0=1,1:r0=0,[x]=1`. Terms are sorted by the bytes of their
 * names, so that registers come before locations. Different states of a test have
 * different texts.
 *
 * Returns: (transfer full)
 */
char *weiri_litmus_state(const struct weiri_litmus *test, weiri_litmus_value_fn *value,
                         const void *user);

#endif
