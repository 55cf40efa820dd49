/* SPDX-License-Identifier: MIT
 *
 * declared.h: which variable a line of C++ declares: the name of the memory that the
 * line allocates, for reports. */
#ifndef WEIRI_SYCL_DECLARED_H
#define WEIRI_SYCL_DECLARED_H

#include <glib.h>

/** The word that ends at @end, or before blanks there, in @text. Returns: (transfer
 *  full): %NULL where none does */
char *weiri_declared_word(const char *text, const char *end);

/**
 * weiri_declared_names:
 * @text: of one statement or its first part
 * @within: what the initial value has to contain, or %NULL
 *
 * The variables that the statement declares or assigns, in their order: "a" and "b" of
 * "T *a = f(), *b = f();", of "T<U> a(c, d), b{ c };" and of "a[i] = b = f();". With
 * @within only those after whose names it comes, before the next comma.
 *
 * Returns: (transfer full): of strings, ended by %NULL
 */
char **weiri_declared_names(const char *text, const char *within);

#endif
