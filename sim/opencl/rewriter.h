/* SPDX-License-Identifier: MIT
 *
 * rewriter.h: what the files rewrite*.c share: the module that is rewritten, and the
 * function of it that is. A function is written to two strings, since values that are
 * needed throughout are asked for at its start: `entry`, and behind it `body`. */
#ifndef WEIRI_REWRITER_H
#define WEIRI_REWRITER_H

#include "opencl/ir.h"
#include "opencl/rewrite.h"

/**
 * weiri_rewriter_global: a variable of the module
 * @type: of the variable
 * @name: in the source
 * @space: of the SPIR-V target: 1 global, 2 constant, 3 local
 * @hides: its address is asked for at the start of each function: local memory; and in
 *         checked code constants, whose reads would have no hooks
 * @file: where it is declared, with @line
 * @element_bytes: of an array, those of what its elements are made of; else @bytes
 */
struct weiri_rewriter_global {
    char *type;
    char *name;
    unsigned space;
    bool hides;
    char *file;
    unsigned line;
    size_t bytes, element_bytes;
};

struct weiri_rewriter {
    struct weiri_ir_tables tables;
    GHashTable *prototypes; /* name: struct weiri_ir_call */
    bool checked;
    bool alone;
    bool opaque; /* pointers are `ptr` */
    unsigned number;
    GHashTable *renamed;   /* "@f": "@cl.f" */
    GHashTable *functions; /* a set of "@cl.f": functions that take the item */
    GHashTable *called;    /* a set of "@f" */
    GHashTable *globals;   /* "@k.t": struct weiri_rewriter_global */
    GHashTable *declared;  /* lines that declare, a set */
    GHashTable *texts;     /* a string: its global */
    GString *tail;         /* of the module: sites, texts, declarations */
    GPtrArray *missing;
    unsigned count; /* of values and sites, for their names */

    /* Of the function that is rewritten. */
    GString *entry, *body;
    GHashTable *hoisted;  /* a text: the value at the start that replaces it */
    GHashTable *late;     /* what is read where it is used: see rewrite-parts.c */
    GHashTable *own;      /* a set of values: private variables that are not watched */
    GPtrArray *variables; /* in checked code: see rewrite-private.c, */
    GHashTable *variable_names; /* by the names of its values */
    char *function;             /* for sites: "k__body" of kernel k */
    const char *subprogram;     /* its metadata; borrowed */
    size_t private_bytes, local_bytes;
    size_t slot;    /* of a kernel: for the address of its next array, see K__keep() in
                       rewrite-kernel.c; or 0 */
    GString *keeps; /* the body of K__keep() */
};

/**
 * weiri_rewriter_local: an array of local memory
 * @file: where it is declared, with @line
 * @count: of its elements, a constant, or a value that K__cl() and K__keep() have
 * @result: the value of @type that the address becomes
 */
struct weiri_rewriter_local {
    const char *file;
    unsigned line;
    const char *name;
    const char *count;
    size_t element_bytes;
    const char *result, *type;
};

/** "i8*", or "ptr"; "T*" of a type. The latter is (transfer full). */
const char *weiri_rewriter_bytes(const struct weiri_rewriter *rewriter);
char *weiri_rewriter_pointer(const struct weiri_rewriter *rewriter, const char *type);

/** A name for a value: "%weiri.12". Returns: (transfer full) */
char *weiri_rewriter_value(struct weiri_rewriter *rewriter);

/** The type and the value of the item, as a parameter and as an argument: borrowed. */
const char *weiri_rewriter_item(const struct weiri_rewriter *rewriter);

/** A string constant: "i8* getelementptr (…)". Returns: (transfer full) */
char *weiri_rewriter_text(struct weiri_rewriter *rewriter, const char *text);

/** A site, as an argument. Returns: (transfer full) */
char *weiri_rewriter_site(struct weiri_rewriter *rewriter, const char *file,
                          unsigned line, const char *name);

/** The file and the line that "!dbg" of an instruction names; @file is (transfer
 *  full). */
void weiri_rewriter_place(const struct weiri_rewriter *rewriter, const char *line,
                          char **file, unsigned *number);

/** The size of an element of an array, of arrays too, or of another type. */
size_t weiri_rewriter_element_bytes(const struct weiri_rewriter *rewriter,
                                    const char *type);

