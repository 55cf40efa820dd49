/* check: without the barrier */
#include "wrong-flag.h"

WEIR_KERNEL(swap_pairs, swap_args)
{
    size_t i = weir_global_id(item, 0);
    args->spare[i] = 2 * args->in[i];
    args->out[i] = args->spare[i ^ 1];
}
