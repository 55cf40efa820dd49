/* SPDX-License-Identifier: MIT
 *
 * aligned.h: whether a source can ask for the alignment of a type. */
#ifndef WEIR_SPLIT_ALIGNED_H
#define WEIR_SPLIT_ALIGNED_H

#include <stdbool.h>

/**
 * weiri_aligned_never: whether nothing in a source asks for an alignment
 * @own: the folder of Weir's headers
 * @words: arguments of a compiler, the source among them; ends with %NULL
 * @odd: nor has structures whose members are of less than four bytes, or bit-fields
 *
 * Returns: whether that is known without a compiler. If not, it may ask for one.
 */
bool weiri_aligned_never(const char *own, char *const *words, bool odd);

#endif
