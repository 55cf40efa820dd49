/* SPDX-License-Identifier: MIT
 *
 * reduce_builtin.c: the runtime's own reduction over the group, and an atomic by
 * item 0 to finish.
 *
 * Source:  the built-in reduction operator of "Analyzing the Performance of
 *          Reduction Operations in Data Parallel C++", groups of 256.
 * Teaches: a collective is a barrier with a value: every item of the group calls
 *          it or none does, so an item without an element brings a 0. */
#include "reduce_common.h"

/* The source's items of a group. */
enum { LOCAL = 256 };

WEIR_KERNEL(reduce_builtin, reduce_args)
{
    size_t i = weir_global_id(item, 0);
    uint32_t value = i < args->n ? args->in[i] : 0;
    uint32_t sum = weir_group_reduce_add(item, value);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        sum);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_builtin, job->n, error);
}

KERNEL_ROW reduce_builtin_row = {
    .name = "reduce_builtin",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "the runtime's own reduction over the group, then one atomic add",
    .local = LOCAL,
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 429 },
                                               { "Iris Xe", 536870912, 162 },
                                               { NULL, 0, 0 } },
    .run = run,
};
