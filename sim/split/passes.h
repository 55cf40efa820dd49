/* SPDX-License-Identifier: MIT
 *
 * passes.h: runs LLVM's passes and its code generator on a module. */
#ifndef WEIR_SPLIT_PASSES_H
#define WEIR_SPLIT_PASSES_H

#include "split/llvm.h"

/* The user's wishes for the last passes. */
struct weiri_level {
    char level; /* as in -O2: '1' to '3', 's' or 'z' */
    bool vectorizes, vectorizes_straight, unrolls;
    bool vectorizes_first; /* whether the first passes make vectors of straight code */
    int moves; /* whether the code is position-independent; -1 where they do not say */
    GPtrArray *options; /* (element-type utf8): words after -mllvm */
};

/** Sets LLVM's options for the whole process. */
void weiri_passes_options(const struct weiri_level *level);

/* Each of the following returns whether it was done; if not, it has printed why. */

/** @machine: for costs; NULL: of none */
bool weiri_passes_run(struct llvm_module *module, const char *passes,
                      struct llvm_machine *machine, const struct weiri_level *level);
/** The passes before kernels are split, for code that a front end has written. */
bool weiri_passes_first(struct llvm_module *module, struct llvm_machine *machine,
                        const struct weiri_level *level);
/** Whether LLVM's verifier finds no fault. @step: what was done last */
bool weiri_passes_verify(struct llvm_module *module, const char *step);

/** Has the module printed when it is verified after that step, for work on weir-split
 *  itself. */
void weiri_passes_show(const char *step);

/** Returns: (transfer full) (nullable): the machine that a module is for */
struct llvm_machine *weiri_passes_machine(struct llvm_module *module,
                                          const struct weiri_level *level);
/** "default<O2>", for the level. */
char *weiri_passes_default(const struct weiri_level *level);

#endif
