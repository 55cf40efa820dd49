/* SPDX-License-Identifier: MIT
 *
 * table.h: shared by the files that read the tables of instructions of PTX and Vulkan.
 * From the bottom: table-ptx.c and table-vulkan.c state what each form has;
 * table-alias.c has the names of locations; table-name.c reads the names of
 * instructions, and table-cell.c the rest of them;
 * table-code.c makes the code of a thread; table.c reads the frame.
 *
 * The name of an instruction is made of words, `st.atom.rel.dv.sc0.semsc0`. The first
 * ones are its mnemonic, `st.atom`, which has a row in a table. Each of the others
 * belongs to a part. The parts of a row have a fixed order. */
#ifndef WEIRI_LITMUS_TABLE_H
#define WEIRI_LITMUS_TABLE_H

#include "litmus/parser.h"

/* Parts, in the order in which a name has them. */
enum weiri_litmus_part {
    WEIRI_LITMUS_PART_FORM, /* volatile, nonpriv */
    WEIRI_LITMUS_PART_ORDER,
    WEIRI_LITMUS_PART_SCOPE,
    WEIRI_LITMUS_PART_STORAGE,   /* sc0 */
    WEIRI_LITMUS_PART_SEMANTICS, /* semsc0, any number of them */
    WEIRI_LITMUS_PART_MAKES,     /* semav, semvis */
    WEIRI_LITMUS_PART_PROXY,
    WEIRI_LITMUS_PART_SPACE, /* of a proxy fence, global */
    WEIRI_LITMUS_PART_FUNCTION,
    WEIRI_LITMUS_N_PARTS,
};

/* Beside those of memory_order: */
enum { WEIRI_LITMUS_WEAK = memory_order_seq_cst + 1 };
/* In place of an order, a scope or a function: */
enum { WEIRI_LITMUS_UNSTATED = -1 };

/* Words of the part FORM. */
enum weiri_litmus_form_word {
    WEIRI_LITMUS_NO_FORM,
    WEIRI_LITMUS_VOLATILE,
    WEIRI_LITMUS_MMIO,
    WEIRI_LITMUS_CACHED, /* cg, ca, nc, whose accesses are weak */
    WEIRI_LITMUS_ASYNC,
    WEIRI_LITMUS_NONPRIVATE,
    WEIRI_LITMUS_AVAILABLE,
    WEIRI_LITMUS_VISIBLE,
};

/* In place of a function: */
enum { WEIRI_LITMUS_CAS = WEIRI_LITMUS_FIRST + 1 };

struct weiri_litmus_word {
    const char *text;
    enum weiri_litmus_part part;
    int value;
};

/* What an instruction does, and which operands it has: r a register, x a location, v a
 * register or a number, n a number. */
enum weiri_litmus_shape {
    WEIRI_LITMUS_SHAPE_READ,    /* r, x; or r, n, which is a move */
    WEIRI_LITMUS_SHAPE_WRITE,   /* x, v */
    WEIRI_LITMUS_SHAPE_UPDATE,  /* r, x, v; of cas r, x, v, v */
    WEIRI_LITMUS_SHAPE_REDUCE,  /* x, v */
    WEIRI_LITMUS_SHAPE_FENCE,   /* none */
    WEIRI_LITMUS_SHAPE_BARRIER, /* n[, v[, n]] */
    WEIRI_LITMUS_SHAPE_MOVE,    /* r, v */
    WEIRI_LITMUS_SHAPE_COMPUTE, /* r, v, v */
    WEIRI_LITMUS_SHAPE_BRANCH,  /* v, v, LABEL */
    WEIRI_LITMUS_SHAPE_JUMP,    /* LABEL */
    /* With barrier objects: */
    WEIRI_LITMUS_SHAPE_INIT,          /* x, n */
    WEIRI_LITMUS_SHAPE_ARRIVE,        /* x */
    WEIRI_LITMUS_SHAPE_ARRIVE_EXPECT, /* x, n */
    WEIRI_LITMUS_SHAPE_EXPECT,        /* x, n */
    WEIRI_LITMUS_SHAPE_COMPLETE,      /* x, n */
    WEIRI_LITMUS_SHAPE_TRY_WAIT,      /* r, x */
};

/**
 * weiri_litmus_mnemonic:
 * @parts: that may follow, a set
 * @needs: that must follow, a set
 * @orders: that may be stated, a set; with %WEIRI_LITMUS_WEAK
 * @order: without a stated one
 * @scope: without a stated one
 * @flags: of enum weiri_trait
 * @proxy: of enum weiri_proxy
 * @meets: of a barrier
 * @function: COMPUTE, BRANCH
 */
struct weiri_litmus_mnemonic {
    const char *name;
    enum weiri_litmus_shape shape;
    unsigned parts, needs, orders;
    int order, scope;
    uint16_t flags;
    uint8_t proxy;
    uint8_t meets;
    enum weiri_litmus_function function;
};

/* The name of an instruction, as it has been read. */
struct weiri_litmus_operation {
    const struct weiri_litmus_mnemonic *row;
    struct weiri_litmus_token name; /* all of it, without blanks */
    enum weiri_litmus_form_word form;
    int order, scope;
    unsigned storage, semantics, makes; /* sets */
    uint8_t proxy;
    bool has_proxy; /* it is stated */
    int function;
};

