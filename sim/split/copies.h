/* SPDX-License-Identifier: MIT
 *
 * copies.h: adds to checked code the hooks that clang's instrumentation leaves out. */
#ifndef WEIR_SPLIT_COPIES_H
#define WEIR_SPLIT_COPIES_H

#include "split/llvm.h"

/**
 * weiri_copies: adds calls to code as clang's front end has written it
 *
 * Before a structure is copied, or passed by value, through a pointer, the function
 * weiri_hook_copy() gets the pointer and the alignment that its type asks for, since
 * -fsanitize=alignment looks at accesses of other types alone. Before an access of
 * another size than 1, 2, 4, 8 and 16 bytes, which -fsanitize=thread passes over, there
 * is a hook of a range. A copy of such a size between a variable of the function and
 * other memory, which optimisation may make one access, becomes several.
 *
 * Variables of the function itself are aligned, and are not memory that others use.
 * Copies in the checked entries of a kernel, around its body, are Weir's own.
 */
void weiri_copies(struct llvm_module *module);

#endif
