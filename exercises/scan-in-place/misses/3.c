/* check: only the items that add something reach the second barrier */
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
            int32_t before = sums[lid - distance];
            weir_barrier(item, WEIR_LOCAL);
            sums[lid] += before;
        }
    }
    args->out[i] = sums[lid];
}
