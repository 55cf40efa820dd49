/* No local counts: each item counts in global memory. */
#include "histogram-zeroing.h"

WEIR_KERNEL(histogram, histogram_args)
{
    weir_atomic_fetch_add_explicit(&args->bins[args->in[weir_global_id(item, 0)]], 1,
                                   memory_order_relaxed, memory_scope_device);
}
