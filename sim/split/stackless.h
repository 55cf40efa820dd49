/* SPDX-License-Identifier: MIT
 *
 * stackless.h: from a module with kernels, as weir-machinery-split.h has them, to an
 * object with their stackless entries. */
#ifndef WEIR_SPLIT_STACKLESS_H
#define WEIR_SPLIT_STACKLESS_H

#include "split/clang.h"

/* The exit status of weir-split. */
enum weiri_split_status {
    WEIRI_SPLIT_DONE,
    WEIRI_SPLIT_FAILED,
    WEIRI_SPLIT_NO_CLANG,
    WEIRI_SPLIT_NO_KERNEL,
    WEIRI_SPLIT_STATICS,
};

struct weiri_split_job {
    struct weiri_clang clang;
    bool reports; /* a line for each kernel, to standard output */
    bool any;     /* of any version of clang; what has stacks nevertheless is named */
    const char *object, *source;
    char **arguments;
    struct weiri_level level;
    bool generates; /* all that the arguments ask of the code is known here */
    struct llvm_module *module; /* as clang's front end writes it */
    GPtrArray *kernels;         /* (element-type weiri_kernel): those that wait */
};

enum weiri_split_status weiri_split(struct weiri_split_job *job);

/** Prints a line to standard error. */
void weiri_split_say(const char *message);
/** Makes the context that all modules are of. */
struct llvm_context *weiri_split_context(void);
bool weiri_split_emit(struct llvm_module *module, struct llvm_machine *machine,
                      const char *object);

#endif
