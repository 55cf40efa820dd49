/* SPDX-License-Identifier: MIT
 *
 * cuda.h: shared by the files of weir-cuda-cc: the device's side of a source in CUDA,
 * as clang's front end made it for this machine, which becomes entries of kernels.
 *
 *     weir-cuda-cc.c  the steps, and their order
 *     source.c        kernels, their parameters, and variables, as the source has them
 *     items.c         functions get the item; calls of the machine's builtins
 *     outside.c       functions that other objects, or pointers, lead to
 *     shared.c        shared variables
 *     volatile.c      volatile loads that wait; turns
 *     private.c       arrays of a thread, in checked code
 *     kernels.c       the functions that load arguments and call kernels; the table
 *     variables.c     variables of the device, which all entries share
 *     ptx.c           asm statements: see ptx.h
 *     exit.c          PTX's exit
 *     debug.c         names, files and lines, from debug information */
#ifndef WEIR_CUDA_CC_CUDA_H
#define WEIR_CUDA_CC_CUDA_H

#include "split/ir.h"
#include "split/llvm.h"

/* Which entries a run makes: WEIRI_FAT of the template. */
enum weiri_cuda_mode { WEIRI_CUDA_FAST = 1, WEIRI_CUDA_CHECKED, WEIRI_CUDA_STACKLESS };

/* What LLVM passes as argument @i of a function: a part of a parameter of the source,
 * or the address of all of it. */
struct weiri_cuda_argument {
    unsigned parameter;
    size_t offset;
    bool by_address;
};

struct weiri_cuda_size {
    size_t offset, bytes;
};

/**
 * weiri_cuda_entry: a kernel
 * @function: of the source; the one with the item, once there is one
 * @symbol: the mangled name
 * @name: as the source has it: "reduce<256u>"
 * @arguments: of the function, without the item
 * @parameters: of the source, as places in the block of arguments
 * @args_bytes: of the block
 * @max_threads: 0: it does not say
 * @cluster: blocks of a cluster; 0: it does not say
 * @stacks: what it calls is not all known: no entry without stacks
 */
struct weiri_cuda_entry {
    struct llvm_value *function;
    char *symbol, *name, *file;
    unsigned line;
    struct weiri_cuda_argument *arguments;
    unsigned n_arguments;
    struct weiri_cuda_size *parameters;
    unsigned n_parameters;
    size_t args_bytes, shared_bytes;
    uint64_t max_threads, cluster[3];
    bool stacks;
};

/* A variable in shared memory, or a managed one, whose address is known when the
 * program runs. @site: of its declaration, once it is asked for; @pointer: of a managed
 * one, the variable that has its address; @count: 0: its size is the launch's */
struct weiri_cuda_shared {
    struct llvm_value *global, *site, *pointer;
    char *name, *file;
    unsigned line;
    size_t count, element_bytes, slot;
};

/* What the names of variables begin with that have addresses of managed ones. */
#define WEIRI_CUDA_MANAGED "weir.managed."

/* A variable of the device that the host may know. */
struct weiri_cuda_variable_of {
    struct llvm_value *global;
    char *symbol, *name, *file;
    unsigned line;
    size_t bytes;
    struct llvm_value *pointer; /* of a managed one: has its address */
};

/**
 * weiri_cuda_code: a source that is being rewritten
 * @id: of the translation unit
 * @headers: the folder of Weir's headers; NULL: none is known
 * @functions: (element-type llvm_value): that the source defines
 * @exits: names of those that may exit, but for kernels: LLVM deletes some when it has
 *         inlined them
 * @with_item: a function of the source: the same with the item
 */
struct weiri_cuda_code {
    struct llvm_module *module;
    struct llvm_layout *layout;
    struct llvm_builder *builder;
    enum weiri_cuda_mode mode;
    const char *id, *headers;
    bool relocatable; /* other objects may use its functions and variables */
    GPtrArray *entries, *shared, *variables, *functions;
    GHashTable *exits;
    GHashTable *with_item;
    GHashTable *managed;         /* variables that are the host's: their pointers */
    GHashTable *private_names;   /* of variables that are watched: a text */
    struct llvm_type *item_type; /* of the pointer */
    GPtrArray *missing;          /* (element-type utf8): lines about what Weir lacks */
};

static inline size_t weiri_cuda_round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/** The name of a global. */
const char *weiri_cuda_name(struct llvm_value *global);
void weiri_cuda_rename(struct llvm_value *global, const char *name);
/** The value without casts. */
struct llvm_value *weiri_cuda_uncast(struct llvm_value *value);

/* ---- source.c -------------------------------------------------------------- */

