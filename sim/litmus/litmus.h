/* SPDX-License-Identifier: MIT
 *
 * litmus.h: a litmus test as a value: a few threads, the memory that they share, and
 * a claim about how all of it ends. Two forms of text are read and written: herd's C
 * ("C NAME") and the scoped one ("OPENCL NAME"), which adds groups, address spaces,
 * scopes and barriers.
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
 * A test is read-only once it is made, and all that it points to belongs to it. Each
 * thread is there twice: as a tree, which is what was written, and as flat code
 * (litmus/code.h), which is what runs.
 *
 * What a test means where C or herd leave it open:
 *
 * - Registers are of a thread, not of a block, as in herd; they are 0 before they are
 *   set. An inner block may not declare one that an enclosing block has.
 * - `*x` is a plain access whatever the type of x, as in herd; C11 would have it be an
 *   atomic one of order seq_cst where x is atomic. An operation atomic_...() is atomic
 *   though x be a plain int. A location is atomic where somebody declares it so.
 * - Operands are evaluated from left to right. Arithmetic has C's types and
 *   conversions and wraps round where C has undefined behaviour; see litmus/code.h for
 *   what else there is.
 * - A pointer may be used as an address and as nothing else. A location is one object:
 *   x + e is x where e is 0, and a fault where it is not.
 * - `=>` binds closer than /\, and that closer than \/, as in herd.
 * - A `local` location belongs to a group, so that threads of two groups cannot name
 *   it: such a test is refused. */
#ifndef WEIRI_LITMUS_H
#define WEIRI_LITMUS_H

#include "weir-kernel.h"

#include <glib.h>

/* What is wrong with a text: one line, `FILE:LINE:COLUMN: what`. */
#define WEIRI_LITMUS_ERROR (weiri_litmus_error_quark())
enum weiri_litmus_error { WEIRI_LITMUS_ERROR_TEXT };
GQuark weiri_litmus_error_quark(void);

/* Where something stands, from 1; columns count characters. */
struct weiri_litmus_place {
    uint32_t line;
    uint32_t column;
};

/* Types of values, in the order of C's conversions: of two, the later one wins. Values
 * are int64_t within the bounds of their type. */
enum weiri_litmus_type {
    WEIRI_LITMUS_VOID, /* no value: atomic_store() */
    WEIRI_LITMUS_BOOL,
    WEIRI_LITMUS_INT,
    WEIRI_LITMUS_UINT, /* of 32 bits, as int is */
    WEIRI_LITMUS_LONG, /* of 64 bits */
};

/* Functions of two values: name, text, precedence as an operator of C or 0 where it is
 * none. EXCHANGE, which is its second operand, MIN and MAX are of read-modify-writes;
 * FIRST is its first operand, and depends on both. */
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

/* What an expression does to memory. */
struct weiri_litmus_access {
    enum weiri_litmus_access_kind kind;
    uint32_t location;
    const struct weiri_litmus_expression *offset;  /* of the address, or NULL */
    const struct weiri_litmus_expression *operand; /* NULL for READ; COMPARE: desired */
    enum weiri_litmus_function function;           /* UPDATE */
    bool atomic;                                   /* else plain, and: */
    memory_order order;                            /* relaxed */
    memory_order failure;                          /* COMPARE */
    memory_scope scope;                            /* work_item */
    bool weak;                                     /* COMPARE */
    bool expects_register;                         /* COMPARE: &r, not a location */
    uint32_t expected; /* COMPARE: a register or location, read before and written
                          on failure */
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
    uint32_t depth; /* of the tree; 1 without operands. Bounded by the parser. */
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
    /* EVALUATE: what; DECLARE: the first value, or NULL; else the condition, which a
     * FOR may lack */
    const struct weiri_litmus_expression *expression;
    const struct weiri_litmus_statement *first; /* BLOCK, FOR; or NULL */
    const struct weiri_litmus_statement *body;  /* IF: if so */
    const struct weiri_litmus_statement *other; /* IF: if not; or NULL */
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
    bool is_volatile; /* such accesses are plain ones */
    enum weir_space space;
    int64_t initial;
};

/* A location as a thread names it: `volatile atomic_int* x`. */
struct weiri_litmus_parameter {
    uint32_t location;
    bool atomic;
    bool is_volatile;
    bool is_const; /* the thread does not write it */
};

struct weiri_litmus_register {
    const char *name;
    enum weiri_litmus_type type;
    int64_t initial;
    bool is_initial; /* among the initial values, `0:r1=3` */
    bool is_declared;
};

struct weiri_litmus_code;

