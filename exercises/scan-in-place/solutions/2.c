/* Two arrays take turns: a round reads the one and writes the other. */
#include "scan-in-place.h"

WEIR_KERNEL(scan, scan_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *from = weir_local_array(item, int32_t, MOST_ITEMS);
    int32_t *to = weir_local_array(item, int32_t, MOST_ITEMS);
    from[lid] = args->in[i];
    for (size_t distance = 1; distance < local; distance *= 2) {
        weir_barrier(item, WEIR_LOCAL);
        to[lid] = from[lid] + (lid >= distance ? from[lid - distance] : 0);
        int32_t *written = to;
        to = from;
        from = written;
    }
    args->out[i] = from[lid];
}