/** Finds kernels and variables. Returns: false if a kernel cannot be understood, which
 *  has been said */
bool weiri_cuda_read(struct weiri_cuda_code *code);
/** Whether the function is a kernel, as it is in @code at this time. */
bool weiri_cuda_is_kernel(const struct weiri_cuda_code *code,
                          const struct llvm_value *function);

/** Gives functions of the C library that kernels call their names in the runtime, and
 *  builtins the names of calls. */
void weiri_cuda_rename_calls(struct weiri_cuda_code *code);

/* ---- ptx.c ----------------------------------------------------------------- */

/** Replaces asm statements by what their PTX does. Returns: false if one cannot be
 *  understood, which has been said */
bool weiri_cuda_assembly(struct weiri_cuda_code *code);

/* ---- exit.c ---------------------------------------------------------------- */

/** The function of which a call stands for an exit. */
struct llvm_value *weiri_cuda_exit(struct weiri_cuda_code *code);
/** Finds functions that may exit, which must be inlined. Returns: false if one cannot
 *  be, which has been said, as in the next one */
bool weiri_cuda_find_exits(struct weiri_cuda_code *code);
/** After that: makes exits returns of kernels. */
bool weiri_cuda_make_exits(struct weiri_cuda_code *code);

/* ---- items.c --------------------------------------------------------------- */

/** Gives each function the item, and each call of a builtin the item and the place. */
void weiri_cuda_add_items(struct weiri_cuda_code *code);
/** A static site. @name: of a variable there; NULL: none */
struct llvm_value *weiri_cuda_site(struct weiri_cuda_code *code, const char *file,
                                   const char *function, unsigned line,
                                   const char *name);
/** Adds a call of a function of the template, to whose types it fits the arguments. */
struct llvm_value *weiri_cuda_call(struct weiri_cuda_code *code, const char *name,
                                   struct llvm_type *result,
                                   struct llvm_value **arguments, unsigned n);
void weiri_cuda_copy_attributes(struct llvm_value *from, struct llvm_value *to,
                                int shift);
void weiri_cuda_copy_call_attributes(struct llvm_value *from, struct llvm_value *to,
                                     int shift);

/* ---- outside.c ------------------------------------------------------------- */

/** Makes a function without item for each whose address is taken, or that another
 *  object may call. */
void weiri_cuda_outside(struct weiri_cuda_code *code);
/** Finds the kernels of which not all code is known. */
void weiri_cuda_find_stacks(struct weiri_cuda_code *code);

/* ---- shared.c, kernels.c, variables.c -------------------------------------- */

/** The variable that has the address of a managed one. */
struct llvm_value *weiri_cuda_managed_pointer(struct weiri_cuda_code *code,
                                              struct llvm_value *global);
/** Replaces shared variables by addresses in the memory of the group, and managed ones
 *  by what their pointers have. */
void weiri_cuda_place_shared(struct weiri_cuda_code *code);
/** Makes K__cl() and K__keep() of each kernel, their entries, and the table. */
void weiri_cuda_make_entries(struct weiri_cuda_code *code);
/** Leaves the definitions of variables to the fast entries' object. */
void weiri_cuda_place_variables(struct weiri_cuda_code *code);
/** Makes volatile loads that wait for another thread atomic. */
void weiri_cuda_find_polls(struct weiri_cuda_code *code);
void weiri_cuda_add_turns(struct weiri_cuda_code *code);
/** Calls the machine where arrays of functions of the source begin to live. */
void weiri_cuda_watch_private(struct weiri_cuda_code *code);

/* ---- debug.c --------------------------------------------------------------- */

/** The place of an instruction in code that is not of Weir's headers. @file: (transfer
 *  full) */
void weiri_cuda_place(const struct weiri_cuda_code *code,
                      struct llvm_value *instruction, char **file, unsigned *line,
                      char **called);
/** A function's name, file and line; %NULL and 0 without debug information. */
char *weiri_cuda_function_name(struct llvm_value *function);
void weiri_cuda_function_place(struct llvm_value *function, char **file,
                               unsigned *line);
/** The number of parameters of the source, and the size of one; 0: not known. */
unsigned weiri_cuda_n_parameters(struct llvm_value *function);
size_t weiri_cuda_parameter_bytes(struct llvm_value *function, unsigned index);
/** Whether the type of a parameter is a class. */
bool weiri_cuda_parameter_is_class(struct llvm_value *function, unsigned index);
/** A variable's name, file and line. */
void weiri_cuda_describe_global(struct llvm_value *global, char **name, char **file,
                                unsigned *line);

#endif
