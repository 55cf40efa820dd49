/* One reduction for each bin, which waits by itself. */
#include "histogram-merge.h"

WEIR_KERNEL(histogram, histogram_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    for (int32_t b = 0; b < BINS; b++) {
        int32_t count = weir_group_reduce_add(item, (int32_t)(mine == b));
        if (weir_local_id(item, 0) == 0) {
            weir_atomic_fetch_add_explicit(&args->bins[b], count, memory_order_relaxed,
                                           memory_scope_device);
        }
    }
}