/** Adds a declaration to the module, once. */
void weiri_rewriter_declare(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-target.c ------------------------------------------------------ */

/**
 * weiri_rewriter_call_c: adds a call of a C function of the builtins to @out
 * @target: "weiri_cl_barrier"
 * @result: "%3", or %NULL
 * @type: that the result has where the call stood
 * @operands: @n of them
 * @place: ", !dbg !3", or ""
 *
 * Returns: false where there is no such function, or its types differ; and nothing is
 *          added
 */
bool weiri_rewriter_call_c(struct weiri_rewriter *rewriter, GString *out,
                           const char *target, const char *result, const char *type,
                           const struct weiri_ir_operand *operands, size_t n,
                           const char *place);

/* ---- rewrite-names.c ------------------------------------------------------- */

/** The line with hidden variables replaced, and names that are renamed. Returns:
 *  (transfer full) */
char *weiri_rewriter_names(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-memory.c ------------------------------------------------------ */

/** Adds an instruction to the body; in checked code, accesses in their checked form. */
void weiri_rewriter_add_access(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-alignment.c ------------------------------------------------ */

/** In checked code: looks at the address of a vector before @access. The hooks of that
 *  ask for @hooked bytes of alignment; @pointer: the address, with names replaced. */
void weiri_rewriter_add_alignment(struct weiri_rewriter *rewriter,
                                  const struct weiri_ir_access *access,
                                  const char *pointer, size_t hooked);

/* ---- rewrite-private.c -------------------------------------------------- */

/** Finds the private variables of the function at @lines that are to be watched: those
 *  whose bytes may be read before they are written. */
void weiri_rewriter_find_private(struct weiri_rewriter *rewriter, char **lines);
void weiri_rewriter_forget_private(struct weiri_rewriter *rewriter);

/** Whether the value @name is the address of one. */
bool weiri_rewriter_watches(const struct weiri_rewriter *rewriter, const char *name);

/** Tells the machine of variables that begin with @line, which has been added. */
void weiri_rewriter_begin_private(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-parts.c ------------------------------------------------------- */

/* An assignment to elements of a vector, or a read of some of them. */
struct weiri_rewriter_parts {
    guint n_lines;     /* of the function */
    size_t n;          /* elements of the vector */
    uint64_t elements; /* that are accessed: a bit each */
    char *index;       /* of the one that is, if it is not known: "i32 %5" */
    bool all;          /* all of them are */
    char *used;        /* of a read: the value whose elements are taken */
    bool narrow;       /* it is three of the four that are loaded */
    struct weiri_ir_access load, store;
};

/** Whether an assignment to elements begins at @lines. If so, *@parts is to be
 *  cleared. */
bool weiri_rewriter_parts_find(char **lines, struct weiri_rewriter_parts *parts);
void weiri_rewriter_parts_clear(struct weiri_rewriter_parts *parts);

/** Adds an access of elements that begins at @lines. Returns: how many lines it is; 0
 *  where they begin with none, and the line is to be added */
guint weiri_rewriter_parts(struct weiri_rewriter *rewriter, char **lines);

/** For the reads of a function. */
GHashTable *weiri_rewriter_parts_table(void);

/* ---- rewrite-call.c -------------------------------------------------------- */

/** Adds a call to the body; @line is one that weiri_rewriter_names() returned. Returns:
 *  false where it is not a call */
bool weiri_rewriter_call(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-divide.c ------------------------------------------------------------ */

/** Adds a division of integers to the body that has a value for any divisor. Returns:
 *  false where the line is none, or needs no care */
bool weiri_rewriter_divide(struct weiri_rewriter *rewriter, const char *line);

/* ---- rewrite-integer.c ----------------------------------------------------------- */

struct weiri_mangled;

/** The same for functions of integers that libclc lacks. */
bool weiri_rewriter_integer(struct weiri_rewriter *rewriter,
                            const struct weiri_ir_call *call,
                            const struct weiri_mangled *mangled, const char *place);

/* ---- rewrite-builtin.c -------------------------------------------------- */

/** Adds what a builtin is as instructions, if it is one that is written so. */
bool weiri_rewriter_builtin(struct weiri_rewriter *rewriter,
                            const struct weiri_ir_call *call, const char *place);

/* ---- rewrite-kernel.c --------------------------------------------------- */

/** Adds what asks for an array to @code. */
void weiri_rewriter_local(struct weiri_rewriter *rewriter, GString *code,
                          const struct weiri_rewriter_local *local);

/** Reads the kernel of @header, before its body is rewritten. @line is that of the
 *  source, with its address spaces. */
void weiri_rewriter_begin_kernel(struct weiri_rewriter *rewriter,
                                 const struct weiri_ir_call *header, const char *line,
                                 struct weiri_rewrite_kernel *about);

/** Adds it to @kernels, and K__cl() and K__keep() to the module. */
void weiri_rewriter_end_kernel(struct weiri_rewriter *rewriter,
                               const struct weiri_ir_call *header,
                               struct weiri_rewrite_kernel *about, GArray *kernels);

#endif
