/* SPDX-License-Identifier: MIT
 *
 * parser.h: shared by the files of the litmus parser. From the bottom: names.c has
 * memory, names and terms; types.c the words of types; tree.c the nodes of expressions;
 * operation.c memory accesses; expression.c expressions; statement.c bodies of threads;
 * thread.c heads of threads; condition.c claims; parse.c the frame. compile.c and
 * spin.c then work on the finished tree. A table of instructions has no tree: table.c
 * reads it, and sets the code of its threads. The header describes the inside of one
 * module, and so has more functions than other headers.
 *
 * All parsing functions work on one struct weiri_litmus_parser and fail like the
 * functions of litmus/lex.h. Texts may be hostile: every recursion is bounded by
 * WEIRI_LITMUS_MOST_DEPTH, counted by the lexer where the recursion follows the text,
 * and by the nodes where it follows a tree. All other costs are linear in the text. */
#ifndef WEIRI_LITMUS_PARSER_H
#define WEIRI_LITMUS_PARSER_H

#include "litmus/code.h"
#include "litmus/lex.h"

/* More than any test has, and few enough for a set of threads to fit in a word. */
enum { WEIRI_LITMUS_MOST_THREADS = 64 };

/* Locations, registers and threads while the text is being read. */
struct weiri_litmus_location_draft {
    struct weiri_litmus_location value;
    struct weiri_litmus_place place; /* of its initial value, or of its first use */
    bool is_initial;
    bool is_typed;
    uint32_t n_owners; /* threads that have it as a parameter */
    uint32_t owner;    /* the last one of them */
};

struct weiri_litmus_register_draft {
    struct weiri_litmus_register value;
    struct weiri_litmus_place place; /* of its initial value or last declaration */
    bool is_typed;
    bool is_open; /* its block is still being read */
};

struct weiri_litmus_thread_draft {
    struct weiri_litmus_thread value;
    GHashTable *names; /* interned name -> see weiri_litmus_find() */
    GArray *registers; /* of struct weiri_litmus_register_draft */
    GArray *parameters;
    struct weiri_litmus_place place; /* of the first initial value */
    /* The column of a table. */
    GArray *code;       /* of struct weiri_litmus_instruction */
    GArray *lines;      /* of struct weiri_litmus_line */
    GArray *marks;      /* labels; see table-code.c */
    GHashTable *labels; /* interned name -> index in @marks + 1 */
};

struct weiri_litmus_parser {
    struct weiri_litmus_lexer lex;
    struct weiri_litmus *test; /* owns all nodes */
    GString *scratch;
    GHashTable *locations; /* interned name -> index + 1 */
    GHashTable *labels;    /* likewise */
    GArray *drafts;        /* of locations */
    GArray *label_names;   /* of const char * */
    struct weiri_litmus_thread_draft threads[WEIRI_LITMUS_MOST_THREADS];
    struct weiri_litmus_thread_draft *thread; /* the thread that is being read */
    uint32_t n_threads;
    GArray *open;           /* of uint32_t: registers declared in open blocks */
    GHashTable *references; /* of a table: interned name -> index in @aliases + 1 */
    GArray *aliases;        /* of struct weiri_litmus_alias_draft */
    GArray *thens;          /* of struct weiri_litmus_then: the threads of `ssw`, in
                               pairs */
    /* The last postfix operation that was read, as r = r + 1. As an operand r++ is (r =
     * r + 1) - 1; as a statement the subtraction is dropped. */
    const struct weiri_litmus_expression *postfix;
};

/* ---- From text to a test -------------------------------------------------------- */

