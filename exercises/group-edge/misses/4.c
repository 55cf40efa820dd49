/* answer: atomic accesses do not race, but the neighbour may be doubled or not */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t mine = weir_atomic_load_explicit(&args->data[i], memory_order_relaxed,
                                             memory_scope_device);
    weir_atomic_store_explicit(&args->data[i], 2 * mine, memory_order_release,
                               memory_scope_device);
    weir_barrier(item, WEIR_GLOBAL);
    int32_t right = 0;
    if (i + 1 < args->n) {
        right = weir_atomic_load_explicit(&args->data[i + 1], memory_order_acquire,
                                          memory_scope_device);
    }
    args->out[i] = 2 * mine + right;
}
