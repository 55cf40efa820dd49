/* check: the barrier comes after the merge */
#include "histogram-merge.h"

WEIR_KERNEL(histogram, histogram_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *counts = weir_local_array(item, int32_t, BINS);
    for (size_t b = lid; b < BINS; b += local) {
        counts[b] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    weir_atomic_fetch_add_explicit(&counts[args->in[weir_global_id(item, 0)]], 1,
                                   memory_order_relaxed, memory_scope_work_group);
    for (size_t b = lid; b < BINS; b += local) {
        weir_atomic_fetch_add_explicit(&args->bins[b], counts[b], memory_order_relaxed,
                                       memory_scope_device);
    }
    weir_barrier(item, WEIR_LOCAL);
}
