/* answer: atomic operations do not race, and may still add a sum of the next round */
#include "scan-in-place.h"

WEIR_KERNEL(scan, scan_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *sums = weir_local_array(item, int32_t, MOST_ITEMS);
    sums[lid] = args->in[i];
    for (size_t distance = 1; distance < local; distance *= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid >= distance) {
            weir_atomic_fetch_add_explicit(
                &sums[lid],
                weir_atomic_load_explicit(&sums[lid - distance], memory_order_relaxed,
                                          memory_scope_work_group),
                memory_order_relaxed, memory_scope_work_group);
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = sums[lid];
}
