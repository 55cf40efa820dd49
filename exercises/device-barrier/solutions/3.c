/* Each item computes the total for itself. */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t total = 0;
    for (size_t k = 0; k < weir_global_size(item, 0); k++) {
        total += args->in[k];
    }
    args->out[i] = args->in[i] * 100 / total;
}

WEIR_KERNEL(finish, share_args)
{
}
