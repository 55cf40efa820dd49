/* SPDX-License-Identifier: MIT
 *
 * clc.h: shared by the files of weir-opencl-cc: a source as clang's front end made it,
 * which is a module for SPIR-V, and the module of the machine that it becomes a part
 * of.
 *
 *     weir-opencl-cc.c   the steps, and their order
 *     types.c            types, constants and variables without address spaces
 *     convert.c          functions, an instruction at a time
 *     calls.c            calls: the program's own, the machine's builtins, libclc's
 *     builtins.c         builtins that are instructions, or libclc has in another form
 *     integers.c         divisions, and functions of integers
 *     private.c, parts.c, accesses.c
 *                        accesses of functions that are converted
 *     describe.c         descriptions of kernels, and the layout of their arguments
 *     kernels.c          the functions that load these and call kernels
 *     entries.c          the entries of kernels, and their table
 *     back.c             what LLVM does before and after; for CUDA, too
 *     template.c         entries, copied from a template's; for CUDA, too
 *     debug.c            names, files and lines, from debug information */
#ifndef WEIR_OPENCL_CC_CLC_H
#define WEIR_OPENCL_CC_CLC_H

#include "split/ir.h"
#include "split/llvm.h"
#include "split/parts.h"

/* Address spaces of SPIR-V. */
enum { WEIRI_CLC_PRIVATE, WEIRI_CLC_GLOBAL, WEIRI_CLC_CONSTANT, WEIRI_CLC_LOCAL };

/**
 * weiri_clc: a source that is being rewritten, and where it goes
 * @source: the front end's module
 * @module: of the machine: has the C functions of the builtins
 * @variables: defines the program's variables in global memory
 * @checked: for the checked entries: every access stays, and has a hook
 * @alone: it is the only source of its program
 * @number: of the source, from 0
 * @missing: what it calls and cannot know, in words; and what it defines though another
 *           source does, as a number and a name
 * @defined: (element-type utf8): of all sources, the functions and variables that
 *           others see, with the number of the first source that defines it, plus 1
 * @kernels: (element-type weiri_clc_kernel)
 */
struct weiri_clc {
    struct llvm_module *source, *module, *variables;
    struct llvm_layout *layout;
    bool checked, alone;
    unsigned number;
    GPtrArray *missing;
    GHashTable *defined;
    GPtrArray *kernels;
    struct llvm_debug *debug, *variables_debug; /* of module and variables */
    struct llvm_metadata *no_expression;
    GHashTable *types;      /* of the source -> of the module */
    GHashTable *globals[2]; /* of the source -> of the module, and variables */
    GHashTable *texts;      /* a string: its global */
    GHashTable *called;     /* functions of the source that it calls */

    /* The function that is being converted. */
    struct llvm_value *function, *item;
    struct llvm_builder *builder; /* where instructions are added */
    struct llvm_builder *frame;   /* at the very start, before all calls: variables */
    struct llvm_builder *start;   /* after them: values needed throughout */
    GHashTable *values;           /* of the source -> of the module */
    char *name;                   /* for sites: "k__body" of kernel k */
    GPtrArray *accesses;          /* loads and stores of the source */
    GHashTable *shared;  /* the ones that items may share: not in private memory */
    GHashTable *watched; /* in checked code: variables whose accesses have hooks */
    size_t private_bytes, local_bytes;
    size_t slot; /* of a kernel: for the address of its next array of local memory; or 0
                  */
    struct llvm_builder *keep; /* in K__keep(), if there is a slot */
    struct llvm_value *kept;   /* the parameter of K__keep() */
};

/* ---- types.c -------------------------------------------------------------- */

/** The type without address spaces. */
struct llvm_type *weiri_clc_type(struct weiri_clc *clc, struct llvm_type *type);
/** The value of the module for one of the source: in a function, any; NULL of what is
 *  not known. */