/** As weiri_litmus_parse(), but threads have no code yet. */
struct weiri_litmus *weiri_litmus_parse_text(const char *text, size_t bytes,
                                             const char *file, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Sets the code of all threads. */
void weiri_litmus_compile(struct weiri_litmus *test);

/** Adds to the code of all threads how iterations that change nothing are noticed. */
void weiri_litmus_find_spins(struct weiri_litmus *test);

/* ---- Memory of a test ------------------------------------------------------------ */

struct weiri_litmus_memory *weiri_litmus_memory_new(void);
void weiri_litmus_memory_free(struct weiri_litmus_memory *memory);

/** Returns: zeroed memory that lives as long as @memory */
void *weiri_litmus_memory_take(struct weiri_litmus_memory *memory, size_t bytes);

/** Returns: a copy of the elements of @array, which is emptied */
void *weiri_litmus_memory_keep(struct weiri_litmus_memory *memory, GArray *array);

/** Returns: the text of the token; equal texts have the same pointer */
const char *weiri_litmus_intern(struct weiri_litmus_parser *parser,
                                const struct weiri_litmus_token *token);

/* ---- Parts of a test ------------------------------------------------------------- */

/* The name of a register or location outside of threads. */
struct weiri_litmus_reference {
    bool is_register;
    uint32_t thread; /* of a register */
    struct weiri_litmus_token name;
    struct weiri_litmus_place place;
};

/** `0:r1`, `P0:r1`, `x` or `[x]`. */
bool weiri_litmus_parse_reference(struct weiri_litmus_parser *parser,
                                  struct weiri_litmus_reference *reference);

/** An integer with its sign. */
bool weiri_litmus_parse_number(struct weiri_litmus_parser *parser, int64_t *value);

/** Refuses @value if the type cannot represent it; @of is the name of the variable. */
bool weiri_litmus_check_range(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_place place,
                              enum weiri_litmus_type type, int64_t value,
                              const char *of);

/** Returns: the number of the thread that a token such as `P0` names, or -1 */
int weiri_litmus_thread_number(const struct weiri_litmus_token *token);

/** Returns: the location of that name, which is made if it is new */
struct weiri_litmus_location_draft *weiri_litmus_location_of(
    struct weiri_litmus_parser *parser, const struct weiri_litmus_token *name,
    uint32_t *index);

/** Returns: the register of that name, which is made if it is new */
struct weiri_litmus_register_draft *weiri_litmus_register_of(
    struct weiri_litmus_parser *parser, struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_token *name, uint32_t *index);

enum weiri_litmus_named {
    WEIRI_LITMUS_NOTHING,
    WEIRI_LITMUS_A_REGISTER,
    WEIRI_LITMUS_A_LOCATION,
};

/** The meaning of @name in the thread. */
enum weiri_litmus_named weiri_litmus_find(
    struct weiri_litmus_parser *parser, const struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_token *name, uint32_t *index);

/* Words of a type, `volatile global atomic_int`. */
struct weiri_litmus_words {
    enum weiri_litmus_type type;
    bool atomic, is_volatile, is_const, has_space;
    enum weir_space space;
};

/** Whether the token is a word of a type. */
bool weiri_litmus_is_type(const struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_token *token);
bool weiri_litmus_parse_type(struct weiri_litmus_parser *parser,
                             struct weiri_litmus_words *words);

/** From `P0` to the end of its body. */
bool weiri_litmus_parse_thread(struct weiri_litmus_parser *parser);

/** Reads statements into @block, up to the closing brace, which is not passed. */
bool weiri_litmus_parse_block(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_statement *block);

/** Reads a table of instructions, from the initial values to the last row. */
bool weiri_litmus_parse_table(struct weiri_litmus_parser *parser);

/** Sets the code of the threads of a table, after all threads have been finished. */
bool weiri_litmus_finish_table(struct weiri_litmus_parser *parser);

/** Returns: the number of the test's label of that name */
uint32_t weiri_litmus_barrier_label(struct weiri_litmus_parser *parser,
                                    const char *name);

/** Reads `locations`, `filter` and the claim, to the end of the text. */
bool weiri_litmus_parse_claim(struct weiri_litmus_parser *parser);

/* ---- Expressions ----------------------------------------------------------------- */

/** @wanted: whether the value of the expression is used. */
const struct weiri_litmus_expression *weiri_litmus_parse_expression(
    struct weiri_litmus_parser *parser, bool wanted);

/** Reads operators of at least the precedence @least. */
const struct weiri_litmus_expression *weiri_litmus_parse_binary(
    struct weiri_litmus_parser *parser, unsigned least);

/** `*x` and `*(x + e)`. */
const struct weiri_litmus_expression *weiri_litmus_parse_indirection(
    struct weiri_litmus_parser *parser);

/** `x[e]`, x being that location and the next token. */
const struct weiri_litmus_expression *weiri_litmus_parse_element(
    struct weiri_litmus_parser *parser, uint32_t location);

/** `atomic_...(...)`. */
const struct weiri_litmus_expression *weiri_litmus_parse_operation(
    struct weiri_litmus_parser *parser);

/** Refuses the next token, a name that the thread does not have. Returns: %NULL */
void *weiri_litmus_unknown(struct weiri_litmus_parser *parser);

/* Orders as a set, for weiri_litmus_parse_order(). */
#define WEIRI_LITMUS_ORDER(name) (1u << memory_order_##name)

/** @allowed: the orders that @operation may have. */
bool weiri_litmus_parse_order(struct weiri_litmus_parser *parser, unsigned allowed,
                              const char *operation, memory_order *order);

bool weiri_litmus_parse_scope(struct weiri_litmus_parser *parser, memory_scope *scope);

/* ---- Nodes of expressions: see litmus/tree.c ------------------------------------- */

/** Refuses an expression without a value. */
const struct weiri_litmus_expression *weiri_litmus_wanted(
    struct weiri_litmus_parser *parser, const struct weiri_litmus_expression *e);

const struct weiri_litmus_expression *weiri_litmus_make_constant(
    struct weiri_litmus_parser *parser, struct weiri_litmus_place place,
    enum weiri_litmus_type type, int64_t value);
const struct weiri_litmus_expression *weiri_litmus_make_register(
    struct weiri_litmus_parser *parser, struct weiri_litmus_place place, uint32_t reg);
/** @to: the type of a CAST. */
const struct weiri_litmus_expression *weiri_litmus_make_unary(
    struct weiri_litmus_parser *parser, enum weiri_litmus_expression_kind kind,
    enum weiri_litmus_type to, struct weiri_litmus_place place,
    const struct weiri_litmus_expression *a);
const struct weiri_litmus_expression *weiri_litmus_make_binary(
    struct weiri_litmus_parser *parser, enum weiri_litmus_function function,
    struct weiri_litmus_place place, const struct weiri_litmus_expression *a,
    const struct weiri_litmus_expression *b);
const struct weiri_litmus_expression *weiri_litmus_make_ternary(
    struct weiri_litmus_parser *parser, struct weiri_litmus_place place,
    const struct weiri_litmus_expression *a, const struct weiri_litmus_expression *b,
    const struct weiri_litmus_expression *c);
const struct weiri_litmus_expression *weiri_litmus_make_access(
    struct weiri_litmus_parser *parser, enum weiri_litmus_type type,
    struct weiri_litmus_place place, const struct weiri_litmus_access *access);

/** Whether it is a register or a plain read. */
bool weiri_litmus_is_assignable(const struct weiri_litmus_expression *e);
/** @to = @value; @to is assignable. */
const struct weiri_litmus_expression *weiri_litmus_make_assignment(
    struct weiri_litmus_parser *parser, struct weiri_litmus_place place,
    const struct weiri_litmus_expression *to,
    const struct weiri_litmus_expression *value);
/** @to = @to FUNCTION @by. */
const struct weiri_litmus_expression *weiri_litmus_make_change(
    struct weiri_litmus_parser *parser, struct weiri_litmus_place place,
    const struct weiri_litmus_expression *to, enum weiri_litmus_function function,
    const struct weiri_litmus_expression *by);

/* ---- Words that printing knows, too ---------------------------------------------- */

/** By memory_order and by memory_scope; terminated by %NULL. */
extern const char *const weiri_litmus_orders[];
extern const char *const weiri_litmus_scopes[];

/** As an operator of C; 0 if it is not an operator. */
unsigned weiri_litmus_precedence(enum weiri_litmus_function function);
const char *weiri_litmus_function_text(enum weiri_litmus_function function);
const char *weiri_litmus_type_text(enum weiri_litmus_type type, bool atomic);

/** The part of the name of an atomic operation: "fetch_add". */
const char *weiri_litmus_update_text(enum weiri_litmus_function function);

/** Whether the next token is an operator of two operands, and which one. */
bool weiri_litmus_at_function(const struct weiri_litmus_parser *parser,
                              enum weiri_litmus_function *function);

#endif
