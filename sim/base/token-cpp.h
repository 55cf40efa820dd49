/* SPDX-License-Identifier: MIT
 *
 * token-cpp.h: the parts of C++ that are found in tokens alone: lambdas and template
 * arguments. */
#ifndef WEIRI_TOKEN_CPP_H
#define WEIRI_TOKEN_CPP_H

#include "base/token.h"

/** Whether the ending of a file's name is one of C++. @path: (nullable) */
bool weiri_token_cpp_names(const char *path);

/** The token after the `>` that ends the template arguments that `<` at token @i
 *  begins, or NONE where it is a comparison. */
uint32_t weiri_token_cpp_after_angles(const struct weiri_tokens *tokens, uint32_t i);

/** The `{` of the lambda that begins with `[` at token @i, or NONE. */
uint32_t weiri_token_cpp_lambda(const struct weiri_tokens *tokens, const char *text,
                                uint32_t i);

#endif
