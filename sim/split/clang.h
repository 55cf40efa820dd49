/* SPDX-License-Identifier: MIT
 *
 * clang.h: runs clang, and reads the arguments that are for it. */
#ifndef WEIR_SPLIT_CLANG_H
#define WEIR_SPLIT_CLANG_H

#include "split/passes.h"

struct weiri_clang {
    char *name;       /* as it is run */
    unsigned version; /* its major version */
    char *libraries;  /* its folder of libraries */
};

/** Returns: (transfer full): why no clang can be used, or %NULL if one can */
char *weiri_clang_find(struct weiri_clang *clang);
/** Whether kernels of this version have been compared with those that have stacks. */
bool weiri_clang_is_tried(unsigned version);
/** The versions of which that is so, as a text. */
char *weiri_clang_tried(void);

/** Compiles a source to bitcode, in which kernels are as weir-machinery-split.h has
 * them. Returns: (nullable) (transfer full): the bitcode, if clang has no error */
GByteArray *weiri_clang_compile(const struct weiri_clang *clang, const char *source,
                                char *const *arguments);

/** Compiles a header of C++ for weiri_clang_compile(). @arguments: with those that name
 *  the header and the output. Returns: whether clang has no error */
bool weiri_clang_header(const struct weiri_clang *clang, char *const *arguments);

/** Compiles bitcode to an object. Returns: whether clang has no error */
bool weiri_clang_finish(const struct weiri_clang *clang, const char *bitcode,
                        const char *object, char *const *arguments);

/** Reads what the arguments ask of the last passes. Returns: whether the bitcode has
 *  all else that they ask of the code */
bool weiri_clang_level(char *const *arguments, struct weiri_level *level);

#endif
