/* SPDX-License-Identifier: MIT
 *
 * release.h: declares once more that the iterations of a loop over items are
 * independent. Passes that merge loads or stores forget it of these. */
#ifndef WEIR_SPLIT_RELEASE_H
#define WEIR_SPLIT_RELEASE_H

#include "split/kernels.h"

void weiri_release(struct llvm_module *module);
/** Counts the vector loops of each of @kernels, in the finished code. */
void weiri_release_count(struct llvm_module *module, GPtrArray *kernels);

#endif
