/* SPDX-License-Identifier: MIT
 *
 * A group reverses its elements, and counts them. */
#include "split.h"

#include <weir-kernel.h>

WEIR_KERNEL(split, split_args)
{
    uint32_t *a = weir_local_array(item, uint32_t, LOCAL);
    size_t l = weir_local_id(item, 0);
    a[l] = args->in[l];
    weir_barrier(item, WEIR_LOCAL); /* filled */
    args->out[l] = a[LOCAL - 1 - l];
    weir_atomic_fetch_add_explicit(args->n, 1, memory_order_relaxed,
                                   memory_scope_device);
}
