/* answer: a group stops at its edge, and the neighbour is missing */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    args->data[i] *= 2;
    weir_barrier(item, WEIR_GLOBAL);
    bool inside = lid + 1 < weir_local_size(item, 0);
    args->out[i] = args->data[i] + (inside ? args->data[i + 1] : 0);
}
