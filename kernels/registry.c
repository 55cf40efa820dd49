/* SPDX-License-Identifier: MIT
 *
 * registry.c: the list of rows, in reading order: from the sum that one item
 * takes to those that use everything a device has, each hierarchical form after
 * its plain one, the histograms last.
 *
 * Invariants: a row's constant is its name with _row appended. */
#include "kernels.h"

#include <string.h>

#define ROWS(X)                                                                        \
    X(reduce_single_item)                                                              \
    X(reduce_atomics1)                                                                 \
    X(reduce_atomics2)                                                                 \
    X(reduce_atomics3)                                                                 \
    X(reduce_single_group)                                                             \
    X(reduce_single_group_hierarchical)                                                \
    X(reduce_tree)                                                                     \
    X(reduce_tree_hierarchical)                                                        \
    X(reduce_multi_pass)                                                               \
    X(reduce_multi_pass_hierarchical)                                                  \
    X(reduce_two_pass)                                                                 \
    X(reduce_two_pass_hierarchical)                                                    \
    X(reduce_builtin)                                                                  \
    X(reduce_multiblock_interleaved)                                                   \
    X(reduce_multiblock_interleaved_hierarchical)                                      \
    X(reduce_multiblock_interleaved_vector)                                            \
    X(reduce_multiblock_interleaved_vector_hierarchical)                               \
    X(reduce_last_group_relaxed)                                                       \
    X(reduce_last_group_relaxed_hierarchical)                                          \
    X(reduce_last_group_relaxed_read_before)                                           \
    X(reduce_last_group)                                                               \
    X(reduce_last_group_hierarchical)                                                  \
    X(reduce_tree_divergent)                                                           \
    X(reduce_tree_divergent_hierarchical)                                              \
    X(reduce_tree_sequential)                                                          \
    X(reduce_tree_sequential_hierarchical)                                             \
    X(reduce_first_add)                                                                \
    X(reduce_first_add_hierarchical)                                                   \
    X(reduce_shuffle)                                                                  \
    X(reduce_float_pairwise)                                                           \
    X(reduce_float_pairwise_hierarchical)                                              \
    X(reduce_float_atomic)                                                             \
    X(histogram_critical)                                                              \
    X(histogram_atomic_relaxed)                                                        \
    X(histogram_atomic_seq_cst)                                                        \
    X(histogram_local_relaxed)                                                         \
    X(histogram_local_relaxed_hierarchical)                                            \
    X(histogram_local_seq_cst)                                                         \
    X(histogram_local_seq_cst_hierarchical)                                            \
    X(histogram_replicated)                                                            \
    X(histogram_replicated_hierarchical)

#define X(name) extern const struct kernel_row name##_row;
ROWS(X)
#undef X

#ifdef HAVE_STACKLESS
/* The stackless entries are one object of the archive. Kernels refer to theirs weakly,
 * which would not link it. */
extern const struct weiri_split reduce_tree__split;
const struct weiri_split *const kernel_stackless = &reduce_tree__split;
#endif

const struct kernel_row *const kernel_rows[] = {
#define X(name) &name##_row,
    ROWS(X)
#undef X
        NULL,
};

const struct kernel_row *kernel_find(const char *name)
{
    for (const struct kernel_row *const *row = kernel_rows; *row != NULL; row++) {
        if (strcmp((*row)->name, name) == 0) {
            return *row;
        }
    }
    return NULL;
}
