/* SPDX-License-Identifier: MIT
 *
 * seam_kernel.c: one of everything that emits an event. */
#include "seam_kernel.h"

WEIR_KERNEL(seam, seam_args)
{
    int *scratch = weir_local_array(item, int, 4);
    size_t id = weir_local_id(item, 0);
    scratch[id] = (int)id;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_atomic_fetch_add_explicit(args->n, 1, memory_order_relaxed,
                                             memory_scope_device)]
        = scratch[id];
}
