/* SPDX-License-Identifier: MIT
 *
 * kernel-names.h: the meaning of a kernel's names, as their declarations in its text
 * show it, in languages whose kernels are functions with the launch's numbers as
 * parameters: OpenCL C and CUDA. */
#ifndef WEIRI_KERNEL_NAMES_H
#define WEIRI_KERNEL_NAMES_H

#include "repair/suggest.h"

/** A pattern in which @ stands for @name. Returns: (transfer full) */
char *weiri_names_pattern(const char *pattern, const char *name);

/** The first group of the first match of a pattern, in which @ stands for @name.
 *  @name: (nullable). Returns: (transfer full): or %NULL */
char *weiri_names_match(const char *pattern, const char *name, const char *text);
bool weiri_names_matches(const char *pattern, const char *name, const char *text);

/** The type of the object that the expression names in a function: "int" of
 *  "p->bins[i]", "*count". A name that the function does not declare is a member, or a
 *  variable of the program. Returns: (transfer full): or %NULL */
char *weiri_names_type_of(const struct weiri_source *source, uint32_t function,
                          const char *lvalue);

/** Whether the condition of a branch is the same for all items of a group: it has ids
 *  of the group, sizes, numbers of the launch, constants, and variables of such. */
bool weiri_names_are_of_group(const struct weiri_source *source, uint32_t branch);

/** Parameters of the function that are numbers of the launch.
 *  Returns: (transfer full): of char * */
GPtrArray *weiri_names_numbers(const struct weiri_source *source, uint32_t function);

#endif
