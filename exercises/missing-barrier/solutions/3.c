/* No local memory: nothing is shared, so nothing has to be waited for. */
#include "missing-barrier.h"

WEIR_KERNEL(reverse, reverse_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    size_t first = weir_group_id(item, 0) * local;
    args->out[first + lid] = args->in[first + local - 1 - lid];
}
