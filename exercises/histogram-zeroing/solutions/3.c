/* Each bin belongs to one item, which counts it alone. */
#include "histogram-zeroing.h"

WEIR_KERNEL(histogram, histogram_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    const int32_t *in = args->in + weir_group_id(item, 0) * local;
    for (size_t b = lid; b < BINS; b += local) {
        int32_t count = 0;
        for (size_t k = 0; k < local; k++) {
            count += in[k] == (int32_t)b;
        }
        weir_atomic_fetch_add_explicit(&args->bins[b], count, memory_order_relaxed,
                                       memory_scope_device);
    }
}
