/* check: the same barrier twice */
#include "wrong-flag.h"

WEIR_KERNEL(swap_pairs, swap_args)
{
    size_t i = weir_global_id(item, 0);
    args->spare[i] = 2 * args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = args->spare[i ^ 1];
}