struct llvm_value *weiri_clc_value(struct weiri_clc *clc, struct llvm_value *value);
/** The function of the module for one of the source, which is declared if need be. */
struct llvm_value *weiri_clc_function(struct weiri_clc *clc, struct llvm_value *of);
/** Whether a function of the source gets the item: it is one of the program. */
bool weiri_clc_is_own(struct llvm_value *function);
/** Whether the source defines a variable in global memory that may change. */
bool weiri_clc_is_variable(struct llvm_value *global);
/** Defines all of these. */
void weiri_clc_define_variables(struct weiri_clc *clc);
/** The size of an element of an array, of arrays too; or of another type. */
size_t weiri_clc_element_bytes(const struct weiri_clc *clc, struct llvm_type *type);
size_t weiri_clc_bytes(const struct weiri_clc *clc, struct llvm_type *type);

/* ---- convert.c ------------------------------------------------------------ */

/** Copies the functions of the source into the module. */
void weiri_clc_convert(struct weiri_clc *clc);
/** Copies the attributes of a function, or of a call; @shift: of parameters. */
void weiri_clc_copy_attributes(struct weiri_clc *clc, struct llvm_value *from,
                               struct llvm_value *to, bool call, int shift);
void weiri_clc_copy_metadata(struct llvm_value *from, struct llvm_value *to);
void weiri_clc_miss(struct weiri_clc *clc, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- calls.c -------------------------------------------------------------- */

/** Adds the call @call of the source. Returns: its result */
struct llvm_value *weiri_clc_call(struct weiri_clc *clc, struct llvm_value *call);
/** Adds a call of a C function of the machine. @type: the result's; NULL for none.
 *  Returns: the result, or NULL if the machine's function is missing or has other
 *  types */
struct llvm_value *weiri_clc_call_c(struct weiri_clc *clc, struct llvm_builder *builder,
                                    const char *target, struct llvm_type *type,
                                    struct llvm_value **arguments, unsigned n);
/** A string constant, as i8 *; null of NULL. */
struct llvm_value *weiri_clc_text(struct weiri_clc *clc, const char *text);
struct llvm_value *weiri_clc_site(struct weiri_clc *clc, const char *file,
                                  unsigned line, const char *name);
/** Calls a function that has the name and type, and is declared if need be. */
struct llvm_value *weiri_clc_call_named(struct weiri_clc *clc, const char *name,
                                        struct llvm_type *result,
                                        struct llvm_value **arguments, unsigned n);

/* ---- builtins.c, integers.c, reals.c -------------------------------------- */

struct weiri_mangled;

/** Adds what a builtin is as instructions, if it is one that is written so; its
 *  operands are @arguments. Returns: the result, or any value; NULL: it is another */
struct llvm_value *weiri_clc_builtin(struct weiri_clc *clc, struct llvm_value *call,
                                     const char *name, struct llvm_value **arguments,
                                     unsigned n);
struct llvm_value *weiri_clc_integer(struct weiri_clc *clc, struct llvm_type *type,
                                     const struct weiri_mangled *mangled,
                                     struct llvm_value **arguments, unsigned n);
struct llvm_value *weiri_clc_real(struct weiri_clc *clc, struct llvm_type *type,
                                  const char *name, const struct weiri_mangled *mangled,
                                  struct llvm_value **arguments, unsigned n);
/** The bits of the number that is nearest in the direction which ends @name: "_rtp",
 *  "_rtn", "_rtz"; else @near. The nearest number, @near, is @below or @above the exact
 *  one. If it lies on the wrong side, the result is its neighbour, whose bits as an
 *  integer differ by 1; infinity is the neighbour of the greatest number. */
struct llvm_value *weiri_clc_step(struct weiri_clc *clc, const char *name,
                                  struct llvm_value *near, struct llvm_value *below,
                                  struct llvm_value *above);
/** The number, or a vector of it. */
struct llvm_value *weiri_clc_splat(struct llvm_type *type, int64_t number);
/** The divisor of a division of the module, with which it has a value. */
struct llvm_value *weiri_clc_divisor(struct weiri_clc *clc, int opcode,
                                     struct llvm_value *dividend,
                                     struct llvm_value *divisor);

/* ---- private.c, parts.c, accesses.c --------------------------------------- */

/** Finds the private variables that are to be watched: those whose bytes may be read
 *  before they are written. @node_of: the debug information of each variable */
void weiri_clc_find_private(struct weiri_clc *clc, GHashTable *node_of);
/** Accesses elements of vectors alone, where the source does. */
void weiri_clc_parts(struct weiri_clc *clc);
/** In checked code: gives accesses their hooks. */
void weiri_clc_accesses(struct weiri_clc *clc);

/** Looks at the address of a vector before the builder's place. The hooks ask for
 *  @hooked bytes of alignment. */
void weiri_clc_check_alignment(struct weiri_clc *clc, struct llvm_value *access,
                               size_t hooked);
/** Whether the address is a whole private variable's that is not watched. */
bool weiri_clc_is_own_variable(const struct weiri_clc *clc, struct llvm_value *address);
/** The address without casts. */
struct llvm_value *weiri_clc_uncast(struct llvm_value *address);

/* ---- kernels.c, entries.c ------------------------------------------------- */

struct weiri_clc_kernel;

bool weiri_clc_is_kernel(struct llvm_value *function);
/** Reads the kernel before its body is converted. */
struct weiri_clc_kernel *weiri_clc_kernel_begin(struct weiri_clc *clc,
                                                struct llvm_value *source);
/** Adds it to the kernels, and K__cl() and K__keep() to the module. */
void weiri_clc_kernel_end(struct weiri_clc *clc, struct weiri_clc_kernel *kernel,
                          struct llvm_value *source);

/** An array of local memory. */
struct weiri_clc_local {
    const char *file, *name;
    unsigned line;
    struct llvm_value *count, *kept_count; /* of elements; that in K__keep() */
    size_t element_bytes;
    struct llvm_type *type; /* of the address */
};
struct llvm_value *weiri_clc_local(struct weiri_clc *clc, struct llvm_builder *builder,
                                   const struct weiri_clc_local *local);

/** Makes the entries of each kernel, and the table of them if the template has it. */
void weiri_clc_entries(struct llvm_module *module, GPtrArray *kernels);

/* ---- fetch.c -------------------------------------------------------------- */

/** Whether functions can be read one by one. */
bool weiri_clc_fetches(void);
/** Reads the functions of the template, of a module that was read lazily. */
void weiri_clc_fetch_template(struct llvm_module *module);
/** Reads the functions that something refers to, and deletes the others. */
void weiri_clc_fetch_used(struct llvm_module *module);

/* ---- debug.c -------------------------------------------------------------- */

/** Operand @i of a node, or NULL. */
struct llvm_value *weiri_clc_operand(struct llvm_value *node, unsigned i);
/** Its text, as a copy; NULL if it is not one. */
char *weiri_clc_string(struct llvm_value *node, unsigned i);
/** Metadata that is attached to a function or a variable, or NULL. */
struct llvm_value *weiri_clc_attached(struct llvm_value *global, const char *kind);
/** The name of the file alone. */
char *weiri_clc_file(struct llvm_metadata *file);
/** The same with its folder, if the name is not enough to find it. */
char *weiri_clc_path(struct llvm_metadata *file);
/** The place of an instruction. */
void weiri_clc_place(struct llvm_value *instruction, char **file, unsigned *line);
/** The name of a variable or a subprogram; (transfer full), or NULL. */
char *weiri_clc_variable_name(struct llvm_metadata *variable);
char *weiri_clc_subprogram_name(struct llvm_metadata *subprogram);
/** Gives a variable of the module of variables the debug information of the source's,
 *  without its address space. */
void weiri_clc_describe_variable(struct weiri_clc *clc, struct llvm_value *from,
                                 struct llvm_value *to);
/** The type of parameter @index of a function, or NULL. */
struct llvm_value *weiri_clc_parameter_type(struct llvm_metadata *subprogram,
                                            unsigned index);
/** The size of what a pointer of that type points to; 0: not known. */
size_t weiri_clc_pointee_bytes(struct llvm_value *type);
/** The numbers that a type is made of: struct weiri_cl_scalar. */
GArray *weiri_clc_members(struct llvm_value *type);

#endif