/* A word, or the first words of a name, that users may write, and why they must not. */
struct weiri_litmus_refusal {
    const char *text;
    const char *why;
};

/* A word of a placement, `cta 0`. */
struct weiri_litmus_level {
    const char *word;
    size_t offset; /* of its number in struct weiri_litmus_thread */
    bool is_optional;
};

/* What one of the forms has. Arrays end with a row of zeros. */
struct weiri_litmus_dialect {
    const char *name;
    const struct weiri_litmus_mnemonic *mnemonics;
    const struct weiri_litmus_word *words;
    const struct weiri_litmus_refusal *refusals;
    const struct weiri_litmus_level *levels;
    /* Sets orders, scope and traits of the instruction; refuses what the form does not
     * have. */
    bool (*complete)(struct weiri_litmus_parser *parser,
                     const struct weiri_litmus_operation *operation,
                     struct weiri_litmus_instruction *to);
};

extern const struct weiri_litmus_dialect weiri_litmus_ptx, weiri_litmus_vulkan;

/** Returns: that of the test that is being read */
const struct weiri_litmus_dialect *weiri_litmus_dialect(
    const struct weiri_litmus_parser *parser);

/* A name that may be accessed. */
struct weiri_litmus_alias_draft {
    struct weiri_litmus_reference_name value; /* @address counts drafts */
    bool is_alias;
};

/* A thread that `ssw` names. */
struct weiri_litmus_then {
    uint32_t thread;
    struct weiri_litmus_place place;
};

/** Whether the text names a register: r0. */
bool weiri_litmus_is_register(const struct weiri_litmus_token *token);

/** Returns: the number of the draft of that name, which is made a location if it is
 *  new */
uint32_t weiri_litmus_name_of(struct weiri_litmus_parser *parser,
                              const struct weiri_litmus_token *name);

/** Whether there is a draft of that name. */
bool weiri_litmus_has_name(struct weiri_litmus_parser *parser,
                           const struct weiri_litmus_token *name);

/** Returns: the draft, which is valid until another one is added */
struct weiri_litmus_alias_draft *weiri_litmus_name_at(
    struct weiri_litmus_parser *parser, uint32_t number);

/** Returns: the number of the draft, which is new */
uint32_t weiri_litmus_add_name(struct weiri_litmus_parser *parser,
                               const struct weiri_litmus_alias_draft *draft);

/** Sets the names of the test, those of locations first. Returns: (transfer full): by
 *  draft, the number of its address */
uint32_t *weiri_litmus_finish_names(struct weiri_litmus_parser *parser);

/** Reads the name of an instruction. */
bool weiri_litmus_read_operation(struct weiri_litmus_parser *parser,
                                 struct weiri_litmus_operation *operation);

/** Refuses a name without a part that its row needs. */
bool weiri_litmus_has_parts(struct weiri_litmus_parser *parser,
                            const struct weiri_litmus_operation *operation);

/** Reads the operands of an operation on a barrier object, and sets what it does to its
 *  location; see table-object.c. @read_location: reads one */
bool weiri_litmus_read_object(
    struct weiri_litmus_parser *parser, struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_operation *operation, struct weiri_litmus_instruction *to,
    bool (*read_location)(struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to));

/** Appends what follows the instruction, which has been appended. */
void weiri_litmus_end_object(struct weiri_litmus_thread_draft *thread,
                             const struct weiri_litmus_instruction *made,
                             enum weiri_litmus_shape shape);

/** Reads the cell of a thread, which may be empty. */
bool weiri_litmus_parse_cell(struct weiri_litmus_parser *parser,
                             struct weiri_litmus_thread_draft *thread);

/** Appends the parts of a table between the notes and the claim. */
void weiri_litmus_print_table(const struct weiri_litmus *test, GString *text);

/* ---- table-code.c: code whose jumps lead to labels ------------------------------- */

/** The drafts of the thread's code; for any form. */
void weiri_litmus_init_column(struct weiri_litmus_thread_draft *thread);
void weiri_litmus_clear_column(struct weiri_litmus_thread_draft *thread);

/** In place of a slot: one of the thread whose value is used by the next instruction
 *  only. */
#define WEIRI_LITMUS_SCRATCH (WEIRI_LITMUS_NO_SLOT - 1)

/** Returns: an instruction to be appended, that does nothing */
struct weiri_litmus_instruction weiri_litmus_table_instruction(
    enum weiri_litmus_op op, struct weiri_litmus_place place);

/** Returns: the number of the thread's label of that name */
uint32_t weiri_litmus_label_of(struct weiri_litmus_parser *parser,
                               struct weiri_litmus_thread_draft *thread,
                               const struct weiri_litmus_token *name);

/** Puts the label before the next instruction. */
bool weiri_litmus_put_label(struct weiri_litmus_parser *parser,
                            struct weiri_litmus_thread_draft *thread,
                            const struct weiri_litmus_token *name);

/** Sets the code of a thread. @references: by draft: the number of the name */
bool weiri_litmus_finish_code(struct weiri_litmus_parser *parser, uint32_t thread,
                              const uint32_t *references);

#endif