struct weiri_litmus_thread {
    uint32_t group; /* of its device; both 0 without placements */
    uint32_t device;
    struct weiri_litmus_place place;
    uint32_t n_parameters;
    uint32_t n_registers;
    const struct weiri_litmus_parameter *parameters;
    const struct weiri_litmus_register *registers;
    const struct weiri_litmus_statement *body; /* a BLOCK */
    const struct weiri_litmus_code *code;
};

/* Something that has a value in the end: a register, or a location, of thread
 * %WEIRI_LITMUS_MEMORY. */
struct weiri_litmus_term {
    uint32_t thread;
    uint32_t index;
};
#define WEIRI_LITMUS_MEMORY UINT32_MAX

enum weiri_litmus_condition_kind {
    WEIRI_LITMUS_TRUE,
    WEIRI_LITMUS_FALSE,
    WEIRI_LITMUS_IS,  /* left = value */
    WEIRI_LITMUS_ARE, /* left = right */
    WEIRI_LITMUS_IS_NOT,
    WEIRI_LITMUS_ALL,
    WEIRI_LITMUS_ANY,
    WEIRI_LITMUS_IMPLIES,
};

struct weiri_litmus_condition {
    enum weiri_litmus_condition_kind kind;
    struct weiri_litmus_term left, right;
    int64_t value;
    const struct weiri_litmus_condition *first; /* of the operands: NEITHER has one,
                                                   IMPLIES two, ALL and ANY more */
    const struct weiri_litmus_condition *next;  /* of the operands of the same */
};

enum weiri_litmus_quantifier {
    WEIRI_LITMUS_EXISTS,
    WEIRI_LITMUS_NOT_EXISTS,
    WEIRI_LITMUS_FORALL,
};

/**
 * weiri_litmus:
 * @name: of the test
 * @scoped: in the scoped form
 * @placed: the threads have groups and devices; else each is a group of its own, all on
 *          one device
 * @notes: between the name and the initial values, a line each: "Com=Rf Fr"
 * @labels: of barriers; the one without a name is ""
 * @filter: which executions count, or %NULL
 * @condition: of the claim; without one in the text, that all executions are true
 * @listed: `locations`, in its order, each once
 * @observed: what a state tells: what is listed and what is in the condition, in the
 *            order in which it tells them
 */
struct weiri_litmus {
    const char *name;
    bool scoped;
    bool placed;
    uint32_t n_notes, n_locations, n_threads, n_labels, n_listed, n_observed;
    const char *const *notes;
    const struct weiri_litmus_location *locations;
    const struct weiri_litmus_thread *threads;
    const char *const *labels;
    const struct weiri_litmus_condition *filter;
    enum weiri_litmus_quantifier quantifier;
    const struct weiri_litmus_condition *condition;
    const struct weiri_litmus_term *listed;
    const struct weiri_litmus_term *observed;
    struct weiri_litmus_memory *memory; /* that all of this lies in */
};

/**
 * weiri_litmus_parse:
 * @text: of @bytes bytes, which may be any
 * @file: what errors call it
 *
 * Takes time and memory in proportion to @bytes.
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIRI_LITMUS_ERROR_TEXT, with line and column
 */
struct weiri_litmus *weiri_litmus_parse(const char *text, size_t bytes,
                                        const char *file, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** %NULL is allowed. */
void weiri_litmus_free(struct weiri_litmus *test);

/** A text that is parsed to an equal value, places aside. Returns: (transfer full) */
char *weiri_litmus_print(const struct weiri_litmus *test);

/** Its last line, "exists (0:r0=1)". Returns: (transfer full) */
char *weiri_litmus_print_claim(const struct weiri_litmus *test);

/** What a term is called in states and conditions, `0:r1` or `[x]`, onto @text. */
void weiri_litmus_print_term(const struct weiri_litmus *test,
                             struct weiri_litmus_term term, GString *text);

/* Tells the value of a term in some final state. */
typedef int64_t weiri_litmus_value_fn(struct weiri_litmus_term term, const void *user);

/** Whether a condition or filter holds. */
bool weiri_litmus_holds(const struct weiri_litmus_condition *condition,
                        weiri_litmus_value_fn *value, const void *user);

/**
 * weiri_litmus_state:
 *
 * A final state as text: `0:r0=1,1:r0=0,[x]=1`. What is observed stands in the order of
 * the bytes of its name, so that registers come before locations; states of one test
 * are told apart by their text.
 *
 * Returns: (transfer full)
 */
char *weiri_litmus_state(const struct weiri_litmus *test, weiri_litmus_value_fn *value,
                         const void *user);

#endif
